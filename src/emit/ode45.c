// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A simulator in one file of MATLAB or Octave: the equations, their integration by ode45, a table and a plot.
//
// The state is x = (q, v, state, work), and every evaluation closes the loops and follows the drives first, as in the
// simulator in C. ode45 goes from one instant to the next at which prescribed rates jump, or at which other independent
// coordinates lead the machine better.
#include <string.h>

#include "emit/simulation.h"
#include "emit/writer.h"

// conditions of lines, in this order
enum { STATES, INPUTS, RUN, SEVERAL, SINGLE, BRANCHES, CORNERS, SIDES, CONDITIONS };

typedef struct matlabScript {
  const emitSimulation *simulation;
  const simulationParts *parts;
  const eqnVector *q, *v, *y;
  int states;
  templateCondition where[CONDITIONS + 1];
} matlabScript;

//---- data of the model ---------------------------------------------------------------------------

static void print(FILE *out, const matlabScript *s, const char *section)
{
  template_print(out, ode45_text, section, &(templateValues){.conditions = s->where});
}


// [a; b; c], by rows of `width`
static void print_matrix(FILE *out, int n, int width, const double *x)
{
  fputc('[', out);
  for (int i = 0; i < n; i++) {
    if (i > 0) fputs(i % width == 0 ? ";" : ", ", out);
    if (i > 0 && i % width == 0) fputs(i % (4 * width) == 0 ? " ...\n    " : " ", out);
    emit_number(out, &matlab_syntax.dialect, x[i]);
  }
  fputs("]", out);
}


static void print_study(FILE *out, const matlabScript *s)
{
  const emitSimulation *x = s->simulation;
  const struct {
    const char *name;
    double value;
  } entry[5] = {{"from", x->from},
                {"final", x->until},
                {"known", x->known_until}, // drives are
                {"interval", x->interval},
                {"tolerance", x->tolerance}};
  for (int i = 0; i < 5; i++) {
    fprintf(out, "  study.%s = ", entry[i].name);
    emit_number(out, &matlab_syntax.dialect, entry[i].value);
    fputs(";\n", out);
  }
  fprintf(out, "  study.outputs = %d;\n", s->y->n);
  if (x->ncorner > 0) {
    fputs("  % instants at which prescribed rates jump, and by how much\n  study.corners = ", out);
    print_matrix(out, x->ncorner * (1 + x->ndrive), 1 + x->ndrive, x->corner);
    fputs(";\n", out);
  }
}


static void print_head(FILE *out, const matlabScript *s)
{
  const eqnProgram *p = &s->parts->part[0].program;
  fprintf(out, "function [time, y, names] = %s(final, tolerance, user)\n", s->simulation->name);
  emit_provenance(out, p, "%");
  template_print(out, ode45_text, "about", &(templateValues){.name = s->simulation->name});
  job_list_matlab_externals(&s->parts->part[0].job);
  print_study(out, s);
  fputs("  names = {", out);
  for (int i = 0; i < s->y->n; i++) {
    fputs(i > 0 ? ", ...\n    '" : " ...\n    '", out);
    for (const char *c = s->y->label[i]; *c; c++) {
      if (*c == '\'') fputc('\'', out);
      fputc((unsigned char) *c < ' ' ? ' ' : *c, out);
    }
    fputc('\'', out);
  }

  // the state at the beginning
  const double *const state[] = {s->simulation->q, s->simulation->v, s->simulation->state};
  const int length[] = {s->q->n, s->v->n, s->states};
  fputs("};\n  x = [", out);
  for (int k = 0; k < 2 + (s->states > 0); k++) {
    if (k > 0) fputs("; ...\n    ", out);
    print_matrix(out, length[k], 1, state[k]);
  }
  fputs("];\n", out);
  print(out, s, "reading");
}


// all constants of the functions
static void print_machine(FILE *out, const matlabScript *s)
{
  fprintf(
      out,
      "%% Constants of the machine, and what follows from them alone.\n"
      "function m = machine(user)\n  m.user = user;\n  m.positions = %d;\n  m.velocities = %d;\n"
      "  m.states = %d;\n  m.drives = %d;\n  m.choices = %d;\n",
      s->q->n, s->v->n, s->states, s->simulation->ncorner > 0 ? s->simulation->ndrive : 0,
      s->parts->n);
  if (s->simulation->inputs.n > 0) {
    fputs("  m.u = [", out);
    for (int i = 0; i < s->simulation->inputs.n; i++) {
      fputs(i > 0 ? "; " : "", out);
      emit_number(out, &matlab_syntax.dialect, s->simulation->inputs.entry[i].value);
    }
    fputs("];\n", out);
  }
  for (int i = 0; i < s->parts->n; i++) {
    const emitJob *job = &s->parts->part[i].job;
    fprintf(out, "  m.p%d = parameters%s();\n", i + 1, job->suffix);
    for (int k = 0; k < job->program->nfunction; k++) {
      const char *f = job->program->function[k].name;
      const int is_common = strcmp(f, "position_rates") == 0 || strcmp(f, "machine_energy") == 0;
      fprintf(out, "  m.%s", f);
      if (!is_common) fprintf(out, "%d", i + 1);
      fprintf(out, " = %s%s_prepare(m.p%d);\n", f, job->suffix, i + 1);
    }
  }
  fputs("end\n\n\n", out);
}


