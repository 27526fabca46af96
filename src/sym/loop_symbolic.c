// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows on symbols.
#include "sym/tree_inside.h"

#include "sym/loop_symbolic.h"

#include <math.h>
#include <string.h>

#include "loop/row_curved.c"
#include "sym/tree_names.h"
#include "tree/joint_axis.h"

// clang-format off
#include "lowered/model/roll_surface.c"
// clang-format on

// a link relative to its ancestor, at zero accelerations of the coordinates
typedef struct chainState {
  m3 e;           // rows: axes
  v3 o, omega, v; // origin, angular velocity, velocity of the origin
  v3 alpha, a;
  v3 r;     // from the origin of the previous link
  v3 reach; // from its origin to the origin of the joint frame
} chainState;

// one side of a cut
typedef struct chainSide {
  int n, *link;      // links outward of the ancestor, up to the side's link
  chainState *state; // [n]
  chainState end;    // state of the last link, or of the ancestor itself
  cutFrame frame;    // joint frame
  v3 arm;            // from the link's origin to that of the frame
} chainSide;

static v3 zero_vector(void)
{
  return v3_make(r_const(0), r_const(0), r_const(0));
}


//---- names ---------------------------------------------------------------------------------------

// names of the links of a side relative to the ancestor, in the order of chainState, and of the arm
// to the joint
static void name_side(symTree *s, const chainSide *side)
{
  static const char *const of_link[] = {NAMES_MATRIX("loop_R"),     NAMES_VECTOR("loop_position"),
                                        NAMES_VECTOR("loop_omega"), NAMES_VECTOR("loop_velocity"),
                                        NAMES_VECTOR("loop_alpha"), NAMES_VECTOR("loop_acc"),
                                        NAMES_VECTOR("step"),       NAMES_VECTOR("reach")};
  static const char *const of_arm[] = {NAMES_VECTOR("arm")}, *const of_end[] = {
                                                                 NAMES_VECTOR("tip")};
  _Static_assert(sizeof(chainState) == sizeof of_link / sizeof *of_link * sizeof(real),
                 "each of its numbers has a name");
  if (side->n == 0) return;
  const int last = side->link[side->n - 1];
  sym_name_all(s->pool, NAMES_COUNT(of_arm), of_arm, &side->arm, last);
  sym_name_all(s->pool, NAMES_COUNT(of_end), of_end, &side->frame.r, last);
  for (int k = 0; k < side->n; k++) {
    sym_name_all(s->pool, NAMES_COUNT(of_link), of_link, &side->state[k], side->link[k]);
  }
}


// from one side of the joint to the other; named after the second link
static void name_gap(symTree *s, const cutState *x, int link)
{
  static const char *const of_gap[] = {NAMES_VECTOR("gap")};
  sym_name_all(s->pool, NAMES_COUNT(of_gap), of_gap, &x->span, link);
}


//---- kinematics of a chain -----------------------------------------------------------------------

static chainState chain_step(const symTree *s, const chainState *p, int i)
{
  ART_ASSERT(i > 0 && i < s->n);
  const symModel *m = &s->inside->model;
  const treeLink *link = &m->link[i];
  const treePose *pose = &s->inside->data.pose[i];
  const real *v = s->inside->v + link->v0;
  const v3 r = m3_back(p->e, pose->p), around = v3_cross(p->omega, r);
  chainState x = {
      .e = m3_mul_m3(pose->R, p->e),
      .o = v3_add(p->o, r),
      .r = r,
      .omega = p->omega,
      .v = v3_add(p->v, around),
      .alpha = p->alpha,
      .a = v3_add(p->a, v3_add(v3_cross(p->alpha, r), v3_cross(p->omega, around))),
  };

  // rotation rate w and sliding velocity u of the joint, relative to the parent:
  //   alpha += omega_p x w,  a += 2 omega_p x u
  m3 room;
  const motion joint = joint_motion(link, &x.e, joint_slides(link, &p->e, &room), v);
  x.omega = v3_add(x.omega, joint.ang);
  x.alpha = v3_add(x.alpha, v3_cross(p->omega, joint.ang));
  x.v = v3_add(x.v, joint.lin);
  x.a = v3_add(x.a, v3_scale(r_const(2), v3_cross(p->omega, joint.lin)));
  return x;
}


