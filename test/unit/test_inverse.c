// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces along a motion: closed forms, and back from forces to the motion.
#include "support/keep.h"
#include "unit/study_models.h"


static void add_inverse_study(artBuilder *b, int n, const artMotionDef *motion)
{
  artStudyDef study = art_default_study(ART_INVERSE);
  study.inverse.motion = (artMotions){n, motion};
  art_add_study(b, &study);
}


static artStatus inverse_at(const artModel *m, artData *d, double t, double *tau, artError *error)
{
  const artInverseDef *study = &art_find_study(m, ART_INVERSE, NULL)->inverse;
  return art_inverse_at(m, d, study, t, tau, error);
}


// textbook equations of the two-link arm, angles from the vertical down
static void two_link(const double *q, const double *v, const double *a, double *tau)
{
  const double c2 = cos(q[1]), k = TWO.m2 * TWO.l1 * TWO.l2;
  const double M22 = TWO.m2 * TWO.l2 * TWO.l2, M12 = M22 + k * c2;
  const double M11 = (TWO.m1 + TWO.m2) * TWO.l1 * TWO.l1 + M22 + 2 * k * c2;
  const double g2 = TWO.m2 * GRAVITY * TWO.l2 * sin(q[0] + q[1]);
  const double g1 = (TWO.m1 + TWO.m2) * GRAVITY * TWO.l1 * sin(q[0]) + g2;
  tau[0] = M11 * a[0] + M12 * a[1] - k * sin(q[1]) * (2 * v[0] + v[1]) * v[1] + g1;
  tau[1] = M12 * a[0] + M22 * a[1] + k * sin(q[1]) * v[0] * v[0] + g2;
}


TEST(a_two_link_arm_needs_the_textbook_torques)
{
  static const artMotionDef motion[] = {{"shoulder.angle", "0.4 + sin(2*time)"},
                                        {"elbow", "if(time < 1, time^3, 3*time - 2)"}};
  artBuilder *b = double_pendulum_builder();
  put_joint_spring(b, "spring", "elbow", 3, 0.5, 0.1);
  add_inverse_study(b, 2, motion);
  art_add_output(b, NULL, "elbow.force");
  art_add_output(b, NULL, "spring.force");
  art_add_output(b, NULL, "shoulder.force");
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < 20; i++) {
    const double t = 0.1 * i;
    const double q[2] = {0.4 + sin(2 * t), t < 1 ? t * t * t : 3 * t - 2};
    const double v[2] = {2 * cos(2 * t), t < 1 ? 3 * t * t : 3};
    const double a[2] = {-4 * sin(2 * t), t < 1 ? 6 * t : 0};
    double tau[2], want[2], outputs[3];
    CHECK_WORKS(inverse_at(m, d, t, tau, &check_error));
    two_link(q, v, a, want);
    const double spring = -3 * (q[1] - 0.1) - 0.5 * v[1];
    const double total[3] = {want[1], spring, want[0]};
    want[1] -= spring;
    CHECK_NEAR(d->q, q, 2, 1e-14);
    CHECK_NEAR(d->v, v, 2, 1e-14);
    CHECK_NEAR(d->a, a, 2, 1e-13);
    CHECK_NEAR(tau, want, 2, 1e-12);
    art_outputs(m, d, outputs);
    CHECK_NEAR(outputs, total, 3, 1e-12);

    // work done by the actuators and the damper is the change of energy
    CHECK_CLOSE(art_energy(m, d).power, tau[0] * v[0] + tau[1] * v[1] - 0.5 * v[1] * v[1], 1e-11);
  }
}


TEST(coordinates_without_a_motion_rest_and_drives_go_on)
{
  static const artMotionDef motion[] = {{"elbow", "time"}};
  artBuilder *b = double_pendulum_builder();
  art_set_initial(b, "shoulder.angle", 0.3);
  art_set_initial(b, "shoulder.rate", 5);
  add_inverse_study(b, 1, motion);
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  double tau[2], want[2];
  CHECK_EQ_INT(inverse_at(m, d, 0.7, tau, NULL), ART_OK);
  const double q[2] = {0.3, 0.7}, v[2] = {0, 1}, a[2] = {0, 0};
  two_link(q, v, a, want);
  CHECK_NEAR(tau, want, 2, 1e-13);
  CHECK_NEAR(d->v, v, 2, 0);

  // a driven joint takes what its drive gives
  artBuilder *c = double_pendulum_builder();
  put_drive(c, "drive", "shoulder", "0.1*time^2");
  add_inverse_study(c, 1, motion);
  artModel *driven = keep_model(finish(c));
  artData *e = keep_fresh_data(driven);
  CHECK_EQ_INT(inverse_at(driven, e, 0.7, tau, NULL), ART_OK);
  const double q2[2] = {0.049, 0.7}, v2[2] = {0.14, 1}, a2[2] = {0.2, 0};
  two_link(q2, v2, a2, want);
  CHECK_NEAR(tau, want, 2, 1e-13);
}


