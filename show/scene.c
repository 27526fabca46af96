// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Extracts the visible parts of a model: bodies, joints, forces, loops, vectors, channels.
#include "show/scene.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

//---- the road: level, or heights on a grid over the range of the machine -------------------------

static const double ROAD_MARGIN = 4;  // m, margin around the wheels
static const double MAX_TRAVEL = 400; // m, limit of the travel
enum { MAX_ALONG = 1500, ACROSS = 25 };


// the tyre nearest to this y
static int tyre_at(const artModel *m, const artData *data, double y)
{
  artForcePart tyre;
  artPointPart wheel;
  int found = -1;
  double nearest = HUGE_VAL, at[3];
  for (int i = 0; art_get_force(m, i, &tyre); i++) {
    if (!(tyre.radius > 0)) continue;
    art_get_force_point(m, i, 0, &wheel);
    art_frame_position(m, data, wheel.frame, at);
    if (fabs(at[1] - y) >= nearest) continue;
    nearest = fabs(at[1] - y);
    found = i;
  }
  return found;
}


static void scene_add_road(ioScene *scene, artData *data)
{
  const artModel *m = scene->model;
  const double time = scene->study.def.run.until - scene->study.def.run.from;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  int ntyre = 0, is_flat = 1;
  artForcePart tyre;
  for (int i = 0; art_get_force(m, i, &tyre); i++) {
    if (!(tyre.radius > 0)) continue;
    artPointPart wheel;
    double at[3], velocity[3];
    art_get_force_point(m, i, 0, &wheel);
    art_frame_position(m, data, wheel.frame, at);
    art_frame_velocity(m, data, wheel.frame, velocity, NULL);
    // from the present position to where the initial velocity leads
    for (int k = 0; k < 2; k++) {
      const double end = at[k] + fmax(fmin(velocity[k] * time, MAX_TRAVEL), -MAX_TRAVEL);
      low[k] = fmin(low[k], fmin(at[k], end));
      high[k] = fmax(high[k], fmax(at[k], end));
    }
    ntyre++;
    is_flat = is_flat && art_road_is_level(tyre.road);
  }
  if (ntyre == 0) return;
  sceneRoad *road = ARENA_TAKE(&scene->arena, scene->road, 1);
  if (is_flat) return;

  const double length = high[0] - low[0] + 2 * ROAD_MARGIN,
               width = high[1] - low[1] + 2 * ROAD_MARGIN;
  road->dx = fmax(0.05, length / (MAX_ALONG - 1));
  road->nx = (int) ceil(length / road->dx) + 1;
  road->ny = ACROSS;
  road->dy = width / (ACROSS - 1);
  road->x0 = low[0] - ROAD_MARGIN;
  road->y0 = low[1] - ROAD_MARGIN;
  ARENA_TAKE(&scene->arena, road->z, road->nx * road->ny);
  for (int j = 0; j < road->ny; j++) {
    const double y = road->y0 + j * road->dy;
    const int own = tyre_at(m, data, y);
    for (int i = 0; i < road->nx; i++) {
      // a user function may be missing, or have no value there
      const double z = art_ground_height(m, own, road->x0 + i * road->dx, y);
      road->z[j * road->nx + i] = isfinite(z) ? (float) z : 0;
    }
  }
}


const char *scene_shape_name(sceneShapeType type)
{
  ART_ASSERT((unsigned) type < SHAPE_TYPES);
  static const char *const names[SHAPE_TYPES] = {"box",  "cylinder", "sphere", "capsule",
                                                 "mesh", "coil",     "tyre"};
  return names[type];
}


void scene_free(ioScene *scene)
{
  arena_free(&scene->arena);
  *scene = (ioScene){0};
}


//---- bodies and joints ---------------------------------------------------------------------------

static void add_bodies(ioScene *scene)
{
  artBodyPart part;
  int n = 0;
  while (art_get_body(scene->model, n + 1, &part)) n++;
  ARENA_TAKE(&scene->arena, scene->body, n);
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
}


static void add_scene_joints(ioScene *scene)
{
  artJointPart part;
  int n = 0;
  while (art_get_joint(scene->model, n, &part)) n++;
  ARENA_TAKE(&scene->arena, scene->joint, n);
  for (; art_get_joint(scene->model, scene->njoint, &part); scene->njoint++) {
    scene->joint[scene->njoint] = (sceneJoint){.name = part.name,
                                               .type = art_joint_type_name(part.type),
                                               .slides = part.slides,
                                               .turns = part.turns,
                                               .body = {part.body[0] - 1, part.body[1] - 1},
                                               .end = {part.end[0], part.end[1]},
                                               .is_cut = part.closes_loop};
  }
}


static void add_loops(ioScene *scene)
{
  artLoopPart part;
  int n = 0;
  while (art_get_loop(scene->model, n, &part)) n++;
  ARENA_TAKE(&scene->arena, scene->loop, n);
  for (; art_get_loop(scene->model, scene->nloop, &part); scene->nloop++) {
    scene->loop[scene->nloop] = (sceneLoop){part.name, part.type, part.joint};
  }
}


//---- forces --------------------------------------------------------------------------------------

// add the force between points k and k + 1
static void add_force(ioScene *scene, int i, const artForcePart *part, int k)
{
  ART_ASSERT(k >= 0);
  sceneForce *force = &scene->force[scene->nforce++];
  *force = (sceneForce){.name = part->name,
                        .type = part->type,
                        .glyph = part->glyph,
                        .nend = part->npoint > 2 ? 2 : part->npoint};
  for (int end = 0; end < force->nend; end++) {
    artPointPart point;
    art_get_force_point(scene->model, i, k + end, &point);
    force->body[end] = point.body - 1;
    force->frame[end] = point.frame;
    memcpy(force->point[end], point.at, sizeof force->point[end]);
  }
}


