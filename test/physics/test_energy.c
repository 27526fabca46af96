// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Energy balances: kinetic + potential - start - work stays zero whatever acts, by every integrator
// and both methods.
#include "support/keep.h"
#include "unit/study_models.h"


// run with outputs all along and compare the error of the balance with a limit
static artCertificate check_balance(const artModel *m, artIntegrator integrator, artMethod method,
                                    double until, double tolerance, double limit)
{
  artData *d = keep_fresh_data(m);
  artRunDef study = run_study(integrator, until, tolerance);
  study.method = method;
  artCertificate certificate = {0};
  artRun *run = keep_started_run(m, d, &study);
  for (long k = 0; k < art_output_count(&study); k++) {
    const artStatus status = art_run_to(run, art_output_time(&study, k), &check_error);
    if (status != ART_OK) printf("%s\n", check_error.text);
    if (!CHECK(status == ART_OK)) break;
  }
  certificate = art_certify(run);
  CHECK_CLOSE(certificate.energy_error / certificate.energy_scale, 0, limit);
  return certificate;
}


// the step serves rk4, which has to follow the fastest motion
static void check_everywhere(artModel *m, double until, double step)
{
  if (!m) return;
  for (int method = 0; method <= ART_AUGMENTED; method++) {
    check_balance(m, ART_DOPRI5, (artMethod) method, until, 1e-11, 1e-9);
    check_balance(m, ART_ADAMS, (artMethod) method, until, 1e-11, 2e-8);
    check_balance(m, ART_BDF, (artMethod) method, until, 1e-10, 1e-6);
    check_balance(m, ART_RK4, (artMethod) method, until, step, 1e-9);
  }
}


TEST(a_double_pendulum_keeps_its_energy)
{
  artBuilder *b = double_pendulum_builder();
  art_set_initial(b, "shoulder.angle", 1.5);
  art_set_initial(b, "elbow.angle", -0.7);
  artModel *m = keep_model(finish(b));
  check_everywhere(m, 3, 5e-4);
  const artCertificate c = check_balance(m, ART_DOPRI5, ART_ORDER_N, 3, 1e-11, 1e-9);
  CHECK_CLOSE(c.work, 0, 0);
}


TEST(a_heavy_top_keeps_its_energy_and_its_vertical_momentum)
{
  artBuilder *b = art_create_builder();
  put_body(b, "top", 0.6, 0, 0, 0.15, 0.002, 0.0025, 0.003);
  put_joint(b, "point", ART_SPHERICAL, "ground", "top", ORIGIN, Z);
  art_set_initial(b, "point.qw", cos(0.3));
  art_set_initial(b, "point.qx", sin(0.3));
  art_set_initial(b, "point.wz", 60);
  artModel *m = keep_model(finish(b));
  check_everywhere(m, 1, 5e-4);

  artData *d = keep_fresh_data(m);
  double linear[3], start[3], end[3];
  art_momentum(m, d, linear, start);
  const artRunDef study = run_study(ART_DOPRI5, 2, 1e-12);
  artRun *run = keep_started_run(m, d, &study);
  CHECK_EQ_INT(art_run_to(run, 2, NULL), ART_OK);
  art_momentum(m, d, linear, end);
  CHECK_CLOSE_REL(end[2], start[2], 1e-10);
}


TEST(a_driven_machine_has_the_work_of_its_drive)
{
  static const double time[] = {0, 1, 2, 3, 4}, value[] = {0, 0.5, 0.2, 0.9, 1.5};
  artBuilder *b = double_pendulum_builder();
  const artDriveDef drive = {
      .name = "crank", .coordinate = "shoulder", .n = 5, .time = time, .value = value};
  art_add_drive(b, &drive);
  put_joint_spring(b, "spring", "elbow", 2, 0.3, 0.4);
  art_set_initial(b, "elbow.rate", 2);
  artModel *m = keep_model(finish(b));
  check_everywhere(m, 3.5, 5e-4);
  const artCertificate c = check_balance(m, ART_DOPRI5, ART_ORDER_N, 3.5, 1e-11, 1e-9);
  CHECK(fabs(c.work) > 0.1);
}


