// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functional units: their kinds, latencies, and transfer times of results.
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

// Name of a kind in options: "mul"; and of its results: "products".
const char *machine_kind_name(schedKind kind);
const char *machine_kind_text(schedKind kind);

typedef struct schedMachine {
  int count[SCHED_KINDS];    // number of units; units are numbered kind by kind
  int latency[SCHED_KINDS];  // cycles from the start of an operation to its result
  int interval[SCHED_KINDS]; // cycles between two starts in a unit; 1: pipelined
  int transfer;              // cycles from a result to any unit, including its own
  int modules; // ring: units of each kind are distributed over the modules in turn; 1: no ring
  int hop;     // additional cycles from a module to the next
} schedMachine;

// One cycle for everything, no transfer time, no units.
schedMachine machine_create(void);

int machine_units(const schedMachine *machine);

// The first unit of a kind, and the kind of a unit.
int machine_first(const schedMachine *machine, int kind);
schedKind machine_kind(const schedMachine *machine, int unit);

// Module of a unit; number of links between two modules, the shorter way around the ring.
int machine_module(const schedMachine *machine, int unit);
int machine_distance(const schedMachine *machine, int module, int other);

// Cycles that a result needs from one unit to another.
int machine_delay(const schedMachine *machine, int from, int to);

#endif
