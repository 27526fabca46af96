// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces of piles: contacts that had one in the last step.
#include <math.h>

#include "force/force.h"

enum { NUMBERS = 13 }; // of a contact


static void push(artData *d, int link, v3 point, v3 force, v3 torque)
{
  const treeWorld *w = tree_in_ground(&d->work->tree, link);
  force_wrench(d, link, m3_mul(w->R, v3_sub(point, w->o)), force, torque);
}


// contacts of pile i, from 1 on, in the list of all with a force: first up to end
static void find_pile_contacts(const artModel *m, const artData *d, int i, int *first, int *end)
{
  const struct forceWork *w = d->work->force;
  int pair = 0;
  for (int k = 0; k < i - 1; k++) pair += m->pile[k].npair;
  const int last = i > 0 ? pair + m->pile[i - 1].npair : 0;
  for (*first = 0; *first < w->npiled && w->piled[*first].pair < pair;) ++*first;
  for (*end = w->npiled; *end > *first && w->piled[*end - 1].pair >= last;) --*end;
}


const pileForce *force_pile_contact(const artModel *m, const artData *d, int pile, int k)
{
  int first, end;
  find_pile_contacts(m, d, pile, &first, &end);
  return k < end - first ? &d->work->force->piled[first + k] : NULL;
}


artStatus force_apply_pile(const artModel *m, artData *d, const modelElement *e, double *value)
{
  int first, end;
  find_pile_contacts(m, d, e->pile, &first, &end);
  const struct forceWork *w = d->work->force;
  double touching = 0, normal = 0, highest = 0;
  data_need_world(m, d);
  for (int i = first; i < end; i++) {
    const pileForce *f = &w->piled[i];
    push(d, f->link[1], f->point, f->force, f->torque);
    push(d, f->link[0], f->point, v3_neg(f->force), v3_neg(f->torque));
    touching++;
    normal += f->normal;
    highest = fmax(highest, f->normal);
  }
  if (e->nvalue > PILE_TOUCHING) value[PILE_TOUCHING] = touching;
  if (e->nvalue > PILE_NORMAL) value[PILE_NORMAL] = normal;
  if (e->nvalue > PILE_HIGHEST) value[PILE_HIGHEST] = highest;
  return ART_OK;
}


size_t force_pile_numbers(const artModel *m)
{
  return m->npile > 0 ? 1 + NUMBERS * (size_t) model_pile_contacts(m) : 0;
}


void force_save_piles(const artModel *m, const artData *d, double *x)
{
  const struct forceWork *w = d->work->force;
  if (m->npile == 0) return;
  *x++ = w->npiled;
  for (int i = 0; i < model_pile_contacts(m); i++) {
    const pileForce f = i < w->npiled ? w->piled[i] : (pileForce){.pair = 0};
    const double all[NUMBERS] = {f.pair,    f.link[0], f.link[1],  f.normal,   f.force.x,
                                 f.force.y, f.force.z, f.torque.x, f.torque.y, f.torque.z,
                                 f.point.x, f.point.y, f.point.z};
    for (int k = 0; k < NUMBERS; k++) *x++ = all[k];
  }
}


void force_load_piles(const artModel *m, artData *d, const double *x)
{
  struct forceWork *w = d->work->force;
  if (m->npile == 0) return;
  w->npiled = (int) *x++;
  for (int i = 0; i < w->npiled; i++, x += NUMBERS) {
    w->piled[i] = (pileForce){.pair = (int) x[0],
                              .link = {(int) x[1], (int) x[2]},
                              .normal = x[3],
                              .force = {x[4], x[5], x[6]},
                              .torque = {x[7], x[8], x[9]},
                              .point = {x[10], x[11], x[12]}};
  }
}
