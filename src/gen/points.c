// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws through points of which parameters give some: their coefficients as expressions of these, by the formulas of
// law/law.c.
#include "gen/definition.h"
#include "gen/lay_symbolic.h"
#include "law/map.h"

// Points and coefficients in the making.
typedef struct pointNodes {
  exprPool *pool;
  int n;
  int *x, *f;
  int *c, *knot, *origin; // of the law
} pointNodes;


// h_i and d_i: width and slope between points i and i + 1
static int width_of(const pointNodes *p, int i)
{
  return expr_sub(p->pool, p->x[i + 1], p->x[i]);
}


static int slope_of(const pointNodes *p, int i)
{
  return expr_div(p->pool, expr_sub(p->pool, p->f[i + 1], p->f[i]), width_of(p, i));
}


static void join_straight(const pointNodes *p)
{
  for (int i = 0; i + 1 < p->n; i++) {
    p->origin[i] = p->x[i];
    if (i + 2 < p->n) p->knot[i] = p->x[i + 1];
    p->c[2 * i] = p->f[i];
    p->c[2 * i + 1] = slope_of(p, i);
  }
}


// second derivatives M of the natural spline
//   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (d_i - d_{i-1}),   M_0 = M_{n-1} = 0
static void find_moments(const pointNodes *p, int *upper, int *M)
{
  const int n = p->n;
  upper[0] = M[0] = M[n - 1] = expr_constant(p->pool, 0);
  for (int i = 1; i < n - 1; i++) {
    const int h0 = width_of(p, i - 1), h1 = width_of(p, i);
    const int pivot =
        expr_sub(p->pool, expr_mul(p->pool, expr_constant(p->pool, 2), expr_add(p->pool, h0, h1)),
                 expr_mul(p->pool, h0, upper[i - 1]));
    const int bend = expr_mul(p->pool, expr_constant(p->pool, 6),
                              expr_sub(p->pool, slope_of(p, i), slope_of(p, i - 1)));
    upper[i] = expr_div(p->pool, h1, pivot);
    M[i] = expr_div(p->pool, expr_sub(p->pool, bend, expr_mul(p->pool, h0, M[i - 1])), pivot);
  }
  for (int i = n - 2; i > 0; i--)
    M[i] = expr_sub(p->pool, M[i], expr_mul(p->pool, upper[i], M[i + 1]));
}


// segment i + 1 lies between points i and i + 1; the first and the last go on straight
static void join_smoothly(const pointNodes *p, int *upper, int *M)
{
  const int n = p->n;
  find_moments(p, upper, M);
  for (int i = 0; i + 1 < n; i++) {
    int *c = p->c + 4 * (i + 1);
    const int h = width_of(p, i),
              sum = expr_add(p->pool, expr_mul(p->pool, expr_constant(p->pool, 2), M[i]), M[i + 1]);
    c[0] = p->f[i];
    c[1] = expr_sub(p->pool, slope_of(p, i),
                    expr_div(p->pool, expr_mul(p->pool, h, sum), expr_constant(p->pool, 6)));
    c[2] = expr_div(p->pool, M[i], expr_constant(p->pool, 2));
    c[3] = expr_div(p->pool, expr_sub(p->pool, M[i + 1], M[i]),
                    expr_mul(p->pool, expr_constant(p->pool, 6), h));
    p->origin[i + 1] = p->knot[i] = p->x[i];
  }
  const int h = width_of(p, n - 2), *last = p->c + 4 * (n - 1);
  const int bend =
      expr_add(p->pool, expr_mul(p->pool, expr_constant(p->pool, 2), last[2]),
               expr_mul(p->pool, expr_mul(p->pool, expr_constant(p->pool, 3), last[3]), h));
  p->c[0] = p->f[0];
  p->c[1] = p->c[4 + 1];
  p->c[4 * n] = p->f[n - 1];
  p->c[4 * n + 1] = expr_add(p->pool, last[1], expr_mul(p->pool, bend, h));
  for (int k = 2; k < 4; k++) p->c[k] = p->c[4 * n + k] = expr_constant(p->pool, 0);
  p->origin[0] = p->x[0];
  p->origin[n] = p->knot[n - 1] = p->x[n - 1];
}


static int coefficient_count(const forceLaw *law)
{
  return law->nsegment * (law->degree + 1);
}


static void make_nodes(genBuild *b, lawNodes *own)
{
  const forceLaw *law = own->law;
  const int n = own->n, ncoefficient = coefficient_count(law);
  const int count = ncoefficient + 2 * law->nsegment;
  int *node = gen_alloc(b, (size_t) (count + 4 * n), sizeof *node);
  int *x = node + count;
  const pointNodes p = {b->definitions->pool,
                        n,
                        x,
                        x + n,
                        node,
                        node + ncoefficient,
                        node + ncoefficient + law->nsegment};
  for (int i = 0; i < n; i++) {
    p.x[i] = gen_laid_number(b, &own->x[i]);
    p.f[i] = own->f ? gen_laid_number(b, &own->f[i * own->stride])
                    : expr_constant(p.pool, i == own->one);
  }
  if (law_is_smooth(law)) {
    join_smoothly(&p, x + 2 * n, x + 3 * n);
  } else {
    join_straight(&p);
  }
  own->node = node;
}


int gen_law_node(genBuild *b, lawNodes *own, int k)
{
  if (!own->node) make_nodes(b, own);
  return own->node[k];
}


static int is_live_row(genBuild *b, int n, const double *x, int stride)
{
  int found = 0;
  for (int i = 0; i < n; i++) {
    found |= gen_is_live(b, &x[i * stride]);
    gen_follow_number(b, &x[i * stride]);
  }
  return found;
}


// one that no parameter reaches is data
static void follow_nodes(genBuild *b, const lawNodes *of)
{
  const forceLaw *law = of->law;
  const int found =
      is_live_row(b, of->n, of->x, 1) | (of->f ? is_live_row(b, of->n, of->f, of->stride) : 0);
  if (!found) return;
  lawNodes *own = arena_copy(&b->program->arena, of, 1, sizeof *of);
  const int ncoefficient = coefficient_count(law), n = law->nsegment;
  for (int k = 0; k < ncoefficient; k++) {
    gen_add_term(b, &(followTerm){.compiled = &law->c[k], .law = own, .k = k});
  }
  for (int i = 0; i < n; i++) {
    const int at = ncoefficient + i;
    if (i + 1 < n) gen_add_term(b, &(followTerm){.compiled = &law->knot[i], .law = own, .k = at});
    gen_add_term(b, &(followTerm){.compiled = &law->origin[i], .law = own, .k = at + n});
  }
}


void gen_follow_points(genBuild *b, const forceLaw *law, int n, const double *x, const double *f)
{
  follow_nodes(b, &(lawNodes){.law = law, .n = n, .x = x, .f = f, .stride = 1});
}


// column j through f_ij at x_i, its weight through 1 at y_j and 0 at the others
void gen_follow_map(genBuild *b, const lawMap *map, const artMapDef *def)
{
  for (int j = 0; j < map->n; j++) {
    follow_nodes(
        b,
        &(lawNodes){
            .law = map->column[j], .n = def->nx, .x = def->x, .f = def->f + j, .stride = def->ny});
    follow_nodes(b, &(lawNodes){.law = map->weight[j], .n = def->ny, .x = def->y, .one = j});
  }
}
