// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements and drives as expressions.
#include <math.h>
#include <string.h>

#include "eqn/list.h"
#include "gen/build.h"

//---- points --------------------------------------------------------------------------------------

static const nodeFrame *frame_of(const genBuild *b, int link)
{
  return (const nodeFrame *) b->world + link;
}


// a vector of a frame's own constants
static node3 constants(genBuild *b, v3 r, const char *const name[3], int index)
{
  return (node3){gen_parameter(b, r.x, name[0], index), gen_parameter(b, r.y, name[1], index),
                 gen_parameter(b, r.z, name[2], index)};
}


static node3 point_in_link(genBuild *b, int frame)
{
  static const char *const name[3] = {"point_x", "point_y", "point_z"};
  return constants(b, b->m->frame[frame].r, name, frame);
}


node3 gen_point(genBuild *b, int frame)
{
  const nodeFrame *link = frame_of(b, b->m->frame[frame].link);
  return node3_add(b->pool, link->o, node3_back(b->pool, link->e, point_in_link(b, frame)));
}


node3 gen_point_velocity(genBuild *b, int frame)
{
  const int link = b->m->frame[frame].link;
  const int *x = b->velocity + 6 * link;
  const node3 omega = {x[0], x[1], x[2]}, v = {x[3], x[4], x[5]};
  const node3 own = node3_add(b->pool, v, node3_cross(b->pool, omega, point_in_link(b, frame)));
  return node3_back(b->pool, frame_of(b, link)->e, own);
}


//---- what acts -----------------------------------------------------------------------------------

static void add_to(genBuild *b, int *sum, int term)
{
  *sum = expr_add(b->pool, *sum, term);
}


static void add_wrench(genBuild *b, int link, node3 moment, node3 force)
{
  if (link == 0) return;
  int *w = b->applied + 6 * link;
  const int terms[6] = {moment.x, moment.y, moment.z, force.x, force.y, force.z};
  for (int i = 0; i < 6; i++) add_to(b, &w[i], terms[i]);
}


// a force in ground axes at the point of a frame
void gen_force_at(genBuild *b, int frame, node3 force)
{
  const int link = b->m->frame[frame].link;
  const node3 own = node3_turn(b->pool, frame_of(b, link)->e, force);
  add_wrench(b, link, node3_cross(b->pool, point_in_link(b, frame), own), own);
}


void gen_torque_on(genBuild *b, int link, node3 torque)
{
  add_wrench(b, link, node3_turn(b->pool, frame_of(b, link)->e, torque), (node3){0, 0, 0});
}


void gen_add_power(genBuild *b, int force, int rate)
{
  add_to(b, &b->power, expr_mul(b->pool, force, rate));
}


//---- laws ----------------------------------------------------------------------------------------

// the polynomial of one segment in x - origin: value, or integral from the origin
static int segment_value(genBuild *b, const forceLaw *law, int i, int x, const char *name,
                         int index, int integrate)
{
  exprPool *p = b->pool;
  const double *c = law->c + (long) i * (law->degree + 1);
  const int s = expr_sub(p, x, expr_constant(p, law->origin[i]));
  int sum = 0;
  for (int k = law->degree; k >= 0; k--) {
    // coefficients of a law in one piece are parameters, those of tables are data
    const int number = 16 * index + k;
    const int own = name && law->nsegment == 1 && k < 16 ? gen_parameter(b, c[k], name, number)
                                                         : expr_constant(p, c[k]);
    const int term = integrate ? expr_div(p, own, expr_constant(p, k + 1)) : own;
    sum = expr_add(p, expr_mul(p, sum, s), term);
  }
  if (!integrate) return sum;
  return expr_add(p, expr_constant(p, law->primary[i]), expr_mul(p, sum, s));
}


// f = A (p_a - p0 r^n),  r = V0/(V0 + A x),  and its integral A p_a x + p0 V0 (r^(n-1) - 1)/(n - 1)
static int air_node(genBuild *b, const forceAir *air, int x, int index, int integrate)
{
  exprPool *p = b->pool;
  const int A = gen_parameter(b, air->area, "air_area", index);
  const int V0 = gen_parameter(b, air->volume, "air_volume", index);
  const int p0 = gen_parameter(b, air->pressure, "air_pressure", index);
  const int ambient = gen_parameter(b, air->ambient, "air_ambient", index);
  const int r = expr_div(p, V0, expr_add(p, V0, expr_mul(p, A, x)));
  if (!integrate) {
    const int gas = expr_mul(p, p0, expr_pow(p, r, expr_constant(p, air->exponent)));
    return expr_mul(p, A, expr_sub(p, ambient, gas));
  }
  const double m = air->exponent - 1;
  int rise = expr_operate(p, EXPR_LOG, r, 0);
  if (m != 0) {
    const int power = expr_pow(p, r, expr_constant(p, m)), one = expr_constant(p, 1);
    rise = expr_div(p, expr_sub(p, power, one), expr_constant(p, m));
  }
  const int around = expr_mul(p, ambient, expr_mul(p, A, x));
  return expr_add(p, around, expr_mul(p, expr_mul(p, p0, V0), rise));
}