TEST(a_body_that_turns_steadily_needs_its_gyroscopic_moment)
{
  // precession P about vertical z at the lean u, spin s about the own axis: a closed form of
  // omega and its derivative in the body; four formulas of a length that is not one
  const double J[3] = {0.4, 0.4, 0.7}, u = 0.5, P = 1.3, s = 6;
  static const artMotionDef motion[] = {
      {"ball.qw", "(2+time)*cos(0.25)*cos(0.5*(1.3*time + 6*time))"},
      {"ball.qx", "(2+time)*sin(0.25)*cos(0.5*(1.3*time - 6*time))"},
      {"ball.qy", "(2+time)*sin(0.25)*sin(0.5*(1.3*time - 6*time))"},
      {"ball.qz", "(2+time)*cos(0.25)*sin(0.5*(1.3*time + 6*time))"}};
  artBuilder *b = art_create_builder();
  weightless(b);
  put_body(b, "rotor", 2, 0, 0, 0, J[0], J[1], J[2]);
  put_joint(b, "ball", ART_SPHERICAL, "ground", "rotor", ORIGIN, Z);
  add_inverse_study(b, 4, motion);
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < 10; i++) {
    const double t = 0.17 * i, angle = s * t;

    // Euler angles (P t, u, s t) about z, x, z
    const double w[3] = {P * sin(u) * sin(angle), P * sin(u) * cos(angle), P * cos(u) + s};
    const double dw[3] = {P * s * sin(u) * cos(angle), -P * s * sin(u) * sin(angle), 0};
    double tau[3], want[3], length = 0;
    CHECK_WORKS(inverse_at(m, d, t, tau, &check_error));
    for (int k = 0; k < 3; k++) {
      const int x = (k + 1) % 3, y = (k + 2) % 3;
      want[k] = J[k] * dw[k] + (J[y] - J[x]) * w[x] * w[y];
    }
    for (int k = 0; k < 4; k++) length += d->q[k] * d->q[k];
    CHECK_NEAR(d->v, w, 3, 1e-12);
    CHECK_NEAR(d->a, dw, 3, 1e-11);
    CHECK_NEAR(tau, want, 3, 1e-11);
    CHECK_CLOSE(length, 1, 1e-14);
  }
}


TEST(a_free_body_on_a_path_needs_mass_times_acceleration)
{
  static const artMotionDef motion[] = {{"free.x", "2*cos(3*time)"}, {"free.z", "time^2"}};
  artBuilder *b = art_create_builder();
  put_body(b, "box", 1.5, 0, 0, 0, 0.1, 0.1, 0.1);
  put_joint(b, "free", ART_FREE, "ground", "box", ORIGIN, Z);
  art_set_initial(b, "free.y", 0.8);
  add_inverse_study(b, 2, motion);
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  double tau[6];
  CHECK_EQ_INT(inverse_at(m, d, 0.4, tau, NULL), ART_OK);
  const double want[6] = {-1.5 * 18 * cos(1.2), 0, 1.5 * (2 + GRAVITY), 0, 0, 0};
  const double q[3] = {2 * cos(1.2), 0.8, 0.16};
  CHECK_NEAR(tau, want, 6, 1e-13);
  CHECK_NEAR(d->q, q, 3, 1e-15);
}


// forces found along a motion, put into the joints of a free machine, reproduce the motion
TEST(the_forces_of_a_motion_reproduce_it)
{
  // the pendulum is to move as q = 0.4 sin 2t + 0.1 t: its torque is known as a formula
  static const artMotionDef motion[] = {{"pin", "0.4*sin(2*time) + 0.1*time"}};
  artBuilder *b = pendulum_builder(0);
  art_set_initial(b, "pin.rate", 0.9);
  art_add_parameter(b, "J", 2 * ROD * ROD, NULL);
  art_add_parameter(b, "G", 2 * GRAVITY * ROD, NULL);
  put_joint_force(b, "motor", "pin", "-J*1.6*sin(2*time) + G*sin(0.4*sin(2*time) + 0.1*time)");
  add_inverse_study(b, 1, motion);
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  const artRunDef study = run_study(ART_DOPRI5, 3, 1e-12);
  artRun *run = keep_started_run(m, d, &study);
  for (int k = 1; k <= 10; k++) {
    const double t = 0.3 * k, want = 0.4 * sin(2 * t) + 0.1 * t;
    CHECK_EQ_INT(art_run_to(run, t, NULL), ART_OK);
    CHECK_CLOSE(d->q[0], want, 1e-10);
  }

  // and along the motion the motor leaves nothing to add
  for (int k = 0; k < 10; k++) {
    double tau;
    const double zero = 0;
    CHECK_EQ_INT(inverse_at(m, d, 0.3 * k, &tau, NULL), ART_OK);
    CHECK_CLOSE(tau, zero, 1e-13);
  }
}


