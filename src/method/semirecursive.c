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


// y = M x for the tree's mass matrix: lower triangle, entries along the way to ground only
static void multiply_tree(const treeModel *t, const struct loopWork *loop, const double *x,
                          double *y)
{
  memset(y, 0, (size_t) t->nv * sizeof *y);
  for (int k = 0; k < t->nv; k++) {
    const double *row = loop->M + loop->M_row[k];
    double sum = row[k] * x[k];
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      sum += row[j] * x[j];
      y[j] += row[j] * x[k];
    }
    y[k] += sum;
  }
}


static artStatus report_nothing(const artModel *m, const artData *d, int k, artError *error)
{
  const modelJoint *joint = &m->joint[m->velocity[k].joint];
  return base_fail(
      error, ART_SINGULAR, joint->place,
      "no acceleration can be found for '%s' at t = %.9g s: neither body '%s' nor what "
      "the loops move with it has inertia that resists; give them mass, or drive the "
      "joint",
      m->velocity[k].name, d->time, m->body[joint->is_reversed ? joint->from : joint->to].name);
}


// R^T M R a_f = R^T (tau - h - M s)
static artStatus solve_free(const artModel *m, artData *d, const reduceAlgebra *algebra,
                            artError *error)
{
  struct loopWork *loop = d->work->loop;
  const loopPartition *p = &loop->partition;
  double *x = loop->step;
  for (int i = 0; i < p->nf; i++) x[i] = loop->right[p->free[i]];
  const int bad = algebra->mass->solve_free(d->work->method->reduce, loop, x);
  if (bad >= 0) return report_nothing(m, d, p->free[bad], error);
  for (int i = 0; i < p->nf; i++) d->a[p->free[i]] = x[i];
  return ART_OK;
}


// closed positions, B and closed velocities
static artStatus close_loops(const artModel *m, artData *d, reduceAlgebra *algebra, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const int has_stayed = loop->has_stayed;
  loop->has_stayed = 0;
  profile_begin(d->work->profile);
  if (!has_stayed) {
    const artStatus status = loop_place(m, d, error);
    if (status != ART_OK) return status;
  }
  const artStatus status = reduce_choose(m, d, algebra, error);
  if (status != ART_OK) return status;
  profile_end(d->work->profile, PROFILE_CONSTRAINTS);

  // where nothing has moved the blocks have been coupled already
  if (has_stayed && algebra->rows == &reduce_rows_plain) return ART_OK;
  algebra->rows->couple(d->work->method->reduce, loop);
  profile_end(d->work->profile, PROFILE_COUPLING);
  loop_move(d);
  profile_end(d->work->profile, PROFILE_VELOCITIES);
  return ART_OK;
}


// s into the accelerations, from gamma at the motion that h belongs to
static artStatus find_bias(const artModel *m, artData *d, const reduceAlgebra *algebra,
                           artError *error)
{
  struct loopWork *loop = d->work->loop;
  const artStatus status = rows_gamma(m, d, &loop->rows, loop->kept, error);
  if (status != ART_OK) return status;
  memset(d->a, 0, (size_t) m->tree.nv * sizeof *d->a);
  hold_bias(&loop->hold, loop->blocks, d->v, d->work->a_drive);
  algebra->rows->solve(d->work->method->reduce, loop, loop->rows.gamma, d->a);
  profile_end(d->work->profile, PROFILE_BIAS);
  return ART_OK;
}


// loop->Mr += R^T (m/6 S^T S) R, lower triangle by rows, with the R that stands in the blocks
static void reduce_rods(const artModel *m, const rodInertia *rods, struct loopWork *loop)
{
  const long nv = m->tree.nv, nf = loop->partition.nf;
  const int *free = loop->partition.free;
  double *x = rods->P, *y = x + nv, *z = y + nv;
  for (int i = 0; i < m->nrod; i++) {
    memcpy(x, rods_rows(m, rods, i), 3 * (size_t) nv * sizeof *x);
    for (int row = 0; row < 3; row++) blocks_project(loop->blocks, x + row * nv);
    for (long k = 0; k < nf; k++) {
      const int a = free[k];
      const v3 f = v3_scale(rods_scale(m, i), (v3){x[a], y[a], z[a]});
      for (long j = 0; j <= k; j++) {
        const int b = free[j];
        loop->Mr[k * nf + j] += f.x * x[b] + f.y * y[b] + f.z * z[b];
      }
    }
  }
}


