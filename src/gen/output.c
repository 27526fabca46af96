// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Outputs of the model and reactions of all joints, as functions of the whole machine.
#include "gen/output.h"

#include "gen/reactions.h"
#include "gen/recorded.h"

// "speed [m/s]" as tables have it
static const char *column_name(genBuild *b, const modelOutput *output)
{
  baseArena *arena = &b->program->arena;
  return output->unit ? arena_format(arena, "%s [%s]", output->name, output->unit)
                      : arena_text(arena, output->name);
}


artStatus gen_outputs(genBuild *b)
{
  const int n = b->m->noutput;
  int *node = gen_alloc(b, (size_t) n, sizeof *node);
  const char **label = gen_alloc(b, (size_t) n, sizeof *label);
  eqnFunction *f = gen_like_accelerate(b, "outputs", "the outputs of the model", 1);
  if (!node || !label || !f) return base_no_memory(b->error);
  b->branch = NULL;
  for (int i = 0; i < n; i++) {
    const modelOutput *output = &b->m->output[i];
    if (!output->formula) {
      return base_fail(b->error, ART_UNSUPPORTED, base_nowhere(),
                       "output '%s' is a function of the host program, which generated code cannot "
                       "call",
                       output->name);
    }
    node[i] = gen_formula(b, output->formula, base_nowhere(), output->name);
    if (node[i] < 0) return ART_UNSUPPORTED;
    label[i] = column_name(b, output);
    if (!label[i]) return base_no_memory(b->error);
  }
  f->output[f->noutput++] = gen_vector(b, "y", "outputs with their units", n, node, label);
  if (b->run[0] == 0) return ART_OK;
  f->input[f->ninput++] = gen_vector(
      b, "run",
      "work of forces without potential since the start and energy then, J; length of "
      "the last step, s, and index of its method; largest violation of a constraint, of its "
      "rate and acceleration",
      RUN_COUNT, b->run, NULL);
  return ART_OK;
}


// joints of the model, then ball joints of bars that have become rods
int gen_reaction_vector(genBuild *b, eqnVector *reaction)
{
  static const char *const axis[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  const int njoint = b->m->njoint;
  int *node = gen_alloc(b, 6 * (size_t) njoint, sizeof *node);
  const char **label = gen_alloc(b, 6 * (size_t) njoint, sizeof *label);
  if (!node || !label || !gen_settle(b)) return 0;
  for (int i = 0; i < 6 * njoint; i++) {
    if (i % 6 == 0) gen_settled_reaction(b, i / 6, node + i);
    label[i] = arena_format(&b->program->arena, "%s.%s", b->m->joint[i / 6].name, axis[i % 6]);
    if (!label[i]) return 0;
  }
  *reaction =
      gen_vector(b, "reaction", "on `to` at the joint, ground axes: force, torque of every joint",
                 6 * njoint, node, label);
  return 1;
}


artStatus gen_machine_reactions(genBuild *b)
{
  eqnVector reaction;
  if (!gen_reaction_vector(b, &reaction)) return base_no_memory(b->error);
  eqnFunction *f = gen_like_accelerate(
      b, "machine_reactions", "what all joints of the machine do to the bodies they lead to", 1);
  if (!f) return base_no_memory(b->error);
  f->output[f->noutput++] = reaction;
  return ART_OK;
}
