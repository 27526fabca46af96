// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ports of force elements in natural coordinates: gradients, forces along spans and joint coordinates, tangents.
#include "natural/force_ports.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "element/derivative.h"
#include "element/kind.h"
#include "force/force.h"
#include "force/port_forces.h"
#include "force/tyre_element.h"
#include "tyre/tyre.h"

//---- resistance ----------------------------------------------------------------------------------

// positive semidefinite but for rounding? By elimination along the diagonal.
static int is_resisting(int n, double A[6][6])
{
  double size = 0;
  for (int i = 0; i < n; i++) size = max_nan(size, fabs(A[i][i]));
  for (int i = 0; i < n; i++) {
    const double pivot = A[i][i];
    if (pivot < -1e-12 * size) return 0;
    for (int j = i + 1; j < n; j++) {
      if (pivot <= 1e-12 * size && fabs(A[i][j]) > 1e-9 * size) return 0;
      const double factor = pivot > 1e-12 * size ? A[i][j] / pivot : 0;
      for (int c = i + 1; c < n; c++) A[j][c] -= factor * A[i][c];
    }
  }
  return 1;
}


// the symmetric part of slopes as far as it resists: itself, or the positive entries of its diagonal
static void keep_resisting(naturalPort *p, int by_rate)
{
  const int n = p->nx;
  double(*A)[6] = p->resists[by_rate], (*from)[6] = p->slope[by_rate], L[6][6];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) L[i][j] = A[i][j] = 0.5 * (from[i][j] + from[j][i]);
  }
  if (is_resisting(n, L)) return;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) A[i][j] = i == j ? fmax(A[i][i], 0) : 0;
  }
}


// by the displacements and rates of which the bits are set, at x and v
static void find_pair_slopes(naturalPort *p, const unsigned changes[2], const double x[6],
                             const double v[6])
{
  double slope[6];
  for (int by_rate = 0; by_rate < 2; by_rate++) {
    for (int i = 0; i < p->nx; i++) {
      if (!(changes[by_rate] >> i & 1)) continue;
      (by_rate ? element_slope_by_rate : element_slope_by_displacement)(p->e, NULL, p->nx, x, v, i,
                                                                        slope);
      for (int j = 0; j < p->nx; j++) p->slope[by_rate][j][i] = -slope[j];
    }
    if (changes[by_rate]) keep_resisting(p, by_rate);
  }
}


//---- making --------------------------------------------------------------------------------------

// the slot of a quantity that some component of the element's formula reads, or that signals may read for it; or -1
static int find_port_slot(const artModel *m, const modelElement *e, quantityKind kind, int index,
                          int component)
{
  ART_ASSERT(index >= 0);
  for (int i = 0; i < m->nquantity; i++) {
    const modelQuantity *q = &m->quantity[i];
    if (q->kind != kind || q->index != index || q->component != component) continue;
    if (m->nsignal > 0 && (q->readers & READ_BY_FORCES)) return i;
    for (int c = 0; c < 3 && e->formula[c]; c++) {
      if (formula_uses(e->formula[c], i)) return i;
    }
  }
  return -1;
}


int natural_own_slot(const artModel *m, const modelElement *e)
{
  const elementPhysics *physics = port_physics(e);
  const int is_axis = physics && physics->port == PORT_AXIS && e->nterm == 1;
  const int is_line = physics && physics->port == PORT_LINE && e->nframe == 2;
  int own = -1;
  if (!(is_axis || is_line) || physics->potential || e->call.function) return -1;
  if (!e->formula[0] || e->formula[1] || e->nstate > 0) return -1;
  for (int i = 0; i < m->nquantity; i++) {
    const modelQuantity *q = &m->quantity[i];
    if (!formula_uses(e->formula[0], i)) continue;
    const int is_position =
        is_axis && q->kind == QUANTITY_POSITION && q->index == e->term[0].position;
    const int is_length =
        is_line && q->kind == QUANTITY_ELEMENT && q->component == 1 && &m->element[q->index] == e;
    if (own >= 0 || !(is_position || is_length)) return -1;
    own = i;
  }
  return own;
}


