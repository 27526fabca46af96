// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dependent coordinates whose inertia c stands alone in its row of the mass matrix.
//
// They bring  c B^T B  into the reduced mass matrix and, where the joint force without accelerations is c y,
// c B^T (b + y)  into the right side. The product with c can be taken once for each entry of B in a column, which serves all
// entries of that column of the matrix and one of the right side; or once for each entry that is left, after the sum over
// all coordinates of the same c. Which columns are worth it is counted.
#include <math.h>
#include <string.h>

#include "gen/build.h"
#include "sym/factors.h"

//---- what stands alone ---------------------------------------------------------------------------

// y of x = c y, or -1 where it would take an operation more than x
static int factor_quotient(exprPool *p, int x, int c)
{
  symFactors of_x, of_c, common;
  if (x == 0) return 0;
  if (!factors_list(p, factors_term(p, x), &of_x) || !factors_list(p, factors_term(p, c), &of_c)) {
    return -1;
  }
  factors_common(&of_x, &of_c, &common);
  const int gets_number = fabs(of_c.c) != 1 && fabs(of_x.c) == 1 && of_x.count > 0;
  if (of_c.count > 0 || gets_number) return -1;
  of_x.c /= of_c.c;
  return factors_product(p, &of_x);
}


// M_ii of a dependent coordinate if there is no other entry in its row
static int inertia_alone(const genBuild *b, const genDynamics *d, int i)
{
  ART_ASSERT(i >= 0 && i < b->loops.nd);
  const int row = b->loops.dependent[i];
  for (int k = 0; k < d->M.count[row]; k++) {
    const genEntry *e = &d->M.row[row][k];
    if (e->column != row && e->node != 0) return 0;
  }
  return gen_mass_entry(d, row, row);
}


//---- columns that are worth a product ------------------------------------------------------------

// whether a product with it takes an operation
static int takes_product(const exprPool *p, int e)
{
  return e != 0 && !(expr_is_constant(p, e) && fabs(p->nodes[e].value) == 1);
}


// how many of the coordinates from `first` on that have its inertia need a product in column f
static int count_column_products(const genBuild *b, const genAlone *x, int first, int f)
{
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  int count = 0;
  for (int i = first; i < l->nd; i++) {
    if (x->inertia[i] != x->inertia[first]) continue;
    count += takes_product(b->pool, l->B[i * nu + f]);
  }
  return count;
}


// whether sums of products of columns f and g have any terms
static int columns_meet(const genBuild *b, const genAlone *x, int first, int f, int g)
{
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  for (int i = first; i < l->nd; i++) {
    const int *row = l->B + i * nu;
    if (x->inertia[i] == x->inertia[first] && row[f] != 0 && row[g] != 0) return 1;
  }
  return 0;
}


// products with c when it is multiplied into the columns from place `left` of the order on: entries of these, sums
// of the others, and the right side, by force or by sum, whichever takes fewer
static int count_choice(const genBuild *b, const genAlone *x, int first, const int *order, int left,
                        int *by_force)
{
  const genLoops *l = &b->loops;
  int total = 0, sums = 0;
  for (int k = left; k < l->nf; k++) total += count_column_products(b, x, first, order[k]);
  for (int k = 0; k < left; k++) {
    sums += columns_meet(b, x, first, order[k], order[k]);
    for (int j = 0; j <= k; j++) total += columns_meet(b, x, first, order[k], order[j]);
  }

  // number of coordinates whose joint force is only c times something
  int forces = 0;
  for (int i = first; i < b->loops.nd; i++) {
    forces += x->inertia[i] == x->inertia[first] && x->rest[i] >= 0;
  }
  *by_force = forces < sums;
  return total + (*by_force ? forces : sums);
}


