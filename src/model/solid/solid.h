// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Solids: mass, centre of mass and inertia of shapes filled with matter.
#ifndef MODEL_SOLID_H
#define MODEL_SOLID_H

#include "base/arena.h"
#include "element/field.h"
#include "model/compile/lay.h"

// A list of solids, as it is in the definition of a body.
typedef struct solidList {
  int n;
  const artSolidDef *solid;
} solidList;
_Static_assert(offsetof(artBodyDef, solid) - offsetof(artBodyDef, nsolid) ==
                   offsetof(solidList, solid),
               "nsolid and solid of artBodyDef stand like solidList");

// The frame of a solid in the body, with its own z axis.
modelPose solid_pose(const artSolidDef *solid);

// Mass, centre and inertia of solids that have been checked; mass 0: densities and masses give it. Where holes take
// everything away they are not numbers.
artStatus solid_mass_properties(solidList list, double mass, artSolidInertia *out, artError *error);

// Solids of a body for the plan of lay.h; 0 when memory ran out.
int solid_plan(const artBodyDef *def, baseArena *arena, laySolids *solids);

// How far a hole reaches beyond its solid, in directions along the axes of the solid and between them; 0: nowhere.
double solid_reach_beyond(const artSolidDef *hole, const artSolidDef *solid);

// Checks of a list, and of the inertia that it comes to (solid_def.c). Places are the places of the marks "solid 1", "solid 2" ...
void solid_check_list(const fieldCheck *check, solidList list, double mass);
void solid_check_result(const fieldCheck *check, const artSolidInertia *inertia);

// The shape that draws a solid (solid_shape.c).
void solid_shape(const artSolidDef *solid, baseArena *arena, artVisualDef *shape);

#endif
