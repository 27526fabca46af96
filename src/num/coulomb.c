// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sweeps over the contacts (Gauss and Seidel) find which of them are apart, slide or hold; with these states a linear
// system gives all digits. Rows may depend on each other, as those of four feet on a floor do: sweeps
// solve  (W + w I) p + b = w c  with a weight w, about centres c that follow p, which spreads forces evenly, and the linear
// system is solved for the p nearest to that of the sweeps.
#include "num/coulomb.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  SWEEPS = 60,
  EVEN_TURNS = 6,
  ROUNDS = 40,
  TURNS = 500,
  CORRECTIONS = 8,
  LOCAL_TURNS = 8,
  PIVOTS = 40,
  MOST_DOUBLINGS = 60,
  MOST_HALVINGS = 200
};

static const double NEAR = 1e-6; // weight of the linear system, of the largest entry
// of the largest terms: what a solution may be off its limits; forces of many contacts that depend on each other come to them slowly
static const double ALLOWED = 1e-9, ALLOWED_AT_LAST = 1e-6;
// Sweeps stay inside the cones of friction, first by much and then by less: of many forces that hold, those are found that are not
// at their limits, where rounding would decide.
static const double INSIDE[4] = {0.9, 0.97, 0.99, 0.999};
// of the largest rate without forces: slip that may be none, by turns
static const double STILL[2] = {1e-3, 1e-7};
static const double SETTLED = 1e-13; // change of a direction


int coulomb_room(int nrow)
{
  return nrow * nrow + 3 * nrow;
}


//---- cones ---------------------------------------------------------------------------------------

static const coulombCone *contact_of(const coulombProblem *q, int i)
{
  return &q->cone[i - q->cone[i].is_rolling];
}


static int is_apart(const coulombProblem *q, int i)
{
  return contact_of(q, i)->state == COULOMB_APART;
}


// the normal force that limits it
static double normal_force(const coulombProblem *q, int i)
{
  return q->p[contact_of(q, i)->row];
}


// its tangential rows, from this one on
static int tangent_row(const coulombCone *c)
{
  return c->row + !c->is_rolling;
}


static int tangents(const coulombCone *c)
{
  return c->size - !c->is_rolling;
}


// of row k of a cone, compared with others
static double row_scale(const coulombCone *c, int k)
{
  return c->is_rolling || k == COULOMB_TANGENTS ? c->scale : 1;
}


// quicker than hypot, which keeps to numbers that have squares
static double length(int n, const double *x)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}


static double dot(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * y[k];
  return sum;
}


// of normal forces and friction
static double largest_entry(const coulombProblem *q)
{
  double most = 0;
  for (int i = 0; i < q->n; i++) {
    const coulombCone *c = &q->cone[i];
    for (long k = c->row; k < c->row + c->size; k++) {
      if (row_scale(c, (int) k - c->row) == 1) most = fmax(most, q->W[k * q->nrow + k]);
    }
  }
  return most;
}


static void find_rates(coulombProblem *q)
{
  const long n = q->nrow;
  for (long i = 0; i < n; i++) {
    q->u[i] = q->b[i];
    for (long j = 0; j < n; j++) q->u[i] += q->W[i * n + j] * q->p[j];
  }
}


//---- the linear system ---------------------------------------------------------------------------

// Has row k of a cone a force of its own, and u = 0?
static int is_solved(const coulombProblem *q, int i, int k)
{
  const coulombCone *c = &q->cone[i];
  const int is_normal = k == 0 && !c->is_rolling;
  return !is_apart(q, i) && (is_normal || c->state == COULOMB_HOLDS);
}


// What the unknown of row k of cone i adds to the forces of which rows: a normal force also friction that slides.
typedef struct forceColumn {
  int n, row[1 + 2 * COULOMB_TANGENTS];
  double part[1 + 2 * COULOMB_TANGENTS];
} forceColumn;


