// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts of all pairs of two groups of surfaces as one element (method/touch_step.c).
#include "base/error.h"
#include "element/rigid_fields.h"

// clang-format off
static const fieldKey keys[] = {RIGID_FIELDS(artRigidPileDef),
    {0}};

static const elementOutput outputs[] = {
    {"touching", PILE_TOUCHING, LEVEL_ACCELERATION, Q_NUMBER, OUTPUT_USUAL},
    {"normal", PILE_NORMAL, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {"highest", PILE_HIGHEST, LEVEL_ACCELERATION, Q_FORCE, 0},
    {0}};

static const char foreign[] = "heap granular particles dem";
// clang-format on


static void rigid_pile_check(const fieldCheck *c, void *from)
{
  const artRigidPileDef *def = from;
  rigid_check(c, "pile", def->restitution, def->friction, def->spinning);
}


const elementKind element_rigid_pile = {
    ELEMENT_KIND(rigid_pile, artRigidPileDef, "rigid-pile", keys, foreign,
                 "Rigid contacts of all pairs of two groups of surfaces."),
    .check = rigid_pile_check, .is_whole = true, .outputs = outputs};
