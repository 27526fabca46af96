// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of cut joints and relations.
#include "loop/rows.h"

#include <math.h>
#include <string.h>

#include "force/force.h"

//---- a cut in ground -----------------------------------------------------------------------------

// how that frame moves
typedef struct cutMotion {
  v3 omega, alpha, v, a;
} cutMotion;


static cutFrame frame_of(const artData *d, const cutSide *side)
{
  const treeWorld *w = &d->work->tree.world[side->link];
  return (cutFrame){m3_mul_m3(side->R, w->R), tree_point(&d->work->tree, side->link, side->r)};
}


static cutMotion motion_of(const artModel *m, const artData *d, const cutSide *side)
{
  const treeData *t = &d->work->tree;
  const m3 R = t->world[side->link].R;
  return (cutMotion){
      .omega = m3_back(R, t->vel[side->link].ang),
      .alpha = m3_back(R, t->body[side->link].acc.ang),
      .v = tree_point_velocity(t, side->link, side->r),
      .a = tree_point_acceleration(&m->tree, t, side->link, side->r),
  };
}


// second derivative of a vector that turns with a body
static v3 turned_twice(const cutMotion *body, v3 u)
{
  return v3_add(v3_cross(body->alpha, u), v3_cross(body->omega, v3_cross(body->omega, u)));
}


//---- single rows ---------------------------------------------------------------------------------

// `to` does not slide along u, an axis fixed in `from`:  phi = u.d
static loopRow slide_row(const cutState *s, v3 u, double *phi)
{
  *phi = v3_dot(u, s->span);
  return (loopRow){.u = u, .r = s->to.r};
}


// the axis a of `from` stays square to the axis b of `to`:  phi = a.b
static loopRow square_row(const cutState *s, v3 a, v3 b, double *phi)
{
  *phi = v3_dot(a, b);
  return (loopRow){.t = v3_cross(b, a), .r = s->to.r};
}


// the ends stay at their distance:  phi = (d.d - l^2) / 2 l, whose multiplier is the thrust
static loopRow rod_row(const cutState *s, double length, double *phi)
{
  *phi = 0.5 * (v3_dot(s->span, s->span) - length * length) / length;
  return (loopRow){.u = v3_scale(1 / length, s->span), .r = s->to.r};
}


// sliding follows turning:  phi = z.d - pitch angle, with as many full turns as fit the slide best
static loopRow thread_row(const cutState *s, double pitch, double *phi)
{
  const double angle = atan2(v3_dot(s->from.e.y, s->to.e.x), v3_dot(s->from.e.x, s->to.e.x));
  const double full = 2 * acos(-1.0), slide = v3_dot(s->from.e.z, s->span);
  const double turns = pitch != 0 ? round((slide / pitch - angle) / full) : 0;
  *phi = slide - pitch * (angle + full * turns);
  return (loopRow){.u = s->from.e.z, .t = v3_scale(-pitch, s->from.e.z), .r = s->to.r};
}


// what the rows of a cut are, in the order that compile_loop.c names them
typedef enum rowKind {
  SLIDE_X,
  SLIDE_Y,
  SLIDE_Z,
  TURN_X,
  TURN_Y,
  TURN_Z,
  SQUARE,
  THREAD,
  LENGTH
} rowKind;

static const rowKind row_kinds[ART_JOINT_TYPES][6] = {
    [ART_FIXED] = {SLIDE_X, SLIDE_Y, SLIDE_Z, TURN_X, TURN_Y, TURN_Z},
    [ART_REVOLUTE] = {SLIDE_X, SLIDE_Y, SLIDE_Z, TURN_X, TURN_Y},
    [ART_PRISMATIC] = {SLIDE_X, SLIDE_Y, TURN_X, TURN_Y, TURN_Z},
    [ART_SCREW] = {SLIDE_X, SLIDE_Y, TURN_X, TURN_Y, THREAD},
    [ART_CYLINDRICAL] = {SLIDE_X, SLIDE_Y, TURN_X, TURN_Y},
    [ART_UNIVERSAL] = {SLIDE_X, SLIDE_Y, SLIDE_Z, SQUARE},
    [ART_PLANAR] = {SLIDE_Z, TURN_X, TURN_Y},
    [ART_SPHERICAL] = {SLIDE_X, SLIDE_Y, SLIDE_Z},
    [ART_ROD] = {LENGTH},
};


