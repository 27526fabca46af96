// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of a machine as expressions.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/memory.h"
#include "base/throw.h"
#include "gen/build.h"
#include "loop/loop.h"
#include "loop/match.h"
#include "sym/loop_symbolic.h"

//---- rows ----------------------------------------------------------------------------------------

static void copy_vector_numbers(double to[3], v3 from)
{
  to[0] = from.x, to[1] = from.y, to[2] = from.z;
}


static int name_of_latch(const artModel *m, int row, int is_lock)
{
  for (int i = 0; i < m->nlatch; i++) {
    if (m->latch_row[i] == row && (m->latch[i].type == ART_LOCK) == is_lock) return i;
  }
  return 0;
}


int gen_cut_number(const artModel *m, int c)
{
  ART_ASSERT(c >= 0 && c < m->ncut);
  return c < m->own_cuts ? c : m->own_cuts + name_of_latch(m, c, 0);
}


static cutNumbers cut_numbers_of(const genBuild *b, int c)
{
  ART_ASSERT(c >= 0 && c < b->m->ncut);
  const artModel *m = b->m;
  const modelCut *cut = &m->cut[c];
  const int latch = c < m->own_cuts || !b->hold ? -1 : name_of_latch(m, c, 0);
  const int is_held = latch >= 0 && m->latch[latch].type == ART_LATCH;
  cutNumbers x = {.held = is_held ? gen_hold(b, latch) : NULL,
                  .number = gen_cut_number(m, c),
                  .pitch = cut->pitch,
                  .length = cut->length,
                  .roll = (int) cut->on.kind,
                  .surface = (int) cut->on.shape,
                  .sense = cut->on.sense,
                  .curvature = {cut->on.radius, cut->on.sine, cut->on.cosine}};
  for (int side = 0; side < 2; side++) {
    x.link[side] = cut->side[side].link;
    copy_vector_numbers(x.R[side], cut->side[side].R.x);
    copy_vector_numbers(x.R[side] + 3, cut->side[side].R.y);
    copy_vector_numbers(x.R[side] + 6, cut->side[side].R.z);
    copy_vector_numbers(x.r[side], cut->side[side].r);
  }
  copy_vector_numbers(x.axis2, cut->axis2);
  return x;
}


// the room into which rows of cuts are recorded
typedef struct genCutWork {
  int *J;          // [6 nv] zero between cuts
  int *column;     // [nv] coordinates that move its sides, ascending
  genEntry *entry; // [nv]
} genCutWork;


static void open_cut_work(genBuild *b, genCutWork *w)
{
  const size_t nv = (size_t) b->tree->nv;
  w->J = gen_alloc(b, 6 * nv, sizeof *w->J);
  w->column = gen_alloc(b, nv, sizeof *w->column);
  w->entry = gen_alloc(b, nv, sizeof *w->entry);
}


// coordinates of both ways from ground, the larger one of the two at a time; returns the first place
static int list_cut_columns(const genBuild *b, const modelCut *cut, int *column)
{
  const treeModel *t = &b->m->tree;
  int i = model_last_dof(t, cut->side[0].link), j = model_last_dof(t, cut->side[1].link);
  int first = t->nv;
  while (i >= 0 || j >= 0) {
    const int k = column[--first] = i > j ? i : j;
    if (i == k) i = t->dof_parent[i];
    if (j == k) j = t->dof_parent[j];
  }
  return first;
}


// rows of a cut from where they were recorded
static void take_cut_rows(genBuild *b, const modelCut *cut, genCutWork *w, int n, const int *row,
                          genMatrix *J)
{
  const int nv = b->tree->nv, first = list_cut_columns(b, cut, w->column);
  for (int i = 0; i < n; i++) {
    int *dense = w->J + (long) i * nv, count = 0;
    for (int k = first; k < nv; k++) {
      const int column = w->column[k];
      if (dense[column] != 0) w->entry[count++] = (genEntry){column, dense[column]};
      dense[column] = 0;
    }
    matrix_set(J, row[i], count, w->entry, &b->program->arena);
  }
}


