// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From a model to what there is to see of it: bodies, joints, forces, loops, vectors, channels.
#include "show/scene.h"

#include <string.h>

#include "base/error.h"


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

static artStatus add_bodies(ioScene *scene, artError *error)
{
  artBodyPart part;
  int n = 0;
  while (art_get_body(scene->model, n + 1, &part)) n++;
  scene->body = take(scene, n, sizeof *scene->body);
  if (!scene->body) return base_no_memory(error);
  for (; art_get_body(scene->model, scene->nbody + 1, &part); scene->nbody++) {
    sceneBody *to = &scene->body[scene->nbody];
    *to = (sceneBody){.name = part.name,
                      .mass = part.mass,
                      .parent = part.parent - 1,
                      .is_rod = part.is_rod,
                      .length = part.length};
    memcpy(to->com, part.com, sizeof to->com);
    memcpy(to->inertia, part.inertia, sizeof to->inertia);
  }
  return ART_OK;
}


static artStatus add_joints(ioScene *scene, artError *error)
{
  artJointPart part;
  int n = 0;
  while (art_get_joint(scene->model, n, &part)) n++;
  scene->joint = take(scene, n, sizeof *scene->joint);
  if (!scene->joint) return base_no_memory(error);
  for (; art_get_joint(scene->model, scene->njoint, &part); scene->njoint++) {
    scene->joint[scene->njoint] = (sceneJoint){.name = part.name,
                                               .type = art_joint_type_name(part.type),
                                               .slides = part.slides,
                                               .turns = part.turns,
                                               .body = {part.body[0] - 1, part.body[1] - 1},
                                               .end = {part.end[0], part.end[1]},
                                               .is_cut = part.closes_loop};
  }
  return ART_OK;
}


static artStatus add_loops(ioScene *scene, artError *error)
{
  artLoopPart part;
  int n = 0;
  while (art_get_loop(scene->model, n, &part)) n++;
  scene->loop = take(scene, n, sizeof *scene->loop);
  if (!scene->loop) return base_no_memory(error);
  for (; art_get_loop(scene->model, scene->nloop, &part); scene->nloop++) {
    scene->loop[scene->nloop] = (sceneLoop){part.name, part.type, part.joint};
  }
  return ART_OK;
}


//---- forces --------------------------------------------------------------------------------------

// a force between its points from k on, two at most
static void add_force(ioScene *scene, int i, const artForcePart *part, int k)
{
  sceneForce *force = &scene->force[scene->nforce++];
  *force = (sceneForce){.name = part->name,
                        .type = part->type,
                        .glyph = part->glyph,
                        .nend = part->npoint > 2 ? 2 : part->npoint};
  for (int end = 0; end < force->nend; end++) {
    artPointPart point;
    art_get_force_point(scene->model, i, k + end, &point);
    force->body[end] = point.body - 1;
    memcpy(force->point[end], point.at, sizeof force->point[end]);
  }
}


// forces and ropes with their first span, then all other spans of lines through several points
static artStatus add_forces(ioScene *scene, artError *error)
{
  artForcePart part;
  int n = 0;
  for (int i = 0; art_get_force(scene->model, i, &part); i++) {
    n += part.npoint > 2 ? part.npoint - 1 : 1;
  }
  scene->force = take(scene, n, sizeof *scene->force);
  if (!scene->force) return base_no_memory(error);
  for (int i = 0; art_get_force(scene->model, i, &part); i++) {
    add_force(scene, i, &part, 0);
    scene->force[i].rest = part.rest;
    scene->force[i].radius = part.radius;
    scene->force[i].width = part.width;
    memcpy(scene->force[i].axle, part.axle, sizeof part.axle);
    scene->nelement += part.is_element;
  }
  for (int i = 0; i < scene->nelement; i++) {
    art_get_force(scene->model, i, &part);
    for (int k = 1; k + 1 < part.npoint; k++) add_force(scene, i, &part, k);
  }
  return ART_OK;
}


//---- vectors -------------------------------------------------------------------------------------

// Forces of elements, reactions of joints and their torques; free joints carry nothing, ball joints and rods no torque.
static artStatus add_vectors(ioScene *scene, artError *error)
{
  scene->vector = take(scene, scene->nelement + 2 * scene->njoint, sizeof *scene->vector);
  if (!scene->vector) return base_no_memory(error);
  artForcePart part;
  artPointPart last;
  for (int i = 0; i < scene->nelement && art_get_force(scene->model, i, &part); i++) {
    if (!art_get_force_point(scene->model, i, part.npoint - 1, &last) || !part.name) continue;
    scene->vector[scene->nvector++] = (sceneVector){.name = part.name,
                                                    .kind = part.is_torque    ? VECTOR_TORQUE
                                                            : part.is_contact ? VECTOR_CONTACT
                                                                              : VECTOR_FORCE,
                                                    .unit = part.is_torque ? "N m" : "N",
                                                    .body = last.body - 1,
                                                    .element = i,
                                                    .joint = -1};
  }
  for (int j = 0; j < 2 * scene->njoint; j++) {
    const sceneJoint *joint = &scene->joint[j % scene->njoint];
    const bool is_torque = j >= scene->njoint;
    if (joint->slides == 3 || (is_torque && joint->turns == 3) || !joint->name) continue;
    scene->vector[scene->nvector++] = (sceneVector){.name = joint->name,
                                                    .kind = VECTOR_REACTION,
                                                    .unit = is_torque ? "N m" : "N",
                                                    .body = joint->body[1],
                                                    .element = -1,
                                                    .joint = j % scene->njoint,
                                                    .is_torque = is_torque};
  }
  return ART_OK;
}


static artStatus add_channels(ioScene *scene, artError *error)
{
  scene->channel = take(scene, art_count(scene->model).outputs, sizeof *scene->channel);
  if (!scene->channel) return base_no_memory(error);
  for (const char *name; (name = art_output_name(scene->model, scene->nchannel));) {
    const char *unit = art_output_unit(scene->model, scene->nchannel);
    scene->channel[scene->nchannel++] = (sceneChannel){name, unit};
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
