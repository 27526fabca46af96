// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs against closed forms, and what a run promises: order, independence of output, resuming.
#include <stdlib.h>

#include "study/run/run.h"
#include "support/keep.h"
#include "unit/study_models.h"


// advance a fresh machine to a time; the data holds the state there
static artStatus run_model(const artModel *m, artData *d, const artRunDef *study, double t,
                           artCertificate *certificate, artError *error)
{
  artRun *run;
  artStatus status = art_create_run(&run, m, d, study, error);
  if (status != ART_OK) return status;
  status = art_run_to(run, t, error);
  if (certificate) *certificate = art_certify(run);
  art_free_run(run);
  return status;
}


//---- closed forms --------------------------------------------------------------------------------

// arithmetic-geometric mean
static double agm(double a, double b)
{
  for (int k = 0; k < 40; k++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return a;
}


TEST(a_pendulum_returns_after_the_period_of_the_elliptic_integral)
{
  static const artIntegrator integrators[] = {ART_DOPRI5, ART_ADAMS, ART_BDF};
  static const double tolerances[] = {1e-13, 1e-13, 1e-12};
  const double start = 2;
  const double period = 2 * PI * sqrt(ROD / GRAVITY) / agm(1, cos(start / 2));
  artModel *m = keep_model(finish(pendulum_builder(start)));
  for (int i = 0; i < 3; i++) {
    for (int method = 0; method <= ART_AUGMENTED; method++) {
      artData *d = art_create_data(m);
      artRunDef study = run_study(integrators[i], 5, tolerances[i]);
      study.method = (artMethod) method;
      CHECK_WORKS(run_model(m, d, &study, period, NULL, &check_error));
      CHECK_CLOSE(d->q[0], start, 1e-9);
      CHECK_CLOSE(d->v[0], 0, i == 2 ? 1e-8 : 1e-9);
      art_free_data(d);
    }
  }

  // a quarter of it leads to the bottom, with all the energy in the motion
  artData *d = art_create_data(m);
  const artRunDef study = run_study(ART_DOPRI5, 5, 1e-13);
  CHECK_EQ_INT(run_model(m, d, &study, period / 4, NULL, NULL), ART_OK);
  const double bottom[2] = {0, -sqrt(2 * GRAVITY / ROD * (1 - cos(start)))};
  CHECK_CLOSE(d->q[0], bottom[0], 1e-9);
  CHECK_CLOSE(d->v[0], bottom[1], 1e-9);
  art_free_data(d);
}


TEST(a_damped_oscillator_follows_its_closed_form_and_closes_its_balance)
{
  const double mass = 2.5, k = 40, c = 1.5, x0 = 0.3, v0 = -0.8, t = 4.2;
  artBuilder *b = slider_builder(mass, x0, v0);
  put_joint_spring(b, "spring", "slide", k, c, 0);
  artModel *m = keep_model(finish(b));

  const double delta = c / (2 * mass), w = sqrt(k / mass - delta * delta), e = exp(-delta * t);
  const double s = (v0 + delta * x0) / w;
  const double x = e * (x0 * cos(w * t) + s * sin(w * t));
  const double v = e * (w * (s * cos(w * t) - x0 * sin(w * t))) - delta * x;
  const double lost = 0.5 * (mass * (v * v - v0 * v0) + k * (x * x - x0 * x0));

  for (int i = 0; i < ART_MOREAU; i++) {
    artData *d = keep_fresh_data(m);
    const artRunDef study = run_study((artIntegrator) i, 5, i == ART_RK4 ? 2e-4 : 1e-13);
    artCertificate certificate;
    CHECK_EQ_INT(run_model(m, d, &study, t, &certificate, NULL), ART_OK);
    const double tolerance = i == ART_BDF ? 1e-9 : 1e-11;
    CHECK_CLOSE(d->q[0], x, tolerance);
    CHECK_CLOSE(d->v[0], v, 10 * tolerance);
    CHECK_CLOSE(certificate.work, lost, 10 * tolerance);
    const double limit = i == ART_BDF ? 1e-8 : 1e-10;
    CHECK(certificate.energy_error <= limit * certificate.energy_scale);
    CHECK(certificate.energy_scale > 0.5 && certificate.energy_scale < 5);
    CHECK_CLOSE(certificate.energy_end - certificate.energy_start, lost, 10 * tolerance);
  }
}


TEST(a_forced_oscillator_follows_its_closed_form)
{
  // m x'' + k x = F sin(p t) from rest: x = F/(k - m p^2) (sin p t - p/w sin w t)
  const double mass = 1.5, k = 60, F = 7, p = 5, t = 7.3, w = sqrt(k / mass);
  artBuilder *b = slider_builder(mass, 0, 0);
  art_add_parameter(b, "F", F, NULL);
  put_joint_spring(b, "spring", "slide", k, 0, 0);
  put_joint_force(b, "shaker", "slide", "F*sin(5*time)");
  artModel *m = keep_model(finish(b));

  artData *d = keep_fresh_data(m);
  const artRunDef study = run_study(ART_DOPRI5, 10, 1e-12);
  artCertificate certificate;
  CHECK_EQ_INT(run_model(m, d, &study, t, &certificate, NULL), ART_OK);
  const double x = F / (k - mass * p * p) * (sin(p * t) - p / w * sin(w * t));
  const double v = F / (k - mass * p * p) * p * (cos(p * t) - cos(w * t));
  CHECK_CLOSE(d->q[0], x, 1e-10);
  CHECK_CLOSE(d->v[0], v, 1e-9);

  // the work of the shaker is in the oscillator now
  CHECK_CLOSE(certificate.work, 0.5 * mass * v * v + 0.5 * k * x * x, 1e-9);
  CHECK(certificate.energy_error < 1e-10 * certificate.energy_scale);
}


// turn a vector about a unit axis (Rodrigues)
static void turn(const double axis[3], double angle, const double in[3], double out[3])
{
  const double c = cos(angle), s = sin(angle);
  const double along = axis[0] * in[0] + axis[1] * in[1] + axis[2] * in[2];
  const double cross[3] = {axis[1] * in[2] - axis[2] * in[1], axis[2] * in[0] - axis[0] * in[2],
                           axis[0] * in[1] - axis[1] * in[0]};
  for (int k = 0; k < 3; k++) out[k] = c * in[k] + s * cross[k] + (1 - c) * along * axis[k];
}


// third column of the rotation: the body's z axis in ground
static void z_axis(const double e[4], double out[3])
{
  out[0] = 2 * (e[1] * e[3] + e[0] * e[2]);
  out[1] = 2 * (e[2] * e[3] - e[0] * e[1]);
  out[2] = 1 - 2 * (e[1] * e[1] + e[2] * e[2]);
}


static artModel *symmetric_top(double A, double C, const double omega[3])
{
  artBuilder *b = art_create_builder();
  weightless(b);
  put_body(b, "top", 3, 0, 0, 0, A, A, C);
  put_joint(b, "free", ART_FREE, "ground", "top", ORIGIN, Z);
  art_set_initial(b, "free.vx", 0.4);
  art_set_initial(b, "free.wx", omega[0]);
  art_set_initial(b, "free.wy", omega[1]);
  art_set_initial(b, "free.wz", omega[2]);
  return finish(b);
}


TEST(a_free_symmetric_top_precesses_about_its_angular_momentum)
{
  const double A = 0.5, C = 0.8, omega[3] = {1.5, 0, 6}, t = 9.7;
  artModel *m = keep_model(symmetric_top(A, C, omega));

  // in the body omega turns about z, in ground z turns about L with the rate |L|/A
  const double rate = (C - A) / A * omega[2];
  const double spin[3] = {omega[0] * cos(rate * t), omega[0] * sin(rate * t), omega[2]};
  const double L[3] = {A * omega[0], 0, C * omega[2]}, length = hypot(L[0], L[2]);
  const double axis[3] = {L[0] / length, 0, L[2] / length};
  double z_want[3];
  turn(axis, length / A * t, Z, z_want);

  for (int i = 0; i < ART_MOREAU; i++) {
    artData *d = keep_fresh_data(m);
    const artRunDef study = run_study((artIntegrator) i, 10, i == ART_RK4 ? 5e-4 : 1e-13);
    const double tolerance = i == ART_BDF ? 1e-7 : 1e-9;
    artCertificate certificate;
    CHECK_EQ_INT(run_model(m, d, &study, t, &certificate, NULL), ART_OK);

    const double *e = d->q + 3;
    double z[3], linear[3], angular[3];
    z_axis(e, z);
    CHECK_NEAR(z, z_want, 3, tolerance);
    CHECK_NEAR(d->v + 3, spin, 3, tolerance);
    const double one = 1;
    CHECK_CLOSE(d->q[0], 0.4 * t, tolerance);

    // the quaternion is of length one and the momentum is what it was
    CHECK_CLOSE(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3], one, 2e-14);
    CHECK(certificate.quaternion_error > 0 && certificate.quaternion_error < 1e-7);
    const double momentum[3] = {3 * 0.4, 0, 0};
    art_momentum(m, d, linear, angular);
    CHECK_NEAR(linear, momentum, 3, 10 * tolerance);
    CHECK_NEAR(angular, L, 3, 10 * tolerance);
  }
}


