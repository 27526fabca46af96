// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Natural coordinates of a model as `check` and `info` show them.
#ifndef CLI_COORDINATES_H
#define CLI_COORDINATES_H

#include "tell.h"

typedef struct cliCoordinates {
  artError error; // why there are none; status ART_OK when there are
  int is_planar;
  int items, shared; // points and unit vectors, and how often one belongs to a neighbour as well
  int coordinates, rows;
} cliCoordinates;

// After the loops are closed, or as far as they go. 0 and the error when memory ran out.
int coordinates_examine(cliCoordinates *coordinates, const artModel *model, artData *data,
                        artError *error);

// Some words: "18 in space: 5 points and vectors, shared 2 times; 14 constraint rows".
void coordinates_tell(cliReport *report, const cliCoordinates *c);

#endif
