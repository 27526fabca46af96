// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What lies inside a step: whether formulas of time, and roads under wheels, do anything there that its ends do not show.
//
// Formulas and roads are evaluated on intervals of time (formula_bounds.h, road_bounds.h), with the modes that are frozen.
// Other quantities that a formula reads, and places of wheels, follow parabolas through their values at the beginning, in the
// middle and at the end of the step; that they do so is an assumption (doc/theory/events.md).
#ifndef FORCE_STEP_VIEW_H
#define FORCE_STEP_VIEW_H

#include "data/work.h"
#include "model/formula/formula_bounds.h"

// A place of the step, or the beginning of the step before: the data as it is there (force_view_take).
enum { VIEW_BEGIN, VIEW_MIDDLE, VIEW_END, VIEW_BEFORE, VIEW_PLACES };

typedef struct stepView {
  int is_needed;   // formulas of time or wheels on roads are there
  int reads_state; // formulas that are looked at depend on more than time
  int has_wheels;
  int is_fixed;           // steps have a given length
  double from, to;        // the step
  double at[VIEW_PLACES]; // s, where quantities and wheels were taken
  long unproved;          // steps that could not be looked through

  unsigned char *depends;     // [nquantity] VIEW_TIME, VIEW_STATE: what a quantity depends on
  double *value[VIEW_PLACES]; // [nquantity] quantities,
  double *wheel[VIEW_PLACES]; // [3 nelement] and lowest points of wheels
  formulaBounds *slots;       // [nquantity]
  formulaBounds *stack;
  formulaBounds *g, *thin[2]; // [most switches of a formula]
  double *most;               // [formulas and wheels] the largest magnitude so far
  int *failed;                // [same] how often it could not be proved,
  int *brief;                 // [same] and how often in a row it has cut steps very short
  int nitem;
} stepView;

// Take memory for a machine and its variants, 0: there is none.
int force_view_create(stepView *v, baseArena *arena, const artModel *m);

// A step from one time to another one is to be looked through; 0: the data at its beginning is to be taken first.
int force_view_begin(stepView *v, const artModel *m, double from, double to);

// Quantities and wheels of the data, which is at a place of the step.
void force_view_take(stepView *v, const artModel *m, artData *d, int place);

// Does a wheel fly at both ends of the step? Then the middle is taken as well.
int force_view_flies(const stepView *v, const artModel *m);

// Else the middle of the ways of wheels, by both ends and the beginning of the step before.
void force_view_follow(stepView *v, const artModel *m);

// The state has jumped.
void force_view_forget(stepView *v);

// The first time after `after` at which a switching function of a formula of time is negative that is positive at the
// beginning of the step, about; INFINITY: there is none.
double force_view_switch(stepView *v, const artModel *m, const artData *d, double after, double to);

// Up to which time, `to` at most, a step that began at v->from has seen all that acts.
double force_view_seen(stepView *v, const artModel *m, const artData *d, double to);

#endif
