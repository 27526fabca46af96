// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files to remove and compilers to stop when the process is terminated.
#include "base/tidy.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { MAX_PATHS = 64, MAX_CHILDREN = 64 };

static _Atomic(const char *) paths[MAX_PATHS];
static _Atomic(pid_t) children[MAX_CHILDREN]; // process groups
static atomic_int has_stopped;


static void replace_tidy_path(const char *from, const char *to)
{
  for (int i = 0; i < MAX_PATHS; i++) {
    const char *found = from;
    if (atomic_compare_exchange_strong(&paths[i], &found, to)) return;
  }
}


void tidy_note(const char *path)
{
  replace_tidy_path(NULL, path);
}


void tidy_forget(const char *path)
{
  replace_tidy_path(path, NULL);
}


static void replace_child(pid_t from, pid_t to)
{
  for (int i = 0; i < MAX_CHILDREN; i++) {
    pid_t found = from;
    if (atomic_compare_exchange_strong(&children[i], &found, to)) return;
  }
}


static void end_children(void)
{
  for (int i = 0; i < MAX_CHILDREN; i++) {
    const pid_t group = atomic_load(&children[i]);
    if (group > 0) (void) kill(-group, SIGKILL);
  }
}


void tidy_note_child(pid_t group)
{
  replace_child(0, group);
  if (atomic_load(&has_stopped)) end_children();
}


void tidy_forget_child(pid_t group)
{
  replace_child(group, 0);
}


void tidy_stop_children(void)
{
  atomic_store(&has_stopped, 1);
  end_children();
}


int tidy_has_stopped(void)
{
  return atomic_load(&has_stopped);
}


void tidy_up(void)
{
  end_children();
  for (int i = 0; i < MAX_PATHS; i++) {
    const char *path = atomic_load(&paths[i]);
    if (path) (void) unlink(path);
  }
}
