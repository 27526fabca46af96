// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sequences and transfers.
#include "split/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

//---- sequences -----------------------------------------------------------------------------------

typedef struct sequenceWork {
  const taskGraph *graph;
  int *key;     // [n] the address of a unit, as a number
  int *missing; // [n] parents that are in no sequence yet
  int *of;      // [n] the sequence of a unit, of the transferGraph
  int nkey;
} sequenceWork;


static int same_address(const taskMark *a, const taskMark *b)
{
  return a->sequence == b->sequence && a->block == b->block && a->section == b->section &&
         a->task == b->task;
}


// numbers of addresses in order of their first units; there are few
static int number_addresses(sequenceWork *w)
{
  const taskGraph *g = w->graph;
  int *first = MEM_ARRAY(int, g->n);
  if (!first) return 0;
  for (int i = 0; i < g->n; i++) {
    int k = 0;
    while (k < w->nkey && !same_address(&g->unit[first[k]].mark, &g->unit[i].mark)) k++;
    if (k == w->nkey) first[w->nkey++] = i;
    w->key[i] = k;
  }
  mem_free(first);
  return 1;
}


// all units of an address that can follow what is there; returns how many
static int take_ready(sequenceWork *w, int key, int sequence)
{
  const taskGraph *g = w->graph;
  int count = 0;
  for (int i = 0; i < g->n; i++) {
    if (w->of[i] >= 0 || w->key[i] != key || w->missing[i] > 0) continue;
    w->of[i] = sequence;
    count++;
    for (int k = 0; k < g->unit[i].nchild; k++) w->missing[g->unit[i].child[k]]--;
  }
  return count;
}


// An address whose units depend on others that depend on it again makes several sequences, so that there are no
// cycles among them.
static int find_sequences(sequenceWork *w)
{
  const taskGraph *g = w->graph;
  for (int i = 0; i < g->n; i++) {
    w->of[i] = -1;
    w->missing[i] = g->unit[i].nparent;
  }
  int n = 0, left = g->n;
  while (left > 0) {
    for (int key = 0; key < w->nkey; key++) {
      const int count = take_ready(w, key, n);
      left -= count;
      n += count > 0;
    }
  }
  return n;
}


static int compare_arcs(const void *a, const void *b)
{
  const transferArc *x = a, *y = b;
  return x->from != y->from ? x->from - y->from : x->to - y->to;
}


static int find_arcs(transferGraph *t, const sequenceWork *w)
{
  const taskGraph *g = w->graph;
  size_t count = 0;
  for (int i = 0; i < g->n; i++) count += (size_t) g->unit[i].nparent;
  t->arc = arena_alloc(&t->arena, count, sizeof *t->arc);
  if (!t->arc) return 0;
  int n = 0;
  for (int i = 0; i < g->n; i++) {
    for (int k = 0; k < g->unit[i].nparent; k++) {
      const int from = w->of[g->unit[i].parent[k]], to = w->of[i];
      if (from != to) t->arc[n++] = (transferArc){from, to, 1};
    }
  }
  qsort(t->arc, (size_t) n, sizeof *t->arc, compare_arcs);
  for (int i = 0; i < n; i++) {
    const int is_new = i == 0 || compare_arcs(&t->arc[i], &t->arc[t->narc - 1]) != 0;
    if (is_new) t->arc[t->narc++] = t->arc[i];
  }
  return 1;
}


static int fill(transferGraph *t, sequenceWork *w)
{
  const taskGraph *g = w->graph;
  t->of = w->of = arena_alloc(&t->arena, (size_t) g->n, sizeof *t->of);
  if (!w->key || !w->missing || !w->of || !number_addresses(w)) return 0;
  t->n = find_sequences(w);
  t->sequence = arena_alloc(&t->arena, (size_t) t->n, sizeof *t->sequence);
  t->order = arena_alloc(&t->arena, (size_t) t->n, sizeof *t->order);
  if (!t->sequence || !t->order) return 0;
  for (int i = 0; i < g->n; i++) {
    transferSequence *s = &t->sequence[w->of[i]];
    s->task = g->unit[i].mark.task;
    s->operations += g->unit[i].operations;
    s->is_fixed |= g->unit[i].is_call || g->unit[i].kind == TASK_RESULTS;
  }
  return find_arcs(t, w);
}


