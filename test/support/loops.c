// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sample machines with closed loops.
#include "support/loops.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loop/loop.h"
#include "support/check.h"
#include "support/models.h"

typedef struct point {
  double x[3];
} point;

//---- bars in a plane ----------------------------------------------------------------------------

void loop_add_bar(artBuilder *b, const char *name, double mass, loopCorner from, loopCorner to)
{
  artBodyDef body = art_default_body();
  const double length = hypot(to.x - from.x, to.y - from.y);
  body.name = name;
  body.mass = mass;
  body.com[0] = (from.x + to.x) / 2, body.com[1] = (from.y + to.y) / 2;
  for (int i = 0; i < 3; i++) body.inertia[i] = mass * length * length / 12;
  art_add_body(b, &body);
}


void loop_add_hinge(artBuilder *b, const char *name, const char *from, const char *to,
                    loopCorner at)
{
  artJointDef joint = art_default_joint();
  joint.name = name, joint.from = from, joint.to = to;
  joint.in_ground = 1;
  joint.at[0] = at.x, joint.at[1] = at.y;
  memcpy(joint.axis, (double[3]){0, 0, 1}, sizeof joint.axis);
  art_add_joint(b, &joint);
}

//---- words ---------------------------------------------------------------------------------------


// a body of some mass about a point of ground, of an inertia that no symmetry simplifies
static void add_body(artBuilder *b, const char *name, double mass, point at)
{
  artBodyDef body = art_default_body();
  const double I = 0.04 * mass;
  const double inertia[6] = {I, 1.2 * I, 0.9 * I, 0.1 * I, -0.15 * I, 0.05 * I};
  body.name = name;
  body.mass = mass;
  memcpy(body.com, at.x, sizeof body.com);
  memcpy(body.inertia, inertia, sizeof body.inertia);
  art_add_body(b, &body);
}


static artJointDef joint_at(const char *name, artJointType type, const char *from, const char *to,
                            point at, point axis)
{
  artJointDef joint = art_default_joint();
  joint.name = name, joint.type = type, joint.from = from, joint.to = to, joint.in_ground = 1;
  memcpy(joint.at, at.x, sizeof joint.at);
  memcpy(joint.axis, axis.x, sizeof joint.axis);
  if (type != ART_UNIVERSAL) return joint;

  // some second axis that is square to the first
  const double *u = axis.x;
  const double w[3] = {u[1] - u[2], u[2] - u[0], u[0] - u[1]};
  memcpy(joint.axis2, w, sizeof joint.axis2);
  return joint;
}


static void add_joint(artBuilder *b, const char *name, artJointType type, const char *from,
                      const char *to, point at, point axis)
{
  const artJointDef joint = joint_at(name, type, from, to, at, axis);
  art_add_joint(b, &joint);
}


// a joint that closes a loop
static void add_cut(artBuilder *b, const char *name, artJointType type, const char *from,
                    const char *to, point at, point axis)
{
  artJointDef joint = joint_at(name, type, from, to, at, axis);
  joint.keep = -1;
  if (type == ART_SCREW) joint.pitch = 0.05;
  art_add_joint(b, &joint);
}


static void add_point(artBuilder *b, const char *body, const char *name, point at)
{
  artPose pose = art_default_pose();
  memcpy(pose.position, at.x, sizeof pose.position);
  art_add_frame(b, body, name, &pose);
}


// frames at the ends of a line from a point of one body to a point of another, and their names
static void add_ends(artBuilder *b, const char *name, const char *from, point p, const char *to,
                     point q, char ends[2][48])
{
  char near[24], far[24];
  snprintf(near, sizeof near, "%.20s_a", name);
  snprintf(far, sizeof far, "%.20s_b", name);
  snprintf(ends[0], 48, "%.20s.%s", from, near);
  snprintf(ends[1], 48, "%.20s.%s", to, far);
  add_point(b, from, near, p);
  add_point(b, to, far, q);
}


static void add_rod(artBuilder *b, const char *name, const char *from, point p, const char *to,
                    point q, double mass)
{
  char ends[2][48];
  add_ends(b, name, from, p, to, q, ends);
  artJointDef rod = art_default_joint();
  rod.name = name, rod.type = ART_ROD, rod.from = ends[0], rod.to = ends[1], rod.mass = mass;
  const double d[3] = {q.x[0] - p.x[0], q.x[1] - p.x[1], q.x[2] - p.x[2]};
  rod.length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  art_add_joint(b, &rod);
}


