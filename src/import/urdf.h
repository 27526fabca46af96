// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Declarations shared by the files of the URDF reader.
#ifndef IMPORT_URDF_H
#define IMPORT_URDF_H

#include "import/import_work.h"

typedef struct urdfReader {
  importWork *w;
  xmlNode *root;
  baseTable materials; // colours by name
  baseTable joints;    // by their names in the file
  int *parent;         // [body] index of its parent joint, or -1
} urdfReader;

// The link for a name of the file: a link, or the child of a joint, in whose frame it is; -2:
// neither.
int urdf_find_frame(const urdfReader *r, const char *name);

// Close a loop between two links given by such names: their frames coincide, or with is_point only
// the origins.
void urdf_close(urdfReader *r, const char *from, const char *to, bool is_point, artPlace place);

// Read loops from a YAML file next to the URDF file; loops, motors and states from an SRDF file
// next to it (urdf_loops.c).
void urdf_read_loops(urdfReader *r);
void urdf_read_srdf(urdfReader *r);

#endif