static void choose_columns(genBuild *b, genAlone *x, int first, int *order)
{
  const genLoops *l = &b->loops;
  // columns with many entries first, which is where sums are the cheaper ones
  for (int f = 0; f < b->loops.nf; f++) {
    int k = f;
    const int own = count_column_products(b, x, first, f);
    for (; k > 0 && count_column_products(b, x, first, order[k - 1]) < own; k--)
      order[k] = order[k - 1];
    order[k] = f;
  }
  int by_force, best = 0, least = count_choice(b, x, first, order, 0, &by_force);
  for (int left = 1; left <= l->nf; left++) {
    const int count = count_choice(b, x, first, order, left, &by_force);
    if (count >= least) continue;
    best = left, least = count;
    x->by_force[first] = (char) by_force;
  }
  for (int i = first; i < l->nd; i++) {
    if (x->inertia[i] != x->inertia[first]) continue;
    x->first[i] = best > 0 ? first : -1;
    for (int k = 0; k < best; k++) x->scaled[i * l->nf + order[k]] = 0;
  }
}


void gen_find_alone(genBuild *b, const genDynamics *d, genAlone *x)
{
  const size_t nd = (size_t) b->loops.nd, nf = (size_t) b->loops.nf;
  x->inertia = gen_alloc(b, nd, sizeof *x->inertia);
  x->rest = gen_alloc(b, nd, sizeof *x->rest);
  x->first = gen_alloc(b, nd, sizeof *x->first);
  x->scaled = gen_alloc(b, nd * nf, sizeof *x->scaled);
  x->by_force = gen_alloc(b, nd, sizeof *x->by_force);
  int *order = gen_alloc(b, nf, sizeof *order);
  for (size_t i = 0; i < nd; i++) x->rest[i] = x->first[i] = -1;
  memset(x->scaled, 1, nd * nf);
  const genLoops *l = &b->loops;
  for (int k = 0; k < b->blocks.count; k++) {
    if (l->way[k] == WAY_INERTIA) continue;
    for (int i = b->blocks.start[k]; i < b->blocks.start[k + 1]; i++) {
      const int c = inertia_alone(b, d, i);
      if (c == 0) continue;
      x->inertia[i] = c;
      x->rest[i] = factor_quotient(b->pool, d->h[l->dependent[i]], c);
    }
  }

  // a single one takes fewest with all of its row
  for (int i = 0; i < b->loops.nd; i++) {
    int first = x->inertia[i] != 0 ? 0 : i;
    while (x->inertia[first] != x->inertia[i]) first++;
    if (first < i && x->first[first] != first) choose_columns(b, x, first, order);
  }
}

//---- what they bring in --------------------------------------------------------------------------

// the sum over all coordinates of the same c: entry f g of the mass matrix
int gen_alone_part(genBuild *b, const genAlone *x, const int *P, int first, int f, int g)
{
  ART_ASSERT(first >= 0 && f >= 0 && f < b->loops.nf && g >= 0 && g < b->loops.nf);
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nf = l->nf, nu = nf + l->nc;
  const int by_f = x->scaled[first * nf + f], by_g = x->scaled[first * nf + g];
  int sum = 0;
  for (int i = first; i < l->nd; i++) {
    if (x->first[i] != first) continue;
    const int left = by_f && !by_g ? P[i * nf + f] : l->B[i * nu + f];
    const int right = by_g ? P[i * nf + g] : l->B[i * nu + g];
    sum = expr_add(p, sum, expr_mul(p, left, right));
  }
  return by_f || by_g ? sum : expr_mul(p, x->inertia[first], sum);
}


// the same of entry f of the right side, with accelerations b + y in carried[nd]; -1: the coordinate is not meant
int gen_alone_force(genBuild *b, const genAlone *x, const int *P, const int *carried, int first,
                    int f)
{
  ART_ASSERT(first >= 0 && f >= 0 && f < b->loops.nf);
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nf = l->nf, nu = nf + l->nc, c = x->inertia[first];
  const int is_scaled = x->scaled[first * nf + f], by_force = x->by_force[first];
  int sum = 0;
  for (int i = first; i < l->nd; i++) {
    if (x->first[i] != first || carried[i] < 0) continue;
    const int e = is_scaled ? P[i * nf + f] : l->B[i * nu + f];
    const int a = by_force && !is_scaled ? expr_mul(p, c, carried[i]) : carried[i];
    sum = expr_add(p, sum, expr_mul(p, e, a));
  }
  return is_scaled || by_force ? sum : expr_mul(p, c, sum);
}