static void add_torque(artBuilder *b, const char *coordinate, const char *text)
{
  char name[64];
  snprintf(name, sizeof name, "on_%.40s", coordinate);
  for (char *c = name; *c; c++) *c = *c == '.' ? '_' : *c;
  const artJointForceDef def = {.name = name, .coordinate = coordinate, .formula = text};
  art_add_joint_force(b, &def);
}


// a spring-damper between points of two bodies, which get frames named after it
static void add_spring(artBuilder *b, const char *name, const char *from, point p, const char *to,
                       point q)
{
  char ends[2][48];
  add_ends(b, name, from, p, to, q, ends);
  const artSpringDamperDef def = {.name = name,
                                  .from = ends[0],
                                  .to = ends[1],
                                  .free_length = 0.4,
                                  .spring = {.type = ART_LAW_LINEAR, .coefficient = 40},
                                  .damper = {.type = ART_LAW_LINEAR, .coefficient = 2}};
  art_add_spring_damper(b, &def);
}


static void add_drive(artBuilder *b, const char *coordinate, const char *text)
{
  const artDriveDef def = {.name = "motor", .coordinate = coordinate, .formula = text};
  art_add_drive(b, &def);
}


static void add_coupling(artBuilder *b, const char *name, int n, const char *const *coordinate,
                         const double *coefficient)
{
  const artCouplingDef def = {
      .name = name, .n = n, .coordinate = coordinate, .coefficient = coefficient};
  art_add_coupling(b, &def);
}


//---- planar machines -----------------------------------------------------------------------------

static const point normal = {{1, 2, 2}}; // of the plane they move in


// a point of that plane
static point in_plane(double x, double y)
{
  const double e[3] = {2.0 / 3, 1.0 / 3, -2.0 / 3}, f[3] = {-2.0 / 3, 2.0 / 3, -1.0 / 3};
  return (point){{x * e[0] + y * f[0], x * e[1] + y * f[1], x * e[2] + y * f[2]}};
}


// bodies and joints of the four-bar but for the joint that closes it
static artBuilder *open_four_bar(const char *base)
{
  artBuilder *b = art_create_builder();
  if (strcmp(base, "ground") != 0) {
    add_body(b, base, 4, (point){{0.3, 0.1, 0.2}});
    add_joint(b, "flight", ART_FREE, "ground", base, (point){{0.1, 0, 0}}, normal);
  }
  add_body(b, "crank", 1, in_plane(0.1, 0.2));
  add_body(b, "coupler", 1.5, in_plane(0.5, 0.55));
  add_body(b, "rocker", 2, in_plane(1.0, 0.35));
  add_joint(b, "A", ART_REVOLUTE, base, "crank", in_plane(0, 0), normal);
  add_joint(b, "B", ART_REVOLUTE, "crank", "coupler", in_plane(0.2, 0.4), normal);
  add_joint(b, "D", ART_REVOLUTE, base, "rocker", in_plane(1.1, 0), normal);
  add_torque(b, "A.angle", "2 - 0.3*A.rate");
  add_torque(b, "D.angle", "-0.5*D.rate");
  return b;
}


static artModel *four_bar(void)
{
  artBuilder *b = open_four_bar("ground");
  add_cut(b, "C", ART_REVOLUTE, "coupler", "rocker", in_plane(0.9, 0.7), normal);
  return model_compile(b);
}


static artModel *four_bar_spherical(void)
{
  artBuilder *b = open_four_bar("ground");
  add_cut(b, "C", ART_SPHERICAL, "rocker", "coupler", in_plane(0.9, 0.7), normal);
  return model_compile(b);
}


static artModel *four_bar_driven(void)
{
  artBuilder *b = open_four_bar("ground");
  add_cut(b, "C", ART_REVOLUTE, "coupler", "rocker", in_plane(0.9, 0.7), normal);
  add_drive(b, "A.angle", "0.3*sin(2*time)");
  return model_compile(b);
}


static artModel *four_bar_flying(void)
{
  artBuilder *b = open_four_bar("base");
  add_cut(b, "C", ART_REVOLUTE, "coupler", "rocker", in_plane(0.9, 0.7), normal);
  return model_compile(b);
}


