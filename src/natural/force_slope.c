// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the tangent knows of forces by formula: their exact derivatives by what their own joint or point
// does; of forces by functions of the user: differences.
#include <string.h>

#include "element/derivative.h"
#include "force/port.h"
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


// the symmetric part of -dF/dx, as far as it resists, of the derivatives by the components of x
static s3 resisting_part(const v3 f[3])
{
  return resisting((s3){-f[0].x, -f[1].y, -f[2].z, -0.5 * (f[0].y + f[1].x),
                        -0.5 * (f[0].z + f[2].x), -0.5 * (f[1].z + f[2].y)});
}


static s3 stiffness_by(const naturalMachine *k, const modelElement *e, const int slot[3])
{
  const v3 f[3] = {force_slope(k, e, slot[0]), force_slope(k, e, slot[1]),
                   force_slope(k, e, slot[2])};
  return resisting_part(f);
}


// the symmetric part of -dF/dv of an element on a point
static s3 point_damping(const naturalMachine *k, const modelElement *e)
{
  const treeData *t = &k->d->work->tree;
  const modelFrame *frame = &k->m->frame[e->frame[0]];
  const v3 v = tree_point_velocity(t, frame->link, frame->r);
  const m3 R = m3_mul_m3(frame->R, tree_in_ground(t, frame->link)->R);
  const double velocity[3] = {v.x, v.y, v.z};
  const double axes[9] = {R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z};
  v3 f[3];
  for (int i = 0; i < 3; i++) {
    double dF[3];
    element_slope_by_velocity(e, velocity, axes, i, dF);
    f[i] = (v3){dF[0], dF[1], dF[2]};
  }
  return resisting_part(f);
}


//---- functions of the user -----------------------------------------------------------------------

// K = a d d^T + b (1 - d d^T): dF/dZ along the line, F/Z across it
static void keep_link_slopes(const naturalMachine *k, naturalLine *line)
{
  double x[FUNCTION_INPUTS], by_length, by_rate;
  const modelElement *e = line->e;
  portState port;
  force_call_inputs(k->m, k->d, e, &port, x);
  force_call_slope(k->d, e, x, ART_LINK_LENGTH, &by_length);
  force_call_slope(k->d, e, x, ART_LINK_RATE, &by_rate);
  const double length = x[ART_LINK_LENGTH], tension = k->d->work->value[e->value0];
  line->direction = port.line.direction;
  line->axial = fmax(by_length, 0);
  line->transverse = length > 0 ? fmax(tension / length, 0) : 0;
  line->damping = fmax(by_rate, 0);
}


static void keep_joint_slopes(const naturalMachine *k, naturalAxis *axis)
{
  double x[FUNCTION_INPUTS], by_position, by_rate;
  portState port;
  force_call_inputs(k->m, k->d, axis->e, &port, x);
  force_call_slope(k->d, axis->e, x, ART_JOINT_POSITION, &by_position);
  force_call_slope(k->d, axis->e, x, ART_JOINT_RATE, &by_rate);
  axis->stiffness = fmax(-by_position, 0);
  axis->damping = fmax(-by_rate, 0);
}


// by the three inputs from k0 on
static s3 point_stiffness(const naturalMachine *k, const modelElement *e, int k0)
{
  double x[FUNCTION_INPUTS], y[FUNCTION_RESULTS];
  portState port;
  v3 f[3];
  force_call_inputs(k->m, k->d, e, &port, x);
  for (int i = 0; i < 3; i++) {
    force_call_slope(k->d, e, x, k0 + i, y);
    f[i] = (v3){y[0], y[1], y[2]};
  }
  return resisting_part(f);
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
    if (axis->e->call.function) {
      keep_joint_slopes(k, axis);
      continue;
    }
    if (!axis->e->formula[0]) continue;
    axis->stiffness = fmax(-axis_slope(w, axis, 0), 0);
    axis->damping = fmax(-axis_slope(w, axis, 1), 0);
  }
  for (int i = 0; i < x->nspot; i++) {
    naturalSpot *spot = &x->spot[i];
    if (spot->e->call.function) {
      spot->stiffness = point_stiffness(k, spot->e, ART_POINT_POSITION);
      spot->damping = point_stiffness(k, spot->e, ART_POINT_VELOCITY);
      continue;
    }
    if (!spot->e->formula[0]) {
      spot->damping = point_damping(k, spot->e);
      continue;
    }
    spot->stiffness = stiffness_by(k, spot->e, spot->slot_x);
    spot->damping = stiffness_by(k, spot->e, spot->slot_v);
  }
  for (int i = 0; i < x->npair; i++) natural_keep_pair(k, &x->pair[i]);
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
