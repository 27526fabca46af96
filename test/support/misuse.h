// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Calls against the rules of articula/base.h: what a library without assertions answers, and that one
// with them stops.
#ifndef SUPPORT_MISUSE_H
#define SUPPORT_MISUSE_H

#include <limits.h>
#include <math.h>
#include <stddef.h>

#include "articula/study.h"
#include "support/check.h"

// The call in `answer`, a condition on what it returns, is a mistake of the program: without assertions
// the condition holds; with them the process ends by SIGABRT, here a child. Evaluated twice.
#define MISUSE(answer)                                                                             \
  do {                                                                                             \
    misuse_go_on();                                                                                \
    CHECK(answer);                                                                                 \
    if (misuse_is_child()) {                                                                       \
      (void) (answer);                                                                             \
      misuse_end();                                                                                \
    }                                                                                              \
    CHECK(misuse_has_stopped());                                                                   \
  } while (0)
void misuse_go_on(void);
int misuse_is_child(void);
void misuse_end(void);
int misuse_has_stopped(void);

// Defines the test of a function. Each function of the headers ("road.h", ..., NULL) stands in the source of the tests,
// the file, in a line that begins with OF, MISUSE or NEEDS; a function that is missing there fails.
#define OF(function) CHECK_TEST(function, of_##function)
#define OF_CALL(function, ...)                                                                     \
  OF(function)                                                                                     \
  {                                                                                                \
    __VA_ARGS__;                                                                                   \
  }

// a promise of the interface about a definition that nobody has filled in
#define OF_DEFAULT(name, promise) OF_CALL(name, CHECK(name() promise))
int misuse_main(int argc, char **argv, const char *file, const char *const *headers);
#define MISUSE_MAIN(...)                                                                           \
  int main(int argc, char **argv)                                                                  \
  {                                                                                                \
    static const char *const headers[] = {__VA_ARGS__, NULL};                                      \
    return misuse_main(argc, argv, __FILE__, headers);                                             \
  }

// A machine with its data, and another that is just like it; they live until the test ends.
typedef struct misuseMachine {
  artModel *m, *other;
  artData *d, *alien;
  artCounts n;
  artRunDef study; // a short run
} misuseMachine;
misuseMachine misuse_read(const char *text);

// Defines the test of a function of machines: x is a misuseMachine of the text MACHINE.
#define OF_MACHINE(function)                                                                       \
  static void on_##function(misuseMachine x);                                                      \
  OF_CALL(function, on_##function(misuse_read(MACHINE)))                                           \
  static void on_##function(misuseMachine x)
#define OF_MACHINE_CALL(function, ...)                                                             \
  OF_MACHINE(function)                                                                             \
  {                                                                                                \
    __VA_ARGS__;                                                                                   \
  }

// The rule of nearly all functions; `call` reads m and d of the misuseMachine x.
#define NEEDS_BOTH(call)                                                                           \
  do {                                                                                             \
    const artModel *m = NULL;                                                                      \
    artData *d = x.d;                                                                              \
    MISUSE(call);                                                                                  \
    m = x.m, d = NULL;                                                                             \
    MISUSE(call);                                                                                  \
    d = x.alien;                                                                                   \
    MISUSE(call);                                                                                  \
  } while (0)

// Numbers of things that do not exist where there are n.
enum { MISUSE_INDICES = 4 };
int misuse_index(int n, int k);

// NaN and both infinities.
enum { MISUSE_NUMBERS = 3 };
double misuse_number(int k);

// The call of the condition, with each of them in its turn: i is a number where there are n things, r is not finite.
#define MISUSE_INDEX(n, answer)                                                                    \
  for (int k = 0; k < MISUSE_INDICES; k++) {                                                       \
    const int i = misuse_index(n, k);                                                              \
    MISUSE(answer);                                                                                \
  }
#define REFUSE_INDEX(n, answer)                                                                    \
  for (int k = 0; k < MISUSE_INDICES; k++) {                                                       \
    const int i = misuse_index(n, k);                                                              \
    CHECK(answer);                                                                                 \
  }
#define REFUSE_NUMBER(answer)                                                                      \
  for (int k = 0; k < MISUSE_NUMBERS; k++) {                                                       \
    const double r = misuse_number(k);                                                             \
    CHECK(answer);                                                                                 \
  }

// Defines the test of the name of a member, for numbers of members that there are not.
#define OF_UNKNOWN(name, type, count, word)                                                        \
  OF_CALL(name, REFUSE_INDEX(count, strcmp(name((type) i), word) == 0))

#endif
