// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Some expressions of a pool in a pool of their own, so that work on them is in proportion to them.
#ifndef SYM_EXTRACT_H
#define SYM_EXTRACT_H

#include <stdint.h>

#include "sym/expr.h"

// A set of nodes: bit i % 64 of word i / 64.
typedef uint64_t extractSet;

int extract_has(const extractSet *set, int node);
void extract_mark(extractSet *set, int node);
extractSet *extract_create_set(const exprPool *pool, baseArena *arena); // empty

// Besides the marked nodes all that they are made of.
void extract_close(const exprPool *pool, extractSet *set);

// A node of one pool in another, where its arguments have the numbers now[]; a symbol with its ordinal.
int extract_node(exprPool *to, const exprPool *from, int node, const int *now);

// The nodes of a closed set in a pool that is new, in the order of the old one. Symbols keep their ordinals, functions
// their numbers, nodes their names, whose text stays that of the old pool, which must live longer. now[i]
// is the new number of node i, for nodes of the set. Where a symbol `given` is not 0, choices by it are their first
// values.
void extract_pool(exprPool *to, const exprPool *pool, const extractSet *set, int given, int *now);

#endif
