// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines of which the equations can be written down: pendulum, top, gyroscope, screw and plane on
// an incline, counterweight, Hooke's joint, hanging chain.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"

static const double g = 9.81;


//---- one body on one joint -----------------------------------------------------------------------

typedef struct single {
  artModel *m;
  artData *d;
} single;


__attribute__((format(printf, 1, 2))) static single read_machine(const char *format, ...)
{
  char text[2000];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  artModel *m = keep_text(text);
  return (single){m, keep_fresh_data(m)};
}


// the body "body" on the joint "j"
#define ONE(body, joint)                                                                           \
  "articula: 1\nground: {frames: {slope: {orientation: {axis: y, angle: 0.3}}}}\n"                 \
  "bodies: {body: {" body "}}\njoints: {j: {to: body, " joint "}}\n"


static void accelerate(single *s)
{
  double a[16];
  art_update(s->m, s->d);
  CHECK(art_accelerate(s->m, s->d, ART_MASS_MATRIX, NULL) == ART_OK);
  const int nv = art_count(s->m).nv;
  memcpy(a, s->d->a, (size_t) nv * sizeof *a);
  CHECK(art_accelerate(s->m, s->d, ART_ORDER_N, NULL) == ART_OK);
  CHECK_NEAR(a, s->d->a, nv, 1e-12);
}


//---- rotation ------------------------------------------------------------------------------------


TEST(a_compound_pendulum_swings)
{
  single s = read_machine(ONE("mass: 2, com: [0, 0, -0.6], inertia: [0.1, 0.3, 0.3]",
                              "type: revolute, axis: y, from: ground"));
  for (int k = 0; k < 10; k++) {
    s.d->q[0] = 0.4 * k - 2;
    s.d->v[0] = 3;
    accelerate(&s);
    const double want = -2 * g * 0.6 * sin(s.d->q[0]) / (0.3 + 2 * 0.36);
    CHECK_CLOSE(s.d->a[0], want, 1e-13);

    // the pin carries weight and centrifugal force
    double f[3], t[3];
    const double l = 0.6, q = s.d->q[0], w = 3, al = want;
    CHECK(art_reaction(s.m, s.d, "j", f, t, NULL) == ART_OK);
    const double fx = 2 * l * (-cos(q) * al + sin(q) * w * w);
    const double fz = 2 * (l * (sin(q) * al + cos(q) * w * w) + g);
    CHECK_NEAR(f, ((double[3]){fx, 0, fz}), 3, 1e-12);
    CHECK_NEAR(t, ((double[3]){0, 0, 0}), 3, 1e-12);
  }
}


TEST(free_bodies_obey_euler)
{
  const double I[3] = {0.4, 0.7, 0.9};
  single s = read_machine(ONE("mass: 3, inertia: [0.4, 0.7, 0.9]", "type: free, from: ground"));
  uint64_t seed = 7;
  for (int k = 0; k < 20; k++) {
    sample_numbers(&seed, 1, 7, s.d->q);
    art_normalise(s.m, s.d->q);
    sample_numbers(&seed, 4, 6, s.d->v);
    accelerate(&s);
    const double *w = s.d->v + 3;
    const double want[6] = {0,
                            0,
                            -g,
                            (I[1] - I[2]) * w[1] * w[2] / I[0],
                            (I[2] - I[0]) * w[2] * w[0] / I[1],
                            (I[0] - I[1]) * w[0] * w[1] / I[2]};
    CHECK_NEAR(s.d->a, want, 6, 1e-12);
  }
}


