// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces of actuators that make a given motion of the whole machine (Postiau 2004, section 2.5.1).
//
//   drives and loops as in "accelerate"; dependent accelerations from  J_v a_v = gamma - J_u a_u
//   h, the joint forces at these accelerations less forces of elements
//   psi = h_u + B^T h_v = G x,     x the forces of actuators, G their columns of [1 B^T]
//
// u are the free coordinates and the driven ones. With as many actuators as these x is unique; with more it is the one whose
// weighted sum of squares is least.
//
// Where something rolls without slip, its forces mu make the motion besides, without weights:  psi = G x + A_u^T mu.
//
// Two ways lead there: B column by column, or without it by solutions with the blocks,  J_v^T mu = h_v,
// psi = h_u - J_u^T mu. The one with fewer operations is taken.
#include <math.h>
#include <string.h>

#include "gen/build.h"
#include "gen/tree/tree_equations.h"
#include "loop/loop.h"

// The least motion of an actuator at a dependent coordinate as independent ones move by one, or it does not reach them;
// numbers where pivots are chosen, and the code where it tests them, of sums of squares by G G^T its root.
static const double NO_REACH = 1e-10, NO_REACH_BY_SQUARES = 1e-13;

typedef struct actuateWork {
  int nu, na, nd;
  int *independent; // [nu] velocity coordinates, free ones first
  int *actuator;    // [na] velocity coordinates, those that are asked for and then drives
  int *weight;      // [na] nodes
  int *place;       // [na] number among the independent ones; -1: dependent
  int *solved;      // [na] place of dependent ones in the order of the blocks
  double *G_here;   // [nu na] numbers where the program is made
  int nr;           // rows of velocities of what rolls,
  const int *roll;  // [nr nu] over the independent coordinates
  int *motion;      // [GEN_MOTION n] of the links
  int *h;           // [nv]
} actuateWork;

// one way of writing the function
typedef struct actuateWay {
  int by_columns; // through B
  int *v, *a;     // [nd] dependent velocities and accelerations
  int *psi;       // [nu]
  int *G;         // [nu na]
  int *x;         // [na]
  int *mu;        // [nr] forces of what rolls
  int test;       // node that must not exceed limit^2; 0: nothing to test
  double limit;   //
  int count;      // operations
} actuateWay;

//---- who acts ------------------------------------------------------------------------------------

static int number_in_list(int n, const int *list, int k)
{
  for (int i = 0; i < n; i++) {
    if (list[i] == k) return i;
  }
  return -1;
}


// free coordinates, then driven ones
static void list_independent(genBuild *b, actuateWork *w)
{
  const genLoops *l = &b->loops;
  if (b->m->nrow > 0) {
    memcpy(w->independent, l->free, (size_t) l->nf * sizeof(int));
    memcpy(w->independent + l->nf, l->driven, (size_t) l->nc * sizeof(int));
    w->nu = l->nf + l->nc;
    return;
  }
  for (int driven = 0; driven < 2; driven++) {
    for (int k = 0; k < b->tree->nv; k++) {
      const int is_driven = b->m->tree.link[b->m->tree.dof_link[k]].is_driven;
      if (is_driven == driven) w->independent[w->nu++] = k;
    }
  }
}


static void list_actuators(genBuild *b, actuateWork *w)
{
  const genOptions *o = b->options;
  const int n = o->nactuator > 0 ? o->nactuator : w->nu - b->m->ndrive;
  if (n > b->tree->nv) {
    gen_leave(b, base_fail(b->error, ART_BAD_INPUT, base_nowhere(),
                           "%d actuators are named, and the machine has %d velocity coordinates", n,
                           b->tree->nv));
  }
  memcpy(w->actuator, w->independent, (size_t) n * sizeof *w->actuator);
  gen_must(b, model_find_actuators(b->m, o->nactuator, o->actuator, base_nowhere(), w->actuator,
                                   b->error));
  w->na = n;
  for (int i = 0; i < b->m->ndrive; i++) {
    const int k = b->m->drive[i].velocity;
    if (number_in_list(n, w->actuator, k) < 0) w->actuator[w->na++] = k;
  }
  for (int j = 0; j < w->na; j++) {
    const int is_weighed = o->weight && j < o->nactuator;
    w->weight[j] = is_weighed ? gen_parameter(b, o->weight[j], "actuator_weight", j + 1)
                              : expr_constant(b->pool, 1);
    w->place[j] = number_in_list(w->nu, w->independent, w->actuator[j]);
    w->solved[j] = w->place[j] < 0 ? number_in_list(w->nd, b->loops.dependent, w->actuator[j]) : -1;
  }
}


