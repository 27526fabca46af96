// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Recursions in the links' own axes, on symbols.
#include "sym/tree_inside.h"

#include <string.h>

#include "gen/tree.h"
#include "gen/tree_inertia.h"
#include "sym/turn.h"

//---- axes ----------------------------------------------------------------------------------------

// Links that turn about parallel axes and move in a plane are better looked at in axes that stay: their
// own vectors are turned, by sums of angles, instead of all that passes through the joints. Moments of
// inertia about axes in the plane are not felt and stay as they are.
typedef struct genView {
  int stays;
  real angle, s, c; // by which the link's own axes are turned from those that stay
  v3 p, h;          // origin in the parent, first moment
} genView;


static int is_plain_z(v3 a)
{
  return a.x.node == 0 && a.y.node == 0 && a.z.node == r_const(1).node;
}


static v3 turn_back_z(real s, real c, v3 x)
{
  return v3_make(r_sub(r_mul(c, x.x), r_mul(s, x.y)), r_add(r_mul(s, x.x), r_mul(c, x.y)), x.z);
}


static int is_pushed(const treeData *d, int i)
{
  const int *f = d->f_ext ? (const int *) &d->f_ext[i] : NULL;
  int any = 0;
  for (int k = 0; f && k < 6; k++) any |= f[k] != 0;
  return any;
}


// links that move in a plane, and of them those whose children turn about parallel axes; may[i]: 1 for
// links that do not turn at all, 2 for those in a plane
static void find_staying(const symTree *s, int *may)
{
  const symModel *t = &s->inside->model;
  genView *view = s->inside->view;
  may[0] = 1;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const int slides = link->kind == LINK_FIXED || link->kind == LINK_PRISMATIC;
    const int is_parallel = may[link->parent] == 2 && is_plain_z(link->R.z);
    if (slides && may[link->parent] == 1) may[i] = 1;
    if (link->kind == LINK_REVOLUTE && (may[link->parent] == 1 || is_parallel)) may[i] = 2;
    view[i].stays = may[i] == 2 && !is_pushed(&s->inside->data, i);
  }
  for (int i = t->n - 1; i > 0; i--) {
    const treeLink *link = &t->link[i];
    if (link->kind != LINK_REVOLUTE || !is_plain_z(link->R.z)) view[link->parent].stays = 0;
  }
}


// choose the axes; without memory they are the links' own
static void begin_views(symTree *s)
{
  const symModel *t = &s->inside->model;
  const treeData *d = &s->inside->data;
  int *may = arena_alloc(&s->memory, (size_t) s->n, sizeof *may);
  genView *view = arena_alloc(&s->memory, (size_t) s->n, sizeof *view);
  s->inside->view = may ? view : NULL;
  if (!s->inside->view || s->pool->level == EXPR_RECORD) {
    s->inside->view = NULL;
    return;
  }
  find_staying(s, may);
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const genView *parent = &view[link->parent];
    genView *x = &view[i];
    x->p = parent->stays ? turn_back_z(parent->s, parent->c, d->pose[i].p) : d->pose[i].p;
    x->h = link->h;
    if (link->kind != LINK_REVOLUTE) continue;
    const real q = s->inside->q[link->q0];
    x->angle = parent->stays ? r_add(parent->angle, q) : q;
    x->s.node = expr_sin(s->pool, x->angle.node);
    x->c.node = expr_cos(s->pool, x->angle.node);
    if (x->stays) x->h = turn_back_z(x->s, x->c, link->h);
  }
}


static void end_views(symTree *s)
{
  s->inside->view = NULL;
}


static v3 first_moment(const symTree *s, int i)
{
  return s->inside->view ? s->inside->view[i].h : s->inside->model.link[i].h;
}


static v3 origin(const symTree *s, int i)
{
  return s->inside->view ? s->inside->view[i].p : s->inside->data.pose[i].p;
}


