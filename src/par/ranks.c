// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ranks by the installed transport. The library contains none itself: programs that start ranks
// link mpi.c.
#include <stdlib.h>

#include "base/error.h"
#include "par/mpi.h"

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
