// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steady motion at a speed: a vehicle that rolls straight on or around a circle as if it stood still.
//
// All that changes in a steady motion is where the vehicle is, its heading and the angles of its wheels.
// Unknown are therefore positions of all coordinates but these, the speeds of the wheels, the speed
// sideways and the yaw rate W; the speed along the heading is given. Wanted are accelerations of none but
// the travel, which turns with the heading,
//   a = W z x v   across the heading;
// along it the vehicle may slow down or gather way. Where wheels roll without slip, the rows of velocities say how fast
// they turn, and what the speed sideways and the yaw rate are. A machine on a revolute joint from ground about the vertical
// that rolls on surfaces about that axis goes around it as a whole: the speed is that of the centre of what rolls first, at
// the distance rho from the axis, and the yaw rate is  W = speed/rho. States whose rates are formulas, and values of samplers, are unknowns
// as well, each with its change, which is zero (study.h); one that nothing reads, as the way gone, may go on. Newton's method with differences
// (num/newton.h).
#include <math.h>
#include <string.h>

#include "articula/study.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/max_nan.h"
#include "base/numbers.h"
#include "force/roll_place.h"
#include "force/tyre_element.h"
#include "loop/damped_least_squares.h"
#include "loop/roll_rows.h"
#include "num/difference.h"
#include "num/newton.h"
#include "study/assemble/assemble.h"
#include "study/study.h"

enum { MAX_ITERATIONS = 60 };

static const double PRECISION = 1e-9;   // of the accelerations, m/s^2 or rad/s^2
static const double LONGEST_MOVE = 0.2; // m, rad, m/s or a part of rad/s in one step
static const double GRIP = 1e-3;        // 1/s
static const double NO_SLOPE = 1e-8;    // of the largest singular value
static const double NO_READER = 1e-13;  // m/s^2 or rad/s^2 by a unit of a state

// the quantity that an unknown moves
typedef enum trimKind { TRIM_POSITION, TRIM_SPIN, TRIM_SIDEWAYS, TRIM_YAW, TRIM_STATE } trimKind;

typedef struct trimUnknown {
  trimKind kind;
  int k; // velocity coordinate, or state
  int is_idle; // nothing depends on it (a wheel without grip, a state that nothing reads): it is left alone
} trimUnknown;

// A v = 0 for the speed sideways, the yaw rate and the spins of wheels, at a given speed
typedef struct rollingTrim {
  int nspin, *spin; // [nspin] velocity coordinates
  double *A;        // [nroll_row nv]
  loopMatrix rows;  // [nroll_row 2 + nspin] dense
  loopLeast least;
  double *b, *x;
} rollingTrim;

typedef struct trimWork {
  const artModel *m;
  artData *d;
  baseArena arena;
  double speed;
  v3 heading, left; // horizontal, of unit length

  int travel[3]; // velocity coordinates that slide in ground: along x, y, and z
  int yaw; // velocity coordinate that turns about the vertical, or the first of a free joint's three
  int yaw_is_free;
  int is_round; // nothing travels: all goes around the axis of the yaw

  int n;
  trimUnknown *unknown; // [n]
  char *is_base;        // [nv]
  double *q, *v, *s;    // [nq], [nv], [memory_count] the best so far
  double *unit;         // [memory_count] of each state: its value at the start, at least 1
  double *weight;       // [memory_count] of each change, at the last Jacobian
  double *value;        // [memory_count] of states, or changes, in an evaluation
  double *x;            // [n] moves from there
  double *move;         // [nv]
  double *g, *trial;    // [n] accelerations that should not be
  double *space;        // [4 n]
  newtonMatrix matrix;
  rollingTrim *roll;             // of machines that roll; else NULL
  double norm, side, turn;       // |g|; speed sideways and yaw rate
  double trial_side, trial_turn; // the same in an evaluation
} trimWork;

//---- the machine ---------------------------------------------------------------------------------

static v3 vertical_in_link(const trimWork *w, int link)
{
  ART_ASSERT(link >= 0 && link < w->m->tree.n);
  const v3 z = {0, 0, 1};
  return m3_back(tree_in_ground(&w->d->work->tree, link)->R, z);
}


