// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Recursive method (Bae, Haug 1987, on the articulated bodies of src/tree). First the tree moves
// without constraint forces. Then unit multipliers of every constraint are propagated inward along
// its path to ground, joint by joint, and
//
//   (J M^-1 J^T) lambda = gamma - J a_0
//   J M^-1 J^T = sum over joints of u_r . D^-1 u_s
//
// where u_r is the generalised force of row r at a joint and D the articulated inertia at that
// joint. Rows of loops that share no moving joint are not coupled, so the matrix has a skyline.
// Structurally redundant rows are left out, except at positions where the remaining rows are not
// independent.
//
// A rod with mass adds three rows for the unknown force p on both of its ends (data/rod_inertia.h):
//   S a + 6/m p = -s
// They are scaled so that 6/m becomes one over the mass of the machine, comparable with other
// entries.
//
// Everything is done branch by branch (recursive_work.h), so a team of threads can share it.
#include <string.h>

#include "base/max_nan.h"
#include "force/force.h"
#include "method/recursive_work.h"
#include "method/workers.h"

//---- free motion ---------------------------------------------------------------------------------


// positions of links in ground, their velocities and axes
static artStatus recursive_place_links(const artModel *m, artData *d, artError *error)
{
  artWorkspace *w = d->work;
  recursive_place_base(m, d);
  const artStatus status = workers_run(m, d, recursive_place, error);
  if (status != ART_OK) return status;
  w->tree.has_world = 1;
  data_note_velocities(m, d);
  if (!recursive_of(d)->is_anchored) tree_axes(&m->tree, &w->tree);
  return ART_OK;
}


// The usual rows, J of relations, and J of the rows of loops that may come near a singular
// position.
static artStatus place_rows(const artModel *m, artData *d, artError *error)
{
  struct methodRecursive *r = recursive_of(d);
  struct loopWork *loop = d->work->loop;
  const int may_be_singular = method_may_be_singular(loop);
  const loopKept *needed = may_be_singular ? loop->bridged : r->none;
  const size_t size = (size_t) m->ncut * sizeof *loop->kept;
  artStatus status = recursive_place_links(m, d, error);
  if (status == ART_OK && may_be_singular && memcmp(loop->kept, r->kept[USUAL], size) != 0) {
    status = rows_positions(m, d, &loop->rows, loop->bridged, error);
  }
  if (status == ART_OK) status = rows_positions(m, d, &loop->rows, r->kept[USUAL], error);
  if (status == ART_OK) status = rows_jacobian(m, d, &loop->rows, needed, error);
  r->set = USUAL;
  r->is_singular = status == ART_OK && may_be_singular && method_is_singular(m, d);
  return status;
}


// a_0 under the applied forces
static artStatus release_links(const artModel *m, artData *d, artError *error)
{
  const struct methodRecursive *r = recursive_of(d);
  memcpy(d->a, d->work->a_drive, (size_t) m->tree.nv * sizeof *d->a);
  recursive_start_base(m, d);
  artStatus status =
      workers_run(m, d, workers_is_sharing(d) ? recursive_inward : recursive_inertia, error);
  if (status != ART_OK) return status;
  recursive_move_base(m, d);
  if (!r->is_grounded) status = workers_run(m, d, recursive_move, error);
  if (status != ART_OK) return status;
  d->work->tree.has_body = 1;
  int is_weak = 0;
  for (int b = 0; b < r->tree.n; b++) is_weak |= r->branch[b].is_weak;
  for (int k = 0; k < r->tree.nbase; k++) {
    const int i = r->tree.base[k];
    is_weak |= method_singular_link(m, d, d->a, i, i + 1);
  }
  return is_weak ? method_check_motion(m, d, d->a, error) : ART_OK;
}


//---- multipliers ---------------------------------------------------------------------------------


