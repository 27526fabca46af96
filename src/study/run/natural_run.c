// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run in natural coordinates: the motion of a machine of points and vectors stands instead of the
// stepper. Coordinates, reactions and outputs to be shown are found in relative coordinates, at the
// positions, velocities and accelerations that natural ones come to; energies belong to the natural
// coordinates themselves. The unknowns of the run are then
//   y = (q, q', q'', lambda, states, memory, off, work)
// where q' + off are velocities on the constraints: those of the conserving method are not.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/pool.h"
#include "force/force.h"
#include "method/method.h"
#include "natural/motion.h"
#include "natural/natural.h"
#include "study/run/run.h"

typedef struct naturalRun {
  naturalMachine *machine;
  naturalMotion *motion;
  double *q, *v, *a, *lambda, *states, *memory, *off; // parts of y
  double *Q;                                          // [n] scratch
  double *state;                                      // while the motion is saved or loaded
  baseArena arena;                                    // owns them
  memPool *pool;                                      // that holds all of this
} naturalRun;

// of sizes and angles: what all steps of a variable length may leave open together. Errors grow on the way;
// 1e-3 is kept on the sample models for a second.
static const double VARIABLE_LOCAL = 5e-5;

//---- creation ------------------------------------------------------------------------------------

// the step where none is given: short enough for most machines, and for a short study
static double usual_step(const artRunDef *study)
{
  const double duration = study->until - study->from;
  return duration > 0 ? fmin(1e-3, duration / 1000) : 1e-3;
}


double natural_local(const artRunDef *study)
{
  const double duration = study->until - study->from;
  return duration > 0 ? VARIABLE_LOCAL / duration : 0;
}


static void take_asked_option(double *option, double asked)
{
  if (asked > 0) *option = asked;
}


static void steer_motion_options(motionOptions *options, const artRunDef *study)
{
  const artSteering *asked = &study->steering;
  const double duration = study->until - study->from;
  take_asked_option(&options->longest, asked->longest);
  options->longest = fmax(options->longest, options->step);
  if (study->energy_upper <= 0) take_asked_option(&options->local, natural_local(study));
  take_asked_option(&options->states, natural_local(study));
  take_asked_option(&options->local, asked->local);
  take_asked_option(&options->states, asked->local);
  take_asked_option(&options->upper, study->energy_upper);
  take_asked_option(&options->lower, study->energy_lower);
  take_asked_option(&options->safety, asked->safety);
  take_asked_option(&options->growth, asked->growth);
  take_asked_option(&options->shrink, asked->shrink);
  if (duration > 0) options->shortest = fmin(1e-4 * options->longest, 1e-6 * duration);
  take_asked_option(&options->shortest, fmin(asked->shortest, options->longest));
  take_asked_option(&options->leave_3, asked->leave_3);
  options->leave_1 = 2 * options->leave_3;
  take_asked_option(&options->leave_1, asked->leave_1);
  take_asked_option(&options->energy, asked->energy);
  if (asked->reductions > 0) options->reductions = (int) asked->reductions;
}


static motionOptions natural_motion_options(const artRunDef *study)
{
  static const motionProjection PROJECTION[ART_PROJECTIONS] = {
      [ART_PROJECTIONS_AUTOMATIC] = PROJECTION_DEFAULT,
      [ART_PROJECTIONS_NO] = PROJECTION_NONE,
      [ART_PROJECTIONS_YES] = PROJECTION_FULL,
      [ART_PROJECTIONS_TANGENT] = PROJECTION_TANGENT,
      [ART_PROJECTIONS_BAUMGARTE] = PROJECTION_NONE};
  motionOptions options = motion_default_options();
  options.method = (motionMethod) method_kind((int) study->method)->rule;
  options.projection = PROJECTION[study->projections];
  if (study->projections == ART_PROJECTIONS_BAUMGARTE) {
    options.damping = 2 * study->alpha;
    options.stiffness = study->beta * study->beta;
  }
  options.step = study->step > 0 ? run_step(study) : usual_step(study);
  steer_motion_options(&options, study);
  options.penalty = study->penalty;
  options.radius = study->spectral_radius;
  options.hht = study->hht;
  options.is_whole = study->whole_steps;
  if (study->iterations > 0) options.iterations = study->iterations;
  options.tolerance = fmax(study->tolerance / 10, 1e-12);
  if (study->algebra == ART_ALGEBRA_DENSE) options.algebra = POSITIVE_DENSE;
  if (study->algebra == ART_ALGEBRA_SPARSE) options.algebra = POSITIVE_SPARSE;
  return options;
}


