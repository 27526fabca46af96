// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scene files read back: header, frames and columns by arithmetic.
#include "show/scene_read.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "show/bytes.h"
#include "spatial/pose.h"

static const size_t LONGEST_HEADER = 256 << 20;


static artStatus refuse(const ioSceneReader *reader, const char *what, artError *error)
{
  return file_wrong(error, reader->path, "is no scene file: %s; 'articula run' writes one", what);
}


// files that people name in the place of a result
static artStatus refuse_other(const ioSceneReader *reader, artError *error)
{
  const char *path = reader->path;
  if (file_has_ending(path, ".yaml") || file_has_ending(path, ".yml"))
    return file_wrong(error, path,
                      "is a model, expected a result; 'articula run %.200s' writes one", path);
  if (file_has_ending(path, ".csv") || file_has_ending(path, ".json"))
    return file_wrong(error, path, "is a file of a result, expected the directory it stands in");
  return refuse(reader, "it does not begin with ARTSCENE", error);
}


static int read_at(ioSceneReader *reader, long long at, size_t n, void *bytes)
{
  return fseeko(reader->stream, (off_t) at, SEEK_SET) == 0 &&
         fread(bytes, 1, n, reader->stream) == n;
}


// bytes in the file now
static long long length_of(ioSceneReader *reader)
{
  if (fseeko(reader->stream, 0, SEEK_END) != 0) return 0;
  const long long length = (long long) ftello(reader->stream);
  return length < 0 ? 0 : length;
}


//---- opening -------------------------------------------------------------------------------------

static artStatus read_head(ioSceneReader *reader, artError *error)
{
  unsigned char head[SCENE_HEAD];
  if (!read_at(reader, 0, sizeof head, head) || memcmp(head, "ARTSCENE", 8) != 0) {
    return refuse_other(reader, error);
  }
  if (get_u32(head + 8) != SCENE_VERSION)
    return file_wrong(error, reader->path, "has version %u, expected %d; another articula wrote it",
                      (unsigned) get_u32(head + 8), SCENE_VERSION);
  const size_t n = get_u32(head + 12);
  if (n > LONGEST_HEADER || (long long) n + SCENE_HEAD > length_of(reader)) {
    return refuse(reader, "it ends within its header", error);
  }
  reader->header = mem_alloc(n + 1, 1);
  if (!reader->header) return base_no_memory(error);
  reader->header_length = n;
  reader->start = (long long) n + SCENE_HEAD;
  if (!read_at(reader, SCENE_HEAD, n, reader->header)) {
    return refuse(reader, "its header cannot be read", error);
  }
  return json_read(&reader->root, reader->header, n, reader->path, &reader->arena, error);
}


static artStatus lay_out(ioSceneReader *reader, artError *error)
{
  const jsonNode *root = reader->root;
  reader->has_velocities = json_find_bool(root, "velocities");
  reader->layout = scene_layout(json_find_index(root, "chunk", 0), json_find_count(root, "bodies"),
                                reader->has_velocities, json_find_count(root, "vectors"),
                                json_find_count(root, "channels"));
  if (strcmp(json_find_text(root, "format", ""), "articula-scene") != 0) {
    return refuse(reader, "its header has another format", error);
  }
  if (reader->layout.size == 0) return refuse(reader, "its header has no 'chunk'", error);
  return ART_OK;
}


artStatus scene_open_stream(ioSceneReader *reader, FILE *stream, const char *name, artError *error)
{
  reader->stream = stream;
  snprintf(reader->path, sizeof reader->path, "%s", name);
  // the file may grow: what was read ahead would be old
  setvbuf(stream, NULL, _IONBF, 0);
  const artStatus status = read_head(reader, error);
  return status ? status : lay_out(reader, error);
}


artStatus scene_open(ioSceneReader *reader, const char *path, artError *error)
{
  char file[FILE_PATH_LENGTH];
  struct stat about;
  if (stat(path, &about) != 0)
    return file_wrong(error, path,
                      "there is no such result; 'articula run MODEL -o %.200s' writes one", path);
  snprintf(file, sizeof file, "%s", path);
  if (S_ISDIR(about.st_mode)) {
    const artStatus status = file_join(file, path, "scene.arts", error);
    if (status) return status;
    if (stat(file, &about) != 0)
      return file_wrong(
          error, path,
          "there is no scene.arts in this directory; 'articula run MODEL -o %.200s' writes one",
          path);
  }
  FILE *stream;
  const artStatus status = file_open(&stream, file, 0, error);
  return status ? status : scene_open_stream(reader, stream, file, error);
}


void scene_shut(ioSceneReader *reader)
{
  if (reader->stream) fclose(reader->stream);
  mem_free(reader->header);
  arena_free(&reader->arena);
  *reader = (ioSceneReader){0};
}