static loopRow one_row(const modelCut *cut, rowKind kind, const cutState *s, double *phi)
{
  const m3 *a = &s->from.e, *b = &s->to.e;
  switch (kind) {
  case SLIDE_X:
    return slide_row(s, a->x, phi);
  case SLIDE_Y:
    return slide_row(s, a->y, phi);
  case SLIDE_Z:
    return slide_row(s, a->z, phi);
  case TURN_X: // z of `to` stays along z of `from`
    return square_row(s, a->y, b->z, phi);
  case TURN_Y:
    return square_row(s, a->x, b->z, phi);
  case TURN_Z:
    return square_row(s, a->x, b->y, phi);
  case SQUARE:
    return square_row(s, a->z, m3_back(*b, cut->axis2), phi);
  case THREAD:
    return thread_row(s, cut->pitch, phi);
  case LENGTH:
    break;
  }
  return rod_row(s, cut->length, phi);
}


//---- second derivatives --------------------------------------------------------------------------


static double slide_second(const cutState *s, v3 u, const cutMotion *a, const cutMotion *b)
{
  // u''.d + 2 u'.d' + u.d''
  return v3_dot(turned_twice(a, u), s->span) +
         2 * v3_dot(v3_cross(a->omega, u), v3_sub(b->v, a->v)) + v3_dot(u, v3_sub(b->a, a->a));
}


static double square_second(v3 u, v3 w, const cutMotion *a, const cutMotion *b)
{
  // u''.w + 2 u'.w' + u.w''
  return v3_dot(turned_twice(a, u), w) + 2 * v3_dot(v3_cross(a->omega, u), v3_cross(b->omega, w)) +
         v3_dot(u, turned_twice(b, w));
}


static double rod_second(const cutState *s, double length, const cutMotion *a, const cutMotion *b)
{
  // (d'.d' + d.d'') / l
  const v3 rate = v3_sub(b->v, a->v);
  return (v3_dot(rate, rate) + v3_dot(s->span, v3_sub(b->a, a->a))) / length;
}


static double thread_second(const cutState *s, double pitch, const cutMotion *a, const cutMotion *b)
{
  // the angle's rate is z.(w_to - w_from)
  const v3 z = s->from.e.z, spin = v3_sub(b->omega, a->omega);
  const double turn = v3_dot(z, v3_sub(b->alpha, a->alpha)) + v3_dot(v3_cross(a->omega, z), spin);
  return slide_second(s, z, a, b) - pitch * turn;
}


static double one_second(const modelCut *cut, rowKind kind, const cutState *s, const cutMotion *a,
                         const cutMotion *b)
{
  const m3 *e = &s->from.e, *f = &s->to.e;
  switch (kind) {
  case SLIDE_X:
    return slide_second(s, e->x, a, b);
  case SLIDE_Y:
    return slide_second(s, e->y, a, b);
  case SLIDE_Z:
    return slide_second(s, e->z, a, b);
  case TURN_X:
    return square_second(e->y, f->z, a, b);
  case TURN_Y:
    return square_second(e->x, f->z, a, b);
  case TURN_Z:
    return square_second(e->x, f->y, a, b);
  case SQUARE:
    return square_second(e->z, m3_back(*f, cut->axis2), a, b);
  case THREAD:
    return thread_second(s, cut->pitch, a, b);
  case LENGTH:
    break;
  }
  return rod_second(s, cut->length, a, b);
}


//---- relations -----------------------------------------------------------------------------------

enum { LONGEST_RELATION = 64 };


// g and its derivatives
static artStatus relation_value(const artData *d, const modelRelation *r, double *g, double *dg,
                                artError *error)
{
  if (!r->user.value) {
    *g = -r->constant;
    for (int i = 0; i < r->n; i++) {
      *g += r->coefficient[i] * d->q[r->position[i]];
      dg[i] = r->coefficient[i];
    }
    return ART_OK;
  }
  double x[LONGEST_RELATION];
  for (int i = 0; i < r->n; i++) x[i] = d->q[r->position[i]];
  const artStatus status = r->user.value(r->user.context, x, g, dg);
  if (status == ART_OK) return ART_OK;
  return base_fail(error, status, r->place, "constraint '%s' failed at t = %.9g s: %s", r->name,
                   d->time, art_status_text(status));
}


