// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From a model to what there is to see of it: bodies, joints, forces, loops, vectors, channels.
#include "show/scene.h"

#include <string.h>

#include "base/error.h"
#include "model/model.h"
#include "model/pose.h"
#include "tyre/tyre.h"


const char *scene_shape_name(sceneShapeType type)
{
  static const char *const names[SHAPE_TYPES] = {"box",  "cylinder", "sphere", "capsule",
                                                 "mesh", "coil",     "tyre"};
  return names[type];
}


void scene_free(ioScene *scene)
{
  arena_free(&scene->arena);
  *scene = (ioScene){0};
}


// memory of the scene; 0 elements are no failure
static void *take(ioScene *scene, int n, size_t size)
{
  return arena_alloc(&scene->arena, (size_t) n + 1, size);
}


//---- bodies and joints ---------------------------------------------------------------------------

static void add_body(ioScene *scene, int i)
{
  const artModel *m = scene->model;
  const modelBody *body = &m->body[i];
  const modelJoint *joint = &m->joint[body->joint];
  sceneBody *to = &scene->body[scene->nbody++];
  *to = (sceneBody){.name = body->name,
                    .mass = body->mass,
                    .parent = (joint->is_reversed ? joint->to : joint->from) - 1,
                    .frame = i,
                    .cut = -1};
  memcpy(to->com, body->com, sizeof to->com);
  memcpy(to->inertia, body->inertia, sizeof to->inertia);
}


// a thin uniform bar from its origin along z
static void add_rod(ioScene *scene, int c)
{
  const modelCut *cut = &scene->model->cut[c];
  const double across = cut->mass * cut->length * cut->length / 12;
  scene->body[scene->nbody++] = (sceneBody){.name = scene->model->joint[cut->joint].name,
                                            .mass = cut->mass,
                                            .com = {0, 0, cut->length / 2},
                                            .inertia = {across, across},
                                            .parent = -1,
                                            .frame = -1,
                                            .cut = c};
}


static artStatus add_bodies(ioScene *scene, artError *error)
{
  const artModel *m = scene->model;
  scene->body = take(scene, m->nbody + m->own_cuts, sizeof *scene->body);
  if (!scene->body) return base_no_memory(error);
  for (int i = 1; i < m->nbody; i++) add_body(scene, i);
  for (int c = 0; c < m->own_cuts; c++) {
    if (m->cut[c].type == ART_ROD) add_rod(scene, c);
  }
  return ART_OK;
}


static artStatus add_joints(ioScene *scene, artError *error)
{
  const artModel *m = scene->model;
  scene->joint = take(scene, m->own_joints, sizeof *scene->joint);
  if (!scene->joint) return base_no_memory(error);
  for (int j = 0; j < m->own_joints; j++) {
    const modelJoint *joint = &m->joint[j];
    scene->joint[scene->njoint++] = (sceneJoint){.name = joint->name,
                                                 .type = art_joint_type_name(joint->type),
                                                 .body = {joint->from - 1, joint->to - 1},
                                                 .end = {joint->end[0], joint->end[1]},
                                                 .is_cut = model_closes_loop(joint)};
  }
  return ART_OK;
}


static artStatus add_loops(ioScene *scene, artError *error)
{
  const artModel *m = scene->model;
  scene->loop = take(scene, m->own_cuts + m->own_relations, sizeof *scene->loop);
  if (!scene->loop) return base_no_memory(error);
  for (int c = 0; c < m->own_cuts; c++) {
    const int j = m->cut[c].joint;
    scene->loop[scene->nloop++] = (sceneLoop){scene->joint[j].name, scene->joint[j].type, j};
  }
  for (int k = 0; k < m->own_relations; k++) {
    const modelRelation *relation = &m->relation[k];
    scene->loop[scene->nloop++] =
        (sceneLoop){relation->name, relation->user.value ? "constraint" : "coupling", -1};
  }
  return ART_OK;
}


//---- forces --------------------------------------------------------------------------------------

// a frame of the model, which knows it in its link, in its body
static modelPose frame_in_body(const artModel *m, int i)
{
  const modelFrame *frame = &m->frame[i], *body = &m->frame[m->frame[i].body];
  return pose_compose(pose_inverse((modelPose){body->R, body->r}), (modelPose){frame->R, frame->r});
}


static void put_end(const artModel *m, sceneForce *force, int k, int frame)
{
  const v3 r = frame_in_body(m, frame).r;
  force->body[k] = m->frame[frame].body - 1;
  memcpy(force->point[k], (double[]){r.x, r.y, r.z}, sizeof force->point[k]);
}


// a span of a line through several points
static void add_span(ioScene *scene, const modelElement *e, int i)
{
  sceneForce *force = &scene->force[scene->nforce++];
  *force =
      (sceneForce){.name = e->name, .type = e->type->form.type, .glyph = e->type->glyph, .nend = 2};
  for (int k = 0; k < 2; k++) put_end(scene->model, force, k, e->frame[i + k]);
}


