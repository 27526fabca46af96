// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motion in time: the machine as a problem for a stepper, and the account that a run gives.
#include "study/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/larger.h"
#include "base/memory.h"
#include "data/profile.h"
#include "force/force.h"
#include "force/tyre.h"
#include "loop/residual.h"
#include "loop/singular_crossing.h"
#include "loop/state.h"
#include "method/method.h"
#include "model/builder.h"
#include "study/assemble.h"
#include "study/fork.h"
#include "study/natural_run.h"

//---- between y and the data ----------------------------------------------------------------------

static void put_positions(artRun *run, const double *y)
{
  for (int k = 0; k < run->nq; k++) run->d->q[run->position[k]] = y[k];
}


static void put_numbers(artRun *run, double t, const double *y)
{
  run->d->time = t;
  run->settled_time = -HUGE_VAL;
  put_positions(run, y);
  for (int k = 0; k < run->nv; k++) run->d->v[run->velocity[k]] = y[run->nq + k];
  for (int k = 0; k < run->m->nstate; k++) run->d->s[k] = y[run->nq + run->nv + k];
}


void run_put(artRun *run, double t, const double *y)
{
  put_numbers(run, t, y);
  force_update(run->m, run->d);
}


void run_take_state(const artRun *run, double work, double *y)
{
  for (int k = 0; k < run->nq; k++) y[k] = run->d->q[run->position[k]];
  for (int k = 0; k < run->nv; k++) y[run->nq + k] = run->d->v[run->velocity[k]];
  for (int k = 0; k < run->m->nstate; k++) y[run->nq + run->nv + k] = run->d->s[k];
  y[run->n - 1] = work / run->unit;
}


double run_work(const artRun *run, const double *y)
{
  return y[run->n - 1] * run->unit;
}


// is the data there already, where a step has ended and closed the loops?
static int is_settled(const artRun *run, double t, const double *y)
{
  if (!run->is_reduced || run->settled_time != t || !run->d->work->loop->is_closed) return 0;
  for (int k = 0; k < run->nq; k++) {
    if (run->d->q[run->position[k]] != y[k]) return 0;
  }
  for (int k = 0; k < run->nv; k++) {
    if (run->d->v[run->velocity[k]] != y[run->nq + k]) return 0;
  }
  for (int k = 0; k < run->m->nstate; k++) {
    if (run->d->s[k] != y[run->nq + run->nv + k]) return 0;
  }
  return 1;
}


//---- the problem ---------------------------------------------------------------------------------

// accelerations and power at y; code places nothing but coordinates
static artStatus accelerate(artRun *run, double t, const double *y)
{
  if (run->backend) {
    put_numbers(run, t, y);
    const artStatus status = run->backend->rates(run->m, run->d, &run->failure);

    // code that could not be compiled now will not be in a shorter step either
    if (status == ART_NO_MEMORY || status == ART_UNSUPPORTED) run->halt = run->failure;
    return status;
  }
  if (is_settled(run, t, y)) {
    run->d->work->loop->has_stayed = 1;
  } else {
    run_put(run, t, y);
  }
  if (run->d->work->profile) run->d->work->profile->stepping++;
  return method_accelerate(run->m, run->d, run->method, &run->failure);
}


static artStatus rate(void *context, double t, const double *y, double *ydot)
{
  artRun *run = context;
  if (run->halt.status != ART_OK) {
    run->failure = run->halt;
    return run->halt.status;
  }
  const artStatus status = accelerate(run, t, y);
  if (status != ART_OK) return status;

  data_position_rates(run->m, run->d, run->qdot);
  for (int k = 0; k < run->nq; k++) ydot[k] = run->qdot[run->position[k]];
  for (int k = 0; k < run->nv; k++) ydot[run->nq + k] = run->d->a[run->velocity[k]];
  for (int k = 0; k < run->m->nstate; k++) ydot[run->nq + run->nv + k] = run->d->s_rate[k];
  const double power = run->d->work->power;
  ydot[run->n - 1] = power / run->unit;
  if (isfinite(power)) return ART_OK;
  return base_fail(&run->failure, ART_NO_CONVERGENCE, base_nowhere(),
                   "the power of the forces is not finite at t = %.9g s", t);
}


void run_switches(artRun *run, double t, const double *y, double *g)
{
  run_put(run, t, y);
  force_switches(run->m, run->d, g);
}


void run_cross(artRun *run, double t, const double *y, int i)
{
  run_put(run, t, y);
  force_cross(run->m, run->d, i);
}


static void switches(void *context, double t, const double *y, double *g)
{
  run_switches(context, t, y, g);
}


