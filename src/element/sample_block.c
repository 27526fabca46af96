// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A block that samples a formula and holds the value, immediately or after some samples.
#include "base/error.h"
#include "element/block_kind.h"

enum { MAX_SAMPLES = 10000 };

// clang-format off
#define AT(field) offsetof(artSampleBlockDef, field)
static const fieldKey keys[] = {
    {"unit", KEY_UNIT, .offset = AT(unit), .help = "of its value"},
    {"input", KEY_FORMULA, Q_OWN, .need = REQUIRED, .offset = AT(input), .mark = "formula",
     .help = "what it takes"},
    CLOCK_FIELDS(artSampleBlockDef, REQUIRED),
    {"delay", KEY_WHOLE, .offset = AT(delay), .fallback = "0", .help = "whole samples"},
    {0}};
// clang-format on


static void sample_block_check(const fieldCheck *c, void *from)
{
  const artSampleBlockDef *def = from;
  if (!(def->every > 0)) {
    field_refuse(c, "every", "block '%s' needs the period of its instants, 'every'", def->name);
  } else if (def->delay < 0 || def->delay > MAX_SAMPLES) {
    field_refuse(c, "delay", "block '%s' has a delay of %d samples, expected 0 to %d", def->name,
                 def->delay, MAX_SAMPLES);
  }
}


// y(k) = x(k - delay): a memory gives its old value at an instant
static void sample_block_make(const void *from, partContext *c)
{
  const artSampleBlockDef *def = from;
  part_add_delayed(c,
                   &(elementPart){.type = PART_HELD,
                                  .unit = def->unit,
                                  .text = def->input,
                                  .mark = "formula",
                                  .is_own = true,
                                  .is_checked = true,
                                  .is_shown = true,
                                  .initial = def->initial,
                                  .every = def->every,
                                  .offset = def->offset},
                   def->delay);
}


BLOCK_KIND(sample_block, "block", artSampleBlockDef, "sample", keys, sample_block_check,
           sample_block_make, "The value of a formula at its instants, held between them.");