// the segments from first to last: halves them until one is left
static int choose_segment(genBuild *b, const forceLaw *law, int held, int x, const char *name,
                          int index, int integrate, int first, int last)
{
  if (first == last) return segment_value(b, law, first, x, name, index, integrate);
  const int middle = (first + last) / 2;
  const int border = expr_constant(b->pool, held >= 0 ? middle + 0.5 : law->knot[middle]);
  const int before = expr_operate(b->pool, EXPR_LESS, held >= 0 ? held : x, border);
  return expr_select(b->pool, before,
                     choose_segment(b, law, held, x, name, index, integrate, first, middle),
                     choose_segment(b, law, held, x, name, index, integrate, middle + 1, last));
}


int gen_curve(genBuild *b, const forceLaw *law, int held, int x)
{
  return choose_segment(b, law, held, x, NULL, 0, 0, 0, law->nsegment - 1);
}


// all segments, the one that holds x selected, or the one of the mode
int gen_law(genBuild *b, const forceLaw *law, int mode, int x, const char *name, int index,
            int integrate)
{
  if (!law) return 0;
  if (law->air) return air_node(b, law->air, x, index, integrate);
  const int is_held = b->mode && mode >= 0 && !law_is_smooth(law);
  if (!integrate) gen_watch_law(b, law, x);
  return choose_segment(b, law, is_held ? b->mode[mode] : -1, x, name, index, integrate, 0,
                        law->nsegment - 1);
}


//---- elements ------------------------------------------------------------------------------------

void gen_line(genBuild *b, const modelElement *e, int *length, int *rate, node3 *direction)
{
  exprPool *p = b->pool;
  const node3 span = node3_sub(p, gen_point(b, e->frame[1]), gen_point(b, e->frame[0]));
  const node3 velocity =
      node3_sub(p, gen_point_velocity(b, e->frame[1]), gen_point_velocity(b, e->frame[0]));
  *length = expr_sqrt(p, node3_dot(p, span, span));

  // a line of no length has no direction, and then no force
  const int is_there = expr_operate(p, EXPR_LESS, 0, *length);
  const int inverse = expr_select(p, is_there, expr_div(p, expr_constant(p, 1), *length), 0);
  const node3 unit = node3_scale(p, inverse, span);
  *rate = node3_dot(p, unit, velocity);
  if (direction) *direction = unit;
}


static int is_mode(exprPool *p, int mode, stopSegment segment)
{
  return expr_operate(p, EXPR_EQUAL, mode, expr_constant(p, (double) segment));
}


// F = k d (1 + c d'), never pulling; d = depth beyond a limit: the force on q, and its elastic part
static void stop_nodes(genBuild *b, const modelElement *e, int i, int q, int v, int *total,
                       int *elastic)
{
  exprPool *p = b->pool;
  const int own_mode = e->mode0 + (e->spring != NULL) + (e->damper != NULL);
  const int k = gen_parameter(b, e->stop.stiffness, "stop_stiffness", i);
  const int c = gen_parameter(b, e->stop.damping, "stop_damping", i);
  const double limit[2] = {e->stop.lower, e->stop.upper};
  static const char *const name[2] = {"stop_lower", "stop_upper"};
  *total = *elastic = 0;
  for (int side = 0; side < 2; side++) {
    if (!isfinite(limit[side])) continue;
    const int border = gen_parameter(b, limit[side], name[side], i);
    const int beyond = side ? expr_sub(p, q, border) : expr_sub(p, border, q);
    const int rate = side ? v : expr_neg(p, v);
    int depth = expr_operate(p, EXPR_MAX, beyond, 0);
    int push = expr_add(p, expr_constant(p, 1), expr_mul(p, c, rate));
    if (b->mode) {
      const int mode = b->mode[own_mode];
      const int touches = is_mode(p, mode, side ? STOP_ABOVE : STOP_BELOW);
      const int has_left = is_mode(p, mode, side ? STOP_LEFT_ABOVE : STOP_LEFT_BELOW);
      depth = expr_select(p, expr_operate(p, EXPR_OR, touches, has_left), beyond, 0);
      push = expr_select(p, touches, push, 0);
    } else {
      gen_watch(b, beyond);
      gen_watch(b,
                expr_select(p, expr_operate(p, EXPR_LESS, 0, beyond), push, expr_constant(p, 1)));
      push = expr_operate(p, EXPR_MAX, push, 0);
    }
    const int spring = expr_mul(p, k, depth);
    const int force = expr_mul(p, spring, push);
    *total = side ? expr_sub(p, *total, force) : expr_add(p, *total, force);
    *elastic = side ? expr_sub(p, *elastic, spring) : expr_add(p, *elastic, spring);
    const int half = expr_constant(p, 0.5);
    add_to(b, &b->potential, expr_mul(p, half, expr_mul(p, spring, depth)));
  }
}


