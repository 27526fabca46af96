// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of scene files, also while they grow. Files are untrusted: anything inconsistent is an
// error.
#ifndef SHOW_SCENE_READ_H
#define SHOW_SCENE_READ_H

#include "show/json_read.h"
#include "show/scene_file.h"

// Start from {0}.
typedef struct ioSceneReader {
  FILE *stream;
  char path[FILE_PATH_LENGTH];
  char *header; // as in the file
  size_t header_length;
  const jsonNode *root; // of the header
  int has_velocities;
  sceneLayout layout;
  long long start; // of the first chunk
  baseArena arena;
} ioSceneReader;

// Open a file, or scene.arts of a directory. Close also after a failure.
artStatus scene_open(ioSceneReader *reader, const char *path, artError *error);
artStatus scene_open_stream(ioSceneReader *reader, FILE *stream, const char *name, artError *error);
void scene_shut(ioSceneReader *reader);

// The number of complete frames at present.
long scene_count(ioSceneReader *reader);

// Size of a frame from scene_read_frame: time, poses, velocities, vectors, padded to 8.
size_t scene_frame_size(const ioSceneReader *reader);

// Read a frame as it is in the file; 0 if it is missing.
int scene_read_frame(ioSceneReader *reader, long frame, unsigned char *bytes);

// Read frames [from, from + n) of a channel, or with channel -1 of the time, as they are in the
// file.
int scene_read_column(ioSceneReader *reader, int channel, long from, long n, unsigned char *bytes);

// Parse the header into a scene without a model; free it with scene_free, also after a failure.
artStatus scene_parse(ioScene *scene, const jsonNode *root, const char *name, artError *error);

//---- a scene file in memory: its parts, and the poses of a frame ---------------------------------

// Start from {0}.
typedef struct ioMotion {
  ioSceneReader reader;
  ioScene scene;
  long frames;
  unsigned char *bytes; // of one frame
} ioMotion;

// Open the scene of a result, which must have frames; close also after a failure.
artStatus motion_open(ioMotion *film, const char *path, artError *error);
void motion_close(ioMotion *film);

// Time and poses [nbody] of a frame; 0 if it cannot be read.
int motion_read(ioMotion *film, long frame, double *time, artPose *pose);

// The position of an end of a force, given the poses of its frame.
void scene_force_end(const ioScene *scene, const artPose *pose, int force, int end, double at[3]);

#endif
