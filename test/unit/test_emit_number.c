// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers in generated text: the shortest that read back the same, and words for those that are no numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/language/syntax.h"
#include "support/check.h"


static void write_number(const emitSyntax *language, double x, char text[80])
{
  char *own = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&own, &length);
  emit_number(out, &language->dialect, x);
  fclose(out);
  snprintf(text, 80, "%s", own);
  free(own);
}


TEST(what_overflows_is_a_word_of_the_language)
{
  const struct {
    const emitSyntax *language;
    const char *plus, *minus, *none;
  } word[] = {{&c_syntax, "INFINITY", "-INFINITY", "NAN"},
              {&lanes_syntax, "INFINITY", "-INFINITY", "NAN"},
              {&fortran_syntax, "transfer(9218868437227405312_8, 0d0)",
               "transfer(-4503599627370496_8, 0d0)", "transfer(9221120237041090560_8, 0d0)"},
              {&matlab_syntax, "Inf", "-Inf", "NaN"},
              {&java_syntax, "Double.POSITIVE_INFINITY", "Double.NEGATIVE_INFINITY", "Double.NaN"},
              {&python_syntax, "math.inf", "-math.inf", "math.nan"}};
  char text[80];
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
    write_number(word[i].language, INFINITY, text);
    CHECK(strcmp(text, word[i].plus) == 0);
    write_number(word[i].language, -INFINITY, text);
    CHECK(strcmp(text, word[i].minus) == 0);
    write_number(word[i].language, -NAN, text);
    CHECK(strcmp(text, word[i].none) == 0);
  }
}


// with letters of Fortran for letters of C
TEST(numbers_read_back_the_same)
{
  const double number[] = {
      0,      -0.0,     1, -3, 0.1, 1.0 / 3, 5e-324, -2.3e-310, 1e22, 1e300, 1.7976931348623157e308,
      2e-308, 123456789};
  const emitSyntax *const language[] = {&c_syntax,      &lanes_syntax, &fortran_syntax,
                                        &matlab_syntax, &java_syntax,  &python_syntax};
  char text[80];
  for (size_t k = 0; k < sizeof language / sizeof *language; k++) {
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
      write_number(language[k], number[i], text);
      for (char *c = text; *c; c++) *c = *c == 'd' ? 'e' : *c;
      char *end;
      const double back = strtod(text, &end);
      CHECK(*end == '\0' && memcmp(&back, &number[i], sizeof back) == 0);
    }
  }
}