TEST(a_piecewise_spring_follows_its_closed_form)
{
  // without force between -a and a, stiffness k beyond: flight, half a swing, flight, half a swing
  const double mass = 0.7, k = 300, a = 0.2, v0 = 1.4;
  const double x[] = {-1, -a, a, 1}, f[] = {-k * (1 - a), 0, 0, k * (1 - a)};
  artBuilder *b = slider_builder(mass, 0, v0);
  const artJointSpringDef spring = {
      .name = "play", .coordinate = "slide", .spring = {ART_LAW_PIECEWISE, 0, 4, x, f}};
  art_add_joint_spring(b, &spring);
  artModel *m = keep_model(finish(b));

  const double w = sqrt(k / mass), flight = 2 * a / v0, swing = PI / w;
  const double period = 2 * (flight + swing), zero = 0;
  for (int i = 0; i < ART_MOREAU; i++) {
    artData *d = keep_fresh_data(m);
    const artRunDef study = run_study((artIntegrator) i, 10, i == ART_RK4 ? 2e-4 : 1e-12);
    const double tolerance = i == ART_BDF ? 1e-8 : 1e-9;
    artRun *run = keep_started_run(m, d, &study);

    // deepest in the first swing
    const double deepest = a + v0 / w;
    CHECK_WORKS(art_run_to(run, flight / 2 + swing / 2, &check_error));
    CHECK_CLOSE(d->q[0], deepest, tolerance);
    CHECK_CLOSE(d->v[0], zero, 30 * tolerance);

    // seven periods later in the middle again
    CHECK_WORKS(art_run_to(run, 7 * period, &check_error));
    CHECK_CLOSE(d->q[0], zero, 10 * tolerance);
    CHECK_CLOSE(d->v[0], v0, 10 * tolerance);
    const artCertificate certificate = art_certify(run);
    CHECK_EQ_INT(certificate.events, 4 * 7);
    CHECK(certificate.energy_error < 10 * tolerance * certificate.energy_scale);
  }
}