// y = (q, q', q'', lambda, states, memory, off, work)
static int take_natural_run_arrays(artRun *run)
{
  naturalRun *natural = run->natural;
  const naturalSystem *s = natural->machine->s;
  const int memory = natural->machine->forces.nmemory;
  run->n = 4 * s->n + s->nrow + run->m->nstate + memory + 1;
  run->y = arena_alloc(&natural->arena, (size_t) run->n, sizeof *run->y);
  natural->Q = arena_alloc(&natural->arena, (size_t) s->n, sizeof *natural->Q);
  if (!run->y || !natural->Q) return 0;
  natural->q = run->y;
  natural->v = natural->q + s->n;
  natural->a = natural->v + s->n;
  natural->lambda = natural->a + s->n;
  natural->states = natural->lambda + s->nrow;
  natural->memory = natural->states + run->m->nstate;
  natural->off = natural->memory + memory;
  return 1;
}


static void take_natural_memory(naturalRun *natural, const double *memory)
{
  const size_t count = (size_t) natural->machine->forces.nmemory;
  if (count > 0) memcpy(natural->memory, memory, count * sizeof *memory);
}


static void take_motion(artRun *run)
{
  naturalRun *natural = run->natural;
  const naturalMotion *path = natural->motion;
  const size_t n = (size_t) path->s->n * sizeof *natural->q;
  memcpy(natural->q, path->q, n);
  memcpy(natural->v, path->v, n);
  memcpy(natural->a, path->a, n);
  memcpy(natural->lambda, path->lambda, (size_t) path->s->nrow * sizeof *natural->lambda);
  if (run->m->nstate > 0) {
    memcpy(natural->states, path->s_state, (size_t) run->m->nstate * sizeof *natural->states);
  }
  take_natural_memory(natural, path->memory);
  if (path->options.method == MOTION_CONSERVING) memcpy(natural->off, path->pseudo, n);
  natural->motion->peeked_residual = path->residual;
  run->y[run->n - 1] = path->work;
  run->time = path->t;
}


static artStatus natural_run_show(artRun *run, artError *error);


// reactions at accelerations that a step has found
static artStatus balance_found_motion(const artModel *m, artData *d, artError *error)
{
  const artStatus status = method_balance(m, d, error);
  if (status == ART_OK) method_need_forces(m, d);
  return status;
}


// whole steps do not stop where constraints or held values change
static artStatus refuse_events(const artRun *run, artError *error)
{
  const artModel *m = run->model;
  if (!run->study.whole_steps || (m->nlatch == 0 && m->nsampler == 0)) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, m->nlatch > 0 ? m->latch[0].place : base_nowhere(),
                   "whole_steps locates no events, which %s of this machine need; leave it out",
                   m->nlatch > 0 ? "latches and ropes" : "samplers");
}