static void begin_actuator_work(genBuild *b, actuateWork *w)
{
  const size_t nv = (size_t) b->tree->nv, size = sizeof(int);
  w->nd = b->m->nrow > 0 ? b->loops.nd : 0;
  w->independent = gen_alloc(b, nv, size);
  w->actuator = gen_alloc(b, nv, size);
  w->weight = gen_alloc(b, nv, size);
  w->place = gen_alloc(b, nv, size);
  w->solved = gen_alloc(b, nv, size);
  w->h = gen_alloc(b, nv, size);
  w->motion = gen_alloc(b, GEN_MOTION * (size_t) b->tree->n, size);
  list_independent(b, w);
  list_actuators(b, w);
  w->G_here = gen_alloc(b, (size_t) w->nu * (size_t) w->na, sizeof *w->G_here);
  // columns of [1 B^T] in numbers, at the state of the data
  struct loopWork *loop = b->d->work->loop;
  if (w->nd > 0) {
    loop_factor(loop);
    blocks_couple(loop->blocks);
  }
  for (int j = 0; j < w->na; j++) {
    if (w->place[j] >= 0) {
      w->G_here[w->place[j] * w->na + j] = 1;
      continue;
    }
    const int p = loop->blocks->position[w->actuator[j]];
    const loopBlock *block = blocks_block(loop->blocks, p);
    const double *B = blocks_B_row(loop->blocks, p);
    for (int i = 0; i < block->reach_count; i++) w->G_here[block->reach[i] * w->na + j] = B[i];
  }
  gen_missing_at(b, b->tree->a, w->h, w->motion);
  const genRolls *rolls = gen_reduced_rolls(b);
  if (!rolls) return;
  w->nr = rolls->nkept;
  w->roll = rolls->G;
}

//---- rank ----------------------------------------------------------------------------------------

// Elimination with full pivoting of an m x n matrix by rows, in place; row[m] and column[n] become the order of its pivots.
// Returns how many exceed the smallest that counts.
static int eliminate_full_pivots(int m, int n, double *A, int *row, int *column)
{
  ART_ASSERT(m >= 0 && n >= 0);
  for (int i = 0; i < m; i++) row[i] = i;
  for (int j = 0; j < n; j++) column[j] = j;
  for (int k = 0; k < m && k < n; k++) {
    int r = k, c = k;
    for (int i = k; i < m; i++) {
      for (int j = k; j < n; j++) {
        if (fabs(A[row[i] * n + column[j]]) > fabs(A[row[r] * n + column[c]])) r = i, c = j;
      }
    }
    const int swap_row = row[k], swap_column = column[k];
    row[k] = row[r], row[r] = swap_row;
    column[k] = column[c], column[c] = swap_column;
    const double *pivot = A + row[k] * n;
    if (!(fabs(pivot[column[k]]) > NO_REACH)) return k;
    for (int i = k + 1; i < m; i++) {
      double *other = A + row[i] * n;
      const double factor = other[column[k]] / pivot[column[k]];
      for (int j = k; j < n; j++) other[column[j]] -= factor * pivot[column[j]];
    }
  }
  return m < n ? m : n;
}


static const char *coordinate_names_of(genBuild *b, int n, const int *coordinate)
{
  const char *names = "";
  for (int i = 0; i < n; i++) {
    names = arena_format(&b->program->arena, "%s%s'%s'", names, i > 0 ? ", " : "",
                         b->m->velocity[coordinate[i]].name);
  }
  return names;
}


