// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads and the contact of wheels with them, as expressions.
#ifndef GEN_ROAD_H
#define GEN_ROAD_H

#include "gen/build.h"
#include "gen/road_symbolic.h"

roadNodes gen_road(genBuild *b, const artRoad *road, int x, int y);

// The contact of a wheel: in closed form on a plane, else by Newton's method, whose unknowns and equations
// are left in the wheel's stage.
roadContact gen_contact(genBuild *b, const artRoad *road, node3 centre, node3 axis,
                        genWheel *wheel);

#endif