// after the loops are closed, with the data at the start: makes machine, motion and y
static artStatus make_natural_run(artRun *run, naturalRun *natural, artError *error)
{
  const artStatus possible = refuse_events(run, error);
  if (possible != ART_OK) return possible;
  artStatus status = natural_create(&natural->machine, run->m, run->d, NATURAL_AUTOMATIC, error);
  if (status != ART_OK) return status;
  if (!take_natural_run_arrays(run)) return base_no_memory(error);
  run->d->work->force->balance = balance_found_motion;
  natural_place(natural->machine, natural->q, natural->v);
  natural->machine->at_ends = run->study.forces_at_ends;
  const motionOptions options = natural_motion_options(&run->study);
  if (!run->study.whole_steps) {
    natural_hold_modes(natural->machine);
    status = natural_look_into_steps(natural->machine, options.method != MOTION_MULTI, error);
    if (status != ART_OK) return status;
  }
  if (!natural_weigh_rows(natural->machine->s, run->d->time, natural->q)) {
    return base_no_memory(error);
  }
  const naturalSystem *s = natural->machine->s;
  status = motion_create(&natural->motion, s, &natural->machine->forces, &options, run->d->time,
                         natural->q, natural->v, error);
  if (status != ART_OK) return status;
  natural->state =
      arena_alloc(&natural->arena, motion_state_count(natural->motion), sizeof *natural->state);
  return natural->state ? ART_OK : base_no_memory(error);
}


// the same in a pool; after an event, or at the beginning
static artStatus begin_in(artRun *run, memPool *pool, int is_event, artError *error)
{
  memPool *outer = pool_use(pool);
  naturalRun *natural = run->natural = mem_alloc(1, sizeof *natural);
  artStatus status = natural ? ART_OK : base_no_memory(error);
  if (natural) natural->pool = pool;
  if (natural) status = make_natural_run(run, natural, error);
  if (status == ART_OK && is_event) status = motion_settle(natural->motion, 1, error);
  pool_use(outer);
  if (status != ART_OK) return status;
  natural->motion->pause = run_pauses;
  natural->motion->pauser = run;
  take_motion(run);
  return natural_run_show(run, error);
}


// The pool that does not hold what there is, with nothing in it but room for the state in *kept; NULL when memory ran out.
static memPool *take_pool(artRun *run, double **kept)
{
  memPool **pool = &run->pool[run->natural && run->natural->pool == run->pool[0]];
  if (!*pool) *pool = pool_create();
  if (!*pool) return NULL;
  pool_clear(*pool);
  memPool *outer = pool_use(*pool);
  *kept = MEM_ARRAY(double, run->m->tree.nq + run->m->tree.nv + 1);
  pool_use(outer);
  return *kept ? *pool : NULL;
}


// what follows this one has memory already
static artStatus natural_run_begin(artRun *run, artError *error)
{
  double *kept;
  memPool *pool = take_pool(run, &kept);
  if (!pool) return base_no_memory(error);
  const artStatus status = begin_in(run, pool, 0, error);
  if (status != ART_OK) return status;

  // latches that engage add rows
  const size_t bytes = pool_used(pool), more = run->model->nlatch > 0 ? 2 * bytes : 0;
  run->pool[1] = pool_create();
  return run->pool[1] && pool_reserve(run->pool[1], bytes + more) && pool_reserve(pool, more)
             ? ART_OK
             : base_no_memory(error);
}


static void free_natural_run(naturalRun *natural)
{
  if (!natural) return;
  memPool *outer = pool_use(natural->pool);
  motion_free(natural->motion);
  natural_destroy(natural->machine);
  arena_free(&natural->arena);
  mem_free(natural);
  pool_use(outer);
}


// the figures of the certificate, with energy that has been gained on the way
static void go_on_with_certificate(artRun *run, const naturalRun *old, double gain)
{
  const naturalMotion *from = old->motion;
  naturalMotion *to = run->natural->motion;
  naturalMachine *machine = run->natural->machine;
  const size_t nv = (size_t) run->m->tree.nv;
  base_copy(machine->start, old->machine->start, nv);
  base_copy(machine->extent, old->machine->extent, nv);
  base_copy(machine->error, old->machine->error, nv);
  machine->view.unproved = old->machine->view.unproved;
  machine->forces.remember(machine, to->memory);
  take_natural_memory(run->natural, to->memory);
  to->counts = from->counts;
  to->energy_0 = from->energy_0;
  to->energy_error = from->energy_error;
  to->largest_work = from->largest_work;
  to->work_gap = from->work_gap;
  to->recomputed_error = from->recomputed_error;
  to->largest_residual = from->largest_residual;
  to->largest_open = from->largest_open;
  to->top_rate = from->top_rate;
  to->work = from->work + gain;
  run->y[run->n - 1] = to->work;
}


