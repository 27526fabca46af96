// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts: the velocities that move their surfaces, their numbers and modes, and what cannot have them.
#include <math.h>

#include "base/error_recovery.h"
#include "model/model.h"


// the velocities that move one surface but not the other
static void find_rigid_sides(artModel *m, modelRigid *r, const modelElement *e, char *mark)
{
  modelCut cut = {.joint = 0};
  for (int k = 0; k < 2; k++) cut.side[k].link = m->frame[e->frame[k]].link;
  model_find_sides(m, &cut, mark);
  for (int k = 0; k < 2; k++) r->side[k] = cut.side[k];
}


// the largest length of what touches; a point at the origin of its body has the size of a metre
static double surface_size(const artModel *m, const modelElement *e)
{
  double most = 0;
  for (int k = 0; k < 2; k++) {
    const contactSide *side = &e->contact->side[k];
    const v3 r = m->frame[e->frame[k]].r;
    if (side->shape == CONTACT_PLANE) continue;
    most = fmax(fmax(most, side->radius + side->tube), sqrt(v3_dot(r, r)));
    for (int i = 0; i < 3; i++) most = fmax(most, fmax(side->half[i], fabs(side->offset[i])));
  }
  return most > 0 ? most : 1;
}


static void take_rigid(artModel *m, modelRigid *r, int element, const elementRecord *record,
                       char *mark)
{
  const artRigidContactDef *def = record->def;
  modelElement *e = &m->element[element];
  *r = (modelRigid){.element = element,
                    .restitution = def->restitution,
                    .friction = def->friction,
                    .reach = RIGID_REACH * surface_size(m, e),
                    .mode0 = m->nmode,
                    .switch0 = m->nswitch};
  e->rigid = m->nrigid;
  find_rigid_sides(m, r, e, mark);
  m->nmode++;
  m->nswitch += RIGID_SWITCHES;
}


// impacts and forces of these would have to be found together
static void check_rigid_company(const artModel *m, const artBuilder *b)
{
  const modelElement *e = &m->element[m->rigid[0].element];
  if (b->latches.count > 0) {
    const latchRecord *latch = RECORD(b->latches, latchRecord, 0);
    recovery_note(RECOVERY_PLAIN, latch->head.where.place,
                  "'%s' engages with an impact, which rigid contacts, such as '%s', would share: "
                  "remove one or the other, or make the contact compliant: type contact",
                  latch->def.name, e->name);
  }
  if (m->nroll > 0) {
    recovery_note(RECOVERY_PLAIN, e->place,
                  "rigid contact '%s' is in one machine with the rolling joint '%s': remove one or "
                  "the other, or make the contact compliant: type contact",
                  e->name, m->joint[m->cut[m->roll[0].cut].joint].name);
  }
}


void model_compile_rigid(artModel *m, const artBuilder *b)
{
  int count = 0;
  for (int i = 0; i < m->nelement; i++) count += m->element[i].kind == ELEMENT_rigid_contact;
  if (count == 0) return;
  m->rigid = arena_alloc(&m->arena, (size_t) count, sizeof *m->rigid);
  char *mark = arena_alloc(&m->arena, (size_t) m->tree.nv, 1);
  for (int i = 0; i < m->nelement; i++) {
    if (m->element[i].kind != ELEMENT_rigid_contact) continue;
    modelRigid *r = &m->rigid[m->nrigid++];
    take_rigid(m, r, i, RECORD(b->elements, elementRecord, i), mark);
  }
  check_rigid_company(m, b);
}


artStatus model_refuse_rigid(const artModel *m, const char *what, artError *error)
{
  if (m->nrigid == 0) return ART_OK;
  const modelElement *e = &m->element[m->rigid[0].element];
  return base_fail(error, ART_BAD_INPUT, e->place,
                   "%s: not for machines with rigid contacts, such as '%s'; 'run' and 'sweep' take "
                   "them, in relative coordinates; type contact is for all",
                   what, e->name);
}
