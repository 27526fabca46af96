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
#include "force/step_rule.h"
#include "model/formula/formula_bounds.h"

// A place of the step, or the beginning of the step before: the data as it is there (force_view_take).
enum { VIEW_BEGIN, VIEW_MIDDLE, VIEW_END, VIEW_BEFORE, VIEW_PLACES };

typedef struct stepView {
  int is_needed;      // formulas of time or wheels on roads are there
  int leaves_rigid;   // rigid contacts look at their passages by themselves
  int follows_motion; // formulas of positions and velocities are looked at,
  int has_timed;      // formulas that name the time are,
  int reads_state;    // and depend on more than it
  int has_wheels;
  int nside;        // contacts whose surfaces may come through each other, none of them a plane
  int is_on_chords; // quantities have one rate in a part of the step
  int is_straight;  // they follow the straight line through both ends of the step
  stepRule rule;    // of steps of given length
  double from, to;  // the step
  double at[VIEW_PLACES]; // s, where quantities and wheels were taken
  long unproved;          // steps that could not be looked through

  unsigned char *depends;     // [nquantity] VIEW_TIME, VIEW_STATE: what a quantity depends on
  double *value[VIEW_PLACES]; // [nquantity] quantities,
  double *wheel[VIEW_PLACES]; // [3 nelement] and lowest points of wheels
  double *side[VIEW_PLACES];  // [4 nside] gaps of contacts, and their normals in ground axes
  formulaBounds *slots;       // [nquantity]
  formulaBounds *stack;
  formulaBounds *g, *thin[2]; // [most switches of a formula]
  double *zero;               // [same] of functions of the motion: what is smaller is zero
  double *largest;            // [nquantity] the largest magnitude so far
  double *margin;             // [nswitch] the same of switching functions of the motion
  double *memory;             // [nmemory] what is remembered from step to step:
  size_t nmemory;             //
  double *most;               // [formulas and wheels] the largest magnitude so far
  double *failed;             // [same] how often it could not be proved,
  double *brief;              // [same] and how often in a row it has cut steps very short
  ruleSum *sum;               // [formulas] how well the rule of steps of given length integrates it
  unsigned char *is_viewed;   // [formulas] it is looked at
  double *touched;            // [4 nside] gap and normal where the step before began
  double *
      passed; // [2] of the first contact whose surfaces came to their middle: element + 1, 0: none, and when, s
  int nitem;
  int nviewed, *viewed; // [nviewed] formulas that are looked at, and wheels
  int *
      contact; // [formulas] that one belongs to, -1: none (contact_watch.h); NULL: no contact is left out
  int alarm; // the formula that may switch where the last look was

  // of formulas of the motion
  unsigned char *mark;    // [nquantity] scratch
  int *read0, *read;      // what formula k reads: read[read0[k]] to read[read0[k + 1]]
  double *low, *high;     // [same] its box
  int nmotion, *motion;   // which formulas they are
  double *reach;          // [nitem] how wide the next one is, in ways of a step
  unsigned char *is_calm; // [nitem] the step stays in it,
  int is_all_calm;        // for all of them
} stepView;

// Take memory for a machine and its variants, 0: there is none.
int force_view_create(stepView *v, baseArena *arena, const artModel *m, int follows_motion,
                      int leaves_rigid);

// Contacts may be left out of steps. Take the quantities of those that have joined in this one where it begins.
struct contactWatch;
int force_view_watch(stepView *v, baseArena *arena, const artModel *m,
                     const struct contactWatch *w);
void force_view_join(stepView *v, const artModel *m, artData *d);

// Do quantities of the data matter, and not only time and wheels?
static inline int force_view_reads_state(const stepView *v)
{
  return v->reads_state || v->nmotion > 0 || v->nside > 0;
}


// A step from one time to another one is to be looked through; 0: the data at its beginning is to be taken first.
int force_view_begin(stepView *v, const artModel *m, double from, double to);

// Quantities and wheels of the data, which is at a place of the step.
void force_view_take(stepView *v, const artModel *m, artData *d, int place);

// Is the middle of the step to be taken as well? Where a wheel flies at both ends of it, or a formula has to be followed.
int force_view_needs_middle(stepView *v, const artModel *m, const artData *d);

// Else the middle of the ways of wheels, by both ends and the beginning of the step before.
void force_view_follow(stepView *v, const artModel *m);

// The contact whose surfaces have come to the middle of each other, nearly, or have where the data is now; -1: there is none.
// Behind it the contact pushes to the other side. *t is when, s.
int force_view_passed(const stepView *v, const artModel *m, const artData *d, double *t);

// What a saved run has to remember of its steps, as bytes.
size_t force_view_bytes(const stepView *v);
void force_view_save(const stepView *v, char *bytes);
void force_view_load(stepView *v, const char *bytes);

// The state or modes have jumped.
void force_view_forget(stepView *v, const artModel *m);

// The first time after `after` at which a switching function of a formula of time is negative that is positive at the
// beginning of the step, about; INFINITY: there is none.
double force_view_switch(stepView *v, const artModel *m, const artData *d, double after, double to);

// Up to which time, `to` at most, a step that began at v->from has seen all that acts.
double force_view_seen(stepView *v, const artModel *m, const artData *d, double to);

// How many formulas act now whose pulse or wave, which is not over yet, steps of given length have not integrated.
long force_view_count_open(const stepView *v, const artModel *m);

// How deep two surfaces may overlap until they are at the middle of each other, behind which they push to the other side, m; and the
// part of that which counts as having come there.
double force_contact_middle(const contactPair *contact);
#define VIEW_DEEP 0.75

#endif
