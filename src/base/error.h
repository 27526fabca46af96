// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Filling an artError, assertions, and "did you mean".
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "articula/base.h"

// Internal error: a broken invariant. Aborts in debug builds and in the optimised test build;
// release builds only check that x compiles.
#ifdef NDEBUG
#define ART_ASSERT(x) ((void) (0 && (x)))
#else
#define ART_ASSERT(x) ((x) ? (void) 0 : base_assert_failed(#x, __FILE__, __LINE__))
#endif
_Noreturn void base_assert_failed(const char *what, const char *file, int line);

// Error of the caller at the public interface (articula/base.h, "calls"): return ART_BAD_INPUT with
// a message in `error`, or the documented fallback value. Builds with assertions abort.
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

// Does base_misuse abort? Tests of the release behaviour set it to 0.
extern int base_misuse_stops;

// Fill error (may be NULL) with "file:line:column: " and the formatted message; returns status. A
// place without a file gets no prefix. The message is converted to plain text (base/plain.h).
artStatus base_fail(artError *error, artStatus status, artPlace place, const char *format, ...)
    ART_PRINTF(4, 5);

// Place of the error that was filled last on this thread.
artPlace error_place_of_last(void);

// Append to a string in a buffer of `length` bytes; truncates.
void base_append(char *text, size_t length, const char *format, ...) ART_PRINTF(3, 4);

// Drop the message of a failed attempt after another one succeeded: functions that return ART_OK
// leave no message.
static inline void base_forget(artError *error)
{
  if (error) *error = (artError){0};
}

// Error for memory that ran out.
artStatus base_no_memory(artError *error);

// Run `work` and catch errors that it throws (base/throw.h). Returns ART_OK, or the status of the
// error with its message in `error` (may be NULL). Arenas used inside may throw when memory runs
// out.
artStatus error_try(void (*work)(void *context), void *context, artError *error);

// Inside such work. error_throw_at: throw with a status and a located message; error_refuse: the
// same for bad input. error_check: throw if status is not ART_OK, after a call that has filled
// error_current().
_Noreturn void error_throw_at(artStatus status, artPlace place, const char *format, ...)
    ART_PRINTF(3, 4);
#define error_refuse(place, ...) error_throw_at(ART_BAD_INPUT, place, __VA_ARGS__)
void error_check(artStatus status);
artError *error_current(void);

// Place of items that were created through the C interface.
static inline artPlace base_nowhere(void)
{
  return (artPlace){0};
}

// Search for the best candidate for a word: the one that other programs call by this word, else the
// nearest in spelling; NULL if none is near. Usage:  baseNearest n = {.word = w};
// base_consider(&n, "chassis"); ...  n.best
typedef struct baseNearest {
  const char *word;
  // context of words of other programs ("joint type"), or NULL (base/vocabulary.h)
  const char *context;
  const char *advice; // advice to use instead of that of base/vocabulary.h, or NULL
  const char *best;
  int distance;
} baseNearest;
void base_consider(baseNearest *nearest, const char *candidate);

// The same for a candidate with additional words of other programs (base/vocabulary.h), or NULL.
void base_consider_called(baseNearest *nearest, const char *candidate, const char *words);

// " (did you mean 'chassis'?)", or "; " and advice for a word of other programs, or "". Writes into
// the buffer and returns it.
enum { BASE_HINT_LENGTH = 200 };
const char *base_hint(const baseNearest *nearest, char buffer[BASE_HINT_LENGTH]);

// The word that the hint suggests, or NULL.
const char *base_guess(const baseNearest *nearest);

#endif
