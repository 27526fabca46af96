// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Calls against the rules of articula/base.h.
#include "support/misuse.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "support/keep.h"

#ifdef NDEBUG
static const int has_assertions = 0;
#else
static const int has_assertions = 1;
#endif

static int child_status;


void misuse_go_on(void)
{
  base_misuse_stops = 0;
}


int misuse_is_child(void)
{
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(2);
    base_misuse_stops = has_assertions;
    return 1;
  }
  if (child < 0 || waitpid(child, &child_status, 0) != child) child_status = -1;
  return 0;
}


void misuse_end(void)
{
  _exit(0);
}


int misuse_has_stopped(void)
{
  const int is_aborted = WIFSIGNALED(child_status) && WTERMSIG(child_status) == SIGABRT;
  const int goes_on = WIFEXITED(child_status) && WEXITSTATUS(child_status) == 0;
  return has_assertions ? is_aborted : goes_on;
}


int misuse_index(int n, int k)
{
  const int index[MISUSE_INDICES] = {-1, n, INT_MAX, INT_MIN};
  return index[k];
}


double misuse_number(int k)
{
  const double number[MISUSE_NUMBERS] = {NAN, INFINITY, -INFINITY};
  return number[k];
}


//---- the functions of a header -------------------------------------------------------------------

// a file of the project
static char *read_text(const char *folder, const char *name)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s/%s", ART_SOURCE_DIR, folder, name);
  FILE *file = fopen(path, "r");
  char *text = calloc(1, 1 << 20);
  if (file && text && fread(text, 1, (1 << 20) - 1, file) == 0) text[0] = '\0';
  if (file) fclose(file);
  return text;
}


// the next name between ART_API and a parenthesis; NULL behind the last one
static const char *next_function(const char *text, char name[100])
{
  const char *mark = strstr(text, "\nART_API ");
  const char *end = mark ? strchr(mark, '(') : NULL;
  if (!end) return NULL;
  const char *begin = end;
  while (begin > mark && (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z') ||
                          (begin[-1] >= '0' && begin[-1] <= '9'))) {
    begin--;
  }
  snprintf(name, 100, "%.*s", (int) (end - begin), begin);
  return end;
}


// whether a line that begins with MISUSE, NEEDS or OF has the function
static int is_named(const char *text, const char *function)
{
  const size_t n = strlen(function);
  for (const char *at = text; (at = strstr(at, function)); at += n) {
    const char *line = at;
    while (line > text && line[-1] != '\n') line--;
    line += strspn(line, " ");
    const int is_misuse = !strncmp(line, "MISUSE", 6) || !strncmp(line, "NEEDS", 5);
    if ((is_misuse || !strncmp(line, "OF", 2)) && strchr("(,)", at[n])) return 1;
  }
  return 0;
}


static int is_complete(const char *file, const char *const *headers)
{
  int is_good = 1;
  char *source = read_text("test/unit", strrchr(file, '/') + 1), name[100];
  for (; *headers; headers++) {
    char *text = read_text("include/articula", *headers);
    int declared = 0;
    for (const char *at = text; at && (at = next_function(at, name)); declared++) {
      if (is_named(source, name)) continue;
      printf("%s: %s has no test of its misuse\n", *headers, name);
      is_good = 0;
    }
    if (declared == 0) {
      printf("%s declares no function\n", *headers);
      is_good = 0;
    }
    free(text);
  }
  free(source);
  return is_good;
}


int misuse_main(int argc, char **argv, const char *file, const char *const *headers)
{
  if (base_misuse_stops != has_assertions || !is_complete(file, headers)) return 1;
  return check_main(argc, argv);
}


misuseMachine misuse_read(const char *text)
{
  misuseMachine x = {.m = keep_text(text), .other = keep_text(text), .study = art_default_run()};
  x.study.until = 0.1, x.d = keep_fresh_data(x.m), x.alien = keep_fresh_data(x.other);
  x.n = art_count(x.m);
  return x;
}
