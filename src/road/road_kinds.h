// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of the kinds of roads whose equations can be generated (heights.h).
#ifndef ROAD_ROAD_KINDS_H
#define ROAD_ROAD_KINDS_H

#include "road/road.h"

typedef struct planeRoad {
  artRoad road;
  double height, grade, bank;
} planeRoad;

typedef struct bumpRoad {
  artRoad road;
  double start, length, height, spacing;
  double last; // number of the last bump, from 0
} bumpRoad;

typedef struct sineRoad {
  artRoad road;
  double amplitude, phase;
  double k, dk; // angular wave number k + dk s
  double start, length, blend;
} sineRoad;

// a line or an arc, from (x, z) on in the direction (c, s)
typedef struct polyPiece {
  double x, z, c, s;
  double radius;
  double bend; // of an arc: 1 turns up, -1 down; of a line 0
} polyPiece;

typedef struct polylineRoad {
  artRoad road;
  int nknot;
  double *knot;     // where arcs begin and end, increasing
  polyPiece *piece; // nknot + 1: line, arc, line, ..., line
  double sharpest;  // the least radius of its arcs; INFINITY: it has none
} polylineRoad;

// numbers of a piece: its beginning, slope of a line, bend, R, R c and R s of an arc
enum { PIECE_X, PIECE_Z, PIECE_SLOPE, PIECE_BEND, PIECE_R, PIECE_RC, PIECE_RS, PIECE_NUMBERS };
void polyline_numbers(const artRoad *road, int i, double *number);

// Straight lines through points, level before the first and after the last, every corner rounded by an arc of a circle
// that is tangent to both lines: of the radius given, or, where it is 0, from a quarter of the shorter line beside it on.
artStatus polyline_create(artRoad **road, artRoadLabel label, int n, const double *x,
                          const double *z, double radius, artError *error);

// Find the least radius of the arcs, once all pieces are there.
void polyline_measure(polylineRoad *line);

// cubics c0 + u (c1 + u (c2 + u c3)), u = x - x0; the first and the last piece are level
enum { SPLINE_NUMBERS = 5 };
typedef struct splineRoad {
  artRoad road;
  int n;
  double *x;      // of the points
  double *number; // [SPLINE_NUMBERS (n + 1)] x0, c0, c1, c2, c3
} splineRoad;
void spline_numbers(const artRoad *road, int i, double *number);

// The cubic spline through points, level at both ends and outside of them.
artStatus spline_create(artRoad **road, int n, const double *x, const double *z, artError *error);

typedef struct placedRoad {
  artRoad road;
  const artRoad *part;
  double x, y, z;
  double c, s; // of the heading
} placedRoad;

typedef struct sumRoad {
  artRoad road;
  int count;
  const artRoad *const *parts;
  const polylineRoad *whole; // the parts as one profile (road_profile.h); NULL: they make none
} sumRoad;

#endif
