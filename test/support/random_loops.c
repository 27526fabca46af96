// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random machines with closed loops.
#include "support/random_loops.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/models.h"

enum { NAME = 16, MAX_BODIES = 24 };

// where a machine stands while it grows; body 0 is ground
typedef struct growth {
  artBuilder *b;
  uint64_t *seed;
  int nbody, njoint;
  char body[MAX_BODIES + 1][NAME];
  double tip[MAX_BODIES + 1][3]; // a point of each body, in ground
  int spare;                     // ways to move that gears and drives may still take
  char turn[2][NAME];            // joints with one coordinate, for gears and drives
  int nturn;
} growth;

typedef struct direction {
  double x[3];
} direction;

static const int freedoms[ART_JOINT_TYPES] = {
    [ART_REVOLUTE] = 1,  [ART_PRISMATIC] = 1, [ART_SCREW] = 1,     [ART_CYLINDRICAL] = 2,
    [ART_UNIVERSAL] = 2, [ART_PLANAR] = 3,    [ART_SPHERICAL] = 3, [ART_FREE] = 6};


static int choose(growth *g, int n)
{
  return (int) check_uniform(g->seed, 0, n);
}


static direction random_direction(growth *g)
{
  direction u;
  double size = 0;
  do {
    sample_numbers(g->seed, 1, 3, u.x);
    size = sqrt(u.x[0] * u.x[0] + u.x[1] * u.x[1] + u.x[2] * u.x[2]);
  } while (size < 0.3 || size > 1);
  for (int k = 0; k < 3; k++) u.x[k] /= size;
  return u;
}


static direction square_to(direction u, direction w)
{
  return (direction){{u.x[1] * w.x[2] - u.x[2] * w.x[1], u.x[2] * w.x[0] - u.x[0] * w.x[2],
                      u.x[0] * w.x[1] - u.x[1] * w.x[0]}};
}


//---- pieces --------------------------------------------------------------------------------------

// a body with its mass between two points, of an inertia that no symmetry simplifies
static int add_body(growth *g, const double from[3], const double to[3])
{
  const int i = ++g->nbody;
  snprintf(g->body[i], NAME, "b%d", i);
  memcpy(g->tip[i], to, sizeof g->tip[i]);
  artBodyDef body = art_default_body();
  body.name = g->body[i];
  body.mass = check_uniform(g->seed, 0.5, 2);
  for (int k = 0; k < 3; k++) {
    body.com[k] = 0.5 * (from[k] + to[k]) + check_uniform(g->seed, -0.1, 0.1);
    body.inertia[k] = body.mass * check_uniform(g->seed, 0.03, 0.05);
    body.inertia[k + 3] = body.mass * check_uniform(g->seed, -0.005, 0.005);
  }
  art_add_body(g->b, &body);
  return i;
}


static void add_joint(growth *g, artJointType type, int from, int to, const double at[3],
                      direction axis)
{
  char name[NAME];
  snprintf(name, sizeof name, "j%d", ++g->njoint);
  artJointDef joint = art_default_joint();
  joint.name = name, joint.type = type, joint.from = g->body[from], joint.to = g->body[to];
  joint.in_ground = 1;
  memcpy(joint.at, at, sizeof joint.at);
  memcpy(joint.axis, axis.x, sizeof joint.axis);
  if (type == ART_SCREW) joint.pitch = check_uniform(g->seed, 0.02, 0.1);
  if (type == ART_UNIVERSAL) {
    const direction second = square_to(axis, random_direction(g));
    memcpy(joint.axis2, second.x, sizeof joint.axis2);
  }
  art_add_joint(g->b, &joint);
}


// a frame somewhere on a body; its full name is left in `place`
static void add_end(growth *g, int body, const char *name, char place[2 * NAME])
{
  artPose pose = art_default_pose();
  for (int k = 0; k < 3; k++)
    pose.position[k] = g->tip[body][k] + check_uniform(g->seed, -0.3, 0.3);
  art_add_frame(g->b, g->body[body], name, &pose);
  snprintf(place, 2 * NAME, "%s.%s", g->body[body], name);
}


static void add_rod(growth *g, int from, int to)
{
  char name[3][NAME], end[2][2 * NAME];
  snprintf(name[0], NAME, "j%d", ++g->njoint);
  snprintf(name[1], NAME, "j%da", g->njoint);
  snprintf(name[2], NAME, "j%db", g->njoint);
  add_end(g, from, name[1], end[0]);
  add_end(g, to, name[2], end[1]);
  artJointDef rod = art_default_joint();
  rod.name = name[0], rod.type = ART_ROD, rod.from = end[0], rod.to = end[1];
  rod.mass = choose(g, 2) ? 0.3 : 0;
  art_add_joint(g->b, &rod);
}


static void next_point(growth *g, const double from[3], double to[3])
{
  const direction u = random_direction(g);
  const double length = check_uniform(g->seed, 0.3, 0.8);
  for (int k = 0; k < 3; k++) to[k] = from[k] + length * u.x[k];
}


// a body carried by another through a joint at that one's tip; returns the new one
static int grow(growth *g, int base, artJointType type, direction axis, const double tip[3])
{
  const int i = add_body(g, g->tip[base], tip);
  add_joint(g, type, base, i, g->tip[base], axis);
  if (freedoms[type] == 1 && g->nturn < 2 && g->spare > 0) {
    snprintf(g->turn[g->nturn++], NAME, "j%d", g->njoint);
  }
  return i;
}


//---- loops ---------------------------------------------------------------------------------------