// whether a joint turns from axes that stay, or to such
static int is_viewed(const symTree *s, int i)
{
  const genView *view = s->inside->view;
  return view && (view[i].stays || view[s->inside->model.link[i].parent].stays);
}

//---- turning -------------------------------------------------------------------------------------

static v3 to_link(const symTree *s, int i, v3 x)
{
  const treeData *d = &s->inside->data;
  const treeLink *link = &s->inside->model.link[i];
  if (!is_viewed(s, i)) return turn_to_link(link, d, &d->pose[i], x);
  const genView *view = &s->inside->view[i];
  const v3 y = m3_mul(link->R, x);
  return view->stays ? y : turn_back_z(r_neg(view->s), view->c, y);
}


static v3 to_parent(const symTree *s, int i, v3 x)
{
  const treeData *d = &s->inside->data;
  const treeLink *link = &s->inside->model.link[i];
  if (!is_viewed(s, i)) return turn_to_parent(link, d, &d->pose[i], x);
  const genView *view = &s->inside->view[i];
  return m3_back(link->R, view->stays ? x : turn_back_z(view->s, view->c, x));
}


// of links that are in other axes, moments about axes in the plane are not felt
static s3 s3_to_parent(const symTree *s, int i, s3 J)
{
  const treeData *d = &s->inside->data;
  const treeLink *link = &s->inside->model.link[i];
  return is_viewed(s, i) ? s3_back(link->R, J) : turn_s3_to_parent(link, d, &d->pose[i], J);
}


static wrench wrench_to_parent(const symTree *s, int i, wrench f)
{
  const v3 force = to_parent(s, i, f.lin);
  const v3 moment = to_parent(s, i, f.ang);
  return (wrench){v3_add(moment, v3_cross(origin(s, i), force)), force};
}

//---- inverse dynamics ----------------------------------------------------------------------------

// products of angular velocities
typedef struct products {
  real xx, yy, zz, xy, xz, yz;
} products;


static products products_of(v3 w)
{
  return (products){r_mul(w.x, w.x), r_mul(w.y, w.y), r_mul(w.z, w.z),
                    r_mul(w.x, w.y), r_mul(w.x, w.z), r_mul(w.y, w.z)};
}


static m3 turning(v3 alpha, products w)
{
  return (m3){
      {r_neg(r_add(w.yy, w.zz)), r_sub(w.xy, alpha.z), r_add(w.xz, alpha.y)},
      {r_add(w.xy, alpha.z), r_neg(r_add(w.xx, w.zz)), r_sub(w.yz, alpha.x)},
      {r_sub(w.xz, alpha.y), r_add(w.yz, alpha.x), r_neg(r_add(w.xx, w.yy))},
  };
}


// J alpha + omega x J omega about one axis, of which the moments and products are named x, y, z in turn
static real moment_about(real Jx, real Jy, real Jz, real Jxy, real Jxz, real Jyz, real alpha,
                         real yz, real yy, real zz, real Bzx, real Byx)
{
  // Jx alpha + (Jz - Jy) wy wz + Jyz (wy^2 - wz^2) - Jxy Bzx + Jxz Byx
  const real diagonal = r_add(r_mul(Jx, alpha), r_mul(r_sub(Jz, Jy), yz));
  const real mixed = r_sub(r_mul(Jxz, Byx), r_mul(Jxy, Bzx));
  return r_add(r_add(diagonal, r_mul(Jyz, r_sub(yy, zz))), mixed);
}


static v3 turning_moment(s3 J, v3 alpha, products w, m3 B)
{
  return v3_make(
      moment_about(J.xx, J.yy, J.zz, J.xy, J.xz, J.yz, alpha.x, w.yz, w.yy, w.zz, B.z.x, B.y.x),
      moment_about(J.yy, J.zz, J.xx, J.yz, J.xy, J.xz, alpha.y, w.xz, w.zz, w.xx, B.x.y, B.z.y),
      moment_about(J.zz, J.xx, J.yy, J.xz, J.yz, J.xy, alpha.z, w.xy, w.xx, w.yy, B.y.z, B.x.z));
}