static int find_free(trimWork *w)
{
  const treeModel *t = &w->m->tree;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    if (link->kind != LINK_FREE || link->parent != 0) continue;
    for (int c = 0; c < 3; c++) w->travel[c] = link->v0 + c;
    w->yaw = link->v0 + 3;
    w->yaw_is_free = 1;
    return 1;
  }
  return 0;
}


// the body that travels: the link of the yaw
static artStatus find_base(trimWork *w, artError *error)
{
  for (int c = 0; c < 3; c++) w->travel[c] = -1;
  w->yaw = -1;
  if (!find_free(w)) {
    // slides of chains that begin at ground, and the turn about the vertical that follows them
    const treeModel *t = &w->m->tree;
    for (int i = 1; i < t->n; i++) {
      const treeLink *link = &t->link[i];
      const int p = link->parent;
      const int hangs = p == 0 || (t->link[p].kind == LINK_PRISMATIC && w->is_base[t->link[p].v0]);
      if (!hangs || link->nv != 1 || link->is_driven) continue;
      const v3 a = vertical_in_link(w, i);
      if (link->kind == LINK_PRISMATIC) {
        const int axis = fabs(a.x) > 0.999 ? 0 : fabs(a.y) > 0.999 ? 1 : fabs(a.z) > 0.999 ? 2 : -1;
        if (axis < 0 || w->travel[axis] >= 0) continue;
        w->travel[axis] = link->v0;
        w->is_base[link->v0] = 1;
      } else if (link->kind == LINK_REVOLUTE && fabs(a.z) > 0.999 && w->yaw < 0) {
        w->yaw = link->v0;
      }
    }
  }
  w->is_round = w->travel[0] < 0 && w->yaw >= 0 && w->m->nroll > 0;
  if (w->travel[0] < 0 && !w->is_round) {
    return base_fail(
        error, ART_BAD_INPUT, base_nowhere(),
        "an equilibrium at a speed needs a vehicle: a body on a free joint from ground, "
        "or on joints that slide along x and y and turn about z; or a machine that rolls around a "
        "vertical axis of ground; there is none");
  }
  return ART_OK;
}


// does the coordinate turn what rolls about its own axis? Every axis through its centre is one of a ball.
static int is_rolling_spin(const trimWork *w, int link)
{
  const artModel *m = w->m;
  for (int i = 0; i < m->nroll; i++) {
    const cutSide *side = &m->cut[m->roll[i].cut].side[1];
    if (m->roll[i].kind == ROLL_EDGE || side->link != link) continue;
    if (m->roll[i].kind == ROLL_BALL) {
      if (hypot(side->r.x, side->r.y) < 1e-9 * m->cut[m->roll[i].cut].length) return 1;
      continue;
    }
    const v3 axis = m3_mul(tree_in_ground(&w->d->work->tree, link)->R, roll_place(m, w->d, i).axis);
    if (fabs(axis.z) > 1 - 1e-9) return 1;
  }
  return 0;
}


// coordinates that turn a wheel on its axle
static int is_spin(const trimWork *w, int k)
{
  const artModel *m = w->m;
  const treeLink *link = &m->tree.link[m->tree.dof_link[k]];
  if (link->kind != LINK_REVOLUTE) return 0;
  if (is_rolling_spin(w, m->tree.dof_link[k])) return 1;
  const v3 a = vertical_in_link(w, m->tree.dof_link[k]);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (!e->tyre || m->frame[e->frame[0]].link != m->tree.dof_link[k]) continue;
    if (fabs(v3_dot(a, force_axle(m, w->d, e))) > 1 - 1e-9) return 1;
  }
  return 0;
}


static void add_unknown(trimWork *w, trimKind kind, int k)
{
  w->unknown[w->n++] = (trimUnknown){kind, k, 0};
}


