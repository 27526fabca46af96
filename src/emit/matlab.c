// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The MATLAB and Octave writer: one function file that returns a structure of handles.
#include "emit/job.h"
#include "emit/writer.h"

static void matlab_call(emitWriter *w, int e, int depth, int is_new)
{
  const eqnExternal *x = writer_called(w, e);
  (void) is_new;
  fprintf(w->statement, "%s = user.%s([", w->scope.vector[e],
          w->external[x - w->program->external]);
  writer_arguments(w, e);
  fputs("]);", w->statement);
  writer_end(w, depth);
}


static void matlab_newton(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  writer_say(w, depth, "for iteration = 0:%d", stage->most);
  writer_run(w, from, to, depth + 1, 0);
  writer_say(w, depth + 1, "if %s <= %.17g, break; end", writer_operand(w, stage->residual),
             stage->tolerance * stage->tolerance);
  writer_say(w, depth + 1, "if iteration == %d, error('loops cannot be closed'); end", stage->most);
  writer_increments(w, stage, depth + 1);
  writer_say(w, depth, "end");
}


static const emitSyntax matlab_syntax = {
    .dialect = &emit_dialect[EMIT_MATLAB],
    .comment = "%",
    .parameter = "p.%s",
    .constant = "c(%d)",
    .local = "",
    .end = ";",
    .more = " ...",
    .width = 100,
    .when = "if %s ~= 0",
    .when_end = "end",
    .call = matlab_call,
    .newton = matlab_newton,
};


static void print_constants(emitWriter *w)
{
  writer_say(w, 0, "function c = %s_prepare(p)", w->function->name);
  writer_say(w, 1, "c = zeros(%d, 1);", w->nconst);
  writer_constants(w, 1);
  writer_say(w, 0, "end");
  fputs("\n\n", w->out);
}


// results first, then the vectors that are changed
static void print_results(emitWriter *w)
{
  const eqnFunction *f = w->function;
  const char *comma = "";
  for (int k = 0; k < f->noutput; k++, comma = ", ") {
    fprintf(w->statement, "%s%s", comma, f->output[k].name);
  }
  for (int k = 0; k < f->ninput; k++) {
    if (!emit_is_written(f, &f->input[k])) continue;
    fprintf(w->statement, "%s%s", comma, f->input[k].name);
    comma = ", ";
  }
}


static void print_function(emitWriter *w)
{
  const eqnFunction *f = w->function;
  print_constants(w);
  emit_about(w->out, w->list, "%", 0);
  fprintf(w->out, "%% c comes from %s_prepare.\n", f->name);
  fputs("function [", w->statement);
  print_results(w);
  fprintf(w->statement, "] = %s(p, c", f->name);
  for (int k = 0; k < f->ninput; k++) fprintf(w->statement, ", %s", f->input[k].name);
  fputs(", user)", w->statement);
  writer_end(w, 0);
  for (int k = 0; k < f->noutput; k++) {
    writer_say(w, 1, "%s = zeros(%d, 1);", f->output[k].name, f->output[k].n);
  }
  if (w->nshared > 0) writer_say(w, 1, "s = zeros(%d, 1);", w->nshared);
  writer_body(w, 1);
  writer_say(w, 0, "end");
  fputs("\n\n", w->out);
}


static void print_parameters(FILE *out, const eqnProgram *p)
{
  fputs("% Constants of the machine, as in the model.\nfunction p = parameters()\n", out);
  fputs("  p = struct();\n", out);
  emit_parameters(out, &matlab_syntax, p, "p.", 1, 2);
  fputs("end\n\n\n", out);
}


static void print_handles(const emitJob *job)
{
  const eqnProgram *p = job->program;
  fprintf(job->out, "function model = %s()\n", p->name);
  emit_provenance(job->out, p, "%");
  fputs("% Returns a structure with all functions: model.parameters(), "
        "model.accelerate(p, c, ...)\n",
        job->out);
  for (int i = 0; i < p->nexternal; i++) {
    const eqnExternal *x = &p->external[i];
    fprintf(job->out, "%% To be supplied: user.%s(arguments), %d in, %d out: '%s', %s.\n",
            job->external[i], x->narg, x->n, x->name, x->what);
  }
  fputs("  model.parameters = @parameters;\n", job->out);
  for (int i = 0; i < p->nfunction; i++) {
    const char *f = p->function[i].name;
    fprintf(job->out, "  model.%s_prepare = @%s_prepare;\n  model.%s = @%s;\n", f, f, f, f);
  }
  fputs("end\n\n\n", job->out);
}


int job_write_matlab(const emitJob *job)
{
  print_handles(job);
  print_parameters(job->out, job->program);
  fputs(
      "function x = choose(condition, a, b)\n  x = b;\n  if condition ~= 0, x = a; end\nend\n\n\n",
      job->out);
  int made = 1;
  for (int i = 0; made && i < job->program->nfunction; i++) {
    emitWriter w;
    made = writer_open(&w, job->out, &matlab_syntax, job->list[i], job->external, job->options);
    if (made) print_function(&w);
    made = made && !w.no_memory;
    writer_close(&w);
  }
  return made;
}
