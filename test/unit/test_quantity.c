// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// References: every quantity that an output may name, its value and unit, and what is said about
// those that do not exist.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"


// a free base, a pin, a cylindrical joint and a ball, with one force element of each kind
static artBuilder *machine(void)
{
  artBuilder *b = art_create_builder();
  static const char *const bodies[] = {"base", "arm", "slider", "ball"};
  static const char *const joints[] = {"fly", "pin", "cyl", "socket"};
  static const artJointType types[] = {ART_FREE, ART_REVOLUTE, ART_CYLINDRICAL, ART_SPHERICAL};
  for (int i = 0; i < 4; i++) {
    artBodyDef body = art_default_body();
    body.name = bodies[i], body.mass = 1 + i, body.com[0] = 0.1 * i;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.5;
    art_add_body(b, &body);
    artJointDef joint = art_default_joint();
    joint.name = joints[i], joint.type = types[i], joint.from = i ? bodies[i - 1] : "ground";
    joint.to = bodies[i], joint.from_offset.position[0] = 0.4;
    memcpy(joint.axis, (double[3]){0.3, 1, i}, sizeof joint.axis);
    art_add_joint(b, &joint);
  }
  artPose pose = art_default_pose();
  memcpy(pose.position, (double[3]){0.2, -0.1, 0.3}, sizeof pose.position);
  memcpy(pose.rotation, (double[4]){0.5, 0.5, -0.5, 0.5}, sizeof pose.rotation);
  art_add_frame(b, "ball", "p", &pose);

  const artLawDef linear = {.type = ART_LAW_LINEAR, .coefficient = 7};
  const artSpringDamperDef spring = {
      .name = "spring", .from = "ground", .to = "ball.p", .spring = linear, .damper = linear};
  const artJointSpringDef joint_spring = {.name = "js", .coordinate = "pin", .spring = linear};
  const artJointForceDef slide_force = {"jf", "cyl.slide", "3", {0}};
  const artBodyForceDef torque = {
      .name = "bt", .on = "arm", .components = {"1", "2", "3"}, .is_torque = 1};
  const artBodyForceDef force = {.name = "bf", .on = "ball.p", .components = {"4", "5", "6"}};
  art_add_spring_damper(b, &spring);
  art_add_joint_spring(b, &joint_spring);
  art_add_joint_force(b, &slide_force);
  art_add_body_force(b, &torque);
  art_add_body_force(b, &force);
  return b;
}


typedef struct expected {
  const char *reference, *unit;
  double value;
} expected;


static void check_outputs(const artModel *m, artData *d, int n, const expected *want)
{
  double values[128];
  if (!CHECK(n <= 128) || !CHECK_EQ_INT(art_count(m).outputs, n)) return;
  art_outputs(m, d, values);
  for (int i = 0; i < n; i++) {
    CHECK_TEXT(art_output_name(m, i), want[i].reference);
    CHECK_TEXT(art_output_unit(m, i), want[i].unit);
    if (!CHECK_CLOSE(values[i], want[i].value, 1e-14)) CHECK_TEXT(want[i].reference, "");
  }
}


