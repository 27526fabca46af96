// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces and impulses of rigid contacts, by any method. With the rows A of the contacts that touch, three for each, their
// accelerations or velocities are  W p + b  with W = Z Z^T (force_space.h), and p follows from the complementarity of gaps and
// normal forces and from the cones of friction (num/coulomb.h). The method itself then finds accelerations with the forces applied to
// the bodies; what is left of the rows by its rounding is taken out of them again.
#include "method/force_space.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/numbers.h"
#include "force/force.h"
#include "force/rigid_place.h"
#include "loop/loop.h"
#include "method/method.h"
#include "num/coulomb.h"

enum { MAX_CORRECTIONS = 4, MAX_CLOSINGS = 4 };

static const double ROUNDED = 1e-13; // of the terms of a row
static const double UNFELT = 1e-3; // of no velocity: a gap that closes more slowly makes no impact

// of the largest acceleration: a gap that opens faster lifts a contact without force
static const double LIFTED = 1e-9;

struct rigidWork {
  forceSpace space;
  int n, *which;     // contacts in the rows, by their numbers
  int *cone;         // of their friction; that of their rolling is the next one
  rigidPlace *place; // [nrigid]
  double *A;         // [rows nv] of all contacts
  double *Z;         // the same
  double *change;    // [nv] of positions
  double *rates;     // [nq + nv]
  coulombProblem coulomb;
};


static struct rigidWork *rigid_work(const artModel *m, artData *d)
{
  struct methodWork *own = method_work(d);
  if (!own || own->rigid) return own ? own->rigid : NULL;
  const size_t nv = (size_t) m->tree.nv, n = (size_t) m->nrigid;
  const size_t nq = (size_t) m->tree.nq;
  baseArena *a = &own->arena;
  struct rigidWork *w;
  if (!ARENA_TAKE(a, w, 1)) return NULL;
  int rows = 0;
  for (int i = 0; i < m->nrigid; i++) rows += rigid_rows(m->rigid[i].arms);
  const size_t entries = (size_t) rows * nv;
  if (!space_take(&w->space, m, a) || !ARENA_TAKE(a, w->which, n) || !ARENA_TAKE(a, w->cone, n) ||
      !ARENA_TAKE(a, w->place, n) || !ARENA_TAKE(a, w->A, entries) ||
      !ARENA_TAKE(a, w->Z, entries) || !ARENA_TAKE(a, w->change, nv) ||
      !ARENA_TAKE(a, w->rates, nq + nv) ||
      !space_take_cones(&w->coulomb, RIGID_PARTS * m->nrigid, rows, a))
    return NULL;
  return own->rigid = w;
}


static int mode_of(const artModel *m, const artData *d, int i)
{
  return *rigid_mode(m, d, i, RIGID_SLIP);
}


static coulombCone *cone_of(const struct rigidWork *w, int k, rigidPart part)
{
  ART_ASSERT(k >= 0 && k < w->n);
  return &w->coulomb.cone[w->cone[k] + (int) part];
}


// parts that a contact has a cone for: slip, and rolling where it is resisted
static rigidPart parts_of(const artModel *m, const struct rigidWork *w, int k)
{
  return rigid_resists(m, w->which[k], RIGID_ROLL) ? RIGID_PARTS : RIGID_ROLL;
}


// forces of contact k
static double *forces_of(const struct rigidWork *w, int k)
{
  return w->coulomb.p + cone_of(w, k, RIGID_SLIP)->row;
}


//---- rows ----------------------------------------------------------------------------------------

static void add_cones(const artModel *m, struct rigidWork *w, int i)
{
  coulombProblem *q = &w->coulomb;
  const modelRigid *r = &m->rigid[i];
  const int slip = rigid_slip_rows(r->arms);
  w->cone[w->n] = q->n;
  w->which[w->n++] = i;
  q->cone[q->n++] =
      (coulombCone){.row = q->nrow, .size = slip, .scale = rigid_scale(m, i, RIGID_SLIP)};
  if (rigid_resists(m, i, RIGID_ROLL)) {
    q->cone[q->n++] = (coulombCone){
        .is_rolling = 1, .row = q->nrow + slip, .size = 2, .scale = rigid_scale(m, i, RIGID_ROLL)};
  }
  q->nrow += rigid_rows(r->arms);
}


