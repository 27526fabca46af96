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
  ART_ASSERT(!one || (one->rank && one->size && one->transfer && one->next));
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


static artStatus transfer_by_transport(parTransfer one, double limit, artError *error)
{
  ART_ASSERT(limit >= 0);
  return transport ? transport->transfer(&one, limit, error) : no_ranks(error);
}


artStatus par_mpi_send(const void *data, size_t size, int to, int tag, double limit,
                       artError *error)
{
  return transfer_by_transport((parTransfer){PAR_SEND, data, NULL, size, to, tag}, limit, error);
}


artStatus par_mpi_receive(void *data, size_t size, int from, int tag, double limit, artError *error)
{
  return transfer_by_transport((parTransfer){PAR_RECEIVE, NULL, data, size, from, tag}, limit,
                               error);
}


artStatus par_mpi_next(parMessage *message, double limit, artError *error)
{
  return transport ? transport->next(message, limit, error) : no_ranks(error);
}


artStatus par_mpi_broadcast(void *data, size_t size, int from, double limit, artError *error)
{
  return transfer_by_transport((parTransfer){PAR_BROADCAST, NULL, data, size, from, 0}, limit,
                               error);
}


artStatus par_mpi_share(const void *mine, size_t size, void *all, double limit, artError *error)
{
  return transfer_by_transport((parTransfer){PAR_SHARE, mine, all, size, 0, 0}, limit, error);
}


//---- costs ---------------------------------------------------------------------------------------

enum { ROUNDS = 51, SHARES = 10 };


double par_mpi_measure(size_t size)
{
  char *mine = mem_alloc(size, 1), *all = mem_alloc(size, (size_t) par_mpi_size());
  double round[ROUNDS], time = 0;
  int is_good = mine && all;
  for (int i = 0; i < ROUNDS && is_good; i++) {
    const double start = base_now();
    for (int k = 0; k < SHARES && is_good; k++) {
      is_good = par_mpi_share(mine, size, all, PAR_MPI_LIMIT, NULL) == ART_OK;
    }
    round[i] = (base_now() - start) / SHARES;
  }

  // the median, as the first rank sees it
  if (is_good) time = par_median(round, ROUNDS);
  if (par_mpi_broadcast(&time, sizeof time, 0, PAR_MPI_LIMIT, NULL) != ART_OK) time = 0;
  mem_free(mine);
  mem_free(all);
  return time;
}
