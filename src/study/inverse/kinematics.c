// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinematics and compliance of an axle: a row of wheel angles, paths and loads for each travel.
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
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/max_nan.h"
#include "base/throw.h"
#include "force/force.h"
#include "model/define/study_def.h"
#include "study/rest/balance.h"

enum { RIG_LONGITUDINAL, RIG_LATERAL, RIG_ALIGNING, RIG_LOADS };

typedef struct rigWheel {
  int frame;
  v3 start, start_arm; // wheel centre, and from there to where loads act
  double side;         // 1 left, -1 right
  double sign;         // of its travel
} rigWheel;

typedef struct rigState {
  double *q, *lambda;
} rigState;

// Start from the study, and from model and data in the balance, whose supports are wheels and joints that are held.
typedef struct rigWork {
  balanceWork balance;
  const artKinematicsDef *study;
  int nwheel, nheld;
  rigWheel *wheel;
  int *held;              // [nheld] velocity coordinates
  double travel;          // wanted, m
  double load[RIG_LOADS]; // on every wheel, N, N, N m
  double forces;          // the largest met so far
  rigState safe;
} rigWork;

enum { MAX_ITERATIONS = 40, MAX_HALVINGS = 8 };

static const double NO_STIFFNESS = 1e-11; // of the largest singular value
static const double PRECISION = 1e-10;    // of the forces present
static const double AT_HEIGHT = 1e-12;    // m or rad
static const double LONGEST_TURN = 0.3;   // rad in one iteration


//---- names ---------------------------------------------------------------------------------------

// velocity coordinates of the joints that are held, as far as no drive moves them
static int list_held(const artModel *m, const artKinematicsDef *study, int *list)
{
  int n = 0;
  for (int i = 0; i < study->hold.count; i++) {
    const int joint = table_find(&m->joints, study->hold.name[i]);
    for (int k = 0; k < m->tree.nv; k++) {
      const int is_driven = m->tree.link[m->tree.dof_link[k]].is_driven;
      if (m->velocity[k].joint != joint || is_driven) continue;
      if (list) list[n] = k;
      n++;
    }
  }
  return n;
}


static void find_names(rigWork *w)
{
  const artModel *m = w->balance.m;
  w->nwheel = w->study->wheels.count;
  w->nheld = list_held(m, w->study, NULL);
  ARENA_TAKE(&w->balance.arena, w->wheel, w->nwheel);
  ARENA_TAKE(&w->balance.arena, w->held, w->nheld);
  list_held(m, w->study, w->held);
  for (int i = 0; i < w->nwheel; i++) {
    w->wheel[i].frame = table_find(&m->frames, w->study->wheels.name[i]);
    if (w->wheel[i].frame >= 0) continue;
    error_refuse(base_nowhere(), "'%.80s' is not a body, frame or point", w->study->wheels.name[i]);
  }
}


//---- wheels --------------------------------------------------------------------------------------

// wheel i at the last balance, in ground: centre, axis, and from the centre to where loads act
static v3 rig_centre(const rigWork *w, int i)
{
  ART_ASSERT(i >= 0 && i < w->nwheel);
  const modelFrame *frame = &w->balance.m->frame[w->wheel[i].frame];
  return tree_point(&w->balance.d->work->tree, frame->link, frame->r);
}


static v3 rig_axis(const rigWork *w, int i)
{
  ART_ASSERT(i >= 0 && i < w->nwheel);
  const modelFrame *frame = &w->balance.m->frame[w->wheel[i].frame];
  return m3_back(tree_in_ground(&w->balance.d->work->tree, frame->link)->R, frame->R.y);
}


// from the centre down in the wheel's plane:  -radius (z - (z.y) y) / |..|
static v3 rig_arm(const rigWork *w, int i)
{
  const v3 y = rig_axis(w, i), up = {0, 0, 1};
  const v3 in_plane = v3_sub(up, v3_scale(y.z, y));
  const double length = sqrt(v3_dot(in_plane, in_plane));
  return length > 0 ? v3_scale(-w->study->radius / length, in_plane) : (v3){0, 0, 0};
}