// tasks of groups that have something to do, numbered one after the other
static int take_prototypes(transferGraph *t, int ngroup)
{
  t->ngroup = ngroup;
  t->prototype = arena_alloc(&t->arena, (size_t) ngroup + 1, sizeof *t->prototype);
  if (!t->prototype) return 0;
  for (int g = 0; g < ngroup; g++) t->prototype[g] = -1;
  for (int i = 0; i < t->n; i++) t->prototype[t->sequence[i].task] = 0;
  for (int g = 0; g < ngroup; g++) {
    if (t->prototype[g] == 0) t->prototype[g] = t->nprototype++;
  }
  t->ntask = ngroup;
  return transfer_close_gaps(t);
}


transferGraph *transfer_create(const taskGraph *g, int ngroup)
{
  transferGraph *t = MEM_ARRAY(transferGraph, 1);
  sequenceWork w = {.graph = g};
  w.key = MEM_ARRAY(int, g->n);
  w.missing = MEM_ARRAY(int, g->n);
  const int made = t && fill(t, &w) && take_prototypes(t, ngroup);
  mem_free(w.key);
  mem_free(w.missing);
  if (made) return t;
  transfer_free(t);
  return NULL;
}


void transfer_free(transferGraph *t)
{
  if (!t) return;
  arena_free(&t->arena);
  mem_free(t);
}

//---- order ---------------------------------------------------------------------------------------

typedef struct orderKey {
  int alap, asap, sequence;
} orderKey;


static int compare_keys(const void *a, const void *b)
{
  const orderKey *x = a, *y = b;
  if (x->alap != y->alap) return x->alap - y->alap;
  return x->asap != y->asap ? x->asap - y->asap : x->sequence - y->sequence;
}


int transfer_schedule(transferGraph *t)
{
  orderKey *key = MEM_ARRAY(orderKey, t->n);
  int *count = MEM_ARRAY(int, t->ntask);
  if (key && count) {
    // arcs are sorted by origin, and origins come before destinations
    int last = 1;
    for (int i = 0; i < t->n; i++) t->sequence[i].asap = 1;
    for (int k = 0; k < t->narc; k++) {
      const int step = t->sequence[t->arc[k].from].asap + 1;
      transferSequence *to = &t->sequence[t->arc[k].to];
      if (to->asap < step) to->asap = step;
      if (last < step) last = step;
    }
    for (int i = 0; i < t->n; i++) t->sequence[i].alap = last;
    for (int k = t->narc - 1; k >= 0; k--) {
      const int step = t->sequence[t->arc[k].to].alap - 1;
      transferSequence *from = &t->sequence[t->arc[k].from];
      if (from->alap > step) from->alap = step;
    }

    for (int i = 0; i < t->n; i++) {
      key[i] = (orderKey){t->sequence[i].alap, t->sequence[i].asap, i};
    }
    qsort(key, (size_t) t->n, sizeof *key, compare_keys);
    for (int i = 0; i < t->n; i++) {
      transferSequence *s = &t->sequence[key[i].sequence];
      t->order[i] = key[i].sequence;
      s->position = count[s->task]++;
    }
  }
  const int made = key && count;
  mem_free(key);
  mem_free(count);
  return made;
}

int transfer_close_gaps(transferGraph *t)
{
  int *number = MEM_ARRAY(int, t->ntask), n = 0;
  if (!number) return 0;
  for (int i = 0; i < t->n; i++) number[t->sequence[i].task] = 1;
  for (int k = 0; k < t->ntask; k++) number[k] = number[k] ? n++ : -1;
  for (int i = 0; i < t->n; i++) t->sequence[i].task = number[t->sequence[i].task];
  t->ntask = n;
  mem_free(number);
  return transfer_schedule(t);
}

