// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations of generated equations on machines with many units.
//
// Equations are taken apart into single operations, which are given to multipliers, adders and so on, cycle by
// cycle. Sines and cosines of inputs are inputs unless there are units for them. doc/guide/scheduling.md says how.
#ifndef ARTICULA_SCHEDULE_H
#define ARTICULA_SCHEDULE_H

#include "articula/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of units.
typedef enum artUnit {
  ART_UNIT_MUL,
  ART_UNIT_ADD, // sums and differences
  ART_UNIT_DIV,
  ART_UNIT_SIN,   // sine and cosine
  ART_UNIT_OTHER, // roots, other functions, comparisons, calls
  ART_UNITS
} artUnit;

typedef struct artScheduleDef {
  artForm form;         // one of them; 0: ART_FORM_ACCELERATE
  int barycentric;      // minimal inertia parameters
  int balanced;         // sums of many as trees; else in their order
  int count[ART_UNITS]; // units of each kind; all 0: the fewest that take minimal time are searched
  int latency[ART_UNITS]; // cycles to a result; 0: 1
  int interval
      [ART_UNITS]; // cycles between two beginnings in one unit, at most the latency; 0: 1, a pipeline
  int transfer;    // cycles from a result to the unit that reads it
} artScheduleDef;
ART_API artScheduleDef art_default_schedule(void);

typedef struct artSchedule artSchedule;

// Loops are closed and their pivots chosen at the state in the data, which must be that of an assembled machine.
// ART_BAD_INPUT when a kind of operation has no unit, or numbers make no sense. Does not need model and data
// afterwards.
ART_API artStatus art_create_schedule(artSchedule **out, const artModel *model, artData *data,
                                      const artScheduleDef *def, artError *error);

// Accepts NULL.
ART_API void art_free_schedule(artSchedule *schedule);

typedef struct artScheduleInfo {
  const char *function;    // "inverse"
  int operations;          // all of them ...
  int of_kind[ART_UNITS];  // ... and by kind
  int critical_path;       // cycles with any number of units
  int least[ART_UNITS];    // units for that time: with fewer it cannot be done ...
  int expected[ART_UNITS]; // ... and a guess from the mean load
  int count[ART_UNITS];    // units of the machine, or those that were found
  int steps;               // the last one in which an operation begins
  int cycles;              // until the last result is there
  int list_cycles;         // the same by the list heuristic of Postiau's thesis
  double use;              // operations by units and steps
  int kept;                // results that wait to be read, at most
} artScheduleInfo;
ART_API artScheduleInfo art_schedule_info(const artSchedule *schedule);

// Operations by number, parents before children.
typedef struct artScheduledOperation {
  const char *name; // of the variable it makes: "w35dg"
  const char *what; // "w12 * q[3]"
  artUnit kind;
  int unit;       // among all of its kind, from 0
  int step;       // in which it begins, from 1
  int asap, alap; // in which it could begin at the earliest and at the latest
  int nparent;
  const int *parent;
} artScheduledOperation;
ART_API artScheduledOperation art_scheduled_operation(const artSchedule *schedule, int operation);

// A picture as SVG: a row for each unit, cycles to the right.
ART_API artStatus art_write_schedule(const artSchedule *schedule, const char *path,
                                     artError *error);

#ifdef __cplusplus
}
#endif

#endif