static forceColumn column_of(const coulombProblem *q, int i, int k)
{
  forceColumn f = {1, {q->cone[i].row + k}, {1}};
  if (k > 0 || q->cone[i].is_rolling) return f;
  for (int j = i; j == i || (j < q->n && q->cone[j].is_rolling); j++) {
    const coulombCone *c = &q->cone[j];
    for (int t = 0; t < tangents(c) && c->state == COULOMB_SLIDES; t++) {
      f.row[f.n] = tangent_row(c) + t;
      f.part[f.n++] = -c->friction * c->e[t];
    }
  }
  return f;
}


// x = A^-1 x by elimination with the largest pivot of each column, which gives the same bits wherever the numbers lie; 0: A is
// singular
static int eliminate(int n, double *A, double *x)
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[(long) i * n + k]) > fabs(A[(long) pivot * n + k])) pivot = i;
    }
    double *top = A + (long) k * n, *row = A + (long) pivot * n;
    if (row[k] == 0) return 0;
    for (int j = k; j < n && pivot != k; j++) {
      const double kept = top[j];
      top[j] = row[j];
      row[j] = kept;
    }
    const double kept = x[k];
    x[k] = x[pivot];
    x[pivot] = pivot == k ? x[pivot] : kept;
    for (int i = k + 1; i < n; i++) {
      double *below = A + (long) i * n;
      const double factor = below[k] / top[k];
      for (int j = k + 1; j < n && factor != 0; j++) below[j] -= factor * top[j];
      x[i] -= factor * x[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *row = A + (long) k * n;
    for (int j = k + 1; j < n; j++) x[k] -= row[j] * x[j];
    x[k] /= row[k];
  }
  return 1;
}


// W of a row and a column
static double column_entry(const coulombProblem *q, int row, const forceColumn *f)
{
  const double *W = q->W + (long) row * q->nrow;
  double sum = 0;
  for (int e = 0; e < f->n; e++) sum += W[f->row[e]] * f->part[e];
  return sum;
}


// the column of A of m unknowns that belongs to row k of cone i; 0: a force that slides does not push
static int fill_column(const coulombProblem *q, int i, int k, double weight, int m, double *A)
{
  const forceColumn f = column_of(q, i, k);
  const double scale = row_scale(&q->cone[i], k);
  int pushes = 1;
  for (int j = 0; j < q->n; j++) {
    for (int r = 0; r < q->cone[j].size; r++) {
      if (!is_solved(q, j, r)) continue;
      *A = column_entry(q, q->cone[j].row + r, &f);
      if (i == j && k == r) {
        *A += weight * scale * scale;
        pushes = q->cone[i].state == COULOMB_HOLDS || *A > weight;
      }
      A += m;
    }
  }
  return pushes;
}


// A x = -u, with the weight on its diagonal; returns the number of unknowns, -1: it is singular
static int solve_linear(coulombProblem *q, double weight)
{
  double *A = q->room, *x = A + (long) q->nrow * q->nrow;
  int m = 0, column = 0;
  for (int i = 0; i < q->n; i++) {
    for (int k = 0; k < q->cone[i].size; k++) m += is_solved(q, i, k);
  }
  for (int i = 0; i < q->n; i++) {
    for (int k = 0; k < q->cone[i].size; k++) {
      if (!is_solved(q, i, k)) continue;
      x[column] = -q->u[q->cone[i].row + k];
      if (!fill_column(q, i, k, weight, m, A + column)) return -1;
      column++;
    }
  }
  return eliminate(m, A, x) ? m : -1;
}


double coulomb_left(const coulombProblem *q, const double *u)
{
  double most = 0;
  for (int i = 0; i < q->n; i++) {
    for (int k = 0; k < q->cone[i].size; k++) {
      const double rate = is_solved(q, i, k) ? fabs(u[q->cone[i].row + k]) : 0;
      if (!(rate <= most)) most = rate;
    }
  }
  return most;
}


