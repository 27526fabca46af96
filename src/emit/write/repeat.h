// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops over branches that are built alike, in C: compilers then evaluate two or more branches at a time.
//
//   const double v_6[] = {v[6], v[9], v[12], v[15]};
//   for (int k = 0; k < 4; k++) {
//     const double w31 = sine[4 + k]*v_6[k];
//     s[8 + k] = c->k[96 + k]*w31;
//   }
//
// Variables that are read outside of their loop stand side by side in `s`; so do constants, a second time, in `c->k`.
#ifndef EMIT_REPEAT_H
#define EMIT_REPEAT_H

#include "emit/write/statement.h"

// Which equations must have places in `s` because of loops; parts are cut, `name` has those that are written into
// outputs directly, and loses those that loops cannot write so. Values that stages give to unknowns are outputs from
// here on.
void repeat_mark_shared(emitWriter *w, char *is_output, const char **name, char *is_shared);

// How operands are written in loops, once all have names.
void repeat_name(emitWriter *w);

// The end of the loop that an equation is in, at most `to`; e itself where it is in none.
int repeat_end(const emitWriter *w, int e, int to);

// Equations from .. to, which are a loop or the part of one.
void repeat_print(emitWriter *w, int from, int to, int depth);

// A new body has gathered no coordinates.
void repeat_forget(emitWriter *w);

// Constants that stand side by side, as statements.
void repeat_print_constants(emitWriter *w, int depth);

#endif
