// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Articula as an engine of the peer benchmark, through its public interface.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "peers.h"

typedef struct articulaState {
  artModel *model;
  artData *data;
  double *M; // [n n] lower triangle
  int n;
} articulaState;


static void add_link(artBuilder *b, const benchLink *link, int i)
{
  char body[16], before[16], joint[16];
  snprintf(body, sizeof body, "link%d", i);
  snprintf(before, sizeof before, "link%d", i - 1);
  snprintf(joint, sizeof joint, "joint%d", i);

  artBodyDef bd = art_default_body();
  bd.name = body;
  bd.mass = link->mass;
  memcpy(bd.com, link->com, sizeof bd.com);
  memcpy(bd.inertia, link->inertia, sizeof bd.inertia);
  art_add_body(b, &bd);

  artJointDef jd = art_default_joint();
  jd.name = joint;
  jd.from = i == 0 ? "ground" : before;
  jd.to = body;
  jd.axis[2] = 0;
  jd.axis[link->axis] = 1;
  memcpy(jd.from_offset.position, link->offset, sizeof link->offset);
  art_add_joint(b, &jd);
}


static void destroy(void *state)
{
  articulaState *s = state;
  if (!s) return;
  art_free_data(s->data);
  art_free_model(s->model);
  free(s->M);
  free(s);
}


static void *create(const benchChain *chain)
{
  articulaState *s = calloc(1, sizeof *s);
  artBuilder *b = art_create_builder();
  artError error = {0};
  if (!s || !b) return NULL;
  art_set_gravity(b, chain->gravity);
  for (int i = 0; i < chain->count; i++) add_link(b, &chain->links[i], i);
  if (art_compile_model(&s->model, b, &error) == ART_OK) s->data = art_create_data(s->model);
  art_free_builder(b);

  s->n = chain->count;
  s->M = calloc((size_t) s->n * (size_t) s->n, sizeof *s->M);
  if (s->data && s->M) return s;
  fprintf(stderr, "articula: %s\n", error.text);
  destroy(s);
  return NULL;
}


static void set_state(articulaState *s, const double *q, const double *v)
{
  memcpy(s->data->q, q, (size_t) s->n * sizeof *q);
  if (v) memcpy(s->data->v, v, (size_t) s->n * sizeof *v);
  art_update(s->model, s->data);
}


static void inverse(void *state, const double *q, const double *v, const double *a, double *tau)
{
  articulaState *s = state;
  set_state(s, q, v);
  art_inverse_dynamics(s->model, s->data, a, tau);
}


static void mass(void *state, const double *q)
{
  articulaState *s = state;
  set_state(s, q, NULL);
  art_mass_matrix_lower(s->model, s->data, s->M);
}


static void read_mass(void *state, double *M)
{
  articulaState *s = state;
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j <= i; j++) M[i * s->n + j] = M[j * s->n + i] = s->M[i * s->n + j];
  }
}


static void forward(void *state, const double *q, const double *v, const double *tau, double *a)
{
  articulaState *s = state;
  set_state(s, q, v);
  art_forward_dynamics(s->model, s->data, tau, a, NULL);
}


const benchEngine bench_articula = {"articula", create, destroy, inverse, mass, read_mass, forward};
