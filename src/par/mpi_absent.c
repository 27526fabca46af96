// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Replaces mpi.c where no MPI was found.
#include "base/error.h"
#include "par/mpi.h"


artStatus par_mpi_begin(artError *error)
{
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "this program was built without MPI; install libopenmpi-dev and openmpi-bin (or "
                   "MPICH), configure and build again, or run it without mpirun");
}


void par_mpi_end(int failed)
{
  (void) failed;
}
