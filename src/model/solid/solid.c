// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Solids in numbers: their inertia by solid_text.h, and how far holes reach.
#include "model/solid/solid.h"

#include <math.h>

#include "base/error.h"
#include "model/compile/lay_numbers.h"

//---- inertia -------------------------------------------------------------------------------------

int solid_plan(const artBodyDef *def, baseArena *arena, laySolids *solids)
{
  meshMoments *mesh = arena_alloc(arena, (size_t) def->nsolid, sizeof *mesh);
  if (!mesh) return 0;
  for (int i = 0; i < def->nsolid; i++) {
    if (def->solid[i].type == ART_SOLID_MESH) mesh[i] = mesh_find_moments(&def->solid[i]);
  }
  *solids = (laySolids){def->nsolid, def->solid, mesh, &def->mass};
  return 1;
}


artStatus solid_mass_properties(solidList list, double mass, artSolidInertia *out, artError *error)
{
  baseArena scratch = {0};
  laySolids solids;
  const artBodyDef body = {.nsolid = list.n, .solid = list.solid, .mass = mass};
  *out = (artSolidInertia){0};
  if (!solid_plan(&body, &scratch, &solids)) return base_no_memory(error);
  const laidInertia found = lay_solids(NULL, &solids);
  const s3 J = found.inertia;
  *out = (artSolidInertia){.mass = found.mass,
                           .com = {found.com.x, found.com.y, found.com.z},
                           .inertia = {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz}};
  for (int i = 0; i < list.n; i++) {
    const double volume = lay_solid(NULL, &solids, i).volume;
    out->volume += list.solid[i].is_hole ? -volume : volume;
    out->turned += solids.mesh[i].is_turned;
  }
  arena_free(&scratch);
  return ART_OK;
}


modelPose solid_pose(const artSolidDef *s)
{
  return lay_solid_pose(NULL, s);
}


//---- holes ---------------------------------------------------------------------------------------

// support function: how far a shape reaches in a direction from its own origin, in its own axes
static double reach_of(const artSolidDef *s, v3 d)
{
  const double across = sqrt(d.x * d.x + d.y * d.y), half = s->length / 2;
  const v3 a = {d.x * s->size[0] / 2, d.y * s->size[1] / 2, d.z * s->size[2] / 2};
  double most = -INFINITY;
  switch (s->type) {
  case ART_SOLID_CYLINDER:
  case ART_SOLID_TUBE: return s->radius * across + half * fabs(d.z);
  case ART_SOLID_CONE: return fmax(s->radius * across - half * d.z, s->top * across + half * d.z);
  case ART_SOLID_CAPSULE: return s->radius + half * fabs(d.z);
  case ART_SOLID_SPHERE: return s->radius;
  case ART_SOLID_ELLIPSOID: return sqrt(v3_dot(a, a));
  case ART_SOLID_MESH:
    for (int i = 0; i < 3 * s->ntriangle; i++) {
      const double *p = s->vertex + 3 * (size_t) s->triangle[i];
      most = fmax(most, s->scale * (d.x * p[0] + d.y * p[1] + d.z * p[2]));
    }
    return most;
  default: return fabs(a.x) + fabs(a.y) + fabs(a.z);
  }
}


// the same from the origin of the body, in its axes
static double reach_in_body(const artSolidDef *s, const modelPose *pose, v3 d)
{
  return v3_dot(d, pose->r) + reach_of(s, m3_mul(pose->R, d));
}


double solid_reach_beyond(const artSolidDef *hole, const artSolidDef *solid)
{
  enum { RINGS = 4, DIRECTIONS = 24 };
  const modelPose inner = solid_pose(hole), outer = solid_pose(solid);
  double most = -INFINITY, size = 0;
  for (int i = 0; i <= RINGS; i++) {
    const double slope = LAY_PI * i / RINGS;
    for (int k = 0; k < (i % RINGS ? DIRECTIONS : 1); k++) {
      const double turn = 2 * LAY_PI * k / DIRECTIONS;
      const v3 own = {sin(slope) * cos(turn), sin(slope) * sin(turn), cos(slope)};
      const v3 d = m3_back(outer.R, own);
      most = fmax(most, reach_in_body(hole, &inner, d) - reach_in_body(solid, &outer, d));
      size = fmax(size, reach_of(solid, own));
    }
  }
  return most > 1e-9 * size ? most : 0;
}
