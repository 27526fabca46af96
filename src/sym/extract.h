// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Some expressions of a pool in a pool of their own, so that work on them is in proportion to them.
#ifndef SYM_EXTRACT_H
#define SYM_EXTRACT_H

#include "sym/expr.h"

// A node of one pool in another, where its arguments have the numbers now[]; a symbol with its ordinal.
int extract_node(exprPool *to, const exprPool *from, int node, const int *now);

// The needed nodes, and so all that they are made of, in a pool that is new, in the order of the old one. Symbols keep their ordinals, functions
// their numbers, nodes their names, whose text stays that of the old pool, which must live longer. now[i]
// is the new number of node i, for nodes that are needed. Where a symbol `given` is not 0, choices by it are their first
// values.
void extract_pool(exprPool *to, const exprPool *pool, const unsigned char *needed, int given,
                  int *now);

#endif
