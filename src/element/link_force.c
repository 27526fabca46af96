// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A force along the line between two points, by a function of the user.
#include "base/error.h"
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artLinkForceDef, field)
static const fieldKey keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(from), .mark = "from",
     .to = offsetof(modelElement, frame),
     .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"function", KEY_FUNCTION, .need = REQUIRED, .offset = AT(call),
     .help = "the name of a [function of the user](user-functions.md), F(Z, Zd, t)"},
    PARAMETERS_FIELD(artLinkForceDef),
    {0}};
// clang-format on


static void check(const fieldCheck *c, void *def)
{
  if (((artLinkForceDef *) def)->call.name || c->error->status) return;
  base_fail(c->error, ART_BAD_INPUT, c->where->place, "link force '%s' names no function", c->name);
}


const elementKind element_link_force = {
    ELEMENT_KIND(link_force, artLinkForceDef, "link-force", keys, NULL,
                 "A force along the line between two points, by a function of the user."),
    .check = check,
    .glyph = ART_GLYPH_LINK,
    .arrow = ARROW_LINE,
    .outputs = element_line_outputs,
    .call = {FUNCTION_LINK, ART_LINK_PARAMETER, 1}};