static artStatus relation_bias(const artData *d, const modelRelation *r, double *bias,
                               artError *error)
{
  *bias = 0;
  if (!r->user.value) return ART_OK;
  double x[LONGEST_RELATION], v[LONGEST_RELATION];
  for (int i = 0; i < r->n; i++) {
    x[i] = d->q[r->position[i]];
    v[i] = d->v[r->velocity[i]];
  }
  const artStatus status = r->user.bias(r->user.context, x, v, bias);
  if (status == ART_OK) return ART_OK;
  return base_fail(error, status, r->place, "constraint '%s' failed at t = %.9g s: %s", r->name,
                   d->time, art_status_text(status));
}


//---- all rows ------------------------------------------------------------------------------------


int rows_start(loopRows *rows, const artModel *m, baseArena *arena)
{
  const size_t n = (size_t) m->nrow, nv = (size_t) m->tree.nv;
  return (rows->phi = arena_alloc(arena, n, sizeof *rows->phi)) &&
         (rows->rate = arena_alloc(arena, n, sizeof *rows->rate)) &&
         (rows->gamma = arena_alloc(arena, n, sizeof *rows->gamma)) &&
         (rows->J = arena_alloc(arena, n * nv, sizeof *rows->J)) &&
         (rows->lambda = arena_alloc(arena, n, sizeof *rows->lambda)) &&
         (rows->row = arena_alloc(arena, n, sizeof *rows->row)) &&
         (rows->state = arena_alloc(arena, (size_t) m->ncut, sizeof *rows->state));
}


static cutState state_of(const artData *d, const modelCut *cut)
{
  cutState s = {frame_of(d, &cut->side[0]), frame_of(d, &cut->side[1]), {0, 0, 0}};
  s.span = v3_sub(s.to.r, s.from.r);
  return s;
}


artStatus rows_positions(const artModel *m, const artData *d, loopRows *rows, const char *keep,
                         artError *error)
{
  force_need_world(m, d);
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    const rowKind *kinds = row_kinds[m->joint[cut->joint].type];
    rows->state[c] = state_of(d, cut);
    for (int i = 0; i < cut->nrow; i++) {
      const int k = cut->row0 + i;
      if (keep && !keep[k]) continue;
      rows->row[k] = one_row(cut, kinds[i], &rows->state[c], &rows->phi[k]);
    }
  }
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    double dg[LONGEST_RELATION];
    const artStatus status = relation_value(d, r, &rows->phi[r->row], dg, error);
    if (status != ART_OK) return status;
  }
  return ART_OK;
}


// J_k = +- S_k.w, with the wrench moved to the anchor of the side's tree
static void side_entries(const artModel *m, const artData *d, const cutSide *side,
                         const loopRow *row, double sign, double *J)
{
  const treeData *t = &d->work->tree;
  const v3 arm = v3_sub(row->r, t->world[m->tree.anchor[side->link]].o);
  const v3 moment = v3_scale(sign, v3_add(row->t, v3_cross(arm, row->u)));
  const v3 force = v3_scale(sign, row->u);
  for (int i = 0; i < side->n; i++) {
    const int k = side->dof[i];
    const treeAxes *S = &t->S;
    J[k] = S->ax[k] * moment.x + S->ay[k] * moment.y + S->az[k] * moment.z + S->lx[k] * force.x +
           S->ly[k] * force.y + S->lz[k] * force.z;
  }
}


