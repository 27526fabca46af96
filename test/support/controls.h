// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tests of force elements and controls share this: one state by every method and by
// generated code, and the energy balance of a run.
#ifndef SUPPORT_CONTROLS_H
#define SUPPORT_CONTROLS_H

#include <stdint.h>

#include "articula/articula.h"

// Accelerations and power at random states near the initial motion by every method that applies, to 1e-9, and by generated
// code, to 1e-12, of the largest.
void control_compare_methods(const artModel *m, int states, uint64_t *seed);

// Run the model from its initial state (tolerance 0: by the model's own study) and return the energy
// balance at the end; out (or NULL) receives the outputs there.
double control_run_balance(const artModel *m, int method, double until, double tolerance,
                           double *out);

#endif
