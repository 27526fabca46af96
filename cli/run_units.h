// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula run of functional mock-up units: one alone, or several with machines (doc/guide/fmi.md).
#ifndef CLI_RUN_UNITS_H
#define CLI_RUN_UNITS_H

#include "command.h"

// Does the call name a unit, or a file with a section `units`?
bool units_are_called(const cliCall *call);

// Returns the exit status.
int run_units(const cliCall *call);

#endif
