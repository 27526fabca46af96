// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run in relative coordinates: the machine as a problem dy/dt = f(t, y) for a stepper.
#include <math.h>

#include "base/max_nan.h"
#include "force/contact_watch.h"
#include "force/force.h"
#include "loop/loop.h"
#include "study/run/run.h"

//---- between y and the data ----------------------------------------------------------------------

static void put_positions(artRun *run, const double *y)
{
  for (int k = 0; k < run->nq; k++) run->d->q[run->position[k]] = y[k] * run->units[k];
}


static double unknown_velocity(const artRun *run, const double *y, int k)
{
  return y[run->nq + k] * run->units[run->nq + k];
}


static void put_run_numbers(artRun *run, double t, const double *y)
{
  run->d->time = t;
  if (run->has_lines) force_follow_lines(run->m, run->d);
  run->settled_time = -HUGE_VAL;
  put_positions(run, y);
  for (int k = 0; k < run->nv; k++) run->d->v[run->velocity[k]] = unknown_velocity(run, y, k);
  for (int k = 0; k < run->m->nstate; k++) run->d->s[k] = y[run->nq + run->nv + k];
}


void run_put(artRun *run, double t, const double *y)
{
  put_run_numbers(run, t, y);
  force_update(run->m, run->d);
}


void run_take_state(const artRun *run, double work, double *y)
{
  const double *units = run->units;
  for (int k = 0; k < run->nq; k++) y[k] = run->d->q[run->position[k]] / units[k];
  for (int k = 0; k < run->nv; k++) {
    y[run->nq + k] = run->d->v[run->velocity[k]] / units[run->nq + k];
  }
  for (int k = 0; k < run->m->nstate; k++) y[run->nq + run->nv + k] = run->d->s[k];
  y[run->n - 1] = work / run->unit;
}


// is the data there already, where a step has ended and closed the loops?
static int is_data_settled(const artRun *run, double t, const double *y)
{
  if (!run->is_reduced || run->settled_time != t || !run->d->work->loop->is_closed) return 0;
  for (int k = 0; k < run->nq; k++) {
    if (run->d->q[run->position[k]] != y[k] * run->units[k]) return 0;
  }
  for (int k = 0; k < run->nv; k++) {
    if (run->d->v[run->velocity[k]] != unknown_velocity(run, y, k)) return 0;
  }
  for (int k = 0; k < run->m->nstate; k++) {
    if (run->d->s[k] != y[run->nq + run->nv + k]) return 0;
  }
  return 1;
}


//---- the problem ---------------------------------------------------------------------------------

// accelerations and power at y; code places nothing but coordinates
static artStatus accelerate_at_unknowns(artRun *run, double t, const double *y)
{
  if (run->backend) {
    put_run_numbers(run, t, y);
    const artStatus status = run->backend->rates(run->m, run->d, &run->failure);

    // code that could not be compiled now will not be in a shorter step either
    if (status == ART_NO_MEMORY || status == ART_UNSUPPORTED) run->halt = run->failure;
    return status;
  }
  if (is_data_settled(run, t, y)) {
    run->d->work->loop->has_stayed = 1;
  } else {
    run_put(run, t, y);
  }
  if (run->d->work->profile) run->d->work->profile->stepping++;
  return method_accelerate(run->m, run->d, (int) run->method, &run->failure);
}


static artStatus relative_run_rate(void *context, double t, const double *y, double *ydot)
{
  artRun *run = context;
  if (run->halt.status != ART_OK) {
    run->failure = run->halt;
    return run->halt.status;
  }
  const artStatus status = accelerate_at_unknowns(run, t, y);
  if (status != ART_OK) return status;

  data_position_rates(run->m, run->d, run->qdot);
  const double *units = run->units;
  for (int k = 0; k < run->nq; k++) ydot[k] = run->qdot[run->position[k]] / units[k];
  for (int k = 0; k < run->nv; k++) {
    ydot[run->nq + k] = run->d->a[run->velocity[k]] / units[run->nq + k];
  }
  for (int k = 0; k < run->m->nstate; k++) ydot[run->nq + run->nv + k] = run->d->s_rate[k];
  const double power = run->d->work->power;
  ydot[run->n - 1] = power / run->unit;
  if (isfinite(power)) return ART_OK;
  return base_fail(&run->failure, ART_NO_CONVERGENCE, base_nowhere(),
                   "the power of the forces is not finite at t = %.9g s", t);
}