static void cut_rows(genBuild *b, int c, genCutWork *w)
{
  const modelCut *cut = &b->m->cut[c];
  const rowKind *kinds = cut->kind;
  const cutNumbers numbers = cut_numbers_of(b, c);
  const int r = cut->row0;
  int kind[6], row[6];
  for (int i = 0; i < cut->nrow; i++) {
    kind[i] = (int) kinds[i];
    row[i] = r + i;
  }
  genRows *rows = &b->rows;
  sym_record_cut(b->tree, &numbers, cut->nrow, kind, rows->phi + r, w->J, rows->gamma + r,
                 rows->action + 9 * r);
  take_cut_rows(b, cut, w, cut->nrow, row, &rows->J);
}


static void set_entry(genBuild *b, int row, int column, int node)
{
  *matrix_place(&b->rows.J, row, column, &b->program->arena) = node;
}


// value with gradient, and bias, of a relation that is known by calls alone
static void take_called_row(genBuild *b, const modelRelation *relation, int value, int bias)
{
  exprPool *p = b->pool;
  b->rows.phi[relation->row] = expr_element(p, value, 0);
  b->rows.gamma[relation->row] = expr_neg(p, expr_element(p, bias, 0));
  for (int i = 0; i < relation->n; i++) {
    set_entry(b, relation->row, relation->velocity[i], expr_element(p, value, 1 + i));
  }
}


// a relation by functions of the user
static void called_row(genBuild *b, const modelRelation *relation, int index)
{
  const int n = relation->n;
  int x[2 * MODEL_LONGEST_RELATION];
  for (int i = 0; i < n; i++) {
    x[i] = b->tree->q[relation->position[i]];
    x[n + i] = b->tree->v[relation->velocity[i]];
  }
  const int value = gen_call(b, &relation->call, x, NULL, "relation", index);
  take_called_row(b, relation, value, gen_call(b, &relation->bias, x, NULL, "relation", index));
}


// b - p(a) = 0 with p, p', p'' by Horner's rule
static void polynomial_row(genBuild *b, const modelRelation *relation, int index)
{
  ART_ASSERT(relation->n == 2);
  exprPool *p = b->pool;
  const int a = b->tree->q[relation->position[1]], rate = b->tree->v[relation->velocity[1]];
  int value = 0, slope = 0, half = 0;
  for (int k = relation->call.function->nparameter - 1; k >= 0; k--) {
    const int c = gen_parameter_at(b, &relation->call.parameter[k], "relation",
                                   FUNCTION_PARAMETERS * index + k);
    half = expr_add(p, expr_mul(p, half, a), slope);
    slope = expr_add(p, expr_mul(p, slope, a), value);
    value = expr_add(p, expr_mul(p, value, a), c);
  }
  b->rows.phi[relation->row] = expr_sub(p, b->tree->q[relation->position[0]], value);
  b->rows.gamma[relation->row] =
      expr_mul(p, expr_mul(p, expr_constant(p, 2), half), expr_mul(p, rate, rate));
  set_entry(b, relation->row, relation->velocity[0], expr_constant(p, 1));
  set_entry(b, relation->row, relation->velocity[1], expr_neg(p, slope));
}


static void record_relation_row(genBuild *b, int i)
{
  const modelRelation *relation = &b->m->relation[i];
  if (relation->call.function) {
    (model_is_polynomial(relation) ? polynomial_row : called_row)(b, relation, i);
    return;
  }
  if (relation->user.value) {
    // a relation of the host: value with gradient, and bias, as external functions
    const int n = relation->n;
    exprPool *p = b->pool;
    int *argument = gen_alloc(b, 2 * (size_t) n, sizeof *argument);
    char *bias_name = arena_format(&b->program->arena, "%s_bias", relation->name);
    for (int j = 0; j < n; j++) {
      argument[j] = b->tree->q[relation->position[j]];
      argument[n + j] = b->tree->v[relation->velocity[j]];
    }
    gen_add_external(b, relation->name, "coordinates to value, then its derivatives", n, 1 + n);
    gen_add_external(b, bias_name,
                     "coordinates, then rates, to what is left of the second derivative at zero "
                     "accelerations",
                     2 * n, 1);
    const int value = expr_call(p, expr_external(p, n, 1 + n), argument);
    const int bias = expr_call(p, expr_external(p, 2 * n, 1), argument);
    take_called_row(b, relation, value, bias);
    return;
  }
  exprPool *p = b->pool;
  const int lock = i < b->m->own_relations ? -1 : name_of_latch(b->m, i, 1);
  const int hold = lock >= 0 && b->hold ? *gen_hold(b, lock) : -1;
  int phi = expr_neg(
      p, hold >= 0 ? hold : gen_parameter_at(b, &relation->constant, "coupling_constant", i));
  if (lock >= 0) i = b->m->own_relations + lock;
  for (int k = 0; k < relation->n; k++) {
    const int c = gen_parameter_at(b, &relation->coefficient[k], "coupling", 64 * i + k);
    phi = expr_add(p, phi, expr_mul(p, c, b->tree->q[relation->position[k]]));
    set_entry(b, relation->row, relation->velocity[k], c);
  }
  b->rows.phi[relation->row] = phi;
  b->rows.gamma[relation->row] = 0;
}