static void list_unknowns(trimWork *w, const int *independent, int n)
{
  w->n = 0;
  for (int i = 0; i < n; i++) {
    const int k = independent[i];
    if (k == w->travel[0] || k == w->travel[1]) continue;
    if (!w->yaw_is_free && k == w->yaw) continue;
    // the third rotation of a free joint is the heading
    if (w->yaw_is_free && k == w->yaw + 2) continue;
    const int spins = is_spin(w, k);
    if (spins && w->roll) w->roll->spin[w->roll->nspin++] = k;
    if (!spins || !w->roll) add_unknown(w, spins ? TRIM_SPIN : TRIM_POSITION, k);
  }
  if (w->travel[1] >= 0 && !w->roll) add_unknown(w, TRIM_SIDEWAYS, w->travel[1]);
  if (w->yaw >= 0 && !w->roll) add_unknown(w, TRIM_YAW, w->yaw);
  for (int k = 0; k < memory_count(w->m); k++) add_unknown(w, TRIM_STATE, k);

  // spins move by as much as the speed does
  w->matrix.n = w->n;
  for (int i = 0; i < w->n; i++) w->matrix.column[i] = w->unknown[i].kind == TRIM_SPIN ? 100 : 1;
}


//---- the state -----------------------------------------------------------------------------------

// angular velocity W about the vertical, in whatever the yaw is
static void put_yaw_rate(trimWork *w, double rate)
{
  artData *d = w->d;
  if (w->yaw < 0) return;
  if (!w->yaw_is_free) {
    d->v[w->yaw] = rate * (vertical_in_link(w, w->m->tree.dof_link[w->yaw]).z > 0 ? 1 : -1);
    return;
  }
  const v3 own =
      m3_mul(tree_in_ground(&d->work->tree, w->m->tree.dof_link[w->yaw])->R, (v3){0, 0, rate});
  d->v[w->yaw] = own.x;
  d->v[w->yaw + 1] = own.y;
  d->v[w->yaw + 2] = own.z;
}


static v3 trim_velocity(const trimWork *w, double side)
{
  return v3_add(v3_scale(w->speed, w->heading), v3_scale(side, w->left));
}


// the axes of slides may point either way
static double slide_axis_sense(const trimWork *w, int axis)
{
  ART_ASSERT(axis >= 0 && axis < 3);
  if (w->yaw_is_free) return 1;
  const v3 a = vertical_in_link(w, w->m->tree.dof_link[w->travel[axis]]);
  return (axis == 0 ? a.x : a.y) > 0 ? 1 : -1;
}


// from the axis of the yaw to the centre of what rolls first
static v3 from_axis(const trimWork *w)
{
  const int link = w->m->tree.dof_link[w->yaw];
  return v3_sub(roll_place(w->m, w->d, 0).centre, tree_in_ground(&w->d->work->tree, link)->o);
}


// velocities of the travelling body; those of joints stay
static void put_travel(trimWork *w, double speed, double side, double turn)
{
  if (w->is_round) {
    const v3 out = from_axis(w);
    put_yaw_rate(w, speed / hypot(out.x, out.y));
    return;
  }
  const v3 v = v3_add(v3_scale(speed, w->heading), v3_scale(side, w->left));
  w->d->v[w->travel[0]] = v.x * slide_axis_sense(w, 0);
  if (w->travel[1] >= 0) w->d->v[w->travel[1]] = v.y * slide_axis_sense(w, 1);
  put_yaw_rate(w, turn);
}


// A v of these velocities of the travelling body and of the k-th spin, at the loops closed; into column j, -1: b
static void add_rolling_column(trimWork *w, int j, double speed, double side, double turn, int k)
{
  const int nv = w->m->tree.nv;
  rollingTrim *r = w->roll;
  memset(w->d->v, 0, (size_t) nv * sizeof *w->d->v);
  put_travel(w, speed, side, turn);
  if (k >= 0) w->d->v[r->spin[k]] = 1;
  for (int i = 0; i < r->rows.m; i++) {
    const double product = base_dot(nv, r->A + (long) i * nv, w->d->v);
    if (j < 0) r->b[i] = -product;
    if (j >= 0) r->rows.value[(long) i * r->rows.n + j] = product;
  }
}