void run_switches(void *context, double t, const double *y, double *g)
{
  artRun *run = context;
  run_put(run, t, y);
  force_switches(run->m, run->d, g);
}


void run_switch_mode(void *context, double t, const double *y, int i)
{
  artRun *run = context;
  ART_ASSERT(i >= 0 && i < run->m->nswitch);
  run_put(run, t, y);
  force_switch_mode(run->m, run->d, i);
}


int run_switching_surface(void *run, int i, int take)
{
  const artRun *r = run;
  return force_switching_surface(r->m, r->d, i, take);
}


int run_is_latching(void *run, int i)
{
  const artRun *r = run;
  return force_is_latching(r->m, r->d, i);
}


// the spheres about surfaces at an end of a step; those of the last end are known
static void take_watch(artRun *run, int end, double t, const double *y)
{
  contactWatch *w = run->d->work->force->watch;
  run_put(run, t, y);
  force_watch_take(w, run->m, run->d, end);
}


static int relative_run_approach(void *context, const stepSpan *span)
{
  artRun *run = context;
  contactWatch *w = run->d->work->force->watch;
  take_watch(run, 0, span->from, span->y_from);
  take_watch(run, 1, span->to, span->y_to);
  return force_watch_find(w, run->m, run->d, span->to - span->from) > 0;
}


static void relative_run_joining(void *context, int is_joining)
{
  artRun *run = context;

  // where forces of contacts ask for all of them there is no part
  const int is_part = run->m->nrigid + run->m->nlatch == 0;
  force_watch_select(run->d->work->force->watch, is_joining && is_part);
}


// quantities and wheels within the step, where something is to be looked at that depends on them
void run_span(void *context, const stepSpan *span)
{
  artRun *run = context;
  stepView *v = &run->view;
  if (span->is_new) force_view_forget(v, run->m);
  const int has_begun = force_view_begin(v, run->m, span->from, span->to);
  if (!force_view_reads_state(v) && !v->has_wheels) return;
  // the data is at the end of the step where switching functions were evaluated on it, which compiled equations do without
  if (run->m->nswitch == 0 || run->backend) run_put(run, span->to, span->y_to);
  force_view_take(v, run->m, run->d, VIEW_END);
  const contactWatch *watch = force_watch(run->d);
  if (!has_begun) {
    run_put(run, span->from, span->y_from);
    force_view_take(v, run->m, run->d, VIEW_BEGIN);
  } else if (watch && watch->njoined > 0) {
    run_put(run, span->from, span->y_from);
    force_view_join(v, run->m, run->d);
  }
  if (force_view_needs_middle(v, run->m, run->d)) {
    run_put(run, span->from + 0.5 * (span->to - span->from), span->y_middle);
    force_view_take(v, run->m, run->d, VIEW_MIDDLE);
  } else {
    force_view_follow(v, run->m);
  }
}


double run_within(void *context, double after, double to)
{
  artRun *run = context;
  return force_view_switch(&run->view, run->m, run->d, after, to);
}


double run_seen(void *context, double to)
{
  artRun *run = context;
  return force_view_seen(&run->view, run->m, run->d, to);
}


static int is_stepping(const artRun *run)
{
  return run->d->work->force->is_stepping;
}


static artStatus relative_run_jump(void *context, double t, double *y, artError *error)
{
  artRun *run = context;
  // drives first, in the rows so far: what engages stops velocities after their impact
  artStatus status = run->m->ndrive > 0 ? run_jump(run, t, y, &run->failure) : ART_OK;
  if (status == ART_OK) status = latch_jump(run, t, y, &run->failure);
  if (status == ART_OK && run->m->nrigid > 0) status = rigid_jump(run, t, y, &run->failure);
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
    most = max_nan(most, fabs(length - 1));
  }
  return most;
}