// gamma* - J a_0 into rows.gamma; *drift as in method_stabilise
static artStatus find_rest(const artModel *m, artData *d, double *drift, artError *error)
{
  const struct methodRecursive *r = recursive_of(d);
  struct loopWork *loop = d->work->loop;
  loopRows *rows = &loop->rows;

  // second derivatives of the cuts at the present link motion, which is that of a_0
  const artStatus status = rows_gamma(m, d, rows, r->kept[r->set], error);
  if (status != ART_OK) return status;
  rods_motion(m, d, &d->work->rods);
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *tie = &m->relation[i];
    const double *J = rows->J.value + rows->J.start[tie->row];
    for (int k = 0; k < tie->n; k++) {
      const int v = tie->velocity[k];
      if (!loop->driven[v]) rows->gamma[tie->row] -= J[rows->tied[i][k]] * d->a[v];
    }
  }
  *drift = method_stabilise(m, d, r->kept[r->set]);
  profile_end(d->work->profile, PROFILE_BIAS);
  return ART_OK;
}


// factor J M^-1 J^T of the present rows; *aside: number of redundant rows
static artStatus recursive_factor_rows(const artModel *m, artData *d, double *drift, int *aside,
                                       artError *error)
{
  struct methodRecursive *r = recursive_of(d);
  artStatus status = find_rest(m, d, drift, error);
  if (status == ART_OK && !(r->set == USUAL && workers_is_sharing(d))) {
    status = workers_run(m, d, recursive_rows, error);
  }
  if (status != ART_OK) return status;
  recursive_rows_base(m, d);
  profile_end(d->work->profile, PROFILE_PROJECTION);
  *aside = skyline_factor(&r->delassus[r->set]);
  return ART_OK;
}


// Multipliers of the present rows. For redundant rows, tolerate a residual relative to the largest
// acceleration (m/s^2 or rad/s^2), plus the part that the constraint violations of slightly
// inconsistent loops explain.
static artStatus solve_rows(const artModel *m, artData *d, double drift, artError *error)
{
  const struct methodRecursive *r = recursive_of(d);
  const rowSet set = r->set;
  loopRows *rows = &d->work->loop->rows;
  for (int g = 0; g < r->count; g++) {
    const constraintWay *way = &r->way[g];
    double *x = r->x + way->first[set];
    if (way->kind == WAY_ROD) {
      const v3 rest = v3_scale(-recursive_rod_scale(m, way->index), d->work->rods.s[way->index]);
      x[0] = rest.x, x[1] = rest.y, x[2] = rest.z;
      continue;
    }
    for (int k = 0; k < way->nrow[set]; k++) x[k] = rows->gamma[way->row[k]];
  }
  int worst = -1;
  const double forgiven = 1e-9 + 1e-3 * max_magnitude(r->delassus[set].n, r->x) + drift;
  const double left = skyline_solve(&r->delassus[set], r->x, &worst);
  memset(rows->lambda, 0, (size_t) m->nrow * sizeof *rows->lambda);
  for (int g = 0; g < r->count; g++) {
    const constraintWay *way = &r->way[g];
    const double *x = r->x + way->first[set];
    if (way->kind == WAY_ROD) {
      d->work->rod_force[way->index] =
          v3_scale(recursive_rod_scale(m, way->index), (v3){x[0], x[1], x[2]});
      continue;
    }
    for (int k = 0; k < way->nrow[set]; k++) rows->lambda[way->row[k]] = x[k];
  }
  if (left <= forgiven) return ART_OK;

  const constraintWay *way = r->way;
  while (way->first[set] + way->nrow[set] <= worst) way++;
  char name[MODEL_ROW_LENGTH];
  return base_fail(error, ART_SINGULAR, base_nowhere(),
                   "%s contradicts the other constraints and drives at t = %.9g s: it asks for an "
                   "acceleration that differs from theirs by %.3g",
                   model_row_name(m, way->row[worst - way->first[set]], name), d->time, left);
}


