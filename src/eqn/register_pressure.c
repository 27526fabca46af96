// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ordering of equations to keep few variables live.
//
// Of all equations of a bucket whose arguments are known, the next one is that which increases the
// number of live variables least: an equation that reads two variables for the last time precedes
// one that reads none for the last time. Ties are broken by the given order. Two given orders are
// tried, the recorded one and that of a depth-first traversal; the one with fewer spills is used.
#include <limits.h>

#include "eqn/list_builder.h"

enum { REGISTERS = 100 }; // registers for variables of a GPU thread

typedef struct liveHeap {
  int growth;          // increase of the number of live variables
  int place, equation; // place: in the given order
} liveHeap;

typedef struct liveWork {
  const listBuilder *d;
  int n;         // equations, numbered as recorded
  int *node;     // [n] node of an equation
  int *equation; // [nodes] equation of a node; -1: none
  // [n + 1] equation e reads the equations read[first[e]] to read[first[e + 1] - 1]
  int *first, *read;
  int *begin, *reader; // [n + 1] the same for the readers of an equation
  int *left;           // [n] remaining readers
  int *wait;           // [n] equations of its bucket that must come first
  int *place;          // [n] in the given order
  unsigned char *done; // [n]
  liveHeap *heap;
  int nheap;
} liveWork;

//---- readers -------------------------------------------------------------------------------------

// find the equations in an expression, each once; returns their number so far
static int find_live_reads(const liveWork *w, int node, int from, int n, int *read)
{
  for (int k = 0; k < expr_argument_count(w->d->pool, node); k++) {
    const int a = expr_argument(w->d->pool, node, k), e = w->equation[a];
    int i = from;
    if (w->d->stage[a] < 0) continue; // constants are not counted
    if (e < 0) {
      n = find_live_reads(w, a, from, n, read);
      continue;
    }
    while (i < n && read[i] != e) i++;
    if (i == n) read[n++] = e;
  }
  return n;
}


//---- choice of the next equation -----------------------------------------------------------------

static int goes_before(const liveHeap *a, const liveHeap *b)
{
  return a->growth != b->growth ? a->growth < b->growth : a->place < b->place;
}


static int growth_of_live(const liveWork *w, int e)
{
  int growth = w->left[e] > 0;
  for (int i = w->first[e]; i < w->first[e + 1]; i++) growth -= w->left[w->read[i]] == 1;
  return growth;
}


static void push_live_heap(liveWork *w, int e)
{
  const liveHeap x = {growth_of_live(w, e), w->place[e], e};
  int i = w->nheap++;
  for (; i > 0 && goes_before(&x, &w->heap[(i - 1) / 2]); i = (i - 1) / 2) {
    w->heap[i] = w->heap[(i - 1) / 2];
  }
  w->heap[i] = x;
}


static liveHeap pop_live_heap(liveWork *w)
{
  ART_ASSERT(w->nheap > 0);
  const liveHeap top = w->heap[0], x = w->heap[--w->nheap];
  int i = 0;
  for (int k; (k = 2 * i + 1) < w->nheap; i = k) {
    if (k + 1 < w->nheap && goes_before(&w->heap[k + 1], &w->heap[k])) k++;
    if (!goes_before(&w->heap[k], &x)) break;
    w->heap[i] = w->heap[k];
  }
  w->heap[i] = x;
  return top;
}


static int bucket_of(const liveWork *w, int e)
{
  return list_builder_bucket(w->d, w->node[e]);
}


// order the n equations of one bucket
static void order_bucket(liveWork *w, int n, int *sequence)
{
  const int bucket = bucket_of(w, sequence[0]);
  int count = 0;
  w->nheap = 0;
  for (int i = 0; i < n; i++) {
    const int e = sequence[i];
    w->wait[e] = 0;
    for (int k = w->first[e]; k < w->first[e + 1]; k++) {
      w->wait[e] += bucket_of(w, w->read[k]) == bucket;
    }
  }
  for (int i = 0; i < n; i++) {
    if (w->wait[sequence[i]] == 0) push_live_heap(w, sequence[i]);
  }
  while (w->nheap > 0) {
    const liveHeap x = pop_live_heap(w);
    if (w->done[x.equation] || x.growth != growth_of_live(w, x.equation)) continue;
    sequence[count++] = x.equation;
    // place an equation; the last remaining readers of its arguments now have a smaller growth
    w->done[x.equation] = 1;
    for (int i = w->first[x.equation]; i < w->first[x.equation + 1]; i++) {
      const int a = w->read[i];
      if (--w->left[a] != 1) continue;
      for (int k = w->begin[a]; k < w->begin[a + 1]; k++) {
        const int r = w->reader[k];
        if (!w->done[r] && w->wait[r] == 0) push_live_heap(w, r);
      }
    }
    for (int k = w->begin[x.equation]; k < w->begin[x.equation + 1]; k++) {
      const int r = w->reader[k];
      if (bucket_of(w, r) == bucket && --w->wait[r] == 0) push_live_heap(w, r);
    }
  }
  ART_ASSERT(count == n); // every equation has been placed
}


