// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Recursive method (Bae, Haug 1987, on the articulated bodies of src/tree): the tree moves freely, then
// unit multipliers of every constraint are passed inward along its way to ground, one joint after the
// other, and
//
//   (J M^-1 J^T) lambda = gamma - J a_0
//   J M^-1 J^T = sum over joints of u_r . D^-1 u_s
//
// where u_r is what a joint feels of row r and D the articulated inertia it moves. Rows of loops that
// share no moving joint do not meet, so the matrix has a skyline. Rows that follow from others wherever
// the machine stands are left out, until it comes to a position where those others are not independent.
//
// A rod with mass adds three rows: the unknown force p on both of its ends (data/rod_inertia.h), for which
//   S a + 6/m p = -s
// They are scaled such that 6/m becomes one over the mass of the machine, of the size of other entries.
//
// All of it goes branch by branch (recursive_work.h), which a team of threads can share.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "force/force.h"
#include "method/crew.h"
#include "method/method.h"
#include "method/recursive_work.h"

//---- free motion ---------------------------------------------------------------------------------


// links in ground with their velocities and axes
static artStatus place_links(const artModel *m, artData *d, artError *error)
{
  artWork *w = d->work;
  recursive_place_base(m, d);
  const artStatus status = crew_run(m, d, recursive_place, error);
  if (status != ART_OK) return status;
  w->tree.has_world = 1;
  data_note_velocities(m, d);
  if (!w->method->recursive->is_anchored) tree_axes(&m->tree, &w->tree);
  return ART_OK;
}


// a_0 at the forces that are applied
static artStatus release_links(const artModel *m, artData *d, artError *error)
{
  const struct methodRecursive *r = d->work->method->recursive;
  memcpy(d->a, d->work->a_drive, (size_t) m->tree.nv * sizeof *d->a);
  recursive_start_base(m, d);
  artStatus status =
      crew_run(m, d, crew_is_sharing(d) ? recursive_inward : recursive_inertia, error);
  if (status != ART_OK) return status;
  recursive_move_base(m, d);
  if (!r->is_grounded) status = crew_run(m, d, recursive_move, error);
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


// a set of rows, and what a unit of each of them does
static artStatus place_rows(const artModel *m, artData *d, rowSet set, artError *error)
{
  struct loopWork *loop = d->work->loop;
  d->work->method->recursive->set = set;
  const artStatus status =
      rows_positions(m, d, &loop->rows, d->work->method->recursive->kept[set], error);
  if (status == ART_OK) recursive_units(m, d);
  return status;
}


static artStatus move_freely(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  artStatus status = place_links(m, d, error);
  if (status == ART_OK) {
    status = rows_jacobian(m, d, &loop->rows, d->work->method->recursive->none, error);
  }
  if (status == ART_OK) status = place_rows(m, d, USUAL, error);
  profile_end(d->work->profile, PROFILE_CONSTRAINTS);
  if (status == ART_OK) status = force_apply(m, d, error);
  profile_end(d->work->profile, PROFILE_FORCES);
  if (status == ART_OK) status = release_links(m, d, error);
  profile_end(d->work->profile, PROFILE_INERTIA);
  return status;
}


// in rows.gamma what a_0 leaves of gamma* - J a_0; *drift as by method_stabilise
static artStatus find_rest(const artModel *m, artData *d, rowSet set, double *drift,
                           artError *error)
{
  struct loopWork *loop = d->work->loop;
  loopRows *rows = &loop->rows;
  const loopKept *kept = d->work->method->recursive->kept[set];

  // second derivatives of the cuts at the motion of the links, which is that of a_0
  const artStatus status = rows_gamma(m, d, rows, kept, error);
  if (status != ART_OK) return status;
  rods_motion(m, d, &d->work->rods);
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    const double *J = rows->J.value + rows->J.start[r->row];
    for (int k = 0; k < r->n; k++) {
      const int v = r->velocity[k];
      if (!loop->driven[v]) rows->gamma[r->row] -= J[rows->tied[i][k]] * d->a[v];
    }
  }
  *drift = method_stabilise(m, d, kept);
  profile_end(d->work->profile, PROFILE_BIAS);
  return ART_OK;
}


//---- multipliers ---------------------------------------------------------------------------------

// What rows that follow from others may ask for beyond them, in m/s^2 or rad/s^2: a part of what all
// rows ask for, and what the gaps of loops explain, which contradict each other a little.
static double forgiven(int n, const double *gamma, double drift)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = base_larger(most, fabs(gamma[k]));
  return 1e-9 + 1e-3 * most + drift;
}


// J M^-1 J^T of a set of rows in its factors; *aside: how many of them follow from the others
static artStatus factor_rows(const artModel *m, artData *d, rowSet set, double *drift, int *aside,
                             artError *error)
{
  struct methodRecursive *r = d->work->method->recursive;
  artStatus status = set == USUAL ? ART_OK : place_rows(m, d, set, error);
  if (status == ART_OK) status = find_rest(m, d, set, drift, error);
  if (status == ART_OK && !(set == USUAL && crew_is_sharing(d))) {
    status = crew_run(m, d, recursive_rows, error);
  }
  if (status != ART_OK) return status;
  recursive_rows_base(m, d);
  profile_end(d->work->profile, PROFILE_PROJECTION);
  *aside = skyline_factor(&r->delassus[set]);
  return ART_OK;
}


