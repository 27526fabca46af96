// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A block that is a named formula.
#include "base/error.h"
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


static void formula_block_check(const fieldCheck *c, void *from)
{
  const artFormulaBlockDef *def = from;
  if (def->every > 0 || (def->offset == 0 && def->initial == 0)) return;
  const char *key = def->offset != 0 ? "offset" : "initial";
  field_refuse(c, key, "block '%s' follows its formula at all times; '%s' belongs to 'every'",
               def->name, key);
}


static void formula_block_make(const void *from, partContext *c)
{
  const artFormulaBlockDef *def = from;
  part_add(c, &(elementPart){.type = def->every > 0 ? PART_HELD : PART_SIGNAL,
                             .unit = def->unit,
                             .text = def->value,
                             .mark = "formula",
                             .is_own = true,
                             .is_checked = true,
                             .is_shown = true,
                             .initial = def->initial,
                             .every = def->every,
                             .offset = def->offset});
}


BLOCK_KIND(formula_block, "block", artFormulaBlockDef, "formula", keys, formula_block_check,
           formula_block_make, "A formula with a name.");
