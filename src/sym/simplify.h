// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The rewritings of EXPR_SIMPLIFY: true for real numbers, to the last bits for the machine's.
//
// Each looks for a rule that applies to one operation about to be recorded and gives the rewritten
// expression, or EXPR_NO_RULE. The arguments have passed the exact foldings before: none is 0 and not
// both are numbers.
#ifndef SYM_SIMPLIFY_H
#define SYM_SIMPLIFY_H

#include "sym/expr.h"

// a + b with sign 1, a - b with sign -1.
int simplify_sum(exprPool *pool, int a, int sign, int b);

int simplify_product(exprPool *pool, int a, int b);
int simplify_quotient(exprPool *pool, int a, int b);

#endif
