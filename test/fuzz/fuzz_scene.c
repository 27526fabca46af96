// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a scene file. A scene can be looked at, frame by frame.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "show/scene_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void look(ioSceneReader *reader)
{
  ioScene scene = {0};
  artError error = {0};
  const artStatus status = scene_parse(&scene, reader->root, "fuzz.arts", &error);
  if ((status == ART_OK) != (error.text[0] == '\0')) abort();
  if (!status && scene.nbody != reader->layout.nbody) abort();
  scene_free(&scene);

  unsigned char bytes[4096];
  const long frames = scene_count(reader);
  for (long i = 0; i < frames && i < 20; i++) {
    if (scene_frame_size(reader) <= sizeof bytes) scene_read_frame(reader, i, bytes);
    if (reader->layout.nchannel > 0) scene_read_column(reader, 0, i, 1, bytes);
  }
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  FILE *stream = size > 0 ? fmemopen((void *) data, size, "rb") : NULL;
  if (!stream) return 0;
  ioSceneReader reader = {0};
  artError error = {0};
  const artStatus status = scene_open_stream(&reader, stream, "fuzz.arts", &error);
  if ((status == ART_OK) != (error.text[0] == '\0')) abort();
  if (!status) look(&reader);
  scene_shut(&reader);
  return 0;
}
