// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres as force elements, as expressions: the motion of the wheel, its contact with the road, and what the
// tyre does to it. The contact is that of src/tyre/contact.c.
#include "gen/tyre.h"

#include <string.h>

#include "gen/edges.h"


static wheelNodes wheel_of(genBuild *b, const modelElement *e)
{
  exprPool *p = b->pool;
  const modelFrame *frame = &b->m->frame[e->frame[0]];
  const nodeFrame *link = (const nodeFrame *) b->world + frame->link;
  const int *w = b->velocity + 6 * frame->link;
  const node3 omega = {w[0], w[1], w[2]};
  const node3 axis = {expr_constant(p, frame->R.y.x), expr_constant(p, frame->R.y.y),
                      expr_constant(p, frame->R.y.z)};
  const int spin = node3_dot(p, axis, omega);
  const node3 turning = node3_sub(p, omega, node3_scale(p, spin, axis));
  return (wheelNodes){.centre = gen_point(b, e->frame[0]),
                      .velocity = gen_point_velocity(b, e->frame[0]),
                      .axis = node3_back(p, link->e, axis),
                      .turning = node3_back(p, link->e, turning),
                      .spin = spin};
}


// motion of the contact point, spin left out
static void set_motion(genTyre *t, const wheelNodes *wheel, const roadContact *c)
{
  // v = v_P + (omega - spin a) x (Q - P)
  exprPool *p = t->lines.b->pool;
  const node3 v = node3_add(p, wheel->velocity, node3_cross(p, wheel->turning, c->arm));
  lines_set(&t->lines, "spin", wheel->spin);
  lines_set(&t->lines, "Vx", node3_dot(p, v, c->forward));
  lines_set(&t->lines, "Vy", node3_dot(p, v, c->left));
  lines_set(&t->lines, "approach", expr_neg(p, node3_dot(p, v, c->normal)));
}


static void set_camber(genTyre *t, const roadContact *c)
{
  genLines *l = &t->lines;
  lines_set(l, "r", c->radius);
  lines_set(l, "sg", c->sine);
  lines_set(l, "cg", c->cosine);
  lines_make(l, LINES("gamma = asin(max(min(sg, 1), -1))"));
}


void gen_tyre_at_contact(genTyre *t, const wheelNodes *wheel, const roadContact *c)
{
  set_camber(t, c);
  set_motion(t, wheel, c);
}


// contact, depth, spring and load
static roadContact press(genTyre *t, const modelElement *e, const wheelNodes *wheel)
{
  roadProfile profile;
  if (e->road && tyre_meets_edges(e->tyre, e->road, &profile)) {
    return gen_edge_contact(t, e->road, &profile, wheel);
  }
  const roadContact c = gen_contact(t->lines.b, e->road, wheel->centre, wheel->axis, t->wheel);
  gen_tyre_at_contact(t, wheel, &c);
  gen_tyre_spring(t);
  return c;
}


static void keep_values(const genTyre *t, const wheelNodes *wheel, const roadContact *c, int *value)
{
  static const char *const name[] = {"Fx", "Fy",    "load",  "Mx",    "My",
                                     "Mz", "kappa", "alpha", "gamma", "depth"};
  exprPool *p = t->lines.b->pool;
  const node3 point = node3_add(p, wheel->centre, c->arm);
  for (int k = 0; k < 10; k++) value[TYRE_FX + k] = lines_get(&t->lines, name[k]);
  value[TYRE_SPIN] = wheel->spin;
  value[TYRE_X] = point.x;
  value[TYRE_Y] = point.y;
  value[TYRE_Z] = point.z;
}