static void follow_chain_side(symTree *s, int ancestor, int link, chainSide *side)
{
  ART_ASSERT(ancestor >= 0 && ancestor <= link);
  const symModel *m = &s->inside->model;
  side->n = 0;
  for (int i = link; i != ancestor; i = m->link[i].parent) side->n++;
  ARENA_TAKE(&s->memory, side->link, side->n);
  ARENA_TAKE(&s->memory, side->state, side->n);
  int k = side->n;
  for (int i = link; i != ancestor; i = m->link[i].parent) side->link[--k] = i;

  const v3 zero = zero_vector();
  side->end = (chainState){m3_identity(), zero, zero, zero, zero, zero, zero, zero};
  for (k = 0; k < side->n; k++)
    side->end = side->state[k] = chain_step(s, &side->end, side->link[k]);
}


//---- the cut -------------------------------------------------------------------------------------

const char *const sym_cut_name[CUT_NAMES] = {
    "from_Rxx",   "from_Rxy", "from_Rxz",       "from_Ryx",  "from_Ryy",   "from_Ryz", "from_Rzx",
    "from_Rzy",   "from_Rzz", "from_x",         "from_y",    "from_z",     "to_Rxx",   "to_Rxy",
    "to_Rxz",     "to_Ryx",   "to_Ryy",         "to_Ryz",    "to_Rzx",     "to_Rzy",   "to_Rzz",
    "to_x",       "to_y",     "to_z",           "axis2_x",   "axis2_y",    "axis2_z",  "cut_pitch",
    "rod_length", "rod_mass", "surface_radius", "cone_sine", "cone_cosine"};


static v3 vector_parameter(symTree *s, const double *x, const char *const name[3], int i)
{
  return (v3){{sym_parameter(s, x[0], name[0], i)},
              {sym_parameter(s, x[1], name[1], i)},
              {sym_parameter(s, x[2], name[2], i)}};
}


static v3 held_vector(const cutNumbers *cut, int k)
{
  ART_ASSERT(cut->held);
  return (v3){{cut->held[k]}, {cut->held[k + 1]}, {cut->held[k + 2]}};
}


static void place_frame(symTree *s, const cutNumbers *cut, int k, chainSide *side)
{
  const char *const *R = sym_cut_name + CUT_SIDE * k, *const *r = R + CUT_PLACE;
  const int c = cut->number, is_held = k == 0 && cut->held;
  const m3 axes = is_held ? (m3){held_vector(cut, 0), held_vector(cut, 3), held_vector(cut, 6)}
                          : (m3){vector_parameter(s, cut->R[k], R, c),
                                 vector_parameter(s, cut->R[k] + 3, R + 3, c),
                                 vector_parameter(s, cut->R[k] + 6, R + 6, c)};
  side->arm =
      m3_back(side->end.e, is_held ? held_vector(cut, 9) : vector_parameter(s, cut->r[k], r, c));

  // levers from the links to the joint: summed up from the joint inwards, or as differences of
  // points
  v3 r_joint = cut->from_tip ? side->arm : v3_add(side->end.o, side->arm);
  for (int i = side->n - 1; i >= 0 && cut->from_tip; i--) {
    side->state[i].reach = r_joint;
    r_joint = v3_add(side->state[i].r, r_joint);
  }
  for (int i = 0; i < side->n && !cut->from_tip; i++) {
    side->state[i].reach = v3_sub(r_joint, side->state[i].o);
  }
  side->frame = (cutFrame){m3_mul_m3(axes, side->end.e), r_joint};
}


