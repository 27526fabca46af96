// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The MATLAB and Octave writer: one function file that returns a structure of handles. Every number is a row,
// of as many states as the arguments have columns.
#include "emit/job.h"
#include "emit/writer.h"

static void matlab_call(emitWriter *w, int e, int depth, int is_new)
{
  const eqnExternal *x = writer_called(w, e);
  (void) is_new;
  fprintf(w->statement, "%s = user.%s(rows(", w->scope.vector[e],
          w->external[x - w->program->external]);
  writer_arguments(w, e);
  fputs("));", w->statement);
  writer_end(w, depth);
}


// states whose loops are closed already stay as they are
static void matlab_newton(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  const exprPool *pool = w->list->pool;
  const double first = stage->first > 0 ? stage->first : stage->tolerance;
  if (stage->nunknown == 0) {
    writer_run(w, from, to, depth, 0);
    writer_say(w, depth,
               "if ~all(%s <= %.17g), error('actuators do not reach all coordinates'); end",
               writer_operand(w, stage->residual), first * first);
    return;
  }
  writer_say(w, depth, "limit = %.17g;", first * first);
  writer_say(w, depth, "for iteration = 0:%d", stage->most);
  writer_run(w, from, to, depth + 1, 0);
  writer_say(w, depth + 1, "is_open = ~(%s <= limit);", writer_operand(w, stage->residual));
  writer_say(w, depth + 1, "limit = %.17g;", stage->tolerance * stage->tolerance);
  writer_say(w, depth + 1, "if ~any(is_open), break; end");
  writer_say(w, depth + 1, "if iteration == %d, error('loops cannot be closed'); end", stage->most);
  for (int i = 0; i < stage->nunknown; i++) {
    const char *unknown = w->scope.symbol[pool->nodes[stage->unknown[i]].a];
    writer_say(w, depth + 1, "%s = %s + is_open.*(%s);", unknown, unknown,
               writer_operand(w, stage->correction[i]));
  }
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
    .when = "if any(%s ~= 0)",
    .when_end = "end",
    .choice = "choose(%s, %s, %s)",
    .call = matlab_call,
    .newton = matlab_newton,
};


static void print_constants(emitWriter *w, const char *suffix)
{
  writer_say(w, 0, "function c = %s%s_prepare(p)", w->function->name, suffix);
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


// a column for each of the first argument
static void print_zeros(emitWriter *w, const char *name, int n)
{
  const eqnFunction *f = w->function;
  if (f->ninput > 0)
    writer_say(w, 1, "%s = zeros(%d, size(%s, 2));", name, n, f->input[0].name);
  else
    writer_say(w, 1, "%s = zeros(%d, 1);", name, n);
}


static void print_function(emitWriter *w, const char *suffix)
{
  const eqnFunction *f = w->function;
  print_constants(w, suffix);
  emit_about(w->out, w->list, "%", 0);
  fprintf(w->out, "%% c comes from %s%s_prepare.\n", f->name, suffix);
  fputs("function [", w->statement);
  print_results(w);
  fprintf(w->statement, "] = %s%s(p, c", f->name, suffix);
  for (int k = 0; k < f->ninput; k++) fprintf(w->statement, ", %s", f->input[k].name);
  fputs(", user)", w->statement);
  writer_end(w, 0);
  for (int k = 0; k < f->noutput; k++) print_zeros(w, f->output[k].name, f->output[k].n);
  if (w->nshared > 0) print_zeros(w, "s", w->nshared);
  writer_body(w, 1);
  writer_say(w, 0, "end");
  fputs("\n\n", w->out);
}


static void print_parameters(FILE *out, const eqnProgram *p, const char *suffix)
{
  fprintf(out, "%% Constants of the machine, as in the model.\nfunction p = parameters%s()\n",
          suffix);
  fputs("  p = struct();\n", out);
  emit_parameters(out, &matlab_syntax, p, "p.", 1, 2);
  fputs("end\n\n\n", out);
}


void job_list_matlab_externals(const emitJob *job)
{
  for (int i = 0; i < job->program->nexternal; i++) {
    char call[100];
    snprintf(call, sizeof call, "user.%s(arguments), in rows", job->external[i]);
    emit_external(job->out, &job->program->external[i], call, "%", 0);
  }
}


static void print_handles(const emitJob *job)
{
  const eqnProgram *p = job->program;
  fprintf(job->out, "function model = %s()\n", p->name);
  emit_provenance(job->out, p, "%");
  fputs("% Returns a structure with all functions: model.parameters(), "
        "model.accelerate(p, c, ...)\n"
        "% Arguments are columns, or matrices with a column for each of many states.\n",
        job->out);
  job_list_matlab_externals(job);
  fputs("  model.parameters = @parameters;\n", job->out);
  for (int i = 0; i < p->nfunction; i++) {
    const char *f = p->function[i].name;
    fprintf(job->out, "  model.%s_prepare = @%s_prepare;\n  model.%s = @%s;\n", f, f, f, f);
  }
  fputs("end\n\n\n", job->out);
}


static const char choose[] = "function x = choose(condition, a, b)\n"
                             "  none = zeros(1, max([numel(condition), numel(a), numel(b)]));\n"
                             "  x = b + none;\n"
                             "  a = a + none;\n"
                             "  k = condition + none ~= 0;\n"
                             "  x(k) = a(k);\n"
                             "end\n\n\n";


// arguments below each other, those that are the same for all states too
static const char rows[] = "function x = rows(varargin)\n"
                           "  x = zeros(nargin, max(cellfun(@numel, varargin)));\n"
                           "  for k = 1:nargin, x(k,:) = varargin{k}; end\n"
                           "end\n\n\n";


void job_define_matlab_helpers(const emitJob *job)
{
  fputs(choose, job->out);
  if (job->program->nexternal > 0) fputs(rows, job->out);
}


int job_define_matlab(const emitJob *job)
{
  print_parameters(job->out, job->program, job->suffix);
  int made = 1;
  for (int i = 0; made && i < job->program->nfunction; i++) {
    emitWriter w;
    made = writer_open(&w, job->out, &matlab_syntax, job->list[i], job->external, job->options);
    if (made) print_function(&w, job->suffix);
    made = made && !w.no_memory;
    writer_close(&w);
  }
  return made;
}


int job_write_matlab(const emitJob *job)
{
  print_handles(job);
  job_define_matlab_helpers(job);
  return job_define_matlab(job);
}