// whether every independent coordinate has an actuator, so that G has full rank everywhere
static int has_all(const actuateWork *w)
{
  for (int u = 0; u < w->nu; u++) {
    if (number_in_list(w->na, w->place, u) < 0) return 0;
  }
  return 1;
}


// all of G at the state where the program is made
static void check_actuators_suffice(genBuild *b, const actuateWork *w)
{
  if (w->na + w->nr < w->nu && w->nr > 0) {
    gen_leave(b, base_fail(b->error, ART_BAD_INPUT, base_nowhere(),
                           "%d velocities of the machine are independent, and %d act, %.300s: name "
                           "at least that many actuators",
                           w->nu - w->nr, w->na, coordinate_names_of(b, w->na, w->actuator)));
  }
  if (w->na + w->nr < w->nu) {
    gen_leave(b, base_fail(b->error, ART_BAD_INPUT, base_nowhere(),
                           "%d coordinates of the machine are independent, %s, and %d act, %.300s: "
                           "name at least that many actuators; the form implicit has psi and G of "
                           "psi = G tau",
                           w->nu, coordinate_names_of(b, w->nu, w->independent), w->na,
                           coordinate_names_of(b, w->na, w->actuator)));
  }
  if (has_all(w) || w->nr > 0) return; // what rolls is tested where the forces are found
  const int m = w->nu, n = w->na;
  double *A = arena_copy(&b->program->arena, w->G_here, (size_t) (m * n), sizeof *A);
  int *row = gen_alloc(b, (size_t) m, sizeof *row), *column = gen_alloc(b, (size_t) n, sizeof *row);
  const int rank = eliminate_full_pivots(m, n, A, row, column);
  if (rank == m) return;
  gen_leave(b, base_fail(b->error, ART_SINGULAR, base_nowhere(),
                         "the actuators %.300s do not move '%s' by themselves at this "
                         "position; add an actuator there, or give another initial state",
                         coordinate_names_of(b, w->na, w->actuator),
                         b->m->velocity[w->independent[row[rank]]].name));
}

//---- motion --------------------------------------------------------------------------------------

static const int *coupling_row_of(const actuateWork *w, const int *matrix, int i)
{
  return matrix + (long) i * w->nu;
}


// B y + b, or B y alone, y[nv] read at the independent coordinates                                  [nd]
static int *follow_independent(genBuild *b, const actuateWork *w, const actuateWay *way,
                               const int *y, int with_bias)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  int *x = gen_alloc(b, (size_t) w->nd, sizeof *x);
  for (int i = 0; i < w->nd; i++) {
    const int *B = coupling_row_of(w, l->columns, i), *K = coupling_row_of(w, l->K, i);
    if (with_bias) x[i] = way->by_columns ? l->b[i] : b->closing.gamma[b->blocks.row[i]];
    for (int u = 0; u < w->nu; u++) {
      const int e = way->by_columns ? B[u] : expr_neg(p, K[u]);
      x[i] = expr_add(p, x[i], expr_mul(p, e, y[w->independent[u]]));
    }
  }
  if (!way->by_columns) gen_solve_blocks(b, x);
  return x;
}


// z_u += B^T z_v,  z_v in the order of the blocks, overwritten
static void reduce_by_loops(genBuild *b, const actuateWork *w, const actuateWay *way, int *z_v,
                            int *z_u, int stride)
{
  exprPool *p = b->pool;
  const int *C = way->by_columns ? b->loops.columns : b->loops.K;
  if (!way->by_columns) gen_solve_blocks_transposed(b, z_v);
  for (int u = 0; u < w->nu; u++) {
    int sum = z_u[u * stride];
    for (int i = 0; i < w->nd; i++) {
      const int term = expr_mul(p, coupling_row_of(w, C, i)[u], z_v[i]);
      sum = way->by_columns ? expr_add(p, sum, term) : expr_sub(p, sum, term);
    }
    z_u[u * stride] = sum;
  }
}