static int is_same_vector(v3 a, v3 b)
{
  return a.x.node == b.x.node && a.y.node == b.y.node && a.z.node == b.z.node;
}


static cutMotion chain_side_motion(const chainSide *side)
{
  const chainState *x = &side->end;
  const v3 turning =
      v3_add(v3_cross(x->alpha, side->arm), v3_cross(x->omega, v3_cross(x->omega, side->arm)));
  return (cutMotion){x->omega, x->alpha, v3_add(x->a, turning)};
}


// velocity of the point r fixed to the end of a side
static v3 velocity_at(const chainSide *side, v3 r)
{
  return v3_add(side->end.v, v3_cross(side->end.omega, v3_sub(r, side->end.o)));
}


//---- Jacobian ------------------------------------------------------------------------------------

// J = +- (axis . moment), moment about the link's origin; +- (axis . force) for sliding
static void chain_side_entries(const symTree *s, const chainSide *side, const loopRow *row,
                               int sign, real *J)
{
  const symModel *m = &s->inside->model;
  for (int k = 0; k < side->n; k++) {
    const treeLink *link = &m->link[side->link[k]];
    const chainState *x = &side->state[k];
    const v3 lever = is_same_vector(row->r, side->frame.r) ? x->reach : v3_sub(row->r, x->o);
    const v3 moment = v3_add(row->t, v3_cross(lever, row->u));
    const m3 before = k > 0 ? side->state[k - 1].e : m3_identity();
    m3 room;
    const m3 *slides = joint_slides(link, &before, &room);
    real entry[6];
    for (int i = 0; i < link->nv; i++) {
      entry[i] = joint_power(link, joint_axis(link, &x->e, slides, i), (wrench){moment, row->u});
    }
    for (int i = 0; i < link->nv; i++) J[link->v0 + i] = sign > 0 ? entry[i] : r_neg(entry[i]);
  }
}


//---- screws --------------------------------------------------------------------------------------

// rotation of a screw, with the number of full turns that fits the sliding best
static real symbolic_thread_angle(symTree *s, const cutState *cut, real pitch)
{
  exprPool *pool = s->pool;
  const double full = 2 * acos(-1.0);
  const real y = v3_dot(cut->from.e.y, cut->to.e.x), x = v3_dot(cut->from.e.x, cut->to.e.x);
  const real angle = {expr_operate(pool, EXPR_ATAN2, y.node, x.node)};
  if (pitch.node == 0) return angle;
  const real slide = v3_dot(cut->from.e.z, cut->span);
  const real turns = r_mul(r_const(1 / full), r_sub(r_div(slide, pitch), angle));
  const real whole = {expr_operate(pool, EXPR_FLOOR, r_add(turns, r_const(0.5)).node, 0)};
  return r_add(angle, r_mul(r_const(full), whole));
}


//---- rows ----------------------------------------------------------------------------------------

// both sides of a cut and the terms of its rows
typedef struct cutRecord {
  int ancestor;
  chainSide side[2];
  rowShape shape;
  rollSurface on;
  cutState state;
  cutMotion from, to;
  spanMotion span;
} cutRecord;


// its numbers are parameters unless it is a plane
static rollSurface surface_of(symTree *s, const cutNumbers *cut)
{
  const char *const *name = sym_cut_name + CUT_SURFACE;
  rollSurface on = {
      .kind = (rollKind) cut->roll, .shape = (rollShape) cut->surface, .sense = cut->sense};
  real *const number[3] = {&on.radius, &on.sine, &on.cosine};
  const int is_cone = on.shape == ROLL_ON_CONE;
  for (int k = 0; k < 3; k++) {
    *number[k] = r_const(cut->curvature[k]);
    if (on.shape == ROLL_ON_PLANE || is_cone == (k == 0)) continue;
    number[k]->node = sym_parameter(s, cut->curvature[k], name[k], cut->number);
  }
  return on;
}