//---- promises ------------------------------------------------------------------------------------

// a slider between two stops, shaken, with a piecewise spring: events come thick
static artBuilder *rattle_builder(void)
{
  static const double x[] = {-0.1, 0, 0.1}, f[] = {-4, 0, 9};
  artBuilder *b = slider_builder(0.7, 0.02, 1.1);
  const artJointSpringDef spring = {.name = "spring",
                                    .coordinate = "slide",
                                    .spring = {ART_LAW_PIECEWISE, 0, 3, x, f},
                                    .damper = linear_law(0.05)};
  const artJointStopDef stop = {"stop", "slide", -0.15, 0.12, 4000, 0.3};
  art_add_joint_spring(b, &spring);
  art_add_joint_stop(b, &stop);
  put_joint_force(b, "shaker", "slide", "if(sin(9*time) > 0, 3, -2)");
  return b;
}


TEST(the_state_does_not_depend_on_which_outputs_are_asked_for)
{
  artModel *m = keep_model(finish(rattle_builder()));
  for (int i = 0; i < ART_MOREAU; i++) {
    artData *plain = keep_fresh_data(m), *often = keep_fresh_data(m);
    const artRunDef study = run_study((artIntegrator) i, 3, i == ART_RK4 ? 1e-3 : 1e-8);
    CHECK_EQ_INT(run_model(m, plain, &study, 3, NULL, NULL), ART_OK);
    artRun *run = keep_started_run(m, often, &study);
    for (int k = 1; k <= 777; k++) CHECK_EQ_INT(art_run_to(run, 3 * k / 777.0, NULL), ART_OK);
    CHECK_CLOSE(often->q[0], plain->q[0], 0);
    CHECK_CLOSE(often->v[0], plain->v[0], 0);
  }
}