artStatus natural_run_renew(artRun *run, double gain, artError *error)
{
  naturalRun *old = run->natural;
  double *kept;
  memPool *pool = take_pool(run, &kept);
  if (!pool) return base_no_memory(error);
  const artStatus status = begin_in(run, pool, 1, error);
  if (run->natural && run->natural->motion) go_on_with_certificate(run, old, gain);
  free_natural_run(old);
  return status;
}


// the data at closed loops; where they cannot be closed it stays where it is
static artStatus close_or_stay(artRun *run, double *kept, artError *error)
{
  const size_t nq = (size_t) run->m->tree.nq, nv = (size_t) run->m->tree.nv;
  artData *d = run->d;
  memcpy(kept, d->q, nq * sizeof *kept);
  memcpy(kept + nq, d->v, nv * sizeof *kept);
  const artStatus status = run_close_anew(run, error);
  if (status == ART_OK) return ART_OK;
  memcpy(d->q, kept, nq * sizeof *kept);
  memcpy(d->v, kept + nq, nv * sizeof *kept);
  return status;
}


artStatus natural_run_follow(artRun *run, artError *error)
{
  const artModel *m = run->m;
  artData *d = run->d;
  const double before = run->certificate.energy_end;
  double *kept;
  memPool *pool = take_pool(run, &kept);
  if (!pool) return base_no_memory(error);
  if (m->nstate > 0) memcpy(d->s, run->natural->states, (size_t) m->nstate * sizeof *d->s);
  artStatus status = close_or_stay(run, kept, error);
  if (status == ART_OK)
    status = balance_found_motion(m, d, error); // parts of the data are made in no pool
  if (status != ART_OK) return status;
  naturalRun *old = run->natural;
  double *y = run->y;
  const int n = run->n;
  status = begin_in(run, pool, 0, error);
  if (status != ART_OK) {
    free_natural_run(run->natural);
    run->natural = old;
    run->y = y;
    run->n = n;
    return status;
  }
  const double *energies = d->work->force->energies;
  go_on_with_certificate(run, old, energies[0] + energies[1] - before);
  free_natural_run(old);
  return ART_OK;
}


//---- advancing -----------------------------------------------------------------------------------

// the motion to t, or until a latch has changed
static artStatus move_on(artRun *run, double t, artError *error)
{
  naturalRun *natural = run->natural;
  motion_stop(natural->motion, run_stop(run));
  const artStatus status = motion_advance(natural->motion, t, error);
  if (run->is_between || status != ART_OK) return status;
  return motion_peek(natural->motion, t, natural->q, natural->v, natural->a, natural->lambda,
                     natural->states, &run->y[run->n - 1], error);
}


// the impact of drives where ropes are taut
static artStatus apply_rope_impact(artRun *run, double *gain, artError *error)
{
  *gain = 0;
  if (!run->d->work->force->is_struck) return ART_OK;
  run->natural->motion->counts.impacts++;
  return latch_apply_impact(run, gain, error);
}


// Modes of latches or rates of drives have changed where the motion is. The last row belongs to another system by then, so that the run can
// be paused at the next one only.
static artStatus change_natural_system(artRun *run, artError *error)
{
  double work, gain = 0;

  // the data where the motion is
  naturalRun *natural = run->natural;
  const naturalMotion *path = natural->motion;
  const int is_off = path->options.method == MOTION_CONSERVING && path->index != 1;
  for (int i = 0; i < path->s->n; i++) {
    natural->v[i] = path->v[i] + (is_off ? path->pseudo[i] : 0);
  }
  natural_recover(natural->machine, path->t, path->q, natural->v, NULL);
  if (run->m->nstate > 0) {
    memcpy(run->d->s, path->s_state, (size_t) run->m->nstate * sizeof *run->d->s);
  }

  artStatus status = apply_rope_impact(run, &work, error);
  if (status == ART_OK && force_has_latched(run->m, run->d)) {
    status = latch_change(run, &gain, error);
  }
  if (status == ART_OK) status = natural_run_renew(run, work + gain, error);
  if (status == ART_OK) run->natural->motion->pause = NULL;
  return status;
}


