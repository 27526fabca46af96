// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The equations of motion on the free coordinates,  R^T M R a_f + R^T h = 0,  R = [1; B].
//
// Of blocks that stand apart (couple.c) the inertia can be taken to their rows first,  Lambda = T^T M_vv T,  and from
// there to the coordinates that the rows see:  B^T M_vv B = J_u^T Lambda J_u.
#include <string.h>

#include "gen/build.h"


typedef struct genInertia {
  int *Lambda; // [n n]
  int *N;      // [n nf] T^T M_vf
  int *Y;      // [n nf] Lambda J_u - N
} genInertia;


static int reduced_block_size(const genBuild *b, int k)
{
  ART_ASSERT(k >= 0 && k < b->blocks.count);
  return b->blocks.start[k + 1] - b->blocks.start[k];
}


// T^T times the coordinates of a block, onto its rows
static int onto_row(genBuild *b, int k, int row, const int *x, int stride)
{
  const int n = reduced_block_size(b, k);
  return expr_dot(b->pool, n, b->loops.T[k] + row, n, x, stride);
}


// M_vv T of one block
static int *weigh_rows(genBuild *b, const genDynamics *d, int k)
{
  exprPool *p = b->pool;
  const int first = b->blocks.start[k], n = reduced_block_size(b, k);
  const int *v = b->loops.dependent + first;
  int *W = gen_alloc(b, (size_t) (n * n), sizeof *W);
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < n; c++) {
      for (int j = 0; j < n; j++) {
        const int m = gen_mass_entry(d, v[i], v[j]);
        W[i * n + c] = expr_add(p, W[i * n + c], expr_mul(p, m, b->loops.T[k][j * n + c]));
      }
    }
  }
  return W;
}


static void find_inertia(genBuild *b, const genDynamics *d, int k, genInertia *x)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int first = b->blocks.start[k], n = reduced_block_size(b, k), nf = l->nf, nu = nf + l->nc;
  const size_t entries = (size_t) n * (size_t) nf;
  int *W = weigh_rows(b, d, k), *column = gen_alloc(b, (size_t) n, sizeof *column);
  x->Lambda = gen_alloc(b, (size_t) (n * n), sizeof *x->Lambda);
  x->N = gen_alloc(b, entries, sizeof *x->N);
  x->Y = gen_alloc(b, entries, sizeof *x->Y);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      x->Lambda[i * n + j] = x->Lambda[j * n + i] = onto_row(b, k, i, W + j, n);
    }
  }
  for (int f = 0; f < nf; f++) {
    for (int i = 0; i < n; i++) {
      column[i] = gen_mass_entry(d, l->dependent[first + i], l->free[f]);
    }
    for (int i = 0; i < n; i++) {
      int sum = expr_neg(p, x->N[i * nf + f] = onto_row(b, k, i, column, 1));
      for (int j = 0; j < n; j++) {
        const int e = l->K[(first + j) * nu + f];
        sum = expr_add(p, sum, expr_mul(p, x->Lambda[i * n + j], e));
      }
      x->Y[i * nf + f] = sum;
    }
  }
}

//---- what single blocks bring in -----------------------------------------------------------------

// M_fv B_g + B_f^T P_g
static int part_by_rows(genBuild *b, const genDynamics *d, const genReduced *x, int k, int f, int g)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int *P = x->P;
  const int nf = l->nf, nu = nf + l->nc;
  int sum = 0;
  for (int i = b->blocks.start[k]; i < b->blocks.start[k + 1]; i++) {
    if (x->alone.first[i] >= 0) continue;
    const int m = gen_mass_entry(d, l->free[f], l->dependent[i]), Bg = l->B[i * nu + g];
    if (m != 0 && Bg != 0) sum = expr_add(p, sum, expr_mul(p, m, Bg));
    const int Bf = l->B[i * nu + f];
    if (Bf != 0 && P[i * nf + g] != 0) sum = expr_add(p, sum, expr_mul(p, Bf, P[i * nf + g]));
  }
  return sum;
}


// J_f^T Y_g - N_f^T J_g
static int part_by_inertia(genBuild *b, const genInertia *x, int k, int f, int g)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nf = l->nf, nu = nf + l->nc;
  int sum = 0;
  for (int i = 0; i < reduced_block_size(b, k); i++) {
    const int *e = l->K + (b->blocks.start[k] + i) * nu;
    sum = expr_add(p, sum, expr_mul(p, e[f], x->Y[i * nf + g]));
    sum = expr_sub(p, sum, expr_mul(p, x->N[i * nf + f], e[g]));
  }
  return sum;
}


// P = M_vf + M_vv B
static void find_products(genBuild *b, const genDynamics *d, const genAlone *alone, int *P)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nf = l->nf, nu = nf + l->nc;
  for (int i = 0; i < l->nd; i++) {
    const genEntry *m;
    const int n = gen_dependent_entries(b, &d->M, l->dependent[i], &m);
    for (int f = 0; f < nf; f++) {
      if (!alone->scaled[i * nf + f]) continue;
      int sum = gen_mass_entry(d, l->dependent[i], l->free[f]);
      for (int k = 0; k < n; k++) {
        const int B = l->B[m[k].column * nu + f];
        if (B != 0) sum = expr_add(p, sum, expr_mul(p, m[k].node, B));
      }
      P[i * nf + f] = sum;
    }
  }
}


static void add_reduced_part(genBuild *b, genReduced *out, int *sum, int part)
{
  out->part[out->npart++] = part;
  *sum = expr_add(b->pool, *sum, part);
}


