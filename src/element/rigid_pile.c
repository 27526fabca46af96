// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts of all pairs of two groups of surfaces as one element (method/touch_step.c).
#include "base/error.h"
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artRigidPileDef, field)
static const fieldKey keys[] = {
    {"between", KEY_SURFACES, .need = REQUIRED, .offset = AT(from), .mark = "from",
     .help = "two surfaces or groups of the section `surfaces`; `all` is every surface"},
    {"restitution", KEY_NUMBER, .offset = AT(restitution), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "ratio of the normal speeds after and before an impact, at most 1"},
    {"friction", KEY_NUMBER, .offset = AT(friction), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "mu", .foreign = "mu"},
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
  if (!(def->restitution > 1)) return;
  field_refuse(c, "restitution",
               "the restitution of pile '%s' is %g, expected at most 1: an impact gives back no "
               "more than it takes",
               c->name, def->restitution);
}


const elementKind element_rigid_pile = {
    ELEMENT_KIND(rigid_pile, artRigidPileDef, "rigid-pile", keys, foreign,
                 "Rigid contacts of all pairs of two groups of surfaces."),
    .check = rigid_pile_check, .is_whole = true, .outputs = outputs};