static void cross(void *context, double t, const double *y, int i)
{
  run_cross(context, t, y, i);
}


static artStatus jump(void *context, double t, double *y, artError *error)
{
  artRun *run = context;
  // drives first, in the rows so far: what engages stops velocities behind their blow
  artStatus status = run->m->ndrive > 0 ? run_jump(run, t, y, &run->failure) : ART_OK;
  if (status == ART_OK) status = latch_jump(run, t, y, &run->failure);
  if (status != ART_OK && error) *error = run->failure;
  return status;
}


// the largest deviation of a quaternion's length from one
static double quaternion_error(const artModel *m, const double *q)
{
  double most = 0;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    if (link->kind != LINK_SPHERICAL && link->kind != LINK_FREE) continue;
    const double *e = q + link->q0 + (link->kind == LINK_FREE ? 3 : 0);
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    most = base_larger(most, fabs(length - 1));
  }
  return most;
}


// how far loops that a method holds by its accelerations alone have opened; where nothing closes them it stays
static void account_violation(artRun *run)
{
  artCertificate *c = &run->certificate;
  double *position = run->drifts ? &c->position_residual : &c->position_violation;
  double *velocity = run->drifts ? &c->velocity_residual : &c->velocity_violation;
  loopResidual open;
  if (residual_open(run->m, run->d, &open, NULL) != ART_OK) return;
  *position = base_larger(*position, open.position);
  *velocity = base_larger(*velocity, open.velocity);
}


// Velocities that closing the loops changes by more than this part of the largest are those of another branch,
// unless the machine nearly stands: then they are errors of integration, of which tolerances and steps say how
// large they may be beside the largest velocity of the run so far.
#define JUMP       0.1
#define STANDING   100.0 // times the relative tolerance
#define FIXED      1e-2  // with steps of a given length
#define STANDSTILL 1e-9  // m/s or rad/s


// the data holds what closing has made of y
static void check_branch(artRun *run, double t, const double *y)
{
  double fastest = 0, jump = 0;
  for (int k = 0; k < run->nv; k++) {
    fastest = base_larger(fastest, fabs(y[run->nq + k]));
    jump = base_larger(jump, fabs(run->d->v[run->velocity[k]] - y[run->nq + k]));
  }
  run->top_speed = base_larger(run->top_speed, fastest);
  const double most = fmax(JUMP * fastest, fmax(run->noise * run->top_speed, STANDSTILL));
  if (jump <= most || run->halt.status != ART_OK) return;
  base_fail(
      &run->halt, ART_NO_CONVERGENCE, base_nowhere(),
      "the step that ends at t = %.9g s is too long to follow the loops: closed again they move "
      "otherwise, with velocities that differ by %.3g of up to %.3g; choose shorter steps or a "
      "tighter tolerance",
      t, jump, fastest);
}


// dependent coordinates of y from the independent ones
static artStatus close_loops(artRun *run, double t, double *y, artError *error)
{
  run_put(run, t, y);
  if (!run->is_reduced) account_violation(run);
  const artStatus status = loop_close(run->m, run->d, error);
  if (status != ART_OK) return status;
  check_branch(run, t, y);
  run_take_state(run, run_work(run, y), y);
  run->settled_time = t;
  run->is_by_code = 0;
  return ART_OK;
}


// the same by generated code, whose rates at the end of a step are those at the start of the next
static int close_by_code(artRun *run, double t, double *y)
{
  if (!run->backend) return 0;
  put_numbers(run, t, y);
  if (!run->backend->close(run->m, run->d)) return 0;
  check_branch(run, t, y);
  run_take_state(run, run_work(run, y), y);
  run->settled_time = t;
  run->is_by_code = 1;
  return 1;
}


static int settle(void *context, double t, double *y)
{
  artRun *run = context;
  double *q = run->d->q;
  run->settled_time = -HUGE_VAL;
  put_positions(run, y);
  artCertificate *c = &run->certificate;
  c->quaternion_error = base_larger(c->quaternion_error, quaternion_error(run->m, q));
  const int changed = art_normalise(run->m, q);
  for (int k = 0; k < run->nq; k++) y[k] = q[run->position[k]];

  if (run->drifts) {
    run_put(run, t, y);
    account_violation(run);
    return changed;
  }

  // where the loops cannot be closed the rates will say so; methods that take them as they are have
  // others behind it
  const int has_closed =
      run->closes && (close_by_code(run, t, y) || close_loops(run, t, y, NULL) == ART_OK);
  return changed || (has_closed && !run->is_reduced);
}


