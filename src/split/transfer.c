// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sequences and transfers.
#include "split/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/memory.h"
#include "base/throw.h"

//---- sequences -----------------------------------------------------------------------------------

typedef struct sequenceWork {
  const taskGraph *graph;
  int *key;     // [n] address of a node, as a number
  int *missing; // [n] number of parents not in a sequence yet
  int *of;      // [n] sequence of a node, for the transferGraph
  int nkey;
  transferGraph *transfers;
  int ngroup;
} sequenceWork;


static int same_address(const taskMark *a, const taskMark *b)
{
  return a->sequence == b->sequence && a->block == b->block && a->section == b->section &&
         a->task == b->task;
}


// number the addresses in the order of their first nodes; there are few
static void number_addresses(sequenceWork *w)
{
  const taskGraph *g = w->graph;
  int *first;
  ARENA_TAKE(&w->transfers->arena, first, g->n);
  for (int i = 0; i < g->n; i++) {
    int k = 0;
    while (k < w->nkey && !same_address(&g->unit[first[k]].mark, &g->unit[i].mark)) k++;
    if (k == w->nkey) first[w->nkey++] = i;
    w->key[i] = k;
  }
}


// put all nodes of an address whose parents are done into a sequence; returns their number
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


// An address with nodes that depend on each other through other addresses is divided into several
// sequences, so that sequences have no cycles.
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


static void find_arcs(transferGraph *t, const sequenceWork *w)
{
  const taskGraph *g = w->graph;
  size_t count = 0;
  for (int i = 0; i < g->n; i++) count += (size_t) g->unit[i].nparent;
  ARENA_TAKE(&t->arena, t->arc, count);
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
}


static void fill_transfer_graph(transferGraph *t, sequenceWork *w)
{
  const taskGraph *g = w->graph;
  ARENA_TAKE(&t->arena, w->key, g->n);
  ARENA_TAKE(&t->arena, w->missing, g->n);
  t->of = ARENA_TAKE(&t->arena, w->of, g->n);
  number_addresses(w);
  t->n = find_sequences(w);
  ARENA_TAKE(&t->arena, t->sequence, t->n);
  ARENA_TAKE(&t->arena, t->order, t->n);
  for (int i = 0; i < g->n; i++) {
    transferSequence *s = &t->sequence[w->of[i]];
    s->task = g->unit[i].mark.task;
    s->operations += g->unit[i].operations;
    s->is_fixed |= g->unit[i].is_call || g->unit[i].kind == TASK_RESULTS;
  }
  find_arcs(t, w);
}


// number the tasks of groups that have work consecutively
static void take_prototypes(transferGraph *t, int ngroup)
{
  t->ngroup = ngroup;
  ARENA_TAKE(&t->arena, t->prototype, ngroup + 1);
  for (int g = 0; g < ngroup; g++) t->prototype[g] = -1;
  for (int i = 0; i < t->n; i++) t->prototype[t->sequence[i].task] = 0;
  for (int g = 0; g < ngroup; g++) {
    if (t->prototype[g] == 0) t->prototype[g] = t->nprototype++;
  }
  t->ntask = ngroup;
  transfer_close_gaps(t);
}


static void make_sequence_transfers(void *work)
{
  sequenceWork *w = work;
  fill_transfer_graph(w->transfers, w);
  take_prototypes(w->transfers, w->ngroup);
}


