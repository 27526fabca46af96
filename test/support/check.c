// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Checks for plain test programs.
#include "support/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "num/dense.h"

typedef struct laterFree {
  void (*release)(void *);
  void *object;
} laterFree;

static laterFree *later; // objects that the running test leaves to be freed
static int nlater, room_later;

static checkTest *first_test;
static const char *running_test; // its name is said once, before its first failure
static bool name_is_said;
static jmp_buf end_of_test;
static atomic_long nchecks; // of the running test


__attribute__((format(printf, 3, 4))) static void fail(const char *file, int line,
                                                       const char *format, ...)
{
  const char *slash = strrchr(file, '/');
  va_list args;

  if (!name_is_said && running_test) printf("FAILED %s\n", running_test);
  name_is_said = true;

  printf("  %s:%d: ", slash ? slash + 1 : file, line);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n");
  fflush(stdout);
}


bool check_true(bool held, const char *what, const char *file, int line)
{
  nchecks++;
  if (!held) fail(file, line, "%s does not hold", what);
  return held;
}


// a NaN is the worst error of all
static double error_between(double got, double want, bool relative)
{
  if (got == want) return 0;

  const double error = fabs(got - want);
  if (!isfinite(error)) return INFINITY;
  return relative ? error / check_larger(fabs(got), fabs(want)) : error;
}


bool check_near(const double *got, const double *want, int n, double tol, bool relative,
                const char *name, const char *file, int line)
{
  double worst = -1;
  int at = 0;

  nchecks += n;
  for (int i = 0; i < n; i++) {
    const double error = error_between(got[i], want[i], relative);
    if (error > worst) worst = error, at = i;
  }
  if (worst <= tol && isfinite(tol)) return true;

  fail(file, line, "%s[%d] = %.17g, want %.17g (%serror %.2e, tol %g)", name, at, got[at], want[at],
       relative ? "relative " : "", worst, tol);
  return false;
}


bool check_integer(long long got, long long want, const char *name, const char *file, int line)
{
  nchecks++;
  if (got != want) fail(file, line, "%s = %lld, want %lld", name, got, want);
  return got == want;
}


bool check_text(const char *got, const char *want, const char *name, const char *file, int line)
{
  const bool same = got && want ? strcmp(got, want) == 0 : got == want;

  nchecks++;
  if (!same)
    fail(file, line, "%s = \"%s\"\n    want \"%s\"", name, got ? got : "(null)",
         want ? want : "(null)");
  return same;
}


bool check_contains(const char *text, const char *part, const char *name, const char *file,
                    int line)
{
  const bool found = text && strstr(text, part);

  nchecks++;
  if (!found)
    fail(file, line, "%s = \"%s\"\n    want it to contain \"%s\"", name, text ? text : "(null)",
         part);
  return found;
}


artError check_error;


bool check_works(artStatus status, const char *name, const char *file, int line)
{
  const bool is_well = status == ART_OK && check_error.text[0] == '\0';
  nchecks++;
  if (!is_well) fail(file, line, "%s: %s", name, check_error.text);
  return is_well;
}


bool check_fails(artStatus got, artStatus want, const char *words, const char *name,
                 const char *file, int line)
{
  const bool is_so = check_integer(got, want, name, file, line);
  return check_contains(check_error.text, words, name, file, line) && is_so;
}


bool check_says(artStatus got, artStatus want, const char *message, const char *name,
                const char *file, int line)
{
  const bool is_so = check_integer(got, want, name, file, line);
  return check_text(check_error.text, message, name, file, line) && is_so;
}


double check_largest(int n, const double *x)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = check_larger(most, fabs(x[i]));
  return most;
}


double check_scale(int n, const double *x)
{
  return check_larger(1, check_largest(n, x));
}


double check_apart(int n, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = check_larger(most, fabs(a[i] - b[i]));
  return most;
}


// splitmix64 (Steele, Lea and Flood, OOPSLA 2014); 53 random bits make the fraction
double check_uniform(uint64_t *seed, double lo, double hi)
{
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return lo + (hi - lo) * ((double) (z >> 11) * 0x1p-53);
}


static bool stands_before(const checkTest *a, const checkTest *b)
{
  const int order = strcmp(a->file, b->file);
  return order ? order < 0 : a->line < b->line;
}


void check_add(checkTest *test)
{
  checkTest **at = &first_test;
  while (*at && stands_before(*at, test)) at = &(*at)->next;
  test->next = *at;
  *at = test;
}


const checkTest *check_tests(void)
{
  return first_test;
}


void check_stop_if_failed(void)
{
  if (name_is_said) longjmp(end_of_test, 1);
}


void check_free_later(void (*release)(void *), void *object)
{
  if (nlater == room_later) {
    room_later = 2 * room_later + 64;
    later = realloc(later, (size_t) room_later * sizeof *later);
    if (!later) abort();
  }
  later[nlater++] = (laterFree){release, object};
}


void check_free_kept(void)
{
  while (nlater > 0) {
    nlater--;
    later[nlater].release(later[nlater].object);
  }
  free(later);
  later = NULL;
  room_later = 0;
}


// processor time of this program and of the children that have ended, in seconds
static double processor_seconds(void)
{
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    struct rusage used;
    getrusage(k == 0 ? RUSAGE_SELF : RUSAGE_CHILDREN, &used);
    sum += (double) (used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double) (used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  }
  return sum;
}


// whether all checks held
static bool run_test(const checkTest *test)
{
  const double before = processor_seconds();
  running_test = test->name;
  name_is_said = false;
  nchecks = 0;
  check_error = (artError){0};
  if (setjmp(end_of_test) == 0) test->run();
  check_free_kept();
  if (getenv("ART_TIMES")) {
    printf("%8.2f s %9ld checks  %s\n", processor_seconds() - before, (long) nchecks, test->name);
    fflush(stdout);
  }
  return !name_is_said;
}


int check_main(int argc, char **argv)
{
  const char *part = argc > 1 ? argv[1] : "";
  int run = 0, failed = 0;
  num_use_one_thread();

  for (const checkTest *test = first_test; test; test = test->next) {
    if (!strstr(test->name, part) && !strstr(test->file, part)) continue;
    run++;
    failed += !run_test(test);
  }

  printf("%d tests, %d failed\n", run, failed);
  return failed > 0 || run == 0;
}


__attribute__((weak)) int main(int argc, char **argv)
{
  return check_main(argc, argv);
}