// [results, vectors that are written] = f(p, c, vectors, user) of each choice
static void print_calls(FILE *out, const matlabScript *s, const char *name)
{
  fputs("  switch now\n", out);
  for (int i = 0; i < s->parts->n; i++) {
    const emitJob *job = &s->parts->part[i].job;
    const eqnFunction *f = simulation_function(job->program, name);
    fprintf(out, "  case %d\n    [", i + 1);
    for (int k = 0; k < f->noutput; k++) fprintf(out, "%s%s", k ? ", " : "", f->output[k].name);
    for (int k = 0; k < f->ninput; k++) {
      if (emit_is_written(f, &f->input[k])) fprintf(out, ", %s", f->input[k].name);
    }
    fprintf(out, "] = %s%s(m.p%d, m.%s%d", name, job->suffix, i + 1, name, i + 1);
    emit_inputs(out, f, ", ");
    fputs(", m.user);\n", out);
  }
  fputs("  end\n", out);
}


// mean strain of each choice, of what it was where that was made
static void print_weaknesses(FILE *out, const matlabScript *s)
{
  print(out, s, "choosing");
  for (int i = 0; i < s->parts->n; i++) {
    const emitJob *job = &s->parts->part[i].job;
    const int n = simulation_function(job->program, "strain")->output[0].n;
    fprintf(out, "  w(%d) = mean(strain%s(m.p%d, m.strain%d, q, m.user)./", i + 1, job->suffix,
            i + 1, i + 1);
    print_matrix(out, n, 1, s->simulation->strain[i]);
    fputs(");\n", out);
  }
  fputs("end\n\n\n", out);
}


static int print_file(FILE *out, const matlabScript *s)
{
  print_head(out, s);
  print(out, s, "integration");
  print_machine(out, s);
  print(out, s, "rates");
  print_calls(out, s, "accelerate");
  print(out, s, "outputs");
  print_calls(out, s, "outputs");
  fputs("end\n\n\n% quaternions of unit length\nfunction q = normalised(q)\n", out);
  for (int i = -1; (i = simulation_next_quaternion(s->q, i + 1)) >= 0;) {
    fprintf(out, "  q(%d:%d,:) = q(%d:%d,:)./sqrt(sum(q(%d:%d,:).^2, 1));\n", i + 1, i + 4, i + 1,
            i + 4, i + 1, i + 4);
  }
  fputs("end\n\n\n", out);
  if (s->where[SEVERAL].holds) print_weaknesses(out, s);
  if (s->where[CORNERS].holds) print(out, s, "jumping rates");
  if (s->where[RUN].holds) print(out, s, "energies");
  for (int i = 0; i < s->parts->n; i++) {
    if (!job_define_matlab(&s->parts->part[i].job)) return 0;
  }
  job_define_matlab_helpers(&s->parts->part[0].job);
  return 1;
}

//---- the file ------------------------------------------------------------------------------------

static matlabScript script_of(const simulationParts *parts, const emitSimulation *s)
{
  const eqnProgram *p = &parts->part[0].program;
  const eqnFunction *f = simulation_function(p, "accelerate");
  const eqnFunction *outputs = simulation_function(p, "outputs");
  matlabScript out = {.simulation = s, .parts = parts, .q = &f->input[1], .v = &f->input[2]};
  out.y = &outputs->output[0];
  out.states = simulation_state_count(p);
  const templateCondition where[CONDITIONS] = {
      [STATES] = {"[states]", out.states > 0},
      [INPUTS] = {"[inputs]", s->inputs.n > 0},
      [RUN] = {"[run]", eqn_input(outputs, "run") != NULL},
      [SEVERAL] = {"[several]", parts->n > 1},
      [SINGLE] = {"[single]", parts->n == 1},
      [BRANCHES] = {"[branches]", s->is_switched},
      [CORNERS] = {"[corners]", s->ncorner > 0},
      [SIDES] = {"[sides]", s->is_switched || s->ncorner > 0},
  };
  memcpy(out.where, where, sizeof where);
  return out;
}


artStatus emit_ode45(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                     artError *error)
{
  const int has_run =
      eqn_input(simulation_function(simulation->program[0], "outputs"), "run") != NULL;
  simulationNeed needs[6] = {{"accelerate", 1, 0}, {"outputs", 1, 0}, {"position_rates", 1, 1}};
  int n = 3;
  if (simulation->nprogram > 1) needs[n++] = (simulationNeed){"strain", 1, 0};
  if (has_run) needs[n++] = (simulationNeed){"machine_energy", 1, 1};
  simulationParts parts;
  artStatus status = simulation_open(&parts, out, simulation, needs, options, EMIT_SINGLE, error);
  for (int i = 1; i < parts.n && status == ART_OK; i++) {
    parts.part[i].job.suffix = arena_format(&parts.arena, "_%d", i + 1);
    if (!parts.part[i].job.suffix) status = base_no_memory(error);
  }
  if (status == ART_OK) {
    const matlabScript s = script_of(&parts, simulation);
    if (!print_file(out, &s)) status = base_no_memory(error);
  }
  return simulation_close(&parts, status, error);
}