// forces of each state, from those that are there
static void keep_states(coulombProblem *q)
{
  for (int i = 0; i < q->n; i++) {
    const coulombCone *c = &q->cone[i];
    for (int k = 0; k < c->size && is_apart(q, i); k++) q->p[c->row + k] = 0;
    if (is_apart(q, i) || c->state != COULOMB_SLIDES) continue;
    const double pull = c->friction * normal_force(q, i);
    for (int k = 0; k < tangents(c); k++) q->p[tangent_row(c) + k] = -pull * c->e[k];
  }
}


static void add_solution(coulombProblem *q)
{
  const double *x = q->room + (long) q->nrow * q->nrow;
  for (int i = 0; i < q->n; i++) {
    for (int k = 0; k < q->cone[i].size; k++) {
      if (!is_solved(q, i, k)) continue;
      const forceColumn f = column_of(q, i, k);
      for (int e = 0; e < f.n; e++) q->p[f.row[e]] += f.part[e] * *x;
      x++;
    }
  }
}


int coulomb_solve_states(coulombProblem *q)
{
  const double weight = NEAR * largest_entry(q);
  double before = INFINITY;
  keep_states(q);
  for (int turn = 0; turn < CORRECTIONS; turn++) {
    find_rates(q);
    const double left = coulomb_left(q, q->u);
    if (left == 0 || !(left < 0.5 * before)) return isfinite(left);
    before = left;
    if (solve_linear(q, weight) < 0) return 0;
    add_solution(q);
  }
  find_rates(q);
  return 1;
}


//---- one contact ---------------------------------------------------------------------------------

// x = A^-1 r of a positive definite matrix of three rows
static void solve_three(double (*A)[COULOMB_ROWS], const double *r, double *x)
{
  const double xy = A[0][1], xz = A[0][2], yz = A[1][2];
  const double a = A[1][1] * A[2][2] - yz * yz, b = xz * yz - xy * A[2][2],
               c = xy * yz - xz * A[1][1];
  const double det = A[0][0] * a + xy * b + xz * c;
  const double d = A[0][0] * A[2][2] - xz * xz, e = xy * xz - A[0][0] * yz,
               f = A[0][0] * A[1][1] - xy * xy;
  x[0] = (a * r[0] + b * r[1] + c * r[2]) / det;
  x[1] = (b * r[0] + d * r[1] + e * r[2]) / det;
  x[2] = (c * r[0] + e * r[1] + f * r[2]) / det;
}


// Force of a contact that slides along e, with  A p + r  at it; returns 0 where nothing presses.
static int slide_along(int n, double (*A)[COULOMB_ROWS], const double *r, double mu,
                       const double *e, double *p)
{
  const double own = A[0][0] - mu * dot(n - 1, A[0] + 1, e);
  p[0] = own > 0 ? fmax(0, -r[0] / own) : 0;
  for (int k = 1; k < n; k++) p[k] = -mu * p[0] * e[k - 1];
  return p[0] > 0;
}


// The direction of slip turns towards u_t by a step of gradient projection,  e = (mu p_n e + u_t/w)/|..|, which comes to where
// both agree; w is the largest entry of W between tangents. Returns the change.
static double turn_direction(double pull, double w, const double *u, double *e)
{
  const double along[2] = {pull * e[0] + u[0] / w, pull * e[1] + u[1] / w};
  const double size = length(2, along);
  if (!(size > 0)) return 0;
  const double change[2] = {along[0] / size - e[0], along[1] / size - e[1]};
  e[0] = along[0] / size;
  e[1] = along[1] / size;
  return length(2, change);
}


// the direction of slip that goes with its force, of a contact of three rows
static void turn_slip(double (*A)[COULOMB_ROWS], const double *r, double mu, double *e, double *p)
{
  for (int turn = 0; turn < LOCAL_TURNS && slide_along(3, A, r, mu, e, p); turn++) {
    double u[2];
    for (int k = 0; k < 2; k++) u[k] = dot(3, A[1 + k], p) + r[1 + k];
    turn_direction(mu * p[0], A[1][1] + A[2][2], u, e);
  }
  slide_along(3, A, r, mu, e, p);
}


