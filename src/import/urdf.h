// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The parts of the reader of URDF share these declarations.
#ifndef IMPORT_URDF_H
#define IMPORT_URDF_H

#include "import/import_work.h"

typedef struct urdfReader {
  importWork *w;
  xmlNode *root;
  baseTable materials; // colours by name
  baseTable joints;    // by their names in the file
  int *parent;         // [body] the joint that leads to it, or -1
} urdfReader;

// The link that a name of the file stands for: a link, or the child of a joint, in whose frame it is; -2: neither.
int urdf_find_frame(const urdfReader *r, const char *name);

// A loop between two links by such names, whose frames coincide, or with is_point their origins alone.
void urdf_close(urdfReader *r, const char *from, const char *to, bool is_point, artPlace place);

// Loops that stand in a file beside it; loops, motors and states of an SRDF file beside it (urdf_loops.c).
void urdf_read_loops(urdfReader *r);
void urdf_read_srdf(urdfReader *r);

#endif
