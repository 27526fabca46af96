// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scene files: headers that parse, columns and poses that agree with the run, shapes of every model, and
// files with errors.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "articula/articula.h"
#include "base/memory.h"
#include "model/model.h"
#include "show/bytes.h"
#include "show/canvas.h"
#include "show/drawing_ground.h"
#include "show/scene_read.h"
#include "show/scene_shape.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

#define MODELS ART_SOURCE_DIR "/models/"

//---- a machine and its scene ---------------------------------------------------------------------

static void free_scene(void *scene)
{
  scene_free(scene);
  free(scene);
}


typedef struct sceneTest {
  artModel *model;
  artData *data;
  ioScene scene;
} sceneTest;


// the arrays of a scene live until the test ends
static void keep_scene(const ioScene *scene)
{
  ioScene *kept = malloc(sizeof *kept);
  if (!kept) abort();
  *kept = *scene;
  check_free_later(free_scene, kept);
}


// the data at the assembled initial state, accelerated
static sceneTest describe(const char *path, long rows)
{
  sceneTest t = {.model = keep_file(path)};
  t.data = keep_fresh_data(t.model);
  art_assemble(t.model, t.data, NULL, &check_error);
  const sceneStudy study = {path, art_default_study(ART_RUN), rows};
  CHECK_WORKS(art_accelerate(t.model, t.data, ART_AUTOMATIC, &check_error));
  CHECK_WORKS(scene_describe(&t.scene, t.model, t.data, &study, &check_error));
  keep_scene(&t.scene);
  return t;
}


//---- files ---------------------------------------------------------------------------------------

// a state of the run for frame i: the same from whatever came before
static void move_to(sceneTest *t, int i)
{
  art_reset(t->model, t->data);
  t->data->time = 0.01 * i;
  t->data->v[0] = 1 + i;
  art_update(t->model, t->data);
  art_assemble(t->model, t->data, NULL, NULL);
  CHECK(art_accelerate(t->model, t->data, ART_AUTOMATIC, NULL) == ART_OK);
}


static void write_frames(sceneTest *t, ioSceneFile *file, int from, int to)
{
  double values[64];
  for (int i = from; i < to; i++) {
    move_to(t, i);
    art_outputs(t->model, t->data, values);
    CHECK(scene_add_frame(file, t->data, t->data->time, values, NULL) == ART_OK);
  }
}


static void check_frame(sceneTest *t, ioSceneReader *reader, int i)
{
  unsigned char bytes[4096];
  double values[64], position[3], rotation[4], linear[3], angular[3], force[3], torque[3];
  move_to(t, i);
  art_outputs(t->model, t->data, values);
  CHECK(scene_frame_size(reader) <= sizeof bytes);
  CHECK(scene_read_frame(reader, i, bytes));
  CHECK(get_f64(bytes) == t->data->time);
  for (int b = 0; b < t->scene.nbody; b++) {
    const unsigned char *pose = bytes + 8 + 28 * b, *velocity = bytes + 8 + 28 * 3 + 24 * b;
    art_frame_position(t->model, t->data, b + 1, position);
    art_frame_rotation(t->model, t->data, b + 1, rotation);
    art_frame_velocity(t->model, t->data, b + 1, linear, angular);
    for (int k = 0; k < 3; k++) CHECK(get_f32(pose + 4 * k) == (float) position[k]);
    for (int k = 0; k < 4; k++) CHECK(get_f32(pose + 12 + 4 * k) == (float) rotation[k]);
    for (int k = 0; k < 3; k++) CHECK(get_f32(velocity + 4 * k) == (float) linear[k]);
    for (int k = 0; k < 3; k++) CHECK(get_f32(velocity + 12 + 4 * k) == (float) angular[k]);
  }
  for (int j = 0; j < t->scene.nvector; j++) {
    const unsigned char *vector = bytes + 8 + 52 * 3 + 24 * j;
    CHECK(art_reaction(t->model, t->data, t->scene.vector[j].name, force, torque, NULL) == ART_OK);
    const double *wanted = t->scene.vector[j].is_torque ? torque : force;
    const double size = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1] + wanted[2] * wanted[2]);
    for (int k = 0; k < 3; k++) {
      const float got = get_f32(vector + 12 + 4 * k);
      CHECK(got == (float) wanted[k] || (size < 1e-6 && got == 0));
    }
  }
  for (int c = 0; c < t->scene.nchannel; c++) {
    unsigned char column[8];
    CHECK(scene_read_column(reader, c, i, 1, column));
    CHECK(get_f64(column) == values[c]);
  }
}