// dependent coordinates of y from the independent ones
static artStatus close_run_loops(artRun *run, double t, double *y, artError *error)
{
  run_put(run, t, y);
  if (!run->is_reduced) run_account_violation(run);
  artStatus status = loop_close(run->m, run->d, error);
  if (status == ART_OK && run->m->nroll > 0) {
    run_account_slip(run);
    run_check_touches(run);
    status = method_roll_velocities(run->m, run->d, error);
  }
  if (status != ART_OK) return status;
  run->is_by_code = 0;
  run_check_branch(run, t, y);
  run_take_state(run, run_work(run, y), y);
  run->settled_time = t;
  return ART_OK;
}


// the same by generated code, whose rates at the end of a step are those at the start of the next
static int close_run_by_code(artRun *run, double t, double *y)
{
  if (!run->backend) return 0;
  put_run_numbers(run, t, y);
  if (!run->backend->close(run->m, run->d)) return 0;
  run->is_by_code = 1;
  if (run->m->nroll > 0) {
    data_place(run->m, run->d);
    run_check_touches(run);
  }
  run_check_branch(run, t, y);
  run_take_state(run, run_work(run, y), y);
  run->settled_time = t;
  return 1;
}


static int relative_run_project(void *context, double t, double *y)
{
  artRun *run = context;
  double *q = run->d->q;
  run->settled_time = -HUGE_VAL;
  put_positions(run, y);
  artCertificate *c = &run->certificate;
  c->quaternion_error = max_nan(c->quaternion_error, quaternion_error(run->m, q));
  const int changed = art_normalise(run->m, q);
  for (int k = 0; k < run->nq; k++) y[k] = q[run->position[k]] / run->units[k];

  if (run->drifts) {
    run_put(run, t, y);
    run_account_violation(run);
    return changed;
  }

  // where the loops cannot be closed the rates will say so; methods that take them as they are have
  // others after it
  const int has_closed =
      run->closes && (close_run_by_code(run, t, y) || close_run_loops(run, t, y, NULL) == ART_OK);
  const int touches = run->m->nrigid > 0 && !is_stepping(run);
  const int has_touched = touches && rigid_project(run, t, y);
  return changed || has_touched || (has_closed && (!run->is_reduced || run->m->nroll > 0));
}


// closed by code, with couplings and pivots about as they were when last looked at?
static int is_unstrained(artRun *run, double t, double *y)
{
  if (run->settled_time != t && !close_run_by_code(run, t, y)) return 0;
  return run->is_by_code && !run->backend->is_strained(run->d);
}


// the numeric side at y, which has been closed already
static artStatus look_at_loops(artRun *run, double t, double *y)
{
  if (run->settled_time != t) return close_run_loops(run, t, y, NULL);
  if (!run->is_by_code) return ART_OK;
  run_put(run, t, y);
  return loop_close(run->m, run->d, NULL);
}


// of the newest step of rigid contacts that an event has left
static double touch_part(const artRun *run)
{
  const double h = run->touch.step.h;
  return h > 0 ? (step_time(run->stepper) - step_begin(run->stepper)) / h : 0;
}


// A step ends: work done so far counts among the energies, whatever rows show of it, and other coordinates become the
// independent ones where the present choice is weak.
static int relative_run_step_accepted(void *context, double t, double *y)
{
  artRun *run = context;
  struct loopWork *loop = run->d->work->loop;
  artCertificate *c = &run->certificate;
  c->energy_scale = max_nan(c->energy_scale, fabs(run_work(run, y)));
  if (run->m->nroll > 0) run_account_rolling(run, t);
  const int touches = run->m->nrigid > 0 && !is_stepping(run);
  const int has_moved = touches && rigid_account(run, t, y);
  if (is_stepping(run)) {
    touch_account(run, touch_part(run), c);
    run->touch.is_open = 0;
  }
  if (!run->closes) return has_moved;
  if (is_unstrained(run, t, y)) {
    run_check_step(run);
    return has_moved;
  }
  if (look_at_loops(run, t, y) != ART_OK) return has_moved;
  run->is_by_code = 0;
  run_check_step(run);
  run_account_pivot(run, t);
  run_check_passage(run, t, leap_find(loop));
  const long before = loop->repartitions;
  const artStatus status = loop_watch(run->m, run->d, &run->failure);
  if (status != ART_OK) {
    // a choice that memory did not allow is not a choice: the run would go on otherwise than it should
    if (status == ART_NO_MEMORY) run->halt = run->failure;
    return 0;
  }
  const int changed = loop->repartitions > before;
  if (changed) {
    c->repartitions++;
    run_account_rank(run);
    if (close_run_loops(run, t, y, NULL) != ART_OK) return 1;
  }
  const int passed = loop_remember(run->d);
  if (passed >= 0) run_account_passage(run, t, passed);
  run_check_passage(run, t, loop_stuck(loop));
  if (run->step_ended) run->step_ended(run->listener, run->d);
  if (run->backend) run->backend->watch(run->m, run->d);

  // after a singular position rates are found by other couplings than in front of it
  const int was_held = run->was_held;
  run->was_held = loop->hold.held > 0;
  return changed || has_moved || (was_held && !run->was_held);
}