// psi = h_u + B^T h_v, and the columns of [1 B^T]
static void find_actuator_equations(genBuild *b, const actuateWork *w, actuateWay *way)
{
  const size_t nd = (size_t) w->nd, nu = (size_t) w->nu;
  int *z = gen_alloc(b, nd, sizeof *z);
  way->psi = gen_alloc(b, nu, sizeof *way->psi);
  way->G = gen_alloc(b, nu * (size_t) w->na, sizeof *way->G);
  way->v = follow_independent(b, w, way, b->tree->v, 0);
  way->a = follow_independent(b, w, way, b->tree->a, 1);
  for (int i = 0; i < w->nd; i++) z[i] = w->h[b->loops.dependent[i]];
  for (int u = 0; u < w->nu; u++) way->psi[u] = w->h[w->independent[u]];
  reduce_by_loops(b, w, way, z, way->psi, 1);
  for (int j = 0; j < w->na; j++) {
    if (w->place[j] >= 0) way->G[w->place[j] * w->na + j] = expr_constant(b->pool, 1);
    if (w->place[j] >= 0) continue;
    memset(z, 0, nd * sizeof *z);
    z[w->solved[j]] = expr_constant(b->pool, 1);
    reduce_by_loops(b, w, way, z, way->G + j, w->na);
  }
}

//---- unique forces -------------------------------------------------------------------------------

// rows of independent coordinates that do not act, and actuators that are dependent: as many of both, in the order of their
// pivots
typedef struct actuateSquare {
  int n, *row, *column;
} actuateSquare;


static void find_square(genBuild *b, const actuateWork *w, actuateSquare *s)
{
  const int na = w->na;
  s->n = 0;
  s->row = gen_alloc(b, (size_t) na, sizeof(int));
  s->column = gen_alloc(b, (size_t) na, sizeof(int));
  double *A = gen_alloc(b, (size_t) (na * na), sizeof *A);
  int *row = gen_alloc(b, (size_t) na, sizeof *row),
      *column = gen_alloc(b, (size_t) na, sizeof *row);
  int rows = 0;
  for (int j = 0; j < na; j++) {
    if (w->place[j] < 0) column[s->n++] = j;
  }
  for (int u = 0; u < w->nu; u++) {
    if (number_in_list(na, w->place, u) < 0) row[rows++] = u;
  }
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) A[i * s->n + j] = w->G_here[row[i] * na + column[j]];
  }
  eliminate_full_pivots(s->n, s->n, A, s->row, s->column);
  for (int i = 0; i < s->n; i++) {
    s->row[i] = row[s->row[i]];
    s->column[i] = column[s->column[i]];
  }
}


// psi_una = G_una,va x_va by its factors;  x_ua = psi_ua - G_ua,va x_va
static void solve_unique(genBuild *b, const actuateWork *w, actuateWay *way)
{
  exprPool *p = b->pool;
  actuateSquare s;
  find_square(b, w, &s);
  const int n = s.n;
  int *LU = gen_alloc(b, (size_t) (n * n), sizeof *LU), *y = gen_alloc(b, (size_t) n, sizeof *y);
  for (int i = 0; i < n; i++) {
    y[i] = way->psi[s.row[i]];
    for (int j = 0; j < n; j++) LU[i * n + j] = way->G[s.row[i] * w->na + s.column[j]];
  }
  expr_solving(p, 1);
  gen_factor(p, n, LU);
  gen_solve(p, n, LU, y);
  expr_solving(p, 0);
  for (int i = 0; i < n; i++) way->x[s.column[i]] = y[i];
  for (int j = 0; j < w->na; j++) {
    if (w->place[j] < 0) continue;
    const int *G = way->G + w->place[j] * w->na;
    way->x[j] = way->psi[w->place[j]];
    for (int i = 0; i < n; i++) {
      way->x[j] = expr_sub(p, way->x[j], expr_mul(p, G[s.column[i]], y[i]));
    }
  }
  way->test = n == 2 ? expr_dot(p, 4, LU, 1, LU, 1) : expr_dot(p, n, LU, n + 1, LU, n + 1);
  way->limit = 1 / NO_REACH;
}