// the contacts that touch or ask
static void list_contacts(const artModel *m, artData *d, struct rigidWork *w)
{
  w->n = w->coulomb.n = w->coulomb.nrow = 0;
  for (int i = 0; i < m->nrigid; i++) {
    if (mode_of(m, d, i) != RIGID_APART) add_cones(m, w, i);
  }
}


static double friction_of(const artModel *m, const struct rigidWork *w, int k, rigidPart part)
{
  return part == RIGID_ROLL ? 1 : m->rigid[w->which[k]].friction;
}


static void find_places(const artModel *m, artData *d, struct rigidWork *w)
{
  data_need_velocity(m, d);
  for (int k = 0; k < w->n; k++) w->place[k] = rigid_place(m, d, w->which[k]);
}


// A, Z and W at the present positions
static artStatus find_rigid_space(const artModel *m, artData *d, struct rigidWork *w,
                                  artError *error)
{
  artStatus status = space_find(m, d, &w->space, "rigid contacts", error);
  if (status != ART_OK) return status;
  tree_axes(&m->tree, &d->work->tree);
  find_places(m, d, w);
  const long nv = m->tree.nv, nfree = w->space.n, n = w->coulomb.nrow;
  for (int k = 0; k < w->n; k++) {
    const int i = w->which[k];
    const long row = cone_of(w, k, RIGID_SLIP)->row;
    for (int r = 0; r < rigid_rows(m->rigid[i].arms); r++) {
      const rigidAxis axis = rigid_axis(w->place[k].u, m->rigid[i].arms, r);
      rigid_row(m, d, i, &w->place[k], &axis, w->A + (row + r) * nv);
    }
  }
  for (long r = 0; r < n; r++) {
    space_row(&w->space, w->A + r * nv, w->Z + r * nfree);
    for (long c = 0; c <= r; c++) {
      const double x = base_dot((int) nfree, w->Z + r * nfree, w->Z + c * nfree);
      w->coulomb.W[r * n + c] = w->coulomb.W[c * n + r] = x;
    }
  }
  return ART_OK;
}


// The work with the rows of the contacts that touch or ask, at the present positions.
static artStatus begin_rows(const artModel *m, artData *d, struct rigidWork **work, artError *error)
{
  struct rigidWork *w = *work = rigid_work(m, d);
  if (!w) return base_no_memory(error);
  list_contacts(m, d, w);
  return w->n > 0 ? find_rigid_space(m, d, w, error) : ART_OK;
}


// v + the velocities that the impulses p cause
static void add_impulses(const struct rigidWork *w, const double *p, double *v)
{
  const long nfree = w->space.n;
  double *x = w->space.x;
  memset(x, 0, (size_t) nfree * sizeof *x);
  for (long r = 0; r < w->coulomb.nrow; r++) {
    for (long j = 0; j < nfree && p[r] != 0; j++) x[j] += p[r] * w->Z[r * nfree + j];
  }
  space_add_velocities(&w->space, x, v);
}


//---- forces --------------------------------------------------------------------------------------

static void put_forces(const artModel *m, artData *d, const struct rigidWork *w)
{
  for (int k = 0; k < w->n; k++) {
    const rigidArms arms = m->rigid[w->which[k]].arms;
    rigid_put_force(&d->work->force->rigid[w->which[k]], w->place[k].u, arms, forces_of(w, k));
  }
}


static void clear_forces(const artModel *m, artData *d)
{
  for (int i = 0; i < m->nrigid; i++) {
    rigidForce *f = &d->work->force->rigid[i];
    f->force = f->torque = (v3){0, 0, 0};
    memset(f->along, 0, sizeof f->along);
  }
}


// what outputs show; of contacts that ask, whose rows are in w, what was found
static void show_forces(const artModel *m, artData *d, const struct rigidWork *w)
{
  for (int i = 0; i < m->nrigid; i++) {
    const rigidForce *f = &d->work->force->rigid[i];
    double *value = d->work->value + m->element[m->rigid[i].element].value0;
    value[RIGID_NORMAL] = f->along[0];
    value[RIGID_FRICTION] = hypot(f->along[1], f->along[2]);
    value[RIGID_STATE] = mode_of(m, d, i);
    value[RIGID_ROLLING] = rigid_resists(m, i, RIGID_ROLL) ? *rigid_mode(m, d, i, RIGID_ROLL) : 0;
    value[RIGID_TORQUE] = f->torque.x;
    value[RIGID_TORQUE + 1] = f->torque.y;
    value[RIGID_TORQUE + 2] = f->torque.z;
  }
  for (int k = 0; w && k < w->n; k++) {
    const int i = w->which[k];
    double *value = d->work->value + m->element[m->rigid[i].element].value0;
    if (mode_of(m, d, i) != RIGID_ASKS) continue;
    const int state = cone_of(w, k, RIGID_SLIP)->state;
    value[RIGID_STATE] = state;
    value[RIGID_ROLLING] = 0;
    if (state != COULOMB_APART && rigid_resists(m, i, RIGID_ROLL))
      value[RIGID_ROLLING] = cone_of(w, k, RIGID_ROLL)->state;
  }
}


