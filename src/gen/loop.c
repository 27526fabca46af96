// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of a machine as expressions, and linear systems with frozen pivots.
#include <math.h>
#include <string.h>

#include "gen/build.h"
#include "loop/loop.h"
#include "loop/match.h"
#include "sym/loop_symbolic.h"
#include "sym/tape.h"

//---- linear systems ------------------------------------------------------------------------------

// Two unknowns, as most planar loops have, by the inverse: it takes as many operations as factors do and
// no pivot that may vanish where the determinant does not.
static void invert_pair(exprPool *p, int *A)
{
  const int a = A[0], b = A[1], c = A[2], d = A[3];
  const int determinant = expr_sub(p, expr_mul(p, a, d), expr_mul(p, b, c));
  const int inverse = expr_div(p, expr_constant(p, 1), determinant);
  A[0] = expr_mul(p, d, inverse);
  A[1] = expr_neg(p, expr_mul(p, b, inverse));
  A[2] = expr_neg(p, expr_mul(p, c, inverse));
  A[3] = expr_mul(p, a, inverse);
}


static void multiply_pair(exprPool *p, const int *A, int *x)
{
  const int y = expr_add(p, expr_mul(p, A[0], x[0]), expr_mul(p, A[1], x[1]));
  x[1] = expr_add(p, expr_mul(p, A[2], x[0]), expr_mul(p, A[3], x[1]));
  x[0] = y;
}


// A = L U without exchanges: pivots stand on the diagonal by the order of rows and columns; the diagonal
// keeps the inverse of the pivots
void gen_factor(exprPool *p, int n, int *A)
{
  if (n == 2) {
    invert_pair(p, A);
    return;
  }
  for (int k = 0; k < n; k++) {
    A[k * n + k] = expr_div(p, expr_constant(p, 1), A[k * n + k]);
    for (int i = k + 1; i < n; i++) {
      if (A[i * n + k] == 0) continue;
      A[i * n + k] = expr_mul(p, A[i * n + k], A[k * n + k]);
      for (int j = k + 1; j < n; j++) {
        if (A[k * n + j] == 0) continue;
        A[i * n + j] = expr_sub(p, A[i * n + j], expr_mul(p, A[i * n + k], A[k * n + j]));
      }
    }
  }
}


void gen_solve(exprPool *p, int n, const int *LU, int *x)
{
  if (n == 2) {
    multiply_pair(p, LU, x);
    return;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[i * n + k], x[k]));
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[i * n + k], x[k]));
    x[i] = expr_mul(p, x[i], LU[i * n + i]);
  }
}


// x^T A = the given row
void gen_solve_transposed(exprPool *p, int n, const int *LU, int *x)
{
  if (n == 2) {
    const int transposed[4] = {LU[0], LU[2], LU[1], LU[3]};
    multiply_pair(p, transposed, x);
    return;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[k * n + i], x[k]));
    x[i] = expr_mul(p, x[i], LU[i * n + i]);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[k * n + i], x[k]));
  }
}


// A = L^T D L from the last to the first, lower triangle in place: what hangs on parallel branches stays
// apart; the diagonal keeps the inverse of D
void gen_factor_symmetric(exprPool *p, int n, int *A)
{
  for (int k = n - 1; k >= 0; k--) {
    const int inverse = expr_div(p, expr_constant(p, 1), A[k * n + k]);
    for (int i = 0; i < k; i++) {
      if (A[k * n + i] == 0) continue;
      const int l = expr_mul(p, A[k * n + i], inverse);
      for (int j = 0; j <= i; j++) {
        if (A[k * n + j] == 0) continue;
        A[i * n + j] = expr_sub(p, A[i * n + j], expr_mul(p, l, A[k * n + j]));
      }
    }
    for (int i = 0; i < k; i++) A[k * n + i] = expr_mul(p, A[k * n + i], inverse);
    A[k * n + k] = inverse;
  }
}


