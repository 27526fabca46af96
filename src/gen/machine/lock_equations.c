// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locks of a tree in one set of equations. Each holds a sum of coordinates, of which one, its pivot, no later one has:
//   q_p = (hold - sum c_k q_k)/c_p,  a_p = sum e_k a_k,  e_k = -c_k/c_p,
// while s = 1, and nothing while s = 0. With a = T y, and rows of the unit matrix for pivots that are held,
//   (T^T M T + s) y = T^T (tau - h),
// which is M y = tau - h where all are open: 2^n sets of n locks cost what one costs.
#include <math.h>

#include "gen/build.h"

static int lock_number_node(genBuild *b, double x)
{
  return expr_constant(b->pool, x);
}


//---- pivots --------------------------------------------------------------------------------------

static int is_driven_velocity(const artModel *m, int velocity)
{
  for (int i = 0; i < m->ndrive; i++) {
    if (m->drive[i].velocity == velocity) return 1;
  }
  return 0;
}


static int has_coordinate(const modelRelation *r, int velocity)
{
  for (int k = 0; k < r->n; k++) {
    if (r->velocity[k] == velocity && r->coefficient[k] != 0) return 1;
  }
  return 0;
}


// whether it is among the first n of a list
static int is_among(int n, const int *list, int x)
{
  for (int i = 0; i < n; i++) {
    if (list[i] == x) return 1;
  }
  return 0;
}


// the term of a lock with the largest factor whose coordinate no other one has but the first n; -1: none
static int find_pivot(const artModel *m, int n, const int *first, int lock)
{
  ART_ASSERT(m->latch[lock].type == ART_LOCK);
  const modelRelation *r = &m->latch[lock].relation;
  int best = -1;
  for (int k = 0; k < r->n; k++) {
    int is_own = r->coefficient[k] != 0;
    for (int i = 0; i < m->nlatch && is_own; i++) {
      if (i == lock || is_among(n, first, i)) continue;
      is_own = !has_coordinate(&m->latch[i].relation, r->velocity[k]);
    }
    if (!is_own) continue;
    if (best < 0 || fabs(r->coefficient[k]) > fabs(r->coefficient[best])) best = k;
  }
  return best;
}


int gen_order_locks(const artModel *m, int *order, int *pivot)
{
  for (int i = 0; i < m->nlatch; i++) {
    order[0] = i;
    const modelRelation *r = &m->latch[i].relation;
    if (m->latch[i].type != ART_LOCK || m->own_cuts + m->own_relations > 0) return 0;
    for (int k = 0; k < r->n; k++) {
      if (is_driven_velocity(m, r->velocity[k])) return 0;
    }
  }
  for (int n = 0; n < m->nlatch; n++) {
    int next = -1;
    for (int i = m->nlatch - 1; i >= 0; i--) {
      if (is_among(n, order, i)) continue;
      const int k = find_pivot(m, n, order, i);
      order[n] = i;
      if (k < 0) continue;
      next = i;
      pivot[i] = k;
    }
    if (next < 0) return n;
    order[n] = next;
  }
  return m->nlatch;
}


void gen_take_locks(genBuild *b)
{
  const size_t n = (size_t) b->nlatch;
  b->lock_order = gen_alloc(b, n, sizeof *b->lock_order);
  b->lock_pivot = gen_alloc(b, n, sizeof *b->lock_pivot);
  const int ordered = gen_order_locks(b->m, b->lock_order, b->lock_pivot);
  ART_ASSERT(ordered == b->nlatch);
}


//---- positions and velocities --------------------------------------------------------------------

int gen_lock_side(const genBuild *b, int lock)
{
  ART_ASSERT(lock >= 0 && lock < b->m->nlatch);
  exprPool *p = b->pool;
  const int side = b->held[b->m->nheld + b->nhold + b->nrelay + lock];
  return expr_mul(p, expr_operate(p, EXPR_LESS, expr_constant(p, 0.5), side),
                  expr_operate(p, EXPR_LESS, side, expr_constant(p, 1.5)));
}


// the value of the pivot while the sum is `hold`
static int led_pivot_value(genBuild *b, const modelRelation *r, int pivot, int hold,
                           const int *number, const int *x)
{
  exprPool *p = b->pool;
  for (int k = 0; k < r->n; k++) {
    if (k == pivot) continue;
    hold = expr_sub(p, hold, expr_mul(p, lock_number_node(b, r->coefficient[k]), x[number[k]]));
  }
  return expr_div(p, hold, lock_number_node(b, r->coefficient[pivot]));
}


