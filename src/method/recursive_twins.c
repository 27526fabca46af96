// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inertia for counterparts of bodies. A joint that closes a loop and has coordinates leads to a
// massless counterpart of its second body, welded to that body. In the cut tree this joint would
// move no inertia. So the inertia of the body is distributed over the body and its counterparts:
// they move together, and the accelerations do not change.
#include "method/recursive_work.h"

// inertia of a body in the axes and about the origin of its counterpart
static void copy_inertia(treeLink *twin, const treeLink *body, const modelCut *weld)
{
  const cutSide *a = &weld->side[0], *b = &weld->side[1];
  const m3 R = m3_mul_m3(m3_transpose(a->R), b->R); // v_twin = R v_body
  const v3 origin = v3_sub(b->r, m3_back(R, a->r));
  const double m = body->mass;
  const v3 c = m > 0 ? v3_scale(1 / m, body->h) : (v3){0, 0, 0};
  const v3 arm = m3_mul(R, v3_sub(c, origin));
  twin->mass = m;
  twin->h = v3_scale(m, arm);
  twin->J = s3_shift(s3_back(m3_transpose(R), s3_shift(body->J, -m, c)), m, arm);
}


static void scale_inertia(treeLink *link, double part)
{
  const s3 J = link->J;
  link->mass *= part;
  link->h = v3_scale(part, link->h);
  link->J = (s3){part * J.xx, part * J.yy, part * J.zz, part * J.xy, part * J.xz, part * J.yz};
}


const treeModel *recursive_weights(const artModel *m, baseArena *arena)
{
  int *count = arena_alloc(arena, (size_t) m->tree.n, sizeof *count);
  if (!count) return NULL;

  // number of counterparts of the body of each link
  for (int j = 0; j < m->njoint; j++) {
    if (m->joint[j].twin > 0) count[m->cut[m->joint[j].cut].side[1].link]++;
  }

  int total = 0;
  for (int i = 0; i < m->tree.n; i++) total += count[i];
  if (total == 0) return &m->tree;

  treeModel *tree = arena_copy(arena, &m->tree, 1, sizeof m->tree);
  if (tree) tree->link = arena_copy(arena, m->tree.link, (size_t) m->tree.n, sizeof *tree->link);
  if (!tree || !tree->link) return NULL;
  for (int i = 1; i < m->tree.n; i++) scale_inertia(&tree->link[i], 1.0 / (1 + count[i]));
  for (int j = 0; j < m->njoint; j++) {
    if (m->joint[j].twin == 0) continue;
    const modelCut *weld = &m->cut[m->joint[j].cut];
    copy_inertia(&tree->link[m->joint[j].twin], &tree->link[weld->side[1].link], weld);
  }
  return tree;
}
