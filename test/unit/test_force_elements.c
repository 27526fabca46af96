// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements and drives: what they do against closed forms, their potential and power, formulas
// that read outputs, callbacks, and the modes of what is only piecewise smooth.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "force/force.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/naive.h"
#include "support/simulate.h"

static const double grav = 9.81;


//---- a machine with an arm on a cart -------------------------------------------------------------

// cart on a rail along x, arm on a pin about y, with its tip at (0.5, 0.1, -0.8); ground has a hook
static artBuilder *cart_and_arm(void)
{
  artBuilder *b = art_create_builder();
  artBodyDef body = art_default_body();
  body.name = "cart";
  body.mass = 3;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.5;
  art_add_body(b, &body);
  body.name = "arm", body.mass = 2, body.com[2] = -0.4;
  body.inertia[0] = 0.2, body.inertia[1] = 0.25, body.inertia[2] = 0.1;
  art_add_body(b, &body);

  artPose pose = art_default_pose();
  memcpy(pose.position, (double[3]){0.5, 0.1, -0.8}, sizeof pose.position);
  memcpy(pose.rotation, (double[4]){0.8, 0.1, -0.5, 0.3}, sizeof pose.rotation);
  art_add_frame(b, "arm", "tip", &pose);
  memcpy(pose.position, (double[3]){-1, 0.3, 0.2}, sizeof pose.position);
  art_add_frame(b, "ground", "hook", &pose);

  artJointDef joint = art_default_joint();
  joint.name = "rail", joint.type = ART_PRISMATIC, joint.from = "ground", joint.to = "cart";
  memcpy(joint.axis, (double[3]){1, 0, 0}, sizeof joint.axis);
  art_add_joint(b, &joint);
  joint.name = "pin", joint.type = ART_REVOLUTE, joint.from = "cart", joint.to = "arm";
  memcpy(joint.axis, (double[3]){0, 1, 0}, sizeof joint.axis);
  art_add_joint(b, &joint);
  return b;
}


typedef struct scene {
  artModel *m;
  artData *d;
} scene;


static scene open_scene(artBuilder *b)
{
  artModel *m = keep_model(model_compile(b));
  return (scene){m, keep_fresh_data(m)};
}


static void put(scene *s, double x, double angle, double x_rate, double rate)
{
  s->d->q[art_find_position(s->m, "rail.slide")] = x;
  s->d->q[art_find_position(s->m, "pin.angle")] = angle;
  s->d->v[art_find_velocity(s->m, "rail.rate")] = x_rate;
  s->d->v[art_find_velocity(s->m, "pin.rate")] = rate;
  art_update(s->m, s->d);
}


static void accelerate(scene *s)
{
  CHECK_WORKS(art_accelerate(s->m, s->d, ART_ORDER_N, &check_error));
}


static double output(scene *s, const char *name)
{
  return output_named(s->m, s->d, name);
}


// the share of the elements in the joint forces, by the difference to a machine without them:
// Q = M (a - a0); the two coordinates in the order rail, pin
static void generalised(scene *s, double Q[2])
{
  scene bare = open_scene(cart_and_arm());
  double M[4];
  const int k[2] = {art_find_velocity(s->m, "rail.rate"), art_find_velocity(s->m, "pin.rate")};
  memcpy(bare.d->q, s->d->q, 2 * sizeof(double));
  memcpy(bare.d->v, s->d->v, 2 * sizeof(double));
  art_update(bare.m, bare.d);
  accelerate(&bare);
  accelerate(s);
  art_mass_matrix(bare.m, bare.d, M);
  for (int i = 0; i < 2; i++) {
    Q[i] = 0;
    for (int j = 0; j < 2; j++) {
      Q[i] += M[2 * k[i] + k[j]] * (s->d->a[k[j]] - bare.d->a[k[j]]);
    }
  }
}


// the tip in ground, its velocity, and how the two coordinates move it
static void tip(const scene *s, double r[3], double v[3], double J[3][2])
{
  const double x = s->d->q[art_find_position(s->m, "rail.slide")];
  const double a = s->d->q[art_find_position(s->m, "pin.angle")];
  const double px = 0.5, py = 0.1, pz = -0.8;
  r[0] = x + cos(a) * px + sin(a) * pz;
  r[1] = py;
  r[2] = -sin(a) * px + cos(a) * pz;
  J[0][0] = 1, J[1][0] = J[2][0] = J[1][1] = 0;
  J[0][1] = -sin(a) * px + cos(a) * pz;
  J[2][1] = -cos(a) * px - sin(a) * pz;
  const double x_rate = s->d->v[art_find_velocity(s->m, "rail.rate")];
  const double rate = s->d->v[art_find_velocity(s->m, "pin.rate")];
  for (int c = 0; c < 3; c++) v[c] = J[c][0] * x_rate + J[c][1] * rate;
}


