// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scene files (doc/reference/scene-format.md): written while a run goes on, and readable at any time.
//
//   "ARTSCENE", version, length of the header, header as JSON, then chunks of equal size, each with
//   the number of its frames, times, poses, velocities, vectors, and the channels as columns.
#ifndef SHOW_SCENE_FILE_H
#define SHOW_SCENE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "base/file.h"
#include "show/scene.h"

enum { SCENE_VERSION = 1, SCENE_HEAD = 16 };

// Where things lie in a chunk of `frames` frames, bytes from its beginning.
typedef struct sceneLayout {
  int frames, nbody, nvector, nchannel;
  size_t time, pose, velocity, vector, channel; // of the first channel
  size_t column;                                // bytes from one channel to the next
  size_t size;                                  // of the chunk
} sceneLayout;

// velocities: 0 leaves them out. Numbers so large that a chunk has no size give size 0.
sceneLayout scene_layout(int frames, int nbody, int velocities, int nvector, int nchannel);

//---- writing -------------------------------------------------------------------------------------

// Start from {0}.
typedef struct ioSceneFile {
  FILE *stream;
  char path[FILE_PATH_LENGTH];
  const ioScene *scene;
  sceneLayout layout;
  long long start; // of the first chunk
  long frames;     // in all
  unsigned char *chunk;
  float *numbers; // of one frame
  int is_dirty;   // the chunk holds more than the file
} ioSceneFile;

// A new file in the place of an old one; the scene must live as long as the file is open.
artStatus scene_create(ioSceneFile *file, const char *path, const ioScene *scene, artError *error);

// Go on with the file of an interrupted run, of which the first `frames` frames are good.
artStatus scene_resume(ioSceneFile *file, const char *path, const ioScene *scene, long frames,
                       artError *error);

// A frame from the data and the values of all channels; call after art_outputs. Takes no memory.
artStatus scene_add_frame(ioSceneFile *file, artData *data, double time, const double *values,
                          artError *error);

// Bring the frames so far into the file.
artStatus scene_flush(ioSceneFile *file, artError *error);

// Close; harmless when nothing is open.
artStatus scene_close(ioSceneFile *file, artError *error);

// The header as text for mem_free, padded as in the file (scene_header.c).
artStatus scene_header(const ioScene *scene, int chunk, char **text, size_t *length,
                       artError *error);

#endif