//---- least forces --------------------------------------------------------------------------------

// x = W^-1 G^T y,  (G W^-1 G^T) y = psi
static void solve_by_rows(genBuild *b, const actuateWork *w, actuateWay *way)
{
  exprPool *p = b->pool;
  const int nu = w->nu, na = w->na;
  int *H = gen_alloc(b, (size_t) (nu * na), sizeof *H);
  int *A = gen_alloc(b, (size_t) (nu * nu), sizeof *A);
  int *y = gen_alloc(b, (size_t) nu, sizeof *y);
  for (int i = 0; i < nu * na; i++) H[i] = expr_div(p, way->G[i], w->weight[i % na]);
  for (int u = 0; u < nu; u++) {
    y[u] = way->psi[u];
    for (int k = 0; k <= u; k++) A[u * nu + k] = expr_dot(p, na, H + u * na, 1, way->G + k * na, 1);
  }
  gen_eliminate_symmetric(p, nu, A, y);
  for (int j = 0; j < na; j++) way->x[j] = expr_dot(p, nu, H + j, na, y, 1);
  way->test = has_all(w) ? 0 : expr_dot(p, nu, A, nu + 1, A, nu + 1);
  way->limit = 1 / NO_REACH_BY_SQUARES;
}


// Where all independent coordinates act, dependent actuators alone are solved for:
//   (W_v + C^T W_u C) y = C^T W_u psi,   x_v = y,  x_u = psi - C y,   C their columns of G
static void solve_by_columns(genBuild *b, const actuateWork *w, actuateWay *way)
{
  exprPool *p = b->pool;
  const int nu = w->nu, na = w->na;
  const size_t n = (size_t) (na - nu);
  int *column = gen_alloc(b, n, sizeof *column), *y = gen_alloc(b, n, sizeof *y);
  int *A = gen_alloc(b, n * n, sizeof *A);
  int *D = gen_alloc(b, (size_t) (nu * na), sizeof *D); // W_u G
  for (int j = 0, i = 0; j < na; j++) {
    const int u = w->place[j];
    if (u < 0) column[i++] = j;
    for (int k = 0; u >= 0 && k < na; k++) {
      D[u * na + k] = expr_mul(p, w->weight[j], way->G[u * na + k]);
    }
  }
  for (int i = 0; i < (int) n; i++) {
    const int *C = way->G + column[i];
    y[i] = expr_dot(p, nu, D + column[i], na, way->psi, 1);
    for (int k = 0; k <= i; k++) A[i * (int) n + k] = expr_dot(p, nu, C, na, D + column[k], na);
    int *diagonal = &A[i * (int) n + i];
    *diagonal = expr_add(p, *diagonal, w->weight[column[i]]);
  }
  gen_eliminate_symmetric(p, (int) n, A, y);
  for (int j = 0; j < na; j++) {
    if (w->place[j] >= 0) way->x[j] = way->psi[w->place[j]];
  }
  for (int i = 0; i < (int) n; i++) {
    way->x[column[i]] = y[i];
    for (int j = 0; j < na; j++) {
      const int u = w->place[j];
      if (u < 0) continue;
      way->x[j] = expr_sub(p, way->x[j], expr_mul(p, way->G[u * na + column[i]], y[i]));
    }
  }
  way->test = 0;
}

//---- besides forces of what rolls ----------------------------------------------------------------

// H = G W^-1 G^T + A^T A, its factors, and the rows of A solved halfway
typedef struct actuateRolling {
  int *C; // [nu na] G W^-1
  int *H; // [nu nu]
  int *Z; // [nr nu] A L^-1
  int *S; // [nr nr] Z D^-1 Z^T
} actuateRolling;


