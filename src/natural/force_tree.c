// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces that act through the tree: formulas, functions and callbacks, evaluated on the relative side and mapped
// to points and axes of the links.
#include <string.h>

#include "base/numbers.h"
#include "force/force.h"
#include "natural/force_ports.h"


//---- from links to forms -------------------------------------------------------------------------

// component j of a vector set to f
static v3 along_component(int j, double f)
{
  ART_ASSERT(j >= 0 && j < 3);
  return (v3){j == 0 ? f : 0, j == 1 ? f : 0, j == 2 ? f : 0};
}


// force f on velocity j of a joint as what its link feels, at the link's origin, in its axes
static wrench wrench_of_joint(const treeLink *link, const treePose *pose, int j, double f)
{
  const v3 none = {0, 0, 0};
  switch (link->kind) {
  case LINK_PRISMATIC: return (wrench){none, along_component(2, f)};
  case LINK_SPHERICAL: return (wrench){along_component(j, f), none};
  case LINK_FREE:
    if (j >= 3) return (wrench){along_component(j - 3, f), none};
    return (wrench){none, m3_mul(pose->R, m3_back(link->R, along_component(j, f)))};
  default: return (wrench){along_component(2, f), none};
  }
}


static int has_forms(const naturalMachine *k, int link)
{
  return k->link[link].origin >= 0;
}


// Action on link i, reaction on its parent. The link between the square axes z1, z2 of a universal joint
// may have no forms; torque along one of them then acts between the links before and after, for
// z1.(z1 v1 + z2 v2) = v1 and z2.(z1 v1 + z2 v2) = v2.
static void give_pair(naturalMachine *k, int i, wrench own)
{
  ART_ASSERT(i > 0);
  artWorkspace *w = k->d->work;
  const treePose *pose = w->tree.pose;
  int p = k->m->tree.link[i].parent;
  wrench back = wr_back(pose[i].R, pose[i].p, own);
  if (!has_forms(k, p)) {
    back = wr_back(pose[p].R, pose[p].p, back);
    p = k->m->tree.link[p].parent;
  }
  w->applied[p] = wr_sub(w->applied[p], back);

  if (!has_forms(k, i)) {
    i++;
    own.ang = m3_mul(pose[i].R, own.ang);
  }
  w->applied[i] = wr_add(w->applied[i], own);
}


// joint forces go to their coordinates, or to both links of the joint
static void give_joint_forces(naturalMachine *k, double *Q)
{
  const treeModel *tree = &k->m->tree;
  for (int c = 0; c < tree->nv; c++) {
    const double f = k->d->force[c];
    if (f == 0) continue;
    if (k->coordinate[c] >= 0) {
      Q[k->coordinate[c]] += f;
      continue;
    }
    const int i = tree->dof_link[c];
    const treeLink *link = &tree->link[i];
    give_pair(k, i, wrench_of_joint(link, &k->d->work->tree.pose[i], c - link->v0, f));
  }
}


static int is_vector_zero(v3 a)
{
  return a.x == 0 && a.y == 0 && a.z == 0;
}


// a torque t on the axes e of a link:  sum of 1/2 (t x e).(omega x e) = t.omega
void natural_push_link(const naturalMachine *k, int link, v3 force, v3 torque, double *Q)
{
  ART_ASSERT(link >= 0 && link < k->m->tree.n);
  if (link == 0) return;
  const naturalLink *to = &k->link[link];
  if (!is_vector_zero(force)) natural_pull(k->s, to->origin, force, Q);
  if (is_vector_zero(torque)) return;
  const m3 R = tree_in_ground(&k->d->work->tree, link)->R;
  const v3 half = v3_scale(0.5, torque);
  natural_pull(k->s, to->x, v3_cross(half, R.x), Q);
  natural_pull(k->s, to->y, v3_cross(half, R.y), Q);
  natural_pull(k->s, to->z, v3_cross(half, R.z), Q);
}


