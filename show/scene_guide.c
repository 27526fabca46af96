// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes on ground: guides of pistons, and the base of machines on three or more points.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "show/scene_shape.h"


//---- pistons -------------------------------------------------------------------------------------

static int other_body(const sceneJoint *joint, int body)
{
  ART_ASSERT(joint->body[0] == body || joint->body[1] == body);
  return joint->body[joint->body[0] == body];
}


// true if a chain of bodies from `body` by a joint reaches ground on another path
static bool leads_to_ground(const ioScene *scene, int body, int start)
{
  baseArena *arena = (baseArena *) &scene->arena;
  const arenaPlace place = arena_place(arena);
  char *is_reached = arena_alloc(arena, (size_t) scene->nbody + 1, 1);
  is_reached[start + 1] = 1;
  for (bool is_new = true; is_new && !is_reached[0];) {
    is_new = false;
    for (int j = 0; j < scene->njoint; j++) {
      const sceneJoint *joint = &scene->joint[j];
      const int a = joint->body[0], b = joint->body[1];
      if (a == body || b == body || joint->slides == 3) continue;
      if (is_reached[a + 1] == is_reached[b + 1]) continue;
      is_reached[a + 1] = is_reached[b + 1] = 1;
      is_new = true;
    }
  }
  const bool found = is_reached[0];
  arena_return(arena, place);
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
    const bool is_guide = shape_leaves(joint, 1, 0) && other < 0;
    const sceneJoint **place = is_guide ? &guide : &rod;
    if (*place) return NULL;
    *place = joint;
  }
  if (!guide || !rod || shape_leaves(rod, 1, 0) || other_body(rod, body) < 0) return NULL;
  if (!leads_to_ground(scene, body, other_body(rod, body))) return NULL;
  memcpy(pin, rod->end[rod->body[1] == body].position, 3 * sizeof *pin);
  return guide;
}


void shape_add_piston(shapeList *list, const sceneJoint *guide, int body, const double pin[3])
{
  const double r = list->scene->thickness;
  const artPose *end = &guide->end[guide->body[1] == body];
  shape_add(list, (sceneShape){.type = SHAPE_CYLINDER,
                               .radius = 2.4 * r,
                               .length = 5 * r,
                               .pose = shape_along(shape_v3(pin), shape_axis(end))});
}


// the joint that continues a chain from a body: the one to ground, or the only other one; NULL:
// none
static const sceneJoint *next_pin(const ioScene *scene, int body, const sceneJoint *before)
{
  const sceneJoint *next = NULL;
  int n = 0;
  const int *last = scene->hold + scene->hold0[body + 2];
  for (const int *e = scene->hold + scene->hold0[body + 1]; e < last; e++) {
    const sceneJoint *joint = *e / 2 < scene->njoint ? &scene->joint[*e / 2] : before;
    if (joint == before) continue;
    if (other_body(joint, body) < 0) return joint;
    next = joint;
    n++;
  }
  return n == 1 ? next : NULL;
}


// The range of a pin along z of its guide, from a chain of bars on ground: bars of lengths l_i
// reach at most sum l_i, and at least the longest minus the others. False if there is no such
// chain.
static bool find_pin_way(const ioScene *scene, int body, v3 pin, v3 z, double way[2])
{
  const sceneJoint *joint = NULL;
  double sum = 0, longest = 0;
  v3 at = {0, 0, 0};
  const int *e = scene->hold + scene->hold0[body + 1];
  for (; !joint || shape_leaves(joint, 1, 0); e++) joint = &scene->joint[*e / 2];
  for (int k = 0; k < scene->nbody; k++) {
    body = other_body(joint, body);
    at = shape_v3(joint->end[joint->body[1] == body].position);
    if (body < 0) break;
    const sceneJoint *next = next_pin(scene, body, joint);
    if (!next || shape_leaves(next, 1, 0) || next->slides == 3) return false;
    const v3 bar = v3_sub(shape_v3(next->end[next->body[1] == body].position), at);
    const double length = sqrt(v3_dot(bar, bar));
    sum += length;
    longest = fmax(longest, length);
    joint = next;
  }
  const v3 d = v3_sub(pin, at);
  const double s = v3_dot(d, z), beside = v3_dot(d, d) - s * s, least = 2 * longest - sum;
  way[0] = sqrt(fmax(0, fmax(0, least) * fmax(0, least) - beside)) - fabs(s);
  way[1] = sqrt(fmax(0, sum * sum - beside)) - fabs(s);
  if (s < 0) memcpy(way, (double[]){-way[1], -way[0]}, 2 * sizeof *way);
  return body < 0;
}


