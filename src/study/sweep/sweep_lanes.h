// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs that advance together: generated code over lanes steps several machines of one build, each with parameters
// of its own, by the method of Runge and Kutta with one step for all.
//
// A machine gives the same numbers regardless of the other cases. Machines with functions of the host's or with another
// integrator run alone, and so do those whose loops leave the coordinates that the code has built in.
#ifndef STUDY_SWEEP_LANES_H
#define STUDY_SWEEP_LANES_H

#include "articula/generate.h"
#include "base/arena.h"
#include "study/sweep/sweep_run.h"

enum { SWEEP_MOST_LANES = 8 };

// Can a study run in lanes, as far as it knows? And how many lanes has this CPU?
int lanes_suit(const artRunDef *study);
int lanes_count(void);

// Make the program of a case; 0 when it has to run alone.
int lanes_open(sweepMember *x);

// Code of one build, which a worker keeps for the cases that follow.
typedef struct sweepCode sweepCode;
void lanes_free_code(sweepCode *code);

// Run n cases of one build, n <= lanes_count(), into their digests. is_out is set where one has to run alone after all, which
// failures of memory or of the compiler do to all of them. Code is made by one thread at a time: the next one finds it in
// the cache.
void lanes_run(sweepRun *run, sweepWorker *w, int n, sweepMember *const *member);

//---- their code, their numbers side by side, and its evaluation ------------------------------------

struct sweepCode {
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
};

typedef struct lanesRun {
  sweepCode *c;
  int n; // lanes at work; the others repeat the first
  sweepMember *const *member;
  const artSweepDef *def;
  sweepWorker *w;
} lanesRun;

// ydot at t and y, with loops closed in the coordinates; bit k of the result is set where lane k has no rates.
int lanes_find_rates(const lanesRun *r, double t, const double *y, double *ydot);

// Unknowns from the coordinates, in which the code has closed loops.
void lanes_take_closed(const lanesRun *r, double *y);

// Quaternions in unknowns get the length one.
void lanes_normalise(const lanesRun *r, double *y);

// Before the first step code must give the accelerations of numbers, which are in the data.
void lanes_compare(const lanesRun *r);

// A row of lane k, with the unknowns of that lane; it is out where numbers are not at home there.
void lanes_show(const lanesRun *r, int k, double t, const double *y);

int lanes_go_on(const lanesRun *r);

// From row to row, where machines have switching instants (sweep_switches.c).
void lanes_advance_switching(const lanesRun *r);

#endif