// the groups at the state that the data is in
static artStatus apply_groups(naturalMachine *k, int groups, double *Q, artError *error)
{
  const artStatus status = force_apply_some(k->m, k->d, k->elements->group, groups, error);
  if (status != ART_OK) return status;
  give_joint_forces(k, Q);
  const artWorkspace *w = k->d->work;
  for (int i = 1; i < k->m->tree.n; i++) {
    const m3 R = tree_in_ground(&w->tree, i)->R;
    natural_push_link(k, i, m3_back(R, w->applied[i].lin), m3_back(R, w->applied[i].ang), Q);
  }
  return ART_OK;
}


//---- at a state, and between two -----------------------------------------------------------------

artStatus natural_apply_tree(naturalMachine *k, double t, const double *q, const double *v,
                             naturalEffect *out, artError *error)
{
  struct naturalElements *x = k->elements;
  if (!x->groups) return ART_OK;
  natural_recover(k, t, q, v, NULL);
  const artStatus status = apply_groups(k, x->groups, out->Q, error);
  if (status != ART_OK) return status;
  out->power += k->d->work->power;
  if (out->potential) *out->potential += force_potential_some(k->m, k->d, x->group, TREE_STEADY);
  return ART_OK;
}


static double potential_at(naturalMachine *k, double t, const double *q, const double *v)
{
  natural_recover(k, t, q, v, NULL);
  return force_potential_some(k->m, k->d, k->elements->group, TREE_STEADY);
}


// Gonzalez (1996): Q = Q_m + (V0 - V1 - Q_m.d) d / d.d with the force Q_m at the middle and d = q1 - q0.
// Displacements so small that V0 - V1 is rounding get Q_m, which is exact to their third power.
static void add_discrete_gradient(naturalMachine *k, const double *q0, const double *q1,
                                  double released, const double *Q_m, double *Q)
{
  const int n = k->s->n;
  double square = 0, work = 0;
  for (int i = 0; i < n; i++) {
    const double d = q1[i] - q0[i];
    square += d * d;
    work += Q_m[i] * d;
  }
  const double smallest = 1e-7 * k->s->length;
  const double factor = square > smallest * smallest ? (released - work) / square : 0;
  for (int i = 0; i < n; i++) Q[i] += Q_m[i] + factor * (q1[i] - q0[i]);
}


artStatus natural_apply_tree_resisting(naturalMachine *k, double t, const double *q,
                                       const double *v, double *Q, artError *error)
{
  if (!(k->elements->groups & TREE_OTHER)) return ART_OK;
  natural_recover(k, t, q, v, NULL);
  return apply_groups(k, TREE_OTHER, Q, error);
}


artStatus natural_apply_tree_between(naturalMachine *k, double t0, const double *q0,
                                     const double *v0, double t1, const double *q1,
                                     const double *v1, naturalEffect *out, artError *error)
{
  struct naturalElements *x = k->elements;
  const size_t size = (size_t) k->s->n * sizeof(double);
  if (!x->groups) return ART_OK;
  const int is_steady = (x->groups & TREE_STEADY) != 0;
  const double released = is_steady ? potential_at(k, t0, q0, v0) - potential_at(k, t1, q1, v1) : 0;

  natural_recover(k, 0.5 * (t0 + t1), x->q, x->v, NULL);
  artStatus status = ART_OK;
  if (is_steady) {
    memset(x->Q, 0, size);
    status = apply_groups(k, TREE_STEADY, x->Q, error);
    add_discrete_gradient(k, q0, q1, released, x->Q, out->Q);
  }
  if (status == ART_OK && (x->groups & TREE_OTHER) && !k->at_ends) {
    memset(x->Q, 0, size);
    status = apply_groups(k, TREE_OTHER, x->Q, error);
    for (int i = 0; i < k->s->n; i++) out->Q[i] += x->Q[i];
    out->power += base_dot(k->s->n, x->Q, x->v);
  }
  return status;
}
