// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Right-hand side  R^T (h + M a_0)  of the reduced equations; h: bias forces at zero accelerations, a_0: accelerations
// that are known ahead (drives, velocity terms of the loops). Also the residual forces on dependent coordinates, which the
// constraint reactions carry.
//
// R^T M a_0 comes from joint forces at a_0, through the mass matrix or by the recursion, or as P^T a_0 with the P = M R of
// the reduced mass matrix (reduced_equations.c).
#include <string.h>

#include "gen/build.h"


// h + M a_0, accelerations that are carried left out; of coordinates with an inertia alone h goes with these     [nv]
static int *add_inertia(genBuild *b, const genDynamics *d, const int *a_0, const int *carried)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nv = b->tree->nv;
  int *h = gen_copy(b, nv, d->h), *a = gen_copy(b, nv, a_0);
  for (int i = 0; carried && i < l->nd; i++) {
    if (carried[i] >= 0) a[l->dependent[i]] = 0;
  }
  for (int i = 0; i < nv; i++) {
    for (int k = 0; k < d->M.count[i]; k++) {
      const genEntry *m = &d->M.row[i][k];
      if (m->node != 0 && a[m->column] != 0) {
        h[i] = expr_add(p, h[i], expr_mul(p, m->node, a[m->column]));
      }
    }
  }
  return h;
}


// entries of one row of P, and of the mass matrix
static int count_row_products(const genReduced *reduced, int i)
{
  int count = 0;
  for (int f = 0; f < reduced->n; f++) count += reduced->P[i * reduced->n + f] != 0;
  return count;
}


static int count_inertia(const genBuild *b, const genDynamics *d, int i)
{
  const int row = b->loops.dependent[i];
  int count = 0;
  for (int k = 0; k < d->M.count[row]; k++) count += d->M.row[row][k].node != 0;
  return count;
}


// whether h + M a with h at rest takes fewer operations than h + P a_f with h at the known accelerations, which nobody
// else asks for where some are carried
static int is_direct(const genBuild *b, const genDynamics *rest, const genReduced *reduced, int i)
{
  const genLoops *l = &b->loops;
  const genEntry *m;
  const int n = gen_dependent_entries(b, &rest->M, l->dependent[i], &m);
  int extra = 0;
  for (int k = 0; reduced->carried && k < n; k++) extra += reduced->carried[m[k].column] >= 0;
  return extra > 0 && count_inertia(b, rest, i) <= extra + count_row_products(reduced, i);
}


// h + c B a_f of a coordinate with an inertia alone, or c (x + B a_f) where x is carried: its acceleration is not asked for,
// since the acceleration of a leg without mass may be of use to nobody else
static int missing_alone(genBuild *b, const genReduced *reduced, int i, int h, const int *a)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc, is_carried = reduced->carried && reduced->carried[i] >= 0;
  int sum = is_carried ? reduced->carried[i] : 0;
  for (int f = 0; f < l->nf; f++) {
    sum = expr_add(p, sum, expr_mul(p, l->B[i * nu + f], a[l->free[f]]));
  }
  return expr_add(p, is_carried ? 0 : h, expr_mul(p, reduced->alone.inertia[i], sum));
}


// missing forces on the dependent coordinates at the accelerations a[nv], with h at the known ones            [nd]
int *gen_missing_forces(genBuild *b, const genDynamics *rest, const genReduced *reduced,
                        const int *h, const int *a)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const genAlone *alone = &reduced->alone;
  const int nf = reduced->n;
  int *x = gen_alloc(b, (size_t) l->nd, sizeof *x);
  for (int i = 0; i < l->nd; i++) {
    const int k = l->dependent[i], direct = is_direct(b, rest, reduced, i);
    if (alone->first[i] >= 0 || (reduced->carried && alone->rest[i] >= 0)) {
      x[i] = missing_alone(b, reduced, i, h[k], a);
      continue;
    }
    x[i] = direct ? rest->h[k] : h[k];
    for (int j = 0; j < (direct ? rest->M.count[k] : nf); j++) {
      const int m = direct ? rest->M.row[k][j].node : reduced->P[i * nf + j];
      const int column = direct ? rest->M.row[k][j].column : l->free[j];
      if (m != 0) x[i] = expr_add(p, x[i], expr_mul(p, m, a[column]));
    }
  }
  return x;
}


