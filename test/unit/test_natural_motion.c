// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Augmented Lagrangian methods on small systems: accelerations, projections, the family of rules, forces,
// drives, failures, saved states.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "natural/motion_work.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/natural_pendulums.h"


//---- small systems -------------------------------------------------------------------------------

// components of up to two terms
static int add_plane_form(naturalSystem *s, const naturalTerm x[2], const naturalTerm y[2])
{
  naturalComponent component[3] = {{.n = 2, .term = (naturalTerm[2]){x[0], x[1]}},
                                   {.n = 2, .term = (naturalTerm[2]){y[0], y[1]}},
                                   {0}};
  return natural_add_form(s, component);
}


// the point (q[i], q[i + 1])
static int add_point(naturalSystem *s, int i)
{
  return add_plane_form(s, (naturalTerm[2]){{i, 1}, {i, 0}}, (naturalTerm[2]){{i + 1, 1}, {i, 0}});
}


// (q[j] - q[i], ...), turned by a right angle where `turned`
static int add_arrow(naturalSystem *s, int i, int j, int turned)
{
  const naturalTerm dx[2] = {{j, 1}, {i, -1}}, dy[2] = {{j + 1, 1}, {i + 1, -1}};
  const naturalTerm minus_dy[2] = {{j + 1, -1}, {i + 1, 1}};
  return turned ? add_plane_form(s, minus_dy, dx) : add_plane_form(s, dx, dy);
}


static const naturalRow blank = {.x = -1, .y = -1, .w = -1, .scale = 1, .sign = 1, .drive = -1};


static void add_length(naturalSystem *s, const char *name, int form, double length)
{
  naturalRow row = blank;
  row.name = name;
  row.x = row.y = form;
  row.constant = length * length;
  row.scale = 1 / (2 * length);
  natural_add_row(s, &row);
}


// coordinate q is the angle of w in the plane of x and y
static void add_angle(naturalSystem *s, int x, int y, int w, int q)
{
  naturalRow row = blank;
  naturalTerm own = {q, 1};
  row.kind = NATURAL_ANGLE, row.name = "angle", row.x = x, row.y = y, row.w = w, row.nlinear = 1;
  row.linear = &own;
  natural_add_row(s, &row);
}


static naturalSystem *finish(naturalSystem *s)
{
  natural_finish(s);
  return keep_system(s);
}


static naturalMotion *start(const naturalSystem *s, const naturalForces *forces,
                            const motionOptions *o, const double *q, const double *v)
{
  naturalMotion *m = NULL;
  CHECK_WORKS(motion_create(&m, s, forces, o, 0, q, v, &check_error));
  return keep_motion(m);
}


static motionOptions options(motionMethod method, double step)
{
  motionOptions o = motion_default_options();
  o.method = method;
  o.step = step;
  return o;
}


// the double pendulum at its start
static naturalMotion *swing(motionOptions o)
{
  return start(keep_system(double_pendulum()), NULL, &o, double_pendulum_q, double_pendulum_v);
}


//---- forces: springs along single coordinates, V = k/2 x^2 + c/4 x^4, and dampers -----------------

typedef struct testSpring {
  const naturalSystem *s;
  int patch, q;
  double stiffness, cubic, damping;
  double slope; // of the last apply
  int calls, fail_after;
  artStatus failure;
} testSpring;


static artStatus spring_apply(void *context, double t, const double *q, const double *v, double *Q,
                              double *power, double *potential, artError *error)
{
  (void) t;
  testSpring *f = context;
  const double x = q[f->q], k = f->stiffness, c = f->cubic;
  if (f->fail_after > 0 && ++f->calls > f->fail_after) {
    if (f->failure) return base_fail(error, f->failure, base_nowhere(), "the spring broke");
    Q[f->q] = NAN;
  }
  Q[f->q] += -k * x - c * x * x * x - f->damping * v[f->q];
  *power -= f->damping * v[f->q] * v[f->q];
  if (potential) *potential += k * x * x / 2 + c * x * x * x * x / 4;
  f->slope = k + 3 * c * x * x;
  return ART_OK;
}


static void spring_tangent(void *context, double stiffness, double damping, double *values)
{
  const testSpring *f = context;
  const naturalPatch *patch = natural_patch(f->s, f->patch);
  values[patch->place[0]] += stiffness * f->slope + damping * f->damping;
}


// (V1 - V0) / (x1 - x0) without a difference
static artStatus spring_between(void *context, double t0, const double *q0, const double *v0,
                                double t1, const double *q1, const double *v1, double *Q,
                                double *power, artError *error)
{
  (void) t0, (void) t1, (void) error;
  const testSpring *f = context;
  const double a = q0[f->q], b = q1[f->q], rate = (v0[f->q] + v1[f->q]) / 2;
  Q[f->q] -= (a + b) / 2 * (f->stiffness + f->cubic * (a * a + b * b) / 2) + f->damping * rate;
  *power -= f->damping * rate * rate;
  return ART_OK;
}


static naturalForces spring_forces(testSpring *f)
{
  return (naturalForces){.apply = spring_apply,
                         .add_tangent = spring_tangent,
                         .apply_between = spring_between,
                         .context = f};
}


// one mass of 1 kg on a line, with a spring
static naturalSystem *oscillator(testSpring *f)
{
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, 1);
  natural_add_inertia(s, 1, 0);
  f->patch = natural_add_patch(s, 0, NULL, 1, (naturalTerm[]){{0, 1}});
  f->s = s;
  return finish(s);
}


//---- accelerations -------------------------------------------------------------------------------

