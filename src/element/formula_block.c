// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A block that is a named formula.
#include "element/block_kind.h"

// clang-format off
#define AT(field) offsetof(artFormulaBlockDef, field)
static const fieldKey keys[] = {
    {"unit", KEY_UNIT, .offset = AT(unit), .help = "of its value"},
    {"value", KEY_FORMULA, Q_OWN, .need = REQUIRED, .offset = AT(value), .mark = "formula",
     .help = "its value, of anything that formulas may name"},
    CLOCK_FIELDS(artFormulaBlockDef, OPTIONAL),
    {0}};
// clang-format on


static artStatus make(const void *from, partContext *c)
{
  const artFormulaBlockDef *def = from;
  return part_add(c, &(elementPart){.type = def->every > 0 ? PART_HELD : PART_SIGNAL,
                                    .unit = def->unit,
                                    .text = def->value,
                                    .mark = "formula",
                                    .is_checked = true,
                                    .is_shown = true,
                                    .initial = def->initial,
                                    .every = def->every,
                                    .offset = def->offset});
}


const blockKind block_formula_block = {
    BLOCK_KIND("block", artFormulaBlockDef, "formula", keys, "A formula with a name."),
    .make = make};