// vectors that take the right side to the free coordinates
typedef struct rightSide {
  const int *carried; // [nd] see gen_reduce_forces; NULL: all by h
  int *left;          // [nv] joint forces at the known accelerations, less what is carried
  int *h;             // [nv] all of them
  int *r, count;
} rightSide;


// whether somebody asks for missing forces: multipliers, or the power of drives
static int is_missing_asked(const genBuild *b)
{
  const unsigned forms = b->options->forms;
  return forms & GEN_REACTIONS || (forms & GEN_POWER && b->loops.nc > 0);
}


static void weigh_right_side(genBuild *b, const genDynamics *rest, genReduced *reduced,
                             rightSide *x)
{
  const genLoops *l = &b->loops;
  int *h = gen_copy(b, b->tree->nv, x->left);
  for (int i = 0; x->carried && i < l->nd; i++) {
    if (reduced->alone.rest[i] >= 0) h[l->dependent[i]] = 0;
  }
  reduced->carried = x->carried;
  x->r = gen_reduce_forces(b, reduced, h, x->carried);
  // operations of the right side, and of missing forces where they are asked for, besides the mass matrix that all need
  const int nf = reduced->n, nd = is_missing_asked(b) ? b->loops.nd : 0, n = nf + nf * nf + nd;
  int *all = gen_alloc(b, (size_t) n, sizeof *all);
  const int *missing = nd > 0 ? gen_missing_forces(b, rest, reduced, x->h, b->tree->a) : x->r;
  memcpy(all, x->r, (size_t) nf * sizeof *all);
  memcpy(all + nf, reduced->A, (size_t) (nf * nf) * sizeof *all);
  memcpy(all + nf + nf * nf, missing, (size_t) nd * sizeof *all);
  x->count = gen_operations(b, n, all);
}


// The right side at the accelerations a_0, whichever takes the fewest operations: its joint forces h through the mass
// matrix or by the recursion, since short branches have few entries in M and long ones many; and R^T M a_0 by h, or part
// of it by P^T a_0. Takes the dynamics without accelerations and at a_0, and leaves b->dynamics.
void gen_choose_right_side(genBuild *b, const genDynamics *rest, const genDynamics *recursive,
                           const int *a_0, genReduced *reduced)
{
  genDynamics *d = &b->dynamics;
  // where the joint force of a dependent coordinate is c (b + y), P = c B takes b + y to the right side
  const genLoops *l = &b->loops;
  int *alone = gen_alloc(b, (size_t) l->nd, sizeof *alone);
  for (int i = 0; i < l->nd; i++) {
    const int y = reduced->alone.rest[i];
    alone[i] = y >= 0 ? expr_add(b->pool, a_0[l->dependent[i]], y) : -1;
  }
  // besides these all whose accelerations meet fewer entries in P than in the mass matrix
  int *more = gen_copy(b, l->nd, alone);
  for (int k = 0; k < b->blocks.count; k++) {
    if (l->way[k] == WAY_INERTIA) continue;
    for (int i = b->blocks.start[k]; i < b->blocks.start[k + 1]; i++) {
      const int is_alone = reduced->alone.inertia[i] != 0;
      if (is_alone || count_row_products(reduced, i) >= count_inertia(b, rest, i)) continue;
      more[i] = a_0[l->dependent[i]];
    }
  }
  int *h = add_inertia(b, rest, a_0, NULL), *by_recursion = recursive->h;
  rightSide way[] = {{.left = h, .h = h},
                     {.left = by_recursion, .h = by_recursion},
                     {.carried = alone, .left = add_inertia(b, rest, a_0, alone), .h = h},
                     {.carried = alone, .left = by_recursion, .h = by_recursion},
                     {.carried = more, .left = add_inertia(b, rest, a_0, more), .h = h}};
  const rightSide *best = way;
  for (rightSide *x = way; x < way + sizeof way / sizeof *way; x++) {
    weigh_right_side(b, rest, reduced, x);
    if (x->count < best->count) best = x;
  }
  *d = *rest;
  d->h = best->h;
  d->recursion = best->h == h ? rest->h : best->h;
  reduced->r = best->r;
  reduced->carried = best->carried;
}