void gen_solve_symmetric(exprPool *p, int n, const int *LDL, int *x)
{
  for (int k = n - 1; k >= 0; k--) {
    for (int i = 0; i < k; i++) {
      if (LDL[k * n + i] != 0) x[i] = expr_sub(p, x[i], expr_mul(p, LDL[k * n + i], x[k]));
    }
  }
  for (int k = 0; k < n; k++) {
    x[k] = expr_mul(p, x[k], LDL[k * n + k]);
    for (int i = 0; i < k; i++) {
      if (LDL[k * n + i] != 0) x[k] = expr_sub(p, x[k], expr_mul(p, LDL[k * n + i], x[i]));
    }
  }
}


//---- rows ----------------------------------------------------------------------------------------

static void copy3(double to[3], v3 from)
{
  to[0] = from.x, to[1] = from.y, to[2] = from.z;
}


static cutNumbers numbers_of(const artModel *m, int c)
{
  const modelCut *cut = &m->cut[c];
  cutNumbers x = {.number = c, .pitch = cut->pitch, .length = cut->length};
  for (int side = 0; side < 2; side++) {
    x.link[side] = cut->side[side].link;
    copy3(x.R[side], cut->side[side].R.x);
    copy3(x.R[side] + 3, cut->side[side].R.y);
    copy3(x.R[side] + 6, cut->side[side].R.z);
    copy3(x.r[side], cut->side[side].r);
  }
  copy3(x.axis2, cut->axis2);
  return x;
}


static void cut_rows(genBuild *b, int c)
{
  const modelCut *cut = &b->m->cut[c];
  const rowKind *kinds = rows_kinds(cut->type);
  const cutNumbers numbers = numbers_of(b->m, c);
  int kind[6];
  for (int i = 0; i < cut->nrow; i++) kind[i] = (int) kinds[i];
  genRows *rows = &b->rows;
  const int r = cut->row0;
  sym_record_cut(b->tree, &numbers, cut->nrow, kind, rows->phi + r,
                 rows->J + (long) r * b->tree->nv, rows->gamma + r, rows->action + 9 * r);
}


