// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MPI ranks: every transfer is started, then polled until it completes or its limit is exceeded.
#include "par/mpi.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>

#include "base/error.h"
#include "par/wait.h"

enum { ANY_RANK = -1 };

// the request in progress, for messages
typedef struct mpiTask {
  const char *what;
  int other; // rank, or ANY_RANK
  double limit;
} mpiTask;

//---- ranks ---------------------------------------------------------------------------------------


static int has_joined_mpi(void)
{
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun && !ended;
}


static int mpi_rank(void)
{
  int rank = 0;
  if (has_joined_mpi()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}


static int mpi_size(void)
{
  int size = 1;
  if (has_joined_mpi()) MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}


//---- waiting -------------------------------------------------------------------------------------


static artStatus report_mpi_error(const mpiTask *task, int code, artError *error)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  MPI_Error_string(code, text, &length);
  return base_fail(error, ART_IO, base_nowhere(), "rank %d could not %s: %s", par_mpi_rank(),
                   task->what, text);
}


static artStatus report_silence(const mpiTask *task, artError *error)
{
  char other[32] = "another rank";
  if (task->other != ANY_RANK) snprintf(other, sizeof other, "rank %d", task->other);
  return base_fail(error, ART_STALLED, base_nowhere(),
                   "rank %d has waited %.3g s to %s, in vain: %s of %d has died or hangs; see what "
                   "it said last, and start the run again",
                   par_mpi_rank(), task->limit, task->what, other, par_mpi_size());
}


static parWait start_wait(double limit)
{
  return (parWait){.limit = limit, .is_full = par_mpi_size() > par_cores()};
}


static artStatus complete_mpi_request(const mpiTask *task, int started, MPI_Request *request,
                                      artError *error)
{
  if (started != MPI_SUCCESS) return report_mpi_error(task, started, error);
  parWait wait = start_wait(task->limit);
  for (;;) {
    int done = 0;
    const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return report_mpi_error(task, code, error);
    if (done) return ART_OK;
    if (!par_wait(&wait)) return report_silence(task, error);
  }
}


//---- messages ------------------------------------------------------------------------------------


static artStatus mpi_transfer(const parTransfer *t, double limit, artError *error)
{
  static const char *const what[] = {
      [PAR_SEND] = "send", [PAR_RECEIVE] = "receive", [PAR_BROADCAST] = "take part in a broadcast"};
  const int has_partner = t->kind == PAR_SEND || t->kind == PAR_RECEIVE;
  const mpiTask task = {what[t->kind], has_partner ? t->other : ANY_RANK, limit};
  const int n = (int) t->size;
  MPI_Comm all = MPI_COMM_WORLD;
  MPI_Request request;
  int code = MPI_SUCCESS;

  // MPI counts are of type int
  if (t->size > INT_MAX) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "a message of %zu bytes is longer than MPI takes", t->size);
  }
  switch (t->kind) {
  case PAR_SEND: code = MPI_Isend(t->mine, n, MPI_BYTE, t->other, t->tag, all, &request); break;
  case PAR_RECEIVE: code = MPI_Irecv(t->to, n, MPI_BYTE, t->other, t->tag, all, &request); break;
  case PAR_BROADCAST: code = MPI_Ibcast(t->to, n, MPI_BYTE, t->other, all, &request); break;
  }
  return complete_mpi_request(&task, code, &request, error);
}


static artStatus mpi_next(parMessage *message, double limit, artError *error)
{
  const mpiTask task = {"hear of a message", ANY_RANK, limit};
  parWait wait = start_wait(limit);
  for (;;) {
    MPI_Status status;
    int is_there = 0, size;
    const int code = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
    if (code != MPI_SUCCESS) return report_mpi_error(&task, code, error);
    if (!is_there) {
      if (par_wait(&wait)) continue;
      return report_silence(&task, error);
    }
    MPI_Get_count(&status, MPI_BYTE, &size);
    *message = (parMessage){status.MPI_SOURCE, status.MPI_TAG, (size_t) size};
    return ART_OK;
  }
}


//---- creation and release ------------------------------------------------------------------------

static const parTransport transport = {mpi_rank, mpi_size, mpi_transfer, mpi_next};


artStatus par_mpi_begin(artError *error)
{
  int given;
  par_set_transport(&transport);
  if (has_joined_mpi()) return ART_OK;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS) {
    return base_fail(error, ART_IO, base_nowhere(), "MPI could not be started");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (par_mpi_is_launched() && par_mpi_size() == 1) {
    return base_fail(error, ART_IO, base_nowhere(),
                     "this process was started as one of several, but the MPI that it was built "
                     "with sees no other: start it with the mpirun of that MPI");
  }
  return ART_OK;
}


void par_mpi_end(int failed)
{
  if (!has_joined_mpi()) return;
  if (failed) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
}