// Slots of a formula's own joint or point. Returns how many it reads.
static int find_port_slots(naturalMachine *k, naturalPort *p)
{
  const modelElement *e = p->e;
  const int count = e->nterm > 0 ? e->nterm : 3;
  int found = 0;
  ARENA_TAKE(&k->arena, p->slot, 2 * count);
  for (int i = 0; i < count; i++) {
    int *x = &p->slot[i], *v = &p->slot[count + i];
    if (e->nterm > 0) {
      *x = find_port_slot(k->m, e, QUANTITY_POSITION, e->term[i].position, 0);
      *v = find_port_slot(k->m, e, QUANTITY_VELOCITY, e->term[i].velocity, 0);
    } else {
      *x = find_port_slot(k->m, e, QUANTITY_POINT, e->frame[0], i);
      *v = find_port_slot(k->m, e, QUANTITY_POINT_VELOCITY, e->frame[0], i);
    }
    found += (*x >= 0) + (*v >= 0);
  }
  return found;
}


// slots of what the force of a contact depends on: gap, rate, slip velocity, bristle
enum {
  SLOT_GAP,
  SLOT_RATE,
  SLOT_SLIP,
  SLOT_BRISTLE = SLOT_SLIP + 3,
  CONTACT_SLOTS = SLOT_BRISTLE + 3
};


static void find_contact_slots(naturalMachine *k, naturalPort *p)
{
  const artModel *m = k->m;
  const modelElement *e = p->e;
  ARENA_TAKE(&k->arena, p->slot, CONTACT_SLOTS);
  for (int i = 0; i < CONTACT_SLOTS; i++) p->slot[i] = -1;
  for (const elementOutput *o = e->type->outputs; o->name; o++) {
    int is_rate;
    const int shown = port_shown(e, o->component, &is_rate);
    const int is_turn = is_rate && shown >= CONTACT_POINT;
    const int slot = shown < 0 || is_turn   ? -1
                     : !is_rate             ? (shown == CONTACT_GAP ? SLOT_GAP : -1)
                     : shown == CONTACT_GAP ? SLOT_RATE
                                            : SLOT_SLIP + shown - CONTACT_NORMAL;
    const int index = (int) (e - m->element);
    if (slot >= 0) p->slot[slot] = find_port_slot(m, e, QUANTITY_ELEMENT, index, o->component);
  }
  for (int i = 0; i < 3; i++) {
    const char *name = arena_format(&k->arena, "%s.bristle_%c", e->name, "xyz"[i]);
    for (int s = 0; s < m->nstate && name; s++) {
      if (strcmp(m->state[s].name, name) == 0) p->slot[SLOT_BRISTLE + i] = m->state[s].slot;
    }
  }
}


// the patch of an element on the links of its frames
static int add_link_patch(naturalMachine *k, const modelElement *e)
{
  int forms[4 * ART_MOST_POINTS];
  for (int i = 0; i < e->nframe; i++) {
    const naturalLink *link = &k->link[k->m->frame[e->frame[i]].link];
    const int own[4] = {link->origin, link->x, link->y, link->z};
    memcpy(forms + 4 * i, own, sizeof own);
  }
  return natural_add_patch(k->s, 4 * e->nframe, forms, 0, NULL);
}


