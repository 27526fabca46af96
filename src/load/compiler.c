// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The command that compiles, and what it says.
#include "load/compiler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/tidy.h"
#include "load/child.h"

enum { COMMAND_LENGTH = 2048, MAX_OWN_WORDS = 40 };


const char *compiler_name(void)
{
  const char *command = getenv("CC");
  return command && command[strspn(command, " \t")] ? command : platform_compiler();
}


const char *compiler_version(const char *command, char text[COMPILER_VERSION_LENGTH])
{
  struct stat about;
  char path[FILE_PATH_LENGTH];
  command += strspn(command, " \t");
  text[0] = '\0';
  const size_t n = strcspn(command, " \t");
  if (platform_find_program(command, n, path, sizeof path) && stat(path, &about) == 0) {
    snprintf(text, COMPILER_VERSION_LENGTH, "%lld bytes of %lld.%09ld", (long long) about.st_size,
             (long long) about.st_mtim.tv_sec, (long) about.st_mtim.tv_nsec);
  }
  return text;
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
  if (!child_start(word, log, &child)) {
    return base_fail(
        error, ART_UNSUPPORTED, base_nowhere(),
        "%s need a %scompiler, and '%.100s' could not be started: %s; %s%s", what,
        is_system ? "C " : "", word[0], strerror(errno),
        is_system ? "install one (gcc or clang), name it in the environment variable CC" : "",
        remedy);
  }
  return child_wait(child) && access(made, R_OK) == 0
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
#if defined __x86_64__ && !defined _WIN32 // GCC aligns AVX variables wrongly on stacks of Windows
  __builtin_cpu_init();
  const int is_wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const int is_widest = is_wide && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return is_widest ? 8 : is_wide ? 4 : 2;
#else
  return 2;
#endif
}