TEST(frames_are_the_poses_forces_and_outputs_of_the_run)
{
  enum { FRAMES = 300 };
  sceneTest t = describe(MODELS "loops/four-bar.yaml", FRAMES);
  ioSceneFile file = {0};
  CHECK(scene_create(&file, folder_path("scene.arts"), &t.scene, NULL) == ART_OK);
  CHECK_EQ_INT(file.layout.frames, 150); // two even chunks
  write_frames(&t, &file, 0, FRAMES);
  CHECK(scene_close(&file, NULL) == ART_OK);

  ioSceneReader reader = {0};
  CHECK(scene_open(&reader, folder_own(), NULL) == ART_OK);
  CHECK_EQ_INT((int) scene_count(&reader), FRAMES);
  for (int i = 0; i < FRAMES; i += 37) check_frame(&t, &reader, i);
  check_frame(&t, &reader, FRAMES - 1);
  scene_shut(&reader);
}


static char *bytes_of(size_t *size)
{
  char *bytes = NULL;
  CHECK(file_read(folder_path("scene.arts"), &bytes, size, NULL) == ART_OK);
  return bytes;
}


// com (0, d, -h) below a hinge along y through the origin: at rest it carries m g upwards and m g d about x
TEST(the_torque_of_a_hinge_carries_what_hangs_beside_it)
{
  const double m = 2, d = 0.3, g = 9.80665;
  artBuilder *builder = keep_builder(art_create_builder());
  artBodyDef plate = art_default_body();
  artJointDef hinge = art_default_joint();
  plate.name = "plate", plate.mass = m, plate.com[1] = d, plate.com[2] = -1;
  for (int k = 0; k < 3; k++) plate.inertia[k] = 0.1;
  hinge.name = "hinge", hinge.from = "ground", hinge.to = "plate", hinge.axis[1] = 1;
  hinge.axis[2] = 0;
  art_add_body(builder, &plate);
  art_add_joint(builder, &hinge);
  art_set_gravity(builder, (double[]){0, 0, -g});
  artModel *model = NULL;
  if (!CHECK(art_compile_model(&model, builder, NULL) == ART_OK)) return;
  keep_model(model);
  artData *data = keep_fresh_data(model);
  ioScene scene = {0};
  const sceneStudy study = {"plate", art_default_study(ART_RUN), 1};
  CHECK(art_accelerate(model, data, ART_AUTOMATIC, NULL) == ART_OK);
  CHECK(scene_describe(&scene, model, data, &study, NULL) == ART_OK);
  if (CHECK_EQ_INT(scene.nvector, 2)) {
    float poses[7], velocities[6], vectors[12];
    double values[64];
    CHECK_TEXT(scene.vector[0].unit, "N");
    CHECK_TEXT(scene.vector[1].unit, "N m");
    art_outputs(model, data, values);
    scene_evaluate(&scene, data, poses, velocities, vectors);
    const double wanted[12] = {0, 0, 0, 0, 0, m * g, 0, 0, 0, m * g * d, 0, 0};
    for (int k = 0; k < 12; k++) CHECK(fabs((double) vectors[k] - wanted[k]) < 1e-6 * m * g);
  }
  scene_free(&scene);
}


