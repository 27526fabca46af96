// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Articulated bodies: accelerations of trees in O(n), for the whole machine and for the open tree.
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "force/force.h"
#include "method/method.h"


int method_singular_link(const artModel *m, const artData *d, const double *a, int first, int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= m->tree.n);
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


artStatus method_report_singular(const artModel *m, const artData *d, int k, artError *error)
{
  ART_ASSERT(k >= 0 && k < m->tree.nv);
  const modelJoint *joint = &m->joint[m->velocity[k].joint];
  return base_fail(error, ART_SINGULAR, base_nowhere(),
                   "no acceleration can be found for '%s' at t = %.9g s: the joint moves nothing "
                   "that has inertia, or the state is not finite",
                   joint->name, d->time);
}


artStatus method_check_motion(const artModel *m, const artData *d, const double *a, artError *error)
{
  const int i = method_singular_link(m, d, a, 1, m->tree.n);
  return i ? method_report_singular(m, d, m->tree.link[i].v0, error) : ART_OK;
}


// accelerations of the tree without its loops for given forces tau; drives keep their accelerations
static artStatus accelerate_open_tree(const artModel *m, artData *d, const double *tau, double *a,
                                      artError *error)
{
  memcpy(a, d->work->a_drive, (size_t) m->tree.nv * sizeof *a);
  tree_aba(&m->tree, &d->work->tree, d->v, tau, a);
  return method_check_motion(m, d, a, error);
}


static artStatus order_n_solve(const artModel *m, artData *d, artError *error)
{
  profile_begin(d->work->profile);
  artStatus status = force_apply(m, d, error);
  profile_end(d->work->profile, PROFILE_FORCES);
  if (status != ART_OK || m->tree.nv == 0) return status;
  status = accelerate_open_tree(m, d, d->force, d->a, error);
  profile_end(d->work->profile, PROFILE_SOLUTION);
  return status;
}


// rods with mass are cuts, so this part serves the open tree only
const methodKind order_n_kind = {
    .start = method_start_rods,
    .solve = order_n_solve,
    .stage = {[PROFILE_SOLUTION] = "accelerations, articulated bodies"},
};


artStatus art_forward_dynamics(const artModel *m, artData *d, const double *tau, double *a,
                               artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE((tau && a) || m->tree.nv == 0, error);
  // the open tree has no applied forces; restore them afterwards, because reactions may be
  // requested
  const wrench *applied = d->work->tree.f_ext;
  d->work->tree.f_ext = NULL;
  d->work->has_motion = 0;
  artStatus status = m->tree.nv > 0 ? accelerate_open_tree(m, d, tau, a, error) : ART_OK;
  if (status == ART_OK) status = method_free_rods(m, d, a, error);
  d->work->tree.f_ext = applied;
  return status;
}
