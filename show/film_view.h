// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The view for drawing the motion of a result: fixed for a machine on ground, moving with one that
// travels.
#ifndef SHOW_FILM_VIEW_H
#define SHOW_FILM_VIEW_H

#include "show/drawing.h"

// The poses are those of the frame read last. Memory comes from an arena that throws on failure.
typedef struct filmView {
  ioMotion *film;
  artPose *pose;   // [nbody]
  double start[3]; // centre of mass at the first frame, m
  int is_followed;
  baseArena *arena;
} filmView;
filmView film_view_start(ioMotion *film, baseArena *arena);

// The extent of the machine at `count` frames from the first to the last, without its travel.
drawingBox film_view_measure(filmView *look, drawingView view, int count);

// Read a frame and move the box with the machine. Returns the time; throws an error if the frame
// cannot be read.
double film_view_read(filmView *look, long frame, drawingView view, drawingBox *box);

#endif