static artModel *four_bar_rod(void)
{
  artBuilder *b = art_create_builder();
  add_body(b, "crank", 1, in_plane(0.1, 0.2));
  add_body(b, "rocker", 2, in_plane(1.0, 0.35));
  add_joint(b, "A", ART_REVOLUTE, "ground", "crank", in_plane(0, 0), normal);
  add_joint(b, "D", ART_REVOLUTE, "ground", "rocker", in_plane(1.1, 0), normal);
  add_rod(b, "coupler", "crank", in_plane(0.2, 0.4), "rocker", in_plane(0.9, 0.7), 0);
  add_torque(b, "A.angle", "2 - 0.3*A.rate");
  return model_compile(b);
}


// two cranks, one of them driven, and two couplers that meet
static artModel *five_bar(void)
{
  artBuilder *b = art_create_builder();
  add_body(b, "left", 1, in_plane(-0.1, 0.2));
  add_body(b, "left_arm", 1, in_plane(0.2, 0.6));
  add_body(b, "right", 1, in_plane(1.1, 0.2));
  add_body(b, "right_arm", 1, in_plane(0.8, 0.7));
  add_joint(b, "A", ART_REVOLUTE, "ground", "left", in_plane(0, 0), normal);
  add_joint(b, "B", ART_REVOLUTE, "left", "left_arm", in_plane(-0.1, 0.4), normal);
  add_joint(b, "E", ART_REVOLUTE, "ground", "right", in_plane(1, 0), normal);
  add_joint(b, "D", ART_REVOLUTE, "right", "right_arm", in_plane(1.1, 0.5), normal);
  add_cut(b, "C", ART_REVOLUTE, "left_arm", "right_arm", in_plane(0.5, 0.9), normal);
  add_drive(b, "A.angle", "0.2*sin(3*time) + 0.1*time");
  add_torque(b, "E.angle", "1 - 0.2*E.rate");
  add_spring(b, "spring", "left_arm", in_plane(0.2, 0.6), "right", in_plane(1.1, 0.2));
  return model_compile(b);
}


artModel *loop_four_bars(int n)
{
  artBuilder *b = art_create_builder();
  const point y = {{0, 1, 0}};
  char crank[32], pin[32], bar[32], hinge[32], before[32] = "", cut[32];
  for (int i = 0; i <= n; i++) {
    artBodyDef body = art_default_body();
    snprintf(crank, sizeof crank, "crank%d", i);
    snprintf(pin, sizeof pin, "pin%d", i);
    body.name = crank;
    body.mass = 1;
    memcpy(body.com, (double[3]){i, 0, 0.5}, sizeof body.com);
    body.inertia[0] = body.inertia[1] = 1.0 / 12;
    art_add_body(b, &body);
    add_joint(b, pin, ART_REVOLUTE, "ground", crank, (point){{i, 0, 0}}, y);
    if (i > 0) {
      snprintf(bar, sizeof bar, "bar%d", i);
      snprintf(hinge, sizeof hinge, "hinge%d", i);
      snprintf(cut, sizeof cut, "close%d", i);
      body.name = bar;
      memcpy(body.com, (double[3]){i - 0.5, 0, 1}, sizeof body.com);
      memcpy(body.inertia, (double[6]){0, 1.0 / 12, 1.0 / 12}, sizeof body.inertia);
      art_add_body(b, &body);
      add_joint(b, hinge, ART_REVOLUTE, before, bar, (point){{i - 1, 0, 1}}, y);
      add_cut(b, cut, ART_REVOLUTE, bar, crank, (point){{i, 0, 1}}, y);
    }
    snprintf(before, sizeof before, "%s", crank);
  }
  return model_compile(b);
}


static artModel *three_four_bars(void)
{
  return loop_four_bars(3);
}


artModel *loop_polygon(int n)
{
  artBuilder *b = art_create_builder();
  const point z = {{0, 0, 1}};
  char name[32], pin[32], before[32] = "ground";
  art_set_gravity(b, (double[3]){0, -9.81, 0});
  const double angle = 2 * acos(-1.0) / n, r = 0.5 / sin(angle / 2);
  for (int i = 0; i < n; i++) {
    // bar i leads from corner i to corner i + 1; the last one is ground
    const point here = {{r * cos(i * angle), r * sin(i * angle), 0}};
    const point next = {{r * cos((i + 1) * angle), r * sin((i + 1) * angle), 0}};
    const int is_cut = i == n / 2, is_last = i == n - 1;
    snprintf(name, sizeof name, is_last ? "ground" : "bar%d", i);
    snprintf(pin, sizeof pin, "pin%d", i);
    if (!is_last) {
      add_body(b, name, 1, (point){{0.5 * (here.x[0] + next.x[0]), 0.5 * (here.x[1] + next.x[1])}});
    }
    if (is_cut) {
      add_cut(b, pin, ART_REVOLUTE, before, name, here, z);
    } else {
      add_joint(b, pin, ART_REVOLUTE, before, name, here, z);
    }
    snprintf(before, sizeof before, "%s", name);
  }
  return model_compile(b);
}