void natural_add_port(naturalMachine *k, const modelElement *e)
{
  ART_ASSERT(k->elements->nport < k->m->nelement);
  struct naturalElements *x = k->elements;
  const elementPhysics *physics = port_physics(e);
  const portType type = physics ? physics->port : PORT_NONE;
  naturalPort *p = &x->port[x->nport];
  *p = (naturalPort){.e = e, .form = -1, .nx = 3, .acts_here = !x->group[e - k->m->element]};
  p->own = natural_own_slot(k->m, e);
  if (type == PORT_AXIS) {
    naturalTerm *q = arena_alloc(&k->arena, (size_t) e->nterm, sizeof *q);
    if (e->formula[0] && !e->call.function) find_port_slots(k, p);
    for (int i = 0; i < e->nterm; i++) {
      q[i] = (naturalTerm){k->coordinate[e->term[i].velocity], e->term[i].c};
      ART_ASSERT(q[i].q >= 0);
    }
    p->nx = 1;
    p->number = natural_add_patch(k->s, 0, NULL, e->nterm, q);
  } else if (type == PORT_POINT || (type == PORT_LINE && e->nframe == 2)) {
    // a torque, a force that does not depend on its point, and a tension by formula resist nothing
    const int is_formula = e->formula[0] && !e->call.function;
    if (e->is_torque || (type == PORT_LINE && is_formula && p->own < 0)) return;
    if (type == PORT_POINT && is_formula && find_port_slots(k, p) == 0) return;
    p->form = k->point[e->frame[0]];
    if (type == PORT_LINE) p->form = natural_add_span(k->s, p->form, k->point[e->frame[1]]);
    p->number = natural_add_patch(k->s, 1, &p->form, 0, NULL);
  } else if (type == PORT_CONTACT) {
    find_contact_slots(k, p);
    p->number = add_link_patch(k, e);
  } else if (type == PORT_PAIR || type == PORT_LINE) {
    // slopes change by displacements and rates of which there is a law, or a stop
    enum { ALL = (1 << 6) - 1 };
    elementLaw law[ELEMENT_MOST_LAWS];
    const int n = element_laws(e, law);
    const double zero[6] = {0};
    p->nx = type == PORT_PAIR ? 6 : 1;
    p->changes[0] = p->changes[1] = model_has_stop(e) ? ALL : 0;
    for (int i = 0; i < n; i++) p->changes[law[i].is_of_rate] |= 1U << law[i].axis;
    find_pair_slopes(p, (unsigned[]){ALL, ALL}, zero, zero);
    p->number = add_link_patch(k, e);
  } else if (e->tyre) {
    p->number = add_link_patch(k, e);
  } else {
    return;
  }
  x->nport++;
}


//---- gradients -----------------------------------------------------------------------------------

// row r of G: forces on the coordinates by a unit force along displacement r, taken out of the elements' row
static void take_gradient_row(const naturalMachine *k, const naturalPort *p, int r)
{
  ART_ASSERT(r >= 0 && r < p->nx);
  double *Q = k->elements->row;
  for (int i = 0; i < p->patch->n; i++) {
    p->G[i * p->nx + r] = Q[p->patch->q[i]];
    Q[p->patch->q[i]] = 0;
  }
}


static const v3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};


void natural_settle_ports(naturalMachine *k)
{
  struct naturalElements *x = k->elements;
  for (int i = 0; x && i < x->nport; i++) {
    naturalPort *p = &x->port[i];
    const modelElement *e = p->e;
    p->patch = natural_patch(k->s, p->number);
    ARENA_TAKE(&k->arena, p->G, p->patch->n * p->nx);
    for (int j = 0; j < e->nterm; j++) x->row[k->coordinate[e->term[j].velocity]] += e->term[j].c;
    if (e->nterm > 0) take_gradient_row(k, p, 0);
    for (int r = 0; r < 3 && p->form >= 0; r++) {
      natural_pull(k->s, p->form, unit[r], x->row);
      take_gradient_row(k, p, r);
    }
  }
}


// a force at a point, in ground, of the link of a frame, and a torque
static void push_frame_link(const naturalMachine *k, const modelFrame *frame, v3 point, v3 force,
                            v3 torque)
{
  const v3 arm = v3_sub(point, tree_in_ground(&k->d->work->tree, frame->link)->o);
  natural_push_link(k, frame->link, force, v3_add(torque, v3_cross(arm, force)), k->elements->row);
}


