// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units that operations run on: their kinds, how long they take, and how long results travel.
#ifndef SCHED_SCHEDULE_UNITS_H
#define SCHED_SCHEDULE_UNITS_H

typedef enum schedKind {
  SCHED_MUL,
  SCHED_ADD, // sums and differences
  SCHED_DIV,
  SCHED_SIN,   // sine and cosine
  SCHED_OTHER, // roots, other functions, comparisons, calls
  SCHED_KINDS
} schedKind;

// The word for a kind in calls: "mul", and for its result: "product".
const char *machine_kind_name(schedKind kind);
const char *machine_kind_text(schedKind kind);

typedef struct schedMachine {
  int count[SCHED_KINDS];    // units; numbered kind by kind
  int latency[SCHED_KINDS];  // cycles from the beginning of an operation to its result
  int interval[SCHED_KINDS]; // cycles between two beginnings in one unit; 1: pipelined
  int transfer;              // cycles from a result to any unit, its own included
  int modules; // in a ring, the units of each kind dealt out to them in turn; 1: all together
  int hop;     // cycles more from a module to the next
} schedMachine;

// One cycle for everything, no time for transfers, no units yet.
schedMachine machine_create(void);

int machine_units(const schedMachine *machine);

// The first unit of a kind, and the kind of a unit.
int machine_first(const schedMachine *machine, int kind);
schedKind machine_kind(const schedMachine *machine, int unit);

// Where a unit is; links between two modules, the shorter way around the ring.
int machine_module(const schedMachine *machine, int unit);
int machine_distance(const schedMachine *machine, int module, int other);

// Cycles that a result of one unit takes to another.
int machine_delay(const schedMachine *machine, int from, int to);

#endif
