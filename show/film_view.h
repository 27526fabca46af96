// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From where the motion of a result is drawn: a machine on ground from one place; one that travels is followed.
#ifndef SHOW_FILM_VIEW_H
#define SHOW_FILM_VIEW_H

#include "show/drawing.h"

// The poses are those of the frame that was read last. Memory comes from an arena that throws.
typedef struct filmView {
  ioMotion *film;
  artPose *pose;   // [nbody]
  double start[3]; // centre of mass at the first frame, m
  int is_followed;
  baseArena *arena;
} filmView;
filmView film_view_start(ioMotion *film, baseArena *arena);

// All that is seen at `count` frames from the first to the last, as if the machine stayed where it starts.
drawingBox film_view_measure(filmView *look, drawingView view, int count);

// Read a frame and move the box along with the machine. Returns the time; throws where the frame cannot be read.
double film_view_read(filmView *look, long frame, drawingView view, drawingBox *box);

#endif
