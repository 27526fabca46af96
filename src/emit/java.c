// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Java writer: one class with static methods on arrays.
//
// Methods of Java hold 64 kB of code at most, so that long functions are cut into shorter parts than in
// C. Functions that the user supplies are methods of an interface.
#include "emit/job.h"
#include "emit/writer.h"

//---- statements ----------------------------------------------------------------------------------

static void java_call(emitWriter *w, int e, int depth, int is_new)
{
  const eqnExternal *x = writer_called(w, e);
  const char *name = w->list->equation[e].name;
  const int in_part = w->part[e] > 0;
  writer_say(w, depth, "%s%s = new double[%d];", is_new || in_part ? "final double[] " : "", name,
             x->n);
  fprintf(w->statement, "user.%s(new double[] {", w->external[x - w->program->external]);
  writer_arguments(w, e);
  fprintf(w->statement, "}, %s);", name);
  writer_end(w, depth);
  if (!in_part) return;
  writer_say(w, depth, "System.arraycopy(%s, 0, s, %d, %d);", name, w->scope.offset[e], x->n);
}


static void java_part(emitWriter *w, int part, int depth)
{
  const eqnFunction *f = w->function;
  fprintf(w->statement, "%s_%d(p, c", f->name, part);
  if (writer_part_stage(w, part) >= 0) {
    for (int k = 0; k < f->ninput; k++) fprintf(w->statement, ", %s", f->input[k].name);
    for (int k = 0; k < f->noutput; k++) fprintf(w->statement, ", %s", f->output[k].name);
    fputs(", s, user", w->statement);
  }
  fputs(");", w->statement);
  writer_end(w, depth);
}


static void declare_variables(emitWriter *w, int from, int to, int depth)
{
  int count = 0;
  for (int e = from; e < to; e++) {
    if (w->part[e] > 0 || !writer_is_local(w, e) || writer_is_call(w, e)) continue;
    fprintf(w->statement, "%s%s", count++ ? ", " : "double ", w->scope.name[e]);
  }
  if (count > 0) {
    fputc(';', w->statement);
    writer_end(w, depth);
  }
  for (int e = from; e < to; e++) {
    if (w->part[e] > 0 || !writer_is_call(w, e)) continue;
    writer_say(w, depth, "double[] %s;", w->scope.vector[e]);
  }
}


static void java_newton(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  declare_variables(w, from, to, depth);
  writer_iterate(w, stage, from, to, depth);
}


static const emitSyntax java_syntax = {
    .dialect = &emit_dialect[EMIT_JAVA],
    .comment = "//",
    .parameter = "p.%s",
    .constant = "c[%d]",
    .local = "final double ",
    .end = ";",
    .more = "",
    .width = 100,
    .statements = 400,
    .has_increment = 1,
    .when = "if (%s != 0) {",
    .when_end = "}",
    .call = java_call,
    .part = java_part,
    .newton = java_newton,
};


//---- methods -------------------------------------------------------------------------------------

static void print_vectors(emitWriter *w)
{
  const eqnFunction *f = w->function;
  for (int k = 0; k < f->ninput; k++) fprintf(w->statement, ", double[] %s", f->input[k].name);
  for (int k = 0; k < f->noutput; k++) fprintf(w->statement, ", double[] %s", f->output[k].name);
}


static void print_constants(emitWriter *w)
{
  writer_say(w, 1, "public static double[] %s_prepare(Parameters p) {", w->function->name);
  writer_say(w, 2, "final double[] c = new double[%d];", w->nconst);
  writer_constants(w, 2);
  writer_say(w, 2, "return c;");
  writer_say(w, 1, "}");
  fputc('\n', w->out);
}


static void print_parts(emitWriter *w)
{
  const int n = writer_part_count(w);
  for (int part = 1; part <= n; part++) {
    const int stage = writer_part_stage(w, part);
    emit_comment(w->out, "//", 2, writer_part_title(w, part));
    fprintf(w->statement, "private static void %s_%d(Parameters p, double[] c", w->function->name,
            part);
    if (stage >= 0) {
      print_vectors(w);
      fputs(", double[] s, User user", w->statement);
    }
    fputs(") {", w->statement);
    writer_end(w, 1);
    writer_part(w, part, 2);
    writer_say(w, 1, "}");
    fputc('\n', w->out);
  }
}


static void print_function(emitWriter *w)
{
  print_parts(w);
  print_constants(w);
  emit_about(w->out, w->list, "//", 2);
  fprintf(w->out, "  // c comes from %s_prepare. Returns %s\n", w->function->name,
          writer_statuses(w->function));
  fprintf(w->statement, "public static int %s(Parameters p, double[] c", w->function->name);
  print_vectors(w);
  fputs(", User user) {", w->statement);
  writer_end(w, 1);
  if (w->nshared > 0) writer_say(w, 2, "final double[] s = new double[%d];", w->nshared);
  writer_body(w, 2);
  writer_say(w, 2, "return 0;");
  writer_say(w, 1, "}");
  fputc('\n', w->out);
}


//---- the class -----------------------------------------------------------------------------------

static void print_parameters(FILE *out, const eqnProgram *p)
{
  fputs("  /** Constants of the machine, as in the model unless they are changed. */\n", out);
  fputs("  public static final class Parameters {\n", out);
  emit_parameters(out, &java_syntax, p, "public double ", 1, 4);
  fputs("  }\n\n", out);
}


static void print_interface(const emitJob *job)
{
  fputs("  /** Functions that the user supplies; null when there are none. */\n", job->out);
  fputs("  public interface User {\n", job->out);
  for (int i = 0; i < job->program->nexternal; i++) {
    emit_external(job->out, &job->program->external[i], job->external[i], "//", 4);
    fprintf(job->out, "    void %s(double[] arguments, double[] result);\n", job->external[i]);
  }
  fputs("  }\n\n", job->out);
}


int job_write_java(const emitJob *job)
{
  emit_provenance(job->out, job->program, "//");
  fprintf(job->out, "public final class %s {\n  private %s() {}\n\n", job->program->name,
          job->program->name);
  print_parameters(job->out, job->program);
  print_interface(job);
  int made = 1;
  for (int i = 0; made && i < job->program->nfunction; i++) {
    emitWriter w;
    made = writer_open(&w, job->out, &java_syntax, job->list[i], job->external, job->options);
    if (made) print_function(&w);
    made = made && !w.no_memory;
    writer_close(&w);
  }
  fputs("}\n", job->out);
  return made;
}
