// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Fortran writer: one module, Fortran 2003, double precision, free form.
//
// Parameters are a derived type, constants that follow from them an array. Functions are subroutines
// whose last argument is the status. Functions that the user supplies are external subroutines.
#include <string.h>

#include "emit/job.h"
#include "emit/writer.h"

//---- statements ----------------------------------------------------------------------------------

static void fortran_call(emitWriter *w, int e, int depth, int is_new)
{
  const eqnExternal *x = writer_called(w, e);
  (void) is_new;
  fprintf(w->statement, "call %s([double precision :: ", w->external[x - w->program->external]);
  writer_arguments(w, e);
  fprintf(w->statement, "], %s", w->scope.vector[e]);
  const int first = w->scope.offset[e] + 1;
  if (w->part[e] > 0) fprintf(w->statement, "(%d:%d)", first, first + x->n - 1);
  fputc(')', w->statement);
  writer_end(w, depth);
}


static void fortran_part(emitWriter *w, int part, int depth)
{
  const eqnFunction *f = w->function;
  fprintf(w->statement, "call %s_%d(p, c", f->name, part);
  if (writer_part_stage(w, part) >= 0) {
    for (int k = 0; k < f->ninput; k++) fprintf(w->statement, ", %s", f->input[k].name);
    for (int k = 0; k < f->noutput; k++) fprintf(w->statement, ", %s", f->output[k].name);
    fputs(", s", w->statement);
  }
  fputc(')', w->statement);
  writer_end(w, depth);
}


static void fortran_test(emitWriter *w, const eqnStage *stage, int depth)
{
  fprintf(w->statement, "if (.not. (%s <= ", writer_operand(w, stage->residual));
  emit_number(w->statement, w->syntax->dialect, stage->tolerance * stage->tolerance);
  fputs(")) status = 2", w->statement);
  writer_end(w, depth);
  writer_say(w, depth, "if (status /= 0) return");
}


static void fortran_newton(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  if (stage->nunknown == 0) {
    writer_run(w, from, to, depth, 0);
    fortran_test(w, stage, depth);
    return;
  }
  writer_say(w, depth, "do iteration = 0, %d", stage->most);
  writer_run(w, from, to, depth + 1, 0);
  const char *residual = writer_operand(w, stage->residual);
  fprintf(w->statement, "if (%s <= %s", residual, stage->first > 0 ? "merge(" : "");
  emit_number(w->statement, w->syntax->dialect, stage->tolerance * stage->tolerance);
  if (stage->first > 0) {
    fputs(", ", w->statement);
    emit_number(w->statement, w->syntax->dialect, stage->first * stage->first);
    fputs(", iteration > 0)", w->statement);
  }
  fputs(") exit", w->statement);
  writer_end(w, depth + 1);
  writer_say(w, depth + 1, "if (iteration == %d) status = 1", stage->most);
  writer_say(w, depth + 1, "if (status /= 0) return");
  writer_increments(w, stage, depth + 1);
  writer_say(w, depth, "end do");
}


static const emitSyntax fortran_syntax = {
    .dialect = &emit_dialect[EMIT_FORTRAN],
    .comment = "!",
    .parameter = "p%%%s",
    .constant = "c(%d)",
    .local = "",
    .end = "",
    .more = " &",
    .width = 100,
    .statements = 400,
    .when = "if (%s /= 0) then",
    .when_end = "end if",
    .call = fortran_call,
    .part = fortran_part,
    .newton = fortran_newton,
};


//---- functions -----------------------------------------------------------------------------------

static void declare_vector(emitWriter *w, const char *intent, const char *name, int n)
{
  writer_say(w, 2, "double precision, intent(%s) :: %s(%d)", intent, name, n);
}


static void declare_vectors(emitWriter *w)
{
  const eqnFunction *f = w->function;
  for (int k = 0; k < f->ninput; k++) {
    const eqnVector *v = &f->input[k];
    declare_vector(w, emit_is_written(f, v) ? "inout" : "in", v->name, v->n);
  }
  for (int k = 0; k < f->noutput; k++) {
    declare_vector(w, "inout", f->output[k].name, f->output[k].n);
  }
}


// local variables of the function (part 0) or of a part, a few in a statement
static void declare_locals(emitWriter *w, int part)
{
  enum { IN_ONE = 40 };
  const int begin = part > 0 ? writer_part_begin(w, part) : w->nconst;
  const int end = part > 0 ? writer_part_end(w, part) : w->list->n;
  int count = 0;
  for (int e = begin; e < end; e++) {
    if (w->part[e] != part || !writer_is_local(w, e)) continue;
    fprintf(w->statement, "%s%s", count++ ? ", " : "double precision :: ", w->scope.name[e]);
    if (writer_is_call(w, e)) fprintf(w->statement, "(%d)", writer_called(w, e)->n);
    if (count < IN_ONE) continue;
    writer_end(w, 2);
    count = 0;
  }
  if (count > 0) writer_end(w, 2);
}


static void print_arguments(emitWriter *w)
{
  const eqnFunction *f = w->function;
  for (int k = 0; k < f->ninput; k++) fprintf(w->statement, ", %s", f->input[k].name);
  for (int k = 0; k < f->noutput; k++) fprintf(w->statement, ", %s", f->output[k].name);
}


static void print_constants(emitWriter *w)
{
  const char *name = w->function->name;
  writer_say(w, 1, "subroutine %s_prepare(p, c)", name);
  writer_say(w, 2, "type(parameters), intent(in) :: p");
  declare_vector(w, "out", "c", w->nconst);
  writer_constants(w, 2);
  writer_say(w, 1, "end subroutine %s_prepare", name);
  fputs("\n\n", w->out);
}


