// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machine's own length and time, in which its unknowns are measured: then the absolute tolerance means the same for a machine of
// a nanometre and one of a kilometre (doc/theory/scales.md).
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "force/force.h"
#include "method/method.h"
#include "study/run.h"

// no machine is smaller than an atom, m
static const double ATOM = 1e-10;

// of the study: the time in which a machine that slides is moved on, to see what holds it
static const double MOMENT = 1e-3;


// powers of 1024, so that no digit is lost and most machines are measured in metres and seconds
static double rounded_scale(double x)
{
  return x > 0 && isfinite(x) ? exp2(10 * round(log2(x) / 10)) : 1;
}


static double scale_norm(v3 a)
{
  return sqrt(v3_dot(a, a));
}


//---- lengths -------------------------------------------------------------------------------------

// Does a link turn, by its own joint or by one before it?
static int is_turned(const artModel *m, int i)
{
  for (; i > 0; i = m->tree.link[i].parent) {
    const linkKind kind = m->tree.link[i].kind;
    if (kind != LINK_FIXED && kind != LINK_PRISMATIC) return 1;
  }
  return 0;
}


// The longest arm of links that turn: radii of inertia, distances of joints and of the points of forces from their own
// joint, and slides at the start. *turns: does anything?
static double longest_arm(const artModel *m, const double *q, int *turns)
{
  double arm = 0;
  *turns = 0;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int is_on_arm = is_turned(m, link->parent);
    *turns |= is_turned(m, i);
    if (is_on_arm) arm = base_larger(arm, scale_norm(link->p));
    if (is_on_arm && link->kind == LINK_PRISMATIC) arm = base_larger(arm, fabs(q[link->q0]));
    if (!is_turned(m, i) || !(link->mass > 0)) continue;
    const double J = fmax(link->J.xx, fmax(link->J.yy, link->J.zz));
    arm = base_larger(arm, sqrt(J / link->mass));
  }
  for (int i = 0; i < m->nframe; i++) {
    if (is_turned(m, m->frame[i].link)) arm = base_larger(arm, scale_norm(m->frame[i].r));
  }
  for (int i = 0; i < m->ncut; i++) {
    for (int side = 0; side < 2; side++) {
      const cutSide *cut = &m->cut[i].side[side];
      if (is_turned(m, cut->link)) arm = base_larger(arm, scale_norm(cut->r));
    }
  }
  return arm;
}


static double largest_number(int n, const double *x)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = base_larger(most, fabs(x[k]));
  return most;
}


// The largest change of an acceleration by a small displacement along the motion, over that displacement: the square of
// the frequency with which springs hold a machine that slides. The data stays where it is.
static double square_of_frequency(artRun *run, double moment)
{
  artData *d = run->d;
  const int nq = run->m->tree.nq, nv = run->m->tree.nv;
  const int method = art_method_is_natural(run->method) ? ART_AUTOMATIC : (int) run->method;
  double *q = run->blow, way = 0, change = 0;
  ART_ASSERT(nq == nv);
  memcpy(q, d->q, (size_t) nq * sizeof *q);
  memcpy(q + nv, d->a, (size_t) nv * sizeof *q);
  for (int k = 0; k < nv; k++) {
    const double step = moment * (d->v[k] + moment * d->a[k]);
    d->q[k] += step;
    way = base_larger(way, fabs(d->q[k] - q[k]));
  }
  force_update(run->m, d);
  const artStatus status = method_accelerate(run->m, d, method, NULL);
  for (int k = 0; k < nv; k++) change = base_larger(change, fabs(d->a[k] - q[nv + k]));
  memcpy(d->q, q, (size_t) nq * sizeof *q);
  force_update(run->m, d);
  if (method_accelerate(run->m, d, method, NULL) != ART_OK || status != ART_OK) return 0;
  return change > 1e-9 * largest_number(nv, d->a) && way > 0 ? change / way : 0;
}


// Where nothing turns: how far springs give way to what acts at the start, F/k, or how far they let the motion go, v/omega.
static double slide_length(artRun *run, double acceleration, double moment)
{
  if (run->m->nrow > 0 || run->m->nlatch > 0 || run->backend) return 0;
  const double speed = largest_number(run->m->tree.nv, run->d->v);
  const double square = square_of_frequency(run, moment);
  if (!(square > 0) || !isfinite(square)) return 0;
  return fmax(ATOM, fmax(acceleration / square, speed / sqrt(square)));
}


//---- both ----------------------------------------------------------------------------------------

int run_is_length(const artModel *m, int velocity)
{
  const treeLink *link = &m->tree.link[m->tree.dof_link[velocity]];
  return link->kind == LINK_PRISMATIC || (link->kind == LINK_FREE && velocity - link->v0 < 3);
}


// the largest of lengths, or of angles times a length
static double largest_rate(const artModel *m, const double *x, double length)
{
  double most = 0;
  for (int k = 0; k < m->tree.nv; k++) {
    most = base_larger(most, fabs(x[k]) * (run_is_length(m, k) ? 1 : length));
  }
  return most;
}


void run_find_scales(artRun *run, const artRunDef *study)
{
  const artModel *m = run->m;
  const double g = scale_norm(m->tree.gravity), time = study->until - study->from;
  const double moment = MOMENT * (time > 0 ? time : 1);
  int turns;
  const double arm = longest_arm(m, run->d->q, &turns);
  double pull = g > 0 ? g : largest_rate(m, run->d->a, arm);
  if (!turns) pull = fmax(g, largest_rate(m, run->d->a, 0));
  const double length = turns ? arm : slide_length(run, pull, moment);
  run->length = rounded_scale(length);

  // sqrt(a / l); without gravity also the pace of the motion
  const double size = length > 0 ? length : run->length;
  const double rate = g > 0 ? 0 : largest_rate(m, run->d->v, size) / size;
  run->pace = rounded_scale(base_larger(sqrt(pull / size), rate));
}


double run_way(const artRun *run, int velocity)
{
  return run_is_length(run->m, velocity) ? run->length : 1;
}


void run_set_units(artRun *run)
{
  const artModel *m = run->m;
  for (int k = 0; k < run->n; k++) run->units[k] = 1;
  for (int k = 0; k < run->nq; k++) {
    const int own = m->position[run->position[k]].partner;
    if (own >= 0) run->units[k] = run_way(run, own);
  }
  for (int k = 0; k < run->nv; k++) {
    run->units[run->nq + k] = run_way(run, run->velocity[k]) * run->pace;
  }
}