void gen_lock_stages(genBuild *b, eqnFunction *f, int has_accelerations)
{
  for (int n = b->nlatch - 1; n >= 0; n--) {
    const int i = b->lock_order[n], k = b->lock_pivot[i];
    const modelRelation *r = &b->m->latch[i].relation;
    int unknown[] = {b->tree->q[r->position[k]], b->tree->v[r->velocity[k]],
                     b->tree->a[r->velocity[k]]};
    int value[] = {led_pivot_value(b, r, k, *gen_hold(b, i), r->position, b->tree->q),
                   led_pivot_value(b, r, k, 0, r->velocity, b->tree->v),
                   led_pivot_value(b, r, k, 0, r->velocity, b->tree->a)};
    gen_add_stage(
        b, f,
        (eqnStage){.title = arena_format(&b->program->arena, "lock '%s'", b->m->latch[i].name),
                   .group = GROUP_OTHER,
                   .kind = STAGE_WHEN,
                   .nunknown = has_accelerations ? 3 : 2,
                   .unknown = unknown,
                   .correction = value,
                   .residual = gen_lock_side(b, i)});
  }
}

void gen_lock_moves(genBuild *b, int n, int first, int *move)
{
  exprPool *p = b->pool;
  const int nv = b->tree->nv, one = lock_number_node(b, 1);
  for (int at = b->nlatch - 1; at >= 0; at--) {
    const int i = b->lock_order[at], pivot = b->lock_pivot[i], side = gen_lock_side(b, i);
    const modelRelation *r = &b->m->latch[i].relation;
    const double c = r->coefficient[pivot];
    const int own = (int) (gen_hold(b, i) - b->hold);
    for (int k = 0; k < n; k++) {
      int *x = move + (long) k * nv, sum = 0;
      if (first >= 0 && k == first + own) sum = lock_number_node(b, 1 / c);
      for (int j = 0; j < r->n; j++) {
        if (j == pivot) continue;
        const int term =
            expr_mul(p, lock_number_node(b, -r->coefficient[j] / c), x[r->velocity[j]]);
        sum = expr_add(p, sum, term);
      }
      int *led = &x[r->velocity[pivot]];
      *led = expr_add(p, expr_mul(p, side, sum), expr_mul(p, expr_sub(p, one, side), *led));
    }
  }
}

//---- accelerations -------------------------------------------------------------------------------

// A symmetric matrix and a right side that are being reduced.
typedef struct lockWork {
  genBuild *b;
  int n, *M, *x; // lower triangle
} lockWork;


static int *lock_mass_entry(const lockWork *w, int i, int j)
{
  ART_ASSERT(i >= 0 && i < w->n && j >= 0 && j < w->n);
  return &w->M[i > j ? i * w->n + j : j * w->n + i];
}


static void add_lock_product(const lockWork *w, int *to, int factor, int node)
{
  *to = expr_add(w->b->pool, *to, expr_mul(w->b->pool, factor, node));
}


// row and column of a coordinate times `share`, with `unit` on the diagonal
static void fade_coordinate(const lockWork *w, int k, int share, int unit)
{
  exprPool *p = w->b->pool;
  for (int j = 0; j < w->n; j++)
    *lock_mass_entry(w, k, j) = expr_mul(p, share, *lock_mass_entry(w, k, j));
  *lock_mass_entry(w, k, k) = expr_add(p, unit, *lock_mass_entry(w, k, k));
  w->x[k] = expr_mul(p, share, w->x[k]);
}


// e_k s of a term
static int lock_share_of(const lockWork *w, const modelRelation *r, int pivot, int k, int side)
{
  const double e = -r->coefficient[k] / r->coefficient[pivot];
  return expr_mul(w->b->pool, lock_number_node(w->b, e), side);
}


// a = T y, one term after the other: M_jl + e_j M_pl + e_l M_jp + e_j e_l M_pp, and x_j + e_j x_p
static void reduce_by_lock(const lockWork *w, int lock)
{
  ART_ASSERT(w->b->lock_pivot[lock] >= 0);
  exprPool *p = w->b->pool;
  const modelRelation *r = &w->b->m->latch[lock].relation;
  const int k = w->b->lock_pivot[lock], at = r->velocity[k], side = gen_lock_side(w->b, lock);
  for (int i = 0; i < r->n; i++) {
    if (i == k) continue;
    const int row = r->velocity[i], e = lock_share_of(w, r, k, i, side);
    for (int j = 0; j < w->n; j++) {
      if (j != row) add_lock_product(w, lock_mass_entry(w, row, j), e, *lock_mass_entry(w, at, j));
    }

    // M_rp has e M_pp already
    add_lock_product(w, lock_mass_entry(w, row, row), expr_mul(p, lock_number_node(w->b, 2), e),
                     *lock_mass_entry(w, at, row));
    add_lock_product(w, lock_mass_entry(w, row, row), expr_neg(p, expr_mul(p, e, e)),
                     *lock_mass_entry(w, at, at));
    add_lock_product(w, &w->x[row], e, w->x[at]);
  }
  fade_coordinate(w, at, expr_sub(p, lock_number_node(w->b, 1), side), side);
}


