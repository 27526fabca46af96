// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An elastic rope through points, over massless frictionless pulleys of zero size: the tension is
// the same in all spans.
//
//   l = sum of |p(i+1) - p(i)|,   T = k d (1 + c d') >= 0,   d = l - l0 > 0,   V = k d^2/2
//
// It is a stop of the total length: it becomes slack and taut at located events and never pushes
// (law/stop.h).
#include <math.h>

#include "element/kind.h"
#include "element/port.h"
#include "element/port_stop.h"


const elementPhysics R_NAME(rope_physics) = {
    .port = PORT_LINE, .act = stop_act_alone, .potential = stop_potential_alone};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
#define AT(field) offsetof(artRopeDef, field)
#define TO(field) offsetof(modelElement, field)
static const fieldKey keys[] = {
    {"through", KEY_THROUGH, .need = REQUIRED, .offset = AT(through), .to = TO(frame),
     .help = "its points in order, as `body.point`, `body` (its origin) or `ground`: both ends, and pulleys between them"},
    {"free_length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(free_length),
     .range = RANGE_NOT_NEGATIVE, .to = TO(stop.upper), .help = "length at which it becomes taut"},
    {"stiffness", KEY_NUMBER, Q_STIFFNESS, .need = REQUIRED, .offset = AT(stiffness),
     .range = RANGE_POSITIVE, .to = TO(stop.stiffness), .help = "k, of the taut rope"},
    {"damping", KEY_NUMBER, Q_DISSIPATION, .offset = AT(damping), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .to = TO(stop.damping), .help = "c, the dissipation of the taut rope"},
    {0}};

static const char foreign[] =
    "cable wire tendon string cord belt";
// clang-format on


static void rope_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) def;
  (void) c;
  e->stop.lower = -INFINITY;
  e->has_potential = !(e->stop.damping > 0);
}


const elementKind element_rope = {ELEMENT_KIND(rope, artRopeDef, "rope", keys, foreign,
                                               "An elastic rope through points, slack or taut."),
                                  .compile = rope_compile, .glyph = ART_GLYPH_LINK,
                                  .arrow = ARROW_LINE, .outputs = element_line_outputs};

#endif
