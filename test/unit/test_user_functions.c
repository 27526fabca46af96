// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of the user against the elements that do the same, by every method; a constraint against its
// closed form; functions that are missing, that fail, and names that clash.
#include <stdio.h>

#include "articula/articula.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"

static const double TURN = 6.283185307179586; // rad

//---- the functions -------------------------------------------------------------------------------

// F = k (Z - Z0) + c Zd
static artStatus link_law(void *context, const double *x, double *y)
{
  (void) context;
  const double *p = x + ART_LINK_PARAMETER;
  y[0] = p[1] * (x[ART_LINK_LENGTH] - p[0]) + p[2] * x[ART_LINK_RATE];
  return ART_OK;
}


// Q = -k q - c qd + M sin(3 t)
static artStatus joint_law(void *context, const double *x, double *y)
{
  (void) context;
  const double *p = x + ART_JOINT_PARAMETER;
  y[0] =
      -p[0] * x[ART_JOINT_POSITION] - p[1] * x[ART_JOINT_RATE] + p[2] * sin(3 * x[ART_JOINT_TIME]);
  return ART_OK;
}


// the drag of a plate that is turned with its frame, a spring to the origin, and M = -0.1 omega
static artStatus point_law(void *context, const double *x, double *y)
{
  (void) context;
  const double *v = x + ART_POINT_VELOCITY, *R = x + ART_POINT_ROTATION;
  const double c[3] = {0.9, 0.4, 0.2};
  double own[3], speed = 0;
  for (int j = 0; j < 3; j++) {
    own[j] = R[j] * v[0] + R[3 + j] * v[1] + R[6 + j] * v[2];
    speed += own[j] * own[j];
  }
  speed = sqrt(speed);
  for (int i = 0; i < 3; i++) {
    y[i] = -5 * x[ART_POINT_POSITION + i];
    for (int j = 0; j < 3; j++) y[i] -= R[3 * i + j] * 0.5 * 1.225 * 0.7 * speed * c[j] * own[j];
    y[3 + i] = -0.1 * x[ART_POINT_OMEGA + i];
  }
  return ART_OK;
}


// the laws of examples/functions
static artStatus tread(void *context, const double *x, double *y)
{
  (void) context;
  const double *p = x + ART_TYRE_PARAMETER, load = x[ART_TYRE_LOAD];
  const double all[6] = {p[0] * load * x[ART_TYRE_SLIP], -p[1] * load * x[ART_TYRE_SLIP_ANGLE],
                         load};
  memcpy(y, all, sizeof all);
  return ART_OK;
}


static artStatus air(void *context, const double *x, double *y)
{
  (void) context;
  const double *v = x + ART_POINT_VELOCITY;
  const double k = 0.5 * 1.225 * 0.9 * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; i++) y[i] = -k * v[i], y[3 + i] = 0;
  return ART_OK;
}


static artStatus motor(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = 180 - 2.5 * x[ART_JOINT_RATE];
  return ART_OK;
}


// h = x1 - p0 x0 + p1
static artStatus ratio(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = x[1] - x[2] * x[0] + x[3];
  y[1] = -x[2];
  y[2] = 1;
  return ART_OK;
}


static artStatus zero(void *context, const double *x, double *y)
{
  (void) context;
  (void) x;
  y[0] = 0;
  return ART_OK;
}


// h = x1 - x0^2, and what is left of its second derivative, -2 v0^2
static artStatus square(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = x[1] - x[0] * x[0];
  y[1] = -2 * x[0];
  y[2] = 1;
  return ART_OK;
}


static artStatus square_bias(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = -2 * x[2] * x[2];
  return ART_OK;
}


// the same with a derivative, and a bias, of the wrong sign
static artStatus bent_square(void *context, const double *x, double *y)
{
  square(context, x, y);
  y[1] = -y[1];
  return ART_OK;
}


static artStatus bent_bias(void *context, const double *x, double *y)
{
  square_bias(context, x, y);
  y[0] = -y[0];
  return ART_OK;
}


// F = k (Z - Z0) + a state + a command Zd + a reading
static artStatus served(void *context, const double *x, double *y)
{
  (void) context;
  const double *p = x + ART_LINK_PARAMETER, *u = p + 2;
  y[0] = p[1] * (x[ART_LINK_LENGTH] - p[0]) + u[0] + u[1] * x[ART_LINK_RATE] + u[2];
  return ART_OK;
}


// Q = -k q - p0 u, along a sum of coordinates
static artStatus served_joint(void *context, const double *x, double *y)
{
  (void) context;
  const double *p = x + ART_JOINT_PARAMETER;
  y[0] = -x[ART_JOINT_POSITION] - p[0] * p[1];
  return ART_OK;
}


// F = (u0, u1, u2) and M = -0.1 omega
static artStatus served_point(void *context, const double *x, double *y)
{
  (void) context;
  for (int i = 0; i < 3; i++) {
    y[i] = x[ART_POINT_PARAMETER + i];
    y[3 + i] = -0.1 * x[ART_POINT_OMEGA + i];
  }
  return ART_OK;
}