//---- creation ------------------------------------------------------------------------------------

static int take_relative_run_arrays(artRun *run)
{
  baseArena *a = &run->arena;
  const int nq = run->m->tree.nq, nv = run->m->tree.nv;
  ARENA_TAKE(a, run->position, nq);
  ARENA_TAKE(a, run->velocity, nv);
  ARENA_TAKE(a, run->y, nq + nv + run->m->nstate + 1);
  ARENA_TAKE(a, run->units, nq + nv + run->m->nstate + 1);
  ARENA_TAKE(a, run->qdot, nq);
  ARENA_TAKE(a, run->rotation, nv);
  if (is_stepping(run)) touch_take_arrays(run);
  if (a->has_run_out) return 0;
  run->nq = study_free_positions(run->m, run->position);
  run->nv = study_free_velocities(run->m, run->velocity);
  run->n = run->nq + run->nv + run->m->nstate + 1;
  for (int j = 0; j < nv; j++) run->rotation[j] = -1;
  for (int k = 0; k < run->nv; k++) {
    const int j = run->velocity[k];
    if (!run_is_length(run->m, j)) run->rotation[j] = run->nq + k;
  }
  for (int k = 0; k < nv; k++) run->scale[k] = (runScale){1, 1};
  run_set_units(run);
  return 1;
}


// whose switching function i is: a force, a drive, a latch, a signal or a state
static const char *switch_owner(const artModel *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->nswitch);
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
  for (int k = 0; k < m->nrigid; k++) {
    const modelRigid *rigid = &m->rigid[k];
    if (i >= rigid->switch0 && i < rigid->switch0 + RIGID_SWITCHES) {
      return m->element[rigid->element].name;
    }
  }
  for (int k = 0; k < model_frozen_count(m); k++) {
    const signalFormula *s = model_frozen(m, k);
    if (s && i >= s->switch0 && i < s->switch0 + s->f->nswitch) return model_frozen_name(m, k);
  }
  return NULL;
}


// the coordinate that y[k] or its rate belongs to
static const char *relative_unknown_name(void *context, int k)
{
  const artRun *run = context;
  const artModel *m = run->m;
  if (k < 0) return switch_owner(m, -1 - k);
  if (k < run->nq) return m->position[run->position[k]].name;
  k -= run->nq;
  if (k < run->nv) return m->velocity[run->velocity[k]].name;
  if (k - run->nv >= m->nstate) return NULL;
  const modelState *state = &m->state[k - run->nv];
  return state->words ? state->words : state->name;
}


// where the joint of a coordinate is in the file, or the formula of a state
static artPlace relative_unknown_place(void *context, int k)
{
  const artRun *run = context;
  const artModel *m = run->m;
  if (k < run->nq) return m->joint[m->position[run->position[k]].joint].place;
  if (k < run->nq + run->nv) return m->joint[m->velocity[run->velocity[k - run->nq]].joint].place;
  const int state = k - run->nq - run->nv;
  return state < m->nstate ? m->state[state].place : base_nowhere();
}


