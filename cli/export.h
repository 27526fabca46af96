// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What `articula export` makes of a model.
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "command.h"

// A page in which the machine of the work moves, its model and data loaded.
artStatus export_live(cliWork *w, artError *error);

#endif