TEST(saved_bytes_of_something_else_are_refused)
{
  artModel *m = keep_model(finish(rattle_builder())),
           *other = keep_model(finish(slider_builder(1, 0, 1)));
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(other);
  const artRunDef study = run_study(ART_DOPRI5, 3, 1e-8), rk4 = run_study(ART_RK4, 3, 1e-3);
  artRun *run;
  CHECK_EQ_INT(art_create_run(&run, m, d, &study, NULL), ART_OK);
  CHECK_EQ_INT(art_run_to(run, 1, NULL), ART_OK);
  const size_t size = art_run_state_size(run);
  char *bytes = malloc(size);
  CHECK_EQ_INT(art_save_run(run, bytes, size - 1, &check_error), ART_BAD_INPUT);
  CHECK_EQ_INT(art_save_run(run, bytes, size, NULL), ART_OK);

  artRun *of_other = keep_started_run(other, e, &study);
  CHECK_FAILS(art_load_run(of_other, bytes, size, &check_error), ART_BAD_INPUT, "another model");
  CHECK_FAILS(art_load_run(run, "nonsense", 8, &check_error), ART_BAD_INPUT, "not a saved run");
  CHECK_FAILS(art_load_run(run, bytes, size - 8, &check_error), ART_BAD_INPUT, "cut short");
  for (size_t bit = 0; bit < 8 * size; bit++) {
    char *changed = &bytes[bit / 8];
    *changed = (char) (*changed ^ (1 << bit % 8));
    if (!CHECK_EQ_INT(art_load_run(run, bytes, size, &check_error), ART_BAD_INPUT)) break;
    *changed = (char) (*changed ^ (1 << bit % 8));
  }
  art_free_run(run);

  CHECK_EQ_INT(art_create_run(&run, m, d, &rk4, NULL), ART_OK);
  CHECK_EQ_INT(art_load_run(run, bytes, size, &check_error), ART_BAD_INPUT);
  art_free_run(run);
  artRunDef tighter = study;
  tighter.tolerance = 1e-9;
  CHECK_EQ_INT(art_create_run(&run, m, d, &tighter, NULL), ART_OK);
  CHECK_FAILS(art_load_run(run, bytes, size, &check_error), ART_BAD_INPUT, "tolerances");
  art_free_run(run);
  free(bytes);
}


//---- small and odd machines ----------------------------------------------------------------------