// the terms of b: rates of the rows at the accelerations that have been found; returns their largest terms
static double find_rigid_rates(const artModel *m, artData *d, struct rigidWork *w, double *b)
{
  const long nv = m->tree.nv;
  double size = 0;
  tree_rne(&m->tree, &d->work->tree, d->v, d->a, d->work->scratch);
  for (int k = 0; k < w->n; k++) {
    rigid_rates(m, d, w->which[k], &w->place[k], b + cone_of(w, k, RIGID_SLIP)->row);
  }
  for (long r = 0; r < w->coulomb.nrow; r++) {
    for (long j = 0; j < nv; j++) size = max_nan(size, fabs(w->A[r * nv + j] * d->a[j]));
    size = max_nan(size, fabs(b[r]));
  }
  return size;
}


//---- in a mode -----------------------------------------------------------------------------------

// The direction of slip: that of its velocity, on the side of where it went, so that it goes on smoothly through zero. Where that is as
// slow as errors of steps may be, the direction before counts; from there it goes to that of a slip that begins.
static void find_slip(const rigidPlace *p, rigidVector slip, rigidVector before, double slow,
                      int begins, double e[COULOMB_TANGENTS])
{
  const double sign = rigid_dot(slip, before) < 0 && !begins ? -1 : 1, kept = RIGID_STEADY * slow;
  const v3 along = v3_add(v3_scale(sign, slip.along), v3_scale(kept, before.along));
  const double x = v3_dot(p->u[1], along), y = v3_dot(p->u[2], along),
               z = sign * slip.spin + kept * before.spin, length = hypot(hypot(x, y), z);
  e[0] = length > 0 ? x / length : 1;
  e[1] = length > 0 ? y / length : 0;
  e[2] = length > 0 ? z / length : 0;
}


// states of the rows by the modes of contacts, none of which asks
static void take_modes(const artModel *m, const artData *d, struct rigidWork *w)
{
  for (int k = 0; k < w->n; k++) {
    const int i = w->which[k];
    const rigidForce *f = &d->work->force->rigid[i];
    const rigidPlace *p = &w->place[k];
    for (rigidPart part = RIGID_SLIP; part < parts_of(m, w, k); part++) {
      coulombCone *c = cone_of(w, k, part);
      c->friction = friction_of(m, w, k, part);
      c->state = *rigid_mode(m, d, i, part) == RIGID_HOLDS ? COULOMB_HOLDS : COULOMB_SLIDES;
      c->slips = c->state == COULOMB_SLIDES;
      find_slip(p, rigid_motion(m, i, p, part), f->direction[part], rigid_slow(m, i, p, part),
                f->begins[part], c->e);
    }
    memcpy(forces_of(w, k), f->held, (size_t) rigid_rows(m->rigid[i].arms) * sizeof *f->held);
  }
}


static artStatus refuse_rigid(const artModel *m, const artData *d, const struct rigidWork *w,
                              artError *error)
{
  const modelElement *e = &m->element[m->rigid[w->which[0]].element];
  return base_fail(
      error, ART_SINGULAR, e->place,
      "rigid contacts, such as '%s', have no forces, or several, at t = %.9g s: friction "
      "and rigid bodies may contradict each other there; use less friction, "
      "compliant contacts (type contact) or fixed steps (integrator moreau)",
      e->name, d->time);
}


