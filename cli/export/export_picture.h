// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#ifndef CLI_EXPORT_PICTURE_H
#define CLI_EXPORT_PICTURE_H

#include "command.h"

// A PNG in the arena of the call; width 0: the machine has no shape.
typedef struct exportPicture {
  const unsigned char *bytes;
  size_t size;
  int width, height; // pixels
} exportPicture;

exportPicture export_picture(cliWork *w);

#endif
