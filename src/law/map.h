// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Two-dimensional tables f(x, y) as tensor products of laws (law/law.h):
//
//   f(x, y) = sum_j w_j(y) c_j(x),   c_j(x_i) = f_ij,   w_j(y_k) = 1 for j = k, else 0
//
// Linear interpolation makes this bilinear in every cell; natural cubic splines make it twice
// continuously differentiable everywhere. Both extrapolate linearly beyond the table.
#ifndef LAW_MAP_H
#define LAW_MAP_H

#include "law/law.h"

typedef struct lawMap {
  int n;                         // columns
  const forceLaw *const *column; // [n] c_j, with the same borders
  const forceLaw *const *weight; // [n] w_j, with the same borders
} lawMap;

// nx rows of ny values, f[i*ny + j] at x[i], y[j]; x and y increase and have at least two values
// each.
typedef struct lawGrid {
  int nx, ny;
  const double *x, *y, *f;
  int is_piecewise;
} lawGrid;
artStatus law_create_map(lawMap **out, baseArena *arena, const lawGrid *grid, artPlace place,
                         artError *error);

// True when a change of cell is not an event.
int law_map_is_smooth(const lawMap *map);

// Range of columns, first to last, that contribute on a segment of the weights.
void law_map_columns(const lawMap *map, int segment, int *first, int *last);

#endif
