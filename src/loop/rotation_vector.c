// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Orientations as rotation vectors, with their rates by series of the exponential map.
#include "loop/rotation_vector.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/three.h"

enum { TERMS = 16 };

//---- vectors and quaternions ---------------------------------------------------------------------


static void scale_to_one(double a[3])
{
  const double length = sqrt(three_dot(a, a));
  for (int i = 0; i < 3; i++) a[i] /= length;
}


// a b
static void quaternion_multiply(const double a[4], const double b[4], double c[4])
{
  three_cross(a + 1, b + 1, c + 1);
  for (int i = 1; i < 4; i++) c[i] += a[0] * b[i] + b[0] * a[i];
  c[0] = a[0] * b[0] - three_dot(a + 1, b + 1);
}


static void quaternion_conjugate(const double a[4], double c[4])
{
  c[0] = a[0];
  for (int i = 1; i < 4; i++) c[i] = -a[i];
}


// quaternion of a rotation vector (exponential map)
static void quaternion_exponential(const double u[3], double e[4])
{
  const double angle = sqrt(three_dot(u, u)), s = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  e[0] = cos(0.5 * angle);
  for (int i = 0; i < 3; i++) e[i + 1] = s * u[i];
}


// rotation vector of a quaternion, at most half a turn (logarithm map)
static void quaternion_logarithm(const double e[4], double u[3])
{
  const double sine = sqrt(three_dot(e + 1, e + 1)), sign = e[0] < 0 ? -1 : 1;
  const double s = sine > 0 ? 2 * sign * atan2(sine, sign * e[0]) / sine : 2;
  for (int i = 0; i < 3; i++) u[i] = s * e[i + 1];
}


// rotate u by the angle about the unit vector n
static void rotate_about_axis(const double n[3], double angle, const double u[3], double v[3])
{
  const double c = cos(angle), s = sin(angle), along = (1 - c) * three_dot(n, u);
  double aside[3];
  three_cross(n, u, aside);
  for (int i = 0; i < 3; i++) v[i] = c * u[i] + s * aside[i] + along * n[i];
}


void turn_between(const double a[4], const double b[4], double u[3])
{
  double back[4], e[4];
  quaternion_conjugate(a, back);
  quaternion_multiply(back, b, e);
  quaternion_logarithm(e, u);
}


//---- axes ----------------------------------------------------------------------------------------


void turn_set_axes(loopTurn *turn, const double s[3])
{
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double(*e)[3] = turn->axis;
  memcpy(turn->axis, axes, sizeof axes);
  turn->idle = -1;
  if (!(three_dot(s, s) > 0)) return;
  memcpy(e[2], s, sizeof e[2]);
  scale_to_one(e[2]);
  turn->idle = 0;
  for (int i = 1; i < 3; i++) {
    if (fabs(e[2][i]) > fabs(e[2][turn->idle])) turn->idle = i;
  }
  three_cross(e[2], axes[(turn->idle + 1) % 3], e[0]);
  scale_to_one(e[0]);
  three_cross(e[2], e[0], e[1]);
}


int turn_slot(const loopTurn *turn, int component)
{
  ART_ASSERT(component >= 0 && component < 3);
  if (turn->idle < 0) return component;
  return component == turn->idle ? 2 : component - (component > turn->idle);
}


//---- positions -----------------------------------------------------------------------------------


// x1 e1 + x2 e2, plus x3 e3 if that is not a spin
static void add_up_turn_axes(const loopTurn *turn, const double x[3], double u[3])
{
  const int count = turn->idle < 0 ? 3 : 2;
  memset(u, 0, 3 * sizeof *u);
  for (int k = 0; k < count; k++) {
    for (int i = 0; i < 3; i++) u[i] += x[k] * turn->axis[k][i];
  }
}


// exp(x1 e1 + x2 e2) rotates e3 to its direction in r; the remaining rotation is the spin
static void split_swing_and_spin(const loopTurn *turn, const double r[4], double x[3])
{
  const double *spin = turn->axis[2];
  const double s[4] = {0, spin[0], spin[1], spin[2]};
  double back[4], half[4], to[4], u[3], left[4];
  quaternion_conjugate(r, back);
  quaternion_multiply(r, s, half);
  quaternion_multiply(half, back, to);
  three_cross(spin, to + 1, u);
  const double sine = sqrt(three_dot(u, u)), cosine = three_dot(spin, to + 1);
  const double scale = sine > 0 ? atan2(sine, cosine) / sine : 0;
  for (int i = 0; i < 3; i++) u[i] *= scale;
  x[0] = three_dot(u, turn->axis[0]), x[1] = three_dot(u, turn->axis[1]);
  quaternion_exponential(u, half);
  quaternion_conjugate(half, back);
  quaternion_multiply(back, r, left);
  x[2] = 2 * atan2(three_dot(left + 1, spin), left[0]);
}


