// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs of machines with rigid contacts. A contact is apart, slides or holds, and an event ends each of these: the gap closes, the
// normal force comes to zero, friction reaches its limit, slip comes to rest. At that instant
//   - gaps that are closed are closed to rounding,
//   - an impact stops velocities that would close them further, or turns them back by the restitution,
//   - accelerations and forces tell which contacts stay, and whether they slide or hold,
//   - velocities are put on the rows of those.
// A body that bounces comes to rest after ever shorter flights: the one that lasts t and those to come last t/(1 - e).
// Where all of that is nothing on the scale of the study the contact stays closed.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/max_nan.h"
#include "force/contact_watch.h"
#include "force/force.h"
#include "force/rigid_place.h"
#include "method/method.h"
#include "study/run/run.h"

static const double AT_REST = 1e-11; // of the study: flights shorter than this in all are none,
static const double UNSEEN = 1e-5;   // of the reach of a contact: nor are lower ones
static const double MOST_DRIFT = 10; // of the reach of a contact
static const double PASSED = 1e-5;   // of slow slip: what events leave at its zero

static const double PULLS =
    1e-6; // of the weight, or the largest normal force when contacts changed last

// This many changes, each within this part of the study after the last one, have no end.
enum { MAX_CHANGES = 10000 };
static const double AT_ONCE = 1e-6;


static const char *rigid_name(const artModel *m, int i)
{
  return m->element[m->rigid[i].element].name;
}


// forces at the state of the data, for margins that read them
static void find_rigid_forces(const artModel *m, artData *d)
{
  (void) method_accelerate(m, d, ART_AUTOMATIC, NULL);
}


//---- a change ------------------------------------------------------------------------------------

// All contacts that touch ask.
static void ask_all(const artModel *m, artData *d)
{
  for (int i = 0; i < m->nrigid; i++) {
    if (*rigid_mode(m, d, i, RIGID_SLIP) != RIGID_APART)
      rigid_put_modes(m, d, i, RIGID_ASKS, RIGID_SLIDES);
  }
}


// Has the point of a contact that touches jumped? An event at that instant says so; is_left: it is apart from now on.
static int have_jumped(const artModel *m, artData *d, int is_left)
{
  int is_any = 0;
  data_need_velocity(m, d);
  for (int i = 0; i < m->nrigid; i++) {
    if (*rigid_mode(m, d, i, RIGID_SLIP) == RIGID_APART) continue;
    if (!rigid_has_jumped(m, i, rigid_place(m, d, i).gap)) continue;
    is_any = 1;
    if (!is_left) continue;
    rigid_put_modes(m, d, i, RIGID_APART, RIGID_APART);
    d->work->force->rigid[i] = (rigidForce){.floor = 0};
  }
  return is_any;
}


// Contacts whose gaps are closed join those that ask. Where the point of one has jumped away, it has come to another number, and the gap
// of this one is closed but for the drift of a step.
static void ask_near(const artModel *m, artData *d)
{
  const int has_jumped = have_jumped(m, d, 1);
  for (int i = 0; i < m->nrigid; i++) {
    if (force_is_far(d, m->rigid[i].element)) continue;
    if (*rigid_mode(m, d, i, RIGID_SLIP) != RIGID_APART) continue;
    const double gap = rigid_place(m, d, i).gap;
    if (gap <= m->rigid[i].reach || (has_jumped && !rigid_has_jumped(m, i, gap)))
      rigid_put_modes(m, d, i, RIGID_ASKS, RIGID_SLIDES);
  }
}


// Is what is to come of the bounces of a contact, all flights together, shorter than a time, or lower than rounding? With the rate u of its
// gap that changes by a < 0 the flight takes t = 2 u/-a and rises by u t/4; reads tree.body.
static int has_rested(const artModel *m, const artData *d, int i, double least)
{
  const rigidPlace p = rigid_place(m, d, i);
  const double u = v3_dot(p.u[0], p.velocity), e = m->rigid[i].restitution;
  double rate[RIGID_ROWS];
  rigid_rates(m, d, i, &p, rate);
  if (!(rate[0] < 0) || e >= 1) return 0;
  const double t = 2 * u / -rate[0], far = sqrt(v3_dot(p.point, p.point));
  return t / (1 - e) < least ||
         0.25 * u * t < fmax(UNSEEN * m->rigid[i].reach, 256 * DBL_EPSILON * far);
}