static artModel *polygon(void)
{
  return loop_polygon(7);
}


// two loops that share a crank: a four-bar, and a slider whose coupler hangs on its rocker
static artModel *two_loops(void)
{
  artBuilder *b = open_four_bar("ground");
  add_cut(b, "C", ART_REVOLUTE, "coupler", "rocker", in_plane(0.9, 0.7), normal);
  add_body(b, "link", 0.7, in_plane(1.2, 0.6));
  add_body(b, "slider", 0.8, in_plane(1.7, 0.2));
  add_joint(b, "E", ART_REVOLUTE, "rocker", "link", in_plane(1.0, 0.6), normal);
  add_joint(b, "F", ART_PRISMATIC, "ground", "slider", in_plane(1.6, 0.2), in_plane(1, 0));
  add_cut(b, "G", ART_REVOLUTE, "slider", "link", in_plane(1.6, 0.2), normal);
  add_spring(b, "spring", "slider", in_plane(1.7, 0.2), "crank", in_plane(0.1, 0.3));
  return model_compile(b);
}


//---- spatial machines ----------------------------------------------------------------------------


static artModel *slider_crank(void)
{
  artBuilder *b = art_create_builder();
  const point x = {{1, 0, 0}}, y = {{0, 1, 0}};
  add_body(b, "crank", 0.12, (point){{0, 0.1, 0.14}});
  add_body(b, "rod", 0.5, (point){{0.1, 0.1, 0.1}});
  add_body(b, "slider", 2, (point){{0.2, 0, 0}});
  add_joint(b, "shaft", ART_REVOLUTE, "ground", "crank", (point){{0, 0.1, 0.12}}, x);
  add_joint(b, "guide", ART_PRISMATIC, "ground", "slider", (point){{0.2, 0, 0}}, x);
  add_joint(b, "cross", ART_UNIVERSAL, "slider", "rod", (point){{0.2, 0, 0}}, y);
  add_cut(b, "ball", ART_SPHERICAL, "crank", "rod", (point){{0, 0.1, 0.2}}, x);
  add_torque(b, "shaft.angle", "0.2*exp(-time)");
  add_torque(b, "guide.slide", "-0.1*guide.rate");
  return model_compile(b);
}


// two balls and a universal joint, eight coordinates, closed by one more joint
static artModel *closed_by(artJointType type, artClosing closing)
{
  artBuilder *b = art_create_builder();
  const point axis = {{0.3, 1, -0.4}}, end = {{0.9, 0.5, 0.2}};
  add_body(b, "one", 1, (point){{0.2, 0.1, 0.1}});
  add_body(b, "two", 1.2, (point){{0.5, 0.4, 0.3}});
  add_body(b, "three", 0.8, (point){{0.8, 0.6, 0.1}});
  add_joint(b, "ball1", ART_SPHERICAL, "ground", "one", (point){{0, 0, 0}}, axis);
  add_joint(b, "ball2", ART_SPHERICAL, "one", "two", (point){{0.4, 0.2, 0.3}}, axis);
  add_joint(b, "cross", ART_UNIVERSAL, "two", "three", (point){{0.7, 0.6, 0.2}},
            (point){{1, 0.2, 0.4}});
  add_spring(b, "spring", "two", (point){{0.5, 0.4, 0.5}}, "three", (point){{0.8, 0.6, 0}});
  add_torque(b, "cross.angle1", "0.3 - 0.1*cross.angle1_rate");
  if (type == ART_ROD) {
    add_rod(b, "close", "ground", (point){{1.5, 0.4, 0.1}}, "three", end, 0);
  } else {
    artJointDef close = joint_at("close", type, "ground", "three", end, axis);
    close.keep = -1;
    if (type == ART_SCREW) close.pitch = 0.05;
    close.closing = closing;
    art_add_joint(b, &close);
  }
  return model_compile(b);
}