// what the partition in force amounts to
void run_account_rank(artRun *run)
{
  const struct loopWork *loop = run->d->work->loop;
  artCertificate *c = &run->certificate;
  c->rows = run->m->nrow;
  c->rank = loop->rank.rank;
  c->redundant = loop->rank.other_count;
  c->dof = loop->partition.nf;
}


// and how strong it is, where the numeric side has just been
static void account_pivot(artRun *run, double t)
{
  const struct loopWork *loop = run->d->work->loop;
  artCertificate *c = &run->certificate;
  const double ratio = loop->pivot / loop->pivot_start;
  if (ratio >= c->weakest_pivot || isnan(c->weakest_pivot)) return;
  c->weakest_pivot = ratio;
  c->weakest_time = t;
}


// a loop has passed a singular position
static void account_passage(artRun *run, double t, int block)
{
  artCertificate *c = &run->certificate;
  const double gap = run->d->work->loop->hold.bridge[block].gap;
  if (c->passages++ == 0 || (gap > 0 && c->passage_gap == 0)) {
    c->passage_time = t;
    study_block_joints(run->m, run->d, block, c->passage_joints);
  }
  c->passage_gap = base_larger(c->passage_gap, gap);
}


// a run that ends on the way over a singular position, at its weakest, has come to it on the branch of the motion
static void account_ending(const artRun *run, artCertificate *c)
{
  const struct loopWork *loop = run->d->work->loop;
  if (c->weakest_time < c->time || c->rows == 0) return;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (!loop->blocks->block[k].is_held) continue;
    c->passages = 1;
    c->passage_time = c->time;
    c->passage_gap = loop->hold.bridge[k].gap;
    study_block_joints(run->m, run->d, k, c->passage_joints);
  }
}


// closed by code, with couplings and pivots about as they were when last looked at?
static int is_unstrained(artRun *run, double t, double *y)
{
  if (run->settled_time != t && !close_by_code(run, t, y)) return 0;
  return run->is_by_code && !run->backend->is_strained(run->d);
}


// the numeric side at y, which has been closed already
static artStatus look_at_loops(artRun *run, double t, double *y)
{
  if (run->settled_time != t) return close_loops(run, t, y, NULL);
  if (!run->is_by_code) return ART_OK;
  run_put(run, t, y);
  return loop_close(run->m, run->d, NULL);
}


// loops that are open by more than this are no loops any more, m or rad
#define APART 1e-3


// rows that follow from others only where the run began let go of the machine afterwards
static artStatus check_closed(const artRun *run, double gap, artError *error)
{
  if (gap <= APART) return ART_OK;
  const double *phi = run->d->work->loop->rows.phi;
  int worst = 0;
  for (int r = 1; r < run->m->nrow; r++) {
    if (!(fabs(phi[r]) <= fabs(phi[worst]))) worst = r;
  }
  char name[MODEL_ROW_LENGTH];
  return base_fail(
      error, ART_NO_CONVERGENCE, base_nowhere(),
      "the loops have come apart by t = %.9g s: %s is open by %.3g m or rad; the run "
      "began in a singular position, where this row follows from others, or went through "
      "one: begin elsewhere, or check the lengths",
      run->d->time, model_row_name(run->m, worst, name), phi[worst]);
}


// the same at the end of a step, where those rows that are solved for have just been closed
static void check_step(artRun *run)
{
  double gap;
  if (run->d->work->loop->rank.other_count == 0) return;
  if (run->is_by_code) data_place(run->m, run->d);
  if (loop_gap(run->m, run->d, &gap, NULL) == ART_OK) check_closed(run, gap, &run->halt);
}


// does a loop determine how a body on a ball joint turns?
static int has_turn(const struct loopWork *loop, int block)
{
  const loopBlock *b = &loop->blocks->block[block];
  int found = 0;
  for (int p = b->first; p < b->first + b->size; p++) {
    found |= loop->places.turn_of[loop->blocks->column[p]] >= 0;
  }
  return found;
}


// why a loop cannot be taken over a singular position
static const char *why_not(struct loopWork *loop, int block)
{
  if (loop->hold.input[block] >= 0) return "no smooth way leads over it";
  if (hold_find_input(&loop->hold, loop->blocks, block) >= 0) {
    return "no coordinate leads over it, for the loop depends on how a body turns: let another of "
           "its joints close it";
  }
  if (has_turn(loop, block)) {
    return "the loop has more than one freedom there; where one of them is the spin of a body "
           "between two ball joints, let one of these close the loop";
  }
  return "the motion is not determined there, for the loop has more than one freedom and motions "
         "that pass by on either side, however near, go different ways: start otherwise, or "
         "change a length";
}