// z = a sin(2 pi x / l)
static artStatus hills(void *context, const double *x, double *y)
{
  (void) context;
  const double a = x[ART_GROUND_PARAMETER], k = TURN / x[ART_GROUND_PARAMETER + 1];
  y[ART_GROUND_HEIGHT] = a * sin(k * x[ART_GROUND_X]);
  y[ART_GROUND_SLOPE_X] = a * k * cos(k * x[ART_GROUND_X]);
  y[ART_GROUND_SLOPE_Y] = 0;
  return ART_OK;
}


// a bump of the height h from x0 on, of the length l
static artStatus hump(void *context, const double *x, double *y)
{
  (void) context;
  const double h = 0.02, s = x[ART_GROUND_X] - 20, k = TURN / 0.5;
  const int is_on = s > 0 && s < 0.5;
  y[ART_GROUND_HEIGHT] = is_on ? 0.5 * h * (1 - cos(k * s)) : 0;
  y[ART_GROUND_SLOPE_X] = is_on ? 0.5 * h * k * sin(k * s) : 0;
  y[ART_GROUND_SLOPE_Y] = 0;
  return ART_OK;
}


// a hill that ends nowhere
static artStatus cliff(void *context, const double *x, double *y)
{
  (void) context;
  y[ART_GROUND_HEIGHT] = y[ART_GROUND_SLOPE_X] = y[ART_GROUND_SLOPE_Y] = 0;
  if (x[ART_GROUND_X] > 3) y[ART_GROUND_HEIGHT] = NAN;
  return ART_OK;
}


typedef struct named {
  const char *name;
  artFunction *function;
} named;

static const named all_laws[] = {{"link_law", link_law},
                                 {"joint_law", joint_law},
                                 {"point_law", point_law},
                                 {"strut", link_law},
                                 {"motor", motor},
                                 {"air", air},
                                 {"tread", tread},
                                 {"flapping", ratio},
                                 {"flapping_bias", zero},
                                 {"square", square},
                                 {"square_bias", square_bias},
                                 {"served", served},
                                 {"served_joint", served_joint},
                                 {"served_point", served_point},
                                 {"hills", hills},
                                 {"hump", hump},
                                 {"cliff", cliff},
                                 {0}};


//---- machines ------------------------------------------------------------------------------------

// all that is at hand; what is not there stays without code
static void attach_all(artModel *m)
{
  for (const named *law = all_laws; law->name; law++) {
    (void) art_attach_function(m, law->name, law->function, NULL, NULL);
  }
}


static artModel *read_text(const char *text, artError *error)
{
  artModel *m = NULL;
  (void) art_read_model(&m, text, strlen(text), "machine.yaml", error);
  return m;
}


// two bodies on skew axes, and a rotor
#define MACHINE                                                                                    \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  arm: {mass: 2, com: [0.3, 0.05, 0], inertia: [0.02, 0.1, 0.12], points: {end: [0.6, 0, "      \
  "0]}}\n"                                                                                         \
  "  fore: {mass: 1, com: [0.1, 0, -0.2], inertia: [0.06, 0.05, 0.02],\n"                          \
  "    frames: {tip: {position: [0.1, 0.2, -0.5], orientation: {axis: [1, 2, 3], angle: 0.7}}}}\n" \
  "  rotor: {mass: 0.5, inertia: [0.01, 0.01, 0.02]}\n"                                            \
  "joints:\n"                                                                                      \
  "  base: {type: universal, axes: [z, y], from: ground, to: arm}\n"                               \
  "  elbow: {type: revolute, axis: [0, 1, 0.3], from: arm.end, to: fore}\n"                        \
  "  axle: {type: revolute, axis: x, from: {frame: arm, position: [0.4, 0, 0]}, to: rotor}\n"      \
  "initial: {base: {angle1: 0.4, angle2: -0.2, angle1_rate: 1}, elbow: {angle: 0.5, rate: -2}}\n"

#define GEAR "couplings: {gear: {type: gear, joints: [elbow, axle], ratio: 3, offset: -1.5}}\n"

// the final state of a machine by a method: q and v at the end
typedef struct outcome {
  int n;
  double x[40];
} outcome;


static outcome end_of_model(artModel *m, int method, double until)
{
  outcome end = {0};
  artRun *run = NULL;
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.until = until;
  study.tolerance = 1e-12;
  model_set_way(&study, method);
  if (art_method_is_natural(method)) study.step = 5e-4;
  artStatus status = art_create_run(&run, m, d, &study, &check_error);
  if (!status) status = art_run_to(run, until, &check_error);
  if (!CHECK_EQ_INT(status, ART_OK)) printf("  %s: %s\n", model_way_name(method), check_error.text);
  const artCounts count = art_count(m);
  if (!status) {
    end.n = count.nq + count.nv;
    memcpy(end.x, d->q, (size_t) count.nq * sizeof *d->q);
    memcpy(end.x + count.nq, d->v, (size_t) count.nv * sizeof *d->v);
  }
  art_free_run(run);
  return end;
}


static outcome end_of(const char *text, int method, double until)
{
  artModel *m = keep_model(read_text(text, &check_error));
  if (!CHECK(m != NULL)) {
    printf("  %s\n", check_error.text);
    return (outcome){0};
  }
  attach_all(m);
  const outcome end = end_of_model(m, method, until);
  return end;
}