//---- motion and forces of the rig ----------------------------------------------------------------

// the balance is the first field of a rig
static rigWork *rig_of(balanceWork *balance)
{
  return (rigWork *) balance;
}


// displacement of a coordinate from the start; of orientations 2 vec(conj(e0) e)
static double rig_displacement(const rigWork *w, int k)
{
  const treeLink *link = &w->balance.m->tree.link[w->balance.m->tree.dof_link[k]];
  const int straight = link_straight(link), i = k - link->v0;
  const double *from = w->balance.start + link->q0, *to = w->balance.d->q + link->q0;
  if (i < straight) return to[i] - from[i];

  const double *f = from + straight, *e = to + straight;
  const int c = i - straight, a = (c + 1) % 3, b = (c + 2) % 3;
  const double side = f[0] * e[0] + f[1] * e[1] + f[2] * e[2] + f[3] * e[3] < 0 ? -2 : 2;
  return side * (f[0] * e[c + 1] - e[0] * f[c + 1] - (f[a + 1] * e[b + 1] - f[b + 1] * e[a + 1]));
}


// forces of the rig: up on wheels, along coordinates
static void support_on_rig(balanceWork *balance)
{
  rigWork *w = rig_of(balance);
  artData *d = balance->d;
  data_need_world(balance->m, d);

  // the lift at the centre, the loads below it
  for (int i = 0; i < w->nwheel; i++) {
    const modelFrame *frame = &w->balance.m->frame[w->wheel[i].frame];
    const v3 load = {w->load[RIG_LONGITUDINAL], w->load[RIG_LATERAL], 0};
    v3 moment = v3_cross(rig_arm(w, i), load);
    moment.z += w->load[RIG_ALIGNING];
    const v3 force = {load.x, load.y, w->balance.push[i]};
    force_wrench(d, frame->link, frame->r, force, moment);
  }

  for (int i = 0; i < w->nheld; i++) d->force[w->held[i]] += balance->push[w->nwheel + i];
  for (int k = 0; k < balance->m->tree.nv; k++) {
    w->forces = max_nan(w->forces, fabs(d->force[k]));
  }
}


static void rig_conditions(balanceWork *balance, double *c)
{
  const rigWork *w = rig_of(balance);
  for (int i = 0; i < w->nwheel; i++) {
    const rigWheel *wheel = &w->wheel[i];
    c[i] = rig_centre(w, i).z - wheel->start.z - wheel->sign * w->travel;
  }
  for (int i = 0; i < w->nheld; i++) c[w->nwheel + i] = rig_displacement(w, w->held[i]);
}


//---- Newton's method -----------------------------------------------------------------------------

static int is_balanced(const rigWork *w)
{
  const balanceWork *b = &w->balance;
  for (int k = 0; k < b->matrix.n; k++) {
    const double rounding = 256 * DBL_EPSILON * balance_stiffness(b, k);
    const double allowed = k < b->n ? PRECISION * w->forces + rounding : AT_HEIGHT;
    if (!(fabs(b->g[k]) <= allowed)) return 0;
  }
  return 1;
}


static artStatus linearise_rig(void *work, newtonState *state, double *norm, artError *error)
{
  balanceWork *b = work;
  const artStatus status = balance_jacobian(b, error);
  if (status != ART_OK) return status;
  *state = is_balanced(rig_of(b)) ? NEWTON_THERE : NEWTON_FAR;

  // forces are measured by a stiffness, the largest entry of the block of positions
  newtonMatrix *matrix = &b->matrix;
  double stiffness = 0;
  for (int j = 0; j < b->n; j++) {
    for (int i = 0; i < b->n; i++) {
      stiffness = max_nan(stiffness, fabs(matrix->J[(long) j * matrix->n + i]));
    }
  }
  if (stiffness == 0) stiffness = 1;
  for (int k = 0; k < matrix->n; k++) {
    matrix->row[k] = k < b->n ? 1 / stiffness : 1;
    matrix->column[k] = k < b->n ? 1 : stiffness / b->unit;
  }

  *norm = balance_norm(b, b->g);
  return newton_decompose(&b->matrix, error);
}


