// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The builder and the compiler: what they refuse and how they say it, names and scopes, spanning tree
// and cuts, initial values, the fingerprint.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/define/builder.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"


//---- a good machine to spoil ---------------------------------------------------------------------


static artBodyDef good_body(const char *name)
{
  artBodyDef body = art_default_body();
  body.name = name;
  body.mass = 2;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
  return body;
}


static artJointDef good_joint(const char *name, const char *from, const char *to)
{
  artJointDef joint = art_default_joint();
  joint.name = name, joint.from = from, joint.to = to;
  return joint;
}


static void add_body(artBuilder *b, const char *name)
{
  const artBodyDef body = good_body(name);
  art_add_body(b, &body);
}


static void add_joint(artBuilder *b, const char *name, artJointType type, const char *from,
                      const char *to)
{
  artJointDef joint = good_joint(name, from, to);
  joint.type = type;
  joint.axis2[0] = type == ART_UNIVERSAL;
  art_add_joint(b, &joint);
}


// crank on a pin, slider on the crank, ball on the slider
static artBuilder *good_machine(void)
{
  artBuilder *b = art_create_builder();
  add_body(b, "crank");
  add_body(b, "slider");
  add_body(b, "ball");
  const artPose pose = art_default_pose();
  art_add_frame(b, "crank", "tip", &pose);
  add_joint(b, "pin", ART_REVOLUTE, "ground", "crank");
  add_joint(b, "rail", ART_PRISMATIC, "crank", "slider");
  add_joint(b, "socket", ART_SPHERICAL, "slider", "ball");
  return b;
}


// compile, expect it to fail with this text, and free the builder
static void refuse(artBuilder *b, const char *want)
{
  artModel *m = NULL;
  CHECK_FAILS(art_compile_model(&m, b, &check_error), ART_BAD_INPUT, want);
  CHECK_EQ_INT(check_error.status, ART_BAD_INPUT);
  CHECK(m == NULL);
  art_free_builder(b);
}


// with one more call or several the good machine is refused with this text
#define REFUSED(want, ...)                                                                         \
  do {                                                                                             \
    artBuilder *b = good_machine();                                                                \
    __VA_ARGS__;                                                                                   \
    refuse(b, want);                                                                               \
  } while (0)


//---- names ---------------------------------------------------------------------------------------


TEST(names_must_be_there_and_differ)
{
  REFUSED("body name 'crank' is already in use; names of bodies, joints, forces, drives, inputs,",
          add_body(b, "crank"));

  REFUSED("joint name 'crank' is already in use",
          add_joint(b, "crank", ART_REVOLUTE, "ground", "ball"));

  const artJointForceDef force = {"pin", "rail", "1", {0}};
  REFUSED("force name 'pin' is already in use", art_add_joint_force(b, &force));

  const artDriveDef drive = {.name = "ball", .coordinate = "pin", .formula = "time"};
  REFUSED("drive name 'ball' is already in use", art_add_drive(b, &drive));

  REFUSED("a body has no name", add_body(b, NULL));
  REFUSED("a body has no name", add_body(b, ""));
  REFUSED("body name 'big wheel' has the character ' '; use letters, digits, _ and -",
          add_body(b, "big wheel"));
  REFUSED("body name 'a.b' has the character '.'", add_body(b, "a.b"));
  REFUSED("joint name 'time' is reserved; choose another one",
          add_joint(b, "time", ART_REVOLUTE, "ground", "ball"));
  REFUSED("body name 'ground' is reserved", add_body(b, "ground"));

  const artPose pose = art_default_pose();
  REFUSED("frame 'crank.tip' is given twice", art_add_frame(b, "crank", "tip", &pose));
  REFUSED("a frame names the body 'crenk', which is not defined (did you mean 'crank'?)",
          art_add_frame(b, "crenk", "end", &pose));
  REFUSED("frame name 'a b' has the character ' '", art_add_frame(b, "crank", "a b", &pose));
  REFUSED("'body' is missing", art_add_frame(b, NULL, "end", &pose));
}


TEST(the_first_mistake_is_kept)
{
  artBuilder *b = good_machine();
  CHECK(art_set_title(b, "machine") == ART_OK);
  add_body(b, "bad name");
  add_body(b, "crank");
  CHECK(art_set_title(b, "other") == ART_BAD_INPUT);
  CHECK(art_set_gravity(b, (double[3]){0, 0, 0}) == ART_BAD_INPUT);
  CHECK(art_add_parameter(b, "k", 1, NULL) == ART_BAD_INPUT);
  CHECK(art_set_initial(b, "pin.angle", 1) == ART_BAD_INPUT);
  CHECK(art_add_output(b, NULL, "pin.angle") == ART_BAD_INPUT);
  CHECK_CONTAINS(builder_error(b)->text, "bad name");
  refuse(b, "body name 'bad name'");

  artModel *m;
  CHECK(art_compile_model(&m, NULL, NULL) == ART_NO_MEMORY);
  art_free_builder(NULL);
  art_free_model(NULL);
  art_free_data(NULL);
}


TEST(a_builder_serves_more_than_once)
{
  artBuilder *b = keep_builder(good_machine());
  art_set_title(b, "machine");
  artModel *one = NULL, *other = NULL;
  CHECK(art_compile_model(&one, b, NULL) == ART_OK);
  add_body(b, "more");
  add_joint(b, "fly", ART_FREE, "ground", "more");
  CHECK(art_compile_model(&other, b, NULL) == ART_OK);
  CHECK_TEXT(art_title(one), "machine");
  CHECK_EQ_INT(art_count(one).bodies, 3);
  CHECK_EQ_INT(art_count(other).bodies, 4);
  CHECK_EQ_INT(art_count(one).nv, 5);
  CHECK_EQ_INT(art_count(one).nq, 6);
  CHECK_EQ_INT(art_count(other).nv, 11);
  CHECK(art_model_hash(one) != art_model_hash(other));
  art_free_model(one);
  art_free_model(other);
}


