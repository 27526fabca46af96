// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which passes are made over generated equations: --passes.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "generate.h"

typedef struct cliPass {
  const char *name;
  eqnPass pass;
} cliPass;

static const cliPass passes[] = {
    {"constants", PASS_CONSTANT}, {"factors", PASS_FACTOR},  {"signs", PASS_SIGN},
    {"inline", PASS_INLINE},      {"recycle", PASS_RECYCLE}, {"loops", PASS_ALIKE},
};
enum { PASSES = sizeof passes / sizeof *passes };


static artStatus unknown_pass(const char *word, int length, artError *error)
{
  char hint[BASE_HINT_LENGTH], copy[60];
  snprintf(copy, sizeof copy, "%.*s", length, word);
  baseNearest nearest = {.word = copy};
  for (int i = 0; i < PASSES; i++) base_consider(&nearest, passes[i].name);
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--passes '%s' is not known%s; there is constants, factors, signs, inline, "
                   "recycle, loops, or none alone",
                   copy, base_hint(&nearest, hint));
}


static artStatus add_pass(unsigned *mask, const char *word, int length, artError *error)
{
  for (int i = 0; i < PASSES; i++) {
    const int is_it = strncmp(passes[i].name, word, (size_t) length) == 0;
    if (!is_it || strlen(passes[i].name) != (size_t) length) continue;
    *mask |= 1u << passes[i].pass;
    return ART_OK;
  }
  return unknown_pass(word, length, error);
}


artStatus generate_read_passes(const cliCall *call, eqnOptions *options, artError *error)
{
  unsigned mask = eqn_default_options().passes | 1u << PASS_ALIKE;
  artStatus status = ART_OK;
  if (call->passes) {
    mask = 1u << PASS_DUPLICATE | 1u << PASS_USEFUL;
    const char *word = strcmp(call->passes, "none") == 0 ? "" : call->passes;
    while (*word && status == ART_OK) {
      const int length = (int) strcspn(word, ", ");
      if (length > 0) status = add_pass(&mask, word, length, error);
      word += length + (word[length] != 0);
    }
  }
  options->passes = mask;
  return status;
}


artStatus generate_check_passes(const cliCall *call, artError *error)
{
  eqnOptions options;
  if (!call->passes) return ART_OK;
  if (call->lanes || call->parallel || call->simulator || call->target) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--passes is for functions by themselves; leave --lanes, --parallel and "
                     "--%s out",
                     call->target ? "target" : "simulator");
  }
  const artStatus status = generate_read_passes(call, &options, error);
  const int is_script = call->language == EMIT_MATLAB || call->language == EMIT_PYTHON;
  if (status != ART_OK || is_script || !(options.passes & 1u << PASS_RECYCLE)) return status;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--passes recycle is for matlab and python; compilers of other languages use "
                   "room again by themselves");
}
