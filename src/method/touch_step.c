// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts by steps of given length (Moreau and Jean). At half of a step of length h, with velocities v before and  v_free = v + h a
// after it without contacts, velocities at its end are
//   v_end = v_free + M^-1 A^T p
// with impulses p in the cones of friction: with rows A of the contacts in reach,
//   u = A v_end:  u_n >= u_least,  p_n >= 0,  p_n (u_n - u_least) = 0
// and friction as in num/coulomb.h. A gap that is closed has  u_least = -e u_n(v)  with restitution e, one that is open is closed
// at the end of the step at the earliest.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "force/contact_spheres.h"
#include "force/force.h"
#include "force/rigid_place.h"
#include "force/step_view.h"
#include "method/method.h"
#include "method/touch_space.h"
#include "num/cone_hold.h"
#include "num/cone_sweeps.h"
#include "num/coulomb.h"

// Sweeps end where velocities change by less than this part of the largest one; of many contacts there are fewer sweeps: impulses
// of the step before begin them.
static const double SETTLED = 1e-12, SETTLED_OF_MANY = 1e-7;
static const double SLOW = 1e-6;       // slip of a contact that holds, of the largest velocity
static const double SLIDING = 0.99999; // friction of a contact that slides, of its limit
enum { MOST_SWEEPS = 2000, LEAST_SWEEPS = 50, MOST_ROWS = 30000, MOST_LIFTS = 10 };

// So many contacts are also solved as one linear system, by the states that sweeps find; this many sweeps at a time.
enum { MOST_DENSE = 40, DENSE_SWEEPS = 100, SPHERES_OF_SURFACE = 10 };

// A pair of surfaces at one point: contacts of the model first, then those of piles.
typedef struct touchPair {
  int frame[2];
  const contactPair *contact;
  contactPair own; // of a pile
  double restitution, friction, reach;
  rigidArms arms;
  const modelElement *e;
} touchPair;

// of the second surface relative to the first
typedef struct touchVelocity {
  v3 along, turn;
} touchVelocity;

// A contact in reach: within a step its gap may close.
typedef struct touchPlace {
  int i, link[2]; // pair
  int cone;       // of its friction; that of its rolling is the next one
  double restitution, friction, reach;
  rigidArms arms;
  double gap, least;
  v3 u[3], point;
  touchVelocity before, free;
} touchPlace;

// How far anything on a link may have moved, and how fast it does.
typedef struct touchLink {
  double far; // largest distance of a surface from the origin of the link, m; INFINITY: a plane
  m3 R;       // where it was when it was looked at last
  v3 o;
  double speed;
} touchLink;

struct touchWork {
  touchSpace space;
  touchLink *link;        // [links]
  int npair, room;        // contacts and pairs of piles; contacts in reach that there is memory for
  contactSpheres spheres; // about surfaces of pairs
  broadPhase phase;
  double most_reach; // of a pair
  double *
      clear; // [npair] gap when it was looked at last, and twice the way of the fastest point by then
  long *seen; // [npair] the look in which it was in reach last, and its normal there
  v3 *normal;
  long look;
  double way;      // of the fastest point so far, m
  double fastest;  // m/s
  int n, nstopped; // contacts in reach; the first ones may be stopped in this step
  touchPlace *place;
  int ncone, nsolved; // cones of all of them, and of the first ones
  coneContact *contact;
  int *at; // lists and rows of all contacts in reach
  double *z;
  coulombProblem dense; // of at most MOST_DENSE cones
  double *x, *change;   // [nv]
  double *scratch;      // [2 nv]
  double *rates;        // [nq + nv]
};


//---- memory --------------------------------------------------------------------------------------

