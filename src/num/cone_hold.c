// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Alternating projections: onto the forces that keep the contacts still, which are the nearest ones by conjugate gradients, and onto
// the cones of friction, until both agree.
#include "num/cone_hold.h"

#include <math.h>
#include <string.h>

#include "num/coulomb.h"

enum { MAX_ROUNDS = 60, MAX_SET_CHANGES = 8, MAX_ITERATIONS = 500 };

// of the friction: what is outside the larger cone is projected onto the smaller one, so that projections come to an end
static const double ALLOWED = 0.9999, INSIDE = 0.99;
static const double FURTHER = 1.9; // beyond the cone, by which projections need half as many rounds


// rows in which a contact holds
static int rows_held(const coneContact *c)
{
  if (c->state == COULOMB_APART) return 0;
  return c->friction > 0 ? 3 : 1;
}


// x = sum z^T p;  r = -(z x + b), in `before`. Returns |r|^2.
static double find_residual(int n, coneContact *contact, int nx, double *x)
{
  double sum = 0;
  memset(x, 0, (size_t) nx * sizeof *x);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < rows_held(&contact[i]); k++) cone_add(&contact[i], k, contact[i].p[k], x);
  }
  for (int i = 0; i < n; i++) {
    coneContact *c = &contact[i];
    for (int k = 0; k < rows_held(c); k++) {
      c->before[k] = -c->b[k] - cone_rate(c, k, x);
      sum += c->before[k] * c->before[k];
    }
  }
  return sum;
}


// The nearest p with  Z Z^T p + b = 0, by conjugate gradients: along d, which moves x by y = Z^T d,
//   alpha = |r|^2/|y|^2,  p += alpha d,  x += alpha y,  r -= alpha Z y
// Returns whether |r| has come below `little`.
static int find_nearest(int n, coneContact *contact, int nx, double *x, double *y, double little)
{
  double square = find_residual(n, contact, nx, x), beta = 0;
  for (int turn = 0; turn < MAX_ITERATIONS && square > little * little; turn++) {
    double next = 0, size = 0;
    memset(y, 0, (size_t) nx * sizeof *y);
    for (int i = 0; i < n; i++) {
      coneContact *c = &contact[i];
      for (int k = 0; k < rows_held(c); k++) {
        c->d[k] = c->before[k] + (beta > 0 ? beta * c->d[k] : 0);
        cone_add(c, k, c->d[k], y);
      }
    }
    for (int j = 0; j < nx; j++) size += y[j] * y[j];
    if (!(size > 0)) return 0;
    const double alpha = square / size;
    for (int j = 0; j < nx; j++) x[j] += alpha * y[j];
    for (int i = 0; i < n; i++) {
      coneContact *c = &contact[i];
      for (int k = 0; k < rows_held(c); k++) {
        c->p[k] += alpha * c->d[k];
        c->before[k] -= alpha * cone_rate(c, k, y);
        next += c->before[k] * c->before[k];
      }
    }
    beta = next / square;
    square = next;
  }
  return square <= little * little;
}


// Contacts that would have to pull are apart, and those that would overlap are held. Returns whether one has changed.
static int change_sets(int n, coneContact *contact, const double *x, double little)
{
  int has_changed = 0;
  for (int i = 0; i < n; i++) {
    coneContact *c = &contact[i];
    const int is_apart = c->state == COULOMB_APART;
    const int changes = is_apart ? c->b[0] + cone_rate(c, 0, x) < -little : c->p[0] < 0;
    if (!changes) continue;
    c->state = is_apart ? COULOMB_HOLDS : COULOMB_APART;
    c->p[0] = c->p[1] = c->p[2] = 0;
    has_changed = 1;
  }
  return has_changed;
}


// The nearest point to p of the cone |p_t| <= mu p_n, with a little less friction.
static void nearest_in_cone(const coneContact *c, double p[3])
{
  const double mu = INSIDE * c->friction, pull = hypot(c->p[1], c->p[2]);
  p[0] = fmax(0, (c->p[0] + mu * pull) / (1 + mu * mu));
  for (int k = 1; k < 3; k++) p[k] = pull > 0 ? c->p[k] * mu * p[0] / pull : 0;
}


// Move p from outside of its cone to the other side of its surface. Returns whether it was outside.
static int project(coneContact *c)
{
  double p[3] = {0, 0, 0};
  if (c->p[0] >= 0 && hypot(c->p[1], c->p[2]) <= ALLOWED * c->friction * c->p[0]) return 0;
  if (c->friction > 0) nearest_in_cone(c, p);
  for (int k = 0; k < 3; k++) c->p[k] += FURTHER * (p[k] - c->p[k]);
  return 1;
}


static int project_all(int n, coneContact *contact)
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (contact[i].state != COULOMB_APART) count += project(&contact[i]);
  }
  return count;
}


// what presses now or has pressed
static void begin_sets(int n, coneContact *contact, double little)
{
  for (int i = 0; i < n; i++) {
    coneContact *c = &contact[i];
    const int presses = c->p[0] > 0 || c->b[0] <= little;
    c->state = presses ? COULOMB_HOLDS : COULOMB_APART;
    if (!presses || c->friction == 0) c->p[1] = c->p[2] = 0;
    if (!presses) c->p[0] = 0;
  }
}


// A contact without friction slides.
static void end_sets(int n, coneContact *contact)
{
  for (int i = 0; i < n; i++) {
    coneContact *c = &contact[i];
    if (c->state == COULOMB_HOLDS && c->friction == 0) c->state = COULOMB_SLIDES;
    if (c->p[0] == 0) c->state = COULOMB_APART;
  }
}


// Alternate projections until rows and cones agree.
static int agree(int n, coneContact *contact, int nx, double *x, double *room, double little)
{
  for (int round = 0; round < MAX_ROUNDS; round++) {
    if (!find_nearest(n, contact, nx, x, room, little)) return 0;
    if (project_all(n, contact) == 0) return 1;
  }
  return 0;
}


// Forces without contacts that would have to pull.
static int hold_some(int n, coneContact *contact, int nx, double *x, double *room, double little)
{
  for (int turn = 0; turn < MAX_SET_CHANGES; turn++) {
    if (!find_nearest(n, contact, nx, x, room, little)) return 0;
    if (!change_sets(n, contact, x, little)) return agree(n, contact, nx, x, room, little);
  }
  return 0;
}


static int is_apart_right(int n, const coneContact *contact, const double *x, double little)
{
  for (int i = 0; i < n; i++) {
    const coneContact *c = &contact[i];
    if (c->state == COULOMB_APART && c->b[0] + cone_rate(c, 0, x) < -little) return 0;
  }
  return 1;
}


int cone_hold(int n, coneContact *contact, int nx, double *x, double *room, double little)
{
  for (int i = 0; i < n; i++) {
    if (contact[i].is_rolling || contact[i].size > 3) return 0;
  }
  begin_sets(n, contact, little);
  int is_found = agree(n, contact, nx, x, room, little);
  if (!is_found) is_found = hold_some(n, contact, nx, x, room, little);
  is_found = is_found && is_apart_right(n, contact, x, little);
  end_sets(n, contact);
  return is_found;
}