static void factor_rolling_forces(genBuild *b, const actuateWork *w, const actuateWay *way,
                                  actuateRolling *x)
{
  exprPool *p = b->pool;
  const int nu = w->nu, na = w->na, nr = w->nr;
  x->C = gen_alloc(b, (size_t) nu * (size_t) na, sizeof(int));
  x->H = gen_alloc(b, (size_t) nu * (size_t) nu, sizeof(int));
  x->Z = gen_copy(b, nr * nu, w->roll);
  x->S = gen_alloc(b, (size_t) nr * (size_t) nr, sizeof(int));
  for (int i = 0; i < nu * na; i++) x->C[i] = expr_div(p, way->G[i], w->weight[i % na]);
  for (int u = 0; u < nu; u++) {
    for (int k = 0; k <= u; k++) {
      const int own = expr_dot(p, na, x->C + u * na, 1, way->G + k * na, 1);
      x->H[u * nu + k] = expr_add(p, own, expr_dot(p, nr, w->roll + u, nu, w->roll + k, nu));
    }
  }
  expr_solving(p, 1);
  gen_factor_symmetric(p, nu, x->H);
  for (int k = 0; k < nr; k++) gen_solve_lower(p, nu, x->H, x->Z + k * nu);
  expr_solving(p, 0);
  for (int k = 0; k < nr; k++) {
    for (int c = 0; c <= k; c++) {
      for (int u = 0; u < nu; u++) {
        const int half = expr_mul(p, x->Z[k * nu + u], x->H[u * nu + u]);
        x->S[k * nr + c] = expr_add(p, x->S[k * nr + c], expr_mul(p, half, x->Z[c * nu + u]));
      }
    }
  }
}


// x = W^-1 G^T y of least x^T W x:  G W^-1 G^T y + A^T mu = psi,  A y = 0
static void solve_beside_rolling(genBuild *b, const actuateWork *w, actuateWay *way)
{
  exprPool *p = b->pool;
  const int nu = w->nu, na = w->na, nr = w->nr;
  actuateRolling f;
  factor_rolling_forces(b, w, way, &f);
  int *y = gen_copy(b, nu, way->psi), *mu = way->mu = gen_alloc(b, (size_t) nr, sizeof *mu);
  expr_solving(p, 1);
  gen_solve_lower(p, nu, f.H, y);
  expr_solving(p, 0);
  for (int k = 0; k < nr; k++) {
    for (int u = 0; u < nu; u++) {
      const int half = expr_mul(p, f.Z[k * nu + u], f.H[u * nu + u]);
      mu[k] = expr_add(p, mu[k], expr_mul(p, half, y[u]));
    }
  }
  gen_eliminate_symmetric(p, nr, f.S, mu);
  for (int u = 0; u < nu; u++) y[u] = expr_sub(p, y[u], expr_dot(p, nr, f.Z + u, nu, mu, 1));
  expr_solving(p, 1);
  gen_solve_upper(p, nu, f.H, y);
  expr_solving(p, 0);
  for (int j = 0; j < na; j++) way->x[j] = expr_dot(p, nu, f.C + j, na, y, 1);
  way->test = expr_dot(p, nu, f.H, nu + 1, f.H, nu + 1);
  way->limit = 1 / NO_REACH_BY_SQUARES;
}

//---- the cheapest way ----------------------------------------------------------------------------