static void find_pair_gradient(const naturalMachine *k, naturalPort *p, const portPair *pair)
{
  const modelFrame *a = &k->m->frame[p->e->frame[0]], *b = &k->m->frame[p->e->frame[1]];
  const v3 point = tree_point(&k->d->work->tree, b->link, b->r);
  for (int r = 0; r < 6; r++) {
    double along[6] = {0};
    along[r] = 1;
    const pairForce f = port_pair_force(pair, along);
    push_frame_link(k, b, point, f.force, f.torque);
    push_frame_link(k, a, point, v3_neg(f.force), v3_neg(f.torque));
    take_gradient_row(k, p, r);
  }
}


// a force along a line of several spans pushes the points of each apart
static void find_line_gradient(const naturalMachine *k, naturalPort *p, const portState *port)
{
  for (int i = 0; i + 1 < p->e->nframe; i++) {
    const v3 direction = i == 0 ? port->line.direction : port->next[i - 1];
    for (int side = 0; side < 2; side++) {
      const modelFrame *frame = &k->m->frame[p->e->frame[i + side]];
      const v3 point = tree_point(&k->d->work->tree, frame->link, frame->r);
      push_frame_link(k, frame, point, side ? direction : v3_neg(direction), (v3){0, 0, 0});
    }
  }
  take_gradient_row(k, p, 0);
}


// the material point of the wheel that is in contact, r in the axes of its link
static void find_contact_gradient(const naturalMachine *k, naturalPort *p, v3 point)
{
  const int i = k->m->frame[p->e->frame[0]].link;
  const treeWorld *world = tree_in_ground(&k->d->work->tree, i);
  const v3 r = m3_mul(world->R, v3_sub(point, world->o));
  double *row = k->elements->row;
  for (int c = 0; c < 3; c++) {
    natural_pull(k->s, k->link[i].origin, unit[c], row);
    natural_pull(k->s, k->link[i].x, v3_scale(r.x, unit[c]), row);
    natural_pull(k->s, k->link[i].y, v3_scale(r.y, unit[c]), row);
    natural_pull(k->s, k->link[i].z, v3_scale(r.z, unit[c]), row);
    take_gradient_row(k, p, c);
  }
}


//---- forces along one displacement ---------------------------------------------------------------

// x = c.q
static double axis_at(const naturalPort *p, const double *q)
{
  double x = 0;
  for (int i = 0; i < p->patch->n; i++) x += p->G[i] * q[p->patch->q[i]];
  return x;
}


// the formula of a port at a displacement
static double own_formula_at(const naturalMachine *k, const naturalPort *p, double x)
{
  const artWorkspace *w = k->d->work;
  const int *mode = w->mode + p->e->mode0;
  w->force->slots[p->own] = x;
  return formula_value(p->e->formula[0], w->force->slots, mode, w->force->stack);
}


// Its mean from x[0] to x[1] by the rule of Gauss with five points, exact for polynomials of degree 9.
static double own_formula_mean(const naturalMachine *k, const naturalPort *p, const double *x)
{
  static const double at[5] = {-0.906179845938664, -0.5384693101056831, 0, 0.5384693101056831,
                               0.906179845938664};
  static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                   0.4786286704993665, 0.2369268850561891};
  const double middle = 0.5 * (x[0] + x[1]), half = 0.5 * (x[1] - x[0]);
  double sum = 0;
  for (int i = 0; i < 5; i++) sum += weight[i] * own_formula_at(k, p, middle + half * at[i]);
  return 0.5 * sum;
}


