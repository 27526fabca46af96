// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sweeps over the contacts (Gauss and Seidel) find which of them are apart, slide or hold; with these states a linear
// system gives all digits. Rows may depend on each other, as those of four feet on a floor do: sweeps
// solve  (W + w I) p + b = w c  with a weight w, about centres c that follow p, which spreads forces evenly, and the linear
// system is solved for the p nearest to that of the sweeps.
#include "num/coulomb.h"

#include <math.h>
#include <string.h>

enum {
  SWEEPS = 60,
  EVEN_TURNS = 6,
  ROUNDS = 40,
  TURNS = 500,
  CORRECTIONS = 8,
  LOCAL_TURNS = 8,
  PIVOTS = 40
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


int coulomb_room(int n)
{
  return 9 * n * n + 9 * n;
}


static double largest_entry(const coulombProblem *q)
{
  double most = 0;
  for (long i = 0; i < 3L * q->n; i++) most = fmax(most, q->W[i * 3 * q->n + i]);
  return most;
}


static void find_rates(coulombProblem *q)
{
  const long n = 3L * q->n;
  for (long i = 0; i < n; i++) {
    q->u[i] = q->b[i];
    for (long j = 0; j < n; j++) q->u[i] += q->W[i * n + j] * q->p[j];
  }
}


//---- the linear system ---------------------------------------------------------------------------

// columns of contact i: the force of each unknown by its three rows; returns how many unknowns it has
static int contact_columns(const coulombProblem *q, int i, double column[3][3])
{
  memset(column, 0, 9 * sizeof column[0][0]);
  if (q->state[i] == COULOMB_APART) return 0;
  if (q->state[i] == COULOMB_HOLDS) {
    for (int k = 0; k < 3; k++) column[k][k] = 1;
    return 3;
  }
  column[0][0] = 1;
  for (int k = 0; k < 2; k++) column[0][1 + k] = -q->friction[i] * q->e[2 * i + k];
  return 1;
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


// A x = -u, with the weight on its diagonal; returns the number of unknowns, -1: it is singular
static int solve_linear(coulombProblem *q, double weight)
{
  const long n = 3L * q->n;
  double *A = q->room, *x = A + n * n;
  int m = 0, row = 0;
  double column[3][3];
  for (int i = 0; i < q->n; i++) m += contact_columns(q, i, column);
  for (int i = 0; i < q->n; i++) {
    const int own = contact_columns(q, i, column);
    for (int k = 0; k < own; k++, row++) {
      const double *W = q->W + (3L * i + k) * n;
      int at = 0;
      x[row] = -q->u[3 * i + k];
      for (int j = 0; j < q->n; j++) {
        const int other = contact_columns(q, j, column);
        for (int c = 0; c < other; c++, at++) {
          double sum = row == at ? weight : 0;
          for (int r = 0; r < 3; r++) sum += W[3 * j + r] * column[c][r];
          A[(long) row * m + at] = sum;
        }
      }
      if (q->state[i] == COULOMB_SLIDES && !(A[(long) row * m + row] > weight)) return -1;
    }
  }
  return eliminate(m, A, x) ? m : -1;
}


static double rows_left(const coulombProblem *q)
{
  double most = 0;
  for (int i = 0; i < q->n; i++) {
    const int own = q->state[i] == COULOMB_HOLDS ? 3 : q->state[i] == COULOMB_SLIDES;
    for (int k = 0; k < own; k++) most = fmax(most, fabs(q->u[3 * i + k]));
  }
  return most;
}


// forces of each state, from those that are there
static void keep_states(coulombProblem *q)
{
  for (int i = 0; i < q->n; i++) {
    double *p = q->p + 3L * i;
    if (q->state[i] == COULOMB_APART) p[0] = p[1] = p[2] = 0;
    if (q->state[i] != COULOMB_SLIDES) continue;
    for (int k = 0; k < 2; k++) p[1 + k] = -q->friction[i] * p[0] * q->e[2 * i + k];
  }
}


int coulomb_solve_states(coulombProblem *q)
{
  const double weight = NEAR * largest_entry(q);
  double before = INFINITY;
  keep_states(q);
  for (int turn = 0; turn < CORRECTIONS; turn++) {
    find_rates(q);
    const double left = rows_left(q);
    if (left == 0 || !(left < 0.5 * before)) return isfinite(left);
    before = left;
    if (solve_linear(q, weight) < 0) return 0;
    const double *x = q->room + 9L * q->n * q->n;
    double column[3][3];
    for (int i = 0; i < q->n; i++) {
      const int own = contact_columns(q, i, column);
      for (int c = 0; c < own; c++, x++) {
        for (int r = 0; r < 3; r++) q->p[3 * i + r] += column[c][r] * *x;
      }
    }
  }
  find_rates(q);
  return 1;
}


//---- sweeps --------------------------------------------------------------------------------------

// x = A^-1 r of a positive definite matrix of three rows
static void solve_three(double A[3][3], const double r[3], double x[3])
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
static int slide_along(double A[3][3], const double r[3], double mu, const double e[2], double p[3])
{
  const double own = A[0][0] - mu * (A[0][1] * e[0] + A[0][2] * e[1]);
  p[0] = own > 0 ? fmax(0, -r[0] / own) : 0;
  p[1] = -mu * p[0] * e[0];
  p[2] = -mu * p[0] * e[1];
  return p[0] > 0;
}


// quicker than hypot, which keeps to numbers that have squares
static double length(double x, double y)
{
  return sqrt(x * x + y * y);
}


// The direction of slip turns towards u_t by a step of gradient projection,  e = (mu p_n e + u_t/w)/|..|, which comes to where
// both agree; w is the largest entry of W between tangents. Returns the change.
static double turn_direction(double pull, double w, const double *u, double *e)
{
  const double x = pull * e[0] + u[1] / w, y = pull * e[1] + u[2] / w, size = length(x, y);
  if (!(size > 0)) return 0;
  const double change = length(x / size - e[0], y / size - e[1]);
  e[0] = x / size;
  e[1] = y / size;
  return change;
}


static double tangent_entry(const coulombProblem *q, int i)
{
  const long n = 3L * q->n, k = 3L * i + 1;
  return q->W[k * n + k] + q->W[(k + 1) * n + k + 1];
}


// the direction of slip that goes with its force
static void turn_slip(double A[3][3], const double r[3], double mu, double e[2], double p[3])
{
  for (int turn = 0; turn < LOCAL_TURNS && slide_along(A, r, mu, e, p); turn++) {
    double u[3];
    for (int k = 1; k < 3; k++) u[k] = A[k][0] * p[0] + A[k][1] * p[1] + A[k][2] * p[2] + r[k];
    turn_direction(mu * p[0], A[1][1] + A[2][2], u, e);
  }
  slide_along(A, r, mu, e, p);
}


int coulomb_contact(double A[3][3], const double r[3], double mu, double e[2], double p[3])
{
  const double minus[3] = {-r[0], -r[1], -r[2]};
  solve_three(A, minus, p);
  if (mu > 0 && p[0] > 0 && length(p[1], p[2]) <= mu * p[0]) return COULOMB_HOLDS;
  if (r[0] >= 0 && !(p[0] > 0 && mu > 0)) {
    p[0] = p[1] = p[2] = 0;
    return COULOMB_APART;
  }
  const double pull = length(p[1], p[2]);
  if (e[0] == 0 && e[1] == 0 && pull > 0) {
    e[0] = -p[1] / pull;
    e[1] = -p[2] / pull;
  }
  turn_slip(A, r, mu, e, p);
  return p[0] > 0 ? COULOMB_SLIDES : COULOMB_APART;
}


// contact i with the forces of the others as they are
static void sweep_contact(coulombProblem *q, int i, double weight, double inside,
                          const double *centre)
{
  const long n = 3L * q->n;
  double A[3][3], r[3], *p = q->p + 3L * i, *e = q->e + 2L * i;
  const double mu = q->friction[i] * (q->slips[i] ? 1 : inside);
  for (int k = 0; k < 3; k++) {
    const double *W = q->W + (3L * i + k) * n;
    r[k] = q->b[3 * i + k] - weight * centre[3 * i + k];
    for (long j = 0; j < n; j++) r[k] += j / 3 == i ? 0 : W[j] * q->p[j];
    for (int c = 0; c < 3; c++) A[k][c] = W[3 * i + c] + (k == c ? weight : 0);
  }
  if (q->slips[i]) {
    q->state[i] = slide_along(A, r, mu, e, p) ? COULOMB_SLIDES : COULOMB_APART;
  } else {
    q->state[i] = coulomb_contact(A, r, mu, e, p);
  }
}


static void sweep_contacts(coulombProblem *q, double weight, double inside)
{
  const long n = 3L * q->n;
  double *centre = q->room + n * n + n;
  memcpy(centre, q->p, (size_t) n * sizeof *centre);
  for (int turn = 0; turn < SWEEPS; turn++) {
    for (int i = 0; i < q->n; i++) sweep_contact(q, i, weight, inside, centre);
  }
}


//---- all digits ----------------------------------------------------------------------------------

// the states of the sweeps, with directions that agree with their slip
static int settle_states(coulombProblem *q)
{
  double change = 1;
  for (int turn = 0; turn < TURNS && change > SETTLED; turn++) {
    if (!coulomb_solve_states(q)) return 0;
    change = 0;
    for (int i = 0; i < q->n; i++) {
      const double pull = q->friction[i] * q->p[3L * i];
      if (q->state[i] != COULOMB_SLIDES || q->slips[i] || !(pull > 0)) continue;
      change =
          fmax(change, turn_direction(pull, tangent_entry(q, i), q->u + 3L * i, q->e + 2L * i));
    }
  }
  return change <= SETTLED;
}


// A contact at the limit of its friction that does not slip holds.
static void hold_still(coulombProblem *q, double still)
{
  double most = 0;
  for (int i = 0; i < 3 * q->n; i++) most = fmax(most, fabs(q->b[i]));
  find_rates(q);
  for (int i = 0; i < q->n; i++) {
    const double *u = q->u + 3L * i;
    if (q->state[i] != COULOMB_SLIDES || q->slips[i] || q->friction[i] == 0) continue;
    if (hypot(u[1], u[2]) <= still * most) q->state[i] = COULOMB_HOLDS;
  }
}


static int is_allowed(const coulombProblem *q, double allowed)
{
  const double entry = largest_entry(q);
  double size = 0;
  for (int i = 0; i < 3 * q->n; i++) size = fmax(size, fmax(fabs(q->b[i]), entry * fabs(q->p[i])));
  if (!isfinite(size)) return 0;
  const double off_u = allowed * size, off_p = entry > 0 ? off_u / entry : 0;
  for (int i = 0; i < q->n; i++) {
    const double *p = q->p + 3L * i, *u = q->u + 3L * i, *e = q->e + 2L * i;
    const double limit = q->friction[i] * p[0];
    int is = p[0] >= -off_p && (q->state[i] == COULOMB_APART || fabs(u[0]) <= off_u);
    if (q->state[i] == COULOMB_APART) is = u[0] >= -off_u;
    if (q->state[i] == COULOMB_HOLDS)
      is = is && hypot(p[1], p[2]) <= limit + off_p && hypot(u[1], u[2]) <= off_u;
    if (q->state[i] == COULOMB_SLIDES && !q->slips[i] && limit > 0) {
      is = is && (allowed > ALLOWED || hypot(u[1], u[2]) > off_u);
      is = is && u[1] * e[0] + u[2] * e[1] >= -off_u && fabs(u[1] * e[1] - u[2] * e[0]) <= off_u;
    }
    if (!is) return 0;
  }
  return 1;
}


// All that presses holds, and slides where it has no friction: from no forces the linear system comes to the least ones, which are
// spread evenly. Contacts that would have to pull are apart, as long as there are some.
static int hold_all(coulombProblem *q)
{
  int has_pulled = 1;
  for (int i = 0; i < q->n; i++) {
    q->state[i] = q->slips[i] || q->friction[i] == 0 ? COULOMB_SLIDES : COULOMB_HOLDS;
  }
  while (has_pulled) {
    memset(q->p, 0, 3 * (size_t) q->n * sizeof *q->p);
    if (!settle_states(q)) return 0;
    has_pulled = 0;
    for (int i = 0; i < q->n; i++) {
      if (q->state[i] == COULOMB_APART || q->p[3L * i] >= 0) continue;
      q->state[i] = COULOMB_APART;
      has_pulled = 1;
    }
  }
  return is_allowed(q, ALLOWED);
}


// By how much contact i breaks the conditions of its state, of those of all; *next: the state that would mend it.
static double violation(coulombProblem *q, int i, double entry, int *next)
{
  const double *p = q->p + 3L * i, *u = q->u + 3L * i, *e = q->e + 2L * i;
  const double pull = hypot(p[1], p[2]), limit = q->friction[i] * p[0];
  const int slides = q->slips[i] || q->friction[i] == 0;
  *next = COULOMB_APART;
  if (q->state[i] == COULOMB_APART) {
    *next = slides ? COULOMB_SLIDES : COULOMB_HOLDS;
    return -u[0];
  }
  if (p[0] < 0) return -p[0] * entry;
  if (slides) return 0;
  if (q->state[i] == COULOMB_HOLDS) {
    *next = COULOMB_SLIDES;
    return (pull - limit) * entry;
  }
  *next = COULOMB_HOLDS;
  return -(u[1] * e[0] + u[2] * e[1]);
}


static void change_state(coulombProblem *q, int i, int next)
{
  const double *p = q->p + 3L * i, pull = hypot(p[1], p[2]);
  if (next == COULOMB_SLIDES && !q->slips[i] && pull > 0) {
    q->e[2 * i] = -p[1] / pull;
    q->e[2 * i + 1] = -p[2] / pull;
  }
  q->state[i] = next;
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
  const size_t size = 3 * (size_t) q->n * sizeof *q->p;
  double *swept = q->room + 9L * q->n * q->n + 6L * q->n;
  memset(q->p, 0, size);
  for (int i = 0; i < q->n; i++) {
    if (!q->slips[i]) q->e[2 * i] = q->e[2 * i + 1] = 0;
  }
  if (q->n == 0) return 1;
  if (!(entry > 0)) return 0;
  if (hold_all(q) || pivot(q)) return 1;
  memset(q->p, 0, size);

  // a weight like that of all contacts together, by which sweeps come to an end, spreads forces evenly
  for (int turn = 0; turn < EVEN_TURNS; turn++) sweep_contacts(q, 0.1 * q->n * entry, INSIDE[0]);
  for (int round = 0; round < ROUNDS; round++) {
    const double inside = INSIDE[round < 12 ? round / 3 : 3];
    sweep_contacts(q, (round < 4 ? 1e-2 : 1e-4) * entry, inside);
    memcpy(swept, q->p, size);
    hold_still(q, STILL[round % 2]);
    const double allowed = 2 * round < ROUNDS ? ALLOWED : ALLOWED_AT_LAST;
    if (settle_states(q) && is_allowed(q, allowed)) return 1;
    memcpy(q->p, swept, size);
  }
  return 0;
}
