// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random machines that meet singular positions again and again.
#include "support/random_folds.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/models.h"

enum { NAME = 16, MAX_BODIES = 20, MAX_CRANKS = 24 };

typedef struct spot {
  double x, y; // in the plane
  double z;    // of the plane
} spot;

// a body that turns against another about a pivot, and a point of it away from there
typedef struct crank {
  int base, body;
  spot pivot, tip;
} crank;

// where a machine stands while it grows; body 0 is ground
typedef struct growth {
  artBuilder *b;
  uint64_t *seed;
  int nbody, njoint, ncrank;
  char body[MAX_BODIES + 1][NAME];
  crank list[MAX_CRANKS];
  double axes[3][3]; // of the plane in space, and its normal
  bool has_balls;
} growth;


static double between(growth *g, double a, double b)
{
  return check_uniform(g->seed, a, b);
}


static int choose(growth *g, int n)
{
  return (int) check_uniform(g->seed, 0, n);
}


static spot add(spot a, double s, spot b)
{
  return (spot){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}


// as seen along the normal
static double dot(spot a, spot b)
{
  return a.x * b.x + a.y * b.y;
}


// p on the other side of the line through a and b
static spot mirror(spot p, spot a, spot b)
{
  const spot u = add(b, -1, a), w = add(p, -1, a);
  const spot foot = add(a, dot(w, u) / dot(u, u), u);
  return add(foot, -1, add(p, -1, foot));
}


static void in_space(const growth *g, spot p, double at[3])
{
  for (int i = 0; i < 3; i++) {
    at[i] = g->axes[0][i] * p.x + g->axes[1][i] * p.y + g->axes[2][i] * p.z;
  }
}


static double random_off(growth *g)
{
  return between(g, -0.04, 0.04);
}


static int add_bar(growth *g, spot from, spot to)
{
  const int i = ++g->nbody;
  artBodyDef body = art_default_body();
  snprintf(g->body[i], NAME, "b%d", i);
  body.name = g->body[i];
  body.mass = between(g, 0.3, 1);
  spot com = add(from, between(g, 0.3, 0.7), add(to, -1, from));
  if (g->has_balls) com = add(com, 1, (spot){random_off(g), random_off(g), random_off(g)});
  in_space(g, com, body.com);
  for (int k = 0; k < 3; k++) body.inertia[k] = body.mass * between(g, 0.02, 0.035);
  art_add_body(g->b, &body);
  return i;
}


static void add_joint(growth *g, artJointType type, int from, int to, spot at, spot along, int keep)
{
  artJointDef joint = art_default_joint();
  char name[NAME], damper[NAME];
  snprintf(name, sizeof name, "j%d", ++g->njoint);
  snprintf(damper, sizeof damper, "d%d", g->njoint);
  joint.name = name, joint.from = g->body[from], joint.to = g->body[to];
  joint.type = type, joint.in_ground = 1, joint.keep = keep;
  in_space(g, at, joint.at);
  if (type == ART_PRISMATIC) in_space(g, along, joint.axis);
  if (type == ART_REVOLUTE) in_space(g, (spot){.z = 1}, joint.axis);
  art_add_joint(g->b, &joint);
}


static void pin(growth *g, int from, int to, spot at)
{
  add_joint(g, ART_REVOLUTE, from, to, at, (spot){0, 0, 0}, 0);
}


// a body on a pivot of another
static int add_crank(growth *g, int base, spot pivot, spot tip)
{
  const int i = add_bar(g, pivot, tip);
  pin(g, base, i, pivot);
  g->list[g->ncrank++] = (crank){base, i, pivot, tip};
  return i;
}


//---- folding linkages ----------------------------------------------------------------------------

static spot direction(growth *g)
{
  const double a = between(g, 0, 6.28);
  return (spot){cos(a), sin(a), 0};
}


// a body between two others, on pins or balls; one of them may be where the loop is cut
static void add_coupler(growth *g, int first, spot at, spot end, int second)
{
  const int coupler = add_bar(g, at, end), kind = g->has_balls ? choose(g, 4) : 0;
  const int cut = g->has_balls ? choose(g, 3) : 0;
  const artJointType types[2] = {kind & 1 ? ART_SPHERICAL : ART_REVOLUTE,
                                 kind & 2 ? ART_SPHERICAL : ART_REVOLUTE};
  add_joint(g, types[0], first, coupler, at, (spot){0, 0, 0}, cut == 1 ? -1 : 0);

  // coordinates of a ball joint describe the body that it leads to, on either side of the cut
  const int from = g->has_balls ? second : coupler, to = g->has_balls ? coupler : second;
  add_joint(g, types[1], from, to, end, (spot){0, 0, 0}, cut == 2 ? -1 : 0);
}


// a second crank on the same base, in the same plane or another, and a coupler between the tips
static void double_crank(growth *g, crank c, spot pivot, spot tip)
{
  pivot.z = tip.z = c.tip.z + (g->has_balls ? between(g, -0.2, 0.2) : 0);
  const int other = add_crank(g, c.base, pivot, tip);
  add_coupler(g, other, tip, c.tip, c.body);
}


static void add_parallelogram(growth *g, crank c)
{
  const spot away = direction(g);
  const double length = between(g, 0.25, 0.6);
  double_crank(g, c, add(c.pivot, length, away), add(c.tip, length, away));
}


static void add_antiparallelogram(growth *g, crank c)
{
  const spot away = direction(g);
  const double length =
      sqrt(dot(add(c.tip, -1, c.pivot), add(c.tip, -1, c.pivot))) * between(g, 1.4, 2);
  const spot pivot = add(c.pivot, length, away);
  double_crank(g, c, pivot, mirror(add(c.tip, length, away), c.tip, pivot));
}


// two pairs of equal bars side by side, which fold where one pair lies on the other
static void add_kite(growth *g, crank c)
{
  const spot away = direction(g);
  const double length =
      sqrt(dot(add(c.tip, -1, c.pivot), add(c.tip, -1, c.pivot))) * between(g, 1.3, 2);
  const spot pivot = add(c.pivot, length, away);
  double_crank(g, c, pivot, mirror(c.pivot, c.tip, pivot));
}


// a coupler as long as the crank to a slider that moves through the crank's pivot
static void add_slider(growth *g, crank c)
{
  const spot along = direction(g);
  const spot at = add(c.pivot, 2 * dot(add(c.tip, -1, c.pivot), along), along);
  if (g->has_balls) {
    const int slider = add_bar(g, at, add(at, 0.1, along));
    add_coupler(g, c.body, c.tip, at, slider);
    add_joint(g, ART_PRISMATIC, c.base, slider, at, along, 1);
    return;
  }
  const int coupler = add_bar(g, c.tip, at), slider = add_bar(g, at, add(at, 0.1, along));
  pin(g, c.body, coupler, c.tip);
  pin(g, coupler, slider, at);
  add_joint(g, ART_PRISMATIC, c.base, slider, at, along, 0);
}


//---- their carriers ------------------------------------------------------------------------------

// crank, coupler, rocker; the crank turns around
static void begin_four_bar(growth *g)
{
  const double a = between(g, 0.5, 1.2);
  const spot tip = {0.3 * cos(a), 0.3 * sin(a), 0}, end = {1, 0, 0}, knee = {0.75, 0.8, 0};
  const int first = add_crank(g, 0, (spot){0, 0, 0}, tip), rocker = add_crank(g, 0, end, knee);
  const int coupler = add_crank(g, first, tip, knee);
  pin(g, coupler, rocker, knee);
}


static void begin_five_bar(growth *g)
{
  const double l = between(g, 0.3, 0.5);
  const spot a = {l * 0.6, l * 0.8, 0}, b = {1.2 - 0.3, 0.4, 0},
             top = {0.6, between(g, 0.8, 1.1), 0};
  const int left = add_crank(g, 0, (spot){0, 0, 0}, a),
            right = add_crank(g, 0, (spot){1.2, 0, 0}, b);
  const int c = add_crank(g, left, a, top), d = add_crank(g, right, b, top);
  pin(g, c, d, top);
}


static void begin_slider_crank(growth *g)
{
  const double a = between(g, 0.5, 1.2);
  const spot tip = {0.3 * cos(a), 0.3 * sin(a), 0},
             at = {0.3 * cos(a) + sqrt(0.64 - tip.y * tip.y), 0, 0};
  const int first = add_crank(g, 0, (spot){0, 0, 0}, tip), rod = add_bar(g, tip, at);
  const int slider = add_bar(g, at, (spot){at.x + 0.1, 0, 0});
  pin(g, first, rod, tip);
  pin(g, rod, slider, at);
  add_joint(g, ART_PRISMATIC, 0, slider, at, (spot){1, 0, 0}, 0);
}


// the first crank is driven by a torque against friction, the second is damped
static void add_torques(growth *g)
{
  char formula[80];
  for (int i = 1; i <= (g->njoint < 2 ? 1 : 2); i++) {
    char name[NAME], joint[NAME];
    snprintf(name, NAME, "t%d", i);
    snprintf(joint, NAME, "j%d", i);
    const double rate = i == 1 ? between(g, 4, 7) : 0;
    snprintf(formula, sizeof formula, "%.6f - %.6f*j%d.rate", 1.5 * rate, 1.5, i);
    art_add_joint_force(g->b,
                        &(artJointForceDef){.name = name, .coordinate = joint, .formula = formula});
  }
}


// loops that hang on one another, driven and in motion
static artModel *grow(growth *g)
{
  static void (*const begin[])(growth *) = {begin_four_bar, begin_five_bar, begin_slider_crank};
  static void (*const fold[])(growth *, crank) = {add_parallelogram, add_antiparallelogram,
                                                  add_kite, add_slider};
  art_set_gravity(g->b, (double[3]){0, 0, -between(g, 0, 4)});
  begin[choose(g, 3)](g);
  for (int count = 1 + choose(g, 2); count > 0; count--) {
    fold[choose(g, 4)](g, g->list[choose(g, g->ncrank)]);
  }
  add_torques(g);
  art_set_initial(g->b, "j1.rate", between(g, 3, 6));
  return model_compile(g->b);
}


// the plane is upright
artModel *random_folds(uint64_t *seed)
{
  growth g = {.b = art_create_builder(), .seed = seed, .body = {"ground"}};
  const double turn = between(&g, 0, 3);
  const double axes[3][3] = {{cos(turn), sin(turn), 0}, {0, 0, 1}, {sin(turn), -cos(turn), 0}};
  memcpy(g.axes, axes, sizeof axes);
  return grow(&g);
}


artModel *random_balls(uint64_t *seed)
{
  growth g = {.b = art_create_builder(), .seed = seed, .body = {"ground"}, .has_balls = true};
  const double a = between(&g, 0, 6), b = between(&g, 0, 3), c = between(&g, 0, 6);
  const double axes[3][3] = {{cos(a) * cos(c) - sin(a) * cos(b) * sin(c),
                              sin(a) * cos(c) + cos(a) * cos(b) * sin(c), sin(b) * sin(c)},
                             {-cos(a) * sin(c) - sin(a) * cos(b) * cos(c),
                              -sin(a) * sin(c) + cos(a) * cos(b) * cos(c), sin(b) * cos(c)},
                             {sin(a) * sin(b), -cos(a) * sin(b), cos(b)}};
  memcpy(g.axes, axes, sizeof axes);
  return grow(&g);
}