// the speed sideways, the yaw rate and the spins with which nothing slips, as far as this can be
static artStatus find_rolling_speeds(trimWork *w, artError *error)
{
  rollingTrim *r = w->roll;
  tree_axes(&w->m->tree, &w->d->work->tree);
  rolling_rows(w->m, w->d, r->A);
  for (int k = 0; k < r->nspin; k++) add_rolling_column(w, 2 + k, 0, 0, 0, k);
  add_rolling_column(w, 0, 0, w->travel[1] >= 0, 0, -1);
  add_rolling_column(w, 1, 0, 0, w->yaw >= 0, -1);
  add_rolling_column(w, -1, w->speed, 0, 0, -1);
  memset(w->d->v, 0, (size_t) w->m->tree.nv * sizeof *w->d->v);
  w->trial_side = w->trial_turn = 0;
  least_gather(&r->least);
  for (int turn = 0; turn < 3; turn++) {
    const artStatus status = least_solve(&r->least, 1e-13, r->b, r->x, error);
    if (status != ART_OK) return status;
    w->trial_side += r->x[0];
    w->trial_turn += r->x[1];
    for (int k = 0; k < r->nspin; k++) w->d->v[r->spin[k]] += r->x[2 + k];
    for (int i = 0; i < r->rows.m; i++) r->b[i] -= matrix_row_times(&r->rows, i, r->x);
  }
  return ART_OK;
}


