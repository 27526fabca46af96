// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Full-pivot elimination. The largest entry of each row is remembered, and rows wait in the order of
// these, so that a step costs work only on the rows that the pivot touches.
#include "loop/partition.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

typedef struct pivotEntry {
  int column;
  double value;
} pivotEntry;

// one row, with room for more
typedef struct pivotRow {
  int n, room;
  pivotEntry *entry;
  bool is_closed; // it holds a pivot
  int largest;    // its entry that is largest among the columns whose turn it is, -1 for none
  int version;    // changes of it
} pivotRow;

// the rows that a column may stand in
typedef struct pivotColumn {
  int n, room;
  int *row;
  bool is_used; // it holds a pivot
} pivotColumn;

// a row as it was when it began to wait
typedef struct pivotWait {
  double size;
  int row, version;
} pivotWait;

typedef struct pivoting {
  int m;
  const int *rank_of;
  int rank; // of the columns whose turn it is
  pivotRow *row;
  pivotColumn *column;
  pivotWait *wait; // a heap, the largest first
  int waiting, room;
  int *place; // columns: 1 + the entry of the row at work
  baseArena memory;
} pivoting;


// room for one more in an array of the arena; false when memory ran out
static bool grow_pivot_array(baseArena *memory, void **array, int n, int *room, size_t size)
{
  if (n < *room) return true;
  const int more = 2 * n + 4;
  void *larger = arena_alloc(memory, (size_t) more, size);
  if (!larger) return false;
  if (n > 0) memcpy(larger, *array, (size_t) n * size);
  *array = larger;
  *room = more;
  return true;
}

//---- who is next ---------------------------------------------------------------------------------

static bool is_wait_before(pivotWait a, pivotWait b)
{
  return a.size > b.size || (a.size == b.size && a.row < b.row);
}


static bool put_wait(pivoting *p, pivotWait x)
{
  if (!grow_pivot_array(&p->memory, (void **) &p->wait, p->waiting, &p->room, sizeof x))
    return false;
  int at = p->waiting++;
  for (; at > 0 && is_wait_before(x, p->wait[(at - 1) / 2]); at = (at - 1) / 2) {
    p->wait[at] = p->wait[(at - 1) / 2];
  }
  p->wait[at] = x;
  return true;
}


static pivotWait take_wait(pivoting *p)
{
  ART_ASSERT(p->waiting > 0);
  const pivotWait first = p->wait[0], last = p->wait[--p->waiting];
  int at = 0;
  for (int child = 1; child < p->waiting; child = 2 * at + 1) {
    if (child + 1 < p->waiting && is_wait_before(p->wait[child + 1], p->wait[child])) child++;
    if (!is_wait_before(p->wait[child], last)) break;
    p->wait[at] = p->wait[child];
    at = child;
  }
  p->wait[at] = last;
  return first;
}


// an open row has changed: find its largest entry and let it wait with that
static bool wait_anew(pivoting *p, int i)
{
  pivotRow *row = &p->row[i];
  row->largest = -1;
  row->version++;
  for (int e = 0; e < row->n; e++) {
    const pivotEntry *x = &row->entry[e];
    if (p->rank_of[x->column] != p->rank || p->column[x->column].is_used) continue;
    const pivotEntry *best = row->largest < 0 ? NULL : &row->entry[row->largest];
    const double more = best ? fabs(x->value) - fabs(best->value) : 1;
    if (more > 0 || (more == 0 && x->column < best->column)) row->largest = e;
  }
  if (row->largest < 0) return true;
  return put_wait(p, (pivotWait){fabs(row->entry[row->largest].value), i, row->version});
}


// the open row with the largest entry above least, -1 for none
static int best_row(pivoting *p, double least)
{
  while (p->waiting > 0) {
    const pivotWait first = take_wait(p);
    const pivotRow *row = &p->row[first.row];
    if (row->is_closed || row->version != first.version) continue;
    return first.size > least ? first.row : -1;
  }
  return -1;
}

