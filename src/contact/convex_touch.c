// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "contact/convex_touch.h"

#include <math.h>
#include <string.h>

typedef double touchMatrix[TOUCH_UNKNOWNS][TOUCH_UNKNOWNS];


static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}


//---- one shape -----------------------------------------------------------------------------------

// The derivative of the point of generator i by the direction m, in axes of the shape: R/|m_xy| (1 - e e^T) of a rim with e along
// m_xy, (H^2 - p p^T)/|H m| of an ellipsoid with the point p
static void own_turn(const convexShape *s, int i, const double m[3], double turn[3][3])
{
  memset(turn, 0, 9 * sizeof(double));
  if (s->shape == CONTACT_FRUSTUM) {
    const double off = sqrt(m[0] * m[0] + m[1] * m[1]), r = i ? s->top : s->radius;
    for (int j = 0; j < 2 && off > 0; j++) {
      for (int k = 0; k < 2; k++) turn[j][k] = r / off * ((j == k) - m[j] / off * (m[k] / off));
    }
  } else if (s->shape == CONTACT_ELLIPSOID) {
    const double h[3] = {s->half[0] * m[0], s->half[1] * m[1], s->half[2] * m[2]};
    const double support = sqrt(dot(h, h));
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++)
        turn[j][k] =
            s->half[j] * s->half[k] / support * ((j == k) - h[j] / support * (h[k] / support));
    }
  }
}


// adds scale times axes^T turn axes
static void add_turn(const convexShape *s, int i, const double n[3], double scale, double sum[3][3])
{
  double m[3], turn[3][3];
  for (int k = 0; k < 3; k++) m[k] = dot(s->axes + 3 * k, n);
  own_turn(s, i, m, turn);
  for (int j = 0; j < 3; j++) {
    for (int k = 0; k < 3; k++) {
      for (int c = 0; c < 9; c++)
        sum[j][k] +=
            scale * s->axes[3 * (c / 3) + j] * turn[c / 3][c % 3] * s->axes[3 * (c % 3) + k];
    }
  }
}


// The point of a shape, and the way from its first generator to the second.
static void point_of(const convexShape *s, const convexTouch *t, int side, double point[3],
                     double line[3])
{
  const double sign = side ? -1 : 1;
  const double n[3] = {sign * t->normal[0], sign * t->normal[1], sign * t->normal[2]};
  convex_point_of(s, t->generator[side][0], n, point);
  line[0] = line[1] = line[2] = 0;
  if (t->count[side] < 2) return;
  convex_point_of(s, t->generator[side][1], n, line);
  for (int k = 0; k < 3; k++) {
    line[k] -= point[k];
    point[k] += t->place[side] * line[k];
  }
}


//---- Newton's method -----------------------------------------------------------------------------

static void find_equations(const convexShape s[2], const convexTouch *t, touchMatrix J,
                           double F[TOUCH_UNKNOWNS])
{
  double point[2][3], line[2][3], turn[3][3] = {{0}};
  memset(J, 0, sizeof(touchMatrix));
  for (int side = 0; side < 2; side++) {
    point_of(&s[side], t, side, point[side], line[side]);
    const double sign = side ? -1 : 1, share = t->count[side] < 2 ? 0 : t->place[side];
    const double n[3] = {sign * t->normal[0], sign * t->normal[1], sign * t->normal[2]};
    add_turn(&s[side], t->generator[side][0], n, -(1 - share), turn);
    if (t->count[side] > 1) add_turn(&s[side], t->generator[side][1], n, -share, turn);
  }
  for (int j = 0; j < 3; j++) {
    F[j] = (point[1][j] - point[0][j] - t->gap * t->normal[j]) / t->size;
    for (int k = 0; k < 3; k++) J[j][k] = (turn[j][k] - (j == k ? t->gap : 0)) / t->size;
    J[j][3] = -t->normal[j];
    J[3][j] = t->normal[j];
    for (int side = 0; side < 2; side++) {
      J[j][4 + side] = (side ? 1 : -1) * line[side][j] / t->size;
      J[4 + side][j] = line[side][j] / t->size;
    }
  }
  F[3] = 0.5 * (dot(t->normal, t->normal) - 1);
  for (int side = 0; side < 2; side++) {
    F[4 + side] = dot(t->normal, line[side]) / t->size;
    if (t->count[side] < 2) J[4 + side][4 + side] = 1;
  }
}


// Gauss and Jordan with pivots of rows; returns 0 where a pivot is lost
static int invert(touchMatrix J, touchMatrix inverse)
{
  enum { N = TOUCH_UNKNOWNS };
  static const double LOST = 1e-13;
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < N; k++) inverse[i][k] = i == k;
  }
  for (int c = 0; c < N; c++) {
    int p = c;
    for (int i = c + 1; i < N; i++) p = fabs(J[i][c]) > fabs(J[p][c]) ? i : p;
    if (!(fabs(J[p][c]) > LOST)) return 0;
    for (int k = 0; k < N; k++) {
      const double x = J[p][k], y = inverse[p][k];
      J[p][k] = J[c][k], inverse[p][k] = inverse[c][k];
      J[c][k] = x, inverse[c][k] = y;
    }
    const double pivot = J[c][c];
    for (int k = 0; k < N; k++) J[c][k] /= pivot, inverse[c][k] /= pivot;
    for (int i = 0; i < N; i++) {
      const double factor = J[i][c];
      if (i == c || factor == 0) continue;
      for (int k = 0; k < N; k++) {
        J[i][k] -= factor * J[c][k];
        inverse[i][k] -= factor * inverse[c][k];
      }
    }
  }
  return 1;
}


