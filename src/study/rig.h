// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The rig that moves the wheels of an axle.
#ifndef STUDY_RIG_H
#define STUDY_RIG_H

#include "study/balance.h"

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

// Start from the study, and from model and data in the balance, whose supports are wheels and joints that are held.
typedef struct rigWork {
  balanceWork balance;
  const artKinematicsDef *study;
  int nwheel, nheld;
  rigWheel *wheel;
  int *held;              // [nheld] velocity coordinates
  double travel;          // wanted, m
  double load[RIG_LOADS]; // on every wheel, N, N, N m
  double forces;          // the largest met so far
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
void rig_find_rates(rigWork *w, double *rate);

// Remember where the rig is, and go back there.
int rig_take_state(rigWork *w, rigState *state);
void rig_save(const rigWork *w, rigState *state);
void rig_load(rigWork *w, const rigState *state);

// Wheel i at the last balance, in ground: centre, axis, and from the centre to where loads act.
v3 rig_centre(const rigWork *w, int i);
v3 rig_axis(const rigWork *w, int i);
v3 rig_arm(const rigWork *w, int i);

#endif
