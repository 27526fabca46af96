// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The motion of a result as an animated PNG, for pages, slides and mails.
#ifndef SHOW_MOVING_PICTURE_H
#define SHOW_MOVING_PICTURE_H

#include "show/scene_read.h"

// Write the motion at its own speed, within 1 s to 12 s, repeating forever. The view follows a
// machine that travels.
artStatus moving_picture_write(ioMotion *film, const char *path, artError *error);

#endif
