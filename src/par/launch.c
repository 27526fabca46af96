// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a process can say about MPI without it.
#include <stdlib.h>

#include "par/mpi.h"


int par_mpi_is_launched(void)
{
  // Open MPI; MPICH, Intel MPI and what follows them
  static const char *const size[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
    const char *value = getenv(size[i]);
    if (value && atoi(value) > 1) return 1;
  }
  return 0;
}
