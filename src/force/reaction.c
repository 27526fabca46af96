// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces that joints and rods pass on, once accelerations and multipliers are known.
#include <string.h>

#include "data/rod.h"
#include "force/force.h"
#include "model/rod_physics.h"


wrench force_reaction(const artModel *m, const artData *d, int j)
{
  ART_ASSERT(j >= 0 && j < m->njoint);
  const modelJoint *joint = &m->joint[j];
  const treeData *t = data_motion(m, d);
  if (joint->is_cut) return d->work->force->cut_force[joint->cut];

  // the child's own link is the last of the joint's; its origin lies in the joint, on its side
  const int i = joint->link + joint->nlink - 1;
  const m3 R = tree_in_ground(t, i)->R;
  const wrench own = tree_body(t, i)->f, f = {m3_back(R, own.ang), m3_back(R, own.lin)};
  if (!joint->is_reversed) return f;
  const treeLink *first = &m->tree.link[joint->link];
  return wr_opposite(f, v3_sub(tree_in_ground(t, i)->o, tree_point(t, first->parent, first->p)));
}


int force_bar_reaction(const artModel *m, const artData *d, const char *joint, v3 *force)
{
  for (int i = 0; i < m->nbar; i++) {
    const modelBar *bar = &m->bar[i];
    for (int k = 0; k < 2; k++) {
      if (strcmp(bar->joint[k], joint) != 0) continue;
      const v3 f =
          k ? d->work->force->cut_force[bar->cut].lin : d->work->force->from_force[bar->cut];
      *force = bar->leads[k] ? v3_neg(f) : f;
      return 1;
    }
  }
  return 0;
}


void force_rod_ends(const artModel *m, artData *d)
{
  struct forceWork *w = d->work->force;
  for (int i = 0; i < m->nrod; i++) {
    const int c = m->rod[i];
    const modelCut *cut = &m->cut[c];
    const cutSide *from = &cut->side[0], *to = &cut->side[1];
    const v3 span = v3_sub(rod_end(d, to, 0), rod_end(d, from, 0));
    const v3 thrust = v3_scale(w->multiplier[cut->row0] / cut->length, span),
             p = d->work->rod_force[i];
    w->from_force[c] = rod_end_force(cut->mass, v3_neg(thrust), p, rod_end(d, from, 2));
    w->cut_force[c].lin = rod_end_force(cut->mass, thrust, p, rod_end(d, to, 2));
  }
}