static v3 joint_vector(const real *x)
{
  return v3_make(x[0], x[1], x[2]);
}


// add the joint's motion to what the parent gives
static void move_joint(const symTree *s, int i, const real *v, const real *a, treeBody *b)
{
  const treeLink *link = &s->inside->model.link[i];
  const v3 omega_p = b->omega;
  const real two = r_const(2);
  switch (link->kind) {
  case LINK_FIXED:
    break;
  case LINK_REVOLUTE:
  case LINK_SCREW:
    b->omega = v3_add_z(omega_p, v[0]);
    b->acc.ang = v3_add_z(v3_add(b->acc.ang, v3_cross_z(omega_p, v[0])), a[0]);
    if (link->kind == LINK_REVOLUTE) break;
    b->acc.lin = v3_add(b->acc.lin, v3_cross_z(omega_p, r_mul(two, r_mul(link->pitch, v[0]))));
    b->acc.lin = v3_add_z(b->acc.lin, r_mul(link->pitch, a[0]));
    break;
  case LINK_PRISMATIC:
    b->acc.lin = v3_add(b->acc.lin, v3_cross_z(omega_p, r_mul(two, v[0])));
    b->acc.lin = v3_add_z(b->acc.lin, a[0]);
    break;
  case LINK_FREE: {
    // along the axes of the joint's frame, which the parent carries
    const v3 slide = to_link(s, i, m3_back(link->R, joint_vector(v)));
    const v3 pull = to_link(s, i, m3_back(link->R, joint_vector(a)));
    b->acc.lin = v3_add(b->acc.lin, v3_add(v3_cross(v3_scale(two, omega_p), slide), pull));
    v += 3;
    a += 3;
  }
  // fall through
  case LINK_SPHERICAL:
    b->acc.ang = v3_add(v3_add(b->acc.ang, v3_cross(omega_p, joint_vector(v))), joint_vector(a));
    b->omega = v3_add(omega_p, joint_vector(v));
    break;
  }
}


static int any_node(const void *nodes, int n)
{
  const int *node = nodes;
  int any = 0;
  for (int k = 0; k < n; k++) any |= node[k] != 0;
  return any;
}


// whether B of a link is needed: by its own matter, or by joints that are not at its origin
static int uses_turning(const symTree *s, int i)
{
  const symModel *t = &s->inside->model;
  const treeLink *link = &t->link[i];
  int any = any_node(&link->h, 3) || any_node(&link->J, 6);
  for (int c = i + 1; c < t->n; c++) {
    any |= t->link[c].parent == i && any_node(&s->inside->data.pose[c].p, 3);
  }
  return any;
}


// whether a joint turns about one of the axes of its parent, of which B is there
static int turns_about_axis(const symTree *s, const treeLink *link)
{
  const v3 z = link->R.z;
  const int zeros = (z.x.node == 0) + (z.y.node == 0) + (z.z.node == 0);
  return (link->kind == LINK_REVOLUTE || link->kind == LINK_SCREW) && zeros == 2 &&
         (link->parent == 0 || uses_turning(s, link->parent));
}


// Points on the joint's axis belong to the parent as well, so B z = R B_p z, and what is known of B there
// gives the angular acceleration:
//   B z = (wx wz + alpha_y, wy wz - alpha_x, -wx^2 - wy^2)
static void turn_about_axis(const symTree *s, int i, const treeBody *parent, products w, real a,
                            treeBody *b)
{
  const treeLink *link = &s->inside->model.link[i];
  const v3 z = to_link(s, i, m3_mul(parent->B, link->R.z));
  b->acc.ang =
      v3_make(r_sub(w.yz, z.y), r_sub(z.x, w.xz), r_add(v3_dot(link->R.z, parent->acc.ang), a));
  b->B = turning(b->acc.ang, w);
  b->B.x.z = z.x;
  b->B.y.z = z.y;
  b->B.z.z = z.z;
}


