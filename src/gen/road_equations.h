// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads and the contact of wheels with them, as expressions.
#ifndef GEN_ROAD_EQUATIONS_H
#define GEN_ROAD_EQUATIONS_H

#include "gen/port_equations.h"
#include "gen/wheel.h"
#include "road/road.h"

// Height of a road and its derivatives at a point.
typedef struct roadNodes {
  int z, x, y, xx, xy, yy;
} roadNodes;

// Whether a road and all its parts have short equations; these.
int sym_road_has_equations(const artRoad *road);
roadNodes sym_road(exprPool *pool, const artRoad *road, int x, int y);

roadNodes gen_road(genBuild *b, const artRoad *road, int x, int y);

// The contact of a wheel, its motion, deflection, spring and load: in closed form on a plane, else by Newton's method,
// whose unknowns and equations are left in the wheel's stage.
roadContact gen_contact(genBuild *b, const artRoad *road, const symTyre *law,
                        const wheelNodes *wheel, genWheel *stage, tyreNodes *x);

#endif