static void check_same(outcome a, outcome b, double tolerance)
{
  if (!CHECK(a.n > 0 && a.n == b.n)) return;
  CHECK_NEAR(a.x, b.x, a.n, tolerance);
}


static const int of_trees[] = {ART_ORDER_N, ART_MASS_MATRIX, MODEL_GENERATED};
static const int of_loops[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED};
static const int natural[] = {ART_INDEX1, ART_INDEX3, ART_MULTI_INDEX, ART_CONSERVING};

enum { LONGEST_TEXT = 4000 };


// Natural coordinates have errors of their step: with a function they are as large as without.
static void check_natural(outcome called, outcome plain, outcome exact)
{
  double error[2] = {0, 0};
  if (!CHECK(called.n == exact.n && plain.n == exact.n && exact.n > 0)) return;
  for (int i = 0; i < exact.n; i++) {
    error[0] = check_larger(error[0], fabs(called.x[i] - exact.x[i]));
    error[1] = check_larger(error[1], fabs(plain.x[i] - exact.x[i]));
  }
  if (CHECK(error[0] <= 2 * error[1] + 1e-9)) return;
  printf("  error %g with the function, %g without\n", error[0], error[1]);
}


// both as a tree and with a gear, by all methods
static void compare(const char *called, const char *plain)
{
  char text[2][LONGEST_TEXT], geared[2][LONGEST_TEXT];
  const char *forces[2] = {called, plain};
  for (int k = 0; k < 2; k++) {
    snprintf(text[k], LONGEST_TEXT, "%sforces:\n%s", MACHINE, forces[k]);
    snprintf(geared[k], LONGEST_TEXT, "%s%sforces:\n%s", MACHINE, GEAR, forces[k]);
  }
  const outcome tree = end_of(text[1], ART_ORDER_N, 0.5);
  const outcome loop = end_of(geared[1], ART_SEMIRECURSIVE, 0.5);
  const outcome soon = end_of(geared[1], ART_SEMIRECURSIVE, 0.1);
  for (int i = 0; i < 3; i++) check_same(end_of(text[0], of_trees[i], 0.5), tree, 1e-9);
  for (int i = 0; i < 4; i++) check_same(end_of(geared[0], of_loops[i], 0.5), loop, 1e-9);
  for (int i = 0; i < 4; i++) {
    const outcome own = end_of(geared[1], natural[i], 0.1);
    check_natural(end_of(geared[0], natural[i], 0.1), own, soon);
  }
}

//---- kinds of forces -----------------------------------------------------------------------------

TEST(link_is_spring)
{
  compare("  s: {type: link-force, between: [ground, fore.tip], function: link_law,\n"
          "      parameters: [0.4 m, 0.05 N/mm, 3]}\n",
          "  s: {type: spring-damper, between: [ground, fore.tip], free_length: 0.4,\n"
          "      stiffness: 50, damping: 3}\n");
}


TEST(link_of_a_formula_is_spring)
{
  compare("  s: {type: link-force, between: [ground, fore.tip],\n"
          "      value: \"= 50*(s.length - 0.4) + 3*s.rate\"}\n",
          "  s: {type: spring-damper, between: [ground, fore.tip], free_length: 0.4,\n"
          "      stiffness: 50, damping: 3}\n");
}


TEST(joint_is_formula)
{
  compare(
      "  s: {type: joint-force, coordinate: elbow, function: joint_law, parameters: [4, 0.2, 2]}\n"
      "  d: {type: joint-force, coordinates: {base.angle2: 1, elbow: -2}, function: joint_law,\n"
      "      parameters: [1, 0.5, 0]}\n",
      "  s: {type: joint-spring, coordinate: elbow, stiffness: 4, damping: 0.2}\n"
      "  m: {type: joint-force, coordinate: elbow, value: = 2*sin(3*time)}\n"
      "  d: {type: joint-spring, coordinates: {base.angle2: 1, elbow: -2}, stiffness: 1,\n"
      "      damping: 0.5}\n");
}


TEST(point_is_drag)
{
  compare("  p: {type: force, point: fore.tip, function: point_law}\n",
          "  p: {type: drag, point: fore.tip, area: 0.7, drag: 0.9, side: 0.4, vertical: 0.2}\n"
          "  f: {type: force, point: fore.tip,\n"
          "      value: [= -5*fore.tip.x, = -5*fore.tip.y, = -5*fore.tip.z]}\n"
          "  t: {type: torque, body: fore,\n"
          "      value: [= -0.1*fore.wx, = -0.1*fore.wy, = -0.1*fore.wz]}\n");
}


//---- states and commands that are handed over ----------------------------------------------------

#define PRESSURE "states: {pressure: {initial: 2, rate: = s.length - pressure}}\n"


