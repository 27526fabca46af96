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
} naturalRun;

// After the loops are closed, with the data at the start: makes machine, motion and y.
artStatus natural_run_begin(artRun *run, const artStudyDef *study, artError *error);
void natural_run_free(naturalRun *natural);

// The same in the place of the one there is, where latches have changed: the account of its steps goes on, with
// `gain` more work, J.
artStatus natural_run_renew(artRun *run, double gain, artError *error);

// y at time t. On failure y and run->time are those of the last good state.
artStatus natural_run_to(artRun *run, double t, artError *error);

// Length of the steps at hand.
double natural_run_step(const naturalRun *natural);

// Put the data where y is at run->time.
artStatus natural_run_show(artRun *run, artError *error);

// Counts, residuals and errors of all steps so far into the certificate.
void natural_run_account(artRun *run);

// Everything besides y that determines what follows; the bytes may lie at any address.
size_t natural_run_bytes(const naturalRun *natural);
void natural_run_save(const naturalRun *natural, char *bytes);
void natural_run_load(naturalRun *natural, const char *bytes);

// What the method has been told: to be the same when a run goes on.
enum { NATURAL_SETTINGS = 19 };
const char *natural_run_setting(const naturalRun *natural, int k, double *value);

#endif
