// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The rig that moves the wheels of an axle: positions where nothing is missing but what the rig gives,
//   g(q) = J_c(q)^T lambda,   c(q) = 0,
// with c the heights of the wheel centres, less those wanted, and the displacements of joints that are
// held; lambda the forces that the rig needs for it. The forces act in the machine as all others do,
// so that by differences of the whole
//   [ dg/dq  -J_c^T ] [ dq      ]     [ g - J_c^T lambda ]
//   [ J_c     0     ] [ dlambda ] = - [ c                ]
// Newton's method goes from travel to travel. Directions that nothing holds (a wheel that spins) are
// left alone by way of singular values.
#include "study/rig.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "force/force.h"
#include "loop/loop.h"
#include "num/dense.h"
#include "study/assemble.h"
#include "study/difference.h"
#include "study/study.h"

enum { MOST_ITERATIONS = 40, MOST_HALVINGS = 8 };

static const double NO_STIFFNESS = 1e-11; // of the largest singular value
static const double PRECISION = 1e-10;    // of the forces present
static const double AT_HEIGHT = 1e-12;    // m or rad
static const double LONGEST_TURN = 0.3;   // rad in one iteration


//---- memory --------------------------------------------------------------------------------------

static int take_arrays(rigWork *w)
{
  baseArena *a = &w->arena;
  const size_t nq = (size_t) w->m->tree.nq, nv = (size_t) w->m->tree.nv, size = sizeof(double);
  const size_t n = nv + (size_t) (w->nwheel + w->nheld);
  return (w->free = arena_alloc(a, nv, sizeof *w->free)) &&
         (w->R = arena_alloc(a, nv * nv, size)) && (w->start = arena_alloc(a, nq, size)) &&
         (w->q = arena_alloc(a, nq, size)) && (w->move = arena_alloc(a, nv, size)) &&
         (w->all = arena_alloc(a, nv, size)) && (w->lambda = arena_alloc(a, n, size)) &&
         (w->push = arena_alloc(a, n, size)) && (w->r = arena_alloc(a, n, size)) &&
         (w->J = arena_alloc(a, n * n, size)) && (w->scaled = arena_alloc(a, n * n, size)) &&
         (w->U = arena_alloc(a, n * n, size)) && (w->s = arena_alloc(a, n, size)) &&
         (w->Vt = arena_alloc(a, n * n, size)) && (w->x = arena_alloc(a, n, size)) &&
         (w->space = arena_alloc(a, 4 * n, size));
}


// velocity coordinates of the joints that are held, as far as no drive moves them
static int list_held(const artModel *m, const artStudyDef *study, int *list)
{
  int n = 0;
  for (int i = 0; i < study->nheld; i++) {
    const int joint = table_find(&m->joints, study->held[i]);
    for (int k = 0; k < m->tree.nv; k++) {
      const int is_driven = m->tree.link[m->tree.dof_link[k]].is_driven;
      if (m->velocity[k].joint != joint || is_driven) continue;
      if (list) list[n] = k;
      n++;
    }
  }
  return n;
}


static artStatus find_names(rigWork *w, artError *error)
{
  const artModel *m = w->m;
  w->nwheel = w->study->nwheel;
  w->nheld = list_held(m, w->study, NULL);
  w->wheel = arena_alloc(&w->arena, (size_t) w->nwheel, sizeof *w->wheel);
  w->held = arena_alloc(&w->arena, (size_t) w->nheld, sizeof *w->held);
  if (!w->wheel || !w->held) return base_no_memory(error);
  list_held(m, w->study, w->held);
  for (int i = 0; i < w->nwheel; i++) {
    w->wheel[i].frame = table_find(&m->frames, w->study->wheel[i]);
    if (w->wheel[i].frame >= 0) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "'%.80s' is no body, frame or point",
                     w->study->wheel[i]);
  }
  return ART_OK;
}


//---- wheels --------------------------------------------------------------------------------------

v3 rig_centre(const rigWork *w, int i)
{
  const modelFrame *frame = &w->m->frame[w->wheel[i].frame];
  return tree_point(&w->d->work->tree, frame->link, frame->r);
}


v3 rig_axis(const rigWork *w, int i)
{
  const modelFrame *frame = &w->m->frame[w->wheel[i].frame];
  return m3_back(tree_in_ground(&w->d->work->tree, frame->link)->R, frame->R.y);
}


