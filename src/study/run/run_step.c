// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps for controllers: a run goes to an instant and no further, and begins anew where influences on it have changed.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/clock.h"
#include "force/force.h"
#include "loop/loop.h"
#include "study/run/run.h"

//---- held numbers ----------------------------------------------------------------------------------

int run_take_held(artRun *run)
{
  const artModel *m = run->m;
  ARENA_TAKE(&run->arena, run->held, m->nheld);
  ARENA_TAKE(&run->arena, run->first, m->ninput);
  for (int k = 0; k < 2; k++) ARENA_TAKE(&run->arena, run->ramp[k], m->ninput);
  if (run->arena.has_run_out) return 0;
  for (int k = 0; k < m->ninput; k++) {
    if (m->held[k].hold != ART_HOLD_FIRST) continue;
    run->has_lines = 1;
    if (!m->held[k].table) run->first[run->nfirst++] = k;
  }
  run_hold(run);
  return 1;
}


void run_hold(artRun *run)
{
  if (run->m->nheld > 0) memcpy(run->held, run->d->u, (size_t) run->m->nheld * sizeof *run->held);
}


static int has_other_numbers(const artRun *run)
{
  for (int k = 0; k < run->m->nheld; k++) {
    const double *now = &run->d->u[k];
    if (held_is_on_lines(&run->m->held[k])) continue;
    if (memcmp(&run->held[k], now, sizeof *now) != 0) return 1;
  }
  return 0;
}


// Inputs of first order go from where they were to where they have been set, over the time up to t.
static int begin_ramp(artRun *run, double t)
{
  forceRamp *ramp = &run->d->work->force->ramp;
  int moves = 0;
  for (int i = 0; i < run->nfirst; i++) {
    run->ramp[0][i] = run->held[run->first[i]];
    run->ramp[1][i] = run->d->u[run->first[i]];
    moves |= run->ramp[0][i] != run->ramp[1][i];
  }
  if (!moves || !(t > run->time)) return 0;
  *ramp = (forceRamp){run->nfirst, run->first, run->time, t, run->ramp[0], run->ramp[1]};
  return 1;
}


//---- beginning anew --------------------------------------------------------------------------------

static int has_own_laws(const artModel *m)
{
  for (int k = 0; k < m->nelement; k++) {
    if (m->element[k].kind == ELEMENT_callback) return 1;
  }
  for (int k = 0; k < m->nfunction; k++) {
    if (m->function[k].context && !m->function[k].in_c && !m->function[k].in_fortran) return 1;
  }
  return 0;
}


int run_is_anew(const artRun *run)
{
  return run->d->work->force->ramp.n > 0 || has_own_laws(run->m);
}


void art_restart_run(artRun *run)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(run, );
  run->has_changed = 1;
}


artStatus run_close_anew(artRun *run, artError *error)
{
  artData *d = run->d;
  const artStatus status = run->m->nrow > 0 ? loop_close(run->m, d, error) : ART_OK;
  const int was_frozen = d->work->is_frozen;
  // borders of laws may have moved past the state; with latches and rigid contacts, their events find the pieces again
  d->work->is_frozen = was_frozen && run->m->nlatch + run->m->nrigid > 0;
  force_update(run->m, d);
  d->work->is_frozen = was_frozen;
  return status;
}


// relative coordinates where parameters have changed; code is made, or found again, for the new ones
static artStatus follow_changed_parameters(artRun *run, artError *error)
{
  run->counted = (backendCounts){0};
  run_put(run, run->time, run->y);
  const artStatus status = run_close_anew(run, error);
  if (status != ART_OK) return status;
  run_take_state(run, run_work(run, run->y), run->y);
  return run->backend ? run_start_rates(run, error) : ART_OK;
}


// Parameters of the model may have changed since the run last looked. Where it cannot go on with them it looks again the
// next time.
static artStatus take_parameters(artRun *run, artError *error)
{
  if (run->revision == run->model->revision) return ART_OK;
  if (run->backend) run_account_code(run);
  data_refresh(run->d);
  const artStatus status =
      run->natural ? natural_run_follow(run, error) : follow_changed_parameters(run, error);
  run->has_changed = 1;
  if (status == ART_OK) run->revision = run->model->revision;
  return status;
}