// clang-format off
static artModel *closed_by_revolute(void)    { return closed_by(ART_REVOLUTE, ART_CLOSE_BY_ANGLES); }
static artModel *closed_by_spherical(void)   { return closed_by(ART_SPHERICAL, ART_CLOSE_BY_ANGLES); }
static artModel *closed_by_universal(void)   { return closed_by(ART_UNIVERSAL, ART_CLOSE_BY_ANGLES); }
static artModel *closed_by_cylindrical(void) { return closed_by(ART_CYLINDRICAL, ART_CLOSE_BY_ANGLES); }
static artModel *closed_by_prismatic(void)   { return closed_by(ART_PRISMATIC, ART_CLOSE_BY_ANGLES); }
static artModel *closed_by_planar(void)      { return closed_by(ART_PLANAR, ART_CLOSE_BY_ANGLES); }
static artModel *closed_by_fixed(void)       { return closed_by(ART_FIXED, ART_CLOSE_BY_ANGLES); }
static artModel *closed_by_screw(void)       { return closed_by(ART_SCREW, ART_CLOSE_BY_ANGLES); }
static artModel *closed_by_vectors(void)     { return closed_by(ART_REVOLUTE, ART_CLOSE_BY_VECTORS); }
static artModel *closed_by_rod(void)         { return closed_by(ART_ROD, ART_CLOSE_BY_ANGLES); }
// clang-format on


// every other kind of joint on the way: a cylinder, a screw, a plane, a rotor and a fixed joint
static artModel *mixed(void)
{
  artBuilder *b = art_create_builder();
  add_body(b, "one", 1, (point){{0.2, 0.1, 0.1}});
  add_body(b, "nut", 0.6, (point){{0.3, 0.3, 0.2}});
  add_body(b, "plate", 1.2, (point){{0.5, 0.4, 0.3}});
  add_body(b, "cap", 0.3, (point){{0.6, 0.5, 0.3}});
  add_body(b, "arm", 0.8, (point){{0.8, 0.6, 0.1}});
  add_joint(b, "tube", ART_CYLINDRICAL, "ground", "one", (point){{0, 0, 0}}, (point){{0, 0.2, 1}});
  artJointDef screw =
      joint_at("thread", ART_SCREW, "one", "nut", (point){{0.3, 0.2, 0.1}}, (point){{1, 0.1, 0.1}});
  screw.pitch = 0.08;
  screw.rotor = 0.05;
  art_add_joint(b, &screw);
  add_joint(b, "table", ART_PLANAR, "nut", "plate", (point){{0.4, 0.3, 0.3}}, (point){{0.2, 1, 0}});
  add_joint(b, "weld", ART_FIXED, "plate", "cap", (point){{0.5, 0.5, 0.3}}, normal);
  artJointDef hinge =
      joint_at("hinge", ART_REVOLUTE, "arm", "cap", (point){{0.7, 0.5, 0.2}}, (point){{0.5, 0, 1}});
  hinge.rotor = 0.1;
  art_add_joint(b, &hinge);
  add_cut(b, "close", ART_REVOLUTE, "arm", "ground", (point){{0.9, 0.6, 0}}, (point){{1, 1, 0.3}});
  add_spring(b, "spring", "one", (point){{0.2, 0.1, 0}}, "cap", (point){{0.6, 0.5, 0.4}});
  add_torque(b, "thread.angle", "0.2 - 0.1*thread.rate");
  return model_compile(b);
}


// a platform in flight, tied to ground and to a pendulum by rods
static artModel *platform_on(double mass)
{
  artBuilder *b = art_create_builder();
  const point top = {{0, 0, 1.5}};
  add_body(b, "plate", 3, (point){{0.1, 0.05, 0.1}});
  add_body(b, "bob", 1, (point){{0.8, 0, 0.5}});
  add_joint(b, "flight", ART_FREE, "ground", "plate", (point){{0, 0, 0}}, top);
  add_joint(b, "pin", ART_SPHERICAL, "ground", "bob", (point){{0.8, 0.1, 1}}, top);
  add_rod(b, "rod1", "ground", top, "plate", (point){{0.5, 0, 0}}, mass);
  add_rod(b, "rod2", "ground", (point){{0.2, 0.9, 1.4}}, "plate", (point){{-0.3, 0.4, 0}}, mass);
  add_rod(b, "rod3", "ground", (point){{-0.3, -0.8, 1.3}}, "plate", (point){{-0.3, -0.4, 0.1}},
          mass);
  add_rod(b, "rod4", "plate", (point){{0.4, 0.3, 0.1}}, "bob", (point){{0.8, 0.1, 0.4}}, mass);
  add_spring(b, "spring", "plate", (point){{0, 0, 0}}, "bob", (point){{0.8, 0, 0.5}});
  return model_compile(b);
}