static void spring_damper(genBuild *b, const modelElement *e, int i, int *value)
{
  exprPool *p = b->pool;
  int length, rate;
  node3 direction;
  gen_line(b, e, &length, &rate, &direction);
  const int x = expr_sub(p, length, gen_parameter(b, e->rest, "free_length", i));
  const int tension = gen_law(b, e->spring, e->mode0, x, "spring", i, 0);
  int damping = gen_law(b, e->damper, e->mode0 + (e->spring != NULL), rate, "damper", i, 0);
  value[0] = expr_add(p, tension, damping);
  if (model_has_stop(e)) {
    int push, elastic;
    stop_nodes(b, e, i, length, rate, &push, &elastic);
    value[0] = expr_sub(p, value[0], push);
    damping = expr_add(p, damping, expr_sub(p, elastic, push));
  }
  const node3 pull = node3_scale(p, value[0], direction);
  gen_force_at(b, e->frame[0], pull);
  gen_force_at(b, e->frame[1], node3_scale(p, expr_constant(p, -1), pull));
  gen_add_power(b, expr_neg(p, damping), rate);
  add_to(b, &b->potential, gen_law(b, e->spring, e->mode0, x, "spring", i, 1));
}


// x = sum of c q and its rate
void gen_axis(genBuild *b, const modelElement *e, int *x, int *v)
{
  *x = *v = 0;
  for (int k = 0; k < e->nterm; k++) {
    const int c = expr_constant(b->pool, e->term[k].c);
    add_to(b, x, expr_mul(b->pool, c, b->tree->q[e->term[k].position]));
    add_to(b, v, expr_mul(b->pool, c, b->tree->v[e->term[k].velocity]));
  }
}


// Q = c F
void gen_force_along(genBuild *b, const modelElement *e, int force)
{
  for (int k = 0; k < e->nterm; k++) {
    const int c = expr_constant(b->pool, e->term[k].c);
    add_to(b, &b->tau[e->term[k].velocity], expr_mul(b->pool, c, force));
  }
}


static void joint_spring(genBuild *b, const modelElement *e, int i, int *value)
{
  exprPool *p = b->pool;
  int q, v;
  gen_axis(b, e, &q, &v);
  const int x = expr_sub(p, q, gen_parameter(b, e->rest, "rest", i));
  const int damping = gen_law(b, e->damper, e->mode0 + (e->spring != NULL), v, "damper", i, 0);
  value[0] = expr_neg(p, expr_add(p, gen_law(b, e->spring, e->mode0, x, "spring", i, 0), damping));
  gen_force_along(b, e, value[0]);
  gen_add_power(b, expr_neg(p, damping), v);
  add_to(b, &b->potential, gen_law(b, e->spring, e->mode0, x, "spring", i, 1));
}


static void stop(genBuild *b, const modelElement *e, int i, int *value)
{
  int q, v, elastic;
  gen_axis(b, e, &q, &v);
  stop_nodes(b, e, i, q, v, &value[0], &elastic);
  gen_force_along(b, e, value[0]);
  gen_add_power(b, expr_sub(b->pool, value[0], elastic), v);
}