static artStatus natural_run_advance(artRun *run, double t, artError *error)
{
  artStatus status = move_on(run, t, error);
  while (status == ART_STOPPED && !run->is_between &&
         (run->d->work->force->is_struck || force_has_latched(run->m, run->d))) {
    status = change_natural_system(run, error);
    if (status != ART_OK) return status;
    status = move_on(run, t, error);
  }
  if (run->is_between) return status;
  naturalRun *natural = run->natural;
  naturalMotion *path = natural->motion;
  path->pause = run_pauses;
  if (status == ART_OK) {
    take_natural_memory(natural, path->peeked);
    base_copy(natural->off, path->peeked_off, (size_t) path->s->n);
    run->time = t;
  } else if (path->t > run->time) {
    take_motion(run);
  }
  return status;
}


static artStatus natural_run_restart(artRun *run, double energy, artError *error)
{
  (void) energy; // the motion keeps its own account
  const naturalRun *n = run->natural;
  const motionPlace here = {run->time, n->q,      n->v,      n->a,
                            n->lambda, n->states, n->memory, run->y[run->n - 1]};
  return motion_restart(n->motion, &here, error);
}


// the length of the steps at hand
static double natural_run_next_step(const artRun *run)
{
  const naturalMotion *path = run->natural->motion;
  return path->h > 0 ? fmin(path->h, path->next) : path->next;
}


// kinetic, and potential of weights and elements, at the natural coordinates of y
static artStatus find_natural_energies(artRun *run, double energy[2], artError *error)
{
  const naturalRun *natural = run->natural;
  const naturalSystem *s = natural->machine->s;
  const naturalForces *forces = &natural->machine->forces;
  double power = 0;
  energy[0] = natural_kinetic(s, natural->v, natural->Q);
  energy[1] = s->weight_0;
  for (int k = 0; k < s->n; k++) energy[1] -= s->weight[k] * natural->q[k];
  if (!forces->apply) return ART_OK;
  if (forces->nstate > 0) forces->set_states(forces->context, natural->states, NULL, 0, 0);
  memset(natural->Q, 0, (size_t) s->n * sizeof *natural->Q);
  return forces->apply(forces->context, run->time, natural->q, natural->v, natural->Q, &power,
                       &energy[1], error);
}


static artStatus natural_run_show(artRun *run, artError *error)
{
  const naturalRun *natural = run->natural;
  const motionResidual *open = &natural->motion->peeked_residual;
  artWorkspace *w = run->d->work;
  double energy[2];
  const naturalForces *forces = &natural->machine->forces;
  forces->recall(forces->context, natural->memory);
  artStatus status = find_natural_energies(run, energy, error);
  if (status != ART_OK) return status;
  const int n = natural->machine->s->n;
  for (int i = 0; i < n; i++) natural->Q[i] = natural->v[i] + natural->off[i];
  natural_recover(natural->machine, run->time, natural->q, natural->Q, natural->a);
  status = balance_found_motion(run->m, run->d, error);
  if (status != ART_OK) return status;
  w->force->energies[0] = energy[0];
  w->force->energies[1] = energy[1];
  w->force->has_energies = 1;
  w->force->run.step_size = natural->motion->h;
  w->force->run.step_index = natural->motion->index;
  w->force->run.violation[0] = open->position;
  w->force->run.violation[1] = open->velocity;
  w->force->run.violation[2] = open->acceleration;
  return ART_OK;
}


static const stepView *natural_run_view(const artRun *run)
{
  return &run->natural->machine->view;
}


