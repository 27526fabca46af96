// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What rolls without slip: it can move on its plane, and nothing else does what it does.
#include <math.h>

#include "base/error_recovery.h"
#include "model/model.h"
#include "road/road_kinds.h"
#include "road/road_nearest.h"


//---- surfaces ------------------------------------------------------------------------------------

// the road of a joint, which has a height everywhere and is less sharply hollow than what rolls is round
static const artRoad *take_rolled_road(const artBuilder *b, const jointRecord *record)
{
  const artJointDef *def = &record->def;
  const artPlace place = field_place(&record->head.where, "road");
  const artRoad *road = model_need_road(b, def->road, place);
  if (road_find_function(road))
    error_refuse(place, "'%s' cannot roll on road '%s', which is known by a function of the user",
                 def->name, def->road);
  const double least = road_least_hollow(road);
  if (joint_roll(def->type) != ROLL_EDGE && !(def->length < least))
    error_refuse(place,
                 "'%s' has the radius %g m, and road '%s' has hollows of %g m: it must be smaller",
                 def->name, def->length, def->road, least);
  return road;
}


void model_take_surface(const artBuilder *b, const jointRecord *record, modelSurface *on)
{
  const artJointDef *def = &record->def;
  *on = (modelSurface){.kind = joint_roll(def->type),
                       .shape = (rollShape) def->surface,
                       .sense = def->inside ? -1 : 1,
                       .radius = def->surface_radius,
                       .sine = sin(def->half_angle),
                       .cosine = cos(def->half_angle)};
  if (!def->road) return;
  on->shape = ROLL_ON_ROAD;
  on->road = take_rolled_road(b, record);
}


//---- what rolls ----------------------------------------------------------------------------------

// one of both must move
static void check_roll_sides(const artModel *m, const modelCut *cut)
{
  const modelJoint *joint = &m->joint[cut->joint];
  if (cut->side[0].n + cut->side[1].n > 0) return;
  recovery_note(RECOVERY_PLAIN, joint->place, "'%s' cannot roll: body '%s' is fixed to its plane",
                joint->name, m->body[joint->to].name);
}


static bool are_same_vectors(v3 a, v3 b)
{
  return a.x == b.x && a.y == b.y && a.z == b.z;
}


// all planes of a body are taken for one
static bool are_same_surfaces(const modelCut *a, const modelCut *b)
{
  const modelSurface *p = &a->on, *q = &b->on;
  if (p->shape != q->shape || p->shape == ROLL_ON_PLANE) return p->shape == q->shape;
  return p->road == q->road && p->sense == q->sense && p->radius == q->radius &&
         are_same_vectors(a->side[0].r, b->side[0].r);
}


// the same point of the same body twice
static void check_roll_twins(const artModel *m, int i)
{
  const modelCut *cut = &m->cut[m->roll[i].cut];
  for (int k = 0; k < i; k++) {
    const modelCut *other = &m->cut[m->roll[k].cut];
    if (other->type != cut->type || other->side[0].link != cut->side[0].link ||
        other->side[1].link != cut->side[1].link ||
        !are_same_vectors(other->side[1].r, cut->side[1].r) || !are_same_surfaces(cut, other)) {
      continue;
    }
    recovery_note(RECOVERY_PLAIN, m->joint[cut->joint].place,
                  "'%s' and '%s' roll at the same point of body '%s': remove one of them",
                  m->joint[cut->joint].name, m->joint[other->joint].name,
                  m->body[m->joint[cut->joint].to].name);
    return;
  }
}


// an impact of a latch would have to stop what rolls as well
static void check_roll_latches(const artModel *m, const artBuilder *b)
{
  if (b->latches.count == 0) return;
  const latchRecord *latch = RECORD(b->latches, latchRecord, 0);
  recovery_note(RECOVERY_PLAIN, latch->head.where.place,
                "'%s' engages with an impact, which rolling joints, such as '%s', cannot take: "
                "remove one or the other",
                latch->def.name, m->joint[m->cut[m->roll[0].cut].joint].name);
}


void model_compile_rolls(artModel *m, const artBuilder *b)
{
  for (int c = 0; c < m->ncut; c++) m->nroll += joint_roll(m->cut[c].type) != ROLL_NONE;
  if (m->nroll == 0) return;
  m->roll = arena_alloc(&m->arena, (size_t) m->nroll, sizeof *m->roll);
  int n = 0;
  for (int c = 0; c < m->ncut; c++) {
    const rollKind kind = joint_roll(m->cut[c].type);
    if (kind == ROLL_NONE) continue;
    m->roll[n] = (modelRoll){c, kind, m->nroll_row, kind == ROLL_EDGE ? 1 : 2};
    m->nroll_row += m->roll[n].nrow;
    check_roll_sides(m, &m->cut[c]);
    check_roll_twins(m, n++);
  }
  check_roll_latches(m, b);
}


int model_find_roll(const artModel *m, const modelJoint *joint)
{
  for (int i = 0; i < m->nroll; i++) {
    if (&m->joint[m->cut[m->roll[i].cut].joint] == joint) return i;
  }
  return -1;
}


int model_find_searched_roll(const artModel *m)
{
  for (int i = 0; i < m->nroll; i++) {
    const rollShape shape = m->cut[m->roll[i].cut].on.shape;
    const bool is_disc = m->roll[i].kind == ROLL_DISC;
    if (shape == ROLL_ON_ROAD || (is_disc && !roll_has_rim(shape))) return i;
  }
  return -1;
}


artStatus model_refuse_rolls(const artModel *m, const char *what, artError *error)
{
  if (m->nroll == 0) return model_refuse_rigid(m, what, error);
  const modelJoint *joint = &m->joint[m->cut[m->roll[0].cut].joint];
  return base_fail(error, ART_BAD_INPUT, joint->place,
                   "%s: not for machines with rolling joints, such as '%s'; 'run', 'linear' and "
                   "'equil --speed' take them, by methods semirecursive, recursive, augmented and "
                   "generated",
                   what, joint->name);
}
