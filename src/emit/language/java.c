// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Java: one class with static methods on arrays.
//
// Methods of Java hold 64 kB of code at most, so that long functions are cut into shorter parts than in
// C. Functions that the user supplies are methods of an interface.
#include "emit/file_job.h"
#include "emit/write/writer.h"

static void java_call_external(emitWriter *w, int e, int depth, int is_new)
{
  const eqnExternal *x = writer_called(w, e);
  const char *name = w->list->equation[e].name;
  const int in_part = w->part[e] > 0;
  writer_say(w, depth, "%s%s = new double[%d];", is_new || in_part ? "final double[] " : "", name,
             x->n);
  fprintf(w->statement, "user.%s(new double[] {", w->external[x - w->program->external]);
  writer_arguments(w, e);
  writer_say(w, depth, "}, %s);", name);
  if (!in_part) return;
  writer_say(w, depth, "System.arraycopy(%s, 0, s, %d, %d);", name, w->scope.offset[e], x->n);
}


static void declare_variables(emitWriter *w, int from, int to, int depth)
{
  int count = 0;
  for (int e = from; !w->is_recycled && e < to; e++) {
    if (w->part[e] > 0 || !writer_is_local(w, e) || writer_is_call(w, e)) continue;
    fprintf(w->statement, "%s%s", count++ ? ", " : "double ", w->scope.name[e]);
  }
  if (count > 0) writer_say(w, depth, ";");
  for (int e = from; e < to; e++) {
    if (w->part[e] > 0 || !writer_is_call(w, e)) continue;
    writer_say(w, depth, "double[] %s;", w->scope.vector[e]);
  }
}


static int java_print_head(emitWriter *w, int which, const char *body)
{
  const int has_vectors = which == WRITER_WHOLE || (which > 0 && writer_part_stage(w, which) >= 0);
  (void) body;
  if (which == WRITER_CONSTANTS) {
    writer_say(w, 1, "public static double[] %s_prepare(Parameters p) {", w->name);
    writer_say(w, 2, "final double[] c = new double[%d];", w->nconst);
    return 1;
  }
  if (which > 0) {
    fprintf(w->statement, "private static void %s_%d", w->name, which);
  } else {
    fprintf(w->statement, "public static int %s", w->name);
  }
  fputs("(Parameters p, double[] c", w->statement);
  if (has_vectors) {
    emit_inputs(w->statement, w->function, ", double[] ");
    emit_outputs(w->statement, w->function, ", double[] ");
    fputs(which > 0 ? ", double[] s, User user" : ", User user", w->statement);
  }
  writer_say(w, 1, ") {");
  if (which == WRITER_WHOLE && w->nshared > 0) {
    writer_say(w, 2, "final double[] s = new double[%d];", w->nshared);
  }
  writer_declare_recycled(w, which, 2);
  return 1;
}


static void java_print_foot(emitWriter *w, int which)
{
  if (which <= 0) writer_say(w, 2, which == WRITER_WHOLE ? "return 0;" : "return c;");
  writer_say(w, 1, "}");
}


int job_declare_java(const emitJob *job)
{
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  fputs("  /** Constants of the machine, as in the model unless they are changed. */\n"
        "  public static final class Parameters implements Cloneable {\n",
        out);
  emit_parameters(out, &java_syntax, p, "public double ", 1, 4);
  fputs("\n    @Override\n    public Parameters clone() {\n      try {\n"
        "        return (Parameters) super.clone();\n"
        "      } catch (CloneNotSupportedException problem) {\n"
        "        throw new AssertionError(problem);\n      }\n    }\n  }\n\n"
        "  /** Functions that the user supplies; null when there are none. */\n"
        "  public interface User {\n",
        out);
  for (int i = 0; i < p->nexternal; i++) {
    emit_external(out, &p->external[i], job->external[i], "//", 4);
    fprintf(out, "    void %s(double[] arguments, double[] result);\n", job->external[i]);
  }
  fputs("  }\n\n", out);
  return 1;
}


static int begin_class(const emitJob *job)
{
  const char *name = job->program->name;
  emit_provenance(job->out, job->program, "//");
  fprintf(job->out, "public final class %s {\n  private %s() {}\n\n", name, name);
  return job_declare_java(job);
}


static void end_class(const emitJob *job)
{
  fputs("}\n", job->out);
}


const emitSyntax java_syntax = {
    .name = "java",
    .ending = ".java",
    .dialect = {.spelling = {EMIT_COMMON("Math.", "%s*%s", "%s/%s"), [EXPR_ABS] = "Math.abs(%s)",
                             [EXPR_SIGN] = "Math.signum(%s)", [EXPR_FLOOR] = "Math.floor(%s)",
                             [EXPR_POW] = "Math.pow(%s, %s)", [EXPR_HYPOT] = "Math.hypot(%s, %s)",
                             [EXPR_MIN] = "Math.min(%s, %s)", [EXPR_MAX] = "Math.max(%s, %s)",
                             [EXPR_MOD] = "%s - %s*Math.floor(%s/%s)", EMIT_C_CONDITIONS},
                .index = "%s[%d]",
                .whole = ".0",
                .exponent = "e",
                .infinity = {"Double.NEGATIVE_INFINITY", "Double.POSITIVE_INFINITY"},
                .nan = "Double.NaN",
                .is_true = "%s != 0",
                .truth = "(%s ? 1.0 : 0.0)"},
    EMIT_BRACES,
    .parameter = "p.%s",
    .constant = "c[%d]",
    .local = "final double ",
    .statements = 400,
    .when = "if (%s) {",
    .depth = 1,
    .remark = "c comes from %s_prepare. Returns %s",
    .gap = "\n",
    .head = java_print_head,
    .foot = java_print_foot,
    .begin = begin_class,
    .finish = end_class,
    .call = java_call_external,
    .declare = declare_variables,
};