// from the centre down in the wheel's plane:  -radius (z - (z.y) y) / |..|
v3 rig_arm(const rigWork *w, int i)
{
  const v3 y = rig_axis(w, i), up = {0, 0, 1};
  const v3 in_plane = v3_sub(up, v3_scale(y.z, y));
  const double length = sqrt(v3_dot(in_plane, in_plane));
  return length > 0 ? v3_scale(-w->study->radius / length, in_plane) : (v3){0, 0, 0};
}


// the lift at the centre, the loads below it
static void push_wheels(const rigWork *w)
{
  for (int i = 0; i < w->nwheel; i++) {
    const modelFrame *frame = &w->m->frame[w->wheel[i].frame];
    const v3 load = {w->load[RIG_LONGITUDINAL], w->load[RIG_LATERAL], 0};
    v3 moment = v3_cross(rig_arm(w, i), load);
    moment.z += w->load[RIG_ALIGNING];
    force_at_point(w->d, frame->link, frame->r, (v3){load.x, load.y, w->push[i]});
    force_torque(w->d, frame->link, moment);
  }
}


//---- what is missing -----------------------------------------------------------------------------

// displacement of a coordinate from the start; of orientations 2 vec(conj(e0) e)
static double displacement(const rigWork *w, int k)
{
  const treeLink *link = &w->m->tree.link[w->m->tree.dof_link[k]];
  const int has_quaternion = link->kind == LINK_SPHERICAL || link->kind == LINK_FREE;
  const int straight = link->nv - (has_quaternion ? 3 : 0), i = k - link->v0;
  const double *from = w->start + link->q0, *to = w->d->q + link->q0;
  if (i < straight) return to[i] - from[i];

  const double *f = from + straight, *e = to + straight;
  const int c = i - straight, a = (c + 1) % 3, b = (c + 2) % 3;
  const double side = f[0] * e[0] + f[1] * e[1] + f[2] * e[2] + f[3] * e[3] < 0 ? -2 : 2;
  return side * (f[0] * e[c + 1] - e[0] * f[c + 1] - (f[a + 1] * e[b + 1] - f[b + 1] * e[a + 1]));
}


// at the positions in the data, with forces `push` of the rig
static artStatus missing_at_rest(rigWork *w, double *r, artError *error)
{
  const artModel *m = w->m;
  artData *d = w->d;
  artStatus status = study_rest(m, d, error);
  if (status == ART_OK) status = force_apply(m, d, error);
  if (status != ART_OK) return status;

  data_need_world(m, d);
  push_wheels(w);
  for (int i = 0; i < w->nheld; i++) d->force[w->held[i]] += w->push[w->nwheel + i];
  study_balance(m, d, NULL, w->all);
  for (int k = 0; k < m->tree.nv; k++) w->forces = base_larger(w->forces, fabs(d->force[k]));
  study_reduce(m, d, w->all);

  for (int k = 0; k < w->n; k++) r[k] = w->all[w->free[k]];
  for (int i = 0; i < w->nwheel; i++) {
    const rigWheel *wheel = &w->wheel[i];
    r[w->n + i] = rig_centre(w, i).z - wheel->start.z - wheel->sign * w->travel;
  }
  for (int i = 0; i < w->nheld; i++) r[w->n + w->nwheel + i] = displacement(w, w->held[i]);
  return ART_OK;
}


// at a displacement from the best positions
static artStatus missing_moved(rigWork *w, double *r, artError *error)
{
  memcpy(w->d->q, w->q, (size_t) w->m->tree.nq * sizeof *w->q);
  art_move(w->m, w->d->q, w->move);
  return missing_at_rest(w, r, error);
}


// along an unknown: a coordinate, or a force of the rig, of which 1 N is little
static artStatus missing_along_column(void *context, double s, double *r, artError *error)
{
  rigWork *w = context;
  const int nv = w->m->tree.nv, n = w->n, ncondition = w->size - n;
  memcpy(w->push, w->lambda, (size_t) ncondition * sizeof *w->push);
  memset(w->move, 0, (size_t) nv * sizeof *w->move);
  if (w->column < n) {
    for (int k = 0; k < nv; k++) w->move[k] = s * w->R[(long) k * n + w->column];
  } else {
    w->push[w->column - n] += s * w->unit;
  }
  return missing_moved(w, r, error);
}


