// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dynamics of trees: inverse, mass matrix, and accelerations by two independent routes.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "data/rod.h"
#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"

//---- the bare tree -------------------------------------------------------------------------------


// the bare tree feels no applied forces; they are given back, for reactions may be asked afterwards
static const wrench *take_applied(artData *d)
{
  const wrench *applied = d->work->tree.f_ext;
  d->work->tree.f_ext = NULL;
  d->work->has_motion = 0;
  return applied;
}


int method_singular_link(const artModel *m, const artData *d, const double *a, int first, int end)
{
  for (int i = end - 1; i >= first; i--) {
    const treeLink *link = &m->tree.link[i];
    if (link->nv == 0 || link->is_driven) continue;
    if (!(d->work->tree.art[i].D > 0)) return i;
  }
  for (int i = first; i < end; i++) {
    const treeLink *link = &m->tree.link[i];
    for (int k = link->v0; k < link->v0 + link->nv; k++) {
      if (!isfinite(a[k])) return i;
    }
  }
  return 0;
}


static artStatus report_singular(const artModel *m, const artData *d, int k, artError *error)
{
  const modelJoint *joint = &m->joint[m->velocity[k].joint];
  return base_fail(error, ART_SINGULAR, base_nowhere(),
                   "no acceleration can be found for '%s' at t = %.9g s: the joint moves nothing "
                   "that has inertia, or the state is not finite",
                   joint->name, d->time);
}


artStatus method_check_motion(const artModel *m, const artData *d, const double *a, artError *error)
{
  const int i = method_singular_link(m, d, a, 1, m->tree.n);
  return i ? report_singular(m, d, m->tree.link[i].v0, error) : ART_OK;
}


artStatus method_order_n(const artModel *m, artData *d, const double *tau, double *a,
                         artError *error)
{
  memcpy(a, d->work->a_drive, (size_t) m->tree.nv * sizeof *a);
  tree_aba(&m->tree, &d->work->tree, d->v, tau, a);
  return method_check_motion(m, d, a, error);
}


artStatus art_forward_dynamics(const artModel *m, artData *d, const double *tau, double *a,
                               artError *error)
{
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE((tau && a) || m->tree.nv == 0, error);
  const wrench *applied = take_applied(d);
  artStatus status = m->tree.nv > 0 ? method_order_n(m, d, tau, a, error) : ART_OK;
  if (status == ART_OK) status = method_free_rods(m, d, a, error);
  d->work->tree.f_ext = applied;
  return status;
}


//---- the mass-matrix route -----------------------------------------------------------------------


// driven coordinates have known accelerations: take them out of the matrix, on the right the bias
// holds their effect already
static void fix_driven(const artModel *m, double *M, double *rest)
{
  const treeModel *t = &m->tree;
  const long n = t->nv;
  for (int k = 0; k < t->nv; k++) {
    const int own = t->link[t->dof_link[k]].is_driven;
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      if (own || t->link[t->dof_link[j]].is_driven) M[k * n + j] = 0;
    }
    if (!own) continue;
    M[k * n + k] = 1;
    rest[k] = 0;
  }
}


artStatus method_take_matrix(const artModel *m, artData *d, const char *method, const char *other,
                             artError *error)
{
  struct methodWork *own = method_work(d);
  const size_t n = (size_t) m->tree.nv;
  if (!own) return base_no_memory(error);
  if (own->M) return ART_OK;
  if (n > METHOD_LARGEST_MATRIX) {
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "method %s keeps a full matrix and takes at most %d coordinates, this model "
                     "has %d; use %s",
                     method, METHOD_LARGEST_MATRIX, m->tree.nv, other);
  }
  own->M = arena_alloc(&own->arena, n * n, sizeof *own->M);
  return own->M ? ART_OK : base_no_memory(error);
}


