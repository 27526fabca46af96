// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Filling an artError, assertions, and "did you mean".
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/plain.h"
#include "base/throw.h"
#include "base/vocabulary.h"


const char *art_version(void)
{
  return ART_VERSION;
}


int art_version_number(void)
{
  return ART_VERSION_NUMBER;
}


const char *art_status_text(artStatus status)
{
  switch (status) {
#define STATUS_CASE(name, text)                                                                    \
  case name: return text;
    ART_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
  }
  return "unknown status";
}


_Noreturn void base_assert_failed(const char *what, const char *file, int line)
{
  // the only direct output of the library: the process is about to abort by an internal error
  fprintf(stderr, "articula: broken invariant '%s' at %s:%d\n", what, file, line);
  abort();
}


#ifdef NDEBUG
int base_misuse_stops = 0;
#else
int base_misuse_stops = 1;
#endif


artStatus base_misuse(artError *error, const char *function, const char *requirement)
{
  if (base_misuse_stops) {
    fprintf(stderr, "articula: %s was called without %s\n", function, requirement);
    abort();
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "%s was called without %s; articula/base.h says what calls need", function,
                   requirement);
}


// place of the error that was filled last on the thread
static _Thread_local artPlace last_place;


artPlace error_place_of_last(void)
{
  return last_place;
}


static void fill_error(artError *error, artStatus status, artPlace place, const char *format,
                       va_list args)
{
  error->status = status;
  last_place = place;
  int used = 0;
  if (place.file && place.line > 0) {
    used = snprintf(error->text, sizeof error->text, "%s:%d:%d: ", place.file, place.line,
                    place.column);
  } else if (place.file) {
    used = snprintf(error->text, sizeof error->text, "%s: ", place.file);
  }
  if (used < 0 || (size_t) used >= sizeof error->text) used = 0;
  format_text_list(error->text + used, sizeof error->text - (size_t) used, format, args);

  // quotations from files end up on terminals and in HTML pages
  plain_tidy(error->text);
}


artStatus base_fail(artError *error, artStatus status, artPlace place, const char *format, ...)
{
  ART_ASSERT(status != ART_OK);
  if (!error) return status;
  va_list args;
  va_start(args, format);
  fill_error(error, status, place, format, args);
  va_end(args);
  return status;
}


// error of the innermost error_try on the thread
static _Thread_local artError *reason;


artError *error_current(void)
{
  return reason;
}


artStatus error_try(void (*work)(void *context), void *context, artError *error)
{
  artError own, *const outer = reason;
  own.status = ART_OK;
  own.text[0] = '\0';
  reason = &own;
  const bool is_done = error_catch(work, context);
  reason = outer;
  if (is_done) return ART_OK;
  if (!own.status) base_no_memory(&own);
  if (error) *error = own;
  return own.status;
}


void error_throw_at(artStatus status, artPlace place, const char *format, ...)
{
  ART_ASSERT(reason); // set by error_try
  va_list args;
  va_start(args, format);
  fill_error(reason, status, place, format, args);
  va_end(args);
  error_throw();
}


void error_check(artStatus status)
{
  if (status) error_throw();
}


void base_append(char *text, size_t length, const char *format, ...)
{
  const size_t used = strlen(text);
  ART_ASSERT(used < length);
  va_list args;
  va_start(args, format);
  format_text_list(text + used, length - used, format, args);
  va_end(args);
}


artStatus base_no_memory(artError *error)
{
  return base_fail(error, ART_NO_MEMORY, base_nowhere(), "out of memory");
}


// Levenshtein distance of two words, bounded: words longer than 63 characters never match
static int edit_distance(const char *a, const char *b)
{
  enum { MAX_WORD_LENGTH = 63 };
  const size_t na = strlen(a), nb = strlen(b);
  if (na > MAX_WORD_LENGTH || nb > MAX_WORD_LENGTH) return MAX_WORD_LENGTH;

  int row[MAX_WORD_LENGTH + 1];
  for (size_t j = 0; j <= nb; j++) row[j] = (int) j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int) i;
    for (size_t j = 1; j <= nb; j++) {
      const int substitute = diagonal + (a[i - 1] != b[j - 1]);
      const int shift = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      diagonal = row[j];
      row[j] = substitute < shift ? substitute : shift;
    }
  }
  return row[nb];
}


void base_consider(baseNearest *nearest, const char *candidate)
{
  base_consider_called(nearest, candidate, NULL);
}


void base_consider_called(baseNearest *nearest, const char *candidate, const char *words)
{
  ART_ASSERT(nearest->word);
  const int is_foreign = vocabulary_means(nearest->context, nearest->word, candidate, words);
  const int distance = is_foreign ? -1 : edit_distance(nearest->word, candidate);
  const int tolerated = (int) strlen(nearest->word) / 3 + 1;
  if (distance > tolerated || distance >= (int) strlen(candidate)) return;
  if (nearest->best && distance >= nearest->distance) return;
  nearest->best = candidate;
  nearest->distance = distance;
}


// advice that goes before the nearest word, or NULL
static const char *better_advice(const baseNearest *nearest)
{
  if (nearest->best && nearest->distance < 0) return NULL; // other programs call it by this word
  return nearest->advice ? nearest->advice : vocabulary_advice(nearest->context, nearest->word);
}


const char *base_guess(const baseNearest *nearest)
{
  return better_advice(nearest) ? NULL : nearest->best;
}


const char *base_hint(const baseNearest *nearest, char buffer[BASE_HINT_LENGTH])
{
  const char *advice = better_advice(nearest);
  buffer[0] = '\0';
  if (advice) {
    snprintf(buffer, BASE_HINT_LENGTH, "; %s", advice);
  } else if (nearest->best) {
    snprintf(buffer, BASE_HINT_LENGTH, " (did you mean '%s'?)", nearest->best);
  }
  return buffer;
}