// the energy changes at the rate of the power, along the machine's own motion with modes frozen
static void check_power(scene *s)
{
  accelerate(s);
  const double power = art_energy(s->m, s->d).power, h = 0.002, t0 = s->d->time;
  double q[2], v[2], a[2], E[9];
  memcpy(q, s->d->q, sizeof q);
  memcpy(v, s->d->v, sizeof v);
  memcpy(a, s->d->a, sizeof a);
  s->d->work->is_frozen = 1;
  for (int i = 0; i < 9; i++) {
    const double t = (i - 4) * h;
    s->d->time = t0 + t;
    for (int k = 0; k < 2; k++) {
      s->d->q[k] = q[k] + v[k] * t + a[k] * t * t / 2;
      s->d->v[k] = v[k] + a[k] * t;
    }
    art_update(s->m, s->d);
    const artEnergy energy = art_energy(s->m, s->d);
    E[i] = energy.kinetic + energy.potential;
  }
  CHECK_CLOSE(power, naive_first(E, h), 1e-7 * check_larger(1, fabs(E[4])));
  s->d->work->is_frozen = 0;
  s->d->time = t0;
  memcpy(s->d->q, q, sizeof q);
  memcpy(s->d->v, v, sizeof v);
  art_update(s->m, s->d);
}


//---- laws ----------------------------------------------------------------------------------------

static const double knots_x[] = {-0.3, 0.1, 0.4, 1.2}, knots_f[] = {-20, 5, 11, 40};
static const double poly[] = {30, -7, 4};

static const artLawDef laws[] = {
    {.type = ART_LAW_LINEAR, .coefficient = 25},
    {.type = ART_LAW_POLYNOMIAL, .n = 3, .f = poly},
    {.type = ART_LAW_PIECEWISE, .n = 4, .x = knots_x, .f = knots_f},
    {.type = ART_LAW_TABLE, .n = 4, .x = knots_x, .f = knots_f},
};
enum { NLAWS = 4 };


// values of the first three laws by hand
static double law_by_hand(int law, double x)
{
  if (law == 0) return 25 * x;
  if (law == 1) return 30 * x - 7 * x * x + 4 * x * x * x;
  int i = 0;
  while (i < 2 && x >= knots_x[i + 1]) i++;
  return knots_f[i] +
         (knots_f[i + 1] - knots_f[i]) / (knots_x[i + 1] - knots_x[i]) * (x - knots_x[i]);
}


TEST(a_spring_damper_pulls_its_points_together)
{
  uint64_t seed = 201;
  for (int law = 0; law < NLAWS; law++) {
    for (int damped = 0; damped < 2; damped++) {
      artBuilder *b = cart_and_arm();
      artSpringDamperDef def = {
          .name = "s", .from = "ground.hook", .to = "arm.tip", .free_length = 1.1};
      def.spring = laws[law];
      if (damped) def.damper = laws[(law + 1) % 3];
      art_add_spring_damper(b, &def);
      art_add_output(b, "F", "s.force");
      art_add_output(b, "L", "s.length");
      art_add_output(b, "R", "s.rate");
      scene s = open_scene(b);
      for (int trial = 0; trial < 12; trial++) {
        double x[4], r[3], v[3], J[3][2], Q[2], want[2];
        sample_numbers(&seed, 1.3, 4, x);
        put(&s, x[0], x[1], x[2], x[3]);
        tip(&s, r, v, J);
        const double d[3] = {r[0] + 1, r[1] - 0.3, r[2] - 0.2};
        const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        const double rate = (d[0] * v[0] + d[1] * v[1] + d[2] * v[2]) / length;
        accelerate(&s);
        const double F = output(&s, "F");
        if (law < 3) {
          double want_F = law_by_hand(law, length - 1.1);
          if (damped) want_F += law_by_hand((law + 1) % 3, rate);
          CHECK_CLOSE(F, want_F, 1e-12);
        }
        CHECK_CLOSE(output(&s, "L"), length, 1e-14);
        CHECK_CLOSE(output(&s, "R"), rate, 1e-14);
        generalised(&s, Q);
        for (int k = 0; k < 2; k++) {
          want[k] = -F / length * (d[0] * J[0][k] + d[1] * J[1][k] + d[2] * J[2][k]);
        }
        CHECK_NEAR(Q, want, 2, 1e-11);

        const double power = art_energy(s.m, s.d).power;
        const double damping = damped && law < 3 ? law_by_hand((law + 1) % 3, rate) * rate : 0;
        if (law < 3) CHECK_CLOSE(power, -damping, 1e-12);
        if (!damped) CHECK(power == 0);
        check_power(&s);
      }
    }
  }
}


