// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Symmetric positive definite systems with a fixed pattern: analysed once, factored and solved often.
#ifndef NUM_POSITIVE_H
#define NUM_POSITIVE_H

#include "articula/base.h"
#include "num/pattern.h"

typedef enum numPositiveKind {
  POSITIVE_AUTOMATIC, // by measured rule
  POSITIVE_DENSE,
  POSITIVE_SPARSE,
} numPositiveKind;

typedef struct numPositive numPositive;

// Analyse; the pattern must outlive it. Allocates everything that factor and solve need.
artStatus positive_create(numPositive **out, const numPattern *pattern, numPositiveKind kind,
                          artError *error);
void positive_free(numPositive *f);

// Which one an automatic choice has become.
numPositiveKind positive_kind(const numPositive *f);

// A = L D L^T of values[start[n]] on the pattern. ART_SINGULAR when a pivot is not positive, or within
// rounding of nothing, with the number of its unknown in *worst (else -1). Allocates nothing.
artStatus positive_factor(numPositive *f, const double *values, int *worst);

// x = A^-1 x. Allocates nothing.
void positive_solve(numPositive *f, double *x);

// Entries of L as it is stored, the diagonal and some zeros included.
long positive_fill(const numPositive *f);

#endif
