// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motion in time: a run from row to row, and the account that it gives.
#include "study/run/run.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "base/pool.h"
#include "force/force.h"
#include "force/port_forces.h"
#include "force/tyre_element.h"
#include "loop/loop.h"
#include "loop/rows.h"
#include "method/method.h"
#include "model/define/study_def.h"
#include "study/assemble/assemble.h"
#include "study/assemble/fork.h"

//---- creation ------------------------------------------------------------------------------------

// more steps than this take days and are a slip of the pen
#define MAX_STEPS 1e10


static artStatus check_run_study(const artModel *m, const artRunDef *study, artError *error)
{
  const artStatus status = model_check_study(ART_RUN, study, error);
  if (status != ART_OK) return status;
  const int is_natural = art_method_is_natural(study->method);
  const int is_fixed = is_natural ? !model_method_has((int) study->method, METHOD_STEERED)
                                  : art_integrator_is_fixed(study->integrator);
  const double steps = (study->until - study->from) / study->step;
  if (!is_natural && study->integrator == ART_MOREAU && !model_has_rigid(m)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "integrator moreau is for machines with rigid contacts, and this one has "
                     "none; use rk4, or one that chooses its steps");
  }
  if (m->npile > 0 && (is_natural || study->integrator != ART_MOREAU)) {
    const modelElement *e = &m->element[m->pile[0].element];
    return base_fail(error, ART_BAD_INPUT, e->place,
                     "pile '%s' is for integrator moreau, with a step: for example integrator: "
                     "moreau, step: 1 ms",
                     e->name);
  }
  if (is_fixed && study->step > 0 && steps > MAX_STEPS) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "%s would take %.3g steps of %g s, expected at most %g; choose a longer step",
                     is_natural ? art_method_name(study->method)
                                : art_integrator_name(study->integrator),
                     steps, study->step, MAX_STEPS);
  }
  return ART_OK;
}


size_t run_memory_count(const artModel *m)
{
  return state_count(m) + RIGID_NUMBERS * (size_t) m->nrigid + force_pile_numbers(m);
}


static int take_run_arrays(artRun *run)
{
  baseArena *a = &run->arena;
  runMoment *const moment[] = {&run->kept, &run->row.at};
  for (int k = 0; k < 2; k++) {
    ARENA_TAKE(a, moment[k]->mode, run->m->nmode);
    ARENA_TAKE(a, moment[k]->holds, latch_count(run->m));
    if (run->remembers) ARENA_TAKE(a, moment[k]->loops, run_memory_count(run->m));
  }
  ARENA_TAKE(a, run->q_switched, run->m->tree.nq);
  ARENA_TAKE(a, run->impact, 2 * run->m->tree.nv);
  ARENA_TAKE(a, run->scale, run->m->tree.nv);
  ARENA_TAKE(a, run->kept_scale, run->m->tree.nv);
  if (run->backend) ARENA_TAKE(a, run->kept_code, run->backend->numbers(run->m));
  if (a->has_run_out || !run_take_held(run)) return 0;
  return !run->engine->take || run->engine->take(run);
}


// The energies to expect: what there is at the start, and what the forces present do over the machine's length
// or a radian.
static double energy_unit(const artRun *run, double kinetic)
{
  const artModel *m = run->m;
  double work = run->shown.length * study_weight(m);
  for (int k = 0; k < m->tree.nv; k++) {
    work = max_nan(work, run_way(run, k) * fabs(run->d->force[k]));
  }
  const double scale = max_nan(kinetic, work);
  return scale > 0 && isfinite(scale) ? exp2(ceil(log2(scale))) : 1;
}


double run_step(const artRunDef *study)
{
  const double duration = study->until - study->from;
  return duration > 0 ? fmin(study->step, duration) : study->step;
}


