// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Linearised machines against closed forms.
#include "study/study.h"
#include "support/keep.h"
#include "unit/study_models.h"


static artLinear *linearise(const artModel *m, artData *d)
{
  artLinear *lin = NULL;
  CHECK_WORKS(art_linearise(m, d, ART_ORDER_N, &lin, &check_error));
  return keep_linear(lin);
}


static artLinear *linearise_machine(artBuilder *b)
{
  const artModel *m = keep_model(finish(b));
  return linearise(m, keep_fresh_data(m));
}


TEST(a_damped_mass_on_a_spring_has_its_frequency_and_damping)
{
  const double mass = 2.5, k = 400, c = 8;
  artBuilder *b = slider_builder(mass, 0, 0);
  put_joint_spring(b, "spring", "slide", k, c, 0);
  artLinear *lin = linearise_machine(b);

  const double w = sqrt(k / mass), zeta = c / (2 * sqrt(k * mass)), hertz = w / (2 * PI);
  CHECK_EQ_INT(lin->n, 1);
  CHECK_CLOSE_REL(lin->M[0], mass, 1e-15);
  CHECK_CLOSE_REL(lin->C[0], c, 1e-11);
  CHECK_CLOSE_REL(lin->K[0], k, 1e-12);
  const double A[4] = {0, 1, -k / mass, -c / mass};
  CHECK_REL(lin->A, A, 4, 1e-11);
  const double re[2] = {-zeta * w, -zeta * w}, im = w * sqrt(1 - zeta * zeta);
  const double ims[2] = {-im, im}, both_hertz[2] = {hertz, hertz}, both_zeta[2] = {zeta, zeta};
  CHECK_REL(lin->real, re, 2, 1e-11);
  CHECK_REL(lin->imaginary, ims, 2, 1e-11);
  CHECK_REL(lin->frequency, both_hertz, 2, 1e-12);
  CHECK_REL(lin->damping, both_zeta, 2, 1e-11);
  const double ones[2] = {1, 1}, zeros[2] = {0, 0};
  CHECK_NEAR(lin->mode_real, ones, 2, 0);
  CHECK_NEAR(lin->mode_imaginary, zeros, 2, 0);
  CHECK_NEAR(lin->share, ones, 2, 1e-15);
}


TEST(a_double_pendulum_has_its_two_frequencies_and_modes)
{
  artLinear *lin = linearise_machine(double_pendulum_builder());

  // in relative angles: M and K of the straight hanging position
  const double m2 = TWO.m2, sum = TWO.m1 + TWO.m2, l1 = TWO.l1, l2 = TWO.l2, g = GRAVITY;
  const double M22 = m2 * l2 * l2, M12 = M22 + m2 * l1 * l2;
  const double M11 = sum * l1 * l1 + M22 + 2 * m2 * l1 * l2;
  const double K22 = m2 * g * l2, K11 = sum * g * l1 + K22;
  const double M[4] = {M11, M12, M12, M22}, K[4] = {K11, K22, K22, K22}, C[4] = {0, 0, 0, 0};
  CHECK_REL(lin->M, M, 4, 1e-14);
  CHECK_REL(lin->K, K, 4, 1e-12);
  CHECK_NEAR(lin->C, C, 4, 1e-12);

  // det(K - s M) = 0, s = w^2
  const double a = M11 * M22 - M12 * M12, p = K11 * M22 + K22 * M11 - 2 * K22 * M12;
  const double c = K11 * K22 - K22 * K22, root = sqrt(p * p - 4 * a * c);
  const double w[2] = {sqrt((p - root) / (2 * a)), sqrt((p + root) / (2 * a))};
  const double hertz[4] = {w[0] / (2 * PI), w[0] / (2 * PI), w[1] / (2 * PI), w[1] / (2 * PI)};
  const double im[4] = {-w[0], w[0], -w[1], w[1]}, none[4] = {0, 0, 0, 0};
  CHECK_REL(lin->frequency, hertz, 4, 1e-12);
  CHECK_REL(lin->imaginary, im, 4, 1e-12);
  CHECK_NEAR(lin->damping, none, 4, 1e-12);

  for (int i = 0; i < 4; i++) {
    // (K - w^2 M) x = 0, the largest component 1, the shares of x^T M x
    const double s = w[i / 2] * w[i / 2];
    const double x1 = -(K22 - s * M12), x2 = K11 - s * M11;
    const double most = fabs(x1) > fabs(x2) ? x1 : x2, x[2] = {x1 / most, x2 / most};
    const double e1 = x[0] * (M11 * x[0] + M12 * x[1]), e2 = x[1] * (M12 * x[0] + M22 * x[1]);
    const double share[2] = {e1 / (e1 + e2), e2 / (e1 + e2)};
    CHECK_NEAR(lin->mode_real + 2 * i, x, 2, 1e-11);
    CHECK_NEAR(lin->mode_imaginary + 2 * i, none, 2, 1e-11);
    CHECK_NEAR(lin->share + 2 * i, share, 2, 1e-11);
  }
}


