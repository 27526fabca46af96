// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of joints in natural coordinates, relative coordinates, drives and relations.
#include <math.h>
#include <stdio.h>

#include "base/max_nan.h"
#include "natural/layout.h"

typedef struct jointName {
  char text[200];
} jointName;


static jointName quoted_joint_name(const naturalLayout *l, const layoutJoint *joint)
{
  jointName name;
  snprintf(name.text, sizeof name.text, "joint '%.150s'",
           joint->joint >= 0 ? l->m->joint[joint->joint].name : "?");
  return name;
}


// x.y + linear = 0
static void add_product_row(naturalLayout *l, const char *name, int x, int y, int nlinear,
                            naturalTerm *linear)
{
  natural_add_product(
      l->s, &(naturalRow){
                .name = name, .x = x, .y = y, .nlinear = nlinear, .linear = linear, .scale = 1});
}


static int axis_form(naturalLayout *l, const layoutJoint *joint, int side, v3 axis)
{
  ART_ASSERT(side == 0 || side == 1);
  return layout_vector(l, joint->group[side], axis);
}


static int point_form(naturalLayout *l, const layoutJoint *joint, int side)
{
  ART_ASSERT(side == 0 || side == 1);
  return layout_point(l, joint->group[side], joint->point[side]);
}


// from the point of `from` to that of `to`
static int span_form(naturalLayout *l, const layoutJoint *joint)
{
  return natural_add_span(l->s, point_form(l, joint, 0), point_form(l, joint, 1));
}


//---- rows of joints ------------------------------------------------------------------------------

static int is_axis_shared(naturalLayout *l, const layoutJoint *joint, v3 a, v3 b)
{
  if (!layout_spans(l, joint->group[0], a) || !layout_spans(l, joint->group[1], b)) return 0;
  return natural_same_forms(l->s, axis_form(l, joint, 0, a), axis_form(l, joint, 1, b));
}


static void stay_square(naturalLayout *l, const layoutJoint *joint, const char *name, v3 a, v3 b)
{
  add_product_row(l, name, axis_form(l, joint, 0, a), axis_form(l, joint, 1, b), 0, NULL);
}


static void joint_rows(naturalLayout *l, const layoutJoint *joint)
{
  const jointName own = quoted_joint_name(l, joint);
  const char *name = own.text;
  const m3 *a = &joint->axes[0], *b = &joint->axes[1];
  const v3 axes[3] = {a->x, a->y, a->z};
  const artJointType type = joint->type;
  const bool is_point = joint_holds_point(type);
  if (is_point) {
    const int from = point_form(l, joint, 0), to = point_form(l, joint, 1);
    const int is_one = natural_same_forms(l->s, from, to);
    const int span = is_one ? -1 : natural_add_span(l->s, from, to);
    for (int k = 0; k < 3 && !is_one; k++) {
      add_product_row(l, name, span, natural_add_sum(l->s, 0, NULL, NULL, l->plane[k]), 0, NULL);
    }
  }
  if (joint_holds(type, SQUARE))
    stay_square(l, joint, name, a->z, m3_back(joint->axes[1], joint->axis2));
  if (joint_holds(type, TURN_X) && !is_axis_shared(l, joint, a->z, b->z)) {
    stay_square(l, joint, name, a->x, b->z);
    stay_square(l, joint, name, a->y, b->z);
  }
  if (joint_holds(type, TURN_Z) && !is_axis_shared(l, joint, a->x, b->x)) {
    stay_square(l, joint, name, a->x, b->y);
  }
  for (int k = 0; k < 3; k++) {
    if (is_point || !joint_holds(type, (rowKind) (SLIDE_X + k))) continue;
    add_product_row(l, name, span_form(l, joint), axis_form(l, joint, 0, axes[k]), 0, NULL);
  }
  if (joint_holds(type, THREAD)) {
    naturalTerm turn = {joint->slide, -joint->pitch};
    add_product_row(l, name, span_form(l, joint), axis_form(l, joint, 0, a->z), 1, &turn);
  }
  if (joint_holds(type, LENGTH)) {
    const int span = span_form(l, joint);
    natural_add_product(l->s, &(naturalRow){.name = name,
                                            .x = span,
                                            .y = span,
                                            .constant = joint->length * joint->length,
                                            .scale = 0.5 / joint->length});
  }
}


//---- relative coordinates ------------------------------------------------------------------------

// A direction of one side of a joint that is not along its axis, as the base has it, and its angle from
// the joint's x axis.
typedef struct sideDirection {
  int form;
  double angle;
} sideDirection;


static sideDirection some_direction(naturalLayout *l, const layoutJoint *joint, int side)
{
  const m3 *e = &joint->axes[side];
  const layoutGroup *g = &l->group[joint->group[side]];
  const int is_spanned = layout_spans(l, joint->group[side], e->x);
  for (int i = 0; i < g->n && !is_spanned; i++) {
    const v3 u = g->base[i].local;
    const double x = v3_dot(u, e->x), y = v3_dot(u, e->y);
    if (!g->base[i].is_vector || x * x + y * y < 0.1) continue;
    return (sideDirection){g->base[i].form, atan2(y, x)};
  }
  return (sideDirection){axis_form(l, joint, side, e->x), 0};
}


