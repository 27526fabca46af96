// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursions of src/tree with few operations, on symbols: links in their own axes or in axes that stay, constant
// turns taken apart from those about joints.
#include "sym/tree_inside.h"

#include <string.h>

#include "gen/tree/tree_equations.h"
#include "sym/tree_names.h"
#include "sym/turn.h"
#include "tree/joint_axis.h"

#define treeModel symModel

// clang-format off
#include "tree/newton_euler.h"
#include "tree/composite.h"
// clang-format on

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


// choose the axes
static void begin_views(symTree *s)
{
  const treeModel *t = &s->inside->model;
  treeData *d = &s->inside->data;
  if (s->pool->level == EXPR_RECORD) return;
  int *may = arena_alloc(&s->memory, (size_t) s->n, sizeof *may);
  genView *view = arena_alloc(&s->memory, (size_t) s->n, sizeof *view);
  d->view = view;
  // links that move in a plane, and of them those whose children turn about parallel axes; may[i]: 1 for
  // links that do not turn at all, 2 for those in a plane
  may[0] = 1;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const int slides = link->kind == LINK_FIXED || link->kind == LINK_PRISMATIC;
    const int is_parallel = may[link->parent] == 2 && is_plain_z(link->R.z);
    if (slides && may[link->parent] == 1) may[i] = 1;
    if (link->kind == LINK_REVOLUTE && (may[link->parent] == 1 || is_parallel)) may[i] = 2;
    view[i].stays = may[i] == 2 && !is_pushed(d, i);
  }
  for (int i = t->n - 1; i > 0; i--) {
    const treeLink *link = &t->link[i];
    if (link->kind != LINK_REVOLUTE || !is_plain_z(link->R.z)) view[link->parent].stays = 0;
  }
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
    r_name(x->angle, "angle", i);
    if (parent->stays) {
      r_name(x->s, "angle_sin", i);
      r_name(x->c, "angle_cos", i);
    }
    if (x->stays) x->h = turn_back_z(x->s, x->c, link->h);
  }
}


static void end_views(symTree *s)
{
  s->inside->data.view = NULL;
}


static v3 first_moment(const treeModel *t, const treeData *d, int i)
{
  return d->view ? d->view[i].h : t->link[i].h;
}


// whether a joint turns from axes that stay, or to such
static int is_viewed(const treeModel *t, const treeData *d, int i)
{
  return d->view && (d->view[i].stays || d->view[t->link[i].parent].stays);
}

//---- turning -------------------------------------------------------------------------------------

static inline v3 axes_to_link(const treeModel *t, const treeData *d, int i, const treePose *pose,
                              v3 x)
{
  const treeLink *link = &t->link[i];
  if (!is_viewed(t, d, i)) return turn_to_link(link, d, pose, x);
  const genView *view = &d->view[i];
  const v3 y = m3_mul(link->R, x);
  return view->stays ? y : turn_back_z(r_neg(view->s), view->c, y);
}


static inline v3 axes_to_parent(const treeModel *t, const treeData *d, int i, const treePose *pose,
                                v3 x)
{
  const treeLink *link = &t->link[i];
  if (!is_viewed(t, d, i)) return turn_to_parent(link, d, pose, x);
  const genView *view = &d->view[i];
  return m3_back(link->R, view->stays ? x : turn_back_z(view->s, view->c, x));
}


static inline v3 axes_origin(const treeModel *t, const treeData *d, int i, const treePose *pose)
{
  (void) t;
  return d->view ? d->view[i].p : pose->p;
}


static wrench wrench_to_parent(const treeModel *t, const treeData *d, int i, wrench f)
{
  const treePose *pose = &d->pose[i];
  const v3 force = axes_to_parent(t, d, i, pose, f.lin);
  const v3 moment = axes_to_parent(t, d, i, pose, f.ang);
  return (wrench){v3_add(moment, v3_cross(axes_origin(t, d, i, pose), force)), force};
}

//---- inverse dynamics ----------------------------------------------------------------------------

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


static int any_node(const void *nodes, int n)
{
  const int *node = nodes;
  int any = 0;
  for (int k = 0; k < n; k++) any |= node[k] != 0;
  return any;
}


// whether B of a link is needed: by its own matter, or by joints that are not at its origin
static int uses_turning(const treeModel *t, const treeData *d, int i)
{
  const treeLink *link = &t->link[i];
  int any = any_node(&link->h, 3) || any_node(&link->J, 6);
  for (int c = i + 1; c < t->n; c++) {
    any |= t->link[c].parent == i && any_node(&d->pose[c].p, 3);
  }
  return any;
}