// the state at x from the best one; loops closed, slips steady
static artStatus put_trim_state(trimWork *w, const double *x, artError *error)
{
  const artModel *m = w->m;
  artData *d = w->d;
  memcpy(d->q, w->q, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(d->v, w->v, (size_t) m->tree.nv * sizeof *d->v);
  memcpy(w->value, w->s, (size_t) memory_count(m) * sizeof *w->value);
  memset(w->move, 0, (size_t) m->tree.nv * sizeof *w->move);
  w->trial_side = w->side;
  w->trial_turn = w->turn;
  for (int i = 0; i < w->n; i++) {
    const trimUnknown *u = &w->unknown[i];
    if (u->kind == TRIM_POSITION) w->move[u->k] = x[i];
    if (u->kind == TRIM_SPIN) d->v[u->k] += x[i];
    if (u->kind == TRIM_SIDEWAYS) w->trial_side += x[i];
    if (u->kind == TRIM_YAW) w->trial_turn += x[i];
    if (u->kind == TRIM_STATE) w->value[u->k] += x[i] * w->unit[u->k];
  }
  memory_put(m, d, w->value);
  art_move(m, d->q, w->move);
  art_update(m, d);
  data_need_world(m, d);
  artStatus status = w->is_round ? study_close(m, d, error) : ART_OK;
  if (status == ART_OK && w->roll) status = find_rolling_speeds(w, error);
  if (status != ART_OK) return status;
  put_travel(w, w->speed, w->trial_side, w->trial_turn);
  art_update(m, d);
  status = study_close(m, d, error);
  if (status == ART_OK) status = force_settle_states(m, d, error);
  return status;
}


// acceleration of the travelling body in the plane
static v3 travel_acceleration(const trimWork *w)
{
  const double *a = w->d->a;
  v3 travel = {0, 0, 0};
  if (w->travel[0] >= 0) travel.x = a[w->travel[0]] * slide_axis_sense(w, 0);
  if (w->travel[1] >= 0) travel.y = a[w->travel[1]] * slide_axis_sense(w, 1);
  return travel;
}


// the unwanted part of the accelerations
static artStatus unsteady_accelerations(trimWork *w, const double *x, double *g, artError *error)
{
  artStatus status = put_trim_state(w, x, error);
  if (status == ART_OK) status = art_accelerate(w->m, w->d, ART_AUTOMATIC, error);
  if (status != ART_OK) return status;

  const double *a = w->d->a;
  memory_changes(w->m, w->d, w->value);
  const v3 v = trim_velocity(w, w->trial_side);
  const v3 excess = v3_sub(travel_acceleration(w), v3_scale(w->trial_turn, (v3){-v.y, v.x, 0}));
  for (int i = 0; i < w->n; i++) {
    const trimUnknown *u = &w->unknown[i];
    g[i] = u->is_idle                              ? 0
           : u->kind == TRIM_SIDEWAYS              ? v3_dot(excess, w->left)
           : u->kind == TRIM_YAW && w->yaw_is_free ? a[w->yaw + 2]
           : u->kind == TRIM_STATE                 ? w->weight[u->k] * w->value[u->k]
                                                   : a[u->k];
  }
  return ART_OK;
}


static artStatus unsteady_along(void *context, int column, double s, double *g, artError *error)
{
  trimWork *w = context;
  w->x[column] = s;
  const artStatus status = unsteady_accelerations(w, w->x, g, error);
  w->x[column] = 0;
  return status;
}


//---- the search ----------------------------------------------------------------------------------

static void leave_alone(trimWork *w, int j)
{
  ART_ASSERT(j >= 0 && j < w->n);
  const int n = w->n;
  w->unknown[j].is_idle = 1;
  w->g[j] = 0;
  for (int i = 0; i < n; i++) w->matrix.J[(long) j * n + i] = w->matrix.J[(long) i * n + j] = 0;
}


// Rates are measured by what all unknowns do to them, and states by what they do.
static void scale_states(trimWork *w)
{
  const int n = w->n;
  for (int j = 0; j < n; j++) {
    if (w->unknown[j].kind != TRIM_STATE) continue;
    double size = fabs(w->g[j]);
    for (int i = 0; i < n; i++) size += fabs(w->matrix.J[(long) i * n + j]);
    const double weight = size > 0 ? 1 / size : 1;
    w->weight[w->unknown[j].k] = weight;
    w->g[j] *= weight;
    for (int i = 0; i < n; i++) w->matrix.J[(long) i * n + j] *= weight;
  }
  for (int j = 0; j < n; j++) {
    if (w->unknown[j].kind != TRIM_STATE) continue;
    const double size = study_norm(n, w->matrix.J + (long) j * n);
    w->matrix.column[j] = size > NO_READER ? 1 / size : 1;
    if (!(size > NO_READER)) leave_alone(w, j);
  }
}


static artStatus linearise_trim(void *work, newtonState *state, double *norm, artError *error)
{
  trimWork *w = work;
  const differenceFunction f = {w->n, unsteady_along, w};
  memset(w->x, 0, (size_t) w->n * sizeof *w->x);
  for (int i = 0; i < w->n; i++) {
    if (w->unknown[i].kind == TRIM_STATE) w->unknown[i].is_idle = 0;
  }
  for (int k = 0; k < memory_count(w->m); k++) w->weight[k] = 1;
  artStatus status = unsteady_accelerations(w, w->x, w->g, error);
  if (status != ART_OK) return status;
  w->norm = study_norm(w->n, w->g);
  *state = w->norm < 1e-3 * PRECISION && memory_count(w->m) == 0 ? NEWTON_THERE : NEWTON_FAR;
  if (*state == NEWTON_THERE) return ART_OK;
  status = difference_matrix(&f, w->n, w->space, w->matrix.J, error);
  if (status != ART_OK) return status;
  scale_states(w);

  // the tyres of a wheel with grip slow it down at once, tyres of other wheels not at all
  const int n = w->n;
  for (int j = 0; j < n; j++) {
    trimUnknown *u = &w->unknown[j];
    if (u->kind != TRIM_SPIN) continue;
    u->is_idle = 0;
    if (fabs(w->matrix.J[(long) j * n + j]) < GRIP) leave_alone(w, j);
  }
  w->norm = study_norm(n, w->g);

  *norm = w->norm;
  if (w->norm < 1e-3 * PRECISION) *state = NEWTON_THERE;
  return newton_decompose(&w->matrix, error);
}


// no unknown moves too far; directions without a slope are left alone
static double attempt_trim_step(void *work, double damping)
{
  trimWork *w = work;
  double longest = 0;
  newton_solve(&w->matrix, 0, NO_SLOPE, w->g, w->x);
  for (int k = 0; k < w->n; k++) {
    if (w->unknown[k].kind == TRIM_STATE) continue;
    longest = max_nan(longest, fabs(w->x[k]) / w->matrix.column[k]);
  }
  const double factor = longest > LONGEST_MOVE ? LONGEST_MOVE / longest : 1;
  for (int k = 0; k < w->n; k++) w->x[k] *= -factor * newton_part(damping);
  const artStatus status = unsteady_accelerations(w, w->x, w->trial, NULL);
  return status == ART_OK ? study_norm(w->n, w->trial) : HUGE_VAL;
}


// the state in the data is the best one
static void take_trim_state(void *work)
{
  trimWork *w = work;
  memcpy(w->q, w->d->q, (size_t) w->m->tree.nq * sizeof *w->q);
  memcpy(w->v, w->d->v, (size_t) w->m->tree.nv * sizeof *w->v);
  memory_get(w->m, w->d, w->s);
  w->side = w->trial_side;
  w->turn = w->trial_turn;
}


static artStatus search_trim(trimWork *w, artTrim *result, artError *error)
{
  const newtonProblem problem = {w, linearise_trim, attempt_trim_step, take_trim_state, NULL};
  const newtonRule rule = newton_halving_rule(MAX_ITERATIONS);
  const artStatus status = newton_search(&problem, &rule, &result->iterations, error);
  if (status != ART_OK || w->norm < PRECISION * fmax(1, w->speed * w->speed)) return status;
  const int worst = index_of_largest(w->n, w->g), k = w->unknown[worst].k;
  if (w->unknown[worst].kind == TRIM_STATE) {
    return base_fail(error, ART_NO_CONVERGENCE, memory_place(w->m, k),
                     "no steady motion at %g m/s was found near the initial state: %s '%s' does "
                     "not come to rest, at %.6g its %s is %.6g",
                     w->speed, k < w->m->nrate ? "state" : "held value", memory_name(w->m, k),
                     w->s[k], k < w->m->nrate ? "rate" : "next change", w->g[worst] / w->weight[k]);
  }
  return base_fail(
      error, ART_NO_CONVERGENCE, base_nowhere(),
      "no steady motion at %g m/s was found near the initial state: after %d iterations "
      "%s still accelerates by %.3g m/s^2 or rad/s^2",
      w->speed, result->iterations, w->m->velocity[k].name, w->g[worst]);
}


//---- all -----------------------------------------------------------------------------------------

static int take_rolling_trim(trimWork *w)
{
  baseArena *a = &w->arena;
  rollingTrim *r;
  const int nv = w->m->tree.nv;
  return ARENA_TAKE(a, r, 1) && (w->roll = r) && ARENA_TAKE(a, r->spin, nv) &&
         ARENA_TAKE(a, r->A, (size_t) w->m->nroll_row * (size_t) nv) &&
         ARENA_TAKE(a, r->b, w->m->nroll_row) && ARENA_TAKE(a, r->x, nv + 2);
}


// once the spins are known: all entries of the rows can be nonzero, all scales are one
static int take_rolling_rows(trimWork *w)
{
  baseArena *a = &w->arena;
  rollingTrim *r = w->roll;
  const int m = w->m->nroll_row, n = 2 + r->nspin;
  r->rows = (loopMatrix){.m = m, .n = n};
  if (!ARENA_TAKE(a, r->rows.start, m + 1) || !ARENA_TAKE(a, r->rows.column, m * n) ||
      !ARENA_TAKE(a, r->rows.value, m * n) || !least_start(&r->least, &r->rows, m * n, a))
    return 0;
  for (int i = 0; i < m; i++) {
    r->rows.start[i + 1] = (i + 1) * n;
    r->least.row[i] = 1;
    for (int j = 0; j < n; j++) r->rows.column[i * n + j] = j;
  }
  for (int j = 0; j < n; j++) r->least.column[j] = 1;
  return 1;
}


static int take_trim_arrays(trimWork *w)
{
  baseArena *a = &w->arena;
  const size_t nq = (size_t) w->m->tree.nq, nv = (size_t) w->m->tree.nv,
               ns = (size_t) memory_count(w->m), n = nv + 2 + ns, size = sizeof(double);
  return (w->unknown = arena_alloc(a, n, sizeof *w->unknown)) &&
         (w->is_base = arena_alloc(a, nv, 1)) && (w->q = arena_alloc(a, nq, size)) &&
         (w->v = arena_alloc(a, nv, size)) && (w->s = arena_alloc(a, ns, size)) &&
         (w->unit = arena_alloc(a, ns, size)) && (w->weight = arena_alloc(a, ns, size)) &&
         (w->value = arena_alloc(a, ns, size)) && (w->x = arena_alloc(a, n, size)) &&
         (w->move = arena_alloc(a, nv, size)) && (w->g = arena_alloc(a, n, size)) &&
         (w->trial = arena_alloc(a, n, size)) && (w->space = arena_alloc(a, 4 * n, size)) &&
         newton_take(&w->matrix, (int) n, a) && (w->m->nroll == 0 || take_rolling_trim(w));
}


// wheels begin to roll as fast as the speed has it
static void start_wheels(trimWork *w)
{
  const artModel *m = w->m;
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (!e->tyre) continue;
    const int link = m->frame[e->frame[0]].link, k = m->tree.link[link].v0;
    if (m->tree.link[link].nv != 1 || !is_spin(w, k)) continue;
    const double way = v3_dot(vertical_in_link(w, link), force_axle(m, w->d, e)) > 0 ? 1 : -1;
    w->v[k] = way * w->speed / art_tyre_rolling_radius(e->tyre, 0, 0, 0);
  }
}


