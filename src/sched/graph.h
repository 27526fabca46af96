// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Graphs of dependent work: nodes in an order in which parents stand before children, when each may begin at
// the earliest and at the latest, and the critical path. A node is an arithmetic operation here and a group of
// equations elsewhere.
#ifndef SCHED_GRAPH_H
#define SCHED_GRAPH_H

#include "base/arena.h"

typedef struct schedNode {
  int kind; // of unit that can do it; whatever the maker means
  int cost; // from its beginning until its result is there, cycles or operations
  int nparent, *parent;
  int nchild, *child;
  int asap, alap; // first and last cycle in which it may begin, counted from 1
} schedNode;

typedef struct schedGraph {
  int n;
  schedNode *node;
  int length; // cycles of the critical path, costs and transfers included
  int capacity;
  baseArena *arena; // of all that is made of it; where memory runs out, the work is left
} schedGraph;

// Begin with an arena alone. A new node after all others with the parents named, each once; its number is returned.
int graph_add(schedGraph *graph, int kind, int cost, int nparent, const int *parent);

// After the last node: fill in children.
void graph_close(schedGraph *graph);

// Earliest and latest beginnings; a result goes from a node to another in `transfer` cycles more.
//   asap(i) = max(1, max over parents asap(p) + cost(p) + transfer)
//   length  = max asap(i) + cost(i) - 1
//   alap(i) = min(length - cost(i) + 1, min over children alap(c) - cost(i) - transfer)
void graph_index(schedGraph *graph, int transfer);

// Cycles in which a node may begin, 1 on the critical path.
static inline int graph_mobility(const schedNode *node)
{
  return 1 + node->alap - node->asap;
}

// One longest chain, from its first node to its last; path has room for n. Returns how many. After graph_index.
int graph_critical_path(const schedGraph *graph, int transfer, int *path);

#endif