// What moves the mass of a free link on ground needs no turning there and back, R^T m R = m, and is left to its joint
// where that spares it, or where there is but its weight.
static int floats(const symTree *s, int i, const real *a)
{
  const symModel *t = &s->inside->model;
  const treeLink *link = &t->link[i];
  if (link->kind != LINK_FREE || link->parent > 0) return 0;
  int carries = any_node(&link->h, 3);
  for (int c = i + 1; c < t->n; c++) carries |= t->link[c].parent == i;
  return !carries || !any_node(a + link->v0, 3);
}


// m (a - g) along the axes of the joint's frame
static void add_floating(const symModel *t, const treeLink *link, const real *a, real *force)
{
  const v3 lin = v3_sub(joint_vector(a), m3_mul(link->R, t->gravity));
  const real x[3] = {lin.x, lin.y, lin.z};
  for (int k = 0; k < 3; k++) force[k] = r_add(force[k], r_mul(link->mass, x[k]));
}


// outward: motion of the links at the accelerations a, and the wrench that it takes, that of floating mass left out
static void record_motion(symTree *s, const real *a)
{
  const symModel *t = &s->inside->model;
  treeData *d = &s->inside->data;
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  const m3 still = {zero, zero, zero};
  d->body[0] = (treeBody){.omega = zero, .acc = {zero, v3_neg(t->gravity)}, .B = still};
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const treeBody *parent = &d->body[link->parent];
    treeBody *b = &d->body[i];

    // a_i = R (a_p + B_p p)
    b->omega = to_link(s, i, parent->omega);
    b->acc.ang = to_link(s, i, parent->acc.ang);
    b->acc.lin = to_link(s, i, v3_add(parent->acc.lin, m3_mul(parent->B, origin(s, i))));
    move_joint(s, i, s->inside->v + link->v0, a + link->v0, b);

    const products w = products_of(b->omega);
    b->B = turning(b->acc.ang, w);
    if (turns_about_axis(s, link)) turn_about_axis(s, i, parent, w, a[link->v0], b);

    // F = m a + B h,  N = h x a + J alpha + omega x J omega
    const v3 h = first_moment(s, i);
    b->f.lin = m3_mul(b->B, h);
    if (!floats(s, i, a)) b->f.lin = v3_add(v3_scale(link->mass, b->acc.lin), b->f.lin);
    b->f.ang = v3_add(turning_moment(link->J, b->acc.ang, w, b->B), v3_cross(h, b->acc.lin));
  }
}


void gen_record_inverse(symTree *s, const int *a, int *tau)
{
  const symModel *t = &s->inside->model;
  treeData *d = &s->inside->data;
  const real *given = (const real *) a;
  real *force = (real *) tau;
  exprPool *before = expr_use(s->pool);
  begin_views(s);
  record_motion(s, given);
  for (int i = 1; d->f_ext && i < t->n; i++) d->body[i].f = wr_sub(d->body[i].f, d->f_ext[i]);
  for (int i = t->n - 1; i > 0; i--) {
    const treeLink *link = &t->link[i];
    const int k = link->v0;
    tree_joint_force(link, &d->pose[i], d->body[i].f, force + k);
    if (floats(s, i, given)) add_floating(t, link, given + k, force + k);
    if (link->has_rotor) force[k] = r_add(force[k], r_mul(link->rotor, given[k]));
    if (link->parent == 0) continue;
    treeBody *parent = &d->body[link->parent];
    parent->f = wr_add(parent->f, wrench_to_parent(s, i, d->body[i].f));
  }
  end_views(s);
  expr_use(before);
}