// bars of 1 m and 1 kg, angles from the x axis, equations of the textbook
static void pendulum_closed_form(const double *th, const double *w, double *alpha)
{
  const double g = 9.81, c = cos(th[0] - th[1]), s = sin(th[0] - th[1]);
  const double M11 = 4.0 / 3, M12 = c / 2, M22 = 1.0 / 3;
  const double f1 = -s / 2 * w[1] * w[1] - 1.5 * g * cos(th[0]);
  const double f2 = s / 2 * w[0] * w[0] - 0.5 * g * cos(th[1]);
  const double det = M11 * M22 - M12 * M12;
  alpha[0] = (f1 * M22 - f2 * M12) / det;
  alpha[1] = (f2 * M11 - f1 * M12) / det;
}


// points, velocities and accelerations of the ends by angles, rates and their rates
static void pendulum_ends(const double *th, const double *w, const double *alpha, double *q,
                          double *v, double *a)
{
  double x[6] = {0};
  for (int i = 0; i < 2; i++) {
    const double c = cos(th[i]), s = sin(th[i]);
    x[0] += c;
    x[1] += s;
    x[2] -= s * w[i];
    x[3] += c * w[i];
    x[4] -= s * alpha[i] + c * w[i] * w[i];
    x[5] += c * alpha[i] - s * w[i] * w[i];
    memcpy(q + 2 * i, x, 2 * sizeof *q);
    memcpy(v + 2 * i, x + 2, 2 * sizeof *v);
    memcpy(a + 2 * i, x + 4, 2 * sizeof *a);
  }
}


TEST(accelerations_are_those_of_relative_coordinates)
{
  naturalSystem *s = keep_system(double_pendulum());
  uint64_t seed = 1;
  for (int trial = 0; trial < 200; trial++) {
    double th[2], w[2], alpha[2], q[4], v[4], want[4], a[4], lambda[2];
    for (int i = 0; i < 2; i++) {
      th[i] = check_uniform(&seed, -4, 4);
      w[i] = check_uniform(&seed, -10, 10);
    }
    pendulum_closed_form(th, w, alpha);
    pendulum_ends(th, w, alpha, q, v, want);

    motionOptions o = options(MOTION_INDEX1, 1e-3);
    o.penalty = trial % 2 ? 1e7 : 0;
    naturalMotion *m = start(s, NULL, &o, q, v);
    CHECK(motion_accelerations(m, 0, q, v, a, lambda, NULL) == ART_OK);
    CHECK_NEAR(a, want, 4, 1e-11 * 200);
    CHECK_NEAR(m->a, want, 4, 1e-11 * 200);
    CHECK(m->residual.acceleration < 1e-11);
  }
}


// x of A x = x by Gauss elimination with row pivoting
static void solve_six(double A[6][6], double *x)
{
  for (int k = 0; k < 6; k++) {
    int p = k;
    for (int i = k + 1; i < 6; i++) p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
    for (int j = 0; j < 6; j++) {
      const double kept = A[k][j];
      A[k][j] = A[p][j], A[p][j] = kept;
    }
    const double kept = x[k];
    x[k] = x[p], x[p] = kept;
    for (int i = 0; i < 6; i++) {
      const double f = i == k ? 0 : A[i][k] / A[k][k];
      for (int j = 0; j < 6; j++) A[i][j] -= f * A[k][j];
      x[i] -= f * x[k];
    }
  }
  for (int k = 0; k < 6; k++) x[k] /= A[k][k];
}


// Equation 4 of Cardenal, Cuadrado and Bayo with Baumgarte's terms, written out for the double pendulum,
//   M a + J^T lambda = Q,  J a = -c - 2 alpha phi' - beta^2 phi
// at positions and velocities off the constraints: index 1 with these terms has its accelerations.
TEST(baumgartes_terms_are_those_of_multipliers)
{
  naturalSystem *s = keep_system(double_pendulum());
  uint64_t seed = 5;
  for (int trial = 0; trial < 100; trial++) {
    double q[4], v[4], a[4], lambda[2];
    const double alpha = check_uniform(&seed, 0, 20), beta = check_uniform(&seed, 0, 20);
    for (int i = 0; i < 4; i++) v[i] = check_uniform(&seed, -3, 3);
    const double angle = check_uniform(&seed, -3, 3), other = check_uniform(&seed, -3, 3);
    q[0] = 1.01 * cos(angle), q[1] = 1.01 * sin(angle);
    q[2] = q[0] + 0.98 * cos(other), q[3] = q[1] + 0.98 * sin(other);

    // bars of 1 kg: 1/3 of it at each of their ends, 1/6 between them; rows |r1|^2 - 1 and |r2 - r1|^2 - 1
    const double d[2] = {q[2] - q[0], q[3] - q[1]}, w[2] = {v[2] - v[0], v[3] - v[1]};
    const double J[2][4] = {{2 * q[0], 2 * q[1], 0, 0}, {-2 * d[0], -2 * d[1], 2 * d[0], 2 * d[1]}};
    const double phi[2] = {q[0] * q[0] + q[1] * q[1] - 1, d[0] * d[0] + d[1] * d[1] - 1};
    const double rate[2] = {2 * (q[0] * v[0] + q[1] * v[1]), 2 * (d[0] * w[0] + d[1] * w[1])};
    const double c[2] = {2 * (v[0] * v[0] + v[1] * v[1]), 2 * (w[0] * w[0] + w[1] * w[1])};
    double A[6][6] = {{2.0 / 3, 0, 1.0 / 6},
                      {0, 2.0 / 3, 0, 1.0 / 6},
                      {1.0 / 6, 0, 1.0 / 3},
                      {0, 1.0 / 6, 0, 1.0 / 3}};
    double want[6] = {0, -9.81, 0, -9.81 / 2};
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 4; i++) A[4 + k][i] = A[i][4 + k] = J[k][i];
      want[4 + k] = -c[k] - 2 * alpha * rate[k] - beta * beta * phi[k];
    }
    solve_six(A, want);

    motionOptions o = options(MOTION_INDEX1, 1e-3);
    o.projection = PROJECTION_NONE;
    o.damping = 2 * alpha, o.stiffness = beta * beta;
    naturalMotion *m = start(s, NULL, &o, double_pendulum_q, double_pendulum_v);
    CHECK(motion_accelerations(m, 0, q, v, a, lambda, NULL) == ART_OK);
    CHECK_NEAR(a, want, 4, 1e-8);
  }
}


