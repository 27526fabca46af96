// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Remarks on parameters, for readers of generated code.
#ifndef GEN_REMARK_H
#define GEN_REMARK_H

#include "gen/build.h"

// What a parameter is and whose, in the user's names; NULL when that is not known.
const char *gen_remark(genBuild *b, const char *name, int index);

// Titles of links, and which link each symbol of the pool speaks of, for the program.
void gen_title_links(genBuild *b);

#endif
