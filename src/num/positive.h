// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Symmetric positive definite systems with a fixed pattern: analysed once, factored and solved many
// times.
#ifndef NUM_POSITIVE_H
#define NUM_POSITIVE_H

#include "articula/base.h"
#include "num/pattern.h"

typedef enum numPositiveKind {
  POSITIVE_AUTOMATIC, // chosen by a measured criterion
  POSITIVE_DENSE,
  POSITIVE_SPARSE,
} numPositiveKind;

typedef struct numPositive numPositive;

// Analyse the pattern, which must outlive the result. Allocates everything that factor and solve
// need.
artStatus positive_create(numPositive **out, const numPattern *pattern, numPositiveKind kind,
                          artError *error);
void positive_free(numPositive *f);

// The kind that an automatic choice has selected.
numPositiveKind positive_kind(const numPositive *f);

// A = L D L^T of values[start[n]] on the pattern. ART_SINGULAR when a pivot is not positive or at
// round-off level; *worst is then the index of its unknown (else -1). Allocates nothing.
artStatus positive_factor(numPositive *f, const double *values, int *worst);

// x = A^-1 x. Allocates nothing.
void positive_solve(numPositive *f, double *x);

// Number of stored entries of L, including the diagonal and explicit zeros.
long positive_fill(const numPositive *f);

#endif