// a loop, -1: none, that cannot be taken over the singular position that it has come to
static void check_passage(artRun *run, double t, int block)
{
  char names[FORK_NAMES];
  if (block < 0 || run->halt.status != ART_OK) return;
  base_fail(&run->halt, ART_SINGULAR, base_nowhere(),
            "the loop of joints %s has come to a singular position at t = %.6g s, where it may go "
            "on in several ways; %s",
            study_block_joints(run->m, run->d, block, names), t,
            why_not(run->d->work->loop, block));
}


// a step ends: other coordinates become the independent ones where the present choice is weak
static int watch(void *context, double t, double *y)
{
  artRun *run = context;
  struct loopWork *loop = run->d->work->loop;
  artCertificate *c = &run->certificate;
  if (!run->closes) return 0;
  if (is_unstrained(run, t, y)) {
    check_step(run);
    return 0;
  }
  if (look_at_loops(run, t, y) != ART_OK) return 0;
  run->is_by_code = 0;
  check_step(run);
  account_pivot(run, t);
  check_passage(run, t, leap_find(loop));
  const long before = loop->repartitions;
  artError error = {0};
  if (loop_watch(run->m, run->d, &error) != ART_OK) {
    // a choice that memory did not allow is no choice: the run would go on otherwise than it should
    if (error.status == ART_NO_MEMORY) run->halt = error;
    return 0;
  }
  const int changed = loop->repartitions > before;
  if (changed) {
    c->repartitions++;
    run_account_rank(run);
    if (close_loops(run, t, y, NULL) != ART_OK) return 1;
  }
  const int passed = loop_remember(run->d);
  if (passed >= 0) account_passage(run, t, passed);
  check_passage(run, t, loop_stuck(loop));
  if (run->step_ended) run->step_ended(run->listener, run->d);
  if (run->backend) run->backend->watch(run->m, run->d);

  // behind a singular position rates are found by other couplings than in front of it
  const int was_held = run->was_held;
  run->was_held = loop->hold.held > 0;
  return changed || (was_held && !run->was_held);
}


//---- creation ------------------------------------------------------------------------------------

// more steps than this take days and are a slip of the pen
#define MOST_STEPS 1e10


static artStatus check_study(const artStudyDef *study, artError *error)
{
  const artStatus status = builder_check_study(study, ART_RUN, error);
  if (status != ART_OK) return status;
  const int is_natural = art_method_is_natural(study->method);
  const int is_fixed =
      is_natural ? !model_method_has(study->method, METHOD_STEERED) : study->integrator == ART_RK4;
  const double steps = (study->until - study->from) / study->step;
  if (is_fixed && study->step > 0 && steps > MOST_STEPS) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "%s would take %.3g steps of %g s, expected at most %g; choose a longer step",
                     is_natural ? art_method_name(study->method) : "rk4", steps, study->step,
                     MOST_STEPS);
  }
  return ART_OK;
}


static int take_arrays(artRun *run)
{
  baseArena *a = &run->arena;
  const size_t nq = (size_t) run->m->tree.nq, nv = (size_t) run->m->tree.nv;
  run->kept_mode = arena_alloc(a, (size_t) run->m->nmode, sizeof *run->kept_mode);
  run->row.mode = arena_alloc(a, (size_t) run->m->nmode, sizeof *run->row.mode);
  if (!run->kept_mode || !run->row.mode) return 0;
  const size_t holds = latch_count(run->m);
  run->kept_holds = arena_alloc(a, holds, sizeof *run->kept_holds);
  run->row.holds = arena_alloc(a, holds, sizeof *run->row.holds);
  run->q_switched = arena_alloc(a, nq, sizeof *run->q_switched);
  if (!run->kept_holds || !run->row.holds || !run->q_switched) return 0;
  if (run->remembers) {
    run->kept_loops = arena_alloc(a, state_count(run->m), sizeof *run->kept_loops);
    run->row.loops = arena_alloc(a, state_count(run->m), sizeof *run->row.loops);
    if (!run->kept_loops || !run->row.loops) return 0;
  }
  if (run->backend) {
    run->kept_code = arena_alloc(a, run->backend->numbers(run->m), sizeof *run->kept_code);
    if (!run->kept_code) return 0;
  }
  if (art_method_is_natural(run->method)) return 1;

  run->position = arena_alloc(a, nq, sizeof *run->position);
  run->velocity = arena_alloc(a, nv, sizeof *run->velocity);
  run->y = arena_alloc(a, nq + nv + (size_t) run->m->nstate + 1, sizeof *run->y);
  run->qdot = arena_alloc(a, nq, sizeof *run->qdot);
  run->blow = arena_alloc(a, 2 * nv, sizeof *run->blow);
  if (!run->position || !run->velocity || !run->y || !run->qdot || !run->blow) return 0;
  run->nq = study_free_positions(run->m, run->position);
  run->nv = study_free_velocities(run->m, run->velocity);
  run->n = run->nq + run->nv + run->m->nstate + 1;
  return 1;
}