transferGraph *transfer_create(const taskGraph *g, int ngroup)
{
  ART_ASSERT(ngroup >= 0);
  transferGraph *t = MEM_ARRAY(transferGraph, 1);
  sequenceWork w = {.graph = g, .transfers = t, .ngroup = ngroup};
  if (!t) return NULL;
  t->arena.leaves = 1;
  const bool is_made = error_catch(make_sequence_transfers, &w);
  t->arena.leaves = 0;
  if (is_made) return t;
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


static int compare_order_keys(const void *a, const void *b)
{
  const orderKey *x = a, *y = b;
  if (x->alap != y->alap) return x->alap - y->alap;
  return x->asap != y->asap ? x->asap - y->asap : x->sequence - y->sequence;
}


void transfer_schedule(transferGraph *t)
{
  const arenaPlace here = arena_place(&t->arena);
  orderKey *key;
  int *count;
  ARENA_TAKE(&t->arena, key, t->n);
  ARENA_TAKE(&t->arena, count, t->ntask);

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
  qsort(key, (size_t) t->n, sizeof *key, compare_order_keys);
  for (int i = 0; i < t->n; i++) {
    transferSequence *s = &t->sequence[key[i].sequence];
    t->order[i] = key[i].sequence;
    s->position = count[s->task]++;
  }
  arena_return(&t->arena, here);
}


void transfer_close_gaps(transferGraph *t)
{
  const arenaPlace here = arena_place(&t->arena);
  int n = 0, *number;
  ARENA_TAKE(&t->arena, number, t->ntask);
  for (int i = 0; i < t->n; i++) number[t->sequence[i].task] = 1;
  for (int k = 0; k < t->ntask; k++) number[k] = number[k] ? n++ : -1;
  for (int i = 0; i < t->n; i++) t->sequence[i].task = number[t->sequence[i].task];
  t->ntask = n;
  arena_return(&t->arena, here);
  transfer_schedule(t);
}

//---- grouping ------------------------------------------------------------------------------------

static int is_between(const transferGraph *t, const transferArc *a)
{
  return t->sequence[a->from].task != t->sequence[a->to].task;
}


// can the data of `a` travel with `b`, which must be sent no earlier and received no later?
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

// Memory for repeated critical-path computations.
typedef struct wayWork {
  int *ready; // [n] time when the inputs of a sequence are available
  int *busy;  // [ntask]
  int *first; // [n + 1] first arc of each origin; arcs are sorted by origin
} wayWork;


// returns 0 when memory ran out
static int way_open(wayWork *w, transferGraph *t)
{
  ARENA_TAKE(&t->arena, w->ready, t->n);
  ARENA_TAKE(&t->arena, w->busy, t->ntask);
  ARENA_TAKE(&t->arena, w->first, t->n + 1);
  if (t->arena.has_run_out) return 0;
  for (int k = 0; k < t->narc; k++) w->first[t->arc[k].from + 1]++;
  for (int i = 0; i < t->n; i++) w->first[i + 1] += w->first[i];
  return 1;
}


// length of the critical path, with the given weights of an operation and of a transfer between
// tasks
static int longest_transfer_way(wayWork *w, const transferGraph *t, int of_operation,
                                int of_transfer)
{
  int longest = 0;
  memset(w->ready, 0, (size_t) t->n * sizeof *w->ready);
  memset(w->busy, 0, (size_t) t->ntask * sizeof *w->busy);
  for (int i = 0; i < t->n; i++) {
    const int at = t->order[i];
    const transferSequence *s = &t->sequence[at];
    const int end = max_int(w->ready[at], w->busy[s->task]) + of_operation * s->operations;
    w->busy[s->task] = end;
    longest = max_int(longest, end);
    for (int k = w->first[at]; k < w->first[at + 1]; k++) {
      const transferArc *a = &t->arc[k];
      w->ready[a->to] = max_int(w->ready[a->to], end + (is_between(t, a) ? of_transfer : 0));
    }
  }
  return longest;
}


int transfer_measure(transferGraph *t, transferMeasures *m)
{
  const int n = t->ntask;
  wayWork w;
  *m = (transferMeasures){0};
  ARENA_TAKE(&t->arena, m->size, n);
  ARENA_TAKE(&t->arena, m->out, n);
  ARENA_TAKE(&t->arena, m->in, n);
  ARENA_TAKE(&t->arena, m->between, n * n);
  const arenaPlace here = arena_place(&t->arena);
  if (!way_open(&w, t)) return 0;
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
  m->critical = longest_transfer_way(&w, t, 1, 0);
  m->timed = longest_transfer_way(&w, t, 1, t->transfer);
  m->critical_transfers = longest_transfer_way(&w, t, 0, 1);
  m->speedup = m->critical > 0 ? (double) m->operations / m->critical : 1;
  m->rate = m->speedup / t->ntask;
  arena_return(&t->arena, here);
  return 1;
}

//---- assignment of sequences to tasks ------------------------------------------------------------

// the task that contains most parents
static int preferred_task(const transferGraph *t, int sequence, int ntask, const int *row,
                          int *count)
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


// the first row from `step` on with a free cell: in the preferred task, or in one of the first
// `most`
static int place_in_grid(unsigned char *grid, int ntask, int step, int wish, int most, int *task)
{
  ART_ASSERT(wish >= 0 && wish < ntask && most > 0);
  for (;; step++) {
    unsigned char *cell = grid + (long) step * ntask;
    *task = wish;
    for (int i = 0; cell[*task] && i < most; i++) *task = i;
    if (cell[*task]) continue;
    cell[*task] = 1;
    return step;
  }
}


void transfer_deal(transferGraph *t, int ntask)
{
  ART_ASSERT(ntask >= 1);
  const arenaPlace here = arena_place(&t->arena);
  unsigned char *grid;
  int *row, *count;
  ARENA_TAKE(&t->arena, grid, (2 * t->n + 2) * ntask);
  ARENA_TAKE(&t->arena, row, t->n);
  ARENA_TAKE(&t->arena, count, ntask);
  for (int i = 0; i < t->n; i++) {
    const int at = t->order[i], is_fixed = t->sequence[at].is_fixed;
    const int wish = is_fixed ? 0 : preferred_task(t, at, ntask, row, count);
    int step = 1;
    for (int k = 0; k < t->narc; k++) {
      if (t->arc[k].to == at) step = max_int(step, row[t->arc[k].from] + 1);
    }
    row[at] = place_in_grid(grid, ntask, step, wish, is_fixed ? 1 : ntask, &t->sequence[at].task);
  }
  t->ntask = ntask;
  arena_return(&t->arena, here);
  transfer_close_gaps(t);
}

//---- moving sequences ----------------------------------------------------------------------------

// move a sequence to the task that makes the critical path shortest, if that is an improvement
static void move_sequence(wayWork *w, transferGraph *t, int i, int *length)
{
  int *task = &t->sequence[i].task, best = *task;
  for (int k = 0; k < t->ntask; k++) {
    *task = k;
    const int now = longest_transfer_way(w, t, 1, t->transfer);
    if (now >= *length) continue;
    *length = now;
    best = k;
  }
  *task = best;
}


void transfer_move(transferGraph *t)
{
  const arenaPlace here = arena_place(&t->arena);
  wayWork w;
  way_open(&w, t);
  int length = longest_transfer_way(&w, t, 1, t->transfer), before = length + 1;
  while (length < before) {
    before = length;
    for (int i = 0; i < t->n; i++) {
      if (!t->sequence[i].is_fixed) move_sequence(&w, t, i, &length);
    }
  }
  arena_return(&t->arena, here);
  transfer_close_gaps(t);
}

//---- merging of small tasks ----------------------------------------------------------------------

static int smallest_of(int ntask, const int *size, int but)
{
  ART_ASSERT(ntask >= 1);
  int best = -1;
  for (int i = 0; i < ntask; i++) {
    if (i != but && (best < 0 || size[i] < size[best])) best = i;
  }
  return best;
}


static int most_talkative(int ntask, const int *between, int with)
{
  int best = -1, most = -1;
  for (int i = 0; i < ntask; i++) {
    const int n = between[with * ntask + i] + between[i * ntask + with];
    if (i == with || n <= most) continue;
    most = n;
    best = i;
  }
  return best;
}


int merge_choose(int ntask, const int *size, const int *between, const mergeRule *rule,
                 int *smallest, int *other)
{
  ART_ASSERT(ntask >= 1);
  double mean = 0;
  for (int i = 0; i < ntask; i++) mean += (double) size[i] / ntask;
  *smallest = smallest_of(ntask, size, -1);
  const int is_large = size[*smallest] > 0 && size[*smallest] >= rule->smallest * mean;
  if (ntask == 1 || (rule->count > 0 ? ntask <= rule->count : is_large)) return 0;
  *other = rule->kind == MERGE_SMALL ? smallest_of(ntask, size, *smallest)
                                     : most_talkative(ntask, between, *smallest);
  return 1;
}


static void merge_by(transferGraph *t, mergeRule rule)
{
  transferMeasures m;
  int a, b;
  for (;;) {
    transfer_group(t);
    transfer_measure(t, &m);
    if (!merge_choose(t->ntask, m.size, m.between, &rule, &a, &b)) return;
    const int gone = a > b ? a : b, kept = a > b ? b : a;
    for (int i = 0; i < t->n; i++) {
      if (t->sequence[i].task == gone) t->sequence[i].task = kept;
    }
    transfer_close_gaps(t);
  }
}


void merge_tasks(transferGraph *t, const mergeRule *rule)
{
  const mergeRule by_size = {.kind = rule->kind, .smallest = rule->smallest};
  merge_by(t, by_size);
  if (rule->count > 0) merge_by(t, *rule);
}
