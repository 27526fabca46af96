// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sample machines made through the public builder.
#include "support/models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"

//---- small machines ------------------------------------------------------------------------------

const twoLink two = {
    .m1 = 3, .m2 = 2, .l1 = 0.9, .c1 = 0.4, .c2 = 0.35, .I1 = 0.3, .I2 = 0.11, .g = 9.81};


artModel *model_compile(artBuilder *b)
{
  artModel *model = NULL;
  artError error = {0};
  if (!CHECK(art_compile_model(&model, b, &error) == ART_OK)) CHECK_TEXT(error.text, "");
  art_free_builder(b);
  return model;
}


artModel *model_two_link(void)
{
  artBuilder *b = art_create_builder();
  art_set_gravity(b, (double[3]){0, -two.g, 0});

  artBodyDef body = art_default_body();
  body.name = "upper", body.mass = two.m1, body.com[0] = two.c1;
  body.inertia[1] = body.inertia[2] = two.I1;
  art_add_body(b, &body);
  body.name = "lower", body.mass = two.m2, body.com[0] = two.c2;
  body.inertia[1] = body.inertia[2] = two.I2;
  art_add_body(b, &body);

  artJointDef pin = art_default_joint();
  pin.name = "shoulder", pin.from = "ground", pin.to = "upper";
  art_add_joint(b, &pin);
  pin.name = "elbow", pin.from = "upper", pin.to = "lower", pin.from_offset.position[0] = two.l1;
  art_add_joint(b, &pin);
  return model_compile(b);
}


artModel *model_chain(int n)
{
  artBuilder *b = art_create_builder();
  char body_name[32], joint_name[32], before[32] = "ground";
  for (int i = 0; i < n; i++) {
    snprintf(body_name, sizeof body_name, "link%d", i);
    snprintf(joint_name, sizeof joint_name, "pin%d", i);
    artBodyDef body = art_default_body();
    body.name = body_name, body.mass = 1, body.com[0] = 0.5;
    body.inertia[1] = body.inertia[2] = 1.0 / 12;
    art_add_body(b, &body);

    artJointDef pin = art_default_joint();
    pin.name = joint_name, pin.from = before, pin.to = body_name;
    if (i % 2 == 0) memcpy(pin.axis, (double[3]){0, 1, 0}, sizeof pin.axis);
    if (i > 0) pin.from_offset.position[0] = 1;
    art_add_joint(b, &pin);
    snprintf(before, sizeof before, "%s", body_name);
  }
  return model_compile(b);
}


//---- random numbers ------------------------------------------------------------------------------


void sample_numbers(uint64_t *seed, double size, int n, double *x)
{
  for (int i = 0; i < n; i++) x[i] = check_uniform(seed, -size, size);
}


static int chance(uint64_t *seed, double probability)
{
  return check_uniform(seed, 0, 1) < probability;
}


// a quaternion of any direction; of any length when it is not to be of length one
static void random_quaternion(uint64_t *seed, int is_unit, double e[4])
{
  double square = 0;
  while (square < 0.1) {
    sample_numbers(seed, 1, 4, e);
    square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
  }
  for (int k = 0; k < 4 && is_unit; k++) e[k] /= sqrt(square);
}


static artPose random_pose(uint64_t *seed)
{
  artPose pose;
  sample_numbers(seed, 0.5, 3, pose.position);
  random_quaternion(seed, 0, pose.rotation);
  return pose;
}


//---- random trees --------------------------------------------------------------------------------