// The energies to expect: what there is at the start, and what the forces present do over a metre
// or a radian.
static double energy_unit(const artRun *run, double kinetic)
{
  const artModel *m = run->m;
  const v3 g = m->tree.gravity;
  double force = 0;
  for (int k = 0; k < m->tree.nv; k++) force = base_larger(force, fabs(run->d->force[k]));
  const double scale = base_larger(kinetic, base_larger(force, m->mass * sqrt(v3_dot(g, g))));
  return scale > 0 && isfinite(scale) ? exp2(ceil(log2(scale))) : 1;
}


// the coordinate that y[k] or its rate belongs to
// whose switching function i is: a force, a drive, or a latch
static const char *switch_owner(const artModel *m, int i)
{
  for (int k = 0; k < m->nelement; k++) {
    const modelElement *e = &m->element[k];
    if (i >= e->switch0 && i < e->switch0 + e->nswitch) return e->name;
  }
  for (int k = 0; k < m->ndrive; k++) {
    const modelDrive *drive = &m->drive[k];
    if (i >= drive->switch0 && i < drive->switch0 + drive->nmode) return drive->name;
  }
  for (int k = 0; k < m->nlatch; k++) {
    const modelLatch *latch = &m->latch[k];
    if (i >= latch->switch0 && i < latch->switch0 + latch->nswitch) return latch->name;
  }
  return NULL;
}


static const char *name_of(void *context, int k)
{
  const artRun *run = context;
  const artModel *m = run->m;
  if (k < 0) return switch_owner(m, -1 - k);
  if (k < run->nq) return m->position[run->position[k]].name;
  return k < run->nq + run->nv ? m->velocity[run->velocity[k - run->nq]].name : NULL;
}


double run_step(const artStudyDef *study)
{
  const double duration = study->until - study->from;
  return duration > 0 ? fmin(study->step, duration) : study->step;
}


static artStatus open_stepper(artRun *run, const artStudyDef *study, artError *error)
{
  static const stepMethod METHOD[ART_INTEGRATORS] = {[ART_RK4] = STEP_RK4,
                                                     [ART_DOPRI5] = STEP_DOPRI5,
                                                     [ART_BDF] = STEP_BDF,
                                                     [ART_ADAMS] = STEP_ADAMS};
  static const stepLinear LINEAR[ART_NEWTONS] = {[ART_NEWTON_AUTOMATIC] = STEP_BY_SIZE,
                                                 [ART_NEWTON_DENSE] = STEP_DENSE,
                                                 [ART_NEWTON_KRYLOV] = STEP_KRYLOV};

  // no step is longer than a hundredth of the whole, or a machine at rest would sleep through
  // whatever begins later
  const stepOptions options = {.method = METHOD[study->integrator],
                               .step = run_step(study),
                               .relative = study->tolerance,
                               .absolute = study->tolerance / 1000,
                               .longest = (study->until - study->from) / 100,
                               .whole = study->until - study->from,
                               .linear = LINEAR[study->newton]};
  const int turns = run->m->tree.nq > run->m->tree.nv, latches = run->m->nlatch > 0;
  const stepProblem problem = {.n = run->n,
                               .nswitch = run->m->nswitch,
                               .rate = rate,
                               .switches = switches,
                               .cross = cross,
                               .jump = run->m->ndrive > 0 || latches ? jump : NULL,
                               .settle =
                                   turns || run->closes || run->drifts || latches ? settle : NULL,
                               .watch = run->closes || latches ? watch : NULL,
                               .pause = run_pauses,
                               .name = name_of,
                               .context = run};
  return step_create(&run->stepper, &options, &problem, study->from, run->y, error);
}


static artStatus report_rigid(const artModel *m, const artAssembly *a, artError *error)
{
  const int has_cut = m->ncut > 0, others = m->ncut + m->nrelation - 1;
  const modelJoint *joint = has_cut ? &m->joint[m->cut[0].joint] : NULL;
  char more[32] = "";
  if (others > 0) snprintf(more, sizeof more, " and %d more", others);
  return base_fail(
      error, ART_BAD_INPUT, has_cut ? joint->place : m->relation[0].place,
      "nothing can move: the loop closed by %s '%s'%s leaves none of the %d velocities "
      "free (%d rows, %d of which count); a machine that moves needs more joints, or a "
      "drive",
      has_cut ? "joint" : "relation", has_cut ? joint->name : m->relation[0].name, more, m->tree.nv,
      a->rows, a->rank);
}


