// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Straight lines through points, level before the first and after the last, every corner rounded by an
// arc of a circle that is tangent to both lines.
#ifndef ROAD_POLYLINE_H
#define ROAD_POLYLINE_H

#include "road/kinds.h"

// radius above 0 rounds every corner so; 0 lets an arc begin at a quarter of the shorter line beside it.
artStatus polyline_create(artRoad **road, artRoadLabel label, int n, const double *x,
                          const double *z, double radius, artError *error);

// Find the least radius of the arcs, once all pieces are there.
void polyline_measure(polylineRoad *line);

#endif
