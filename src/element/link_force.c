// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A force along the line between two points, by a formula or by a function of the user.
#include "element/kind.h"
#include "element/port.h"


static void link_force_act(const modelElement *e, const portMotion *in, portForce *out)
{
  (void) e;
  out->elastic[0] = r_const(0);
  out->resisting[0] = r_neg(in->given[0]);
}


const elementPhysics R_NAME(link_force_physics) = {.port = PORT_LINE, .act = link_force_act};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
#define AT(field) offsetof(artLinkForceDef, field)
static const fieldKey keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(from), .mark = "from",
     .to = offsetof(modelElement, frame),
     .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"value", KEY_FORMULA, Q_FORCE, .need = ONE_OF, .offset = AT(formula), .mark = "formula",
     .rival = "function", .to = offsetof(modelElement, formula),
     .help = "the tension; it may name the `length` and `rate` of the element itself"},
    FUNCTION_FIELDS(artLinkForceDef),
    {0}};
// clang-format on


const elementKind element_link_force = {
    ELEMENT_KIND(link_force, artLinkForceDef, "link-force", keys, NULL,
                 "A force along the line between two points, by a formula or a function."),
    .glyph = ART_GLYPH_LINK, .arrow = ARROW_LINE, .outputs = element_line_outputs,
    .call = {FUNCTION_LINK, ART_LINK_PARAMETER, 1}};

#endif