TEST(links_are_given_states_commands_and_readings)
{
  compare("  s: {type: link-force, between: [ground, fore.tip], function: served,\n"
          "      parameters: [0.4 m, 50 N/m],\n"
          "      arguments: [= pressure, = 3 + sin(9*time), = 0.2*elbow.rate]}\n" PRESSURE,
          "  s: {type: link-force, between: [ground, fore.tip],\n"
          "      value: \"= 50*(s.length - 0.4) + pressure + (3 + sin(9*time))*s.rate + "
          "0.2*elbow.rate\"}\n" PRESSURE);
}


TEST(joints_and_points_are_given_arguments)
{
  compare("  s: {type: joint-force, coordinates: {base.angle2: 1, elbow: -2}, parameters: [0.5],\n"
          "      function: served_joint, arguments: [\"= if(elbow.angle > 0, pressure, 0)\"]}\n"
          "  p: {type: force, point: fore.tip, function: served_point,\n"
          "      arguments: [= pressure, = -fore.tip.vy, 1]}\n"
          "states: {pressure: {initial: 2, rate: = -pressure}}\n",
          "  s: {type: joint-force, coordinates: {base.angle2: 1, elbow: -2},\n"
          "      value: \"= -(base.angle2 - 2*elbow.angle) - 0.5*if(elbow.angle > 0, pressure, "
          "0)\"}\n"
          "  p: {type: force, point: fore.tip, value: [= pressure, = -fore.tip.vy, 1]}\n"
          "  t: {type: torque, body: fore,\n"
          "      value: [= -0.1*fore.wx, = -0.1*fore.wy, = -0.1*fore.wz]}\n"
          "states: {pressure: {initial: 2, rate: = -pressure}}\n");
}