// a car of sorts: a body in flight, two arms with wheels, each held by a rod; a driven steering rod
// on one side and a gear between the arms
static artModel *suspension_on(double mass)
{
  artBuilder *b = art_create_builder();
  const point x = {{1, 0, 0.1}}, y = {{0, 1, 0}};
  add_body(b, "body", 10, (point){{0.1, 0, 0.3}});
  add_joint(b, "flight", ART_FREE, "ground", "body", (point){{0, 0, 0}}, x);
  add_body(b, "left", 1, (point){{0, 0.5, 0.1}});
  add_body(b, "right", 1, (point){{0, -0.5, 0.1}});
  add_body(b, "left_hub", 0.8, (point){{0, 0.8, 0.1}});
  add_body(b, "right_hub", 0.8, (point){{0, -0.8, 0.1}});
  add_body(b, "rack", 0.4, (point){{0.2, 0, 0.2}});
  add_body(b, "wheel", 1.5, (point){{0, 0.9, 0.1}});
  add_joint(b, "left_arm", ART_REVOLUTE, "body", "left", (point){{0, 0.3, 0.1}}, x);
  add_joint(b, "right_arm", ART_REVOLUTE, "body", "right", (point){{0, -0.3, 0.1}}, x);
  add_joint(b, "left_ball", ART_SPHERICAL, "left", "left_hub", (point){{0, 0.7, 0.1}}, x);
  add_joint(b, "right_ball", ART_SPHERICAL, "right", "right_hub", (point){{0, -0.7, 0.1}}, x);
  add_joint(b, "slide", ART_PRISMATIC, "body", "rack", (point){{0.2, 0, 0.2}}, y);
  add_joint(b, "axle", ART_REVOLUTE, "left_hub", "wheel", (point){{0, 0.85, 0.1}}, y);
  add_rod(b, "left_top", "body", (point){{0, 0.3, 0.5}}, "left_hub", (point){{0, 0.72, 0.4}}, mass);
  add_rod(b, "left_back", "body", (point){{-0.3, 0.3, 0.4}}, "left_hub", (point){{0, 0.7, 0.42}},
          mass);
  add_rod(b, "left_tie", "rack", (point){{0.2, 0.2, 0.2}}, "left_hub", (point){{0.15, 0.75, 0.2}},
          mass);
  add_rod(b, "right_top", "body", (point){{0, -0.3, 0.5}}, "right_hub", (point){{0, -0.72, 0.4}},
          mass);
  add_rod(b, "right_back", "body", (point){{-0.3, -0.3, 0.4}}, "right_hub",
          (point){{0, -0.7, 0.42}}, mass);
  add_rod(b, "right_tie", "rack", (point){{0.2, -0.2, 0.2}}, "right_hub",
          (point){{0.15, -0.75, 0.2}}, mass);
  add_drive(b, "slide.slide", "0.05*sin(2*time)");
  add_torque(b, "left_arm.angle", "-200*left_arm.angle - 5*left_arm.rate");
  add_torque(b, "right_arm.angle", "-200*right_arm.angle - 5*right_arm.rate");
  add_torque(b, "axle.angle", "1");
  return model_compile(b);
}


// clang-format off
static artModel *platform(void)         { return platform_on(0); }
static artModel *heavy_platform(void)   { return platform_on(0.7); }
static artModel *suspension(void)       { return suspension_on(0); }
static artModel *heavy_suspension(void) { return suspension_on(1.5); }
// clang-format on


//---- relations -----------------------------------------------------------------------------------


// wheels of a gear, a rack, and a carriage in flight that the rack moves along
static artModel *gears(void)
{
  artBuilder *b = art_create_builder();
  const point z = {{0, 0, 1}}, x = {{1, 0, 0}};
  add_body(b, "wheel1", 1, (point){{0.1, 0, 0.1}});
  add_body(b, "wheel2", 2, (point){{0.9, 0.1, 0}});
  add_body(b, "rack", 1.5, (point){{0, 0.3, 0}});
  add_body(b, "carriage", 2, (point){{0.1, 1, 0}});
  add_joint(b, "pin1", ART_REVOLUTE, "ground", "wheel1", (point){{0, 0, 0}}, z);
  add_joint(b, "pin2", ART_REVOLUTE, "wheel1", "wheel2", (point){{1, 0, 0}}, (point){{0, 1, 3}});
  add_joint(b, "guide", ART_PRISMATIC, "ground", "rack", (point){{0, 0.3, 0}}, x);
  add_joint(b, "flight", ART_FREE, "rack", "carriage", (point){{0, 1, 0}}, z);
  add_coupling(b, "gear", 2, (const char *[]){"pin1.angle", "pin2.angle"}, (double[]){2, 3});
  add_coupling(b, "pinion", 2, (const char *[]){"guide.slide", "pin1.angle"}, (double[]){1, -0.3});
  add_coupling(b, "sum", 3, (const char *[]){"flight.x", "flight.z", "pin2.angle"},
               (double[]){1, 0.5, 0.2});
  add_torque(b, "pin1.angle", "1 - 0.2*pin1.rate");
  return model_compile(b);
}


