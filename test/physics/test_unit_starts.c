// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Start values of exported machines follow their parameters: an FMU whose parameter is set before initialisation begins where the model with
// that parameter does.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "support/check.h"
#include "support/unit_host.h"

enum { MOST = 2000 };

static int take_state(const hostUnit *u, double *x)
{
  const artModel *m = u->m;
  const int nq = m->tree.nq, nv = m->tree.nv;
  memcpy(x, u->d->q, (size_t) nq * sizeof *x);
  memcpy(x + nq, u->d->v, (size_t) nv * sizeof *x);
  if (m->nstate > 0) memcpy(x + nq + nv, u->d->s, (size_t) m->nstate * sizeof *x);
  return nq + nv + m->nstate;
}


// the state in which an instance begins with this value of a parameter
static int begin_with(hostUnit *u, unsigned reference, double value, double *x)
{
  fmi2Component c = host_instance(u, fmi2ModelExchange);
  if (u->fmi2SetReal(c, &reference, 1, &value) != fmi2OK) {
    u->fmi2FreeInstance(c); // a variable of another kind has this name
    return 0;
  }
  CHECK(u->fmi2SetupExperiment(c, fmi2False, 0, u->study.from, fmi2False, 0) == fmi2OK);
  CHECK(u->fmi2EnterInitializationMode(c) == fmi2OK);
  const int begins = u->fmi2ExitInitializationMode(c) == fmi2OK;
  if (begins) CHECK(u->fmi2GetContinuousStates(c, x, (size_t) u->nx) == fmi2OK);
  u->fmi2FreeInstance(c);
  return begins;
}


static void compare_starts(hostUnit *u, const char *model)
{
  static double want[MOST], got[MOST], before[MOST];
  take_state(u, before);
  for (int i = 0; i < u->m->nparameter; i++) {
    const parameterRecord p = u->m->parameter[i];
    const int at = host_reference(u, p.name);
    const double value = p.value, other = value == 0 ? 0.01 : 1.01 * value;
    if (at < 0 || art_set_parameter(u->m, p.name, other, &check_error)) continue;
    const int is_model = host_restart(u, &check_error) == ART_OK;
    const int n = take_state(u, want);
    if (is_model && begin_with(u, (unsigned) at, other, got)) {
      double off = 0, moved = 0;
      for (int k = 0; k < n; k++) {
        const double own = fabs(got[k] - want[k]) / (1 + fabs(want[k]));
        off = own <= off ? off : own;
        moved = fmax(moved, fabs(want[k] - before[k]) / (1 + fabs(want[k])));
      }
      if (getenv("ART_SHOW") && moved > 1e-12) {
        printf("  %s: %s moves the start by %.2g, off by %.2g\n", model, p.name, moved, off);
      }
      if (!CHECK(off < 1e-9)) printf("  %s: %s leaves the start off by %.3g\n", model, p.name, off);
    }
    CHECK_WORKS(art_set_parameter(u->m, p.name, value, &check_error));
  }
}


static void check_starts(const char *model)
{
  static hostUnit u;
  char path[300];
  snprintf(path, sizeof path, ART_SOURCE_DIR "/models/%s.yaml", model);
  if (CHECK_WORKS(host_open(&u, path, &check_error) ? ART_OK : ART_IO)) compare_starts(&u, model);
}


CASE(latch, check_starts("latch"))
CASE(excavator, check_starts("plant/excavator"))
CASE(bicycle, check_starts("contact/rolling/bicycle"))
CASE(disc, check_starts("contact/rolling/disc"))
CASE(slope, check_starts("contact/rolling/slope"))
CASE(tricycle, check_starts("contact/rolling/tricycle"))
CASE(turntable, check_starts("contact/rolling/turntable"))
