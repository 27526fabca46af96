// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scene files (doc/theory/scene-format.md): written during a run, and readable at any time.
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

// Byte offsets in a chunk of `frames` frames.
typedef struct sceneLayout {
  int frames, nbody, nvector, nchannel;
  size_t time, pose, velocity, vector, channel; // of the first channel
  size_t column;                                // distance between channels
  size_t size;                                  // of the chunk
} sceneLayout;

// velocities: 0 omits them. The size is 0 if it would overflow.
sceneLayout scene_layout(int frames, int nbody, int velocities, int nvector, int nchannel);

//---- writing -------------------------------------------------------------------------------------

// Start from {0}.
typedef struct ioSceneFile {
  FILE *stream;
  char path[FILE_PATH_LENGTH];
  const ioScene *scene;
  sceneLayout layout;
  long long start; // of the first chunk
  long frames;     // total number
  unsigned char *chunk;
  float *numbers; // of one frame
  int is_dirty;   // the chunk has frames that are not in the file
} ioSceneFile;

// Create a file, replacing an old one; the scene must outlive it.
artStatus scene_create(ioSceneFile *file, const char *path, const ioScene *scene, artError *error);

// Continue the file of an interrupted run whose first `frames` frames are valid.
artStatus scene_resume(ioSceneFile *file, const char *path, const ioScene *scene, long frames,
                       artError *error);

// Add a frame from the data and the values of all channels; call after art_outputs. Allocates
// nothing.
artStatus scene_add_frame(ioSceneFile *file, artData *data, double time, const double *values,
                          artError *error);

// Write all frames so far to the file.
artStatus scene_flush(ioSceneFile *file, artError *error);

// Close; does nothing if no file is open.
artStatus scene_close(ioSceneFile *file, artError *error);

// The header as text, padded as in the file (scene_header.c); free with mem_free.
artStatus scene_header(const ioScene *scene, int chunk, char **text, size_t *length,
                       artError *error);

#endif