//---- bodies --------------------------------------------------------------------------------------


// the good machine with a body that is spoilt is refused with this text, or not refused
#define BAD_BODY(want, ...)                                                                        \
  do {                                                                                             \
    artBodyDef body = good_body("bad");                                                            \
    __VA_ARGS__;                                                                                   \
    REFUSED(want, art_add_body(b, &body), add_joint(b, "fly", ART_FREE, "ground", "bad"));         \
  } while (0)
#define GOOD_BODY(...)                                                                             \
  do {                                                                                             \
    artBuilder *made = good_machine();                                                             \
    artBodyDef body = good_body("bad");                                                            \
    __VA_ARGS__;                                                                                   \
    art_add_body(made, &body);                                                                     \
    add_joint(made, "fly", ART_FREE, "ground", "bad");                                             \
    keep_model(model_compile(made));                                                               \
  } while (0)


TEST(bodies_must_be_possible)
{
  BAD_BODY("'mass' is -1, a non-negative number is wanted", body.mass = -1);
  BAD_BODY("'mass' is nan, a finite number is wanted", body.mass = NAN);
  BAD_BODY("'com' is inf, a finite number is wanted", body.com[1] = INFINITY);
  BAD_BODY("'inertia' is nan", body.inertia[4] = NAN);
  BAD_BODY("principal moments -0.1, 0.1, 0.1 kg m^2; none may be negative (is it taken about the "
           "centre of mass?)",
           body.inertia[2] = -0.1);
  BAD_BODY("principal moments -0.1, 0.1, 0.3 kg m^2; none may be negative", body.inertia[3] = 0.2);
  BAD_BODY("principal moments 0.1, 0.1, 0.3 kg m^2; the largest may not exceed the sum of the "
           "others (mark identified values as unchecked)",
           body.inertia[0] = 0.3);
  BAD_BODY("principal moments 0.01, 0.01, 0.28 kg m^2; the largest may not exceed",
           body.inertia[3] = body.inertia[4] = body.inertia[5] = 0.09);
  BAD_BODY("body 'bad' has inertia but no mass; give it a mass", body.mass = 0);
  BAD_BODY("the rotation is the quaternion (0, 0, 0, 0), which has no direction",
           memset(body.pose.rotation, 0, sizeof body.pose.rotation));
  BAD_BODY("'pose' is nan", body.pose.rotation[1] = NAN);
  BAD_BODY("'pose' is nan", body.pose.position[1] = NAN);
  GOOD_BODY(body.inertia[0] = 0.3, body.unchecked = 1);
  GOOD_BODY(body.inertia[0] = 0, body.inertia[1] = body.inertia[2] = 0.3);
  GOOD_BODY(body.inertia[0] = 0.1, body.inertia[1] = 0.2, body.inertia[2] = 0.3);
}


// rods and plates in all directions lie on the border of the possible
TEST(rods_and_plates_of_any_direction_are_possible)
{
  uint64_t seed = 301;
  for (int trial = 0; trial < 2000; trial++) {
    double u[3], size = pow(10, check_uniform(&seed, -6, 6)), square;
    sample_numbers(&seed, 1, 3, u);
    square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    const int plate = trial % 2;
    artBuilder *b = keep_builder(art_create_builder());
    artBodyDef body = good_body("rod");
    for (int c = 0; c < 3; c++) {
      const int d = (c + 1) % 3;
      // rod: 1 - u u^T, plate: 1 + u u^T
      body.inertia[c] = size * (1 + (plate ? 1 : -1) * u[c] * u[c] / square);
      body.inertia[c == 0 ? 3 : c == 1 ? 5 : 4] = size * (plate ? 1 : -1) * u[c] * u[d] / square;
    }
    if (!CHECK(art_add_body(b, &body) == ART_OK)) CHECK_TEXT(builder_error(b)->text, "");
  }
}


TEST(massless_bodies_must_carry_something)
{
  artBuilder *b = good_machine();
  artBodyDef light = art_default_body();
  light.name = "light";
  art_add_body(b, &light);
  add_joint(b, "hinge", ART_REVOLUTE, "ball", "light");
  refuse(b, "joint 'hinge' moves nothing that has mass: body 'light' and all it carries are "
            "massless; give it a mass, or drive the joint");

  // reversed, with another massless body welded to it
  b = good_machine();
  art_add_body(b, &light);
  light.name = "lighter";
  art_add_body(b, &light);
  add_joint(b, "hinge", ART_REVOLUTE, "light", "ball");
  add_joint(b, "weld", ART_FIXED, "light", "lighter");
  refuse(b, "joint 'hinge' moves nothing that has mass: body 'light' and all");

  // welded, driven, with a rotor, or carrying a mass: all of them will do
  b = good_machine();
  light.name = "light";
  art_add_body(b, &light);
  add_joint(b, "weld", ART_FIXED, "ball", "light");
  light.name = "led";
  art_add_body(b, &light);
  add_joint(b, "lead", ART_REVOLUTE, "ball", "led");
  const artDriveDef drive = {.name = "d", .coordinate = "lead", .formula = "time"};
  art_add_drive(b, &drive);
  light.name = "geared";
  art_add_body(b, &light);
  artJointDef geared = good_joint("gear", "ball", "geared");
  geared.rotor = 0.1;
  art_add_joint(b, &geared);
  light.name = "carrier";
  art_add_body(b, &light);
  add_body(b, "load");
  add_joint(b, "lower", ART_REVOLUTE, "ground", "carrier");
  add_joint(b, "upper", ART_PRISMATIC, "carrier", "load");
  keep_model(model_compile(b));

  // inertia without mass counts, when it is not checked
  GOOD_BODY(body.mass = 0, body.unchecked = 1);
}