TEST(a_machine_without_coordinates_runs)
{
  artBuilder *b = art_create_builder();
  put_body(b, "block", 1, 0, 0, 0, 1, 1, 1);
  put_joint(b, "glue", ART_FIXED, "ground", "block", ORIGIN, Z);
  artModel *m = keep_model(finish(b));
  for (int i = 0; i < ART_MOREAU; i++) {
    artData *d = keep_fresh_data(m);
    const artRunDef study = run_study((artIntegrator) i, 3, 1e-2);
    artCertificate certificate;
    CHECK_EQ_INT(run_model(m, d, &study, 3, &certificate, NULL), ART_OK);
    CHECK_CLOSE(d->time, 3, 0);
    CHECK_CLOSE(certificate.energy_error, 0, 0);
  }
}


TEST(a_machine_that_is_driven_throughout_does_the_work_of_its_drives)
{
  artBuilder *b = double_pendulum_builder();
  put_drive(b, "first", "shoulder.angle", "0.5*sin(2*time)");
  put_drive(b, "second", "elbow.angle", "0.3*time^2");
  artModel *m = keep_model(finish(b));
  for (int i = 0; i < ART_MOREAU; i++) {
    artData *d = keep_fresh_data(m);
    const artRunDef study = run_study((artIntegrator) i, 3, i == ART_RK4 ? 1e-3 : 1e-11);
    artCertificate certificate;
    CHECK_EQ_INT(run_model(m, d, &study, 2.9, &certificate, NULL), ART_OK);
    const double q[2] = {0.5 * sin(5.8), 0.3 * 2.9 * 2.9}, v[2] = {cos(5.8), 0.6 * 2.9};
    CHECK_NEAR(d->q, q, 2, 1e-14);
    CHECK_NEAR(d->v, v, 2, 1e-14);
    CHECK(certificate.energy_error < (i == ART_BDF ? 1e-8 : 1e-9) * certificate.energy_scale);
    CHECK(fabs(certificate.work) > 1);
  }
}


TEST(output_instants_end_exactly_at_the_end)
{
  artRunDef study = art_default_run();
  study.from = 1;
  study.until = 11;
  CHECK_EQ_INT(art_output_count(&study), 101);
  study.interval = 0.1;
  CHECK_EQ_INT(art_output_count(&study), 101);
  const double second = 1.1, last = 11, third = 7;
  double t = art_output_time(&study, 1);
  CHECK_CLOSE(t, second, 1e-15);
  t = art_output_time(&study, 100);
  CHECK_CLOSE(t, last, 0);

  // a last interval that is shorter, one that is longer than the study, and no time at all
  study.interval = 3;
  CHECK_EQ_INT(art_output_count(&study), 5);
  t = art_output_time(&study, 2);
  CHECK_CLOSE(t, third, 0);
  t = art_output_time(&study, 4);
  CHECK_CLOSE(t, last, 0);
  study.interval = 50;
  CHECK_EQ_INT(art_output_count(&study), 2);
  study.until = 1;
  CHECK_EQ_INT(art_output_count(&study), 1);
}


//---- rows that follow the motion -----------------------------------------------------------------

// a mass on a spring, 50 Hz
static artModel *quick_oscillator(void)
{
  static const char text[] =
      "articula: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {s: {type: prismatic, axis: x, from: ground, to: b}}\n"
      "forces: {k: {type: joint-spring, coordinate: s, stiffness: = (100*pi)^2}}\n"
      "initial: {s: {slide: 0.01}}\n";
  return keep_text(text);
}


typedef struct followed {
  long rows, rising; // and passages through zero from below
  double widest;     // between two rows, s
} followed;

static followed follow(const artModel *m, const artRunDef *study)
{
  artData *d = keep_fresh_data(m);
  followed f = {1, 0, 0};
  artRun *run = keep_started_run(m, d, study);
  CHECK_EQ_INT(art_run_to(run, study->from, NULL), ART_OK);
  while (d->time < study->until) {
    const double before = d->q[0], time = d->time;
    if (!CHECK(art_run_next(run, study, NULL) == ART_OK && d->time > time)) break;
    f.rows++;
    f.rising += before < 0 && d->q[0] >= 0;
    f.widest = fmax(f.widest, d->time - time);
  }
  CHECK(d->time == study->until);
  const double last = d->time;
  CHECK_EQ_INT(art_run_next(run, study, NULL), ART_OK);
  CHECK(d->time == last);
  return f;
}