// Euler's equations about the fixed point, the weight at (0, 0, l) of the body
TEST(a_ball_joint_lets_a_spherical_pendulum_swing)
{
  const double m = 2, l = -0.8, It = 0.05 + m * l * l, Ia = 0.03;
  single s = read_machine(ONE("mass: 2, com: [0, 0, -0.8], inertia: [0.05, 0.05, 0.03]",
                              "type: spherical, from: ground"));
  uint64_t seed = 9;
  for (int k = 0; k < 20; k++) {
    sample_numbers(&seed, 1, 4, s.d->q);
    art_normalise(s.m, s.d->q);
    sample_numbers(&seed, 4, 3, s.d->v);
    accelerate(&s);

    // the vertical in the axes of the body: third row of the rotation matrix
    const double *e = s.d->q, *w = s.d->v;
    const double ux = 2 * (e[1] * e[3] - e[0] * e[2]), uy = 2 * (e[2] * e[3] + e[0] * e[1]);
    const double want[3] = {((It - Ia) * w[1] * w[2] + m * g * l * uy) / It,
                            ((Ia - It) * w[2] * w[0] - m * g * l * ux) / It, 0};
    CHECK_NEAR(s.d->a, want, 3, 1e-12);
  }
}


// It W^2 cos(theta) - Ia w3 W + m g l = 0: the tip goes round in a circle
TEST(a_top_precesses_steadily)
{
  const double m = 1, l = 0.2, Ia = 0.01, It = 0.02 + m * l * l, theta = 0.6, w3 = 90;
  single s = read_machine(ONE("mass: 1, com: [0, 0, 0.2], inertia: [0.02, 0.02, 0.01]",
                              "type: spherical, from: ground"));
  const double root = sqrt(Ia * Ia * w3 * w3 - 4 * It * cos(theta) * m * g * l);
  const double W = (Ia * w3 - root) / (2 * It * cos(theta));

  // tilted about x by theta; the body's axes turn with spin about z and precession about the vertical
  s.d->q[0] = cos(theta / 2), s.d->q[1] = sin(theta / 2);
  s.d->v[1] = W * sin(theta);
  s.d->v[2] = w3;
  accelerate(&s);
  double a[3], al[3];
  art_frame_acceleration(s.m, s.d, art_find_frame(s.m, "body"), a, al);
  CHECK_NEAR(a, ((double[3]){0, 0, 0}), 3, 1e-13);

  // angular velocity is carried round: d(omega)/dt = W z x omega
  double v[3], w[3];
  art_frame_velocity(s.m, s.d, art_find_frame(s.m, "body"), v, w);
  CHECK_NEAR(w,
             ((double[3]){0, W * sin(theta) * cos(theta) - w3 * sin(theta),
                          W * sin(theta) * sin(theta) + w3 * cos(theta)}),
             3, 1e-12);
  CHECK_NEAR(al, ((double[3]){-W * w[1], W * w[0], 0}), 3, 1e-10);
}


// a disk that spins about x on an arm that turns about z pushes back with I w W about y
TEST(a_gyroscope_pushes_back)
{
  single s = read_machine(
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "bodies: {arm: {mass: 1, inertia: [1, 1, 1]}, disk: {mass: 2, inertia: [0.5, 0.3, 0.3]}}\n"
      "joints:\n"
      "  turn: {type: revolute, axis: z, from: ground, to: arm}\n"
      "  spin: {type: revolute, axis: x, from: arm, to: disk}\n");
  const double W = 3, w = 40;
  s.d->v[art_find_velocity(s.m, "turn.rate")] = W;
  s.d->v[art_find_velocity(s.m, "spin.rate")] = w;
  accelerate(&s);
  double f[3], t[3];
  CHECK(art_reaction(s.m, s.d, "spin", f, t, NULL) == ART_OK);
  CHECK_NEAR(f, ((double[3]){0, 0, 0}), 3, 1e-13);
  CHECK_NEAR(t, ((double[3]){0, 0.5 * w * W, 0}), 3, 1e-12);
  CHECK_NEAR(s.d->a, ((double[2]){0, 0}), 2, 1e-13);
}


//---- sliding -------------------------------------------------------------------------------------


