// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts: the velocities that move their surfaces, their numbers and modes, and what cannot have them.
#include <math.h>

#include "base/error_recovery.h"
#include "model/model.h"


static const double LEAST_ARM = 1e-6; // of a resistance, of the size of its surfaces


// the velocities that move one surface but not the other
static void find_rigid_sides(artModel *m, modelRigid *r, const modelElement *e, char *mark)
{
  modelCut cut = {.joint = 0};
  for (int k = 0; k < 2; k++) cut.side[k].link = m->frame[e->frame[k]].link;
  model_find_sides(m, &cut, mark);
  for (int k = 0; k < 2; k++) r->side[k] = cut.side[k];
}


// the largest length of what touches; a point at the origin of its body has the size of a metre
static double surface_size(const artModel *m, const int frame[2], const contactPair *contact)
{
  double most = 0;
  for (int k = 0; k < 2; k++) {
    const contactSide *side = &contact->side[k];
    const v3 r = m->frame[frame[k]].r;
    if (side->shape == CONTACT_PLANE || side->shape == CONTACT_ROAD) continue;
    if (side->hull) most = fmax(most, side->hull->size);
    if (side->profile) most = fmax(most, side->profile->size);
    most = fmax(fmax(most, side->radius + side->tube), sqrt(v3_dot(r, r)));
    for (int i = 0; i < 3; i++) most = fmax(most, fmax(side->half[i], fabs(side->offset[i])));
  }
  return most > 0 ? most : 1;
}


// The solver has no digits for arms that are round-off relative to the surfaces.
static void check_arm(const modelElement *e, const elementRecord *record, const char *key,
                      double arm, double size)
{
  if (arm == 0 || arm >= LEAST_ARM * size) return;
  recovery_note(
      RECOVERY_PLAIN, field_place(&record->head.where, key),
      "'%s' of contact '%s' is %.6g m, less than a millionth of the size of its surfaces, "
      "%.6g m; give 0, which is none",
      key, e->name, arm, size);
}


static void check_arms(const modelElement *e, const elementRecord *record, const rigidArms *arms,
                       double size)
{
  check_arm(e, record, "rolling", arms->rolling, size);
  check_arm(e, record, "spinning", arms->spinning, size);
}


double model_touch_reach(const artModel *m, const int frame[2], const contactPair *contact)
{
  return RIGID_REACH * surface_size(m, frame, contact);
}


static void take_rigid(artModel *m, modelRigid *r, int element, const elementRecord *record,
                       char *mark)
{
  const artRigidContactDef *def = record->def;
  modelElement *e = &m->element[element];
  *r = (modelRigid){.element = element,
                    .restitution = def->restitution,
                    .friction = def->friction,
                    .arms = {def->spinning, def->rolling},
                    .reach = model_touch_reach(m, e->frame, e->contact),
                    .mode0 = m->nmode,
                    .switch0 = m->nswitch};
  e->rigid = m->nrigid;
  find_rigid_sides(m, r, e, mark);
  check_arms(e, record, &r->arms, r->reach / RIGID_REACH);
  m->nmode += RIGID_PARTS;
  m->nswitch += RIGID_SWITCHES;
}


//---- piles ---------------------------------------------------------------------------------------

// Contacts of a surface at once, on the average: a ball has twelve neighbours, and each contact is of two.
enum { SURFACE_CONTACTS = 16 };


int model_pile_pairs(const artModel *m)
{
  int sum = 0;
  for (int i = 0; i < m->npile; i++) sum += m->pile[i].npair;
  return sum;
}


int model_pile_contacts(const artModel *m)
{
  int sum = 0;
  for (int i = 0; i < m->npile; i++) {
    const int most = SURFACE_CONTACTS * m->pile[i].nsurface;
    sum += most < m->pile[i].npair ? most : m->pile[i].npair;
  }
  return sum;
}


static void take_pile_pairs(artModel *m, modelPile *pile, const elementRecord *record)
{
  for (int i = 0; i < record->npair; i++) pile->npair += record->pair[i].count;
  pile->pair = arena_alloc(&m->arena, (size_t) pile->npair, sizeof *pile->pair);
  pilePair *pair = pile->pair;
  for (int i = 0; i < record->npair; i++) {
    const surfacePair *p = &record->pair[i];
    for (int part = 0; part < p->count; part++) {
      *pair++ = (pilePair){{p->number[0], p->number[1]}, part};
    }
  }
}


