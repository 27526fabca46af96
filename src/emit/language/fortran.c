// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Fortran: one module, Fortran 2003, double precision, free form.
//
// Parameters are a derived type, constants that follow from them an array. Functions are subroutines
// whose last argument is the status. Functions that the user supplies are external subroutines.
#include "emit/file_job.h"
#include "emit/write/writer.h"

static void fortran_call_external(emitWriter *w, int e, int depth, int is_new)
{
  const eqnExternal *x = writer_called(w, e);
  const int first = w->scope.offset[e] + 1;
  (void) is_new;
  fprintf(w->statement, "call %s([double precision :: ", w->external[x - w->program->external]);
  writer_arguments(w, e);
  fprintf(w->statement, "], %s", w->scope.vector[e]);
  if (w->part[e] > 0) fprintf(w->statement, "(%d:%d)", first, first + x->n - 1);
  writer_say(w, depth, ")");
}

//---- subroutines ---------------------------------------------------------------------------------

static void declare_vector(emitWriter *w, const char *intent, const char *name, int n)
{
  writer_say(w, 2, "double precision, intent(%s) :: %s(%d)", intent, name, n);
}


// local variables of the function (part 0) or of a part, a few in a statement
static void declare_locals(emitWriter *w, int part)
{
  enum { IN_ONE = 40 };
  const int begin = part > 0 ? writer_part_begin(w, part) : w->nconst;
  const int end = part > 0 ? writer_part_end(w, part) : w->list->n;
  int count = 0;
  for (int e = begin; e < end; e++) {
    if (!writer_must_declare(w, e, part)) continue;
    fprintf(w->statement, "%s%s", count++ ? ", " : "double precision :: ", w->scope.name[e]);
    if (writer_is_call(w, e)) fprintf(w->statement, "(%d)", writer_called(w, e)->n);
    if (count < IN_ONE) continue;
    writer_end(w, 2);
    count = 0;
  }
  if (count > 0) writer_end(w, 2);
}


static int has_newton(const eqnFunction *f)
{
  for (int k = 0; k < f->nstage; k++) {
    if (f->stage[k].kind == STAGE_NEWTON && f->stage[k].nunknown > 0) return 1;
  }
  return 0;
}


// Variables that parts share may be large: recursive subroutines do not keep them in one place for all callers.
static int fortran_print_head(emitWriter *w, int which, const char *body)
{
  const eqnFunction *f = w->function;
  const int has_vectors = which == WRITER_WHOLE || (which > 0 && writer_part_stage(w, which) >= 0);
  (void) body;
  fprintf(w->statement, "%ssubroutine %s",
          which == WRITER_WHOLE && w->nshared > 0 ? "recursive " : "", w->name);
  if (which == WRITER_CONSTANTS) fputs("_prepare", w->statement);
  if (which > 0) fprintf(w->statement, "_%d", which);
  fputs("(p, c", w->statement);
  if (has_vectors) {
    emit_inputs(w->statement, f, ", ");
    emit_outputs(w->statement, f, ", ");
    fputs(which > 0 ? ", s" : ", status", w->statement);
  }
  writer_say(w, 1, ")");
  writer_say(w, 2, "type(parameters), intent(in) :: p");
  declare_vector(w, has_vectors ? "in" : which > 0 ? "inout" : "out", "c", w->nconst);
  for (int k = 0; has_vectors && k < f->ninput; k++) {
    const eqnVector *v = &f->input[k];
    declare_vector(w, emit_is_written(f, v) ? "inout" : "in", v->name, v->n);
  }
  for (int k = 0; has_vectors && k < f->noutput; k++) {
    declare_vector(w, "inout", f->output[k].name, f->output[k].n);
  }
  if (has_vectors && which > 0) declare_vector(w, "inout", "s", w->nshared);
  if (which == WRITER_WHOLE) {
    writer_say(w, 2, "integer, intent(out) :: status");
    if (has_newton(f)) writer_say(w, 2, "integer :: iteration");
    if (w->nshared > 0) writer_say(w, 2, "double precision :: s(%d)", w->nshared);
  }
  if (has_vectors) declare_locals(w, which);
  if (which == WRITER_WHOLE) writer_say(w, 2, "status = 0");
  return 1;
}


static void fortran_print_foot(emitWriter *w, int which)
{
  fprintf(w->statement, "end subroutine %s", w->name);
  if (which > 0) fprintf(w->statement, "_%d", which);
  writer_say(w, 1, which == WRITER_CONSTANTS ? "_prepare" : "");
}