// a follower on a wavy cam: s = a (1 - cos 2 phi) + b phi
static artStatus cam_value(void *context, const double *x, double *g, double *dg)
{
  (void) context;
  *g = x[1] - 0.1 * (1 - cos(2 * x[0])) - 0.2 * x[0];
  dg[0] = -0.2 * sin(2 * x[0]) - 0.2;
  dg[1] = 1;
  return ART_OK;
}


static artStatus cam_bias(void *context, const double *x, const double *v, double *bias)
{
  (void) context;
  *bias = -0.4 * cos(2 * x[0]) * v[0] * v[0];
  return ART_OK;
}


static void add_cam(artBuilder *b, const char *angle, const char *slide)
{
  const artConstraintDef def = {.name = "cam",
                                .n = 2,
                                .coordinate = (const char *[]){angle, slide},
                                .value = cam_value,
                                .bias = cam_bias};
  art_add_constraint(b, &def);
}


static artModel *cam(void)
{
  artBuilder *b = art_create_builder();
  add_body(b, "disc", 1, (point){{0.1, 0, 0.1}});
  add_body(b, "follower", 0.7, (point){{0, 0.4, 0.2}});
  add_joint(b, "shaft", ART_REVOLUTE, "ground", "disc", (point){{0, 0, 0}}, (point){{1, 0, 0.1}});
  add_joint(b, "guide", ART_PRISMATIC, "ground", "follower", (point){{0, 0.3, 0}},
            (point){{0, 0.2, 1}});
  add_cam(b, "shaft.angle", "guide.slide");
  add_torque(b, "shaft.angle", "3 - 0.4*shaft.rate");
  return model_compile(b);
}


// a puck with two arms, one of them held by an arm of ground; of three links that carry the puck two have no mass
static artModel *puck(void)
{
  artBuilder *b = art_create_builder();
  add_body(b, "puck", 3, (point){{0.1, 0, 0.1}});
  add_body(b, "left", 0.7, (point){{-0.4, 0.2, 0.3}});
  add_body(b, "right", 0.6, (point){{0.5, 0.1, 0.4}});
  add_body(b, "arm", 0.8, (point){{-0.4, 0.7, 0.6}});
  add_joint(b, "table", ART_PLANAR, "puck", "ground", (point){{0.1, 0, 0}}, normal);
  add_joint(b, "A", ART_REVOLUTE, "puck", "left", (point){{-0.2, 0, 0.1}}, (point){{0, 1, 1}});
  add_joint(b, "B", ART_REVOLUTE, "puck", "right", (point){{0.3, 0, 0.1}}, (point){{1, 0, 1}});
  add_joint(b, "shoulder", ART_SPHERICAL, "ground", "arm", (point){{-0.3, 1, 0.9}}, normal);
  add_cut(b, "hand", ART_SPHERICAL, "arm", "left", (point){{-0.6, 0.4, 0.5}}, normal);
  add_spring(b, "spring", "right", (point){{0.6, 0.2, 0.6}}, "arm", (point){{-0.4, 0.7, 0.6}});
  return model_compile(b);
}


