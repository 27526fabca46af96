// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Common factors of sums.
#include "eqn/draft.h"


int draft_factor(exprPool *pool, const eqnProgram *program, eqnFunction *function)
{
  (void) pool;
  (void) program;
  (void) function;
  return 1;
}