TEST(contacts_are_vectors_at_the_points_where_surfaces_touch)
{
  sceneTest t = describe(MODELS "contact/bounce.yaml", 1);
  float poses[7 * 3], velocities[6 * 3], vectors[6 * 8];
  double values[64];
  const sceneVector *touch = &t.scene.vector[0];
  if (!CHECK(t.scene.nvector <= 8 && touch->kind == VECTOR_CONTACT)) return;
  CHECK_TEXT(touch->name, "touch");
  CHECK_TEXT(touch->unit, "N");
  // apart at 0.5 m, then 1 mm deep
  for (int k = 0; k < 2; k++) {
    t.data->q[0] = 0.3;
    t.data->q[1] = k == 0 ? 0.5 : 0.099;
    art_update(t.model, t.data);
    CHECK(art_accelerate(t.model, t.data, ART_AUTOMATIC, NULL) == ART_OK);
    art_outputs(t.model, t.data, values);
    scene_evaluate(&t.scene, t.data, poses, velocities, vectors);
    CHECK(k == 1 ? vectors[5] > 0 : vectors[5] == 0);
  }
  CHECK(fabs((double) vectors[0] - 0.3) < 1e-6 && fabs((double) vectors[2]) <= 0.001);
}


TEST(a_resumed_file_is_the_same_as_one_in_a_single_go)
{
  sceneTest t = describe(MODELS "loops/four-bar.yaml", 300);
  size_t size[2];
  ioSceneFile file = {0};
  CHECK(scene_create(&file, folder_path("scene.arts"), &t.scene, NULL) == ART_OK);
  write_frames(&t, &file, 0, 200);
  CHECK(scene_close(&file, NULL) == ART_OK);
  char *whole = bytes_of(&size[0]);

  // of 170 frames that were written, 160 count
  CHECK(scene_create(&file, folder_path("scene.arts"), &t.scene, NULL) == ART_OK);
  write_frames(&t, &file, 0, 170);
  CHECK(scene_close(&file, NULL) == ART_OK);
  CHECK(scene_resume(&file, folder_path("scene.arts"), &t.scene, 160, NULL) == ART_OK);
  write_frames(&t, &file, 160, 200);
  CHECK(scene_close(&file, NULL) == ART_OK);
  char *resumed = bytes_of(&size[1]);
  CHECK(size[0] == size[1] && memcmp(whole, resumed, size[0]) == 0);
  mem_free(whole);
  mem_free(resumed);

  // another machine does not go on with it
  sceneTest other = describe(MODELS "double-pendulum.yaml", 300);
  CHECK_FAILS(scene_resume(&file, folder_path("scene.arts"), &other.scene, 160, &check_error),
              ART_BAD_INPUT, "does not belong to the interrupted run");
  scene_close(&file, NULL);
}


TEST(a_file_is_readable_while_it_grows)
{
  sceneTest t = describe(MODELS "loops/four-bar.yaml", 300);
  ioSceneFile file = {0};
  ioSceneReader reader = {0};
  CHECK(scene_create(&file, folder_path("scene.arts"), &t.scene, NULL) == ART_OK);
  CHECK(scene_open(&reader, folder_path("scene.arts"), NULL) == ART_OK);
  CHECK_EQ_INT((int) scene_count(&reader), 0);
  write_frames(&t, &file, 0, 10);
  CHECK_EQ_INT((int) scene_count(&reader), 0);
  CHECK(scene_flush(&file, NULL) == ART_OK);
  CHECK_EQ_INT((int) scene_count(&reader), 10);
  write_frames(&t, &file, 10, 160);
  CHECK_EQ_INT((int) scene_count(&reader), 150);
  CHECK(scene_close(&file, NULL) == ART_OK);
  CHECK_EQ_INT((int) scene_count(&reader), 160);

  // a chunk cut short does not count
  CHECK(truncate(folder_path("scene.arts"),
                 (off_t) (reader.start + 2 * (long long) reader.layout.size - 1)) == 0);
  CHECK_EQ_INT((int) scene_count(&reader), 150);
  scene_shut(&reader);
}


