// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves: the laws that formulas call by name.
#include "model/model.h"


artStatus model_compile_curves(artModel *m, const artBuilder *b, artError *error)
{
  const int n = b->curves.count;
  m->curve = arena_alloc(&m->arena, (size_t) n, sizeof *m->curve);
  if (!m->curve) return base_no_memory(error);
  for (int i = 0; i < n; i++) {
    const curveRecord *record = RECORD(b->curves, curveRecord, i);
    const artCurveDef *def = &record->def;
    const artLawDef points = {.type = def->is_piecewise ? ART_LAW_PIECEWISE : ART_LAW_TABLE,
                              .n = def->n,
                              .x = def->x,
                              .f = def->f};
    forceLaw *law = NULL;
    const artPlace place = field_place(&record->head.where, "value");
    const artStatus status = element_make_law(&law, &m->arena, &points, place, error);
    if (status != ART_OK) return status;
    modelCurve *curve = &m->curve[m->ncurve++];
    curve->name = arena_text(&m->arena, def->name);
    curve->own = (formulaCurve){law, record->x, record->f};
    if (!curve->name || !table_add(&m->curves, &m->arena, curve->name, i)) {
      return base_no_memory(error);
    }
  }
  return ART_OK;
}