// accelerations of links at the state of the data
static int find_link_accelerations(artRun *run)
{
  artData *d = run->d;
  if (method_accelerate(run->m, d, (int) run->method, NULL) != ART_OK) return 0;
  tree_rne(&run->m->tree, &d->work->tree, d->v, d->a, d->work->scratch);
  data_need_velocity(run->m, d);
  return 1;
}


// bounce[i] = 0 of contacts that have come to rest by now; returns whether there is one
static int find_rested(artRun *run, const char *asked, double *bounce)
{
  const artModel *m = run->m;
  artData *d = run->d;
  int is_any = 0;
  if (!find_link_accelerations(run)) return 0;
  const double whole = run->study.until - run->study.from;
  const double least = fmax(AT_REST * whole, 64 * DBL_EPSILON * fabs(d->time));
  for (int i = 0; i < m->nrigid; i++) {
    const int mode = *rigid_mode(m, d, i, RIGID_SLIP);
    if (!asked[i] || mode != RIGID_APART || bounce[i] == 0) continue;
    if (!has_rested(m, d, i, least)) continue;
    bounce[i] = 0;
    is_any = 1;
  }
  return is_any;
}


typedef struct rigidRoom {
  double *v0, *bounce; // [nv], [nrigid]
  char *asked;         // [nrigid]
} rigidRoom;


// Contacts that have come to rest open no further.
static artStatus stop_rested(artRun *run, const rigidRoom *room, artError *error)
{
  const artModel *m = run->m;
  artData *d = run->d;
  int is_any = 0;
  for (int i = 0; i < m->nrigid; i++) {
    const int rests = room->asked[i] && room->bounce[i] == 0;
    rigid_put_modes(m, d, i, rests ? RIGID_SLIDES : RIGID_APART, RIGID_SLIDES);
    is_any |= rests;
  }
  const artStatus status = is_any ? method_rigid_velocities(m, d, error) : ART_OK;
  for (int i = 0; i < m->nrigid; i++) {
    rigid_put_modes(m, d, i, room->asked[i] ? RIGID_ASKS : RIGID_APART, RIGID_SLIDES);
  }
  return status;
}


static artStatus settle_rigid(artRun *run, const rigidRoom *room, double *gain, artError *error)
{
  const artModel *m = run->m;
  artData *d = run->d;
  const size_t nv = (size_t) m->tree.nv;
  artStatus status = ART_OK;
  int again = 1;
  while (status == ART_OK && again) {
    memcpy(d->v, room->v0, nv * sizeof *d->v);
    force_update(m, d);
    for (int i = 0; i < m->nrigid; i++) {
      if (room->asked[i]) rigid_put_modes(m, d, i, RIGID_ASKS, RIGID_SLIDES);
    }
    status = method_rigid_impact(m, d, room->bounce, gain, error);
    if (status == ART_OK) status = stop_rested(run, room, error);
    if (status == ART_OK) status = method_rigid_decide(m, d, (int) run->method, error);
    again = status == ART_OK && find_rested(run, room->asked, room->bounce);
  }
  if (status == ART_OK) status = method_rigid_velocities(m, d, error);
  return status;
}


static void account_impact(artRun *run, double gain)
{
  artCertificate *c = &run->certificate;
  if (gain == 0) return;
  c->contact_impacts++;
  c->contact_loss -= gain;
  if (gain <= c->contact_gain) return;
  c->contact_gain = gain;
  c->gain_time = run->d->time;
}