// p = -(A + x)^-1 r with x on the diagonal of tangential rows, which begin at `first`, by the factors of Cholesky
static void solve_shifted(int n, int first, double (*A)[COULOMB_ROWS], const double *r, double x,
                          double *p)
{
  double L[COULOMB_ROWS][COULOMB_ROWS];
  for (int i = 0; i < n; i++) {
    p[i] = -r[i];
    for (int j = 0; j <= i; j++) {
      const double sum = A[i][j] + (i == j && i >= first ? x : 0) - dot(j, L[i], L[j]);
      L[i][j] = i == j ? sqrt(fmax(sum, 0)) : sum / L[j][j];
    }
    p[i] = (p[i] - dot(i, L[i], p)) / L[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) p[i] -= L[j][i] * p[j];
    p[i] /= L[i][i];
  }
}


// A cone of n rows by itself: with a normal row first, if `first` is 1, and mu, or a limit that is given.
typedef struct ownCone {
  int n, first;
  double (*A)[COULOMB_ROWS];
  const double *r;
  double mu, limit;
} ownCone;


// 1/limit - 1/|p_t| with u_t = -x p_t, nearly linear in x; above zero: beyond the limit
static double excess(const ownCone *c, double x, double *p)
{
  solve_shifted(c->n, c->first, c->A, c->r, x, p);
  const double limit = c->first ? c->mu * p[0] : c->limit;
  return limit > 0 ? 1 / limit - 1 / length(c->n - c->first, p + c->first) : INFINITY;
}


// u_t = -x p_t with |p_t| at the limit, by bisection and false position (Illinois): x is between 0, where p is beyond the limit,
// and where it is within. Returns 0 where it never is.
static int slide_exactly(const ownCone *c, double *e, double *p)
{
  double low = 0, at_low = excess(c, 0, p), high = 0, at_high = INFINITY;
  if (!(at_low > 0)) return 0;
  for (int k = 0; k < c->n; k++) high += c->A[k][k];
  for (int turn = 0; turn < MOST_DOUBLINGS && at_high > 0; turn++, high *= 4) {
    at_high = excess(c, high, p);
    if (at_high > 0 && isfinite(at_high)) low = high, at_low = at_high;
  }
  high /= 4;
  if (!(at_high <= 0)) return 0;
  for (int turn = 0, last = 0; turn < MOST_HALVINGS && high - low > 4 * DBL_EPSILON * high;
       turn++) {
    double x = isfinite(at_low) ? (low * at_high - high * at_low) / (at_high - at_low) : 0;
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    const double at = excess(c, x, p);
    if (at == 0) break;
    if (at > 0) {
      low = x, at_low = at;
      if (last > 0) at_high *= 0.5;
    } else {
      high = x, at_high = at;
      if (last < 0) at_low *= 0.5;
    }
    last = at > 0 ? 1 : -1;
  }
  const double size = length(c->n - c->first, p + c->first);
  for (int k = c->first; k < c->n; k++) e[k - c->first] = -p[k] / size;
  return 1;
}


static int come_apart(int n, double *p)
{
  memset(p, 0, (size_t) n * sizeof *p);
  return COULOMB_APART;
}


int coulomb_contact(int n, double (*A)[COULOMB_ROWS], const double *r, double mu, double *e,
                    double *p)
{
  const double minus[3] = {-r[0], -r[1], -r[2]};
  if (n == 3) {
    solve_three(A, minus, p);
  } else {
    solve_shifted(n, 1, A, r, 0, p);
  }
  const double pull = length(n - 1, p + 1);
  if (mu > 0 && p[0] > 0 && pull <= mu * p[0]) return COULOMB_HOLDS;
  if (r[0] >= 0 && !(p[0] > 0 && mu > 0)) return come_apart(n, p);
  if (n > 3 && mu > 0) {
    const ownCone own = {n, 1, A, r, mu, 0};
    return slide_exactly(&own, e, p) ? COULOMB_SLIDES : come_apart(n, p);
  }
  if (length(n - 1, e) == 0 && pull > 0) {
    for (int k = 1; k < n; k++) e[k - 1] = -p[k] / pull;
  }
  turn_slip(A, r, mu, e, p);
  return p[0] > 0 ? COULOMB_SLIDES : COULOMB_APART;
}


