// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine in Python behind the interface of generated code: the functions of its programs, its data, and a class.
#include <stdlib.h>
#include <string.h>

#include "emit/simulation.h"
#include "emit/writer.h"

typedef struct pythonMachine {
  FILE *out;
  const emitSimulation *simulation;
  const simulationParts *parts;
} pythonMachine;

//---- data ----------------------------------------------------------------------------------------

static void print_text(FILE *out, const char *text)
{
  fputc('"', out);
  for (const char *c = text ? text : ""; *c; c++) {
    if (strchr("\"\\", *c)) fputc('\\', out);
    fputc((unsigned char) *c < ' ' ? ' ' : *c, out);
  }
  fputc('"', out);
}


static void print_limit(FILE *out, double x)
{
  if (x - x == 0) {
    emit_number(out, &python_syntax.dialect, x);
  } else {
    fputs(x > 0 ? "math.inf" : "-math.inf", out);
  }
}


// name, unit, value, limits of each
static void print_entries(FILE *out, const char *list, const emitEntries *all)
{
  fprintf(out, "%s = [", list);
  for (int i = 0; i < all->n; i++) {
    const emitEntry *e = &all->entry[i];
    fputs("\n    (", out);
    print_text(out, e->name);
    fputs(", ", out);
    print_text(out, e->unit);
    fputs(", ", out);
    emit_number(out, &python_syntax.dialect, e->value);
    fputs(", ", out);
    print_limit(out, e->lower);
    fputs(", ", out);
    print_limit(out, e->upper);
    fputs("),", out);
  }
  fputs("]\n", out);
}


static void print_texts(FILE *out, int n, const char *const *text)
{
  fputc('[', out);
  for (int i = 0; i < n; i++) {
    fputs(i ? ", " : "", out);
    print_text(out, text[i]);
  }
  fputc(']', out);
}


static void print_labels(FILE *out, const char *list, const eqnFunction *f)
{
  const eqnVector *v = f ? &f->output[f->noutput - 1] : NULL;
  fprintf(out, "%s = ", list);
  print_texts(out, v && v->label ? v->n : 0, v ? v->label : NULL);
  fputc('\n', out);
}


static void print_data(const pythonMachine *p)
{
  FILE *out = p->out;
  const emitSimulation *s = p->simulation;
  const eqnProgram *first = &p->parts->part[0].program;
  const eqnFunction *f = simulation_function(first, "accelerate");
  fprintf(out, "NQ, NV, NS = %d, %d, %d\nBEGIN = ", f->input[1].n, f->input[2].n,
          simulation_state_count(first));
  emit_number(out, &python_syntax.dialect, s->from);
  fputs("\nQUATERNIONS = [", out);
  for (int i = -1, k = 0; (i = simulation_next_quaternion(&f->input[1], i + 1)) >= 0; k++) {
    fprintf(out, "%s%d", k ? ", " : "", i);
  }
  fputs("]\n\n# name, unit, value at the beginning, lower and upper limit\n", out);
  print_entries(out, "positions", &s->positions);
  print_entries(out, "velocities", &s->velocities);
  print_entries(out, "states", &s->states);
  print_entries(out, "inputs", &s->inputs);
  print_entries(out, "outputs_list", &s->outputs);
  print_labels(out, "events_list", simulation_function(first, "switches"));
  print_labels(out, "actuators", simulation_function(first, "machine_inverse"));
  fputc('\n', out);
}

//---- choices -------------------------------------------------------------------------------------

// name(m.p, m._c["name_1"], [t], q, v, ...)
static void print_call(const pythonMachine *p, int i, const eqnFunction *f)
{
  static const char *const place[][2] = {{"state", "s"},    {"u", "m.u"}, {"tau", "m.tau"},
                                         {"load", "m.tau"}, {"a", "a"},   {"run", "run"}};
  fprintf(p->out, "%s_%d(m.p, m._c[\"%s_%d\"], [t], q, v", f->name, i + 1, f->name, i + 1);
  for (int k = 3; k < f->ninput; k++) {
    const char *own = f->input[k].name;
    for (size_t j = 0; j < sizeof place / sizeof *place; j++) {
      if (strcmp(place[j][0], own) == 0) own = place[j][1];
    }
    fprintf(p->out, ", %s", own);
  }
  fputs(", m.user)\n", p->out);
}


static void print_rates(const pythonMachine *p, int i)
{
  const eqnFunction *f = simulation_function(&p->parts->part[i].program, "accelerate");
  fprintf(p->out, "def _rates_%d(m, t, q, v, s):\n    state_rate, power = [], [0.0]\n    ", i + 1);
  for (int k = 0; k < f->noutput; k++) fprintf(p->out, "%s%s", k ? ", " : "", f->output[k].name);
  fputs(" = ", p->out);
  print_call(p, i, f);
  fputs("    return a, state_rate, power\n\n\n", p->out);
}


static void print_function(const pythonMachine *p, int i, const char *own, const char *more,
                           const char *name)
{
  const eqnFunction *f = simulation_function(&p->parts->part[i].program, name);
  if (!f) return;
  fprintf(p->out, "def _%s_%d(m, t, q, v, s%s):\n", own, i + 1, more);
  if (simulation_input(f, "run")) {
    fputs("    run = [m._work, m._energy, m._length, 0.0, 0.0, 0.0, 0.0]\n", p->out);
  }
  fputs("    return ", p->out);
  print_call(p, i, f);
  fputs("\n\n", p->out);
}


