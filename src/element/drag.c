// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Aerodynamic drag on a point of a body.
//---- definition, for the build on numbers alone ---------------------------------------------------
#if !defined(ART_SYMBOLIC) && !defined(ART_DUAL)

#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artDragDef, field)
static const fieldKey keys[] = {
    {"point", KEY_REFERENCE, .need = REQUIRED, .offset = AT(on), .mark = "on",
     .to = offsetof(modelElement, frame),
     .help = "where it acts: `body.frame`, whose axes count, `body.point` or `body`"},
    {"area", KEY_NUMBER, Q_AREA, .need = REQUIRED, .offset = AT(area), .range = RANGE_NOT_NEGATIVE,
     .help = "A, frontal"},
    {"drag", KEY_NUMBER, .need = REQUIRED, .offset = AT(drag), .help = "cx, along x",
     .foreign = "cd cw cx coefficient dragcoefficient"},
    {"side", KEY_NUMBER, .offset = AT(side), FALLBACK(0), .help = "cy, along y"},
    {"vertical", KEY_NUMBER, .offset = AT(vertical), FALLBACK(0), .help = "cz, along z"},
    {"lift", KEY_NUMBER, .offset = AT(lift), FALLBACK(0),
     .help = "cl, along z for any direction of the air"},
    {"density", KEY_NUMBER, Q_DENSITY, .offset = AT(density), FALLBACK(1.225),
     .range = RANGE_NOT_NEGATIVE, .help = "rho, of the air"},
    {"wind", KEY_VECTOR, Q_VELOCITY, .offset = AT(wind), .fallback = "[0, 0, 0]",
     .help = "velocity of the air, in ground"},
    {0}};

static const elementOutput outputs[] = {
    {"fx", 0, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {"fy", 1, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {"fz", 2, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {0}};

static const char foreign[] =
    "aerodynamic aerodynamics airresistance wind aero airdrag";
// clang-format on


static artStatus compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) c;
  const artDragDef *drag = def;
  e->drag = (forceDrag){.half = 0.5 * drag->density * drag->area,
                        .coefficient = {drag->drag, drag->side, drag->vertical},
                        .lift = drag->lift,
                        .wind = {drag->wind[0], drag->wind[1], drag->wind[2]}};
  return ART_OK;
}


const elementKind element_drag = {ELEMENT_KIND(artDragDef, ELEMENT_DRAG, "drag", keys, foreign,
                                               "Aerodynamic drag on a point of a body."),
                                  .compile = compile, .arrow = ARROW_AXES, .outputs = outputs};

#endif