static artStatus mass_matrix_route(const artModel *m, artData *d, artError *error)
{
  artWork *w = d->work;
  const int n = m->tree.nv;
  const artStatus status = method_take_matrix(m, d, "mass-matrix", "order-n", error);
  if (status != ART_OK) return status;

  double *M = w->method->M;

  // M a = tau - h, with h at the accelerations of the drives
  tree_rne(&m->tree, &w->tree, d->v, w->a_drive, w->scratch);
  for (int k = 0; k < n; k++) w->scratch[k] = d->force[k] - w->scratch[k];
  profile_end(w->profile, PROFILE_INERTIA);
  data_need_world(m, d);
  tree_axes(&m->tree, &w->tree);
  tree_mass(&m->tree, &w->tree, NULL, M);
  if (m->ndrive > 0) fix_driven(m, M, w->scratch);
  profile_end(w->profile, PROFILE_PROJECTION);
  tree_factor(&m->tree, M);
  tree_solve(&m->tree, M, w->scratch);

  for (int k = n - 1; k >= 0; k--) {
    if (!(M[(long) k * n + k] > 0)) return report_singular(m, d, k, error);
    d->a[k] = w->scratch[k] + w->a_drive[k];
  }
  for (int k = 0; k < n; k++) {
    if (!isfinite(d->a[k])) return report_singular(m, d, k, error);
  }
  return ART_OK;
}


//---- the whole machine ---------------------------------------------------------------------------


// what both ends of rods with mass feel acts on the links as well
static void apply_rods(const artModel *m, artData *d)
{
  for (int i = 0; i < m->nrod; i++) {
    const cutSide *side = m->cut[m->rod[i]].side;
    for (int k = 0; k < 2; k++) {
      if (side[k].link == 0) continue;
      force_at_point(d, side[k].link, side[k].r, d->work->rod_force[i]);
    }
  }
}


// what closes the loops acts on the links as applied forces do
static void apply_multipliers(const artModel *m, artData *d)
{
  artWork *w = d->work;
  if (w->has_multipliers) return;
  data_need_world(m, d);
  if (!w->tree.f_ext) {
    const v3 zero = {0, 0, 0};
    for (int i = 0; i < m->tree.n; i++) w->applied[i] = (wrench){zero, zero};
    w->tree.f_ext = w->applied;
  }
  const loopRows *rows = &w->loop->rows;
  if (w->loop->has_shares) method_unshare(m, d);
  rows_apply(m, d, rows);
  apply_rods(m, d);
  for (int c = 0; c < m->ncut; c++) {
    w->cut_force[c] = rows_reaction(m, rows, c);
    w->from_force[c] = v3_neg(w->cut_force[c].lin);
  }
  memcpy(w->multiplier, rows->lambda, (size_t) m->nrow * sizeof *w->multiplier);
  w->has_multipliers = 1;
}


// motion of all links and joint forces at the present accelerations, drives included
static void find_forces(const artModel *m, artData *d)
{
  artWork *w = d->work;
  if (w->loop) apply_multipliers(m, d);
  tree_rne(&m->tree, &w->tree, d->v, d->a, w->scratch);
  rod_end_forces(m, d);
  if (m->nrelation > 0) rows_relation_forces(m, &w->loop->rows, w->coupling_force);
  for (int i = 0; i < m->ndrive; i++) {
    // what elements in the joint and couplings do not give, the drive must
    const int k = m->drive[i].velocity;
    const double needed = w->scratch[k] - w->coupling_force[k];
    w->power += (needed - d->force[k]) * d->v[k];
    d->force[k] = needed;
  }
  w->has_motion = 1;
  data_note_motion(m, d);
}


void method_need_forces(const artModel *m, artData *d)
{
  if (!d->work->has_motion) find_forces(m, d);
  (void) data_motion(m, d);
}


static artStatus tree_accelerate(const artModel *m, artData *d, artMethod method, artError *error)
{
  profile_begin(d->work->profile);
  artStatus status = force_apply(m, d, error);
  profile_end(d->work->profile, PROFILE_FORCES);
  if (status != ART_OK || m->tree.nv == 0) return status;
  status = method == ART_MASS_MATRIX ? mass_matrix_route(m, d, error)
                                     : method_order_n(m, d, d->force, d->a, error);
  profile_end(d->work->profile, PROFILE_SOLUTION);
  return status;
}


static artStatus loop_accelerate(const artModel *m, artData *d, artMethod method, artError *error)
{
  switch (method) {
  case ART_AUTOMATIC:
  case ART_SEMIRECURSIVE:
    return method_semirecursive(m, d, error);
  case ART_RECURSIVE:
    return method_recursive(m, d, error);
  case ART_AUGMENTED:
    return method_augmented(m, d, error);
  default:
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "method %s is for machines without closed loops, this one has %d; use "
                     "semirecursive, recursive or augmented",
                     art_method_name(method), m->ncut + m->nrelation);
  }
}