// r at the best positions, with coordinates there that are fit to be independent
static artStatus missing_at_best(rigWork *w, artError *error)
{
  const artModel *m = w->m;
  memcpy(w->d->q, w->q, (size_t) m->tree.nq * sizeof *w->q);
  art_update(m, w->d);
  artStatus status = m->nrow > 0 ? loop_watch(m, w->d, error) : ART_OK;
  if (status != ART_OK) return status;
  w->n = study_independent(m, w->d, w->free);
  w->size = w->n + w->nwheel + w->nheld;
  memcpy(w->push, w->lambda, (size_t) (w->size - w->n) * sizeof *w->push);
  status = missing_at_rest(w, w->r, error);
  if (status != ART_OK) return status;
  memcpy(w->q, w->d->q, (size_t) m->tree.nq * sizeof *w->q);
  study_transformation(m, w->d, w->n, w->free, w->R);
  return ART_OK;
}


static artStatus find_jacobian(rigWork *w, artError *error)
{
  artStatus status = missing_at_best(w, error);
  const differenceFunction f = {w->size, missing_along_column, w};
  w->d->work->is_frozen = 1;
  for (w->column = 0; w->column < w->size && status == ART_OK; w->column++) {
    status = difference_slope(&f, w->space, w->J + (long) w->column * w->size, error);
  }
  w->d->work->is_frozen = 0;
  return status;
}


//---- Newton's method -----------------------------------------------------------------------------

// x = J^-1 b, by the singular values of J with forces measured by a stiffness
static artStatus solve(rigWork *w, const double *b, double *x, artError *error)
{
  const int n = w->size;
  double stiffness = 0;
  for (int j = 0; j < w->n; j++) {
    for (int i = 0; i < w->n; i++) stiffness = base_larger(stiffness, fabs(w->J[(long) j * n + i]));
  }
  if (stiffness == 0) stiffness = 1;
  for (int j = 0; j < n; j++) {
    const double column = j < w->n ? 1 : stiffness / w->unit;
    for (int i = 0; i < n; i++) {
      const double row = i < w->n ? 1 / stiffness : 1;
      w->scaled[(long) j * n + i] = row * column * w->J[(long) j * n + i];
    }
  }
  const artStatus status = num_singular_values(n, w->scaled, w->U, w->s, w->Vt, error);
  if (status != ART_OK) return status;

  memset(x, 0, (size_t) n * sizeof *x);
  for (int i = 0; i < n && w->s[i] > NO_STIFFNESS * w->s[0]; i++) {
    double share = 0;
    for (int k = 0; k < n; k++) {
      share += w->U[(long) i * n + k] * (k < w->n ? b[k] / stiffness : b[k]);
    }
    share /= w->s[i];
    for (int k = 0; k < n; k++) {
      x[k] += share * w->Vt[(long) k * n + i] * (k < w->n ? 1 : stiffness);
    }
  }
  return ART_OK;
}


// w->move = -R x, shortened so that no angle turns too far; returns by how much
static double lay_move(rigWork *w)
{
  double turn = 0;
  for (int k = 0; k < w->m->tree.nv; k++) {
    w->move[k] = 0;
    for (int i = 0; i < w->n; i++) w->move[k] -= w->R[(long) k * w->n + i] * w->x[i];
    if (study_is_angular(w->m, k)) turn = base_larger(turn, fabs(w->move[k]));
  }
  const double factor = turn > LONGEST_TURN ? LONGEST_TURN / turn : 1;
  for (int k = 0; k < w->m->tree.nv; k++) w->move[k] *= factor;
  return factor;
}


static int is_balanced(const rigWork *w)
{
  for (int k = 0; k < w->size; k++) {
    double stiffness = 0;
    for (int j = 0; j < w->n; j++) stiffness += fabs(w->J[(long) j * w->size + k]);
    const double allowed =
        k < w->n ? PRECISION * w->forces + 256 * DBL_EPSILON * stiffness : AT_HEIGHT;
    if (!(fabs(w->r[k]) <= allowed)) return 0;
  }
  return 1;
}


// from the best positions to balance; these and the forces are left there
static artStatus balance(rigWork *w, artError *error)
{
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    artStatus status = find_jacobian(w, error);
    if (status == ART_OK && is_balanced(w)) return missing_at_best(w, error);
    if (status == ART_OK) status = solve(w, w->r, w->x, error);
    if (status != ART_OK) return status;
    const double factor = lay_move(w);
    memcpy(w->d->q, w->q, (size_t) w->m->tree.nq * sizeof *w->q);
    art_move(w->m, w->d->q, w->move);
    memcpy(w->q, w->d->q, (size_t) w->m->tree.nq * sizeof *w->q);
    for (int k = w->n; k < w->size; k++) w->lambda[k - w->n] -= factor * w->x[k];
  }
  return base_fail(error, ART_NO_CONVERGENCE, base_nowhere(),
                   "no equilibrium was found with the wheels %.6g m from where they start; move "
                   "them less, or in more steps",
                   w->travel);
}


