// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of quantities of the recursions, for readers of recorded equations: quantities of links in
// link axes unless noted.
#include "sym/tree_inside.h"

#include "sym/tree_names.h"

// in the order of their structs
static const char *const of_pose[] = {NAMES_MATRIX("turn"),
                                      NAMES_VECTOR("offset")}; // relative to the parent
static const char *const of_world[] = {NAMES_MATRIX("R"),
                                       NAMES_VECTOR("position")}; // in ground axes
static const char *const of_velocity[] = {NAMES_VECTOR("omega"), NAMES_VECTOR("velocity")};
static const char *const of_body[] = {NAMES_VECTOR("omega"),  NAMES_VECTOR("alpha"),
                                      NAMES_VECTOR("acc"),    NAMES_MATRIX("B"),
                                      NAMES_VECTOR("moment"), NAMES_VECTOR("force")};
static const char *const of_group[] = {"carried_mass", NAMES_VECTOR("carried_h"),
                                       NAMES_SYMMETRIC("carried_J")};
static const char *const of_articulated[] = {NAMES_SYMMETRIC("inertia_A"),
                                             NAMES_MATRIX("inertia_B"),
                                             NAMES_SYMMETRIC("inertia_C"),
                                             NAMES_VECTOR("bias_moment"),
                                             NAMES_VECTOR("bias_force"),
                                             NAMES_VECTOR("U_moment"),
                                             NAMES_VECTOR("U_force"),
                                             "D",
                                             "u",
                                             NAMES_VECTOR("coriolis_alpha"),
                                             NAMES_VECTOR("coriolis_acc"),
                                             NAMES_VECTOR("centripetal")};

// sines and cosines are named after their angles instead
void sym_name_all(exprPool *pool, int n, const char *const *what, const void *nodes, int link)
{
  const int *x = nodes;
  for (int k = 0; k < n; k++) {
    if (!expr_is_trig(pool->nodes[x[k]].op)) expr_name(pool, x[k], what[k], link);
  }
}


void sym_name_places(exprPool *pool, const struct symInside *in)
{
  const treeData *d = &in->data;
  for (int i = 1; i < in->model.n; i++) {
    sym_name_all(pool, NAMES_COUNT(of_world), of_world, &d->world[i], i);
    sym_name_all(pool, NAMES_COUNT(of_pose), of_pose, &d->pose[i], i);
    sym_name_all(pool, NAMES_COUNT(of_velocity), of_velocity, &d->vel[i], i);
  }
}


void sym_name_motion(exprPool *pool, const struct symInside *in)
{
  for (int i = 1; i < in->model.n; i++) {
    sym_name_all(pool, NAMES_COUNT(of_body), of_body, &in->data.body[i], i);
  }
}


void sym_name_groups(exprPool *pool, const struct symInside *in)
{
  for (int i = 1; i < in->model.n; i++) {
    sym_name_all(pool, NAMES_COUNT(of_group), of_group, &in->data.group[i], i);
  }
}


void sym_name_articulated(exprPool *pool, const struct symInside *in)
{
  for (int i = 1; i < in->model.n; i++) {
    sym_name_all(pool, 9, of_body, &in->data.body[i], i);
    sym_name_all(pool, NAMES_COUNT(of_articulated), of_articulated, &in->data.art[i], i);
  }
}