static artStatus count_change(artRun *run, artError *error)
{
  const double t = run->d->time, whole = run->study.until - run->study.from;
  if (t - run->switched > AT_ONCE * whole) run->switches = 0;
  run->switched = t;
  if (++run->switches <= MAX_CHANGES) return ART_OK;
  return base_fail(error, ART_NO_CONVERGENCE, run->m->element[run->m->rigid[0].element].place,
                   "rigid contacts, such as '%s', changed %d times at about t = %.9g s, as where "
                   "friction is just about to hold; integrator moreau goes on by fixed steps, and "
                   "compliant contacts do: type contact",
                   rigid_name(run->m, 0), MAX_CHANGES, t);
}


// *work: the change of kinetic energy, which drives have a part in
static artStatus change_rigid(artRun *run, double *work, artError *error)
{
  const artModel *m = run->m;
  artData *d = run->d;
  baseArena *a = &run->change;
  rigidRoom room;
  if (!ARENA_TAKE(a, room.v0, m->tree.nv) || !ARENA_TAKE(a, room.bounce, m->nrigid) ||
      !ARENA_TAKE(a, room.asked, m->nrigid))
    return base_no_memory(error);
  ask_near(m, d);
  artStatus status = method_rigid_positions(m, d, error);
  const double before = art_energy(m, d).kinetic;
  double gain = 0;
  memcpy(room.v0, d->v, (size_t) m->tree.nv * sizeof *d->v);
  for (int i = 0; i < m->nrigid; i++) {
    room.asked[i] = *rigid_mode(m, d, i, RIGID_SLIP) != RIGID_APART;
    room.bounce[i] = 1;
  }
  if (status == ART_OK) status = settle_rigid(run, &room, &gain, error);
  if (status != ART_OK) return status;
  account_impact(run, gain);
  *work = art_energy(m, d).kinetic - before;
  return ART_OK;
}


artStatus rigid_jump(artRun *run, double t, double *y, artError *error)
{
  if (!force_asks(run->m, run->d)) return ART_OK;
  double work = 0;
  run_put(run, t, y);
  artStatus status = count_change(run, error);
  if (status == ART_OK) status = change_rigid(run, &work, error);
  arena_clear(&run->change);
  if (status != ART_OK) return status;
  run_take_state(run, run_work(run, y) + work, y);
  return ART_OK;
}


//---- at the start --------------------------------------------------------------------------------

static artStatus check_overlaps(const artModel *m, artData *d, artError *error)
{
  data_need_velocity(m, d);
  for (int i = 0; i < m->nrigid; i++) {
    const double gap = rigid_place(m, d, i).gap;
    if (gap >= -RIGID_OVERLAP * m->rigid[i].reach) continue;
    return base_fail(error, ART_BAD_INPUT, m->element[m->rigid[i].element].place,
                     "the surfaces of rigid contact '%s' overlap by %.6g m at the start; move them "
                     "apart, or make the contact compliant: type contact",
                     rigid_name(m, i), -gap);
  }
  return ART_OK;
}


artStatus rigid_begin(artRun *run, artError *error)
{
  const artModel *m = run->m;
  artData *d = run->d;
  double work = 0;
  if (m->nrigid == 0) return ART_OK;
  artStatus status = check_overlaps(m, d, error);
  if (d->work->force->is_stepping) return status;
  d->work->force->find_forces = find_rigid_forces;
  d->work->is_frozen = 1;
  if (status == ART_OK) status = change_rigid(run, &work, error);
  arena_clear(&run->change);
  return status;
}


//---- steps ---------------------------------------------------------------------------------------

static int slides(const artModel *m, const artData *d, int i, rigidPart part)
{
  return *rigid_mode(m, d, i, RIGID_SLIP) != RIGID_APART &&
         *rigid_mode(m, d, i, part) == RIGID_SLIDES;
}


// Slip in a plane rarely comes to rest through zero: it passes by, and its direction turns there faster than steps can follow. A
// contact whose slip has turned in a step, and is that slow, has come to rest; at zero an event says so.
static int has_turned(const artModel *m, artData *d)
{
  data_need_velocity(m, d);
  for (int i = 0; i < RIGID_PARTS * m->nrigid; i++) {
    const int own = i / RIGID_PARTS;
    const rigidPart part = (rigidPart) (i % RIGID_PARTS);
    if (!slides(m, d, own, part) || !rigid_resists(m, own, part)) continue;
    const rigidPlace p = rigid_place(m, d, own);
    const rigidVector slip = rigid_motion(m, own, &p, part);
    const double size = rigid_size(slip);
    const double slow = rigid_slow(m, own, &p, part);
    const int is_turned = rigid_dot(slip, d->work->force->rigid[own].direction[part]) < 0.5 * size;
    if (is_turned && size < slow && size > PASSED * slow) return 1;
  }
  return 0;
}