//---- frames --------------------------------------------------------------------------------------

long scene_count(ioSceneReader *reader)
{
  const long long chunks = (length_of(reader) - reader->start) / (long long) reader->layout.size;
  unsigned char used[4];
  if (chunks < 1 || chunks > (1LL << 40)) return 0;
  const long long last = reader->start + (chunks - 1) * (long long) reader->layout.size;
  if (!read_at(reader, last, sizeof used, used)) return 0;
  const uint32_t most = (uint32_t) reader->layout.frames, n = get_u32(used);
  return (long) ((chunks - 1) * reader->layout.frames) + (long) (n < most ? n : most);
}


size_t scene_frame_size(const ioSceneReader *reader)
{
  const sceneLayout *l = &reader->layout;
  const size_t each = reader->has_velocities ? SCENE_POSE + SCENE_VELOCITY : SCENE_POSE;
  const size_t floats = (size_t) l->nbody * each + (size_t) l->nvector * SCENE_VECTOR;
  return 8 + (4 * floats + 7) / 8 * 8;
}


int scene_read_frame(ioSceneReader *reader, long frame, unsigned char *bytes)
{
  const sceneLayout *l = &reader->layout;
  const long long f = frame % l->frames;
  const long long chunk = reader->start + (long long) l->size * (frame / l->frames);
  const size_t pose = 4 * SCENE_POSE * (size_t) l->nbody;
  const size_t velocity = reader->has_velocities ? 4 * SCENE_VELOCITY * (size_t) l->nbody : 0;
  const size_t vector = 4 * SCENE_VECTOR * (size_t) l->nvector;
  memset(bytes, 0, scene_frame_size(reader));
  return read_at(reader, chunk + (long long) l->time + 8 * f, 8, bytes) &&
         read_at(reader, chunk + (long long) l->pose + (long long) pose * f, pose, bytes + 8) &&
         read_at(reader, chunk + (long long) l->velocity + (long long) velocity * f, velocity,
                 bytes + 8 + pose) &&
         read_at(reader, chunk + (long long) l->vector + (long long) vector * f, vector,
                 bytes + 8 + pose + velocity);
}


int scene_read_column(ioSceneReader *reader, int channel, long from, long n, unsigned char *bytes)
{
  const sceneLayout *l = &reader->layout;
  const size_t place = channel < 0 ? l->time : l->channel + l->column * (size_t) channel;
  while (n > 0) {
    const long f = from % l->frames, left = l->frames - f, some = n < left ? n : left;
    const long long chunk = reader->start + (long long) l->size * (from / l->frames);
    if (!read_at(reader, chunk + (long long) place + 8 * f, 8 * (size_t) some, bytes)) return 0;
    bytes += 8 * some;
    from += some;
    n -= some;
  }
  return 1;
}


//---- a scene file in memory, and its poses frame by frame ----------------------------------------

artStatus motion_open(ioMotion *film, const char *path, artError *error)
{
  artStatus status = scene_open(&film->reader, path, error);
  if (!status) status = scene_parse(&film->scene, film->reader.root, film->reader.path, error);
  if (status) return status;
  film->frames = scene_count(&film->reader);
  film->bytes = mem_alloc(scene_frame_size(&film->reader), 1);
  if (!film->bytes) return base_no_memory(error);
  if (film->frames > 0) return ART_OK;
  return file_wrong(error, film->reader.path,
                    "the scene has no frames: the run ended before its first row");
}


void motion_close(ioMotion *film)
{
  scene_free(&film->scene);
  scene_shut(&film->reader);
  mem_free(film->bytes);
  *film = (ioMotion){0};
}


int motion_read(ioMotion *film, long frame, double *time, artPose *pose)
{
  if (!scene_read_frame(&film->reader, frame, film->bytes)) return 0;
  *time = get_f64(film->bytes);
  for (int i = 0; i < film->scene.nbody; i++) {
    const unsigned char *from = film->bytes + 8 + 4 * SCENE_POSE * (size_t) i;
    for (int k = 0; k < 3; k++) pose[i].position[k] = (double) get_f32(from + 4 * k);
    for (int k = 0; k < 4; k++) pose[i].rotation[k] = (double) get_f32(from + 12 + 4 * k);
  }
  return 1;
}


void motion_end(const ioMotion *film, const artPose *pose, int force, int end, double at[3])
{
  const sceneForce *f = &film->scene.force[force];
  const double *point = f->point[end];
  v3 place = {point[0], point[1], point[2]};
  if (f->body[end] >= 0) {
    const modelPose body = pose_from_art(&pose[f->body[end]]);
    place = v3_add(body.r, m3_back(body.R, place));
  }
  memcpy(at, (double[]){place.x, place.y, place.z}, 3 * sizeof *at);
}