// out into space by joints of all kinds, and back to some body by one more
static void add_spatial_loop(growth *g)
{
  static const artJointType on[] = {ART_REVOLUTE,    ART_PRISMATIC, ART_SCREW,    ART_UNIVERSAL,
                                    ART_CYLINDRICAL, ART_PLANAR,    ART_SPHERICAL};
  static const artJointType back[] = {ART_REVOLUTE,    ART_PRISMATIC, ART_SCREW,
                                      ART_CYLINDRICAL, ART_PLANAR,    ART_UNIVERSAL,
                                      ART_SPHERICAL,   ART_ROD,       ART_FIXED};
  const artJointType closing = back[choose(g, 9)];
  const int rows = closing == ART_ROD ? 1 : 6 - freedoms[closing], target = choose(g, g->nbody + 1);
  int way = choose(g, g->nbody + 1), freedom = 0;
  const int more = 1 + choose(g, 2);
  for (int links = 0; freedom < rows + more || links < 2; links++) {
    const artJointType type = on[choose(g, 7)];
    double tip[3];
    next_point(g, g->tip[way], tip);
    if (g->nbody == MAX_BODIES) return;
    way = grow(g, way, type, random_direction(g), tip);
    freedom += freedoms[type];
  }
  g->spare += more - 1;
  if (closing == ART_ROD) {
    add_rod(g, way, target);
  } else {
    add_joint(g, closing, way, target, g->tip[way], random_direction(g));
  }
}


// three to five joints in a plane, whichever way it lies, and back to the body they began at
static void add_planar_loop(growth *g)
{
  const direction normal = random_direction(g);
  const int base = choose(g, g->nbody + 1), links = 3 + choose(g, 2);
  if (g->nbody + links > MAX_BODIES) return;
  int way = base;
  for (int i = 0; i < links; i++) {
    const direction u = square_to(normal, random_direction(g));
    const int slides = i == 1 && choose(g, 3) == 0;
    double tip[3];
    for (int k = 0; k < 3; k++) tip[k] = g->tip[way][k] + 0.7 * u.x[k];
    way = grow(g, way, slides ? ART_PRISMATIC : ART_REVOLUTE, slides ? u : normal, tip);
  }
  g->spare += links - 3;
  add_joint(g, choose(g, 3) ? ART_REVOLUTE : ART_CYLINDRICAL, way, base, g->tip[way], normal);
}


static void add_branch(growth *g)
{
  static const artJointType on[] = {ART_REVOLUTE, ART_PRISMATIC, ART_UNIVERSAL, ART_SPHERICAL};
  double tip[3];
  const int base = choose(g, g->nbody + 1);
  if (g->nbody == MAX_BODIES) return;
  next_point(g, g->tip[base], tip);
  g->spare++;
  grow(g, base, on[choose(g, 4)], random_direction(g), tip);
}


//---- forces on them ------------------------------------------------------------------------------

// gravity is not enough: springs with dampers from body to body
static void add_springs(growth *g)
{
  for (int i = 0; i < 2; i++) {
    const int from = 1 + choose(g, g->nbody), to = choose(g, from);
    char name[3][NAME], end[2][2 * NAME];
    snprintf(name[0], NAME, "s%d", i);
    snprintf(name[1], NAME, "s%da", i);
    snprintf(name[2], NAME, "s%db", i);
    add_end(g, from, name[1], end[0]);
    add_end(g, to, name[2], end[1]);
    const artSpringDamperDef def = {.name = name[0],
                                    .from = end[0],
                                    .to = end[1],
                                    .free_length = 0.4,
                                    .spring = {.type = ART_LAW_LINEAR, .coefficient = 30},
                                    .damper = {.type = ART_LAW_LINEAR, .coefficient = 2}};
    art_add_spring_damper(g->b, &def);
  }
}


// they take ways to move that are to spare
static void add_drive(growth *g, const char *formula)
{
  if (g->nturn == 0) return;
  art_add_drive(g->b,
                &(artDriveDef){.name = "motor", .coordinate = g->turn[0], .formula = formula});
}


static void add_gear_or_drive(growth *g)
{
  if (g->nturn == 2 && choose(g, 2)) {
    const char *coordinate[2] = {g->turn[0], g->turn[1]};
    const double coefficient[2] = {1, check_uniform(g->seed, -1, -0.2)};
    art_add_coupling(
        g->b, &(artCouplingDef){
                  .name = "gear", .n = 2, .coordinate = coordinate, .coefficient = coefficient});
  } else {
    add_drive(g, "0.2*sin(2*time)");
  }
}


static artModel *make(uint64_t *seed, const char *formula)
{
  growth g = {.b = art_create_builder(), .seed = seed, .body = {"ground"}};
  sample_numbers(seed, 0.3, 3, g.tip[0]);
  if (choose(&g, 5) == 0) {
    double tip[3];
    next_point(&g, g.tip[0], tip);
    grow(&g, 0, ART_FREE, (direction){{0, 0, 1}}, tip);
  }
  for (int loops = 1 + choose(&g, 3); loops > 0; loops--) {
    if (choose(&g, 3) == 0) {
      add_planar_loop(&g);
    } else {
      add_spatial_loop(&g);
    }
    if (choose(&g, 2)) add_branch(&g);
  }
  add_springs(&g);
  if (formula) {
    add_drive(&g, formula);
  } else if (choose(&g, 2)) {
    add_gear_or_drive(&g);
  }
  return model_compile(g.b);
}


artModel *random_loop_machine(uint64_t *seed)
{
  return make(seed, NULL);
}


artModel *random_driven_machine(uint64_t *seed, const char *formula)
{
  return make(seed, formula);
}