// from the best positions to balance; these and the forces are left there
static void balance_on_rig(void *context)
{
  rigWork *w = context;
  balanceWork *b = &w->balance;
  const newtonProblem problem = {b, linearise_rig, balance_attempt, balance_take, NULL};
  const newtonRule rule = newton_damping_rule(MAX_ITERATIONS);
  int iterations = 0;
  error_check(newton_search(&problem, &rule, &iterations, error_current()));
  if (!is_balanced(w)) {
    error_throw_at(ART_NO_CONVERGENCE, base_nowhere(),
                   "no equilibrium was found with the wheels %.6g m from where they start; move "
                   "them less, or in more steps",
                   w->travel);
  }
  error_check(balance_at_best(b, error_current()));
}


// a copy of the coordinates that balance moves
static void copy_state(const rigWork *w, const double *q, const double *lambda, double *q_to,
                       double *lambda_to)
{
  memcpy(q_to, q, (size_t) w->balance.m->tree.nq * sizeof *q);
  memcpy(lambda_to, lambda, (size_t) (w->nwheel + w->nheld) * sizeof *lambda);
}


// remember where the rig is, and go back there
static void rig_save(const rigWork *w, rigState *state)
{
  copy_state(w, w->balance.q, w->balance.lambda, state->q, state->lambda);
}


static void rig_load(rigWork *w, const rigState *state)
{
  copy_state(w, state->q, state->lambda, w->balance.q, w->balance.lambda);
}


// room to remember where the rig is
static void rig_take_state(rigWork *w, rigState *state)
{
  ARENA_TAKE(&w->balance.arena, state->q, w->balance.m->tree.nq);
  ARENA_TAKE(&w->balance.arena, state->lambda, w->nwheel + w->nheld);
}


// Balance at another travel, or under other loads at the same one, in halves of the way where the whole is too far.
// ART_NO_CONVERGENCE leaves the rig where it was.
static void rig_balance(rigWork *w, double travel)
{
  double from = w->travel, step = travel - from;
  artStatus status = ART_NO_CONVERGENCE;
  for (int k = 0; k <= MAX_HALVINGS && status != ART_OK; k++, step /= 2) {
    rig_save(w, &w->safe);
    for (double s = 1; s <= ldexp(1, k); s++) {
      w->travel = s == ldexp(1, k) ? travel : from + s * step;
      status = error_try(balance_on_rig, w, error_current());
      if (status != ART_OK) break;
    }
    if (status == ART_NO_MEMORY || status == ART_STOPPED) error_throw();
    if (status != ART_OK) rig_load(w, &w->safe);
    if (step == 0) break;
  }
  if (status != ART_OK) w->travel = from;
  error_check(status);
  base_forget(error_current()); // of ways that were too far
}


//---- life ----------------------------------------------------------------------------------------

static void refuse_memory(const artModel *m)
{
  if (memory_count(m) == 0) return;
  error_throw_at(ART_UNSUPPORTED, memory_place(m, 0),
                 "the rig of an axle moves in no time, so '%s' has no value of its own in it; take "
                 "states and sampled blocks out for this study",
                 memory_name(m, 0));
}


// Bring the machine to balance at zero travel, loads as they are; rig_end in any case, which leaves the data where it was.
static void rig_begin(rigWork *w)
{
  balanceWork *b = &w->balance;
  const artModel *m = b->m;
  refuse_memory(m);
  find_names(w);
  b->nsupport = w->nwheel + w->nheld;
  b->support = support_on_rig;
  b->condition = rig_conditions;
  b->longest_turn = LONGEST_TURN;
  b->no_stiffness = NO_STIFFNESS;
  b->unit = w->forces = fmax(1, study_weight(m));
  error_check(balance_begin(b, error_current()));
  rig_take_state(w, &w->safe);
  b->d->work->force->tyres = TYRES_FLOAT;

  // where wheels are at the start, and which way each goes
  data_need_world(w->balance.m, w->balance.d);
  for (int i = 0; i < w->nwheel; i++) {
    rigWheel *wheel = &w->wheel[i];
    wheel->start = rig_centre(w, i);
    wheel->start_arm = rig_arm(w, i);
    wheel->side = wheel->start.y < 0 ? -1 : 1;
    wheel->sign = w->study->is_opposite ? wheel->side * w->wheel[0].side : 1;
  }

  rig_balance(w, 0);
}


