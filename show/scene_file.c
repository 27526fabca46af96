// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Writer of scene files, chunk by chunk.
#include "show/scene_file.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/bytes.h"

enum { MAX_FRAMES = 256 };
static const size_t MAX_CHUNK_SIZE = 4 << 20; // bytes, with many bodies


//---- layout --------------------------------------------------------------------------------------

static size_t up_to_8(size_t n)
{
  return (n + 7) / 8 * 8;
}


sceneLayout scene_layout(int frames, int nbody, int velocities, int nvector, int nchannel)
{
  sceneLayout l = {
      .frames = frames, .nbody = nbody, .nvector = nvector, .nchannel = nchannel, .time = 8};
  const size_t limit = 1 << 24, n = (size_t) frames;
  if (frames < 1 || nbody < 0 || nvector < 0 || nchannel < 0 || n > limit ||
      (size_t) nbody > limit || (size_t) nvector > limit || (size_t) nchannel > limit) {
    return l;
  }
  l.pose = l.time + 8 * n;
  l.velocity = l.pose + up_to_8(4 * SCENE_POSE * n * (size_t) nbody);
  l.vector = l.velocity + (velocities ? up_to_8(4 * SCENE_VELOCITY * n * (size_t) nbody) : 0);
  l.channel = l.vector + up_to_8(4 * SCENE_VECTOR * n * (size_t) nvector);
  l.column = 8 * n;
  l.size = l.channel + l.column * (size_t) nchannel;
  return l;
}


// the number of frames of the run, divided evenly into chunks
static int choose_chunk(const ioScene *scene)
{
  const sceneLayout one = scene_layout(1, scene->nbody, 1, scene->nvector, scene->nchannel);
  long most = (long) (MAX_CHUNK_SIZE / one.size);
  most = most < 8 ? 8 : most > MAX_FRAMES ? MAX_FRAMES : most;
  const long rows = scene->study.rows < 1 ? most : scene->study.rows;
  const long chunks = (rows + most - 1) / most;
  return (int) ((rows + chunks - 1) / chunks);
}


//---- opening -------------------------------------------------------------------------------------

// allocate chunks, and make the header
static artStatus prepare_scene_file(ioSceneFile *file, const char *path, const ioScene *scene,
                                    char **header, size_t *length, artError *error)
{
  const int frames = choose_chunk(scene);
  snprintf(file->path, sizeof file->path, "%s", path);
  file->scene = scene;
  file->layout = scene_layout(frames, scene->nbody, 1, scene->nvector, scene->nchannel);
  const size_t numbers = (size_t) scene->nbody * (SCENE_POSE + SCENE_VELOCITY) +
                         (size_t) scene->nvector * SCENE_VECTOR;
  file->chunk = mem_alloc(file->layout.size, 1);
  file->numbers = mem_alloc(numbers + 1, sizeof *file->numbers);
  if (!file->chunk || !file->numbers) return base_no_memory(error);
  return scene_header(scene, frames, header, length, error);
}


static artStatus write_scene_head(ioSceneFile *file, const char *header, size_t length,
                                  artError *error)
{
  unsigned char head[SCENE_HEAD] = "ARTSCENE";
  put_u32(head + 8, SCENE_VERSION);
  put_u32(head + 12, (uint32_t) length);
  file->start = (long long) (SCENE_HEAD + length);
  if (fwrite(head, 1, sizeof head, file->stream) == sizeof head &&
      fwrite(header, 1, length, file->stream) == length && fflush(file->stream) == 0) {
    return ART_OK;
  }
  return file_fail(error, file->path, "cannot write");
}


artStatus scene_create(ioSceneFile *file, const char *path, const ioScene *scene, artError *error)
{
  char *header = NULL;
  size_t length = 0;
  artStatus status = prepare_scene_file(file, path, scene, &header, &length, error);
  if (!status) status = file_create(&file->stream, path, 0, error);
  if (!status) status = write_scene_head(file, header, length, error);
  mem_free(header);
  return status;
}


static artStatus refuse_scene_file(const char *path, artError *error)
{
  return file_wrong(error, path,
                    "does not belong to the interrupted run; start anew without --resume");
}


