// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Construction of dependence graphs, and start times of their nodes with unlimited units: ASAP,
// ALAP, critical path.
#include "sched/graph.h"

#include "base/error.h"
#include "base/max_nan.h"


int graph_add(schedGraph *graph, int kind, int cost, int nparent, const int *parent)
{
  ART_ASSERT(nparent >= 0 && cost >= 0);
  graph->node =
      arena_grow(graph->arena, graph->node, graph->n, &graph->capacity, sizeof *graph->node);
  int *parents = arena_copy(graph->arena, parent, (size_t) nparent, sizeof(int));
  for (int k = 0; k < nparent; k++) ART_ASSERT(parents[k] >= 0 && parents[k] < graph->n);
  graph->node[graph->n] =
      (schedNode){.kind = kind, .cost = cost, .nparent = nparent, .parent = parents};
  return graph->n++;
}


void graph_close(schedGraph *graph)
{
  schedNode *x = graph->node;
  for (int i = 0; i < graph->n; i++) {
    for (int k = 0; k < x[i].nparent; k++) x[x[i].parent[k]].nchild++;
  }
  for (int i = 0; i < graph->n; i++) {
    ARENA_TAKE(graph->arena, x[i].child, x[i].nchild);
    x[i].nchild = 0;
  }
  for (int i = 0; i < graph->n; i++) {
    for (int k = 0; k < x[i].nparent; k++) {
      schedNode *parent = &x[x[i].parent[k]];
      parent->child[parent->nchild++] = i;
    }
  }
}

//---- indices -------------------------------------------------------------------------------------

static void find_earliest(schedGraph *graph, int transfer)
{
  graph->length = 0;
  for (int i = 0; i < graph->n; i++) {
    schedNode *x = &graph->node[i];
    x->asap = 1;
    for (int k = 0; k < x->nparent; k++) {
      const schedNode *p = &graph->node[x->parent[k]];
      x->asap = max_int(x->asap, p->asap + p->cost + transfer);
    }
    graph->length = max_int(graph->length, x->asap + x->cost - 1);
  }
}


void graph_index(schedGraph *graph, int transfer)
{
  find_earliest(graph, transfer);
  for (int i = graph->n - 1; i >= 0; i--) {
    schedNode *x = &graph->node[i];
    x->alap = graph->length - x->cost + 1;
    for (int k = 0; k < x->nchild; k++) {
      const int latest = graph->node[x->child[k]].alap - x->cost - transfer;
      if (latest < x->alap) x->alap = latest;
    }
  }
}


// the first child that directly follows node i on the critical path, -1: none
static int critical_child(const schedGraph *graph, int transfer, int i)
{
  ART_ASSERT(i >= 0 && i < graph->n);
  const schedNode *x = &graph->node[i];
  for (int k = 0; k < x->nchild; k++) {
    const schedNode *c = &graph->node[x->child[k]];
    if (c->asap == c->alap && c->asap == x->asap + x->cost + transfer) return x->child[k];
  }
  return -1;
}


int graph_critical_path(const schedGraph *graph, int transfer, int *path)
{
  int n = 0, i = 0;
  while (i < graph->n && !(graph->node[i].asap == 1 && graph->node[i].alap == 1)) i++;
  for (; i >= 0 && i < graph->n; i = critical_child(graph, transfer, i)) path[n++] = i;
  return n;
}
