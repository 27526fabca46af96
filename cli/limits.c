// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A start with little memory. OpenBLAS takes room for threads, for each CPU, before main begins, and tries for ever
// where it gets none (ulimit -v). Where memory is limited the program therefore starts itself again, told to use one
// thread. Room for its work is another matter (room.c).
#include "command.h"

#include <string.h>
#include <unistd.h>

#if defined(__linux__)

enum { VARIABLES_MOST = 4000 };
static const char ONE_THREAD[] = "OPENBLAS_NUM_THREADS=1";


// Runs before any library begins, so that it uses nothing but calls of the system. Where the shell has told OpenBLAS
// something, or has too much to tell, things stay as they are.
static void start_again(int argc, char **argv, char **environment)
{
  static char *own[VARIABLES_MOST + 2];
  int n = 0;
  (void) argc;
  if (!room_is_limited()) return;
  for (; environment[n]; n++) {
    if (n == VARIABLES_MOST || strncmp(environment[n], ONE_THREAD, sizeof ONE_THREAD - 2) == 0) {
      return;
    }
    own[n] = environment[n];
  }
  own[n] = (char *) ONE_THREAD;
  execve("/proc/self/exe", argv, own);
}


__attribute__((section(".preinit_array"),
               used)) static void (*const before_all)(int, char **, char **) = start_again;

#endif
