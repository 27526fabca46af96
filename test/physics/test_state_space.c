// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// B, Cy and Dy of the linearisation on every vehicle, with a force and a torque as inputs and a state that lags behind
// one of them, beside central differences of this file.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "data/work.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

enum { PUSH, TURN, INPUTS }; // after the inputs of the vehicle

typedef struct space {
  const artModel *m;
  artData *d;
  artLinear *lin;
  double *q, *v, *s, *move;
} space;


static int moves(const treeModel *t, int link)
{
  while (link > 0 && t->link[link].nv == 0) link = t->link[link].parent;
  return link > 0;
}


// the name of the heaviest body of a vehicle that moves
static const char *heaviest(const artModel *m)
{
  artBodyPart part;
  const char *name = "ground";
  double most = 0;
  for (int i = 1; art_get_body(m, i, &part); i++) {
    if (part.is_rod || !moves(&m->tree, m->body[i].link) || part.mass <= most) continue;
    most = part.mass;
    name = part.name;
  }
  return name;
}


// the vehicle with inputs; the lag reads one of them in a curved way
static artModel *with_inputs(const char *vehicle)
{
  char path[200], text[1500];
  snprintf(path, sizeof path, "models/vehicles/%s", vehicle);
  const artModel *bare = keep_file(path);
  const char *body = heaviest(bare);
  snprintf(
      text, sizeof text,
      "articula: 1\ninclude: [{file: %s}]\n"
      "inputs:\n  own_push: {unit: N, default: 200, limits: [-5000, 5000]}\n"
      "  own_turn: {unit: N m}\n"
      "states:\n  own_lag: {unit: N, rate: '= (1000[N]*sin(own_push/1000[N]) - own_lag)/0.2[s]'}\n"
      "forces:\n"
      "  own_force: {type: force, point: '%s', value: ['= own_push', '= own_lag', '= own_push']}\n"
      "  own_torque: {type: torque, body: '%s', value: [0, 0, '= own_turn']}\n",
      vehicle, body, body);
  return keep_text_at(text, "models/vehicles/with-inputs.yaml");
}


// accelerations of the free coordinates, rates of states, and outputs, where column `k` of x or u is moved by h
static void values_at(space *p, int k, double h, double *f)
{
  const artLinear *lin = p->lin;
  artData *d = p->d;
  memcpy(d->q, p->q, (size_t) p->m->tree.nq * sizeof *d->q);
  memcpy(d->v, p->v, (size_t) p->m->tree.nv * sizeof *d->v);
  memcpy(d->s, p->s, (size_t) lin->nstate * sizeof *d->s);
  const double before = k >= lin->order ? d->u[k - lin->order] : 0;
  if (k < lin->n) {
    memset(p->move, 0, (size_t) p->m->tree.nv * sizeof *p->move);
    for (int i = 0; i < lin->nall; i++) p->move[lin->all[i]] = h * lin->R[i * lin->n + k];
    art_move(p->m, d->q, p->move);
  } else if (k < 2 * lin->n) {
    d->v[lin->coordinate[k - lin->n]] += h;
  } else if (k < lin->order) {
    d->s[k - 2 * lin->n] += h;
  } else {
    d->u[k - lin->order] += h;
  }
  art_update(p->m, d);
  CHECK(art_accelerate(p->m, d, ART_AUTOMATIC, NULL) == ART_OK);
  for (int i = 0; i < lin->n; i++) f[i] = d->a[lin->coordinate[i]];
  for (int i = 0; i < lin->nstate; i++) f[lin->n + i] = d->s_rate[i];
  art_outputs(p->m, d, f + lin->n + lin->nstate);
  if (k >= lin->order) d->u[k - lin->order] = before;
}


// (4 D(h/2) - D(h))/3 with central differences D; `size` receives the largest |f|
static void slopes_of(space *p, int k, double h, int n, double *slope, double *size)
{
  double *f = keep_numbers(4 * n);
  for (int i = 0; i < 4; i++) values_at(p, k, (i < 2 ? h : h / 2) * (i % 2 ? -1 : 1), f + i * n);
  for (int i = 0; i < n; i++) {
    const double coarse = (f[i] - f[n + i]) / (2 * h), fine = (f[2 * n + i] - f[3 * n + i]) / h;
    slope[i] = (4 * fine - coarse) / 3;
    size[i] = fmax(fabs(f[i]), fabs(f[n + i]));
  }
}


