// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Looped machines of any size, through the builder.
#include "loop_models.h"

#include <math.h>
#include <stdio.h>


// a uniform bar of 1 m and 1 kg from (x, y) along the angle, its frame at that end
static void add_bar(artBuilder *b, const char *name, double x, double y, double angle)
{
  artBodyDef bar = art_default_body();
  bar.name = name;
  bar.mass = 1;
  bar.com[0] = 0.5;
  bar.inertia[1] = bar.inertia[2] = 1.0 / 12;
  bar.has_pose = 1;
  bar.pose.position[0] = x;
  bar.pose.position[1] = y;
  bar.pose.rotation[0] = cos(angle / 2);
  bar.pose.rotation[3] = sin(angle / 2);
  art_add_body(b, &bar);
}


// pinned at (x, y) of the reference configuration
static void add_pin(artBuilder *b, const char *name, const char *from, const char *to, double x,
                    double y)
{
  artJointDef pin = art_default_joint();
  pin.name = name;
  pin.type = ART_REVOLUTE;
  pin.from = from;
  pin.to = to;
  pin.in_ground = 1;
  pin.at[0] = x;
  pin.at[1] = y;
  art_add_joint(b, &pin);
}


static artModel *compile(artBuilder *b, artError *error)
{
  artModel *model = NULL;
  if (art_compile_model(&model, b, error) != ART_OK) model = NULL;
  art_free_builder(b);
  return model;
}


artModel *polygon_model(int n, artError *error)
{
  artBuilder *b = art_create_builder();
  if (!b) return NULL;
  art_set_gravity(b, (double[3]){2.0, -9.6, 0});
  double x = 0, y = 0;
  char name[24], from[24] = "ground", to[24];
  for (int i = 1; i <= n; i++) {
    const double angle = -acos(-1) + 2 * acos(-1) * i / n;
    snprintf(name, sizeof name, "joint%d", i);
    snprintf(to, sizeof to, i < n ? "bar%d" : "ground", i);
    if (i < n) add_bar(b, to, x, y, angle);
    add_pin(b, name, from, to, i < n ? x : 1, i < n ? y : 0);
    x += cos(angle);
    y += sin(angle);
    snprintf(from, sizeof from, "%s", to);
  }
  return compile(b, error);
}


artModel *windows_model(int n, artError *error)
{
  artBuilder *b = art_create_builder();
  if (!b) return NULL;
  art_set_gravity(b, (double[3]){0, -9.81, 0});
  char pin[24], crank[24], coupler[24], before[24] = "";
  for (int i = 0; i <= n; i++) {
    snprintf(crank, sizeof crank, "crank%d", i);
    snprintf(pin, sizeof pin, "pivot%d", i);
    add_bar(b, crank, i, 0, acos(-1) / 2);
    add_pin(b, pin, "ground", crank, i, 0);
    if (i > 0) {
      snprintf(coupler, sizeof coupler, "coupler%d", i);
      add_bar(b, coupler, i - 1, 1, 0);
      snprintf(pin, sizeof pin, "left%d", i);
      add_pin(b, pin, before, coupler, i - 1, 1);
      snprintf(pin, sizeof pin, "right%d", i);
      add_pin(b, pin, coupler, crank, i, 1);
    }
    snprintf(before, sizeof before, "%s", crank);
  }
  art_set_initial(b, "pivot0.rate", -1);
  return compile(b, error);
}


// between two pivots of the frame, 1 m apart
static void add_leg(artBuilder *b, int i)
{
  const double x = 2 * i, down = -acos(-1) / 2;
  char left[24], right[24], coupler[24], pin[24];
  snprintf(left, sizeof left, "left%d", i);
  snprintf(right, sizeof right, "right%d", i);
  snprintf(coupler, sizeof coupler, "coupler%d", i);
  add_bar(b, left, x, 0, down);
  add_bar(b, right, x + 1, 0, down);
  add_bar(b, coupler, x, -1, 0);
  snprintf(pin, sizeof pin, "hang%d", i);
  add_pin(b, pin, "frame", left, x, 0);
  snprintf(pin, sizeof pin, "knee%d", i);
  add_pin(b, pin, left, coupler, x, -1);
  snprintf(pin, sizeof pin, "ankle%d", i);
  add_pin(b, pin, coupler, right, x + 1, -1);
  snprintf(pin, sizeof pin, "back%d", i);
  add_pin(b, pin, right, "frame", x + 1, 0);
}


artModel *frame_model(int n, artError *error)
{
  artBuilder *b = art_create_builder();
  if (!b) return NULL;
  art_set_gravity(b, (double[3]){0, -9.81, 0});
  artBodyDef frame = art_default_body();
  frame.name = "frame";
  frame.mass = 10;
  for (int k = 0; k < 3; k++) frame.inertia[k] = 10;
  art_add_body(b, &frame);
  artJointDef free_joint = art_default_joint();
  free_joint.name = "drift";
  free_joint.type = ART_FREE;
  free_joint.from = "ground";
  free_joint.to = "frame";
  art_add_joint(b, &free_joint);
  for (int i = 0; i < n; i++) add_leg(b, i);
  return compile(b, error);
}
