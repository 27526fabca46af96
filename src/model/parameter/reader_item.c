// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A unit of reading: an item of a section, or a section as a whole, with the records that come of it. It can be read
// again with other values of parameters, and its numbers take the place of the old ones.
#include "model/parameter/reader_item.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/throw.h"
#include "model/define/study_def.h"
#include "model/read/source.h"
#include "model/solid/solid.h"
#include "road/road.h"
#include "tyre/tyre.h"

// a list of records, and the definition in each of them
typedef struct itemList {
  size_t list, record, def, size; // size 0: of a kind's own
} itemList;

#define LIST(list, T, def)                                                                         \
  {                                                                                                \
    offsetof(artBuilder, list), sizeof(T), offsetof(T, def), sizeof(((T *) 0)->def)                \
  }

static const itemList lists[ITEM_LISTS] = {[ITEM_BODIES] = LIST(bodies, bodyRecord, def),
                                           [ITEM_FRAMES] = LIST(frames, frameRecord, pose),
                                           [ITEM_VISUALS] = LIST(visuals, visualRecord, def),
                                           [ITEM_JOINTS] = LIST(joints, jointRecord, def),
                                           [ITEM_COUPLINGS] =
                                               LIST(constraints, constraintRecord, def),
                                           [ITEM_LATCHES] = LIST(latches, latchRecord, def),
                                           [ITEM_CURVES] = LIST(curves, curveRecord, def),
                                           [ITEM_TYRES] = LIST(tyres, tyreRecord, tyre),
                                           [ITEM_INPUTS] = LIST(inputs, inputRecord, def),
                                           [ITEM_STATES] = LIST(states, stateRecord, def),
                                           [ITEM_BLOCKS] = LIST(blocks, blockRecord, def),
                                           [ITEM_FORCES] = LIST(elements, elementRecord, def),
                                           [ITEM_DRIVES] = LIST(drives, driveRecord, def),
                                           [ITEM_INITIALS] = LIST(initials, initialRecord, value),
                                           [ITEM_ROADS] = LIST(roads, roadRecord, road),
                                           [ITEM_STUDIES] = LIST(studies, studyRecord, def)};


static recordList *list_of(const artBuilder *b, int k)
{
  return (recordList *) (void *) ((char *) (uintptr_t) b + lists[k].list);
}


static void *record_of(const artBuilder *b, int k, int i)
{
  ART_ASSERT(i >= 0 && i < list_of(b, k)->count);
  return (char *) list_of(b, k)->items + (size_t) i * lists[k].record;
}


//---- reading -------------------------------------------------------------------------------------

void reader_begin_item(modelReader *reader, const itemFamily *family,
                       void (*read)(modelReader *reader, const yamlNode *section),
                       const yamlNode *node)
{
  artBuilder *b = reader->builder;
  recordList *items = &b->items;
  if (!mem_grow(&items->items, items->count, &items->capacity, sizeof(itemRecord))) error_throw();
  reader->number = items->count++;
  itemRecord *own = RECORD(*items, itemRecord, reader->number);
  *own = (itemRecord){.section = reader->section,
                      .family = family,
                      .read = read,
                      .node = node,
                      .file = reader->file};
  for (int k = 0; k < ITEM_LISTS; k++) own->first[k] = list_of(b, k)->count;
}


void reader_end_item(modelReader *reader)
{
  itemRecord *own = RECORD(reader->builder->items, itemRecord, reader->number);
  for (int k = 0; k < ITEM_LISTS; k++) {
    own->count[k] = list_of(reader->builder, k)->count - own->first[k];
  }
  reader->number = -1;
}


//---- reading again -------------------------------------------------------------------------------

const itemRecord *item_of(const artModel *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->records->items.count);
  return RECORD(m->records->items, itemRecord, i);
}


// Do surfaces take their shapes from solids or visuals?
static int has_surface_shapes(const artModel *m)
{
  const recordList *surfaces = &m->records->surfaces;
  for (int i = 0; i < surfaces->count; i++) {
    if (RECORD(*surfaces, surfaceRecord, i)->def.number > 0) return 1;
  }
  return 0;
}


int item_stands_alone(const artModel *m, int number)
{
  const itemRecord *item = item_of(m, number);
  if (item->family == &item_surface) return 0; // contacts are made of it
  if (has_surface_shapes(m) && (item->count[ITEM_BODIES] || item->count[ITEM_VISUALS])) return 0;
  if (item->family == &item_force) return model_stands_alone(&m->element[item->first[ITEM_FORCES]]);
  return 1;
}