static void add_force(ioScene *scene, const modelElement *e)
{
  const artModel *m = scene->model;
  sceneForce *force = &scene->force[scene->nforce++];
  *force = (sceneForce){.name = e->name,
                        .type = e->type->form.type,
                        .glyph = e->type->glyph,
                        .nend = e->nframe > 2 ? 2 : e->nframe};
  for (int k = 0; k < force->nend; k++) put_end(m, force, k, e->frame[k]);
  if (force->glyph == GLYPH_COIL) force->rest = e->rest;
  if (force->glyph != GLYPH_WHEEL) return;
  force->radius = e->tyre->radial.radius;

  // a tyre file may tell the width; else that of usual tyres
  double width = 0;
  if (art_get_tyre_number(e->tyre, "WIDTH", &width) != ART_OK || !(width > 0)) {
    width = 0.6 * force->radius;
  }
  force->width = width;
}


// taut or slack, as a line between its ends
static void add_rope(ioScene *scene, const modelLatch *latch)
{
  sceneForce *force = &scene->force[scene->nforce++];
  *force = (sceneForce){
      .name = latch->name, .type = art_latch_type_name(ART_ROPE), .glyph = GLYPH_LINK, .nend = 2};
  for (int k = 0; k < 2; k++) put_end(scene->model, force, k, latch->frame[k]);
}


static artStatus add_forces(ioScene *scene, artError *error)
{
  const artModel *m = scene->model;
  int spans = 0; // of lines, behind their first
  for (int i = 0; i < m->nelement; i++)
    spans += m->element[i].nframe > 2 ? m->element[i].nframe - 2 : 0;
  scene->force = take(scene, m->nelement + m->nlatch + spans, sizeof *scene->force);
  if (!scene->force) return base_no_memory(error);
  for (int i = 0; i < m->nelement; i++) add_force(scene, &m->element[i]);
  for (int i = 0; i < m->nlatch; i++) {
    if (m->latch[i].type == ART_ROPE) add_rope(scene, &m->latch[i]);
  }
  for (int i = 0; i < m->nelement; i++) {
    for (int k = 1; k + 1 < m->element[i].nframe; k++) add_span(scene, &m->element[i], k);
  }
  return ART_OK;
}


//---- vectors -------------------------------------------------------------------------------------

static void add_vector(ioScene *scene, sceneVector vector)
{
  if (!vector.name) return;
  scene->vector[scene->nvector++] = vector;
}


static void add_element_vector(ioScene *scene, int i)
{
  const sceneForce *force = &scene->force[i];
  const modelElement *e = &scene->model->element[i];
  if (force->nend == 0) return;
  const int body = scene->model->frame[e->frame[e->nframe - 1]].body - 1;
  const int is_contact = e->type->arrow == ARROW_CONTACT, is_torque = e->is_torque;
  const sceneVectorKind kind = is_torque    ? VECTOR_TORQUE
                               : is_contact ? VECTOR_CONTACT
                                            : VECTOR_FORCE;
  add_vector(scene, (sceneVector){force->name, kind, is_torque ? "N m" : "N", body, i, -1, 0});
}


// free joints carry nothing, ball joints and rods no torque
static void add_reaction(ioScene *scene, int j, bool is_torque)
{
  const modelJoint *joint = &scene->model->joint[j];
  const bool is_ball = joint->type == ART_SPHERICAL || joint->type == ART_ROD;
  if (joint->type == ART_FREE || (is_torque && is_ball)) return;
  add_vector(scene, (sceneVector){joint->name, VECTOR_REACTION, is_torque ? "N m" : "N",
                                  joint->to - 1, -1, j, is_torque});
}


static artStatus add_vectors(ioScene *scene, artError *error)
{
  const artModel *m = scene->model;
  scene->vector = take(scene, m->nelement + 2 * m->njoint, sizeof *scene->vector);
  if (!scene->vector) return base_no_memory(error);
  for (int i = 0; i < m->nelement; i++) add_element_vector(scene, i);
  for (int j = 0; j < m->own_joints; j++) add_reaction(scene, j, false);
  for (int j = 0; j < m->own_joints; j++) add_reaction(scene, j, true);
  return ART_OK;
}


static artStatus add_channels(ioScene *scene, artError *error)
{
  const artModel *m = scene->model;
  scene->channel = take(scene, m->noutput, sizeof *scene->channel);
  if (!scene->channel) return base_no_memory(error);
  for (int k = 0; k < m->noutput; k++) {
    scene->channel[scene->nchannel++] =
        (sceneChannel){art_output_name(m, k), art_output_unit(m, k)};
  }
  return ART_OK;
}


artStatus scene_describe(ioScene *scene, const artModel *model, artData *data,
                         const sceneStudy *study, artError *error)
{
  scene->model = model;
  scene->study = *study;
  artStatus status = add_bodies(scene, error);
  if (!status) status = add_joints(scene, error);
  if (!status) status = add_loops(scene, error);
  if (!status) status = add_forces(scene, error);
  if (!status) status = add_vectors(scene, error);
  if (!status) status = add_channels(scene, error);
  if (!status) status = scene_add_shapes(scene, data, error);
  if (!status) status = scene_add_road(scene, data, error);
  return status;
}