void shape_add_rails(shapeList *list, const sceneJoint *guide, const double pin[3])
{
  const double r = list->scene->thickness;
  const int side = guide->body[0] < 0 ? 0 : 1;
  const artPose *end = &guide->end[side];
  const m3 R = pose_from_art(end).R;
  const double reach = 0.4 * list->scene->size;
  double way[2];
  if (!find_pin_way(list->scene, guide->body[1 - side], shape_v3(pin), R.z, way)) {
    memcpy(way, (double[]){-reach, reach}, sizeof way);
  }
  const v3 middle = v3_add(shape_v3(pin), v3_scale((way[0] + way[1]) / 2, R.z));
  for (int k = -1; k <= 1; k += 2) {
    sceneShape rail = {
        .type = SHAPE_BOX, .size = {1.2 * r, 3.6 * r, way[1] - way[0] + 10 * r}, .pose = *end};
    const v3 at = v3_add(middle, v3_scale(3 * r * k, R.x));
    memcpy(rail.pose.position, (double[]){at.x, at.y, at.z}, sizeof rail.pose.position);
    shape_add(list, rail);
  }
}


//---- cylinders and their pistons -----------------------------------------------------------------

// the ends of a body of a telescope along z of its joint, beyond that joint; false if a point is
// off the line or there is none
static bool find_ends_on_line(const ioScene *scene, const sceneJoint *slide, int side,
                              double end[2])
{
  const artPose *at = &slide->end[side];
  const int body = slide->body[side];
  const v3 origin = shape_v3(at->position), z = shape_axis(at);
  shapePoints points;
  shape_collect(scene, body, 0, &points);
  end[0] = HUGE_VAL;
  end[1] = -HUGE_VAL;
  for (int k = 0; k < points.n; k++) {
    const v3 d = v3_sub(shape_v3(points.at[k]), origin);
    const double s = v3_dot(d, z);
    if (v3_dot(d, d) - s * s > scene->thickness * scene->thickness) return false;
    end[0] = fmin(end[0], s);
    end[1] = fmax(end[1], s);
  }
  return end[0] <= end[1];
}


shapeTelescope shape_find_telescope(const ioScene *scene, const artData *data, int body)
{
  shapeTelescope telescope = {0};
  const int *last = scene->hold + scene->hold0[body + 2];
  if (body < 0) return telescope;
  for (const int *e = scene->hold + scene->hold0[body + 1]; e < last; e++) {
    if (*e / 2 >= scene->njoint) continue;
    const sceneJoint *joint = &scene->joint[*e / 2];
    double a[2], b[2];
    if (joint->slides != 1 || joint->turns > 1 || other_body(joint, body) < 0) continue;
    if (!find_ends_on_line(scene, joint, 0, a) || !find_ends_on_line(scene, joint, 1, b)) continue;
    const double apart = shape_way_apart(scene, data, joint);
    const bool is_above = b[1] + apart >= a[1];
    telescope.end[0] = is_above ? a[0] : a[1];
    telescope.end[1] = (is_above ? b[1] : b[0]) + apart;
    if (fabs(telescope.end[1] - telescope.end[0]) < 8 * scene->thickness) continue;
    telescope.slide = joint;
    return telescope;
  }
  return telescope;
}


void shape_add_telescope(shapeList *list, const artData *data, const shapeTelescope *telescope,
                         int side)
{
  // shares of the present length: the rod may come out by a third of it, and go in by a seventh
  static const double SHARE[] = {0.55, 0.86};
  static const double RADIUS[] = {1.5, 0.8};
  const sceneJoint *joint = telescope->slide;
  const artPose *at = &joint->end[side];
  const v3 z = shape_axis(at);
  const double apart = side == 0 ? 0 : shape_way_apart(list->scene, data, joint);
  const double span = telescope->end[1 - side] - telescope->end[side];
  const double middle = telescope->end[side] - apart + SHARE[side] * span / 2;
  const v3 centre = v3_add(shape_v3(at->position), v3_scale(middle, z));
  shape_add(list,
            (sceneShape){.type = SHAPE_CYLINDER,
                         .radius = RADIUS[side] * fmin(list->scene->thickness, 0.05 * fabs(span)),
                         .length = SHARE[side] * fabs(span),
                         .pose = shape_along(centre, z)});
}


//---- the base ------------------------------------------------------------------------------------

// the unit normal of the plane through the first point and two others that span the largest
// triangle; false if they are collinear
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
  // a planar mechanism moves in the plane of its bearings and needs no plate there
  bool is_across = false;
  for (int j = 0; j < scene->njoint && !is_across; j++) {
    const sceneJoint *joint = &scene->joint[j];
    if (joint->body[0] >= 0 && joint->body[1] >= 0) continue;
    if (joint->slides == 3 || shape_leaves(joint, 2, 1)) continue;
    const v3 axis = shape_axis(&joint->end[joint->body[0] < 0 ? 0 : 1]);
    is_across = !shape_leaves(joint, 0, 1) || fabs(v3_dot(axis, normal)) < 0.9;
  }
  if (is_across) shape_add_plate(list, &points, 0.8 * scene->thickness);
}
