// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Signals of inputs over time.
#include "fmi/fmu_signal.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "force/force.h"
#include "show/columns.h"

enum { TIME_SLOT = 0 };

//---- formulas ------------------------------------------------------------------------------------

static int find_time(void *context, const char *reference, artPlace place, formulaSymbol *found)
{
  (void) context, (void) place;
  if (strcmp(reference, "time") != 0) return 0;
  *found = (formulaSymbol){.slot = TIME_SLOT, .dimension = UNIT_TIME};
  return 1;
}


static void list_time(void *context, baseNearest *nearest)
{
  (void) context;
  base_consider(nearest, "time");
}


// input = (f - shift)/scale for f in SI; f without a unit is used as is
static void scale_signal(fmiSignal *s, const fmiTarget *target, bool is_si)
{
  s->factor = is_si ? 1 / target->scale : 1;
  s->offset = is_si ? -target->shift / target->scale : 0;
}


void signal_formula(fmiSignal *s, baseArena *arena, const char *text, artPlace place,
                    const fmiTarget *target)
{
  const formulaScope scope = {.find = find_time, .list = list_time, .has_one_place = !place.file};
  formula *f;
  double value, *row;
  baseDimension found;
  *s = (fmiSignal){0};
  if (!unit_parse_quantity(&value, &found, text, place, target->dimension, NULL) && !found.any) {
    // "12 V": a table with one row
    ARENA_TAKE(arena, row, 2);
    row[1] = value;
    s->table = (modelTable){.n = 1, .time = &row[0], .value = &row[1]};
    scale_signal(s, target, true);
    return;
  }
  error_check(formula_parse(&f, arena, text, place, &scope, target->dimension, error_current()));
  if (formula_has_memory(f)) {
    error_refuse(place, "the formula of '%.60s' has a hysteresis, which is for machines",
                 target->name);
  }
  ARENA_TAKE(arena, s->branch, f->nswitch + 1);
  ARENA_TAKE(arena, s->stack, f->depth + 1);
  s->formula = f;
  scale_signal(s, target, !f->dimension.any);
}


static double formula_at(const fmiSignal *s, double t)
{
  formula_set_branches(s->formula, &t, s->branch, s->stack);
  return formula_value(s->formula, &t, s->branch, s->stack);
}

//---- tables --------------------------------------------------------------------------------------

static artStatus check_rows(const ioColumns *columns, int k, artError *error)
{
  const double *time = columns->column[0].value, *value = columns->column[k].value;
  for (long i = 0; i < columns->rows; i++) {
    const bool is_earlier = i > 0 && !(time[i] >= time[i - 1]);
    if (isfinite(time[i]) && isfinite(value[i]) && !is_earlier) continue;
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = columns->path},
                     "row %ld of column '%.60s' is %g at %.9g s, expected finite numbers at times "
                     "that do not decrease",
                     i + 1, columns->column[k].name, value[i], time[i]);
  }
  return ART_OK;
}


void signal_table(fmiSignal *s, baseArena *arena, const char *text, const fmiTarget *target)
{
  ioColumns columns = {0};
  artError *error = error_current();
  int k;
  *s = (fmiSignal){0};
  arena->leaves = 0;
  artStatus status = record_read(&columns, target->name, text, &k, error);
  if (status == ART_IO) status = error->status = ART_BAD_INPUT;
  if (!status) status = record_convert(&columns, k, target->dimension, error);
  if (!status) status = check_rows(&columns, k, error);
  if (!status) {
    const size_t n = (size_t) columns.rows;
    s->table = (modelTable){
        .n = (int) columns.rows,
        .time = arena_copy(arena, columns.column[0].value, n, sizeof *s->table.time),
        .value = arena_copy(arena, columns.column[k].value, n, sizeof *s->table.value)};
    scale_signal(s, target, columns.column[k].unit[0] != '\0');
    if (!s->table.time || !s->table.value) status = base_no_memory(error);
  }
  arena->leaves = 1;
  columns_free(&columns);
  error_check(status);
}


double signal_next(const fmiSignal *s, double t)
{
  const int k = s->formula ? 0 : 1 + force_table_row(&s->table, t);
  return k < s->table.n ? s->table.time[k] : INFINITY;
}


double signal_value(const fmiSignal *s, double t)
{
  const double value = s->formula ? formula_at(s, t) : force_table_value(&s->table, s->hold, t);
  return s->factor * value + s->offset;
}


void signal_begin(fmiSignal *s, double t)
{
  s->since = t;
}


double signal_on_way(const fmiSignal *s, double t)
{
  if (s->formula) return signal_value(s, t);
  return s->factor * force_table_between(&s->table, s->hold, s->since, t) + s->offset;
}
