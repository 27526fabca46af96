// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cubic spline through points, level at both ends and outside of them.
#ifndef ROAD_SPLINE_H
#define ROAD_SPLINE_H

#include "road/road.h"

artStatus spline_create(artRoad **road, int n, const double *x, const double *z, artError *error);

#endif