// Accelerations with forces p; then forces by which rows of contacts that are not apart have no rates. The linear system answers for the
// rest b of rows with the forces as they are, so that it is solved for a change of these.
static artStatus correct_forces(const artModel *m, artData *d, struct rigidWork *w,
                                const methodKind *kind, artError *error)
{
  coulombProblem *q = &w->coulomb;
  const size_t n = (size_t) q->nrow;
  double before = HUGE_VAL;
  artStatus status = ART_OK;
  for (int turn = 0; turn <= MAX_CORRECTIONS && status == ART_OK; turn++) {
    put_forces(m, d, w);
    status = kind->solve(m, d, error);
    if (status != ART_OK) break;
    const double size = find_rigid_rates(m, d, w, q->b);
    const double left = coulomb_left(q, q->b);
    // b of  W p + b  from the rates at these forces
    for (size_t r = 0; r < n; r++) {
      for (size_t c = 0; c < n; c++) q->b[r] -= q->W[r * n + c] * q->p[c];
    }
    if (turn > 0 && (left <= ROUNDED * size || !(left < 0.1 * before))) break;
    before = left;
    if (turn < MAX_CORRECTIONS && !coulomb_solve_states(q)) return refuse_rigid(m, d, w, error);
  }
  return status;
}


//---- which mode ----------------------------------------------------------------------------------

// Contacts whose velocities hold them together, from their accelerations without forces; others are left out of the rows.
static artStatus solve_complementarity(const artModel *m, artData *d, struct rigidWork *w,
                                       const methodKind *kind, artError *error)
{
  coulombProblem *q = &w->coulomb;
  clear_forces(m, d);
  memset(q->p, 0, (size_t) q->nrow * sizeof *q->p);
  artStatus status = kind->solve(m, d, error);
  if (status != ART_OK) return status;
  (void) find_rigid_rates(m, d, w, q->b);
  for (int k = 0; k < w->n; k++) {
    const int i = w->which[k];
    const rigidPlace *p = &w->place[k];
    for (rigidPart part = RIGID_SLIP; part < parts_of(m, w, k); part++) {
      const rigidVector slip = rigid_motion(m, i, p, part);
      const double size = rigid_size(slip);
      coulombCone *c = cone_of(w, k, part);
      c->friction = friction_of(m, w, k, part);
      c->slips = size > rigid_still(m, i, p, part);
      if (c->slips) find_slip(p, slip, rigid_scaled(1 / size, slip), 0, 0, c->e);
    }
  }
  if (!coulomb_solve(q)) return refuse_rigid(m, d, w, error);
  return correct_forces(m, d, w, kind, error);
}


// those of the last step
static artStatus keep_forces(const artModel *m, artData *d, const methodKind *kind, artError *error)
{
  const artStatus status = kind->solve(m, d, error);
  if (status == ART_OK && !d->work->force->is_free) show_forces(m, d, NULL);
  return status;
}


artStatus method_rigid(const artModel *m, artData *d, const methodKind *kind, artError *error)
{
  if (d->work->force->is_stepping) return keep_forces(m, d, kind, error);
  struct rigidWork *w;
  artStatus status = begin_rows(m, d, &w, error);
  if (status != ART_OK) return status;
  clear_forces(m, d);
  if (w->n == 0) {
    status = kind->solve(m, d, error);
  } else if (force_asks(m, d)) {
    status = solve_complementarity(m, d, w, kind, error);
  } else {
    take_modes(m, d, w);
    status = correct_forces(m, d, w, kind, error);
  }
  if (status == ART_OK) show_forces(m, d, w);
  return status;
}


static void take_mode(const artModel *m, artData *d, struct rigidWork *w, int k, double most)
{
  const coulombProblem *q = &w->coulomb;
  const int i = w->which[k], state = cone_of(w, k, RIGID_SLIP)->state;
  rigidForce *f = &d->work->force->rigid[i];
  const rigidPlace *p = &w->place[k];
  memcpy(f->held, forces_of(w, k), (size_t) rigid_rows(m->rigid[i].arms) * sizeof *f->held);
  for (rigidPart part = RIGID_SLIP; part < parts_of(m, w, k); part++) {
    const double *e = cone_of(w, k, part)->e;
    const v3 along = v3_add(v3_scale(e[0], p->u[1]), v3_scale(e[1], p->u[2]));
    const int has_spin = part == RIGID_SLIP && m->rigid[i].arms.spinning > 0;
    f->direction[part] = (rigidVector){along, has_spin ? e[2] : 0};
    f->begins[part] =
        rigid_size(rigid_motion(m, i, p, part)) < RIGID_STEADY * rigid_slow(m, i, p, part);
  }
  f->floor = 0;
  // one that is just about to lift has a force of rounding, of either sign
  const size_t row = (size_t) cone_of(w, k, RIGID_SLIP)->row;
  const double push = q->W[row * (size_t) q->nrow + row] * q->p[row];
  const int carries = push > LIFTED * most;
  const int mode = state == COULOMB_HOLDS               ? RIGID_HOLDS
                   : state == COULOMB_SLIDES && carries ? RIGID_SLIDES
                                                        : RIGID_APART;
  const int holds =
      parts_of(m, w, k) > RIGID_ROLL && cone_of(w, k, RIGID_ROLL)->state == COULOMB_HOLDS;
  rigid_put_modes(m, d, i, mode,
                  mode == RIGID_APART ? RIGID_APART
                  : holds             ? RIGID_HOLDS
                                      : RIGID_SLIDES);
  if (mode != RIGID_APART) return;
  // one that carries nothing and does not lift either stays near its place, where others hold it
  const int lifts = q->u[row] > LIFTED * most;
  f->floor = fmin(0, p->gap) - (lifts ? 0 : 0.1 * m->rigid[i].reach);
}