TEST(a_table_passes_through_its_points)
{
  artBuilder *b = cart_and_arm();
  const artJointSpringDef def = {.name = "s", .coordinate = "rail", .spring = laws[3]};
  art_add_joint_spring(b, &def);
  art_add_output(b, "F", "s.force");
  scene s = open_scene(b);
  for (int i = 0; i < 4; i++) {
    put(&s, knots_x[i], 0, 0, 0);
    accelerate(&s);
    CHECK_CLOSE(output(&s, "F"), -knots_f[i], 1e-13);
  }
}


// V(x) of a spring is zero at rest and its slope is the force
TEST(a_joint_spring_has_force_and_potential)
{
  for (int law = 0; law < NLAWS; law++) {
    artBuilder *b = cart_and_arm();
    const artJointSpringDef def = {.name = "s",
                                   .coordinate = "pin.angle",
                                   .rest = 0.2,
                                   .spring = laws[law],
                                   .damper = laws[1]};
    art_add_joint_spring(b, &def);
    art_add_output(b, "F", "s.force");
    scene s = open_scene(b), bare = open_scene(cart_and_arm());
    put(&s, 0.3, 0.2, 0, 0);
    put(&bare, 0.3, 0.2, 0, 0);
    CHECK_CLOSE(art_energy(s.m, s.d).potential, art_energy(bare.m, bare.d).potential, 1e-14);

    for (int trial = 0; trial < 10; trial++) {
      const double angle = 0.17 * trial - 0.7, rate = 0.9 - 0.31 * trial;
      put(&s, 0.3, angle, 0.5, rate);
      accelerate(&s);
      const double damping = law_by_hand(1, rate);
      const double Q = output(&s, "F");
      if (law < 3) {
        CHECK_CLOSE(Q, -law_by_hand(law, angle - 0.2) - damping, 1e-12);
      }
      CHECK_CLOSE(s.d->force[art_find_velocity(s.m, "pin.rate")], Q, 1e-13);
      CHECK_CLOSE(art_energy(s.m, s.d).power, -damping * rate, 1e-12);
      check_power(&s);
    }
  }
}


TEST(a_damper_takes_energy_and_never_gives_it)
{
  artBuilder *b = cart_and_arm();
  const artSpringDamperDef def = {.name = "s",
                                  .from = "ground.hook",
                                  .to = "arm.tip",
                                  .damper = {.type = ART_LAW_LINEAR, .coefficient = 6}};
  const artJointFrictionDef friction = {"f", "rail", 2, 3, 0.1, 0.05, 0.4};
  art_add_spring_damper(b, &def);
  art_add_joint_friction(b, &friction);
  scene s = open_scene(b);
  uint64_t seed = 207;
  for (int trial = 0; trial < 30; trial++) {
    double x[4];
    sample_numbers(&seed, 1.3, 4, x);
    put(&s, x[0], x[1], x[2], x[3]);
    accelerate(&s);
    CHECK(art_energy(s.m, s.d).power < 0);
  }
}


TEST(a_spring_of_no_length_pulls_nowhere)
{
  artBuilder *b = cart_and_arm();
  const artSpringDamperDef def = {.name = "s",
                                  .from = "ground",
                                  .to = "cart",
                                  .free_length = 1,
                                  .spring = laws[0],
                                  .damper = laws[0]};
  art_add_spring_damper(b, &def);
  scene s = open_scene(b);
  double Q[2];
  put(&s, 0, 0.3, 1, 1);
  generalised(&s, Q);
  CHECK_NEAR(Q, ((double[2]){0, 0}), 2, 1e-13);
}


//---- stops and friction --------------------------------------------------------------------------