static void choose_way(genBuild *b, const actuateWork *w, actuateWay *best)
{
  const int may_choose = w->na > w->nu && has_all(w) && w->nr == 0;
  int is_first = 1;
  for (int by_columns = 1; by_columns >= 0; by_columns--) {
    for (int least = 0; least <= may_choose; least++) {
      // forces are solved for where they are asked for; the least ones by rows or columns of G
      actuateWay way = {.by_columns = by_columns};
      find_actuator_equations(b, w, &way);
      if (b->options->forms & GEN_MACHINE_INVERSE) {
        way.x = gen_alloc(b, (size_t) w->na, sizeof *way.x);
        (w->nr > 0        ? solve_beside_rolling
         : w->na == w->nu ? solve_unique
         : least          ? solve_by_columns
                          : solve_by_rows)(b, w, &way);
      }
      // operations of all that is not the same in every way
      const struct {
        int n;
        const int *node;
      } part[] = {{w->nd, way.v},
                  {w->nd, way.a},
                  {w->nu, way.psi},
                  {w->nu * w->na, way.G},
                  {way.x ? w->na : 0, way.x}};
      int *all = gen_alloc(b, (size_t) (2 * w->nd + w->nu + w->nu * w->na + w->na), sizeof *all),
          n = 0;
      for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        for (int i = 0; i < part[k].n; i++) all[n++] = part[k].node[i];
      }
      way.count = gen_operations(b, n, all);
      if (is_first || way.count < best->count) *best = way;
      is_first = 0;
    }
    if (w->nd == 0) break;
  }
}

//---- functions -----------------------------------------------------------------------------------

static eqnFunction *add_function(genBuild *b, const actuateWork *w, const actuateWay *way,
                                 eqnFunctionKind kind, const char *what)
{
  const int nblock = b->m->nrow > 0 ? b->blocks.count : 0;
  eqnFunction *f = gen_add_function(b, kind, what, GEN_STATE_INPUTS + 3, 3,
                                    nblock + 12 + b->nlatch + gen_wheel_stage_count(b));
  f->noutput = 0;
  f->ninput = gen_state_inputs(b, f->input);
  if (b->impact) f->input[f->ninput++] = gen_impacts(b);
  if (b->options->loads) {
    f->input[f->ninput] = gen_joint_forces(b);
    f->input[f->ninput++].name = "load";
  }
  f->input[f->ninput++] = gen_accelerations(b, b->tree->a);
  // drives, loops, and the missing forces at the accelerations
  const int nv = b->tree->nv;
  f->nstage = 0;
  gen_drive_stage(b, f, 1);
  if (b->options->masks) gen_lock_stages(b, f, 1);
  if (w->nd > 0) {
    gen_closing_stages(b, f);
    gen_assign_dependent(b, f, "dependent velocities", GROUP_VELOCITY, b->tree->v, way->v);
    gen_assign_dependent(b, f, "dependent accelerations", GROUP_ACCELERATION, b->tree->a, way->a);
  }
  gen_wheel_stages(b, f);
  gen_add_straight(b, f, "forces", GROUP_FORCES, nv, b->tau);
  gen_add_straight(b, f, "forces on links", GROUP_FORCES, 6 * b->tree->n, (int *) b->applied);
  gen_add_straight(b, f, "motion of the links", GROUP_FORWARD, GEN_MOTION * b->tree->n, w->motion);
  gen_add_straight(b, f, "joint forces of the tree", GROUP_BACKWARD, nv, w->h);
  gen_add_straight(b, f, "joint forces on the independent coordinates", GROUP_REDUCTION, w->nu,
                   way->psi);
  return f;
}


static const char **coordinate_labels(genBuild *b, int n, const int *coordinate)
{
  const char **label = gen_alloc(b, (size_t) n, sizeof *label);
  for (int i = 0; i < n; i++) label[i] = b->m->velocity[coordinate[i]].name;
  return label;
}


static void add_test(genBuild *b, const actuateWay *way, eqnFunction *f)
{
  if (way->test == 0) return;
  gen_add_stage(b, f,
                (eqnStage){.title = "whether the actuators reach all independent coordinates",
                           .group = GROUP_SOLVE,
                           .kind = STAGE_NEWTON,
                           .residual = way->test,
                           .tolerance = way->limit});
}