void gen_record_motion(symTree *s, int *acc)
{
  exprPool *before = expr_use(s->pool);
  record_motion(s, s->inside->a);
  for (int i = 0; i < s->n; i++) memcpy(acc + 6 * i, &s->inside->data.body[i].acc, 6 * sizeof(int));
  expr_use(before);
}

void gen_motion(const symTree *s, int *node)
{
  for (int i = 0; i < s->n; i++, node += GEN_MOTION) {
    const treeBody *b = &s->inside->data.body[i];
    memcpy(node, &b->omega, 3 * sizeof *node);
    memcpy(node + 3, &b->acc, 6 * sizeof *node);
    memcpy(node + 9, &b->B, 9 * sizeof *node);
  }
}


void gen_velocity_terms(const symTree *s, int *node)
{
  memset(node, 0, GEN_VELOCITY * (size_t) s->n * sizeof *node);
  for (int i = 1; i < s->n; i++) {
    const treeArticulated *b = &s->inside->data.art[i];
    node += GEN_VELOCITY;
    memcpy(node, &s->inside->data.body[i].omega, 3 * sizeof *node);
    memcpy(node + 3, &b->c, 6 * sizeof *node);
    memcpy(node + 9, &b->e, 3 * sizeof *node);
  }
}

//---- mass matrix ---------------------------------------------------------------------------------

// add the inertia of a group about the origin of link i to that of its parent
static void carry_group(const symTree *s, int i)
{
  treeInertia *group = s->inside->data.group;
  treeInertia *parent = &group[s->inside->model.link[i].parent];
  const treeInertia turned = {group[i].m, to_parent(s, i, group[i].h),
                              s3_to_parent(s, i, group[i].J)};
  *parent = inertia_add(*parent, inertia_about(turned, origin(s, i)));
}


// what coordinate k of a link does to it
static motion axis_of(const symTree *s, int i, int k)
{
  const treeLink *link = &s->inside->model.link[i];
  const real o = r_const(0), one = r_const(1);
  const v3 zero = {o, o, o};
  const v3 unit[3] = {{one, o, o}, {o, one, o}, {o, o, one}};
  switch (link->kind) {
  case LINK_REVOLUTE:
    return (motion){unit[2], zero};
  case LINK_PRISMATIC:
    return (motion){zero, unit[2]};
  case LINK_SCREW:
    return (motion){unit[2], {o, o, link->pitch}};
  case LINK_FREE:
    if (k < 3) return (motion){zero, to_link(s, i, m3_back(link->R, unit[k]))};
    return (motion){unit[k - 3], zero};
  default:
    return (motion){unit[k], zero};
  }
}


// entries of row k of link i: the wrench that its unit acceleration takes, on the way to ground
static void record_row(symTree *s, int i, int k, real *row)
{
  const symModel *t = &s->inside->model;
  treeData *d = &s->inside->data;
  const treeInertia *g = &d->group[i];
  const motion S = axis_of(s, i, k - t->link[i].v0);
  wrench f = {v3_add(s3_mul(g->J, S.ang), v3_cross(g->h, S.lin)),
              v3_add(v3_scale(g->m, S.lin), v3_cross(S.ang, g->h))};
  for (int j = i; j > 0; j = t->link[j].parent) {
    const treeLink *link = &t->link[j];
    real own[6];
    tree_joint_force(link, &d->pose[j], f, own);

    // shifts of a free link meet its mass alone, R^T m R = m
    const int shifts = j == i && link->kind == LINK_FREE && k - link->v0 < 3;
    for (int e = 0; shifts && e < 3; e++) own[e] = e == k - link->v0 ? g->m : r_const(0);
    for (int e = 0; e < link->nv && link->v0 + e <= k; e++) row[link->v0 + e] = own[e];
    if (link->parent > 0) f = wrench_to_parent(s, j, f);
  }
  if (t->link[i].has_rotor) row[k] = r_add(row[k], t->link[i].rotor);
}