TEST(a_stop_pushes_back_beyond_its_limits)
{
  const double k = 50, c = 0.3, lower = -0.2, upper = 0.4;
  artBuilder *b = cart_and_arm();
  const artJointStopDef def = {"s", "rail.slide", lower, upper, k, c};
  art_add_joint_stop(b, &def);
  art_add_output(b, "F", "s.force");
  scene s = open_scene(b), bare = open_scene(cart_and_arm());
  for (int i = 0; i < 7; i++) {
    for (int j = -3; j <= 3; j++) {
      const double x = -0.5 + 0.2 * i, v = 2.1 * j;
      const double depth = x > upper ? x - upper : x < lower ? lower - x : 0;
      const double sign = x > upper ? 1 : -1;
      const double want = depth > 0 ? -sign * k * depth * fmax(0, 1 + c * sign * v) : 0;
      put(&s, x, 0.1, v, 0);
      put(&bare, x, 0.1, v, 0);
      accelerate(&s);
      CHECK_CLOSE(output(&s, "F"), want, 1e-13);
      CHECK_CLOSE(s.d->force[art_find_velocity(s.m, "rail.rate")], want, 1e-13);
      const double stored = art_energy(s.m, s.d).potential - art_energy(bare.m, bare.d).potential;
      CHECK_CLOSE(stored, 0.5 * k * depth * depth, 1e-13);
      check_power(&s);
    }
  }
}


TEST(friction_resists)
{
  artBuilder *b = cart_and_arm();
  const artJointFrictionDef def = {"f", "pin", 2, 3, 0.5, 0.05, 0.4};
  const artJointFrictionDef plain = {
      .name = "p", .coordinate = "rail", .coulomb = 1, .breakaway = 1, .transition = 0.1};
  art_add_joint_friction(b, &def);
  art_add_joint_friction(b, &plain);
  art_add_output(b, "F", "f.force");
  scene s = open_scene(b);
  for (int j = -4; j <= 4; j++) {
    const double v = 0.3 * j;
    const double want = -((2 + exp(-v * v / 0.25)) * tanh(v / 0.05) + 0.4 * v);
    put(&s, 0, 0.3, 0.2, v);
    accelerate(&s);
    CHECK_CLOSE(output(&s, "F"), want, 1e-14);
    CHECK_CLOSE(s.d->force[art_find_velocity(s.m, "rail.rate")], -tanh(2), 1e-14);
    const double power = want * v - tanh(2) * 0.2;
    CHECK_CLOSE(art_energy(s.m, s.d).power, power, 1e-14);
    check_power(&s);
  }
}


//---- formulas ------------------------------------------------------------------------------------


TEST(formulas_read_time_parameters_and_outputs)
{
  artBuilder *b = cart_and_arm();
  art_add_parameter(b, "k", 1.5, NULL);
  const artJointForceDef motor = {
      "motor", "pin", "k*sin(3*time) - 0.1*pin.rate + 2*arm.tip.x - arm.tip.vz", {0}};
  const artJointForceDef pull = {"pull", "rail", "4*spring.length - spring.rate + rail.slide", {0}};
  const artSpringDamperDef spring = {
      .name = "spring", .from = "ground.hook", .to = "arm.tip", .damper = laws[0]};
  art_add_joint_force(b, &motor);
  art_add_joint_force(b, &pull);
  art_add_spring_damper(b, &spring);
  art_add_output(b, "M", "motor.force");
  scene s = open_scene(b);
  for (int trial = 0; trial < 6; trial++) {
    double r[3], v[3], J[3][2];
    s.d->time = 0.4 * trial;
    put(&s, 0.3 - 0.1 * trial, 0.2 * trial, 0.7, -0.3 * trial);
    tip(&s, r, v, J);
    const double rate = -0.3 * trial;
    const double d[3] = {r[0] + 1, r[1] - 0.3, r[2] - 0.2};
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double length_rate = (d[0] * v[0] + d[1] * v[1] + d[2] * v[2]) / length;
    const double want = 1.5 * sin(3 * s.d->time) - 0.1 * rate + 2 * r[0] - v[2];
    const double want_pull = 4 * length - length_rate + 0.3 - 0.1 * trial;
    accelerate(&s);
    CHECK_CLOSE(s.d->force[art_find_velocity(s.m, "pin.rate")], want, 1e-13);
    CHECK_CLOSE(s.d->force[art_find_velocity(s.m, "rail.rate")], want_pull, 1e-13);
    CHECK_CLOSE(output(&s, "M"), want, 1e-13);
    const double power = want * rate + want_pull * 0.7 - 25 * length_rate * length_rate;
    CHECK_CLOSE(art_energy(s.m, s.d).power, power, 1e-12);
    check_power(&s);
  }
}


