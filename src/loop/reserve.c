// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Upper bound of the memory for partitions. Elimination fills only rows and columns connected
// through entries of J: each connected component is counted as full.
#include "loop/loop.h"

// arenas waste less than half of their memory; each begins with one block
enum { WASTE = 2, FIRST_BLOCK = 16384 + 64 };

// arrays that double their capacity take at most four times their final size
enum { GROWTH = 4 };

typedef struct sizes {
  size_t m, n, nq, entries;
  size_t rank;        // dependent columns
  size_t fill;        // entries of all rows
  size_t multipliers; // multipliers of all rows
  size_t square;      // entries of diagonal blocks
  size_t maps;        // index maps between reaches
} sizes;

// a connected component of rows, columns and entries, stored at its first column
typedef struct component {
  int first; // column it was merged into; itself if none
  size_t rows, columns, entries;
} component;


static int first_component_column(component *c, int j)
{
  while (c[j].first != j) j = c[j].first = c[c[j].first].first;
  return j;
}


static void join_columns(component *c, const loopMatrix *J)
{
  for (int j = 0; j < J->n; j++) c[j].first = j;
  for (int i = 0; i < J->m; i++) {
    for (int e = J->start[i] + 1; e < J->start[i + 1]; e++) {
      const int a = first_component_column(c, J->column[e - 1]),
                b = first_component_column(c, J->column[e]);
      c[a > b ? a : b].first = a > b ? b : a;
    }
  }
}


static size_t lesser_size(size_t a, size_t b)
{
  return a < b ? a : b;
}


static void count_component(sizes *s, const component *c)
{
  const size_t rank = lesser_size(c->rows, c->columns);
  s->rank += rank;
  s->fill += c->rows * c->columns;
  s->multipliers += c->rows * rank;
  s->square += rank * rank;
  s->maps += lesser_size(c->entries, rank * rank) * c->columns;
}


static int count_component_sizes(sizes *s, const loopMatrix *J, baseArena *arena)
{
  component *c = arena_alloc(arena, (size_t) J->n + 1, sizeof *c);
  if (!c) return 0;
  join_columns(c, J);
  for (int j = 0; j < J->n; j++) c[first_component_column(c, j)].columns++;
  for (int i = 0; i < J->m; i++) {
    if (J->start[i] == J->start[i + 1]) continue;
    component *own = &c[first_component_column(c, J->column[J->start[i]])];
    own->rows++;
    own->entries += (size_t) (J->start[i + 1] - J->start[i]);
  }
  for (int j = 0; j < J->n; j++) {
    if (c[j].first == j) count_component(s, &c[j]);
  }
  return 1;
}


// rank.c
static size_t elimination_bytes(const sizes *s)
{
  const size_t entry = 2 * sizeof(double), list = 2 * sizeof(int) + sizeof(void *);
  const size_t rows = s->m * (2 * list + 2 * sizeof(double)), pivots = s->n * 5 * entry;
  return rows + pivots + entry * (s->entries + GROWTH * (s->fill + s->multipliers));
}


// pivot.c
static size_t pivoting_bytes(const sizes *s)
{
  const size_t entry = 2 * sizeof(double), list = 2 * entry;
  const size_t rows = (s->m + s->n) * 3 * list, waits = s->m + s->multipliers + 4;
  return rows + GROWTH * (s->fill * (entry + sizeof(int)) + waits * entry);
}


// square.c and match.c, and the list of followers
static size_t factors_bytes(const sizes *s)
{
  const size_t followers = 2 * s->fill * 2 * sizeof(double);
  return s->square * sizeof(double) + (s->m + s->n) * 20 * sizeof(double) +
         s->entries * sizeof(int) + followers;
}


// partition.c, the rest
static size_t choice_bytes(const sizes *s)
{
  return (s->m + s->n) * 10 * sizeof(double) + s->entries * 4 * (sizeof(int) + sizeof(double));
}


// results of rank.c and partition.c
static size_t result_bytes(const sizes *s)
{
  return (s->m + s->n) * 8 * sizeof(double) + s->multipliers * (sizeof(int) + sizeof(double));
}


// maximum over a partition and the search for structurally redundant rows (structural_rank.c)
static size_t scratch_bytes(const sizes *s)
{
  const size_t pivoting = pivoting_bytes(s), factors = factors_bytes(s);
  const size_t partition = choice_bytes(s) + (pivoting > factors ? pivoting : factors);
  const size_t elimination = elimination_bytes(s);
  const size_t structural = elimination + 2 * result_bytes(s) + (s->nq + s->n) * sizeof(double);
  return WASTE * (partition > structural ? partition : structural) + 4 * FIRST_BLOCK;
}


// blocks_create.c
static size_t blocks_bytes(const sizes *s)
{
  const size_t lists = (s->m + s->n) * 12 * sizeof(double) + s->rank * sizeof(loopBlock);
  const size_t entries = s->entries * (sizeof(loopLeft) + sizeof(loopRight) + 4 * sizeof(double));
  return sizeof(loopBlocks) + lists + entries + s->square * (sizeof(double) + sizeof(int)) +
         s->fill * (sizeof(double) + sizeof(int)) + s->maps * sizeof(int);
}


// singular_path_start of singular_path.c, and J_chosen
static size_t count_hold_bytes(const sizes *s)
{
  const size_t order = s->rank * (SINGULAR_TERMS + 4) * sizeof(double);
  const size_t columns = (s->m + s->n) * 12 * sizeof(double) + s->n * sizeof(turnMotion);
  return order + columns + s->nq * 6 * sizeof(double) + s->rank * sizeof(singularBridge) +
         (2 * s->entries + s->square) * sizeof(double);
}


static size_t kept_bytes(const sizes *s)
{
  return WASTE * (result_bytes(s) + blocks_bytes(s) + count_hold_bytes(s)) + 4 * FIRST_BLOCK;
}


int reserve_start(loopReserve *reserve, const loopMatrix *J, int nq, baseArena *arena)
{
  sizes s = {.m = (size_t) J->m + 1,
             .n = (size_t) J->n + 1,
             .nq = (size_t) nq + 1,
             .entries = (size_t) matrix_count(J) + 1};
  if (!count_component_sizes(&s, J, arena)) return 0;
  reserve->scratch = stack_create(lesser_size(scratch_bytes(&s), LOOP_MOST_RESERVED));
  reserve->kept[0] = stack_create(lesser_size(kept_bytes(&s), LOOP_MOST_RESERVED));
  reserve->kept[1] = stack_create(lesser_size(kept_bytes(&s), LOOP_MOST_RESERVED));
  return reserve->scratch && reserve->kept[0] && reserve->kept[1];
}


void reserve_free(loopReserve *reserve)
{
  stack_free(reserve->scratch);
  for (int k = 0; k < 2; k++) stack_free(reserve->kept[k]);
}


size_t reserve_bytes(const loopReserve *reserve)
{
  return stack_bytes(reserve->scratch) + stack_bytes(reserve->kept[0]) +
         stack_bytes(reserve->kept[1]);
}