void gen_reduce(genBuild *b, const genDynamics *d, genReduced *out)
{
  const genLoops *l = &b->loops;
  const int nf = l->nf, nd = l->nd, count = b->blocks.count;
  out->n = nf;
  out->A = gen_alloc(b, (size_t) nf * (size_t) nf, sizeof *out->A);
  out->P = gen_alloc(b, (size_t) nd * (size_t) nf, sizeof *out->P);
  out->npart = 0;
  out->part = gen_alloc(b, (size_t) (count + nd) * (size_t) (nf * nf), sizeof *out->part);
  genInertia *inertia = gen_alloc(b, (size_t) count, sizeof *inertia);
  gen_find_alone(b, d, &out->alone);
  find_products(b, d, &out->alone, out->P);
  for (int k = 0; k < count; k++) {
    if (l->way[k] == WAY_INERTIA) find_inertia(b, d, k, &inertia[k]);
  }
  for (int f = 0; f < nf; f++) {
    for (int g = 0; g <= f; g++) {
      int *sum = &out->A[f * nf + g];
      *sum = gen_mass_entry(d, l->free[f], l->free[g]);
      for (int k = 0; k < count; k++) {
        add_reduced_part(b, out, sum,
                         l->way[k] == WAY_INERTIA ? part_by_inertia(b, &inertia[k], k, f, g)
                                                  : part_by_rows(b, d, out, k, f, g));
      }
      for (int i = 0; i < nd; i++) {
        if (out->alone.first[i] != i) continue;
        add_reduced_part(b, out, sum, gen_alone_part(b, &out->alone, out->P, i, f, g));
      }
    }
  }
}


// B_f^T h_v of one block; through its rows -J_f^T (T^T h_v)
static int reduce_force(genBuild *b, const int *h, const int *row_force, int k, int f)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc, by_inertia = l->way[k] == WAY_INERTIA;
  int sum = 0;
  for (int i = b->blocks.start[k]; i < b->blocks.start[k + 1]; i++) {
    const int e = by_inertia ? expr_neg(p, l->K[i * nu + f]) : l->B[i * nu + f];
    sum = expr_add(p, sum, expr_mul(p, e, by_inertia ? row_force[i] : h[l->dependent[i]]));
  }
  return sum;
}


// P_f^T a of the coordinates that are carried so
static int carry_to_free(genBuild *b, const genReduced *x, const int *carried, int f)
{
  exprPool *p = b->pool;
  int sum = 0;
  for (int i = 0; i < b->loops.nd; i++) {
    const int first = x->alone.first[i];
    int term = 0;
    if (first == i) term = gen_alone_force(b, &x->alone, x->P, carried, i, f);
    if (first < 0 && carried[i] >= 0) term = expr_mul(p, x->P[i * x->n + f], carried[i]);
    sum = expr_add(p, sum, term);
  }
  return sum;
}


int *gen_reduce_forces(genBuild *b, const genReduced *reduced, const int *h, const int *carried)
{
  const genLoops *l = &b->loops;
  int *r = gen_alloc(b, (size_t) l->nf, sizeof *r);
  int *own = gen_alloc(b, (size_t) l->nd, sizeof *own);
  int *row_force = gen_alloc(b, (size_t) l->nd, sizeof *row_force);
  for (int i = 0; i < l->nd; i++) own[i] = h[l->dependent[i]];
  for (int k = 0; k < b->blocks.count; k++) {
    const int first = b->blocks.start[k];
    if (l->way[k] != WAY_INERTIA) continue;
    for (int i = 0; i < reduced_block_size(b, k); i++)
      row_force[first + i] = onto_row(b, k, i, own + first, 1);
  }
  for (int f = 0; f < l->nf; f++) {
    r[f] = h[l->free[f]];
    for (int k = 0; k < b->blocks.count; k++) {
      r[f] = expr_add(b->pool, r[f], reduce_force(b, h, row_force, k, f));
    }
    if (carried) r[f] = expr_add(b->pool, r[f], carry_to_free(b, reduced, carried, f));
  }
  return r;
}

//---- the cheapest way ----------------------------------------------------------------------------

void gen_choose_cheapest_way(genBuild *b)
{
  if (!gen_has_choice(b)) return;
  genDynamics d;
  int *none = gen_alloc(b, (size_t) b->tree->nv, sizeof *none);
  gen_find_dynamics(b, none, &d);
  genWay best = WAY_COLUMNS;
  int least = -1;
  for (int way = WAY_COLUMNS; way <= WAY_INERTIA; way++) {
    gen_choose_way(b, &d, (genWay) way);
    // operations of velocities, accelerations, inertia and right side
    const size_t nf = (size_t) b->loops.nf, nd = (size_t) b->loops.nd;
    genReduced reduced;
    const int *v = gen_follow_velocities(b, b->tree->v);
    const int *a = gen_follow_accelerations(b, b->tree->a, NULL);
    const int *r = gen_reduce_forces(b, NULL, d.h, NULL);
    int *all = gen_alloc(b, nf * nf + nf + 2 * nd, sizeof *all);
    gen_reduce(b, &d, &reduced);
    memcpy(all, v, nd * sizeof *all);
    memcpy(all + nd, a, nd * sizeof *all);
    memcpy(all + 2 * nd, r, nf * sizeof *all);
    memcpy(all + 2 * nd + nf, reduced.A, nf * nf * sizeof *all);
    const int count = gen_operations(b, (int) (2 * nd + nf + nf * nf), all);
    if (least < 0 || count < least) best = (genWay) way, least = count;
  }
  gen_choose_way(b, &d, best);
}