// whether a joint turns about one of the axes of its parent, of which B is there
static int turns_about_axis(const treeModel *t, const treeData *d, const treeLink *link)
{
  return (link->kind == LINK_REVOLUTE || link->kind == LINK_SCREW) && turn_zeros(link->R.z) == 2 &&
         (link->parent == 0 || uses_turning(t, d, link->parent));
}


// Points on a joint's axis belong to the parent as well, so B z = R B_p z, and what is known of B there
// gives the angular acceleration:
//   B z = (wx wz + alpha_y, wy wz - alpha_x, -wx^2 - wy^2)
static inline m3 link_turning(const treeModel *t, const treeData *d, int i, const real *a,
                              linkMotion *moved)
{
  const treeLink *link = &t->link[i];
  const treeBody *parent = &d->body[link->parent];
  const products w = products_of(moved->omega);
  if (!turns_about_axis(t, d, link)) return turning_matrix(moved->acc.ang, w);
  const v3 z = axes_to_link(t, d, i, &d->pose[i], m3_mul(parent->B, link->R.z));
  const real along = r_add(v3_dot(link->R.z, parent->acc.ang), a[link->v0]);
  moved->acc.ang = v3_make(r_sub(w.yz, z.y), r_sub(z.x, w.xz), along);
  m3 B = turning_matrix(moved->acc.ang, w);
  B.x.z = z.x;
  B.y.z = z.y;
  B.z.z = z.z;
  return B;
}


// The force on the mass of a free link on ground needs no turning to and fro, R^T m R = m; it is left to the joint
// where that spares the turning, or where there is but the weight.
static int link_floats(const treeModel *t, int i, const real *a)
{
  const treeLink *link = &t->link[i];
  if (link->kind != LINK_FREE || link->parent > 0) return 0;
  int carries = any_node(&link->h, 3);
  for (int c = i + 1; c < t->n; c++) carries |= t->link[c].parent == i;
  return !carries || !any_node(a + link->v0, 3);
}


// the inertia force of a link, less the force on floating mass
static inline wrench link_inertia_force(const treeModel *t, const treeData *d, int i, const real *a,
                                        m3 B, const linkMotion *moved)
{
  // F = m a + B h,  N = h x a + J alpha + omega x J omega
  const treeLink *link = &t->link[i];
  const v3 h = first_moment(t, d, i), turning = m3_mul(B, h);
  const v3 moment = turning_moment(link->J, moved->acc.ang, products_of(moved->omega), B);
  return (wrench){v3_add(moment, v3_cross(h, moved->acc.lin)),
                  link_floats(t, i, a) ? turning
                                       : v3_add(v3_scale(link->mass, moved->acc.lin), turning)};
}


static inline void link_joint_force(const treeModel *t, const treeData *d, int i,
                                    const treePose *pose, wrench f, const real *a, real *tau)
{
  (void) d;
  const treeLink *link = &t->link[i];
  tree_joint_force(link, pose, f, tau);
  if (!link_floats(t, i, a)) return;

  // m (a - g) along the axes of the joint's frame
  const real *own = a + link->v0;
  const v3 lin = v3_sub(v3_make(own[0], own[1], own[2]), m3_mul(link->R, t->gravity));
  const real x[3] = {lin.x, lin.y, lin.z};
  for (int k = 0; k < 3; k++) tau[k] = r_add(tau[k], r_mul(link->mass, x[k]));
}


void gen_record_inverse(symTree *s, const int *a, int *tau)
{
  struct symInside *in = s->inside;
  exprPool *before = expr_use(s->pool);
  begin_views(s);
  find_joint_forces(&in->model, &in->data, in->v, (const real *) a, (real *) tau);
  end_views(s);
  sym_name_motion(s->pool, s->inside);
  expr_use(before);
}


