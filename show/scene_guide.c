// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What stands in ground: pistons in their guides, and the base under machines that stand on three points or more.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "show/scene_shape.h"
#include "spatial/pose.h"


//---- pistons -------------------------------------------------------------------------------------

static int other_body(const sceneJoint *joint, int body)
{
  return joint->body[joint->body[0] == body];
}


// does a chain of bodies that leaves `body` by a joint come to ground by another way?
static bool leads_to_ground(const ioScene *scene, int body, int start)
{
  char *is_reached = mem_alloc((size_t) scene->nbody + 1, 1);
  if (!is_reached) return false;
  is_reached[start + 1] = 1;
  for (bool is_new = true; is_new && !is_reached[0];) {
    is_new = false;
    for (int j = 0; j < scene->njoint; j++) {
      const sceneJoint *joint = &scene->joint[j];
      const int a = joint->body[0], b = joint->body[1];
      if (a == body || b == body || joint->kind == ART_FREE) continue;
      if (is_reached[a + 1] == is_reached[b + 1]) continue;
      is_reached[a + 1] = is_reached[b + 1] = 1;
      is_new = true;
    }
  }
  const bool found = is_reached[0];
  mem_free(is_reached);
  return found;
}


const sceneJoint *shape_find_piston(const ioScene *scene, int body, double pin[3])
{
  const sceneJoint *guide = NULL, *rod = NULL;
  const int *last = scene->hold + scene->hold0[body + 2];
  for (const int *e = scene->hold + scene->hold0[body + 1]; e < last; e++) {
    if (*e / 2 >= scene->njoint) continue;
    const sceneJoint *joint = &scene->joint[*e / 2];
    const int other = joint->body[1 - *e % 2];
    const bool is_guide = joint->kind == ART_PRISMATIC && other < 0;
    const sceneJoint **place = is_guide ? &guide : &rod;
    if (*place) return NULL;
    *place = joint;
  }
  if (!guide || !rod || rod->kind == ART_PRISMATIC || other_body(rod, body) < 0) return NULL;
  if (!leads_to_ground(scene, body, other_body(rod, body))) return NULL;
  memcpy(pin, rod->end[rod->body[1] == body].position, 3 * sizeof *pin);
  return guide;
}


static v3 axis_of(const artPose *pose)
{
  return pose_from_art(pose).R.z;
}


void shape_add_piston(shapeList *list, const sceneJoint *guide, int body, const double pin[3])
{
  const double r = list->scene->thickness;
  const artPose *end = &guide->end[guide->body[1] == body];
  shape_add(list, (sceneShape){.type = SHAPE_CYLINDER,
                               .radius = 2.4 * r,
                               .length = 5 * r,
                               .pose = shape_along(shape_v3(pin), axis_of(end))});
}


void shape_add_rails(shapeList *list, const sceneJoint *guide, const double pin[3])
{
  const double r = list->scene->thickness;
  const artPose *end = &guide->end[guide->body[0] < 0 ? 0 : 1];
  const m3 R = pose_from_art(end).R;
  for (int side = -1; side <= 1; side += 2) {
    sceneShape rail = {
        .type = SHAPE_BOX, .size = {1.2 * r, 3.6 * r, 0.8 * list->scene->size}, .pose = *end};
    const v3 at = v3_add(shape_v3(pin), v3_scale(3 * r * side, R.x));
    memcpy(rail.pose.position, (double[]){at.x, at.y, at.z}, sizeof rail.pose.position);
    shape_add(list, rail);
  }
}


//---- the base ------------------------------------------------------------------------------------

// a unit normal of the plane through the first point and the two that span the largest triangle with it; false: a line
static bool plane_of(const shapePoints *points, v3 *normal)
{
  double most = 0;
  for (int i = 1; i < points->n; i++) {
    for (int k = i + 1; k < points->n; k++) {
      const v3 a = v3_sub(shape_v3(points->at[i]), shape_v3(points->at[0]));
      const v3 b = v3_sub(shape_v3(points->at[k]), shape_v3(points->at[0]));
      const v3 n = v3_cross(a, b);
      const double area = sqrt(v3_dot(n, n));
      if (area <= most) continue;
      most = area;
      *normal = v3_scale(1 / area, n);
    }
  }
  return most > 0;
}


void shape_add_base(shapeList *list)
{
  const ioScene *scene = list->scene;
  shapePoints points;
  v3 normal = {0, 0, 1};
  shape_collect(scene, -1, 2 * scene->thickness, &points);
  if (points.n < 3 || !plane_of(&points, &normal)) return;
  for (int k = 1; k < points.n; k++) {
    const v3 arm = v3_sub(shape_v3(points.at[k]), shape_v3(points.at[0]));
    if (fabs(v3_dot(arm, normal)) > 0.05 * scene->size) return;
  }
  // a plane mechanism moves in the plane of its bearings and needs no plate there
  bool is_across = false;
  for (int j = 0; j < scene->njoint && !is_across; j++) {
    const sceneJoint *joint = &scene->joint[j];
    if (joint->body[0] >= 0 && joint->body[1] >= 0) continue;
    if (joint->kind == ART_FREE || joint->kind == ART_PLANAR) continue;
    const v3 axis = axis_of(&joint->end[joint->body[0] < 0 ? 0 : 1]);
    is_across = joint->kind != ART_REVOLUTE || fabs(v3_dot(axis, normal)) < 0.9;
  }
  if (is_across) shape_add_plate(list, &points, 0.8 * scene->thickness);
}