static artStatus assemble_run(artRun *run, artError *error)
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
  if (assembly.dof == 0 && !may_move) {
    const artModel *m = run->m;
    const int has_cut = m->ncut > 0, others = m->ncut + m->nrelation - 1;
    const modelJoint *joint = has_cut ? &m->joint[m->cut[0].joint] : NULL;
    char more[32] = "";
    if (others > 0) snprintf(more, sizeof more, " and %d more", others);
    return base_fail(
        error, ART_BAD_INPUT, has_cut ? joint->place : m->relation[0].place,
        "nothing can move: the loop closed by %s '%s'%s leaves none of the %d velocities "
        "free (%d rows, %d of which count); a machine that moves needs more joints, or a "
        "drive",
        has_cut ? "joint" : "relation", has_cut ? joint->name : m->relation[0].name, more,
        m->tree.nv, assembly.rows, assembly.rank);
  }
  const int fits = model_method_has((int) run->method, METHOD_LOOPS);
  status = fits ? study_choose_branch(run->m, run->d, error) : ART_OK;
  if (status != ART_OK) return status;
  run_account_rank(run);

  // where massless branches are held by loops, the reduced mass matrix must not be singular, whatever the
  // method.
  return run->m->is_light ? method_semirecursive(run->m, run->d, error) : ART_OK;
}


// how far loops are open at the state shown, for its outputs too; natural coordinates have shown their own
static artStatus find_residuals(artRun *run, loopResidual *now, artError *error)
{
  *now = (loopResidual){0, 0, 0};
  if (run->m->nrow == 0) return ART_OK;
  method_need_forces(run->m, run->d);
  const artStatus status = residual_find(run->m, run->d, now, error);
  if (run->engine->shows_violation) return status;
  double *violation = run->d->work->force->run.violation;
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
  c->position_residual = max_nan(c->position_residual, now.position);
  c->velocity_residual = max_nan(c->velocity_residual, now.velocity);
  c->acceleration_residual = max_nan(c->acceleration_residual, now.acceleration);
  if (run->is_reduced) run_account_pivot(run, run->d->time);
  return run->drifts ? ART_OK : run_check_closed(run, now.position, error);
}


// Behind the middle of a surface a contact pushes to the other side: what follows is no motion of the machine.
static artStatus check_run_passages(const artRun *run, artError *error)
{
  double t;
  const int i = force_view_passed(run->engine->view(run), run->m, run->d, &t);
  if (i < 0) return ART_OK;
  const modelElement *e = &run->m->element[i];
  return base_fail(
      error, ART_SINGULAR, e->place,
      "the surfaces of contact '%s' come to the middle of each other at t = %.9g s, behind which "
      "it pushes to the other side; give it more stiffness, or the surfaces more thickness",
      e->name, t);
}


// surfaces that overlap at the start push with all their stored energy
static void account_overlaps(artRun *run)
{
  artCertificate *c = &run->certificate;
  for (int i = 0; i < run->m->nelement; i++) {
    const modelElement *e = &run->m->element[i];
    const elementPhysics *physics = port_physics(e);
    if (!physics || physics->port != PORT_CONTACT || e->rigid) continue;
    portState port;
    force_move_port(run->m, run->d, e, &port);
    const double overlap = -port.in.x[CONTACT_GAP];
    if (!(overlap > 0)) continue;
    c->overlaps++;
    if (!(overlap > c->overlap)) continue;
    c->overlap = overlap;
    format_text(c->overlap_contact, sizeof c->overlap_contact, "%.200s", e->name);
  }
}


static artStatus check_run_row(artRun *run, artError *error)
{
  artStatus status = account_residuals(run, error);
  if (status == ART_OK) status = check_run_passages(run, error);
  return status ? status : force_check_rules(run->m, run->d, error);
}