// `own` is needed as long as the pair
static void get_pair(const artModel *m, int i, touchPair *p)
{
  if (i < m->nrigid) {
    const modelRigid *r = &m->rigid[i];
    const modelElement *e = &m->element[r->element];
    *p = (touchPair){.frame = {e->frame[0], e->frame[1]},
                     .contact = e->contact,
                     .restitution = r->restitution,
                     .friction = r->friction,
                     .arms = r->arms,
                     .reach = r->reach,
                     .e = e};
    return;
  }
  const modelPile *pile = m->pile;
  for (i -= m->nrigid; i >= pile->npair; pile++) i -= pile->npair;
  const pileSurface *one = &pile->surface[pile->pair[i].surface[0]],
                    *two = &pile->surface[pile->pair[i].surface[1]];
  p->frame[0] = one->frame, p->frame[1] = two->frame;
  contact_make(NULL, &p->own, one->def, two->def, pile->pair[i].part);
  for (int k = 0; k < 2; k++) {
    if (p->own.side[k].shape == CONTACT_HULL) p->own.side[k].hull = (k ? two : one)->hull;
  }
  p->contact = &p->own;
  p->restitution = pile->restitution, p->friction = pile->friction, p->arms = pile->arms;
  p->reach = model_touch_reach(m, p->frame, p->contact);
  p->e = &m->element[pile->element];
}


// the largest distance of what touches from the origin of its link
static double surface_distance(const artModel *m, const touchPair *p, int k)
{
  const contactSide *side = &p->contact->side[k];
  const v3 r = m->frame[p->frame[k]].r;
  if (side->shape == CONTACT_PLANE || side->shape == CONTACT_ROAD) return INFINITY;
  double sum = sqrt(v3_dot(r, r)) + side->radius + side->tube + side->top;
  if (side->profile) sum += side->profile->size;
  if (side->hull) sum += side->hull->size;
  for (int c = 0; c < 3; c++) sum += fabs(side->offset[c]) + side->half[c];
  return sum;
}


// how far surfaces are from the origins of their links, and spheres about them; returns the longest list of a pair
static int find_distances(const artModel *m, struct touchWork *w, int (*sphere)[2])
{
  int longest = 0;
  for (int i = 0; i < w->npair; i++) {
    touchPair p;
    int last[2];
    get_pair(m, i, &p);
    w->clear[i] = -HUGE_VAL;
    for (int k = 0; k < 2; k++) {
      touchLink *link = &w->link[m->frame[p.frame[k]].link];
      link->far = fmax(link->far, surface_distance(m, &p, k));
      last[k] = touch_last(m, m->frame[p.frame[k]].link);
      sphere[i][k] = force_sphere_of(&w->spheres, m, p.frame[k], &p.contact->side[k]);
    }
    w->most_reach = fmax(w->most_reach, p.reach);
    const int n = touch_list(&w->space, last, NULL);
    longest = n > longest ? n : longest;
  }
  return longest;
}


// a box has one for each corner on a plane, one against balls and one against boxes
static int most_spheres(const artModel *m)
{
  int most = 2 * m->nrigid;
  for (int i = 0; i < m->npile; i++) most += SPHERES_OF_SURFACE * m->pile[i].nsurface;
  return most;
}


// of a contact
static int most_rows(const artModel *m)
{
  int most = 0;
  for (int i = 0; i < m->nrigid + m->npile; i++) {
    const int own = rigid_rows(i < m->nrigid ? m->rigid[i].arms : m->pile[i - m->nrigid].arms);
    most = own > most ? own : most;
  }
  return most;
}


