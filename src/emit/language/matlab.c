// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MATLAB and Octave: one function file that returns a structure of handles. Every number is a row,
// of as many states as the arguments have columns.
#include "emit/file_job.h"
#include "emit/write/template.h"
#include "emit/write/writer.h"

static void matlab_call_external(emitWriter *w, int e, int depth, int is_new)
{
  (void) is_new;
  writer_call_user(w, e, depth, "rows(", "));");
}


// states whose loops are closed already stay as they are
static void matlab_iterate(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  const exprPool *pool = w->list->pool;
  const double first = stage->first > 0 ? stage->first : stage->tolerance;
  if (stage->nunknown == 0) {
    writer_run(w, from, to, depth, 0);
    writer_say(w, depth,
               "if ~all(%s <= %.17g)\n"
               "\terror('machine:status2', 'actuators do not reach all coordinates');\nend",
               writer_operand(w, stage->residual), first * first);
    return;
  }
  writer_say(w, depth, "limit = %.17g;\nfor iteration = 0:%d", first * first, stage->most);
  writer_run(w, from, to, depth + 1, 0);
  writer_say(w, depth + 1,
             "is_open = ~(%s <= limit);\nlimit = %.17g;\nif ~any(is_open), break; end\n"
             "if iteration == %d, error('machine:status%d', 'loops cannot be closed'); end",
             writer_operand(w, stage->residual), stage->tolerance * stage->tolerance, stage->most,
             writer_status(w, stage));
  for (int i = 0; i < stage->nunknown; i++) {
    const char *unknown = w->scope.symbol[pool->nodes[stage->unknown[i]].a];
    writer_say(w, depth + 1, "%s = %s + is_open.*(%s);", unknown, unknown,
               writer_operand(w, stage->correction[i]));
  }
  writer_say(w, depth, "end");
}

//---- functions -----------------------------------------------------------------------------------

// a column for each of the first argument
static void print_zeros(emitWriter *w, const char *name, int n)
{
  const eqnFunction *f = w->function;
  if (f->ninput > 0)
    writer_say(w, 1, "%s = zeros(%d, size(%s, 2));", name, n, f->input[0].name);
  else
    writer_say(w, 1, "%s = zeros(%d, 1);", name, n);
}


// results come first, then the vectors that are changed
static int matlab_print_head(emitWriter *w, int which, const char *body)
{
  const eqnFunction *f = w->function;
  const char *comma = "";
  (void) body;
  if (which == WRITER_CONSTANTS) {
    writer_say(w, 0, "function c = %s_prepare(p)", w->name);
    writer_say(w, 1, "c = zeros(%d, 1);", w->nconst);
    return 1;
  }
  fputs("function [", w->statement);
  for (int k = 0; k < f->noutput; k++, comma = ", ") {
    fprintf(w->statement, "%s%s", comma, f->output[k].name);
  }
  for (int k = 0; k < f->ninput; k++) {
    if (!emit_is_written(f, &f->input[k])) continue;
    fprintf(w->statement, "%s%s", comma, f->input[k].name);
    comma = ", ";
  }
  fprintf(w->statement, "] = %s(p, c", w->name);
  emit_inputs(w->statement, f, ", ");
  writer_say(w, 0, ", user)");
  for (int k = 0; k < f->noutput; k++) print_zeros(w, f->output[k].name, f->output[k].n);
  if (w->nshared > 0) print_zeros(w, "s", w->nshared);
  return 1;
}


static void matlab_print_foot(emitWriter *w, int which)
{
  (void) which;
  writer_say(w, 0, "end");
}

//---- the file ------------------------------------------------------------------------------------

void job_list_matlab_externals(const emitJob *job)
{
  for (int i = 0; i < job->program->nexternal; i++) {
    char call[100];
    snprintf(call, sizeof call, "user.%s(arguments), in rows", job->external[i]);
    emit_external(job->out, &job->program->external[i], call, "%", 0);
  }
}


void job_define_matlab_helpers(const emitJob *job)
{
  template_print(job->out, matlab_text, "choose", &(templateValues){0});
  if (job->program->nexternal > 0)
    template_print(job->out, matlab_text, "rows", &(templateValues){0});
}


int job_declare_matlab(const emitJob *job)
{
  fprintf(job->out,
          "%% Constants of the machine, as in the model.\nfunction p = parameters%s()\n"
          "  p = struct();\n",
          job->suffix);
  emit_parameters(job->out, &matlab_syntax, job->program, "p.", 1, 2);
  fputs("end\n\n\n", job->out);
  return 1;
}


static int job_define_matlab(const emitJob *job)
{
  job_declare_matlab(job);
  return job_each_function(job, job->out, &matlab_syntax, writer_function);
}


static int matlab_write_file(const emitJob *job)
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
  job_define_matlab_helpers(job);
  return job_define_matlab(job);
}


const emitSyntax matlab_syntax = {
    .name = "matlab",
    .ending = ".m",
    .dialect =
        {.spelling =
             {EMIT_COMMON("", "%s.*%s", "%s./%s"), [EXPR_ABS] = "abs(%s)", [EXPR_SIGN] = "sign(%s)",
              [EXPR_FLOOR] = "floor(%s)", [EXPR_POW] = "%s.^%s", [EXPR_HYPOT] = "hypot(%s, %s)",
              [EXPR_MIN] = "min(%s, %s)", [EXPR_MAX] = "max(%s, %s)", [EXPR_MOD] = "mod(%s, %s)",
              [EXPR_LESS] = "%s < %s", [EXPR_LESS_EQUAL] = "%s <= %s", [EXPR_EQUAL] = "%s == %s",
              [EXPR_AND] = "%s & %s", [EXPR_OR] = "%s | %s", [EXPR_NOT] = "~%s",
              [EXPR_SELECT] = "choose(%s, %s, %s)"},
         .index = "%s(%d,:)",
         .first = 1,
         .whole = "",
         .exponent = "e",
         .infinity = {"-Inf", "Inf"},
         .nan = "NaN",
         .is_true = "%s ~= 0",
         .truth = "double(%s)"},
    .comment = "%",
    .parameter = "p.%s",
    .constant = "c(%d)",
    .local = "",
    .end = ";",
    .more = " ...",
    .width = 100,
    .indent = 2,
    .when = "if any(%s)",
    .when_end = "end",
    .choice = "choose(%s, %s, %s)",
    .remark = "c comes from %s_prepare.",
    .gap = "\n\n",
    .head = matlab_print_head,
    .foot = matlab_print_foot,
    .write = matlab_write_file,
    .call = matlab_call_external,
    .iterate = matlab_iterate,
};
