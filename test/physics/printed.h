// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Comparison with published numbers to all their printed digits.
#ifndef PHYSICS_PRINTED_H
#define PHYSICS_PRINTED_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

// Half a unit in the last place of a number as it is printed: 5e-5 for "31.6399", 5e-17 for
// "2.90063509461e-05".
static inline double printed_half_unit(const char *text)
{
  const char *point = strchr(text, '.');
  const char *exponent = strpbrk(text, "eE");
  const char *end = exponent ? exponent : text + strlen(text);
  const int decimals = point ? (int) (end - point) - 1 : 0;
  const int power = exponent ? atoi(exponent + 1) : 0;
  return 0.5 * pow(10, power - decimals);
}


// A row of numbers separated by blanks, each rounded at its last printed digit; `rounding` is what the
// arithmetic on either side may lose besides.
static inline void printed_row_near(const double *got, int n, const char *row, double rounding)
{
  char text[64];
  for (int i = 0; i < n; i++) {
    row += strspn(row, " ");
    const size_t length = strcspn(row, " ");
    if (!CHECK(length > 0 && length < sizeof text)) return;
    memcpy(text, row, length);
    text[length] = '\0';
    const double want = strtod(text, NULL);
    CHECK_NEAR(&got[i], &want, 1, printed_half_unit(text) + rounding);
    row += length;
  }
}

#endif
