// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Systems in natural coordinates: derivatives against differences, masses and weights against sums.
#include <math.h>
#include <string.h>

#include "natural/system.h"
#include "support/check.h"

enum { N = 9, ROWS = 4 };

static uint64_t seed = 7;

// a relation of the host: x0 x1 - sin x0
static artStatus user_value(void *context, const double *x, double *g, double *dg)
{
  (void) context;
  *g = x[0] * x[1] - sin(x[0]);
  dg[0] = x[1] - cos(x[0]);
  dg[1] = x[0];
  return ART_OK;
}


static artStatus user_bias(void *context, const double *x, const double *v, double *bias)
{
  (void) context;
  *bias = 2 * v[0] * v[1] + sin(x[0]) * v[0] * v[0];
  return ART_OK;
}


static void ramp(void *context, double t, double *value, double *rate, double *acceleration)
{
  (void) context;
  *value = t * t;
  *rate = 2 * t;
  *acceleration = 2;
}


static int random_form(naturalSystem *s)
{
  naturalTerm term[3][3];
  naturalComponent c[3];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) {
      term[k][i] =
          (naturalTerm){(int) check_uniform(&seed, 0, N - 1.001), check_uniform(&seed, -1, 1)};
    }
    c[k] = (naturalComponent){3, term[k], check_uniform(&seed, -1, 1)};
  }
  return natural_add_form(s, c);
}


static naturalSystem *sample(void)
{
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, N);
  int f[5];
  for (int i = 0; i < 5; i++) f[i] = random_form(s);
  naturalTerm own = {N - 1, 1}, pair[2] = {{2, 1}, {0, 1}};
  // clang-format off
  const naturalRow rows[ROWS] = {
      {.name = "a", .x = f[0], .y = f[1], .w = -1, .scale = 0.5, .constant = 0.3, .drive = 0,
       .nlinear = 1, .linear = &own},
      {.name = "b", .x = f[2], .y = f[2], .w = -1, .scale = 2, .drive = -1},
      {.kind = NATURAL_ANGLE, .name = "c", .x = f[1], .y = f[3], .w = f[4], .sign = -1,
       .nlinear = 1, .linear = &own, .drive = -1},
      {.kind = NATURAL_USER, .name = "d", .x = -1, .y = -1, .w = -1, .nlinear = 2, .linear = pair,
       .drive = -1, .user = {user_value, user_bias, NULL}}};
  // clang-format on
  for (int r = 0; r < ROWS; r++) natural_add_row(s, &rows[r]);
  natural_add_mass(s, 2, f[0], f[0]);
  natural_add_mass(s, 0.5, f[0], f[3]);
  natural_add_inertia(s, 0.7, 4);
  natural_add_weight(s, (v3){1, -2, 3}, f[1]);
  s->ndrive = 1;
  s->drive = ramp;
  natural_finish(s);
  return s;
}


static void random_vector(double *x)
{
  for (int i = 0; i < N; i++) x[i] = check_uniform(&seed, -1, 1);
}


static void move(double *to, const double *q, double h, const double *v)
{
  for (int i = 0; i < N; i++) to[i] = q[i] + h * v[i];
}


TEST(the_jacobian_is_the_derivative_of_the_constraints)
{
  naturalSystem *s = sample();
  baseArena arena = {0};
  naturalState x;
  CHECK(natural_start_state(s, &x, &arena));
  for (int trial = 0; trial < 20; trial++) {
    double q[N], v[N], moved[N], plus[ROWS], minus[ROWS], Jv[ROWS];
    random_vector(q);
    random_vector(v);
    const double t = 0.4, h = 1e-5;
    move(moved, q, h, v);
    natural_positions(s, &x, t + h, moved);
    memcpy(plus, x.phi, sizeof plus);
    move(moved, q, -h, v);
    natural_positions(s, &x, t - h, moved);
    memcpy(minus, x.phi, sizeof minus);
    natural_positions(s, &x, t, q);
    natural_times(s, &x, v, Jv);
    for (int r = 0; r < ROWS; r++) {
      const double slope = (plus[r] - minus[r]) / (2 * h);
      CHECK_CLOSE(Jv[r] + x.phi_t[r], slope, 1e-7 * check_larger(1, fabs(slope)));
    }
  }
  arena_free(&arena);
  natural_free(s);
}


TEST(the_bias_is_what_is_left_of_the_second_derivative)
{
  naturalSystem *s = sample();
  baseArena arena = {0};
  naturalState x;
  CHECK(natural_start_state(s, &x, &arena));
  for (int trial = 0; trial < 20; trial++) {
    double q[N], v[N], moved[N], rate[2][ROWS];
    random_vector(q);
    random_vector(v);
    const double t = 0.4, h = 1e-5;
    for (int side = 0; side < 2; side++) {
      const double step = side ? h : -h;
      move(moved, q, step, v);
      natural_positions(s, &x, t + step, moved);
      natural_times(s, &x, v, rate[side]);
      for (int r = 0; r < ROWS; r++) rate[side][r] += x.phi_t[r];
    }
    natural_positions(s, &x, t, q);
    natural_velocities(s, &x, v);
    for (int r = 0; r < ROWS; r++) {
      const double second = (rate[1][r] - rate[0][r]) / (2 * h);
      CHECK_CLOSE(x.bias[r], second, 1e-6 * check_larger(1, fabs(second)));
    }
  }
  arena_free(&arena);
  natural_free(s);
}