static struct touchWork *touch_work(const artModel *m, artData *d)
{
  struct methodWork *own = method_work(d);
  if (!own || own->touch) return own ? own->touch : NULL;
  const size_t nv = (size_t) m->tree.nv;
  const int npair = m->nrigid + model_pile_pairs(m), room = m->nrigid + model_pile_contacts(m);
  const int cones = RIGID_PARTS * room, dense = cones < MOST_DENSE ? cones : MOST_DENSE;
  baseArena *a = &own->arena;
  struct touchWork *w;
  if (!ARENA_TAKE(a, w, 1) || !touch_take(&w->space, m, a) || !ARENA_TAKE(a, w->link, m->tree.n) ||
      !ARENA_TAKE(a, w->clear, npair) || !ARENA_TAKE(a, w->seen, npair) ||
      !ARENA_TAKE(a, w->normal, npair) || !ARENA_TAKE(a, w->place, room) ||
      !ARENA_TAKE(a, w->contact, RIGID_PARTS * room) || !ARENA_TAKE(a, w->x, nv) ||
      !ARENA_TAKE(a, w->scratch, 2 * nv) || !ARENA_TAKE(a, w->change, nv) ||
      !ARENA_TAKE(a, w->rates, (size_t) m->tree.nq + nv) ||
      !space_take_cones(&w->dense, dense, COULOMB_ROWS * dense, a))
    return NULL;
  w->space.n = m->tree.nv;
  w->npair = npair;
  w->room = room;
  int(*sphere)[2];
  if (!ARENA_TAKE(a, sphere, npair) || !force_take_spheres(&w->spheres, a, m, most_spheres(m)))
    return NULL;
  const size_t entries = (size_t) room * (size_t) find_distances(m, w, sphere);
  if (!broad_take(&w->phase, a, w->spheres.n, npair) || !ARENA_TAKE(a, w->at, entries) ||
      !ARENA_TAKE(a, w->z, (size_t) most_rows(m) * entries))
    return NULL;
  broad_set_pairs(&w->phase, w->spheres.n, npair, (const int(*)[2]) sphere);
  return own->touch = w;
}


//---- which contacts are in reach -----------------------------------------------------------------

static double distance(v3 a, v3 b)
{
  const v3 x = v3_sub(b, a);
  return sqrt(v3_dot(x, x));
}


// a length times a change of direction, which may be none of something without end
static double times(double far, double turn)
{
  return turn == 0 ? 0 : far * turn;
}


// No point of a link moves further than its origin and the turn of what is furthest from it.
static void look_at_links(const artModel *m, const artData *d, struct touchWork *w)
{
  double most = 0;
  w->fastest = 0;
  for (int i = 1; i < m->tree.n; i++) {
    touchLink *link = &w->link[i];
    if (link->far == 0) continue;
    const treeWorld *now = tree_in_ground(&d->work->tree, i);
    const motion *v = tree_motion(&d->work->tree, i);
    const double x = distance(link->R.x, now->R.x), y = distance(link->R.y, now->R.y),
                 z = distance(link->R.z, now->R.z);
    most = fmax(most, distance(link->o, now->o) + times(link->far, sqrt(x * x + y * y + z * z)));
    link->R = now->R;
    link->o = now->o;
    link->speed = sqrt(v3_dot(v->lin, v->lin)) + times(link->far, sqrt(v3_dot(v->ang, v->ang)));
    w->fastest = fmax(w->fastest, link->speed);
  }
  w->way += most;
}


// Surfaces whose normal turns over from one step to the next have come through each other. A pin goes from one side of a slot to the
// other one, but does not come to the middle of the wall.
static int has_passed(struct touchWork *w, const touchPlace *p, const contactPair *contact)
{
  const int was_near = w->seen[p->i] == w->look - 1;
  const int is_turned = was_near && v3_dot(w->normal[p->i], p->u[0]) < 0;
  const contactSide *side = contact->side;
  const int has_plane = side[0].shape == CONTACT_PLANE || side[1].shape == CONTACT_PLANE;
  w->seen[p->i] = w->look;
  w->normal[p->i] = p->u[0];
  if (!side[0].profile && !side[1].profile) return is_turned;
  return !has_plane && p->gap < -VIEW_DEEP * force_contact_middle(contact);
}


static artStatus refuse_passage(const modelElement *e, const artData *d, artError *error)
{
  return base_fail(
      error, ART_SINGULAR, e->place,
      "the surfaces of rigid contact '%s' come through each other at t = %.9g s within "
      "a step; take shorter steps",
      e->name, d->time);
}