int coulomb_resist(int n, double (*A)[COULOMB_ROWS], const double *r, double limit, double *e,
                   double *p)
{
  if (!(limit > 0)) return come_apart(n, p);
  solve_shifted(n, 0, A, r, 0, p);
  if (length(n, p) <= limit) return COULOMB_HOLDS;
  const ownCone own = {n, 0, A, r, 0, limit};
  return slide_exactly(&own, e, p) ? COULOMB_SLIDES : come_apart(n, p);
}


//---- sweeps --------------------------------------------------------------------------------------

// W of its own rows
static void own_block(const coulombProblem *q, int i, double weight, double (*A)[COULOMB_ROWS])
{
  const coulombCone *c = &q->cone[i];
  for (int k = 0; k < c->size; k++) {
    const double *W = q->W + (long) (c->row + k) * q->nrow + c->row;
    const double scale = row_scale(c, k);
    for (int j = 0; j < c->size; j++) A[k][j] = W[j] + (k == j ? weight * scale * scale : 0);
  }
}


// cone i with the forces of the others as they are
static void sweep_cone(coulombProblem *q, int i, double weight, double inside, const double *centre)
{
  coulombCone *c = &q->cone[i];
  double A[COULOMB_ROWS][COULOMB_ROWS], r[COULOMB_ROWS], *p = q->p + c->row;
  const double mu = c->friction * (c->slips ? 1 : inside);
  own_block(q, i, weight, A);
  for (int k = 0; k < c->size; k++) {
    const double *W = q->W + (long) (c->row + k) * q->nrow, scale = row_scale(c, k);
    r[k] = q->b[c->row + k] - weight * scale * scale * centre[c->row + k];
    for (int j = 0; j < q->nrow; j++) {
      r[k] += j >= c->row && j < c->row + c->size ? 0 : W[j] * q->p[j];
    }
  }
  if (c->is_rolling && c->slips) {
    for (int k = 0; k < c->size; k++) p[k] = -mu * normal_force(q, i) * c->e[k];
    c->state = COULOMB_SLIDES;
  } else if (c->is_rolling) {
    c->state = coulomb_resist(c->size, A, r, mu * normal_force(q, i), c->e, p);
  } else if (c->slips) {
    c->state = slide_along(c->size, A, r, mu, c->e, p) ? COULOMB_SLIDES : COULOMB_APART;
  } else {
    c->state = coulomb_contact(c->size, A, r, mu, c->e, p);
  }
}


static void sweep_cones(coulombProblem *q, double weight, double inside)
{
  double *centre = q->room + (long) q->nrow * q->nrow + q->nrow;
  memcpy(centre, q->p, (size_t) q->nrow * sizeof *centre);
  for (int turn = 0; turn < SWEEPS; turn++) {
    for (int i = 0; i < q->n; i++) sweep_cone(q, i, weight, inside, centre);
  }
}


//---- all digits ----------------------------------------------------------------------------------

// The direction of the slip that a cone has, with the forces of the others as they are; returns its change. With spinning it is that of
// the cone by itself: rows of such different size have no common step.
static double turn_cone(coulombProblem *q, int i)
{
  coulombCone *c = &q->cone[i];
  const int n = tangents(c), row = tangent_row(c);
  const double pull = c->friction * normal_force(q, i);
  double A[COULOMB_ROWS][COULOMB_ROWS], r[COULOMB_ROWS], p[COULOMB_ROWS], e[COULOMB_TANGENTS];
  own_block(q, i, 0, A);
  if (n == 2) {
    const int k = !c->is_rolling;
    return turn_direction(pull, A[k][k] + A[k + 1][k + 1], q->u + row, c->e);
  }
  for (int k = 0; k < c->size; k++) r[k] = q->u[c->row + k] - dot(c->size, A[k], q->p + c->row);
  const ownCone own = {c->size, 1, A, r, c->friction, 0};
  if (!slide_exactly(&own, e, p)) return 0;
  for (int k = 0; k < n; k++) {
    const double before = c->e[k];
    c->e[k] = e[k];
    e[k] -= before;
  }
  return length(n, e);
}