static void friction(genBuild *b, const modelElement *e, int i, int *value)
{
  exprPool *p = b->pool;
  const forceFriction *f = &e->friction;
  int q, v;
  gen_axis(b, e, &q, &v);
  const int coulomb = gen_parameter(b, f->coulomb, "friction_coulomb", i);
  const int breakaway = gen_parameter(b, f->breakaway, "friction_breakaway", i);
  const int w = expr_div(p, v, gen_parameter(b, f->stribeck_speed, "friction_stribeck", i));
  const int u = expr_div(p, v, gen_parameter(b, f->creep_speed, "friction_creep", i));

  // F = (Fc + (Fs - Fc) exp(-(v/vs)^2)) tanh(v/v0) + b v
  const int fall = expr_operate(p, EXPR_EXP, expr_neg(p, expr_mul(p, w, w)), 0);
  const int dry = expr_add(p, coulomb, expr_mul(p, expr_sub(p, breakaway, coulomb), fall));
  const int slip = expr_operate(p, EXPR_TANH, u, 0);
  const int viscous = expr_mul(p, gen_parameter(b, f->viscous, "friction_viscous", i), v);
  value[0] = expr_neg(p, expr_add(p, expr_mul(p, dry, slip), viscous));
  gen_force_along(b, e, value[0]);
  gen_add_power(b, value[0], v);
}


static artStatus joint_force(genBuild *b, const modelElement *e, int *value)
{
  int x, v;
  int first = e->mode0;
  for (int c = 0; c < e->nvalue; c++) {
    b->branch = b->mode ? b->mode + first : NULL;
    value[c] = gen_formula(b, e->formula[c], e->place, e->name);
    b->branch = NULL;
    first += e->formula[c]->nswitch;
    if (value[c] < 0) return ART_UNSUPPORTED;
  }
  gen_force_along(b, e, value[0]);
  gen_axis(b, e, &x, &v);
  gen_add_power(b, value[0], v);
  return ART_OK;
}


// F = rho A/2 |u| (-cx ux, -cy uy, -cz uz + cl |u|)
static void drag(genBuild *b, const modelElement *e, int i, int *value)
{
  static const char *const wind_name[3] = {"wind_x", "wind_y", "wind_z"};
  static const char *const own_name[3] = {"drag_x", "drag_y", "drag_z"};
  exprPool *p = b->pool;
  const node3 velocity = gen_point_velocity(b, e->frame[0]);
  const node3 wind = constants(b, e->drag.wind, wind_name, i);
  const node3 c = constants(b, e->drag.coefficient, own_name, i);
  node3 axes[3];
  gen_frame_axes(b, e->frame[0], axes);
  const node3 u = node3_turn(p, axes, node3_sub(p, velocity, wind));
  const int speed = expr_sqrt(p, node3_dot(p, u, u));
  const int k = expr_mul(p, gen_parameter(b, e->drag.half, "drag_half", i), speed);
  const int lift = expr_mul(p, gen_parameter(b, e->drag.lift, "drag_lift", i), speed);
  value[0] = expr_neg(p, expr_mul(p, k, expr_mul(p, c.x, u.x)));
  value[1] = expr_neg(p, expr_mul(p, k, expr_mul(p, c.y, u.y)));
  value[2] = expr_mul(p, k, expr_sub(p, lift, expr_mul(p, c.z, u.z)));
  const node3 force = node3_back(p, axes, (node3){value[0], value[1], value[2]});
  gen_force_at(b, e->frame[0], force);
  add_to(b, &b->power, node3_dot(p, force, velocity));
}


static artStatus body_force(genBuild *b, const modelElement *e, int *value)
{
  exprPool *p = b->pool;
  int first = e->mode0;
  for (int c = 0; c < 3; c++) {
    b->branch = b->mode ? b->mode + first : NULL;
    value[c] = gen_formula(b, e->formula[c], e->place, e->name);
    b->branch = NULL;
    first += e->formula[c]->nswitch;
    if (value[c] < 0) return ART_UNSUPPORTED;
  }
  const modelFrame *frame = &b->m->frame[e->frame[0]];
  node3 force = {value[0], value[1], value[2]};
  if (e->in_body) {
    node3 axes[3];
    gen_frame_axes(b, e->frame[0], axes);
    force = node3_back(p, axes, force);
  }
  if (e->is_torque) {
    const int *w = b->velocity + 6 * frame->link;
    const node3 omega = node3_back(p, frame_of(b, frame->link)->e, (node3){w[0], w[1], w[2]});
    gen_torque_on(b, frame->link, force);
    if (!e->has_potential) add_to(b, &b->power, node3_dot(p, force, omega));
  } else {
    gen_force_at(b, e->frame[0], force);
    if (e->has_potential) {
      const int work = node3_dot(p, force, gen_point(b, e->frame[0]));
      b->potential = expr_sub(p, b->potential, work);
    } else {
      add_to(b, &b->power, node3_dot(p, force, gen_point_velocity(b, e->frame[0])));
    }
  }
  return ART_OK;
}


