// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Binary lists: an equation list decomposed into single operations, as a machine with many
// functional units executes them.
//
// Every operation has one or two operands (calls and selections as many as they need). Signs are
// absorbed by the sums that read them, and equal operations are merged. An operation inside an
// equation is named after the equation, with a letter for each step into its expression: g to the
// left, d to the right, as in the thesis of Postiau (2004); a change of sign counts as a step to
// the right.
//
// Functions with loops are treated as if Newton's method took one iteration: later operations wait
// for its residual and corrections.
#ifndef SCHED_BINARY_H
#define SCHED_BINARY_H

#include "sched/graph.h"
#include "sched/operate.h"

typedef struct schedBinary {
  const eqnList *list;
  int n;
  schedOperation *operation; // in order
  schedGraph graph;          // with the same numbering
  int noutput;               // elements of the function's output vectors in order
  schedOperand *output;
  int count[SCHED_KINDS];
  int merged;      // operations merged with equal ones after absorbing signs
  int negated;     // outputs with a final change of sign, which is not counted
  baseArena arena; // also of the graph and everything derived from it
} schedBinary;

// Default options with the latencies of the machine.
schedBinaryOptions binary_options(const schedMachine *machine);

// NULL when memory ran out; the list must outlive it. ASAP and ALAP times of the graph are for the
// latencies of the options.
schedBinary *binary_create(const eqnList *list, const schedBinaryOptions *options);
void binary_free(schedBinary *binary);

// Text of an operand: "q[2]", "w17", "-mass_3", "0.5".
const char *binary_operand_text(const schedBinary *binary, const schedOperand *operand,
                                char *buffer, int size);

// Text of an operation: "w3 * q[1]".
const char *binary_operation_text(const schedBinary *binary, int i, char *buffer, int size);

#endif
