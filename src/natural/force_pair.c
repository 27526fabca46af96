// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Elements between two frames in the tangent of natural coordinates. They act through the tree; their displacements x change by
// x' = G q', and G^T (a K + b D) G with the slopes of their laws is added to the tangent. How G changes
// is left out.
#include <string.h>

#include "base/larger.h"
#include "element/derivative.h"
#include "force/port.h"
#include "natural/force_parts.h"


//---- slopes --------------------------------------------------------------------------------------

// Positive semidefinite but for rounding? By elimination along the diagonal.
static int resists(double A[6][6])
{
  double L[6][6], size = 0;
  memcpy(L, A, sizeof L);
  for (int i = 0; i < 6; i++) size = base_larger(size, fabs(A[i][i]));
  for (int i = 0; i < 6; i++) {
    const double pivot = L[i][i];
    if (pivot < -1e-12 * size) return 0;
    for (int j = i + 1; j < 6; j++) {
      if (pivot <= 1e-12 * size && fabs(L[i][j]) > 1e-9 * size) return 0;
      const double factor = pivot > 1e-12 * size ? L[i][j] / pivot : 0;
      for (int c = i + 1; c < 6; c++) L[j][c] -= factor * L[i][c];
    }
  }
  return 1;
}


// a matrix as far as it resists: itself, or what is positive of its diagonal
static void keep_resisting(double A[6][6], double out[6][6])
{
  memcpy(out, A, 36 * sizeof(double));
  if (resists(A)) return;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) out[i][j] = i == j ? fmax(A[i][i], 0) : 0;
  }
}


// by the displacements and rates of which the bits are set, at x and v
static void find_slopes(naturalPair *frames, unsigned x_bits, unsigned v_bits, const double x[6],
                        const double v[6])
{
  const int nx = frames->nx;
  double slope[6];
  for (int i = 0; i < nx; i++) {
    if (x_bits >> i & 1) {
      element_slope_by_displacement(frames->e, NULL, nx, x, v, i, slope);
      for (int j = 0; j < nx; j++) frames->by_x[j][i] = -slope[j];
    }
    if (v_bits >> i & 1) {
      element_slope_by_rate(frames->e, NULL, nx, x, v, i, slope);
      for (int j = 0; j < nx; j++) frames->by_v[j][i] = -slope[j];
    }
  }
  if (x_bits) keep_resisting(frames->by_x, frames->stiffness);
  if (v_bits) keep_resisting(frames->by_v, frames->damping);
}


// Slopes change where a law or a stop is; all others are found once.
static void start_slopes(naturalPair *frames)
{
  enum { ALL = (1 << 6) - 1 };
  elementLaw law[ELEMENT_MOST_LAWS];
  const int n = element_laws(frames->e, law), has_stop = model_has_stop(frames->e);
  frames->x_changes = frames->v_changes = has_stop ? ALL : 0;
  for (int i = 0; i < n; i++) {
    *(law[i].is_of_rate ? &frames->v_changes : &frames->x_changes) |= 1U << law[i].axis;
  }
  find_slopes(frames, ALL, ALL, (const double[6]){0}, (const double[6]){0});
}


//---- making --------------------------------------------------------------------------------------

int natural_add_pair(naturalMachine *k, const modelElement *e)
{
  int forms[4 * ART_MOST_POINTS];
  const int nform = 4 * e->nframe;
  for (int side = 0; side < e->nframe; side++) {
    const naturalLink *link = &k->link[k->m->frame[e->frame[side]].link];
    const int own[4] = {link->origin, link->x, link->y, link->z};
    memcpy(forms + 4 * side, own, sizeof own);
  }
  naturalPair *frames = &k->elements->pair[k->elements->npair++];
  *frames = (naturalPair){.e = e, .nx = port_physics(e)->port == PORT_PAIR ? 6 : 1};
  start_slopes(frames);
  frames->patch = natural_add_patch(k->s, nform, forms, 0, NULL);

  // no more coordinates than the forms have terms
  size_t most = 0;
  for (int i = 0; i < nform; i++) {
    for (int c = 0; c < 3 && forms[i] >= 0; c++) most += (size_t) k->s->form[3 * forms[i] + c].n;
  }
  frames->gradient = arena_alloc(&k->elements->arena, 6 * most, sizeof(double));
  return frames->gradient != NULL;
}


