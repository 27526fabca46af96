// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "num/cone_sweeps.h"

#include <math.h>
#include <string.h>

static const double WEIGHT =
    1e-9; // of a contact's largest entry: keeps directions in which it cannot move regular


double cone_rate(const coneContact *c, int row, const double *x)
{
  const double *z = c->z + (long) row * c->count;
  double sum = 0;
  for (int e = 0; e < c->count; e++) sum += z[e] * x[c->at[e]];
  return sum;
}


void cone_add(const coneContact *c, int row, double p, double *x)
{
  const double *z = c->z + (long) row * c->count;
  for (int e = 0; e < c->count && p != 0; e++) x[c->at[e]] += p * z[e];
}


static void find_blocks(int n, coneContact *contact)
{
  for (int i = 0; i < n; i++) {
    coneContact *c = &contact[i];
    double most = 0;
    for (int r = 0; r < c->size; r++) {
      for (int k = 0; k <= r; k++) {
        const double *one = c->z + (long) r * c->count, *two = c->z + (long) k * c->count;
        double sum = 0;
        for (int e = 0; e < c->count; e++) sum += one[e] * two[e];
        c->A[r][k] = c->A[k][r] = sum;
      }
      most = fmax(most, c->A[r][r]);
    }
    for (int r = 0; r < c->size; r++) c->A[r][r] += WEIGHT * most;
  }
}


static void begin_sweeps(int n, coneContact *contact, int nx, double *x)
{
  find_blocks(n, contact);
  memset(x, 0, (size_t) nx * sizeof *x);
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < contact[i].size; r++) cone_add(&contact[i], r, contact[i].p[r], x);
  }
}


// Contact i with the forces of the others as they are; returns the change of its own velocity.
static double sweep_one(coneContact *c, double *x)
{
  double r[COULOMB_ROWS], p[COULOMB_ROWS], most = 0;
  for (int k = 0; k < c->size; k++) {
    r[k] = c->b[k] + cone_rate(c, k, x);
    for (int j = 0; j < c->size; j++) r[k] -= c->A[k][j] * c->p[j];
  }
  memcpy(p, c->p, sizeof p);
  if (!(c->A[0][0] > 0)) return 0; // nothing that it presses on can move
  if (c->is_rolling) {
    c->state = coulomb_resist(c->size, c->A, r, c->friction * c[-1].p[0], c->e, c->p);
  } else {
    c->state = coulomb_contact(c->size, c->A, r, c->friction, c->e, c->p);
  }
  for (int k = 0; k < c->size; k++) {
    const double change = c->p[k] - p[k];
    most = fmax(most, fabs(change) * c->A[k][k]);
    cone_add(c, k, change, x);
  }
  return most;
}


// Forces go on along a direction d from sweep to sweep, as by conjugate gradients (Silcowitz, Niebe, Erleben 2010): with the changes g by
// this sweep and the one before,
//   beta = |g|^2/|g_before|^2,  p = p + beta d,  d = beta d + g,  and d = 0 where beta > 1
static void go_on(int n, coneContact *contact, int nx, double *x, double beta, double *way,
                  const double *before)
{
  const double kept = beta > 1 ? 0 : beta;
  for (int j = 0; j < nx; j++) {
    const double change = x[j] - before[j];
    x[j] += kept * way[j];
    way[j] = beta > 1 ? 0 : kept * way[j] + change;
  }
  for (int i = 0; i < n; i++) {
    coneContact *c = &contact[i];
    for (int r = 0; r < c->size; r++) {
      const double change = c->p[r] - c->before[r];
      c->p[r] += kept * c->d[r];
      c->d[r] = beta > 1 ? 0 : kept * c->d[r] + change;
    }
  }
}


// the square of the change by a sweep, in velocities
static double change_of(int n, const coneContact *contact)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const coneContact *c = &contact[i];
    for (int r = 0; r < c->size; r++) {
      const double change = c->p[r] - c->before[r];
      sum += c->A[r][r] * change * change;
    }
  }
  return sum;
}


double cone_sweep(int n, coneContact *contact, int nx, double *x, double *room, int most,
                  double little)
{
  double *way = room, *before = room + nx, change = INFINITY, square = 0;
  begin_sweeps(n, contact, nx, x);
  memset(way, 0, (size_t) nx * sizeof *way);
  for (int i = 0; i < n; i++) memset(contact[i].d, 0, sizeof contact[i].d);
  for (int turn = 0; turn < most; turn++) {
    const double last = square;
    change = 0;
    memcpy(before, x, (size_t) nx * sizeof *x);
    for (int i = 0; i < n; i++) {
      memcpy(contact[i].before, contact[i].p, sizeof contact[i].p);
      change = fmax(change, sweep_one(&contact[i], x));
    }
    if (!(change > little) || turn == most - 1) break;
    square = change_of(n, contact);
    go_on(n, contact, nx, x, last > 0 ? square / last : 0, way, before);
  }
  return n > 0 ? change : 0;
}


double cone_sweep_normals(int n, coneContact *contact, int nx, double *x, int most, double little)
{
  double change = INFINITY;
  for (int i = 0; i < n; i++) {
    for (int r = contact[i].is_rolling ? 0 : 1; r < contact[i].size; r++) contact[i].p[r] = 0;
  }
  begin_sweeps(n, contact, nx, x);
  for (int turn = 0; turn < most && change > little; turn++) {
    change = 0;
    for (int k = 0; k < n; k++) {
      coneContact *c = &contact[turn % 2 ? n - 1 - k : k];
      if (c->is_rolling || !(c->A[0][0] > 0)) continue;
      const double step = fmax(-c->p[0], -(c->b[0] + cone_rate(c, 0, x)) / c->A[0][0]);
      c->p[0] += step;
      change = fmax(change, fabs(step) * c->A[0][0]);
      cone_add(c, 0, step, x);
    }
  }
  return n > 0 ? change : 0;
}