// mass, centre and inertia of the particles, by their definitions
static void weigh(sampleBody *body)
{
  artBodyDef *def = &body->def;
  for (int p = 0; p < body->nparticle; p++) {
    def->mass += body->mass[p];
    for (int c = 0; c < 3; c++) def->com[c] += body->mass[p] * body->at[p][c];
  }
  for (int c = 0; c < 3 && def->mass > 0; c++) def->com[c] /= def->mass;

  for (int p = 0; p < body->nparticle; p++) {
    const double m = body->mass[p];
    const double x = body->at[p][0] - def->com[0], y = body->at[p][1] - def->com[1];
    const double z = body->at[p][2] - def->com[2];
    const double own[6] = {y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
    for (int c = 0; c < 6; c++) def->inertia[c] += m * own[c];
  }
}


static void random_body(sampleBody *body, uint64_t *seed)
{
  body->def = art_default_body();
  body->frame = random_pose(seed);
  double centre[3];
  sample_numbers(seed, 0.3, 3, centre);
  for (int p = 0; p < body->nparticle; p++) {
    body->mass[p] = check_uniform(seed, 0.2, 1);
    sample_numbers(seed, 0.4, 3, body->at[p]);
    for (int c = 0; c < 3; c++) body->at[p][c] += centre[c];
  }
  weigh(body);
  body->def.has_pose = chance(seed, 0.6);
  if (body->def.has_pose) body->def.pose = random_pose(seed);
}


// axis of any length, and another square to it
static void random_axes(artJointDef *def, uint64_t *seed)
{
  double other[3], square = 0;
  sample_numbers(seed, 2, 3, def->axis);
  sample_numbers(seed, 1, 3, other);
  for (int c = 0; c < 3; c++) square += def->axis[c] * def->axis[c];
  if (square < 0.1) def->axis[1] = 1;
  for (int c = 0; c < 3; c++) {
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    def->axis2[c] = def->axis[d] * other[e] - def->axis[e] * other[d];
  }
}


static int has_axis(artJointType type)
{
  return type != ART_FIXED && type != ART_SPHERICAL && type != ART_FREE;
}


static int has_one_coordinate(artJointType type)
{
  return type == ART_REVOLUTE || type == ART_PRISMATIC || type == ART_SCREW;
}


static void random_joint(sampleTree *tree, int j, artJointType type, sampleOptions options,
                         uint64_t *seed)
{
  sampleJoint *joint = &tree->joint[j];
  joint->def = art_default_joint();
  joint->def.type = type;
  if (has_axis(type)) random_axes(&joint->def, seed);
  joint->def.pitch = check_uniform(seed, -0.3, 0.3);
  joint->def.in_ground = chance(seed, 0.4);
  if (!joint->def.in_ground) tree->body[j].def.has_pose = 0; // the joint's frames place it
  sample_numbers(seed, 0.6, 3, joint->def.at);
  joint->def.from_offset = random_pose(seed);
  joint->def.to_offset = random_pose(seed);
  if (options.has_rotors && has_one_coordinate(type) && chance(seed, 0.5)) {
    joint->def.rotor = check_uniform(seed, 0.1, 2);
  }
  if (options.has_drives && has_axis(type) && chance(seed, 0.3)) {
    sample_numbers(seed, 1, 3, joint->drive);
  }

  // balls and free joints describe `to` as seen from ground's side and cannot run the other way
  const int is_reversed = type != ART_SPHERICAL && type != ART_FREE && chance(seed, 0.4);
  joint->body[is_reversed] = tree->body[j].parent;
  joint->body[1 - is_reversed] = j;
  joint->uses_frame[0] = chance(seed, 0.5);
  joint->uses_frame[1] = chance(seed, 0.5);
}


// any type; of those that follow a massless body, one that feels its own mass and not much more
static artJointType random_type(const sampleTree *tree, int j, sampleOptions options,
                                uint64_t *seed)
{
  static const artJointType light[] = {ART_REVOLUTE, ART_PRISMATIC, ART_SCREW, ART_UNIVERSAL,
                                       ART_CYLINDRICAL};
  static const artJointType next[] = {ART_FIXED, ART_REVOLUTE, ART_PRISMATIC, ART_SCREW};
  if (j == 1 && options.is_floating) return ART_FREE;
  if (tree->body[j].nparticle == 0) return light[(int) check_uniform(seed, 0, 5)];
  if (j > 1 && tree->body[j - 1].nparticle == 0) return next[(int) check_uniform(seed, 0, 4)];
  const int last = options.is_floating ? ART_FREE : SAMPLE_TYPES;
  return (artJointType) check_uniform(seed, 0, last);
}


static int random_parent(const sampleTree *tree, int j, sampleOptions options, uint64_t *seed)
{
  if (j > 1 && tree->body[j - 1].nparticle == 0) return j - 1;
  if (j > 1 && chance(seed, 0.6)) return j - 1;
  return (int) check_uniform(seed, options.is_floating && j > 1, j);
}


void sample_random(sampleTree *tree, sampleOptions options, uint64_t *seed)
{
  memset(tree, 0, sizeof *tree);
  tree->n = options.n;
  sample_numbers(seed, 6, 3, tree->gravity);
  tree->body[0].frame = random_pose(seed);
  tree->body[0].nparticle = SAMPLE_PARTICLES;
  for (int j = 1; j <= options.n; j++) {
    sampleBody *body = &tree->body[j];
    const int may_be_light =
        options.has_massless && j < options.n && j > 1 && tree->body[j - 1].nparticle > 0;
    body->nparticle = may_be_light && chance(seed, 0.3) ? 0 : SAMPLE_PARTICLES;
    body->parent = random_parent(tree, j, options, seed);
    random_body(body, seed);
    random_joint(tree, j, random_type(tree, j, options, seed), options, seed);
  }
  sample_rename(tree, "");
}


void sample_rename(sampleTree *tree, const char *prefix)
{
  snprintf(tree->body[0].name, SAMPLE_NAME, "ground");
  for (int j = 1; j <= tree->n; j++) {
    snprintf(tree->body[j].name, SAMPLE_NAME, "%.8sb%d", prefix, j);
    snprintf(tree->joint[j].name, SAMPLE_NAME, "%.8sj%d", prefix, j);
  }
  for (int j = 1; j <= tree->n; j++) {
    sampleJoint *joint = &tree->joint[j];
    char *const ends[2] = {joint->from, joint->to};
    for (int side = 0; side < 2; side++) {
      char name[SAMPLE_NAME];
      memcpy(name, tree->body[joint->body[side]].name, sizeof name);
      snprintf(ends[side], SAMPLE_NAME, "%.16s%s", name, joint->uses_frame[side] ? ".f" : "");
    }
  }
}


static void add_drive(artBuilder *b, const sampleJoint *joint)
{
  char name[48], coordinate[48], formula[128];
  if (joint->drive[1] == 0) return;
  snprintf(name, sizeof name, "%s-drive", joint->name);
  snprintf(coordinate, sizeof coordinate, "%s.%s", joint->name,
           sample_positions(joint->def.type)[0]);
  const int slides = has_one_coordinate(joint->def.type) ? joint->def.type == ART_PRISMATIC
                                                         : joint->def.type != ART_UNIVERSAL;
  const char *unit = slides ? "[m]" : "";
  snprintf(formula, sizeof formula, "%.17g%s + %.17g%s * sin(%.17g[1/s] * time)", joint->drive[0],
           unit, joint->drive[1], unit, joint->drive[2]);
  const artDriveDef drive = {.name = name, .coordinate = coordinate, .formula = formula};
  art_add_drive(b, &drive);
}


artBuilder *sample_build(const sampleTree *tree, const int *order)
{
  artBuilder *b = art_create_builder();
  art_set_gravity(b, tree->gravity);
  art_add_frame(b, "ground", "f", &tree->body[0].frame);
  for (int i = 1; i <= tree->n; i++) {
    const sampleBody *body = &tree->body[order ? order[i] : i];
    artBodyDef def = body->def;
    def.name = body->name;
    art_add_body(b, &def);
    art_add_frame(b, body->name, "f", &body->frame);
  }
  for (int i = tree->n; i >= 1; i--) {
    const sampleJoint *joint = &tree->joint[order ? order[i] : i];
    artJointDef def = joint->def;
    def.name = joint->name, def.from = joint->from, def.to = joint->to;
    art_add_joint(b, &def);
    add_drive(b, joint);
  }
  return b;
}


//---- coordinates ---------------------------------------------------------------------------------


const char *const *sample_positions(artJointType type)
{
  static const char *const names[SAMPLE_TYPES][8] = {
      [ART_REVOLUTE] = {"angle"},
      [ART_PRISMATIC] = {"slide"},
      [ART_SCREW] = {"angle"},
      [ART_CYLINDRICAL] = {"slide", "angle"},
      [ART_UNIVERSAL] = {"angle1", "angle2"},
      [ART_PLANAR] = {"x", "y", "angle"},
      [ART_SPHERICAL] = {"qw", "qx", "qy", "qz"},
      [ART_FREE] = {"x", "y", "z", "qw", "qx", "qy", "qz"},
  };
  return names[type];
}


const char *const *sample_velocities(artJointType type)
{
  static const char *const names[SAMPLE_TYPES][7] = {
      [ART_REVOLUTE] = {"rate"},
      [ART_PRISMATIC] = {"rate"},
      [ART_SCREW] = {"rate"},
      [ART_CYLINDRICAL] = {"slide_rate", "angle_rate"},
      [ART_UNIVERSAL] = {"angle1_rate", "angle2_rate"},
      [ART_PLANAR] = {"x_rate", "y_rate", "angle_rate"},
      [ART_SPHERICAL] = {"wx", "wy", "wz"},
      [ART_FREE] = {"vx", "vy", "vz", "wx", "wy", "wz"},
  };
  return names[type];
}


void sample_bind(sampleTree *tree, const artModel *model)
{
  char name[64];
  for (int j = 1; j <= tree->n; j++) {
    sampleJoint *joint = &tree->joint[j];
    const char *const *positions = sample_positions(joint->def.type);
    const char *const *velocities = sample_velocities(joint->def.type);
    for (int k = 0; positions[k]; k++) {
      snprintf(name, sizeof name, "%s.%s", joint->name, positions[k]);
      joint->q[k] = art_find_position(model, name);
      CHECK(joint->q[k] >= 0);
    }
    for (int k = 0; velocities[k]; k++) {
      snprintf(name, sizeof name, "%s.%s", joint->name, velocities[k]);
      joint->v[k] = art_find_velocity(model, name);
      CHECK(joint->v[k] >= 0);
    }
  }
}


void sample_state(const sampleTree *tree, uint64_t *seed, double *q, double *v)
{
  for (int j = 1; j <= tree->n; j++) {
    const sampleJoint *joint = &tree->joint[j];
    const char *const *positions = sample_positions(joint->def.type);
    const char *const *velocities = sample_velocities(joint->def.type);
    for (int k = 0; positions[k]; k++) q[joint->q[k]] = check_uniform(seed, -1.2, 1.2);
    for (int k = 0; velocities[k]; k++) v[joint->v[k]] = check_uniform(seed, -1.5, 1.5);
    if (joint->def.type != ART_SPHERICAL && joint->def.type != ART_FREE) continue;

    double e[4];
    const int first = joint->def.type == ART_FREE ? 3 : 0;
    random_quaternion(seed, 1, e);
    for (int k = 0; k < 4; k++) q[joint->q[first + k]] = e[k];
  }
}


sampleScene sample_open(sampleOptions options, sampleAdd add, uint64_t *seed)
{
  sampleScene scene;
  sample_random(&scene.tree, options, seed);
  artBuilder *b = sample_build(&scene.tree, NULL);
  if (add) add(b, &scene.tree, seed);
  scene.m = keep_model(model_compile(b));
  scene.d = keep_fresh_data(scene.m), scene.nq = art_count(scene.m).nq;
  scene.nv = art_count(scene.m).nv;
  sample_bind(&scene.tree, scene.m);
  sample_state(&scene.tree, seed, scene.d->q, scene.d->v);
  scene.d->time = 0.7;
  art_update(scene.m, scene.d);
  return scene;
}