// What slips as slowly as errors of steps may holds.
static artStatus stop_slow_slip(const artModel *m, artData *d, struct rigidWork *w, artError *error)
{
  int is_any = 0;
  list_contacts(m, d, w);
  find_places(m, d, w);
  for (int k = 0; k < w->n; k++) {
    const int i = w->which[k];
    for (rigidPart part = RIGID_SLIP; part < RIGID_PARTS; part++) {
      const double size = rigid_size(rigid_motion(m, i, &w->place[k], part));
      const double slow = rigid_slow(m, i, &w->place[k], part);
      const int stops = rigid_resists(m, i, part) && size < slow;
      *rigid_mode(m, d, i, part) = stops ? RIGID_HOLDS : RIGID_SLIDES;
      is_any |= stops && size > 0;
    }
  }
  const artStatus status = is_any ? method_rigid_velocities(m, d, error) : ART_OK;
  for (int k = 0; k < w->n; k++) rigid_put_modes(m, d, w->which[k], RIGID_ASKS, RIGID_SLIDES);
  return status;
}


artStatus method_rigid_decide(const artModel *m, artData *d, int way, artError *error)
{
  struct rigidWork *w = rigid_work(m, d);
  if (!w) return base_no_memory(error);
  const methodKind *kind = method_kind((int) model_method_for(way, m->nrow > 0));
  list_contacts(m, d, w);
  find_places(m, d, w);
  // those that part need no forces
  for (int k = 0; k < w->n; k++) {
    const int i = w->which[k];
    rigidForce *f = &d->work->force->rigid[i];
    const rigidPlace *p = &w->place[k];
    if (!(v3_dot(p->u[0], p->velocity) > rigid_still(m, i, p, RIGID_SLIP))) continue;
    rigid_put_modes(m, d, i, RIGID_APART, RIGID_APART);
    *f = (rigidForce){.floor = fmin(0, p->gap)};
  }
  artStatus status = stop_slow_slip(m, d, w, error);
  list_contacts(m, d, w);
  clear_forces(m, d);
  if (w->n == 0 || status != ART_OK) return status;
  status = find_rigid_space(m, d, w, error);
  if (status == ART_OK) status = solve_complementarity(m, d, w, kind, error);
  if (status != ART_OK) return status;
  double size = 0;
  for (int r = 0; r < w->coulomb.nrow; r++) size = fmax(size, fabs(w->coulomb.b[r]));
  for (int k = 0; k < w->n; k++) take_mode(m, d, w, k, size);
  return ART_OK;
}


//---- impacts -------------------------------------------------------------------------------------

// the rows at the velocities of the data
static void find_row_rates(const artModel *m, const artData *d, const struct rigidWork *w,
                           double *u)
{
  for (int r = 0; r < w->coulomb.nrow; r++) {
    u[r] = base_dot(m->tree.nv, w->A + (long) r * m->tree.nv, d->v);
  }
}


// p.(u0 + W p/2) with velocities u0 = b before
static double energy_gain(const coulombProblem *q)
{
  const long n = q->nrow;
  double gain = 0;
  for (long r = 0; r < n; r++) {
    double change = 0;
    for (long c = 0; c < n; c++) change += q->W[r * n + c] * q->p[c];
    gain += q->p[r] * (q->b[r] + 0.5 * change);
  }
  return gain;
}


