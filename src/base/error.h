// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Filling an artError, assertions, and "did you mean".
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "articula/base.h"

// Our own mistake: a broken invariant. Aborts in debug builds and in the optimised test build; users' builds check that x
// compiles, and evaluate nothing.
#ifdef NDEBUG
#define ART_ASSERT(x) ((void) (0 && (x)))
#else
#define ART_ASSERT(x) ((x) ? (void) 0 : base_assert_failed(#x, __FILE__, __LINE__))
#endif
_Noreturn void base_assert_failed(const char *what, const char *file, int line);

// The caller's mistake at the public interface (articula/base.h, "calls"): return ART_BAD_INPUT with a text in
// `error`, or what the function promises in its place. A build with assertions stops.
#define ART_REQUIRE(x, error)                                                                      \
  do {                                                                                             \
    if (!(x)) return base_misuse(error, __func__, #x);                                             \
  } while (0)
#define ART_REQUIRE_OR(x, otherwise)                                                               \
  do {                                                                                             \
    if (!(x)) {                                                                                    \
      (void) base_misuse(NULL, __func__, #x);                                                      \
      return otherwise;                                                                            \
    }                                                                                              \
  } while (0)
artStatus base_misuse(artError *error, const char *function, const char *requirement)
    __attribute__((cold));

// Does base_misuse stop? Tests of what a build without assertions answers set it to 0.
extern int base_misuse_stops;

// Fill error (which may be NULL) with "file:line:column: " and the formatted text; returns status.
// A place without a file writes no prefix. The text becomes plain (base/plain.h), whatever it quotes.
artStatus base_fail(artError *error, artStatus status, artPlace place, const char *format, ...)
    ART_PRINTF(4, 5);

// Write behind a text that has room for `length` bytes in all; what does not fit is cut off.
void base_append(char *text, size_t length, const char *format, ...) ART_PRINTF(3, 4);

// Drop the message of an attempt that failed and was followed by one that did not: whoever returns ART_OK leaves
// no message.
static inline void base_forget(artError *error)
{
  if (error) *error = (artError){0};
}

// The common case of memory that ran out.
artStatus base_no_memory(artError *error);

// A work that is left where it fails (base/leave.h): ART_OK, or the status of its failure, with the message in `error`,
// which may be NULL. Arenas of such a work may leave it where memory runs out.
artStatus error_try(void (*work)(void *context), void *context, artError *error);

// In such a work: leave it with a status and a message; for a mistake of the input at a place. Leave it where a call has failed
// that was handed the error of the work.
_Noreturn void error_throw_at(artStatus status, artPlace place, const char *format, ...)
    ART_PRINTF(3, 4);
#define error_refuse(place, ...) error_throw_at(ART_BAD_INPUT, place, __VA_ARGS__)
void error_check(artStatus status);
artError *error_current(void);

// The place of things made in C.
static inline artPlace base_nowhere(void)
{
  return (artPlace){0};
}

// Of the candidates, the one that the word stands for in other programs, or else is nearest to it in
// spelling, or NULL when none is near. Feed them one at a time:   baseNearest n = {.word = w};  base_consider(&n, "chassis"); ...  n.best
typedef struct baseNearest {
  const char *word;
  const char *context; // of foreign words ("joint type"), or NULL (base/foreign.h)
  const char *advice;  // a remedy, or NULL: the one of base/foreign.h
  const char *best;
  int distance;
} baseNearest;
void base_consider(baseNearest *nearest, const char *candidate);

// The same of a candidate that others call by these words (base/foreign.h), or NULL.
void base_consider_called(baseNearest *nearest, const char *candidate, const char *words);

// " (did you mean 'chassis'?)", or "; " and what to do instead of a foreign word, or "", in a buffer
// that the caller owns; returns the buffer.
enum { BASE_HINT_LENGTH = 200 };
const char *base_hint(const baseNearest *nearest, char buffer[BASE_HINT_LENGTH]);

#endif