// the states of the sweeps, with directions that agree with their slip
static int settle_states(coulombProblem *q)
{
  double change = 1;
  for (int turn = 0; turn < TURNS && change > SETTLED; turn++) {
    if (!coulomb_solve_states(q)) return 0;
    change = 0;
    for (int i = 0; i < q->n; i++) {
      const coulombCone *c = &q->cone[i];
      if (is_apart(q, i) || c->state != COULOMB_SLIDES || c->slips) continue;
      if (c->friction * normal_force(q, i) > 0) change = fmax(change, turn_cone(q, i));
    }
  }
  return change <= SETTLED;
}


// A contact at the limit of its friction that does not slip holds.
static void hold_still(coulombProblem *q, double still)
{
  double most = 0;
  for (int i = 0; i < q->nrow; i++) most = fmax(most, fabs(q->b[i]));
  find_rates(q);
  for (int i = 0; i < q->n; i++) {
    coulombCone *c = &q->cone[i];
    const double scale = c->is_rolling ? c->scale : 1;
    if (is_apart(q, i) || c->state != COULOMB_SLIDES || c->slips || c->friction == 0) continue;
    if (length(tangents(c), q->u + tangent_row(c)) <= still * scale * most)
      c->state = COULOMB_HOLDS;
  }
}


// Is a cone within its limits, but for off_u and off_p?
static int is_cone_allowed(const coulombProblem *q, int i, double off_u, double off_p, int is_last)
{
  const coulombCone *c = &q->cone[i];
  const double *p = q->p + c->row, *u = q->u + c->row;
  if (is_apart(q, i)) return c->is_rolling || u[0] >= -off_u;
  if (!c->is_rolling && !(p[0] >= -off_p && fabs(u[0]) <= off_u)) return 0;
  const double *slip = q->u + tangent_row(c), *pull = q->p + tangent_row(c);
  const double limit = c->friction * normal_force(q, i),
               off = c->is_rolling ? c->scale * off_u : off_u;
  const int n = tangents(c);
  if (c->state == COULOMB_HOLDS) return length(n, pull) <= limit + off_p && length(n, slip) <= off;
  if (c->slips || !(limit > 0)) return 1;
  const double along = dot(n, slip, c->e);
  double across = 0;
  for (int k = 0; k < n; k++) across = fmax(across, fabs(slip[k] - along * c->e[k]));
  return (is_last || length(n, slip) > off) && along >= -off && across <= off;
}


static int is_allowed(const coulombProblem *q, double allowed)
{
  const double entry = largest_entry(q);
  double size = 0;
  for (int i = 0; i < q->nrow; i++) size = fmax(size, fmax(fabs(q->b[i]), entry * fabs(q->p[i])));
  if (!isfinite(size)) return 0;
  const double off_u = allowed * size, off_p = entry > 0 ? off_u / entry : 0;
  for (int i = 0; i < q->n; i++) {
    if (!is_cone_allowed(q, i, off_u, off_p, allowed > ALLOWED)) return 0;
  }
  return 1;
}


// All that presses holds, and slides where it has no friction: from no forces the linear system comes to the least ones, which are
// spread evenly. Contacts that would have to pull are apart, as long as there are some.
static int hold_all(coulombProblem *q)
{
  int has_pulled = 1;
  for (int i = 0; i < q->n; i++) {
    coulombCone *c = &q->cone[i];
    c->state = c->slips || c->friction == 0 ? COULOMB_SLIDES : COULOMB_HOLDS;
  }
  while (has_pulled) {
    memset(q->p, 0, (size_t) q->nrow * sizeof *q->p);
    if (!settle_states(q)) return 0;
    has_pulled = 0;
    for (int i = 0; i < q->n; i++) {
      if (q->cone[i].is_rolling || is_apart(q, i) || normal_force(q, i) >= 0) continue;
      q->cone[i].state = COULOMB_APART;
      has_pulled = 1;
    }
  }
  return is_allowed(q, ALLOWED);
}


