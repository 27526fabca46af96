// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the kinds of roads hold whose equations can be generated (src/gen/road.c).
#ifndef ROAD_KINDS_H
#define ROAD_KINDS_H

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

typedef struct splineRoad {
  artRoad road;
  int n;
  double *x, *z; // the points
  double *M;     // second derivatives at them
} splineRoad;

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
  const polylineRoad *whole; // the parts as one profile (profile.h); NULL: they make none
} sumRoad;

#endif