TEST(a_drive_with_a_kink_in_its_formula_is_met_by_an_event)
{
  // acceleration jumps at t = 1, velocity does not
  artBuilder *b = double_pendulum_builder();
  put_drive(b, "crank", "shoulder", "if(time < 1, 0, (time-1)^2)");
  artModel *m = keep_model(finish(b));
  check_everywhere(m, 2, 5e-4);
  const artCertificate c = check_balance(m, ART_DOPRI5, ART_ORDER_N, 2, 1e-11, 1e-9);
  CHECK_EQ_INT(c.events, 1);
}


TEST(bouncing_between_stops_closes_the_balance)
{
  artBuilder *b = art_create_builder();
  put_body(b, "ball", 0.4, 0, 0, 0, 0, 0, 0);
  put_joint(b, "slide", ART_PRISMATIC, "ground", "ball", ORIGIN, Z);
  const artJointStopDef stop = {"floor", "slide", 0, 1.2, 2e4, 0.4};
  art_add_joint_stop(b, &stop);
  art_set_initial(b, "slide.slide", 1);
  art_set_initial(b, "slide.rate", 3);
  artModel *m = keep_model(finish(b));
  check_everywhere(m, 3, 2.5e-5);
  const artCertificate c = check_balance(m, ART_DOPRI5, ART_ORDER_N, 3, 1e-11, 1e-9);
  CHECK(c.events > 6);
  CHECK(c.work < -0.2);

  // without damping nothing is lost, and it comes back as high as it was
  artBuilder *e = art_create_builder();
  put_body(e, "ball", 0.4, 0, 0, 0, 0, 0, 0);
  put_joint(e, "slide", ART_PRISMATIC, "ground", "ball", ORIGIN, Z);
  const artJointStopDef elastic = {"floor", "slide", 0, INFINITY, 2e4, 0};
  art_add_joint_stop(e, &elastic);
  art_set_initial(e, "slide.slide", 1);
  artModel *bouncer = keep_model(finish(e));

  // fall t1, half a swing about the static depth, rise t1: the period of the bounce
  const double t1 = sqrt(2 / GRAVITY), v = GRAVITY * t1, w = sqrt(2e4 / 0.4);
  const double contact = 2 / w * (PI - atan(v * w / GRAVITY)), period = 2 * t1 + contact;
  artData *d = keep_fresh_data(bouncer);
  const artRunDef study = run_study(ART_DOPRI5, 10, 1e-12);
  artRun *run = keep_started_run(bouncer, d, &study);
  const double top[2] = {1, 0};
  for (int k = 1; k <= 5; k++) {
    CHECK_EQ_INT(art_run_to(run, k * period, NULL), ART_OK);
    CHECK_CLOSE(d->q[0], top[0], 1e-9);
    CHECK_CLOSE(d->v[0], top[1], 1e-8);
  }
  CHECK_EQ_INT(art_certify(run).events, 10);
}


static artStatus wind(void *context, const artModel *m, artData *d)
{
  const int frame = *(const int *) context;
  double linear[3], angular[3], force[3];
  art_frame_velocity(m, d, frame, linear, angular);
  for (int k = 0; k < 3; k++) force[k] = -0.3 * linear[k] * fabs(linear[k]) + (k == 1 ? 0.4 : 0);
  art_apply_force(m, d, frame, force);
  art_apply_torque(m, d, frame, (double[3]){0, 0, 0.1 * sin(d->time)});
  return ART_OK;
}


