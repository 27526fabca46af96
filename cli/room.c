// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Room for the work of OpenBLAS where memory is limited (ulimit -v). Each thread that calls it needs 32 MB to 128 MB, by
// CPU and version, and it tries for ever where it gets none. It keeps what it has, so that it takes all at once,
// while a clock runs.
#include "command.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "num/dense.h"

// time of the CPU; where there is room a few calls of the system suffice
static const struct itimerval PATIENCE = {.it_value = {.tv_usec = 300000}}, NO_LIMIT;


bool room_is_limited(void)
{
  struct rlimit memory;
  return getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY;
}


static void give_up(int number)
{
  static const char message[] =
      "memory is limited to less than the program needs; allow it 300 MB or more, and 150 MB for "
      "each further thread of a sweep (--threads), see ulimit -v\n";
  (void) number;
  (void) !write(STDERR_FILENO, message, sizeof message - 1);
  _exit(CLI_FAILED);
}


void room_take(int threads)
{
  if (!room_is_limited()) return;
  struct sigaction tired = {.sa_handler = give_up}, before;
  sigemptyset(&tired.sa_mask);
  sigaction(SIGPROF, &tired, &before);
  setitimer(ITIMER_PROF, &PATIENCE, NULL);
  num_take_room(threads);
  setitimer(ITIMER_PROF, &NO_LIMIT, NULL);
  sigaction(SIGPROF, &before, NULL);
}
