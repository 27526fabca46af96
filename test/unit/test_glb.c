// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// glTF files, read back by the rules of the specification: chunks, accessors inside of the buffer, times that
// grow, quaternions of length one, poses of the scene. And the solids they are made of.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "articula/articula.h"
#include "base/memory.h"
#include "show/bytes.h"
#include "show/glb.h"
#include "show/triangles.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

// a scene of some frames of a model that falls from its initial state
static void make_scene(const char *file, int frames, double interval)
{
  artModel *model = NULL;
  if (!CHECK(art_load_model(&model, file, NULL) == ART_OK)) exit(1);
  keep_model(model);
  artData *data = keep_fresh_data(model);
  artRunDef study = *art_find_run(model, NULL);
  study.from = 0;
  study.until = frames * interval;
  ioScene scene = {0};
  ioSceneFile out = {0};
  double *values = MEM_ARRAY(double, art_count(model).outputs + 1);
  artRun *run = keep_started_run(model, data, &study);
  const sceneStudy about = {file, {.name = "study", .run = study}, frames};
  CHECK(scene_describe(&scene, model, data, &about, NULL) == ART_OK);
  CHECK(scene_create(&out, folder_path("scene.arts"), &scene, NULL) == ART_OK);
  for (int i = 0; i < frames; i++) {
    CHECK(art_run_to(run, i * interval, NULL) == ART_OK);
    art_outputs(model, data, values);
    CHECK(scene_add_frame(&out, data, i * interval, values, NULL) == ART_OK);
  }
  CHECK(scene_close(&out, NULL) == ART_OK);
  scene_free(&scene);
  mem_free(values);
}


//---- a reader of its own -------------------------------------------------------------------------

typedef struct glbFile {
  char *bytes;
  size_t size;
  const jsonNode *root;
  const unsigned char *buffer;
  size_t length;
  baseArena arena;
} glbFile;


static glbFile open_glb(const char *path)
{
  glbFile f = {0};
  CHECK(file_read(path, &f.bytes, &f.size, NULL) == ART_OK);
  const unsigned char *b = (const unsigned char *) f.bytes;
  CHECK(memcmp(b, "glTF", 4) == 0 && get_u32(b + 4) == 2 && get_u32(b + 8) == f.size);
  const size_t text = get_u32(b + 12);
  CHECK(get_u32(b + 16) == 0x4e4f534a && text % 4 == 0);
  CHECK(json_read(&f.root, f.bytes + 20, text, "glb", &f.arena, NULL) == ART_OK);
  f.length = get_u32(b + 20 + text);
  f.buffer = b + 28 + text;
  CHECK(get_u32(b + 24 + text) == 0x004e4942 && f.length % 4 == 0);
  CHECK(28 + text + f.length == f.size);
  return f;
}


static void close_glb(glbFile *f)
{
  mem_free(f->bytes);
  arena_free(&f->arena);
}


static const jsonNode *item(const jsonNode *list, int i)
{
  const jsonNode *node = list->first;
  while (i-- > 0 && node) node = node->next;
  return node;
}


// an accessor whose numbers are in the buffer; *count elements of *width numbers of 4 bytes
static const unsigned char *accessor(const glbFile *f, int i, int *count, int *width)
{
  const jsonNode *a = item(json_find(f->root, "accessors"), i);
  const jsonNode *view =
      item(json_find(f->root, "bufferViews"), json_find_index(a, "bufferView", -1));
  const char *type = json_find_text(a, "type", "");
  *count = json_find_index(a, "count", 0);
  *width = strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "VEC3") == 0 ? 3 : 4;
  const double offset = json_find_number(view, "byteOffset", -1);
  const double length = json_find_number(view, "byteLength", -1);
  CHECK(offset >= 0 && fmod(offset, 4) == 0 && offset + length <= (double) f->length);
  CHECK(*count > 0 && length == 4.0 * *count * *width);
  return f->buffer + (size_t) offset;
}


static void check_meshes(const glbFile *f)
{
  for (const jsonNode *mesh = json_find(f->root, "meshes")->first; mesh; mesh = mesh->next) {
    for (const jsonNode *p = json_find(mesh, "primitives")->first; p; p = p->next) {
      int vertices, width, indices;
      accessor(f, json_find_index(json_find(p, "attributes"), "POSITION", -1), &vertices, &width);
      CHECK_EQ_INT(width, 3);
      const unsigned char *index = accessor(f, json_find_index(p, "indices", -1), &indices, &width);
      CHECK(width == 1 && indices % 3 == 0);
      int most = 0;
      for (int i = 0; i < indices; i++) {
        const int v = (int) get_u32(index + 4 * i);
        if (v > most) most = v;
      }
      CHECK(most < vertices);
      CHECK(json_find_index(p, "material", -1) < json_find_count(f->root, "materials"));
    }
  }
}