static artStatus refuse_number(const modelElement *e, const artData *d, int most, artError *error)
{
  return base_fail(error, ART_NO_CONVERGENCE, e->place,
                   "more than %d contacts, such as of '%s', are in reach at t = %.9g s, for which "
                   "there is no memory; take shorter steps",
                   most, e->name, d->time);
}


// Pairs whose spheres may come together in a step of length h.
static void find_near_pairs(const artData *d, struct touchWork *w, double h)
{
  static const double STILL[3] = {0, 0, 0};
  for (int i = 0; i < w->spheres.n; i++) {
    const contactSphere *s = &w->spheres.sphere[i];
    const double radius = s->radius + h * w->link[s->link].speed + w->most_reach;
    double at[3];
    data_put3(at, tree_point(&d->work->tree, s->link, s->offset));
    w->phase.box[i] = broad_sphere_box(at, STILL, at, STILL, 0, radius);
  }
  broad_find(&w->phase);
}


// Contacts whose gaps may close in a step of length h: of others, the gap that was looked at has changed by the ways of two points
// at most.
static artStatus list_places(const artModel *m, artData *d, struct touchWork *w, double h,
                             artError *error)
{
  data_need_velocity(m, d);
  look_at_links(m, d, w);
  w->look++;
  w->n = 0;
  find_near_pairs(d, w, h);
  for (int k = 0; k < w->phase.nfound; k++) {
    const int i = w->phase.found[k];
    touchPair pair;
    if (w->clear[i] > 2 * (w->way + h * w->fastest)) continue;
    get_pair(m, i, &pair);
    const rigidGap at = rigid_gap(m, d, pair.frame, pair.contact);
    touchPlace p = {.i = i,
                    .link = {m->frame[pair.frame[0]].link, m->frame[pair.frame[1]].link},
                    .restitution = pair.restitution,
                    .friction = pair.friction,
                    .arms = pair.arms,
                    .reach = pair.reach,
                    .gap = at.gap,
                    .u[0] = at.normal,
                    .point = at.point};
    w->clear[i] = contact_sure_gap(pair.contact, at.gap) - pair.reach + 2 * w->way;
    const double speed = w->link[p.link[0]].speed + w->link[p.link[1]].speed;
    if (!(at.gap <= h * speed + pair.reach)) continue;
    if (has_passed(w, &p, pair.contact)) return refuse_passage(pair.e, d, error);
    if (w->n == w->room) return refuse_number(pair.e, d, w->room, error);
    rigid_tangents(p.u);
    w->place[w->n++] = p;
  }
  return ART_OK;
}


//---- rows ----------------------------------------------------------------------------------------

// velocity of the second surface relative to the first, by the links' present velocities
static touchVelocity relative_velocity(const artData *d, const touchPlace *p)
{
  v3 v[2], turn[2];
  for (int k = 0; k < 2; k++) {
    const int i = p->link[k];
    const treeWorld *w = tree_in_ground(&d->work->tree, i);
    v[k] = tree_point_velocity(&d->work->tree, i, m3_mul(w->R, v3_sub(p->point, w->o)));
    turn[k] = m3_back(w->R, tree_motion(&d->work->tree, i)->ang);
  }
  return (touchVelocity){v3_sub(v[1], v[0]), v3_sub(turn[1], turn[0])};
}


static double row_velocity(const touchPlace *p, int row, const touchVelocity *v)
{
  const rigidAxis axis = rigid_axis(p->u, p->arms, row);
  return rigid_axis_rate(&axis, v->along, v->turn);
}


// row of a contact: in the cone of its friction, or in that of its rolling
static double *impulse_of(const struct touchWork *w, const touchPlace *p, int row)
{
  const int own = rigid_slip_rows(p->arms);
  coneContact *c = &w->contact[p->cone];
  return row < own ? &c[0].p[row] : &c[1].p[row - own];
}