static artStatus begin_trim(trimWork *w, artError *error)
{
  artData *d = w->d;
  const artModel *m = w->m;
  memset(d->v, 0, (size_t) m->tree.nv * sizeof *d->v);
  art_normalise(m, d->q);
  art_update(m, d);
  data_need_world(m, d);
  artStatus status = find_base(w, error);
  if (status != ART_OK) return status;

  // where the body looks that the yaw turns
  w->heading = (v3){1, 0, 0};
  if (w->yaw >= 0) {
    const treeModel *t = &w->m->tree;
    const int i = t->dof_link[w->yaw];
    const m3 R = tree_in_ground(&w->d->work->tree, i)->R;
    // the link's frame at zero coordinates has its own axes in ground
    const treeLink *link = &t->link[i];
    const v3 forward = m3_back(R, m3_mul(link->R, (v3){1, 0, 0}));
    const double length = hypot(forward.x, forward.y);
    if (length > 0) w->heading = (v3){forward.x / length, forward.y / length, 0};
  }
  w->left = (v3){-w->heading.y, w->heading.x, 0};

  int *independent = arena_alloc(&w->arena, (size_t) m->tree.nv, sizeof *independent);
  if (!independent) return base_no_memory(error);
  status = study_assemble(m, d, NULL, error);
  if (status != ART_OK) return status;
  data_need_world(m, d);
  list_unknowns(w, independent, study_independent(m, d, independent));
  if (w->roll && !take_rolling_rows(w)) return base_no_memory(error);
  memcpy(w->q, d->q, (size_t) m->tree.nq * sizeof *w->q);
  memset(w->v, 0, (size_t) m->tree.nv * sizeof *w->v);
  memory_get(m, d, w->s);
  for (int k = 0; k < memory_count(m); k++) w->unit[k] = fmax(1, fabs(w->s[k]));
  start_wheels(w);
  return ART_OK;
}


