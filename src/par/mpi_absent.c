// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Takes the place of mpi.c where no MPI was found.
#include "base/error.h"
#include "par/mpi.h"


static artStatus without(artError *error)
{
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "this program was built without MPI; install libopenmpi-dev and openmpi-bin (or "
                   "MPICH), configure and build again, or run it without mpirun");
}


int par_mpi_is_built(void)
{
  return 0;
}


artStatus par_mpi_begin(artError *error)
{
  return without(error);
}


void par_mpi_end(int failed)
{
  (void) failed;
}


int par_mpi_rank(void)
{
  return 0;
}


int par_mpi_size(void)
{
  return 1;
}


artStatus par_mpi_send(const void *data, size_t size, int to, int tag, double limit,
                       artError *error)
{
  (void) data, (void) size, (void) to, (void) tag, (void) limit;
  return without(error);
}


artStatus par_mpi_receive(void *data, size_t size, int from, int tag, double limit, artError *error)
{
  (void) data, (void) size, (void) from, (void) tag, (void) limit;
  return without(error);
}


artStatus par_mpi_next(parMessage *message, double limit, artError *error)
{
  (void) message, (void) limit;
  return without(error);
}


artStatus par_mpi_broadcast(void *data, size_t size, int from, double limit, artError *error)
{
  (void) data, (void) size, (void) from, (void) limit;
  return without(error);
}


artStatus par_mpi_gather(const void *mine, size_t size, void *all, int to, double limit,
                         artError *error)
{
  (void) mine, (void) size, (void) all, (void) to, (void) limit;
  return without(error);
}


artStatus par_mpi_share(const void *mine, size_t size, void *all, double limit, artError *error)
{
  (void) mine, (void) size, (void) all, (void) limit;
  return without(error);
}


double par_mpi_measure(size_t size)
{
  (void) size;
  return 0;
}
