// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Heights of src/road on symbols: the files are included below with their operators lowered to calls.
#include "gen/element/road_equations.h"

#include "road/heights.h"

// clang-format off
#include "lowered/road/fade.c"
#include "lowered/road/heights.c"
// clang-format on

enum { MAX_PIECES = 65, MAX_NUMBERS = 7 };


int sym_road_has_equations(const artRoad *road)
{
  switch (road->kind) {
  case ROAD_PLANE:
  case ROAD_BUMP:
  case ROAD_SINE: return 1;
  case ROAD_POLYLINE: return ((const polylineRoad *) road)->nknot < MAX_PIECES;
  case ROAD_SPLINE: return ((const splineRoad *) road)->n < MAX_PIECES;
  case ROAD_PLACED: return sym_road_has_equations(((const placedRoad *) road)->part);
  case ROAD_SUM:
    for (int i = 0; i < ((const sumRoad *) road)->count; i++) {
      if (!sym_road_has_equations(((const sumRoad *) road)->parts[i])) return 0;
    }
    return 1;
  case ROAD_FUNCTION: return 1; // a call: gen_road
  case ROAD_RANDOM:
  case ROAD_TRACKS: break;
  }
  return 0;
}


// number k of the piece of those from first to last that x lies on
static real choose_piece_number(const double *knot, const double *value, int k, int first, int last,
                                real x)
{
  ART_ASSERT(k >= 0 && k < MAX_NUMBERS && first <= last);
  if (first == last) return r_const(value[first * MAX_NUMBERS + k]);
  const int middle = (first + last) / 2;
  return r_select(r_less(x, r_const(knot[middle])),
                  choose_piece_number(knot, value, k, first, middle, x),
                  choose_piece_number(knot, value, k, middle + 1, last, x));
}


void find_piece(const artRoad *road, int nknot, const double *knot, pieceNumbers numbers, int count,
                real x, real *number)
{
  ART_ASSERT(nknot < MAX_PIECES && count <= MAX_NUMBERS);
  double value[MAX_PIECES * MAX_NUMBERS] = {0};
  for (int i = 0; i <= nknot; i++) numbers(road, i, value + (long) i * MAX_NUMBERS);
  for (int k = 0; k < count; k++) number[k] = choose_piece_number(knot, value, k, 0, nknot, x);
}


roadJet part_height(const artRoad *road, real x, real y)
{
  switch (road->kind) {
  case ROAD_PLANE: return plane_height_symbolic(road, x, y);
  case ROAD_BUMP: return bump_height_symbolic(road, x, y);
  case ROAD_SINE: return sine_height_symbolic(road, x, y);
  case ROAD_POLYLINE: return polyline_height_symbolic(road, x, y);
  case ROAD_SPLINE: return spline_height_symbolic(road, x, y);
  case ROAD_PLACED: return placed_height_symbolic(road, x, y);
  case ROAD_SUM: return sum_height_symbolic(road, x, y);
  case ROAD_RANDOM:
  case ROAD_TRACKS:
  case ROAD_FUNCTION: break;
  }
  return (roadJet){0};
}
