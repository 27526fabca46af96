// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts that all writers of simulations share: a machine with its choices of independent coordinates, and pieces of text.
#ifndef EMIT_SIMULATION_H
#define EMIT_SIMULATION_H

#include "emit/emit.h"
#include "emit/file_job.h"
#include "emit/task/tasks.h"
#include "emit/write/template.h"

//---- the programs --------------------------------------------------------------------------------

// A function that a simulation calls; a common one is the same for all choices, and stands with the first of them alone.
typedef struct simulationNeed {
  eqnFunctionKind kind; // EQN_OTHER ends a list
  int is_required, is_common;
  const eqnFunction *branch; // of EQN_BRANCH
} simulationNeed;

// A program reduced to the functions that are called, with a name of its own.
enum { SIMULATION_FUNCTIONS = 13 };
typedef struct simulationPart {
  eqnProgram program;
  eqnFunction function[SIMULATION_FUNCTIONS];
  emitJob job;
  tasksWriter tasks; // of `accelerate`, where there are threads
} simulationPart;

// One for each choice. Closing gives the status back.
typedef struct simulationParts {
  int n;
  simulationPart *part;
  baseArena arena;
} simulationParts;
artStatus simulation_open(simulationParts *parts, FILE *out, const emitSimulation *simulation,
                          const simulationNeed *needs, const emitOptions *options, emitShape shape,
                          artError *error);
artStatus simulation_close(simulationParts *parts, artStatus status, artError *error);

// Whether results of a function depend on an input.
int simulation_depends(const eqnList *list, const char *input);

// Slips of tyres that lag behind are an input of `accelerate`.
int simulation_state_count(const eqnProgram *program);

// Functions that the user of a model supplies have no way into a text that stands alone; `what` names it in the message.
artStatus simulation_check_externals(const eqnProgram *program, const char *what, artError *error);

// Where the next quaternion among the positions begins, from an index on; -1: there is none.
int simulation_next_quaternion(const eqnVector *q, int from);

//---- text ----------------------------------------------------------------------------------------

// In C: vectors in a row as one; a text between quotation marks; where quaternions begin; values of inputs; instants at which prescribed
// rates jump, with a word before the table.
void simulation_print_numbers(FILE *out, const char *name, int nvector, const int *n,
                              const double *const *x);
void simulation_print_string(FILE *out, const char *text);
void simulation_print_quaternions(FILE *out, const eqnVector *q);
void simulation_print_inputs(FILE *out, const emitSimulation *simulation);
void simulation_print_times(FILE *out, const emitSimulation *simulation);
void simulation_print_corners(FILE *out, const emitSimulation *simulation, const char *before);

#endif
