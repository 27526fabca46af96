// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "force/contact_spheres.h"

#include "model/model.h"


int force_take_spheres(contactSpheres *s, baseArena *arena, const artModel *m, int n)
{
  *s = (contactSpheres){.n = 0};
  if (!ARENA_TAKE(arena, s->of_frame, m->nframe) || !ARENA_TAKE(arena, s->sphere, (size_t) n + 1))
    return 0;
  force_clear_spheres(s, m);
  return 1;
}


void force_clear_spheres(contactSpheres *s, const artModel *m)
{
  s->n = 0;
  for (int i = 0; i < m->nframe; i++) s->of_frame[i] = -1;
}


int force_sphere_of(contactSpheres *s, const artModel *m, int frame, const contactSide *side)
{
  const modelFrame *f = &m->frame[frame];
  const v3 own = {side->offset[0], side->offset[1], side->offset[2]};
  const v3 offset = v3_add(f->r, m3_back(f->R, own));
  const double radius = contact_bound(side);
  for (int i = s->of_frame[frame]; i >= 0; i = s->sphere[i].next) {
    const v3 off = v3_sub(s->sphere[i].offset, offset);
    if (s->sphere[i].radius == radius && v3_dot(off, off) == 0) return i;
  }
  s->sphere[s->n] = (contactSphere){f->link, s->of_frame[frame], offset, radius};
  return s->of_frame[frame] = s->n++;
}
