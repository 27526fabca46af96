// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A complete simulator in one C file: the equations, two integrators, a table on standard output.
#include <math.h>
#include <string.h>

#include "emit/machine/machine.h"

//---- data of the program -------------------------------------------------------------------------

static void print_study(FILE *out, const emitSimulation *s, const eqnVector *y)
{
  const double standard[5] = {s->until, s->step, s->interval, s->tolerance, s->is_dopri5};
  fputs("// until, step, interval, tolerance, dopri5 or not, unless the command line says "
        "otherwise\n",
        out);
  simulation_print_numbers(out, "standard", 1, (const int[]){5}, (const double *const[]){standard});
  fputc('\n', out);

  // the outputs of the model as the head of a table (RFC 4180), in a string of C
  fputs("static const char columns[] =\n    \"time [s]\"", out);
  for (int i = 0; i < y->n; i++) {
    const int is_quoted = strpbrk(y->label[i], "\",\r\n") != NULL;
    fprintf(out, "\n    \",%s", is_quoted ? "\\\"" : "");
    for (const char *c = y->label[i]; *c; c++) {
      if (*c == '"') fputs("\\\"", out);
      if (strchr("\"\\?", *c)) fputc('\\', out);
      fputc(*c, out);
    }
    fprintf(out, "%s\"", is_quoted ? "\\\"" : "");
  }
  fputs(";\n\n", out);
}


static void print_simulator_section(const machineText *t, const char *section)
{
  template_print(t->out, simulator_text, section,
                 &(templateValues){.name = t->name, .conditions = t->where});
}

//---- the file ------------------------------------------------------------------------------------

static int print_simulator_text(const machineText *t)
{
  FILE *out = t->out;
  const emitSimulation *s = t->simulation;
  simulationPart *part = t->parts->part;
  const int has_team = s->tasks > 1;
  emit_provenance(out, &part->program, "//");
  fprintf(
      out,
      "//\n// A simulator: compile with  cc %sFILE.c -lm%s ; writes a table of the outputs of the "
      "model to\n// standard output.\n",
      has_team ? "-std=c11 " : "", has_team ? " -lpthread" : "");
  machine_print(t, "head", NULL);
  if (!machine_declare(t)) return 0;
  for (int i = 0; i < t->parts->n; i++) {
    if (!job_declare_c(&part[i].job)) return 0;
    if (!has_team) continue;
    if (!tasks_attempt(&part[i].tasks, tasks_declare_threads)) return 0;
    fprintf(out, "static double %s_accelerate_clock(void);\n\n", part[i].program.name);
  }
  fputs("//---- the machine -----------------------------------------------------------------\n\n",
        out);
  print_study(out, s, &eqn_function(&part->program, EQN_OUTPUTS)->output[0]);
  if (has_team) {
    fprintf(
        out,
        "enum { THREADS = %d };\nstatic int threads; // 0: those that are quicker, 1: one, else "
        "all of them\n\n\n",
        s->tasks);
  }
  job_define_c_defaults(&part->job, t->name);
  if (!machine_define(t)) return 0;
  fputs("//---- integration "
        "-----------------------------------------------------------------\n\n",
        out);
  emit_chapter(out, runge_kutta_text, "weights of Dormand and Prince", EMIT_INLINE);
  emit_chapter(out, runge_kutta_text, "the method of Dormand and Prince", EMIT_INLINE);
  print_simulator_section(t, "steps");
  machine_print_adaptive_steps(t, EMIT_INLINE);
  print_simulator_section(t, "smooth motion");
  machine_print_advance(t, "");
  print_simulator_section(t, "run");
  fputs("\n\n//---- equations of motion "
        "---------------------------------------------------------\n\n",
        out);
  for (int i = 0; i < t->parts->n; i++) {
    if (!job_define_c(&part[i].job)) return 0;
    if (has_team && !tasks_attempt(&part[i].tasks, tasks_define_threads)) return 0;
  }
  return 1;
}


artStatus emit_simulator(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                         int *tasks, artError *error)
{
  const int has_tasks = simulation->tasks > 1;

  // a step of 0 is one that a run would choose
  emitSimulation settled = *simulation;
  if (!(settled.step > 0)) settled.step = fmin(1e-3, settled.interval);

  machineText text;
  simulationParts parts;
  emitOptions own = *options;
  own.names_loops = !has_tasks;
  artStatus status = machine_open(&text, &parts, out, &settled, 1, simulation->tasks, &own, error);

  // as many threads as the choices ask for at most
  int made = 1;
  if (status == ART_OK && has_tasks) {
    const splitChoice split = split_default_choice(simulation->tasks);
    settled.tasks = 1;
    for (int i = 0; i < parts.n && made; i++) {
      simulationPart *part = &parts.part[i];
      made = tasks_open(&part->tasks, &part->job, part->job.list[0], &split, out);
      if (made && part->tasks.plan->tasks > settled.tasks) settled.tasks = part->tasks.plan->tasks;
    }
    text.tasks = settled.tasks;
    text.where[MACHINE_TEAM].holds = settled.tasks > 1;
  }
  if (status == ART_OK && (!made || !print_simulator_text(&text))) status = base_no_memory(error);
  *tasks = settled.tasks;
  for (int i = 0; i < parts.n && has_tasks; i++) tasks_close(&parts.part[i].tasks);
  return simulation_close(&parts, status, error);
}