static void find_rows(const artModel *m, const artData *d, struct touchWork *w)
{
  int *at = w->at;
  double *z = w->z;
  w->ncone = w->nsolved = 0;
  for (int k = 0; k < w->n; k++) {
    touchPlace *p = &w->place[k];
    const int last[2] = {touch_last(m, p->link[0]), touch_last(m, p->link[1])};
    const int count = touch_list(&w->space, last, at), slip = rigid_slip_rows(p->arms);
    const int rows = rigid_rows(p->arms);
    const double size = p->reach / RIGID_REACH;
    p->cone = w->ncone;
    w->contact[w->ncone++] = (coneContact){.size = slip,
                                           .count = count,
                                           .at = at,
                                           .z = z,
                                           .friction = p->friction,
                                           .scale = p->arms.spinning / size};
    if (rows > slip) {
      w->contact[w->ncone++] = (coneContact){.is_rolling = 1,
                                             .size = rows - slip,
                                             .count = count,
                                             .at = at,
                                             .z = z + slip * count,
                                             .friction = 1,
                                             .scale = p->arms.rolling / size};
    }
    for (int r = 0; r < rows; r++, z += count) {
      const rigidAxis axis = rigid_axis(p->u, p->arms, r);
      touch_row(&w->space, d, last, p->point, &axis, count, at, z);
    }
    at += count;
    if (k < w->nstopped) w->nsolved = w->ncone;
  }
}


// The least normal velocity after the step. What gravity and other forces add in a step does not count as an impact. Returns 0 for a
// gap that is open and closes by an impact of a later step.
static int is_stopped(touchPlace *p, double h)
{
  const double u = v3_dot(p->u[0], p->before.along), u_free = v3_dot(p->u[0], p->free.along);
  const double added = fabs(u_free - u);
  if (p->gap <= p->reach) {
    p->least = -u > added ? -p->restitution * u : 0;
    return 1;
  }
  p->least = -2 * p->gap / h;
  return p->restitution == 0 || -u_free <= 2 * added;
}


static void put_velocities(const artModel *m, artData *d, const double *v)
{
  memcpy(d->v, v, (size_t) m->tree.nv * sizeof *v);
  tree_forget_velocities(&d->work->tree);
  data_need_velocity(m, d);
}


// Velocities before the step and at its end without contacts, where these are put; contacts that may be stopped come first.
static void find_velocities(const artModel *m, artData *d, struct touchWork *w, const touchStep *s)
{
  for (int k = 0; k < w->n; k++) w->place[k].before = relative_velocity(d, &w->place[k]);
  put_velocities(m, d, s->free);
  w->nstopped = 0;
  for (int k = 0; k < w->n; k++) {
    touchPlace p = w->place[k];
    p.free = relative_velocity(d, &p);
    const int stops = is_stopped(&p, s->h);
    w->place[k] = p;
    if (!stops) continue;
    w->place[k] = w->place[w->nstopped];
    w->place[w->nstopped++] = p;
  }
}


// The force of a pair of a pile in the step before, NULL: it had none. Pairs are asked for upwards, and *piled begins at 0.
static const pileForce *last_piled(const artModel *m, const artData *d, int i, int *piled)
{
  const struct forceWork *f = d->work->force;
  while (*piled < f->npiled && f->piled[*piled].pair < i - m->nrigid) ++*piled;
  const int has_force = *piled < f->npiled && f->piled[*piled].pair == i - m->nrigid;
  return has_force ? &f->piled[*piled] : NULL;
}


static rigidAxis last_force(const artModel *m, const artData *d, int i, int *piled)
{
  const rigidForce *own = &d->work->force->rigid[i];
  if (i < m->nrigid) return (rigidAxis){own->force, own->torque};
  const pileForce *p = last_piled(m, d, i, piled);
  return p ? (rigidAxis){p->force, p->torque} : (rigidAxis){{0, 0, 0}, {0, 0, 0}};
}


// the impulse of a row by the force of the step before: axes of torque have the length of their arm
static double last_impulse(const touchPlace *p, int row, const rigidAxis *force, double h)
{
  const rigidAxis axis = rigid_axis(p->u, p->arms, row);
  const double square = v3_dot(axis.force, axis.force) + v3_dot(axis.torque, axis.torque);
  return h * (v3_dot(axis.force, force->force) + v3_dot(axis.torque, force->torque)) / square;
}


