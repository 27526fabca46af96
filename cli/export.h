// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What `articula export` makes of a model.
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "command.h"

// A page in which the machine of the work moves, its model and data loaded (export_live.c).
artStatus export_live(cliWork *w, artError *error);

// A functional mock-up unit of the model of the call (export_unit.c).
artStatus export_unit(cliWork *w, artError *error);

// The tree of the model of the call as URDF (export_urdf.c).
artStatus export_urdf(cliWork *w, artError *error);

#endif