// R^T M R, and R^T (tau - h - M s) in loop->right
static void project(const artModel *m, artData *d, const reduceAlgebra *algebra)
{
  artWork *w = d->work;
  struct loopWork *loop = w->loop;
  tree_mass(&m->tree, &w->tree, loop->M_row, loop->M);
  multiply_tree(&m->tree, loop, d->a, loop->right);
  rods_multiply(m, &d->work->rods, d->a, loop->right);
  for (int k = 0; k < m->tree.nv; k++) {
    loop->right[k] = d->force[k] - w->scratch[k] - loop->right[k];
  }
  blocks_project(loop->blocks, loop->right);
  algebra->mass->reduce(d->work->method->reduce, m, w);
  reduce_rods(m, &w->rods, loop);
  profile_end(d->work->profile, PROFILE_PROJECTION);
}


// a_v = B a_f + b', added to the dependent accelerations that hold b' already
static void add_dependent(const loopBlocks *blocks, double *a)
{
  for (int p = 0; p < blocks->nd; p++) {
    const loopBlock *block = blocks_block(blocks, p);
    const double *B = blocks_B_row(blocks, p);
    double sum = 0;
    for (int i = 0; i < block->free_count; i++) sum += B[i] * a[blocks->column_u[block->reach[i]]];
    a[blocks->column[p]] += sum;
  }
}


// J_v^T lambda = (M a + h - tau)_v
static void find_multipliers(const artModel *m, artData *d, const reduceAlgebra *algebra)
{
  artWork *w = d->work;
  struct loopWork *loop = w->loop;
  multiply_tree(&m->tree, loop, d->a, loop->right);
  rods_multiply(m, &d->work->rods, d->a, loop->right);
  for (int k = 0; k < m->tree.nv; k++) loop->right[k] += w->scratch[k] - d->force[k];
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof(double));
  algebra->rows->solve_transposed(d->work->method->reduce, loop, loop->right, loop->rows.lambda);
}


artStatus method_semirecursive(const artModel *m, artData *d, artError *error)
{
  artWork *w = d->work;
  struct loopWork *loop = w->loop;
  reduceAlgebra algebra;
  artStatus status = close_loops(m, d, &algebra, error);
  if (status != ART_OK) return status;
  status = force_apply(m, d, error);
  if (status != ART_OK) return status;
  profile_end(d->work->profile, PROFILE_FORCES);

  // h at the accelerations of the drives, and with that motion gamma and s
  tree_rne(&m->tree, &w->tree, d->v, w->a_drive, w->scratch);
  rods_positions(m, d, &d->work->rods);
  rods_bias(m, d, &d->work->rods, w->scratch);
  profile_end(d->work->profile, PROFILE_INERTIA);
  status = find_bias(m, d, &algebra, error);
  if (status != ART_OK) return status;

  project(m, d, &algebra);
  status = solve_free(m, d, &algebra, error);
  if (status != ART_OK) return status;
  add_dependent(loop->blocks, d->a);
  find_multipliers(m, d, &algebra);
  rods_react(m, d, &d->work->rods, d->a);
  for (int k = 0; k < m->tree.nv; k++) d->a[k] += w->a_drive[k];
  profile_end(d->work->profile, PROFILE_SOLUTION);
  return ART_OK;
}


const methodKind semirecursive_kind = {
    .solve = method_semirecursive,
    .stage = {[PROFILE_POSITIONS] = "positions, loops closed"},
};