// A mass on a spring with a damper, and a wheel that the mass turns: a0 = -k x0 - c v0, a1 = b x0. The wheel's angle is felt by
// rounding alone, as that of a wheel on a road; yet its part of the oscillation is x1 = b x0 / lambda^2.
TEST(rounding_of_a_coordinate_that_nothing_depends_on_is_no_mode)
{
  const double k = 2000, c = 12, b = 300, inertia = 0.5;
  double A[16] = {0, 0, 1, 0, 0, 0, 0, 1, -k, -5e-41, -c, 0, b, 7e-42, 0, 0};
  double M[4] = {1, 0, 0, inertia}, R[4] = {1, 0, 0, 1}, value[16], mode[48] = {0}, all[48];
  int which[2] = {0, 1};
  artLinear lin = {
      .n = 2, .nspeed = 2, .order = 4, .nall = 2, .all = which, .M = M, .A = A, .R = R};
  lin.real = value, lin.imaginary = value + 4, lin.frequency = value + 8, lin.damping = value + 12;
  lin.mode_real = mode, lin.mode_imaginary = mode + 8, lin.share = mode + 16;
  lin.shape_real = all, lin.shape_imaginary = all + 8, lin.shape_share = all + 16;
  baseArena arena = {.leaves = 1};
  mode_find(&lin, 9.81, 2, M, &arena);
  arena_free(&arena);

  // |x1 / x0| = b / |lambda|^2 = b / k
  const double turned = b / k, wheel = inertia * turned * turned / (1 + inertia * turned * turned);
  const double share[2] = {1 - wheel, wheel}, imaginary = sqrt(k - c * c / 4);
  CHECK_CLOSE_REL(lin.imaginary[3], imaginary, 1e-12);
  for (int e = 2; e < 4; e++) {
    CHECK_NEAR(lin.share + 2 * e, share, 2, 1e-12);
    CHECK_NEAR(lin.shape_share + 2 * e, share, 2, 1e-12);
    CHECK_CLOSE_REL(hypot(lin.mode_real[2 * e + 1], lin.mode_imaginary[2 * e + 1]), turned, 1e-12);
  }
}


