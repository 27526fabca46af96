// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A scene file in memory, and its poses frame by frame.
#include "show/scene_read.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/bytes.h"
#include "spatial/pose.h"


artStatus motion_open(ioMotion *film, const char *path, artError *error)
{
  artStatus status = scene_open(&film->reader, path, error);
  if (!status) status = scene_parse(&film->scene, film->reader.root, film->reader.path, error);
  if (status) return status;
  film->frames = scene_count(&film->reader);
  film->bytes = mem_alloc(scene_frame_size(&film->reader), 1);
  if (!film->bytes) return base_no_memory(error);
  if (film->frames > 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = film->reader.path},
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