TEST(rows_without_an_interval_do_not_alias_the_motion)
{
  artModel *m = quick_oscillator();
  for (int i = 0; i < ART_MOREAU; i++) {
    artRunDef study = run_study((artIntegrator) i, 10, i == ART_RK4 ? 1e-3 : 1e-6);
    if (i == ART_DOPRI5) study.until = 100;
    const followed f = follow(m, &study);
    CHECK(labs(f.rising - lround(50 * study.until)) <= 1);
    CHECK(f.widest < 0.25 / 50);
    CHECK(f.rows <= 200001);
  }
  artRunDef natural = run_study(ART_DOPRI5, 2, 1e-6);
  natural.method = ART_INDEX3;
  CHECK(labs(follow(m, &natural).rising - 100) <= 2);

  // more steps than rows may be: the bound holds
  artRunDef fixed = run_study(ART_RK4, 300, 1e-3);
  CHECK_EQ_INT(art_output_count(&fixed), 150001);
  fixed.interval = 1;
  CHECK_EQ_INT(art_output_count(&fixed), 301);
}


// in a free fall onto a stiff stop rows are close where steps are, and nowhere farther apart than these
TEST(rows_are_close_where_steps_are_short)
{
  static const char text[] =
      "articula: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {s: {type: prismatic, axis: z, from: ground, to: b}}\n"
      "forces: {k: {type: joint-stop, coordinate: s, lower: 0, stiffness: 1e6}}\n"
      "initial: {s: {slide: 1}}\n";
  artModel *m = keep_text(text);
  const artRunDef study = run_study(ART_DOPRI5, 10, 1e-8);
  artData *d = keep_fresh_data(m);
  int inside = 0, outside = 0;
  artRun *run = keep_started_run(m, d, &study);
  while (d->time < study.until && CHECK(art_run_next(run, &study, NULL) == ART_OK)) {
    if (d->q[0] < 0) inside++;
    if (d->q[0] >= 0) outside++;
  }
  // 11 contacts of pi sqrt(m/k) = 3.1 ms
  CHECK(inside > 11 * 10);
  CHECK(outside < 20000);
}


// even turns are exact in steps of any length, but what is seen of them is not a straight line
TEST(rows_follow_a_rotor_that_spins_evenly)
{
  static const char text[] = "articula: 1\ngravity: [0, 0, 0]\n"
                             "bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {p: [1, 0, 0]}}}\n"
                             "joints: {s: {type: revolute, axis: z, from: ground, to: b}}\n"
                             "initial: {s: {rate: = 20*tau}}\n";
  artModel *m = keep_text(text);
  const artRunDef study = run_study(ART_DOPRI5, 100, 1e-8);
  artData *d = keep_fresh_data(m);
  double widest = 0, before = 0;
  artRun *run = keep_started_run(m, d, &study);
  while (d->time < study.until && CHECK(art_run_next(run, &study, NULL) == ART_OK)) {
    widest = fmax(widest, d->q[0] - before);
    before = d->q[0];
  }
  CHECK(widest <= 0.3 && widest > 0.1);
  CHECK(art_certify(run).longest_step > 0.5);
}


//---- trouble -------------------------------------------------------------------------------------

TEST(methods_for_trees_refuse_closed_loops)
{
  artBuilder *b = double_pendulum_builder();
  const double tip[3] = {0, 0, -TWO.l1 - TWO.l2};
  put_joint(b, "closing", ART_PLANAR, "lower", "ground", tip, Z);
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.method = ART_ORDER_N;
  artRun *run;
  CHECK_FAILS(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT,
              "method order-n is for machines without closed loops");
  CHECK(run == NULL);
}


