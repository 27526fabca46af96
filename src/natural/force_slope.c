// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the tangent knows of forces by formula: their exact derivatives by what their own joint or point
// does; of forces by functions of the user: differences.
#include <string.h>

#include "force/user.h"
#include "natural/force_parts.h"


//---- which quantities ----------------------------------------------------------------------------

// the slot of a quantity that some component of the element's formula reads, or -1
static int find_slot(const artModel *m, const modelElement *e, quantityKind kind, int index,
                     int component)
{
  for (int i = 0; i < m->nquantity; i++) {
    const modelQuantity *q = &m->quantity[i];
    if (q->kind != kind || q->index != index || q->component != component) continue;
    for (int c = 0; c < 3 && e->formula[c]; c++) {
      if (formula_uses(e->formula[c], i)) return i;
    }
  }
  return -1;
}


void natural_find_slots(const artModel *m, const modelElement *e, const modelTerm *from,
                        naturalAxisTerm *to)
{
  to->slot_x = find_slot(m, e, QUANTITY_POSITION, from->position, 0);
  to->slot_v = find_slot(m, e, QUANTITY_VELOCITY, from->velocity, 0);
}


int natural_find_point_slots(const artModel *m, naturalSpot *spot)
{
  const modelElement *e = spot->e;
  int found = 0;
  for (int c = 0; c < 3; c++) {
    spot->slot_x[c] = find_slot(m, e, QUANTITY_POINT, e->frame[0], c);
    spot->slot_v[c] = find_slot(m, e, QUANTITY_POINT_VELOCITY, e->frame[0], c);
    found = found || spot->slot_x[c] >= 0 || spot->slot_v[c] >= 0;
  }
  return found;
}


//---- their derivatives ---------------------------------------------------------------------------

// of one formula by one slot, all others constant
static double slope(const artWork *w, const formula *f, const int *mode, int slot)
{
  if (slot < 0) return 0;
  w->jets[slot].dx = 1;
  const double dx = formula_jet(f, w->jets, mode, w->jet_stack).dx;
  w->jets[slot].dx = 0;
  return dx;
}


// of a force along x = c.q, all else constant: F may read each of the q, and dF/dx = c.dF/dq / c.c
static double axis_slope(const artWork *w, const naturalAxis *axis, int is_rate)
{
  const modelElement *e = axis->e;
  double square = 0, slope_c = 0;
  for (int i = 0; i < axis->n; i++) {
    const naturalAxisTerm *term = &axis->term[i];
    const int slot = is_rate ? term->slot_v : term->slot_x;
    slope_c += term->c * slope(w, e->formula[0], w->mode + e->mode0, slot);
    square += term->c * term->c;
  }
  return square > 0 ? slope_c / square : 0;
}


// of all components of a force on a point, in ground axes
static v3 force_slope(const naturalMachine *k, const modelElement *e, int slot)
{
  const artWork *w = k->d->work;
  const modelFrame *frame = &k->m->frame[e->frame[0]];
  const int *mode = w->mode + e->mode0;
  double dx[3];
  for (int c = 0; c < 3; c++) {
    dx[c] = slope(w, e->formula[c], mode, slot);
    mode += e->formula[c]->nswitch;
  }
  const v3 f = {dx[0], dx[1], dx[2]};
  return e->in_body ? m3_back(tree_in_ground(&w->tree, frame->link)->R, m3_back(frame->R, f)) : f;
}


// A matrix that resists, as far as it does: itself when no principal minor is negative (but for
// rounding), else what is positive of its diagonal.
static s3 resisting(s3 a)
{
  const double xy = a.xx * a.yy - a.xy * a.xy, xz = a.xx * a.zz - a.xz * a.xz;
  const double yz = a.yy * a.zz - a.yz * a.yz;
  const double all =
      a.xx * yz - a.xy * (a.xy * a.zz - a.yz * a.xz) + a.xz * (a.xy * a.yz - a.yy * a.xz);
  const double size = fabs(a.xx) + fabs(a.yy) + fabs(a.zz), least = -1e-14 * size * size;
  const int resists = a.xx >= 0 && a.yy >= 0 && a.zz >= 0 && xy >= least && xz >= least &&
                      yz >= least && all >= least * size;
  return resists ? a : (s3){fmax(a.xx, 0), fmax(a.yy, 0), fmax(a.zz, 0), 0, 0, 0};
}


// the symmetric part of -df/dx
static s3 stiffness_by(const naturalMachine *k, const modelElement *e, const int slot[3])
{
  const v3 x = force_slope(k, e, slot[0]), y = force_slope(k, e, slot[1]);
  const v3 z = force_slope(k, e, slot[2]);
  return resisting(
      (s3){-x.x, -y.y, -z.z, -0.5 * (x.y + y.x), -0.5 * (x.z + z.x), -0.5 * (y.z + z.y)});
}


static s3 drag_damping_in_ground(const naturalMachine *k, const modelElement *e)
{
  const modelFrame *frame = &k->m->frame[e->frame[0]];
  const s3 own = drag_damping(&e->drag, force_air_speed(k->m, k->d, e));
  return resisting(
      s3_back(tree_in_ground(&k->d->work->tree, frame->link)->R, s3_back(frame->R, own)));
}