//---- joints --------------------------------------------------------------------------------------


#define BAD_JOINT(want, ...)                                                                       \
  do {                                                                                             \
    artJointDef joint = good_joint("bad", "ground", "more");                                       \
    __VA_ARGS__;                                                                                   \
    REFUSED(want, add_body(b, "more"), art_add_joint(b, &joint));                                  \
  } while (0)


TEST(joints_must_make_sense)
{
  BAD_JOINT("'from' is missing", joint.from = NULL);
  BAD_JOINT("'to' is missing", joint.to = "");
  BAD_JOINT("joint 'bad' names the body 'cranc', which is not defined (did you mean 'crank'?)",
            joint.from = "cranc");
  BAD_JOINT("joint 'bad' names the frame or point 'crank.tap', which is not defined (did you mean "
            "'crank.tip'?)",
            joint.to = "crank.tap");
  BAD_JOINT("joint 'bad' connects 'crank' with itself", joint.from = "crank.tip",
            joint.to = "crank");
  BAD_JOINT("joint 'bad' has the type 77, which there is not", joint.type = (artJointType) 77);
  BAD_JOINT("the axis of joint 'bad' is (0, 0, 0), which has no direction", joint.axis[2] = 0);
  BAD_JOINT("which has no direction", joint.axis[2] = 1e200);
  BAD_JOINT("'axis' is nan", joint.axis[0] = NAN);
  BAD_JOINT("'axis2' is nan", joint.axis2[0] = NAN);
  BAD_JOINT("'at' is -inf", joint.at[0] = -INFINITY);
  BAD_JOINT("'pitch' is nan", joint.pitch = NAN);
  BAD_JOINT("'rotor' is -1, a non-negative number is wanted", joint.rotor = -1);
  BAD_JOINT("spherical joint 'bad' cannot have a rotor; only joints with one",
            joint.type = ART_SPHERICAL, joint.rotor = 1);
  BAD_JOINT("universal joint 'bad' needs a second axis, square to the first",
            joint.type = ART_UNIVERSAL);
  BAD_JOINT("the axes of joint 'bad' are at 45 degrees; they must be perpendicular",
            joint.type = ART_UNIVERSAL, joint.axis2[0] = joint.axis2[2] = 1);
  BAD_JOINT("the axes of joint 'bad' are at 135 degrees", joint.type = ART_PLANAR,
            joint.axis2[1] = 1, joint.axis2[2] = -1);
  BAD_JOINT("the rotation is the quaternion (0, 0, 0, 0)",
            memset(joint.from_offset.rotation, 0, sizeof joint.from_offset.rotation));
  BAD_JOINT("'to' is nan", joint.to_offset.position[0] = NAN);
  BAD_JOINT("spherical joint 'bad' leads from 'more' towards ground; swap its 'from' and 'to'",
            joint.type = ART_SPHERICAL, joint.from = "more", joint.to = "ground");
  BAD_JOINT("free joint 'bad' leads from 'more' towards ground", joint.type = ART_FREE,
            joint.from = "more", joint.to = "crank");
}


// a joint of a file that says nothing but its ends is one of the C interface that says no more
TEST(joints_have_the_defaults_of_files)
{
  for (int type = ART_FIXED; type < ART_ROD; type++) {
    char text[300];
    snprintf(text, sizeof text,
             "articula: 1\nbodies: {arm: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
             "joints: {pin: {type: %s, from: ground, to: arm%s}}\n",
             art_joint_type_name((artJointType) type), type == ART_SCREW ? ", pitch: 0.1" : "");
    artModel *of_file = NULL, *of_program = NULL;
    CHECK_WORKS(art_read_model(&of_file, text, strlen(text), "file", &check_error));

    artBuilder *b = art_create_builder();
    artJointDef joint = art_default_joint_of((artJointType) type);
    joint.name = "pin", joint.from = "ground", joint.to = "arm";
    if (type == ART_SCREW) joint.pitch = 0.1;
    add_body(b, "arm");
    art_add_joint(b, &joint);
    CHECK_WORKS(art_compile_model(&of_program, b, &check_error));
    if (of_file && of_program) CHECK(art_model_hash(of_file) == art_model_hash(of_program));
    art_free_model(of_program);
    art_free_model(of_file);
    art_free_builder(b);
  }
}


TEST(every_body_must_hang_on_something)
{
  REFUSED("body 'lost' hangs on nothing: no joint names it; add a joint (type: free for a body "
          "that flies)",
          add_body(b, "lost"));
  REFUSED("body 'lost' hangs on nothing: no chain of joints leads from it to ground",
          add_body(b, "lost"), add_body(b, "found"),
          add_joint(b, "between", ART_REVOLUTE, "lost", "found"));
}


TEST(loops_are_kept_and_cut)
{
  artBuilder *b = good_machine();
  add_joint(b, "close", ART_REVOLUTE, "ball", "ground");
  artModel *m = keep_model(model_compile(b));
  artData *d = keep_fresh_data(m);
  CHECK_EQ_INT(art_count(m).loops, 1);
  CHECK_EQ_INT(art_count(m).joints, 4);
  CHECK_FAILS(art_accelerate(m, d, ART_ORDER_N, &check_error), ART_BAD_INPUT, "closed loops");
}