artStatus natural_act_port(const naturalMachine *k, naturalPort *p, double t, const double *q0,
                           const double *q1, const double *v, naturalEffect *out, artError *error)
{
  const modelElement *e = p->e;
  const elementPhysics *physics = port_physics(e);
  const artWorkspace *w = k->d->work;
  double end[2] = {0, 0};
  v3 span = {0, 0, 0};
  if (p->form >= 0) {
    span = natural_form_at(k->s, p->form, q1);
    if (q0) {
      const v3 first = natural_form_at(k->s, p->form, q0);
      end[0] = sqrt(v3_dot(first, first));
      end[1] = sqrt(v3_dot(span, span));
      span = v3_scale(0.5, v3_add(first, span));
    }
    const portLine line = port_line(span, natural_form_rate(k->s, p->form, v));
    p->direction = line.direction;
    p->x = line.length;
    p->v = line.rate;
  } else {
    p->x = end[1] = axis_at(p, q1);
    if (q0) {
      end[0] = axis_at(p, q0);
      p->x = 0.5 * (end[0] + end[1]);
    }
    p->v = axis_at(p, v);
  }
  artStatus status = force_check_spring(e, (q0 ? end[0] : p->x) - e->rest, t, error);
  if (status == ART_OK && q0) status = force_check_spring(e, end[1] - e->rest, t, error);
  if (status != ART_OK) return status;

  portMotion in;
  portForce f;
  in.given[0] = 0;
  if (p->own >= 0) in.given[0] = q0 ? own_formula_mean(k, p, end) : own_formula_at(k, p, p->x);
  if (!isfinite(in.given[0])) {
    return base_fail(error, ART_SINGULAR, e->place,
                     "force '%s' has no value at t = %.9g s: its formula gives %g there", e->name,
                     t, in.given[0]);
  }
  in.from.mode = w->is_frozen ? w->mode + e->mode0 : NULL;
  in.from.begin = q0 ? &end[0] : NULL;
  in.from.end = q0 ? &end[1] : NULL;
  in.x[0] = p->x;
  in.v[0] = p->v;
  physics->act(e, &in, &f);
  if (out->leaves_out == LEAVE_RESISTING) f.resisting[0] = 0;
  if (out->leaves_out == LEAVE_ELASTIC) f.elastic[0] = 0;
  p->force = f.elastic[0] + f.resisting[0];
  out->power += f.resisting[0] * p->v;
  if (out->potential && physics->potential) *out->potential += physics->potential(e, &in);

  if (p->form < 0) {
    for (int i = 0; i < p->patch->n; i++) out->Q[p->patch->q[i]] += p->G[i] * p->force;
    return ART_OK;
  }
  v3 pull = v3_scale(p->force, p->direction);
  if (q0) {
    // 2 (V1 - V0) / (d1.d1 - d0.d0) = 2 F / (l0 + l1),   F = (V1 - V0) / (l1 - l0)
    const double sum = end[0] + end[1], share = sum > 0 ? 2 / sum : 0;
    const double steady = p->own >= 0 ? p->force : f.elastic[0], other = p->force - steady;
    pull = v3_add(v3_scale(share * steady, span), v3_scale(other, p->direction));

    // the same work of a formula: F (l1 - l0)
    if (p->own >= 0) out->power += p->force * p->v * (share * p->x - 1);
  }
  natural_pull(k->s, p->form, pull, out->Q);
  return ART_OK;
}


//---- slopes --------------------------------------------------------------------------------------

// K = a d d^T + b (1 - d d^T), D = c d d^T: the line gets longer, and it turns; how turning changes the rate is left out
static void keep_line_slopes(naturalPort *p, double a, double c, double tension)
{
  const double d[3] = {p->direction.x, p->direction.y, p->direction.z};
  a = fmax(a, 0);
  c = fmax(c, 0);
  const double b = p->x > 0 ? fmax(tension / p->x, 0) : a;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      p->resists[0][i][j] = (a - b) * d[i] * d[j] + (i == j ? b : 0);
      p->resists[1][i][j] = c * d[i] * d[j];
    }
  }
}


// -dF/dx and -dF/dx' along one displacement
static void keep_axis_slopes(naturalPort *p, double by_x, double by_v)
{
  p->resists[0][0][0] = fmax(by_x, 0);
  p->resists[1][0][0] = fmax(by_v, 0);
}


