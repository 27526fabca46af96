// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The rig that moves the wheels of an axle.
#ifndef STUDY_RIG_H
#define STUDY_RIG_H

#include "articula/study.h"
#include "base/arena.h"
#include "data/work.h"

enum { RIG_LONGITUDINAL, RIG_LATERAL, RIG_ALIGNING, RIG_LOADS };

typedef struct rigWheel {
  int frame;
  v3 start, start_arm; // wheel centre, and from there to where loads act
  double side;         // 1 left, -1 right
  double sign;         // of its travel
} rigWheel;

typedef struct rigState {
  double *q, *lambda;
} rigState;

// Start from the model, the data and the study.
typedef struct rigWork {
  const artModel *m;
  artData *d;
  const artStudyDef *study;
  baseArena arena;
  int nwheel, nheld;
  rigWheel *wheel;
  int *held;              // [nheld] velocity coordinates
  double travel;          // wanted, m
  double load[RIG_LOADS]; // on every wheel, N, N, N m

  int n, size;    // independent coordinates; unknowns, lambda included
  int column;     // of J
  int *free;      // [n] independent velocity coordinates
  double *R;      // [nv n] v = R v_f at q
  double *start;  // [nq]
  double *q;      // [nq] the best so far
  double *lambda; // [nwheel + nheld] forces of the rig: up on wheels, along coordinates
  double *push;   // [nwheel + nheld] the same in an evaluation
  double *move;   // [nv] a displacement
  double *all;    // [nv] joint forces
  double *r;      // [size] what is missing
  double *J;      // [size size] dr/d(q, lambda / unit), by columns
  double *scaled, *U, *s, *Vt;
  double *x;     // [size]
  double *space; // [4 size]
  double unit;   // N
  double forces; // the largest met so far
  rigState safe;
} rigWork;

// Bring the machine to balance at zero travel, loads as they are; rig_end in any case, which leaves the data
// where it was.
artStatus rig_begin(rigWork *w, artError *error);
void rig_end(rigWork *w);

// Balance at another travel, or under other loads at the same one. ART_NO_CONVERGENCE leaves the rig where
// it was.
artStatus rig_balance(rigWork *w, double travel, artError *error);

// The forces on wheels per travel of each, at the last balance, N/m.
artStatus rig_find_rates(rigWork *w, double *rate, artError *error);

// Remember where the rig is, and go back there.
int rig_take_state(rigWork *w, rigState *state);
void rig_save(const rigWork *w, rigState *state);
void rig_load(rigWork *w, const rigState *state);

// Wheel i at the last balance, in ground: centre, axis, and from the centre to where loads act.
v3 rig_centre(const rigWork *w, int i);
v3 rig_axis(const rigWork *w, int i);
v3 rig_arm(const rigWork *w, int i);

#endif