static void print_choice(const pythonMachine *p, int i)
{
  const emitSimulation *s = p->simulation;
  const eqnFunction *strain = simulation_function(&p->parts->part[i].program, "strain");
  print_rates(p, i);
  print_function(p, i, "show", "", "outputs");
  print_function(p, i, "cross", "", "switches");
  print_function(p, i, "inverse", ", a", "machine_inverse");
  if (!strain) return;
  fprintf(p->out,
          "def _weakness_%d(m, q):\n    x = strain_%d(m.p, m._c[\"strain_%d\"], q, m.user)\n"
          "    made = [",
          i + 1, i + 1, i + 1);
  const int n = strain->output[0].n;
  for (int k = 0; k < n; k++) {
    fputs(k ? ", " : "", p->out);
    emit_number(p->out, &python_syntax.dialect, s->strain[i][k]);
  }
  fprintf(p->out, "]\n    return sum(_over(x[i], made[i]) for i in range(%d))/%d\n\n\n", n, n);
}


// functions by choice; the constants that all of them need; joints of the loops that they close
static void print_tables(const pythonMachine *p)
{
  static const char *const own[][2] = {{"rates", "accelerate"},
                                       {"show", "outputs"},
                                       {"cross", "switches"},
                                       {"inverse", "machine_inverse"},
                                       {"weakness", "strain"}};
  FILE *out = p->out;
  fputs("_choices = [", out);
  for (int i = 0; i < p->parts->n; i++) {
    fputs("\n    {", out);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
      if (!simulation_function(&p->parts->part[i].program, own[k][1])) continue;
      fprintf(out, "%s\"%s\": _%s_%d", k ? ", " : "", own[k][0], own[k][0], i + 1);
    }
    fputs("},", out);
  }
  fputs("]\n_functions = [", out);
  for (int i = 0, n = 0; i < p->parts->n; i++) {
    const eqnProgram *program = &p->parts->part[i].program;
    for (int k = 0; k < program->nfunction; k++) {
      fprintf(out, "%s\"%s_%d\"", n++ ? ", " : "", program->function[k].name, i + 1);
    }
  }
  fputs("]\n_loops = [", out);
  for (int i = 0; i < p->parts->n; i++) {
    const eqnFunction *f = simulation_function(&p->parts->part[i].program, "accelerate");
    int blocks = 0;
    for (int k = 0; k < f->nstage; k++) blocks += f->stage[k].block > 0;
    fputs(i ? ", " : "", out);
    print_texts(out, blocks, p->simulation->loops[i]);
  }
  fputs("]\n\n\n", out);
}

//---- the file ------------------------------------------------------------------------------------

static int print_file(const pythonMachine *p)
{
  const eqnProgram *first = &p->parts->part[0].program;
  const eqnFunction *outputs = simulation_function(first, "outputs");
  const int has_run = simulation_input(outputs, "run") != NULL;
  const int has_switches = simulation_function(first, "switches") != NULL;
  const templateCondition where[] = {
      {"[run]", has_run},
      {"[switches]", has_switches},
      {"[no switches]", !has_switches},
      {"[inverse]", simulation_function(first, "machine_inverse") != NULL},
      {0}};
  if (!python_syntax.begin(&p->parts->part[0].job)) return 0;
  for (int i = 0; i < p->parts->n; i++) {
    const emitJob *job = &p->parts->part[i].job;
    if (!job_each_function(job, p->out, &python_syntax, writer_function)) return 0;
  }
  print_data(p);
  for (int i = 0; i < p->parts->n; i++) print_choice(p, i);
  print_tables(p);
  const int has_states = simulation_state_count(first) > 0,
            has_inputs = p->simulation->inputs.n > 0;
  const char *more =
      has_states ? (has_inputs ? "self.s, self.u, " : "self.s, ") : (has_inputs ? "self.u, " : "");
  template_print(p->out, machine_py_text, "class",
                 &(templateValues){.name = first->name, .word = more, .conditions = where});
  return 1;
}


artStatus emit_machine_python(FILE *out, const emitSimulation *s, const emitOptions *options,
                              artError *error)
{
  const int has_run =
      simulation_input(simulation_function(s->program[0], "outputs"), "run") != NULL;
  const simulationNeed needs[] = {{"accelerate", 1, 0},
                                  {"outputs", 1, 0},
                                  {"strain", 0, 0},
                                  {"switches", 0, 0},
                                  {"machine_inverse", 0, 0},
                                  {"position_rates", 1, 1},
                                  {has_run ? "machine_energy" : NULL, 1, 1},
                                  {0}};
  if (s->ncorner > 0 || s->is_bounded || s->nclock > 0) {
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "machines in Python do not stop at instants where %s; write this one in C",
                     s->nclock > 0 ? "samplers take new values" : "rates of drives jump");
  }
  simulationParts parts;
  artStatus status = simulation_open(&parts, out, s, needs, options, EMIT_SINGLE, error);
  for (int i = 0; i < parts.n && status == ART_OK; i++) {
    parts.part[i].job.suffix = arena_format(&parts.arena, "_%d", i + 1);
    if (!parts.part[i].job.suffix) status = base_no_memory(error);
  }
  const pythonMachine machine = {out, s, &parts};
  if (status == ART_OK && !print_file(&machine)) status = base_no_memory(error);
  return simulation_close(&parts, status, error);
}