//---- at a state ----------------------------------------------------------------------------------

// a force at a point of a link and a torque, in ground axes, as forces on the coordinates
static void pull(const naturalMachine *k, int i, v3 arm, v3 force, v3 torque, double *Q)
{
  if (i == 0) return;
  const naturalLink *to = &k->link[i];
  const m3 R = tree_in_ground(&k->d->work->tree, i)->R;
  const v3 half = v3_scale(0.5, v3_add(torque, v3_cross(arm, force)));
  natural_pull(k->s, to->origin, force, Q);
  natural_pull(k->s, to->x, v3_cross(half, R.x), Q);
  natural_pull(k->s, to->y, v3_cross(half, R.y), Q);
  natural_pull(k->s, to->z, v3_cross(half, R.z), Q);
}


// a unit force along a line of several spans pushes the points of each apart
static void pull_line(const naturalMachine *k, const modelElement *e, const portState *port)
{
  const treeData *t = &k->d->work->tree;
  const v3 none = {0, 0, 0};
  for (int i = 0; i + 1 < e->nframe; i++) {
    const v3 direction = i == 0 ? port->line.direction : port->next[i - 1];
    for (int side = 0; side < 2; side++) {
      const modelFrame *frame = &k->m->frame[e->frame[i + side]];
      const v3 arm =
          v3_sub(tree_point(t, frame->link, frame->r), tree_in_ground(t, frame->link)->o);
      pull(k, frame->link, arm, side ? direction : v3_neg(direction), none, k->elements->row);
    }
  }
}


static void pull_pair(const naturalMachine *k, const naturalPair *frames, const portPair *pair,
                      int i)
{
  const treeData *t = &k->d->work->tree;
  const modelFrame *a = &k->m->frame[frames->e->frame[0]];
  const modelFrame *b = &k->m->frame[frames->e->frame[1]];
  double unit[6] = {0};
  unit[i] = 1;
  const pairForce f = port_pair_force(pair, unit);
  const v3 point = tree_point(t, b->link, b->r);
  double *Q = k->elements->row;
  pull(k, b->link, v3_sub(point, tree_in_ground(t, b->link)->o), f.force, f.torque, Q);
  pull(k, a->link, v3_sub(point, tree_in_ground(t, a->link)->o), v3_neg(f.force), v3_neg(f.torque),
       Q);
}


// row i of G: what a unit force along displacement i does to the coordinates
static void fill_row(const naturalMachine *k, const naturalPair *frames, const portState *port,
                     int i, double *row)
{
  const naturalPatch *patch = natural_patch(k->s, frames->patch);
  double *Q = k->elements->row;
  if (frames->nx == 1) {
    pull_line(k, frames->e, port);
  } else {
    pull_pair(k, frames, &port->pair, i);
  }
  for (int j = 0; j < patch->n; j++) {
    row[j] = Q[patch->q[j]];
    Q[patch->q[j]] = 0;
  }
}


void natural_keep_pair(naturalMachine *k, naturalPair *frames)
{
  const int n = natural_patch(k->s, frames->patch)->n, nx = frames->nx;
  portState port;
  force_move_port(k->m, k->d, frames->e, &port);
  for (int i = 0; i < nx; i++) fill_row(k, frames, &port, i, frames->gradient + i * n);
  find_slopes(frames, frames->x_changes, frames->v_changes, port.in.x, port.in.v);
}


//---- in the tangent ------------------------------------------------------------------------------

void natural_add_pair_tangent(const naturalMachine *k, const naturalPair *frames, double stiffness,
                              double damping, double *values)
{
  const naturalPatch *patch = natural_patch(k->s, frames->patch);
  const int n = patch->n, nx = frames->nx, *place = patch->place;
  const double *G = frames->gradient;
  for (int i = 0; i < n; i++) {
    // column i of (a K + b D) G
    double w[6] = {0};
    for (int r = 0; r < nx; r++) {
      for (int c = 0; c < nx; c++) {
        const double A = stiffness * frames->stiffness[r][c] + damping * frames->damping[r][c];
        w[r] += A * G[c * n + i];
      }
    }
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int r = 0; r < nx; r++) sum += G[r * n + j] * w[r];
      values[*place++] += sum;
    }
  }
}