void gen_rows(genBuild *b)
{
  const size_t n = (size_t) b->m->nrow;
  genRows *rows = &b->rows;
  genCutWork w;
  rows->n = b->m->nrow;
  rows->phi = gen_alloc(b, n, sizeof *rows->phi);
  rows->gamma = gen_alloc(b, n, sizeof *rows->gamma);
  rows->action = gen_alloc(b, 9 * n, sizeof *rows->action);
  open_cut_work(b, &w);
  matrix_open(&rows->J, rows->n, &b->program->arena);
  for (int c = 0; c < b->m->ncut; c++) cut_rows(b, c, &w);
  for (int i = 0; i < b->m->nrelation; i++) record_relation_row(b, i);
}


void gen_rolling_rows(genBuild *b, int *A, int *gamma, int *place)
{
  for (int i = 0; i < b->m->nroll; i++) {
    const modelRoll *roll = &b->m->roll[i];
    const cutNumbers numbers = cut_numbers_of(b, roll->cut);
    sym_record_rolling(b->tree, &numbers, A + (long) roll->row0 * b->tree->nv, gamma + roll->row0,
                       place + ROLL_PLACE * i);
  }
}


//---- rows that close the loops -------------------------------------------------------------------

// sliding rows of a cut may be mixed if they are used together
static void closing_cut(genBuild *b, int c, const int *block, int from_tip, genCutWork *w)
{
  const modelCut *cut = &b->m->cut[c];
  const rowKind *kinds = cut->kind;
  cutNumbers numbers = cut_numbers_of(b, c);
  numbers.from_tip = from_tip;
  int row[6], kind[6], phi[6], gamma[6], n = 0, mixes = 1, first = -1;
  for (int i = 0; i < cut->nrow; i++) {
    const int r = cut->row0 + i;
    if (block[r] < 0) continue;
    row[n] = r;
    kind[n++] = (int) kinds[i];
    if (kinds[i] > SLIDE_Z) continue;
    if (first < 0) first = block[r];
    mixes &= block[r] == first;
  }
  const int is_stiff = joint_holds(cut->type, TURN_Z);
  sym_record_closing(b->tree, &numbers, n, kind, mixes, is_stiff, phi, w->J, gamma);
  for (int i = 0; i < n; i++) {
    b->closing.phi[row[i]] = phi[i];
    b->closing.gamma[row[i]] = gamma[i];
  }
  take_cut_rows(b, cut, w, n, row, &b->closing.J);
}


// The entries of a row that is a relation, as they are in the data: the host's rows have no other numbers.
static void take_known_relation(const genBuild *b, int r, double *number)
{
  const genMatrix *J = &b->closing.J;
  const loopMatrix *known = &b->d->work->loop->rows.J;
  for (int k = 0; k < J->count[r]; k++) {
    number[k] = 0;
    for (int e = known->start[r]; e < known->start[r + 1]; e++) {
      if (known->column[e] == J->row[r][k].column) number[k] = known->value[e];
    }
  }
}


