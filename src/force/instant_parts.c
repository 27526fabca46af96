// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts of a machine at an instant: poses and velocities of bodies and rods, forces and reactions as arrows.
#include "articula/parts.h"

#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "force/force.h"
#include "force/port_forces.h"
#include "force/tyre_element.h"

static const double NOT_KNOWN = NAN;


static void forget_vector(double out[3])
{
  for (int k = 0; k < 3 && out; k++) out[k] = NOT_KNOWN;
}


//---- bodies and rods -----------------------------------------------------------------------------

// z along the rod by the shortest turn: q = (1 + z.u, z x u) / |..|
static artPose rod_pose(const treeData *t, const modelCut *cut)
{
  const v3 from = tree_point(t, cut->side[0].link, cut->side[0].r);
  const v3 span = v3_sub(tree_point(t, cut->side[1].link, cut->side[1].r), from);
  const double length = sqrt(v3_dot(span, span));
  const v3 u = length > 0 ? v3_scale(1 / length, span) : (v3){0, 0, 1};
  double q[4] = {1 + u.z, -u.y, u.x, 0};
  if (q[0] < 1e-9) q[0] = 0, q[1] = 1, q[2] = 0;
  const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  return (artPose){.position = {from.x, from.y, from.z},
                   .rotation = {q[0] / norm, q[1] / norm, q[2] / norm, 0}};
}


// w = span x (v_to - v_from) / |span|^2
static motion rod_velocity(const treeData *t, const modelCut *cut)
{
  const cutSide *a = &cut->side[0], *b = &cut->side[1];
  const v3 span = v3_sub(tree_point(t, b->link, b->r), tree_point(t, a->link, a->r));
  const v3 linear = tree_point_velocity(t, a->link, a->r);
  const v3 rate = v3_sub(tree_point_velocity(t, b->link, b->r), linear);
  const double square = v3_dot(span, span);
  return (motion){
      square > 0 ? v3_scale(1 / square, v3_cross(span, rate)) : (v3){0, 0, 0},
      linear,
  };
}


void art_body_pose(const artModel *m, const artData *d, int i, artPose *pose)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(pose, );
  *pose = (artPose){{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
  WORK_REQUIRE_OR(m, d, );
  const int cut = model_rod_cut(m, i);
  ART_REQUIRE_OR(i >= 0 && (i < m->nbody || cut >= 0), );
  if (cut >= 0) {
    *pose = rod_pose(data_world(m, d), &m->cut[cut]);
    return;
  }
  art_frame_position(m, d, i, pose->position);
  art_frame_rotation(m, d, i, pose->rotation);
}


void art_body_velocity(const artModel *m, const artData *d, int i, double linear[3],
                       double angular[3])
{
  ARITHMETIC_GUARD;
  forget_vector(linear);
  forget_vector(angular);
  WORK_REQUIRE_OR(m, d, );
  const int cut = model_rod_cut(m, i);
  ART_REQUIRE_OR(i >= 0 && (i < m->nbody || cut >= 0), );
  if (cut < 0) {
    art_frame_velocity(m, d, i, linear, angular);
    return;
  }
  const motion v = rod_velocity(data_velocity(m, d), &m->cut[cut]);
  data_put3(linear, v.lin);
  data_put3(angular, v.ang);
}


//---- arrows --------------------------------------------------------------------------------------

// from the axes of a frame to the axes of ground
static v3 frame_to_ground(const artModel *m, const treeData *t, int i, v3 a)
{
  ART_ASSERT(i >= 0 && i < m->nframe);
  const modelFrame *frame = &m->frame[i];
  return m3_back(tree_in_ground(t, frame->link)->R, m3_back(frame->R, a));
}


// force and moment of a tyre count at the wheel's centre: the arrow is at the contact, where the force acts
static v3 tyre_arrow(const artModel *m, const artData *d, const modelElement *e, double at[3])
{
  artTyreAnswer a;
  if (d->work->force->tyres == TYRES_FLOAT || force_roll(m, d, e, &a, NULL) != ART_OK) {
    return (v3){0, 0, 0};
  }
  const double *value = d->work->value + e->value0;
  data_put3(at, (v3){value[TYRE_X], value[TYRE_Y], value[TYRE_Z]});
  return (v3){a.world_force[0], a.world_force[1], a.world_force[2]};
}


void art_force_arrow(const artModel *m, const artData *d, int i, double at[3], double vector[3])
{
  ARITHMETIC_GUARD;
  forget_vector(at);
  forget_vector(vector);
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(i >= 0 && i < m->nelement && at && vector, );
  const modelElement *e = &m->element[i];
  const treeData *t = data_velocity(m, d);
  const double *value = d->work->value + e->value0;
  const v3 own = e->nvalue >= 3 ? (v3){value[0], value[1], value[2]} : (v3){0, 0, 0};
  const modelFrame *last = e->nframe > 0 ? &m->frame[e->frame[e->nframe - 1]] : NULL;
  v3 arrow = {0, 0, 0};
  portState port;
  data_put3(at, last && e->type->arrow != ARROW_NONE ? tree_point(t, last->link, last->r) : arrow);
  switch (e->type->arrow) {
  case ARROW_LINE:
    force_move_port(m, d, e, &port);
    arrow = v3_scale(-value[0], e->nframe > 2 ? port.next[e->nframe - 3] : port.line.direction);
    break;
  case ARROW_AXES: arrow = frame_to_ground(m, t, e->frame[0], own); break;
  case ARROW_GROUND: arrow = e->in_body ? frame_to_ground(m, t, e->frame[0], own) : own; break;
  case ARROW_CONTACT: arrow = tyre_arrow(m, d, e, at); break;
  case ARROW_TOUCH:
    force_move_port(m, d, e, &port);
    data_put3(at, port.contact.point);
    arrow = own;
    break;
  case ARROW_NONE: break;
  }
  data_put3(vector, arrow);
}


void art_pile_arrow(const artModel *m, const artData *d, int i, int k, double at[3],
                    double vector[3])
{
  ARITHMETIC_GUARD;
  forget_vector(at);
  forget_vector(vector);
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(i >= 0 && i < m->nelement && k >= 0 && at && vector, );
  const pileForce *f = force_pile_contact(m, d, m->element[i].pile, k);
  data_put3(at, f ? f->point : (v3){0, 0, 0});
  data_put3(vector, f ? f->force : (v3){0, 0, 0});
}


void art_joint_arrow(const artModel *m, const artData *d, int i, double at[3], double force[3],
                     double torque[3])
{
  ARITHMETIC_GUARD;
  forget_vector(at);
  forget_vector(force);
  forget_vector(torque);
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(i >= 0 && i < m->own_joints, );
  const modelJoint *joint = &m->joint[i];
  const modelFrame *body = &m->frame[joint->to];
  const double *end = joint->end[1].position;
  const v3 in_link = v3_add(body->r, m3_back(body->R, (v3){end[0], end[1], end[2]}));
  data_put3(at, tree_point(data_world(m, d), body->link, in_link));
  const wrench f = force_reaction(m, d, i);
  data_put3(force, f.lin);
  data_put3(torque, f.ang);
}