int item_is_made_of_roads(const artModel *m, int number)
{
  ART_ASSERT(item_of(m, number)->family == &item_road);
  const itemRecord *item = item_of(m, number);
  const roadRecord *record = RECORD(m->records->roads, roadRecord, item->first[ITEM_ROADS]);
  const roadKind kind = record->road->kind;
  return kind == ROAD_PLACED || kind == ROAD_SUM || kind == ROAD_TRACKS;
}


static void read_item_record(modelReader *reader, const itemRecord *item)
{
  reader->file = item->file;
  reader->section = item->section;
  if (item->family == &item_joint) reader->joints = (baseTable){0}; // it is known there already
  reader_built(reader, builder_scope(reader->builder, reader->file->prefix));
  if (item->family) {
    reader_read_item(reader, item->family, item->node);
  } else {
    item->read(reader, item->node);
  }
}


//---- numbers instead of others --------------------------------------------------------------

// a list of a record; 0: it has another length
static int take_list(const void *to, int nto, const void *from, int nfrom, size_t size)
{
  if (nto != nfrom || !to != !from) return 0;
  if (to && to != from && nto > 0) memcpy((void *) (uintptr_t) to, from, (size_t) nto * size);
  return 1;
}


static int take_number_list(const double *to, int nto, const double *from, int nfrom)
{
  return take_list(to, nto, from, nfrom, sizeof *to);
}


static int take_law_definition(const artLawDef *to, const artLawDef *from)
{
  const int is_segments = to->type == ART_LAW_SEGMENTS;
  if (to->type != from->type || to->n != from->n || to->width != from->width) return 0;
  const int nx = is_segments ? to->n - 1 : to->n, nf = is_segments ? to->n * to->width : to->n;
  return take_number_list(to->x, nx, from->x, nx) && take_number_list(to->f, nf, from->f, nf);
}


static int take_solid_list(artModel *m, const memPool *work, const solidList *to,
                           const solidList *from)
{
  int is_done = to->n == from->n;
  for (int k = 0; k < to->n && is_done; k++) {
    const artSolidDef *own = &to->solid[k], *other = &from->solid[k];
    is_done = take_number_list(own->vertex, 3 * own->nvertex, other->vertex, 3 * other->nvertex) &&
              pool_take(m->pool, work, (void *) (uintptr_t) own, other, sizeof *own);
  }
  return is_done;
}


// a field that has a list
static int take_list_field(artModel *m, const memPool *work, const fieldKey *key, const void *to,
                           const void *from)
{
  const fieldTerms *terms = to, *other_terms = from;
  const fieldRows *rows = to, *other_rows = from;
  const artNumbers *numbers = to, *other_numbers = from;
  const artCallDef *call = to, *other_call = from;
  const artLawDef *law = to, *other_law = from;
  int is_done = 1;
  switch (key->type) {
  case KEY_TERMS:
  case KEY_COMBINATION:
    return take_number_list(terms->coefficient, terms->n, other_terms->coefficient, other_terms->n);
  case KEY_TRACKS:
    return take_list(numbers->value, numbers->count, other_numbers->value, other_numbers->count,
                     sizeof(artRoadTrack));
  case KEY_TABLE:
  case KEY_PROFILE:
    return take_number_list(rows->x, rows->n, other_rows->x, other_rows->n) &&
           take_number_list(rows->f, rows->n, other_rows->f, other_rows->n);
  case KEY_OUTLINE:
  case KEY_CORNERS:
  case KEY_SOME_NUMBERS:
    return take_number_list(numbers->value, numbers->count, other_numbers->value,
                            other_numbers->count);
  case KEY_FUNCTION:
    return take_number_list(call->parameter, call->n, other_call->parameter, other_call->n);
  case KEY_SOLID: return take_solid_list(m, work, to, from);
  case KEY_LAW: return take_law_definition(law, other_law);
  case KEY_SIX_LAWS:
    for (int i = 0; i < 6 && is_done; i++) is_done = take_law_definition(&law[i], &other_law[i]);
    return is_done;
  default: return 1;
  }
}


static int take_definition(artModel *m, const memPool *work, const fieldForm *form, void *to,
                           const void *from, size_t size)
{
  for (const fieldKey *key = form->keys; key->name; key++) {
    if (!take_list_field(m, work, key, (char *) to + key->offset,
                         (const char *) from + key->offset)) {
      return 0;
    }
  }
  return pool_take(m->pool, work, to, from, size);
}


static int take_force(artModel *m, const memPool *work, const elementRecord *to,
                      const elementRecord *from)
{
  const fieldTerms *own = &to->along, *other = &from->along;
  return from->kind == to->kind &&
         take_number_list(own->coefficient, own->n, other->coefficient, other->n) &&
         take_definition(m, work, &to->kind->form, to->def, from->def, to->kind->size);
}


