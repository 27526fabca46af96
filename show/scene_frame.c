// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A scene at an instant: poses and velocities of bodies, forces and reactions as vectors.
#include <math.h>

#include "force/force.h"
#include "force/port.h"
#include "force/tyre.h"
#include "show/scene.h"


//---- rods ----------------------------------------------------------------------------------------

static v3 end_place(const artData *d, const cutSide *side)
{
  return tree_point(&d->work->tree, side->link, side->r);
}


static v3 end_velocity(const artData *d, const cutSide *side)
{
  return tree_point_velocity(&d->work->tree, side->link, side->r);
}


// z along the rod by the shortest turn, as nothing determines its spin: q = (1 + z.u, z x u) / |..|
static artPose rod_pose(const artData *d, const modelCut *cut)
{
  const v3 from = end_place(d, &cut->side[0]);
  const v3 span = v3_sub(end_place(d, &cut->side[1]), from);
  const double length = sqrt(v3_dot(span, span));
  const v3 u = length > 0 ? v3_scale(1 / length, span) : (v3){0, 0, 1};
  double q[4] = {1 + u.z, -u.y, u.x, 0};
  if (q[0] < 1e-9) q[0] = 0, q[1] = 1, q[2] = 0;
  const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  return (artPose){.position = {from.x, from.y, from.z},
                   .rotation = {q[0] / norm, q[1] / norm, q[2] / norm, 0}};
}


// w = span x (v_to - v_from) / |span|^2
static void rod_velocity(const artData *d, const modelCut *cut, v3 *linear, v3 *angular)
{
  const v3 span = v3_sub(end_place(d, &cut->side[1]), end_place(d, &cut->side[0]));
  *linear = end_velocity(d, &cut->side[0]);
  const v3 rate = v3_sub(end_velocity(d, &cut->side[1]), *linear);
  const double square = v3_dot(span, span);
  *angular = square > 0 ? v3_scale(1 / square, v3_cross(span, rate)) : (v3){0, 0, 0};
}


//---- bodies --------------------------------------------------------------------------------------

artPose scene_body_pose(const ioScene *scene, const artData *data, int body)
{
  const sceneBody *b = &scene->body[body];
  if (b->frame < 0) return rod_pose(data, &scene->model->cut[b->cut]);
  artPose pose;
  art_frame_position(scene->model, data, b->frame, pose.position);
  art_frame_rotation(scene->model, data, b->frame, pose.rotation);
  return pose;
}


static void put_pose(const artPose *pose, float *to)
{
  for (int k = 0; k < 3; k++) to[k] = (float) pose->position[k];
  for (int k = 0; k < 4; k++) to[3 + k] = (float) pose->rotation[k];
}


static void put_vectors(v3 a, v3 b, float *to)
{
  const double numbers[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
  for (int k = 0; k < 6; k++) to[k] = (float) numbers[k];
}


static void put_velocity(const ioScene *scene, const artData *data, const sceneBody *body,
                         float *to)
{
  v3 linear, angular;
  if (body->frame < 0) {
    rod_velocity(data, &scene->model->cut[body->cut], &linear, &angular);
  } else {
    double v[3], w[3];
    art_frame_velocity(scene->model, data, body->frame, v, w);
    linear = (v3){v[0], v[1], v[2]};
    angular = (v3){w[0], w[1], w[2]};
  }
  put_vectors(linear, angular, to);
}


//---- vectors -------------------------------------------------------------------------------------

static v3 frame_place(const artModel *m, const artData *d, int frame)
{
  return tree_point(&d->work->tree, m->frame[frame].link, m->frame[frame].r);
}


// from the axes of a frame to those of ground
static v3 to_ground(const artModel *m, const artData *d, int i, v3 a)
{
  const modelFrame *frame = &m->frame[i];
  return m3_back(tree_in_ground(&d->work->tree, frame->link)->R, m3_back(frame->R, a));
}


// force and moment of a tyre count at the wheel's centre: shown at the contact, where it acts
static void put_tyre(const artModel *m, const artData *d, const modelElement *e, float *to)
{
  artTyreAnswer a;
  if (d->work->tyres == TYRES_FLOAT || force_roll(m, d, e, &a, NULL) != ART_OK) {
    put_vectors(frame_place(m, d, e->frame[0]), (v3){0, 0, 0}, to);
    return;
  }
  const double *value = d->work->value + e->value0;
  put_vectors((v3){value[TYRE_X], value[TYRE_Y], value[TYRE_Z]},
              (v3){a.world_force[0], a.world_force[1], a.world_force[2]}, to);
}


static void put_element(const artModel *m, const artData *d, const modelElement *e, float *to)
{
  const double *value = d->work->value + e->value0;
  const v3 own = e->nvalue >= 3 ? (v3){value[0], value[1], value[2]} : (v3){0, 0, 0};
  const v3 place = e->nframe > 0 ? frame_place(m, d, e->frame[e->nframe - 1]) : (v3){0, 0, 0};
  portState port;
  switch (e->type->arrow) {
  case ARROW_LINE:
    force_move_port(m, d, e, &port);
    put_vectors(place,
                v3_scale(-value[0], e->nframe > 2 ? port.next[e->nframe - 3] : port.line.direction),
                to);
    break;
  case ARROW_AXES:
    put_vectors(place, to_ground(m, d, e->frame[0], own), to);
    break;
  case ARROW_GROUND:
    put_vectors(place, e->in_body ? to_ground(m, d, e->frame[0], own) : own, to);
    break;
  case ARROW_CONTACT:
    put_tyre(m, d, e, to);
    break;
  case ARROW_NONE:
    put_vectors((v3){0, 0, 0}, (v3){0, 0, 0}, to);
  }
}


// what is left of a torque that should be zero, against the joint's force and the size of the machine
static const double NO_TORQUE = 1e-9;


// at the joint on the side of `to`
static void put_reaction(const ioScene *scene, const artData *d, const sceneVector *vector,
                         float *to)
{
  const artModel *m = scene->model;
  const modelJoint *joint = &m->joint[vector->joint];
  const modelFrame *body = &m->frame[joint->to];
  const double *at = joint->end[1].position;
  const v3 in_link = v3_add(body->r, m3_back(body->R, (v3){at[0], at[1], at[2]}));
  const wrench f = force_reaction(m, d, vector->joint);
  const double least = NO_TORQUE * scene->size * sqrt(v3_dot(f.lin, f.lin));
  const bool is_zero = vector->is_torque && sqrt(v3_dot(f.ang, f.ang)) <= least;
  const v3 value = is_zero ? (v3){0, 0, 0} : vector->is_torque ? f.ang : f.lin;
  put_vectors(tree_point(&d->work->tree, body->link, in_link), value, to);
}


void scene_evaluate(const ioScene *scene, artData *data, float *poses, float *velocities,
                    float *vectors)
{
  const artModel *m = scene->model;
  data_need_velocity(m, data);
  for (int i = 0; i < scene->nbody; i++) {
    const artPose pose = scene_body_pose(scene, data, i);
    put_pose(&pose, poses + SCENE_POSE * i);
    put_velocity(scene, data, &scene->body[i], velocities + SCENE_VELOCITY * i);
  }
  for (int i = 0; i < scene->nvector; i++) {
    const sceneVector *vector = &scene->vector[i];
    float *to = vectors + SCENE_VECTOR * i;
    if (vector->element >= 0) {
      put_element(m, data, &m->element[vector->element], to);
    } else {
      put_reaction(scene, data, vector, to);
    }
  }
}