//---- grouping ------------------------------------------------------------------------------------

static int is_between(const transferGraph *t, const transferArc *a)
{
  return t->sequence[a->from].task != t->sequence[a->to].task;
}


// whether the data of `a` can go with `b`, which leaves later or at once and arrives earlier or at once
static int can_join(const transferGraph *t, const transferArc *a, const transferArc *b)
{
  const transferSequence *from = &t->sequence[a->from], *to = &t->sequence[a->to];
  const transferSequence *other_from = &t->sequence[b->from], *other_to = &t->sequence[b->to];
  return from->task == other_from->task && to->task == other_to->task &&
         from->position <= other_from->position && other_to->position <= to->position;
}


void transfer_group(transferGraph *t)
{
  for (int i = 0; i < t->narc; i++) t->arc[i].is_kept = 1;
  for (int i = 0; i < t->narc; i++) {
    transferArc *a = &t->arc[i];
    if (!is_between(t, a)) continue;
    for (int k = 0; k < t->narc && a->is_kept; k++) {
      if (k != i && t->arc[k].is_kept && is_between(t, &t->arc[k]) && can_join(t, a, &t->arc[k])) {
        a->is_kept = 0;
      }
    }
  }
}

//---- measures ------------------------------------------------------------------------------------

static int larger(int a, int b)
{
  return a > b ? a : b;
}


// Room to follow the longest way again and again.
typedef struct wayWork {
  int *ready; // [n] when what a sequence reads is there
  int *busy;  // [ntask]
  int *first; // [n + 1] arcs of each origin, which come one after the other
  baseArena room;
} wayWork;


static int way_open(wayWork *w, const transferGraph *t)
{
  *w = (wayWork){0};
  ARENA_TAKE(&w->room, w->ready, t->n);
  ARENA_TAKE(&w->room, w->busy, t->ntask);
  ARENA_TAKE(&w->room, w->first, t->n + 1);
  if (w->room.has_run_out) return 0;
  for (int k = 0; k < t->narc; k++) w->first[t->arc[k].from + 1]++;
  for (int i = 0; i < t->n; i++) w->first[i + 1] += w->first[i];
  return 1;
}


// the longest way, with so much for an operation and for a transfer between tasks
static int longest_way(wayWork *w, const transferGraph *t, int of_operation, int of_transfer)
{
  int longest = 0;
  memset(w->ready, 0, (size_t) t->n * sizeof *w->ready);
  memset(w->busy, 0, (size_t) t->ntask * sizeof *w->busy);
  for (int i = 0; i < t->n; i++) {
    const int at = t->order[i];
    const transferSequence *s = &t->sequence[at];
    const int end = larger(w->ready[at], w->busy[s->task]) + of_operation * s->operations;
    w->busy[s->task] = end;
    longest = larger(longest, end);
    for (int k = w->first[at]; k < w->first[at + 1]; k++) {
      const transferArc *a = &t->arc[k];
      w->ready[a->to] = larger(w->ready[a->to], end + (is_between(t, a) ? of_transfer : 0));
    }
  }
  return longest;
}


static int measure_ways(transferGraph *t, transferMeasures *m)
{
  wayWork w;
  const int made = way_open(&w, t);
  if (made) {
    m->critical = longest_way(&w, t, 1, 0);
    m->timed = longest_way(&w, t, 1, t->transfer);
    m->critical_transfers = longest_way(&w, t, 0, 1);
    m->speedup = m->critical > 0 ? (double) m->operations / m->critical : 1;
    m->rate = m->speedup / t->ntask;
  }
  arena_free(&w.room);
  return made;
}


