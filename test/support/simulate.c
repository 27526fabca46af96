// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A model of models/ in motion.
#include "support/simulate.h"

#include <stdio.h>

#include "support/check.h"
#include "support/keep.h"


bool simulation_load(simulation *s, const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "models/%s.yaml", name);
  *s = (simulation){.model = keep_file(path)};
  s->data = keep_fresh_data(s->model);
  return CHECK(s->data);
}


bool simulation_run(simulation *s, artModel *model, const artRunDef *study)
{
  artError error = {0};
  *s = (simulation){.model = model, .data = keep_fresh_data(model)};
  if (!CHECK(s->data)) return false;
  const bool ok = CHECK(art_create_run(&s->run, model, s->data, study, &error) == ART_OK);
  if (ok) keep_run(s->run);
  if (!ok) printf("  %s\n", error.text);
  return ok;
}


bool simulation_begin(simulation *s, const char *name, const artRunDef *study)
{
  return simulation_load(s, name) && simulation_run(s, s->model, study);
}


bool simulation_start(simulation *s, const char *name, artMethod method, artIntegrator integrator,
                      double tolerance)
{
  artRunDef study = art_default_run();
  study.until = 1e9, study.method = method, study.integrator = integrator;
  study.tolerance = tolerance;
  return simulation_begin(s, name, &study);
}


bool simulation_go(simulation *s, double t)
{
  artError error = {0};
  const bool ok = CHECK(art_run_to(s->run, t, &error) == ART_OK);
  if (!ok) printf("  %s\n", error.text);
  return ok;
}


double simulation_output(const simulation *s, const char *name)
{
  return output_named(s->model, s->data, name);
}


double output_named(const artModel *m, artData *d, const char *name)
{
  double values[256];
  const int n = art_count(m).outputs;
  if (!CHECK(n <= 256)) return NAN;
  art_outputs(m, d, values);
  for (int k = 0; k < n; k++) {
    if (strcmp(art_output_name(m, k), name) == 0) return values[k];
  }
  CHECK_TEXT(name, "an output");
  return NAN;
}