static artStatus relative_run_open(artRun *run, const artRunDef *study, artError *error)
{
  static const stepMethod METHOD[ART_INTEGRATORS] = {
      [ART_RK4] = STEP_RK4,       [ART_DOPRI5] = STEP_DOPRI5,
      [ART_BDF] = STEP_BDF,       [ART_ADAMS] = STEP_ADAMS,
      [ART_MOREAU] = STEP_MOREAU, [ART_INTEGRATOR_AUTOMATIC] = STEP_DOPRI5};
  static const stepLinear LINEAR[ART_NEWTONS] = {[ART_NEWTON_AUTOMATIC] = STEP_BY_SIZE,
                                                 [ART_NEWTON_DENSE] = STEP_DENSE,
                                                 [ART_NEWTON_KRYLOV] = STEP_KRYLOV};

  const stepOptions options = {.method = METHOD[study->integrator],
                               .step = run_step(study),
                               .relative = study->tolerance,
                               .absolute = study->tolerance / 1000,
                               .whole = study->until - study->from,
                               .linear = LINEAR[study->newton],
                               .changes_over = study->integrator == ART_INTEGRATOR_AUTOMATIC};
  const int turns = run->m->tree.nq > run->m->tree.nv, latches = run->m->nlatch > 0;
  const int touches = run->m->nrigid > 0;
  contactWatch **watch = &run->d->work->force->watch;
  const int may_watch = !run->backend && !study->whole_steps && run->m->nswitch > 0;
  if (may_watch && !force_watch_create(watch, &run->arena, run->m)) return base_no_memory(error);
  const int watches = *watch != NULL;
  if (!force_view_create(&run->view, &run->arena, run->m, 1, is_stepping(run)))
    return base_no_memory(error);
  if (watches && !force_view_watch(&run->view, &run->arena, run->m, *watch))
    return base_no_memory(error);
  const int is_viewed = run->view.is_needed, nturn = run_find_turns(run);
  if (nturn < 0) return base_no_memory(error);
  run->view.rule = study->integrator == ART_RK4 ? RULE_SIMPSON : RULE_NONE;
  const stepProblem problem = {
      .n = run->n,
      .nswitch = run->m->nswitch,
      .rate = relative_run_rate,
      .switches = run_switches,
      .switch_mode = run_switch_mode,
      .switching_surface = run_switching_surface,
      .is_latching = run_is_latching,
      .jump = run->m->ndrive > 0 || latches || touches ? relative_run_jump : NULL,
      .project =
          turns || run->closes || run->drifts || latches || touches ? relative_run_project : NULL,
      .step_accepted = relative_run_step_accepted,
      .span = is_viewed ? run_span : NULL,
      .approach = watches ? relative_run_approach : NULL,
      .joining = watches ? relative_run_joining : NULL,
      .switches_within = is_viewed ? run_within : NULL,
      .seen = is_viewed ? run_seen : NULL,
      .longest = run->m->nrow > 0 || latches || nturn > 0 ? run_longest_step : NULL,
      .leap = touch_leap,
      .pause = run_pauses,
      .name = relative_unknown_name,
      .place = relative_unknown_place,
      .units = run->units,
      .context = run};
  run_set_units(run);
  run_take_state(run, 0, run->y);
  if (is_stepping(run)) {
    // forces of contacts at the start are those of the first step
    const artStatus status = touch_leap(run, study->from, options.step, run->y, run->touch.y);
    if (status != ART_OK) {
      if (error) *error = run->failure;
      return status;
    }
    run->touch.is_open = 0;
  }
  return step_create(&run->stepper, &options, &problem, study->from, run->y, error);
}


//---- advancing -----------------------------------------------------------------------------------

// the state may have jumped anywhere
static void restart_stepper(artRun *run)
{
  if (run->d->work->force->watch) force_watch_forget(run->d->work->force->watch);
  step_restart(run->stepper, run->time, run->y);
}


// y at t, or at the last good state; the rates know names where the stepper knows numbers
static artStatus relative_run_advance(artRun *run, double t, artError *error)
{
  step_stop(run->stepper, run_stop(run));
  const artStatus status = step_to(run->stepper, t, run->y, error);
  if (run->is_between) return status;
  run->time = status == ART_OK ? t : fmax(run->time, step_time(run->stepper));
  if (status != ART_OK && error && run->failure.status == status) *error = run->failure;

  // a history is worth nothing where forces may be others from here on
  if (run->time == run->stop && run_is_anew(run)) {
    restart_stepper(run);
  }
  return status;
}


// energy that the change gives or takes by itself counts as work
static artStatus relative_run_restart(artRun *run, double energy, artError *error)
{
  (void) error;
  run_put(run, run->time, run->y);
  const artEnergy now = art_energy(run->m, run->d);
  run->y[run->n - 1] += (now.kinetic + now.potential - energy) / run->unit;
  restart_stepper(run);
  return ART_OK;
}


