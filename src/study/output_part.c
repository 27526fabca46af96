// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which part of the machine an output is about.
#include "study/output_part.h"

#include <string.h>

#include "model/model.h"


// "rail" of the coordinate "rail.slide"
static const char *joint_of_coordinate(const char *name, baseArena *arena)
{
  const char *dot = strrchr(name, '.');
  return dot ? arena_format(arena, "%.*s", (int) (dot - name), name) : name;
}


// the joint, element, latch, point or body that a quantity belongs to; NULL: none of these
static const char *part_of_quantity(const artModel *m, const modelQuantity *q, baseArena *arena)
{
  switch (q->kind) {
  case QUANTITY_POSITION: return joint_of_coordinate(art_position_name(m, q->index), arena);
  case QUANTITY_VELOCITY:
  case QUANTITY_ACCELERATION:
  case QUANTITY_JOINT_FORCE: return joint_of_coordinate(art_velocity_name(m, q->index), arena);
  case QUANTITY_POINT:
  case QUANTITY_POINT_VELOCITY:
  case QUANTITY_POINT_ACCELERATION:
  case QUANTITY_AXIS:
  case QUANTITY_ROTATION:
  case QUANTITY_OMEGA:
  case QUANTITY_ALPHA:
  case QUANTITY_ATTITUDE:
  case QUANTITY_TURN:
  case QUANTITY_COURSE:
  case QUANTITY_SURGE: return m->frame[q->index].name;
  case QUANTITY_ELEMENT: return m->element[q->index].name;
  case QUANTITY_LATCH: return m->latch[q->index].name;
  default: return NULL;
  }
}


const char *output_part(const artModel *m, int k, baseArena *arena)
{
  const formula *f = m->output[k].formula;
  const char *part = NULL;
  for (int i = 0; f && i < f->nstep; i++) {
    const int slot = formula_read(f, i);
    if (slot < 0 || slot >= FORMULA_PARAMETER || m->quantity[slot].kind == QUANTITY_TIME) continue;
    const char *own = part_of_quantity(m, &m->quantity[slot], arena);
    if (!own || (part && strcmp(part, own) != 0)) return NULL;
    part = own;
  }
  return part;
}