static void print_parts(emitWriter *w)
{
  const char *name = w->function->name;
  const int n = writer_part_count(w);
  for (int part = 1; part <= n; part++) {
    const int stage = writer_part_stage(w, part);
    emit_comment(w->out, "!", 2, writer_part_title(w, part));
    fprintf(w->statement, "subroutine %s_%d(p, c", name, part);
    if (stage >= 0) {
      print_arguments(w);
      fputs(", s", w->statement);
    }
    fputc(')', w->statement);
    writer_end(w, 1);
    writer_say(w, 2, "type(parameters), intent(in) :: p");
    declare_vector(w, stage < 0 ? "inout" : "in", "c", w->nconst);
    if (stage >= 0) {
      declare_vectors(w);
      declare_vector(w, "inout", "s", w->nshared);
      declare_locals(w, part);
    }
    writer_part(w, part, 2);
    writer_say(w, 1, "end subroutine %s_%d", name, part);
    fputs("\n\n", w->out);
  }
}


static int has_newton(const eqnFunction *f)
{
  for (int k = 0; k < f->nstage; k++) {
    if (f->stage[k].kind == STAGE_NEWTON && f->stage[k].nunknown > 0) return 1;
  }
  return 0;
}


static void print_function(emitWriter *w)
{
  const char *name = w->function->name;
  print_parts(w);
  print_constants(w);
  emit_about(w->out, w->list, "!", 2);
  char about[300];
  snprintf(about, sizeof about,
           "c are the constants of its own that %.80s_prepare finds; status is %s", name,
           writer_statuses(w->function));
  emit_comment(w->out, "!", 2, about);
  // what parts share may be large: recursive ones do not keep it in one place for all who call
  fprintf(w->statement, "%ssubroutine %s(p, c", w->nshared > 0 ? "recursive " : "", name);
  print_arguments(w);
  fputs(", status)", w->statement);
  writer_end(w, 1);
  writer_say(w, 2, "type(parameters), intent(in) :: p");
  declare_vector(w, "in", "c", w->nconst);
  declare_vectors(w);
  writer_say(w, 2, "integer, intent(out) :: status");
  if (has_newton(w->function)) writer_say(w, 2, "integer :: iteration");
  if (w->nshared > 0) writer_say(w, 2, "double precision :: s(%d)", w->nshared);
  declare_locals(w, 0);
  writer_say(w, 2, "status = 0");
  writer_body(w, 2);
  writer_say(w, 1, "end subroutine %s", name);
  fputs("\n\n", w->out);
}


//---- the module ----------------------------------------------------------------------------------

static void print_type(FILE *out, const eqnProgram *p)
{
  fputs("  ! Constants of the machine, as in the model unless they are changed.\n", out);
  fputs("  type parameters\n", out);
  emit_parameters(out, &fortran_syntax, p, "double precision :: ", 1, 4);
  if (p->parameter.n == 0) fputs("    double precision :: none = 0d0\n", out);
  fputs("  end type parameters\n\n", out);
}


static void print_sizes(const emitJob *job, emitWriter *w, int i)
{
  (void) job;
  (void) i;
  fprintf(w->out, "  integer, parameter :: %s_constants = %d\n", w->function->name, w->nconst);
}


static void print_interfaces(const emitJob *job)
{
  for (int i = 0; i < job->program->nexternal; i++) {
    const eqnExternal *x = &job->program->external[i];
    const char *name = job->external[i];
    emit_external(job->out, x, name, "!", 2);
    fprintf(job->out, "  interface\n    subroutine %s(arguments, result)\n", name);
    fprintf(job->out, "      double precision, intent(in) :: arguments(%d)\n", x->narg);
    fprintf(job->out, "      double precision, intent(out) :: result(%d)\n", x->n);
    fprintf(job->out, "    end subroutine %s\n  end interface\n\n", name);
  }
}


static void print_choose(FILE *out)
{
  fputs("  elemental double precision function choose(condition, a, b)\n"
        "    double precision, intent(in) :: condition, a, b\n"
        "    choose = b\n"
        "    if (condition /= 0) choose = a\n"
        "  end function choose\n\n\n",
        out);
}


typedef void (*visitor)(const emitJob *job, emitWriter *w, int i);


static void visit_function(const emitJob *job, emitWriter *w, int i)
{
  (void) job;
  (void) i;
  print_function(w);
}


static int each_function(const emitJob *job, visitor visit)
{
  int made = 1;
  for (int i = 0; made && i < job->program->nfunction; i++) {
    emitWriter w;
    made = writer_open(&w, job->out, &fortran_syntax, job->list[i], job->external, job->options);
    if (made) visit(job, &w, i);
    made = made && !w.no_memory;
    writer_close(&w);
  }
  return made;
}


int job_write_fortran(const emitJob *job)
{
  FILE *out = job->out;
  const char *name = job->program->name;
  emit_provenance(out, job->program, "!");
  fprintf(out, "module %.50s_model\n  implicit none\n  private :: choose\n\n", name);
  print_type(out, job->program);
  fputs("  ! lengths of the arrays of constants\n", out);
  if (!each_function(job, print_sizes)) return 0;
  fputc('\n', out);
  print_interfaces(job);
  fputs("contains\n\n", out);
  print_choose(out);
  if (!each_function(job, visit_function)) return 0;
  fprintf(out, "end module %.50s_model\n", name);
  return 1;
}
