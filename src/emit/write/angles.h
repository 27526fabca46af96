// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sines and cosines of many angles at once, in C: CPUs then find two or more of them in the
// time of one, and no library is called.
#ifndef EMIT_ANGLES_H
#define EMIT_ANGLES_H

#include "emit/write/statement.h"

// Before equations from .. to, which are written as one run: the angles known by then, if there are
// enough, into vectors `sine` and `cosine` of w->nangle elements, which the writer reads from there on.
void angles_print(emitWriter *w, int from, int to, int depth, int is_new);

// The same where each is found before the equation that reads it first: the run before is forgotten.
void angles_begin(emitWriter *w, int from, int to, int depth, int is_new);

// Before one equation, the sines and cosines in it that are not known yet; equations after it that read
// the same angles, up to the next run, then know them too.
void angles_print_missing(emitWriter *w, int equation, int depth);

// A sine or cosine takes the place of its angle in w->angle from `begin` on, a new one where there is none yet: 1.
int angles_add(emitWriter *w, int node, int begin);

// A new body knows no angles.
void angles_forget(emitWriter *w);

// A call for the sines and cosines of w->angle from place `begin` on; one more place is taken if their number is odd.
void angles_call(emitWriter *w, int begin, int depth);

// The function that this calls, NAME_sincos.
void angles_define(FILE *out, const char *name);

#endif