// Returns the largest velocity.
static double begin_contacts(const artModel *m, const artData *d, struct touchWork *w, double h)
{
  double most = 0;
  int piled = 0;
  for (int k = 0; k < w->nstopped; k++) {
    const touchPlace *p = &w->place[k];
    const rigidAxis force = last_force(m, d, p->i, &piled);
    const int slip = rigid_slip_rows(p->arms);
    coneContact *c = &w->contact[p->cone];
    for (int r = 0; r < rigid_rows(p->arms); r++) {
      const double u = row_velocity(p, r, &p->free);
      c[r >= slip].b[r < slip ? r : r - slip] = u;
      *impulse_of(w, p, r) = last_impulse(p, r, &force, h);
      most = max_nan(most, fabs(u));
    }
    c->b[0] -= p->least;
    c->p[0] = fmax(0, c->p[0]);
  }
  return most;
}


//---- impulses ------------------------------------------------------------------------------------

static int most_sweeps(int n)
{
  return (int) fmax(LEAST_SWEEPS, fmin(MOST_SWEEPS, MOST_ROWS / (n + 1)));
}


// W of row r of a cone
static void make_dense_row(struct touchWork *w, int k, int r)
{
  coulombProblem *q = &w->dense;
  double *W = q->W + (long) (q->cone[k].row + r) * q->nrow;
  memset(w->x, 0, (size_t) w->space.n * sizeof *w->x);
  cone_add(&w->contact[k], r, 1, w->x);
  for (int i = 0; i < q->n; i++) {
    for (int c = 0; c < q->cone[i].size; c++) *W++ = cone_rate(&w->contact[i], c, w->x);
  }
}


static void make_dense(struct touchWork *w)
{
  coulombProblem *q = &w->dense;
  q->n = w->nsolved;
  q->nrow = 0;
  for (int k = 0; k < q->n; k++) {
    const coneContact *c = &w->contact[k];
    coulombCone *own = &q->cone[k];
    *own = (coulombCone){.is_rolling = c->is_rolling,
                         .row = q->nrow,
                         .size = c->size,
                         .friction = c->friction,
                         .scale = c->scale,
                         .state = c->state};
    memcpy(own->e, c->e, sizeof c->e);
    memcpy(q->p + q->nrow, c->p, (size_t) c->size * sizeof *c->p);
    memcpy(q->b + q->nrow, c->b, (size_t) c->size * sizeof *c->b);
    q->nrow += c->size;
  }
  for (int k = 0; k < q->n; k++) {
    for (int r = 0; r < w->contact[k].size; r++) make_dense_row(w, k, r);
  }
}


// all digits, where the states of the sweeps have a solution
static int settle_densely(struct touchWork *w)
{
  coulombProblem *q = &w->dense;
  make_dense(w);
  const int is_settled = coulomb_settle(q);
  memset(w->x, 0, (size_t) w->space.n * sizeof *w->x);
  for (int k = 0; k < q->n; k++) {
    coneContact *c = &w->contact[k];
    if (is_settled) {
      c->state = q->cone[k].state;
      memcpy(c->p, q->p + q->cone[k].row, (size_t) c->size * sizeof *c->p);
      memcpy(c->e, q->cone[k].e, sizeof c->e);
    }
    for (int r = 0; r < c->size; r++) cone_add(c, r, c->p[r], w->x);
  }
  return is_settled;
}


// Impulses by sweeps, and x = Z^T p; `most` is the largest velocity. Returns what is left of one.
static double sweep_impulses(struct touchWork *w, double most)
{
  const int n = w->nsolved, all = most_sweeps(n), is_small = n <= MOST_DENSE;
  const int turns = is_small ? DENSE_SWEEPS : all;
  const double little = (is_small ? SETTLED : SETTLED_OF_MANY) * most;
  double left = INFINITY;
  for (int done = 0; done < all && left > little; done += turns) {
    left = cone_sweep(n, w->contact, w->space.n, w->x, w->scratch, turns, little);
    if (left > little && is_small && settle_densely(w)) return 0;
  }
  return left;
}