// K_alpha = alpha/2 phi'^T phi' (eq. 10) at the ends of steps, before they are projected
TEST(the_energy_of_the_penalty_system_is_recorded)
{
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3};
  for (int i = 0; i < 2; i++) {
    motionOptions o = options(methods[i], 0.02);
    o.penalty = 1e7;
    o.projection = PROJECTION_NONE;
    naturalMotion *free = swing(o);
    o.projection = PROJECTION_FULL;
    naturalMotion *held = swing(o);
    CHECK(motion_advance(free, 0.02, NULL) == ART_OK);
    CHECK(motion_advance(held, 0.02, NULL) == ART_OK);
    const double *q = free->q, *v = free->v;
    const double one = 2 * (q[0] * v[0] + q[1] * v[1]);
    const double two = 2 * ((q[2] - q[0]) * (v[2] - v[0]) + (q[3] - q[1]) * (v[3] - v[1]));
    const double want = 1e7 / 2 * (one * one + two * two);
    CHECK(want > 1e-4);
    CHECK_CLOSE_REL(free->largest_residual.energy, want, 1e-9);
    CHECK_CLOSE_REL(held->largest_open.energy, want, 1e-4);
    CHECK(held->largest_residual.energy < 1e-9 * want);
  }
}


// A parallelogram of cranks of 1 m, 2 m apart, turning: when all bars are in line, J loses a rank, and
// the machine could go on crossed as well.
TEST(singular_positions_are_passed)
{
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_CONSERVING};
  static const double bound[] = {1e-10, 1e-10, 1e-9};
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, 4);
  const int a = add_point(s, 0), b = add_point(s, 2), ab = add_arrow(s, 0, 2, 0);
  const int crank = natural_add_sum(s, 1, &b, (double[]){1}, (v3){-2, 0, 0});
  natural_add_mass(s, 1, a, a);
  natural_add_mass(s, 1, b, b);
  add_length(s, "body 'first crank'", a, 1);
  add_length(s, "body 'coupler'", ab, 2);
  add_length(s, "body 'second crank'", crank, 1);
  finish(s);

  for (int k = 0; k < 3; k++) {
    const double c = 0.5, z = sqrt(0.75), q[4] = {c, z, 2 + c, z};
    const double v[4] = {-3 * z, 3 * c, -3 * z, 3 * c};
    const motionOptions o = options(methods[k], 1e-3);
    naturalMotion *m = start(s, NULL, &o, q, v);
    CHECK(motion_advance(m, 5, NULL) == ART_OK);
    CHECK(m->largest_residual.position < 1e-8);
    CHECK(m->energy_error < bound[k]);
  }

  // in line: no acceleration along the bars but the centripetal one
  const double q[4] = {1, 0, 3, 0}, v[4] = {0, 3, 0, 3}, want[4] = {-9, 0, -9, 0};
  const motionOptions o = options(MOTION_INDEX3, 1e-3);
  naturalMotion *m = start(s, NULL, &o, q, v);
  CHECK_NEAR(m->a, want, 4, 1e-9);
}


//---- projections ---------------------------------------------------------------------------------

// the part of M x that no combination of the rows of J can push
static double free_part(const naturalSystem *s, const naturalState *x, const double *change)
{
  // the double pendulum's motions without strain: bars turned singly
  double Mx[4];
  natural_mass_times(s, change, Mx);
  const double *q = x->q, one[4] = {-q[1], q[0], -q[1], q[0]};
  const double two[4] = {0, 0, -(q[3] - q[1]), q[2] - q[0]};
  double a = 0, b = 0;
  for (int i = 0; i < 4; i++) {
    a += Mx[i] * one[i];
    b += Mx[i] * two[i];
  }
  return check_larger(fabs(a), fabs(b));
}


TEST(projections_meet_the_constraints_by_the_shortest_way)
{
  naturalSystem *s = keep_system(double_pendulum());
  naturalMotion *m = swing(options(MOTION_INDEX3, 1e-3));
  baseArena arena = {0};
  naturalState x;
  CHECK(natural_start_state(s, &x, &arena));
  uint64_t seed = 5;
  for (int trial = 0; trial < 50; trial++) {
    const double th[2] = {check_uniform(&seed, -3, 3), check_uniform(&seed, -3, 3)};
    const double w[2] = {check_uniform(&seed, -3, 3), check_uniform(&seed, -3, 3)};
    double q[4], v[4], a[4], change[4], rate[2];
    pendulum_ends(th, w, w, q, v, a);
    double off[4], off_rate[4];
    for (int i = 0; i < 4; i++) {
      off[i] = q[i] += check_uniform(&seed, -0.05, 0.05);
      off_rate[i] = v[i] += check_uniform(&seed, -1, 1);
    }

    CHECK(motion_factor_at(m, 0, q, NULL) == ART_OK);
    CHECK(motion_to_positions(m, 0, q, NULL) == ART_OK);
    natural_positions(s, &x, 0, q);
    CHECK_NEAR(x.phi, (double[2]){0}, 2, 2e-14);
    for (int i = 0; i < 4; i++) change[i] = q[i] - off[i];
    CHECK(free_part(s, &x, change) < 1e-9);

    CHECK(motion_project_velocities(m, 0, q, v, NULL) == ART_OK);
    natural_times(s, &x, v, rate);
    CHECK_NEAR(rate, (double[2]){0}, 2, 1e-12);
    for (int i = 0; i < 4; i++) change[i] = v[i] - off_rate[i];
    CHECK(free_part(s, &x, change) < 1e-8);
  }
  arena_free(&arena);
}