TEST(damaged_files_are_refused)
{
  sceneTest t = describe(MODELS "loops/four-bar.yaml", 3);
  ioSceneFile file = {0};
  CHECK(scene_create(&file, folder_path("scene.arts"), &t.scene, NULL) == ART_OK);
  write_frames(&t, &file, 0, 3);
  CHECK(scene_close(&file, NULL) == ART_OK);
  size_t size;
  char *bytes = bytes_of(&size);
  uint64_t seed = 1;
  int refused = 0;
  for (int trial = 0; trial < 400; trial++) {
    char *copy = mem_alloc(size, 1);
    memcpy(copy, bytes, size);
    for (int k = 0; k < 3; k++) {
      copy[(size_t) check_uniform(&seed, 0, (double) size - 1)] =
          (char) check_uniform(&seed, 0, 255);
    }
    const size_t length = trial % 4 ? size : (size_t) check_uniform(&seed, 1, (double) size);
    ioSceneReader reader = {0};
    ioScene scene = {0};
    unsigned char frame[65536];
    artStatus status = scene_open_stream(&reader, fmemopen(copy, length, "rb"), "x.arts", NULL);
    if (!status) status = scene_parse(&scene, reader.root, "x.arts", NULL);
    if (!status && scene_frame_size(&reader) <= sizeof frame) {
      for (long i = 0; i < scene_count(&reader) && i < 3; i++) scene_read_frame(&reader, i, frame);
    }
    refused += status != ART_OK;
    scene_free(&scene);
    scene_shut(&reader);
    mem_free(copy);
  }
  if (!CHECK(refused > 300 && refused < 400)) printf("  %d of 400\n", refused);
  mem_free(bytes);
}


//---- headers and shapes --------------------------------------------------------------------------

static int is_unit(const double q[4])
{
  return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-5;
}


static int is_good(const sceneShape *shape)
{
  int good = is_unit(shape->pose.rotation) && isfinite(shape->pose.position[0]);
  if (shape->type == SHAPE_BOX) {
    good = good && shape->size[0] > 0 && shape->size[1] > 0 && shape->size[2] > 0;
  } else if (shape->type == SHAPE_MESH) {
    good = good && shape->ntriangle > 0 && shape->nvertex > 0;
  } else {
    good = good && shape->radius > 0 && (shape->type == SHAPE_SPHERE || shape->length > 0);
  }
  return good;
}


// the header as it is read back has the same parts as the scene it was written from
static void check_model(const char *path)
{
  sceneTest t = describe(path, 10);
  char *text = NULL;
  size_t length = 0;
  baseArena arena = {0};
  const jsonNode *root = NULL;
  ioScene read = {0};
  CHECK(scene_header(&t.scene, 10, &text, &length, NULL) == ART_OK);
  CHECK((length + SCENE_HEAD) % 8 == 0);
  CHECK_WORKS(json_read(&root, text, length, "header", &arena, &check_error));
  int held = CHECK_WORKS(scene_parse(&read, root, "header", &check_error));
  int ropes = 0;
  for (int i = 0; i < t.model->nlatch; i++) ropes += t.model->latch[i].type == ART_ROPE;
  int spans = 0; // of lines through several points, behind their first
  for (int i = 0; i < t.model->nelement; i++) {
    const int points = t.model->element[i].nframe;
    spans += points > 2 ? points - 2 : 0;
  }
  held &= CHECK_EQ_INT(read.nbody, t.scene.nbody) && CHECK_EQ_INT(read.njoint, t.model->own_joints);
  held &= CHECK_EQ_INT(read.nforce, t.model->nelement + ropes + spans) &&
          CHECK_EQ_INT(read.nchannel, t.model->noutput);
  held &= CHECK_EQ_INT(read.nvector, t.scene.nvector) &&
          CHECK((read.road != NULL) == (t.scene.road != NULL));
  int shapes = 0;
  for (int i = 0; i < read.nbody && held; i++) {
    held &= CHECK_TEXT(read.body[i].name, t.scene.body[i].name);
    held &= CHECK_EQ_INT(read.body[i].nshape, t.scene.body[i].nshape);
    for (int k = 0; k < read.body[i].nshape && held; k++)
      held &= CHECK(is_good(&read.body[i].shape[k]));
    shapes += read.body[i].nshape;
  }
  held &= CHECK(shapes > 0) && CHECK(read.size > 0.01 && read.size < 100);
  if (!held) printf("  in %s %s\n", path, check_error.text);
  mem_free(text);
  arena_free(&arena);
  scene_free(&read);
}


