// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Vectors of nodes, for code that makes expressions from compiled numbers.
#ifndef GEN_NODES_H
#define GEN_NODES_H

#include "sym/expr.h"

typedef struct node3 {
  int x, y, z;
} node3;

// rows of a rotation, as sym_record_world gives them
typedef struct nodeFrame {
  node3 e[3], o;
} nodeFrame;

// clang-format off
static inline node3 node3_add(exprPool *p, node3 a, node3 b)
{
  return (node3){expr_add(p, a.x, b.x), expr_add(p, a.y, b.y), expr_add(p, a.z, b.z)};
}
static inline node3 node3_sub(exprPool *p, node3 a, node3 b)
{
  return (node3){expr_sub(p, a.x, b.x), expr_sub(p, a.y, b.y), expr_sub(p, a.z, b.z)};
}
static inline node3 node3_scale(exprPool *p, int s, node3 a)
{
  return (node3){expr_mul(p, s, a.x), expr_mul(p, s, a.y), expr_mul(p, s, a.z)};
}
static inline int node3_dot(exprPool *p, node3 a, node3 b)
{
  return expr_add(p, expr_add(p, expr_mul(p, a.x, b.x), expr_mul(p, a.y, b.y)), expr_mul(p, a.z, b.z));
}
static inline node3 node3_cross(exprPool *p, node3 a, node3 b)
{
  return (node3){expr_sub(p, expr_mul(p, a.y, b.z), expr_mul(p, a.z, b.y)),
                 expr_sub(p, expr_mul(p, a.z, b.x), expr_mul(p, a.x, b.z)),
                 expr_sub(p, expr_mul(p, a.x, b.y), expr_mul(p, a.y, b.x))};
}
// R a and R^T a
static inline node3 node3_turn(exprPool *p, const node3 e[3], node3 a)
{
  return (node3){node3_dot(p, e[0], a), node3_dot(p, e[1], a), node3_dot(p, e[2], a)};
}
static inline node3 node3_back(exprPool *p, const node3 e[3], node3 a)
{
  return node3_add(p, node3_add(p, node3_scale(p, a.x, e[0]), node3_scale(p, a.y, e[1])),
                   node3_scale(p, a.z, e[2]));
}
// clang-format on

#ifdef ART_SYMBOLIC
#include "spatial/spatial.h"

static inline v3 vector_of(node3 a)
{
  return (v3){{a.x}, {a.y}, {a.z}};
}


static inline node3 nodes_of(v3 a)
{
  return (node3){a.x.node, a.y.node, a.z.node};
}
#endif

#endif