// By how much cone i breaks the conditions of its state, of those of all; *next: the state that would mend it.
static double violation(coulombProblem *q, int i, double entry, int *next)
{
  const coulombCone *c = &q->cone[i];
  const int slides = c->slips || c->friction == 0, row = tangent_row(c);
  const double normal = normal_force(q, i);
  *next = COULOMB_APART;
  if (is_apart(q, i)) {
    *next = slides ? COULOMB_SLIDES : COULOMB_HOLDS;
    return c->is_rolling ? 0 : -q->u[c->row];
  }
  if (normal < 0) return c->is_rolling ? 0 : -normal * entry;
  if (slides) return 0;
  if (c->state == COULOMB_HOLDS) {
    *next = COULOMB_SLIDES;
    return (length(tangents(c), q->p + row) - c->friction * normal) * entry;
  }
  *next = COULOMB_HOLDS;
  return -dot(tangents(c), q->u + row, c->e);
}


static void change_state(coulombProblem *q, int i, int next)
{
  coulombCone *c = &q->cone[i];
  const double *p = q->p + tangent_row(c), pull = length(tangents(c), p);
  if (next == COULOMB_SLIDES && !c->slips && pull > 0) {
    for (int k = 0; k < tangents(c); k++) c->e[k] = -p[k] / pull;
  }
  c->state = next;
}


// From the states that there are, those of contacts that break their conditions change: all of them at first, then the worst alone.
static int pivot(coulombProblem *q)
{
  const double entry = largest_entry(q);
  for (int turn = 0; turn < PIVOTS; turn++) {
    if (settle_states(q) && is_allowed(q, ALLOWED)) return 1;
    int worst = -1, next = 0;
    double most = 0;
    for (int i = 0; i < q->n; i++) {
      int other;
      const double by = violation(q, i, entry, &other);
      if (by > 0 && 2 * turn < PIVOTS) change_state(q, i, other);
      if (by > most) most = by, worst = i, next = other;
    }
    if (worst < 0) return 0;
    if (2 * turn >= PIVOTS) change_state(q, worst, next);
  }
  return 0;
}


int coulomb_settle(coulombProblem *q)
{
  return (settle_states(q) && is_allowed(q, ALLOWED)) || hold_all(q);
}


int coulomb_solve(coulombProblem *q)
{
  const double entry = largest_entry(q);
  const size_t size = (size_t) q->nrow * sizeof *q->p;
  double *swept = q->room + (long) q->nrow * q->nrow + 2L * q->nrow;
  memset(q->p, 0, size);
  for (int i = 0; i < q->n; i++) {
    if (!q->cone[i].slips) memset(q->cone[i].e, 0, sizeof q->cone[i].e);
  }
  if (q->n == 0) return 1;
  if (!(entry > 0)) return 0;
  if (hold_all(q) || pivot(q)) return 1;
  memset(q->p, 0, size);

  // a weight like that of all contacts together, by which sweeps come to an end, spreads forces evenly
  for (int turn = 0; turn < EVEN_TURNS; turn++) sweep_cones(q, 0.1 * q->n * entry, INSIDE[0]);
  for (int round = 0; round < ROUNDS; round++) {
    const double inside = INSIDE[round < 12 ? round / 3 : 3];
    sweep_cones(q, (round < 4 ? 1e-2 : 1e-4) * entry, inside);
    memcpy(swept, q->p, size);
    hold_still(q, STILL[round % 2]);
    const double allowed = 2 * round < ROUNDS ? ALLOWED : ALLOWED_AT_LAST;
    if (settle_states(q) && is_allowed(q, allowed)) return 1;
    memcpy(q->p, swept, size);
  }
  return 0;
}
