// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of runs in lanes: their code, their numbers side by side, and its evaluation.
#ifndef STUDY_SWEEP_INSIDE_H
#define STUDY_SWEEP_INSIDE_H

#include "articula/generate.h"
#include "base/arena.h"
#include "study/run.h"

struct lanesUser;
struct sweepLane;

typedef struct sweepCode {
  uint64_t build;
  artGenerated *code;
  int accelerate, rates;                                        // functions
  int lanes, nq, nv, ns, nu, nmode;                             // of the whole machine
  int n;                                                        // unknowns of a run
  double *t, *q, *v, *s, *u, *mode, *a, *s_rate, *power, *qdot; // arguments, lanes side by side
  double *y, *k1;                                               // [n] unknowns and rates, likewise
  double *space;                                                // [3 n] stages of a step
  double *one;                                                  // [n] of a single lane
  double *aside;                                                // [n] at a row between two steps
  baseArena arena;
} sweepCode;

typedef struct lanesRun {
  sweepCode *c;
  int n; // lanes at work; the others repeat the first
  struct sweepLane *const *lane;
  const struct lanesUser *user;
  int *is_out;
} lanesRun;

// ydot at t and y, with loops closed in the coordinates; bit k of the result is set where lane k has no rates.
int lanes_find_rates(const lanesRun *r, double t, const double *y, double *ydot);

// Unknowns from the coordinates, in which the code has closed loops.
void lanes_take_closed(const lanesRun *r, double *y);

// Quaternions in unknowns get the length one.
void lanes_normalise(const lanesRun *r, double *y);

// Before the first step code must give the accelerations of numbers, which stand in the data.
void lanes_compare(const lanesRun *r);

// A row of lane k, with the unknowns of that lane; it is out where numbers are not at home there.
void lanes_show(const lanesRun *r, int k, double t, const double *y);

int lanes_go_on(const lanesRun *r);

// From row to row, where machines have switching instants (sweep_switches.c).
void lanes_advance_switching(const lanesRun *r);

#endif