static artStatus fail_later(void *context, const artModel *m, artData *d)
{
  (void) m;
  return d->time > 1.25 ? *(const artStatus *) context : ART_OK;
}


TEST(a_failing_force_is_named_and_the_last_good_state_is_kept)
{
  artStatus trouble = ART_SINGULAR;
  artBuilder *b = slider_builder(1, 0, 2);
  const artCallbackDef callback = {.name = "magnet", .apply = fail_later, .context = &trouble};
  art_add_callback(b, &callback);
  artModel *m = keep_model(finish(b));
  for (int i = 0; i < ART_MOREAU; i++) {
    artData *d = keep_fresh_data(m);
    const artRunDef study = run_study((artIntegrator) i, 3, i == ART_RK4 ? 1e-3 : 1e-8);
    artRun *run = keep_started_run(m, d, &study);
    CHECK_WORKS(art_run_to(run, 1, &check_error));
    CHECK_FAILS(art_run_to(run, 2, &check_error), ART_SINGULAR, "force 'magnet' failed");
    CHECK(d->time >= 1 && d->time <= 1.25);
    CHECK_CLOSE(d->q[0], 2 * d->time, 1e-6);
  }
}


TEST(nonsense_is_refused)
{
  artModel *m = keep_model(finish(slider_builder(1, 0, 2)));
  artData *d = keep_fresh_data(m);
  artRun *run;
  artRunDef study = art_default_run();
  study.until = -1;
  CHECK_EQ_INT(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT);
  study = art_default_run();
  study.tolerance = 0;
  CHECK_EQ_INT(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT);
  study = art_default_run();
  study.integrator = (artIntegrator) 17;
  CHECK_EQ_INT(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT);
  study = art_default_run();
  study.integrator = ART_RK4;
  CHECK_EQ_INT(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT);
  study.step = 1e-300;
  CHECK_FAILS(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT,
              "rk4 would take 1e+301 steps of 1e-300 s");

  study = art_default_run();
  CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error));
  CHECK_WORKS(art_run_to(run, 1, &check_error));
  CHECK_FAILS(art_run_to(run, 0.5, &check_error), ART_BAD_INPUT, "cannot go back");
  CHECK_EQ_INT(art_run_to(run, NAN, &check_error), ART_BAD_INPUT);
  CHECK_WORKS(art_run_to(run, 1, &check_error));
  art_free_run(run);
  art_free_run(NULL);
}


//---- verdicts ------------------------------------------------------------------------------------

// a certificate of a run that is good
static artCertificate good_certificate(void)
{
  return (artCertificate){.time = 1,
                          .steps = 100,
                          .energy_error = 1e-7,
                          .energy_scale = 1,
                          .energy_resolved = 1e-6,
                          .rows = 5,
                          .weakest_pivot = 0.3,
                          .position_residual = 1e-14};
}


static void check_verdict(artCertificate c, const artError *error, artVerdict verdict,
                          const char *words)
{
  const artJudgement j = art_judge(&c, error);
  CHECK_TEXT(art_verdict_name(j.verdict), art_verdict_name(verdict));
  CHECK_EQ_INT(j.reasons, words != NULL);
  if (words) CHECK_CONTAINS(j.reason[0], words);
}


