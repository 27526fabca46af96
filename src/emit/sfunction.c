// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A block of Simulink in one C file: the equations, and around them a C S-function of level 2.
//
// Its continuous states are all coordinates, x = (q, v, state, work), and every evaluation closes the loops and
// follows the drives on a copy of them first: so a choice of independent coordinates can be left for another, the
// start of Newton's method is itself a state, and steps that a solver takes back leave nothing behind. After a step
// the states are put where the copy has come to (mdlProjection).
#include <string.h>

#include "emit/simulation.h"

// conditions of lines, in this order
enum {
  STATES,
  INPUTS,
  NO_INPUTS,
  LOOPS,
  RUN,
  BOUND,
  SWITCHES,
  DIRECT,
  INDIRECT,
  BRANCHES,
  CORNERS,
  SIDES,
  CONDITIONS
};

typedef struct sfunctionBlock {
  const emitSimulation *simulation;
  const eqnProgram *program; // that of the first choice
  const eqnVector *q, *v, *tau, *y;
  int states, crossings;
  templateCondition where[CONDITIONS + 1];
} sfunctionBlock;

//---- data of the model ---------------------------------------------------------------------------

static void print_piece(FILE *out, const sfunctionBlock *b, const char *section, const char *name,
                        const char *word)
{
  template_print(out, sfunction_text, section,
                 &(templateValues){.name = name, .word = word, .conditions = b->where});
}


static void print(FILE *out, const sfunctionBlock *b, const char *section)
{
  print_piece(out, b, section, b->program->name, b->simulation->name);
}


// the elements of a port, by number as in Simulink
static void print_port(FILE *out, const char *port, const eqnVector *v)
{
  char text[500];
  fputs("//\n", out);
  snprintf(text, sizeof text, "%s, %d numbers: %s.", port, v->n, v->what);
  emit_comment(out, "//", 0, text);
  for (int i = 0; i < v->n; i++) {
    snprintf(text, sizeof text, "  %d  %.400s", i + 1, v->label[i]);
    emit_comment(out, "//", 0, text);
  }
}


static void print_head(FILE *out, const sfunctionBlock *b)
{
  const char *name = b->simulation->name;
  emit_provenance(out, b->program, "//");
  char text[800];
  fprintf(out,
          "//\n// A C S-function of level 2 for Simulink. In MATLAB\n"
          "//   mex CFLAGS='$CFLAGS -std=c11' %s.c\n",
          name);
  snprintf(text, sizeof text,
           "makes it; a block S-Function with the name %.80s shows it. The parameter of the block "
           "may stay empty, or be a vector of the %d constants of %.200s_parameters below, in "
           "their order.",
           name, b->program->parameter.n, b->program->name);
  emit_comment(out, "//", 0, text);
  print_port(out, "Input 1", b->tau);
  const eqnVector *u = eqn_input(simulation_function(b->program, "accelerate"), "u");
  if (u) print_port(out, "Input 2", u);
  print_port(out, "Output 1", b->q);
  print_port(out, "Output 2", b->v);
  if (b->y->n > 0) print_port(out, "Output 3", b->y);
  fputc('\n', out);
  print(out, b, "head");
}


static void print_model(FILE *out, const sfunctionBlock *b)
{
  const emitSimulation *s = b->simulation;
  const int nq = b->q->n, nv = b->v->n, work = b->where[RUN].holds;
  const double limits[2] = {s->from, s->known_until}, none = 0;
  fprintf(out,
          "enum {\n  N_POSITION = %d,\n  N_VELOCITY = %d,\n  N_STATE = %d,\n  N_OUTPUT = %d,\n  "
          "N_CROSSING = %d,\n  N_PARAMETER = %d,\n  N_INPUT = %d,\n  N_CHOICE = %d // of "
          "independent coordinates\n};\n\n",
          nq, nv, nq + nv + b->states + work, b->y->n, b->crossings, b->program->parameter.n,
          s->inputs.n, s->nprogram);
  if (s->inputs.n > 0) simulation_print_inputs(out, "sf_", s);
  fputs("// the state at the beginning\n", out);
  simulation_print_numbers(out, "sf_initial", 4, (const int[]){nq, nv, b->states, work},
                           (const double *const[]){s->q, s->v, s->state, &none});
  if (b->where[SIDES].holds) {
    fputs("\n// beginning of the study and end of what is known of drives, s\n", out);
    simulation_print_numbers(out, "sf_limits", 1, (const int[]){2},
                             (const double *const[]){limits});
  }
  fputc('\n', out);
  if (b->where[BOUND].holds) simulation_print_quaternions(out, "sf_", b->q);
  if (s->ncorner > 0) simulation_print_corners(out, "sf_", s);
  print(out, b, "inputs");
}


