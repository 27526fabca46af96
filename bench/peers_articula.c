// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Articula as an engine of the peer benchmark, through its public interface.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain_model.h"
#include "peers.h"

typedef struct articulaState {
  artModel *model;
  artData *data;
  double *M; // [n n] lower triangle
  int n;
} articulaState;


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
  artError error = {0};
  if (!s) return NULL;
  s->n = chain->count;
  s->M = calloc((size_t) s->n * (size_t) s->n, sizeof *s->M);
  s->model = chain_model(chain, &error);
  if (s->model) s->data = art_create_data(s->model);
  if (s->data && s->M) return s;
  fprintf(stderr, "Articula: %s\n", error.text);
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


const benchEngine bench_articula = {"Articula", create, destroy, inverse, mass, read_mass, forward};