//---- the module ----------------------------------------------------------------------------------

static void print_size(emitWriter *w)
{
  fprintf(w->out, "  integer, parameter :: %s_constants = %d\n", w->name, w->nconst);
}


int job_declare_fortran(const emitJob *job)
{
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  fputs("  ! Constants of the machine, as in the model unless they are changed.\n"
        "  type parameters\n",
        out);
  emit_parameters(out, &fortran_syntax, p, "double precision :: ", 1, 4);
  if (p->parameter.n == 0) fputs("    double precision :: none = 0d0\n", out);
  fputs("  end type parameters\n\n", out);
  for (int i = 0; i < p->nexternal; i++) {
    const eqnExternal *x = &p->external[i];
    const char *name = job->external[i];
    emit_external(out, x, name, "!", 2);
    fprintf(out,
            "  interface\n    subroutine %s(arguments, result)\n"
            "      double precision, intent(in) :: arguments(%d)\n"
            "      double precision, intent(out) :: result(%d)\n"
            "    end subroutine %s\n  end interface\n\n",
            name, x->narg, x->n, name);
  }
  return 1;
}


static int fortran_begin_module(const emitJob *job)
{
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  emit_provenance(out, p, "!");
  fprintf(out, "module %.50s_model\n  implicit none\n  private :: choose\n\n", p->name);
  job_declare_fortran(job);
  fputs("  ! lengths of the arrays of constants\n", out);
  if (!job_each_function(job, out, &fortran_syntax, print_size)) return 0;
  fputs("\ncontains\n\n"
        "  elemental double precision function choose(condition, a, b)\n"
        "    logical, intent(in) :: condition\n"
        "    double precision, intent(in) :: a, b\n"
        "    choose = b\n"
        "    if (condition) choose = a\n"
        "  end function choose\n\n\n",
        out);
  return 1;
}


static void end_module(const emitJob *job)
{
  fprintf(job->out, "end module %.50s_model\n", job->program->name);
}


const emitSyntax fortran_syntax = {
    .name = "fortran",
    .ending = ".f90",
    .dialect =
        {.spelling =
             {EMIT_COMMON("", "%s*%s", "%s/%s"), [EXPR_ABS] = "abs(%s)",
              [EXPR_SIGN] = "(merge(1d0, 0d0, %s > 0) - merge(1d0, 0d0, %s < 0))",
              [EXPR_FLOOR] = "(anint(%s) - merge(1d0, 0d0, anint(%s) > %s))", [EXPR_POW] = "%s**%s",
              [EXPR_HYPOT] = "hypot(%s, %s)", [EXPR_MIN] = "min(%s, %s)",
              [EXPR_MAX] = "max(%s, %s)", [EXPR_MOD] = "modulo(%s, %s)", [EXPR_LESS] = "%s < %s",
              [EXPR_LESS_EQUAL] = "%s <= %s", [EXPR_EQUAL] = "%s == %s", [EXPR_AND] = "%s .and. %s",
              [EXPR_OR] = "%s .or. %s", [EXPR_NOT] = ".not. %s",
              [EXPR_SELECT] = "choose(%s, %s, %s)"},
         .index = "%s(%d)",
         .first = 1,
         .whole = "d0",
         .exponent = "d",
         .infinity = {"transfer(-4503599627370496_8, 0d0)", "transfer(9218868437227405312_8, 0d0)"},
         .nan = "transfer(9221120237041090560_8, 0d0)",
         .is_true = "%s /= 0",
         .truth = "merge(1d0, 0d0, %s)"},
    .comment = "!",
    .parameter = "p%%%s",
    .constant = "c(%d)",
    .local = "",
    .end = "",
    .more = " &",
    .width = 100,
    .indent = 2,
    .statements = 400,
    .may_be_long = 1,
    .when = "if (%s) then",
    .when_end = "end if",
    .newton = {.begin = "do iteration = 0, %d",
               .leave = "if (%s <= %s) exit",
               .fail = "if (iteration == %d) status = %d\nif (status /= 0) return",
               .end = "end do",
               .test = "if (.not. (%s <= %s)) status = 2\nif (status /= 0) return",
               .limit = "merge(%s, %s, iteration > 0)"},
    .depth = 1,
    .call_part = "call ",
    .part_end = {", s)", ")"},
    .remark = "c are the constants of its own that %.80s_prepare finds; status is %s",
    .gap = "\n\n",
    .head = fortran_print_head,
    .foot = fortran_print_foot,
    .begin = fortran_begin_module,
    .finish = end_module,
    .call = fortran_call_external,
};