static int is_cut(const artModel *m, const char *name)
{
  return m->joint[table_find(&m->joints, name)].is_cut;
}


// a square of four bodies and ground: breadth first, unless it is told otherwise
static artBuilder *ring(int keep, const char *which)
{
  static const char *const bodies[] = {"ground", "a", "b", "c", "ground"};
  static const char *const joints[] = {"ga", "ab", "bc", "cg"};
  artBuilder *b = art_create_builder();
  for (int i = 1; i < 4; i++) add_body(b, bodies[i]);
  for (int i = 0; i < 4; i++) {
    artJointDef joint = good_joint(joints[i], bodies[i], bodies[i + 1]);
    if (which && strstr(which, joints[i])) joint.keep = keep;
    art_add_joint(b, &joint);
  }
  return b;
}


TEST(cuts_are_chosen_or_told)
{
  const artModel *m = keep_model(model_compile(ring(0, NULL)));
  CHECK(!is_cut(m, "ga") && !is_cut(m, "ab") && is_cut(m, "bc") && !is_cut(m, "cg"));
  m = keep_model(model_compile(ring(-1, "ga")));
  CHECK(is_cut(m, "ga") && !is_cut(m, "ab") && !is_cut(m, "bc") && !is_cut(m, "cg"));
  m = keep_model(model_compile(ring(1, "bc")));
  CHECK(!is_cut(m, "bc") && art_count(m).loops == 1);
  m = keep_model(model_compile(ring(1, "ga bc cg")));
  CHECK(is_cut(m, "ab"));
  refuse(ring(1, "ga ab bc cg"),
         "cannot be kept in the tree: the other kept joints close a loop with it");
  refuse(ring(-1, "ga cg"), "body 'a' hangs on nothing: no chain of joints leads from it");
}


//---- initial values ------------------------------------------------------------------------------


TEST(initial_values_are_taken)
{
  artBuilder *b = good_machine();
  art_set_initial(b, "pin.angle", 0.5);
  art_set_initial(b, "pin.rate", -1);
  art_set_initial(b, "socket.qw", 3);
  art_set_initial(b, "socket.qy", 4);
  art_set_initial(b, "socket.wz", 7);
  artModel *m = keep_model(model_compile(b));
  artData *d = keep_fresh_data(m);
  double q[6], v[5];
  memcpy(q, d->q, sizeof q);
  memcpy(v, d->v, sizeof v);
  CHECK_NEAR(q, ((double[6]){0.5, 0, 0.6, 0, 0.8, 0}), 6, 1e-15);
  CHECK_NEAR(v, ((double[5]){-1, 0, 0, 0, 7}), 5, 0);
  d->q[0] = 9, d->v[3] = 9, d->time = 9;
  art_reset(m, d);
  CHECK_NEAR(d->q, q, 6, 0);
  CHECK_NEAR(d->v, v, 5, 0);
  CHECK_CLOSE(d->time, 0, 0);
}


TEST(initial_values_must_be_of_coordinates_that_are_free)
{
  REFUSED("an initial value is given for 'pin.angel', which is not a coordinate (did you mean "
          "'pin.angle'?)",
          art_set_initial(b, "pin.angel", 0.5));
  REFUSED("'coordinate' is missing", art_set_initial(b, NULL, 0.5));
  REFUSED("'value' is nan", art_set_initial(b, "pin.angle", NAN));
  REFUSED("the initial quaternion of joint 'socket' is (0, 0, 0, 0), which has no direction",
          art_set_initial(b, "socket.qw", 0));

  static const char *const driven[] = {"pin.angle", "pin.rate"};
  for (int k = 0; k < 2; k++) {
    const artDriveDef drive = {.name = "d", .coordinate = "pin", .formula = "time"};
    REFUSED("whose motion is prescribed by a drive; remove one of them", art_add_drive(b, &drive),
            art_set_initial(b, driven[k], 1));
  }
}


//---- forces and drives ---------------------------------------------------------------------------


TEST(parameters_must_make_sense)
{
  REFUSED("parameter 'k' is given twice", art_add_parameter(b, "k", 1, NULL),
          art_add_parameter(b, "k", 2, NULL));
  REFUSED("'value' is nan", art_add_parameter(b, "k", NAN, NULL));
  REFUSED("furlong", art_add_parameter(b, "k", 1, "furlong"));
  REFUSED("parameter name 'energy' is reserved", art_add_parameter(b, "energy", 1, NULL));
  REFUSED("'gravity' is nan", art_set_gravity(b, (double[3]){0, NAN, 0}));
}


#define BAD_SPRING(want, ...)                                                                      \
  do {                                                                                             \
    const artLawDef linear = {.type = ART_LAW_LINEAR, .coefficient = 1};                           \
    artSpringDamperDef def = {"s", "ground", "crank", 0, linear, linear, {.stiffness = 0}};        \
    __VA_ARGS__;                                                                                   \
    REFUSED(want, art_add_spring_damper(b, &def));                                                 \
  } while (0)