//---- the table -----------------------------------------------------------------------------------

// of each wheel; the first four also under loads
enum { TOE, CAMBER, DX, DY, POSE, SCRUB = POSE, TRAVEL, LOAD, RATE, WHEEL };

static const char *const WHEEL_NAME[WHEEL] = {"toe",   "camber", "dx",   "dy",
                                              "scrub", "travel", "load", "rate"};
static const char *const WHEEL_UNIT[WHEEL] = {"rad", "rad", "m", "m", "m", "m", "N", "N/m"};
static const char *const LOAD_NAME[RIG_LOADS] = {"longitudinal", "lateral", "aligning"};

typedef struct kinematicsWork {
  rigWork rig;
  artTable *table;
  int nload;
  int load[RIG_LOADS]; // those that are not zero
  int has_track;
  double *pose; // [nwheel POSE] without loads
  double *rate; // [nwheel]
  rigState centre, here;
} kinematicsWork;


//---- columns -------------------------------------------------------------------------------------

static void lay_kinematics_table(kinematicsWork *k)
{
  const rigWork *w = &k->rig;
  const double given[RIG_LOADS] = {w->study->longitudinal, w->study->lateral, w->study->aligning};
  for (int l = 0; l < RIG_LOADS; l++) {
    if (given[l] != 0) k->load[k->nload++] = l;
  }
  k->has_track = w->nwheel == 2 && w->wheel[0].side != w->wheel[1].side;
  const int columns = 1 + w->nwheel * (WHEEL + POSE * k->nload) + k->has_track;
  result_create(&k->table, columns, 2 * (long) w->study->steps + 1);
  artTable *t = k->table;
  result_add_column(t, "m", "travel");
  for (int i = 0; i < w->nwheel; i++) {
    for (int c = 0; c < WHEEL; c++) {
      result_add_column(t, WHEEL_UNIT[c], "%s.%s", w->study->wheels.name[i], WHEEL_NAME[c]);
    }
  }
  if (k->has_track) result_add_column(t, "m", "track");
  for (int l = 0; l < k->nload; l++) {
    for (int i = 0; i < w->nwheel; i++) {
      for (int c = 0; c < POSE; c++) {
        result_add_column(t, WHEEL_UNIT[c], "%s.%s.%s", w->study->wheels.name[i], WHEEL_NAME[c],
                          LOAD_NAME[k->load[l]]);
      }
    }
  }
}


//---- rows ----------------------------------------------------------------------------------------

// A wheel turned by delta about z has the axis (-sin delta, cos delta, 0); one whose top leans to the
// left by phi has (0, cos phi, -sin phi).
static void find_pose(const rigWork *w, int i, double pose[POSE])
{
  const rigWheel *wheel = &w->wheel[i];
  const v3 axis = rig_axis(w, i), centre = rig_centre(w, i);
  pose[TOE] = wheel->side * atan2(axis.x, axis.y);
  pose[CAMBER] = -wheel->side * atan2(axis.z, hypot(axis.x, axis.y));
  pose[DX] = centre.x - wheel->start.x;
  pose[DY] = centre.y - wheel->start.y;
}


