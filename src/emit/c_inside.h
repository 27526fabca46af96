// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pieces of the C writer that writers of other kinds of C use.
#ifndef EMIT_C_INSIDE_H
#define EMIT_C_INSIDE_H

#include "emit/writer.h"

extern const emitSyntax c_syntax, lanes_syntax;

// A call of a user's function; its result goes to scope.vector at scope.offset if w->part is not 0.
void c_call(emitWriter *w, int equation, int depth, int is_new);

// The whole function, with its constants.
void c_print_function(emitWriter *w, const char *linkage);

// Says that a body does not mention the word, if that is so; returns whether it is.
int c_mark_unused(FILE *out, const char *body, const char *word);

#endif