// a body in the middle of six springs along the axes, attached at distance r from its centre
TEST(a_free_body_in_a_suspension_has_six_frequencies)
{
  const double mass = 4, J[3] = {0.2, 0.3, 0.25}, r = 0.1, length = 0.7, k = 150, f = 12;
  artBuilder *b = art_create_builder();
  weightless(b);
  put_body(b, "box", mass, 0, 0, 0, J[0], J[1], J[2]);
  put_joint(b, "free", ART_FREE, "ground", "box", ORIGIN, Z);
  for (int i = 0; i < 6; i++) {
    const double s = i % 2 ? -1 : 1;
    const double at[3] = {i / 2 == 0 ? s : 0, i / 2 == 1 ? s : 0, i / 2 == 2 ? s : 0};
    char here[16], there[16], spring[16], from[32], to[32];
    snprintf(here, sizeof here, "p%d", i);
    snprintf(there, sizeof there, "g%d", i);
    snprintf(spring, sizeof spring, "s%d", i);
    snprintf(from, sizeof from, "ground.%s", there);
    snprintf(to, sizeof to, "box.%s", here);
    const double far = r + length;
    put_frame(b, "box", here, r * at[0], r * at[1], r * at[2]);
    put_frame(b, "ground", there, far * at[0], far * at[1], far * at[2]);
    put_spring(b, spring, from, to, k, 0, length - f / k); // tension f
  }
  artLinear *lin = linearise_machine(b);

  // along: 2 k + 4 f / length; turning: four springs across, each f (r + r^2 / length)
  const double along = 2 * k + 4 * f / length, about = 4 * f * (r + r * r / length);
  double want[36] = {0};
  for (int i = 0; i < 6; i++) want[7 * i] = i < 3 ? along : about;
  CHECK_NEAR(lin->K, want, 36, 1e-9);
  const double hertz[8] = {sqrt(about / J[1]), sqrt(about / J[1]), sqrt(about / J[2]),
                           sqrt(about / J[2]), sqrt(about / J[0]), sqrt(about / J[0]),
                           sqrt(along / mass), sqrt(along / mass)};
  for (int i = 0; i < 8; i++) {
    CHECK_CLOSE_REL(2 * PI * lin->frequency[i], hertz[i], 1e-9);
  }
}


TEST(a_ball_joint_swings_as_its_moments_of_inertia_say)
{
  const double mass = 1.5, l = 0.8, Jx = 0.05, Jy = 0.11, Jz = 0.08;
  artBuilder *b = art_create_builder();
  put_body(b, "bob", mass, 0, 0, -l, Jx, Jy, Jz);
  put_joint(b, "ball", ART_SPHERICAL, "ground", "bob", ORIGIN, Z);

  // turned about the vertical: the axes of the body differ from the axes of ground
  art_set_initial(b, "ball.qw", cos(0.4));
  art_set_initial(b, "ball.qz", sin(0.4));
  artLinear *lin = linearise_machine(b);
  const double K[9] = {mass * GRAVITY * l, 0, 0, 0, mass * GRAVITY * l, 0, 0, 0, 0};
  CHECK_NEAR(lin->K, K, 9, 1e-11);
  const double slow = sqrt(mass * GRAVITY * l / (Jy + mass * l * l)) / (2 * PI);
  const double fast = sqrt(mass * GRAVITY * l / (Jx + mass * l * l)) / (2 * PI);
  const double hertz[6] = {0, 0, slow, slow, fast, fast};
  CHECK_NEAR(lin->frequency, hertz, 6, 1e-9);
}


