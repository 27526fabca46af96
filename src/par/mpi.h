// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ranks of MPI, as much of it as is used here. Every wait has a limit, so that a rank that has died or
// hangs ends the run with a message that names it. The library itself does not call MPI: par_mpi_begin (mpi.c, linked by
// programs that start ranks) sets the transport of messages. Until then there is one rank. Built without MPI,
// par_mpi_begin says so.
//
//   if (par_mpi_is_launched()) status = par_mpi_begin(&error);
//   ... par_mpi_rank(), par_mpi_size() ...
//   par_mpi_end(status != ART_OK);
//
// All calls from one thread, between par_mpi_begin and par_mpi_end. Data are bytes, of one kind of
// machine.
#ifndef PAR_MPI_H
#define PAR_MPI_H

#include "articula/base.h"

// Was this process started with others by mpirun or srun, as the environment says? Works without
// MPI as well.
int par_mpi_is_launched(void);

// Join the others. ART_UNSUPPORTED when built without MPI; ART_IO when the launcher belongs to another MPI, so that
// each process would take itself for the only one.
artStatus par_mpi_begin(artError *error);

// Leave the others. With failed set the whole job is ended at once: ranks that wait for this one need not
// wait for their limit. Does nothing when par_mpi_begin was not called.
void par_mpi_end(int failed);

// Of this process; 0 and 1 outside of par_mpi_begin and par_mpi_end.
int par_mpi_rank(void);
int par_mpi_size(void);

//---- messages ------------------------------------------------------------------------------------

// Seconds after which a rank that has not answered counts as lost, for messages of every step.
#define PAR_MPI_LIMIT 30.0

// ART_STALLED, naming the rank where it is known, when nothing came within limit seconds (0: no limit);
// ART_IO when MPI reports a failure. Messages between two ranks with one tag keep their order.
artStatus par_mpi_send(const void *data, size_t size, int to, int tag, double limit,
                       artError *error);
artStatus par_mpi_receive(void *data, size_t size, int from, int tag, double limit,
                          artError *error);

// Which message comes next? Rank, tag and size of one from any rank, which par_mpi_receive then takes.
typedef struct parMessage {
  int from, tag;
  size_t size;
} parMessage;
artStatus par_mpi_next(parMessage *message, double limit, artError *error);

//---- all together --------------------------------------------------------------------------------

// From one rank to all.
artStatus par_mpi_broadcast(void *data, size_t size, int from, double limit, artError *error);

//---- transport -----------------------------------------------------------------------------------

// A message, or bytes for all ranks: from `mine`, into `to`; the other rank of a message, or the one that all hear of.
typedef enum parKind { PAR_SEND, PAR_RECEIVE, PAR_BROADCAST } parKind;
typedef struct parTransfer {
  parKind kind;
  const void *mine;
  void *to;
  size_t size;
  int other, tag;
} parTransfer;

// The functions behind the calls above.
typedef struct parTransport {
  int (*rank)(void);
  int (*size)(void);
  artStatus (*transfer)(const parTransfer *transfer, double limit, artError *error);
  artStatus (*next)(parMessage *message, double limit, artError *error);
} parTransport;

// Before any thread is started.
void par_set_transport(const parTransport *transport);

#endif
