// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves: the laws that formulas call by name.
#include <stdint.h>

#include "model/model.h"


static void make_curve(artModel *m, const curveRecord *record, formulaCurve *own)
{
  const artCurveDef *def = &record->def;
  const artLawDef points = {.type = def->is_piecewise ? ART_LAW_PIECEWISE : ART_LAW_TABLE,
                            .n = def->n,
                            .x = def->x,
                            .f = def->f};
  forceLaw *law = element_make_law(&m->arena, &points, field_place(&record->head.where, "value"));
  *own = (formulaCurve){.law = law, .x = record->x, .f = record->f};
}


static void make_map(artModel *m, const curveRecord *record, formulaCurve *own)
{
  const artMapDef *def = &record->map;
  const lawGrid grid = {def->nx, def->ny, def->x, def->y, def->f, def->is_piecewise};
  lawMap *map = NULL;
  const artPlace place = field_place(&record->head.where, "value");
  error_check(law_create_map(&map, &m->arena, &grid, place, error_current()));
  *own = (formulaCurve){.map = map, .x = record->x, .y = record->y, .f = record->f};
}


static void make_curve_or_map(artModel *m, const curveRecord *record, formulaCurve *own)
{
  (record->map.nx > 0 ? make_map : make_curve)(m, record, own);
}


static void compile_curve(void *context, int i)
{
  artModel *m = ((const modelWork *) context)->m;
  const curveRecord *record = RECORD(((const modelWork *) context)->b->curves, curveRecord, i);
  modelCurve *curve = &m->curve[m->ncurve++];
  make_curve_or_map(m, record, &curve->own);
  curve->name = arena_text(&m->arena, record->def.name);
  table_add(&m->curves, &m->arena, curve->name, i);
}


void model_compile_curves(artModel *m, const artBuilder *b)
{
  modelWork w = {m, b};
  m->curve = arena_alloc(&m->arena, (size_t) b->curves.count, sizeof *m->curve);
  MODEL_EACH(b->curves, curveRecord, def.name, compile_curve, &w);
}


static int take_curve_law(const forceLaw *to, const forceLaw *from)
{
  return law_take((forceLaw *) (uintptr_t) to, from);
}


static int take_map(const lawMap *to, const lawMap *from)
{
  int is_done = from->n == to->n;
  for (int j = 0; j < to->n && is_done; j++) {
    is_done = take_curve_law(to->column[j], from->column[j]) &&
              take_curve_law(to->weight[j], from->weight[j]);
  }
  return is_done;
}


int model_curve_again(artModel *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->ncurve);
  const formulaCurve *curve = &m->curve[i].own;
  formulaCurve own = {0};
  const baseArena outer = m->arena;
  m->arena = (baseArena){.leaves = 1};
  make_curve_or_map(m, RECORD(m->records->curves, curveRecord, i), &own);
  m->arena = outer;
  if (!own.law != !curve->law) return 0;
  return own.law ? take_curve_law(curve->law, own.law) : take_map(curve->map, own.map);
}