static artStatus recursive_find_multipliers(const artModel *m, artData *d, artError *error)
{
  struct methodRecursive *r = recursive_of(d);
  double drift = 0;
  int aside = 0;
  artStatus status = recursive_factor_rows(m, d, &drift, &aside, error);

  // the omitted rows depend on the usual ones only where these are independent
  if (status == ART_OK && aside > 0 && r->delassus[USUAL].n < r->delassus[ALL].n) {
    r->set = ALL;
    status = rows_positions(m, d, &d->work->loop->rows, r->kept[ALL], error);
    if (status == ART_OK) recursive_units(m, d);
    if (status == ART_OK) status = recursive_factor_rows(m, d, &drift, &aside, error);
  }
  return status == ART_OK ? solve_rows(m, d, drift, error) : status;
}


//---- the method ----------------------------------------------------------------------------------


// find accelerations, unless a singular position is near
static artStatus recursive_evaluate(const artModel *m, artData *d, artError *error)
{
  const struct methodRecursive *r = recursive_of(d);
  artWorkspace *w = d->work;
  profile_begin(w->profile);
  artStatus status = place_rows(m, d, error);
  if (status != ART_OK || r->is_singular) return status;

  // building a bridge over a singular position has moved links and restored them
  if (!w->tree.has_world) status = recursive_place_links(m, d, error);
  if (status != ART_OK) return status;
  recursive_units(m, d);
  profile_end(w->profile, PROFILE_CONSTRAINTS);
  status = force_apply(m, d, error);
  profile_end(w->profile, PROFILE_FORCES);
  if (status == ART_OK) status = release_links(m, d, error);
  profile_end(w->profile, PROFILE_INERTIA);
  if (status == ART_OK) status = recursive_find_multipliers(m, d, error);

  // response of the tree to the multipliers
  if (status == ART_OK) {
    recursive_push(m, d);
    status = workers_run(m, d, recursive_respond, error);
  }
  if (status == ART_OK) {
    recursive_respond_base(m, d);
    if (!r->is_grounded) status = workers_run(m, d, recursive_spread, error);
  }
  profile_end(w->profile, PROFILE_SOLUTION);
  return status;
}


static artStatus recursive_start_usual(const artModel *m, artData *d, artError *error)
{
  return recursive_start(m, d, NULL, error);
}


// Does not close the loops, but stabilises them; the accelerations of links are up to date
// afterwards.
static artStatus recursive_solve(const artModel *m, artData *d, artError *error)
{
  artStatus status = method_start(m, d, ART_RECURSIVE, error);
  if (status != ART_OK) return status;
  const struct methodRecursive *r = recursive_of(d);
  if (workers_is_undecided(d)) {
    status = recursive_evaluate(m, d, error);
    if (status == ART_OK && !r->is_singular)
      status = workers_decide(m, d, recursive_evaluate, error);
  }
  if (status == ART_OK) status = workers_evaluate(m, d, recursive_evaluate, error);
  if (status == ART_OK && r->is_singular) return method_semirecursive(m, d, error);

  // multipliers of welds include the distributed inertia of counterparts, which the model does not
  // contain
  d->work->method->has_shares = r->weights != &m->tree;
  return status;
}


// use the same usual rows as `from`; threads keep their branches
static artStatus recursive_copy(artData *to, const artData *from, artError *error)
{
  const artModel *m = to->work->now;
  struct methodWork *own = to->work->method;
  const struct methodRecursive *a = recursive_of(to), *b = recursive_of(from);
  if (own->workers) return ART_OK;
  if (a && b && memcmp(a->keep, b->keep, (size_t) m->nrow) == 0) return ART_OK;
  own->part[ART_RECURSIVE] = NULL;
  return b ? recursive_start(m, to, b->keep, error) : ART_OK;
}


const methodKind recursive_kind = {
    .start = recursive_start_usual,
    .solve = recursive_solve,
    .copy = recursive_copy,
    .stage = {[PROFILE_INERTIA] = "motion of the cut tree",
              [PROFILE_PROJECTION] = "J M^-1 J^T",
              [PROFILE_BIAS] = "gamma - J a_0",
              [PROFILE_CONSTRAINTS] = "J"},
};