// the branch of a formula that reads an energy follows the energy of this very state
TEST(formulas_may_branch_on_energies)
{
  artBuilder *b = cart_and_arm();
  const artJointStopDef stop = {"s", "rail", -0.1, 0.1, 1000, 0};
  const artJointForceDef brake = {"brake", "pin", "if(energy.total > 20, 5, 1)", {0}};
  art_add_joint_force(b, &brake);
  art_add_joint_stop(b, &stop);
  scene s = open_scene(b);
  const int pin = art_find_velocity(s.m, "pin.rate");
  put(&s, 0, 0, 0, 0);
  accelerate(&s);
  CHECK_CLOSE(s.d->force[pin], 1, 0);
  put(&s, 0.5, 0, 0, 0); // 80 J in the stop
  accelerate(&s);
  CHECK_CLOSE(s.d->force[pin], 5, 0);
  put(&s, 0, 0, 0, 0);
  accelerate(&s);
  CHECK_CLOSE(s.d->force[pin], 1, 0);
}


// force at the tip in ground axes, along the axes of the tip's frame, and as a torque
TEST(a_body_force_acts_along_the_axes_named)
{
  for (int in_body = 0; in_body < 2; in_body++) {
    for (int is_torque = 0; is_torque < 2; is_torque++) {
      artBuilder *b = cart_and_arm();
      const artBodyForceDef def = {.name = "f",
                                   .on = "arm.tip",
                                   .components = {"3", "-4*cos(time)", "5 - arm.vx"},
                                   .is_torque = is_torque,
                                   .in_body = in_body};
      art_add_body_force(b, &def);
      art_add_output(b, "z", "f.z");
      scene s = open_scene(b);
      double r[3], v[3], J[3][2], Q[2], F[3], f[3];
      s.d->time = 0.6;
      put(&s, 0.2, 0.9, -0.4, 1.7);
      tip(&s, r, v, J);
      f[0] = 3, f[1] = -4 * cos(0.6), f[2] = 5 + 0.4;
      memcpy(F, f, sizeof F);
      if (in_body) {
        double e[4];
        art_frame_rotation(s.m, s.d, art_find_frame(s.m, "arm.tip"), e);
        const double t[3] = {2 * (e[2] * f[2] - e[3] * f[1]), 2 * (e[3] * f[0] - e[1] * f[2]),
                             2 * (e[1] * f[1] - e[2] * f[0])};
        F[0] = f[0] + e[0] * t[0] + e[2] * t[2] - e[3] * t[1];
        F[1] = f[1] + e[0] * t[1] + e[3] * t[0] - e[1] * t[2];
        F[2] = f[2] + e[0] * t[2] + e[1] * t[1] - e[2] * t[0];
      }
      generalised(&s, Q);
      double want[2] = {0, F[1]};
      for (int k = 0; k < 2 && !is_torque; k++) {
        want[k] = F[0] * J[0][k] + F[1] * J[1][k] + F[2] * J[2][k];
      }
      CHECK_NEAR(Q, want, 2, 1e-12);
      CHECK_CLOSE(output(&s, "z"), f[2], 1e-14);
      const double power = want[0] * -0.4 + want[1] * 1.7;
      CHECK_CLOSE(art_energy(s.m, s.d).power, power, 1e-12);
      check_power(&s);
    }
  }
}


TEST(a_constant_force_in_ground_has_a_potential)
{
  artBuilder *b = cart_and_arm();
  const artBodyForceDef def = {.name = "f", .on = "arm.tip", .components = {"3", "-4", "5/2"}};
  art_add_body_force(b, &def);
  scene s = open_scene(b), bare = open_scene(cart_and_arm());
  double r[3], v[3], J[3][2];
  put(&s, 0.2, 0.9, -0.4, 1.7);
  put(&bare, 0.2, 0.9, -0.4, 1.7);
  tip(&s, r, v, J);
  const double got = art_energy(s.m, s.d).potential - art_energy(bare.m, bare.d).potential;
  CHECK_CLOSE(got, -(3 * r[0] - 4 * r[1] + 2.5 * r[2]), 1e-13);
  check_power(&s);
  accelerate(&s);
  CHECK(art_energy(s.m, s.d).power == 0);
}


//---- callbacks -----------------------------------------------------------------------------------


// a spring to the origin at the tip, with a torque and a joint force that go with it or not
static artStatus apply_host(void *context, const artModel *m, artData *d)
{
  const double k = *(double *) context;
  const int frame = art_find_frame(m, "arm.tip");
  double r[3];
  art_frame_position(m, d, frame, r);
  if (r[0] > 50) return ART_NO_CONVERGENCE;
  art_apply_force(m, d, frame, (double[3]){-k * r[0], -k * r[1], -k * r[2]});
  if (k > 10) return ART_OK;
  art_apply_torque(m, d, frame, (double[3]){1, 2, 3});
  art_apply_joint_force(m, d, art_find_velocity(m, "rail.rate"), 4);
  return ART_OK;
}