static void check_animation(const glbFile *f, int frames)
{
  const jsonNode *animation = json_find(f->root, "animations")->first;
  const jsonNode *samplers = json_find(animation, "samplers");
  for (const jsonNode *c = json_find(animation, "channels")->first; c; c = c->next) {
    const jsonNode *target = json_find(c, "target");
    const char *path = json_find_text(target, "path", "");
    const jsonNode *sampler = item(samplers, json_find_index(c, "sampler", -1));
    int times, values, width;
    const unsigned char *t = accessor(f, json_find_index(sampler, "input", -1), &times, &width);
    CHECK(width == 1 && times == frames);
    for (int i = 1; i < times; i++) CHECK(get_f32(t + 4 * i) > get_f32(t + 4 * i - 4));
    const unsigned char *v = accessor(f, json_find_index(sampler, "output", -1), &values, &width);
    CHECK_EQ_INT(values, times);
    CHECK_EQ_INT(width, strcmp(path, "rotation") == 0 ? 4 : 3);
    CHECK(json_find_index(target, "node", -1) < json_find_count(f->root, "nodes"));
    for (int i = 0; i < values && width == 4; i++) {
      double square = 0;
      for (int k = 0; k < 4; k++) square += pow((double) get_f32(v + 16 * i + 4 * k), 2);
      CHECK(fabs(square - 1) < 1e-5);
    }
  }
}


//---- tests ---------------------------------------------------------------------------------------

TEST(an_animation_is_as_the_specification_has_it)
{
  make_scene(ART_SOURCE_DIR "/models/vehicles/iltis.yaml", 20, 0.02);
  ioMotion film = {0};
  CHECK(motion_open(&film, folder_own(), NULL) == ART_OK);
  CHECK(glb_write(&film, folder_path("x.glb"), NULL) == ART_OK);
  glbFile f = open_glb(folder_path("x.glb"));
  check_meshes(&f);
  check_animation(&f, 20);

  // machine, ground, bodies, four shock absorbers
  CHECK_EQ_INT(json_find_count(f.root, "nodes"), 2 + film.scene.nbody + 4);
  CHECK_TEXT(json_find_text(item(json_find(f.root, "nodes"), 2), "name", ""),
             film.scene.body[0].name);

  // the first two samplers move the first body as the scene does
  artPose pose[64];
  double time;
  int count, width;
  const jsonNode *samplers = json_find(json_find(f.root, "animations")->first, "samplers");
  const unsigned char *at =
      accessor(&f, json_find_index(item(samplers, 0), "output", -1), &count, &width);
  const unsigned char *turn =
      accessor(&f, json_find_index(item(samplers, 1), "output", -1), &count, &width);
  CHECK(motion_read(&film, 13, &time, pose));
  for (int k = 0; k < 3; k++) CHECK((double) get_f32(at + 12 * 13 + 4 * k) == pose[0].position[k]);
  for (int k = 0; k < 4; k++) {
    CHECK(fabs((double) get_f32(turn + 16 * 13 + 4 * k) - pose[0].rotation[(k + 1) % 4]) < 1e-6);
  }
  close_glb(&f);
  motion_close(&film);
}


TEST(frames_beyond_sixty_a_second_are_left_out)
{
  make_scene(ART_SOURCE_DIR "/models/double-pendulum.yaml", 101, 0.005);
  ioMotion film = {0};
  CHECK(motion_open(&film, folder_own(), NULL) == ART_OK);
  CHECK(glb_write(&film, folder_path("x.glb"), NULL) == ART_OK);
  glbFile f = open_glb(folder_path("x.glb"));
  check_meshes(&f);
  check_animation(&f, 26); // every fourth of 0 .. 100
  close_glb(&f);
  motion_close(&film);
}


// six times the volume that faces enclose: sum of a . (b x c)
static double volume(const ioSolid *s)
{
  double sum = 0;
  for (int t = 0; t < s->ntriangle; t++) {
    double p[3][3];
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 3; i++) p[k][i] = (double) s->vertex[3 * s->triangle[3 * t + k] + i];
    }
    for (int i = 0; i < 3; i++) {
      sum +=
          p[0][i] * (p[1][(i + 1) % 3] * p[2][(i + 2) % 3] - p[1][(i + 2) % 3] * p[2][(i + 1) % 3]);
    }
  }
  return sum / 6;
}


static double volume_of(sceneShape shape)
{
  baseArena arena = {0};
  ioSolid solid;
  shape.pose = (artPose){{1, 2, 3}, {0.5, 0.5, 0.5, 0.5}};
  solid_make(&solid, &shape, 400, &arena);
  const double v = volume(&solid);
  arena_free(&arena);
  return v;
}


TEST(solids_are_closed_and_face_outwards)
{
  const double pi = acos(-1);
  const double box = volume_of((sceneShape){.type = SHAPE_BOX, .size = {1, 2, 3}});
  CHECK(fabs(box - 6) < 1e-4);
  const double cylinder =
      volume_of((sceneShape){.type = SHAPE_CYLINDER, .radius = 0.5, .length = 2});
  CHECK(fabs(cylinder - pi / 2) < 1e-3);
  // eight steps of a quarter circle leave out somewhat more than a hundredth
  const double ball = volume_of((sceneShape){.type = SHAPE_SPHERE, .radius = 1});
  CHECK(ball < 4 * pi / 3 && ball > 0.98 * 4 * pi / 3);
  const double capsule = volume_of((sceneShape){.type = SHAPE_CAPSULE, .radius = 1, .length = 2});
  CHECK(fabs(capsule - ball - 2 * pi) < 1e-2);
  CHECK(volume_of((sceneShape){.type = SHAPE_TYRE, .radius = 1, .length = 1}) > 0.5 * pi);
}
