// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of assembly: the search for closed loops, and the messages where there are none.
#ifndef STUDY_ASSEMBLE_H
#define STUDY_ASSEMBLE_H

#include "articula/study.h"
#include "loop/damped_least_squares.h"
#include "loop/loop.h"
#include "study/study.h"

typedef struct assembleWork {
  const artModel *m;
  artData *d;
  loopRows *rows;
  const char *given_q, *given_v; // [nq], [nv] coordinates and velocities with values that stay
  double length;                 // of the machine, which represents a radian, m
  char *held;                    // [nv] driven, or given by the user
  loopLeast least;               // over the coordinates that are not held
  double *q;                     // [nq] positions so far
  double *phi;                   // [nrow] how far they are open
  double norm;                   // of phi, rows scaled
  double *best_q;                // [nq] the least open ones
  double best_norm;
  int nudges_left; // how often the search may still leave positions where nothing leads on
  double *right;   // [nrow]
  double *move;    // [nv]
  double *start;   // [nq] where the search began

  // of the search for the nearest position
  double *back, *step;            // [nv] the way back to the start, as the loops allow it; a step
  double *trial, *foot, *nearest; // [nq]

  double *kept; // [nrow] scales of the rows that are left while others are tried without
  double
      slack; // how far loops open on a way that these leave, in rad or parts of the machine's length
  double *rate; // [nrow] the residual J v
  int *
      held_by; // [nrow] of loops that are held next to a singular position: 1 + place in the solve order
  loopMatrix velocity; // rows that velocities must fulfil
  baseArena arena;
} assembleWork;

// Assemble before a study, and choose the partition; nothing to do for a tree. result may be NULL.
artStatus study_assemble(const artModel *m, artData *d, artAssembly *result, artError *error);

// No coordinate moves farther in one step: rad, or part of the machine's length.
#define ASSEMBLE_LONGEST_STEP 0.3

// Positions q with their openings into w; the Jacobian there.
artStatus assemble_go_to(assembleWork *w, const double *q, artError *error);
artStatus assemble_jacobian(assembleWork *w, artError *error);

// Leave of the displacement t[nv] what the loops allow at the positions of the data:  t - J^+ J t
artStatus assemble_project(assembleWork *w, double *t);

// Are the loops closed at w->q? Close them from positions q (not w->q): 1 when that is done, at w->q.
int assemble_is_closed(const assembleWork *w);
int assemble_close_from(assembleWork *w, const double *q, int most, int *iterations);

// From w->q, where the loops are closed or not, to the nearest position found where they are (nearest.c);
// back to w->q where there is none.
artStatus assemble_nearest(assembleWork *w, int is_closed, int *iterations, artError *error);

// After velocities with J v = 0, at closed positions: the least change to those that are also rolling
// (roll_velocities.c), where given ones stay.
artStatus assemble_rolling(assembleWork *w, artAssembly *result, artError *error);

// Measures of columns, where given coordinates count by a factor (0: held), and of rows.
void assemble_scale_columns(assembleWork *w, double given);
void assemble_scale_rows(assembleWork *w);

// Would the machine have a motion more if its lengths were not rounded? At the positions in the data, where
// all is left as it was (locked.c).
int assemble_is_locked(assembleWork *w);

// Failures (assemble_words.c): a loop that stays open at w->phi; velocities that contradict the
// loops, with the residual J v; rows that w->kept has as 0, which lock the machine by small differences; a row that
// ties driven coordinates alone.
artStatus assemble_stays_open(const assembleWork *w, artError *error);
artStatus assemble_bad_velocities(const assembleWork *w, const double *rate, artError *error);
artStatus assemble_locked(const assembleWork *w, artError *error);
artStatus assemble_overdriven(const assembleWork *w, int other, artError *error);

#endif
