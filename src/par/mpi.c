// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ranks of MPI: every transfer is started, then asked for until it is complete or its limit is over.
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


static int is_joined(void)
{
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun && !ended;
}


static int mpi_rank(void)
{
  int rank = 0;
  if (is_joined()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}


static int mpi_size(void)
{
  int size = 1;
  if (is_joined()) MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}


//---- waiting -------------------------------------------------------------------------------------


static artStatus report(const mpiTask *task, int code, artError *error)
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


static artStatus complete(const mpiTask *task, int started, MPI_Request *request, artError *error)
{
  if (started != MPI_SUCCESS) return report(task, started, error);
  parWait wait = start_wait(task->limit);
  for (;;) {
    int done = 0;
    const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return report(task, code, error);
    if (done) return ART_OK;
    if (!par_wait(&wait)) return report_silence(task, error);
  }
}


// MPI counts with int
static int has_size(size_t size, artError *error)
{
  if (size <= INT_MAX) return 1;
  base_fail(error, ART_BAD_INPUT, base_nowhere(), "a message of %zu bytes is longer than MPI takes",
            size);
  return 0;
}


//---- messages ------------------------------------------------------------------------------------


static artStatus mpi_send(const void *data, size_t size, int to, int tag, double limit,
                          artError *error)
{
  const mpiTask task = {"send", to, limit};
  MPI_Request request;
  if (!has_size(size, error)) return ART_BAD_INPUT;
  const int code = MPI_Isend(data, (int) size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
  return complete(&task, code, &request, error);
}


static artStatus mpi_receive(void *data, size_t size, int from, int tag, double limit,
                             artError *error)
{
  const mpiTask task = {"receive", from, limit};
  MPI_Request request;
  if (!has_size(size, error)) return ART_BAD_INPUT;
  const int code = MPI_Irecv(data, (int) size, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
  return complete(&task, code, &request, error);
}


static artStatus mpi_next(parMessage *message, double limit, artError *error)
{
  const mpiTask task = {"hear of a message", ANY_RANK, limit};
  parWait wait = start_wait(limit);
  for (;;) {
    MPI_Status status;
    int is_there = 0, size;
    const int code = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
    if (code != MPI_SUCCESS) return report(&task, code, error);
    if (!is_there) {
      if (par_wait(&wait)) continue;
      return report_silence(&task, error);
    }
    MPI_Get_count(&status, MPI_BYTE, &size);
    *message = (parMessage){status.MPI_SOURCE, status.MPI_TAG, (size_t) size};
    return ART_OK;
  }
}


//---- all together --------------------------------------------------------------------------------


static artStatus mpi_broadcast(void *data, size_t size, int from, double limit, artError *error)
{
  const mpiTask task = {"take part in a broadcast", ANY_RANK, limit};
  MPI_Request request;
  if (!has_size(size, error)) return ART_BAD_INPUT;
  const int code = MPI_Ibcast(data, (int) size, MPI_BYTE, from, MPI_COMM_WORLD, &request);
  return complete(&task, code, &request, error);
}


static artStatus mpi_gather(const void *mine, size_t size, void *all, int to, double limit,
                            artError *error)
{
  const mpiTask task = {"gather from all", ANY_RANK, limit};
  MPI_Request request;
  if (!has_size(size, error)) return ART_BAD_INPUT;
  const int code = MPI_Igather(mine, (int) size, MPI_BYTE, all, (int) size, MPI_BYTE, to,
                               MPI_COMM_WORLD, &request);
  return complete(&task, code, &request, error);
}


static artStatus mpi_share(const void *mine, size_t size, void *all, double limit, artError *error)
{
  const mpiTask task = {"share with all", ANY_RANK, limit};
  MPI_Request request;
  if (!has_size(size, error)) return ART_BAD_INPUT;
  const int code = MPI_Iallgather(mine, (int) size, MPI_BYTE, all, (int) size, MPI_BYTE,
                                  MPI_COMM_WORLD, &request);
  return complete(&task, code, &request, error);
}


//---- life ----------------------------------------------------------------------------------------

static const parTransport transport = {
    mpi_rank, mpi_size, mpi_send, mpi_receive, mpi_next, mpi_broadcast, mpi_gather, mpi_share,
};


artStatus par_mpi_begin(artError *error)
{
  int given;
  par_set_transport(&transport);
  if (is_joined()) return ART_OK;
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
  if (!is_joined()) return;
  if (failed) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
}