// |r1|^2 - 1 and |r2 - r1|^2 - 1, the larger of them, and of their rates
static motionResidual lengths_off(const double *q, const double *v)
{
  const double dx = q[2] - q[0], dy = q[3] - q[1], ux = v[2] - v[0], uy = v[3] - v[1];
  return (motionResidual){
      .position = check_larger(fabs(q[0] * q[0] + q[1] * q[1] - 1), fabs(dx * dx + dy * dy - 1)),
      .velocity = check_larger(2 * fabs(q[0] * v[0] + q[1] * v[1]), 2 * fabs(dx * ux + dy * uy))};
}


// A step of 20 ms without projections ends off the constraints, further when it began off them; the same step with
// projections ends on them and says how far off it was.
TEST(what_projections_take_out_is_recorded)
{
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_MULTI,
                                         MOTION_CONSERVING};
  static const double planted[] = {0, 1e-2};
  for (int i = 0; i < 8; i++) {
    motionOptions o = options(methods[i / 2], 0.02);
    o.upper = INFINITY;
    o.projection = PROJECTION_NONE;
    naturalMotion *free = swing(o);
    o.projection = PROJECTION_FULL;
    naturalMotion *held = swing(o);
    free->v[0] += planted[i % 2];
    held->v[0] += planted[i % 2];
    CHECK(motion_advance(free, 0.02, NULL) == ART_OK);
    CHECK(motion_advance(held, 0.02, NULL) == ART_OK);
    CHECK_EQ_INT(free->counts.steps, 1);
    CHECK_EQ_INT(held->counts.steps, 1);
    const motionResidual want = lengths_off(free->q, free->v);
    CHECK(want.velocity > (i % 2 ? 5e-3 : 1e-6));
    CHECK_CLOSE(held->largest_open.position, want.position, 1e-11);
    CHECK_CLOSE(held->largest_open.velocity, want.velocity, 1e-11);
    CHECK_EQ_INT(free->largest_open.position == 0 && free->largest_open.velocity == 0, 1);
    CHECK(held->residual.velocity < 1e-12);
  }
}


//---- the family of rules -------------------------------------------------------------------------

static void run_oscillator(motionOptions o, double stiffness, double damping, double x0, double t,
                           double *state)
{
  testSpring spring = {.stiffness = stiffness, .damping = damping};
  naturalSystem *s = oscillator(&spring);
  const naturalForces forces = spring_forces(&spring);
  naturalMotion *m = start(s, &forces, &o, (double[]){x0}, (double[]){0});
  CHECK(motion_advance(m, t, NULL) == ART_OK);
  state[0] = m->q[0];
  state[1] = m->v[0];
  state[2] = m->a[0];
  state[3] = m->energy;
  state[4] = m->energy_error;
  state[5] = (double) m->counts.rejected;
}


TEST(a_spectral_radius_of_one_is_the_trapezoidal_rule)
{
  // (1 + (h w)^2 / 4) x1 = ...: the angle of a step is 2 atan(h w / 2)
  const double h = 0.05, w = 3;
  double state[6];
  motionOptions o = options(MOTION_INDEX3, h);
  o.tolerance = 1e-14;
  run_oscillator(o, w * w, 0, 1, 2, state);
  const double angle = 40 * 2 * atan(h * w / 2);
  const double want[4] = {cos(angle), -w * sin(angle), -w * w * cos(angle), w * w / 2};
  CHECK_NEAR(state, want, 4, 1e-12);
}


// stiff oscillations shrink by the spectral radius in a step
TEST(the_spectral_radius_damps_what_is_stiff)
{
  static const double radii[] = {0.9, 0.5, 0.2};
  for (int i = 0; i < 3; i++) {
    double before[6], after[6];
    motionOptions o = options(MOTION_INDEX3, 1e-2);
    o.radius = radii[i];
    run_oscillator(o, 1e14, 0, 1e-3, 1.00, before);
    run_oscillator(o, 1e14, 0, 1e-3, 1.50, after);

    // a double root: n r^n
    CHECK_CLOSE(pow(fabs(after[2] / before[2]) / 1.5, 1.0 / 50), radii[i], 0.01 * radii[i]);
  }
}


TEST(all_rules_are_of_second_order)
{
  static const double radius[] = {1, 0.8, 0.5, 1, 1}, hht[] = {0, 0, 0, -0.05, -0.3};
  for (int i = 0; i < 5; i++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      double state[6];
      motionOptions o = options(MOTION_INDEX3, k ? 1e-3 : 2e-3);
      o.radius = radius[i], o.hht = hht[i], o.tolerance = 1e-13;
      run_oscillator(o, 9, 0, 1, 2, state);
      error[k] = fabs(state[0] - cos(6)) + fabs(state[1] / 3 + sin(6));
    }
    CHECK_CLOSE(log2(error[0] / error[1]), 2, 0.02);
  }
}