TEST(a_screw_on_an_incline_turns_down)
{
  const double slope = 0.5, pitch = 0.07, m = 4, I = 0.02;
  single s = read_machine(ONE("mass: 4, inertia: [0.02, 0.02, 0.02]",
                              "type: screw, pitch: 0.07, axis: [%.17g, 0, %.17g], from: ground"),
                          cos(slope), sin(slope));
  s.d->q[0] = 2.2;
  s.d->v[0] = -3;
  accelerate(&s);
  CHECK_CLOSE(s.d->a[0], -m * g * pitch * sin(slope) / (I + m * pitch * pitch), 1e-13);
  double r[3], v[3], w[3];
  art_frame_position(s.m, s.d, 1, r);
  art_frame_velocity(s.m, s.d, 1, v, w);
  CHECK_NEAR(r, ((double[3]){2.2 * pitch * cos(slope), 0, 2.2 * pitch * sin(slope)}), 3, 1e-15);
  CHECK_NEAR(v, ((double[3]){-3 * pitch * cos(slope), 0, -3 * pitch * sin(slope)}), 3, 1e-15);
  CHECK_NEAR(w, ((double[3]){-3 * cos(slope), 0, -3 * sin(slope)}), 3, 1e-15);
}


// on a smooth incline the centre slides down the slope and the body keeps turning
TEST(a_puck_on_an_incline_slides_and_turns)
{
  const double slope = 0.3, m = 2, c = 0.25;
  single s = read_machine(ONE("mass: 2, com: [0.25, 0, 0], inertia: [0.1, 0.1, 0.2]",
                              "type: planar, from: ground.slope")); // where x points down the slope
  const double q = 0.7, w = 5;
  s.d->q[art_find_position(s.m, "j.angle")] = q;
  s.d->v[art_find_velocity(s.m, "j.angle_rate")] = w;
  accelerate(&s);
  CHECK_CLOSE(s.d->a[art_find_velocity(s.m, "j.angle_rate")], 0, 1e-12);
  const double ax = g * sin(slope) + w * w * c * cos(q);
  CHECK_CLOSE(s.d->a[art_find_velocity(s.m, "j.x_rate")], ax, 1e-12);
  CHECK_CLOSE(s.d->a[art_find_velocity(s.m, "j.y_rate")], w * w * c * sin(q), 1e-12);

  // the plane bears the weight
  double f[3], t[3];
  CHECK(art_reaction(s.m, s.d, "j", f, t, NULL) == ART_OK);
  const double N = m * g * cos(slope);
  CHECK_NEAR(f, ((double[3]){N * sin(slope), 0, N * cos(slope)}), 3, 1e-12);
}


// a rotor in the joint stands for pulley and counterweight: it has inertia but no weight
TEST(a_lift_with_a_counterweight)
{
  const double m = 80, rotor = 120;
  single s = read_machine(
      ONE("mass: 80, inertia: [1, 1, 1]", "type: prismatic, axis: z, rotor: 120, from: ground"));
  accelerate(&s);
  CHECK_CLOSE(s.d->a[0], -m * g / (m + rotor), 1e-13);
  double tau;
  art_inverse_dynamics(s.m, s.d, (double[1]){2}, &tau);
  CHECK_CLOSE(tau, (m + rotor) * 2 + m * g, 1e-12);

  // the rope pulls with the weight less what falls
  double f[3], t[3];
  CHECK(art_reaction(s.m, s.d, "j", f, t, NULL) == ART_OK);
  CHECK_NEAR(f, ((double[3]){0, 0, m * (g + s.d->a[0])}), 3, 1e-12);
}


TEST(a_cylindrical_joint_falls_and_turns_on_its_own)
{
  single s = read_machine(ONE("mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3]",
                              "type: cylindrical, axis: z, from: ground"));
  s.d->v[0] = 1, s.d->v[1] = 7;
  accelerate(&s);
  CHECK_CLOSE(s.d->a[art_find_velocity(s.m, "j.slide_rate")], -g, 1e-13);
  CHECK_CLOSE(s.d->a[art_find_velocity(s.m, "j.angle_rate")], 0, 1e-13);
}


//---- mechanisms ----------------------------------------------------------------------------------