// what belongs to the contact and what to the law, for the order of evaluation and its counts
static void keep_stage(const genTyre *t, const roadContact *c, const modelElement *e,
                       genWheel *stage)
{
  const genBuild *b = t->lines.b;
  const int contact[GEN_CONTACT_NODES] = {
      c->forward.x,
      c->forward.y,
      c->forward.z,
      c->left.x,
      c->left.y,
      c->left.z,
      c->arm.x,
      c->arm.y,
      c->arm.z,
      c->radius,
      lines_get(&t->lines, "spin"),
      lines_get(&t->lines, "Vx"),
      lines_get(&t->lines, "Vy"),
      lines_get(&t->lines, "approach"),
  };
  static const char *const name[6] = {"Fx", "Fy", "load", "Mx", "My", "Mz"};
  memcpy(stage->contact, contact, sizeof contact);
  for (int k = 0; k < 6; k++) stage->law[k] = lines_get(&t->lines, name[k]);
  for (int k = 0; k < e->nstate; k++) stage->law[6 + k] = b->state_rate[e->state0 + k];
}


static node3 in_ground(const genTyre *t, const roadContact *c, const char *const name[3])
{
  exprPool *p = t->lines.b->pool;
  const node3 e[3] = {c->forward, c->left, c->normal};
  return node3_back(p, e,
                    (node3){lines_get(&t->lines, name[0]), lines_get(&t->lines, name[1]),
                            lines_get(&t->lines, name[2])});
}


// Fx, Fy, Fz, Mx, My, Mz by a function of the user; Fz is called the load
static void call_tyre(genTyre *t, const modelElement *e)
{
  static const char *const input[] = {"kappa", "alpha",    "gamma", "load",
                                      "depth", "approach", "spin",  "Vx"};
  static const char *const result[6] = {"Fx", "Fy", "load", "Mx", "My", "Mz"};
  genBuild *b = t->lines.b;
  int x[ART_TYRE_PARAMETER];
  for (int k = 0; k < ART_TYRE_TIME; k++) x[k] = lines_get(&t->lines, input[k]);
  x[ART_TYRE_TIME] = b->time;
  const int call = gen_call(b, &e->call, x, "call", t->i);
  for (int k = 0; k < 6; k++) lines_set(&t->lines, result[k], expr_element(b->pool, call, k));
}


artStatus gen_tyre(genBuild *b, const modelElement *e, int i, int *value)
{
  const artStatus status = gen_check_edges(b, e);
  if (status != ART_OK) return status;
  exprPool *p = b->pool;
  genWheel *stage = &b->wheel[b->nwheel++];
  *stage = (genWheel){.element = i};
  const wheelNodes wheel = wheel_of(b, e);
  genTyre t;
  gen_tyre_open(&t, b, e->tyre, stage);
  const roadContact c = press(&t, e, &wheel);
  gen_tyre_load(&t);
  if (e->nstate > 0) {
    lines_set(&t.lines, "u0", b->state[e->state0]);
    lines_set(&t.lines, "u1", b->state[e->state0 + 1]);
    gen_tyre_slip_states(&t);
    b->state_rate[e->state0] = lines_get(&t.lines, "rate0");
    b->state_rate[e->state0 + 1] = lines_get(&t.lines, "rate1");
  } else {
    gen_tyre_steady_slips(&t);
  }
  lines_make(&t.lines, LINES("alpha = atan(ta)"));
  if (e->call.function) {
    call_tyre(&t, e);
  } else {
    gen_tyre_forces(&t);
  }

  static const char *const forces[3] = {"Fx", "Fy", "load"}, *const moments[3] = {"Mx", "My", "Mz"};
  const node3 force = in_ground(&t, &c, forces);
  const node3 moment = node3_add(p, in_ground(&t, &c, moments), node3_cross(p, c.arm, force));
  const node3 omega = node3_add(p, wheel.turning, node3_scale(p, wheel.spin, wheel.axis));
  gen_force_at(b, e->frame[0], force);
  gen_torque_on(b, b->m->frame[e->frame[0]].link, moment);
  b->power = expr_add(p, b->power, node3_dot(p, force, wheel.velocity));
  b->power = expr_add(p, b->power, node3_dot(p, moment, omega));
  keep_values(&t, &wheel, &c, value);
  keep_stage(&t, &c, e, stage);
  return ART_OK;
}
