// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units of model exchange, which are integrated here: by Dormand and Prince, with state events found on the way and time events met
// exactly. Between steps the instance is in event mode, so that inputs of every kind may be set.
#ifndef FMI_EXCHANGE_H
#define FMI_EXCHANGE_H

#include "fmi/fmu_work.h"

// Room for it; false where memory ran out.
bool exchange_create(fmiInstance *f);
void exchange_free(fmiInstance *f);

// After the initialisation; one step. Failures leave the work (base/error.h).
void exchange_begin(fmiInstance *f);
fmiOutcome exchange_step(fmiInstance *f, double t, double h);

#endif
