// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An instance of a unit at work, by one set of functions for versions 2.0 and 3.0 and both kinds: values by variable, start, steps,
// states that are kept and gone back to.
#ifndef FMI_INSTANCE_H
#define FMI_INSTANCE_H

#include "fmi/fmu_work.h"

// An instance of the kind that is loaded. The unit outlives it. A unit that returns none has a reason, which is in the message.
// Failures leave the work (base/error.h), here and below; *instance is to be freed then, too.
void fmi_instantiate(fmiInstance **instance, fmuFile *unit, const char *name, fmiLogger *logger,
                     void *context);

// Accepts NULL; ends the simulation where it has begun.
void fmi_free_instance(fmiInstance *instance);

// The value of a variable as a number: of any type but text, binary and clock. Numbers that the type cannot hold are ART_BAD_INPUT.
void fmi_set(fmiInstance *instance, int variable, double value);
double fmi_get(fmiInstance *instance, int variable);

// A start value by its text, for every type.
void fmi_set_text(fmiInstance *instance, int variable, const char *text);

// Start: fmi_begin after start values are set, fmi_begin_steps after inputs are set. NAN for what is not known.
void fmi_begin(fmiInstance *instance, double from, double until, double tolerance);
void fmi_begin_steps(fmiInstance *instance);

// One step of length h from t on; a step that is discarded may be tried anew, shorter, after fmi_restore.
fmiOutcome fmi_step(fmiInstance *instance, double t, double h);

// Keep the present state, one at a time; go back to it. For units that can (fmi_can_save).
bool fmi_can_save(const fmiInstance *instance);
void fmi_save(fmiInstance *instance);
void fmi_restore(fmiInstance *instance);

#endif