static void full(const naturalSystem *s, const double *values, double A[N][N])
{
  for (int j = 0; j < N; j++) {
    for (int k = 0; k < N; k++) A[j][k] = 0;
  }
  for (int j = 0; j < N; j++) {
    for (int k = s->pattern.start[j]; k < s->pattern.start[j + 1]; k++) {
      A[s->pattern.row[k]][j] = A[j][s->pattern.row[k]] = values[k];
    }
  }
}


TEST(curvature_is_the_derivative_of_j_t_mu_the_tangent_m_m_a_j_t_j)
{
  naturalSystem *s = sample();
  baseArena arena = {0};
  naturalState x;
  CHECK(natural_start_state(s, &x, &arena));
  double *values = arena_alloc(&arena, (size_t) s->pattern.start[N], sizeof *values);
  for (int trial = 0; trial < 20; trial++) {
    double q[N], v[N], moved[N], A[N][N], side[2][N] = {{0}};
    const double mu[ROWS] = {check_uniform(&seed, -1, 1), check_uniform(&seed, -1, 1),
                             check_uniform(&seed, -1, 1), 0};
    random_vector(q);
    random_vector(v);
    const double h = 1e-5;
    for (int k = 0; k < 2; k++) {
      move(moved, q, k ? h : -h, v);
      natural_positions(s, &x, 0, moved);
      natural_add_transposed(s, &x, mu, side[k]);
    }
    natural_positions(s, &x, 0, q);
    memset(values, 0, (size_t) s->pattern.start[N] * sizeof *values);
    natural_add_curvature(s, &x, mu, 3, values);
    full(s, values, A);
    for (int i = 0; i < N; i++) {
      double sum = 0;
      for (int j = 0; j < N; j++) sum += A[i][j] * v[j];
      const double slope = 3 * (side[1][i] - side[0][i]) / (2 * h);
      CHECK_CLOSE(sum, slope, 1e-6 * check_larger(1, fabs(slope)));
    }

    natural_tangent(s, &x, 2, 5, values);
    full(s, values, A);
    double Mv[N], Jv[ROWS], want[N];
    natural_mass_times(s, v, Mv);
    natural_times(s, &x, v, Jv);
    for (int r = 0; r < ROWS; r++) Jv[r] *= 5;
    for (int i = 0; i < N; i++) want[i] = 2 * Mv[i];
    natural_add_transposed(s, &x, Jv, want);
    for (int i = 0; i < N; i++) {
      double sum = 0;
      for (int j = 0; j < N; j++) sum += A[i][j] * v[j];
      CHECK_CLOSE(sum, want[i], 1e-11 * check_larger(1, fabs(want[i])));
    }
  }
  arena_free(&arena);
  natural_free(s);
}


TEST(kinetic_energy_is_that_of_the_forms_weight_that_of_its_point)
{
  naturalSystem *s = sample();
  baseArena arena = {0};
  naturalState x;
  CHECK(natural_start_state(s, &x, &arena));
  double q[N], v[N], scratch[N];
  random_vector(q);
  random_vector(v);
  natural_positions(s, &x, 0, q);
  natural_velocities(s, &x, v);
  double want = 0.5 * 0.7 * v[4] * v[4];
  const v3 a = natural_form_rate(s, 0, v), b = natural_form_rate(s, 3, v);
  want += 0.5 * 2 * v3_dot(a, a) + 0.5 * v3_dot(a, b);
  CHECK_CLOSE(natural_kinetic(s, v, scratch), want, 1e-13);

  double potential = s->weight_0;
  for (int i = 0; i < N; i++) potential -= s->weight[i] * q[i];
  const double *p = x.form + 3;
  CHECK_CLOSE(potential, -(p[0] - 2 * p[1] + 3 * p[2]), 1e-13);
  arena_free(&arena);
  natural_free(s);
}


TEST(rows_without_coordinates_are_left_out_equal_forms_are_recognised)
{
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, 2);
  naturalTerm term = {0, 1};
  const int moving = natural_add_form(s, (naturalComponent[3]){{1, &term, 0}, {0}, {0}});
  const int still = natural_add_form(s, (naturalComponent[3]){{0}, {0, NULL, 1}, {0}});
  const int twice = natural_add_sum(s, 2, (int[]){moving, moving}, (double[]){0.5, 0.5}, (v3){0});
  CHECK(natural_same_forms(s, moving, twice));
  CHECK(!natural_same_forms(s, moving, still));
  CHECK(s->form[3 * still + 1].n == 0 && s->form[3 * moving].n == 1);
  naturalRow row = {.name = "x", .x = moving, .y = still, .w = -1, .scale = 1, .drive = -1};
  CHECK(natural_add_row(s, &row) == -2);
  row.y = moving;
  CHECK(natural_add_row(s, &row) == 0);
  natural_finish(s);
  natural_free(s);
}