TEST(wrong_arguments_are_refused)
{
  static const struct {
    const char *force, *message;
  } cases[] = {
      {"value: 1, arguments: [1]", "there are arguments but no function that takes them"},
      {"function: served, arguments: [1, 2, 3, 4]", "is given 4 arguments, expected at most 3"},
      {"function: served, arguments: [= nothing]", "unknown name 'nothing'"},
      {"function: served, arguments: [1]}\n  b: {type: link-force, between: [ground, "
       "fore.tip], function: served",
       "calls 'served' with 0 arguments, but force 'a' with 1"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[LONGEST_TEXT];
    artError error = {0};
    snprintf(text, sizeof text,
             "%sforces:\n  a: {type: link-force, between: [ground, fore.tip], %s}\n", MACHINE,
             cases[i].force);
    CHECK(!read_text(text, &error));
    CHECK_CONTAINS(error.text, cases[i].message);
  }
  artError error = {0};
  CHECK(!read_text(
      "articula: 1\nbodies: {a: {mass: 1}}\n"
      "joints: {j: {type: prismatic, axis: x, from: ground, to: a}}\n"
      "forces: {f: {type: joint-force, coordinate: j, function: f, arguments: [= j.accel]}}",
      &error));
  CHECK_CONTAINS(error.text, "accel");
}

//---- roads ---------------------------------------------------------------------------------------

// a quarter of a car that rolls, with a road
#define RIDE(road) RIDE_ON("land: {" road "}")
#define RIDE_ON(roads)                                                                             \
  "articula: 1\n"                                                                                  \
  "parameters: {a: 0.03, l: 2.5}\n"                                                                \
  "bodies:\n"                                                                                      \
  "  sledge: {mass: 300, com: [0, 0, 0.4]}\n"                                                      \
  "  hub: {mass: 30, com: [0, 0, 0.3]}\n"                                                          \
  "  wheel: {mass: 20, com: [0, 0, 0.3], inertia: [0.6, 1.1, 0.6], points: {hub: [0, 0, 0.3]}}\n"  \
  "joints:\n"                                                                                      \
  "  go: {type: prismatic, axis: x, from: ground, to: sledge}\n"                                   \
  "  lift: {type: prismatic, axis: z, from: sledge, to: hub}\n"                                    \
  "  spin: {type: revolute, axis: y, from: {frame: hub, position: [0, 0, 0.3]}, to: {frame: "      \
  "wheel, position: [0, 0, 0.3]}}\n"                                                               \
  "tyres: {t: {type: linear, radius: 0.31, stiffness: 200 kN/m, damping: 500 N s/m, load: 4 kN, "  \
  "slip: 60 kN, cornering: 48 kN/rad}}\n"                                                          \
  "roads: {" roads "}\n"                                                                           \
  "forces:\n"                                                                                      \
  "  tread: {type: tyre, wheel: wheel.hub, tyre: t, road: land}  \n"                               \
  "  strut: {type: joint-spring, coordinate: lift, stiffness: 20 kN/m, damping: 1 kN s/m, rest: "  \
  "0.1}\n"                                                                                         \
  "initial: {go: {rate: 12}, spin: {rate: 40}}\n"

#define HILLS RIDE("type: function, function: hills, parameters: [= a, = l]")


TEST(ground_is_sine_road)
{
  const char *plain = RIDE("type: sine, amplitude: = a, wavelength: = l");
  const outcome want = end_of(plain, ART_ORDER_N, 0.5);
  for (int i = 0; i < 3; i++) check_same(end_of(HILLS, of_trees[i], 0.5), want, 1e-8);
  const outcome soon = end_of(plain, ART_ORDER_N, 0.1);
  for (int i = 0; i < 4; i++) {
    check_natural(end_of(HILLS, natural[i], 0.1), end_of(plain, natural[i], 0.1), soon);
  }
}


// with a bump, and with a random road, which generated code has as data
TEST(ground_is_part_of_a_sum)
{
#define LAND(hills)                                                                                \
  RIDE_ON("uneven: {type: random, class: C, seed: 3}, bump: {type: bump, start: 2, length: 0.5, "  \
          "height: 0.02}, hills: {" hills "}, inner: {type: sum, parts: [hills, bump]}, "          \
          "land: {type: sum, parts: [uneven, inner]}")
  const char *plain = LAND("type: sine, amplitude: = a, wavelength: = l");
  const char *called = LAND("type: function, function: hills, parameters: [= a, = l]");
  const outcome want = end_of(plain, ART_ORDER_N, 0.5);
  for (int i = 0; i < 3; i++) check_same(end_of(called, of_trees[i], 0.5), want, 1e-7);
  const outcome soon = end_of(plain, ART_ORDER_N, 0.1);
  for (int i = 0; i < 4; i++) {
    check_natural(end_of(called, natural[i], 0.1), end_of(plain, natural[i], 0.1), soon);
  }
  artModel *m = keep_model(read_text(called, &check_error));
  artModel *other = keep_model(read_text(plain, &check_error));
  if (!CHECK(m && other)) return;
  attach_all(m);
  CHECK_WORKS(art_set_parameter(m, "a", 0.02, &check_error));
  CHECK_WORKS(art_set_parameter(other, "a", 0.02, &check_error));
  for (double x = 0.1; x < 4; x += 0.3) {
    CHECK_CLOSE(art_ground_height(m, 0, x, 0), art_ground_height(other, 0, x, 0), 1e-13);
  }
#undef LAND
}


// of 0.5 m, where a wheel at 12 m/s has come to rest on the level: steps are longer by then
TEST(bump_of_a_function_is_not_passed_over)
{
  const char *plain = RIDE("type: bump, start: 20, length: 0.5, height: 0.02");
  check_same(end_of(RIDE("type: function, function: hump"), ART_ORDER_N, 2),
             end_of(plain, ART_ORDER_N, 2), 1e-7);
  // and of another part
  check_same(
      end_of(RIDE_ON("b: {type: bump, start: 20, length: 0.5, height: 0.02}, flat: {type: "
                     "function, function: hills, parameters: [0, 1]}, land: {type: sum, parts: "
                     "[flat, b]}"),
             ART_ORDER_N, 2),
      end_of(plain, ART_ORDER_N, 2), 1e-7);
}


TEST(parameters_of_a_ground_are_set)
{
  artModel *m = keep_model(read_text(HILLS, &check_error));
  artModel *plain =
      keep_model(read_text(RIDE("type: sine, amplitude: = a, wavelength: = l"), &check_error));
  if (!CHECK(m && plain)) return;
  attach_all(m);
  for (int k = 0; k < 2; k++) {
    // a second change takes other numbers into the same places
    CHECK_WORKS(art_set_parameter(m, "l", 1.7 + k, &check_error));
    CHECK_WORKS(art_set_parameter(plain, "l", 1.7 + k, &check_error));
    CHECK_CLOSE(art_ground_height(m, 0, 0.9, 0), art_ground_height(plain, 0, 0.9, 0), 1e-13);
    check_same(end_of_model(m, ART_ORDER_N, 0.2), end_of_model(plain, ART_ORDER_N, 0.2), 1e-8);
    check_same(end_of_model(m, MODEL_GENERATED, 0.2), end_of_model(plain, ART_ORDER_N, 0.2), 1e-8);
  }
}


TEST(grounds_that_are_wrong_are_told)
{
  static const struct {
    const char *road, *message;
  } cases[] = {
      {"type: function, parameters: [1]", "function"},
      {"type: function, function: 'a b'", "the function is called 'a b', expected at most 40"},
      {"type: function, function: hills, resolution: 0", "resolution"},
      {"type: function, function: hills, arguments: [1]", "'arguments' is not a key"},
      {"type: function, function: hills}, other: {type: placed, road: land",
       "by the function 'hills'"},
      {"type: function, function: hills}, other: {type: sum, parts: [land, land]",
       "two of its parts are roads by functions, 'hills' and 'hills', expected at most one"},
      {"type: function, function: hills}, both: {type: sum, parts: [land]}, other: {type: placed, "
       "road: both",
       "by the function 'hills'"},
      {"type: function, function: hills}, other: {type: tracks, blend: 0.1, tracks: [{road: land}]",
       "by the function 'hills'"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[LONGEST_TEXT];
    artError error = {0};
    const char *ride = RIDE("^"), *at = strchr(ride, '^');
    snprintf(text, sizeof text, "%.*s%s%s", (int) (at - ride), ride, cases[i].road, at + 1);
    artModel *m = read_text(text, &error);
    if (!CHECK(!m)) art_free_model(m);
    CHECK_CONTAINS(error.text, cases[i].message);
  }
  // no code, and no answer
  artError error = {0};
  artRun *run = NULL;
  artRunDef study = art_default_run();
  artModel *m = keep_model(read_text(RIDE("type: function, function: cliff"), NULL));
  artData *d = keep_fresh_data(m);
  CHECK(isnan(art_ground_height(m, 0, 0, 0)));
  CHECK_FAILS(art_check_functions(m, &check_error), ART_BAD_INPUT, "calls the function 'cliff'");
  attach_all(m);
  CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error));
  CHECK(art_run_to(run, 1, &error) != ART_OK);
  CHECK_CONTAINS(error.text,
                 "the road of tyre 'tread' has no value: result 1 of its function 'cliff'");
  art_free_run(run);
}


