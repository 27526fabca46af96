// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a process can say about MPI without it.
#include <stdlib.h>

#include "par/mpi.h"


int par_mpi_is_launched(void)
{
  static const char *const mark[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                     "MPI_LOCALRANKID"};
  for (size_t i = 0; i < sizeof mark / sizeof mark[0]; i++) {
    if (getenv(mark[i])) return 1;
  }
  return 0;
}
