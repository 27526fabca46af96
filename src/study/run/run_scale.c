// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machine's own length and time, in which its unknowns are measured: then the absolute tolerance means the same for a machine of
// a nanometre and one of a kilometre (doc/theory/scales.md).
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "force/force.h"
#include "method/method.h"
#include "study/run/run.h"

// no machine is smaller than an atom, m
static const double ATOM = 1e-10;

// Times for which a machine that slides is moved on, to see what holds it: from the first to the last by this factor, until
// accelerations have changed by this much of what they were, or of what would stop the motion within that time.
static const double FIRST_MOMENT = 1e-12, LAST_MOMENT = 1e7, MOMENT_FACTOR = 8, FELT = 1e-6;


// powers of 1024, so that no digit is lost and most machines are measured in metres and seconds
static double rounded_scale(double x)
{
  return x > 0 && isfinite(x) ? exp2(10 * round(log2(x) / 10)) : 1;
}


static double scale_norm(v3 a)
{
  return sqrt(v3_dot(a, a));
}


//---- parts -----------------------------------------------------------------------------------------

// A part: links that joints, loops, couplings, latches or forces connect other than through ground. Each has a length and a
// pace of its own, so that bodies which have nothing to do with a machine do not change how it is measured.
typedef struct scalePart {
  int turns;          // something does
  int is_held;        // by loops, couplings or latches
  double arm;         // the longest, m
  double speed;       // where nothing turns: the largest at the start, m/s,
  double pull;        // likewise acceleration, m/s^2,
  double way, change; // how far it was moved, m, and what that changed of its accelerations, m/s^2,
  double
      square; // and the square of the frequency with which springs hold it, 1/s^2; 0: nothing does, or not known yet
  double length, pace;
} scalePart;

typedef struct scaleParts {
  const artModel *m;
  int *root;       // [links] a link before it in the same part, or itself
  scalePart *part; // [links] at the first link of each part
} scaleParts;


static int first_of_part(const scaleParts *p, int link)
{
  while (p->root[link] != link) link = p->root[link];
  return link;
}


static scalePart *part_of(const scaleParts *p, int link)
{
  return &p->part[first_of_part(p, link)];
}


// ground connects nothing
static void connect_links(scaleParts *p, int a, int b)
{
  if (a <= 0 || b <= 0) return;
  a = first_of_part(p, a);
  b = first_of_part(p, b);
  p->root[a > b ? a : b] = a > b ? b : a;
}


static int link_of_velocity(const scaleParts *p, int velocity)
{
  return p->m->tree.dof_link[velocity];
}


static void connect_relation(scaleParts *p, const modelRelation *r)
{
  for (int k = 1; k < r->n; k++) {
    connect_links(p, link_of_velocity(p, r->velocity[0]), link_of_velocity(p, r->velocity[k]));
  }
}


static void connect_parts(scaleParts *p)
{
  const artModel *m = p->m;
  for (int i = 0; i < m->tree.n; i++) p->root[i] = i;
  for (int i = 1; i < m->tree.n; i++) connect_links(p, m->tree.link[i].parent, i);
  for (int i = 0; i < m->ncut; i++)
    connect_links(p, m->cut[i].side[0].link, m->cut[i].side[1].link);
  for (int i = 0; i < m->nrelation; i++) connect_relation(p, &m->relation[i]);
  for (int i = 0; i < m->nelement; i++) {
    // the links that an element acts on
    const modelElement *e = &m->element[i];
    int last = 0;
    for (int k = 0; k < e->nframe + e->nterm; k++) {
      const int is_frame = k < e->nframe;
      const int link = is_frame ? p->m->frame[e->frame[k]].link
                                : link_of_velocity(p, e->term[k - e->nframe].velocity);
      connect_links(p, last, link);
      if (link > 0) last = link;
    }
  }
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    if (latch->type == ART_LOCK) {
      connect_relation(p, &latch->relation);
    } else {
      connect_links(p, m->frame[latch->frame[0]].link, m->frame[latch->frame[1]].link);
    }
  }
}


// parts that are not free to slide by themselves
static void mark_held(scaleParts *p)
{
  const artModel *m = p->m;
  for (int i = 0; i < m->ncut; i++) {
    for (int side = 0; side < 2; side++) part_of(p, m->cut[i].side[side].link)->is_held = 1;
  }
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    for (int k = 0; k < r->n; k++) part_of(p, link_of_velocity(p, r->velocity[k]))->is_held = 1;
  }
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    for (int k = 0; k < latch->relation.n && latch->type == ART_LOCK; k++) {
      part_of(p, link_of_velocity(p, latch->relation.velocity[k]))->is_held = 1;
    }
    for (int k = 0; k < 2 && latch->type != ART_LOCK; k++) {
      part_of(p, m->frame[latch->frame[k]].link)->is_held = 1;
    }
  }
}