//---- laws of the host ----------------------------------------------------------------------------

// joint forces with their rates, moments and forces on links with their velocities
static void add_call_power(genBuild *b, int call)
{
  exprPool *p = b->pool;
  const int nv = b->tree->nv;
  for (int k = 0; k < nv; k++) gen_add_power(b, expr_element(p, call, k), b->tree->v[k]);
  for (int k = 0; k < 6 * (b->tree->n - 1); k++) {
    gen_add_power(b, expr_element(p, call, nv + k), b->velocity[6 + k]);
  }
}


// arguments t, q, v; results joint forces, then moment and force on each link at its origin in its axes
static artStatus callback(genBuild *b, const modelElement *e)
{
  const int nq = b->tree->nq, nv = b->tree->nv, n = b->tree->n;
  const int narg = 1 + nq + nv, count = nv + 6 * (n - 1);
  int *argument = gen_alloc(b, (size_t) narg, sizeof *argument);
  if (!argument) return base_no_memory(b->error);
  argument[0] = b->time;
  memcpy(argument + 1, b->tree->q, (size_t) nq * sizeof *argument);
  memcpy(argument + 1 + nq, b->tree->v, (size_t) nv * sizeof *argument);
  const int number = expr_external(b->pool, narg, count);
  const int call = expr_call(b->pool, number, argument);
  for (int k = 0; k < nv; k++) add_to(b, &b->tau[k], expr_element(b->pool, call, k));
  for (int k = 0; k < 6 * (n - 1); k++) {
    add_to(b, &b->applied[6 + k], expr_element(b->pool, call, nv + k));
  }
  if (!e->has_potential) add_call_power(b, call);
  return gen_add_external(
      b, e->name, "time, positions, velocities to joint forces, then moment and force on each link",
      narg, count);
}


//---- all -----------------------------------------------------------------------------------------

static artStatus one_element(genBuild *b, int i)
{
  const modelElement *e = &b->m->element[i];
  int *value = b->value + e->value0;
  if (e->call.function && e->kind != ELEMENT_TYRE) {
    gen_user_force(b, e, i, value);
    return ART_OK;
  }
  switch (e->kind) {
  case ELEMENT_SPRING_DAMPER:
    spring_damper(b, e, i, value);
    return ART_OK;
  case ELEMENT_JOINT_SPRING:
    joint_spring(b, e, i, value);
    return ART_OK;
  case ELEMENT_JOINT_STOP:
    stop(b, e, i, value);
    return ART_OK;
  case ELEMENT_JOINT_FRICTION:
    friction(b, e, i, value);
    return ART_OK;
  case ELEMENT_JOINT_FORCE:
    return joint_force(b, e, value);
  case ELEMENT_BODY_FORCE:
    return body_force(b, e, value);
  case ELEMENT_TYRE:
    return gen_tyre(b, e, i, value);
  case ELEMENT_BUSHING:
    gen_bushing(b, e, i, value);
    return ART_OK;
  case ELEMENT_DRAG:
    drag(b, e, i, value);
    return ART_OK;
  case ELEMENT_CALLBACK:
    break;
  }
  return callback(b, e);
}


artStatus gen_forces(genBuild *b)
{
  artStatus status = ART_OK;
  for (int i = 0; i < b->m->nelement && status == ART_OK; i++) status = one_element(b, i);
  return status;
}


artStatus gen_drives(genBuild *b)
{
  exprPool *p = b->pool;
  for (int i = 0; i < b->m->ndrive; i++) {
    const modelDrive *drive = &b->m->drive[i];
    b->branch = b->mode ? b->mode + drive->mode0 : NULL;
    const int x = drive->formula ? gen_formula(b, drive->formula, drive->place, drive->name)
                                 : gen_law(b, drive->table, -1, b->time, "drive", i, 0);
    b->branch = NULL;
    int dx, ddx;
    if (x < 0) return ART_UNSUPPORTED;
    if (!eqn_differentiate(p, 1, &x, 1, &b->time, 0, NULL, &dx) ||
        !eqn_differentiate(p, 1, &dx, 1, &b->time, 0, NULL, &ddx)) {
      return base_no_memory(b->error);
    }
    b->drive[0][i] = x;
    b->drive[1][i] = dx;
    b->drive[2][i] = b->blow ? expr_add(p, ddx, b->blow[i]) : ddx;
  }
  return ART_OK;
}