artStatus method_accelerate(const artModel *m, artData *d, artMethod method, artError *error)
{
  d->work->has_motion = 0;
  if (d->work->loop) d->work->loop->has_shares = 0;
  if (art_method_is_natural(method)) return method_natural(m, d, error);
  if (method == ART_GENERATED) return method_generated(m, d, error);
  artStatus status = m->ndrive > 0 ? force_check_drives(m, d, error) : ART_OK;
  if (status != ART_OK) return status;
  status =
      m->nrow > 0 ? loop_accelerate(m, d, method, error) : tree_accelerate(m, d, method, error);

  // drives need their forces; the matrix has left the links at other accelerations, and without
  // coordinates no recursion has run
  const int is_behind = method == ART_MASS_MATRIX || m->tree.nv == 0;
  if (status == ART_OK) data_note_motion(m, d);
  if (status == ART_OK && (m->ndrive > 0 || is_behind)) find_forces(m, d);
  if (d->work->profile) d->work->profile->evaluations++;
  return status;
}


artStatus art_accelerate(const artModel *m, artData *d, artMethod method, artError *error)
{
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE((unsigned) method < ART_METHODS, error);
  return method_accelerate(m, d, method, error);
}


//---- results -------------------------------------------------------------------------------------


static const v3 UNKNOWN = {NAN, NAN, NAN};


// what an engaged latch or rope does to `to`, nothing while it is not; 0: there is none of that name
static int latch_reaction(const artModel *m, const artData *d, const char *name, wrench *f)
{
  const int i = table_find(&m->latches, name);
  if (i < 0 || m->latch[i].type == ART_LOCK) return 0;
  if (m->engaged[i]) *f = d->work->cut_force[m->latch_row[i]];
  return 1;
}


artStatus art_reaction(const artModel *m, artData *d, const char *name, double force[3],
                       double torque[3], artError *error)
{
  data_put3(force, UNKNOWN);
  data_put3(torque, UNKNOWN);
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(name && force && torque, error);
  const int j = table_find(&m->joints, name);
  wrench f = {{0, 0, 0}, {0, 0, 0}};
  method_need_forces(m, d);
  data_need_world(m, d);
  if (j >= 0) {
    f = force_reaction(m, d, j);
  } else if (!latch_reaction(m, d, name, &f) && !rod_bar_reaction(m, d, name, &f.lin)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "'%s' is no joint", name);
  }
  data_put3(force, f.lin);
  data_put3(torque, f.ang);
  return ART_OK;
}


artStatus art_rod_forces(const artModel *m, artData *d, const char *name, double from[3],
                         double to[3], artError *error)
{
  data_put3(from, UNKNOWN);
  data_put3(to, UNKNOWN);
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(name && from && to, error);
  const int j = table_find(&m->joints, name);
  if (j < 0 || m->joint[j].type != ART_ROD) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "'%s' is no rod", name);
  }
  method_need_forces(m, d);
  data_put3(from, d->work->from_force[m->joint[j].cut]);
  data_put3(to, d->work->cut_force[m->joint[j].cut].lin);
  return ART_OK;
}


void art_frame_acceleration(const artModel *m, const artData *d, int frame, double linear[3],
                            double angular[3])
{
  if (!data_has_frame(__func__, m, d, frame, 3, linear, angular)) return;
  m = d->work->now;
  const modelFrame *f = &m->frame[frame];
  artData open = *d;
  if (m->nrow > 0) method_need_forces(m, &open);
  const treeData *t = data_motion(m, d);
  data_put3(linear, tree_point_acceleration(&m->tree, t, f->link, f->r));
  data_put3(angular, m3_back(tree_in_ground(t, f->link)->R, tree_body(t, f->link)->acc.ang));
}


void art_outputs(const artModel *m, artData *d, double *values)
{
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(values || m->noutput == 0, );
  artWork *w = d->work;
  method_need_forces(m, d);
  force_quantities(m, d, 0);
  for (int i = 0; i < m->noutput; i++) {
    const formula *f = m->output[i].formula;
    formula_set_branches(f, w->slots, w->output_branch, w->stack);
    values[i] = formula_value(f, w->slots, w->output_branch, w->stack);
  }
}
