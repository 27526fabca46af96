// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pieces of the C writer that writers of other kinds of C use.
#ifndef EMIT_C_H
#define EMIT_C_H

#include "emit/writer.h"

// A call of a user's function; its result goes to scope.vector at scope.offset if w->part is not 0.
void c_call(emitWriter *w, int equation, int depth, int is_new);

// Variables that iterations over equations from .. to change.
void c_declare_variables(emitWriter *w, int from, int to, int depth);

// A text of a function: its head, the declarations that its body needs, the lines behind that; see emitSyntax.
int c_head(emitWriter *w, int which, const char *body);
void c_foot(emitWriter *w, int which);

// The head of the function or of its constants, without the end of a line, into the statement; vectors read and written, as
// they stand there. `own` are the words behind the star.
void c_print_head(emitWriter *w, int which, const char *own);
void c_print_vectors(emitWriter *w, const char *own);

// A whole function whose statements stand in loops, with its constants (c_roll.c).
void c_print_rolled(emitWriter *w);

int c_mentions(const char *text, const char *word);

// Say that a body does not mention the word, or inputs or outputs of its function; returns how many it does not mention.
int c_mark_unused(FILE *out, const char *body, const char *word);
int c_mark_unused_inputs(FILE *out, const char *body, const eqnFunction *f);
int c_mark_unused_outputs(FILE *out, const char *body, const eqnFunction *f);

#endif
