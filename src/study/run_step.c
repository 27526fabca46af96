// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps for controllers: a run goes to an instant and no further, and begins anew where what acts on the machine has changed.
#include <math.h>

#include "base/clock.h"
#include "data/work.h"
#include "study/run.h"

//---- beginning anew --------------------------------------------------------------------------------

int run_has_own_laws(const artModel *m)
{
  for (int k = 0; k < m->nelement; k++) {
    if (m->element[k].kind == ELEMENT_callback) return 1;
  }
  for (int k = 0; k < m->nfunction; k++) {
    if (m->function[k].context && !m->function[k].in_c && !m->function[k].in_fortran) return 1;
  }
  return 0;
}


void art_restart_run(artRun *run)
{
  ART_REQUIRE_OR(run, );
  run->has_changed = 1;
}


artStatus run_restart(artRun *run, artError *error)
{
  run->has_changed = 0;
  run->settled_time = -HUGE_VAL;
  return run->engine->restart(run, error);
}


//---- steps -----------------------------------------------------------------------------------------

// to t and no further
static artStatus go_to(artRun *run, double t, artError *error)
{
  const double start = base_now();
  run->failure.status = ART_OK;
  if (run->is_between) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the run was paused behind the row at %.9g s; it goes on by art_run_to or "
                     "art_run_next before it can be stepped",
                     run->time);
  }
  const int is_elsewhere = run->engine->reached(run) != run->time;
  artStatus status = ART_OK;
  if (run->has_changed || is_elsewhere || run_has_own_laws(run->m))
    status = run_restart(run, error);
  if (status != ART_OK) {
    run->has_changed = 1;
    return status;
  }
  run->stop = t;
  status = run_to_since(run, t, start, error);
  run->stop = INFINITY;
  return status;
}


artStatus art_step_to(artRun *run, double t, artError *error)
{
  ART_REQUIRE(run, error);
  if (!isfinite(t) || t < run->time) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "a step to t = %.17g s was asked for, but the run stands at %.17g s; expected "
                     "a later time",
                     t, run->time);
  }
  run->beat = (runBeat){0};
  return go_to(run, t, error);
}


// Steps of one length in a row end at  start + k dt,  k counted: sums of dt would be off by their rounding.
artStatus art_step(artRun *run, double dt, artError *error)
{
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