TEST(accelerations_of_a_run_need_no_more_than_its_forces)
{
  // a spatial tree in motion: inverse dynamics of its accelerations gives back what acts
  artBuilder *b = art_create_builder();
  const double at[3] = {0.3, 0.1, -0.2};
  put_body(b, "base", 2, 0.1, 0, 0, 0.2, 0.3, 0.25);
  put_body(b, "arm", 1, 0.4, 0.1, -0.3, 0.05, 0.04, 0.03);
  put_joint(b, "ball", ART_SPHERICAL, "ground", "base", ORIGIN, Z);
  put_joint(b, "wrist", ART_UNIVERSAL, "base", "arm", at, X);
  put_joint_spring(b, "spring", "wrist.angle2", 9, 0.4, 0.2);
  put_joint_force(b, "motor", "wrist.angle1", "2*sin(time) - wrist.angle1");
  art_set_initial(b, "ball.wy", 2);
  art_set_initial(b, "wrist.angle1_rate", -1);
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  const artRunDef study = run_study(ART_DOPRI5, 3, 1e-9);
  artRun *run = keep_started_run(m, d, &study);
  for (int k = 1; k <= 10; k++) {
    const double t = 0.3 * k;
    double tau[5];
    CHECK_EQ_INT(art_run_to(run, t, NULL), ART_OK);
    const double want[5] = {0, 0, 0, 2 * sin(t) - d->q[4], -9 * (d->q[5] - 0.2) - 0.4 * d->v[4]};
    art_inverse_dynamics(m, d, d->a, tau);
    CHECK_NEAR(tau, want, 5, 1e-11);
  }
}


TEST(what_cannot_be_is_refused)
{
  static const artMotionDef twice[] = {{"shoulder", "time"}};
  artBuilder *b = double_pendulum_builder();
  put_drive(b, "drive", "shoulder", "0.1*time^2");
  add_inverse_study(b, 1, twice);
  artModel *m = finish(b);
  if (!m) return;
  artData *d = art_create_data(m);
  double tau[6];
  CHECK_FAILS(inverse_at(m, d, 0, tau, &check_error), ART_BAD_INPUT,
              "'shoulder.angle' is given by study 'study' and by a drive");

  // a study that is not of the model has no formulas
  artInverseDef foreign = art_default_inverse();
  foreign.motion = (artMotions){1, twice};
  CHECK_FAILS(art_inverse_at(m, d, &foreign, 0, tau, &check_error), ART_BAD_INPUT,
              "not one of the model");
  foreign.motion.count = 0;
  CHECK_WORKS(art_inverse_at(m, d, &foreign, 0, tau, &check_error));
  art_free_data(d);
  art_free_model(m);

  static const artMotionDef vanishing[] = {{"ball.qw", "time"}, {"pin", "sqrt(time)"}};
  artBuilder *c = art_create_builder();
  put_body(c, "rotor", 2, 0, 0, 0, 1, 1, 1);
  put_body(c, "arm", 2, 1, 0, 0, 1, 1, 1);
  put_joint(c, "ball", ART_SPHERICAL, "ground", "rotor", ORIGIN, Z);
  put_joint(c, "pin", ART_REVOLUTE, "rotor", "arm", ORIGIN, Z);
  add_inverse_study(c, 2, vanishing);
  m = finish(c);
  if (!m) return;
  d = art_create_data(m);
  CHECK_FAILS(inverse_at(m, d, 0, tau, &check_error), ART_BAD_INPUT, "vanishes at t = 0");
  CHECK_WORKS(inverse_at(m, d, 1, tau, &check_error));
  CHECK_FAILS(inverse_at(m, d, -1, tau, &check_error), ART_BAD_INPUT, "'pin.rate'");
  art_free_data(d);
  art_free_model(m);
}