// operations of the closing rows besides the forces, points being summed up one way or the other
static int count_closing_rows(genBuild *b, const int *block, int from_tip, genCutWork *w)
{
  const size_t n = (size_t) b->rows.n, nv = (size_t) b->tree->nv, links = (size_t) b->tree->n;
  size_t entries = 0;
  for (int c = 0; c < b->m->ncut; c++) closing_cut(b, c, block, from_tip, w);
  for (size_t r = 0; r < n; r++) entries += (size_t) b->closing.J.count[r];
  int *all = gen_alloc(b, 2 * n + entries + nv + 6 * links, sizeof *all), *end = all;
  const struct {
    const int *node;
    size_t n;
  } part[] = {
      {b->closing.phi, n}, {b->closing.gamma, n}, {b->tau, nv}, {(int *) b->applied, 6 * links}};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    memcpy(end, part[i].node, part[i].n * sizeof *end);
    end += part[i].n;
  }
  for (size_t r = 0; r < n; r++) {
    for (int k = 0; k < b->closing.J.count[r]; k++) *end++ = b->closing.J.row[r][k].node;
  }
  return gen_operations(b, (int) (end - all), all);
}


// J of the closing rows in numbers, at the state of the data                       [n], of each row its entries
static double **numbers_of_rows(genBuild *b, baseArena *scratch)
{
  const genMatrix *J = &b->closing.J;
  double **row = arena_alloc(scratch, (size_t) J->n, sizeof *row);
  int *start = arena_alloc(scratch, (size_t) J->n + 1, sizeof *start);
  for (int r = 0; r < J->n; r++) start[r + 1] = start[r] + J->count[r];
  // numbers of all entries of the closing rows, one row after the other, where each row begins in start[n + 1]
  const int count = start[J->n];
  double *number = arena_alloc(scratch, (size_t) count, sizeof *number);
  double *symbols = arena_alloc(scratch, (size_t) b->pool->symbol_count, sizeof *symbols);
  double *value = arena_alloc(scratch, (size_t) b->pool->count, sizeof *value);
  sym_tree_values(b->tree, b->d->q, b->d->v, symbols);
  gen_hold_values(b, symbols);
  expr_evaluate(b->pool, symbols, value);
  for (int r = 0; r < J->n; r++) {
    for (int k = 0; k < J->count[r]; k++) number[start[r] + k] = value[J->row[r][k].node];
  }
  for (int i = 0; i < b->m->nrelation; i++) {
    const int r = b->m->relation[i].row;
    if (J->count[r] > 0) memset(number + start[r], 0, (size_t) J->count[r] * sizeof *number);
  }
  for (int r = 0; r < J->n; r++) row[r] = number + start[r];
  for (int i = 0; i < b->m->nrelation; i++) {
    take_known_relation(b, b->m->relation[i].row, row[b->m->relation[i].row]);
  }
  return row;
}


// a diagonal block in numbers                                                                      A[n n]
static void fill_block(const genBuild *b, int k, double *const *number, double *A)
{
  ART_ASSERT(k >= 0 && k < b->blocks.count);
  const genBlocks *blocks = &b->blocks;
  const int first = blocks->start[k], n = blocks->start[k + 1] - first;
  for (int i = 0; i < n; i++) {
    const int r = blocks->row[first + i];
    for (int e = 0; e < b->closing.J.count[r]; e++) {
      const int j = blocks->place[b->closing.J.row[r][e].column] - first;
      if (j >= 0 && j < n) A[i * n + j] = number[r][e];
    }
  }
}


// order the rows of one block so that elimination without exchanges meets the largest pivots
static void order_block_rows(const genBuild *b, int k, double *const *number, baseArena *scratch)
{
  const int first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
  double *A = arena_alloc(scratch, (size_t) n * (size_t) n, sizeof *A);
  fill_block(b, k, number, A);
  for (int i = 0; i < n; i++) {
    int best = i;
    for (int j = i + 1; j < n; j++) {
      if (fabs(A[j * n + i]) > fabs(A[best * n + i])) best = j;
    }
    if (best != i) {
      int *row = b->blocks.row + first;
      const int swap = row[i];
      row[i] = row[best];
      row[best] = swap;
      for (int c = 0; c < n; c++) {
        const double entry = A[i * n + c];
        A[i * n + c] = A[best * n + c];
        A[best * n + c] = entry;
      }
    }
    for (int j = i + 1; j < n; j++) {
      const double factor = A[j * n + i] / A[i * n + i];
      for (int c = i; c < n; c++) A[j * n + c] -= factor * A[i * n + c];
    }
  }
}