// Where massless branches are held by loops, the reduced mass matrix must not be singular, whatever the
// method.
static artStatus check_inertia(const artRun *run, artError *error)
{
  return run->m->is_light ? method_semirecursive(run->m, run->d, error) : ART_OK;
}


static artStatus assemble(artRun *run, artError *error)
{
  artAssembly assembly;
  artStatus status = study_assemble(run->m, run->d, &assembly, error);
  if (status != ART_OK) return status;
  artCertificate *c = &run->certificate;
  c->dof = assembly.dof;
  c->weakest_pivot = 1;
  if (run->m->nrow == 0) return ART_OK;
  run->settled_time = -HUGE_VAL;
  const int may_move = run->m->ndrive > 0 || run->m->nlatch > 0;
  if (assembly.dof == 0 && !may_move) return report_rigid(run->m, &assembly, error);
  const int fits = model_method_has(run->method, METHOD_LOOPS);
  status = fits ? study_choose_branch(run->m, run->d, error) : ART_OK;
  if (status != ART_OK) return status;
  run_account_rank(run);
  return check_inertia(run, error);
}


// how far loops are open at the state shown, for its outputs too; natural coordinates have shown their own
static artStatus find_residuals(artRun *run, loopResidual *now, artError *error)
{
  *now = (loopResidual){0, 0, 0};
  if (run->m->nrow == 0) return ART_OK;
  method_need_forces(run->m, run->d);
  const artStatus status = residual_find(run->m, run->d, now, error);
  if (run->natural) return status;
  double *violation = run->d->work->violation;
  violation[0] = now->position;
  violation[1] = now->velocity;
  violation[2] = now->acceleration;
  return status;
}


// the largest residuals of closed loops, at the outputs
static artStatus account_residuals(artRun *run, artError *error)
{
  if (run->m->nrow == 0) return ART_OK;
  artCertificate *c = &run->certificate;
  loopResidual now;
  const artStatus status = find_residuals(run, &now, error);
  if (status != ART_OK) return status;
  c->position_residual = base_larger(c->position_residual, now.position);
  c->velocity_residual = base_larger(c->velocity_residual, now.velocity);
  c->acceleration_residual = base_larger(c->acceleration_residual, now.acceleration);
  if (run->is_reduced) account_pivot(run, run->d->time);
  return run->drifts ? ART_OK : check_closed(run, now.position, error);
}


static artStatus begin(artRun *run, const artStudyDef *study, artError *error)
{
  artData *d = run->d;
  artStatus status = force_look_at_drives(run->m, d, study->from, study->until, NULL, NULL, error);
  if (status != ART_OK) return status;
  d->time = run->time = study->from;
  run->noise = study->integrator == ART_RK4 ? FIXED : STANDING * study->tolerance;
  d->work->is_frozen = 0;
  art_normalise(run->m, d->q);
  latch_begin(run);
  force_update(run->m, d);
  const int is_natural = art_method_is_natural(run->method);
  status = assemble(run, error);
  if (status == ART_OK) latch_begin_at(run);
  if (status == ART_OK) status = force_settle_states(run->m, d, error);
  if (status == ART_OK) {
    status = is_natural ? natural_run_begin(run, study, error) : run_start_rates(run, error);
  }
  if (status == ART_OK) status = account_residuals(run, error);
  if (status != ART_OK) return status;

  const artEnergy energy = art_energy(run->m, d);
  artCertificate *c = &run->certificate;
  c->time = study->from;
  c->energy_start = c->energy_end = energy.kinetic + energy.potential;
  c->energy_scale = energy.kinetic;
  run->potential_start = energy.potential;
  run->unit = is_natural ? 1 : energy_unit(run, energy.kinetic);
  c->energy_resolved = 10 * study->tolerance * energy_unit(run, energy.kinetic);
  art_set_work(d, 0, c->energy_start);
  if (is_natural) return ART_OK;
  run_take_state(run, 0, run->y);
  return open_stepper(run, study, error);
}


artStatus run_tell_loops(const artModel *m, artData *d, const artStudyDef *study, artError *error)
{
  struct loopWork *loop = d->work->loop;
  if (!loop) return ART_OK;
  loop->algebra = study->algebra;
  loop_set_redundant(m, loop, study->redundant);
  loop->alpha = study->alpha;
  loop->beta = study->beta;
  return loop_ask_for(m, loop, study->partition, study->independent, error);
}