// a copy of what balance moves
static void copy_state(const rigWork *w, const double *q, const double *lambda, double *q_to,
                       double *lambda_to)
{
  memcpy(q_to, q, (size_t) w->m->tree.nq * sizeof *q);
  memcpy(lambda_to, lambda, (size_t) (w->nwheel + w->nheld) * sizeof *lambda);
}


void rig_save(const rigWork *w, rigState *state)
{
  copy_state(w, w->q, w->lambda, state->q, state->lambda);
}


void rig_load(rigWork *w, const rigState *state)
{
  copy_state(w, state->q, state->lambda, w->q, w->lambda);
}


int rig_take_state(rigWork *w, rigState *state)
{
  state->q = arena_alloc(&w->arena, (size_t) w->m->tree.nq, sizeof(double));
  state->lambda = arena_alloc(&w->arena, (size_t) (w->nwheel + w->nheld), sizeof(double));
  return state->q && state->lambda;
}


// in halves of the way where the whole is too far
artStatus rig_balance(rigWork *w, double travel, artError *error)
{
  double from = w->travel, step = travel - from;
  artStatus status = ART_NO_CONVERGENCE;
  for (int k = 0; k <= MOST_HALVINGS && status != ART_OK; k++, step /= 2) {
    rig_save(w, &w->safe);
    for (double s = 1; s <= ldexp(1, k); s++) {
      w->travel = s == ldexp(1, k) ? travel : from + s * step;
      status = balance(w, error);
      if (status != ART_OK) break;
    }
    if (status == ART_NO_MEMORY || status == ART_STOPPED) return status;
    if (status != ART_OK) rig_load(w, &w->safe);
    if (step == 0) break;
  }
  if (status != ART_OK) w->travel = from;
  return status;
}


// dlambda/dtravel:  J x = dc/dtravel
artStatus rig_find_rates(rigWork *w, double *rate, artError *error)
{
  double *b = w->space;
  memset(b, 0, (size_t) w->size * sizeof *b);
  for (int i = 0; i < w->nwheel; i++) b[w->n + i] = w->wheel[i].sign;
  const artStatus status = solve(w, b, w->x, error);
  for (int i = 0; i < w->nwheel; i++) rate[i] = w->wheel[i].sign * w->x[w->n + i];
  return status;
}


//---- life ----------------------------------------------------------------------------------------

// where wheels are at the start, and which way each goes
static void place_wheels(rigWork *w)
{
  data_need_world(w->m, w->d);
  for (int i = 0; i < w->nwheel; i++) {
    rigWheel *wheel = &w->wheel[i];
    wheel->start = rig_centre(w, i);
    wheel->start_arm = rig_arm(w, i);
    wheel->side = wheel->start.y < 0 ? -1 : 1;
    wheel->sign = w->study->is_opposite ? wheel->side * w->wheel[0].side : 1;
  }
}


artStatus rig_begin(rigWork *w, artError *error)
{
  const artModel *m = w->m;
  artData *d = w->d;
  artStatus status = find_names(w, error);
  if (status != ART_OK) return status;
  d->work->is_frozen = 0;
  art_normalise(m, d->q);
  art_update(m, d);
  status = study_assemble(m, d, NULL, error);
  if (status != ART_OK) return status;
  if (!take_arrays(w) || !rig_take_state(w, &w->safe)) return base_no_memory(error);
  memcpy(w->start, d->q, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(w->q, d->q, (size_t) m->tree.nq * sizeof *d->q);
  d->work->tyres = TYRES_FLOAT;
  place_wheels(w);
  const v3 g = m->tree.gravity;
  w->unit = fmax(1, m->mass * sqrt(v3_dot(g, g)));
  w->forces = w->unit;
  return rig_balance(w, 0, error);
}


void rig_end(rigWork *w)
{
  w->d->work->tyres = TYRES_ROLL;
  if (w->start) {
    memcpy(w->d->q, w->start, (size_t) w->m->tree.nq * sizeof *w->start);
    art_update(w->m, w->d);
  }
  arena_free(&w->arena);
}