static void find_compliance(kinematicsWork *k, double *next)
{
  rigWork *w = &k->rig;
  const double given[RIG_LOADS] = {w->study->longitudinal, w->study->lateral, w->study->aligning};
  rig_save(w, &k->here);
  for (int l = 0; l < k->nload; l++) {
    w->load[k->load[l]] = given[k->load[l]];
    rig_balance(w, w->travel);
    for (int i = 0; i < w->nwheel; i++, next += POSE) {
      find_pose(w, i, next);
      for (int c = 0; c < POSE; c++) next[c] -= k->pose[POSE * i + c];
    }
    w->load[k->load[l]] = 0;
    rig_load(w, &k->here);
  }
}


static void fill_row(kinematicsWork *k, double *row)
{
  rigWork *w = &k->rig;
  double *next = row, track = 0;
  // the forces on wheels per travel of each, at the last balance, N/m: dlambda/dtravel,  J x = dc/dtravel
  double *rate = k->rate;
  balanceWork *b = &w->balance;
  double *right = b->space;
  memset(right, 0, (size_t) b->matrix.n * sizeof *right);
  for (int i = 0; i < w->nwheel; i++) right[b->n + i] = w->wheel[i].sign;
  newton_solve(&b->matrix, 0, b->no_stiffness, right, b->step);
  for (int i = 0; i < w->nwheel; i++) {
    rate[i] = w->wheel[i].sign * b->unit * b->step[b->n + i];
  }
  *next++ = w->travel;
  for (int i = 0; i < w->nwheel; i++, next += WHEEL) {
    double *pose = k->pose + POSE * i;
    find_pose(w, i, pose);
    memcpy(next, pose, POSE * sizeof *pose);

    // how far the point below the wheel has moved away from the middle
    next[SCRUB] = w->wheel[i].side * (pose[DY] + rig_arm(w, i).y - w->wheel[i].start_arm.y);

    next[TRAVEL] = w->wheel[i].sign * w->travel;
    next[LOAD] = w->balance.lambda[i];
    next[RATE] = k->rate[i];
    track += next[SCRUB];
  }
  if (k->has_track) *next++ = track;
  find_compliance(k, next);
}


// from zero travel one way, row by row
static void go_through_travel(kinematicsWork *k, double end, int way)
{
  ART_ASSERT(way == 1 || way == -1);
  const int steps = k->rig.study->steps;
  rig_load(&k->rig, &k->centre);
  k->rig.travel = 0;
  for (int i = 0; i <= steps; i++) {
    rig_balance(&k->rig, end * i / steps);
    double *row = k->table->value + (long) (steps + way * i) * k->table->columns;
    fill_row(k, row);
  }
}


static void fill_kinematics_table(void *context)
{
  kinematicsWork *k = context;
  rigWork *w = &k->rig;
  rig_begin(w);
  lay_kinematics_table(k);
  ARENA_TAKE(&w->balance.arena, k->pose, POSE * w->nwheel);
  ARENA_TAKE(&w->balance.arena, k->rate, w->nwheel);
  rig_take_state(w, &k->centre);
  rig_take_state(w, &k->here);
  rig_save(w, &k->centre);
  go_through_travel(k, -w->study->rebound, -1);
  go_through_travel(k, w->study->bump, 1);
}


artStatus art_find_kinematics(const artModel *m, artData *d, const artKinematicsDef *study,
                              artTable **result, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(result, error);
  *result = NULL;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(study, error);
  artStatus status = model_check_study(ART_KINEMATICS, study, error);
  if (status == ART_OK) status = model_refuse_rolls(m, "kinematics of axles", error);
  if (status != ART_OK) return status;
  kinematicsWork k = {.rig = {.balance = {.m = m, .d = d, .arena.leaves = 1}, .study = study}};
  status = error_try(fill_kinematics_table, &k, error);
  balanceWork *b = &k.rig.balance;
  b->d->work->force->tyres = TYRES_ROLL;
  if (b->start) {
    memcpy(b->d->q, b->start, (size_t) b->m->tree.nq * sizeof *b->start);
    art_update(b->m, b->d);
  }
  arena_free(&b->arena);
  if (status != ART_OK) {
    art_free_table(k.table);
    return status;
  }
  *result = k.table;
  return ART_OK;
}
