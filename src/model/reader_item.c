// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What is read as one: an item of a section, or a section as a whole, with the records that come of it. It can be read
// again with other values of parameters, and its numbers take the place of the old ones.
#include "model/reader_item.h"

#include <string.h>

#include "base/memory.h"
#include "model/source.h"

// a list of records, and the definition in each of them
typedef struct itemList {
  size_t list, record, def, size; // size 0: def is the address of a definition, by its kind
} itemList;

#define LIST(list, T, def)                                                                         \
  {                                                                                                \
    offsetof(artBuilder, list), sizeof(T), offsetof(T, def), sizeof(((T *) 0)->def)                \
  }

enum { BODIES, FRAMES, VISUALS, JOINTS, INITIALS, ELEMENTS };
static const itemList lists[ITEM_LISTS] = {[BODIES] = LIST(bodies, bodyRecord, def),
                                           [FRAMES] = LIST(frames, frameRecord, pose),
                                           [VISUALS] = LIST(visuals, visualRecord, def),
                                           [JOINTS] = LIST(joints, jointRecord, def),
                                           [INITIALS] = LIST(initials, initialRecord, value),
                                           [ELEMENTS] = LIST(elements, elementRecord, def)};


static recordList *list_of(const artBuilder *b, int k)
{
  return (recordList *) (void *) ((char *) (uintptr_t) b + lists[k].list);
}


static void *definition(const artBuilder *b, int k, int i)
{
  return (char *) list_of(b, k)->items + (size_t) i * lists[k].record + lists[k].def;
}


//---- reading -------------------------------------------------------------------------------------

artStatus reader_begin_item(modelReader *reader, const itemFamily *family,
                            artStatus (*read)(modelReader *reader, const yamlNode *section),
                            const yamlNode *node)
{
  artBuilder *b = reader->builder;
  recordList *items = &b->items;
  if (!mem_grow(&items->items, items->count, &items->capacity, sizeof(itemRecord))) {
    return base_no_memory(reader->error);
  }
  reader->number = items->count++;
  itemRecord *own = RECORD(*items, itemRecord, reader->number);
  *own = (itemRecord){.section = reader->section,
                      .family = family,
                      .read = read,
                      .node = node,
                      .file = reader->file};
  for (int k = 0; k < ITEM_LISTS; k++) own->first[k] = list_of(b, k)->count;
  return ART_OK;
}


void reader_end_item(modelReader *reader)
{
  itemRecord *own = RECORD(reader->builder->items, itemRecord, reader->number);
  for (int k = 0; k < ITEM_LISTS; k++) {
    own->count[k] = list_of(reader->builder, k)->count - own->first[k];
  }
  reader->number = -1;
  reader->item_size = 0;
}


//---- reading again -------------------------------------------------------------------------------

static const itemRecord *item_of(const artModel *m, int i)
{
  return RECORD(m->records->items, itemRecord, i);
}


// files of meshes are not opened again
static int has_mesh(const artBuilder *b, const itemRecord *item)
{
  for (int i = 0; i < item->count[BODIES]; i++) {
    const artBodyDef *def = definition(b, BODIES, item->first[BODIES] + i);
    for (int k = 0; k < def->nsolid; k++) {
      if (def->solid[k].type == ART_SOLID_MESH) return 1;
    }
  }
  for (int i = 0; i < item->count[VISUALS]; i++) {
    const artVisualDef *def = definition(b, VISUALS, item->first[VISUALS] + i);
    if (def->type == ART_VISUAL_MESH) return 1;
  }
  return 0;
}


// are laws all that has lists?
static int has_laws_alone(const elementRecord *record)
{
  for (const fieldKey *key = record->kind->form.keys; key->name; key++) {
    if (key->type == KEY_TERMS || key->type == KEY_COMBINATION || key->type == KEY_TABLE ||
        key->type == KEY_SOME_NUMBERS || key->type == KEY_FUNCTION) {
      return 0;
    }
  }
  return record->along.n <= 1;
}


