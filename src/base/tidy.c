// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a process takes away with it when it is told to end.
#include "base/tidy.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { MOST_PATHS = 64 };

static _Atomic(const char *) paths[MOST_PATHS];
static _Atomic(pid_t) child;


static void replace(const char *from, const char *to)
{
  for (int i = 0; i < MOST_PATHS; i++) {
    const char *found = from;
    if (atomic_compare_exchange_strong(&paths[i], &found, to)) return;
  }
}


void tidy_note(const char *path)
{
  replace(NULL, path);
}


void tidy_forget(const char *path)
{
  replace(path, NULL);
}


void tidy_note_child(pid_t group)
{
  atomic_store(&child, group);
}


void tidy_up(void)
{
  const pid_t group = atomic_load(&child);
  if (group > 0) (void) kill(-group, SIGKILL);
  for (int i = 0; i < MOST_PATHS; i++) {
    const char *path = atomic_load(&paths[i]);
    if (path) (void) unlink(path);
  }
}
