// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads as expressions: height, slopes and second derivatives at a point. Roads without short equations, and those of
// many pieces, are functions that the user of the code supplies.
#include "gen/road_equations.h"

#include "gen/build.h"


// the function of the user that stands for a road of the model, declared at its first use
static int external_road(genBuild *b, const artRoad *road)
{
  int i = 0;
  while (i < b->m->nroad && b->m->road[i] != road) i++;
  ART_ASSERT(i < b->m->nroad);
  if (b->road[i] >= 0) return b->road[i];
  b->road[i] = expr_external(b->pool, 2, 6);
  const char *name = arena_format(&b->program->arena, GEN_ROAD_NAME, i);
  const char *what = "a road: x, y to its height z, slopes dz/dx and dz/dy, and second derivatives "
                     "d2z/dx2, d2z/dxdy, d2z/dy2";
  gen_add_external(b, name, what, 2, 6);
  return b->road[i];
}


roadNodes gen_road(genBuild *b, const artRoad *road, int x, int y)
{
  if (sym_road_has_equations(road)) return sym_road(b->pool, road, x, y);
  const int call = expr_call(b->pool, external_road(b, road), (int[]){x, y});
  int e[6];
  for (int k = 0; k < 6; k++) e[k] = expr_element(b->pool, call, k);
  return (roadNodes){e[0], e[1], e[2], e[3], e[4], e[5]};
}