static void order_all(liveWork *w, int *sequence)
{
  for (int i = 0; i < w->n; i++) {
    const int e = sequence[i];
    w->place[e] = i;
    w->left[e] = w->begin[e + 1] - w->begin[e];
    w->done[e] = 0;
    w->wait[e] = INT_MAX; // until its bucket is processed
  }
  for (int from = 0, to; from < w->n; from = to) {
    const int bucket = bucket_of(w, sequence[from]);
    for (to = from; to < w->n && bucket_of(w, sequence[to]) == bucket;) to++;
    order_bucket(w, to - from, sequence + from);
  }
}

//---- cost of an order ----------------------------------------------------------------------------

// position of the first reader of an equation after `place`
static int next_live_reader(const liveWork *w, int e, int place)
{
  int next = INT_MAX;
  for (int k = w->begin[e]; k < w->begin[e + 1]; k++) {
    const int p = w->place[w->reader[k]];
    if (p > place && p < next) next = p;
  }
  return next;
}


typedef struct liveRegisters {
  int n, equation[REGISTERS + 1], next[REGISTERS + 1];
} liveRegisters;


// load a variable into a register; returns 1 if another one must be spilled (that with the farthest
// next reader), in *lost
static int keep_in_register(liveRegisters *r, int e, int next, int *lost)
{
  ART_ASSERT(r->n <= REGISTERS);
  int at = 0, farthest = 0;
  while (at < r->n && r->equation[at] != e) at++;
  if (next == INT_MAX) { // no further readers
    if (at < r->n) {
      r->equation[at] = r->equation[--r->n];
      r->next[at] = r->next[r->n];
    }
    return 0;
  }
  r->n += at == r->n;
  r->equation[at] = e;
  r->next[at] = next;
  if (r->n <= REGISTERS) return 0;
  for (int i = 1; i < r->n; i++) farthest = r->next[i] > r->next[farthest] ? i : farthest;
  *lost = r->equation[farthest];
  r->equation[farthest] = r->equation[--r->n];
  r->next[farthest] = r->next[r->n];
  return 1;
}


// number of stores and reloads; each variable is stored at most once
static long count_traffic(liveWork *w, const int *sequence)
{
  liveRegisters r = {0};
  unsigned char *is_stored = w->done;
  long traffic = 0;
  int lost;
  for (int i = 0; i < w->n; i++) {
    w->place[sequence[i]] = i;
    is_stored[i] = 0;
  }
  for (int i = 0; i < w->n; i++) {
    const int e = sequence[i];
    for (int k = w->first[e]; k <= w->first[e + 1]; k++) {
      const int x = k < w->first[e + 1] ? w->read[k] : e;
      int is_there = x == e;
      for (int j = 0; j < r.n && !is_there; j++) is_there = r.equation[j] == x;
      traffic += !is_there;
      if (!keep_in_register(&r, x, next_live_reader(w, x, i), &lost)) continue;
      traffic += !is_stored[lost];
      is_stored[lost] = 1;
    }
  }
  return traffic;
}

//---- depth-first order from the results ----------------------------------------------------------

// Each equation is placed directly before its first reader, so that few variables are live at once.

typedef struct depthWalk {
  const listBuilder *d;
  unsigned char *state;   // per node; 1: its arguments are in progress, 2: done
  unsigned char *is_read; // read by a node of its bucket
  int *stack, n;
  int *sequence, nsequence;
} depthWalk;


