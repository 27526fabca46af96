// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An instance of an FMU, with the same functions for versions 2.0 and 3.0 and for both interfaces:
// values of variables, start, steps, saving and restoring states.
#ifndef FMI_INSTANCE_H
#define FMI_INSTANCE_H

#include "fmi/fmu_work.h"

// Create an instance of the loaded interface. The FMU must outlive it. If the FMU returns none, the
// error has the reason that it logged. Errors are thrown (base/error.h), here and below; *instance
// must be freed even then.
void fmi_instantiate(fmiInstance **instance, fmuFile *unit, const char *name, fmiLogger *logger,
                     void *context);

// Accepts NULL; terminates a started simulation.
void fmi_free_instance(fmiInstance *instance);

// The value of a variable of any type except string, binary and clock, as a double. ART_BAD_INPUT
// for numbers out of the range of the type.
void fmi_set(fmiInstance *instance, int variable, double value);
double fmi_get(fmiInstance *instance, int variable);

// Set a start value given as a string, for every type.
void fmi_set_text(fmiInstance *instance, int variable, const char *text);

// Start: call fmi_begin after start values are set, fmi_begin_steps after inputs are set. NAN:
// unknown.
void fmi_begin(fmiInstance *instance, double from, double until, double tolerance);
void fmi_begin_steps(fmiInstance *instance);

// One step of length h from t on; a discarded step may be repeated with another length after
// fmi_restore.
fmiOutcome fmi_step(fmiInstance *instance, double t, double h);

// Save the present state (one at a time), and return to it. Only for FMUs that support it
// (fmi_can_save).
bool fmi_can_save(const fmiInstance *instance);
void fmi_save(fmiInstance *instance);
void fmi_restore(fmiInstance *instance);

#endif