void run_choose_ways(artRun *run, const artStudyDef *study)
{
  const int has_loops = run->m->nrow > 0 && !art_method_is_natural(study->method);
  run->is_reduced = has_loops && !model_method_has(study->method, METHOD_STABILISED);
  run->drifts = has_loops && !run->is_reduced && study->projections == ART_PROJECTIONS_NO;
  run->closes = has_loops && !run->drifts;
}


artStatus art_create_run(artRun **out, const artModel *m, artData *d, const artStudyDef *study,
                         artError *error)
{
  ART_REQUIRE(out, error);
  *out = NULL;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(study, error);
  artStatus status = check_study(study, error);
  if (status == ART_OK && m->nlatch > 0) status = latch_check(m, study, error);
  if (status != ART_OK) return status;
  artRun *run = mem_alloc(1, sizeof *run);
  if (!run) return base_no_memory(error);
  run->m = run->model = m;
  run->d = d;
  run->first_work = d->work;
  run->study = *study;
  run->switched = -HUGE_VAL;
  run->backend = method_kind(study->method)->backend;
  run->method = run->backend ? ART_AUTOMATIC : study->method;
  run_choose_ways(run, study);
  if (run->backend) run->counted = run->backend->counts(d);
  run->counted.codes = 0;
  run->remembers = m->nrow > 0 || m->nlatch > 0;

  status = run_tell_loops(m, d, study, error);
  if (status == ART_OK) {
    status = take_arrays(run) ? begin(run, study, error) : base_no_memory(error);
  }
  if (status != ART_OK) {
    art_free_run(run);
    return status;
  }
  d->work->is_frozen = 1;
  *out = run;
  return ART_OK;
}


void art_free_run(artRun *run)
{
  if (!run) return;
  latch_end(run);
  run->d->work->is_frozen = 0;
  const artStudyDef usual = art_default_study();
  run_tell_loops(run->m, run->d, &usual, NULL);
  step_free(run->stepper);
  natural_run_free(run->natural);
  arena_free(&run->arena);
  mem_free(run);
}


//---- advancing -----------------------------------------------------------------------------------

static artStatus show_state(artRun *run, artError *error)
{
  if (run->natural) return natural_run_show(run, error);
  run_put(run, run->time, run->y);
  run->d->work->step_size = step_length(run->stepper);

  // all that outputs can ask for is known to the numeric methods alone
  return method_accelerate(run->m, run->d, run->method, error);
}


artStatus run_show(artRun *run, artError *error)
{
  const artStatus status = show_state(run, error);
  art_set_work(run->d, run_work(run, run->y), run->certificate.energy_start);
  return status;
}


artStatus run_show_again(artRun *run, artError *error)
{
  loopResidual now;
  const artStatus status = run_show(run, error);
  return status ? status : find_residuals(run, &now, error);
}


artStatus run_start_rates(artRun *run, artError *error)
{
  return method_accelerate(run->m, run->d, run->study.method, error);
}


artStatus run_resume_code(artRun *run, double t, const double *y, backendWatched watched,
                          artError *error)
{
  run_put(run, t, y);
  const artStatus status = run_start_rates(run, error);
  run->backend->set_watched(run->d, watched);
  return status;
}


void run_account_code(artRun *run)
{
  const backendCounts now = run->backend->counts(run->d), *before = &run->counted;
  artCertificate *c = &run->certificate;
  c->generated += now.generated - before->generated;
  c->not_generated += now.numeric - before->numeric;
  c->programs += now.codes - before->codes;
  run->counted = now;
}


static int is_finite(int n, const double *x)
{
  for (int k = 0; k < n; k++) {
    if (!isfinite(x[k])) return 0;
  }
  return 1;
}


static void note_odd_row(artRun *run)
{
  run->certificate.odd_rows += !run->is_odd;
  run->is_odd = 1;
}


void run_note_outputs(artRun *run, const double *outputs)
{
  if (!is_finite(run->m->noutput, outputs)) note_odd_row(run);
}


// the state and the energies of a new row
static void account_numbers(artRun *run, artEnergy energy)
{
  const artData *d = run->d;
  const int nv = run->m->tree.nv;
  run->is_odd = 0;
  if (is_finite(run->m->tree.nq, d->q) && is_finite(nv, d->v) && is_finite(nv, d->a) &&
      isfinite(energy.kinetic + energy.potential)) {
    return;
  }
  note_odd_row(run);
}


// what the steps so far amount to
static void account_steps(artRun *run, double t, double seconds)
{
  artCertificate *c = &run->certificate;
  c->time = t;
  c->total_time += seconds;
  if (run->natural) {
    natural_run_account(run);
    return;
  }
  if (run->backend) run_account_code(run);
  const stepCounts *counts = step_counts(run->stepper);
  c->steps = counts->steps;
  c->rejected = counts->rejected;
  c->evaluations = counts->evaluations;
  c->events = counts->events;
  c->shortest_step = counts->shortest;
  c->longest_step = counts->longest;
  c->rounding_steps = counts->rounding;
}


