// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A complete simulator in one C file: the equations, two integrators, a table on standard output.
#include <math.h>
#include <string.h>

#include "emit/simulation.h"
#include "emit/writer.h"

//---- data of the model ---------------------------------------------------------------------------

static void print_model(FILE *out, const eqnProgram *p, const emitSimulation *s)
{
  const eqnFunction *f = simulation_function(p, "accelerate");
  const eqnVector *y = &simulation_function(p, "outputs")->output[0];
  const int nq = f->input[1].n, nv = f->input[2].n, ns = simulation_slip_count(p);
  const double standard[5] = {s->until, s->step, s->interval, s->tolerance, s->is_dopri5};
  fprintf(out,
          "enum { NQ = %d, NV = %d, N = NQ + NV + %d + 1, OUTPUTS = %d, CHOICES = %d, IS_BOUNDED = "
          "%d };\n\n",
          nq, nv, ns, y->n, s->nprogram, s->is_bounded);
  fputs("// the state at the beginning, and when that is\n", out);
  simulation_print_numbers(out, "initial", 3, (const int[]){nq, nv, ns},
                           (const double *const[]){s->q, s->v, s->slip});
  fputs("static const double begin = ", out);
  emit_number(out, &c_syntax.dialect, s->from);
  fputs(";\n\n// until, step, interval, tolerance, dopri5 or not, unless the command line says "
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
  simulation_print_quaternions(out, "", &f->input[1]);
  if (s->ncorner > 0) {
    simulation_print_corners(out, "", s);
    fputs("// added to the accelerations of drives\nstatic double blows[N_DRIVE];\n\n", out);
  }
}


//---- choices of independent coordinates ----------------------------------------------------------

// a piece of the template; @ is the name of a program, ~ a word
static void print(FILE *out, const char *section, const emitSimulation *s, const char *name,
                  const char *word)
{
  const templateCondition where[] = {{"[team]", s->tasks > 1}, {0}};
  template_print(out, simulator_text, section,
                 &(templateValues){.name = name, .word = word, .conditions = where});
}


// how far a choice is from where it was made, and which loop strains it most
static void print_strain(FILE *out, const emitSimulation *s, const char *name, int number, int n)
{
  char text[300];
  snprintf(text, sizeof text, "%.250s_made", name);
  simulation_print_numbers(out, text, 1, &n, &s->strain[number]);
  fprintf(out, "\nstatic const char *const %s_joints[%d] = {", name, n);
  for (int k = 0; k < n; k++) fprintf(out, "%s\n    \"%s\"", k ? "," : "", s->joints[number][k]);
  fputs("};\n\n", out);
  snprintf(text, sizeof text, "%d", n);
  print(out, "strain", s, name, text);
}


static void print_choices(FILE *out, int n, const simulationPart *part, const emitSimulation *s)
{
  for (int i = 0; i < n; i++) {
    const eqnProgram *p = &part[i].program;
    const char *name = p->name;
    const eqnFunction *outputs = simulation_function(p, "outputs"),
                      *strain = simulation_function(p, "strain");
    const int has_slips = simulation_slip_count(p) > 0, has_blows = s->ncorner > 0;
    const int has_run = outputs->ninput > 3 + has_slips + has_blows;
    const char *slips = has_slips ? "y + NQ + NV, " : "", *blows = has_blows ? "blows, " : "";
    char arguments[80];
    snprintf(arguments, sizeof arguments, "%s%sa,%s", slips, blows,
             has_slips ? " rate + NQ + NV," : "");
    print(out, "choice", s, name, NULL);
    print(out, s->tasks > 1 ? "team rates" : "rates", s, name, arguments);
    snprintf(arguments, sizeof arguments, "%s%s%s", slips, blows, has_run ? "run, " : "");
    print(out, "show", s, name, arguments);
    if (strain) print_strain(out, s, name, i, strain->output[0].n);
  }
  for (int i = 0; i < n; i++) {
    const char *name = part[i].program.name;
    fprintf(out, "static %s_choice choice_%d;\n", name, i);
  }
  fputc('\n', out);
  print(out, "choice type", s, NULL, NULL);
  for (int i = 0; i < n; i++) {
    const char *name = part[i].program.name;
    const int has_strain = simulation_function(&part[i].program, "strain") != NULL;
    fprintf(out, "    {&choice_%d, %s_open, %s_rates, %s_show, %s%s},\n", i, name, name, name,
            has_strain ? name : "NULL", has_strain ? "_weakness" : "");
  }
  fputs("};\n\n\n", out);
}


//---- the file ------------------------------------------------------------------------------------

static int print_simulator(FILE *out, int n, simulationPart *part, const emitSimulation *s)
{
  const eqnProgram *p = &part[0].program;
  const int has_team = s->tasks > 1;
  const char *slips = simulation_slip_count(p) > 0 ? "y + NQ + NV, " : "";
  emit_provenance(out, p, "//");
  fprintf(
      out,
      "//\n// A simulator: compile with  cc %sFILE.c -lm%s ; writes a table of the outputs of the "
      "model to\n// standard output.\n",
      has_team ? "-std=c11 " : "", has_team ? " -lpthread" : "");
  print(out, "head", s, NULL, NULL);
  for (int i = 0; i < n; i++) {
    if (!job_declare_c(&part[i].job)) return 0;
    if (!has_team) continue;
    tasks_declare_threads(&part[i].tasks);
    fprintf(out, "static double %s_accelerate_clock(void);\n\n", part[i].program.name);
  }
  fputs("//---- the machine -----------------------------------------------------------------\n\n",
        out);
  print_model(out, p, s);
  if (has_team) {
    fprintf(
        out,
        "enum { THREADS = %d };\nstatic int threads; // 0: those that are quicker, 1: one, else "
        "all of them\n\n\n",
        s->tasks);
  }
  print_choices(out, n, part, s);
  print(out, "machine", s, p->name, NULL);
  emit_lines(out, runge_kutta_text);
  fputs("\n", out);
  emit_lines(out, simulation_math_text);
  fputs("\n\n//---- integration "
        "-----------------------------------------------------------------\n\n",
        out);
  print(out, "steps", s, NULL, NULL);
  print(out, s->ncorner > 0 ? "jumping rates" : "smooth motion", s, p->name, slips);
  print(out, "run", s, p->name, slips);
  fputs("\n\n//---- equations of motion "
        "---------------------------------------------------------\n\n",
        out);
  for (int i = 0; i < n; i++) {
    if (!job_define_c(&part[i].job)) return 0;
    if (has_team && !tasks_define_threads(&part[i].tasks)) return 0;
  }
  return 1;
}


artStatus emit_simulator(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                         int *tasks, artError *error)
{
  static const simulationNeed needs[] = {{"accelerate", 1, 0},     {"outputs", 1, 0},
                                         {"position_rates", 1, 1}, {"machine_energy", 1, 1},
                                         {"strain", 0, 0},         {0}};
  const int has_tasks = simulation->tasks > 1;

  // a step of 0 is one that a run would choose
  emitSimulation settled = *simulation;
  if (!(settled.step > 0)) settled.step = fmin(1e-3, settled.interval);

  simulationParts parts;
  artStatus status = simulation_open(&parts, out, &settled, needs, options,
                                     has_tasks ? EMIT_SINGLE : EMIT_LOOPS, error);

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
  }
  if (status == ART_OK && (!made || !print_simulator(out, parts.n, parts.part, &settled))) {
    status = base_no_memory(error);
  }
  *tasks = settled.tasks;
  for (int i = 0; i < parts.n && has_tasks; i++) tasks_close(&parts.part[i].tasks);
  return simulation_close(&parts, status, error);
}