// link, joint, point, tyre and constraint of one machine, by every method
TEST(example_is_plain)
{
  artModel *called = NULL, *plain = NULL;
  art_load_model(&called, ART_SOURCE_DIR "/examples/functions/cart.yaml", &check_error);
  art_load_model(&plain, ART_SOURCE_DIR "/examples/functions/cart-plain.yaml", &check_error);
  if (!CHECK(called && plain)) return;
  CHECK(art_check_functions(called, &check_error) == ART_BAD_INPUT);
  attach_all(called);
  CHECK(art_check_functions(called, NULL) == ART_OK);
  const outcome want = end_of_model(plain, ART_SEMIRECURSIVE, 0.5);
  const outcome soon = end_of_model(plain, ART_SEMIRECURSIVE, 0.1);
  for (int i = 0; i < 4; i++) check_same(end_of_model(called, of_loops[i], 0.5), want, 1e-9);
  for (int i = 0; i < 4; i++) {
    const outcome own = end_of_model(plain, natural[i], 0.1);
    check_natural(end_of_model(called, natural[i], 0.1), own, soon);
  }
  art_free_model(called);
  art_free_model(plain);
}

//---- a constraint --------------------------------------------------------------------------------

#define WHEELS WHEELS_BY("{type: function, coordinates: [one, two], function: square}")
#define WHEELS_BY(coupling)                                                                        \
  "articula: 1\n"                                                                                  \
  "bodies: {a: {mass: 1, inertia: [1, 1, 0.3]}, b: {mass: 1, inertia: [1, 1, 0.2]}}\n"             \
  "joints:\n"                                                                                      \
  "  one: {type: revolute, axis: z, from: ground, to: a}\n"                                        \
  "  two: {type: revolute, axis: z, from: ground, to: b}\n"                                        \
  "couplings: {bend: " coupling "}\n"                                                              \
  "initial: {one: {angle: 0.2, rate: 1.5}}\n"


// b = p(a), no forces: the energy (Ia + p'^2 Ib) a'^2/2 stays
static void check_kept(const char *text, const double c[5])
{
  const int methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE,   ART_AUGMENTED, MODEL_GENERATED,
                         ART_INDEX1,        ART_MULTI_INDEX, ART_INDEX3};
#define SLOPE(a) (c[1] + 2 * c[2] * (a) + 3 * c[3] * (a) * (a) + 4 * c[4] * (a) * (a) * (a))
  const double twice = (0.3 + 0.2 * SLOPE(0.2) * SLOPE(0.2)) * 1.5 * 1.5;
  for (int i = 0; i < 7; i++) {
    const outcome end = end_of(text, methods[i], 0.5);
    if (!CHECK_EQ_INT(end.n, 4)) continue;
    const double a = end.x[0], b = end.x[1], slope = SLOPE(a);
    const double rate = sqrt(twice / (0.3 + 0.2 * slope * slope));
    const double tolerance = i < 4 ? 1e-10 : 3e-5;
    CHECK_NEAR(&b, (double[]){c[0] + a * (c[1] + a * (c[2] + a * (c[3] + a * c[4])))}, 1, 1e-9);
    CHECK_CLOSE(end.x[2], rate, tolerance);
    CHECK_NEAR(&end.x[3], (double[]){slope * rate}, 1, tolerance);
  }
}


TEST(constraint_is_kept)
{
  check_kept(WHEELS, (double[5]){0, 0, 1, 0, 0});
}


// a coupling of the program's own, which needs no library
TEST(polynomial_is_kept)
{
  artError error = {0};
  check_kept(WHEELS_BY("{type: polynomial, coordinates: [two, one], "
                       "coefficients: [0.1, -0.5, 0.4, 0.3, -0.7]}"),
             (double[5]){0.1, -0.5, 0.4, 0.3, -0.7});
  check_kept(WHEELS_BY("{type: polynomial, coordinates: [two, one], coefficients: [0.1]}"),
             (double[5]){0.1, 0, 0, 0, 0});
  artModel *m = keep_model(read_text(
      WHEELS_BY("{type: polynomial, coordinates: [two, one], coefficients: [0, 1, 2]}"), NULL));
  if (CHECK(m)) CHECK_EQ_INT(art_check_functions(m, NULL), ART_OK);
  CHECK(!read_text(WHEELS_BY("{type: polynomial, coordinates: [two], coefficients: [1, 2]}"),
                   &error));
  CHECK_CONTAINS(error.text, "a polynomial ties two coordinates, [b, a], not 1");
  CHECK(!read_text(WHEELS_BY("{type: polynomial, coordinates: [two, one]}"), &error));
  CHECK_CONTAINS(error.text, "coefficients");
}


