// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which passes are made over generated equations: --passes.
#include "base/error.h"
#include "verb_generate.h"


artStatus generate_read_passes(const cliCall *call, eqnOptions *options, artError *error)
{
  const artStatus status = eqn_read_passes(options, call->passes, "--passes", error);
  options->readable = call->readable;
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
  const unsigned reused = 1u << PASS_ALIKE | 1u << PASS_RECYCLE;
  if (status == ART_OK && call->readable && options.passes & reused) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--readable gives every variable a name of its own; leave loops and recycle "
                     "out of --passes");
  }
  const emitLanguage language = generate_language(call);
  const int is_script = language == EMIT_MATLAB || language == EMIT_PYTHON;
  if (status != ART_OK || is_script || !(options.passes & 1u << PASS_RECYCLE)) return status;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--passes recycle is for matlab and python; compilers of other languages use "
                   "room again by themselves");
}