// Does a contact slide by more than `little`, and than forces change its slip in the step?
static int has_slip(const struct touchWork *w, double little)
{
  for (int k = 0; k < w->nstopped; k++) {
    const touchPlace *p = &w->place[k];
    const v3 v = p->before.along, added = v3_sub(p->free.along, v);
    const double slip = hypot(v3_dot(p->u[1], v), v3_dot(p->u[2], v));
    const double most = hypot(v3_dot(p->u[1], added), v3_dot(p->u[2], added)) + little;
    if (p->gap <= p->reach && p->friction > 0 && slip > most) return 1;
  }
  return 0;
}


// Did a contact with friction slide in the step before?
static int has_slid(const artModel *m, const artData *d, const struct touchWork *w)
{
  int piled = 0;
  for (int k = 0; k < w->nstopped; k++) {
    const touchPlace *p = &w->place[k];
    if (p->friction == 0) continue;
    if (p->i < m->nrigid) {
      if (*rigid_mode(m, d, p->i, RIGID_SLIP) == RIGID_SLIDES) return 1;
      continue;
    }
    const pileForce *f = last_piled(m, d, p->i, &piled);
    const double slope = SLIDING * p->friction;
    if (f && v3_dot(f->force, f->force) > (1 + slope * slope) * f->normal * f->normal) return 1;
  }
  return 0;
}


// Impulses by which all contacts hold, or else those that sweeps find, from those of the step before.
static double find_impulses(const artModel *m, const artData *d, struct touchWork *w, double h)
{
  const double most = begin_contacts(m, d, w, h);
  double left = 0;
  if (has_slid(m, d, w) || has_slip(w, SLOW * most) ||
      !cone_hold(w->nsolved, w->contact, w->space.n, w->x, w->scratch, SETTLED * most)) {
    (void) begin_contacts(m, d, w, h);
    left = sweep_impulses(w, most);
  }
  return left > 0 ? left / most : 0;
}


//---- a step --------------------------------------------------------------------------------------

// contacts that have a force now and had none before
static long count_meets(const artModel *m, const artData *d, const struct touchWork *w)
{
  long meets = 0;
  int piled = 0;
  for (int k = 0; k < w->nstopped; k++) {
    const v3 before = last_force(m, d, w->place[k].i, &piled).force;
    meets += w->contact[w->place[k].cone].p[0] > 0 && v3_dot(before, before) == 0;
  }
  return meets;
}


static void clear_forces(const artModel *m, artData *d)
{
  d->work->force->npiled = 0;
  for (int i = 0; i < m->nrigid; i++) {
    rigid_put_modes(m, d, i, RIGID_APART, RIGID_APART);
    d->work->force->rigid[i] = (rigidForce){.floor = 0};
  }
}


// mean force of a contact in the step, and its mode
static void put_force(const artModel *m, artData *d, const struct touchWork *w, const touchPlace *p,
                      double h)
{
  static const int MODE[] = {[COULOMB_APART] = RIGID_APART,
                             [COULOMB_SLIDES] = RIGID_SLIDES,
                             [COULOMB_HOLDS] = RIGID_HOLDS};
  struct forceWork *all = d->work->force;
  const coneContact *c = &w->contact[p->cone];
  double mean[RIGID_ROWS];
  rigidForce f = {.floor = 0};
  for (int r = 0; r < rigid_rows(p->arms); r++) mean[r] = *impulse_of(w, p, r) / h;
  rigid_put_force(&f, p->u, p->arms, mean);
  if (p->i >= m->nrigid) {
    if (mean[0] == 0) return;
    all->piled[all->npiled++] = (pileForce){.pair = p->i - m->nrigid,
                                            .link = {p->link[0], p->link[1]},
                                            .normal = mean[0],
                                            .force = f.force,
                                            .torque = f.torque,
                                            .point = p->point};
    return;
  }
  const int rolls = p->arms.rolling > 0 && c->state != COULOMB_APART;
  rigid_put_modes(m, d, p->i, MODE[c->state], rolls ? MODE[c[1].state] : RIGID_APART);
  all->rigid[p->i] = f;
}


