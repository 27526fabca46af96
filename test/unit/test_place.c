// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Positions and orientations against transformations composed by hand from the definitions of the
// joints; reference poses; moving along the coordinates.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "force/force.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/naive.h"


// rotation matrix of a unit quaternion, by columns as in a frame's T
static void columns_of(const double e[4], double R[9])
{
  const double w = e[0], x = e[1], y = e[2], z = e[3];
  const double rows[9] = {
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
      2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, rows, sizeof rows);
}


static void check_frame(const artModel *m, const artData *d, const char *name,
                        const naiveFrame *want)
{
  const int frame = art_find_frame(m, name);
  if (!CHECK(frame >= 0)) return;
  double position[3], e[4], R[9];
  double want_position[3], want_R[9];
  art_frame_position(m, d, frame, position);
  art_frame_rotation(m, d, frame, e);
  columns_of(e, R);
  for (int i = 0; i < 3; i++) {
    want_position[i] = want->T[i][3];
    for (int k = 0; k < 3; k++) want_R[3 * i + k] = want->T[i][k];
  }
  CHECK_NEAR(position, want_position, 3, 1e-13);
  CHECK_NEAR(R, want_R, 9, 1e-13);
  CHECK(e[0] >= 0);
}


static void check_all_frames(const sampleTree *tree, const artModel *m, artData *d)
{
  naiveFrame body[SAMPLE_BODIES + 1];
  char name[64];
  art_update(m, d);
  naive_place(tree, d->q, body);
  for (int i = 0; i <= tree->n; i++) {
    const naiveFrame named = naive_named_frame(tree, body, i);
    snprintf(name, sizeof name, "%s.f", tree->body[i].name);
    check_frame(m, d, tree->body[i].name, &body[i]);
    check_frame(m, d, name, &named);
  }
}


TEST(random_trees_stand_where_their_definitions_say)
{
  uint64_t seed = 11;
  for (int trial = 0; trial < 150; trial++) {
    sampleTree tree;
    sample_random(&tree, (sampleOptions){.n = 8, .has_massless = 1}, &seed);
    artModel *m = keep_model(model_compile(sample_build(&tree, NULL)));
    artData *d = keep_fresh_data(m);
    sample_bind(&tree, m);
    sample_state(&tree, &seed, d->q, d->v);
    check_all_frames(&tree, m, d);
  }
}


// a tree of one body on one joint of a type, placed and directed in all ways
TEST(every_joint_type_alone_moves_as_defined)
{
  uint64_t seed = 5;
  int seen[SAMPLE_TYPES][2][2] = {0};
  for (int trial = 0; trial < 600; trial++) {
    sampleTree tree;
    sample_random(&tree, (sampleOptions){.n = 1}, &seed);
    const sampleJoint *joint = &tree.joint[1];
    seen[joint->def.type][joint->def.in_ground][joint->body[0] == 1] = 1;
    artModel *m = keep_model(model_compile(sample_build(&tree, NULL)));
    artData *d = keep_fresh_data(m);
    sample_bind(&tree, m);
    sample_state(&tree, &seed, d->q, d->v);
    check_all_frames(&tree, m, d);
  }
  for (int type = 0; type < SAMPLE_TYPES; type++) {
    const int may_be_reversed = type != ART_SPHERICAL && type != ART_FREE;
    CHECK(seen[type][0][0] && seen[type][1][0]);
    CHECK(!may_be_reversed || (seen[type][0][1] && seen[type][1][1]));
  }
}


static artModel *one_joint(artJointDef joint)
{
  artBuilder *b = art_create_builder();
  artBodyDef body = art_default_body();
  body.name = "body";
  body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  joint.name = "j";
  if (!joint.from) joint.from = "ground";
  if (!joint.to) joint.to = "body";
  art_add_body(b, &body);
  art_add_joint(b, &joint);
  return model_compile(b);
}


TEST(a_planar_joint_without_a_wish_keeps_x_and_y)
{
  artJointDef joint = art_default_joint();
  joint.type = ART_PLANAR;
  artModel *m = keep_model(one_joint(joint));
  artData *d = keep_fresh_data(m);
  d->q[art_find_position(m, "j.x")] = 0.3;
  d->q[art_find_position(m, "j.y")] = -0.7;
  d->q[art_find_position(m, "j.angle")] = 0.5;
  art_update(m, d);
  double r[3], e[4];
  art_frame_position(m, d, art_find_frame(m, "body"), r);
  art_frame_rotation(m, d, art_find_frame(m, "body"), e);
  CHECK_NEAR(r, ((double[3]){0.3, -0.7, 0}), 3, 1e-15);
  CHECK_NEAR(e, ((double[4]){cos(0.25), 0, 0, sin(0.25)}), 4, 1e-15);
}