static artStatus begin_run(artRun *run, const artRunDef *study, artError *error)
{
  artData *d = run->d;
  artStatus status = force_look_at_drives(run->m, d, study->from, study->until, NULL, NULL, error);
  if (status != ART_OK) return status;
  d->time = run->time = study->from;
  run->noise = run_noise(study);
  d->work->is_frozen = 0;
  art_normalise(run->m, d->q);
  latch_begin(run);
  force_update(run->m, d);
  status = assemble_run(run, error);
  if (status == ART_OK) latch_begin_at(run);
  if (status == ART_OK) status = force_settle_states(run->m, d, error);

  // events of latches and rigid contacts may ask for forces by this method, which takes its memory now
  if (status == ART_OK && run->m->nlatch + run->m->nrigid > 0)
    (void) method_accelerate(run->m, d, ART_AUTOMATIC, NULL);
  if (status == ART_OK) status = rigid_begin(run, error);
  if (status == ART_OK) status = run->engine->start(run, error);
  if (status == ART_OK && run->model->nlatch > 0) status = latch_reserve(run, error);
  if (status == ART_OK) status = check_run_row(run, error);
  if (status == ART_OK) status = force_check_rates(run->m, d, error);
  if (status != ART_OK) return status;

  const artEnergy energy = art_energy(run->m, d);
  artCertificate *c = &run->certificate;
  c->time = study->from;
  c->energy_start = c->energy_end = energy.kinetic + energy.potential;
  c->energy_scale = energy.kinetic;
  run->potential_start = energy.potential;
  if (!run_find_scales(run)) return base_no_memory(error);
  if (run->natural) status = run->engine->show(run, error); // scales have moved the data
  if (status != ART_OK) return status;
  c->length = run->shown.length;
  c->pace = run->shown.pace;
  run->unit = energy_unit(run, energy.kinetic);
  c->energy_resolved = 10 * study->tolerance * run->unit;
  account_overlaps(run);
  art_set_work(d, 0, c->energy_start);
  if (run->engine->open) {
    status = run->engine->open(run, study, error);
  } else {
    run->unit = 1; // a motion without a stepper counts its work in J
  }
  return status == ART_OK && run->m->nclock > 0 ? run_sample(run, error) : status;
}


artStatus run_report_loops(const artModel *m, artData *d, const artRunDef *study, artError *error)
{
  struct loopWork *loop = d->work->loop;
  if (!loop) return ART_OK;
  struct methodWork *method = method_work(d);
  if (!method) return base_no_memory(error);
  method->algebra = study->algebra;
  method->alpha = study->alpha;
  method->beta = study->beta;
  loop_set_redundant(m, loop, study->redundant);
  return loop_ask_for(m, loop, study->partition, study->independent, error);
}


void run_choose_ways(artRun *run, const artRunDef *study)
{
  const int has_loops = run->m->nrow > 0 && !art_method_is_natural(study->method);
  run->is_reduced = has_loops && !model_method_has((int) study->method, METHOD_STABILISED);
  run->drifts = has_loops && !run->is_reduced && study->projections == ART_PROJECTIONS_NO;
  run->closes = has_loops && !run->drifts;
}


// Instants of samplers are counted, and so close that rounding cannot tell them apart they are none.
static artStatus check_clocks(const artModel *m, const artRunDef *study, artError *error)
{
  const double most = 1e15, duration = study->until - study->from;
  const double finest = 64 * DBL_EPSILON * fmax(fabs(study->from), fabs(study->until));
  for (int i = 0; i < m->nheld; i++) {
    const modelHeld *held = &m->held[i];
    if (held->clock < 0 || held->table || (held->every >= finest && duration <= most * held->every))
      continue;
    return base_fail(error, ART_BAD_INPUT, held->place,
                     "'%s' is sampled every %g s, which makes more than %g instants from %g s to "
                     "%g s; expected a longer period, or a shorter study",
                     held->name, held->every, most, study->from, study->until);
  }
  return ART_OK;
}


