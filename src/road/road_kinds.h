// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinds of roads: their data and creation.
#ifndef ROAD_ROAD_KINDS_H
#define ROAD_ROAD_KINDS_H

#include "road/road.h"
#include "road/road_numbers.h"

enum { FUNCTION_ROAD_NAME = 41, FUNCTION_ROAD_PARAMETERS = 32 };

// given by a user function (road_function.c)
typedef struct functionRoad {
  artRoad road;
  char name[FUNCTION_ROAD_NAME];
  int n;
  double parameter[FUNCTION_ROAD_PARAMETERS];
  double resolution;
} functionRoad;

// The road by a function that this road is, or that is part of this sum; NULL if there is none.
const functionRoad *road_find_function(const artRoad *road);

// What the other parts of such a road add up to.
roadJet road_without_function(const artRoad *road, double x, double y);

void polyline_numbers(const artRoad *road, int i, double *number);

// A polyline through points, level before the first and after the last, with every corner rounded
// by a tangent arc: of the given radius or, if that is 0, one that takes a quarter of the shorter
// adjacent line.
artStatus polyline_create(artRoad **road, artRoadLabel label, int n, const double *x,
                          const double *z, double radius, artError *error);

// Find the smallest arc radius, after all pieces are set.
void polyline_measure(polylineRoad *line);

void spline_numbers(const artRoad *road, int i, double *number);

// The cubic spline through points, with slope 0 at both ends and level outside.
artStatus spline_create(artRoad **road, int n, const double *x, const double *z, artError *error);

#endif