static void check_vehicle(const char *vehicle)
{
  artModel *m = with_inputs(vehicle);
  artData *d = keep_fresh_data(m);
  space p = {.m = m, .d = d};
  art_update(m, d);
  if (!CHECK_WORKS(art_linearise(m, d, ART_AUTOMATIC, &p.lin, &check_error))) {
    printf("  %s: %s\n", vehicle, check_error.text);
    return;
  }
  const artLinear *lin = keep_linear(p.lin);
  const int n = lin->n + lin->nstate + lin->noutput;
  const int push = art_find_input(m, "own_push");
  CHECK_EQ_INT(art_find_input(m, "own_turn"), push + TURN);
  CHECK_EQ_INT(lin->ninput, push + INPUTS);
  p.q = keep_numbers(m->tree.nq), p.v = keep_numbers(m->tree.nv), p.s = keep_numbers(lin->nstate);
  p.move = keep_numbers(m->tree.nv);
  double *slope = keep_numbers(n), *size = keep_numbers(n);
  memcpy(p.q, d->q, (size_t) m->tree.nq * sizeof *p.q);
  memcpy(p.v, d->v, (size_t) m->tree.nv * sizeof *p.v);
  memcpy(p.s, d->s, (size_t) lin->nstate * sizeof *p.s);

  const double most = check_largest(lin->order * lin->ninput, lin->B);
  const double most_seen = check_largest(lin->noutput * lin->ninput, lin->Dy);
  double worst = 0;
  for (int k = 0; k < lin->order + lin->ninput; k++) {
    const int j = k - lin->order;           // an input
    const double h = j >= push ? 20 : 3e-5; // N and N m; units of the vehicle
    slopes_of(&p, k, h, n, slope, size);
    for (int i = 0; i < n; i++) {
      const int rates = lin->n + lin->nstate, y = i - rates;
      const double *row =
          y < 0 ? (j < 0 ? lin->A + (lin->n + i) * lin->order : lin->B + (lin->n + i) * lin->ninput)
          : j < 0 ? lin->Cy + y * lin->order
                  : lin->Dy + y * lin->ninput;
      const double got = row[j < 0 ? k : j];
      const double scale = check_largest(j < 0 ? lin->order : lin->ninput, row);
      const double gap = fabs(got - slope[i]);
      const double rounding =
          j < 0 ? 0 : 1e-12 * (y < 0 ? most : most_seen); // of terms that a force cancels
      const double allowed = 1e-7 * scale + 200 * DBL_EPSILON * size[i] / h + rounding;
      if (scale > 0) worst = check_larger(worst, gap / scale);
      if (CHECK(gap <= allowed)) continue;
      printf("  %s: column %d, row %d: %.12g, by differences %.12g, row's largest %.3g\n", vehicle,
             k, i, got, slope[i], scale);
    }
  }
  for (int i = 0; i < lin->n * lin->ninput; i++) CHECK(lin->B[i] == 0);
  // the lag of the push, and the yaw that the torque makes
  const int lag = art_find_state(m, "own_lag");
  CHECK_CLOSE_REL(lin->B[(2 * lin->n + lag) * lin->ninput + push], cos(0.2) / 0.2, 1e-10);
  CHECK(check_largest(lin->n * lin->ninput, lin->B + lin->n * lin->ninput) > 0);
  printf("  %s: %d states, %d outputs, apart by %.1e of a row\n", vehicle, lin->order, lin->noutput,
         worst);
  check_free_kept();
}


TEST(inputs_and_outputs_of_all_vehicles_follow_their_differences)
{
  static const char folder[] = ART_SOURCE_DIR "/models/vehicles/";
  glob_t found = folder_models(2);
  int count = 0;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *path = found.gl_pathv[i];
    artModel *m = NULL;
    if (strncmp(path, folder, strlen(folder)) != 0) continue;
    if (art_load_model(&m, path, NULL) == ART_OK) { // else it is a part
      check_vehicle(path + strlen(folder));
      count++;
    }
    art_free_model(m);
  }
  globfree(&found);
  CHECK(count > 25);
}