// check that an existing file has the same header, and read the valid frames of its last chunk
static artStatus compare_scene_file(ioSceneFile *file, const char *header, size_t length,
                                    long frames, artError *error)
{
  const int chunk = file->layout.frames;
  const long done = frames / chunk;
  file->start = (long long) (SCENE_HEAD + length);
  char *found = mem_alloc(length, 1);
  if (!found) return base_no_memory(error);
  const bool is_same = fseek(file->stream, SCENE_HEAD, SEEK_SET) == 0 &&
                       fread(found, 1, length, file->stream) == length &&
                       memcmp(found, header, length) == 0;
  mem_free(found);
  if (!is_same) return refuse_scene_file(file->path, error);

  file->frames = frames;
  if (frames % chunk == 0) return ART_OK;
  const long long at = file->start + (long long) file->layout.size * done;
  if (fseeko(file->stream, (off_t) at, SEEK_SET) != 0 ||
      fread(file->chunk, 1, file->layout.size, file->stream) != file->layout.size ||
      get_u32(file->chunk) < (uint32_t) (frames % chunk)) {
    return refuse_scene_file(file->path, error);
  }
  return ART_OK;
}


artStatus scene_resume(ioSceneFile *file, const char *path, const ioScene *scene, long frames,
                       artError *error)
{
  char *header = NULL;
  size_t length = 0;
  artStatus status = prepare_scene_file(file, path, scene, &header, &length, error);
  if (!status) status = file_open(&file->stream, path, 1, error);
  if (!status) status = compare_scene_file(file, header, length, frames, error);
  mem_free(header);
  return status;
}


//---- frames --------------------------------------------------------------------------------------

static void put_float_bytes(unsigned char *to, int n, const float *values)
{
  for (int i = 0; i < n; i++) put_f32(to + 4 * (size_t) i, values[i]);
}


static int write_at(ioSceneFile *file, long long at, size_t n, const unsigned char *bytes)
{
  return fseeko(file->stream, (off_t) at, SEEK_SET) == 0 &&
         fwrite(bytes, 1, n, file->stream) == n && fflush(file->stream) == 0;
}


static artStatus write_scene_chunk(ioSceneFile *file, artError *error)
{
  const sceneLayout *l = &file->layout;
  const long index = (file->frames - 1) / l->frames;
  put_u32(file->chunk, (uint32_t) (file->frames - index * l->frames));
  const long long at = file->start + (long long) l->size * index;
  file->is_dirty = 0;

  // the number of frames is written last, so that concurrent readers see only complete frames
  if (write_at(file, at + 8, l->size - 8, file->chunk + 8) && write_at(file, at, 8, file->chunk)) {
    return ART_OK;
  }
  return file_fail(error, file->path, "cannot write");
}


artStatus scene_add_frame(ioSceneFile *file, artData *data, double time, const double *values,
                          artError *error)
{
  const sceneLayout *l = &file->layout;
  const int poses = l->nbody * SCENE_POSE, velocities = l->nbody * SCENE_VELOCITY;
  const int vectors = l->nvector * SCENE_VECTOR;
  const size_t f = (size_t) (file->frames % l->frames);
  float *pose = file->numbers, *velocity = pose + poses, *vector = velocity + velocities;
  scene_evaluate(file->scene, data, pose, velocity, vector);

  put_f64(file->chunk + l->time + 8 * f, time);
  put_float_bytes(file->chunk + l->pose + 4 * f * (size_t) poses, poses, pose);
  put_float_bytes(file->chunk + l->velocity + 4 * f * (size_t) velocities, velocities, velocity);
  put_float_bytes(file->chunk + l->vector + 4 * f * (size_t) vectors, vectors, vector);
  for (int k = 0; k < l->nchannel; k++) {
    put_f64(file->chunk + l->channel + l->column * (size_t) k + 8 * f, values[k]);
  }
  file->frames++;
  file->is_dirty = 1;
  if (f + 1 < (size_t) l->frames) return ART_OK;
  const artStatus status = write_scene_chunk(file, error);
  memset(file->chunk, 0, l->size);
  return status;
}


artStatus scene_flush(ioSceneFile *file, artError *error)
{
  return file->stream && file->is_dirty ? write_scene_chunk(file, error) : ART_OK;
}


artStatus scene_close(ioSceneFile *file, artError *error)
{
  artStatus status = scene_flush(file, error);
  if (file->stream && fclose(file->stream) != 0 && !status) {
    status = file_fail(error, file->path, "cannot write");
  }
  mem_free(file->chunk);
  mem_free(file->numbers);
  *file = (ioSceneFile){0};
  return status;
}