//---- arms ------------------------------------------------------------------------------------------

// Does a link turn, by its own joint or by one before it?
static int is_turned(const artModel *m, int i)
{
  for (; i > 0; i = m->tree.link[i].parent) {
    const linkKind kind = m->tree.link[i].kind;
    if (kind != LINK_FIXED && kind != LINK_PRISMATIC) return 1;
  }
  return 0;
}


static void take_arm(scaleParts *p, int link, double arm)
{
  if (!is_turned(p->m, link)) return;
  scalePart *part = part_of(p, link);
  part->arm = max_nan(part->arm, arm);
}


// The longest arm of links that turn: radii of inertia, distances of joints and of the points of forces from their own
// joint, and slides at the start.
static void find_arms(scaleParts *p, const double *q)
{
  const artModel *m = p->m;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    part_of(p, i)->turns |= is_turned(m, i);
    take_arm(p, link->parent, scale_norm(link->p));
    if (link->kind == LINK_PRISMATIC) take_arm(p, link->parent, fabs(q[link->q0]));
    const double J = fmax(link->J.xx, fmax(link->J.yy, link->J.zz));
    if (link->mass > 0) take_arm(p, i, sqrt(J / link->mass));
  }
  for (int i = 0; i < m->nframe; i++) take_arm(p, m->frame[i].link, scale_norm(m->frame[i].r));
  for (int i = 0; i < m->ncut; i++) {
    for (int side = 0; side < 2; side++) {
      const cutSide *cut = &m->cut[i].side[side];
      take_arm(p, cut->link, scale_norm(cut->r));
    }
  }
}


//---- slides ----------------------------------------------------------------------------------------

// a link along which its part slides and can be moved by itself, and what holds it is not known yet
static scalePart *sliding_part(const scaleParts *p, int i)
{
  scalePart *part = part_of(p, i);
  const int slides = p->m->tree.link[i].kind == LINK_PRISMATIC;
  return slides && !part->turns && !part->is_held && part->square == 0 ? part : NULL;
}


// speeds and accelerations at the start; 0: nothing slides and moves
static int find_slides(scaleParts *p, const artData *d)
{
  double most = 0;
  for (int i = 1; i < p->m->tree.n; i++) {
    scalePart *part = sliding_part(p, i);
    if (!part) continue;
    const int v = p->m->tree.link[i].v0;
    part->speed = max_nan(part->speed, fabs(d->v[v]));
    part->pull = max_nan(part->pull, fabs(d->a[v]));
    most = max_nan(most, max_nan(part->speed, part->pull));
  }
  return most > 0;
}


// Move what slides a moment further along its motion, see how far it gets and what that changes of its accelerations, and put
// everything back. 0: forces have no value there.
static int look_along_slides(const scaleParts *p, artRun *run, int method, double moment)
{
  const artModel *m = p->m;
  artData *d = run->d;
  double *q = run->impact, *a = run->impact + m->tree.nv;
  memcpy(a, d->a, (size_t) m->tree.nv * sizeof *a);
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    scalePart *part = sliding_part(p, i);
    if (!part) continue;
    q[link->v0] = d->q[link->q0];
    d->q[link->q0] += moment * (d->v[link->v0] + moment * a[link->v0]);
    part->way = part->change = 0;
  }
  force_update(m, d);
  const artStatus status = method_accelerate(m, d, method, NULL);
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    scalePart *part = sliding_part(p, i);
    if (!part) continue;
    part->way = max_nan(part->way, fabs(d->q[link->q0] - q[link->v0]));
    part->change = max_nan(part->change, fabs(d->a[link->v0] - a[link->v0]));
    d->q[link->q0] = q[link->v0];
  }
  memcpy(d->a, a, (size_t) m->tree.nv * sizeof *a);
  return status == ART_OK;
}


