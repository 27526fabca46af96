// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves: the laws that formulas call by name.
#include "model/model.h"


static artStatus make_law(artModel *m, forceLaw **out, const curveRecord *record, artError *error)
{
  const artCurveDef *def = &record->def;
  const artPlace place = field_place(&record->head.where, "value");
  lawPoint *points = arena_alloc(&m->arena, (size_t) def->n, sizeof *points);
  if (!points) return base_no_memory(error);
  for (int i = 0; i < def->n; i++) points[i] = (lawPoint){def->x[i], def->f[i]};
  return def->is_piecewise ? law_create_piecewise(out, &m->arena, def->n, points, place, error)
                           : law_create_spline(out, &m->arena, def->n, points, place, error);
}


artStatus model_compile_curves(artModel *m, const artBuilder *b, artError *error)
{
  const int n = b->curves.count;
  m->curve = arena_alloc(&m->arena, (size_t) n, sizeof *m->curve);
  if (!m->curve) return base_no_memory(error);
  for (int i = 0; i < n; i++) {
    const curveRecord *record = RECORD(b->curves, curveRecord, i);
    forceLaw *law = NULL;
    const artStatus status = make_law(m, &law, record, error);
    if (status != ART_OK) return status;
    modelCurve *curve = &m->curve[m->ncurve++];
    curve->name = arena_text(&m->arena, record->def.name);
    curve->own = (formulaCurve){law, record->x, record->f};
    if (!curve->name || !table_add(&m->curves, &m->arena, curve->name, i)) {
      return base_no_memory(error);
    }
  }
  return ART_OK;
}