// An upright top on a point turns about its axis by wz. In axes that do not turn with it, the lean
// x + i y obeys  A z'' - i C wz z' - m g l z = 0; in its own axes frequencies differ by wz.
TEST(a_fast_top_nutates_and_precesses)
{
  const double mass = 0.6, l = 0.15, Jc = 0.002, C = 0.003, wz = 150;
  const double A = Jc + mass * l * l, mgl = mass * GRAVITY * l;
  artBuilder *b = art_create_builder();
  put_body(b, "top", mass, 0, 0, l, Jc, Jc, C);
  put_joint(b, "point", ART_SPHERICAL, "ground", "top", ORIGIN, Z);
  art_set_initial(b, "point.wz", wz);
  artLinear *lin = linearise_machine(b);

  const double root = sqrt(C * C * wz * wz - 4 * A * mgl);
  const double slow = (C * wz - root) / (2 * A), fast = (C * wz + root) / (2 * A);
  double own[2] = {fabs(slow - wz), fabs(fast - wz)};
  if (own[0] > own[1]) own[0] = fabs(fast - wz), own[1] = fabs(slow - wz);
  const double want[6] = {0, 0, own[0], own[0], own[1], own[1]};
  for (int i = 0; i < 6; i++) {
    const double w = fabs(lin->imaginary[i]), zero = 0;
    CHECK_CLOSE(w, want[i], 1e-8);
    CHECK_CLOSE(lin->real[i], zero, 1e-7);
  }

  // with M, C, K alone the same: det(s^2 M + s C + K) vanishes at s = i w for the leaning pair
  for (int i = 0; i < 2; i++) {
    const double w = own[i];
    double re[4], im[4];
    for (int j = 0; j < 2; j++) {
      for (int k = 0; k < 2; k++) {
        re[2 * j + k] = lin->K[3 * j + k] - w * w * lin->M[3 * j + k];
        im[2 * j + k] = w * lin->C[3 * j + k];
      }
    }
    const double zero[2] = {0, 0};
    const double det[2] = {re[0] * re[3] - im[0] * im[3] - re[1] * re[2] + im[1] * im[2],
                           re[0] * im[3] + im[0] * re[3] - re[1] * im[2] - im[1] * re[2]};
    CHECK_NEAR(det, zero, 2, 1e-9 * w * w * w * w * A * A);
  }
}


// a rotating pendulum in a driven frame: steady motion about a vertical axis
TEST(a_governor_swings_about_its_steady_lean)
{
  // arm at the angle q from the vertical turns with W: cos q = g / (l W^2), frequency W sin q
  const double l = 0.5, W = 6, q = acos(GRAVITY / (l * W * W));
  artBuilder *b = art_create_builder();
  put_body(b, "shaft", 1, 0, 0, 0, 1, 1, 1);
  put_body(b, "arm", 0.8, 0, 0, -l, 0, 0, 0);
  put_joint(b, "bearing", ART_REVOLUTE, "ground", "shaft", ORIGIN, Z);
  put_joint(b, "pin", ART_REVOLUTE, "shaft", "arm", ORIGIN, Y);
  put_drive(b, "motor", "bearing.angle", "6*time");
  art_set_initial(b, "pin.angle", q);
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  artLinear *lin = linearise(m, d);
  CHECK_EQ_INT(lin->n, 1);
  CHECK_EQ_INT(lin->coordinate[0], art_find_velocity(m, "pin.rate"));
  const double w = W * sin(q) / (2 * PI), both[2] = {w, w};
  CHECK_REL(lin->frequency, both, 2, 1e-11);
}


// rates of the state x = (dq, dv) of a disturbed motion, from accelerations
static void rates_at(const artModel *m, artData *d, const double *q, const double *v,
                     const double *dq, const double *dv, double *a)
{
  const artCounts n = art_count(m);
  memcpy(d->q, q, (size_t) n.nq * sizeof *q);
  for (int k = 0; k < n.nv; k++) d->v[k] = v[k] + dv[k];
  art_move(m, d->q, dq);
  art_update(m, d);
  CHECK_EQ_INT(art_accelerate(m, d, ART_MASS_MATRIX, NULL), ART_OK);
  memcpy(a, d->a, (size_t) n.nv * sizeof *a);
}


static artBuilder *mixed_builder(void)
{
  const double at[3] = {0.3, 0.1, -0.2}, far[3] = {0.6, 0.1, -0.5};
  artBuilder *b = art_create_builder();
  put_body(b, "base", 2, 0.1, 0, 0, 0.2, 0.3, 0.25);
  put_body(b, "arm", 1, 0.4, 0.1, -0.3, 0.05, 0.04, 0.03);
  put_body(b, "hand", 0.5, 0.7, 0, -0.5, 0.01, 0.015, 0.012);
  put_joint(b, "free", ART_FREE, "ground", "base", ORIGIN, Z);
  put_joint(b, "ball", ART_SPHERICAL, "base", "arm", at, Z);
  put_joint(b, "wrist", ART_UNIVERSAL, "arm", "hand", far, X);
  put_frame(b, "ground", "hook", 0.3, 0.4, 1);
  put_spring(b, "spring", "ground.hook", "arm", 60, 2, 0.7);
  const artJointFrictionDef friction = {"friction", "wrist.angle1", 0.5, 0.8, 0.3, 0.1, 0.05};
  art_add_joint_friction(b, &friction);
  return b;
}


