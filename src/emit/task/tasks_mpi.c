// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tasks as ranks of MPI: rank 0 calls, the others serve. Inputs and messages are sent from rank to rank
// without waiting, and receives were posted when the evaluation began, so nobody can block another.
#include "emit/task/tasks.h"
#include "emit/write/template.h"


//---- messages ------------------------------------------------------------------------------------

// places of each message, and a table of them
static void print_mails(tasksWriter *x)
{
  FILE *out = x->w.out;
  const splitPlan *p = x->plan;
  const char *name = x->w.program->name, *f = x->w.function->name;
  int *place = arena_alloc(&x->w.arena, (size_t) x->nplace + 1, sizeof *place), total = 0;
  for (int k = 0; k < p->nmessage; k++) {
    const int n = tasks_message_places(x, k, x->nplace, place);
    fprintf(out, "static const int %s_%s_mail_%d[] = {", name, f, k);
    for (int i = 0; i < n; i++) fprintf(out, "%s%d", i ? i % 16 ? ", " : ",\n    " : "", place[i]);
    fputs(n > 0 ? "};\n" : "0};\n", out);
  }
  fprintf(out, "enum { %s_%s_messages = %d };\nstatic const %s_%s_mail %s_%s_mails[] = {\n", name,
          f, p->nmessage, name, f, name, f);
  for (int k = 0; k < p->nmessage; k++) {
    const int n = tasks_message_places(x, k, 0, NULL);
    fprintf(out, "    {%d, %d, %d, %d, %s_%s_mail_%d},\n", p->message[k].from, p->message[k].to, n,
            total, name, f, k);
    total += n + 1;
  }
  if (p->nmessage == 0) fputs("    {0, 0, 0, 0, NULL},\n", out);
  fprintf(out,
          "};\nstatic double %s_%s_buffer[%d];\nstatic MPI_Request %s_%s_request[%d];\n"
          "static double %s_%s_s[%d];\n\n\n",
          name, f, total + 1, name, f, p->nmessage + 1, name, f, x->nplace + 1);
}


static void print_mpi_send(tasksWriter *x, int task, int message)
{
  (void) task;
  fprintf(x->w.out, "  %s_send(%d, s, failed);\n", x->w.name, message);
}


static void print_mpi_receive(tasksWriter *x, int task, int message)
{
  (void) task;
  fprintf(x->w.out, "  %s_receive(%d, s, &failed);\n", x->w.name, message);
}

//---- tasks ---------------------------------------------------------------------------------------

// where an input begins in the message, after the command
static int input_begin(const eqnFunction *f, int k)
{
  ART_ASSERT(k >= 0 && k <= f->ninput);
  int n = 1;
  for (int i = 0; i < k; i++) n += f->input[i].n;
  return n;
}


static void print_evaluate(tasksWriter *x)
{
  FILE *out = x->w.out;
  const eqnFunction *f = x->w.function;
  const char *name = x->w.program->name;
  fprintf(
      out,
      "enum { %s_%s_inputs = %d };\nstatic double %s_%s_in[%s_%s_inputs]; // a command, and the "
      "inputs\n\n\n",
      name, f->name, input_begin(f, f->ninput), name, f->name, name, f->name);
  fprintf(out,
          "// the task of a rank; 1 when the function fails\n"
          "static int %s_%s_evaluate(int rank, const %s_parameters *p, const %s_%s_constants *c,\n"
          "    void *user)\n{\n  const double *in = %s_%s_in;\n  int failed = 0;\n"
          "  %s_%s_expect(rank);\n  switch (rank) {\n",
          name, f->name, name, name, f->name, name, f->name, name, f->name);
  for (int t = 0; t < x->plan->tasks; t++) {
    fprintf(out, "  case %d:\n    failed = %s_%s_task_%d(p, c", t, name, f->name, t);
    for (int k = 0; k < f->ninput; k++) fprintf(out, ", in + %d", input_begin(f, k));
    fputs(", user);\n    break;\n", out);
  }
  fprintf(out, "  }\n  %s_%s_settle(rank);\n  return failed;\n}\n\n\n", name, f->name);
}


static void print_mpi_head(tasksWriter *x)
{
  fprintf(x->w.statement, "int %s_%s_by_ranks(", x->w.program->name, x->w.function->name);
  tasks_print_signature(x);
  fputc(')', x->w.statement);
}


static void print_mpi_call(tasksWriter *x)
{
  FILE *out = x->w.out;
  const eqnFunction *f = x->w.function;
  const char *name = x->w.program->name;
  print_mpi_head(x);
  writer_end(&x->w, 0);
  fprintf(out,
          "{\n  int ranks;\n  double *in = %s_%s_in;\n"
          "  MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n  if (ranks < %d) return %s_%s(p, c",
          name, f->name, x->plan->tasks, name, f->name);
  emit_inputs(out, f, ", ");
  emit_outputs(out, f, ", ");
  fputs(", user);\n  in[0] = 1;\n", out);
  for (int k = 0; k < f->ninput; k++) {
    fprintf(out, "  memcpy(in + %d, %s, %d*sizeof(double));\n", input_begin(f, k), f->input[k].name,
            f->input[k].n);
  }
  fprintf(out,
          "  %s_%s_tell(ranks);\n"
          "  if (%s_%s_evaluate(0, p, c, user)) return 1;\n  %s_%s_results(p, c",
          name, f->name, name, f->name, name, f->name);
  emit_inputs(out, f, ", ");
  emit_outputs(out, f, ", ");
  fprintf(out, ", %s_%s_s);\n  return 0;\n}\n\n\n", name, f->name);
}


void tasks_declare_mpi(tasksWriter *x)
{
  tasks_print(x, mpi_text, "declared", x->plan->nmessage + 1);
  print_mpi_head(x);
  writer_say(&x->w, 0, ";");
}


void tasks_define_mpi(tasksWriter *x)
{
  tasks_print(x, mpi_text, "mail", 0);
  print_mails(x);
  tasks_print(x, mpi_text, "post", 0);
  tasks_print_parts(x);
  for (int t = 0; t < x->plan->tasks; t++) {
    static const tasksTalk talk = {print_mpi_send, print_mpi_receive};
    FILE *out = x->w.out;
    const eqnFunction *f = x->w.function;
    const char *name = x->w.program->name;
    fprintf(out, "static int %s_%s_task_%d(const %s_parameters *p, const %s_%s_constants *c", name,
            f->name, t, name, name, f->name);
    emit_inputs(out, f, ", const double *");
    fputs(", void *user)\n{\n", out);
    fprintf(out, "  double *s = %s_%s_s;\n  int failed = 0;\n", name, f->name);
    tasks_print_steps(x, t, &talk);
    fputs("  (void) p;\n  (void) c;\n  (void) s;\n  (void) user;\n", out);
    for (int k = 0; k < f->ninput; k++) fprintf(out, "  (void) %s;\n", f->input[k].name);
    fputs("  return failed;\n}\n\n\n", out);
  }
  print_evaluate(x);
  tasks_print(x, mpi_text, "serving", 0);
  print_mpi_call(x);
}
