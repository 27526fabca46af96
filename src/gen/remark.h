// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Remarks on parameters, for readers of generated code.
#ifndef GEN_REMARK_H
#define GEN_REMARK_H

#include "gen/build.h"

// Names of joints and bodies at links, for remarks.
void gen_find_owners(genBuild *b);

// What parameter k of the tree is and whose, in the user's names; NULL when that is not known.
const char *gen_remark(genBuild *b, int k);

// Whether parameters i and j of a name are of one kind: the same coefficient of two laws, the same entry of two matrices.
int gen_are_alike(const char *name, int i, int j);

// Titles of links, and which link each symbol of the pool speaks of, for the program.
void gen_title_links(genBuild *b);

#endif