static void put_forces(const artModel *m, artData *d, const struct touchWork *w, touchStep *s)
{
  s->meets = count_meets(m, d, w);
  clear_forces(m, d);
  for (int k = 0; k < w->nstopped; k++) put_force(m, d, w, &w->place[k], s->h);
}


// work of the impulses,  p.(u + u_end)/2,  and what other forces do on the velocities that they change,  p.(u_free - u)/2
static void find_work(const artData *d, const struct touchWork *w, touchStep *s)
{
  for (int k = 0; k < w->nstopped; k++) {
    const touchPlace *p = &w->place[k];
    const touchVelocity end = relative_velocity(d, p);
    for (int r = 0; r < rigid_rows(p->arms); r++) {
      const double u = row_velocity(p, r, &p->before), u_free = row_velocity(p, r, &p->free);
      const double impulse = *impulse_of(w, p, r);
      s->work += 0.5 * impulse * (row_velocity(p, r, &end) + u);
      s->shared += 0.5 * impulse * (u_free - u);
    }
  }
}


artStatus method_touch_step(const artModel *m, artData *d, touchStep *s, artError *error)
{
  struct touchWork *w = touch_work(m, d);
  if (!w) return base_no_memory(error);
  artStatus status = list_places(m, d, w, s->h, error);
  if (status != ART_OK) return status;
  find_velocities(m, d, w, s);
  s->n = w->n;
  s->work = s->shared = s->left = 0;
  if (w->n > 0) {
    status = touch_find(&w->space, d, error);
    if (status != ART_OK) return status;
    find_rows(m, d, w);
    s->left = find_impulses(m, d, w, s->h);
    memcpy(w->change, s->free, (size_t) m->tree.nv * sizeof *w->change);
    touch_add_velocities(&w->space, w->x, w->change);
    put_velocities(m, d, w->change);
    find_work(d, w, s);
  }
  put_forces(m, d, w, s);
  return ART_OK;
}


//---- positions -----------------------------------------------------------------------------------

// b = gaps; returns whether one is an overlap
static int find_gaps(const artModel *m, artData *d, struct touchWork *w, touchStep *s)
{
  int has_overlap = 0;
  s->overlap = 0;
  for (int k = 0; k < w->n; k++) {
    touchPair pair;
    coneContact *c = &w->contact[w->place[k].cone];
    get_pair(m, w->place[k].i, &pair);
    c->b[0] = rigid_gap(m, d, pair.frame, pair.contact).gap;
    c->p[0] = 0;
    has_overlap |= c->b[0] < -pair.reach;
    if (-c->b[0] <= s->overlap) continue;
    s->overlap = -c->b[0];
    s->deepest = pair.e;
    s->reach = pair.reach;
  }
  return has_overlap;
}


int method_touch_lift(const artModel *m, artData *d, touchStep *s)
{
  struct touchWork *w = touch_work(m, d);
  if (!w) return 0;
  int turn = 0;
  data_need_velocity(m, d);
  for (; find_gaps(m, d, w, s) && turn < MOST_LIFTS; turn++) {
    (void) cone_sweep_normals(w->ncone, w->contact, w->space.n, w->x, most_sweeps(w->n),
                              0.1 * w->place[0].reach);
    memset(w->change, 0, (size_t) m->tree.nv * sizeof *w->change);
    touch_add_velocities(&w->space, w->x, w->change);
    method_move_positions(m, d, w->change, 1, w->rates);
    force_update(m, d);
    data_need_velocity(m, d);
  }
  return turn > 0;
}
