// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of roads and tyres on symbols.
#include "sym/number.h"


static _Thread_local struct {
  symNumberNode *node;
  void *context;
} source;


void sym_use_numbers(symNumberNode *node, void *context)
{
  source.node = node;
  source.context = context;
}


int sym_number_node(const double *number)
{
  return source.node ? source.node(source.context, number) : expr_constant(expr_used(), *number);
}