// The three turns of a ball joint share one quaternion, which no two blocks can have: where all of them are
// dependent, blocks between the first and the last of its columns become one. Returns the number of blocks.
static int join_balls(const genBuild *b, const int *columns, int n, const int *column, int count,
                      int *start)
{
  const treeModel *tree = &b->m->tree;
  for (int i = 0; i < n; i++) {
    const int link = tree->dof_link[columns[column[i]]];
    int last = i, turns = 0;
    for (int j = i; j < n; j++) {
      if (tree->dof_link[columns[column[j]]] != link) continue;
      last = j;
      turns++;
    }
    if (turns < 3) continue;
    // borders between the two go
    int kept = 0;
    for (int c = 0; c <= count; c++) {
      if (start[c] <= i || start[c] > last) start[kept++] = start[c];
    }
    count = kept - 1;
  }
  return count;
}


// which blocks a block reads the positions of
typedef struct genReads {
  int *link_of;     // [symbols] of positions, by ordinal; 0: none
  int *seen, mark;  // [nodes] the last search that came to a node, and the present one
  int *stack;       // [nodes]
  int nlist, *list; // [nd] places of the coordinates whose positions are read
} genReads;


static void open_reads(const genBuild *b, int nd, genReads *x, baseArena *scratch)
{
  const treeModel *t = &b->m->tree;
  const size_t nodes = (size_t) b->pool->count;
  x->link_of = arena_alloc(scratch, (size_t) b->pool->symbol_count, sizeof *x->link_of);
  x->seen = arena_alloc(scratch, nodes, sizeof *x->seen);
  x->stack = arena_alloc(scratch, nodes, sizeof *x->stack);
  x->list = arena_alloc(scratch, (size_t) nd, sizeof *x->list);
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const int nq = link->kind == LINK_SPHERICAL ? 4 : link->kind == LINK_FREE ? 7 : link->nv;
    for (int k = 0; k < nq; k++) x->link_of[b->pool->nodes[b->tree->q[link->q0 + k]].a] = i;
  }
}


static void look_at_read_node(genReads *x, int node, int *top)
{
  if (x->seen[node] == x->mark) return;
  x->seen[node] = x->mark;
  x->stack[(*top)++] = node;
}


// coordinates of the link whose position a symbol is
static void add_read(const genBuild *b, int symbol, genReads *x)
{
  const int i = x->link_of[b->pool->nodes[symbol].a];
  const treeLink *link = &b->m->tree.link[i];
  for (int k = 0; i > 0 && k < link->nv; k++) {
    const int place = b->blocks.place[link->v0 + k];
    int known = place < 0;
    for (int j = 0; j < x->nlist && !known; j++) known = x->list[j] == place;
    if (!known) x->list[x->nlist++] = place;
  }
}


// dependent coordinates whose positions openings and entries of block k are made of
static void find_block_reads(const genBuild *b, int k, genReads *x)
{
  const genBlocks *blocks = &b->blocks;
  const exprPool *p = b->pool;
  int top = 0;
  x->nlist = 0;
  x->mark++;
  for (int i = blocks->start[k]; i < blocks->start[k + 1]; i++) {
    const int r = blocks->row[i];
    look_at_read_node(x, b->closing.phi[r], &top);
    for (int e = 0; e < b->closing.J.count[r]; e++) {
      const genEntry *entry = &b->closing.J.row[r][e];
      const int place = blocks->place[entry->column];
      if (place >= blocks->start[k] && place < blocks->start[k + 1]) {
        look_at_read_node(x, entry->node, &top);
      }
    }
  }
  while (top > 0) {
    const int node = x->stack[--top], n = expr_argument_count(p, node);
    if (p->nodes[node].op == EXPR_SYMBOL) add_read(b, node, x);
    for (int i = 0; i < n; i++) look_at_read_node(x, expr_argument(p, node, i), &top);
  }
}


// the block that a place belongs to
static int loop_block_at(const genBlocks *blocks, int place)
{
  ART_ASSERT(place >= 0 && blocks->count > 0);
  int from = 0, to = blocks->count;
  while (from + 1 < to) {
    const int middle = (from + to) / 2;
    if (blocks->start[middle] <= place) {
      from = middle;
    } else {
      to = middle;
    }
  }
  return from;
}