TEST(every_model_has_a_scene_with_shapes)
{
  glob_t files = folder_models(1);
  CHECK(files.gl_pathc > 60);
  for (size_t i = 0; i < files.gl_pathc; i++) check_model(files.gl_pathv[i]);
  globfree(&files);
}


TEST(shapes_of_the_model_file_take_the_place_of_guesses)
{
  sceneTest t = describe(ART_SOURCE_DIR "/test/models/good/visual.yaml", 10);
  const sceneBody *arm = &t.scene.body[0];
  CHECK_EQ_INT(arm->nshape, 6);
  CHECK_EQ_INT(t.scene.body[1].nshape, 0);
  CHECK_EQ_INT(t.scene.nground, 1);
  CHECK(arm->shape[0].type == SHAPE_BOX && arm->shape[0].colour == 0xff8000 &&
        !arm->shape[0].is_default);
  CHECK_NEAR(arm->shape[0].size, ((double[]){1, 0.1, 0.1}), 3, 1e-15);
  CHECK_NEAR(arm->shape[1].pose.rotation, ((double[]){sqrt(0.5), 0, sqrt(0.5), 0}), 4, 1e-15);
  CHECK(arm->shape[4].nvertex == 4 && arm->shape[4].ntriangle == 2);
  CHECK_EQ_INT(arm->shape[5].ntriangle, 1);
  const float *square = arm->shape[4].vertex;
  CHECK(square[6] == 0.5f && square[7] == 0.5f && square[8] == 0);
}


static int count_shapes(int n, const sceneShape *shape, sceneShapeType type)
{
  int count = 0;
  for (int i = 0; i < n; i++) count += shape[i].type == type;
  return count;
}


static const sceneBody *find_body(const ioScene *scene, const char *name)
{
  for (int i = 0; i < scene->nbody; i++) {
    if (strcmp(scene->body[i].name, name) == 0) return &scene->body[i];
  }
  CHECK_TEXT(name, "the name of a body");
  return &scene->body[0];
}


TEST(guesses_are_machine_elements)
{
  // a piston between two rails, beside the block of the crank's bearing; the bars of a linkage stay bars
  sceneTest t = describe(MODELS "benchmarks/slider-crank.yaml", 10);
  const sceneBody *slider = find_body(&t.scene, "slider");
  CHECK(slider->nshape >= 1 && slider->shape[0].type == SHAPE_CYLINDER);
  const double *q = slider->shape[0].pose.rotation;
  CHECK(fabs(2 * (q[1] * q[3] + q[0] * q[2])) > 1 - 1e-6); // along x
  CHECK_EQ_INT(count_shapes(t.scene.nground, t.scene.ground, SHAPE_BOX), 3);
  CHECK_EQ_INT(count_shapes(t.scene.nground, t.scene.ground, SHAPE_MESH), 0);
  // crank of 0.1 m, rod of 0.3 m: the pin goes from 0.2 m to 0.4 m, and the rails as far with the piston
  for (int i = 0; i < 3; i++) {
    const sceneShape *rail = &t.scene.ground[i];
    if (rail->size[2] < 0.2) continue;
    CHECK_CLOSE(rail->pose.position[0], 0.3, 1e-9);
    CHECK_CLOSE(rail->size[2], 0.2 + 10 * t.scene.thickness, 1e-9);
  }

  // the rail of a driven slide, which goes down by 80 mm within 1.5 s, reaches as far as it goes in the study
  t = describe(MODELS "spindle.yaml", 10);
  CHECK_CLOSE(t.scene.ground[0].pose.position[2], -0.04, 1e-9);
  CHECK(t.scene.ground[0].size[2] > 0.08 && t.scene.ground[0].size[2] < 0.4);

  // motors on a plate; the coordinates of the platform do not stand on ground
  t = describe(MODELS "loops/delta.yaml", 10);
  CHECK_EQ_INT(count_shapes(t.scene.nground, t.scene.ground, SHAPE_MESH), 1);

  // six legs of one colour, another than the platform's, on a plate
  t = describe(MODELS "loops/stewart.yaml", 10);
  const unsigned leg = find_body(&t.scene, "leg1/piston")->shape[0].colour;
  CHECK(find_body(&t.scene, "leg6/piston")->shape[0].colour == leg);
  CHECK(find_body(&t.scene, "platform")->shape[0].colour != leg);
  CHECK_EQ_INT(count_shapes(t.scene.nground, t.scene.ground, SHAPE_MESH), 1);

  // each leg is a thin piston in a thick cylinder, together longer than the leg: foot at z = 0 and
  // head at z = 1.1 m, of which both cover 1.41 shares
  const sceneShape *outer = find_body(&t.scene, "leg1/cylinder")->shape;
  const sceneShape *inner = find_body(&t.scene, "leg1/piston")->shape;
  CHECK(outer->type == SHAPE_CYLINDER && inner->type == SHAPE_CYLINDER);
  CHECK(outer->radius > 1.5 * inner->radius);
  const double leg_length = outer->length / 0.55;
  CHECK_CLOSE(inner->length, 0.86 * leg_length, 1e-9);
  CHECK(leg_length > 1.1 && leg_length < 1.5);
  CHECK_CLOSE(v3_dot(shape_axis(&outer->pose), shape_axis(&inner->pose)), 1, 1e-9);

  // bars that hang on one another are told apart; a mechanism in the plane of its bearings has no plate
  t = describe(MODELS "chain-10.yaml", 10);
  CHECK(t.scene.body[0].shape[0].colour != t.scene.body[1].shape[0].colour);
  t = describe(MODELS "loops/seven-body.yaml", 10);
  CHECK_EQ_INT(count_shapes(t.scene.nground, t.scene.ground, SHAPE_MESH), 0);
}


