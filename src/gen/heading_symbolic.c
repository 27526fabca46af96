// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Attitude and motion of a vehicle as expressions, with the text of src/model/heading.c on symbols.
#define ART_SYMBOLIC

#include "gen/heading.h"

#include "model/heading.h"

// clang-format off
#include "lowered/model/heading.c"
// clang-format on


static m3 axes_of(genBuild *b, int frame)
{
  node3 e[3];
  gen_frame_axes(b, frame, e);
  return (m3){vector_of(e[0]), vector_of(e[1]), vector_of(e[2])};
}


int gen_heading_angle(genBuild *b, int frame, int c)
{
  exprPool *before = expr_use(gen_pool(b));
  const int node = heading_angle_symbolic(axes_of(b, frame), c).node;
  expr_use(before);
  return node;
}


int gen_heading_part(genBuild *b, int frame, node3 a, int c)
{
  exprPool *before = expr_use(gen_pool(b));
  const int node = heading_part_symbolic(axes_of(b, frame), vector_of(a), c).node;
  expr_use(before);
  return node;
}
