// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Python writer: a module with functions on lists of numbers, nothing but `math`.
#include "emit/job.h"
#include "emit/writer.h"

static void python_call(emitWriter *w, int e, int depth, int is_new)
{
  const eqnExternal *x = writer_called(w, e);
  (void) is_new;
  fprintf(w->statement, "%s = user.%s([", w->scope.vector[e],
          w->external[x - w->program->external]);
  writer_arguments(w, e);
  fputs("])", w->statement);
  writer_end(w, depth);
}


static void python_newton(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  const double later = stage->tolerance * stage->tolerance, first = stage->first * stage->first;
  if (stage->nunknown == 0) {
    writer_run(w, from, to, depth, 0);
    writer_say(w, depth, "if not %s <= %.17g:", writer_operand(w, stage->residual), later);
    writer_say(w, depth + 1, "raise ArithmeticError(\"actuators do not reach all coordinates\")");
    return;
  }
  writer_say(w, depth, "for iteration in range(%d):", stage->most + 1);
  writer_run(w, from, to, depth + 1, 0);
  fprintf(w->statement, "if %s <= ", writer_operand(w, stage->residual));
  if (first > 0)
    writer_say(w, depth + 1, "(%.17g if iteration > 0 else %.17g):", later, first);
  else
    writer_say(w, depth + 1, "%.17g:", later);
  writer_say(w, depth + 2, "break");
  writer_say(w, depth + 1, "if iteration == %d:", stage->most);
  writer_say(w, depth + 2, "raise ArithmeticError(\"loops cannot be closed\")");
  writer_increments(w, stage, depth + 1);
}


static const emitSyntax python_syntax = {
    .dialect = &emit_dialect[EMIT_PYTHON],
    .comment = "#",
    .parameter = "p.%s",
    .constant = "c[%d]",
    .local = "",
    .end = "",
    .more = " \\",
    .width = 99,
    .has_increment = 1,
    .when = "if %s != 0:",
    .call = python_call,
    .newton = python_newton,
};


static void print_constants(emitWriter *w)
{
  writer_say(w, 0, "def %s_prepare(p):", w->function->name);
  writer_say(w, 1, "c = [0.0] * %d", w->nconst);
  writer_constants(w, 1);
  writer_say(w, 1, "return c");
  fputs("\n\n", w->out);
}


static void print_function(emitWriter *w)
{
  const eqnFunction *f = w->function;
  print_constants(w);
  emit_about(w->out, w->list, "#", 0);
  fprintf(w->out, "# c comes from %s_prepare.\n", f->name);
  fprintf(w->statement, "def %s(p, c", f->name);
  for (int k = 0; k < f->ninput; k++) fprintf(w->statement, ", %s", f->input[k].name);
  fputs(", user=None):", w->statement);
  writer_end(w, 0);
  for (int k = 0; k < f->noutput; k++) {
    writer_say(w, 1, "%s = [0.0] * %d", f->output[k].name, f->output[k].n);
  }
  if (w->nshared > 0) writer_say(w, 1, "s = [0.0] * %d", w->nshared);
  writer_body(w, 1);
  fputs("return ", w->statement);
  for (int k = 0; k < f->noutput; k++) {
    fprintf(w->statement, "%s%s", k ? ", " : "", f->output[k].name);
  }
  writer_end(w, 1);
  fputs("\n\n", w->out);
}


static void print_class(FILE *out, const eqnProgram *p)
{
  fputs("class Parameters:\n    \"\"\"Constants of the machine, as in the model.\"\"\"\n\n", out);
  fputs("    def __init__(self):\n", out);
  emit_parameters(out, &python_syntax, p, "self.", 1, 8);
  if (p->parameter.n == 0) fputs("        pass\n", out);
  fputs("\n\n", out);
}


// what C answers with NaN, Python refuses: not in a branch that is not taken
static void print_helpers(FILE *out)
{
  static const char *const checked[] = {"sqrt", "sin",  "cos",   "tan",   "asin",
                                        "acos", "atan", "atan2", "sinh",  "cosh",
                                        "tanh", "exp",  "log",   "log10", "pow"};
  fputs("def _checked(function):\n"
        "    def result(*arguments):\n"
        "        try:\n"
        "            return function(*arguments)\n"
        "        except (ValueError, OverflowError, ZeroDivisionError):\n"
        "            return math.nan\n"
        "    return result\n\n\n",
        out);
  for (int i = 0; i < 15; i++) fprintf(out, "_%s = _checked(math.%s)\n", checked[i], checked[i]);
  fputs("_floor = _checked(lambda x: float(math.floor(x)))\n"
        "_mod = _checked(lambda x, y: x - y*math.floor(x/y))\n\n\n"
        "def _over(x, y):\n"
        "    try:\n"
        "        return x/y\n"
        "    except ZeroDivisionError:\n"
        "        return math.nan if x == 0 or x != x else math.copysign(math.inf, x)*"
        "math.copysign(1.0, y)\n\n\n",
        out);
}


static void print_externals(const emitJob *job)
{
  for (int i = 0; i < job->program->nexternal; i++) {
    char call[100];
    snprintf(call, sizeof call, "user.%s(arguments), which returns a list", job->external[i]);
    emit_external(job->out, &job->program->external[i], call, "#", 0);
    fputc('\n', job->out);
  }
}


int job_write_python(const emitJob *job)
{
  emit_provenance(job->out, job->program, "#");
  emit_comment(
      job->out, "#", 0,
      "Vectors are lists; those that a function changes are changed in place, its results are "
      "returned.");
  fputs("import math\n\n\n", job->out);
  print_helpers(job->out);
  print_externals(job);
  print_class(job->out, job->program);
  int made = 1;
  for (int i = 0; made && i < job->program->nfunction; i++) {
    emitWriter w;
    made = writer_open(&w, job->out, &python_syntax, job->list[i], job->external, job->options);
    w.indent = 4;
    if (made) print_function(&w);
    made = made && !w.no_memory;
    writer_close(&w);
  }
  return made;
}
