// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// C over lanes: every number is a vector of several instances of the machine, which advance together.
#ifndef EMIT_LANES_H
#define EMIT_LANES_H

#include <stdio.h>

// How many lanes there are, and the type NAME_lanes; `lanes` is a number of them or EMIT_LANES_OF_TARGET.
void lanes_declare(FILE *out, const char *name, int lanes);

// Headers of the C compiler that the functions need.
void lanes_include(FILE *out);

// The functions of lanes that equations call (lanes_math.h, whose text goes into generated files).
void lanes_define(FILE *out, const char *name);

#endif