// u after an impact: with Newton's restitution e the gap opens by at least -e times its rate before
artStatus method_rigid_impact(const artModel *m, artData *d, const double *bounce, double *gain,
                              artError *error)
{
  struct rigidWork *w;
  const artStatus status = begin_rows(m, d, &w, error);
  *gain = 0;
  if (status != ART_OK) return status;
  coulombProblem *q = &w->coulomb;
  int is_impact = 0;
  find_row_rates(m, d, w, q->b);
  for (int k = 0; k < w->n; k++) {
    const int i = w->which[k];
    const double e = m->rigid[i].restitution * bounce[i];
    double *b = q->b + cone_of(w, k, RIGID_SLIP)->row;
    is_impact |= *b < -UNFELT * rigid_still(m, i, &w->place[k], RIGID_SLIP);
    if (*b < 0) *b *= 1 + e;
    for (rigidPart part = RIGID_SLIP; part < parts_of(m, w, k); part++) {
      cone_of(w, k, part)->friction = friction_of(m, w, k, part);
    }
  }
  if (!is_impact) return ART_OK;
  if (!coulomb_solve(q)) return refuse_rigid(m, d, w, error);
  find_row_rates(m, d, w, q->b);
  *gain = energy_gain(q);
  add_impulses(w, q->p, d->v);
  tree_forget_velocities(&d->work->tree);
  force_update(m, d);
  return ART_OK;
}


//---- positions and velocities --------------------------------------------------------------------

// p for which W p = -b in rows of contacts: the normal ones, and with is_held all of those that hold
static int find_impulses(const artModel *m, const artData *d, struct rigidWork *w, int is_held)
{
  coulombProblem *q = &w->coulomb;
  memset(q->p, 0, (size_t) q->nrow * sizeof *q->p);
  for (int k = 0; k < w->n; k++) {
    for (rigidPart part = RIGID_SLIP; part < parts_of(m, w, k); part++) {
      coulombCone *c = cone_of(w, k, part);
      const int holds = *rigid_mode(m, d, w->which[k], part) == RIGID_HOLDS;
      c->state = is_held && holds ? COULOMB_HOLDS : COULOMB_SLIDES;
      c->friction = 0;
    }
  }
  return coulomb_solve_states(q);
}


void method_move_positions(const artModel *m, artData *d, const double *x, double time,
                           double *rates)
{
  double *v = d->v;
  memcpy(rates + m->tree.nq, v, (size_t) m->tree.nv * sizeof *v);
  memcpy(v, x, (size_t) m->tree.nv * sizeof *v);
  data_position_rates(m, d, rates);
  memcpy(v, rates + m->tree.nq, (size_t) m->tree.nv * sizeof *v);
  for (int k = 0; k < m->tree.nq; k++) d->q[k] += time * rates[k];
  art_normalise(m, d->q);
}


artStatus method_rigid_positions(const artModel *m, artData *d, artError *error)
{
  struct rigidWork *w = rigid_work(m, d);
  if (!w) return base_no_memory(error);
  list_contacts(m, d, w);
  double before = HUGE_VAL;
  for (int turn = 0; turn < MAX_CLOSINGS && w->n > 0; turn++) {
    double left = 0;
    find_places(m, d, w);
    for (int k = 0; k < w->n; k++) left = max_nan(left, fabs(w->place[k].gap));
    if (!(left < 0.5 * before) || left == 0) return ART_OK;
    before = left;
    artStatus status = find_rigid_space(m, d, w, error);
    if (status != ART_OK) return status;
    coulombProblem *q = &w->coulomb;
    memset(q->b, 0, (size_t) q->nrow * sizeof *q->b);
    for (int k = 0; k < w->n; k++) q->b[cone_of(w, k, RIGID_SLIP)->row] = w->place[k].gap;
    if (!find_impulses(m, d, w, 0)) return refuse_rigid(m, d, w, error);
    memset(w->change, 0, (size_t) m->tree.nv * sizeof *w->change);
    add_impulses(w, q->p, w->change);
    method_move_positions(m, d, w->change, 1, w->rates);
    force_update(m, d);
    if (m->nrow > 0) status = loop_close(m, d, error);
    if (status != ART_OK) return status;
    force_update(m, d);
  }
  return ART_OK;
}


artStatus method_rigid_velocities(const artModel *m, artData *d, artError *error)
{
  struct rigidWork *w;
  const artStatus status = begin_rows(m, d, &w, error);
  if (status != ART_OK || w->n == 0) return status;
  coulombProblem *q = &w->coulomb;
  for (int turn = 0; turn < 2; turn++) {
    find_row_rates(m, d, w, q->b);
    if (!find_impulses(m, d, w, 1)) return refuse_rigid(m, d, w, error);
    add_impulses(w, q->p, d->v);
  }
  tree_forget_velocities(&d->work->tree);
  force_update(m, d);
  return ART_OK;
}