static double find_residual(const convexShape s[2], const convexTouch *t)
{
  touchMatrix J;
  double F[TOUCH_UNKNOWNS], sum = 0;
  find_equations(s, t, J, F);
  for (int i = 0; i < TOUCH_UNKNOWNS; i++) sum += F[i] * F[i];
  return sum;
}


static convexTouch stepped(const convexTouch *t, const double x[TOUCH_UNKNOWNS], double scale)
{
  convexTouch next = *t;
  for (int k = 0; k < 3; k++) next.normal[k] += scale * x[k];
  next.gap += scale * x[3] * t->size;
  next.place[0] += scale * x[4], next.place[1] += scale * x[5];
  return next;
}


int convex_solve(const convexShape s[2], convexTouch *t)
{
  enum { MAX_STEPS = 40 };
  static const double ROUNDING = 1e-14, SHORTEST = 1e-3;
  t->size = s[0].size + s[1].size;
  t->gap = convex_separation(s, t->normal);
  t->place[0] = t->place[1] = 0.5;
  double last = INFINITY;
  for (int step = 0; step < MAX_STEPS; step++) {
    touchMatrix J;
    double F[TOUCH_UNKNOWNS], x[TOUCH_UNKNOWNS] = {0}, way = 0, square = 0;
    find_equations(s, t, J, F);
    if (!invert(J, t->inverse)) return 0;
    for (int i = 0; i < TOUCH_UNKNOWNS; i++) {
      square += F[i] * F[i];
      for (int k = 0; k < TOUCH_UNKNOWNS; k++) x[i] -= t->inverse[i][k] * F[k];
    }
    for (int k = 0; k < TOUCH_UNKNOWNS; k++) way = fmax(way, k == 3 ? 0 : fabs(x[k]));
    if (!(way < 1e3)) return 0;
    double scale = 1;
    convexTouch next = stepped(t, x, scale);
    while (way > 1e-9 && scale > SHORTEST && !(find_residual(s, &next) < square))
      next = stepped(t, x, scale *= 0.5);
    *t = next;
    if (way <= ROUNDING || (way < 1e-9 && way >= 0.5 * last)) {
      find_equations(s, t, J, F);
      return invert(J, t->inverse);
    }
    last = way;
  }
  return 0;
}


//---- features ------------------------------------------------------------------------------------

// the furthest generator of a shape, and another one within a slack of it
static void choose_generators(const convexShape *s, const double n[3], double slack, int *count,
                              int generator[2])
{
  double point[3];
  generator[0] = convex_support(s, n, point);
  const double far = dot(n, point);
  double most = -INFINITY;
  for (int i = 0; i < convex_generators(s); i++) {
    if (i == generator[0]) continue;
    convex_point_of(s, i, n, point);
    if (dot(n, point) > most) most = dot(n, point), generator[1] = i;
  }
  *count = most >= far - slack ? 2 : 1;
}


// Leaves the end of a line that the place is beyond, and takes a generator that is further. Returns whether something has changed.
static int change_features(const convexShape s[2], convexTouch *t)
{
  static const double BEYOND = 1e-9;
  int changes = 0;
  for (int side = 0; side < 2; side++) {
    int *generator = t->generator[side];
    if (t->count[side] == 2 && (t->place[side] < -BEYOND || t->place[side] > 1 + BEYOND)) {
      if (t->place[side] > 1) generator[0] = generator[1];
      t->count[side] = 1;
      changes = 1;
    }
  }
  for (int side = 0; side < 2 && !changes; side++) {
    const double sign = side ? -1 : 1;
    const double n[3] = {sign * t->normal[0], sign * t->normal[1], sign * t->normal[2]};
    double own[3], best[3];
    const int furthest = convex_support(&s[side], n, best);
    convex_point_of(&s[side], t->generator[side][0], n, own);
    if (furthest == t->generator[side][0] || furthest == t->generator[side][1]) continue;
    if (!(dot(n, best) > dot(n, own) + BEYOND * t->size)) continue;
    if (t->count[side] == 2) return -1;
    t->generator[side][1] = furthest;
    t->count[side] = 2;
    changes = 1;
  }
  return changes;
}


// from the features within a slack of the axis
static int find_within(const convexShape s[2], const convexAxis *axis, double slack, convexTouch *t)
{
  enum { MAX_CHANGES = 8 };
  static const double NEAR = 0.9999;
  for (int side = 0; side < 2; side++) {
    const double sign = side ? -1 : 1, *n = axis->normal;
    t->generator[side][1] = -1;
    choose_generators(&s[side], (const double[3]){sign * n[0], sign * n[1], sign * n[2]}, slack,
                      &t->count[side], t->generator[side]);
  }
  for (int change = 0; change < MAX_CHANGES; change++) {
    memcpy(t->normal, axis->normal, sizeof t->normal);
    if (!convex_solve(s, t) || dot(t->normal, axis->normal) < NEAR) return 0;
    const int changes = change_features(s, t);
    if (changes <= 0) return changes == 0;
  }
  return 0;
}


int convex_find_touch(const convexShape s[2], const convexAxis *axis, convexTouch *t)
{
  static const double slack[] = {1e-5, 1e-7, 1e-3};
  const double size = s[0].size + s[1].size;
  for (int i = 0; i < 3; i++) {
    if (find_within(s, axis, slack[i] * size, t)) return 1;
  }
  return 0;
}
