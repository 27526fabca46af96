// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of assembly: the search for closed loops, and what is said when there is none.
#ifndef STUDY_ASSEMBLE_H
#define STUDY_ASSEMBLE_H

#include "articula/study.h"
#include "loop/least.h"
#include "loop/loop.h"
#include "study/study.h"

typedef struct assembleWork {
  const artModel *m;
  artData *d;
  loopRows *rows;
  double length;   // of the machine: what stands for a radian, m
  char *held;      // [nv] driven, or given by the user
  loopLeast least; // over the coordinates that are not held
  double *q;       // [nq] positions so far
  double *phi;     // [nrow] how far they are open
  double norm;     // of phi, rows scaled
  double *best_q;  // [nq] the least open ones
  double best_norm;
  double *right; // [nrow]
  double *move;  // [nv]
  double *start; // [nq] where the search began
  baseArena arena;
} assembleWork;

// Assemble before a study, and choose the partition; nothing to do for a tree. result may be NULL.
artStatus study_assemble(const artModel *m, artData *d, artAssembly *result, artError *error);

// What cannot be (assemble_words.c): a loop that stays open at w->phi; velocities that contradict the
// loops, with what is left of J v; a row that ties driven coordinates alone.
artStatus assemble_stays_open(const assembleWork *w, artError *error);
artStatus assemble_bad_velocities(const assembleWork *w, const double *rate, artError *error);
artStatus assemble_overdriven(const assembleWork *w, int other, artError *error);

#endif
