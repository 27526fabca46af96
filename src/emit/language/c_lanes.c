// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// C over lanes: every number is a vector of several instances of the machine, by functions of lanes_math.h.
#include "emit/language/c.h"
#include "emit/write/angles.h"

int emit_is_lanes(int lanes)
{
  return lanes == 2 || lanes == 4 || lanes == 8 || lanes == EMIT_LANES_OF_TARGET;
}


void lanes_correct(emitWriter *w, const eqnStage *stage, const char *which, int depth)
{
  for (int i = 0; i < stage->nunknown; i++) {
    const char *unknown = w->scope.symbol[w->list->pool->nodes[stage->unknown[i]].a];
    const char *correction = writer_operand(w, stage->correction[i]);
    writer_say(w, depth, "%s += lanes_where(%sopen%d, %s);", unknown, which, w->nloop, correction);
  }
}


// converged lanes keep their unknowns, so that their results do not depend on the others
void lanes_iterate(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  c_declare_variables(w, from, to, depth);
  writer_say(w, depth,
             "lanes_mask open%d = ~lanes_none();\nfor (int iteration = 0;; iteration++) {",
             w->nloop);
  writer_run(w, from, to, depth + 1, 0);
  const char *residual = writer_operand(w, stage->residual);
  const char *limit = writer_limit(w, stage);
  writer_say(w, depth + 1,
             "open%d &= ~lanes_up_to(%s, lanes_all(%s));\n"
             "if (!lanes_any(open%d) || iteration == %d) break;",
             w->nloop, residual, limit, w->nloop, stage->most);
  lanes_correct(w, stage, "", depth + 1);
  writer_say(w, depth, "}");
}


static void c_lanes_iterate(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  lanes_iterate(w, stage, from, to, depth);
  writer_say(w, depth, "failed |= open%d;", w->nloop++);
}


// sines and cosines by themselves where no equation has them
const emitSyntax lanes_syntax = {
    .dialect = LANES_DIALECT,
    EMIT_BRACES,
    .parameter = "p->%s",
    .constant = "c->k[%d]",
    .real = "lanes",
    .local = "const lanes ",
    .statements = 100,
    .has_lanes = 1,
    .has_free_places = 1,
    .sincos = "lanes_sincos",
    .when = "if (lanes_any(%s)) {",
    .choice = "lanes_pick(%s, %s, %s)",
    .is_prefixed = 1,
    .gap = "\n\n",
    .head = c_head,
    .foot = c_foot,
    .angles = angles_print,
    .before = angles_print_missing,
    .call = c_call,
    .iterate = c_lanes_iterate,
};