TEST(other_radii_are_refused)
{
  naturalSystem *s = keep_system(double_pendulum());
  naturalMotion *m;
  motionOptions o = options(MOTION_INDEX3, 1e-3);
  o.radius = 1.5;
  CHECK_FAILS(motion_create(&m, s, NULL, &o, 0, double_pendulum_q, double_pendulum_v, &check_error),
              ART_BAD_INPUT, "1.5");
  o.radius = 1;
  o.hht = 0.1;
  CHECK(motion_create(&m, s, NULL, &o, 0, double_pendulum_q, double_pendulum_v, &check_error) ==
        ART_BAD_INPUT);
  o.hht = 0;
  o.step = 0;
  CHECK(motion_create(&m, s, NULL, &o, 0, double_pendulum_q, double_pendulum_v, &check_error) ==
        ART_BAD_INPUT);
  CHECK(m == NULL);
}


//---- forces and their work -----------------------------------------------------------------------

TEST(damped_energy_is_accounted_for)
{
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_MULTI,
                                         MOTION_CONSERVING};
  static const double bound[] = {6e-6, 6e-6, 1e-3, 1e-13};
  for (int i = 0; i < 4; i++) {
    double state[6];
    run_oscillator(options(methods[i], 1e-3), 9, 0.4, 1, 2, state);
    CHECK(state[4] < bound[i]);
    CHECK(state[3] < 4.5 * 0.6);
  }
}


// passes alone would diverge: h^2 k / 4 = 25
TEST(index_1_solves_stiff_forces_by_newton)
{
  double state[6];
  const double h = 1e-3, w = 1e4;
  motionOptions o = options(MOTION_INDEX1, h);
  run_oscillator(o, w * w, 0, 1e-3, 0.1, state);
  const double angle = 100 * 2 * atan(h * w / 2);
  CHECK_CLOSE(state[0], 1e-3 * cos(angle), 1e-10);
  CHECK_CLOSE(state[5], 0, 0);
}


// without slopes it is halved until passes converge: h w / 2 < 1/2
TEST(a_step_that_does_not_converge_is_taken_in_parts)
{
  testSpring spring = {.stiffness = 1e8};
  naturalSystem *s = oscillator(&spring);
  naturalForces forces = spring_forces(&spring);
  forces.add_tangent = NULL;
  const motionOptions o = options(MOTION_INDEX1, 1e-3);
  naturalMotion *m = start(s, &forces, &o, (double[]){1e-3}, (double[]){0});
  CHECK(motion_advance(m, 0.01, NULL) == ART_OK);
  CHECK_CLOSE(m->t, 0.01, 1e-15);
  CHECK(m->counts.rejected >= 10);
  CHECK(m->counts.shortest <= 1.3e-4);
  CHECK_CLOSE(sqrt(m->q[0] * m->q[0] + m->v[0] * m->v[0] / 1e8), 1e-3, 1e-6);
}


// a bead of 1 kg on a curve, y = x^3/3 - x, with a spring along x: constraints that are no products
static artStatus cubic_value(void *context, const double *x, double *g, double *dg)
{
  (void) context;
  *g = x[1] - x[0] * x[0] * x[0] / 3 + x[0];
  dg[0] = 1 - x[0] * x[0];
  dg[1] = 1;
  return ART_OK;
}


static artStatus cubic_bias(void *context, const double *x, const double *v, double *bias)
{
  (void) context;
  *bias = -2 * x[0] * v[0] * v[0];
  return ART_OK;
}


static naturalSystem *bead(testSpring *f)
{
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, 2);
  const int r = add_point(s, 0);
  natural_add_mass(s, 1, r, r);
  natural_add_weight(s, (v3){0, -9.81, 0}, r);
  naturalRow row = blank;
  naturalTerm own[2] = {{0, 1}, {1, 1}};
  row.kind = NATURAL_USER, row.name = "relation 'curve'", row.nlinear = 2, row.linear = own;
  row.user = (naturalUser){cubic_value, cubic_bias, NULL};
  natural_add_row(s, &row);
  f->patch = natural_add_patch(s, 0, NULL, 1, (naturalTerm[]){{0, 1}});
  f->s = s;
  return finish(s);
}


TEST(relations_of_the_host_keep_the_energy)
{
  testSpring spring = {.stiffness = 30, .cubic = 40};
  naturalSystem *s = bead(&spring);
  const naturalForces forces = spring_forces(&spring);
  const motionOptions o = options(MOTION_CONSERVING, 0.02);
  const double q[2] = {1.2, 1.2 * 1.2 * 1.2 / 3 - 1.2}, v[2] = {0};
  naturalMotion *m = start(s, &forces, &o, q, v);
  CHECK(motion_advance(m, 10, NULL) == ART_OK);
  CHECK(m->energy_error < 1e-12);
  CHECK(m->largest_residual.position < 1e-13);
}


// A bar of two masses and a third mass hinged to it, free in the plane, a spring in the angle between:
// energy and momenta stay.
static double momentum(const naturalMotion *m, double *px, double *py)
{
  double turn = 0;
  *px = *py = 0;
  for (int i = 0; i < 6; i += 2) {
    turn += m->q[i] * m->v[i + 1] - m->q[i + 1] * m->v[i];
    *px += m->v[i];
    *py += m->v[i + 1];
  }
  return turn;
}


