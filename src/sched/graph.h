// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dependence graphs: nodes in topological order, earliest and latest start times, and the critical
// path. A node is an arithmetic operation here and a group of equations elsewhere.
#ifndef SCHED_GRAPH_H
#define SCHED_GRAPH_H

#include "base/arena.h"

typedef struct schedNode {
  int kind; // kind of unit that executes it, as defined by the caller
  int cost; // latency: cycles or operations until its result is available
  int nparent, *parent;
  int nchild, *child;
  int asap, alap; // earliest and latest start cycle, counted from 1
} schedNode;

typedef struct schedGraph {
  int n;
  schedNode *node;
  int length; // cycles of the critical path, including latencies and transfers
  int capacity;
  baseArena *arena; // of everything derived from the graph; throws when memory runs out
} schedGraph;

// Initialise with an arena only. Appends a node with the given parents, each listed once; returns
// its number.
int graph_add(schedGraph *graph, int kind, int cost, int nparent, const int *parent);

// Call after the last node: fills in the children.
void graph_close(schedGraph *graph);

// Compute earliest and latest start times; a result takes `transfer` more cycles between nodes.
//   asap(i) = max(1, max over parents asap(p) + cost(p) + transfer)
//   length  = max asap(i) + cost(i) - 1
//   alap(i) = min(length - cost(i) + 1, min over children alap(c) - cost(i) - transfer)
void graph_index(schedGraph *graph, int transfer);

// Number of possible start cycles; 1 on the critical path.
static inline int graph_mobility(const schedNode *node)
{
  return 1 + node->alap - node->asap;
}

// One critical path from its first to its last node, into path[n]; returns its length. Call after
// graph_index.
int graph_critical_path(const schedGraph *graph, int transfer, int *path);

#endif