TEST(about_a_moving_state_A_is_what_differences_of_accelerations_say)
{
  artModel *m = keep_model(finish(mixed_builder()));
  artData *d = keep_fresh_data(m);
  enum { NV = 11, NQ = 13 };
  CHECK_EQ_INT(art_count(m).nv, NV);
  uint64_t seed = 5;
  double q[NQ], v[NV], move[NV];
  for (int k = 0; k < NV; k++) {
    move[k] = check_uniform(&seed, -0.5, 0.5);
    v[k] = check_uniform(&seed, -2, 2);
  }
  art_move(m, d->q, move);
  memcpy(q, d->q, sizeof q);
  memcpy(d->v, v, sizeof v);
  artLinear *lin = linearise(m, d);

  // the data is as it was
  CHECK_NEAR(d->q, q, NQ, 1e-15);
  CHECK_NEAR(d->v, v, NV, 0);

  const double h = 1e-5, zero[NV] = {0};
  for (int j = 0; j < 2 * NV; j++) {
    double step[2 * NV] = {0}, ahead[NV], behind[NV], want[NV], got[NV];
    for (int side = 1; side >= -1; side -= 2) {
      step[j] = side * h;
      rates_at(m, d, q, v, j < NV ? step : zero, j < NV ? zero : step + NV,
               side > 0 ? ahead : behind);
    }
    for (int i = 0; i < NV; i++) {
      want[i] = (ahead[i] - behind[i]) / (2 * h);
      got[i] = lin->A[(NV + i) * 2 * NV + j];
    }
    CHECK_NEAR(got, want, NV, 1e-6);
  }
}


// two neighbouring motions draw apart as the linearised equations say, rotations included
TEST(neighbouring_motions_part_as_A_says)
{
  artBuilder *b = art_create_builder();
  weightless(b);
  put_body(b, "body", 2, 0, 0, 0, 0.2, 0.3, 0.25);
  put_joint(b, "ball", ART_SPHERICAL, "ground", "body", ORIGIN, Z);
  art_set_initial(b, "ball.wz", 3);
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
  artLinear *lin = linearise(m, d);

  // steady spin about z: the solution of the linearised equations is exact in the small
  const double small = 1e-5, t = 0.01, dq[3] = {small, -2 * small, 3 * small};
  const double dv[3] = {-small, 2 * small, small};
  art_move(m, e->q, dq);
  for (int k = 0; k < 3; k++) e->v[k] += dv[k];
  const artRunDef study = run_study(ART_DOPRI5, t, 1e-13);
  artRun *one = keep_started_run(m, d, &study);
  artRun *two = keep_started_run(m, e, &study);
  CHECK_EQ_INT(art_run_to(one, t, NULL), ART_OK);
  CHECK_EQ_INT(art_run_to(two, t, NULL), ART_OK);

  // rotation vector from the one to the other: 2 vec(conj(e1) e2)
  const double *p = d->q, *r = e->q;
  const double got[6] = {2 * (p[0] * r[1] - p[1] * r[0] - p[2] * r[3] + p[3] * r[2]),
                         2 * (p[0] * r[2] - p[2] * r[0] - p[3] * r[1] + p[1] * r[3]),
                         2 * (p[0] * r[3] - p[3] * r[0] - p[1] * r[2] + p[2] * r[1]),
                         e->v[0] - d->v[0],
                         e->v[1] - d->v[1],
                         e->v[2] - d->v[2]};

  // exp(A t) x by its series
  double x[6] = {dq[0], dq[1], dq[2], dv[0], dv[1], dv[2]}, term[6];
  memcpy(term, x, sizeof x);
  for (int k = 1; k < 12; k++) {
    double next[6] = {0};
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) next[i] += lin->A[6 * i + j] * term[j] * t / k;
    }
    memcpy(term, next, sizeof term);
    for (int i = 0; i < 6; i++) x[i] += term[i];
  }
  CHECK_NEAR(got, x, 6, 2e-4 * small);
}


