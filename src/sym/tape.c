// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tapes: the nodes that some outputs need, as a flat program.
#include "sym/tape.h"

#include "base/error.h"
#include "base/memory.h"


exprTape *expr_tape_create(const exprPool *pool, const int *outputs, int output_count)
{
  if (expr_failed(pool)) return NULL;
  exprTape *tape = MEM_ARRAY(exprTape, 1);
  int *step_of = MEM_ARRAY(int, pool->count), needed = 0;
  if (!tape || !step_of) goto failed;

  // arguments stand before their node, so one pass backwards meets every node after its users
  for (int i = 0; i < output_count; i++) step_of[outputs[i]] = 1;
  for (int i = pool->count - 1; i >= 0; i--) {
    if (!step_of[i]) continue;
    for (int k = 0; k < expr_argument_count(pool, i); k++) step_of[expr_argument(pool, i, k)] = 1;
    needed++;
  }
  tape->steps = MEM_ARRAY(exprStep, needed);
  tape->outputs = MEM_ARRAY(int, output_count);
  if (!tape->steps || !tape->outputs) goto failed;

  // write the marked nodes and turn each mark into the number of its step
  for (int i = 0; i < pool->count; i++) {
    if (!step_of[i]) continue;
    const exprNode n = pool->nodes[i];
    const int arity = expr_arity(n.op);
    exprStep step = {.op = n.op, .node = i, .value = n.value};
    ART_ASSERT(arity >= 0);
    step.a = arity > 0 ? step_of[expr_argument(pool, i, 0)] : n.a;
    step.b = arity > 1 ? step_of[expr_argument(pool, i, 1)] : 0;
    step.c = arity > 2 ? step_of[expr_argument(pool, i, 2)] : 0;
    step_of[i] = tape->count;
    tape->steps[tape->count++] = step;
  }
  for (int i = 0; i < output_count; i++) tape->outputs[i] = step_of[outputs[i]];
  tape->output_count = output_count;
  mem_free(step_of);
  return tape;

failed:
  mem_free(step_of);
  expr_tape_free(tape);
  return NULL;
}


void expr_tape_free(exprTape *tape)
{
  if (!tape) return;
  mem_free(tape->steps);
  mem_free(tape->outputs);
  mem_free(tape);
}


void expr_evaluate(const exprTape *tape, const double *symbols, double *values)
{
  for (int i = 0; i < tape->count; i++) {
    const exprStep *s = &tape->steps[i];
    if (s->op == EXPR_CONSTANT)
      values[i] = s->value;
    else if (s->op == EXPR_SYMBOL)
      values[i] = symbols[s->a];
    else if (s->op == EXPR_SELECT)
      values[i] = values[s->a] != 0 ? values[s->b] : values[s->c];
    else
      values[i] = expr_apply(s->op, values[s->a], values[s->b]);
  }
}
