// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinds of roads: their numbers, and what makes them.
#ifndef ROAD_ROAD_KINDS_H
#define ROAD_ROAD_KINDS_H

#include "road/road.h"
#include "road/road_numbers.h"

enum { FUNCTION_ROAD_NAME = 41, FUNCTION_ROAD_PARAMETERS = 32 };

// by a function of the user (road_function.c)
typedef struct functionRoad {
  artRoad road;
  char name[FUNCTION_ROAD_NAME];
  int n;
  double parameter[FUNCTION_ROAD_PARAMETERS];
  double resolution;
} functionRoad;

void polyline_numbers(const artRoad *road, int i, double *number);

// Straight lines through points, level before the first and after the last, every corner rounded by an arc of a circle
// that is tangent to both lines: of the radius given, or, where it is 0, from a quarter of the shorter line beside it on.
artStatus polyline_create(artRoad **road, artRoadLabel label, int n, const double *x,
                          const double *z, double radius, artError *error);

// Find the least radius of the arcs, once all pieces are there.
void polyline_measure(polylineRoad *line);

void spline_numbers(const artRoad *road, int i, double *number);

// The cubic spline through points, level at both ends and outside of them.
artStatus spline_create(artRoad **road, int n, const double *x, const double *z, artError *error);

#endif