TEST(sharp_friction_is_resolved)
{
  // at rest the slope of the friction is breakaway / transition + viscous, over some mm/s only
  artBuilder *b = slider_builder(2, 0, 0);
  put_joint_spring(b, "spring", "slide", 50, 0, 0);
  const artJointFrictionDef friction = {"dry", "slide", 3, 5, 0.01, 1e-3, 0.7};
  art_add_joint_friction(b, &friction);
  artLinear *lin = linearise_machine(b);
  CHECK_CLOSE_REL(lin->C[0], 5 / 1e-3 + 0.7, 1e-9);
}


TEST(forces_on_an_edge_are_linearised_on_their_side)
{
  // a one-sided spring at its edge: the segment of the state counts on both sides
  const double x[] = {-1, 0, 1}, f[] = {0, 0, 30};
  artBuilder *b = slider_builder(2, 0, 0);
  const artJointSpringDef spring = {.name = "spring",
                                    .coordinate = "slide",
                                    .rest = -0.001,
                                    .spring = {ART_LAW_PIECEWISE, 0, 3, x, f}};
  art_add_joint_spring(b, &spring);
  artLinear *lin = linearise_machine(b);
  CHECK_CLOSE_REL(lin->K[0], 30, 1e-12);
}


// Pieces of one law that meet where the machine is have the slope of the law, however they are written.
static void check_corner(const char *law, double slope)
{
  artModel *m = keep_text_of("articula: 1\nbodies: {b: {mass: 2}}\n"
                             "joints: {rail: {type: prismatic, axis: x, from: ground, to: b}}\n"
                             "forces: {pull: %s}\ninitial: {rail: {rate: 12}}\n",
                             law);
  artData *d = keep_fresh_data(m);
  artLinear *lin = linearise(m, d);
  if (!CHECK(lin)) return;
  if (!CHECK_CLOSE_REL(lin->C[0], -slope, 1e-9)) printf("  %s\n", law);
  CHECK(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK && d->a[0] == 0);
}


TEST(laws_that_meet_at_a_corner_have_the_slope_of_the_whole)
{
#define FORCE(formula) "{type: joint-force, coordinate: rail, value: '= 10[N s/m]*(" formula ")'}"
  check_corner("{type: cruise, coordinate: rail, frame: b, speed: 12 m/s, gain: 800, drive: 600, "
               "brake: 900}",
               -800);
  check_corner(FORCE("max(rail.rate - 12[m/s], 0) + min(rail.rate - 12[m/s], 0)"), 10);
  check_corner(FORCE("max(0, rail.rate - 12[m/s]) + min(0, rail.rate - 12[m/s])"), 10);
  check_corner(FORCE("max(rail.rate - 12[m/s], 0) - max(12[m/s] - rail.rate, 0)"), 10);
  check_corner(FORCE("clamp(rail.rate - 12[m/s], 0, 1[m/s]) + min(rail.rate, 12[m/s]) - 12[m/s]"),
               10);
#undef FORCE
}


TEST(a_machine_without_freedom_has_no_modes)
{
  artBuilder *b = slider_builder(2, 0, 0);
  put_drive(b, "drive", "slide", "time");
  artLinear *lin = linearise_machine(b);
  CHECK_EQ_INT(lin->n, 0);
  art_free_linear(NULL);
}


