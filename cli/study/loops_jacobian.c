// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Jacobian of the constraints as a picture in letters: rows and dependent coordinates in the order in which blocks are
// solved, J_v, then driven and independent coordinates, J_u.
#include <stdio.h>

#include "loop/loop.h"
#include "loops.h"

typedef struct jacobianWork {
  const artModel *m;
  const struct loopWork *loop;
  const loopPartition *p;
  int *column;  // [nv] dependent, driven, independent
  int *block;   // [nrow] of a row, -1: redundant
  char *is_set; // [nv] of the row at work, by columns
} jacobianWork;


static void order_columns(jacobianWork *w)
{
  const loopPartition *p = w->p;
  int n = 0;
  for (int i = 0; i < p->nd; i++) w->column[n++] = p->block_column[i];
  for (int i = 0; i < p->nc; i++) w->column[n++] = p->driven[i];
  for (int i = 0; i < p->nf; i++) w->column[n++] = p->free[i];
  for (int k = 0; k < w->m->nrow; k++) w->block[k] = -1;
  for (int b = 0; b < p->block_count; b++) {
    for (int i = p->block_start[b]; i < p->block_start[b + 1]; i++) w->block[p->block_row[i]] = b;
  }
}


// a bracket before the first column of the row's block and after its last; a bar where J_v ends
static char gap_before(const jacobianWork *w, int block, int i)
{
  const int first = block < 0 ? -1 : w->p->block_start[block];
  const int end = block < 0 ? -1 : w->p->block_start[block + 1];
  return i == first ? '[' : i == end ? ']' : i == w->p->nd ? '|' : ' ';
}


static void report_table_row(cliReport *report, const jacobianWork *w, int row)
{
  const int block = w->block[row], n = w->m->tree.nv;
  char name[MODEL_ROW_LENGTH], number[12] = "-";
  model_row_name(w->m, row, name);
  const loopMatrix *J = &w->loop->rows.J;
  for (int c = 0; c < w->m->tree.nv; c++) w->is_set[c] = 0;
  for (int e = J->start[row]; e < J->start[row + 1]; e++) {
    w->is_set[J->column[e]] = w->loop->pattern ? w->loop->pattern[e] : J->value[e] != 0;
  }
  json_object(report, NULL);
  json_text(report, "row", name);
  if (block >= 0) json_integer(report, "block", block + 1);
  json_list(report, "columns");
  if (block >= 0) snprintf(number, sizeof number, "%d", block + 1);
  say(report, "  %5s %-44.44s", number, name);
  for (int i = 0; i < n; i++) {
    const int is_set = w->is_set[w->column[i]];
    if (is_set) json_integer(report, NULL, i + 1);
    say(report, "%c%c", gap_before(w, block, i), is_set ? 'x' : '.');
  }
  say(report, "%s\n", block >= 0 && w->p->block_start[block + 1] == n ? "]" : "");
  json_end(report);
  json_end(report);
}


void jacobian_report(cliReport *report, const artModel *m, const artData *d, baseArena *arena)
{
  jacobianWork w = {.m = m, .loop = d->work->loop, .p = &d->work->loop->partition};
  const int n = m->tree.nv;
  ARENA_TAKE(arena, w.column, n);
  ARENA_TAKE(arena, w.block, m->nrow);
  ARENA_TAKE(arena, w.is_set, n);
  order_columns(&w);
  say_title(report, "constraint Jacobian");
  say(report,
      "  x: an entry that is not always zero; [ ]: a block of J_v, solved from the first to the "
      "last; after the bar driven and independent coordinates\n");
  json_object(report, "jacobian");
  const char *const kinds[] = {"dependent", "driven", "independent"};
  const int end[] = {w.p->nd, w.p->nd + w.p->nc, w.m->tree.nv};
  int kind = 0;
  json_array(report, "columns");
  for (int i = 0; i < w.m->tree.nv; i++) {
    char name[CLI_NAME_LENGTH];
    while (i >= end[kind]) kind++;
    report_item(report, NULL, "column: %d, name: %s, kind: %s", "  %3d %-44s %s\n", i + 1,
                cli_displacement_name(w.m, w.column[i], name), kinds[kind]);
  }
  json_end(report);
  for (int power = n >= 100 ? 100 : n >= 10 ? 10 : 1; power > 0; power /= 10) {
    say(report, "  %5s %-44s", power == 1 ? "block" : "", power == 1 ? "row" : "");
    for (int i = 1; i <= n; i++) say(report, i >= power ? " %d" : "  ", i / power % 10);
    say(report, "\n");
  }
  json_array(report, "rows");
  for (int b = 0; b < w.p->block_count; b++) {
    for (int i = w.p->block_start[b]; i < w.p->block_start[b + 1]; i++) {
      report_table_row(report, &w, w.p->block_row[i]);
    }
  }
  for (int k = 0; k < m->nrow; k++) {
    if (w.block[k] < 0) report_table_row(report, &w, k);
  }
  json_end(report);
  json_end(report);
}