// the derivative of one formula by one slot, directly or by way of signals; all others constant
static double formula_slope(const artData *d, const formula *f, const int *mode, int slot)
{
  ART_ASSERT(slot < d->work->now->nquantity);
  const artWorkspace *w = d->work;
  if (slot < 0) return 0;
  w->force->jets[slot].dx = 1;
  if (w->now->nsignal > 0) force_signal_jets(w->now, d, READ_BY_FORCES);
  const double dx = formula_jet(f, w->force->jets, mode, w->force->jet_stack).dx;
  w->force->jets[slot].dx = 0;
  return dx;
}


static void find_along_slopes(const naturalMachine *k, naturalPort *p)
{
  const artWorkspace *w = k->d->work;
  const int *mode = w->is_frozen ? w->mode + p->e->mode0 : NULL;
  double by_x, by_v;
  if (p->own >= 0) {
    // a line pulls by its formula, a joint coordinate is pushed
    w->force->jets[p->own].x = p->x;
    by_x = (p->form >= 0 ? -1 : 1) *
           formula_slope(k->d, p->e->formula[0], w->mode + p->e->mode0, p->own);
    by_v = 0;
  } else {
    element_slope_by_displacement(p->e, mode, 1, &p->x, &p->v, 0, &by_x);
    element_slope_by_rate(p->e, mode, 1, &p->x, &p->v, 0, &by_v);
  }
  if (p->form >= 0) {
    keep_line_slopes(p, -by_x, -by_v, -p->force);
  } else {
    keep_axis_slopes(p, -by_x, -by_v);
  }
}


// a function of the user, by differences; that of a link gives a tension
static void find_call_slopes(const naturalMachine *k, naturalPort *p)
{
  const modelElement *e = p->e;
  const portType type = port_physics(e)->port;
  double x[FUNCTION_INPUTS], y[2][FUNCTION_RESULTS];
  portState port;
  force_call_inputs(k->m, k->d, e, &port, x);
  if (type != PORT_POINT) {
    const int is_line = type == PORT_LINE;
    force_call_slope(k->d, e, x, is_line ? ART_LINK_LENGTH : ART_JOINT_POSITION, y[0]);
    force_call_slope(k->d, e, x, is_line ? ART_LINK_RATE : ART_JOINT_RATE, y[1]);
    if (!is_line) keep_axis_slopes(p, -y[0][0], -y[1][0]);
    if (!is_line) return;
    p->direction = port.line.direction;
    p->x = port.line.length;
    keep_line_slopes(p, y[0][0], y[1][0], k->d->work->value[e->value0]);
    return;
  }
  for (int by_rate = 0; by_rate < 2; by_rate++) {
    for (int i = 0; i < 3; i++) {
      force_call_slope(k->d, e, x, (by_rate ? ART_POINT_VELOCITY : ART_POINT_POSITION) + i, y[0]);
      for (int j = 0; j < 3; j++) p->slope[by_rate][j][i] = -y[0][j];
    }
    keep_resisting(p, by_rate);
  }
}


static void find_formula_slopes(const naturalMachine *k, naturalPort *p)
{
  const modelElement *e = p->e;
  const artWorkspace *w = k->d->work;
  for (int by_rate = 0; by_rate < 2; by_rate++) {
    const int *mode = w->mode + e->mode0;
    if (e->nterm > 0) {
      // of a force along x = c.q, which may read each of the q:  dF/dx = c.dF/dq / c.c
      const int *slot = p->slot + by_rate * e->nterm;
      double square = 0, sum = 0;
      for (int i = 0; i < e->nterm; i++) {
        sum += e->term[i].c * formula_slope(k->d, e->formula[0], mode, slot[i]);
        square += e->term[i].c * e->term[i].c;
      }
      p->resists[by_rate][0][0] = square > 0 ? fmax(-sum / square, 0) : 0;
      continue;
    }
    const modelFrame *frame = &k->m->frame[e->frame[0]];
    const m3 R = tree_in_ground(&w->tree, frame->link)->R;
    double dF[3][3];
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < 3; i++) {
        dF[i][c] = formula_slope(k->d, e->formula[c], mode, p->slot[3 * by_rate + i]);
      }
      mode += e->formula[c]->nswitch;
    }
    for (int i = 0; i < 3; i++) {
      v3 f = {dF[i][0], dF[i][1], dF[i][2]};
      if (e->in_body) f = m3_back(R, m3_back(frame->R, f));
      p->slope[by_rate][0][i] = -f.x;
      p->slope[by_rate][1][i] = -f.y;
      p->slope[by_rate][2][i] = -f.z;
    }
    keep_resisting(p, by_rate);
  }
}


