// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A model of models/ in motion, and its outputs by name. All members live until the test ends (support/keep.h).
#ifndef SUPPORT_SIMULATE_H
#define SUPPORT_SIMULATE_H

#include <stdbool.h>

#include "articula/articula.h"

typedef struct simulation {
  artModel *model;
  artData *data;
  artRun *run;
} simulation;

// Each returns whether it worked; otherwise a check has failed and the reason is printed.

// Load models/NAME.yaml, in its initial state.
bool simulation_load(simulation *s, const char *name);

// Begin a run of a model, which the caller keeps; of models/NAME.yaml.
bool simulation_run(simulation *s, artModel *model, const artRunDef *study);
bool simulation_begin(simulation *s, const char *name, const artRunDef *study);

// The last one by a study without end.
bool simulation_start(simulation *s, const char *name, artMethod method, artIntegrator integrator,
                      double tolerance);

bool simulation_go(simulation *s, double t);

// The output of that name at the state shown; NaN, with a failed check, when there is none.
double simulation_output(const simulation *s, const char *name);
double output_named(const artModel *m, artData *d, const char *name);

#endif