static void natural_run_account(artRun *run)
{
  const naturalMotion *path = run->natural->motion;
  const motionCounts *counts = &path->counts;
  const motionResidual *most = &path->largest_residual;
  artCertificate *c = &run->certificate;
  c->energy_error = max_nan(c->energy_error, path->energy_error);
  c->energy_scale = max_nan(c->energy_scale, path->largest_work);
  c->position_residual = max_nan(c->position_residual, most->position);
  c->velocity_residual = max_nan(c->velocity_residual, most->velocity);
  c->acceleration_residual = max_nan(c->acceleration_residual, most->acceleration);
  c->position_violation = max_nan(c->position_violation, path->largest_open.position);
  c->velocity_violation = max_nan(c->velocity_violation, path->largest_open.velocity);
  c->penalty_energy = max_nan(path->largest_open.energy, most->energy);
  c->top_rate = path->top_rate;
  c->recomputed_error = path->recomputed_error;
  c->rescaled = counts->rescaled;
  const naturalMachine *machine = run->natural->machine;
  c->step_error = 0;
  for (int i = 0; i < run->m->tree.nv; i++) {
    const double error = run_relative_error(run, i, machine->error[i], machine->extent[i]);
    c->step_error = max_nan(c->step_error, error);
  }
  c->steps = counts->steps;
  c->rejected = counts->rejected;
  c->evaluations = counts->iterations;
  c->events = counts->events;
  c->impacts = counts->impacts;
  c->shortest_step = counts->shortest;
  c->longest_step = counts->longest;
  c->unseen_steps = counts->unseen + force_view_count_open(&machine->view, run->m);
  c->unproved_steps = counts->unproved + machine->view.unproved;
}


//---- saving --------------------------------------------------------------------------------------

static size_t natural_run_count_bytes(const artRun *run)
{
  return motion_state_count(run->natural->motion) * sizeof *run->natural->state;
}


static artStatus natural_run_save(const artRun *run, char *bytes, artError *error)
{
  (void) error;
  motion_save(run->natural->motion, run->natural->state);
  memcpy(bytes, run->natural->state, natural_run_count_bytes(run));
  return ART_OK;
}


static artStatus natural_run_load(artRun *run, const char *bytes, artError *error)
{
  (void) error;
  memcpy(run->natural->state, bytes, natural_run_count_bytes(run));
  motion_load(run->natural->motion, run->natural->state);
  return ART_OK;
}


static const char *natural_run_setting(const artRun *run, int k, double *value)
{
  const motionOptions *o = &run->natural->motion->options;
  const struct {
    const char *name;
    double value;
  } settings[RUN_SETTINGS] = {
      {"step", o->step},
      {"longest_step", o->longest},
      {"penalty", o->penalty},
      {"projections", (double) o->projection},
      {"spectral_radius", o->radius},
      {"hht", o->hht},
      {"tolerance of iterations", o->tolerance},
      {"energy_upper", o->upper},
      {"energy_lower", o->lower},
      {"local_error", o->local},
      {"energy_scale", o->energy},
      {"safety", o->safety},
      {"growth", o->growth},
      {"shrink", o->shrink},
      {"shortest_step", o->shortest},
      {"leave_index3", o->leave_3},
      {"leave_index1", o->leave_1},
      {"reductions", o->reductions},
      {"algebra", (double) o->algebra},
      {"whole_steps", o->is_whole},
      {"iterations", o->iterations},
      {"forces_at_ends", run->study.forces_at_ends},
      {"alpha", o->damping},
      {"beta", o->stiffness},
  };
  *value = settings[k].value;
  return settings[k].name;
}


//---- the engine ----------------------------------------------------------------------------------

static double natural_run_reached(const artRun *run)
{
  return run->natural->motion->t;
}


static void natural_run_end(artRun *run)
{
  free_natural_run(run->natural);
  for (int k = 0; k < 2; k++) pool_free(run->pool[k]);
}


const runEngine natural_engine = {
    .shows_violation = 1,
    .start = natural_run_begin,
    .advance = natural_run_advance,
    .restart = natural_run_restart,
    .show = natural_run_show,
    .account = natural_run_account,
    .view = natural_run_view,
    .reached = natural_run_reached,
    .next_step = natural_run_next_step,
    .bytes = natural_run_count_bytes,
    .save = natural_run_save,
    .load = natural_run_load,
    .setting = natural_run_setting,
    .free = natural_run_end,
};
