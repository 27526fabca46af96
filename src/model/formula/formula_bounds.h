// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas on intervals: what a formula, its rate of change and its switching functions can be over a stretch of time.
#ifndef MODEL_FORMULA_BOUNDS_H
#define MODEL_FORMULA_BOUNDS_H

#include "model/formula/formula.h"
#include "spatial/interval.h"

// All values over a stretch of time, and all rates of change.
typedef struct formulaBounds {
  enclosure x, dx;
} formulaBounds;

// The formula, with the branches that are frozen in branch[], where slots vary within bounds; g[nswitch], unless NULL, takes
// its switching functions. The stack has f->depth elements.
formulaBounds formula_bounds(const formula *f, const formulaBounds *slots, const int *branch,
                             formulaBounds *g, formulaBounds *stack);

// The same, into *value. Returns whether an operation of the formula bends there: its slope varies by half. Where none does the
// formula is about as smooth as what it reads.
int formula_bends(const formula *f, const formulaBounds *slots, const int *branch, formulaBounds *g,
                  formulaBounds *stack, formulaBounds *value);

#endif
