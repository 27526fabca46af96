// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scenes as glTF 2.0 animations in one binary file (.glb), for any program that shows 3-D models.
#ifndef SHOW_GLB_H
#define SHOW_GLB_H

#include "show/scene_read.h"

// Bodies with their shapes, springs as coils, and the motion, at most 60 frames a second. glTF has y up.
artStatus glb_write(ioMotion *film, const char *path, artError *error);

#endif