static void account(artRun *run, double seconds)
{
  artCertificate *c = &run->certificate;
  const artEnergy energy = art_energy(run->m, run->d);
  account_numbers(run, energy);
  c->energy_end = energy.kinetic + energy.potential;
  c->work = run_work(run, run->y);
  c->energy_error = base_larger(c->energy_error, fabs(c->energy_end - c->energy_start - c->work));
  c->energy_scale = base_larger(c->energy_scale, energy.kinetic);
  c->energy_scale = base_larger(c->energy_scale, fabs(energy.potential - run->potential_start));
  c->worst_interval = fmax(c->worst_interval, seconds);
  account_steps(run, run->time, seconds);
}


//---- between rows --------------------------------------------------------------------------------

int run_pauses(void *context)
{
  artRun *run = context;
  if (!run->pauses || !run->pauses(run->pauser)) return 0;
  run->is_between = 1;
  return 1;
}


double run_reached(const artRun *run)
{
  const double end = run->natural ? run->natural->motion->t : step_time(run->stepper);
  return fmax(run->time, end);
}


void run_save_loops(const artRun *run, double *numbers)
{
  if (run_has_loops(run)) {
    state_save(run->m, run->d, numbers);
  } else if (run->remembers) {
    memset(numbers, 0, state_count(run->m) * sizeof *numbers);
  }
}


void run_keep_row(artRun *run)
{
  runRow *row = &run->row;
  const int *mode = run->d->work->mode;
  if (run->m->nmode > 0) memcpy(row->mode, mode, (size_t) run->m->nmode * sizeof *mode);
  if (run->m->nlatch > 0) latch_save(run, row->holds);
  run_save_loops(run, row->loops);
}


artStatus run_leave_row(artRun *run, artError *error)
{
  runRow *row = &run->row;
  run->is_between = 0;
  if (run->is_behind) return run_put_back(run, error);
  if (!run->pauses || row->is_kept) return ART_OK;
  row->is_kept = 1;
  row->widest = run_widest(run);
  row->step_size = run->d->work->step_size;
  row->step_index = run->d->work->step_index;
  run_keep_row(run);
  return ART_OK;
}


// y at t, or at the last good state; the rates know names where the stepper knows numbers
static artStatus step_on(artRun *run, double t, artError *error)
{
  const artStatus status = step_to(run->stepper, t, run->y, error);
  if (run->is_between) return status;
  run->time = status == ART_OK ? t : fmax(run->time, step_time(run->stepper));
  if (status != ART_OK && error && run->failure.status == status) *error = run->failure;
  return status;
}


artStatus run_pause(artRun *run, double start, artError *error)
{
  account_steps(run, run_reached(run), base_now() - start);
  return base_fail(error, ART_STOPPED, base_nowhere(),
                   "the run was asked to pause at t = %.9g s, behind the row at %.9g s",
                   run->certificate.time, run->time);
}


artStatus run_to_since(artRun *run, double t, double start, artError *error)
{
  if (!(t >= run->time) || !isfinite(t)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the state at t = %.17g s was asked for, but the run stands at %.17g s and "
                     "cannot go back",
                     t, run->time);
  }
  artStatus status = run_leave_row(run, error);
  if (status != ART_OK) return status;
  status = run->natural ? natural_run_to(run, t, error) : step_on(run, t, error);
  if (run->is_between) return run_pause(run, start, error);
  run->row.is_kept = 0;
  if (status == ART_OK) {
    status = run_show(run, error);
    if (status == ART_OK) status = account_residuals(run, error);
  } else {
    run_show(run, NULL);
  }
  account(run, base_now() - start);
  return status;
}


artStatus art_run_to(artRun *run, double t, artError *error)
{
  ART_REQUIRE(run, error);
  run->failure.status = ART_OK;
  return run_to_since(run, t, base_now(), error);
}


artStatus run_adopt(artRun *run, double t, const double *y, artError *error)
{
  run->time = t;
  memcpy(run->y, y, (size_t) run->n * sizeof *y);
  artStatus status = run_show(run, error);
  if (status == ART_OK) status = account_residuals(run, error);
  account(run, 0);
  return status;
}


artCertificate art_certify(const artRun *run)
{
  ART_REQUIRE_OR(run, (artCertificate){.time = NAN});
  artCertificate c = run->certificate;
  if (c.passages == 0 && run->was_held) account_ending(run, &c);
  return c;
}