TEST(rods_are_bodies_of_their_own)
{
  sceneTest t = describe(MODELS "vehicles/iltis.yaml", 10);
  int rods = 0;
  for (int i = 0; i < t.scene.nbody; i++) {
    const sceneBody *body = &t.scene.body[i];
    if (!body->is_rod) continue;
    rods++;
    // its far end, along z, is where the other body has the joint
    const modelJoint *joint = &t.model->joint[table_find(&t.model->joints, body->name)];
    artPose pose;
    art_body_pose(t.model, t.data, i + 1, &pose);
    const double *q = pose.rotation;
    const double z[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                         1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    double far[3], origin[3], turn[4];
    for (int k = 0; k < 3; k++) far[k] = pose.position[k] + body->length * z[k];
    art_frame_position(t.model, t.data, joint->to, origin);
    art_frame_rotation(t.model, t.data, joint->to, turn);
    const double *r = joint->end[1].position;
    // v' = v + 2 w (u x v) + 2 u x (u x v)
    const double u[3] = {turn[1], turn[2], turn[3]};
    const double c[3] = {u[1] * r[2] - u[2] * r[1], u[2] * r[0] - u[0] * r[2],
                         u[0] * r[1] - u[1] * r[0]};
    const double cc[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2],
                          u[0] * c[1] - u[1] * c[0]};
    for (int k = 0; k < 3; k++) origin[k] += r[k] + 2 * turn[0] * c[k] + 2 * cc[k];
    CHECK_NEAR(far, origin, 3, 1e-9);
  }
  CHECK_EQ_INT(rods, 8);
  CHECK(t.scene.road && !t.scene.road->z);
}


// all points lie inside of all faces, and V - E + F = 2
TEST(hulls_are_closed_and_hold_their_points)
{
  uint64_t seed = 7;
  for (int trial = 0; trial < 40; trial++) {
    const int n = 1 + trial % 12;
    double point[12][3];
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 3; k++)
        point[i][k] = trial % 3 == 2 && k == 2 ? 0 : check_uniform(&seed, -1, 1);
    }
    baseArena arena = {0};
    ioHull hull;
    hull_around(&hull, n, point[0], 0.05, &arena);
    CHECK_EQ_INT(hull.nvertex - 3 * hull.ntriangle / 2 + hull.ntriangle, 2);
    double least = 1;
    for (int f = 0; f < hull.ntriangle; f++) {
      const float *a = hull.vertex + 3 * hull.triangle[3 * f],
                  *b = hull.vertex + 3 * hull.triangle[3 * f + 1];
      const float *c = hull.vertex + 3 * hull.triangle[3 * f + 2];
      double p[3], q[3], normal[3];
      for (int k = 0; k < 3; k++)
        p[k] = (double) b[k] - (double) a[k], q[k] = (double) c[k] - (double) a[k];
      for (int k = 0; k < 3; k++)
        normal[k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
      const double length =
          sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      for (int i = 0; i < n; i++) {
        double depth = 0;
        for (int k = 0; k < 3; k++) depth += normal[k] / length * ((double) a[k] - point[i][k]);
        least = check_smaller(least, depth);
      }
    }
    CHECK(least > 0.03 && least < 0.051);
    arena_free(&arena);
  }
}


