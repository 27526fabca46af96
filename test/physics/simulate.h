// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A model of models/ in motion: what the physics tests and their measurements share.
#ifndef PHYSICS_SIMULATE_H
#define PHYSICS_SIMULATE_H

#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "support/check.h"

typedef struct simulation {
  artModel *model;
  artData *data;
  artRun *run;
} simulation;

// Release everything; members may be NULL.
static inline void simulation_free(simulation *s)
{
  art_free_run(s->run);
  art_free_data(s->data);
  art_free_model(s->model);
  *s = (simulation){0};
}


// Load models/NAME.yaml and start it from its initial state. Returns whether that worked.
static inline bool simulation_start(simulation *s, const char *name, artMethod method,
                                    artIntegrator integrator, double tolerance)
{
  char path[512];
  artError error = {0};
  artRunDef study = art_default_run();
  study.until = 1e9;
  study.method = method;
  study.integrator = integrator;
  study.tolerance = tolerance;

  *s = (simulation){0};
  snprintf(path, sizeof path, "%s/models/%s.yaml", ART_SOURCE_DIR, name);
  bool ok = CHECK(art_load_model(&s->model, path, &error) == ART_OK);
  if (ok) ok = CHECK((s->data = art_create_data(s->model)) != NULL);
  if (ok) ok = CHECK(art_create_run(&s->run, s->model, s->data, &study, &error) == ART_OK);
  if (error.status) printf("  %s\n", error.text);
  return ok;
}


static inline bool simulation_go(simulation *s, double t)
{
  artError error = {0};
  const bool ok = CHECK(art_run_to(s->run, t, &error) == ART_OK);
  if (error.status) printf("  %s\n", error.text);
  return ok;
}

#endif
