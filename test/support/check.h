// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Checks for plain test programs. A check that fails says so with file, line and numbers, and the
// test goes on; check_main returns 1 when any failed.
#ifndef SUPPORT_CHECK_H
#define SUPPORT_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "articula/base.h"

//---- tests ---------------------------------------------------------------------------------------

typedef struct checkTest {
  const char *name;
  void (*run)(void);
  const char *file;
  int line;
  struct checkTest *next;
} checkTest;

// Defines a test of that name; it needs no other line:
//   TEST(springs_push_and_pull)
//   {
//     ...
//   }
#define TEST(name) CHECK_TEST(name, name)

// A test that is one call, as a row of a table: CASE(exchange_ropes, exchange("rope-pendulum", 3))
#define CASE(name, ...)                                                                            \
  TEST(name)                                                                                       \
  {                                                                                                \
    __VA_ARGS__;                                                                                   \
  }

#define CHECK_TEST(name, function)                                                                 \
  static void function(void);                                                                      \
  __attribute__((constructor)) static void check_add_##function(void)                              \
  {                                                                                                \
    static checkTest test = {#name, function, __FILE__, __LINE__, 0};                              \
    check_add(&test);                                                                              \
  }                                                                                                \
  static void function(void)
void check_add(checkTest *test);

// The tests of the program, file by file in the order of their lines.
const checkTest *check_tests(void);

// Run all tests, or each whose name or file contains argv[1]. Returns main's exit status. A program whose tests need
// something around them has a main of its own, which calls this one; others need none. With ART_TIMES in the
// environment it says how much processor time each test takes and how many numbers and conditions it has checked.
int check_main(int argc, char **argv);

// End the running test if one of its checks has failed.
void check_stop_if_failed(void);

// Call release(object) when the test that is running has ended, the last one first; or now, for a test that goes
// through many cases.
void check_free_later(void (*release)(void *), void *object);
void check_free_kept(void);

// Defines keep(object), which hands the object back and lets release free it when the test that is running has ended.
#define CHECK_KEEPER(keep, type, release)                                                          \
  static inline void keep##_release(void *object)                                                  \
  {                                                                                                \
    release(object);                                                                               \
  }                                                                                                \
  static inline type *keep(type *object)                                                           \
  {                                                                                                \
    if (!object) check_stop_if_failed();                                                           \
    if (object) check_free_later(keep##_release, object);                                          \
    return object;                                                                                 \
  }

//---- checks --------------------------------------------------------------------------------------

// Each returns whether it held, so that a test can leave when going on makes no sense:
//   if (!CHECK(model)) return;
#define CHECK(cond) check_true((cond), #cond, __FILE__, __LINE__)

// n numbers within tol of the wanted ones, absolutely; reports the worst of them. NaN is near nothing, and
// no number is near within a tolerance that is not finite: so a check fails whose scale is not a number.
#define CHECK_NEAR(got, want, n, tol) check_near(got, want, n, tol, false, #got, __FILE__, __LINE__)

// The same with tol relative to the larger magnitude of the two numbers.
#define CHECK_REL(got, want, n, tol) check_near(got, want, n, tol, true, #got, __FILE__, __LINE__)

// One number within tol of the wanted one, absolutely and relatively.
#define CHECK_CLOSE(got, want, tol)                                                                \
  check_near(&(double){got}, &(double){want}, 1, tol, false, #got, __FILE__, __LINE__)
#define CHECK_CLOSE_REL(got, want, tol)                                                            \
  check_near(&(double){got}, &(double){want}, 1, tol, true, #got, __FILE__, __LINE__)

#define CHECK_EQ_INT(got, want) check_integer(got, want, #got, __FILE__, __LINE__)

// Texts that are equal; the first inside which the second stands.
#define CHECK_TEXT(got, want)      check_text(got, want, #got, __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) check_contains(text, part, #text, __FILE__, __LINE__)

// A call that writes its message to check_error works and leaves none; or it ends so, with these words in the
// message, or with this message:
//   CHECK_FAILS(art_run_to(run, 2, &check_error), ART_SINGULAR, "force 'magnet' failed");
extern artError check_error;
#define CHECK_WORKS(call) (check_error.text[0] = '\0', check_works(call, #call, __FILE__, __LINE__))
#define CHECK_FAILS(call, status, words)                                                           \
  (check_error.text[0] = '\0', check_fails(call, status, words, #call, __FILE__, __LINE__))
#define CHECK_SAYS(call, status, message)                                                          \
  (check_error.text[0] = '\0', check_says(call, status, message, #call, __FILE__, __LINE__))

bool check_true(bool held, const char *what, const char *file, int line);
bool check_near(const double *got, const double *want, int n, double tol, bool relative,
                const char *name, const char *file, int line);
bool check_integer(long long got, long long want, const char *name, const char *file, int line);
bool check_text(const char *got, const char *want, const char *name, const char *file, int line);
bool check_contains(const char *text, const char *part, const char *name, const char *file,
                    int line);
bool check_works(artStatus status, const char *name, const char *file, int line);
bool check_fails(artStatus got, artStatus want, const char *words, const char *name,
                 const char *file, int line);
bool check_says(artStatus got, artStatus want, const char *message, const char *name,
                const char *file, int line);

//---- sanitizers ----------------------------------------------------------------------------------

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#endif

// How many cases a loop takes: all, but a few under the address sanitizer, where each takes several times as long.
// Sanitizers look for faults of memory; numbers are compared by programs without them.
#ifdef SANITIZED
#define CHECK_CASES(all, few) (few)
#else
#define CHECK_CASES(all, few) (all)
#endif

//---- largest of errors ---------------------------------------------------------------------------

// The larger and the smaller of two numbers; NaN where one of them is. fmax and fmin drop it: a largest
// error taken with them passes every check, however many of the errors are not numbers.
static inline double check_larger(double a, double b)
{
  return a >= b || isnan(a) ? a : b;
}


static inline double check_smaller(double a, double b)
{
  return a <= b || isnan(a) ? a : b;
}

// The largest magnitude of n numbers; the same, but 1 at least, as a scale; the largest distance of n numbers.
double check_largest(int n, const double *x);
double check_scale(int n, const double *x);
double check_apart(int n, const double *a, const double *b);

//---- random input --------------------------------------------------------------------------------

// A number in [lo, hi), the same sequence for the same seed on every machine.
double check_uniform(uint64_t *seed, double lo, double hi);

// A whole number from 0 to n - 1.
static inline int check_pick(uint64_t *seed, int n)
{
  return (int) check_uniform(seed, 0, n);
}

#endif
