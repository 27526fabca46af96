// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions that an engine must offer to be timed with the others.
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "chain.h"

#ifdef __cplusplus
extern "C" {
#endif

// An engine under test. Every call does the whole job from q and v: sines and cosines, positions,
// velocities, then the answer. An engine that lacks one of the jobs leaves its pointer NULL.
typedef struct benchEngine {
  const char *name;

  // the engine's own model and workspace of one chain; NULL when it cannot be made
  void *(*create)(const benchChain *chain);
  void (*destroy)(void *state);

  // tau that gives the accelerations a
  void (*inverse)(void *state, const double *q, const double *v, const double *a, double *tau);

  // the mass matrix at q, in whatever layout the engine keeps it
  void (*mass)(void *state, const double *q);

  // the matrix that `mass` left behind, dense, both triangles, row-major; not timed
  void (*read_mass)(void *state, double *M);

  // accelerations under tau
  void (*forward)(void *state, const double *q, const double *v, const double *tau, double *a);
} benchEngine;

#ifdef BENCH_ARTICULA
extern const benchEngine bench_articula;
#endif

#ifdef BENCH_MUJOCO
// the shortest sequence of MuJoCo's component functions that does each job
extern const benchEngine bench_mujoco;
// the same jobs as most users call them: mj_inverse, a dense mass matrix, mj_forward
extern const benchEngine bench_mujoco_whole;
#endif

#ifdef BENCH_SIMBODY
extern const benchEngine bench_simbody;
#endif

#ifdef __cplusplus
}
#endif

#endif
