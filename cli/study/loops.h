// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops and natural coordinates of a model as `check` and `info` show them.
#ifndef CLI_LOOPS_H
#define CLI_LOOPS_H

#include "command_report.h"
#include "study/assemble/fork.h"

enum { LOOPS_ROUNDED = 4 };

// A loop whose lengths miss a singular position, by so much.
typedef struct cliRounded {
  char joints[FORK_NAMES];
  double gap; // m or rad
} cliRounded;

// The outcome of closing the loops at the initial state.
typedef struct cliLoops {
  artStatus status;
  artError error;
  artAssembly assembly;
  int lost; // a row that follows from others at the initial state alone, a singular position; -1
  artError fork; // why a run cannot begin there, if so
  int rounded;   // loops that are singular somewhere but for rounding, the first of them
  cliRounded round[LOOPS_ROUNDED];
} cliLoops;

// Bring the data to closed loops and see what is left free. Loops that do not close are no failure here; a lack of
// memory leaves the work, here and below.
void loops_examine(cliLoops *loops, const artModel *model, artData *data);

// Degrees of freedom, driven coordinates not counted; -1 when the loops do not close.
int loops_freedom(const cliLoops *loops);

// Closures of the loops and independent coordinates; verbose text has the reasons of cuts and redundant rows, too.
void loops_report(cliReport *report, const cliLoops *loops, const artModel *model,
                  const artData *data, bool is_verbose);

// The pattern of J with the blocks of J_v, once the loops are closed (loops_jacobian.c).
void jacobian_report(cliReport *report, const artModel *model, const artData *data,
                     baseArena *arena);

//---- natural coordinates -------------------------------------------------------------------------

typedef struct cliCoordinates {
  artError error; // why there are none; status ART_OK when there are
  int is_planar;
  int items, shared; // points and unit vectors, and how often one belongs to a neighbour as well
  int coordinates, rows;
} cliCoordinates;

// After the loops are closed, or as far as they go.
void coordinates_examine(cliCoordinates *coordinates, const artModel *model, artData *data);

// Some words: "18 in space: 5 points and vectors, shared 2 times; 14 constraint rows".
void coordinates_report(cliReport *report, const cliCoordinates *c);

#endif