// the message of assembly with these functions
static void check_derivatives(artFunction *value, artFunction *bias, const char *want)
{
  artError error = {0};
  artModel *m = keep_model(read_text(WHEELS, &error));
  artAssembly assembly;
  if (!CHECK(m)) return;
  CHECK(art_attach_function(m, "square", value, NULL, NULL) == ART_OK);
  CHECK(art_attach_function(m, "square_bias", bias, NULL, NULL) == ART_OK);
  artData *d = keep_fresh_data(m);
  CHECK_EQ_INT(art_assemble(m, d, &assembly, &error), want ? ART_BAD_INPUT : ART_OK);
  if (want) CHECK_CONTAINS(error.text, want);
}


TEST(wrong_derivatives_are_told)
{
  check_derivatives(square, square_bias, NULL);
  check_derivatives(
      bent_square, square_bias,
      "machine.yaml:6:13: the function of constraint 'bend' gives dh/dq = 0.4 for its "
      "coordinate 1, but h itself changes by -0.4");
  check_derivatives(square, bent_bias,
                    "the bias of constraint 'bend' is 2 where the derivatives dh/dq change by -2");
}

//---- failures ------------------------------------------------------------------------------------

static artStatus fail_later(void *context, const double *x, double *y)
{
  y[0] = x[ART_JOINT_TIME] > 0.05 ? *(const double *) context : 0;
  return ART_OK;
}


static artStatus give_up(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = 0;
  return x[ART_JOINT_TIME] > 0.05 ? ART_SINGULAR : ART_OK;
}

#define DAMPED MACHINE "forces:\n  brake: {type: joint-force, coordinate: elbow, function: drum}\n"


// the message of a run with this function, or with none
static const char *complaint_of(artFunction *function, void *context, int method)
{
  static artError error;
  artRun *run = NULL;
  artRunDef study = art_default_run();
  artModel *m = keep_model(read_text(DAMPED, NULL));
  if (function) CHECK(art_attach_function(m, "drum", function, context, NULL) == ART_OK);
  artData *d = keep_fresh_data(m);
  model_set_way(&study, method);
  study.step = 1e-3;
  error = (artError){0};
  artStatus status = art_create_run(&run, m, d, &study, &error);
  if (!status) status = art_run_to(run, 0.2, &error);
  CHECK_EQ_INT(status, function ? ART_SINGULAR : ART_BAD_INPUT);
  art_free_run(run);
  return error.text;
}


TEST(failures_are_told)
{
  const int methods[] = {ART_ORDER_N, MODEL_GENERATED, ART_INDEX3};
  double values[] = {NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      const char *text = complaint_of(fail_later, &values[k], methods[i]);
      CHECK_CONTAINS(text, "machine.yaml:13:3:");
      CHECK_CONTAINS(text, "force 'brake'");
      CHECK_CONTAINS(text, "'drum' is");
    }
    CHECK_CONTAINS(complaint_of(give_up, NULL, methods[i]), "force 'brake' failed");
    CHECK_CONTAINS(complaint_of(NULL, NULL, methods[i]),
                   "force 'brake' calls the function 'drum', which no library has given");
  }
}


// h = x1 - x0^2, without a value beyond x0 = 0.6, which the motion reaches
static artStatus square_to_surface(void *context, const double *x, double *y)
{
  square(context, x, y);
  if (x[0] > 0.6 && x[0] < 0.8) y[0] = NAN;
  return ART_OK;
}


// a border of the positions ends the run, however short the steps before it become
TEST(borders_end_runs)
{
  const int methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED,
                         ART_INDEX1,        ART_INDEX3,    ART_CONSERVING};
  for (int i = 0; i < 7; i++) {
    artRunDef study = art_default_run();
    artModel *m = keep_model(read_text(WHEELS, NULL));
    attach_all(m);
    art_attach_function(m, "square", square_to_surface, NULL, NULL);
    artData *d = keep_fresh_data(m);
    model_set_way(&study, methods[i]);
    study.step = 1e-3;
    artRun *run = keep_started_run(m, d, &study);
    CHECK_FAILS(art_run_to(run, 1, &check_error), ART_SINGULAR, "constraint 'bend'");
    CHECK_NEAR(&d->q[0], (double[]){0.6}, 1, 2e-3);
  }
}


static void check_refused(const char *rest, const char *part)
{
  char text[LONGEST_TEXT];
  artError error = {0};
  snprintf(text, sizeof text, "%s%s", MACHINE, rest);
  artModel *m = keep_model(read_text(text, &error));
  CHECK(m == NULL && error.status == ART_BAD_INPUT);
  CHECK_CONTAINS(error.text, part);
  CHECK_CONTAINS(error.text, "machine.yaml:1");
}


