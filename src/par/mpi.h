// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MPI ranks: the part of MPI that is used here. Every wait has a time limit, so a rank that has
// died or hangs ends the run with a message that names it. The library itself does not call MPI:
// par_mpi_begin (mpi.c, linked by programs that start ranks) installs the message transport; before
// that there is one rank. If built without MPI, par_mpi_begin reports that.
//
//   if (par_mpi_is_launched()) status = par_mpi_begin(&error);
//   ... par_mpi_rank(), par_mpi_size() ...
//   par_mpi_end(status != ART_OK);
//
// Call everything from one thread, between par_mpi_begin and par_mpi_end. Data are bytes; all
// machines must have the same data representation.
#ifndef PAR_MPI_H
#define PAR_MPI_H

#include "articula/base.h"

// Was this process started together with others by mpirun or srun, according to the environment?
// Works without MPI too.
int par_mpi_is_launched(void);

// Join the other ranks. ART_UNSUPPORTED when built without MPI; ART_IO when the launcher belongs to
// another MPI implementation, because then each process would believe that it is alone.
artStatus par_mpi_begin(artError *error);

// Leave the other ranks. With failed set, abort the whole job, so that ranks waiting for this one
// need not wait for their limit. Does nothing if par_mpi_begin was not called.
void par_mpi_end(int failed);

// Rank of this process and number of ranks; 0 and 1 outside par_mpi_begin and par_mpi_end.
int par_mpi_rank(void);
int par_mpi_size(void);

//---- messages ------------------------------------------------------------------------------------

// Seconds after which a rank that has not answered counts as lost; for messages in every step.
#define PAR_MPI_LIMIT 30.0

// ART_STALLED, naming the rank if known, when nothing arrived within `limit` seconds (0: no limit);
// ART_IO when MPI reports a failure. Messages between two ranks with the same tag keep their order.
artStatus par_mpi_send(const void *data, size_t size, int to, int tag, double limit,
                       artError *error);
artStatus par_mpi_receive(void *data, size_t size, int from, int tag, double limit,
                          artError *error);

// Rank, tag and size of the next message from any rank; receive it with par_mpi_receive.
typedef struct parMessage {
  int from, tag;
  size_t size;
} parMessage;
artStatus par_mpi_next(parMessage *message, double limit, artError *error);

//---- all together --------------------------------------------------------------------------------

// Send from one rank to all.
artStatus par_mpi_broadcast(void *data, size_t size, int from, double limit, artError *error);

//---- transport -----------------------------------------------------------------------------------

// A message or a broadcast: sent from `mine`, received into `to`; `other` is the partner, or the
// source of the broadcast.
typedef enum parKind { PAR_SEND, PAR_RECEIVE, PAR_BROADCAST } parKind;
typedef struct parTransfer {
  parKind kind;
  const void *mine;
  void *to;
  size_t size;
  int other, tag;
} parTransfer;

// Implementation of the calls above.
typedef struct parTransport {
  int (*rank)(void);
  int (*size)(void);
  artStatus (*transfer)(const parTransfer *transfer, double limit, artError *error);
  artStatus (*next)(parMessage *message, double limit, artError *error);
} parTransport;

// Call before any thread is started.
void par_set_transport(const parTransport *transport);

#endif
