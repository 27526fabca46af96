// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads and the contact of wheels with them, as expressions.
#ifndef GEN_ROAD_EQUATIONS_H
#define GEN_ROAD_EQUATIONS_H

#include "gen/element/wheel.h"
#include "road/road.h"

roadJet gen_road(genBuild *b, const artRoad *road, real x, real y);

// The contact of a wheel, its motion, deflection, spring and load: in closed form on a plane, else by Newton's method,
// whose unknowns and equations are left in the wheel's stage.
discContact gen_contact(genBuild *b, const artRoad *road, const symTyre *law,
                        const wheelNodes *wheel, genWheel *stage, tyreNodes *x);

#endif