// the answers of the interface, by the names that stand for them
static int list_all(const artModel *m, artData *d, expected *want)
{
  static char names[128][32];
  int n = 0;
#define PUT(value_, unit_, ...)                                                                    \
  (snprintf(names[n], sizeof names[n], __VA_ARGS__),                                               \
   want[n] = (expected){names[n], unit_, value_}, n++)

  const char *const frames[] = {"arm", "ball.p", "ground"};
  static const char *const xyz[] = {"x", "y", "z"};
  for (int f = 0; f < 3; f++) {
    const int frame = art_find_frame(m, frames[f]);
    double r[3], e[4], v[3], w[3], a[3], al[3];
    art_frame_position(m, d, frame, r);
    art_frame_rotation(m, d, frame, e);
    art_frame_velocity(m, d, frame, v, w);
    art_frame_acceleration(m, d, frame, a, al);
    for (int c = 0; c < 3; c++) {
      PUT(r[c], "m", "%s.%s", frames[f], xyz[c]);
      PUT(v[c], "m/s", "%s.v%s", frames[f], xyz[c]);
      PUT(a[c], "m/s^2", "%s.a%s", frames[f], xyz[c]);
      PUT(w[c], "rad/s", "%s.w%s", frames[f], xyz[c]);
      PUT(al[c], "rad/s^2", "%s.al%s", frames[f], xyz[c]);
      PUT(e[1 + c], "1", "%s.q%s", frames[f], xyz[c]);
    }
    PUT(e[0], "1", "%s.qw", frames[f]);
  }

  double f[3], t[3], P[3], L[3];
  CHECK(art_reaction(m, d, "cyl", f, t, NULL) == ART_OK);
  art_momentum(m, d, P, L);
  for (int c = 0; c < 3; c++) {
    PUT(f[c], "N", "cyl.f%s", xyz[c]);
    PUT(t[c], "N m", "cyl.t%s", xyz[c]);
    PUT(P[c], "N s", "momentum.%s", xyz[c]);
    PUT(L[c], "N m s", "momentum.l%s", xyz[c]);
  }
  PUT(d->time, "s", "time");
  const artEnergy energy = art_energy(m, d);
  PUT(energy.kinetic, "J", "energy.kinetic");
  PUT(energy.potential, "J", "energy.potential");
  PUT(energy.kinetic + energy.potential, "J", "energy.total");
  PUT(11, "J", "energy.work");
  PUT(energy.kinetic + energy.potential - 4 - 11, "J", "energy.balance");

#define Q(name)    d->q[art_find_position(m, name)]
#define V(x, name) d->x[art_find_velocity(m, name)]
  PUT(Q("pin.angle"), "rad", "pin.angle");
  PUT(V(v, "pin.rate"), "rad/s", "pin.rate");
  PUT(V(a, "pin.rate"), "rad/s^2", "pin.accel");
  PUT(V(force, "pin.rate"), "N m", "pin.force");
  PUT(Q("cyl.slide"), "m", "cyl.slide");
  PUT(Q("cyl.angle"), "rad", "cyl.angle");
  PUT(V(v, "cyl.slide_rate"), "m/s", "cyl.slide_rate");
  PUT(V(a, "cyl.slide_rate"), "m/s^2", "cyl.slide_accel");
  PUT(V(a, "cyl.angle_rate"), "rad/s^2", "cyl.angle_accel");
  PUT(V(force, "cyl.slide_rate"), "N", "cyl.slide_force");
  PUT(V(force, "cyl.angle_rate"), "N m", "cyl.angle_force");
  PUT(Q("fly.y"), "m", "fly.y");
  PUT(Q("fly.qx"), "1", "fly.qx");
  PUT(V(v, "fly.vz"), "m/s", "fly.vz");
  PUT(V(a, "fly.vz"), "m/s^2", "fly.az");
  PUT(V(a, "fly.wy"), "rad/s^2", "fly.aly");
  PUT(Q("socket.qz"), "1", "socket.qz");
  PUT(V(v, "socket.wx"), "rad/s", "socket.wx");
  PUT(V(a, "socket.wz"), "rad/s^2", "socket.alz");

  double r[3], v[3], w[3];
  const int p = art_find_frame(m, "ball.p");
  art_frame_position(m, d, p, r);
  art_frame_velocity(m, d, p, v, w);
  const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  const double rate = (r[0] * v[0] + r[1] * v[1] + r[2] * v[2]) / length;
  PUT(length, "m", "spring.length");
  PUT(rate, "m/s", "spring.rate");
  PUT(7 * length + 7 * rate, "N", "spring.force");
  PUT(-7 * Q("pin.angle"), "N m", "js.force");
  PUT(3, "N", "jf.force");
  PUT(2, "N m", "bt.y");
  PUT(6, "N", "bf.z");
#undef PUT
  return n;
}


TEST(every_reference_has_its_value_and_unit)
{
  // once to learn the names, once more with all of them as outputs
  static expected want[128];
  artModel *m = model_compile(machine());
  artData *d = art_create_data(m);
  CHECK(art_accelerate(m, d, ART_ORDER_N, NULL) == ART_OK);
  const int n = list_all(m, d, want);
  artBuilder *b = machine();
  for (int i = 0; i < n; i++) art_add_output(b, NULL, want[i].reference);
  art_free_data(d);
  art_free_model(m);

  m = model_compile(b);
  if (!m) return;
  d = art_create_data(m);
  for (int method = 0; method <= ART_MASS_MATRIX; method++) {
    uint64_t seed = 5;
    d->time = 1.5;
    sample_numbers(&seed, 1, art_count(m).nq, d->q);
    art_normalise(m, d->q);
    sample_numbers(&seed, 2, art_count(m).nv, d->v);
    art_update(m, d);
    art_set_work(d, 11, 4);
    CHECK(art_accelerate(m, d, (artMethod) method, NULL) == ART_OK);
    list_all(m, d, want);
    check_outputs(m, d, n, want);
  }
  art_free_data(d);
  art_free_model(m);
}