TEST(clashes_are_refused)
{
  check_refused("forces:\n"
                "  a: {type: joint-force, coordinate: elbow, function: f}\n"
                "  b: {type: link-force, between: [ground, fore], function: f}\n",
                "'f' as the force of a link, but force 'a' calls it as a joint force");
  check_refused("forces:\n"
                "  a: {type: joint-force, coordinate: elbow, function: f, parameters: [1]}\n"
                "  b: {type: joint-force, coordinate: axle, function: f}\n",
                "3 inputs and 0 parameters, but force 'a' with 3 and 1");
  check_refused("forces: {a: {type: joint-force, coordinate: elbow, function: a-b}}\n",
                "the function is called 'a-b'");
  check_refused("forces: {a: {type: joint-force, coordinate: elbow, function: f, value: 1}}\n",
                "exclude each other");
  check_refused("forces: {a: {type: joint-force, coordinate: elbow, value: 1, parameters: [1]}}\n",
                "parameters but no function");
  check_refused("forces: {a: {type: force, point: fore, function: f, axes: body}}\n",
                "in ground axes");
  check_refused("forces: {a: {type: joint-force, coordinate: elbow}}\n", "'value' or 'function'");
  check_refused("couplings: {a: {type: function, coordinates: [elbow, elbow], function: f}}\n",
                "names 'elbow' twice");
  check_refused("tyres: {t: {type: radial, radius: 1, stiffness: 1, load: 1}}\n"
                "forces: {a: {type: tyre, wheel: rotor, tyre: t, relaxation: true, function: f}}\n",
                "has relaxation");
}


// more coordinates than a relation has room for
TEST(long_relations_are_refused)
{
  enum { N = 65 };
  char text[40 * N * 4] = "articula: 1\nbodies:\n";
  artError error = {0};
  size_t n = strlen(text);
  const char *formats[] = {"  b%d: {mass: 1}\n",
                           "  j%d: {type: prismatic, from: ground, to: b%d}\n", " j%d: 1,"};
  const char *heads[] = {"", "joints:\n", "couplings: {sum: {type: linear, terms: {"};
  for (int part = 0; part < 3; part++) {
    n += (size_t) snprintf(text + n, sizeof text - n, "%s", heads[part]);
    for (int i = 0; i < N; i++) {
      n += (size_t) snprintf(text + n, sizeof text - n, formats[part], i, i);
    }
  }
  snprintf(text + n - 1, sizeof text - n + 1, "}}}\n");
  artModel *m = keep_model(read_text(text, &error));
  CHECK(m == NULL);
  CHECK_CONTAINS(error.text, "relation 'sum' names 65 coordinates, expected at most 64");
}


// names and parameters are part of the model's fingerprint, the code is not
TEST(names_are_hashed)
{
  const char *words[] = {"function: f", "function: g", "function: f, parameters: [1]",
                         "function: f, parameters: [2]"};
  unsigned long long hash[4];
  for (int i = 0; i < 4; i++) {
    char text[LONGEST_TEXT];
    snprintf(text, sizeof text, "%sforces: {a: {type: joint-force, coordinate: elbow, %s}}\n",
             MACHINE, words[i]);
    artModel *m = keep_model(read_text(text, NULL));
    hash[i] = art_model_hash(m);
    CHECK(art_attach_function(m, i == 1 ? "g" : "f", zero, NULL, NULL) == ART_OK);
    CHECK(art_model_hash(m) == hash[i]);
    for (int k = 0; k < i; k++) CHECK(hash[k] != hash[i]);
  }
}


TEST(unknown_names_are_refused)
{
  artModel *m = keep_model(read_text(DAMPED, NULL));
  CHECK_FAILS(art_attach_function(m, "drumm", zero, NULL, &check_error), ART_BAD_INPUT,
              "did you mean 'drum'?");
  CHECK_FAILS(art_attach_library(m, "/nowhere/laws.so", &check_error), ART_BAD_INPUT,
              "/nowhere/laws.so");
}

//---- from C --------------------------------------------------------------------------------------

// the same machine by calls of the builder
TEST(builder_is_file)
{
  const double p[3] = {0.4, 50, 3};
  artBodyDef body = art_default_body();
  artJointDef joint = art_default_joint();
  artBuilder *b = keep_builder(art_create_builder());
  body.name = "bob", body.mass = 1, body.com[0] = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
  joint.name = "ball", joint.type = ART_SPHERICAL, joint.from = "ground", joint.to = "bob";
  artPose end = art_default_pose(), hook = art_default_pose();
  end.position[0] = 1, hook.position[2] = 1;
  art_add_body(b, &body);
  art_add_frame(b, "bob", "end", &end);
  art_add_frame(b, "ground", "hook", &hook);
  art_add_joint(b, &joint);
  const artLinkForceDef def = {
      .name = "s", .from = "ground.hook", .to = "bob.end", .call = {"link_law", 3, p}};
  CHECK(art_add_link_force(b, &def) == ART_OK);
  artModel *m = NULL;
  CHECK(art_compile_model(&m, b, NULL) == ART_OK);
  attach_all(m);
  keep_model(m);
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  CHECK(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK);

  // of the length sqrt(2), at rest: the moment about y is -1 times the pull along z
  const double F = 50 * (sqrt(2) - 0.4);
  CHECK_CLOSE(d->a[1], -(F / sqrt(2) - 9.81) / 1.1, 1e-12);
}