// the fields that a joint type does not use must not matter, whatever they hold
TEST(unused_axes_do_not_matter)
{
  static const artJointType types[] = {ART_REVOLUTE,    ART_PRISMATIC, ART_SCREW,
                                       ART_CYLINDRICAL, ART_SPHERICAL, ART_FREE};
  for (int k = 0; k < 6; k++) {
    artJointDef joint = art_default_joint();
    joint.type = types[k];
    joint.pitch = 0.1;
    artModel *plain = keep_model(one_joint(joint));
    joint.axis2[2] = 3; // along the axis
    joint.axis2[1] = k % 2;
    if (types[k] == ART_SPHERICAL || types[k] == ART_FREE) {
      memcpy(joint.axis, (double[3]){1, 2, 3}, sizeof joint.axis);
    }
    artModel *odd = keep_model(one_joint(joint));
    if (!plain || !odd) return;
    artData *one = keep_fresh_data(plain), *other = keep_fresh_data(odd);
    uint64_t seed = 3;
    sample_numbers(&seed, 1, art_count(plain).nq, one->q);
    memcpy(other->q, one->q, (size_t) art_count(plain).nq * sizeof *one->q);
    art_update(plain, one);
    art_update(odd, other);
    double r[2][3], e[2][4];
    art_frame_position(plain, one, 1, r[0]);
    art_frame_position(odd, other, 1, r[1]);
    art_frame_rotation(plain, one, 1, e[0]);
    art_frame_rotation(odd, other, 1, e[1]);
    CHECK_NEAR(r[1], r[0], 3, 1e-15);
    CHECK_NEAR(e[1], e[0], 4, 1e-15);
  }
}


TEST(all_coordinates_are_zero_at_the_reference_configuration)
{
  uint64_t seed = 17;
  for (int trial = 0; trial < 60; trial++) {
    sampleTree tree;
    sample_random(&tree, (sampleOptions){.n = 6}, &seed);
    for (int j = 1; j <= tree.n; j++) {
      tree.joint[j].def.in_ground = 1;
      tree.body[j].def.has_pose = 1;
    }
    artModel *m = keep_model(model_compile(sample_build(&tree, NULL)));
    artData *d = keep_fresh_data(m);
    for (int i = 1; i <= tree.n; i++) {
      const artPose *pose = &tree.body[i].def.pose;
      double r[3], e[4], R[9], want[9], unit[4], length = 0;
      for (int k = 0; k < 4; k++) length += pose->rotation[k] * pose->rotation[k];
      for (int k = 0; k < 4; k++) unit[k] = pose->rotation[k] / sqrt(length);
      art_frame_position(m, d, art_find_frame(m, tree.body[i].name), r);
      art_frame_rotation(m, d, art_find_frame(m, tree.body[i].name), e);
      columns_of(e, R);
      columns_of(unit, want);
      CHECK_NEAR(r, pose->position, 3, 1e-14);
      CHECK_NEAR(R, want, 9, 1e-14);
    }
  }
}


TEST(a_quaternion_counts_by_its_direction_alone)
{
  uint64_t seed = 23;
  sampleTree tree;
  sample_random(&tree, (sampleOptions){.n = 5, .is_floating = 1}, &seed);
  tree.joint[3].def.type = ART_SPHERICAL, tree.joint[3].body[0] = tree.body[3].parent;
  tree.joint[3].body[1] = 3;
  sample_rename(&tree, "");
  artModel *m = keep_model(model_compile(sample_build(&tree, NULL)));
  artData *d = keep_fresh_data(m);
  sample_bind(&tree, m);
  sample_state(&tree, &seed, d->q, d->v);
  for (int k = 0; k < 4; k++) d->q[tree.joint[1].q[3 + k]] *= 1.25;
  for (int k = 0; k < 4; k++) d->q[tree.joint[3].q[k]] *= 0.5;
  check_all_frames(&tree, m, d);

  CHECK(art_normalise(m, d->q) == 1);
  double square = 0;
  for (int k = 0; k < 4; k++) square += pow(d->q[tree.joint[1].q[3 + k]], 2);
  CHECK_CLOSE(square, 1, 1e-15);
  check_all_frames(&tree, m, d);
  CHECK(art_normalise(m, d->q) == 0);
}


TEST(moving_follows_the_velocity_coordinates)
{
  uint64_t seed = 29;
  for (int trial = 0; trial < 40; trial++) {
    sampleTree tree;
    sample_random(&tree, (sampleOptions){.n = 8}, &seed);
    artModel *m = keep_model(model_compile(sample_build(&tree, NULL)));
    artData *d = keep_fresh_data(m);
    const int nq = art_count(m).nq;
    double moved[SAMPLE_Q], want[SAMPLE_Q], rates[SAMPLE_Q];
    sample_bind(&tree, m);
    sample_state(&tree, &seed, d->q, d->v);
    memcpy(moved, d->q, (size_t) nq * sizeof *moved);
    art_move(m, moved, d->v);
    naive_path(&tree, d->q, d->v, NULL, 1, want);
    CHECK_NEAR(moved, want, nq, 1e-14);

    // rates of the positions: differences along the motion
    double path[9][SAMPLE_Q];
    const double h = 0.01;
    for (int s = 0; s < 9; s++) naive_path(&tree, d->q, d->v, NULL, (s - 4) * h, path[s]);
    art_position_rates(m, d, rates);
    for (int k = 0; k < nq; k++) {
      double f[9];
      for (int s = 0; s < 9; s++) f[s] = path[s][k];
      CHECK_CLOSE(rates[k], naive_first(f, h), 1e-12);
    }
  }
}