artStatus art_create_run(artRun **out, const artModel *m, artData *d, const artRunDef *study,
                         artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(out, error);
  *out = NULL;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(study, error);
  artStatus status = check_run_study(m, study, error);
  if (status == ART_OK) status = check_clocks(m, study, error);
  if (status == ART_OK && m->nlatch > 0) status = latch_check(m, study, error);
  if (status != ART_OK) return status;
  artRun *run = mem_alloc(1, sizeof *run);
  if (!run) return base_no_memory(error);
  m = loop_leave_copy(d);
  d->work->is_frozen = 0; // it may be the copy of a data block in a run
  run->m = run->model = m;
  run->revision = m->revision;
  run->d = d;
  run->first_work = d->work;
  run->study = *study;
  run->switched = -HUGE_VAL;
  run->stop = run->instant = INFINITY;
  run->backend = method_kind(model_way(study))->backend;
  run->method = study->method;
  run->engine = art_method_is_natural(run->method) ? &natural_engine : &relative_engine;
  run_choose_ways(run, study);
  if (run->backend) run->counted = run->backend->counts(d);
  run->counted.codes = 0;
  run->remembers = m->nrow > 0 || m->nlatch > 0 || model_has_rigid(m);
  d->work->force->is_stepping =
      study->integrator == ART_MOREAU && !art_method_is_natural(run->method);

  status = run_report_loops(m, d, study, error);
  force_begin_tables(m, d);
  if (status == ART_OK) {
    status = take_run_arrays(run) ? begin_run(run, study, error) : base_no_memory(error);
  }
  if (status != ART_OK) {
    art_free_run(run);
    return status;
  }
  d->work->is_frozen = !run->study.whole_steps; // whole steps take laws as they are at each state
  *out = run;
  return ART_OK;
}


void art_free_run(artRun *run)
{
  if (!run) return;
  latch_end(run);
  run->d->work->is_frozen = run->d->work->force->is_stepping = 0;
  run->d->work->force->watch = NULL;
  const artRunDef usual = art_default_run();
  run_report_loops(run->m, run->d, &usual, NULL);
  run->engine->free(run);
  for (int k = 0; k < 2; k++) pool_free(run->variants[k]);
  arena_free(&run->change);
  arena_free(&run->arena);
  mem_free(run);
}


//---- advancing -----------------------------------------------------------------------------------

double run_work(const artRun *run, const double *y)
{
  return y[run->n - 1] * run->unit;
}