static void open_cut(symTree *s, const cutNumbers *cut, cutRecord *x)
{
  ART_ASSERT(cut->link[0] != cut->link[1]);
  ART_ASSERT(cut->link[0] >= 0 && cut->link[0] < s->n && cut->link[1] >= 0 && cut->link[1] < s->n);
  const treeLink *link = s->inside->model.link;
  int a = cut->link[0], b = cut->link[1];
  while (a != b) {
    if (a > b) {
      a = link[a].parent;
    } else {
      b = link[b].parent;
    }
  }
  x->ancestor = a;
  for (int k = 0; k < 2; k++) {
    follow_chain_side(s, x->ancestor, cut->link[k], &x->side[k]);
    place_frame(s, cut, k, &x->side[k]);
    name_side(s, &x->side[k]);
  }
  x->shape = (rowShape){vector_parameter(s, cut->axis2, sym_cut_name + CUT_AXIS2, cut->number),
                        {sym_parameter(s, cut->pitch, "cut_pitch", cut->number)},
                        {sym_parameter(s, cut->length, "rod_length", cut->number)}};
  x->on = surface_of(s, cut);
  const chainSide *from = &x->side[0], *to = &x->side[1];
  x->state = (cutState){from->frame, to->frame, v3_sub(to->frame.r, from->frame.r)};
  name_gap(s, &x->state, cut->link[1]);
  x->from = chain_side_motion(from);
  x->to = chain_side_motion(to);
  const v3 w = v3_sub(velocity_at(to, x->state.to.r), velocity_at(from, x->state.to.r));
  x->span = row_span(&x->state, &x->from, &x->to, w);
}


// a row by its definition
static void exact_row(symTree *s, const cutRecord *x, int kind, int *phi, int *J, int *gamma,
                      loopRow *row)
{
  const rowKind k = (rowKind) kind;
  const real angle = k == THREAD ? symbolic_thread_angle(s, &x->state, x->shape.pitch) : r_const(0);
  *row = (loopRow){zero_vector(), zero_vector(), zero_vector()};
  if (k == CURVED_GAP) {
    *phi = row_curved_symbolic(&x->shape, &x->on, &x->state, row).node;
    const real second =
        row_curved_second_symbolic(&x->shape, &x->on, &x->state, &x->from, &x->to, &x->span);
    *gamma = r_neg(second).node;
  } else {
    *phi = row_position(&x->shape, k, &x->state, angle, row).node;
    *gamma = r_neg(row_second(&x->shape, k, &x->state, &x->from, &x->to, &x->span)).node;
  }
  chain_side_entries(s, &x->side[0], row, -1, (real *) J);
  chain_side_entries(s, &x->side[1], row, 1, (real *) J);
}


//---- cheaper rows --------------------------------------------------------------------------------

static int is_unit_constant(const symTree *s, real x)
{
  const exprNode *node = &s->pool->nodes[x.node];
  return node->op == EXPR_CONSTANT && (node->value == 1 || node->value == -1);
}


// axis of the ancestor to which a direction is constantly parallel; -1: none
static int constant_axis(const symTree *s, v3 u)
{
  if (is_unit_constant(s, u.x) && u.y.node == 0 && u.z.node == 0) return 0;
  if (is_unit_constant(s, u.y) && u.x.node == 0 && u.z.node == 0) return 1;
  if (is_unit_constant(s, u.z) && u.x.node == 0 && u.y.node == 0) return 2;
  return -1;
}


