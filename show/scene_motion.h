// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A scene file in memory: its parts, and where the bodies are at some frame.
#ifndef SHOW_SCENE_MOTION_H
#define SHOW_SCENE_MOTION_H

#include "show/scene_read.h"

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

// Time and poses [nbody] of a frame; 0 when it cannot be read.
int motion_read(ioMotion *film, long frame, double *time, artPose *pose);

// Where an end of a force is, given the poses of its frame.
void motion_end(const ioMotion *film, const artPose *pose, int force, int end, double at[3]);

#endif