// the force missing at the pivot that other locks do not give, M a + h - tau = sum c_p lambda
static int force_of(const lockWork *w, const genFactors *d, const int *a, int lock)
{
  genBuild *b = w->b;
  const modelRelation *r = &b->m->latch[lock].relation;
  const int k = b->lock_pivot[lock], at = r->velocity[k];
  const lockWork own = {b, w->n, d->M, NULL};
  int missing = expr_sub(b->pool, d->h[at], b->tau[at]);
  for (int j = 0; j < w->n; j++) {
    if (!is_driven_velocity(b->m, j))
      add_lock_product(w, &missing, *lock_mass_entry(&own, at, j), a[j]);
  }
  missing = expr_sub(b->pool, missing, gen_lock_share(b, at));
  missing = expr_div(b->pool, missing, lock_number_node(b, r->coefficient[k]));
  return expr_mul(b->pool, gen_lock_side(b, lock), missing);
}


// mass matrix and bias of the tree, the first as a lower triangle
static void find_factors(genBuild *b, const int *a, genFactors *d)
{
  const size_t n = (size_t) b->tree->nv;
  genMatrix lower;
  d->M = gen_alloc(b, n * n, sizeof *d->M);
  d->h = gen_alloc(b, n, sizeof *d->h);
  gen_tree_mass_bias(b, a, &lower, d->h);
  for (int i = 0; i < lower.n; i++) {
    for (int k = 0; k < lower.count[i]; k++) {
      d->M[i * lower.n + lower.row[i][k].column] = lower.row[i][k].node;
    }
  }
}


void gen_locked_forward(genBuild *b, int *a, genFactors *d)
{
  const int n = b->tree->nv;
  const size_t size = (size_t) n * (size_t) n;
  b->lock_force = gen_alloc(b, (size_t) b->nlatch, sizeof *b->lock_force);
  find_factors(b, a, d);
  const lockWork w = {b, n, arena_copy(&b->program->arena, d->M, size, sizeof *d->M),
                      gen_alloc(b, (size_t) n, sizeof *w.x)};
  for (int k = 0; k < n; k++) w.x[k] = expr_sub(b->pool, b->tau[k], d->h[k]);
  for (int i = 0; i < b->m->ndrive; i++) {
    const int k = b->m->drive[i].velocity;
    fade_coordinate(&w, k, 0, lock_number_node(b, 1));
    w.x[k] = a[k];
  }
  for (int i = 0; i < b->nlatch; i++) reduce_by_lock(&w, b->lock_order[i]);
  gen_eliminate_symmetric(b->pool, n, w.M, w.x);
  for (int i = b->nlatch - 1; i >= 0; i--) {
    // the acceleration of a pivot that is held, from accelerations of the others
    const int lock = b->lock_order[i];
    const modelRelation *r = &w.b->m->latch[lock].relation;
    const int k = w.b->lock_pivot[lock], side = gen_lock_side(w.b, lock);
    for (int j = 0; j < r->n; j++) {
      if (j != k)
        add_lock_product(&w, &w.x[r->velocity[k]], lock_share_of(&w, r, k, j, side),
                         w.x[r->velocity[j]]);
    }
  }
  for (int k = 0; k < n; k++) a[k] = w.x[k];
  for (int i = 0; i < b->nlatch; i++) {
    const int lock = b->lock_order[i];
    b->lock_force[lock] = force_of(&w, d, a, lock);
  }
}

//---- forces --------------------------------------------------------------------------------------

int gen_masked_quantity(const genBuild *b, const modelQuantity *quantity)
{
  if (!b->options->masks || quantity->kind != QUANTITY_LATCH) return -1;
  const int lock = quantity->index;
  return quantity->component == LATCH_IS_ENGAGED ? gen_lock_side(b, lock) : b->lock_force[lock];
}


int gen_lock_share(genBuild *b, int velocity)
{
  exprPool *p = b->pool;
  int sum = 0;
  for (int i = 0; i < b->nlatch && b->lock_force; i++) {
    const modelRelation *r = &b->m->latch[i].relation;
    for (int k = 0; k < r->n; k++) {
      if (r->velocity[k] != velocity) continue;
      sum = expr_add(p, sum, expr_mul(p, lock_number_node(b, r->coefficient[k]), b->lock_force[i]));
    }
  }
  return sum;
}
