// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of all kinds of roads. All from the next line on goes as source into generated files, where it belongs to their user;
// it is included once, by road_kinds.h.
//---- numbers of roads ----------------------------------------------------------------------------

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

// cubics c0 + u (c1 + u (c2 + u c3)), u = x - x0; the first and the last piece are level
enum { SPLINE_NUMBERS = 5 };
typedef struct splineRoad {
  artRoad road;
  int n;
  double *x;      // of the points
  double *number; // [SPLINE_NUMBERS (n + 1)] x0, c0, c1, c2, c3
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
  const polylineRoad *whole; // the parts as one profile (road_profile.h); NULL: they make none
} sumRoad;

typedef struct randomRoad {
  artRoad road;
  int n;         // points in a period
  double period; // m
  const double *left,
      *right; // n + 3 coefficients each, the first belongs to the point -1; the same
              // array where there is one profile
  double track;
  double start, blend;
} randomRoad;

typedef struct tracksRoad {
  artRoad road;
  int count;
  const artRoadTrack *tracks;
  double blend;
  const artRoad *ground; // NULL: flat
} tracksRoad;