// of an element on a point that depends on its velocity
static void find_velocity_slopes(const naturalMachine *k, naturalPort *p)
{
  const treeData *t = &k->d->work->tree;
  const modelFrame *frame = &k->m->frame[p->e->frame[0]];
  const v3 v = tree_point_velocity(t, frame->link, frame->r);
  const m3 R = m3_mul_m3(frame->R, tree_in_ground(t, frame->link)->R);
  const double velocity[3] = {v.x, v.y, v.z};
  const double axes[9] = {R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z};
  for (int i = 0; i < 3; i++) {
    double dF[3];
    element_slope_by_velocity(p->e, velocity, axes, i, dF);
    for (int j = 0; j < 3; j++) p->slope[1][j][i] = -dF[j];
  }
  keep_resisting(p, 1);
}


// Of a tyre: the point of the wheel that touches the road is pressed along the normal by its place and its speed, and
// dragged along the road by its speed, which is the slip velocity:
//   -dF = K n n^T dx + (D n n^T + Cx f f^T + Cy l l^T) dv
// A wheel without load, or one that finds no road, resists nothing.
static void find_wheel_slopes(const naturalMachine *k, naturalPort *p)
{
  artTyreAnswer a;
  memset(p->resists, 0, sizeof p->resists);
  if (force_roll(k->m, k->d, p->e, &a, NULL) != ART_OK || !(a.input.load > 0)) return;
  double K[3], D[3];
  const double *at = a.contact.point, *lag = &k->d->work->force->state_weight;
  tyre_resistance(p->e->tyre, &a, p->e->nstate > 0 ? lag : NULL, K, D);
  find_contact_gradient(k, p, (v3){at[0], at[1], at[2]});
  const double *n = a.contact.normal, *f = a.contact.forward, *l = a.contact.left;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      p->resists[0][i][j] = K[0] * n[i] * n[j];
      p->resists[1][i][j] = D[0] * n[i] * n[j] + D[1] * f[i] * f[j] + D[2] * l[i] * l[j];
    }
  }
}