// value with gradient, and bias, of a relation that is known by calls alone
static void take_row(genBuild *b, const modelRelation *relation, int value, int bias)
{
  exprPool *p = b->pool;
  b->rows.phi[relation->row] = expr_element(p, value, 0);
  b->rows.gamma[relation->row] = expr_neg(p, expr_element(p, bias, 0));
  for (int i = 0; i < relation->n; i++) {
    b->rows.J[(long) relation->row * b->tree->nv + relation->velocity[i]] =
        expr_element(p, value, 1 + i);
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
  const int value = gen_call(b, &relation->call, x, "relation", index);
  take_row(b, relation, value, gen_call(b, &relation->bias, x, "relation", index));
}


// a relation of the host: value with gradient, and bias, as external functions
static artStatus user_row(genBuild *b, const modelRelation *relation)
{
  const int n = relation->n;
  exprPool *p = b->pool;
  int *argument = gen_alloc(b, 2 * (size_t) n, sizeof *argument);
  char *bias_name = arena_format(&b->program->arena, "%s_bias", relation->name);
  if (!argument || !bias_name) return base_no_memory(b->error);
  for (int i = 0; i < n; i++) {
    argument[i] = b->tree->q[relation->position[i]];
    argument[n + i] = b->tree->v[relation->velocity[i]];
  }
  artStatus status =
      gen_add_external(b, relation->name, "coordinates to value, then its derivatives", n, 1 + n);
  if (status == ART_OK) {
    status =
        gen_add_external(b, bias_name,
                         "coordinates, then rates, to what is left of the second derivative at "
                         "zero accelerations",
                         2 * n, 1);
  }
  if (status != ART_OK) return status;
  const int value = expr_call(p, expr_external(p, n, 1 + n), argument);
  const int bias = expr_call(p, expr_external(p, 2 * n, 1), argument);
  take_row(b, relation, value, bias);
  return ART_OK;
}


static artStatus relation_row(genBuild *b, int i)
{
  const modelRelation *relation = &b->m->relation[i];
  if (relation->call.function) {
    called_row(b, relation, i);
    return ART_OK;
  }
  if (relation->user.value) return user_row(b, relation);
  exprPool *p = b->pool;
  int phi = expr_neg(p, gen_parameter(b, relation->constant, "coupling_constant", i));
  for (int k = 0; k < relation->n; k++) {
    const int c = gen_parameter(b, relation->coefficient[k], "coupling", 64 * i + k);
    phi = expr_add(p, phi, expr_mul(p, c, b->tree->q[relation->position[k]]));
    b->rows.J[(long) relation->row * b->tree->nv + relation->velocity[k]] = c;
  }
  b->rows.phi[relation->row] = phi;
  b->rows.gamma[relation->row] = 0;
  return ART_OK;
}


artStatus gen_rows(genBuild *b)
{
  const size_t n = (size_t) b->m->nrow, nv = (size_t) b->tree->nv;
  genRows *rows = &b->rows;
  rows->n = b->m->nrow;
  rows->phi = gen_alloc(b, n, sizeof *rows->phi);
  rows->gamma = gen_alloc(b, n, sizeof *rows->gamma);
  rows->J = gen_alloc(b, n * nv, sizeof *rows->J);
  rows->action = gen_alloc(b, 9 * n, sizeof *rows->action);
  if (!rows->phi || !rows->gamma || !rows->J || !rows->action) return base_no_memory(b->error);
  for (int c = 0; c < b->m->ncut; c++) cut_rows(b, c);
  artStatus status = ART_OK;
  for (int i = 0; i < b->m->nrelation && status == ART_OK; i++) status = relation_row(b, i);
  return status;
}


//---- rows that close the loops -------------------------------------------------------------------

// the block in which each row of the model is used, -1: not used
static int *blocks_of(genBuild *b, const loopPartition *part)
{
  int *block = gen_alloc(b, (size_t) b->rows.n, sizeof *block);
  for (int r = 0; block && r < b->rows.n; r++) block[r] = -1;
  for (int k = 0; block && k < part->block_count; k++) {
    for (int i = part->block_start[k]; i < part->block_start[k + 1]; i++) {
      block[part->block_row[i]] = k;
    }
  }
  return block;
}


// sliding rows of a cut may be mixed if they are used together
static void closing_cut(genBuild *b, int c, const int *block, int from_tip)
{
  const modelCut *cut = &b->m->cut[c];
  const artJointType type = cut->type;
  const rowKind *kinds = rows_kinds(type);
  cutNumbers numbers = numbers_of(b->m, c);
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
  const size_t nv = (size_t) b->tree->nv;
  int *J = gen_alloc(b, (size_t) n * nv, sizeof *J);
  if (!J) return;
  const int is_stiff = type == ART_FIXED || type == ART_PRISMATIC;
  sym_record_closing(b->tree, &numbers, n, kind, mixes, is_stiff, phi, J, gamma);
  for (int i = 0; i < n; i++) {
    b->closing.phi[row[i]] = phi[i];
    b->closing.gamma[row[i]] = gamma[i];
    memcpy(b->closing.J + (long) row[i] * b->tree->nv, J + (size_t) i * nv, nv * sizeof *J);
  }
}


// operations of the closing rows beside those of forces, points being summed up one way or the other; -1 when memory
// ran out
static int count_closing_rows(genBuild *b, const int *block, int from_tip)
{
  const size_t n = (size_t) b->rows.n, nv = (size_t) b->tree->nv, links = (size_t) b->tree->n;
  int *all = gen_alloc(b, (2 + nv) * n + nv + 6 * links, sizeof *all), *end = all;
  if (!all) return -1;
  for (int c = 0; c < b->m->ncut; c++) closing_cut(b, c, block, from_tip);
  const struct {
    const int *node;
    size_t n;
  } part[] = {{b->closing.phi, n},
              {b->closing.gamma, n},
              {b->closing.J, n * nv},
              {b->tau, nv},
              {b->applied, 6 * links}};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    memcpy(end, part[i].node, part[i].n * sizeof *end);
    end += part[i].n;
  }
  return gen_operations(b, (int) (end - all), all);
}