// At the steady motion nothing that is not a wheel turns in its joint.
static artStatus check_rolling_shape(const trimWork *w, artError *error)
{
  const artModel *m = w->m;
  for (int i = 0; i < w->n; i++) {
    const trimUnknown *u = &w->unknown[i];
    const int travels = !w->is_round && m->velocity[u->k].joint == m->velocity[w->travel[0]].joint;
    if (u->kind != TRIM_POSITION || travels ||
        fabs(w->d->v[u->k]) <= 1e-7 * fmax(1, fabs(w->speed)))
      continue;
    return base_fail(error, ART_NO_CONVERGENCE, base_nowhere(),
                     "no steady motion at %g m/s was found near the initial state: the wheels roll "
                     "only while %s is %.3g",
                     w->speed, m->velocity[u->k].name, w->d->v[u->k]);
  }
  return ART_OK;
}


// planes that move would say how fast wheels turn, too
static artStatus check_planes(const artModel *m, artError *error)
{
  for (int i = 0; i < m->nroll; i++) {
    const modelCut *cut = &m->cut[m->roll[i].cut];
    const modelJoint *joint = &m->joint[cut->joint];
    if (cut->side[0].n == 0) continue;
    return base_fail(
        error, ART_BAD_INPUT, joint->place,
        "'%s' rolls on body '%s', which moves: steady motions are found on ground alone",
        joint->name, m->body[joint->from].name);
  }
  return ART_OK;
}


