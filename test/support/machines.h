// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machines of models/, whichever there are, and random states of them.
#ifndef SUPPORT_MACHINES_H
#define SUPPORT_MACHINES_H

#include <stdbool.h>
#include <stdint.h>

#include "articula/articula.h"

enum { MACHINE_FILES = 300, MACHINE_PATH = 300 };

// All model files below models/ in the order of their names; folders called `parts` hold pieces of others.
typedef struct machineFiles {
  int n;
  char path[MACHINE_FILES][MACHINE_PATH];
} machineFiles;
void machine_files(machineFiles *files);

// The name of a file without the folders that all have in common: "loops/delta.yaml".
const char *machine_name(const char *path);

// Whether the sample is a vehicle that is there on another road already, the road train, which is the truck with more of
// the same, or a truck or van that is there with the same parts and redundant constraints besides.
bool machine_has_twin(const char *path);

// A random state that meets all loops and drives, up to date; 0 when none was found.
int machine_random_state(const artModel *m, artData *d, uint64_t *seed);

#endif