// colours of a picture of 10 by 10 units at a place
static unsigned colour_at(const ioCanvas *canvas, double x, double y)
{
  const int fine = canvas->width / 10;
  return canvas->colour[(int) (y * fine) * canvas->width + (int) (x * fine)];
}


TEST(pictures_show_what_is_nearest)
{
  baseArena arena = {0};
  ioCanvas canvas = canvas_start(10, 10, &arena);
  // a slope that comes out of a level face in the middle; both beyond the picture on all sides
  const canvasPoint level[3] = {{-20, -20, 1}, {40, -20, 1}, {5, 60, 1}};
  const canvasPoint slope[3] = {{-20, -20, -24}, {5, 60, 1}, {40, -20, 36}};
  for (int pass = 0; pass < 2; pass++) {
    canvas_triangle(&canvas, pass ? slope : level, pass ? 0xff0000 : 0x0000ff);
  }
  CHECK(colour_at(&canvas, 1, 5) == 0x0000ff && colour_at(&canvas, 9, 5) == 0xff0000);
  canvas_triangle(&canvas, level, 0x0000ff);
  CHECK(colour_at(&canvas, 9, 5) == 0xff0000);
  canvas_line(&canvas, (canvasPoint){0, 2, 99}, (canvasPoint){10, 2, 99}, 1, 0x00ff00);
  CHECK(colour_at(&canvas, 9, 2) == 0x00ff00 && colour_at(&canvas, 9, 3) == 0xff0000);
  // nothing, lines without length and places that are no numbers leave it alone
  const canvasPoint none[3] = {{NAN, 0, 200}, {5, NAN, 200}, {9, 9, NAN}};
  canvas_triangle(&canvas, none, 0);
  canvas_line(&canvas, level[0], level[0], 1, 0);
  CHECK(colour_at(&canvas, 9, 5) == 0xff0000);
  arena_free(&arena);
}


TEST(shadows_fall_away_from_the_sun)
{
  baseArena arena = {0};
  drawingGround ground = ground_start((v3){1, 0, 0}, (v3){0, 1, 0}, (v3){0, 0, 1}, -1, &arena);
  const v3 cube[9] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {1, 1, -1},      {0, 0, 0},
                      {1, 0, 0},  {0, 1, 0},  {1, 1, 0},  {0.5, 0.5, -0.5}};
  ground_add(&ground, 9, cube);
  // the floor under the cube, and its top shifted: a hexagon
  CHECK_EQ_INT(ground.noutline, 1);
  CHECK_EQ_INT(ground.n, 6);
  CHECK_CLOSE(ground.low[0], -0.45, 1e-12);
  CHECK_CLOSE(ground.high[1], 1.35, 1e-12);
  double low[2], high[2];
  const double spacing = ground_grid(&ground, low, high);
  CHECK_CLOSE(spacing, 0.1, 1e-12);
  CHECK(low[0] < -0.45 && high[1] > 1.35);
  ground_add(&ground, 2, cube);
  CHECK_EQ_INT(ground.noutline, 1);
  // triangles of a mesh take the room of their outlines
  for (int k = 0; k < 10000; k++) ground_add(&ground, 3, cube);
  CHECK_EQ_INT(ground.n, 30006);
  CHECK(arena_bytes(&arena) < 2000000);
  arena_free(&arena);
}