// Is the surface the same however it turns about the axis of the yaw? A plane has its normal along the axis, others have their
// axis there.
static int is_about_axis(const trimWork *w, int i)
{
  const rollShape shape = w->m->cut[w->m->roll[i].cut].on.shape;
  const rollBodyPlace at = roll_body(w->m, w->d, i);
  const int link = w->m->tree.dof_link[w->yaw];
  const v3 out = v3_sub(at.origin, tree_in_ground(&w->d->work->tree, link)->o);
  const double close = 1e-9 * (at.radius + w->m->cut[w->m->roll[i].cut].on.radius);
  const int is_upright = fabs(at.surface.z.z) > 1 - 1e-12;
  if (shape == ROLL_ON_ROAD) return 0;
  if (shape == ROLL_ON_PLANE) return is_upright;
  return hypot(out.x, out.y) <= close && (shape == ROLL_ON_SPHERE || is_upright);
}


// a motion can be steady where the ground looks the same on the way: along planes, or around an axis
static artStatus check_way(const trimWork *w, artError *error)
{
  const artModel *m = w->m;
  for (int i = 0; i < m->nroll; i++) {
    const modelCut *cut = &m->cut[m->roll[i].cut];
    const modelJoint *joint = &m->joint[cut->joint];
    const int is_plane = cut->on.shape == ROLL_ON_PLANE;
    if (w->is_round ? is_about_axis(w, i) : is_plane) continue;
    return base_fail(error, ART_BAD_INPUT, joint->place,
                     "'%s' has no steady motion: vehicles that travel have them on planes, and "
                     "machines on a vertical revolute joint from ground on surfaces about its axis",
                     joint->name);
  }
  return ART_OK;
}


static void describe_trim(const trimWork *w, artTrim *result)
{
  result->residual = study_norm(w->n, w->g);
  result->sideways = w->side;
  result->yaw_rate = w->turn;
  result->gain = v3_dot(travel_acceleration(w), w->heading) + w->turn * w->side;
  if (!w->is_round) return;
  const v3 out = from_axis(w);
  const double rho = hypot(out.x, out.y);
  result->yaw_rate = w->speed / rho;
  result->gain = w->d->a[w->yaw] * rho;
}


artStatus art_find_trim(const artModel *m, artData *d, double speed, artTrim *result,
                        artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(result, error);
  if (!isfinite(speed)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the speed is %g m/s, a finite number is wanted", speed);
  }
  *result = (artTrim){0};
  artStatus possible = check_planes(m, error);
  if (possible == ART_OK) possible = model_refuse_rigid(m, "a steady motion", error);
  if (possible != ART_OK) return possible;
  trimWork w = {.m = m, .d = d, .speed = speed};
  if (!take_trim_arrays(&w)) {
    arena_free(&w.arena);
    return base_no_memory(error);
  }
  artEquilibrium rest;
  memory_get(m, d, w.s);
  if (art_find_equilibrium(m, d, &rest, NULL) != ART_OK) memory_put(m, d, w.s);
  artStatus status = begin_trim(&w, error);
  if (status == ART_OK && w.roll) status = check_way(&w, error);
  if (status == ART_OK) status = search_trim(&w, result, error);
  if (status == ART_OK) {
    memset(w.x, 0, (size_t) w.n * sizeof *w.x);
    status = unsteady_accelerations(&w, w.x, w.g, error);
  }
  if (status == ART_OK && w.roll) status = check_rolling_shape(&w, error);
  if (status == ART_OK) describe_trim(&w, result);
  arena_free(&w.arena);
  return status;
}