int transfer_measure(transferGraph *t, transferMeasures *m)
{
  const size_t n = (size_t) t->ntask;
  *m = (transferMeasures){0};
  m->size = arena_alloc(&t->arena, n, sizeof(int));
  m->out = arena_alloc(&t->arena, n, sizeof(int));
  m->in = arena_alloc(&t->arena, n, sizeof(int));
  m->between = arena_alloc(&t->arena, n * n, sizeof(int));
  if (!m->size || !m->out || !m->in || !m->between) return 0;
  for (int i = 0; i < t->n; i++) {
    m->operations += t->sequence[i].operations;
    m->size[t->sequence[i].task] += t->sequence[i].operations;
  }
  for (int k = 0; k < t->narc; k++) {
    const transferArc *a = &t->arc[k];
    const int from = t->sequence[a->from].task, to = t->sequence[a->to].task;
    m->transfers += from != to;
    if (!a->is_kept) continue;
    m->between[from * t->ntask + to]++;
    if (from == to) continue;
    m->kept++;
    m->out[from]++;
    m->in[to]++;
  }
  return measure_ways(t, m);
}

//---- dealing sequences out -----------------------------------------------------------------------

// the task that holds most parents
static int preferred(const transferGraph *t, int sequence, int ntask, const int *row, int *count)
{
  memset(count, 0, (size_t) ntask * sizeof *count);
  int best = 0;
  for (int k = 0; k < t->narc; k++) {
    const transferArc *a = &t->arc[k];
    if (a->to == sequence && row[a->from] > 0) count[t->sequence[a->from].task]++;
  }
  for (int i = 1; i < ntask; i++) {
    if (count[i] > count[best]) best = i;
  }
  return best;
}


// the first row from `step` on with room: in the preferred task, or in any of the first `most`
static int place(unsigned char *grid, int ntask, int step, int wish, int most, int *task)
{
  for (;; step++) {
    unsigned char *cell = grid + (long) step * ntask;
    *task = wish;
    for (int i = 0; cell[*task] && i < most; i++) *task = i;
    if (cell[*task]) continue;
    cell[*task] = 1;
    return step;
  }
}


int transfer_deal(transferGraph *t, int ntask)
{
  baseArena room = {0};
  unsigned char *grid = arena_alloc(&room, (size_t) (2 * t->n + 2) * (size_t) ntask, 1);
  int *row = arena_alloc(&room, (size_t) t->n, sizeof *row);
  int *count = arena_alloc(&room, (size_t) ntask, sizeof *count);
  const int made = !room.has_run_out;
  for (int i = 0; made && i < t->n; i++) {
    const int at = t->order[i], is_fixed = t->sequence[at].is_fixed;
    const int wish = is_fixed ? 0 : preferred(t, at, ntask, row, count);
    int step = 1;
    for (int k = 0; k < t->narc; k++) {
      if (t->arc[k].to == at) step = larger(step, row[t->arc[k].from] + 1);
    }
    row[at] = place(grid, ntask, step, wish, is_fixed ? 1 : ntask, &t->sequence[at].task);
  }
  t->ntask = ntask;
  arena_free(&room);
  return made && transfer_close_gaps(t);
}

//---- moving sequences ----------------------------------------------------------------------------

// the task in which a sequence makes the longest way shortest, if that is shorter than before
static void move_sequence(wayWork *w, transferGraph *t, int i, int *length)
{
  int *task = &t->sequence[i].task, best = *task;
  for (int k = 0; k < t->ntask; k++) {
    *task = k;
    const int now = longest_way(w, t, 1, t->transfer);
    if (now >= *length) continue;
    *length = now;
    best = k;
  }
  *task = best;
}


int transfer_move(transferGraph *t)
{
  wayWork w;
  const int made = way_open(&w, t);
  int length = made ? longest_way(&w, t, 1, t->transfer) : 0, before = length + 1;
  while (length < before) {
    before = length;
    for (int i = 0; i < t->n; i++) {
      if (!t->sequence[i].is_fixed) move_sequence(&w, t, i, &length);
    }
  }
  arena_free(&w.room);
  return made && transfer_close_gaps(t);
}