int item_stands_alone(const artModel *m, int number, int is_inside)
{
  const itemRecord *item = item_of(m, number);
  const int force = item->first[ELEMENTS];
  if (item->family == &item_force) {
    return model_stands_alone(&m->element[force]) &&
           (is_inside || has_laws_alone(RECORD(m->records->elements, elementRecord, force)));
  }
  if (item->family == &item_body || item->read == reader_read_ground) {
    return !has_mesh(m->records, item);
  }
  return item->family == &item_joint || item->read == reader_read_initial ||
         item->read == reader_read_guess;
}


int item_has_start(const artModel *m, int number)
{
  return item_of(m, number)->count[INITIALS] > 0;
}


static artStatus read_item(modelReader *reader, const itemRecord *item)
{
  reader->file = item->file;
  reader->section = item->section;
  if (item->family == &item_joint) reader->joints = (baseTable){0}; // it is known there already
  const artStatus status = builder_scope(reader->builder, reader->file->prefix);
  if (status) return status;
  return item->family ? reader_read_item(reader, item->family, item->node)
                      : item->read(reader, item->node);
}


static int take_solids(artModel *m, const memPool *work, const artBodyDef *to,
                       const artBodyDef *from)
{
  for (int k = 0; k < to->nsolid; k++) {
    void *own = (void *) (uintptr_t) &to->solid[k];
    if (!pool_take(m->pool, work, own, &from->solid[k], sizeof *to->solid)) return 0;
  }
  return 1;
}


static void take_law(const artLawDef *to, const artLawDef *from)
{
  const int is_segments = to->type == ART_LAW_SEGMENTS;
  const size_t nx = (size_t) (is_segments ? to->n - 1 : to->n);
  const size_t nf = (size_t) (is_segments ? to->n * to->width : to->n);
  if (to->x) memcpy((double *) (uintptr_t) to->x, from->x, nx * sizeof *to->x);
  if (to->f) memcpy((double *) (uintptr_t) to->f, from->f, nf * sizeof *to->f);
}


static int take_force(artModel *m, const memPool *work, elementRecord *to,
                      const elementRecord *from)
{
  if (from->kind != to->kind) return 0;
  const fieldKey *keys = to->kind->form.keys;
  for (const fieldKey *key = keys; key->name; key++) {
    const artLawDef *own = (const void *) ((const char *) to->def + key->offset);
    const artLawDef *other = (const void *) ((const char *) from->def + key->offset);
    const int n = key->type == KEY_LAW ? 1 : key->type == KEY_SIX_LAWS ? 6 : 0;
    for (int i = 0; i < n; i++) {
      if (own[i].type != other[i].type || own[i].n != other[i].n ||
          own[i].width != other[i].width) {
        return 0;
      }
      take_law(&own[i], &other[i]);
    }
  }
  return pool_take(m->pool, work, to->def, from->def, to->kind->size);
}


static int take_record(artModel *m, const memPool *work, int k, void *to, const void *from)
{
  artJointDef *joint = to;
  const int keep = k == JOINTS ? joint->keep : 0; // whoever cuts loops may have chosen it
  if (!pool_take(m->pool, work, to, from, lists[k].size)) return 0;
  if (k == JOINTS) joint->keep = keep;
  return k != BODIES || take_solids(m, work, to, from);
}


int item_read_again(artModel *m, int number, modelReader *reader, const memPool *work,
                    itemChange *change)
{
  const itemRecord *item = item_of(m, number);
  if (read_item(reader, item) != ART_OK) return 0;
  const artBuilder *own = reader->builder;
  for (int k = 0; k < ITEM_LISTS; k++) {
    if (list_of(own, k)->count != item->count[k]) return 0;
    for (int i = 0; i < item->count[k] && k != ELEMENTS; i++) {
      void *to = definition(m->records, k, item->first[k] + i);
      if (!take_record(m, work, k, to, definition(own, k, i))) return 0;
    }
  }
  for (int i = 0; i < item->count[ELEMENTS]; i++) {
    const int force = item->first[ELEMENTS] + i;
    if (!take_force(m, work, RECORD(m->records->elements, elementRecord, force),
                    RECORD(own->elements, elementRecord, i)) ||
        !model_take_again(m, force)) {
      return 0;
    }
  }
  change->has_tree |= item->count[BODIES] + item->count[FRAMES] + item->count[JOINTS] > 0;
  change->has_shapes |= item->count[BODIES] + item->count[VISUALS] > 0;
  change->has_start |= item->count[INITIALS] > 0;
  return 1;
}
