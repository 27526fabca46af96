// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Orientations as three numbers along a curve (loop/rotation_vector.h), against differences of quaternions.
#include <math.h>

#include "loop/rotation_vector.h"
#include "support/check.h"

enum { CASES = 200 };

static const double none[3] = {0, 0, 0};

// derivatives by differences of the fourth order
#define H 1e-3
static const double away[4] = {-2 * H, -H, H, 2 * H};
static const double weight[4] = {1 / (12 * H), -2 / (3 * H), 2 / (3 * H), -1 / (12 * H)};


static void random_vector(uint64_t *seed, double size, double v[3])
{
  for (int i = 0; i < 3; i++) v[i] = check_uniform(seed, -size, size);
}


static void random_quaternion(uint64_t *seed, double e[4])
{
  double length = 0;
  for (int i = 0; i < 4; i++) e[i] = check_uniform(seed, -1, 1), length += e[i] * e[i];
  for (int i = 0; i < 4; i++) e[i] /= sqrt(length);
}


// every other one spins idly
static loopTurn random_turn(uint64_t *seed, int number)
{
  loopTurn turn = {0};
  double s[3];
  random_vector(seed, 1, s);
  turn_set_axes(&turn, number % 2 ? s : none);
  CHECK_EQ_INT(turn.idle >= 0, number % 2);
  return turn;
}


// a cubic curve, x(t); the spin, where there is one, goes its own way
typedef struct curve {
  double c[4][3];
} curve;


static curve random_curve(uint64_t *seed)
{
  curve k;
  for (int i = 0; i < 4; i++) random_vector(seed, 0.7, k.c[i]);
  return k;
}


static void along_curve(const curve *k, double t, double x[3], double dx[3], double ddx[3])
{
  for (int i = 0; i < 3; i++) {
    x[i] = k->c[0][i] + t * (k->c[1][i] + t * (k->c[2][i] + t * k->c[3][i]));
    dx[i] = k->c[1][i] + t * (2 * k->c[2][i] + t * 3 * k->c[3][i]);
    ddx[i] = 2 * k->c[2][i] + t * 6 * k->c[3][i];
  }
}


static void orientation(const loopTurn *turn, const curve *k, const double base[4], double t,
                        double e[4])
{
  double x[3], dx[3], ddx[3];
  along_curve(k, t, x, dx, ddx);
  turn_put(turn, base, x, e);
}


// angular velocity in the turned axes
static void velocity_by_differences(const loopTurn *turn, const curve *k, const double base[4],
                                    double t, double w[3])
{
  double here[4] = {1, 0, 0, 0}, u[3];
  orientation(turn, k, base, t, here);
  for (int i = 0; i < 3; i++) w[i] = 0;
  for (int n = 0; n < 4; n++) {
    double there[4] = {here[0], here[1], here[2], here[3]};
    orientation(turn, k, base, t + away[n], there);
    turn_between(here, there, u);
    for (int i = 0; i < 3; i++) w[i] += weight[n] * u[i];
  }
}


// w = along u' + e3 x3' with u = t
static void velocity_by_chart(const loopTurn *turn, const curve *k, double t, double w[3],
                              double dw[3])
{
  double x[3], dx[3], ddx[3];
  turnMotion m;
  along_curve(k, t, x, dx, ddx);
  turn_along(turn, x, dx, ddx, &m);
  const int spins = turn->idle >= 0;
  for (int i = 0; i < 3; i++) {
    w[i] = m.along[i] + (spins ? turn->axis[2][i] * dx[2] : 0);
    dw[i] = m.bend[i] + (spins ? turn->axis[2][i] * ddx[2] + m.twist[i] * dx[2] : 0);
  }
}


static void acceleration_by_differences(const loopTurn *turn, const curve *k, double t,
                                        double dw[3])
{
  double w[3], unused[3];
  for (int i = 0; i < 3; i++) dw[i] = 0;
  for (int n = 0; n < 4; n++) {
    velocity_by_chart(turn, k, t + away[n], w, unused);
    for (int i = 0; i < 3; i++) dw[i] += weight[n] * w[i];
  }
}


TEST(velocities_and_accelerations_are_derivatives)
{
  uint64_t seed = 3;
  for (int n = 0; n < CASES; n++) {
    const loopTurn turn = random_turn(&seed, n);
    const curve k = random_curve(&seed);
    const double t = check_uniform(&seed, -0.5, 0.5);
    double base[4], w[3], dw[3], want[3];
    random_quaternion(&seed, base);
    velocity_by_chart(&turn, &k, t, w, dw);
    velocity_by_differences(&turn, &k, base, t, want);
    CHECK_NEAR(w, want, 3, 1e-9);
    acceleration_by_differences(&turn, &k, t, want);
    CHECK_NEAR(dw, want, 3, 1e-8);
  }
}


TEST(numbers_are_read_as_they_were_put)
{
  uint64_t seed = 5;
  for (int n = 0; n < CASES; n++) {
    const loopTurn turn = random_turn(&seed, n);
    double base[4], e[4] = {1, 0, 0, 0}, x[3], again[3];
    random_quaternion(&seed, base);
    random_vector(&seed, n < 20 ? 1e-9 : 1.5, x);
    turn_put(&turn, base, x, e);
    turn_read(&turn, base, e, again);
    const double full = turn.idle >= 0 ? 2 * acos(-1.0) : 0;
    if (full > 0) again[2] = x[2] + remainder(again[2] - x[2], full);
    CHECK_NEAR(again, x, 3, 1e-14);
    for (int i = 0; i < 4; i++) e[i] *= -1.5;
    turn_read(&turn, base, e, again);
    if (full > 0) again[2] = x[2] + remainder(again[2] - x[2], full);
    CHECK_NEAR(again, x, 3, 1e-14);
  }
}


TEST(rates_are_those_of_the_velocity)
{
  uint64_t seed = 7;
  for (int n = 0; n < CASES; n++) {
    const loopTurn turn = random_turn(&seed, n);
    const curve k = random_curve(&seed);
    double x[3], dx[3], ddx[3], w[3], dw[3], rates[3];
    along_curve(&k, 0.3, x, dx, ddx);
    velocity_by_chart(&turn, &k, 0.3, w, dw);
    turn_rates(&turn, x, w, rates);
    CHECK_NEAR(rates, dx, 3, 1e-13);
  }
}


// of two quaternions for one orientation the nearer
TEST(signs_are_kept)
{
  const loopTurn turn = random_turn(&(uint64_t){1}, 0);
  const double base[4] = {1, 0, 0, 0}, x[3] = {0.1, 0.2, 0.3};
  double e[4] = {-1, 0, 0, 0}, f[4] = {1, 0, 0, 0};
  turn_put(&turn, base, x, e);
  turn_put(&turn, base, x, f);
  CHECK(e[0] < 0 && f[0] > 0);
  for (int i = 0; i < 4; i++) CHECK(e[i] == -f[i]);
}