TEST(springs_must_make_sense)
{
  const double x[] = {0, 1}, back[] = {1, 0};
  BAD_SPRING("'crenk' is not a body, frame or point (did you mean 'crank'?)", def.to = "crenk");
  BAD_SPRING("(did you mean 'crank.tip'?)", def.from = "crank.tap", def.to = "ball");
  BAD_SPRING("spring-damper 's' has both its points on 'crank'", def.from = "crank.tip");
  BAD_SPRING("'from' is missing", def.from = NULL);
  BAD_SPRING("'to' is missing", def.from = "crank", def.to = NULL);
  BAD_SPRING("'free_length' is -1", def.free_length = -1);
  BAD_SPRING("'free_length' is nan", def.free_length = NAN);
  BAD_SPRING("a force has no name", def.name = "");
  BAD_SPRING("law type 9, which there is", def.spring.type = (artLawType) 9);
  BAD_SPRING("the law 'spring' has no values, expected at least two points",
             def.spring = (artLawDef){.type = ART_LAW_PIECEWISE});
  BAD_SPRING("the law 'damper' has no values, expected at least two points",
             def.damper = (artLawDef){.type = ART_LAW_TABLE, .n = 2, .f = x});
  BAD_SPRING("the law 'damper' has no values, expected at least one coefficient",
             def.damper = (artLawDef){.type = ART_LAW_POLYNOMIAL, .n = -1, .f = x});
  BAD_SPRING("found 1 point, expected at least two",
             def.spring = (artLawDef){.type = ART_LAW_TABLE, .n = 1, .x = x, .f = x});
  BAD_SPRING("point 2 has x = 0 after x = 1",
             def.spring = (artLawDef){.type = ART_LAW_PIECEWISE, .n = 2, .x = back, .f = x});
  BAD_SPRING("the coefficient of x^1 is nan", def.spring.coefficient = NAN);

  const artJointSpringDef spring = {.name = "s", .coordinate = "pin", .rest = NAN};
  REFUSED("'rest' is nan", art_add_joint_spring(b, &spring));
}


TEST(joint_forces_must_name_a_coordinate)
{
  static const char *const cases[][2] = {
      {"pin.rate", "'pin.rate' is not a joint coordinate"},
      {"pin.angel", "'pin.angel' is not a joint coordinate (did you mean 'pin.angle'?)"},
      {"pim", "'pim' is not a joint coordinate (did you mean 'pin'?)"},
      {"socket", "joint 'socket' has several coordinates; name one of them, as in joint.angle"},
      {"socket.qx", "'socket.qx' is not a joint coordinate"},
      {"weld", "joint 'weld' has no coordinates"},
      {"bar", "joint 'bar' closes a loop and has no coordinates of its own"},
      {NULL, "'coordinate' is missing"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    artBuilder *b = good_machine();
    add_body(b, "plate");
    add_joint(b, "weld", ART_FIXED, "ball", "plate");
    artJointDef close = good_joint("close", "plate", "ground");
    close.keep = -1;
    art_add_joint(b, &close);
    artJointDef bar = good_joint("bar", "plate", "ground");
    bar.type = ART_ROD;
    bar.length = 1;
    art_add_joint(b, &bar);
    const artJointForceDef def = {"f", cases[k][0], "1", {0}};
    art_add_joint_force(b, &def);
    refuse(b, cases[k][1]);
  }
}


TEST(stops_and_friction_must_make_sense)
{
  const struct {
    artJointStopDef def;
    const char *want;
  } stops[] = {
      {{"s", "pin", 0, 1, 0, 0}, "'stiffness' is 0, a positive number is wanted"},
      {{"s", "pin", 0, 1, 1, -1}, "'damping' is -1, a non-negative number is wanted"},
      {{"s", "pin", 1, 0, 1, 0}, "stop 's' has its upper limit 0 not above its lower limit 1"},
      {{"s", "pin", NAN, 0, 1, 0}, "not above its lower limit nan"},
  };
  for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
    REFUSED(stops[k].want, art_add_joint_stop(b, &stops[k].def));
  }
  const struct {
    artJointFrictionDef def;
    const char *want;
  } frictions[] = {
      {{"f", "pin", -1, 1, 1, 1, 0}, "'coulomb' is -1"},
      {{"f", "pin", 1, 1, 1, 0, 0}, "'transition' is 0, a positive number is wanted"},
      {{"f", "pin", 1, 1, 1, 1, -2}, "'viscous' is -2"},
      {{"f", "pin", 1, NAN, 1, 1, 0}, "'breakaway' is nan"},
      {{"f", "pin", 2, 1, 1, 1, 0},
       "friction 'f' has the breakaway force 1 below the sliding force 2"},
      {{"f", "pin", 1, 2, 0, 1, 0}, "'stribeck' is 0, a positive number is wanted"},
  };
  for (size_t k = 0; k < sizeof frictions / sizeof *frictions; k++) {
    REFUSED(frictions[k].want, art_add_joint_friction(b, &frictions[k].def));
  }
}


// a program that sets the required fields alone gets the elements of a file that gives these keys alone
TEST(defaults_of_programs_are_those_of_files)
{
  static const char text[] =
      "articula: 1\nbodies: {crank: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {pin: {type: revolute, from: ground, to: crank}}\n"
      "forces:\n"
      "  stop: {type: joint-stop, coordinate: pin, stiffness: 3}\n"
      "  rub: {type: joint-friction, coordinate: pin, coulomb: 2, transition: 0.01}\n"
      "  air: {type: drag, point: crank, area: 2, drag: 0.5}\n";
  artJointStopDef stop = art_default_joint_stop();
  stop.name = "stop", stop.coordinate = "pin", stop.stiffness = 3;
  artJointFrictionDef rub = art_default_joint_friction();
  rub.name = "rub", rub.coordinate = "pin", rub.coulomb = 2, rub.transition = 0.01;
  artDragDef air = art_default_drag();
  air.name = "air", air.on = "crank", air.area = 2, air.drag = 0.5;
  artBuilder *b = good_machine();
  art_add_joint_stop(b, &stop);
  art_add_joint_friction(b, &rub);
  art_add_drag(b, &air);

  artModel *made = NULL, *stored = NULL;
  CHECK_WORKS(art_compile_model(&made, b, &check_error));
  CHECK_WORKS(art_read_model(&stored, text, sizeof text - 1, "file", &check_error));
  if (made && stored && CHECK_EQ_INT(stored->nelement, made->nelement)) {
    const modelElement *x = made->element, *y = stored->element;
    CHECK(memcmp(&x[0].stop, &y[0].stop, sizeof x->stop) == 0 && isinf(x[0].stop.upper));
    CHECK(memcmp(&x[1].friction, &y[1].friction, sizeof x->friction) == 0);
    CHECK(x[1].friction.breakaway == 2 && x[1].friction.stribeck_speed == 0.1);
    CHECK(memcmp(&x[2].drag, &y[2].drag, sizeof x->drag) == 0 && x[2].drag.half == 1.225);
  }
  art_free_model(made);
  art_free_model(stored);
  art_free_builder(b);
}