// inertias of all that joints carry
static void record_groups(symTree *s)
{
  const symModel *t = &s->inside->model;
  treeInertia *group = s->inside->data.group;
  for (int i = 1; i < t->n; i++) {
    group[i] = (treeInertia){t->link[i].mass, first_moment(s, i), t->link[i].J};
  }
  for (int i = t->n - 1; i > 0; i--) {
    if (t->link[i].parent > 0) carry_group(s, i);
  }
}


void gen_record_mass(symTree *s, int *M)
{
  const symModel *t = &s->inside->model;
  exprPool *before = expr_use(s->pool);
  memset(M, 0, (size_t) s->nv * (size_t) s->nv * sizeof *M);
  begin_views(s);
  record_groups(s);
  for (int k = 0; k < s->nv; k++) {
    record_row(s, t->dof_link[k], k, (real *) (M + (long) k * s->nv));
  }
  end_views(s);
  expr_use(before);
}


void gen_record_mass_rows(symTree *s, int *row, void (*take)(void *context, int k, int *row),
                          void *context)
{
  const symModel *t = &s->inside->model;
  exprPool *before = expr_use(s->pool);
  begin_views(s);
  record_groups(s);
  for (int k = 0; k < s->nv; k++) {
    record_row(s, t->dof_link[k], k, (real *) row);
    take(context, k, row);
  }
  end_views(s);
  expr_use(before);
}

//---- identification ------------------------------------------------------------------------------

static treeLink unit_link(int parameter)
{
  const real o = r_const(0);
  treeLink link = {.mass = o, .h = {o, o, o}, .J = {o, o, o, o, o, o}};
  real *const all[GEN_INERTIA] = {&link.mass, &link.h.x,  &link.h.y,  &link.h.z,  &link.J.xx,
                                  &link.J.yy, &link.J.zz, &link.J.xy, &link.J.xz, &link.J.yz};
  *all[parameter] = r_const(1);
  return link;
}


// column of one parameter of link i
static void record_column(symTree *s, int i, int parameter, int n, real *column)
{
  const symModel *t = &s->inside->model;
  treeData *d = &s->inside->data;
  const treeBody *b = &d->body[i];
  const treeLink unit = unit_link(parameter);
  wrench f = {
      v3_add(turning_moment(unit.J, b->acc.ang, products_of(b->omega), b->B),
             v3_cross(unit.h, b->acc.lin)),
      v3_add(v3_scale(unit.mass, b->acc.lin), m3_mul(b->B, unit.h)),
  };
  for (int j = i; j > 0; j = t->link[j].parent) {
    real own[6];
    tree_joint_force(&t->link[j], &d->pose[j], f, own);
    for (int e = 0; e < t->link[j].nv; e++) column[(long) (t->link[j].v0 + e) * n] = own[e];
    f = wrench_to_parent(s, j, f);
  }
}


void gen_record_regressor(symTree *s, int n, const int *parameter, int *Psi)
{
  exprPool *before = expr_use(s->pool);
  memset(Psi, 0, (size_t) s->nv * (size_t) n * sizeof *Psi);
  record_motion(s, s->inside->a);
  for (int c = 0; c < n; c++) {
    real *column = (real *) Psi + c;
    if (parameter[c] >= 0) {
      record_column(s, parameter[c] / GEN_INERTIA, parameter[c] % GEN_INERTIA, n, column);
    } else {
      const int k = s->inside->model.link[-1 - parameter[c]].v0;
      column[(long) k * n] = s->inside->a[k];
    }
  }
  expr_use(before);
}

//---- Jacobians -----------------------------------------------------------------------------------

void gen_record_jacobian(symTree *s, int i, const int r[3], int *J)
{
  exprPool *before = expr_use(s->pool);
  const v3 point = {{r[0]}, {r[1]}, {r[2]}};
  tree_jacobian(&s->inside->model, &s->inside->data, i, point, (real *) J);
  expr_use(before);
}