static naturalSystem *hinged_bars(testSpring *f)
{
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, 7);
  for (int i = 0; i < 6; i += 2) {
    const int r = add_point(s, i);
    natural_add_mass(s, 1, r, r);
  }
  const int x = add_arrow(s, 0, 2, 0), y = add_arrow(s, 0, 2, 1), w = add_arrow(s, 2, 4, 0);
  add_length(s, "body 'first'", x, 1);
  add_length(s, "body 'second'", w, 0.5);
  add_angle(s, x, y, w, 6);
  f->q = 6;
  f->patch = natural_add_patch(s, 0, NULL, 1, (naturalTerm[]){{6, 1}});
  f->s = s;
  return finish(s);
}


TEST(angles_keep_energy_and_momentum)
{
  testSpring spring = {.stiffness = 2, .cubic = 0.3};
  naturalSystem *s = hinged_bars(&spring);
  const naturalForces forces = spring_forces(&spring);
  const motionOptions o = options(MOTION_CONSERVING, 0.025);

  // straight, the first bar turning with 2 rad/s, the second with 7, all drifting
  const double q[7] = {0, 0, 1, 0, 1.5, 0, 0}, v[7] = {0.3, 0.1, 0.3, 2.1, 0.3, 5.6, 5};
  naturalMotion *m = start(s, &forces, &o, q, v);
  double px, py, turns = 0;
  const double turn = momentum(m, &px, &py);
  for (int i = 1; i <= 10; i++) {
    double x, y;
    CHECK(motion_advance(m, i, NULL) == ART_OK);
    CHECK_CLOSE(momentum(m, &x, &y), turn, 1e-12);
    CHECK_CLOSE(x, px, 1e-13);
    CHECK_CLOSE(y, py, 1e-13);
    turns = check_larger(turns, fabs(m->q[6]));
  }
  CHECK(m->energy_error < 1e-12);
  CHECK(turns > 0.6);
}


// and in the other methods to second order, to the same motion
TEST(angles_move_the_same_by_all_methods)
{
  testSpring spring = {.stiffness = 2, .cubic = 0.3};
  naturalSystem *s = hinged_bars(&spring);
  const naturalForces forces = spring_forces(&spring);
  const double q[7] = {0, 0, 1, 0, 1.5, 0, 0}, v[7] = {0.3, 0.1, 0.3, 2.1, 0.3, 5.6, 5};
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_CONSERVING};
  double limit[3][7];
  for (int k = 0; k < 3; k++) {
    double end[2][7];
    for (int i = 0; i < 2; i++) {
      const motionOptions o = options(methods[k], i ? 2.5e-4 : 5e-4);
      naturalMotion *m = start(s, &forces, &o, q, v);
      CHECK(motion_advance(m, 1, NULL) == ART_OK);
      memcpy(end[i], m->q, sizeof end[i]);
    }
    for (int i = 0; i < 7; i++) limit[k][i] = (4 * end[1][i] - end[0][i]) / 3;
  }
  CHECK_NEAR(limit[0], limit[1], 7, 1e-8);
  CHECK_NEAR(limit[0], limit[2], 7, 1e-8);
}


// 2 b - a0 would not do this
TEST(accelerations_of_the_conserving_method_stay_those_of_the_equations)
{
  naturalMotion *m = swing(options(MOTION_CONSERVING, 1e-4));
  double v[4], a[4], lambda[2];
  CHECK(motion_advance(m, 4, NULL) == ART_OK);
  memcpy(v, m->v, sizeof v);
  CHECK(motion_project_velocities(m, m->t, m->q, v, NULL) == ART_OK);
  CHECK(motion_accelerations(m, m->t, m->q, v, a, lambda, NULL) == ART_OK);
  CHECK_NEAR(m->a, a, 4, 1e-9);
  CHECK_NEAR(m->lambda, lambda, 2, 1e-6);
  CHECK(m->largest_residual.acceleration < 1e-3);
}


//---- drives --------------------------------------------------------------------------------------

// x = sin 2t
static void shake(void *context, double t, double *value, double *rate, double *acceleration)
{
  (void) context;
  *value = sin(2 * t);
  *rate = 2 * cos(2 * t);
  *acceleration = -4 * sin(2 * t);
}


// a pendulum of 1 m whose support is shaken along x
static naturalSystem *shaken_pendulum(void)
{
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, 4);
  const int support = add_point(s, 0), end = add_point(s, 2), bar = add_arrow(s, 0, 2, 0);
  natural_add_mass(s, 1, support, support);
  natural_add_mass(s, 1, end, end);
  natural_add_weight(s, (v3){0, -9.81, 0}, end);
  add_length(s, "body 'bar'", bar, 1);
  for (int i = 0; i < 2; i++) {
    naturalRow row = blank;
    naturalTerm own = {i, 1};
    row.name = i ? "joint 'rail'" : "drive 'shake'", row.nlinear = 1, row.linear = &own;
    row.drive = i ? -1 : 0;
    natural_add_row(s, &row);
  }
  s->ndrive = 1;
  s->drive = shake;
  return finish(s);
}


TEST(the_work_of_a_drive_balances_the_energy)
{
  static const double q[4] = {0, 0, 0, -1}, v[4] = {2, 0, 2, 0};
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_CONSERVING};
  static const double bound[] = {2e-5, 2e-5, 1e-10};
  for (int k = 0; k < 3; k++) {
    naturalSystem *s = shaken_pendulum();
    const motionOptions o = options(methods[k], 1e-3);
    naturalMotion *m = start(s, NULL, &o, q, v);
    double work = 0;
    for (int i = 1; i <= 50; i++) {
      CHECK(motion_advance(m, 0.1 * i, NULL) == ART_OK);
      work = check_larger(work, fabs(m->work));
    }
    CHECK_CLOSE(m->q[0], sin(2 * m->t), 1e-11);
    CHECK(work > 1);
    CHECK(m->energy_error < bound[k]);
  }
}