// reactions of joints and loops while the actuators make the motion
static void add_inverse_reactions(genBuild *b, const actuateWork *w, const actuateWay *way)
{
  eqnFunction *f = add_function(b, w, way, EQN_INVERSE_REACTIONS,
                                "forces of the actuators as machine_inverse has them, and what all "
                                "joints do to the bodies they lead to meanwhile");
  const char **label = coordinate_labels(b, w->na, w->actuator);
  const genBuild before = *b;
  genRolls rolls;
  b->acceleration = b->tree->a;
  b->settled = NULL;
  if (b->rolls) {
    rolls = *b->rolls;
    rolls.force = gen_alloc(b, (size_t) rolls.n, sizeof *rolls.force);
    for (int k = 0; k < w->nr; k++) rolls.force[rolls.row[k]] = way->mu[k];
    b->rolls = &rolls;
  }
  if (w->nd > 0) {
    // (h - tau)_v = J_v^T lambda
    int *missing = gen_alloc(b, (size_t) w->nd, sizeof *missing);
    for (int i = 0; i < w->nd; i++) missing[i] = w->h[b->loops.dependent[i]];
    for (int j = 0; j < w->na; j++) {
      const int i = w->solved[j];
      if (i >= 0) missing[i] = expr_sub(b->pool, missing[i], way->x[j]);
    }
    for (int i = 0; i < w->nd; i++) {
      const int share = gen_roll_share(b, b->loops.dependent[i]);
      missing[i] = expr_sub(b->pool, missing[i], share);
    }
    gen_find_multipliers(b, missing);
  }
  const eqnVector reaction = gen_reaction_vector(b);
  add_test(b, way, f);
  f->stage[f->nstage++] = (eqnStage){.title = "forces and reactions", .group = GROUP_SOLVE};
  f->output[f->noutput++] =
      gen_vector(b, "tau", "forces of the actuators, N or N m", w->na, way->x, label);
  if (b->m->nrow > 0) f->output[f->noutput++] = gen_multipliers(b);
  f->output[f->noutput++] = reaction;
  b->acceleration = before.acceleration;
  b->multiplier = before.multiplier;
  b->settled = before.settled;
  b->rolls = before.rolls;
}


void gen_actuate(genBuild *b)
{
  actuateWork w = {0};
  actuateWay way;
  const unsigned forms = b->options->forms;
  if (b->m->nrow > 0) gen_open_loops(b);
  begin_actuator_work(b, &w);
  if (forms & GEN_MACHINE_INVERSE) check_actuators_suffice(b, &w);
  choose_way(b, &w, &way);
  if (forms & GEN_MACHINE_INVERSE) {
    const char *what = arena_format(
        &b->program->arena,
        "forces of the actuators for accelerations of the independent coordinates, %s; "
        "closes loops and follows drives: other positions, velocities and accelerations "
        "are written back",
        w.na + w.nr > w.nu ? "the least of those that make them" : "which are unique");
    eqnFunction *f = add_function(b, &w, &way, EQN_MACHINE_INVERSE, what);
    const char **label = coordinate_labels(b, w.na, w.actuator);
    add_test(b, &way, f);
    f->stage[f->nstage++] = (eqnStage){.title = "forces of the actuators", .group = GROUP_SOLVE};
    f->output[f->noutput++] =
        gen_vector(b, "tau", "forces of the actuators, N or N m", w.na, way.x, label);
  }
  if (forms & GEN_MACHINE_INVERSE && forms & GEN_REACTIONS) add_inverse_reactions(b, &w, &way);
  if (forms & GEN_IMPLICIT) {
    const char *what = arena_format(
        &b->program->arena,
        "psi and G of psi = G tau, tau the forces of %s, at accelerations of the independent "
        "coordinates; closes loops and follows drives",
        coordinate_names_of(b, w.na, w.actuator));
    eqnFunction *f = add_function(b, &w, &way, EQN_IMPLICIT, what);
    const char **label = coordinate_labels(b, w.nu, w.independent);
    f->stage[f->nstage++] =
        (eqnStage){.title = "columns of the actuators", .group = GROUP_REDUCTION};
    f->output[f->noutput++] = gen_vector(
        b, "psi", "forces on the independent coordinates, N or N m", w.nu, way.psi, label);
    f->output[f->noutput++] =
        gen_vector(b, "G", "by rows, a column for each actuator", w.nu * w.na, way.G, NULL);
  }
}
