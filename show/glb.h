// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scenes as glTF 2.0 animations in a binary file (.glb), for 3-D viewers.
#ifndef SHOW_GLB_H
#define SHOW_GLB_H

#include "show/scene_read.h"

// Bodies with their shapes, springs as coils, and the motion, at most 60 frames per second. The up
// axis is y, as glTF requires.
artStatus glb_write(ioMotion *film, const char *path, artError *error);

#endif
