// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Heights of roads with closed-form equations, compiled for numbers, intervals and symbols: height,
// slopes and second derivatives at a point.
#ifndef ROAD_HEIGHTS_H
#define ROAD_HEIGHTS_H

#include "road/road_kinds.h"
#ifdef ART_SYMBOLIC
#include "sym/expr.h"
#endif

roadJet R_NAME(plane_height)(const artRoad *road, real x, real y);
roadJet R_NAME(bump_height)(const artRoad *road, real x, real y);
roadJet R_NAME(sine_height)(const artRoad *road, real x, real y);
roadJet R_NAME(polyline_height)(const artRoad *road, real x, real y);
roadJet R_NAME(spline_height)(const artRoad *road, real x, real y);
roadJet R_NAME(placed_height)(const artRoad *road, real x, real y);
roadJet R_NAME(sum_height)(const artRoad *road, real x, real y);

// Roads evaluated from tables, for numbers only (table_heights.c).
#if !defined ART_SYMBOLIC && !defined ART_INTERVAL
roadJet random_height(const artRoad *road, real x, real y);
roadJet tracks_height(const artRoad *road, real x, real y);
#endif

// A number of a road; in symbolic code it may be a parameter.
#ifdef ART_SYMBOLIC
#define road_number(x) ((real){sym_number_node(x)})
#elif defined ART_INTERVAL
#define road_number(x) r_const(*(x))
#else
#define road_number(x) (*(x))
#endif

// Read the numbers of piece i of a road along x.
typedef void (*pieceNumbers)(const artRoad *road, int i, double *number);

#ifdef ART_INTERVAL
#define part_height part_height_interval
#define find_piece  find_piece_interval
#endif

#if defined ART_SYMBOLIC || defined ART_INTERVAL

// part_height: height of a part of a composite road. find_piece: `count` numbers of the piece
// between knots that contains x.
roadJet part_height(const artRoad *road, real x, real y);
void find_piece(const artRoad *road, int nknot, const double *knot, pieceNumbers numbers, int count,
                real x, real *number);

#else

static inline roadJet part_height(const artRoad *road, real x, real y)
{
  return road->evaluate(road, x, y);
}

static inline void find_piece(const artRoad *road, int nknot, const double *knot,
                              pieceNumbers numbers, int count, real x, real *number)
{
  (void) count;
  numbers(road, road_interval(nknot, knot, x), number);
}

#endif

#endif