// surfaces that a pile makes no contacts of; others of the model may be of any type
static void check_members(const artBuilder *b, const elementRecord *record)
{
  for (int i = 0; i < 2 * record->npair; i++) {
    const int number = record->pair[i / 2].number[i % 2];
    const artSurfaceDef *own = &RECORD(b->surfaces, surfaceRecord, number)->def;
    if (own->type != ART_SURFACE_PROFILE && own->type != ART_SURFACE_HULL) continue;
    recovery_note(
        RECOVERY_PLAIN, field_place(&record->head.where, "to"),
        "pile '%s': profiles and hulls, such as '%s', are for contacts of their own: type "
        "rigid-contact",
        record->name, own->name);
    return;
  }
}


static void take_pile(artModel *m, const artBuilder *b, modelPile *pile, int element)
{
  const elementRecord *record = RECORD(b->elements, elementRecord, element);
  const artRigidPileDef *def = record->def;
  *pile = (modelPile){.element = element,
                      .restitution = def->restitution,
                      .friction = def->friction,
                      .arms = {def->spinning, def->rolling},
                      .nsurface = b->surfaces.count};
  m->element[element].pile = m->npile;
  pile->surface = arena_alloc(&m->arena, (size_t) pile->nsurface, sizeof *pile->surface);
  for (int i = 0; i < pile->nsurface; i++) {
    const artSurfaceDef *own = &RECORD(b->surfaces, surfaceRecord, i)->def;
    pile->surface[i].frame = table_find(&m->frames, own->on);
    pile->surface[i].def = arena_copy(&m->arena, own, 1, sizeof *own);
    if (own->type == ART_SURFACE_BOX) pile->surface[i].hull = hull_make(&m->arena, own);
  }
  check_members(b, record);
  take_pile_pairs(m, pile, record);
}


static int count_elements(const artModel *m, elementTag kind)
{
  int count = 0;
  for (int i = 0; i < m->nelement; i++) count += m->element[i].kind == kind;
  return count;
}


static void compile_piles(artModel *m, const artBuilder *b)
{
  const int count = count_elements(m, ELEMENT_rigid_pile);
  m->pile = arena_alloc(&m->arena, (size_t) count, sizeof *m->pile);
  for (int i = 0; i < m->nelement && count > 0; i++) {
    if (m->element[i].kind == ELEMENT_rigid_pile) take_pile(m, b, &m->pile[m->npile++], i);
  }
}


//---- all -----------------------------------------------------------------------------------------

// the first rigid contact or pile
static const modelElement *first_rigid(const artModel *m)
{
  return &m->element[m->nrigid > 0 ? m->rigid[0].element : m->pile[0].element];
}


// impacts and forces of these would have to be found together
static void check_rigid_company(const artModel *m, const artBuilder *b)
{
  const modelElement *e = first_rigid(m);
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
  const int count = count_elements(m, ELEMENT_rigid_contact);
  m->rigid = arena_alloc(&m->arena, (size_t) count, sizeof *m->rigid);
  char *mark = arena_alloc(&m->arena, (size_t) m->tree.nv, 1);
  for (int i = 0; i < m->nelement && count > 0; i++) {
    if (m->element[i].kind != ELEMENT_rigid_contact) continue;
    modelRigid *r = &m->rigid[m->nrigid++];
    take_rigid(m, r, i, RECORD(b->elements, elementRecord, i), mark);
  }
  compile_piles(m, b);
  if (model_has_rigid(m)) check_rigid_company(m, b);
}


artStatus model_refuse_rigid(const artModel *m, const char *what, artError *error)
{
  if (!model_has_rigid(m)) return ART_OK;
  const modelElement *e = first_rigid(m);
  return base_fail(error, ART_BAD_INPUT, e->place,
                   "%s: not for machines with rigid contacts, such as '%s'; 'run' and 'sweep' take "
                   "them, in relative coordinates; type contact is for all",
                   what, e->name);
}