static double host_potential(void *context, const artModel *m, const artData *d)
{
  const double k = *(double *) context;
  double r[3];
  art_frame_position(m, d, art_find_frame(m, "arm.tip"), r);
  return k / 2 * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
}


TEST(callbacks_act_like_elements)
{
  for (int conservative = 0; conservative < 2; conservative++) {
    double k = conservative ? 20 : 6;
    artBuilder *b = cart_and_arm();
    const artCallbackDef def = {"host", apply_host, conservative ? host_potential : NULL, &k};
    const artJointSpringDef other = {
        .name = "o", .coordinate = "pin", .spring = laws[0], .damper = laws[0]};
    art_add_joint_spring(b, &other);
    art_add_callback(b, &def);
    scene s = open_scene(b);
    double r[3], v[3], J[3][2], Q[2], want[2];
    put(&s, 0.2, 0.9, -0.4, 1.7);
    tip(&s, r, v, J);
    generalised(&s, Q);
    for (int i = 0; i < 2; i++) {
      want[i] = -k * (r[0] * J[0][i] + r[1] * J[1][i] + r[2] * J[2][i]);
    }
    if (!conservative) want[0] += 4, want[1] += 2;
    const double host_power = conservative ? 0 : want[0] * -0.4 + want[1] * 1.7;
    want[1] -= 25 * 0.9 + 25 * 1.7;
    CHECK_NEAR(Q, want, 2, 1e-12);
    CHECK_CLOSE(art_energy(s.m, s.d).power, host_power - 25 * 1.7 * 1.7, 1e-12);
    check_power(&s);
    s.d->time = 3;
    put(&s, 100, 0, 0, 0);
    CHECK_SAYS(art_accelerate(s.m, s.d, ART_ORDER_N, &check_error), ART_NO_CONVERGENCE,
               "force 'host' failed at t = 3 s: the iteration did not converge");
  }
}


//---- drives --------------------------------------------------------------------------------------


TEST(a_drive_gives_exact_derivatives)
{
  artBuilder *b = cart_and_arm();
  art_add_parameter(b, "w", 3, "rad/s");
  const artDriveDef drive = {
      .name = "d", .coordinate = "rail", .formula = "0.2 + exp(-time)*sin(w*time)"};
  const artJointSpringDef spring = {
      .name = "o", .coordinate = "rail", .spring = laws[0], .damper = laws[0]};
  art_add_drive(b, &drive);
  art_add_joint_spring(b, &spring);
  art_add_output(b, "F", "rail.force");
  art_add_output(b, "A", "rail.accel");
  scene s = open_scene(b);
  const int x = art_find_position(s.m, "rail.slide"), k = art_find_velocity(s.m, "rail.rate");
  for (int i = 0; i < 8; i++) {
    const double t = 0.3 * i, e = exp(-t), sn = sin(3 * t), c = cos(3 * t);
    s.d->time = t;
    put(&s, 99, 0.4, 99, 1.2); // the drive has the last word
    accelerate(&s);
    const double want[3] = {0.2 + e * sn, e * (3 * c - sn), e * (-8 * sn - 6 * c)};
    const double got[3] = {s.d->q[x], s.d->v[k], s.d->a[k]};
    CHECK_NEAR(got, want, 3, 1e-13);

    // the drive makes up what the spring does not give: (M + m) a + m (r x alpha ...) = F
    double tau[2];
    const double F = s.d->force[k];
    CHECK_CLOSE(output(&s, "F"), F, 0);
    CHECK_CLOSE(output(&s, "A"), want[2], 1e-13);
    const double al = s.d->a[art_find_velocity(s.m, "pin.rate")];
    CHECK_CLOSE(F, 5 * want[2] + 2 * 0.4 * (-cos(0.4) * al + sin(0.4) * 1.2 * 1.2), 1e-12);
    const double spring_force = -25 * want[0] - 25 * want[1];
    const double power = (F - spring_force) * want[1] - 25 * want[1] * want[1];
    CHECK_CLOSE(art_energy(s.m, s.d).power, power, 1e-11);
    art_inverse_dynamics(s.m, s.d, s.d->a, tau);
    CHECK_CLOSE(tau[k], F, 1e-12);
    check_power(&s);
  }
}