static artStatus report_contradiction(const artModel *m, const artData *d, rowSet set, int number,
                                      double left, artError *error)
{
  const constraintWay *way = d->work->method->recursive->way;
  while (way->first[set] + way->nrow[set] <= number) way++;
  char name[MODEL_ROW_LENGTH];
  return base_fail(error, ART_SINGULAR, base_nowhere(),
                   "%s contradicts the other constraints and drives at t = %.9g s: it asks for an "
                   "acceleration that differs from theirs by %.3g",
                   model_row_name(m, way->row[number - way->first[set]], name), d->time, left);
}


// what a constraint asks for, one number a row
static void put_rest(const artModel *m, const artData *d, const constraintWay *way, rowSet set,
                     double *x)
{
  const struct loopWork *loop = d->work->loop;
  if (way->kind == WAY_ROD) {
    const v3 rest = v3_scale(-recursive_rod_scale(m, way->index), d->work->rods.s[way->index]);
    x[0] = rest.x, x[1] = rest.y, x[2] = rest.z;
    return;
  }
  for (int k = 0; k < way->nrow[set]; k++) x[k] = loop->rows.gamma[way->row[k]];
}


// and what it does
static void take_multipliers(const artModel *m, artData *d, const constraintWay *way, rowSet set,
                             const double *x)
{
  if (way->kind == WAY_ROD) {
    d->work->rod_force[way->index] =
        v3_scale(recursive_rod_scale(m, way->index), (v3){x[0], x[1], x[2]});
    return;
  }
  for (int k = 0; k < way->nrow[set]; k++) d->work->loop->rows.lambda[way->row[k]] = x[k];
}


static artStatus solve_rows(const artModel *m, artData *d, rowSet set, double drift,
                            artError *error)
{
  const struct methodRecursive *r = d->work->method->recursive;
  loopRows *rows = &d->work->loop->rows;
  const int n = r->delassus[set].n;
  int worst = -1;
  for (int g = 0; g < r->count; g++) {
    put_rest(m, d, &r->way[g], set, r->x + r->way[g].first[set]);
  }
  const double most = forgiven(n, r->x, drift),
               left = skyline_solve(&r->delassus[set], r->x, &worst);
  memset(rows->lambda, 0, (size_t) m->nrow * sizeof *rows->lambda);
  for (int g = 0; g < r->count; g++) {
    take_multipliers(m, d, &r->way[g], set, r->x + r->way[g].first[set]);
  }
  return left <= most ? ART_OK : report_contradiction(m, d, set, worst, left, error);
}


static artStatus find_multipliers(const artModel *m, artData *d, artError *error)
{
  const struct methodRecursive *r = d->work->method->recursive;
  double drift = 0;
  int aside = 0;
  rowSet set = USUAL;
  artStatus status = factor_rows(m, d, set, &drift, &aside, error);

  // rows left out follow from the usual ones where these are independent, and perhaps nowhere else
  if (status == ART_OK && aside > 0 && r->delassus[USUAL].n < r->delassus[ALL].n) {
    set = ALL;
    status = factor_rows(m, d, set, &drift, &aside, error);
  }
  return status == ART_OK ? solve_rows(m, d, set, drift, error) : status;
}


static artStatus respond(const artModel *m, artData *d, artError *error)
{
  const struct methodRecursive *r = d->work->method->recursive;
  recursive_push(m, d);
  const artStatus status = crew_run(m, d, recursive_respond, error);
  if (status != ART_OK) return status;
  recursive_respond_base(m, d);
  return r->is_grounded ? ART_OK : crew_run(m, d, recursive_spread, error);
}


static artStatus evaluate(const artModel *m, artData *d, artError *error)
{
  profile_begin(d->work->profile);
  artStatus status = move_freely(m, d, error);
  if (status == ART_OK) status = find_multipliers(m, d, error);
  if (status == ART_OK) status = respond(m, d, error);
  profile_end(d->work->profile, PROFILE_SOLUTION);
  return status;
}


artStatus method_recursive(const artModel *m, artData *d, artError *error)
{
  const struct methodWork *own = method_work(d);
  if (!own) return base_no_memory(error);
  artStatus status = own->recursive ? ART_OK : recursive_start(m, d, NULL, error);
  if (status != ART_OK) return status;
  if (method_is_singular(m, d)) return method_semirecursive(m, d, error);
  if (crew_is_undecided(d)) status = crew_decide(m, d, evaluate, error);
  if (status == ART_OK) status = crew_evaluate(m, d, evaluate, error);

  // multipliers of welds carry the twins' shares of inertia, those of the model do not
  d->work->loop->has_shares = d->work->method->recursive->weights != &m->tree;
  return status;
}


const methodKind recursive_kind = {
    .solve = method_recursive,
    .stage = {[PROFILE_INERTIA] = "motion of the cut tree",
              [PROFILE_PROJECTION] = "J M^-1 J^T",
              [PROFILE_BIAS] = "gamma - J a_0",
              [PROFILE_CONSTRAINTS] = "J"},
};