// how far a choice is from where it was made, and what is said of the loop that strains it most
static void print_strain(FILE *out, const sfunctionBlock *b, const char *name, int number, int n)
{
  const emitSimulation *s = b->simulation;
  char text[600];
  snprintf(text, sizeof text, "%.250s_made", name);
  simulation_print_numbers(out, text, 1, &n, &s->strain[number]);
  fprintf(out, "\nstatic const char *const %s_complaint[%d] = {\n    NULL", name, n);
  for (int k = 1; k < n; k++) {
    snprintf(text, sizeof text,
             "%.80s: the loop of joints %.300s cannot be closed, or has come to a singular "
             "position, where it may go on in several ways",
             s->name, s->joints[number][k]);
    fputs(",\n    ", out);
    simulation_print_string(out, text);
  }
  fputs("};\n\n", out);
  snprintf(text, sizeof text, "%d", n);
  print_piece(out, b, "strain", name, text);
}


//---- the file ------------------------------------------------------------------------------------


static int print_file(FILE *out, simulationParts *parts, const sfunctionBlock *b)
{
  static const char rule[] =
      " -----------------------------------------------------------------\n\n";
  print_head(out, b);
  for (int i = 0; i < parts->n; i++) {
    if (!job_declare_c(&parts->part[i].job)) return 0;
  }
  fprintf(out, "//---- the machine%s", rule);
  print_model(out, b);
  for (int i = 0; i < parts->n; i++) {
    const eqnProgram *p = &parts->part[i].program;
    const eqnFunction *strain = simulation_function(p, "strain");
    print_piece(out, b, "choice", p->name, "");
    if (strain) print_strain(out, b, p->name, i, strain->output[0].n);
  }

  // the memory of a block, and the table of choices
  fputs("typedef struct sf_block {\n", out);
  for (int i = 0; i < parts->n; i++) {
    fprintf(out, "  %s_choice choice_%d;\n", parts->part[i].program.name, i + 1);
  }
  print(out, b, "table");
  for (int i = 0; i < parts->n; i++) {
    char number[12];
    snprintf(number, sizeof number, "%d", i + 1);
    print_piece(out, b, "table entry", parts->part[i].program.name, number);
  }
  fprintf(out, "};\n\n\n//---- the block%s", rule);
  print(out, b, "evaluation");
  emit_lines(out, simulation_math_text);
  fputs("\n\n", out);
  print(out, b, "clock");
  if (b->where[CORNERS].holds) print(out, b, "jumping rates");
  if (b->where[BOUND].holds) print(out, b, "choosing");
  print(out, b, "methods");
  if (b->where[BOUND].holds) print(out, b, "projection");
  if (b->where[SWITCHES].holds) print(out, b, "zero crossings");
  print(out, b, "end of run");
  fprintf(out, "//---- equations of motion%s", rule);
  for (int i = 0; i < parts->n; i++) {
    if (!job_define_c(&parts->part[i].job)) return 0;
  }
  print(out, b, "tail");
  return 1;
}


static sfunctionBlock block_of(const simulationPart *part, const emitSimulation *s)
{
  const eqnProgram *p = &part->program;
  const eqnFunction *f = simulation_function(p, "accelerate");
  const eqnFunction *outputs = simulation_function(p, "outputs");
  const eqnFunction *switches = simulation_function(p, "switches");
  sfunctionBlock b = {.simulation = s, .program = p, .q = &f->input[1], .v = &f->input[2]};
  b.tau = eqn_input(f, "tau");
  b.y = &outputs->output[0];
  b.states = simulation_state_count(p);
  b.crossings = switches ? switches->output[0].n : 0;
  const int has_loops = simulation_function(p, "strain") != NULL;
  const int is_direct = simulation_depends(part->job.list[outputs - p->function], "tau");
  const templateCondition where[CONDITIONS] = {
      [STATES] = {"[states]", b.states > 0},
      [INPUTS] = {"[inputs]", s->inputs.n > 0},
      [NO_INPUTS] = {"[no inputs]", s->inputs.n == 0},
      [LOOPS] = {"[loops]", has_loops},
      [RUN] = {"[run]", eqn_input(outputs, "run") != NULL},
      [BOUND] = {"[bound]", has_loops || s->ndrive > 0 || simulation_next_quaternion(b.q, 0) >= 0},
      [SWITCHES] = {"[switches]", b.crossings > 0},
      [DIRECT] = {"[direct]", is_direct},
      [INDIRECT] = {"[indirect]", !is_direct},
      [BRANCHES] = {"[branches]", s->is_switched},
      [CORNERS] = {"[corners]", s->ncorner > 0},
      [SIDES] = {"[sides]", s->is_switched || s->ncorner > 0},
  };
  memcpy(b.where, where, sizeof where);
  return b;
}


artStatus emit_sfunction(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                         artError *error)
{
  // outputs read the energy of a run since its start
  const int has_run =
      eqn_input(simulation_function(simulation->program[0], "outputs"), "run") != NULL;
  const simulationNeed needs[] = {{"accelerate", 1, 0},
                                  {"outputs", 1, 0},
                                  {"switches", 0, 0},
                                  {"strain", 0, 0},
                                  {"position_rates", 1, 1},
                                  {has_run ? "machine_energy" : NULL, 1, 1},
                                  {0}};
  simulationParts parts;
  artStatus status = simulation_open(&parts, out, simulation, needs, options, EMIT_LOOPS, error);
  if (status == ART_OK) {
    const sfunctionBlock b = block_of(&parts.part[0], simulation);
    if (!print_file(out, &parts, &b)) status = base_no_memory(error);
  }
  return simulation_close(&parts, status, error);
}