//---- failures ------------------------------------------------------------------------------------

static void stretch(void *context, double t, double *value, double *rate, double *acceleration)
{
  (void) context;
  *value = 1 + t;
  *rate = 1;
  *acceleration = 0;
}


// a bar of 1 m, pinned at the origin, whose end is driven along x beyond its reach at t = 0.5
static naturalSystem *bar_with_short_reach(void)
{
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, 2);
  const int end = add_point(s, 0);
  natural_add_mass(s, 1, end, end);
  add_length(s, "body 'bar'", end, 1.5);
  naturalRow row = blank;
  naturalTerm own = {0, 1};
  row.name = "drive 'pull'", row.nlinear = 1, row.linear = &own, row.drive = 0;
  natural_add_row(s, &row);
  s->ndrive = 1;
  s->drive = stretch;
  return finish(s);
}


// velocities beyond all measure: the tangent overflows, but masses are not to blame
TEST(what_runs_away_is_named_by_its_constraint)
{
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_CONSERVING};
  for (int k = 0; k < 3; k++) {
    naturalMotion *m = swing(options(methods[k], 0.01));
    m->v[0] = 1e200;
    CHECK_FAILS(motion_advance(m, 1, &check_error), ART_NO_CONVERGENCE, "iterations");
    CHECK_CONTAINS(check_error.text, "largest residual");
  }
}


TEST(what_nothing_holds_is_named)
{
  naturalSystem *s = natural_begin();
  natural_add_coordinates(s, 2);
  natural_add_inertia(s, 1, 0);
  finish(s);
  const double zero[2] = {0};
  const motionOptions o = options(MOTION_INDEX1, 0.01);
  naturalMotion *m;
  CHECK_FAILS(motion_create(&m, s, NULL, &o, 0, zero, zero, &check_error), ART_SINGULAR,
              "neither masses nor constraints hold natural coordinate 1");
}


TEST(what_cannot_be_reached_is_named)
{
  const double y = sqrt(1.25), q[2] = {1, y}, v[2] = {1, -1 / y};
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_CONSERVING};
  for (int k = 0; k < 3; k++) {
    naturalSystem *s = bar_with_short_reach();
    const motionOptions o = options(methods[k], 0.01);
    naturalMotion *m = start(s, NULL, &o, q, v);
    artError error = {0};
    CHECK(motion_advance(m, 0.4, &error) == ART_OK);
    CHECK(motion_advance(m, 1, &error) == ART_NO_CONVERGENCE);
    double when = 0;
    CHECK(sscanf(error.text, "t = %lf s", &when) == 1);
    CHECK_CLOSE(when, 0.5, 1e-4);
    CHECK_CONTAINS(error.text, "iterations");
    CHECK(strstr(error.text, "body 'bar'") || strstr(error.text, "drive 'pull'"));

    // the state stays at the last good step
    CHECK(m->t < 0.5 + 1e-9);
    CHECK(m->residual.position < 1e-6);
    for (int i = 0; i < 2; i++) CHECK(fabs(m->q[i]) < 2);
  }
}


TEST(failing_forces_stop_the_motion_where_it_was)
{
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_MULTI};
  for (int k = 0; k < 6; k++) {
    testSpring spring = {.stiffness = 9, .fail_after = 100};
    spring.failure = k < 3 ? ART_BAD_INPUT : ART_OK;
    naturalSystem *s = oscillator(&spring);
    const naturalForces forces = spring_forces(&spring);
    const motionOptions o = options(methods[k % 3], 1e-3);
    naturalMotion *m = start(s, &forces, &o, (double[]){1}, (double[]){0});
    artError error = {0};
    CHECK(motion_advance(m, 1, &error) == (k < 3 ? ART_BAD_INPUT : ART_NO_CONVERGENCE));
    if (k < 3) CHECK_TEXT(error.text, "the spring broke");
    CHECK(m->t > 0.01 && m->t < 1);
    CHECK_CLOSE(m->q[0], cos(3 * m->t), 1e-4);
  }
}


//---- within a step, saved states -----------------------------------------------------------------

static void run_to(motionOptions o, double t, double *state)
{
  naturalMotion *m = swing(o);
  CHECK(motion_advance(m, t, NULL) == ART_OK);
  motion_save(m, state);
}


TEST(a_saved_state_goes_on_bit_by_bit)
{
  for (int method = MOTION_INDEX1; method <= MOTION_CONSERVING; method++) {
    motionOptions o = options((motionMethod) method, 1e-3);
    o.upper = 1e-9;
    o.lower = 1e-11;
    o.radius = method == MOTION_INDEX3 ? 0.8 : 1;
    double want[80], kept[80], got[80];
    run_to(o, 2, want);

    naturalMotion *m = swing(o);
    CHECK(motion_state_count(m) <= 80);
    CHECK(motion_advance(m, 1.2345, NULL) == ART_OK);
    motion_save(m, kept);
    CHECK(motion_advance(m, 1.5, NULL) == ART_OK);

    // in another motion, and back in the same
    naturalMotion *other = swing(o);
    motion_load(other, kept);
    motion_load(m, kept);
    CHECK(motion_advance(other, 2, NULL) == ART_OK);
    motion_save(other, got);
    CHECK(memcmp(want, got, motion_state_count(m) * sizeof *want) == 0);
    CHECK(motion_advance(m, 2, NULL) == ART_OK);
    motion_save(m, got);
    CHECK(memcmp(want, got, motion_state_count(m) * sizeof *want) == 0);
  }
}


