// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of nodes for readers of generated text: the user's name of a body, joint or force, then the quantity. Nodes keep
// the first name that they get.
#ifndef GEN_NAME_H
#define GEN_NAME_H

#include "gen/build.h"

// Words of links, joints and forces, once there are owners (remark.h).
void gen_find_words(genBuild *b);

// A name, "strut" and "length" to strut_length; of a vector, with _x, _y and _z behind it.
void gen_name(genBuild *b, int node, const char *owner, const char *quantity);
void gen_name_of(genBuild *b, int node, const char *owner, const char *quantity); // of any owner
void gen_name_vector(genBuild *b, node3 node, const char *owner, const char *quantity);

void gen_name_frame(genBuild *b, int frame, node3 node, const char *quantity);

// What the forms of the whole machine have found: how loops are closed, the equations of the free coordinates, all.
void gen_name_loops(genBuild *b);
void gen_name_machine(genBuild *b);
void gen_name_reduced(genBuild *b, const genReduced *reduced);

#endif