static int loop_block_size(const genBlocks *blocks, int k)
{
  ART_ASSERT(k >= 0 && k < blocks->count);
  return blocks->start[k + 1] - blocks->start[k];
}


// Small blocks of one size that do not wait for each other are closed in one loop: their sines are found
// together, and none waits for the quotients of another. Large ones, which differ in their iterations, gain nothing.
static void find_block_groups(genBuild *b, genReads *reads, baseArena *scratch)
{
  enum { LARGEST = 2 };
  genBlocks *blocks = &b->blocks;
  const int count = blocks->count;
  blocks->group = gen_alloc(b, (size_t) count, sizeof(int));
  for (int k = 0; k < count; k++) blocks->group[k] = b->options->together ? -1 : k;
  if (!b->options->together) {
    blocks->groups = count;
    return;
  }
  // one above all blocks that it waits for; [count]
  int *level = arena_alloc(scratch, (size_t) b->blocks.count, sizeof *level);
  for (int k = 0; k < b->blocks.count; k++) {
    find_block_reads(b, k, reads);
    for (int i = 0; i < reads->nlist; i++) {
      const int l = loop_block_at(&b->blocks, reads->list[i]);
      if (l < k && level[k] <= level[l]) level[k] = level[l] + 1;
    }
  }
  for (int l = 0; l < count; l++) {
    for (int k = 0; k < count; k++) {
      if (level[k] != l || blocks->group[k] >= 0) continue;
      const int joins = loop_block_size(blocks, k) <= LARGEST;
      for (int j = k; j < (joins ? count : k + 1); j++) {
        const int is_alike =
            level[j] == l && loop_block_size(blocks, j) == loop_block_size(blocks, k);
        if (is_alike) blocks->group[j] = blocks->groups;
      }
      blocks->groups++;
    }
  }
}


// The last block whose positions are read by block k: entries may wait for later ones though the opening does
// not.
static int last_read(const genBuild *b, int k, genReads *x)
{
  int last = b->blocks.start[k];
  find_block_reads(b, k, x);
  for (int i = 0; i < x->nlist; i++) {
    if (x->list[i] > last) last = x->list[i];
  }
  return loop_block_at(&b->blocks, last);
}


//---- positions that a row reads though it does not depend on them --------------------------------

// The height of a point, say, over joints that turn about the vertical: u^T (a x r) with all three turned alike. Such positions
// are taken as zero, where trials show that the row stays the same whatever they and all other numbers are.
typedef struct genTrials {
  double *symbol[2],
      *value[2];    // [symbols], [nodes]: numbers drawn, and the same with the positions at zero
  int n, *position; // symbols of the positions
} genTrials;

enum { TRIALS = 3, MAX_TRIAL_NODES = 30000000 }; // nodes that may be evaluated in all


// the same numbers on every machine, from -1 to 1
static double draw_trial_number(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double) (*seed >> 11) * 0x1p-52 - 1;
}


// node of the opening of a row, e = -1, or of an entry; -1: in a column of another block
static int row_node(const genBuild *b, int k, int r, int e)
{
  const genBlocks *blocks = &b->blocks;
  if (e < 0) return b->closing.phi[r];
  const int place = blocks->place[b->closing.J.row[r][e].column];
  const int is_own = place >= blocks->start[k] && place < blocks->start[k + 1];
  return is_own ? b->closing.J.row[r][e].node : -1;
}


// the nodes that block k reads, those of the last search, with the positions at zero; arguments come before nodes
static void take_positions_as_zero(genBuild *b, int k, const genTrials *w, const genReads *x,
                                   baseArena *scratch)
{
  const genBlocks *blocks = &b->blocks;
  const int count = b->pool->count;
  int *now = arena_alloc(scratch, (size_t) count, sizeof *now), *argument = x->stack;
  for (int node = 0; node < count; node++) {
    now[node] = node;
    if (x->seen[node] != x->mark) continue;
    const int n = expr_argument_count(b->pool, node);
    int changes = 0;
    for (int i = 0; i < n; i++) {
      argument[i] = now[expr_argument(b->pool, node, i)];
      changes |= argument[i] != expr_argument(b->pool, node, i);
    }
    if (changes) now[node] = expr_with(b->pool, node, argument);
    for (int i = 0; i < w->n; i++) {
      if (node == w->position[i]) now[node] = expr_constant(b->pool, 0);
    }
  }
  for (int i = blocks->start[k]; i < blocks->start[k + 1]; i++) {
    const int r = blocks->row[i];
    b->closing.phi[r] = now[b->closing.phi[r]];
    for (int e = 0; e < b->closing.J.count[r]; e++) {
      if (row_node(b, k, r, e) >= 0) b->closing.J.row[r][e].node = now[row_node(b, k, r, e)];
    }
  }
}


