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

// The same of one whose statements stand in loops (c_roll.c).
void c_print_rolled(emitWriter *w, const char *linkage);

// Heads of the function and of its constants, without what stands behind the brackets, into the statement; vectors read
// and written, as they stand in these. `own` are the words behind the star.
void c_print_head(emitWriter *w, const char *linkage, const char *own);
void c_print_prepare_head(emitWriter *w, const char *linkage, const char *own);
void c_print_vectors(emitWriter *w, const char *own);

int c_mentions(const char *text, const char *word);

// Says that a body does not mention the word, if that is so; returns whether it is.
int c_mark_unused(FILE *out, const char *body, const char *word);

#endif