//---- elimination ---------------------------------------------------------------------------------

static bool add_entry(pivoting *p, int i, int column, double value)
{
  pivotRow *row = &p->row[i];
  pivotColumn *c = &p->column[column];
  if (!grow_pivot_array(&p->memory, (void **) &row->entry, row->n, &row->room, sizeof *row->entry))
    return false;
  if (!grow_pivot_array(&p->memory, (void **) &c->row, c->n, &c->room, sizeof *c->row))
    return false;
  row->entry[row->n++] = (pivotEntry){column, value};
  c->row[c->n++] = i;
  return true;
}


// row i less so much of the pivot row that its entry in the pivot's column is nothing
static bool subtract_pivot_row(pivoting *p, int i, const pivotRow *r, const pivotEntry *pivot)
{
  pivotRow *row = &p->row[i];
  double l = 0;
  for (int e = 0; e < row->n; e++) {
    p->place[row->entry[e].column] = e + 1;
    if (row->entry[e].column == pivot->column) l = row->entry[e].value / pivot->value;
  }
  bool ok = true;
  const int old = row->n;
  for (int e = 0; e < r->n && ok && l != 0; e++) {
    const int place = p->place[r->entry[e].column];
    if (p->column[r->entry[e].column].is_used) continue;
    if (place > 0) {
      row->entry[place - 1].value -= l * r->entry[e].value;
    } else {
      ok = add_entry(p, i, r->entry[e].column, -l * r->entry[e].value);
    }
  }
  for (int e = 0; e < old; e++) p->place[row->entry[e].column] = 0;
  return ok && wait_anew(p, i);
}


static bool eliminate_pivot_column(pivoting *p, int i)
{
  ART_ASSERT(p->row[i].largest >= 0 && !p->row[i].is_closed);
  pivotRow *r = &p->row[i];
  const pivotEntry pivot = r->entry[r->largest];
  pivotColumn *column = &p->column[pivot.column];
  bool ok = true;
  r->is_closed = true;
  column->is_used = true;
  for (int e = 0; e < column->n && ok; e++) {
    if (!p->row[column->row[e]].is_closed) ok = subtract_pivot_row(p, column->row[e], r, &pivot);
  }
  return ok;
}


static int choose_pivots(pivoting *p, int ranks, double least, int *row, int *column)
{
  int count = 0;
  for (p->rank = 0; p->rank < ranks; p->rank++) {
    bool ok = true;
    p->waiting = 0;
    for (int i = 0; i < p->m && ok; i++) {
      if (!p->row[i].is_closed) ok = wait_anew(p, i);
    }
    for (int best; ok && (best = best_row(p, least)) >= 0; count++) {
      row[count] = best;
      column[count] = p->row[best].entry[p->row[best].largest].column;
      ok = eliminate_pivot_column(p, best);
    }
    if (!ok) return -1;
  }
  return count;
}


// a copy of the rows, and of their columns
static bool load_pivot_rows(pivoting *p, const loopMatrix *A, const int *rows)
{
  if (!ARENA_TAKE(&p->memory, p->row, p->m + 1) || !ARENA_TAKE(&p->memory, p->column, A->n + 1) ||
      !ARENA_TAKE(&p->memory, p->place, A->n + 1))
    return false;
  for (int i = 0; i < p->m; i++) {
    const int from = rows ? rows[i] : i;
    for (int e = A->start[from]; e < A->start[from + 1]; e++) {
      if (A->value[e] != 0 && !add_entry(p, i, A->column[e], A->value[e])) return false;
    }
  }
  return true;
}


int pivot_choose(const loopMatrix *A, int m, const int *rows, int ranks, const int *rank_of,
                 double least, int *row, int *column)
{
  ART_ASSERT(m >= 0 && ranks >= 1 && least >= 0);
  pivoting p = {.m = m, .rank_of = rank_of};
  const int count =
      load_pivot_rows(&p, A, rows) ? choose_pivots(&p, ranks, least, row, column) : -1;
  arena_free(&p.memory);
  return count;
}
