// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves: the laws that formulas call by name.
#include "model/model.h"


static artStatus make_curve(artModel *m, const curveRecord *record, formulaCurve *own,
                            artError *error)
{
  const artCurveDef *def = &record->def;
  const artLawDef points = {.type = def->is_piecewise ? ART_LAW_PIECEWISE : ART_LAW_TABLE,
                            .n = def->n,
                            .x = def->x,
                            .f = def->f};
  forceLaw *law = NULL;
  const artPlace place = field_place(&record->head.where, "value");
  const artStatus status = element_make_law(&law, &m->arena, &points, place, error);
  *own = (formulaCurve){.law = law, .x = record->x, .f = record->f};
  return status;
}


static artStatus make_map(artModel *m, const curveRecord *record, formulaCurve *own,
                          artError *error)
{
  const artMapDef *def = &record->map;
  const lawGrid grid = {def->nx, def->ny, def->x, def->y, def->f, def->is_piecewise};
  lawMap *map = NULL;
  const artPlace place = field_place(&record->head.where, "value");
  const artStatus status = law_create_map(&map, &m->arena, &grid, place, error);
  *own = (formulaCurve){.map = map, .x = record->x, .y = record->y, .f = record->f};
  return status;
}


artStatus model_compile_curves(artModel *m, const artBuilder *b, artError *error)
{
  const int n = b->curves.count;
  m->curve = arena_alloc(&m->arena, (size_t) n, sizeof *m->curve);
  if (!m->curve) return base_no_memory(error);
  for (int i = 0; i < n; i++) {
    const curveRecord *record = RECORD(b->curves, curveRecord, i);
    modelCurve *curve = &m->curve[m->ncurve++];
    const artStatus status = record->map.nx > 0 ? make_map(m, record, &curve->own, error)
                                                : make_curve(m, record, &curve->own, error);
    if (status != ART_OK) return status;
    curve->name = arena_text(&m->arena, record->def.name);
    if (!curve->name || !table_add(&m->curves, &m->arena, curve->name, i)) {
      return base_no_memory(error);
    }
  }
  return ART_OK;
}