void gen_record_motion(symTree *s, int *acc)
{
  exprPool *before = expr_use(s->pool);
  find_motion(&s->inside->model, &s->inside->data, s->inside->v, s->inside->a);
  sym_name_motion(s->pool, s->inside);
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

static inline treeInertia group_of_link(const treeModel *t, const treeData *d, int i)
{
  return (treeInertia){t->link[i].mass, first_moment(t, d, i), t->link[i].J};
}


// of links that are in other axes, moments about axes in the plane are not felt
static inline treeInertia group_in_parent(const treeModel *t, const treeData *d, int i)
{
  const treeLink *link = &t->link[i];
  const treePose *pose = &d->pose[i];
  const treeInertia *g = &d->group[i];
  const s3 J = is_viewed(t, d, i) ? s3_back(link->R, g->J) : turn_s3_to_parent(link, d, pose, g->J);
  const treeInertia turned = {g->m, axes_to_parent(t, d, i, pose, g->h), J};
  return inertia_about(turned, axes_origin(t, d, i, pose));
}


// in the axes of the link
static inline motion group_axis(const treeModel *t, const treeData *d, int k)
{
  const int i = t->dof_link[k];
  const treeLink *link = &t->link[i];
  const m3 own = m3_identity();
  m3 slides = own;
  if (link->kind == LINK_FREE) {
    slides.x = axes_to_link(t, d, i, &d->pose[i], link->R.x);
    slides.y = axes_to_link(t, d, i, &d->pose[i], link->R.y);
    slides.z = axes_to_link(t, d, i, &d->pose[i], link->R.z);
  }
  return joint_unit(link, joint_axis(link, &own, &slides, k - link->v0));
}


// the wrench that the unit acceleration of a coordinate takes, on the way to ground
static inline void group_row(const treeModel *t, const treeData *d, int k, wrench f, real *row)
{
  const int i = t->dof_link[k];
  for (int j = i; j > 0; j = t->link[j].parent) {
    const treeLink *link = &t->link[j];
    real own[6];
    tree_joint_force(link, &d->pose[j], f, own);

    // shifts of a free link meet its mass alone, R^T m R = m
    const int shifts = j == i && link->kind == LINK_FREE && k - link->v0 < 3;
    for (int e = 0; shifts && e < 3; e++) own[e] = e == k - link->v0 ? d->group[i].m : r_const(0);
    for (int e = 0; e < link->nv && link->v0 + e <= k; e++) row[link->v0 + e] = own[e];
    if (link->parent > 0) f = wrench_to_parent(t, d, j, f);
  }
}


void gen_record_mass_rows(symTree *s, int *row, void (*take)(void *context, int k, int *row),
                          void *context)
{
  struct symInside *in = s->inside;
  exprPool *before = expr_use(s->pool);
  begin_views(s);
  compose_groups(&in->model, &in->data);
  sym_name_groups(s->pool, s->inside);
  for (int k = 0; k < s->nv; k++) {
    fill_mass_row(&in->model, &in->data, k, (real *) row);
    take(context, k, row);
  }
  end_views(s);
  expr_use(before);
}


// a matrix by rows that is being recorded
typedef struct massMatrix {
  int nv, *M;
} massMatrix;


static void take_full_row(void *context, int k, int *row)
{
  const massMatrix *full = context;
  memcpy(full->M + (long) k * full->nv, row, (size_t) full->nv * sizeof *row);
  memset(row, 0, (size_t) full->nv * sizeof *row);
}


void gen_record_mass(symTree *s, int *M)
{
  massMatrix full = {s->nv, M};
  int *row = arena_alloc(&s->memory, (size_t) s->nv, sizeof *row);
  gen_record_mass_rows(s, row, take_full_row, &full);
}

//---- identification ------------------------------------------------------------------------------

// column of one parameter of link i
static void record_column(symTree *s, int i, int parameter, int n, real *column)
{
  ART_ASSERT(i > 0 && i < s->n);
  const treeModel *t = &s->inside->model;
  const treeData *d = &s->inside->data;
  const treeBody *b = &d->body[i];
  ART_ASSERT(parameter >= 0 && parameter < GEN_INERTIA);
  const real o = r_const(0);
  treeLink unit = {.mass = o, .h = {o, o, o}, .J = {o, o, o, o, o, o}};
  real *const all[GEN_INERTIA] = {&unit.mass, &unit.h.x,  &unit.h.y,  &unit.h.z,  &unit.J.xx,
                                  &unit.J.yy, &unit.J.zz, &unit.J.xy, &unit.J.xz, &unit.J.yz};
  *all[parameter] = r_const(1);
  wrench f = {
      v3_add(turning_moment(unit.J, b->acc.ang, products_of(b->omega), b->B),
             v3_cross(unit.h, b->acc.lin)),
      v3_add(v3_scale(unit.mass, b->acc.lin), m3_mul(b->B, unit.h)),
  };
  for (int j = i; j > 0; j = t->link[j].parent) {
    real own[6];
    tree_joint_force(&t->link[j], &d->pose[j], f, own);
    for (int e = 0; e < t->link[j].nv; e++) column[(long) (t->link[j].v0 + e) * n] = own[e];
    f = wrench_to_parent(t, d, j, f);
  }
}


void gen_record_regressor(symTree *s, int n, const int *parameter, int *Psi)
{
  exprPool *before = expr_use(s->pool);
  memset(Psi, 0, (size_t) s->nv * (size_t) n * sizeof *Psi);
  find_motion(&s->inside->model, &s->inside->data, s->inside->v, s->inside->a);
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