// Free block k of positions of later blocks that its rows read, but do not depend on.
static void drop_idle_positions(genBuild *b, int k, genReads *x, long *tried, baseArena *scratch)
{
  const size_t nodes = (size_t) b->pool->count, symbols = (size_t) b->pool->symbol_count;
  genTrials w = {.n = 0};
  *tried += 2L * TRIALS * (long) nodes;
  if (*tried > MAX_TRIAL_NODES) return;
  w.position = arena_alloc(scratch, (size_t) x->nlist + 1, sizeof *w.position);
  // positions of later blocks that block k reads; none may be part of a quaternion
  for (int i = 0; i < x->nlist; i++) {
    if (x->list[i] < b->blocks.start[k + 1]) continue;
    const treeLink *link = &b->m->tree.link[b->m->tree.dof_link[b->blocks.column[x->list[i]]]];
    if (link->nv != 1) return;
    w.position[w.n++] = b->tree->q[link->q0];
  }
  if (w.n <= 0) return;
  for (int i = 0; i < 2; i++) {
    w.symbol[i] = arena_alloc(scratch, symbols, sizeof(double));
    w.value[i] = arena_alloc(scratch, nodes, sizeof(double));
  }
  const genBlocks *blocks = &b->blocks;
  uint64_t seed = 1;
  for (int trial = 0; trial < TRIALS; trial++) {
    sym_tree_values(b->tree, b->d->q, b->d->v, w.symbol[0]);
    for (int i = 0; i < b->pool->symbol_count; i++) {
      w.symbol[0][i] += (0.1 + 0.3 * fabs(w.symbol[0][i])) * draw_trial_number(&seed);
    }
    memcpy(w.symbol[1], w.symbol[0], (size_t) b->pool->symbol_count * sizeof *w.symbol[1]);
    for (int i = 0; i < w.n; i++) w.symbol[1][b->pool->nodes[w.position[i]].a] = 0;
    for (int i = 0; i < 2; i++) expr_evaluate(b->pool, w.symbol[i], w.value[i]);
    for (int i = blocks->start[k]; i < blocks->start[k + 1]; i++) {
      const int r = blocks->row[i];
      double size = 0, most = 0;
      for (int e = -1; e < b->closing.J.count[r]; e++) {
        const int node = row_node(b, k, r, e);
        if (node < 0) continue;
        size = max_nan(size, fabs(w.value[0][node]));
        most = max_nan(most, fabs(w.value[0][node] - w.value[1][node]));
      }
      if (!(most <= 1e-10 * size && isfinite(size))) return;
    }
  }

  take_positions_as_zero(b, k, &w, x, scratch);
  open_reads(b, b->blocks.start[b->blocks.count], x, scratch); // there are more nodes now
}


// blocks that wait for later ones are solved together with these
static void merge_blocks(genBuild *b, genReads *x, baseArena *scratch)
{
  genBlocks *blocks = &b->blocks;
  long tried = 0;
  for (int k = 0; k < blocks->count;) {
    if (last_read(b, k, x) > k) drop_idle_positions(b, k, x, &tried, scratch);
    const int gone = last_read(b, k, x) - k;
    if (gone == 0) k++;
    if (gone == 0) continue;
    blocks->count -= gone;
    for (int i = k + 1; i <= blocks->count; i++) blocks->start[i] = blocks->start[i + gone];
  }
}


