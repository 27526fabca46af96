// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Full-pivot elimination. A heap orders the rows by their largest entries, so that a step costs
// work only on the rows that the pivot touches.
#include "loop/partition.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

typedef struct pivotEntry {
  int column;
  double value;
} pivotEntry;

// one row; capacity in `room`
typedef struct pivotRow {
  int n, room;
  pivotEntry *entry;
  bool is_closed; // does it contain a pivot?
  int largest;    // index of its largest entry among the columns of the current rank, -1: none
  int version;    // number of changes
} pivotRow;

// rows that may have an entry in this column
typedef struct pivotColumn {
  int n, room;
  int *row;
  bool is_used; // does it contain a pivot?
} pivotColumn;

// a row with its largest entry at the time when it entered the heap
typedef struct pivotWait {
  double size;
  int row, version;
} pivotWait;

typedef struct pivoting {
  int m;
  const int *rank_of;
  int rank; // current rank of columns
  pivotRow *row;
  pivotColumn *column;
  pivotWait *wait; // heap, largest first
  int waiting, room;
  int *place; // columns: 1 + index of the entry in the current row
  baseArena memory;
} pivoting;


// Grow an arena array for one more item; false when memory ran out.
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

//---- heap of rows --------------------------------------------------------------------------------

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


// an open row has changed: find its largest entry and put it back into the heap
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


// the open row with the largest entry above `least`, -1: none
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


// subtract the multiple of the pivot row that eliminates the pivot's column from row i
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


// copy the rows, and list the rows of each column
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