int rigid_project(artRun *run, double t, double *y)
{
  const artModel *m = run->m;
  artData *d = run->d;
  if (!force_touches(m, d)) return 0;
  run_put(run, t, y);
  if (have_jumped(m, d, 0)) return 0;
  const int is_at_rest = has_turned(m, d);
  artStatus status = method_rigid_positions(m, d, NULL);
  if (status == ART_OK && is_at_rest) {
    status = count_change(run, &run->halt);
    ask_all(m, d);
  }
  if (status == ART_OK && is_at_rest) {
    status = method_rigid_decide(m, d, (int) run->method, NULL);
  }
  if (status == ART_OK) status = method_rigid_velocities(m, d, NULL);
  if (status != ART_OK) return 0;
  run_take_state(run, run_work(run, y), y);
  return 1;
}


// Normal forces that pull, by the last evaluation, of contacts that touch: an event should have parted them.
static void account_pull(artRun *run, double t)
{
  const artModel *m = run->m;
  const rigidForce *f = run->d->work->force->rigid;
  artCertificate *c = &run->certificate;
  double most = study_weight(m);
  for (int i = 0; i < m->nrigid; i++) most = fmax(most, fabs(f[i].held[0]));
  for (int i = 0; i < m->nrigid; i++) {
    const int mode = *rigid_mode(m, run->d, i, RIGID_SLIP);
    if (mode == RIGID_APART || mode == RIGID_ASKS || f[i].along[0] >= -PULLS * most) continue;
    if (c->pull == 0) {
      c->pull_time = t;
      format_text(c->pull_joint, sizeof c->pull_joint, "%.200s", rigid_name(m, i));
    }
    c->pull = max_nan(c->pull, -f[i].along[0]);
  }
}


static void take_direction(const artModel *m, artData *d, int i, rigidPart part,
                           const rigidPlace *p)
{
  const rigidVector slip = rigid_motion(m, i, p, part);
  const double size = rigid_size(slip);
  if (!(size > RIGID_STEADY * rigid_slow(m, i, p, part))) return;
  d->work->force->rigid[i].direction[part] = rigid_scaled(1 / size, slip);
  d->work->force->rigid[i].begins[part] = 0;
}


// The direction of slip at the end of a step, and the largest overlap. Steps of several, whose history holds y as it is, let gaps
// drift: these are closed where they have opened by much, which returns 1.
int rigid_account(artRun *run, double t, double *y)
{
  const artModel *m = run->m;
  artData *d = run->d;
  artCertificate *c = &run->certificate;
  run_put(run, t, y);
  data_need_velocity(m, d);
  int has_drifted = 0;
  account_pull(run, t);
  for (int i = 0; i < m->nrigid; i++) {
    if (force_is_far(d, m->rigid[i].element)) continue;
    const int mode = *rigid_mode(m, d, i, RIGID_SLIP);
    const rigidPlace p = rigid_place(m, d, i);
    c->contact_overlap = max_nan(c->contact_overlap, -p.gap);
    if (c->contact[0] == '\0' && !(-p.gap <= RIGID_OVERLAP * m->rigid[i].reach)) {
      format_text(c->contact, sizeof c->contact, "%.200s", rigid_name(m, i));
    }
    has_drifted |= mode != RIGID_APART && fabs(p.gap) > MOST_DRIFT * m->rigid[i].reach;
    for (rigidPart part = RIGID_SLIP; part < RIGID_PARTS; part++) {
      if (slides(m, d, i, part)) take_direction(m, d, i, part, &p);
    }
  }
  return has_drifted && rigid_project(run, t, y);
}
