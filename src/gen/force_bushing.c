// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bushings as expressions (law/bushing.h has the equations).
#include "gen/build.h"

// where the frames are
typedef struct bushingNodes {
  node3 axes[3]; // of `from`
  node3 span;    // from `from` to `to`, in ground
  node3 r;       // rotation vector
  int curve;     // c of J^-1
  int x[6], rate[6];
} bushingNodes;


static int constant(genBuild *b, double x)
{
  return expr_constant(b->pool, x);
}


static node3 angular_velocity(genBuild *b, int frame)
{
  const int link = b->m->frame[frame].link, *w = b->velocity + 6 * link;
  const nodeFrame *world = (const nodeFrame *) b->world + link;
  return node3_back(b->pool, world->e, (node3){w[0], w[1], w[2]});
}


// c = (1 - a/2 cot(a/2))/a^2, cot(a/2) = (1 + cos a)/sin a; by its series where that cancels
static int curve_of(genBuild *b, node3 r, int sine, int cosine)
{
  exprPool *p = b->pool;
  static const double series[4] = {1. / 12, 1. / 720, 1. / 30240, 1. / 1209600};
  const int aa = node3_dot(p, r, r);
  int near = 0;
  for (int i = 3; i >= 0; i--) near = expr_add(p, expr_mul(p, near, aa), constant(b, series[i]));
  const int cot = expr_div(p, expr_add(p, constant(b, 1), cosine), sine);
  const int half = expr_mul(p, constant(b, 0.5), expr_mul(p, expr_sqrt(p, aa), cot));
  const int far = expr_div(p, expr_sub(p, constant(b, 1), half), aa);
  return expr_select(p, expr_operate(p, EXPR_LESS, aa, constant(b, 1e-2)), near, far);
}


// sin(a) n = 1/2 (R32 - R23, ..),  cos(a) = (trace R - 1)/2
static void find_rotation(genBuild *b, const node3 A[3], const node3 B[3], bushingNodes *out)
{
  exprPool *p = b->pool;
  const int half = constant(b, 0.5);
#define R(i, j) node3_dot(p, A[i], B[j])
  const node3 twice = {expr_sub(p, R(2, 1), R(1, 2)), expr_sub(p, R(0, 2), R(2, 0)),
                       expr_sub(p, R(1, 0), R(0, 1))};
  const int trace = expr_add(p, expr_add(p, R(0, 0), R(1, 1)), R(2, 2));
#undef R
  const int sine = expr_mul(p, half, expr_sqrt(p, node3_dot(p, twice, twice)));
  const int cosine = expr_mul(p, half, expr_sub(p, trace, constant(b, 1)));
  const int angle = expr_operate(p, EXPR_ATAN2, sine, cosine);
  const int is_turned = expr_operate(p, EXPR_LESS, 0, sine);
  const int stretch = expr_select(p, is_turned, expr_div(p, angle, sine), constant(b, 1));
  out->r = node3_scale(p, expr_mul(p, half, stretch), twice);
  out->curve = curve_of(b, out->r, sine, cosine);
}


// (1 + h [r] + c [r]^2) w
static node3 jacobian_times(genBuild *b, const bushingNodes *at, double h, node3 w)
{
  exprPool *p = b->pool;
  const node3 rw = node3_cross(p, at->r, w), rrw = node3_cross(p, at->r, rw);
  return node3_add(p, node3_add(p, w, node3_scale(p, constant(b, h), rw)),
                   node3_scale(p, at->curve, rrw));
}


static void store(int out[6], node3 first, node3 second)
{
  out[0] = first.x, out[1] = first.y, out[2] = first.z;
  out[3] = second.x, out[4] = second.y, out[5] = second.z;
}


