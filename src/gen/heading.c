// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Attitude and motion of a vehicle as expressions, with the formulas of force/heading.c.
#include "gen/build.h"


int gen_heading_angle(genBuild *b, int frame, int c)
{
  exprPool *p = b->pool;
  node3 e[3];
  gen_frame_axes(b, frame, e);
  if (c == 0) return expr_operate(p, EXPR_ATAN2, e[0].y, e[0].x);
  if (c == 2) return expr_operate(p, EXPR_ATAN2, e[1].z, e[2].z);
  const int level = expr_operate(p, EXPR_HYPOT, e[0].x, e[0].y);
  return expr_operate(p, EXPR_ATAN2, expr_neg(p, e[0].z), level);
}


static int part(exprPool *p, node3 x, node3 a, int c)
{
  const int level = expr_operate(p, EXPR_HYPOT, x.x, x.y);
  const int is_level = expr_operate(p, EXPR_LESS, 0, level);
  const int cosine = expr_select(p, is_level, expr_div(p, x.x, level), expr_constant(p, 1));
  const int sine = expr_select(p, is_level, expr_div(p, x.y, level), 0);
  return c == 0 ? expr_add(p, expr_mul(p, cosine, a.x), expr_mul(p, sine, a.y))
                : expr_sub(p, expr_mul(p, cosine, a.y), expr_mul(p, sine, a.x));
}


int gen_heading_velocity(genBuild *b, int frame, int c)
{
  exprPool *p = b->pool;
  node3 e[3];
  gen_frame_axes(b, frame, e);
  const node3 v = gen_point_velocity(b, frame);
  if (c < 2) return part(p, e[0], v, c);
  return expr_operate(p, EXPR_ATAN2, part(p, e[0], v, 1), part(p, e[0], v, 0));
}


int gen_heading_part(genBuild *b, int frame, node3 a, int c)
{
  node3 e[3];
  gen_frame_axes(b, frame, e);
  return part(b->pool, e[0], a, c);
}
