// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The motion of a result as one animated PNG, for pages, slides and mails.
#ifndef SHOW_MOVING_PICTURE_H
#define SHOW_MOVING_PICTURE_H

#include "show/scene_read.h"

// The motion at its own pace, but in 1 s to 12 s; it repeats for ever. A machine that travels is followed.
artStatus moving_picture_write(ioMotion *film, const char *path, artError *error);

#endif
