// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tables of two dimensions f(x, y), as tensor products of laws (law/law.h):
//
//   f(x, y) = sum_j w_j(y) c_j(x),   c_j(x_i) = f_ij,   w_j(y_k) = 1 for j = k, else 0
//
// With straight lines from point to point this is bilinear in every cell, with natural cubic splines it is twice
// continuously differentiable everywhere; both go on straight behind the ends of the table.
#ifndef LAW_MAP_H
#define LAW_MAP_H

#include "law/law.h"

typedef struct lawMap {
  int n;                         // columns
  const forceLaw *const *column; // [n] c_j, with the same borders
  const forceLaw *const *weight; // [n] w_j, with the same borders
} lawMap;

// nx rows of ny values, f[i*ny + j] at x[i], y[j]; x and y increase, two or more of each.
typedef struct lawGrid {
  int nx, ny;
  const double *x, *y, *f;
  int is_piecewise;
} lawGrid;
artStatus law_create_map(lawMap **out, baseArena *arena, const lawGrid *grid, artPlace place,
                         artError *error);

// No event between its cells.
int law_map_is_smooth(const lawMap *map);

// The columns that count on a segment of the weights, first to last.
void law_map_columns(const lawMap *map, int segment, int *first, int *last);

#endif