artStatus run_begin_hold(artRun *run, double t, artError *error)
{
  const artStatus taken = take_parameters(run, error);
  if (taken != ART_OK) return taken;
  const int is_other = has_other_numbers(run), is_step = isfinite(run->stop);
  const int is_elsewhere = is_step && run->engine->reached(run) != run->time;
  if (is_other && begin_ramp(run, t)) run->stop = t;
  if (!is_other && !run->has_changed && !is_elsewhere && !(is_step && has_own_laws(run->m))) {
    return ART_OK;
  }
  run->settled_time = -HUGE_VAL;
  const artStatus status = run->engine->restart(run, run->certificate.energy_end, error);
  run->has_changed = status != ART_OK;
  if (status == ART_OK) {
    run_hold(run);
  } else {
    run_end_hold(run);
  }
  return status;
}


// the end of a ramp that was not reached is set again: inputs go on to there
void run_end_hold(artRun *run)
{
  forceRamp *ramp = &run->d->work->force->ramp;
  run_hold(run);
  for (int i = 0; i < ramp->n; i++) run->d->u[ramp->input[i]] = ramp->to[i];
  ramp->n = 0;
  run->stop = INFINITY;
}


//---- instants --------------------------------------------------------------------------------------

artStatus run_sample(artRun *run, artError *error)
{
  artData *d = run->d;
  artStatus status = run_show(run, error);
  if (status != ART_OK) return status;
  const artEnergy energy = art_energy(run->m, d);
  if (run->m->sample_level == LEVEL_ACCELERATION) method_need_forces(run->m, d);
  status = force_sample(run->m, d, error);
  run->instant = force_next_instant(run->m, d);
  if (status == ART_OK) {
    run->settled_time = -HUGE_VAL;
    status = run->engine->restart(run, energy.kinetic + energy.potential, error);
  }
  run_hold(run);
  return status == ART_OK ? run_show(run, error) : status;
}


artStatus run_pass_instant(artRun *run, double t, artError *error)
{
  if (run->ends && run->ends(run->pauser)) {
    return base_fail(error, ART_STOPPED, base_nowhere(), "the run was ended at t = %.9g s", t);
  }
  const artStatus status = run->engine->advance(run, t, error);
  return status == ART_OK ? run_sample(run, error) : status;
}


artStatus run_go_to(artRun *run, double t, artError *error)
{
  artStatus status = ART_OK;
  const double rounding = 6 * DBL_EPSILON * fabs(t);
  while (status == ART_OK && run->instant <= t + rounding) {
    const int is_t = run->instant >= t - rounding;
    if (is_t) run->instant = fmax(run->instant, t); // steps may have come there already
    status = run_pass_instant(run, is_t ? t : run->instant, error);
  }
  return status == ART_OK ? run->engine->advance(run, t, error) : status;
}


//---- steps -----------------------------------------------------------------------------------------

// to t and no further
static artStatus go_to(artRun *run, double t, artError *error)
{
  const double start = base_now();
  run->failure.status = ART_OK;
  if (run->is_between) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the run was paused after the row at %.9g s; it goes on by art_run_to or "
                     "art_run_next before it can be stepped",
                     run->time);
  }
  run->stop = t;
  const artStatus status = run_to_since(run, t, start, error);
  run->stop = INFINITY;
  return status;
}


artStatus art_step_to(artRun *run, double t, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(run, error);
  if (!isfinite(t) || t < run->time) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "a step to t = %.17g s was asked for, but the run is at %.17g s; expected "
                     "a later time",
                     t, run->time);
  }
  run->beat = (runBeat){0};
  return go_to(run, t, error);
}


// Steps of one length in a row end at  start + k dt,  k counted: sums of dt would be off by their rounding.
artStatus art_step(artRun *run, double dt, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(run, error);
  if (!isfinite(dt) || dt < 0) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "a step of %g s was asked for, expected a number that is not negative", dt);
  }
  runBeat *beat = &run->beat;
  const int goes_on = beat->count > 0 && dt == beat->dt &&
                      run->time == beat->start + (double) beat->count * beat->dt;
  if (!goes_on) *beat = (runBeat){.start = run->time, .dt = dt};
  beat->count++;
  return go_to(run, beat->start + (double) beat->count * dt, error);
}