// place all equations of a bucket that a node needs, then the node
static void walk_bucket_depth(depthWalk *w, int node, int bucket)
{
  w->stack[w->n++] = node;
  while (w->n > 0) {
    const int top = w->stack[w->n - 1];
    if (w->state[top] == 0) {
      w->state[top] = 1;
      // push the arguments that are not done, so that the one recorded first is on top
      const exprPool *pool = w->d->pool;
      const int n = expr_argument_count(pool, top);
      const int is_turned = n == 2 && expr_argument(pool, top, 0) > expr_argument(pool, top, 1);
      for (int k = n - 1; k >= 0; k--) {
        const int a = expr_argument(pool, top, is_turned ? n - 1 - k : k);
        if (w->state[a] == 0) w->stack[w->n++] = a;
      }
      continue;
    }
    w->n--;
    if (w->state[top] == 2) continue;
    w->state[top] = 2;
    if (w->d->is_equation[top] && list_builder_bucket(w->d, top) == bucket) {
      w->sequence[w->nsequence++] = top;
    }
  }
}


static void walk_bucket(depthWalk *w, int n, const int *before)
{
  ART_ASSERT(n > 0);
  const int bucket = list_builder_bucket(w->d, before[0]);
  // first the nodes without readers in this bucket, then the rest
  for (int which = 0; which < 2; which++) {
    for (int i = 0; i < n; i++) {
      if (w->is_read[before[i]] == which && w->state[before[i]] == 0)
        walk_bucket_depth(w, before[i], bucket);
    }
  }
}


static void order_in_depth(const listBuilder *d, int n, int *sequence)
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
      if (d->is_equation[a]) w.is_read[a] |= list_builder_bucket(d, a) == list_builder_bucket(d, i);
    }
  }
  for (int from = 0, to; from < n; from = to) {
    for (to = from;
         to < n && list_builder_bucket(d, before[to]) == list_builder_bucket(d, before[from]);)
      to++;
    walk_bucket(&w, to - from, before + from);
  }
  ART_ASSERT(w.nsequence == n);
}

//---- all -----------------------------------------------------------------------------------------

static void take_live_room(liveWork *w, const int *sequence)
{
  const listBuilder *d = w->d;
  int narguments = 0;
  ARENA_TAKE(d->scratch, w->node, w->n);
  ARENA_TAKE(d->scratch, w->equation, d->n);
  ARENA_TAKE(d->scratch, w->left, w->n);
  ARENA_TAKE(d->scratch, w->wait, w->n);
  ARENA_TAKE(d->scratch, w->place, w->n);
  ARENA_TAKE(d->scratch, w->done, w->n);
  ARENA_TAKE(d->scratch, w->heap, 2 * w->n + 1);
  for (int i = 0; i < d->n; i++) {
    w->equation[i] = -1;
    if (d->needed[i]) narguments += expr_argument_count(d->pool, i);
  }
  for (int e = 0; e < w->n; e++) {
    w->node[e] = sequence[e];
    w->equation[sequence[e]] = e;
  }
  baseArena *room = w->d->scratch;
  ARENA_TAKE(room, w->first, w->n + 1);
  ARENA_TAKE(room, w->begin, w->n + 2);
  ARENA_TAKE(room, w->read, narguments);
  ARENA_TAKE(room, w->reader, narguments);
  for (int e = 0; e < w->n; e++) {
    w->first[e + 1] = find_live_reads(w, w->node[e], w->first[e], w->first[e], w->read);
  }
  for (int i = 0; i < w->first[w->n]; i++) w->begin[w->read[i] + 2]++;
  for (int e = 0; e < w->n; e++) w->begin[e + 1] += w->begin[e];
  for (int e = 0; e < w->n; e++) {
    for (int i = w->first[e]; i < w->first[e + 1]; i++) w->reader[w->begin[w->read[i] + 1]++] = e;
  }
}


void list_builder_order_for_registers(const listBuilder *d, int all, int *sequence)
{
  int constants = 0;
  while (constants < all && d->stage[sequence[constants]] < 0) constants++;
  const int n = all - constants;
  liveWork w = {.d = d, .n = n};
  sequence += constants;
  int *deep = arena_copy(d->scratch, sequence, (size_t) n, sizeof *deep);
  int *found = arena_alloc(d->scratch, (size_t) n, sizeof *found);
  take_live_room(&w, sequence);
  order_in_depth(d, n, deep);
  for (int i = 0; i < n; i++) {
    found[i] = i;
    deep[i] = w.equation[deep[i]];
  }
  order_all(&w, found);
  order_all(&w, deep);
  const int *best = count_traffic(&w, deep) < count_traffic(&w, found) ? deep : found;
  for (int i = 0; i < n; i++) sequence[i] = w.node[best[i]];
}
