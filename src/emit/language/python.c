// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Python: a module with functions on lists of numbers, nothing but `math`.
#include "emit/file_job.h"
#include "emit/write/template.h"
#include "emit/write/writer.h"

void python_call_external(emitWriter *w, int e, int depth, int is_new)
{
  (void) is_new;
  writer_call_user(w, e, depth, "[", "])");
}


int python_print_head(emitWriter *w, int which, const char *body)
{
  const eqnFunction *f = w->function;
  (void) body;
  if (which == WRITER_CONSTANTS) {
    writer_say(w, 0, "def %s_prepare(p):", w->name);
    writer_say(w, 1, "c = [0.0] * %d", w->nconst);
    return 1;
  }
  fprintf(w->statement, "def %s(p, c", w->name);
  emit_inputs(w->statement, f, ", ");
  writer_say(w, 0, ", user=None):");
  for (int k = 0; w->syntax != &python_syntax && k < f->ninput; k++) {
    writer_say(w, 1, "%s = _rows(%s, %d)", f->input[k].name, f->input[k].name, f->input[k].n);
  }
  for (int k = 0; k < f->noutput; k++) {
    writer_say(w, 1, "%s = [0.0] * %d", f->output[k].name, f->output[k].n);
  }
  if (w->nshared > 0) writer_say(w, 1, "s = [0.0] * %d", w->nshared);
  return 1;
}


static void python_print_foot(emitWriter *w, int which)
{
  const eqnFunction *f = w->function;
  fputs(which == WRITER_CONSTANTS ? "return c" : "return ", w->statement);
  for (int k = 0; which == WRITER_WHOLE && k < f->noutput; k++) {
    fprintf(w->statement, "%s%s", k ? ", " : "", f->output[k].name);
  }
  writer_end(w, 1);
}


void job_declare_python_parameters(const emitJob *job)
{
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  for (int i = 0; i < p->nexternal; i++) {
    char call[100];
    snprintf(call, sizeof call, "user.%s(arguments), which returns a list", job->external[i]);
    emit_external(out, &p->external[i], call, "#", 0);
    fputc('\n', out);
  }
  fputs("class Parameters:\n    \"\"\"Constants of the machine, as in the model.\"\"\"\n\n"
        "    def __init__(self):\n",
        out);
  emit_parameters(out, &python_syntax, p, "self.", 1, 8);
  if (p->parameter.n == 0) fputs("        pass\n", out);
  fputs("\n\n", out);
}


static int job_declare_python(const emitJob *job)
{
  template_print(job->out, python_text, "helpers", &(templateValues){0});
  job_declare_python_parameters(job);
  return 1;
}


static int python_begin_module(const emitJob *job)
{
  emit_provenance(job->out, job->program, "#");
  emit_comment(job->out, "#", 0,
               "Vectors are lists; those that a function changes are changed in place, its results "
               "are returned.");
  return job_declare_python(job);
}


const emitSyntax python_syntax = {
    .name = "python",
    .ending = ".py",
    .dialect =
        {.spelling =
             {EMIT_COMMON("_", "%s*%s", "_over(%s, %s)"), [EXPR_ABS] = "abs(%s)",
              [EXPR_SIGN] = "float((%s > 0) - (%s < 0))", [EXPR_FLOOR] = "_floor(%s)",
              [EXPR_POW] = "_pow(%s, %s)", [EXPR_HYPOT] = "math.hypot(%s, %s)",
              [EXPR_MIN] = "min(%s, %s)", [EXPR_MAX] = "max(%s, %s)", [EXPR_MOD] = "_mod(%s, %s)",
              [EXPR_LESS] = "%s < %s", [EXPR_LESS_EQUAL] = "%s <= %s", [EXPR_EQUAL] = "%s == %s",
              [EXPR_AND] = "%s and %s", [EXPR_OR] = "%s or %s", [EXPR_NOT] = "not %s",
              [EXPR_SELECT] = "(%2 if %1 else %3)"},
         .index = "%s[%d]",
         .whole = ".0",
         .exponent = "e",
         .infinity = {"-math.inf", "math.inf"},
         .nan = "math.nan",
         .is_true = "%s != 0",
         .truth = "float(%s)"},
    .comment = "#",
    .parameter = "p.%s",
    .constant = "c[%d]",
    .local = "",
    .end = "",
    .more = " \\",
    .width = 99,
    .indent = 4,
    .has_increment = 1,
    .when = "if %s:",
    .newton = {.begin = "for iteration in range(%d):",
               .counts_rounds = 1,
               .leave = "if %s <= %s:\n\tbreak",
               .fail = "if iteration == %d:\n\traise _Open(%d)",
               .test = "if not %s <= %s:\n"
                       "\traise _Open(2)",
               .limit = "(%s if iteration > 0 else %s)"},
    .remark = "c comes from %s_prepare.",
    .gap = "\n\n",
    .head = python_print_head,
    .foot = python_print_foot,
    .begin = python_begin_module,
    .call = python_call_external,
};