TEST(formulas_may_read_what_is_known_in_time)
{
  static const char *const cases[][2] = {
      {"2*pin.accel", "'pin.accel' depends on accelerations or forces, which a force law cannot"},
      {"crank.tip.ax", "'crank.tip.ax' depends on accelerations or forces"},
      {"pin.fx", "'pin.fx' depends on accelerations or forces"},
      {"pin.force", "'pin.force' depends on accelerations or forces"},
      {"energy.work", "'energy.work' depends on accelerations or forces"},
      {"f.force", "'f.force' depends on accelerations or forces"},
      {"pin.angel", "revolute joint 'pin' has no 'angel' (did you mean 'pin.angle'?)"},
      {"sin(tim)", "(did you mean 'time'?)"},
      {"2*", "the formula ends here, expected a number, a name or"},
      {"", "the formula is empty"},
      {"3[m]", "the formula '3[m]' gives"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const artJointForceDef def = {"f", "pin", cases[k][0], {0}};
    REFUSED(cases[k][1], art_add_joint_force(b, &def));
  }

  const artBodyForceDef on_ground = {.name = "f", .on = "ground", .components = {"1", "0", "0"}};
  REFUSED("force 'f' acts on ground, which it cannot move", art_add_body_force(b, &on_ground));
  const artBodyForceDef on_nothing = {.name = "f", .components = {"1", "0", "0"}};
  REFUSED("'on' is missing", art_add_body_force(b, &on_nothing));
  const artBodyForceDef wrong = {.name = "f", .on = "ball", .components = {"1", "0", "crank.az"}};
  REFUSED("'crank.az' depends on accelerations", art_add_body_force(b, &wrong));
  const artCallbackDef callback = {.name = "f"};
  REFUSED("callback 'f' has no function", art_add_callback(b, &callback));

  // a missing component is zero
  artBuilder *b = good_machine();
  const artBodyForceDef partial = {.name = "f", .on = "ball", .components = {"1"}};
  art_add_body_force(b, &partial);
  keep_model(model_compile(b));
}


TEST(drives_must_make_sense)
{
  const double time[] = {0, 1}, value[] = {0, 1}, back[] = {1, 0};
  const struct {
    artDriveDef def;
    const char *want;
  } cases[] = {
      {{"d", "socket.wx", "time", 0, NULL, NULL}, "'socket.wx' is not a joint coordinate"},
      {{"d", "fly.x", "time", 0, NULL, NULL},
       "drive 'd' prescribes 'fly.x' of a joint that cannot be driven by single coordinates; use a "
       "chain of joints instead"},
      {{"d", "pin", "pin.rate", 0, NULL, NULL},
       "'pin.rate' is not known here: a prescribed motion is a formula of time alone"},
      {{"d", "pin", "rail.slide", 0, NULL, NULL},
       "drive 'd' depends on the motion; a prescribed motion is a formula of time alone"},
      {{"d", "pin", NULL, 0, NULL, NULL}, "drive 'd' has neither a formula nor a table"},
      {{"d", "pin", NULL, 1, time, value}, "drive 'd' has neither a formula nor a table"},
      {{"d", "pin", NULL, 2, time, NULL}, "drive 'd' has neither a formula nor a table"},
      {{"d", "pin", NULL, 2, back, value}, "point 2 has x = 0 after x = 1"},
      {{"d", NULL, "time", 0, NULL, NULL}, "'coordinate' is missing"},
      {{NULL, "pin", "time", 0, NULL, NULL}, "a drive has no name"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    REFUSED(cases[k].want, add_body(b, "bird"), add_joint(b, "fly", ART_FREE, "ground", "bird"),
            art_add_drive(b, &cases[k].def));
  }
  const artDriveDef drive = {.name = "d", .coordinate = "pin", .formula = "time"};
  artDriveDef other = drive;
  other.name = "e";
  REFUSED("drive 'e' prescribes 'pin', which another drive does already", art_add_drive(b, &drive),
          art_add_drive(b, &other));
}


//---- outputs and studies -------------------------------------------------------------------------


TEST(outputs_and_studies_must_make_sense)
{
  REFUSED("an output says what to write, such as pin.angle", art_add_output(b, "x", NULL));
  REFUSED("output 'x' is given twice", art_add_output(b, "x", "pin.angle"),
          art_add_output(b, "x", "pin.rate"));

  const artMotionDef unknown = {"pin.angel", "time"}, moving = {"pin", "rail.slide"};
  const artMotionDef twice[] = {{"pin", "time"}, {"pin.angle", "time"}};
  struct {
    artStudyDef def;
    const char *want;
  } cases[10];
  for (int k = 0; k < 10; k++) cases[k].def = art_default_study(k < 7 ? ART_RUN : ART_INVERSE);
  cases[0].def.run.until = NAN, cases[0].want = "'until' is nan";
  cases[1].def.run.step = -1, cases[1].want = "'step' is -1";
  cases[2].def.run.interval = -1, cases[2].want = "'interval' is -1";
  cases[3].def.run.tolerance = 0, cases[3].want = "'tolerance' is 0, a positive number is wanted";
  cases[4].def.run.from = 11, cases[4].want = "the study ends at 10 s, before it starts at 11 s";
  cases[5].def.run.integrator = ART_RK4, cases[5].want = "rk4 takes fixed steps: give a step";
  cases[6].def.name = "a b", cases[6].want = "study name 'a b' has the character ' '";
  cases[7].def.inverse.motion = (artMotions){1, &unknown};
  cases[7].want = "'pin.angel' is not a joint coordinate";
  cases[8].def.inverse.motion = (artMotions){1, &moving};
  cases[8].want = "the motion of 'pin' must be a formula of time alone";
  cases[9].def.inverse.motion = (artMotions){2, twice};
  cases[9].want = "the motion of 'pin.angle' is given twice";
  for (int k = 0; k < 10; k++) {
    REFUSED(cases[k].want, art_add_study(b, &cases[k].def));
  }
  const artStudyDef study = art_default_study(ART_RUN);
  REFUSED("study 'study' is given twice", art_add_study(b, &study), art_add_study(b, &study));
}


TEST(studies_are_found_by_name_and_type)
{
  artBuilder *b = good_machine();
  artStudyDef study = art_default_study(ART_RUN), rest = art_default_study(ART_EQUIL);
  study.name = "short";
  study.run.until = 1;
  art_add_study(b, &study);
  rest.name = "rest";
  art_add_study(b, &rest);
  study.name = "long";
  study.run.until = 100;
  art_add_study(b, &study);
  artModel *m = keep_model(model_compile(b));
  CHECK_EQ_INT(art_count(m).studies, 3);
  CHECK_TEXT(art_find_study(m, ART_RUN, NULL)->name, "short");
  CHECK_TEXT(art_find_study(m, ART_EQUIL, NULL)->name, "rest");
  CHECK_NEAR(&art_find_run(m, "long")->until, &(double){100}, 1, 0);
  CHECK(art_find_study(m, ART_LINEAR, NULL) == NULL);
  CHECK(art_find_study(m, ART_RUN, "other") == NULL);
  CHECK(art_find_run(m, "rest") == NULL && art_find_run(m, NULL)->until == 1);
}


//---- names of the model --------------------------------------------------------------------------


TEST(names_and_units_can_be_asked)
{
  artModel *m = keep_model(model_compile(good_machine()));
  CHECK_TEXT(art_position_name(m, 0), "pin.angle");
  CHECK_TEXT(art_position_unit(m, 0), "rad");
  CHECK_TEXT(art_position_unit(m, art_find_position(m, "rail.slide")), "m");
  CHECK_TEXT(art_position_unit(m, art_find_position(m, "socket.qy")), "1");
  CHECK_TEXT(art_velocity_name(m, 1), "rail.rate");
  CHECK_TEXT(art_velocity_unit(m, 1), "m/s");
  CHECK_TEXT(art_velocity_unit(m, art_find_velocity(m, "socket.wx")), "rad/s");
  CHECK(art_position_name(m, 99) == NULL && art_position_unit(m, -1) == NULL);
  CHECK(art_velocity_name(m, 99) == NULL && art_velocity_unit(m, -1) == NULL);
  CHECK_EQ_INT(art_find_body(m, "ground"), 0);
  CHECK_EQ_INT(art_find_body(m, "crank"), 1);
  CHECK_EQ_INT(art_find_body(m, "cronk"), -1);
  CHECK_EQ_INT(art_find_frame(m, "crank.top"), -1);
  CHECK_EQ_INT(art_find_position(m, "pin.rate"), -1);
  CHECK_EQ_INT(art_find_velocity(m, "pin.angle"), -1);
  CHECK_TEXT(art_joint_type_name(ART_CYLINDRICAL), "cylindrical");
  CHECK_TEXT(art_joint_type_name((artJointType) 99), "unknown");
  CHECK_TEXT(art_study_type_name(ART_INVERSE), "inverse");
  CHECK_TEXT(art_study_type_name((artStudyType) 99), "unknown");
  CHECK_TEXT(art_integrator_name(ART_BDF), "bdf");
  CHECK_TEXT(art_integrator_name((artIntegrator) 99), "unknown");
  CHECK_TEXT(art_method_name(ART_MASS_MATRIX), "mass-matrix");
  CHECK_TEXT(art_method_name((artMethod) 99), "unknown");
}


TEST(scopes_go_before_names)
{
  artBuilder *b = good_machine();
  art_add_parameter(b, "k", 3, NULL);
  builder_scope(b, "front/left");
  art_add_parameter(b, "k", 5, NULL);
  add_body(b, "wheel");
  add_joint(b, "hub", ART_REVOLUTE, "/crank", "wheel");
  const artPose pose = art_default_pose();
  art_add_frame(b, "wheel", "rim", &pose);
  art_add_frame(b, "ground", "spot", &pose);
  const artJointForceDef force = {"motor", "hub", "k*'hub'.rate + time + '/pin'.rate", {0}};
  art_add_joint_force(b, &force);
  art_set_initial(b, "hub.rate", 2);
  builder_scope(b, "");
  art_set_initial(b, "pin.rate", 10);
  artModel *m = keep_model(model_compile(b));
  artData *d = keep_fresh_data(m);
  CHECK(art_find_body(m, "front/left/wheel") > 0);
  CHECK(art_find_frame(m, "front/left/wheel.rim") > 0);
  CHECK(art_find_frame(m, "ground.spot") > 0);
  const int k = art_find_velocity(m, "front/left/hub.rate");
  d->time = 1;
  art_update(m, d);
  CHECK(art_accelerate(m, d, ART_ORDER_N, NULL) == ART_OK);
  CHECK_CLOSE(d->force[k], 5 * 2 + 1 + 10, 1e-14);
}


TEST(messages_stand_where_the_value_does)
{
  artBuilder *b = good_machine();
  builder_at(b, (artPlace){"car.yaml", 7, 3});
  builder_mark(b, "mass", (artPlace){"car.yaml", 8, 11});
  artBodyDef body = good_body("heavy");
  body.mass = -1;
  art_add_body(b, &body);
  refuse(b, "car.yaml:8:11: 'mass' is -1");

  b = good_machine();
  builder_at(b, (artPlace){"car.yaml", 7, 3});
  add_body(b, "wheel");
  builder_at(b, (artPlace){"car.yaml", 9, 5});
  add_body(b, "wheel");
  refuse(b, "car.yaml:9:5: body name 'wheel' is already in use (line 7)");

  // places are used up by the item they were given for
  b = good_machine();
  builder_at(b, (artPlace){"car.yaml", 7, 3});
  builder_mark(b, "mass", (artPlace){"car.yaml", 8, 11});
  add_body(b, "wheel");
  body.name = "other";
  art_add_body(b, &body);
  artModel *m;
  CHECK_SAYS(art_compile_model(&m, b, &check_error), ART_BAD_INPUT,
             "'mass' is -1, a non-negative number is wanted");
  art_free_builder(b);
}


//---- fingerprint ---------------------------------------------------------------------------------

static const double hash_x[] = {0, 1, 2}, hash_moved[] = {0.5, 1.5, 2}, hash_f[] = {0, 1, 4};


// variant 0 is the machine itself; every other one differs in a single thing
static unsigned long long hash_of(int variant)
{
  artBuilder *b = good_machine();
  const artLawDef one = {.type = ART_LAW_LINEAR, .coefficient = 1};
  const artLawDef other = {.type = ART_LAW_LINEAR, .coefficient = variant == 1 ? 2 : 1};
  const artLawDef none = {.type = ART_LAW_NONE};
  const artLawDef points = {
      .type = ART_LAW_PIECEWISE, .n = 2, .x = variant == 2 ? hash_moved : hash_x, .f = hash_f};
  const artSpringDamperDef spring = {.name = "s1",
                                     .from = "ground",
                                     .to = variant == 3 ? "crank" : "ball",
                                     .free_length = variant == 4,
                                     .spring = variant == 5 ? none : other,
                                     .damper = variant == 5 ? one : none};
  const artJointSpringDef joint_spring = {
      .name = "s2", .coordinate = variant == 6 ? "rail" : "pin", .spring = points};
  const artJointStopDef stop = {"s3", "pin", -1, variant == 7 ? 2 : 1, 100, variant == 8};
  const artJointFrictionDef friction = {"s4", "pin", 1, 1, 1, variant == 9 ? 0.2 : 0.1, 0};
  const artJointForceDef force = {"s5", "pin", variant == 10 ? "2*k" : "k", {0}};
  const artBodyForceDef push = {.name = variant == 11 ? "s7" : "s6",
                                .on = "crank.grip",
                                .components = {"1", variant == 12 ? "2" : "3", "0"},
                                .is_torque = variant == 13,
                                .in_body = variant != 14};
  const artDriveDef drive = {
      .name = "d", .coordinate = "rail", .formula = variant == 15 ? "time" : "2*time"};
  artPose grip = art_default_pose();
  grip.rotation[1] = variant == 16;
  grip.position[2] = variant == 17;
  artBodyDef extra = good_body("extra");
  extra.mass = variant == 18 ? 3 : 2;
  extra.com[1] = variant == 19;
  extra.inertia[4] = variant == 20 ? 0.01 : 0;
  artJointDef joint = good_joint("hinge", "ball", "extra");
  joint.rotor = variant == 21;
  joint.type = variant == 22 ? ART_SCREW : ART_REVOLUTE;
  joint.axis[0] = variant == 23;
  joint.from_offset.position[0] = variant == 24;
  art_add_frame(b, "crank", "grip", &grip);
  art_add_body(b, &extra);
  art_add_joint(b, &joint);
  art_add_parameter(b, "k", variant == 25 ? 2 : 1, NULL);
  art_set_initial(b, "pin.angle", variant == 26);
  art_set_initial(b, "pin.rate", variant == 27);
  art_set_gravity(b, (double[3]){variant == 28, 0, -9.81});
  art_add_spring_damper(b, &spring);
  art_add_joint_spring(b, &joint_spring);
  art_add_joint_stop(b, &stop);
  art_add_joint_friction(b, &friction);
  art_add_joint_force(b, &force);
  art_add_body_force(b, &push);
  art_add_drive(b, &drive);
  artModel *m = keep_model(model_compile(b));
  const unsigned long long hash = m ? art_model_hash(m) : 0;
  return hash;
}


TEST(everything_that_matters_is_in_the_fingerprint)
{
  enum { VARIANTS = 29 };
  unsigned long long hash[VARIANTS];
  for (int k = 0; k < VARIANTS; k++) {
    hash[k] = hash_of(k);
    for (int i = 0; i < k; i++) {
      if (!CHECK(hash[i] != hash[k])) CHECK_EQ_INT(i, k);
    }
  }
  CHECK(hash_of(0) == hash[0]);
}
