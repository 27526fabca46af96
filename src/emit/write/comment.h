// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Comments at the head of files and functions.
#ifndef EMIT_COMMENT_H
#define EMIT_COMMENT_H

#include "emit/write/statement.h"

// Words of the user's inside of a comment, made such that they stay there in every language.
void emit_words(FILE *out, const char *text);

// A line of comment; a long one is wrapped.
void emit_comment(FILE *out, const char *comment, int indent, const char *text);
void emit_provenance(FILE *out, const eqnProgram *program, const char *comment);

// The comment on a function that the user of the text supplies as `call`.
void emit_external(FILE *out, const eqnExternal *x, const char *call, const char *comment,
                   int indent);

// One line for each parameter: head, label, value and remark.
void emit_parameters(FILE *out, const emitSyntax *syntax, const eqnProgram *program,
                     const char *head, int has_value, int indent);

// The comment on a function: its purpose, its vectors, its operations.
void emit_about(FILE *out, const eqnList *list, const char *comment, int indent);

// Whether a function writes into an input vector.
int emit_is_written(const eqnFunction *f, const eqnVector *v);

#endif
