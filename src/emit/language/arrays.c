// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Python on arrays: NumPy, CasADi and JAX.
//
// Functions are pure: vectors come in and go out as arrays, and within a function they are lists of numbers, or of rows of
// numbers for many states. Branches are evaluated on both sides and chosen, so that numbers may be symbols or traced. Texts
// differ in the functions at the head of their file alone (texts/arrays.py.in).
#include <string.h>

#include "emit/file_job.h"
#include "emit/write/template.h"
#include "emit/write/writer.h"

//---- Newton's method -----------------------------------------------------------------------------

// Mark the equations before `from` that an expression reads. Constants are handed over together.
static void mark_known(const emitWriter *w, int node, int from, char *is_known)
{
  const eqnList *l = w->list;
  const int e = node < l->nnode ? l->equation_of[node] : -1;
  if (e >= from) return;
  if (e >= 0) {
    is_known[e] = l->equation[e].stage >= 0;
    return;
  }
  for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
    mark_known(w, expr_argument(l->pool, node, k), from, is_known);
  }
}


// ", p, c, t, q, v, w3": all that the equations of a stage read besides its unknowns
static const char *known_names(emitWriter *w, const eqnStage *stage, int from, int to)
{
  const eqnList *l = w->list;
  char *is_known = arena_alloc(&w->arena, (size_t) l->n + 1, 1);
  for (int e = from; e < to; e++) {
    const int node = l->equation[e].node;
    for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
      mark_known(w, expr_argument(l->pool, node, k), from, is_known);
    }
  }
  mark_known(w, stage->residual, from, is_known);
  for (int i = 0; i < stage->nunknown; i++) mark_known(w, stage->correction[i], from, is_known);
  rewind(w->statement);
  fputs("p, c", w->statement);
  emit_inputs(w->statement, w->function, ", ");
  if (w->nshared > 0) fputs(", s", w->statement);
  for (int e = 0; e < from; e++) {
    if (is_known[e]) fprintf(w->statement, ", %s", w->scope.name[e]);
  }
  return writer_take(w);
}


// "[q[1], q[2]]"
static const char *unknown_names(emitWriter *w, const eqnStage *stage)
{
  rewind(w->statement);
  for (int i = 0; i < stage->nunknown; i++) {
    fprintf(w->statement, "%s%s", i ? ", " : "[",
            w->scope.symbol[w->list->pool->nodes[stage->unknown[i]].a]);
  }
  fputc(']', w->statement);
  return writer_take(w);
}


static int holds_unknown(const emitWriter *w, const eqnStage *stage, const char *vector)
{
  const size_t n = strlen(vector);
  for (int i = 0; i < stage->nunknown; i++) {
    const char *name = w->scope.symbol[w->list->pool->nodes[stage->unknown[i]].a];
    if (strncmp(name, vector, n) == 0 && name[n] == '[') return 1;
  }
  return 0;
}


// Residual and corrections as a function of the unknowns, and of nothing that it does not get: derivatives stay away from
// iterations. After it the equations are printed once more, for the variables that later stages read.
static void close_on_arrays(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  const double first = stage->first > 0 ? stage->first : stage->tolerance;
  if (stage->nunknown == 0) {
    writer_run(w, from, to, depth, 0);
    writer_say(w, depth, "reached = _and(reached, _checked(%s <= %.17g))",
               writer_operand(w, stage->residual), first * first);
    return;
  }
  const char *known = known_names(w, stage, from, to), *unknown = unknown_names(w, stage);
  fputc('\n', w->out);
  writer_say(w, depth, "def newton(unknown, %s):", known);
  for (int k = 0; k < w->function->ninput; k++) {
    const char *vector = w->function->input[k].name;
    if (holds_unknown(w, stage, vector)) writer_say(w, depth + 1, "%s = list(%s)", vector, vector);
  }
  if (holds_unknown(w, stage, "s")) writer_say(w, depth + 1, "s = list(s)");
  writer_say(w, depth + 1, "%s = unknown", unknown);
  writer_run(w, from, to, depth + 1, 0);
  for (int e = from; e < to; e++) w->is_written[e] = 0;
  const char *residual = writer_operand(w, stage->residual);
  fprintf(w->statement, "return %s, [", residual);
  for (int i = 0; i < stage->nunknown; i++) {
    if (i > 0) fputs(", ", w->statement);
    emit_operand(&w->scope, stage->correction[i]);
  }
  writer_say(w, depth + 1, "]");
  fputc('\n', w->out);
  writer_say(w, depth, "%s = _close(newton, %s, (%s), %.17g, %.17g, %d)", unknown, unknown, known,
             first * first, stage->tolerance * stage->tolerance, stage->most);
  writer_run(w, from, to, depth, 0);
}


static int has_test_stage(const eqnFunction *f)
{
  for (int k = 0; k < f->nstage; k++) {
    if (f->stage[k].kind == STAGE_NEWTON && f->stage[k].nunknown == 0) return 1;
  }
  return 0;
}


//---- functions -----------------------------------------------------------------------------------

