// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs the compiler as a child in its own process group, so that all its processes can be killed.
#include "load/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/tidy.h"

extern char **environ;

enum { COMMAND_LENGTH = 2048, MAX_OWN_WORDS = 40 };


const char *compiler_name(void)
{
  const char *command = getenv("CC");
  return command && command[strspn(command, " \t")] ? command : "cc";
}


// Find the file of a program as the system does; 0 if there is none.
static int find_program(const char *program, size_t n, struct stat *about)
{
  char path[FILE_PATH_LENGTH];
  const char *folders = memchr(program, '/', n) ? "" : getenv("PATH");
  for (const char *at = folders ? folders : "";; at++) {
    const size_t length = strcspn(at, ":");
    const int used = snprintf(path, sizeof path, "%.*s%s%.*s", (int) length, at, length ? "/" : "",
                              (int) n, program);
    const int fits = used > 0 && (size_t) used < sizeof path;
    if (fits && stat(path, about) == 0 && S_ISREG(about->st_mode) && access(path, X_OK) == 0) {
      return 1;
    }
    at += length;
    if (!*at) return 0;
  }
}


const char *compiler_version(const char *command, char text[COMPILER_VERSION_LENGTH])
{
  struct stat about;
  command += strspn(command, " \t");
  text[0] = '\0';
  if (find_program(command, strcspn(command, " \t"), &about)) {
    snprintf(text, COMPILER_VERSION_LENGTH, "%lld bytes of %lld.%09ld", (long long) about.st_size,
             (long long) about.st_mtim.tv_sec, (long) about.st_mtim.tv_nsec);
  }
  return text;
}


// Start it with all output redirected to a file; 0 if it cannot be started (errno gives the
// reason).
static int spawn_compiler(char **word, const char *log, pid_t *child)
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


// 1 if it exited successfully and created its file
static int wait_for_compiler(pid_t child, const char *made)
{
  pid_t ended;
  int ending = 0;
  do {
    ended = waitpid(child, &ending, 0);
  } while (ended < 0 && errno == EINTR);

  // if the host ignores SIGCHLD, there is no exit status
  const int has_ended_well = ended < 0 || (WIFEXITED(ending) && WEXITSTATUS(ending) == 0);
  const int has_made = has_ended_well && access(made, R_OK) == 0;
  tidy_forget_child(child);
  return has_made;
}


// The first line of the log that contains an error, else the first line.
static void read_first_error(const char *log, char *line, size_t size)
{
  char own[400];
  FILE *file = fopen(log, "r");
  snprintf(line, size, "it did not say why");
  for (int k = 0; file && fgets(own, sizeof own, file); k++) {
    const int is_error = strstr(own, "error") != NULL;
    if (k == 0 || is_error) snprintf(line, size, "%.*s", (int) strcspn(own, "\n"), own);
    if (is_error) break;
  }
  if (file) fclose(file);
}


static artStatus say_why_compiler_failed(const char *name, int is_system, const char *log,
                                         const char *what, const char *remedy, artError *error)
{
  if (tidy_has_stopped()) {
    return base_fail(error, ART_STOPPED, base_nowhere(),
                     "the run was asked to stop while its equations were compiled");
  }
  char line[400];
  read_first_error(log, line, sizeof line);
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "the compiler '%.100s' did not take the %s: %.400s; %s%s", name, what, line,
                   is_system ? "CC may name another one" : "", remedy);
}


static artStatus run_compiler_child(char **word, int is_system, const char *made, const char *log,
                                    const char *what, const char *remedy, artError *error)
{
  pid_t child;
  if (!spawn_compiler(word, log, &child)) {
    return base_fail(
        error, ART_UNSUPPORTED, base_nowhere(),
        "%s need a %scompiler, and '%.100s' could not be started: %s; %s%s", what,
        is_system ? "C " : "", word[0], strerror(errno),
        is_system ? "install one (gcc or clang), name it in the environment variable CC" : "",
        remedy);
  }
  return wait_for_compiler(child, made)
             ? ART_OK
             : say_why_compiler_failed(word[0], is_system, log, what, remedy, error);
}


artStatus compiler_run(const char *command, const char *const *words, const char *made,
                       const char *log, const char *what, const char *remedy, artError *error)
{
  char own[COMMAND_LENGTH];
  if (snprintf(own, sizeof own, "%s", command ? command : compiler_name()) >= COMMAND_LENGTH) {
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "the environment variable CC is longer than %d characters", COMMAND_LENGTH);
  }
  int count = 0, n = 0;
  while (words[count]) count++;
  char **word = MEM_ARRAY(char *, count + MAX_OWN_WORDS + 1), *tail = NULL;
  if (!word) return base_no_memory(error);
  for (char *w = strtok_r(own, " \t", &tail); w && n < MAX_OWN_WORDS;
       w = strtok_r(NULL, " \t", &tail)) {
    word[n++] = w;
  }
  memcpy(word + n, words, (size_t) count * sizeof *word);
  const artStatus status = run_compiler_child(word, !command, made, log, what, remedy, error);
  mem_free(word);
  return status;
}


int compiler_best_lanes(void)
{
#if defined __x86_64__
  __builtin_cpu_init();
  const int is_wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const int is_widest = is_wide && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return is_widest ? 8 : is_wide ? 4 : 2;
#else
  return 2;
#endif
}