// The change of accelerations over the way is the square of the frequency with which springs hold a part. Modes are frozen: what
// a part would run into further on does not hold it now.
static void find_frequencies(const scaleParts *p, artRun *run)
{
  artData *d = run->d;
  const int method = art_method_is_natural(run->method) ? ART_AUTOMATIC : (int) run->method;
  const int was_frozen = d->work->is_frozen;
  d->work->is_frozen = 1;
  int is_open = 1;
  for (double t = FIRST_MOMENT; t < LAST_MOMENT && is_open; t *= MOMENT_FACTOR) {
    if (!look_along_slides(p, run, method, t)) break;
    is_open = 0;
    for (int i = 1; i < p->m->tree.n; i++) {
      scalePart *part = sliding_part(p, i);
      if (!part) continue;
      const double felt = part->change * t, needed = FELT * (part->speed + part->pull * t);
      const double square = part->way > 0 ? part->change / part->way : 0;
      if (part->square == 0 && felt > needed && isfinite(square)) part->square = square;
      is_open |= part->square == 0;
    }
  }
  d->work->is_frozen = was_frozen;
  force_update(run->m, d);
  (void) method_accelerate(run->m, d, method, NULL);
}


//---- lengths and paces -----------------------------------------------------------------------------

int run_is_length(const artModel *m, int velocity)
{
  const treeLink *link = &m->tree.link[m->tree.dof_link[velocity]];
  return link->kind == LINK_PRISMATIC || (link->kind == LINK_FREE && velocity - link->v0 < 3);
}


// the largest of a part, of lengths or of angles times a length
static double largest_rate(const scaleParts *p, const scalePart *part, const double *x,
                           double length)
{
  double most = 0;
  for (int k = 0; k < p->m->tree.nv; k++) {
    if (part_of(p, link_of_velocity(p, k)) != part) continue;
    most = max_nan(most, fabs(x[k]) * (run_is_length(p->m, k) ? 1 : length));
  }
  return most;
}


// Where nothing turns: how far springs give way to what acts at the start, F/k, or how far they let the motion go, v/omega.
static void scale_part(const scaleParts *p, scalePart *part, const artData *d)
{
  const double g = scale_norm(p->m->tree.gravity);
  double pull = g > 0 ? g : largest_rate(p, part, d->a, part->arm), length = part->arm;
  if (!part->turns) {
    pull = fmax(g, largest_rate(p, part, d->a, 0));
    const double swing = fmax(pull / part->square, part->speed / sqrt(part->square));
    length = part->square > 0 ? fmax(ATOM, swing) : 0;
  }
  part->length = rounded_scale(length);

  // sqrt(a / l); without gravity also the pace of the motion
  const double size = length > 0 ? length : part->length;
  const double rate = g > 0 ? 0 : largest_rate(p, part, d->v, size) / size;
  part->pace = rounded_scale(max_nan(sqrt(pull / size), rate));
}


// The scales that the certificate shows: those of the smallest part with loops, or else of the largest part.
static runScale shown_scale(const scaleParts *p)
{
  const scalePart *best = NULL;
  for (int i = 1; i < p->m->tree.n; i++) {
    const scalePart *part = &p->part[i];
    if (first_of_part(p, i) != i) continue;
    const int is_better =
        !best || part->is_held > best->is_held ||
        (part->is_held == best->is_held &&
         (part->is_held ? part->length < best->length : part->length > best->length));
    if (is_better) best = part;
  }
  return best ? (runScale){best->length, best->pace} : (runScale){1, 1};
}


int run_find_scales(artRun *run)
{
  const artModel *m = run->m;
  scaleParts p = {.m = m};
  arena_clear(&run->change);
  ARENA_TAKE(&run->change, p.root, m->tree.n);
  ARENA_TAKE(&run->change, p.part, m->tree.n);
  if (run->change.has_run_out) return 0;
  connect_parts(&p);
  mark_held(&p);
  find_arms(&p, run->d->q);
  if (find_slides(&p, run->d) && !run->backend) find_frequencies(&p, run);
  for (int i = 1; i < m->tree.n; i++) {
    if (first_of_part(&p, i) == i) scale_part(&p, &p.part[i], run->d);
  }
  for (int k = 0; k < m->tree.nv; k++) {
    const scalePart *part = part_of(&p, link_of_velocity(&p, k));
    run->scale[k] = (runScale){part->length, part->pace};
  }
  run->shown = shown_scale(&p);
  arena_clear(&run->change);
  return 1;
}


double run_way(const artRun *run, int velocity)
{
  return run_is_length(run->m, velocity) ? run->scale[velocity].length : 1;
}


int run_is_in_metres(const artRun *run)
{
  for (int k = 0; k < run->n; k++) {
    if (run->units[k] != 1) return 0;
  }
  return 1;
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
    const int velocity = run->velocity[k];
    run->units[run->nq + k] = run_way(run, velocity) * run->scale[velocity].pace;
  }
}