TEST(stops_are_reached_to_the_last_bit_and_leave_the_motion_as_it_is)
{
  for (int method = MOTION_INDEX1; method <= MOTION_CONSERVING; method++) {
    motionOptions o = options((motionMethod) method, 1e-3);
    naturalMotion *m = swing(o);
    naturalMotion *stopped = swing(o);
    double stop = 0;
    for (int k = 0; k < 40; k++) {
      // many steps, one, a part of one, hardly any, a rounding
      static const double way[] = {0.01, 1e-3, 3.3e-4, 2e-6, 1e-16};
      stop += way[k % 5];
      motion_stop(stopped, stop);
      CHECK(motion_advance(stopped, stop, NULL) == ART_OK);
      CHECK(stopped->t == stop);
    }
    motion_stop(stopped, INFINITY);
    CHECK(motion_advance(stopped, 0.2, NULL) == ART_OK);
    CHECK(stopped->counts.steps < 300 && stopped->t > 0.19 && stopped->t <= 0.2);
    CHECK(motion_advance(m, stopped->t, NULL) == ART_OK);
    double q[4], v[4], a[4], lambda[2], work;
    CHECK(motion_peek(m, stopped->t, q, v, a, lambda, NULL, &work, NULL) == ART_OK);
    const double apart = method == MOTION_MULTI ? 5e-5 : 2e-6; // steps of other lengths
    CHECK_NEAR(stopped->q, q, 4, apart);
    CHECK_NEAR(stopped->v, v, 4, 10 * apart);
    CHECK(stopped->energy_error < 2 * m->energy_error + 1e-9);
  }
}


TEST(a_peek_sees_what_a_shorter_step_would_and_changes_nothing)
{
  for (int method = MOTION_INDEX1; method <= MOTION_CONSERVING; method++) {
    naturalMotion *m = swing(options((motionMethod) method, 1e-3));
    double before[80], after[80], q[4], v[4], a[4], lambda[2], work;
    CHECK(motion_advance(m, 0.5, NULL) == ART_OK);
    const size_t bytes = motion_state_count(m) * sizeof *before;
    motion_save(m, before);

    // at the state itself, and shortly after it
    CHECK(motion_peek(m, m->t, q, v, a, lambda, NULL, &work, NULL) == ART_OK);
    CHECK(memcmp(q, m->q, sizeof q) == 0 && memcmp(a, m->a, sizeof a) == 0);
    static const double delay[] = {1e-12, 1e-7, 3e-5, 5e-4};
    for (int k = 0; k < 4; k++) {
      CHECK(motion_peek(m, m->t + delay[k], q, v, a, lambda, NULL, &work, NULL) == ART_OK);
      motion_save(m, after);
      CHECK(memcmp(before, after, bytes) == 0);
      for (int i = 0; i < 4; i++) {
        const double straight = m->q[i] + delay[k] * (m->v[i] + delay[k] / 2 * m->a[i]);
        CHECK_CLOSE(q[i], straight, 1e-12 + 2e2 * pow(delay[k], 3));
        CHECK_CLOSE(a[i], m->a[i], 0.5);
      }
    }

    // a peek of a whole step is that step
    if (method != MOTION_MULTI) {
      CHECK(motion_peek(m, m->t + 1e-3, q, v, a, lambda, NULL, &work, NULL) == ART_OK);
      CHECK(motion_advance(m, m->t + 1e-3, NULL) == ART_OK);
      CHECK_NEAR(q, m->q, 4, 1e-15);
      CHECK_NEAR(v, m->v, 4, 1e-12);
    }
  }
}


TEST(whole_steps_end_at_the_multiples_of_the_step)
{
  naturalMotion *m = swing(options(MOTION_INDEX3, 1e-3));
  CHECK(motion_advance(m, 0.9995, NULL) == ART_OK);
  CHECK_EQ_INT(m->counts.steps, 999);
  CHECK(motion_advance(m, 1, NULL) == ART_OK);
  CHECK_EQ_INT(m->counts.steps, 1000);
  CHECK(m->t == 1000 * 1e-3);
  CHECK_CLOSE(m->h, 1e-3, 0);
}


//---- algebra and memory --------------------------------------------------------------------------

TEST(dense_and_sparse_algebra_agree)
{
  double state[2][80];
  for (int k = 0; k < 2; k++) {
    motionOptions o = options(MOTION_INDEX3, 1e-3);
    o.algebra = k ? POSITIVE_SPARSE : POSITIVE_DENSE;
    run_to(o, 1, state[k]);
  }
  CHECK_NEAR(state[0], state[1], 12, 1e-9);
}


TEST(memory_that_runs_out_is_reported)
{
  naturalSystem *s = double_pendulum();
  const motionOptions o = options(MOTION_INDEX3, 1e-3);
  artStatus status = ART_NO_MEMORY;
  for (long n = 1; status == ART_NO_MEMORY && n < 1000; n++) {
    naturalMotion *m;
    artError error = {0};
    heap_fail_at(n);
    status = motion_create(&m, s, NULL, &o, 0, double_pendulum_q, double_pendulum_v, &error);
    CHECK(status == ART_OK || status == ART_NO_MEMORY);
    CHECK((m == NULL) == (status != ART_OK));
    motion_free(m);
    CHECK_EQ_INT(heap_live(), 0);
  }
  heap_unwatch();
  CHECK_EQ_INT(status, ART_OK);
  natural_free(s);
}
