// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes of bodies, for viewers.
#include <string.h>

#include "base/error_recovery.h"
#include "model/model.h"
#include "model/solid/solid.h"


static int is_bar(const artModel *m, const char *body)
{
  for (int i = 0; i < m->nbar; i++) {
    if (strcmp(m->bar[i].name, body) == 0) return 1;
  }
  return 0;
}


static int has_visual(const artModel *m, int body)
{
  for (int i = 0; i < m->nvisual; i++) {
    if (m->visual[i].body == body) return 1;
  }
  return 0;
}


// bodies without a shape are drawn by their solids, holes left out
static void add_solids(artModel *m, const artBuilder *b)
{
  for (int i = 1; i < m->nbody; i++) {
    const artBodyDef *def = &RECORD(b->bodies, bodyRecord, i - 1)->def;
    if (def->nsolid == 0 || has_visual(m, i)) continue;
    for (int k = 0; k < def->nsolid; k++) {
      modelVisual *visual = &m->visual[m->nvisual];
      if (def->solid[k].is_hole) continue;
      visual->body = i;
      solid_shape(&def->solid[k], &m->arena, &visual->def);
      m->nvisual++;
    }
  }
}


// bars that have become rods are drawn as rods
void model_compile_visuals(artModel *m, const artBuilder *b)
{
  size_t room = (size_t) b->visuals.count;
  for (int i = 0; i < b->bodies.count; i++) {
    room += (size_t) RECORD(b->bodies, bodyRecord, i)->def.nsolid;
  }
  m->visual = arena_alloc(&m->arena, room, sizeof *m->visual);
  for (int i = 0; i < b->visuals.count; i++) {
    const visualRecord *record = RECORD(b->visuals, visualRecord, i);
    const int body = table_find(&m->bodies, record->body);
    if (body < 0 && is_bar(m, record->body)) continue;
    if (body < 0) {
      char hint[BASE_HINT_LENGTH];
      baseNearest nearest = {.word = record->body};
      for (int k = 0; k < m->nbody; k++) base_consider(&nearest, m->body[k].name);
      recovery_note(RECOVERY_PLAIN, record->head.where.place,
                    "a shape belongs to the body '%s', which is not defined%s", record->body,
                    base_hint(&nearest, hint));
      continue;
    }
    modelVisual *visual = &m->visual[m->nvisual++];
    *visual = (modelVisual){body, record->def};
    artVisualDef *def = &visual->def;
    if (def->type != ART_VISUAL_MESH) continue;
    const size_t nvertex = (size_t) def->nvertex, ntriangle = (size_t) def->ntriangle;
    def->vertex = arena_copy(&m->arena, def->vertex, 3 * nvertex, sizeof *def->vertex);
    def->triangle = arena_copy(&m->arena, def->triangle, 3 * ntriangle, sizeof *def->triangle);
  }
  add_solids(m, b);
}
