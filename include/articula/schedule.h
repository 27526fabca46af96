// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scheduling of the operations of generated equations on a machine with parallel functional units.
//
// Equations are split into single operations, which are assigned to multipliers, adders and so on,
// cycle by cycle. Sines and cosines of inputs are inputs unless there are units for them. See
// doc/guide/scheduling.md.
#ifndef ARTICULA_SCHEDULE_H
#define ARTICULA_SCHEDULE_H

#include "articula/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of functional units.
typedef enum artUnit {
  ART_UNIT_MUL,
  ART_UNIT_ADD, // sums and differences
  ART_UNIT_DIV,
  ART_UNIT_SIN,   // sine and cosine
  ART_UNIT_OTHER, // roots, other functions, comparisons, calls
  ART_UNITS
} artUnit;

typedef struct artScheduleDef {
  artForm form;         // exactly one; 0: ART_FORM_ACCELERATE
  int barycentric;      // minimal inertia parameters
  int balanced;         // 1: long sums as balanced trees; 0: in their order
  int count[ART_UNITS]; // units of each kind; all 0: search the fewest that reach the minimum time
  int latency[ART_UNITS]; // cycles to a result; 0: 1
  // cycles between two starts in one unit, at most the latency; 0: 1, a pipeline
  int interval[ART_UNITS];
  int transfer; // cycles from a result to the unit that uses it
} artScheduleDef;
ART_API artScheduleDef art_default_schedule(void);

typedef struct artSchedule artSchedule;

// Loops are closed and their pivots chosen at the state in the data, which must be that of an
// assembled machine. ART_BAD_INPUT if a kind of operation has no unit, or a number is out of range.
// Model and data are not needed afterwards.
ART_API artStatus art_create_schedule(artSchedule **out, const artModel *model, artData *data,
                                      const artScheduleDef *def, artError *error);

// Accepts NULL.
ART_API void art_free_schedule(artSchedule *schedule);

typedef struct artScheduleInfo {
  const char *function;    // "inverse"
  int operations;          // all of them ...
  int of_kind[ART_UNITS];  // ... and by kind
  int critical_path;       // cycles with unlimited units
  int least[ART_UNITS];    // lower bound of the units for that time ...
  int expected[ART_UNITS]; // ... and an estimate from the mean load
  int count[ART_UNITS];    // units given, or found by the search
  int steps;               // the last cycle in which an operation starts
  int cycles;              // until the last result is available
  int list_cycles;         // the same with the list heuristic of Postiau's thesis
  double use;              // utilisation: operations / (units * steps)
  int kept;                // maximum number of results that wait to be used
} artScheduleInfo;
ART_API artScheduleInfo art_schedule_info(const artSchedule *schedule);

// Operations by index, parents before children.
typedef struct artScheduledOperation {
  const char *name; // of its variable: "w35dg"
  const char *what; // "w12 * q[3]"
  artUnit kind;
  int unit;       // index among all units of its kind, from 0
  int step;       // the cycle in which it starts, from 1
  int asap, alap; // earliest and latest possible step
  int nparent;
  const int *parent;
} artScheduledOperation;
ART_API artScheduledOperation art_scheduled_operation(const artSchedule *schedule, int operation);

// Write the schedule as an SVG picture: a row for each unit, cycles to the right.
ART_API artStatus art_write_schedule(const artSchedule *schedule, const char *path,
                                     artError *error);

#ifdef __cplusplus
}
#endif

#endif