// s = angle of `to` about z as seen from `from`; measured in the side whose x and y are at hand
static void angle_row(naturalLayout *l, const layoutJoint *joint, int coordinate)
{
  ART_ASSERT(coordinate >= 0 && coordinate < l->s->n);
  const jointName name = quoted_joint_name(l, joint);
  const m3 *a = &joint->axes[0];
  const int from_is_full =
      layout_spans(l, joint->group[0], a->x) && layout_spans(l, joint->group[0], a->y);
  const int frame = from_is_full ? 0 : 1;
  const m3 *e = &joint->axes[frame];
  const sideDirection w = some_direction(l, joint, 1 - frame);
  naturalTerm own = {coordinate, 1};

  // seen from `from` w is at s + its angle, seen from `to` at its angle - s
  const naturalRow row = {.kind = NATURAL_ANGLE,
                          .name = name.text,
                          .x = axis_form(l, joint, frame, e->x),
                          .y = axis_form(l, joint, frame, e->y),
                          .w = w.form,
                          .nlinear = 1,
                          .linear = &own,
                          .sign = frame == 0 ? 1 : -1,
                          .constant = frame == 0 ? -w.angle : w.angle,
                          .scale = 1,
                          .drive = -1};
  natural_add_row(l->s, &row);
}


static artStatus add_coordinate(naturalLayout *l, naturalMachine *k, int velocity, artError *error)
{
  if (velocity < 0 || k->coordinate[velocity] >= 0) return ART_OK;
  const treeModel *t = &l->m->tree;
  const int i = t->dof_link[velocity];
  const treeLink *link = &t->link[i];
  layoutJoint *joint = l->joint;
  while (joint->link != i) joint++;
  const m3 *a = &joint->axes[0];
  const int turns = link->kind == LINK_REVOLUTE || link->kind == LINK_SCREW;
  const int part = velocity - link->v0;
  if (link->kind == LINK_SPHERICAL || (link->kind == LINK_FREE && part >= 3)) {
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "'%s' is a component of an angular velocity and has no angle of its own",
                     l->m->velocity[velocity].name);
  }
  const int s = k->coordinate[velocity] = natural_add_coordinates(l->s, 1);
  if (turns) {
    angle_row(l, joint, s);
    if (link->kind == LINK_SCREW) joint->slide = s;
  } else {
    // s = u.d, u fixed in `from`
    const jointName name = quoted_joint_name(l, joint);
    const v3 axes[3] = {a->x, a->y, a->z};
    const int u = axis_form(l, joint, 0, link->kind == LINK_FREE ? axes[part] : a->z);
    add_product_row(l, name.text, span_form(l, joint), u, 1, &(naturalTerm){s, -1});
  }
  return ART_OK;
}


artStatus joints_coordinates(naturalLayout *l, naturalMachine *k, artError *error)
{
  const artModel *m = l->m;
  artStatus status = ART_OK;
  for (int i = 0; i < m->nelement && status == ART_OK; i++) {
    for (int j = 0; j < m->element[i].nterm && status == ART_OK; j++) {
      status = add_coordinate(l, k, m->element[i].term[j].velocity, error);
    }
  }
  for (int i = 0; i < m->ndrive && status == ART_OK; i++) {
    status = add_coordinate(l, k, m->drive[i].velocity, error);
  }
  for (int i = 0; i < m->nrelation; i++) {
    for (int j = 0; j < m->relation[i].n && status == ART_OK; j++) {
      status = add_coordinate(l, k, m->relation[i].velocity[j], error);
    }
  }
  for (int i = 1; i < m->tree.n && status == ART_OK; i++) {
    const treeLink *link = &m->tree.link[i];
    if (link->has_rotor || link->kind == LINK_SCREW) status = add_coordinate(l, k, link->v0, error);
  }

  // a screw that closes a loop has an angle of its own
  for (int j = 0; j < l->njoint && status == ART_OK; j++) {
    layoutJoint *joint = &l->joint[j];
    if (!joint_holds(joint->type, THREAD) || joint->link > 0) continue;
    joint->slide = natural_add_coordinates(l->s, 1);
    angle_row(l, joint, joint->slide);
  }
  return status;
}


//---- drives and relations ------------------------------------------------------------------------

static void add_relation_row(naturalLayout *l, const naturalMachine *k,
                             const modelRelation *relation)
{
  naturalTerm *terms = arena_alloc(&l->arena, (size_t) relation->n, sizeof *terms);
  double most = 0;
  for (int i = 0; i < relation->n; i++) {
    const double c = relation->user.value ? 1 : relation->coefficient[i];
    terms[i] = (naturalTerm){k->coordinate[relation->velocity[i]], c};
    most = max_nan(most, fabs(c));
  }
  char name[200];
  snprintf(name, sizeof name, "%s '%.150s'", relation->user.value ? "constraint" : "coupling",
           relation->name);
  const naturalRow row = {
      .kind = relation->user.value ? NATURAL_USER : NATURAL_PRODUCT,
      .name = name,
      .x = -1,
      .y = -1,
      .w = -1,
      .nlinear = relation->n,
      .linear = terms,
      .constant = relation->constant,
      .scale = most > 0 ? 1 / most : 1,
      .drive = -1,
      .user = {relation->user.value, relation->user.bias, relation->user.context}};
  natural_add_row(l->s, &row);
}


void joints_rows(naturalLayout *l, const naturalMachine *k)
{
  for (int j = 0; j < l->njoint; j++) joint_rows(l, &l->joint[j]);
  for (int i = 0; i < l->m->ndrive; i++) {
    naturalTerm own = {k->coordinate[l->m->drive[i].velocity], 1};
    char name[200];
    snprintf(name, sizeof name, "drive '%.150s'", l->m->drive[i].name);
    natural_add_row(l->s, &(naturalRow){.kind = NATURAL_PRODUCT,
                                        .name = name,
                                        .x = -1,
                                        .y = -1,
                                        .w = -1,
                                        .nlinear = 1,
                                        .linear = &own,
                                        .scale = 1,
                                        .drive = i});
  }
  for (int i = 0; i < l->m->nrelation; i++) add_relation_row(l, k, &l->m->relation[i]);
}
