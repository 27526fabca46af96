// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A block of Simulink in one C file: a machine behind its interface, and around it a C S-function of level 2.
//
// Its continuous states are all coordinates, x = (q, v, state, work), and every evaluation closes the loops and
// follows the drives on a copy of them first: so a choice of independent coordinates can be left for another, the
// start of Newton's method is itself a state, and steps that a solver takes back leave nothing behind. After a step
// the states are put where the copy has come to (mdlProjection).
#include "emit/machine/machine.h"

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


static void print_sfunction_section(const machineText *t, const char *section, int is_direct)
{
  template_print(t->out, sfunction_text, section,
                 &(templateValues){.name = t->name,
                                   .word = t->simulation->name,
                                   .other = is_direct ? "1" : "0",
                                   .conditions = t->where});
}


static void print_sfunction_head(const machineText *t, const eqnFunction *accelerate,
                                 const eqnFunction *outputs)
{
  const char *name = t->simulation->name;
  const eqnVector *u = eqn_input(accelerate, "u");
  char text[800];
  fprintf(t->out,
          "// A C S-function of level 2 for Simulink. In MATLAB\n"
          "//   mex CFLAGS='$CFLAGS -std=c11' %s.c\n",
          name);
  snprintf(text, sizeof text,
           "makes it; a block S-Function with the name %.80s shows it. The parameter of the block "
           "may stay empty, or be a vector of the %d constants of %.200s_parameters below, in "
           "their order.",
           name, machine_size(t, MACHINE_NPARAMETER), t->name);
  emit_comment(t->out, "//", 0, text);
  print_port(t->out, "Input 1", eqn_input(accelerate, "tau"));
  if (u) print_port(t->out, "Input 2", u);
  print_port(t->out, "Output 1", &accelerate->input[1]);
  print_port(t->out, "Output 2", &accelerate->input[2]);
  if (outputs->output[0].n > 0) print_port(t->out, "Output 3", &outputs->output[0]);
  print_sfunction_section(t, "head", 0);
}


static int print_simulink_block(machineText *t)
{
  const simulationPart *first = &t->parts->part[0];
  const eqnFunction *accelerate = eqn_function(&first->program, EQN_ACCELERATE);
  const eqnFunction *outputs = eqn_function(&first->program, EQN_OUTPUTS);
  const int is_bound = t->where[MACHINE_LOOPS].holds || t->where[MACHINE_QUATERNIONS].holds ||
                       t->simulation->ndrive > 0;
  t->where[MACHINE_CONDITIONS] = (templateCondition){"[bound]", is_bound};
  print_sfunction_head(t, accelerate, outputs);
  if (!machine_print_product(t, NULL)) return 0;
  machine_print_rule(t->out, "the block");
  print_sfunction_section(
      t, "block", simulation_depends(first->job.list[outputs - first->program.function], "tau"));
  return 1;
}


artStatus emit_sfunction(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                         artError *error)
{
  machineText t;
  simulationParts parts;
  emitOptions own = *options;
  own.names_loops = 1;
  artStatus status = machine_open(&t, &parts, out, simulation, 0, 1, &own, error);
  if (status == ART_OK && !print_simulink_block(&t)) status = base_no_memory(error);
  return simulation_close(&parts, status, error);
}