artStatus run_show(artRun *run, artError *error)
{
  const artStatus status = run->engine->show(run, error);
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
  return method_accelerate(run->m, run->d, model_way(&run->study), error);
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


// Ways shorter than this part of the machine's length, or of a radian, do not count by themselves.
static const double MIN_EXTENT = 1e-2;


double run_relative_error(const artRun *run, int velocity, double error, double extent)
{
  const int turns = velocity < 0 || run->m->velocity[velocity].partner < 0;
  return error / fmax(extent, turns ? 1 : MIN_EXTENT * run_way(run, velocity));
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
  if (is_finite(run->m->noutput, outputs)) return;
  note_odd_row(run);
  if (!run->certificate.odd_outputs[0]) {
    // "'a', 'b', 'c' and 2 more"
    enum { NAMED = 3 };
    const artModel *m = run->m;
    char *text = run->certificate.odd_outputs;
    const size_t size = sizeof run->certificate.odd_outputs;
    int count = 0;
    for (int k = 0; k < m->noutput; k++) {
      if (isfinite(outputs[k]) || count++ >= NAMED) continue;
      const size_t used = strlen(text);
      snprintf(text + used, size - used, "%s'%.60s'", used ? ", " : "", m->output[k].name);
    }
    const size_t used = strlen(text);
    if (count > NAMED) snprintf(text + used, size - used, " and %d more", count - NAMED);
  }
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


// the account of the steps so far
static void account_steps(artRun *run, double t, double seconds)
{
  artCertificate *c = &run->certificate;
  c->time = t;
  c->total_time += seconds;
  run->engine->account(run);
}


static void account_for_run(artRun *run, double seconds)
{
  artCertificate *c = &run->certificate;
  const artEnergy energy = art_energy(run->m, run->d);
  account_numbers(run, energy);
  c->energy_end = energy.kinetic + energy.potential;
  c->work = run_work(run, run->y);
  c->energy_error = max_nan(c->energy_error, fabs(c->energy_end - c->energy_start - c->work));
  c->energy_scale = max_nan(c->energy_scale, energy.kinetic);
  c->energy_scale = max_nan(c->energy_scale, fabs(energy.potential - run->potential_start));
  c->worst_interval = fmax(c->worst_interval, seconds);
  account_steps(run, run->time, seconds);
}


//---- between rows --------------------------------------------------------------------------------

int run_pauses(void *context)
{
  artRun *run = context;

  // between rows and instants the run could not show its last row
  if (!run->pauses || run->m->nclock > 0 || !run->pauses(run->pauser)) return 0;
  run->is_between = 1;
  return 1;
}


const double *run_end_of_steps(const artRun *run)
{
  return run->engine->end_of_steps ? run->engine->end_of_steps(run) : run->y;
}


double run_reached(const artRun *run)
{
  return fmax(run->time, run->engine->reached(run));
}


static void run_save_loops(const artRun *run, double *numbers)
{
  if (run_has_loops(run)) {
    state_save(run->m, run->d, numbers);
  } else if (run->remembers) {
    memset(numbers, 0, state_count(run->m) * sizeof *numbers);
  }
}


void run_keep(const artRun *run, const runMoment *moment)
{
  const int *mode = run->d->work->mode;
  if (run->m->nmode > 0) memcpy(moment->mode, mode, (size_t) run->m->nmode * sizeof *mode);
  if (run->m->nlatch > 0) latch_save(run, moment->holds);
  run_save_loops(run, moment->loops);
  if (!model_has_rigid(run->m)) return;
  double *numbers = moment->loops + state_count(run->m);
  force_save_rigid(run->m, run->d, numbers);
  force_save_piles(run->m, run->d, numbers + RIGID_NUMBERS * run->m->nrigid);
}


artStatus run_leave_row(artRun *run, artError *error)
{
  runRow *row = &run->row;
  run->is_between = 0;
  if (run->is_behind) return run_put_back(run, error);
  if (!run->pauses || row->is_kept) return ART_OK;
  row->is_kept = 1;
  row->widest = run_widest(run);
  row->step_size = run->d->work->force->run.step_size;
  row->step_index = run->d->work->force->run.step_index;
  run_keep(run, &row->at);
  return ART_OK;
}


artStatus run_pause(artRun *run, double start, artError *error)
{
  account_steps(run, run_reached(run), base_now() - start);
  return base_fail(error, ART_STOPPED, base_nowhere(),
                   "the run was asked to pause at t = %.9g s, after the row at %.9g s",
                   run->certificate.time, run->time);
}


artStatus run_to_since(artRun *run, double t, double start, artError *error)
{
  if (!(t >= run->time) || !isfinite(t)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the state at t = %.17g s was asked for, but the run is at %.17g s and "
                     "cannot go back",
                     t, run->time);
  }
  artStatus status = run_leave_row(run, error);
  if (status == ART_OK) status = run_begin_hold(run, t, error);
  if (status != ART_OK) return status;
  status = run_go_to(run, t, error);
  if (run->is_between) return run_pause(run, start, error);
  run->row.is_kept = 0;
  if (status == ART_OK) {
    status = run_show(run, error);
    if (status == ART_OK) status = check_run_row(run, error);
  } else {
    run_show(run, NULL);
  }
  run_end_hold(run);
  account_for_run(run, base_now() - start);
  return status;
}


artStatus art_run_to(artRun *run, double t, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(run, error);
  run->failure.status = ART_OK;
  return run_to_since(run, t, base_now(), error);
}


artStatus run_adopt(artRun *run, double t, const double *y, artError *error)
{
  run->time = t;
  memcpy(run->y, y, (size_t) run->n * sizeof *y);
  artStatus status = run_show(run, error);
  if (status == ART_OK) status = check_run_row(run, error);
  account_for_run(run, 0);
  return status;
}


artCertificate art_certify(const artRun *run)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(run, (artCertificate){.time = NAN});
  artCertificate c = run->certificate;
  if (run->engine->certify) run->engine->certify(run, &c);
  if (c.passages == 0 && run->was_held) run_account_ending(run, &c);
  return c;
}