// Unit forces along the axes of friction at the contact point. A displacement u and a velocity w there
// change the gap by n.u, its rate by n.w, the slip velocity by w - n (n.w), and a bristle that holds, at
// the end of a step, by the weight of its rate:
//   dF/du = dF/dgap n^T,   dF/dw = dF/drate n^T + (dF/ds + weight dF/dz) (1 - n n^T)
static void find_contact_slopes(const naturalMachine *k, naturalPort *p)
{
  const modelElement *e = p->e;
  const artWorkspace *w = k->d->work;
  const double lag = w->force->state_weight;
  portState port;
  force_move_port(k->m, k->d, e, &port);
  const portContact *own = &port.contact;
  const double *n = &port.in.x[CONTACT_NORMAL];
  for (int r = 0; r < 3; r++) {
    const v3 along = e->contact->axes >= 0 ? m3_back(own->axes, unit[r]) : unit[r];
    for (int side = 0; side < 2; side++) {
      push_frame_link(k, &k->m->frame[e->frame[side]], own->point, side ? along : v3_neg(along),
                      (v3){0, 0, 0});
    }
    take_gradient_row(k, p, r);
  }
  const int *mode = w->mode + e->mode0;
  for (int c = 0; c < 3; c++) {
    const formula *f = e->formula[c];
    const double by_gap = formula_slope(k->d, f, mode, p->slot[SLOT_GAP]);
    const double by_rate = formula_slope(k->d, f, mode, p->slot[SLOT_RATE]);
    double by_slip[3], along = 0;
    for (int j = 0; j < 3; j++) {
      by_slip[j] = formula_slope(k->d, f, mode, p->slot[SLOT_SLIP + j]) +
                   lag * formula_slope(k->d, f, mode, p->slot[SLOT_BRISTLE + j]);
      along += by_slip[j] * n[j];
    }
    for (int j = 0; j < 3; j++) {
      p->slope[0][c][j] = -by_gap * n[j];
      p->slope[1][c][j] = -(by_rate * n[j] + by_slip[j] - along * n[j]);
    }
    mode += f->nswitch;
  }
  keep_resisting(p, 0);
  keep_resisting(p, 1);
}


static void find_port_slopes(const naturalMachine *k, naturalPort *p)
{
  const modelElement *e = p->e;
  const elementPhysics *physics = port_physics(e);
  if (physics && physics->port == PORT_CONTACT) {
    find_contact_slopes(k, p);
  } else if (p->acts_here) {
    find_along_slopes(k, p);
  } else if (e->tyre) {
    find_wheel_slopes(k, p);
  } else if (p->form < 0 && e->nterm == 0) {
    portState port;
    force_move_port(k->m, k->d, e, &port);
    if (p->nx == 6) {
      find_pair_gradient(k, p, &port.pair);
    } else {
      find_line_gradient(k, p, &port);
    }
    find_pair_slopes(p, p->changes, port.in.x, port.in.v);
  } else if (e->call.function) {
    find_call_slopes(k, p);
  } else if (e->formula[0]) {
    find_formula_slopes(k, p);
  } else {
    find_velocity_slopes(k, p);
  }
}


//---- tangent -------------------------------------------------------------------------------------

// values += G^T (stiffness K + damping D) G
static inline void add_port_product(const naturalPort *p, int nx, double stiffness, double damping,
                                    double *values)
{
  ART_ASSERT(nx == p->nx && nx <= 6);
  const int *place = p->patch->place;
  double A[6][6];
  for (int r = 0; r < nx; r++) {
    for (int c = 0; c < nx; c++) {
      A[r][c] = stiffness * p->resists[0][r][c] + damping * p->resists[1][r][c];
    }
  }
  for (int i = 0; i < p->patch->n; i++) {
    // column i of A G
    const double *g = p->G + i * nx;
    double column[6] = {0};
    for (int r = 0; r < nx; r++) {
      for (int c = 0; c < nx; c++) column[r] += A[r][c] * g[c];
    }
    g = p->G;
    for (int j = 0; j <= i; j++, g += nx) {
      double sum = 0;
      for (int r = 0; r < nx; r++) sum += g[r] * column[r];
      values[*place++] += sum;
    }
  }
}


void natural_add_port_tangents(void *machine, double stiffness, double damping, double *values)
{
  naturalMachine *k = machine;
  const artWorkspace *w = k->d->work;
  for (int i = 0; i < k->m->nquantity; i++)
    w->force->jets[i] = (formulaJet){w->force->slots[i], 0, 0};
  for (int i = 0; i < k->elements->nport; i++) {
    naturalPort *p = &k->elements->port[i];
    find_port_slopes(k, p);

    // one text, unrolled for each number of displacements
    if (p->nx == 1) {
      add_port_product(p, 1, stiffness, damping, values);
    } else if (p->nx == 3) {
      add_port_product(p, 3, stiffness, damping, values);
    } else {
      add_port_product(p, 6, stiffness, damping, values);
    }
  }
}
