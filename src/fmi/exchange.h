// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Integration of model-exchange FMUs by the Dormand-Prince method, with state events located and
// time events met exactly. Between steps the instance is in event mode, so inputs of every
// variability may be set.
#ifndef FMI_EXCHANGE_H
#define FMI_EXCHANGE_H

#include "fmi/fmu_work.h"

// Allocate; false if memory runs out.
bool exchange_create(fmiInstance *f);
void exchange_free(fmiInstance *f);

// Begin after initialisation; take one step. Errors are thrown (base/error.h).
void exchange_begin(fmiInstance *f);
fmiOutcome exchange_step(fmiInstance *f, double t, double h);

#endif
