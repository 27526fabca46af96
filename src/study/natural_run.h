// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run in natural coordinates: the motion of a machine of points and vectors stands in the place of the
// stepper. What is shown of it (coordinates, reactions, outputs) is found in relative coordinates, at the
// positions, velocities and accelerations that natural ones come to; energies are those of the natural
// coordinates themselves. The unknowns of the run are then
//   y = (q, q', q'', lambda, states, memory, work)
#ifndef STUDY_NATURAL_RUN_H
#define STUDY_NATURAL_RUN_H

#include "base/pool.h"
#include "natural/motion.h"
#include "natural/natural.h"
#include "study/run.h"

typedef struct naturalRun {
  naturalMachine *machine;
  naturalMotion *motion;
  double *q, *v, *a, *lambda, *states, *memory; // parts of y
  double *Q;                                    // [n] scratch
  double *state;                                // while the motion is saved or loaded
  baseArena arena;                              // owns them
  memPool *pool;                                // that holds all of this
} naturalRun;

// Machine, motion and y in the place of those there are, where latches have changed: the account of the steps goes on,
// with `gain` more work, J.
artStatus natural_run_renew(artRun *run, double gain, artError *error);

// The same where parameters of the model have changed: dependent coordinates close the loops as these are now, and energy
// that the change gives or takes counts as work. Nothing is allocated for natural coordinates from the third change on.
artStatus natural_run_follow(artRun *run, artError *error);

// The local error that multi-index accepts where the study names none, per second of motion; 0: no duration is known.
double natural_local(const artRunDef *study);

#endif
