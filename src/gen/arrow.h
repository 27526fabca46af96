// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a viewer shows beside the motion of bodies.
#ifndef GEN_ARROW_H
#define GEN_ARROW_H

#include "gen/build.h"

// Nodes and labels [gen_show_count] of all numbers that gen.h describes, once the machine was made.
void gen_show(genBuild *b, int *node, const char **label);

#endif