static bushingNodes find_place(genBuild *b, const modelElement *e)
{
  exprPool *p = b->pool;
  const int from = e->frame[0], to = e->frame[1];
  bushingNodes at;
  node3 B[3];
  gen_frame_axes(b, from, at.axes);
  gen_frame_axes(b, to, B);
  find_rotation(b, at.axes, B, &at);
  at.span = node3_sub(p, gen_point(b, to), gen_point(b, from));
  store(at.x, node3_turn(p, at.axes, at.span), at.r);

  // d' = v_b - v_a - w_a x d,   r' = J^-1 w
  const node3 v = node3_sub(p, gen_point_velocity(b, to), gen_point_velocity(b, from));
  const node3 wa = angular_velocity(b, from);
  const node3 w = node3_turn(p, at.axes, node3_sub(p, angular_velocity(b, to), wa));
  const node3 slip = node3_sub(p, v, node3_cross(p, wa, at.span));
  store(at.rate, node3_turn(p, at.axes, slip), jacobian_times(b, &at, -0.5, w));
  return at;
}


int gen_bushing_displacement(genBuild *b, const modelElement *e, int c)
{
  return find_place(b, e).x[c];
}


// row i of A x; an entry and its mirror image are one parameter
static int row_times(genBuild *b, const double A[6][6], const int x[6], int i, const char *name,
                     int index)
{
  int sum = 0;
  for (int j = 0; j < 6; j++) {
    if (A[i][j] == 0) continue;
    const int low = i < j ? i : j, high = i < j ? j : i;
    const int own = gen_parameter(b, A[low][high], name, 36 * index + 6 * low + high);
    sum = expr_add(b->pool, sum, expr_mul(b->pool, own, x[j]));
  }
  return sum;
}


// generalised forces without potential, and their power
static void resist(genBuild *b, const modelElement *e, int i, const bushingNodes *at, int mode,
                   int s[6])
{
  exprPool *p = b->pool;
  for (int k = 0; k < 6; k++) {
    const forceLaw *law = e->bushing->damper[k];
    const int linear = row_times(b, e->bushing->damping, at->rate, k, "bushing_damping", i);
    const int own = gen_law(b, law, mode, at->rate[k], "bushing_damper", 6 * i + k, 0);
    if (law) mode++;
    const int force = expr_neg(p, expr_add(p, linear, own));
    s[k] = expr_add(p, s[k], force);
    gen_add_power(b, force, at->rate[k]);
  }
}


// those with potential, and it; returns the mode after their laws
static int hold(genBuild *b, const modelElement *e, int i, const bushingNodes *at, int mode,
                int s[6])
{
  exprPool *p = b->pool;
  for (int k = 0; k < 6; k++) {
    const forceLaw *law = e->bushing->spring[k];
    const int x = at->x[k], half = constant(b, 0.5);
    const int preload = gen_parameter(b, e->bushing->preload[k], "bushing_preload", 6 * i + k);
    const int linear = row_times(b, e->bushing->stiffness, at->x, k, "bushing_stiffness", i);
    const int own = gen_law(b, law, mode, x, "bushing_spring", 6 * i + k, 0);
    const int stored = gen_law(b, law, mode, x, "bushing_spring", 6 * i + k, 1);
    if (law) mode++;
    s[k] = expr_sub(p, preload, expr_add(p, linear, own));
    const int energy = expr_mul(p, x, expr_sub(p, expr_mul(p, half, linear), preload));
    b->potential = expr_add(p, b->potential, expr_add(p, energy, stored));
  }
  return mode;
}


void gen_bushing(genBuild *b, const modelElement *e, int i, int *value)
{
  exprPool *p = b->pool;
  const bushingNodes at = find_place(b, e);
  int s[6];
  const int mode = hold(b, e, i, &at, e->mode0, s);
  resist(b, e, i, &at, mode, s);

  const node3 own = jacobian_times(b, &at, 0.5, (node3){s[3], s[4], s[5]});
  store(value, (node3){s[0], s[1], s[2]}, own);
  const node3 force = node3_back(p, at.axes, (node3){s[0], s[1], s[2]});
  const node3 torque = node3_back(p, at.axes, own);
  const int minus = constant(b, -1);
  gen_force_at(b, e->frame[1], force);
  gen_torque_on(b, b->m->frame[e->frame[1]].link, torque);

  // the opposite on `from` at the point where `to` is
  const node3 lever = node3_add(p, torque, node3_cross(p, at.span, force));
  gen_force_at(b, e->frame[0], node3_scale(p, minus, force));
  gen_torque_on(b, b->m->frame[e->frame[0]].link, node3_scale(p, minus, lever));
}
