// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How many units a graph is worth: the fewest that run it in the length of its critical path, and those that are
// idle least.
#ifndef SCHED_SEARCH_H
#define SCHED_SEARCH_H

#include "sched/bound.h"
#include "sched/schedule.h"

// A machine that was tried.
typedef struct schedTrial {
  int count[SCHED_KINDS];
  int steps, cycles;
  double usage;
} schedTrial;

typedef struct schedSearch {
  schedBounds bounds;
  int n, capacity;
  schedTrial *trial; // all, in the order of trying
  schedTrial fewest; // in minimal time with the fewest units, the cheapest among equals
  schedTrial best;   // in use: the most operations by units and steps
} schedSearch;

// The times of units are the machine's, its counts are not looked at. First each kind alone, with enough of all
// others, until the time is minimal; from there units are added, all ways of one, of two and so on, until the
// time is minimal again; among equal numbers the cheapest, a divider being dearer than a multiplier and that dearer than
// an adder. For the best use one, two, an eighth or a quarter of the units are taken away as long as that pays. Large
// graphs have fewer trials, so that a search takes some seconds at most. Trials live in the arena of the graph.
void search_units(schedSearch *search, schedGraph *graph, const schedMachine *machine,
                  schedRule rule);

// The machine with the units of a trial.
schedMachine search_machine(const schedMachine *machine, const schedTrial *trial);

#endif