// forces and ropes with their first span, then all other spans of lines through several points
static void add_scene_forces(ioScene *scene)
{
  artForcePart part;
  int n = 0;
  for (int i = 0; art_get_force(scene->model, i, &part); i++) {
    n += part.npoint > 2 ? part.npoint - 1 : 1;
  }
  ARENA_TAKE(&scene->arena, scene->force, n);
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
}


//---- vectors -------------------------------------------------------------------------------------

// Forces of elements, reaction forces and torques of joints; free joints have no reaction,
// ball joints and rods no torque.
static void add_scene_vectors(ioScene *scene)
{
  artForcePart part;
  artPointPart last;
  int most = scene->nelement + 2 * scene->njoint;
  for (int i = 0; i < scene->nelement && art_get_force(scene->model, i, &part); i++) {
    most += part.ncontact;
  }
  ARENA_TAKE(&scene->arena, scene->vector, most);
  for (int i = 0; i < scene->nelement && art_get_force(scene->model, i, &part); i++) {
    for (int k = 0; k < part.ncontact && part.name; k++) {
      scene->vector[scene->nvector++] = (sceneVector){.name = part.name,
                                                      .kind = VECTOR_CONTACT,
                                                      .unit = "N",
                                                      .body = -1,
                                                      .element = i,
                                                      .joint = -1,
                                                      .contact = k + 1};
    }
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
    for (int k = 0; k < scene->nvector && is_torque; k++) {
      if (scene->vector[k].joint == j % scene->njoint) scene->vector[k].torque = scene->nvector;
    }
    scene->vector[scene->nvector++] = (sceneVector){.name = joint->name,
                                                    .kind = VECTOR_REACTION,
                                                    .unit = is_torque ? "N m" : "N",
                                                    .body = joint->body[1],
                                                    .element = -1,
                                                    .joint = j % scene->njoint,
                                                    .is_torque = is_torque};
  }
}


static void add_channels(ioScene *scene)
{
  ARENA_TAKE(&scene->arena, scene->channel, art_count(scene->model).outputs);
  for (const char *name; (name = art_output_name(scene->model, scene->nchannel));) {
    const char *unit = art_output_unit(scene->model, scene->nchannel);
    scene->channel[scene->nchannel++] = (sceneChannel){name, unit};
  }
}


typedef struct sceneWork {
  ioScene *scene;
  artData *data;
} sceneWork;


static void describe_scene(void *context)
{
  const sceneWork *work = context;
  add_bodies(work->scene);
  add_scene_joints(work->scene);
  add_loops(work->scene);
  add_scene_forces(work->scene);
  add_scene_vectors(work->scene);
  add_channels(work->scene);
  scene_add_shapes(work->scene, work->data);
  scene_add_road(work->scene, work->data);
}


artStatus scene_describe(ioScene *scene, const artModel *model, artData *data,
                         const sceneStudy *study, artError *error)
{
  scene->model = model;
  scene->study = *study;
  art_get_gravity(model, scene->gravity);
  scene->arena.leaves = 1;
  return error_try(describe_scene, &(sceneWork){scene, data}, error);
}


//---- an instant: poses and velocities of bodies, forces and reactions as vectors -----------------

// rounding of a torque that should be zero, relative to the joint's force and the size of the
// machine
static const double NO_TORQUE = 1e-9;


static void put_scene_floats(float *to, int n, const double *from)
{
  for (int k = 0; k < n; k++) to[k] = (float) from[k];
}


static double vector_length_of(const double a[3])
{
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}


void scene_evaluate(const ioScene *scene, artData *data, float *poses, float *velocities,
                    float *vectors)
{
  const artModel *m = scene->model;
  for (int i = 0; i < scene->nbody; i++) {
    artPose pose;
    double linear[3], angular[3];
    art_body_pose(m, data, i + 1, &pose);
    art_body_velocity(m, data, i + 1, linear, angular);
    put_scene_floats(poses + SCENE_POSE * i, 3, pose.position);
    put_scene_floats(poses + SCENE_POSE * i + 3, 4, pose.rotation);
    put_scene_floats(velocities + SCENE_VELOCITY * i, 3, linear);
    put_scene_floats(velocities + SCENE_VELOCITY * i + 3, 3, angular);
  }
  for (int i = 0; i < scene->nvector; i++) {
    const sceneVector *vector = &scene->vector[i];
    double at[3], value[3], torque[3];
    if (vector->is_torque) continue; // already set, with the force of the joint
    if (vector->contact > 0) {
      art_pile_arrow(m, data, vector->element, vector->contact - 1, at, value);
    } else if (vector->element >= 0) {
      art_force_arrow(m, data, vector->element, at, value);
    } else {
      art_joint_arrow(m, data, vector->joint, at, value, torque);
    }
    put_scene_floats(vectors + SCENE_VECTOR * i, 3, at);
    put_scene_floats(vectors + SCENE_VECTOR * i + 3, 3, value);
    if (vector->torque == 0) continue;
    const double least = NO_TORQUE * scene->size * vector_length_of(value);
    if (vector_length_of(torque) <= least) memset(torque, 0, sizeof torque);
    put_scene_floats(vectors + SCENE_VECTOR * vector->torque, 3, at);
    put_scene_floats(vectors + SCENE_VECTOR * vector->torque + 3, 3, torque);
  }
}