// Axes of the ancestor that span the directions of these sliding rows: all three, or the two
// perpendicular to the missing one. Returns their number, 0 if impossible.
static int plain_axes(const symTree *s, const cutRecord *x, int nrow, const int *kind, int axis[3])
{
  const m3 *e = &x->state.from.e;
  const v3 axes[3] = {e->x, e->y, e->z};
  int has[3] = {0, 0, 0}, count = 0;
  for (int i = 0; i < nrow; i++) {
    if (kind[i] > SLIDE_Z) continue;
    has[kind[i] - SLIDE_X] = 1;
    count++;
  }
  int missing = -1;
  for (int k = 0; k < 3 && count == 2; k++) {
    if (!has[k]) missing = constant_axis(s, axes[k]);
  }
  if (count != 3 && missing < 0) return 0;
  int n = 0;
  for (int k = 0; k < 3; k++) {
    if (k != missing) axis[n++] = k;
  }
  return n;
}


static real axis_component(v3 a, int axis)
{
  ART_ASSERT(axis >= 0 && axis < 3);
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}


// phi = e.d,  phi'' = e.d''  with an axis e of the ancestor; each side uses its own point
static void plain_slide(symTree *s, const cutRecord *x, int axis, int *phi, int *J, int *gamma)
{
  const real one = r_const(1), none = r_const(0);
  const v3 e = {axis == 0 ? one : none, axis == 1 ? one : none, axis == 2 ? one : none};
  *phi = axis_component(x->state.span, axis).node;
  *gamma = r_neg(axis_component(x->span.second, axis)).node;
  for (int k = 0; k < 2; k++) {
    const loopRow row = {e, zero_vector(), x->side[k].frame.r};
    chain_side_entries(s, &x->side[k], &row, k == 0 ? -1 : 1, (real *) J);
  }
}


// rates t.(omega_to - omega_from) about an axis of `from`, with the sign of the row's phi
static void plain_turn(symTree *s, const cutRecord *x, int kind, int *phi, int *J, int *gamma)
{
  ART_ASSERT(kind == TURN_X || kind == TURN_Y || kind == TURN_Z);
  const m3 *e = &x->state.from.e;
  const v3 t = kind == TURN_X ? v3_neg(e->x) : kind == TURN_Y ? e->y : v3_neg(e->z);
  loopRow row = {zero_vector(), zero_vector(), zero_vector()};
  *phi = row_position(&x->shape, (rowKind) kind, &x->state, r_const(0), &row).node;
  row = (loopRow){zero_vector(), t, x->state.to.r};
  chain_side_entries(s, &x->side[0], &row, -1, (real *) J);
  chain_side_entries(s, &x->side[1], &row, 1, (real *) J);
  *gamma = r_neg(v3_dot(t, v3_sub(x->to.alpha, x->from.alpha))).node;
}


void sym_record_closing(symTree *s, const cutNumbers *cut, int nrow, const int *kind, int mixes,
                        int is_stiff, int *phi, int *J, int *gamma)
{
  exprPool *before = expr_use(s->pool);
  cutRecord x;
  open_cut(s, cut, &x);
  int axis[3], used = 0;
  const int plain = mixes ? plain_axes(s, &x, nrow, kind, axis) : 0;
  for (int i = 0; i < nrow; i++) {
    int *entries = J + (long) i * s->nv;
    loopRow row;
    if (kind[i] <= SLIDE_Z && plain > 0) {
      plain_slide(s, &x, axis[used++], &phi[i], entries, &gamma[i]);
    } else if (kind[i] >= TURN_X && kind[i] <= TURN_Z && is_stiff) {
      plain_turn(s, &x, kind[i], &phi[i], entries, &gamma[i]);
    } else {
      exact_row(s, &x, kind[i], &phi[i], entries, &gamma[i], &row);
    }
  }
  expr_use(before);
}