//---- quantities that are up to date --------------------------------------------------------------

TEST(poses_and_velocities_are_known_once_asked_for)
{
  artModel *m = keep_model(model_two_link());
  artData *d = keep_fresh_data(m);
  const treeData *t = &d->work->tree;
  double position[3], velocity[3], angular[3];
  CHECK(!t->has_world && !t->has_velocity);
  art_frame_position(m, d, 1, position);
  CHECK(t->has_world && !t->has_velocity);
  art_frame_velocity(m, d, 1, velocity, angular);
  CHECK(t->has_world && t->has_velocity);
  d->q[0] += 0.1;
  art_update(m, d);
  CHECK(!t->has_world && !t->has_velocity);
  CHECK(data_world(m, d)->has_world && data_velocity(m, d)->has_velocity);
}


// does the question end a process of its own by an assertion?
static int is_stopped(void (*ask)(const artModel *m, artData *d))
{
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    fclose(stderr);
    artModel *m = model_two_link();
    ask(m, art_create_data(m));
    _exit(0);
  }
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}


static void ask_without_placing(const artModel *m, artData *d)
{
  (void) m;
  (void) tree_in_ground(&d->work->tree, 1);
}


static void ask_without_velocities(const artModel *m, artData *d)
{
  (void) tree_motion(data_world(m, d), 1);
}


static void ask_after_moving(const artModel *m, artData *d)
{
  double position[3];
  d->q[1] += 0.1; // and no art_update
  art_frame_position(m, d, 1, position);
}


static void ask_after_speeding(const artModel *m, artData *d)
{
  double velocity[3];
  art_frame_velocity(m, d, 1, velocity, NULL);
  d->v[1] += 0.1;
  art_frame_velocity(m, d, 1, velocity, NULL);
}


static void ask_without_accelerations(const artModel *m, artData *d)
{
  (void) tree_body(data_velocity(m, d), 1);
}


static void ask_after_accelerating(const artModel *m, artData *d)
{
  double acceleration[3];
  if (art_accelerate(m, d, ART_AUTOMATIC, NULL) != ART_OK) return;
  d->a[0] += 0.1;
  art_frame_acceleration(m, d, 1, acceleration, NULL);
}


static void ask_for_accelerations_elsewhere(const artModel *m, artData *d)
{
  double acceleration[3];
  if (art_accelerate(m, d, ART_AUTOMATIC, NULL) != ART_OK) return;
  d->q[1] += 0.1;
  art_update(m, d); // and no art_accelerate
  art_frame_acceleration(m, d, 1, acceleration, NULL);
}


static void ask_for_reactions_of_before(const artModel *m, artData *d)
{
  double force[3], torque[3];
  if (art_accelerate(m, d, ART_AUTOMATIC, NULL) != ART_OK) return;
  if (art_reaction(m, d, m->joint[0].name, force, torque, NULL) != ART_OK) return;
  d->a[0] += 0.1;
  (void) art_reaction(m, d, m->joint[0].name, force, torque, NULL);
}


static void ask_properly(const artModel *m, artData *d)
{
  double position[3], torque[3];
  d->q[1] += 0.1;
  art_update(m, d);
  art_frame_position(m, d, 1, position);
  art_frame_velocity(m, d, 1, position, NULL);
  if (art_accelerate(m, d, ART_AUTOMATIC, NULL) != ART_OK) abort();
  art_frame_acceleration(m, d, 1, position, NULL);
  if (art_reaction(m, d, m->joint[0].name, position, torque, NULL) != ART_OK) abort();
}


// where asserts are on, nothing of an earlier state can be read
TEST(stale_data_cannot_be_read)
{
#ifdef NDEBUG
  const int has_asserts = 0;
#else
  const int has_asserts = 1;
#endif
  CHECK_EQ_INT(is_stopped(ask_without_placing), has_asserts);
  CHECK_EQ_INT(is_stopped(ask_without_velocities), has_asserts);
  CHECK_EQ_INT(is_stopped(ask_after_moving), has_asserts);
  CHECK_EQ_INT(is_stopped(ask_after_speeding), has_asserts);
  CHECK_EQ_INT(is_stopped(ask_without_accelerations), has_asserts);
  CHECK_EQ_INT(is_stopped(ask_after_accelerating), has_asserts);
  CHECK_EQ_INT(is_stopped(ask_for_accelerations_elsewhere), has_asserts);
  CHECK_EQ_INT(is_stopped(ask_for_reactions_of_before), has_asserts);
  CHECK_EQ_INT(is_stopped(ask_properly), 0);
}