static int head_on_arrays(emitWriter *w, int which, const char *body)
{
  if (w->syntax == &numpy_syntax) writer_say(w, 0, "@np.errstate(all=\"ignore\")");
  python_print_head(w, which, body);
  if (which != WRITER_CONSTANTS && has_test_stage(w->function)) writer_say(w, 1, "reached = True");
  return 1;
}


// results come first, then the vectors that are changed
static void foot_on_arrays(emitWriter *w, int which)
{
  const eqnFunction *f = w->function;
  if (which == WRITER_CONSTANTS) {
    writer_say(w, 1, "return c");
    return;
  }
  const char *comma = "return ";
  for (int k = 0; k < f->noutput; k++, comma = ", ") {
    fprintf(w->statement, "%s_stack(%s", comma, f->output[k].name);
    fputs(has_test_stage(f) ? ", reached)" : ")", w->statement);
  }
  for (int k = 0; k < f->ninput; k++) {
    if (!emit_is_written(f, &f->input[k])) continue;
    fprintf(w->statement, "%s_stack(%s)", comma, f->input[k].name);
    comma = ", ";
  }
  writer_end(w, 1);
}


//---- files ---------------------------------------------------------------------------------------

static int begin_on_arrays(const emitJob *job, const char *library, const char *about)
{
  emit_provenance(job->out, job->program, "#");
  emit_comment(job->out, "#", 0, about);
  template_print(job->out, arrays_text, library, &(templateValues){0});
  job_declare_python_parameters(job);
  template_print(job->out, arrays_text, "all", &(templateValues){0});
  if (library[0] == 'j') template_print(job->out, arrays_text, "pytree", &(templateValues){0});
  return 1;
}


static int begin_numpy(const emitJob *job)
{
  return begin_on_arrays(
      job, "numpy",
      "Vectors are arrays, of shape (n,) or, for many states at a time, (n, states). Functions "
      "return their results, then vectors that loops and drives have changed; what they are given "
      "stays as it is.");
}


static int begin_casadi(const emitJob *job)
{
  return begin_on_arrays(
      job, "casadi",
      "Vectors are columns of SX, MX, DM or numbers. Functions return their results, then vectors "
      "that loops and drives have changed. Loops get ROUNDS iterations of Newton's method; results "
      "are NaN where these do not close them.");
}


static int begin_jax(const emitJob *job)
{
  return begin_on_arrays(
      job, "jax",
      "Vectors are arrays, of shape (n,) or (n, states). Functions return their results, then "
      "vectors that loops and drives have changed, and can be traced, compiled and differentiated, "
      "also by Parameters. Results are NaN where loops cannot be closed.");
}


#define ARRAY_SYNTAX(library, begins)                                                              \
  {                                                                                                \
    .name = library, .ending = ".py",                                                              \
    .dialect =                                                                                     \
        {.spelling =                                                                               \
             {EMIT_COMMON("_", "%s*%s", "_over(%s, %s)"), [EXPR_ABS] = "_abs(%s)",                 \
              [EXPR_SIGN] = "_sign(%s)", [EXPR_FLOOR] = "_floor(%s)", [EXPR_POW] = "_pow(%s, %s)", \
              [EXPR_HYPOT] = "_hypot(%s, %s)", [EXPR_MIN] = "_min(%s, %s)",                        \
              [EXPR_MAX] = "_max(%s, %s)", [EXPR_MOD] = "_mod(%s, %s)", [EXPR_LESS] = "%s < %s",   \
              [EXPR_LESS_EQUAL] = "%s <= %s", [EXPR_EQUAL] = "%s == %s",                           \
              [EXPR_AND] = "_and(%s, %s)", [EXPR_OR] = "_or(%s, %s)", [EXPR_NOT] = "_not(%s)",     \
              [EXPR_SELECT] = "_where(%s, %s, %s)"},                                               \
         .index = "%s[%d]",                                                                        \
         .whole = ".0",                                                                            \
         .exponent = "e",                                                                          \
         .infinity = {"float(\"-inf\")", "float(\"inf\")"},                                        \
         .nan = "float(\"nan\")",                                                                  \
         .is_true = "%s != 0",                                                                     \
         .truth = "_where(%s, 1.0, 0.0)"},                                                         \
    .comment = "#", .parameter = "p.%s", .constant = "c[%d]", .local = "", .end = "",              \
    .more = " \\", .width = 99, .indent = 4, .choice = "_where(%s, %s, %s)",                       \
    .remark = "c comes from %s_prepare.", .gap = "\n\n", .head = head_on_arrays,                   \
    .foot = foot_on_arrays, .begin = begins, .call = python_call_external,                         \
    .iterate = close_on_arrays,                                                                    \
  }

const emitSyntax numpy_syntax = ARRAY_SYNTAX("numpy", begin_numpy);
const emitSyntax casadi_syntax = ARRAY_SYNTAX("casadi", begin_casadi);
const emitSyntax jax_syntax = ARRAY_SYNTAX("jax", begin_jax);
