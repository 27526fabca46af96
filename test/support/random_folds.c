// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random machines that meet singular positions again and again.
#include "support/random_folds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/models.h"

enum { NAME = 16, MOST_BODIES = 20, MOST_CRANKS = 24 };

typedef struct spot {
  double x, y; // in the plane
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
  char body[MOST_BODIES + 1][NAME];
  crank list[MOST_CRANKS];
  double turn; // of the plane about the vertical
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
  return (spot){a.x + s * b.x, a.y + s * b.y};
}


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


// the plane is upright
static void in_space(const growth *g, spot p, double at[3])
{
  at[0] = cos(g->turn) * p.x, at[1] = sin(g->turn) * p.x, at[2] = p.y;
}


static int add_bar(growth *g, spot from, spot to)
{
  const int i = ++g->nbody;
  artBodyDef body = art_default_body();
  snprintf(g->body[i], NAME, "b%d", i);
  body.name = g->body[i];
  body.mass = between(g, 0.3, 1);
  in_space(g, add(from, between(g, 0.3, 0.7), add(to, -1, from)), body.com);
  for (int k = 0; k < 3; k++) body.inertia[k] = body.mass * between(g, 0.02, 0.035);
  art_add_body(g->b, &body);
  return i;
}


static void add_joint(growth *g, artJointType type, int from, int to, spot at, spot along)
{
  artJointDef joint = art_default_joint();
  char name[NAME], damper[NAME];
  snprintf(name, sizeof name, "j%d", ++g->njoint);
  snprintf(damper, sizeof damper, "d%d", g->njoint);
  joint.name = name, joint.from = g->body[from], joint.to = g->body[to];
  joint.type = type;
  joint.in_ground = 1;
  in_space(g, at, joint.at);
  if (type == ART_PRISMATIC) in_space(g, along, joint.axis);
  if (type == ART_REVOLUTE) {
    joint.axis[0] = sin(g->turn), joint.axis[1] = -cos(g->turn), joint.axis[2] = 0;
  }
  art_add_joint(g->b, &joint);
}


static void pin(growth *g, int from, int to, spot at)
{
  add_joint(g, ART_REVOLUTE, from, to, at, (spot){0, 0});
}


// a body on a pivot of another
static int add_crank(growth *g, int base, spot pivot, spot tip)
{
  const int i = add_bar(g, pivot, tip);
  pin(g, base, i, pivot);
  g->list[g->ncrank++] = (crank){base, i, pivot, tip};
  return i;
}


//---- what folds ----------------------------------------------------------------------------------

static spot direction(growth *g)
{
  const double a = between(g, 0, 6.28);
  return (spot){cos(a), sin(a)};
}


// a second crank on the same base, and a coupler between the tips
static void double_crank(growth *g, crank c, spot pivot, spot tip)
{
  const int other = add_crank(g, c.base, pivot, tip), coupler = add_bar(g, tip, c.tip);
  pin(g, other, coupler, tip);
  pin(g, coupler, c.body, c.tip);
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
  const int coupler = add_bar(g, c.tip, at), slider = add_bar(g, at, add(at, 0.1, along));
  pin(g, c.body, coupler, c.tip);
  pin(g, coupler, slider, at);
  add_joint(g, ART_PRISMATIC, c.base, slider, at, along);
}


//---- what they hang on ---------------------------------------------------------------------------

// crank, coupler, rocker; the crank turns around
static void begin_four_bar(growth *g)
{
  const double a = between(g, 0.5, 1.2);
  const spot tip = {0.3 * cos(a), 0.3 * sin(a)}, end = {1, 0}, knee = {0.75, 0.8};
  const int first = add_crank(g, 0, (spot){0, 0}, tip), rocker = add_crank(g, 0, end, knee);
  const int coupler = add_crank(g, first, tip, knee);
  pin(g, coupler, rocker, knee);
}


static void begin_five_bar(growth *g)
{
  const double l = between(g, 0.3, 0.5);
  const spot a = {l * 0.6, l * 0.8}, b = {1.2 - 0.3, 0.4}, top = {0.6, between(g, 0.8, 1.1)};
  const int left = add_crank(g, 0, (spot){0, 0}, a), right = add_crank(g, 0, (spot){1.2, 0}, b);
  const int c = add_crank(g, left, a, top), d = add_crank(g, right, b, top);
  pin(g, c, d, top);
}


static void begin_slider_crank(growth *g)
{
  const double a = between(g, 0.5, 1.2);
  const spot tip = {0.3 * cos(a), 0.3 * sin(a)},
             at = {0.3 * cos(a) + sqrt(0.64 - tip.y * tip.y), 0};
  const int first = add_crank(g, 0, (spot){0, 0}, tip), rod = add_bar(g, tip, at);
  const int slider = add_bar(g, at, (spot){at.x + 0.1, 0});
  pin(g, first, rod, tip);
  pin(g, rod, slider, at);
  add_joint(g, ART_PRISMATIC, 0, slider, at, (spot){1, 0});
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


artModel *random_folds(uint64_t *seed)
{
  static void (*const begin[])(growth *) = {begin_four_bar, begin_five_bar, begin_slider_crank};
  static void (*const fold[])(growth *, crank) = {add_parallelogram, add_antiparallelogram,
                                                  add_kite, add_slider};
  growth g = {.b = art_create_builder(), .seed = seed, .body = {"ground"}};
  g.turn = between(&g, 0, 3);
  art_set_gravity(g.b, (double[3]){0, 0, -between(&g, 0, 4)});
  begin[choose(&g, 3)](&g);
  for (int count = 1 + choose(&g, 2); count > 0; count--) {
    fold[choose(&g, 4)](&g, g.list[choose(&g, g.ncrank)]);
  }
  add_torques(&g);
  art_set_initial(g.b, "j1.rate", between(&g, 3, 6));
  return model_compile(g.b);
}