// where forces do not ask for positions of links anyhow, levers are the cheaper ones to sum up
static int choose_closing_rows(genBuild *b, const int *block)
{
  const int outwards = count_closing_rows(b, block, 0), inwards = count_closing_rows(b, block, 1);
  if (outwards < 0 || inwards < 0) return 0;
  for (int c = 0; c < b->m->ncut && outwards < inwards; c++) closing_cut(b, c, block, 0);
  return 1;
}


// J of the closing rows in numbers, at the state of the data; relations of the host are taken from there
static double *numbers_of_rows(genBuild *b, baseArena *scratch)
{
  const int nv = b->tree->nv, count = b->rows.n * nv;
  double *J = arena_alloc(scratch, (size_t) count, sizeof *J);
  double *symbols = arena_alloc(scratch, (size_t) b->pool->symbol_count, sizeof *symbols);
  int *node = arena_alloc(scratch, (size_t) count, sizeof *node);
  if (!J || !symbols || !node) return NULL;
  memcpy(node, b->closing.J, (size_t) count * sizeof *node);
  for (int i = 0; i < b->m->nrelation; i++) {
    memset(node + (long) b->m->relation[i].row * nv, 0, (size_t) nv * sizeof *node);
  }
  exprTape *tape = expr_tape_create(b->pool, node, count);
  double *value = tape ? arena_alloc(scratch, (size_t) tape->count, sizeof *value) : NULL;
  if (value) {
    sym_tree_values(b->tree, &(symInput){.q = b->d->q, .v = b->d->v}, symbols);
    expr_evaluate(tape, symbols, value);
    for (int i = 0; i < count; i++) J[i] = value[tape->outputs[i]];
    const loopMatrix *known = &b->d->work->loop->rows.J;
    for (int i = 0; i < b->m->nrelation; i++) {
      const int r = b->m->relation[i].row;
      for (int e = known->start[r]; e < known->start[r + 1]; e++) {
        J[(long) r * nv + known->column[e]] = known->value[e];
      }
    }
  }
  expr_tape_free(tape);
  return value ? J : NULL;
}


