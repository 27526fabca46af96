// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Binary lists: an equation list taken apart into single operations, as a machine with many units runs them.
//
// Every operation has one or two operands (calls and selections as many as they need), signs are absorbed by the
// sums that read them, and equal operations are one. An operation inside an equation is named after it, with
// a letter for each step into its expression: g to the left, d to the right, as the thesis of Postiau (2004) does;
// a change of sign counts as a step to the right.
//
// Functions with loops are taken as if Newton's method took one iteration: later operations wait for its residual
// and corrections.
#ifndef SCHED_BINARY_H
#define SCHED_BINARY_H

#include "sched/graph.h"
#include "sched/operate.h"

typedef struct schedBinary {
  const eqnList *list;
  int n;
  schedOperation *operation; // in order
  schedGraph graph;          // of the same numbers
  int noutput;               // elements of the function's output vectors, one after the other
  schedOperand *output;
  int count[SCHED_KINDS];
  int merged;      // equal to others once signs were absorbed
  int negated;     // outputs whose sign is changed on the way out, which is not counted
  baseArena arena; // of the graph, too, and of all that is made of it
} schedBinary;

// The machine's times, everything else at rest.
schedBinaryOptions binary_options(const schedMachine *machine);

// NULL when memory ran out; the list must live longer. Indices of the graph are for the options' times.
schedBinary *binary_create(const eqnList *list, const schedBinaryOptions *options);
void binary_free(schedBinary *binary);

// The operand in words: "q[2]", "w17", "-mass_3", "0.5".
const char *binary_operand_text(const schedBinary *binary, const schedOperand *operand,
                                char *buffer, int size);

// The text of an operation: "w3 * q[1]".
const char *binary_operation_text(const schedBinary *binary, int i, char *buffer, int size);

#endif
