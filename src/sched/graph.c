// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Graphs of dependent work: how they are made.
#include "sched/graph.h"

#include "base/error.h"
#include "base/memory.h"


int graph_add(schedGraph *graph, int kind, int cost, int nparent, const int *parent)
{
  if (!mem_grow((void **) &graph->node, graph->n, &graph->capacity, sizeof *graph->node)) return -1;
  int *parents = arena_copy(&graph->arena, parent, (size_t) nparent, sizeof(int));
  if (!parents) return -1;
  for (int k = 0; k < nparent; k++) ART_ASSERT(parents[k] >= 0 && parents[k] < graph->n);
  graph->node[graph->n] =
      (schedNode){.kind = kind, .cost = cost, .nparent = nparent, .parent = parents};
  return graph->n++;
}


int graph_close(schedGraph *graph)
{
  schedNode *x = graph->node;
  for (int i = 0; i < graph->n; i++) {
    for (int k = 0; k < x[i].nparent; k++) x[x[i].parent[k]].nchild++;
  }
  for (int i = 0; i < graph->n; i++) {
    x[i].child = arena_alloc(&graph->arena, (size_t) x[i].nchild, sizeof(int));
    if (!x[i].child) return 0;
    x[i].nchild = 0;
  }
  for (int i = 0; i < graph->n; i++) {
    for (int k = 0; k < x[i].nparent; k++) {
      schedNode *parent = &x[x[i].parent[k]];
      parent->child[parent->nchild++] = i;
    }
  }
  return 1;
}


void graph_free(schedGraph *graph)
{
  mem_free(graph->node);
  arena_free(&graph->arena);
  *graph = (schedGraph){0};
}