artStatus rows_jacobian(const artModel *m, const artData *d, loopRows *rows, const char *keep,
                        artError *error)
{
  const long nv = m->tree.nv;
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    for (int k = cut->row0; k < cut->row0 + cut->nrow; k++) {
      if (keep && !keep[k]) continue;
      if (cut->side[0].n) side_entries(m, d, &cut->side[0], &rows->row[k], -1, rows->J + k * nv);
      if (cut->side[1].n) side_entries(m, d, &cut->side[1], &rows->row[k], 1, rows->J + k * nv);
    }
  }
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    double g, dg[LONGEST_RELATION];
    const artStatus status = relation_value(d, r, &g, dg, error);
    if (status != ART_OK) return status;
    for (int k = 0; k < r->n; k++) rows->J[r->row * nv + r->velocity[k]] = dg[k];
  }
  return ART_OK;
}


static double side_rate(const cutSide *side, const double *J, const double *v)
{
  double sum = 0;
  for (int i = 0; i < side->n; i++) sum += J[side->dof[i]] * v[side->dof[i]];
  return sum;
}


void rows_rates(const artModel *m, const artData *d, loopRows *rows, const char *keep)
{
  const long nv = m->tree.nv;
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    for (int k = cut->row0; k < cut->row0 + cut->nrow; k++) {
      if (keep && !keep[k]) continue;
      const double *J = rows->J + k * nv;
      rows->rate[k] = side_rate(&cut->side[0], J, d->v) + side_rate(&cut->side[1], J, d->v);
    }
  }
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    double sum = 0;
    for (int k = 0; k < r->n; k++) {
      sum += rows->J[r->row * nv + r->velocity[k]] * d->v[r->velocity[k]];
    }
    rows->rate[r->row] = sum;
  }
}


artStatus rows_gamma(const artModel *m, const artData *d, loopRows *rows, const char *keep,
                     artError *error)
{
  force_need_velocity(m, d);
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    const rowKind *kinds = row_kinds[m->joint[cut->joint].type];
    const cutMotion a = motion_of(m, d, &cut->side[0]), b = motion_of(m, d, &cut->side[1]);
    for (int i = 0; i < cut->nrow; i++) {
      const int k = cut->row0 + i;
      if (keep && !keep[k]) continue;
      rows->gamma[k] = -one_second(cut, kinds[i], &rows->state[c], &a, &b);
    }
  }
  for (int i = 0; i < m->nrelation; i++) {
    // what is left of g'' when only the drives accelerate
    const modelRelation *r = &m->relation[i];
    double bias;
    const artStatus status = relation_bias(d, r, &bias, error);
    if (status != ART_OK) return status;
    for (int k = 0; k < r->n; k++) {
      const int v = r->velocity[k];
      bias += rows->J[r->row * (long) m->tree.nv + v] * d->work->a_drive[v];
    }
    rows->gamma[r->row] = -bias;
  }
  return ART_OK;
}


//---- reactions -----------------------------------------------------------------------------------


wrench rows_reaction(const artModel *m, const loopRows *rows, int c)
{
  const modelCut *cut = &m->cut[c];
  wrench sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = cut->row0; k < cut->row0 + cut->nrow; k++) {
    const loopRow *row = &rows->row[k];
    sum.ang = v3_add(sum.ang, v3_scale(rows->lambda[k], row->t));
    sum.lin = v3_add(sum.lin, v3_scale(rows->lambda[k], row->u));
  }
  return sum;
}


// a wrench at the point r of ground onto a link
static void apply_wrench(artData *d, int link, v3 r, v3 force, v3 torque)
{
  if (link == 0) return;
  const treeWorld *w = &d->work->tree.world[link];
  force_at_point(d, link, m3_mul(w->R, v3_sub(r, w->o)), force);
  force_torque(d, link, torque);
}


void rows_apply(const artModel *m, artData *d, const loopRows *rows)
{
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    if (cut->nrow == 0) continue;
    const wrench f = rows_reaction(m, rows, c);
    const v3 r = rows->state[c].to.r;
    apply_wrench(d, cut->side[1].link, r, f.lin, f.ang);
    apply_wrench(d, cut->side[0].link, r, v3_neg(f.lin), v3_neg(f.ang));
  }
}


double rows_relation_force(const artModel *m, const loopRows *rows, int k)
{
  double sum = 0;
  for (int i = 0; i < m->nrelation; i++) {
    const long row = m->relation[i].row;
    sum += rows->lambda[row] * rows->J[row * m->tree.nv + k];
  }
  return sum;
}