void sym_record_cut(symTree *s, const cutNumbers *cut, int nrow, const int *kind, int *phi, int *J,
                    int *gamma, int *action)
{
  exprPool *before = expr_use(s->pool);
  cutRecord x;
  open_cut(s, cut, &x);
  for (int i = 0; i < nrow; i++) {
    loopRow row;
    exact_row(s, &x, kind[i], &phi[i], J + (long) i * s->nv, &gamma[i], &row);
    if (!action) continue;

    // convert to ground axes
    const treeWorld *w = &s->inside->data.world[x.ancestor];
    const v3 on_to[3] = {m3_back(w->R, row.u), m3_back(w->R, row.t),
                         v3_add(w->o, m3_back(w->R, row.r))};
    memcpy(action + 9 * i, on_to, sizeof on_to);
  }
  expr_use(before);
}


//---- rolling -------------------------------------------------------------------------------------

static rollPlace place_on_plane(const cutRecord *x)
{
  const rollKind kind = x->on.kind;
  const m3 *plane = &x->state.from.e;
  const v3 centre = x->state.to.r, axis = m3_back(x->state.to.e, x->shape.axis2);
  const real radius = kind == ROLL_EDGE ? r_const(0) : x->shape.length;
  return kind == ROLL_BALL ? roll_ball_place(plane, centre, radius)
                           : roll_tilted_place(plane, centre, axis, radius);
}


static rollTouch symbolic_touch(symTree *s, const cutRecord *x, int link)
{
  static const char *const of_place[] = {NAMES_VECTOR("contact"), NAMES_VECTOR("normal"),
                                         NAMES_VECTOR("along"), NAMES_VECTOR("across")};
  rollTouch touch = {0};
  if (x->on.shape == ROLL_ON_PLANE) {
    touch.place = place_on_plane(x);
  } else {
    const rollBodyPlace body = row_roll_body_symbolic(&x->shape, &x->state);
    touch = roll_touch_symbolic(&x->on, &body);
  }
  sym_name_all(s->pool, NAMES_COUNT(of_place), of_place, &touch.place, link);
  return touch;
}


static void rates_of_rows(const cutRecord *x, const rollTouch *touch, const rollMotion *moves,
                          real rate[2])
{
  real all[3]; // that of the gap first
  if (x->on.shape == ROLL_ON_PLANE) {
    roll_row_rates(x->on.kind, &touch->place, x->shape.length, moves, rate);
    return;
  }
  roll_touch_rates_symbolic(x->on.kind, touch, x->shape.length, moves, all);
  rate[0] = all[1];
  rate[1] = all[2];
}


void sym_record_rolling(symTree *s, const cutNumbers *cut, int *J, int *gamma, int *place)
{
  exprPool *before = expr_use(s->pool);
  cutRecord x;
  open_cut(s, cut, &x);
  const chainSide *from = &x.side[0], *to = &x.side[1];
  const rollTouch touch = symbolic_touch(s, &x, cut->link[1]);
  const rollPlace p = touch.place;
  const rollMotion moves = {{x.from.omega, x.from.alpha, x.from.a, x.state.from.r},
                            {x.to.omega, x.to.alpha, x.to.a, x.state.to.r},
                            v3_sub(velocity_at(to, p.centre), velocity_at(from, p.centre)),
                            v3_sub(velocity_at(to, p.point), velocity_at(from, p.point))};
  v3 u[2];
  real rate[2];
  const int n = roll_directions(x.on.kind, &p, u);
  rates_of_rows(&x, &touch, &moves, rate);
  for (int k = 0; k < n; k++) {
    const loopRow row = {u[k], zero_vector(), p.point};
    chain_side_entries(s, from, &row, -1, (real *) J + (long) k * s->nv);
    chain_side_entries(s, to, &row, 1, (real *) J + (long) k * s->nv);
    gamma[k] = r_neg(rate[k]).node;
  }
  const treeWorld *w = &s->inside->data.world[x.ancestor];
  const v3 shown[4] = {m3_back(w->R, p.normal), m3_back(w->R, p.along), m3_back(w->R, p.across),
                       v3_add(w->o, m3_back(w->R, p.point))};
  memcpy(place, shown, sizeof shown);
  expr_use(before);
}
