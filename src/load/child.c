// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A compiler as a child in its own process group. tools/windows/child.c replaces this file on Windows.
#include "load/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>

#include "base/tidy.h"

extern char **environ;


int child_start(char **word, const char *log, pid_t *child)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t group;
  if (posix_spawn_file_actions_init(&actions) != 0) return 0;
  if (posix_spawnattr_init(&group) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return 0;
  }
  posix_spawnattr_setpgroup(&group, 0);
  posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  const int failed = posix_spawnp(child, word[0], &actions, &group, word, environ);
  if (!failed) tidy_note_child(*child);
  posix_spawnattr_destroy(&group);
  posix_spawn_file_actions_destroy(&actions);
  errno = failed;
  return !failed;
}


int child_wait(pid_t child)
{
  pid_t ended;
  int ending = 0;
  do {
    ended = waitpid(child, &ending, 0);
  } while (ended < 0 && errno == EINTR);
  tidy_forget_child(child);

  // if the host ignores SIGCHLD, there is no exit status
  return ended < 0 || (WIFEXITED(ending) && WEXITSTATUS(ending) == 0);
}
