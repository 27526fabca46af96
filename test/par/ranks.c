// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Under mpirun: messages between ranks arrive, and a rank that dies or hangs ends the run.
//   ranks messages|cost|silent|killed
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

#include "par/mpi.h"
#include "support/keep.h"

static int rank, size;

//---- messages ------------------------------------------------------------------------------------


TEST(numbers_go_round_the_ring)
{
  double out[3] = {rank, 0.1 * rank, 7}, in[3] = {0};
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  if (size == 1) return;
  if (rank % 2 == 0) CHECK(par_mpi_send(out, sizeof out, next, 5, 10, NULL) == ART_OK);
  CHECK(par_mpi_receive(in, sizeof in, last, 5, 10, NULL) == ART_OK);
  if (rank % 2 == 1) CHECK(par_mpi_send(out, sizeof out, next, 5, 10, NULL) == ART_OK);
  CHECK_NEAR(in, ((double[3]){last, 0.1 * last, 7}), 3, 0);
}


TEST(one_rank_tells_all)
{
  for (int from = 0; from < size; from++) {
    double x[2] = {rank == from ? from + 0.5 : -1, rank == from};
    CHECK(par_mpi_broadcast(x, sizeof x, from, 10, NULL) == ART_OK);
    CHECK_NEAR(x, ((double[2]){from + 0.5, 1}), 2, 0);
  }
}


TEST(the_next_message_tells_rank_tag_and_size)
{
  char text[64] = "";
  if (rank > 0) {
    snprintf(text, sizeof text, "from %d", rank);
    CHECK(par_mpi_send(text, strlen(text) + 1, 0, 100 + rank, 10, NULL) == ART_OK);
    return;
  }
  int seen = 0;
  for (int i = 1; i < size; i++) {
    parMessage message = {0};
    if (!CHECK(par_mpi_next(&message, 10, NULL) == ART_OK)) return;
    CHECK_EQ_INT(message.tag, 100 + message.from);
    CHECK(par_mpi_receive(text, message.size, message.from, message.tag, 10, NULL) == ART_OK);
    char want[64];
    snprintf(want, sizeof want, "from %d", message.from);
    CHECK_TEXT(text, want);
    seen += message.from;
  }
  CHECK_EQ_INT(seen, size * (size - 1) / 2);
}


//---- trouble -------------------------------------------------------------------------------------


// the last rank says nothing, the others wait for it and end the job
static int keep_silent(void)
{
  artError error = {0};
  double x = 0;
  if (rank == size - 1) return pause();
  if (rank > 0) return pause();
  const artStatus status = par_mpi_receive(&x, sizeof x, size - 1, 3, 0.2, &error);
  fprintf(stderr, "%s\n", error.text);
  if (status == ART_STALLED) par_mpi_end(1);
  return 1;
}


static int die(void)
{
  artError error = {0};
  double x = 0;
  if (rank == size - 1) raise(SIGKILL);
  par_mpi_receive(&x, sizeof x, size - 1, 3, 60, &error);
  return 1;
}


static int run_tests(char *program)
{
  char *argv[] = {program, NULL};
  return check_main(1, argv);
}


int main(int argc, char **argv)
{
  artError error = {0};
  const char *what = argc > 1 ? argv[1] : "messages";
  if (par_mpi_begin(&error) != ART_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 2;
  }
  rank = par_mpi_rank();
  size = par_mpi_size();
  if (strcmp(what, "silent") == 0) return keep_silent();
  if (strcmp(what, "killed") == 0) return die();
  const int failed = run_tests(argv[0]);
  fflush(stdout);
  par_mpi_end(0);
  return failed;
}