static int take_block_record(artModel *m, const memPool *work, const blockRecord *to,
                             const blockRecord *from)
{
  void *def = (void *) (uintptr_t) to->def;
  return from->kind == to->kind &&
         take_definition(m, work, &to->kind->form, def, from->def, to->kind->size);
}


static int take_curve_record(const curveRecord *to, const curveRecord *from)
{
  const artMapDef *own = &to->map, *other = &from->map;
  return memcmp(&to->x, &from->x, sizeof to->x) == 0 &&
         memcmp(&to->y, &from->y, sizeof to->y) == 0 &&
         memcmp(&to->f, &from->f, sizeof to->f) == 0 &&
         take_number_list(to->def.x, to->def.n, from->def.x, from->def.n) &&
         take_number_list(to->def.f, to->def.n, from->def.f, from->def.n) &&
         take_number_list(own->x, own->nx, other->x, other->nx) &&
         take_number_list(own->y, own->ny, other->y, other->ny) &&
         take_number_list(own->f, own->nx * own->ny, other->f, other->nx * other->ny);
}


static int take_tyre(const tyreRecord *to, const tyreRecord *from)
{
  if (from->tyre->kind != to->tyre->kind) return 0;
  memcpy(to->tyre, from->tyre, tyre_numbers_size());
  return 1;
}


// a road of as many points and waves as before; its keepers are those that it had
static int take_road(artModel *m, const memPool *work, const roadRecord *to, const roadRecord *from)
{
  void *def = (void *) (uintptr_t) to->def;
  const int keepers = to->road->keepers;
  const int is_done = pool_take_all(m->pool, work, to->road, from->road) &&
                      take_definition(m, work, to->form, def, from->def, item_road.size);
  to->road->keepers = keepers;
  return is_done;
}


static int take_coupling(artModel *m, const memPool *work, constraintRecord *to,
                         const constraintRecord *from)
{
  return take_list_field(m, work, &(fieldKey){.type = KEY_FUNCTION}, &to->user.call,
                         &from->user.call) &&
         take_list_field(m, work, &(fieldKey){.type = KEY_TERMS}, &to->def.n, &from->def.n) &&
         pool_take(m->pool, work, &to->def, &from->def, sizeof to->def);
}


static int take_visual(artModel *m, const memPool *work, artVisualDef *to, const artVisualDef *from)
{
  return take_list(to->vertex, 3 * to->nvertex, from->vertex, 3 * from->nvertex,
                   sizeof *to->vertex) &&
         pool_take(m->pool, work, to, from, sizeof *to);
}


static int take_record(artModel *m, const memPool *work, const itemFamily *family, int k, void *to,
                       const void *from)
{
  void *own = (char *) to + lists[k].def;
  const void *other = (const char *) from + lists[k].def;
  artJointDef *joint = own;
  const int keep = k == ITEM_JOINTS ? joint->keep : 0; // whoever cuts loops may have chosen it
  int is_done;
  switch (k) {
  case ITEM_FORCES: return take_force(m, work, to, from);
  case ITEM_BLOCKS: return take_block_record(m, work, to, from);
  case ITEM_CURVES: return take_curve_record(to, from);
  case ITEM_TYRES: return take_tyre(to, from);
  case ITEM_COUPLINGS: return take_coupling(m, work, to, from);
  case ITEM_VISUALS: return take_visual(m, work, own, other);
  case ITEM_ROADS: return take_road(m, work, to, from);
  case ITEM_STUDIES: return model_take_study(own, other);
  case ITEM_FRAMES:
  case ITEM_INITIALS: return pool_take(m->pool, work, own, other, lists[k].size);
  default:
    is_done = take_definition(m, work, builder_form(family, own), own, other, lists[k].size);
    if (k == ITEM_JOINTS) joint->keep = keep;
    return is_done;
  }
}


int item_read_again(artModel *m, int number, modelReader *reader, const memPool *work)
{
  const itemRecord *item = item_of(m, number);
  read_item_record(reader, item);
  const artBuilder *own = reader->builder;
  for (int k = 0; k < ITEM_LISTS; k++) {
    if (list_of(own, k)->count != item->count[k]) return 0;
    for (int i = 0; i < item->count[k]; i++) {
      void *to = record_of(m->records, k, item->first[k] + i);
      if (!take_record(m, work, item->family, k, to, record_of(own, k, i))) return 0;
    }
  }
  if (item->read == reader_read_gravity) {
    memcpy(m->records->gravity, own->gravity, sizeof own->gravity);
  }
  return 1;
}