// order the rows of one block so that elimination without exchanges meets the largest pivots
static void order_block(const genBuild *b, int k, double *J)
{
  const genBlocks *blocks = &b->blocks;
  const int first = blocks->start[k], end = blocks->start[k + 1], nv = b->tree->nv;
  int *row = blocks->row;
  for (int i = first; i < end; i++) {
    const int column = blocks->column[i];
    int best = i;
    for (int j = i + 1; j < end; j++) {
      if (fabs(J[(long) row[j] * nv + column]) > fabs(J[(long) row[best] * nv + column])) best = j;
    }
    const int swap = row[i];
    row[i] = row[best];
    row[best] = swap;
    const double *pivot = J + (long) row[i] * nv;
    for (int j = i + 1; j < end; j++) {
      double *other = J + (long) row[j] * nv;
      const double factor = other[column] / pivot[column];
      for (int c = i; c < end; c++) {
        other[blocks->column[c]] -= factor * pivot[blocks->column[c]];
      }
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


static void spread_needs(const exprPool *p, char *needed)
{
  for (int i = p->count - 1; i >= 0; i--) {
    const int n = needed[i] ? expr_argument_count(p, i) : 0;
    for (int k = 0; k < n; k++) needed[expr_argument(p, i, k)] = 1;
  }
}


// whether what is needed reads the position of a coordinate
static int reads(const genBuild *b, const char *needed, int coordinate)
{
  const treeLink *link = &b->m->tree.link[b->m->tree.dof_link[coordinate]];
  const int *q = b->tree->q + link->q0, nq = link->kind == LINK_SPHERICAL ? 4
                                             : link->kind == LINK_FREE    ? 7
                                                                          : link->nv;
  for (int k = 0; k < nq; k++) {
    if (needed[q[k]]) return 1;
  }
  return 0;
}


// nodes that openings and entries of block k are made of
static void find_needs(const genBuild *b, int k, char *needed)
{
  const genBlocks *blocks = &b->blocks;
  const int first = blocks->start[k], end = blocks->start[k + 1];
  memset(needed, 0, (size_t) b->pool->count);
  for (int i = first; i < end; i++) {
    const int r = blocks->row[i];
    needed[b->closing.phi[r]] = 1;
    for (int j = first; j < end; j++) {
      needed[b->closing.J[(long) r * b->tree->nv + blocks->column[j]]] = 1;
    }
  }
  spread_needs(b->pool, needed);
}


static int reads_block(const genBuild *b, const char *needed, int k)
{
  for (int j = b->blocks.start[k]; j < b->blocks.start[k + 1]; j++) {
    if (reads(b, needed, b->blocks.column[j])) return 1;
  }
  return 0;
}


// The last block whose positions are read by block k: entries may wait for later ones though the opening does
// not.
static int last_read(const genBuild *b, int k, char *needed)
{
  int last = k;
  find_needs(b, k, needed);
  for (int l = k + 1; l < b->blocks.count; l++) {
    if (reads_block(b, needed, l)) last = l;
  }
  return last;
}


// one above all blocks that it waits for                                                           [count]
static int *find_levels(const genBuild *b, baseArena *scratch)
{
  const int count = b->blocks.count;
  char *needed = arena_alloc(scratch, (size_t) b->pool->count, 1);
  int *level = arena_alloc(scratch, (size_t) count, sizeof *level);
  if (!needed || !level) return NULL;
  for (int k = 0; k < count; k++) {
    find_needs(b, k, needed);
    for (int l = 0; l < k; l++) {
      if (level[k] <= level[l] && reads_block(b, needed, l)) level[k] = level[l] + 1;
    }
  }
  return level;
}


static int size_of(const genBlocks *blocks, int k)
{
  return blocks->start[k + 1] - blocks->start[k];
}


// Small blocks of one size that do not wait for each other are closed in one loop: their sines are found
// together, and none waits for the quotients of another. Large ones, which differ in their iterations, gain nothing.
static int find_groups(genBuild *b, baseArena *scratch)
{
  enum { LARGEST = 2 };
  genBlocks *blocks = &b->blocks;
  const int count = blocks->count;
  const int *level = find_levels(b, scratch);
  blocks->group = gen_alloc(b, (size_t) count, sizeof(int));
  if (!level || !blocks->group) return 0;
  for (int k = 0; k < count; k++) blocks->group[k] = b->options->together ? -1 : k;
  if (!b->options->together) blocks->groups = count;
  for (int l = 0; l < count; l++) {
    for (int k = 0; k < count; k++) {
      if (level[k] != l || blocks->group[k] >= 0) continue;
      const int joins = size_of(blocks, k) <= LARGEST;
      for (int j = k; j < (joins ? count : k + 1); j++) {
        const int is_alike = level[j] == l && size_of(blocks, j) == size_of(blocks, k);
        if (is_alike) blocks->group[j] = blocks->groups;
      }
      blocks->groups++;
    }
  }
  return 1;
}


// blocks that wait for later ones are solved together with these
static int merge_blocks(genBuild *b, baseArena *scratch)
{
  genBlocks *blocks = &b->blocks;
  char *needed = arena_alloc(scratch, (size_t) b->pool->count, 1);
  if (!needed) return 0;
  for (int k = 0; k < blocks->count;) {
    const int gone = last_read(b, k, needed) - k;
    if (gone == 0) k++;
    if (gone == 0) continue;
    blocks->count -= gone;
    for (int i = k + 1; i <= blocks->count; i++) blocks->start[i] = blocks->start[i + gone];
  }
  return 1;
}


// take a block of the partition apart, by the entries of its closing rows; it stays whole when they have no such form
static int split_block(genBuild *b, const loopPartition *part, int k, baseArena *scratch)
{
  genBlocks *blocks = &b->blocks;
  const int first = part->block_start[k], n = part->block_start[k + 1] - first;
  int *entry = arena_alloc(scratch, (size_t) (n * n), sizeof *entry);
  int *row_start = arena_alloc(scratch, (size_t) n + 1, sizeof *row_start);
  int *row = arena_alloc(scratch, (size_t) n, sizeof *row);
  int *column = arena_alloc(scratch, (size_t) n, sizeof *column);
  int *start = arena_alloc(scratch, (size_t) n + 1, sizeof *start);
  if (!entry || !row_start || !row || !column || !start) return 0;
  for (int i = 0; i < n; i++) {
    const int *J = b->closing.J + (long) part->block_row[first + i] * b->tree->nv;
    row_start[i + 1] = row_start[i];
    for (int j = 0; j < n; j++) {
      if (J[part->block_column[first + j]] != 0) entry[row_start[i + 1]++] = j;
    }
  }
  const matchPattern pattern = {n, n, row_start, entry, NULL};
  int count = match_blocks(&pattern, row, column, start);
  if (count < 0) return 0;
  if (count > 0) count = join_balls(b, part->block_column + first, n, column, count, start);
  for (int i = 0; i < n; i++) {
    blocks->row[first + i] = part->block_row[first + (count > 0 ? row[i] : i)];
    blocks->column[first + i] = part->block_column[first + (count > 0 ? column[i] : i)];
  }
  for (int c = 1; c < count; c++) blocks->start[++blocks->count] = first + start[c];
  blocks->start[++blocks->count] = first + n;
  return 1;
}


static int find_blocks(genBuild *b, const loopPartition *part, baseArena *scratch)
{
  genBlocks *blocks = &b->blocks;
  const size_t nd = (size_t) part->nd;
  blocks->start = gen_alloc(b, nd + 1, sizeof(int));
  blocks->row = gen_alloc(b, nd, sizeof(int));
  blocks->column = gen_alloc(b, nd, sizeof(int));
  if (!blocks->start || !blocks->row || !blocks->column) return 0;
  int ok = 1;
  for (int k = 0; k < part->block_count && ok; k++) ok = split_block(b, part, k, scratch);
  return ok && merge_blocks(b, scratch) && find_groups(b, scratch);
}


artStatus gen_closing_rows(genBuild *b)
{
  const loopPartition *part = &b->d->work->loop->partition;
  const size_t n = (size_t) b->rows.n, nv = (size_t) b->tree->nv;
  baseArena *arena = &b->program->arena;
  const int *block = blocks_of(b, part);
  b->closing = b->rows;
  b->closing.phi = arena_copy(arena, b->rows.phi, n, sizeof(int));
  b->closing.gamma = arena_copy(arena, b->rows.gamma, n, sizeof(int));
  b->closing.J = arena_copy(arena, b->rows.J, n * nv, sizeof(int));
  if (!block || !b->closing.phi || !b->closing.gamma || !b->closing.J) {
    return base_no_memory(b->error);
  }
  if (!choose_closing_rows(b, block)) return base_no_memory(b->error);

  baseArena scratch = {0};
  double *J = find_blocks(b, part, &scratch) ? numbers_of_rows(b, &scratch) : NULL;
  for (int k = 0; J && k < b->blocks.count; k++) order_block(b, k, J);
  arena_free(&scratch);
  return J ? ART_OK : base_no_memory(b->error);
}
