// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of roads and tyres on symbols: who makes equations says which node stands for the number at an address.
#ifndef SYM_NUMBER_H
#define SYM_NUMBER_H

#include "sym/expr.h"

// The source of this thread; node NULL: all are constants.
typedef int symNumberNode(void *context, const double *number);
void sym_use_numbers(symNumberNode *node, void *context);

// The node of a number, in the pool of expr_use.
int sym_number_node(const double *number);

#endif