// a natural cubic spline: through its points, straight beyond them, of smooth acceleration
TEST(a_drive_by_table_is_smooth)
{
  const double time[] = {0, 0.5, 1.5, 2}, value[] = {0.1, 0.7, -0.3, 0.2};
  artBuilder *b = cart_and_arm();
  const artDriveDef drive = {
      .name = "d", .coordinate = "pin.angle", .n = 4, .time = time, .value = value};
  art_add_drive(b, &drive);
  scene s = open_scene(b);
  const int x = art_find_position(s.m, "pin.angle"), k = art_find_velocity(s.m, "pin.rate");
  for (int i = 0; i < 4; i++) {
    s.d->time = time[i];
    art_update(s.m, s.d);
    CHECK_CLOSE(s.d->q[x], value[i], 1e-14);
  }
  for (double t = -0.4; t < 2.5; t += 0.1) {
    double f[9], v[9];
    const double h = 1e-3;
    for (int i = 0; i < 9; i++) {
      s.d->time = t + 0.05 + (i - 4) * h;
      art_update(s.m, s.d);
      f[i] = s.d->q[x];
      v[i] = s.d->v[k];
    }
    s.d->time = t + 0.05;
    art_update(s.m, s.d);
    accelerate(&s);
    CHECK_CLOSE(s.d->v[k], naive_first(f, h), 1e-10);
    CHECK_CLOSE(s.d->a[k], naive_first(v, h), 1e-10);
    if (t < -0.06 || t > 2) CHECK_CLOSE(s.d->a[k], 0, 1e-12);
  }
  for (int i = 0; i < 4; i++) {
    double a[2];
    for (int side = 0; side < 2; side++) {
      s.d->time = time[i] + (side ? 1e-9 : -1e-9);
      art_update(s.m, s.d);
      accelerate(&s);
      a[side] = s.d->a[k];
    }
    CHECK_CLOSE(a[0], a[1], 1e-6);
  }
}


//---- modes ---------------------------------------------------------------------------------------

// one element of every kind that switches, all of them at known instants of slide, angle and time
static artBuilder *switching_machine(void)
{
  artBuilder *b = cart_and_arm();
  const artJointForceDef smooth = {"smooth", "pin", "sin(time)", {0}};
  const artJointSpringDef spring = {
      .name = "spring", .coordinate = "rail", .spring = laws[2], .damper = laws[2]};
  const artJointStopDef stop = {"stop", "pin", -0.5, 0.5, 100, 0.1};
  const artJointForceDef force = {"force", "pin", "step(time - 1) + abs(pin.angle)", {0}};
  const artBodyForceDef push = {
      .name = "push", .on = "arm", .components = {"max(rail.slide, 0)", "2", "min(rail.slide, 3)"}};
  const artJointSpringDef table = {
      .name = "table", .coordinate = "pin", .spring = laws[3], .damper = laws[1]};
  art_add_joint_force(b, &smooth);
  art_add_joint_spring(b, &table);
  art_add_joint_spring(b, &spring);
  art_add_joint_stop(b, &stop);
  art_add_joint_force(b, &force);
  art_add_body_force(b, &push);
  return b;
}


// the modes chosen afresh at the present state
static void fresh_modes(scene *s, int *mode)
{
  s->d->work->is_frozen = 0;
  art_update(s->m, s->d);
  memcpy(mode, s->d->work->mode, (size_t) s->m->nmode * sizeof *mode);
}


// go over a border: exactly one switching function becomes negative, and crossing it gives the modes
// that would be chosen afresh beyond
static void switch_at_surface(scene *s, const double before[5], const double after[5])
{
  enum { MOST = 32 };
  double g[MOST];
  int want[MOST], old[MOST], crossed = 0;
  if (!CHECK(s->m->nswitch <= MOST && s->m->nmode <= MOST)) return;
  s->d->time = after[4];
  put(s, after[0], after[1], after[2], after[3]);
  fresh_modes(s, want);
  s->d->time = before[4];
  put(s, before[0], before[1], before[2], before[3]);
  fresh_modes(s, old);
  CHECK(memcmp(old, want, (size_t) s->m->nmode * sizeof *old) != 0);
  for (int i = 0; i < MOST; i++) g[i] = NAN;
  force_switches(s->m, s->d, g);
  for (int i = 0; i < s->m->nswitch; i++) CHECK(g[i] > 0);

  s->d->work->is_frozen = 1;
  s->d->time = after[4];
  put(s, after[0], after[1], after[2], after[3]);
  CHECK(memcmp(old, s->d->work->mode, (size_t) s->m->nmode * sizeof *old) == 0);
  force_switches(s->m, s->d, g);
  for (int i = 0; i < s->m->nswitch; i++) {
    if (g[i] >= 0) continue;
    force_switch_mode(s->m, s->d, i);
    crossed++;
  }
  CHECK_EQ_INT(crossed, 1);
  CHECK(memcmp(want, s->d->work->mode, (size_t) s->m->nmode * sizeof *want) == 0);
  force_switches(s->m, s->d, g);
  for (int i = 0; i < s->m->nswitch; i++) CHECK(g[i] > 0);
  s->d->work->is_frozen = 0;
}