// all that outputs can ask for is known to the numeric methods alone
static artStatus relative_run_show(artRun *run, artError *error)
{
  run_put(run, run->time, run->y);
  run->d->work->force->run.step_size = step_length(run->stepper);
  return method_accelerate(run->m, run->d, (int) run->method, error);
}


void run_account_steps(artCertificate *c, const stepCounts *counts)
{
  c->steps = counts->steps;
  c->rejected = counts->rejected;
  c->evaluations = counts->evaluations;
  c->events = counts->events;
  c->shortest_step = counts->shortest;
  c->longest_step = counts->longest;
  c->unseen_steps = counts->unseen;
  c->unproved_steps = counts->unproved;
  c->rounding_steps = counts->rounding;
  c->is_stiff = counts->is_stiff;
  c->stiff_time = counts->stiff_time;
  c->is_changed_over = counts->is_changed_over;
}


double run_step_error(const artRun *run, const stepper *s)
{
  const double *extent, *error = step_errors(s, &extent);
  double worst = 0;
  for (int k = 0; error && k < run->nq; k++) {
    const int velocity = run->m->position[run->position[k]].partner;
    const double unit = run->units[k];
    worst = max_nan(worst, run_relative_error(run, velocity, unit * error[k], unit * extent[k]));
  }
  return worst;
}


static const stepView *relative_run_view(const artRun *run)
{
  return &run->view;
}


static void relative_run_account(artRun *run)
{
  if (run->backend) run_account_code(run);
  run_account_steps(&run->certificate, step_counts(run->stepper));
  run->certificate.step_error = run_step_error(run, run->stepper);
  run->certificate.unproved_steps += run->view.unproved;
  run->certificate.unseen_steps += force_view_count_open(&run->view, run->m);
}


// a certificate with the newest step, which is accepted before the next one
static void relative_run_certify(const artRun *run, artCertificate *c)
{
  if (is_stepping(run)) touch_account(run, touch_part(run), c);
}


static double relative_run_reached(const artRun *run)
{
  return step_time(run->stepper);
}


static void relative_run_end(artRun *run)
{
  step_free(run->stepper);
}


//---- saving --------------------------------------------------------------------------------------

// what the look into steps remembers, then the stepper
static size_t relative_run_count_bytes(const artRun *run)
{
  return force_view_bytes(&run->view) + step_save_size(run->stepper);
}


static artStatus relative_run_save(const artRun *run, char *bytes, artError *error)
{
  const size_t view = force_view_bytes(&run->view);
  force_view_save(&run->view, bytes);
  return step_save(run->stepper, bytes + view, relative_run_count_bytes(run) - view, error);
}


static artStatus relative_run_load(artRun *run, const char *bytes, artError *error)
{
  const size_t view = force_view_bytes(&run->view);
  force_view_load(&run->view, bytes);
  return step_load(run->stepper, bytes + view, relative_run_count_bytes(run) - view, error);
}


static const double *end_of_steps(const artRun *run)
{
  return step_end(run->stepper);
}


// settings of methods that take loops as they are
static const char *relative_run_setting(const artRun *run, int k, double *value)
{
  static const char *const NAME[] = {"alpha", "beta", "projections"};
  const artRunDef *study = &run->study;
  const double settings[] = {study->alpha, study->beta, study->projections != ART_PROJECTIONS_NO};
  const int may_close = run->m->nrow > 0 || run->m->nlatch > 0;
  if (k >= 3 || !may_close || !model_method_has((int) run->method, METHOD_STABILISED)) return NULL;
  *value = settings[k];
  return NAME[k];
}


const runEngine relative_engine = {
    .take = take_relative_run_arrays,
    .start = run_start_rates,
    .open = relative_run_open,
    .advance = relative_run_advance,
    .restart = relative_run_restart,
    .show = relative_run_show,
    .account = relative_run_account,
    .certify = relative_run_certify,
    .view = relative_run_view,
    .reached = relative_run_reached,
    .bytes = relative_run_count_bytes,
    .save = relative_run_save,
    .load = relative_run_load,
    .end_of_steps = end_of_steps,
    .setting = relative_run_setting,
    .free = relative_run_end,
};
