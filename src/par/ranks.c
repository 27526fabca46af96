// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ranks by the transport that was set. The library holds none itself: mpi.c beside it is linked by programs that
// start ranks.
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "par/mpi.h"
#include "par/wait.h"

static const parTransport *transport; // NULL: there is one rank


void par_set_transport(const parTransport *one)
{
  transport = one;
}


int par_mpi_is_launched(void)
{
  // Open MPI; MPICH, Intel MPI and their descendants
  static const char *const size[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
    const char *value = getenv(size[i]);
    if (value && atoi(value) > 1) return 1;
  }
  return 0;
}


int par_mpi_rank(void)
{
  return transport ? transport->rank() : 0;
}


int par_mpi_size(void)
{
  return transport ? transport->size() : 1;
}


//---- messages ------------------------------------------------------------------------------------

static artStatus no_ranks(artError *error)
{
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(), "this process is the only rank");
}


artStatus par_mpi_send(const void *data, size_t size, int to, int tag, double limit,
                       artError *error)
{
  return transport ? transport->send(data, size, to, tag, limit, error) : no_ranks(error);
}


artStatus par_mpi_receive(void *data, size_t size, int from, int tag, double limit, artError *error)
{
  return transport ? transport->receive(data, size, from, tag, limit, error) : no_ranks(error);
}


artStatus par_mpi_next(parMessage *message, double limit, artError *error)
{
  return transport ? transport->next(message, limit, error) : no_ranks(error);
}


artStatus par_mpi_broadcast(void *data, size_t size, int from, double limit, artError *error)
{
  return transport ? transport->broadcast(data, size, from, limit, error) : no_ranks(error);
}


artStatus par_mpi_gather(const void *mine, size_t size, void *all, int to, double limit,
                         artError *error)
{
  return transport ? transport->gather(mine, size, all, to, limit, error) : no_ranks(error);
}


artStatus par_mpi_share(const void *mine, size_t size, void *all, double limit, artError *error)
{
  return transport ? transport->share(mine, size, all, limit, error) : no_ranks(error);
}


//---- costs ---------------------------------------------------------------------------------------

enum { ROUNDS = 51, SHARES = 10 };


// the median of some rounds, as this rank sees it
static double median_share(const char *mine, size_t size, char *all)
{
  double time[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    const double start = base_now();
    for (int k = 0; k < SHARES; k++) {
      if (par_mpi_share(mine, size, all, PAR_MPI_LIMIT, NULL) != ART_OK) return 0;
    }
    time[i] = (base_now() - start) / SHARES;
  }
  return par_median(time, ROUNDS);
}


double par_mpi_measure(size_t size)
{
  char *mine = mem_alloc(size, 1), *all = mem_alloc(size, (size_t) par_mpi_size());
  double time = mine && all ? median_share(mine, size, all) : 0;
  if (par_mpi_broadcast(&time, sizeof time, 0, PAR_MPI_LIMIT, NULL) != ART_OK) time = 0;
  mem_free(mine);
  mem_free(all);
  return time;
}
