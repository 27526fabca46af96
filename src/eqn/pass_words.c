// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of optimisation passes.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "eqn/list.h"

static const struct {
  const char *name;
  eqnPass pass;
} passes[] = {
    {"constants", PASS_CONSTANT}, {"factors", PASS_FACTOR},  {"signs", PASS_SIGN},
    {"inline", PASS_INLINE},      {"recycle", PASS_RECYCLE}, {"loops", PASS_ALIKE},
};
enum { PASSES = sizeof passes / sizeof *passes };


static artStatus add_pass(unsigned *mask, const char *word, int length, const char *who,
                          artError *error)
{
  char hint[BASE_HINT_LENGTH], copy[60];
  snprintf(copy, sizeof copy, "%.*s", length, word);
  baseNearest nearest = {.word = copy};
  for (int i = 0; i < PASSES; i++) {
    if (strcmp(passes[i].name, copy) == 0) {
      *mask |= 1u << passes[i].pass;
      return ART_OK;
    }
    base_consider(&nearest, passes[i].name);
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "%s '%s' is not known%s; there is constants, factors, signs, inline, "
                   "recycle, loops, or none alone",
                   who, copy, base_hint(&nearest, hint));
}


artStatus eqn_read_passes(eqnOptions *options, const char *text, const char *who, artError *error)
{
  artStatus status = ART_OK;
  *options = (eqnOptions){.passes = eqn_default_options().passes | 1u << PASS_ALIKE};
  if (!text) return ART_OK;
  options->passes = 1u << PASS_DUPLICATE | 1u << PASS_USEFUL;
  const char *word = strcmp(text, "none") == 0 ? "" : text;
  while (*word && status == ART_OK) {
    const int length = (int) strcspn(word, ", ");
    if (length > 0) status = add_pass(&options->passes, word, length, who, error);
    word += length + (word[length] != 0);
  }
  return status;
}