TEST(modes_change_at_each_border_and_only_there)
{
  scene s = open_scene(switching_machine());
  CHECK_EQ_INT(s.m->nswitch,
               2 + 2 + 2 + 2 + 2); // two laws, a stop's two limits, two formulas with two each
  const double e = 1e-6;
  // slide, angle, slide rate, angle rate, time; which one goes over which value
  const struct {
    int which;
    double border;
  } borders[] = {{0, 0.1},  {0, 0.4}, {2, 0.1}, {2, 0.4}, {1, 0.5},
                 {1, -0.5}, {4, 1},   {1, 0},   {0, 0},   {0, 3}};
  for (int k = 0; k < 10; k++) {
    for (int up = 0; up < 2; up++) {
      double before[5] = {0.2, 0.3, 0.2, 0.7, 0.5}, after[5];
      memcpy(after, before, sizeof after);
      before[borders[k].which] = borders[k].border + (up ? -e : e);
      after[borders[k].which] = borders[k].border + (up ? e : -e);
      switch_at_surface(&s, before, after);
    }
  }
}


// each component of a force follows its own branches
TEST(components_switch_one_by_one)
{
  artBuilder *b = cart_and_arm();
  const artBodyForceDef def = {
      .name = "f",
      .on = "arm",
      .components = {"max(rail.slide, 0)", "if(pin.rate > 0, 3, 7)", "abs(pin.angle)"}};
  art_add_body_force(b, &def);
  art_add_output(b, NULL, "f.x");
  art_add_output(b, NULL, "f.y");
  art_add_output(b, NULL, "f.z");
  scene s = open_scene(b);
  for (int k = 0; k < 8; k++) {
    const double x = k & 1 ? 0.3 : -0.3, angle = k & 2 ? 0.6 : -0.6, rate = k & 4 ? 2 : -2;
    double f[3];
    put(&s, x, angle, 0, rate);
    accelerate(&s);
    art_outputs(s.m, s.d, f);
    CHECK_NEAR(f, ((double[3]){fmax(x, 0), rate > 0 ? 3 : 7, 0.6}), 3, 0);
  }
}


// beyond a stop the push may end while the coordinate is still outside
TEST(a_stop_lets_go_of_what_leaves_fast)
{
  scene s = open_scene(switching_machine());
  const double v = -1 / 0.1, e = 1e-6;
  const double slow[5] = {0.2, 0.6, 0.2, v + e, 0.5}, fast[5] = {0.2, 0.6, 0.2, v - e, 0.5};
  switch_at_surface(&s, slow, fast);
  switch_at_surface(&s, fast, slow);
}


TEST(a_drive_that_switches_is_followed)
{
  artBuilder *b = cart_and_arm();
  const artDriveDef drive = {.name = "d", .coordinate = "pin", .formula = "abs(time - 2)"};
  const artJointSpringDef spring = {.name = "s", .coordinate = "rail", .spring = laws[2]};
  art_add_joint_spring(b, &spring);
  art_add_drive(b, &drive);
  scene s = open_scene(b);
  const double before[5] = {0.2, 0, 0.2, 0, 2 - 1e-6}, after[5] = {0.2, 0, 0.2, 0, 2 + 1e-6};
  switch_at_surface(&s, before, after);
  s.d->time = 3;
  art_update(s.m, s.d);
  CHECK_CLOSE(s.d->v[art_find_velocity(s.m, "pin.rate")], 1, 0);
  s.d->time = 1;
  art_update(s.m, s.d);
  CHECK_CLOSE(s.d->v[art_find_velocity(s.m, "pin.rate")], -1, 0);

  // frozen, the branch goes on beyond its end
  s.d->work->is_frozen = 1;
  s.d->time = 3;
  art_update(s.m, s.d);
  CHECK_CLOSE(s.d->q[art_find_position(s.m, "pin.angle")], -1, 0);
}


TEST(gravity_can_be_turned_off_and_round)
{
  artBuilder *b = cart_and_arm();
  art_set_gravity(b, (double[3]){grav, 0, 0});
  scene s = open_scene(b);
  put(&s, 0.3, 0, 0, 0);
  accelerate(&s);
  CHECK_CLOSE(s.d->a[art_find_velocity(s.m, "rail.rate")], grav, 1e-13);
  CHECK_CLOSE(art_energy(s.m, s.d).potential, -5 * grav * 0.3, 1e-13);
}