// a four-bar whose rocker lifts a follower by the cam, its crank driven through a gear
static artModel *cam_train(void)
{
  artBuilder *b = open_four_bar("ground");
  add_cut(b, "C", ART_REVOLUTE, "coupler", "rocker", in_plane(0.9, 0.7), normal);
  add_body(b, "follower", 0.7, (point){{0, 0.4, 0.2}});
  add_body(b, "motor_wheel", 0.3, (point){{0.4, 0.1, 0.2}});
  add_body(b, "load", 0.6, (point){{0.1, 0.2, 0.9}});
  add_joint(b, "guide", ART_PRISMATIC, "rocker", "follower", (point){{0, 0.3, 0}},
            (point){{0, 0.2, 1}});
  add_joint(b, "shaft", ART_REVOLUTE, "ground", "motor_wheel", (point){{0.4, 0.1, 0.1}},
            (point){{1, 0, 0}});
  add_joint(b, "swing", ART_SPHERICAL, "follower", "load", (point){{0, 0.3, 0.6}}, normal);
  add_cam(b, "D.angle", "guide.slide");
  add_coupling(b, "gear", 2, (const char *[]){"shaft.angle", "A.angle"}, (double[]){0.5, 1});
  add_drive(b, "shaft.angle", "0.4*sin(2*time)");
  add_spring(b, "spring", "load", (point){{0.1, 0.2, 0.9}}, "crank", in_plane(0.1, 0.2));
  return model_compile(b);
}


//---- all of them ---------------------------------------------------------------------------------

const loopSample loop_samples[] = {
    {"four-bar", four_bar, 5, 2, 1},
    {"four-bar closed by a ball", four_bar_spherical, 3, 2, 1},
    {"four-bar closed by a rod", four_bar_rod, 1, 1, 1},
    {"driven four-bar", four_bar_driven, 5, 2, 0},
    {"flying four-bar", four_bar_flying, 5, 2, 7},
    {"five-bar with a driven crank", five_bar, 5, 2, 1},
    {"three four-bars", three_four_bars, 15, 6, 1},
    {"polygon", polygon, 5, 2, 4},
    {"two loops", two_loops, 10, 4, 1},
    {"spatial slider-crank", slider_crank, 3, 3, 1},
    {"closed by a revolute joint", closed_by_revolute, 5, 5, 3},
    {"closed by equal vectors of a revolute joint", closed_by_vectors, 6, 5, 3},
    {"closed by a spherical joint", closed_by_spherical, 3, 3, 5},
    {"closed by a universal joint", closed_by_universal, 4, 4, 4},
    {"closed by a cylindrical joint", closed_by_cylindrical, 4, 4, 4},
    {"closed by a prismatic joint", closed_by_prismatic, 5, 5, 3},
    {"closed by a planar joint", closed_by_planar, 3, 3, 5},
    {"closed by a fixed joint", closed_by_fixed, 6, 6, 2},
    {"closed by a screw", closed_by_screw, 5, 5, 3},
    {"closed by a rod", closed_by_rod, 1, 1, 7},
    {"mixed joints", mixed, 5, 5, 2},
    {"platform on rods", platform, 4, 4, 5},
    {"suspension", suspension, 6, 6, 9},
    {"gears", gears, 3, 3, 6},
    {"cam", cam, 1, 1, 1},
    {"cam train", cam_train, 7, 4, 3},
    {"platform on heavy rods", heavy_platform, 4, 4, 5},
    {"suspension with heavy rods", heavy_suspension, 6, 6, 9},
    {"puck", puck, 3, 3, 5},
    {0},
};


artModel *loop_sample(const char *name)
{
  for (const loopSample *s = loop_samples; s->name; s++) {
    if (strcmp(s->name, name) == 0) return s->make();
  }
  CHECK_TEXT(name, "the name of a sample");
  return NULL;
}


//---- states --------------------------------------------------------------------------------------


int loop_random_state(const artModel *m, artData *d, uint64_t *seed)
{
  enum { MOST = 512 };
  static double move[MOST];
  const int nv = art_count(m).nv;
  artError error = {0};
  if (!CHECK(nv <= MOST)) return 0;

  for (double size = 0.4; size > 0.01; size *= 0.7) {
    art_reset(m, d);
    struct loopWork *loop = d->work->loop;
    if (!CHECK(loop_partition(m, d, &error) == ART_OK)) {
      CHECK_TEXT(error.text, "");
      return 0;
    }
    d->time = check_uniform(seed, 0, 0.5);
    memset(move, 0, sizeof move);
    for (int i = 0; i < loop->partition.nf; i++) {
      move[loop->partition.free[i]] = check_uniform(seed, -size, size);
    }
    art_move(m, d->q, move);
    for (int k = 0; k < nv; k++) d->v[k] = check_uniform(seed, -2, 2);
    art_update(m, d);
    if (loop_close(m, d, &error) == ART_OK && loop_partition(m, d, &error) == ART_OK &&
        loop_close(m, d, &error) == ART_OK) {
      art_update(m, d);
      return 1;
    }
  }
  return CHECK_TEXT(error.text, "");
}