//---- functions of the user -----------------------------------------------------------------------

// K = a d d^T + b (1 - d d^T): dF/dZ along the line, F/Z across it
static void keep_link_slopes(const naturalMachine *k, naturalLine *line)
{
  double x[FUNCTION_INPUTS], by_length, by_rate;
  const modelElement *e = line->e;
  user_inputs(k->m, k->d, e, x);
  user_slope(k->d, e, x, ART_LINK_LENGTH, &by_length);
  user_slope(k->d, e, x, ART_LINK_RATE, &by_rate);
  const double length = x[ART_LINK_LENGTH], tension = k->d->work->value[e->value0];
  line->direction = force_line(k->m, k->d, e).direction;
  line->axial = fmax(by_length, 0);
  line->transverse = length > 0 ? fmax(tension / length, 0) : 0;
  line->damping = fmax(by_rate, 0);
}


static void keep_joint_slopes(const naturalMachine *k, naturalAxis *axis)
{
  double x[FUNCTION_INPUTS], by_position, by_rate;
  user_inputs(k->m, k->d, axis->e, x);
  user_slope(k->d, axis->e, x, ART_JOINT_POSITION, &by_position);
  user_slope(k->d, axis->e, x, ART_JOINT_RATE, &by_rate);
  axis->stiffness = fmax(-by_position, 0);
  axis->damping = fmax(-by_rate, 0);
}


// the symmetric part of -df/dx, of the inputs from k0 on
static s3 point_stiffness(const naturalMachine *k, const modelElement *e, int k0)
{
  double x[FUNCTION_INPUTS], f[3][FUNCTION_RESULTS];
  user_inputs(k->m, k->d, e, x);
  for (int i = 0; i < 3; i++) user_slope(k->d, e, x, k0 + i, f[i]);
  return resisting((s3){-f[0][0], -f[1][1], -f[2][2], -0.5 * (f[0][1] + f[1][0]),
                        -0.5 * (f[0][2] + f[2][0]), -0.5 * (f[1][2] + f[2][1])});
}


void natural_keep_slopes(naturalMachine *k)
{
  struct naturalElements *x = k->elements;
  const artWork *w = k->d->work;
  for (int i = 0; i < k->m->nquantity; i++) w->jets[i] = (formulaJet){w->slots[i], 0, 0};
  for (int i = 0; i < x->nline; i++) {
    if (x->line[i].e->call.function) keep_link_slopes(k, &x->line[i]);
  }
  for (int i = 0; i < x->naxis; i++) {
    naturalAxis *axis = &x->axis[i];
    if (axis->e->kind != ELEMENT_JOINT_FORCE) continue;
    if (axis->e->call.function) {
      keep_joint_slopes(k, axis);
      continue;
    }
    axis->stiffness = fmax(-axis_slope(w, axis, 0), 0);
    axis->damping = fmax(-axis_slope(w, axis, 1), 0);
  }
  for (int i = 0; i < x->nspot; i++) {
    naturalSpot *spot = &x->spot[i];
    if (spot->e->kind == ELEMENT_DRAG) {
      spot->damping = drag_damping_in_ground(k, spot->e);
      continue;
    }
    if (spot->e->call.function) {
      spot->stiffness = point_stiffness(k, spot->e, ART_POINT_POSITION);
      spot->damping = point_stiffness(k, spot->e, ART_POINT_VELOCITY);
      continue;
    }
    spot->stiffness = stiffness_by(k, spot->e, spot->slot_x);
    spot->damping = stiffness_by(k, spot->e, spot->slot_v);
  }
  for (int i = 0; i < x->nbushing; i++) natural_keep_bushing(k, &x->bushing[i]);
}


//---- in the tangent ------------------------------------------------------------------------------

void natural_add_gradient(const naturalSystem *s, const naturalPatch *patch, int component,
                          double factor, double *gradient)
{
  int k = 0;
  for (int i = s->term_start[component]; i < s->term_start[component + 1]; i++) {
    // both lists ascend
    while (patch->q[k] != s->term[i].q) k++;
    gradient[k] += factor * s->term[i].c;
  }
}


void natural_add_form_tangent(const naturalSystem *s, int form, const naturalPatch *patch, s3 A,
                              double *gradient, double *values)
{
  memset(gradient, 0, 3 * (size_t) patch->n * sizeof *gradient);
  for (int c = 0; c < 3; c++) {
    natural_add_gradient(s, patch, 3 * form + c, 1, gradient + c * patch->n);
  }
  natural_add_gradient_tangent(patch, A, gradient, values);
}


void natural_add_gradient_tangent(const naturalPatch *patch, s3 A, double *gradient, double *values)
{
  const int n = patch->n;
  double *gx = gradient, *gy = gx + n, *gz = gy + n, *wx = gz + n, *wy = wx + n, *wz = wy + n;

  // G^T A G
  for (int i = 0; i < n; i++) {
    const v3 w = s3_mul(A, (v3){gx[i], gy[i], gz[i]});
    wx[i] = w.x;
    wy[i] = w.y;
    wz[i] = w.z;
  }
  const int *place = patch->place;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      values[*place++] += gx[i] * wx[j] + gy[i] * wy[j] + gz[i] * wz[j];
    }
  }
}