// take a block of the partition apart, by the entries of its closing rows; it stays whole when they have no such form
static void split_block(genBuild *b, const loopPartition *part, int k, baseArena *scratch)
{
  genBlocks *blocks = &b->blocks;
  const int first = part->block_start[k], n = part->block_start[k + 1] - first;
  int room = 0;
  for (int i = 0; i < n; i++) room += b->closing.J.count[part->block_row[first + i]];
  int *entry = arena_alloc(scratch, (size_t) room, sizeof *entry);
  int *row_start = arena_alloc(scratch, (size_t) n + 1, sizeof *row_start);
  int *row = arena_alloc(scratch, (size_t) n, sizeof *row);
  int *column = arena_alloc(scratch, (size_t) n, sizeof *column);
  int *start = arena_alloc(scratch, (size_t) n + 1, sizeof *start);
  for (int i = 0; i < n; i++) {
    const genEntry *e;
    const int count = gen_dependent_entries(b, &b->closing.J, part->block_row[first + i], &e);
    row_start[i + 1] = row_start[i];
    for (int c = 0; c < count; c++) {
      const int j = e[c].column - first;
      if (j >= 0 && j < n) entry[row_start[i + 1]++] = j;
    }
  }
  const matchPattern pattern = {n, n, row_start, entry, NULL};
  int count = match_blocks(&pattern, row, column, start);
  if (count < 0) error_throw();
  if (count > 0) count = join_balls(b, part->block_column + first, n, column, count, start);
  for (int i = 0; i < n; i++) {
    blocks->row[first + i] = part->block_row[first + (count > 0 ? row[i] : i)];
    blocks->column[first + i] = part->block_column[first + (count > 0 ? column[i] : i)];
  }
  for (int c = 1; c < count; c++) blocks->start[++blocks->count] = first + start[c];
  blocks->start[++blocks->count] = first + n;
}


static void number_places(int *place, int nv, int nd, const int *column)
{
  for (int k = 0; k < nv; k++) place[k] = -1;
  for (int i = 0; i < nd; i++) place[column[i]] = i;
}


void gen_closing_rows(genBuild *b)
{
  const loopPartition *part = &b->d->work->loop->partition;
  const size_t n = (size_t) b->rows.n;
  baseArena *arena = &b->program->arena;
  // the block in which each row of the model is used, -1: not used
  int *block = gen_alloc(b, (size_t) b->rows.n, sizeof *block);
  for (int r = 0; r < b->rows.n; r++) block[r] = -1;
  for (int k = 0; k < part->block_count; k++) {
    for (int i = part->block_start[k]; i < part->block_start[k + 1]; i++) {
      block[part->block_row[i]] = k;
    }
  }
  genCutWork w;
  b->closing = b->rows;
  b->closing.phi = arena_copy(arena, b->rows.phi, n, sizeof(int));
  b->closing.gamma = arena_copy(arena, b->rows.gamma, n, sizeof(int));
  b->closing.J.count = arena_copy(arena, b->rows.J.count, n, sizeof(int));
  b->closing.J.row = arena_copy(arena, b->rows.J.row, n, sizeof *b->closing.J.row);
  open_cut_work(b, &w);
  // where forces do not ask for positions of links anyhow, levers are the cheaper ones to sum up
  const int outwards = count_closing_rows(b, block, 0, &w);
  const int inwards = count_closing_rows(b, block, 1, &w);
  for (int c = 0; c < b->m->ncut && outwards < inwards; c++) closing_cut(b, c, block, 0, &w);
  genBlocks *blocks = &b->blocks;
  const size_t nd = (size_t) part->nd;
  blocks->start = gen_alloc(b, nd + 1, sizeof(int));
  blocks->row = gen_alloc(b, nd, sizeof(int));
  blocks->column = gen_alloc(b, nd, sizeof(int));
  blocks->place = gen_alloc(b, (size_t) b->tree->nv, sizeof(int));
  b->entry = gen_alloc(b, (size_t) b->tree->nv, sizeof *b->entry);
  genReads reads = {0};
  open_reads(b, part->nd, &reads, &b->scratch);
  number_places(blocks->place, b->tree->nv, part->nd, part->block_column);
  for (int k = 0; k < part->block_count; k++) split_block(b, part, k, &b->scratch);
  number_places(blocks->place, b->tree->nv, part->nd, blocks->column);
  merge_blocks(b, &reads, &b->scratch);
  find_block_groups(b, &reads, &b->scratch);
  double **number = numbers_of_rows(b, &b->scratch);
  for (int k = 0; k < b->blocks.count; k++) order_block_rows(b, k, number, &b->scratch);
  arena_free(&b->scratch);
}