// every figure that can speak against a run does, by itself, beyond its limit and as NaN
TEST(each_figure_of_a_certificate_has_its_verdict)
{
  const double bad[] = {1, NAN, INFINITY};
  artCertificate c = good_certificate();
  check_verdict(c, NULL, ART_VERDICT_GOOD, NULL);
  c.energy_scale = 0; // at rest: what the tolerance allows is no doubt
  check_verdict(c, NULL, ART_VERDICT_GOOD, NULL);
  for (int k = 0; k < 3; k++) {
    c = good_certificate();
    c.energy_error = bad[k];
    check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "the energy balance is open by");
    c = good_certificate();
    c.recomputed_error = bad[k];
    check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "by velocities on the constraints, is open by");
    c = good_certificate();
    c.position_residual = bad[k];
    check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "constraints are violated by");
    c = good_certificate();
    c.velocity_residual = bad[k];
    check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "constraints are violated by");
    c = good_certificate();
    c.position_violation = bad[k];
    check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "before they were closed");
    c = good_certificate();
    c.velocity_violation = bad[k];
    check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "before they were closed");
    c.top_rate = bad[k]; // beside which it is no smaller
    check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "before they were closed");
  }
  c = good_certificate();
  c.velocity_violation = 0.015;
  c.top_rate = 20; // rates in natural coordinates that are off by less than a thousandth
  check_verdict(c, NULL, ART_VERDICT_GOOD, NULL);
  c = good_certificate();
  c.weakest_pivot = NAN;
  check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "singular position");
  c.passages = 2; // passed on the branch of the motion
  check_verdict(c, NULL, ART_VERDICT_GOOD, NULL);
  c = good_certificate();
  c.rounding_steps = 50;
  check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "as short as rounding");
  c = good_certificate();
  c.step_error = 0.9e-3;
  check_verdict(c, NULL, ART_VERDICT_GOOD, NULL);
  c.step_error = 1.1e-3;
  check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "off by about 0.0011 of themselves");
  c.step_error = NAN;
  check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "does not come to its end");
  c.step_error = INFINITY;
  check_verdict(c, NULL, ART_VERDICT_DOUBTFUL, "does not come to its end");
  c = good_certificate();
  c.odd_rows = 3;
  check_verdict(c, NULL, ART_VERDICT_FAILED, "not finite in 3 rows");
  const artError error = {.status = ART_SINGULAR, .text = "no inertia"};
  check_verdict(good_certificate(), &error, ART_VERDICT_FAILED, "at 1 s: no inertia");
}


// long steps lose energy, and the certificate says so; outputs that are no numbers make a run fail
TEST(a_run_is_judged_by_what_it_did)
{
  artModel *m = keep_model(finish(pendulum_builder(3)));
  for (int trial = 0; trial < 3; trial++) {
    artData *d = keep_fresh_data(m);
    const artRunDef study = run_study(ART_RK4, 2, trial == 1 ? 0.25 : 1e-3);
    artRun *run = keep_started_run(m, d, &study);
    CHECK_WORKS(art_run_to(run, 1, &check_error));
    const double out[] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (int twice = 0; trial == 2 && twice < 2; twice++) run_note_outputs(run, out);
    CHECK_WORKS(art_run_to(run, 2, &check_error));
    const artCertificate c = art_certify(run);
    static const char *const words[] = {NULL, "energy balance",
                                        "not finite in 1 row, at first 'pin"};
    const artJudgement j = art_judge(&c, NULL);
    CHECK_EQ_INT((int) j.verdict, trial);
    CHECK_EQ_INT(j.reasons, trial == 1 ? 2 : trial == 2);
    if (words[trial]) CHECK_CONTAINS(j.reason[0], words[trial]);
    if (trial == 1) CHECK_CONTAINS(j.reason[1], "errors of steps");
  }
}


// far beyond the study, rounding left no motion at all
TEST(a_step_longer_than_the_study_is_that_of_the_study)
{
  artModel *m = keep_model(finish(slider_builder(1, 0, 1)));
  for (int k = 0; k < 2; k++) {
    artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
    const artRunDef longer = run_study(ART_RK4, 3, k == 0 ? 4 : 1e9),
                    whole = run_study(ART_RK4, 3, 3);
    artRun *run = keep_started_run(m, d, &longer);
    artRun *same = keep_started_run(m, e, &whole);
    CHECK_EQ_INT(art_run_to(run, 3, NULL), ART_OK);
    CHECK_EQ_INT(art_run_to(same, 3, NULL), ART_OK);
    CHECK(d->q[0] == e->q[0] && d->v[0] == e->v[0]);
    CHECK(d->q[0] != 0 || d->v[0] != 0);
  }
}