// every kind of element on one spatial tree
TEST(everything_at_once_closes_the_balance)
{
  static int tip = 0;
  static const double knots[] = {-0.5, 0, 0.4}, values[] = {-3, 0, 5};
  static const double speeds[] = {-3, -0.5, 0, 0.5, 3}, drags[] = {-2, -0.6, 0, 0.8, 1.5};
  static const double cubic[] = {4, 0.5, 9};
  const double at[3] = {0.3, 0.1, -0.2}, far[3] = {0.6, 0.1, -0.5};
  artBuilder *b = art_create_builder();
  put_body(b, "base", 2, 0.1, 0, 0, 0.2, 0.3, 0.25);
  put_body(b, "arm", 1, 0.4, 0.1, -0.3, 0.05, 0.04, 0.03);
  put_body(b, "hand", 0.5, 0.7, 0, -0.5, 0.01, 0.015, 0.012);
  put_body(b, "finger", 0.2, 0.7, 0, -0.6, 0.001, 0.0015, 0.0012);
  put_joint(b, "free", ART_FREE, "ground", "base", ORIGIN, Z);
  put_joint(b, "ball", ART_SPHERICAL, "base", "arm", at, Z);
  put_joint(b, "wrist", ART_CYLINDRICAL, "arm", "hand", far, X);
  put_joint(b, "knuckle", ART_REVOLUTE, "hand", "finger", far, Y);
  put_drive(b, "motor", "knuckle", "0.6*sin(3*time)");
  put_frame(b, "ground", "hook", 0.3, 0.4, 1);
  put_frame(b, "hand", "tip", 0.8, 0, -0.6);
  put_spring(b, "tether", "ground.hook", "base", 60, 2, 0.7);
  const artSpringDamperDef shock = {.name = "shock",
                                    .from = "base",
                                    .to = "hand.tip",
                                    .free_length = 0.9,
                                    .spring = {ART_LAW_POLYNOMIAL, 0, 3, NULL, cubic},
                                    .damper = {ART_LAW_TABLE, 0, 5, speeds, drags}};
  art_add_spring_damper(b, &shock);
  const artJointSpringDef spring = {.name = "spring",
                                    .coordinate = "wrist.slide",
                                    .spring = {ART_LAW_PIECEWISE, 0, 3, knots, values}};
  art_add_joint_spring(b, &spring);
  const artJointStopDef stop = {"stop", "wrist.slide", -0.1, 0.15, 500, 0.2};
  art_add_joint_stop(b, &stop);
  const artJointFrictionDef friction = {"friction", "wrist.angle", 0.02, 0.03, 0.3, 0.2, 0.01};
  art_add_joint_friction(b, &friction);
  put_joint_force(b, "shaker", "wrist.slide", "if(sin(5*time) > 0.3, 1.5, -0.5)*cos(wrist.angle)");
  const artBodyForceDef pull = {.name = "pull", .on = "hand.tip", .components = {"1", "-0.5", "2"}};
  const artBodyForceDef twist = {.name = "twist",
                                 .on = "arm",
                                 .components = {"0.1*time", "arm.wx", "0.05"},
                                 .is_torque = 1,
                                 .in_body = 1};
  art_add_body_force(b, &pull);
  art_add_body_force(b, &twist);
  const artCallbackDef callback = {.name = "wind", .apply = wind, .context = &tip};
  art_add_callback(b, &callback);
  art_set_initial(b, "free.vx", 0.5);
  art_set_initial(b, "free.wz", 2);
  art_set_initial(b, "ball.wy", -1);
  art_set_initial(b, "wrist.slide_rate", 1);
  artModel *m = keep_model(finish(b));
  tip = art_find_frame(m, "hand.tip");
  check_everywhere(m, 1.5, 5e-4);
  const artCertificate c = check_balance(m, ART_DOPRI5, ART_ORDER_N, 1.5, 1e-11, 1e-9);
  CHECK(c.events > 5);
  CHECK(fabs(c.work) > 0.1);
}


TEST(the_error_of_the_balance_follows_the_tolerance)
{
  artBuilder *b = double_pendulum_builder();
  art_set_initial(b, "shoulder.angle", 1.5);
  put_joint_spring(b, "spring", "elbow", 2, 0.3, 0.4);
  artModel *m = keep_model(finish(b));
  for (double tolerance = 1e-5; tolerance > 1e-12; tolerance /= 100) {
    check_balance(m, ART_DOPRI5, ART_ORDER_N, 3, tolerance, 100 * tolerance);
  }
}
