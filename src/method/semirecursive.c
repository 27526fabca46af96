// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Semi-recursive method (Hidalgo, Garcia de Jalon; Postiau 2004, section 2.5): the tree's equations
// reduced to the independent coordinates by the velocity transformation v = R v_f.
//
//   a = R a_f + s        R = [B; 1],  s = [b'; 0],  J_v b' = gamma
//   R^T M R a_f = R^T (tau - h - M s)
//   J_v^T lambda = (M a + h - tau)_v
//
// Positions and velocities are re-solved at every evaluation, so loops stay closed by construction.
#include <string.h>

#include "force/force.h"
#include "method/method.h"
#include "method/reduce.h"


// y = M x for the mass matrix of the tree: lower triangle, entries on paths to ground only
static void multiply_tree(const treeModel *t, const methodReduce *r, const double *x, double *y)
{
  for (int k = 0; k < t->nv; k++) {
    const double *row = r->M + r->M_row[k];
    double sum = row[k] * x[k];
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      sum += row[j] * x[j];
      y[j] += row[j] * x[k];
    }
    y[k] = sum;
  }
}


// project positions, compute B, project velocities
static artStatus semirecursive_close_loops(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  methodReduce *r = reduce_of(d);
  const int has_stayed = loop->has_stayed;
  loop->has_stayed = 0;
  profile_begin(d->work->profile);
  if (!has_stayed) {
    const artStatus status = loop_place(m, d, error);
    if (status != ART_OK) return status;
  }
  const artStatus status = reduce_prepare(m, d, error);
  if (status != ART_OK) return status;
  profile_end(d->work->profile, PROFILE_CONSTRAINTS);

  // if nothing has moved, B is already up to date
  if (has_stayed && !r->is_by_rows) return ART_OK;
  reduce_couple(r, loop);
  profile_end(d->work->profile, PROFILE_COUPLING);
  loop_move(d);
  profile_end(d->work->profile, PROFILE_VELOCITIES);
  return ART_OK;
}


// Mr += R^T (m/6 S^T S) R, lower triangle by rows, with R from the blocks
static void reduce_rods(const artModel *m, const rodInertia *rods, const struct loopWork *loop,
                        methodReduce *r)
{
  const long nv = m->tree.nv, nf = r->nf;
  const int *free = loop->partition.free;
  double *x = rods->P, *y = x + nv, *z = y + nv;
  for (int i = 0; i < m->nrod; i++) {
    memcpy(x, rods_rows(m, rods, i), 3 * (size_t) nv * sizeof *x);
    for (int row = 0; row < 3; row++) blocks_project(loop->blocks, x + row * nv);
    for (long k = 0; k < nf; k++) {
      const int a = free[k];
      if (x[a] == 0 && y[a] == 0 && z[a] == 0) continue;
      const v3 f = v3_scale(rods_scale(m, i), (v3){x[a], y[a], z[a]});
      for (long j = 0; j <= k; j++) {
        const int b = free[j];
        r->Mr[k * nf + j] += f.x * x[b] + f.y * y[b] + f.z * z[b];
      }
    }
  }
}


// R^T M R, and R^T (tau - h - M s) into loop->right
static void project_tree_equations(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  struct loopWork *loop = w->loop;
  methodReduce *r = reduce_of(d);
  tree_mass(&m->tree, &w->tree, r->M_row, r->M);
  multiply_tree(&m->tree, r, d->a, loop->right);
  rods_multiply(m, &w->rods, d->a, loop->right);
  for (int k = 0; k < m->tree.nv; k++) {
    loop->right[k] = d->force[k] - w->scratch[k] - loop->right[k];
  }
  blocks_project(loop->blocks, loop->right);
  r->mass->reduce(r, &m->tree);
  reduce_rods(m, &w->rods, loop, r);
  profile_end(w->profile, PROFILE_PROJECTION);
}


// R^T M R a_f = R^T (tau - h - M s)
static artStatus solve_free(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const loopPartition *p = &loop->partition;
  methodReduce *r = reduce_of(d);
  double *x = loop->step;
  for (int i = 0; i < p->nf; i++) x[i] = loop->right[p->free[i]];
  const int bad = r->mass->solve_free(r, x);
  if (bad >= 0) {
    const modelCoordinate *v = &m->velocity[p->free[bad]];
    const modelJoint *joint = &m->joint[v->joint];
    return base_fail(
        error, ART_SINGULAR, joint->place,
        "no acceleration can be found for '%s' at t = %.9g s: neither body '%s' nor what "
        "the loops move with it has inertia that resists; give them mass, or drive the "
        "joint",
        v->name, d->time, m->body[joint->is_reversed ? joint->from : joint->to].name);
  }
  for (int i = 0; i < p->nf; i++) d->a[p->free[i]] = x[i];
  return ART_OK;
}


artStatus method_semirecursive(const artModel *m, artData *d, artError *error)
{
  artWorkspace *w = d->work;
  struct loopWork *loop = w->loop;
  artStatus status = method_start(m, d, ART_SEMIRECURSIVE, error);
  if (status == ART_OK) status = semirecursive_close_loops(m, d, error);
  if (status == ART_OK) status = force_apply(m, d, error);
  if (status != ART_OK) return status;
  profile_end(w->profile, PROFILE_FORCES);

  // h at the prescribed accelerations of the drives; from the same motion gamma and s
  methodReduce *r = reduce_of(d);
  tree_rne(&m->tree, &w->tree, d->v, w->a_drive, w->scratch);
  if (m->nrod > 0) {
    rods_positions(m, d, &w->rods);
    rods_bias(m, d, &w->rods, w->scratch);
  }
  profile_end(w->profile, PROFILE_INERTIA);
  status = rows_gamma(m, d, &loop->rows, loop->kept, error);
  if (status != ART_OK) return status;
  memset(d->a, 0, (size_t) m->tree.nv * sizeof *d->a);
  if (loop->hold.held > 0) singular_path_bias(&loop->hold, loop->blocks, d->v, w->a_drive);
  reduce_solve(r, loop, loop->rows.gamma, d->a);
  profile_end(w->profile, PROFILE_BIAS);

  project_tree_equations(m, d);
  status = solve_free(m, d, error);
  if (status != ART_OK) return status;

  // a_v = B a_f + b', where a_v already contains b'
  for (int p = 0; p < r->nd; p++) {
    const int k = loop->blocks->column[p];
    const reduceRow row = r->R[k];
    double sum = 0;
    for (int i = 0; i < row.n; i++) sum += row.rate[i] * loop->step[row.number[i]];
    d->a[k] += sum;
  }

  // J_v^T lambda = (M a + h - tau)_v
  multiply_tree(&m->tree, r, d->a, loop->right);
  rods_multiply(m, &w->rods, d->a, loop->right);
  for (int p = 0; p < r->nd; p++) {
    const int k = loop->blocks->column[p];
    loop->right[k] += w->scratch[k] - d->force[k];
  }
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof(double));
  blocks_solve_transposed(loop->blocks, loop->right, loop->rows.lambda);
  rods_react(m, d, &w->rods, d->a);
  for (int k = 0; k < m->tree.nv; k++) d->a[k] += w->a_drive[k];
  profile_end(w->profile, PROFILE_SOLUTION);
  return ART_OK;
}


const methodKind semirecursive_kind = {
    .start = reduce_start,
    .solve = method_semirecursive,
    .free = reduce_free,
    .stage = {[PROFILE_POSITIONS] = "positions, loops closed"},
};