void turn_read(const loopTurn *turn, const double base[4], const double e[4], double x[3])
{
  double back[4], r[4], u[3];
  quaternion_conjugate(base, back);
  quaternion_multiply(back, e, r);
  if (turn->idle >= 0) {
    split_swing_and_spin(turn, r, x);
    return;
  }
  quaternion_logarithm(r, u);
  for (int k = 0; k < 3; k++) x[k] = three_dot(u, turn->axis[k]);
}


void turn_put(const loopTurn *turn, const double base[4], const double x[3], double e[4])
{
  double u[3], r[4], to[4];
  add_up_turn_axes(turn, x, u);
  quaternion_exponential(u, r);
  quaternion_multiply(base, r, to);
  if (turn->idle >= 0) {
    double spin[4], at[4];
    for (int i = 0; i < 3; i++) u[i] = x[2] * turn->axis[2][i];
    quaternion_exponential(u, spin);
    memcpy(at, to, sizeof at);
    quaternion_multiply(at, spin, to);
  }
  const double sign = e[0] * to[0] + three_dot(e + 1, to + 1) < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) e[i] = sign * to[i];
}


//---- motion --------------------------------------------------------------------------------------


// With n = |u|:  a = (1 - cos n)/n^2,  b = (n - sin n)/n^3,  and their derivatives with respect to
// n, over n.
typedef struct series {
  double a, b, da, db;
} series;


// a = sum of (-n^2)^k / (2k + 2)!,  b = sum of (-n^2)^k / (2k + 3)!
static series sum_series(double square)
{
  series s = {0, 0, 0, 0};
  double power = 1, before = 0, factorial = 2; // (-n^2)^k, its predecessor, (2k + 2)!
  for (int k = 0; k < TERMS; k++) {
    s.a += power / factorial;
    s.da -= 2 * k * before / factorial;
    factorial *= 2 * k + 3;
    s.b += power / factorial;
    s.db -= 2 * k * before / factorial;
    factorial *= 2 * k + 4;
    before = power;
    power *= -square;
  }
  return s;
}


// w = du - a u x du + b u x (u x du), the angular velocity of exp(u) in its own axes
static void rotation_vector_velocity(const series *s, const double u[3], const double du[3],
                                     double w[3])
{
  double c[3], d[3];
  three_cross(u, du, c);
  three_cross(u, c, d);
  for (int i = 0; i < 3; i++) w[i] = du[i] - s->a * c[i] + s->b * d[i];
}


// derivative of this w
static void find_acceleration(const series *s, const double u[3], const double du[3],
                              const double ddu[3], double dw[3])
{
  const double rate = three_dot(u, du);
  double c[3], d[3], dc[3], dd[3], turned[3];
  three_cross(u, du, c);
  three_cross(u, c, d);
  three_cross(u, ddu, dc);
  three_cross(u, dc, dd);
  three_cross(du, c, turned);
  for (int i = 0; i < 3; i++) {
    dw[i] = ddu[i] - rate * s->da * c[i] - s->a * dc[i] + rate * s->db * d[i] +
            s->b * (turned[i] + dd[i]);
  }
}


// The angular velocity is that of x1 e1 + x2 e2 (+ x3 e3), rotated back by the spin, plus the spin
// rate: three linear equations for dx, solved by Cramer's rule.
void turn_rates(const loopTurn *turn, const double x[3], const double w[3], double dx[3])
{
  double u[3], columns[3][3], right[3];
  add_up_turn_axes(turn, x, u);
  const series s = sum_series(three_dot(u, u));
  for (int k = 0; k < 3; k++) rotation_vector_velocity(&s, u, turn->axis[k], columns[k]);
  memcpy(right, w, sizeof right);
  if (turn->idle >= 0) {
    memcpy(columns[2], turn->axis[2], sizeof columns[2]);
    rotate_about_axis(turn->axis[2], x[2], w, right);
  }
  for (int k = 0; k < 3; k++) {
    double other[3];
    three_cross(columns[(k + 1) % 3], columns[(k + 2) % 3], other);
    dx[k] = three_dot(other, right) / three_dot(other, columns[k]);
  }
}


void turn_along(const loopTurn *turn, const double x[3], const double dx[3], const double ddx[3],
                turnMotion *motion)
{
  double u[3], du[3], ddu[3], w[3], dw[3];
  add_up_turn_axes(turn, x, u);
  add_up_turn_axes(turn, dx, du);
  add_up_turn_axes(turn, ddx, ddu);
  const series s = sum_series(three_dot(u, u));
  rotation_vector_velocity(&s, u, du, w);
  find_acceleration(&s, u, du, ddu, dw);
  *motion = (turnMotion){.twist = {0, 0, 0}};
  if (turn->idle < 0) {
    memcpy(motion->along, w, sizeof w);
    memcpy(motion->bend, dw, sizeof dw);
    return;
  }
  rotate_about_axis(turn->axis[2], -x[2], w, motion->along);
  rotate_about_axis(turn->axis[2], -x[2], dw, motion->bend);
  three_cross(motion->along, turn->axis[2], motion->twist);
}