//---- inputs and outputs --------------------------------------------------------------------------

TEST(a_mass_pushed_through_a_lag_has_its_state_space)
{
  const double m = 2.5, k = 400, c = 8, T = 0.5;
  artModel *model = keep_text(
      "articula: 1\n"
      "inputs: {f: {unit: N, default: 2, limits: [-1e4, 1e4]}, w: {unit: N}}\n"
      "states: {push: {unit: N, rate: '= (f - push)/0.5[s]'}}\n"
      "bodies: {b: {mass: 2.5}}\n"
      "joints: {rail: {type: prismatic, axis: x, from: ground, to: b}}\n"
      "forces:\n"
      "  spring: {type: joint-spring, coordinate: rail, stiffness: 400, damping: 8}\n"
      "  pull: {type: joint-force, coordinate: rail, value: = push + w}\n"
      "outputs: {x: rail.slide, accel: rail.accel, sum: = push + 3*w, energy: energy.total}\n");
  artData *d = keep_fresh_data(model);
  d->q[0] = 0.1;
  d->v[0] = -0.3;
  art_update(model, d);
  artLinear *lin = linearise(model, d);
  CHECK_EQ_INT(lin->order, 3);
  CHECK_EQ_INT(lin->ninput, 2);
  CHECK_EQ_INT(lin->noutput, 4);

  const double A[9] = {0, 1, 0, -k / m, -c / m, 1 / m, 0, 0, -1 / T};
  const double B[6] = {0, 0, 0, 1 / m, 1 / T, 0};
  const double Cy[12] = {1, 0, 0, -k / m, -c / m, 1 / m, 0, 0, 1, k * 0.1, m * -0.3, 0};
  const double Dy[8] = {0, 0, 0, 1 / m, 0, 3, 0, 0};
  CHECK_NEAR(lin->A, A, 9, 1e-9);
  CHECK_NEAR(lin->B, B, 6, 1e-12);
  CHECK_NEAR(lin->Cy, Cy, 12, 1e-9);
  CHECK_NEAR(lin->Dy, Dy, 8, 1e-12);
  CHECK_CLOSE(d->u[0], 2, 0);
}


TEST(an_output_that_jumps_does_not_spoil_the_others)
{
  artModel *m = keep_text("articula: 1\n"
                          "bodies: {b: {mass: 2}}\n"
                          "joints: {rail: {type: prismatic, axis: x, from: ground, to: b}}\n"
                          "outputs: {stairs: '= floor(1e6*rail.slide/1[m])', cube: = rail.slide^3, "
                          "large: = 1e12*rail.rate}\n");
  artData *d = keep_fresh_data(m);
  d->q[0] = 0.7;
  art_update(m, d);
  artLinear *lin = linearise(m, d);
  CHECK_CLOSE_REL(lin->Cy[2], 3 * 0.49, 1e-10);
  CHECK_CLOSE_REL(lin->Cy[5], 1e12, 1e-10);
}


TEST(an_output_that_is_no_number_is_named)
{
  artModel *m = keep_text("articula: 1\n"
                          "bodies: {b: {mass: 2}}\n"
                          "joints: {rail: {type: prismatic, axis: x, from: ground, to: b}}\n"
                          "outputs:\n"
                          "  good: = rail.slide\n"
                          "  root: = sqrt(rail.slide/1[m])\n");
  artData *d = keep_fresh_data(m);
  artLinear *lin = NULL;
  d->q[0] = -0.7;
  art_update(m, d);
  CHECK_FAILS(art_linearise(m, d, ART_ORDER_N, &lin, &check_error), ART_NO_CONVERGENCE,
              "machine.yaml:6:11: output 'root' is ");
  CHECK(!lin && d->q[0] == -0.7);
  d->q[0] = 0.7;
  art_update(m, d);
  CHECK(art_linearise(m, d, ART_ORDER_N, &lin, NULL) == ART_OK);
  art_free_linear(lin);
}