TEST(outputs_may_be_formulas)
{
  artBuilder *b = machine();
  art_add_parameter(b, "k", 2, NULL);
  art_add_output(b, "degrees", "pin.angle*180/pi");
  art_add_output(b, "power", "pin.force*pin.rate");
  art_add_output(b, "side", "if(pin.angle > 0, k, -k)");
  art_add_output(b, "speed", "hypot(arm.vx, arm.vy)");
  art_add_output(b, "turns", "-pin.rate + abs(cyl.angle_rate)");
  art_add_output(b, "mixed", "max(pin.angle, k*pin.angle)");
  artModel *m = keep_model(model_compile(b));
  artData *d = keep_fresh_data(m);
  double out[6], v[3], w[3];
  for (int sign = -1; sign <= 1; sign += 2) {
    d->q[art_find_position(m, "pin.angle")] = sign * 0.5;
    d->v[art_find_velocity(m, "pin.rate")] = 2;
    d->v[art_find_velocity(m, "fly.vx")] = 2;
    art_update(m, d);
    CHECK(art_accelerate(m, d, ART_ORDER_N, NULL) == ART_OK);
    art_outputs(m, d, out);
    art_frame_velocity(m, d, art_find_frame(m, "arm"), v, w);
    const double want[4] = {sign * 0.5 * 180 / acos(-1.0), -7 * sign * 0.5 * 2, sign * 2,
                            hypot(v[0], v[1])};
    CHECK_NEAR(out, want, 4, 1e-13);
  }
  CHECK_TEXT(art_output_unit(m, 1), "W");
  CHECK_TEXT(art_output_unit(m, 3), "m/s");
  CHECK_TEXT(art_output_unit(m, 4), "rad/s"); // sums of angles and rates have their unit
  CHECK(strcmp(art_output_unit(m, 5), "rad") != 0);
}


static int has_output(const artModel *m, const char *name)
{
  for (int k = 0; k < art_count(m).outputs; k++) {
    if (strcmp(art_output_name(m, k), name) == 0) return 1;
  }
  return 0;
}


TEST(without_outputs_coordinates_forces_and_energies_are_written)
{
  artModel *m = keep_model(model_compile(machine()));
  const artCounts count = art_count(m);
  for (int k = 0; k < count.nq; k++) CHECK_TEXT(art_output_name(m, k), art_position_name(m, k));
  for (int k = 0; k < count.nv; k++) {
    CHECK_TEXT(art_output_name(m, count.nq + k), art_velocity_name(m, k));
    CHECK_TEXT(art_output_unit(m, count.nq + k), art_velocity_unit(m, k));
  }
  CHECK_TEXT(art_output_name(m, count.outputs - 1), "energy.balance");
  static const char *const forces[] = {"spring.length", "spring.force", "js.force", "bf.x", "bf.z"};
  for (size_t k = 0; k < sizeof forces / sizeof *forces; k++) CHECK(has_output(m, forces[k]));
  CHECK(art_output_name(m, count.outputs) == NULL);
  CHECK(art_output_unit(m, -1) == NULL);
}


TEST(what_does_not_exist_is_explained)
{
  static const char *const cases[][2] = {
      {"pin.angel", "revolute joint 'pin' has no 'angel' (did you mean 'pin.angle'?)"},
      {"cyl.rate", "cylindrical joint 'cyl' has no 'rate'; it has "},
      {"fly.accel", "free joint 'fly' has no 'accel'; it has x y z qw qx qy qz vx vy vz "
                    "wx wy wz fx fy fz tx ty tz"},
      {"socket.ax", "spherical joint 'socket' has no 'ax'"},
      {"spring.lenght", "force 'spring' has no output 'lenght'"},
      {"js.length", "force 'js' has no output 'length'"},
      {"bf.w", "force 'bf' has no output 'w'"},
      {"bf.xx", "force 'bf' has no output 'xx'"},
      {"ball.p.vw", "'ball.p' has no 'vw' (did you mean 'vx'?); a body or point has x y z"},
      {"energy.totl", "'energy.totl' is not known (did you mean 'energy.total'?)"},
      {"pim.angle", "'pim.angle' is not known (did you mean 'pin.angle'?)"},
      {"a.b.c.d.e", "'a.b.c.d.e' is not known"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    artBuilder *b = keep_builder(machine());
    artModel *m;
    art_add_output(b, NULL, cases[k][0]);
    CHECK_FAILS(art_compile_model(&m, b, &check_error), ART_BAD_INPUT, cases[k][1]);
    CHECK(m == NULL);
  }
}


// 1 N m on a wheel of 0.1 kg m^2 that moves 2 kg by a rack of radius 0.1 m: a = 0.1*1/(0.1 + 2*0.1^2), force 2 a
TEST(the_force_of_a_coupling_is_in_the_unit_of_what_it_moves)
{
  artModel *m =
      keep_text("articula: 1\ngravity: [0, 0, 0]\n"
                "bodies: {wheel: {mass: 1, inertia: [0.1, 0.1, 0.1]}, bar: {mass: 2}}\n"
                "joints:\n"
                "  pin: {type: revolute, axis: y, from: ground, to: wheel}\n"
                "  slide: {type: prismatic, axis: x, from: ground, to: bar}\n"
                "couplings: {mesh: {type: rack, pinion: pin, rack: slide, radius: 0.1 m}}\n"
                "forces: {motor: {type: joint-force, coordinate: pin, value: 1 N m}}\n"
                "outputs: [mesh.force]\n");
  artData *d = keep_fresh_data(m);
  double force = NAN;
  if (!d) return;
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  art_outputs(m, d, &force);
  CHECK_CLOSE(force, 2 * 0.1 / 0.12, 1e-14);
  CHECK_TEXT(art_output_unit(m, 0), "N");
}