// Hooke's joint: shafts at the angle b run at the ratio cos b / (1 - sin^2 b cos^2 theta)
TEST(hookes_joint_runs_unevenly)
{
  single s = read_machine(
      "articula: 1\n"
      "bodies: {input: {mass: 1, inertia: [1, 1, 1]}, output: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n"
      "  bearing: {type: revolute, axis: z, from: ground, to: input}\n"
      "  cross: {type: universal, axes: [x, y], from: input, to: output}\n");

  const double bend = 0.5, sb = sin(bend), cb = cos(bend), speed = 2;
  for (int k = 0; k < 12; k++) {
    const double theta = 0.5 * k, st = sin(theta), ct = cos(theta);
    const double a1 = atan2(sb * st, cb), a2 = asin(sb * ct);
    const double a1_rate = speed * sb * cb * ct / (cb * cb + sb * sb * st * st);
    const double a2_rate = -speed * sb * st / cos(a2);
    s.d->q[art_find_position(s.m, "bearing.angle")] = theta;
    s.d->q[art_find_position(s.m, "cross.angle1")] = a1;
    s.d->q[art_find_position(s.m, "cross.angle2")] = a2;
    s.d->v[art_find_velocity(s.m, "bearing.rate")] = speed;
    s.d->v[art_find_velocity(s.m, "cross.angle1_rate")] = a1_rate;
    s.d->v[art_find_velocity(s.m, "cross.angle2_rate")] = a2_rate;
    art_update(s.m, s.d);
    double v[3], w[3];
    art_frame_velocity(s.m, s.d, art_find_frame(s.m, "output"), v, w);
    const double ratio = cb / (1 - sb * sb * ct * ct);
    CHECK_NEAR(w, ((double[3]){speed * ratio * sb, 0, speed * ratio * cb}), 3, 1e-14);
  }
}


// each pin of a chain that hangs at rest carries the weight below it
TEST(a_hanging_chain_carries_its_weight)
{
  enum { N = 9 };
  single s = {.m = keep_model(model_chain(N))};
  s.d = keep_fresh_data(s.m);
  s.d->q[0] = acos(-1.0) / 2;
  accelerate(&s);
  CHECK_NEAR(s.d->a, ((double[N]){0}), N, 1e-12);
  for (int i = 0; i < N; i++) {
    char name[16];
    double f[3], t[3];
    snprintf(name, sizeof name, "pin%d", i);
    CHECK(art_reaction(s.m, s.d, name, f, t, NULL) == ART_OK);
    CHECK_NEAR(f, ((double[3]){0, 0, (N - i) * g}), 3, 1e-11);
    CHECK_NEAR(t, ((double[3]){0, 0, 0}), 3, 1e-11);
  }
}


// a crank driven at constant speed needs the torque of its weight, and no more
TEST(a_driven_crank_needs_the_torque_of_its_weight)
{
  single s = read_machine(
      ONE("mass: 3, com: [0.4, 0, 0], inertia: [0.2, 0.2, 0.2]",
          "type: revolute, axis: -y, rotor: 0.6, from: ground") "drives: {motor: {coordinate: j, "
                                                                "value: \"= 0.3 + 2*time^2\"}}\n");
  s.d->time = 0.5;
  accelerate(&s);
  const double q = 0.3 + 2 * 0.25, w = 2, al = 4;
  CHECK_CLOSE(s.d->q[0], q, 1e-15);
  CHECK_CLOSE(s.d->v[0], w, 1e-15);
  CHECK_CLOSE(s.d->a[0], al, 1e-14);
  const double torque = (0.2 + 3 * 0.16 + 0.6) * al + 3 * g * 0.4 * cos(q);
  CHECK_CLOSE(s.d->force[0], torque, 1e-13);
  const artEnergy energy = art_energy(s.m, s.d);
  CHECK_CLOSE(energy.power, torque * w, 1e-13);
  CHECK_CLOSE(energy.kinetic, 0.5 * (0.2 + 3 * 0.16 + 0.6) * w * w, 1e-13);
  CHECK_CLOSE(energy.potential, 3 * g * 0.4 * sin(q), 1e-13);
}
