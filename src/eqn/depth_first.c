// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations in the order of a walk in depth from the results: each stands right before what reads it first, so that few
// variables wait for their readers at once.
#include "eqn/draft.h"

typedef struct depthWalk {
  const eqnDraft *d;
  unsigned char *state;   // of each node; 1: its arguments are being walked, 2: it is done
  unsigned char *is_read; // by a node of its bucket
  int *stack, n;
  int *sequence, nsequence;
} depthWalk;


// arguments that are not done yet, such that the one that was recorded first comes first
static void push_arguments(depthWalk *w, int node)
{
  const exprPool *pool = w->d->pool;
  const int n = expr_argument_count(pool, node);
  const int is_turned = n == 2 && expr_argument(pool, node, 0) > expr_argument(pool, node, 1);
  for (int k = n - 1; k >= 0; k--) {
    const int a = expr_argument(pool, node, is_turned ? n - 1 - k : k);
    if (w->state[a] == 0) w->stack[w->n++] = a;
  }
}


// all equations of a bucket that a node needs, and itself behind them
static void walk(depthWalk *w, int node, int bucket)
{
  w->stack[w->n++] = node;
  while (w->n > 0) {
    const int top = w->stack[w->n - 1];
    if (w->state[top] == 0) {
      w->state[top] = 1;
      push_arguments(w, top);
      continue;
    }
    w->n--;
    if (w->state[top] == 2) continue;
    w->state[top] = 2;
    if (w->d->is_equation[top] && draft_bucket(w->d, top) == bucket) {
      w->sequence[w->nsequence++] = top;
    }
  }
}


static void order_bucket(depthWalk *w, int n, const int *before)
{
  const int bucket = draft_bucket(w->d, before[0]);
  for (int which = 0; which < 2; which++) { // what nobody reads here, then what is left
    for (int i = 0; i < n; i++) {
      if (w->is_read[before[i]] == which && w->state[before[i]] == 0) walk(w, before[i], bucket);
    }
  }
}


void draft_order_in_depth(const eqnDraft *d, int n, int *sequence)
{
  size_t room = 1;
  for (int i = 0; i < d->n; i++) room += (size_t) expr_argument_count(d->pool, i);
  const int *before = arena_copy(d->scratch, sequence, (size_t) n, sizeof *sequence);
  depthWalk w = {.d = d, .sequence = sequence};
  ARENA_TAKE(d->scratch, w.state, d->n);
  ARENA_TAKE(d->scratch, w.is_read, d->n);
  ARENA_TAKE(d->scratch, w.stack, room);
  for (int i = 0; i < d->n; i++) {
    for (int k = 0; d->needed[i] && k < expr_argument_count(d->pool, i); k++) {
      const int a = expr_argument(d->pool, i, k);
      if (d->is_equation[a]) w.is_read[a] |= draft_bucket(d, a) == draft_bucket(d, i);
    }
  }
  for (int from = 0, to; from < n; from = to) {
    for (to = from; to < n && draft_bucket(d, before[to]) == draft_bucket(d, before[from]);) to++;
    order_bucket(&w, to - from, before + from);
  }
}
