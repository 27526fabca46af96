// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pieces of the C writer that writers of other kinds of C use.
#ifndef EMIT_C_H
#define EMIT_C_H

#include "emit/write/writer.h"

// A call of a user's function; its result goes to scope.vector at scope.offset if w->part is not 0.
void c_call(emitWriter *w, int equation, int depth, int is_new);

// Variables that iterations over equations from .. to change.
void c_declare_variables(emitWriter *w, int from, int to, int depth);

// A text of a function: its head, the declarations that its body needs, the lines after that; see emitSyntax.
int c_head(emitWriter *w, int which, const char *body);
void c_foot(emitWriter *w, int which);

// The head of the function or of its constants, without the end of a line, into the statement; vectors read and written, as
// they are there. `own` are the words after the star.
void c_print_head(emitWriter *w, int which, const char *own);
void c_print_vectors(emitWriter *w, const char *own);

// Spellings of lanes.
#define LANES_DIALECT                                                                              \
  {                                                                                                \
    .spelling = {EMIT_COMMON("lanes_", "%s*%s", "%s/%s"),                                          \
                 [EXPR_ABS] = "lanes_abs(%s)",                                                     \
                 [EXPR_SIGN] = "lanes_sign(%s)",                                                   \
                 [EXPR_FLOOR] = "lanes_floor(%s)",                                                 \
                 [EXPR_NOT] = "~%s",                                                               \
                 [EXPR_POW] = "lanes_pow(%s, %s)",                                                 \
                 [EXPR_HYPOT] = "lanes_hypot(%s, %s)",                                             \
                 [EXPR_MIN] = "lanes_min(%s, %s)",                                                 \
                 [EXPR_MAX] = "lanes_max(%s, %s)",                                                 \
                 [EXPR_MOD] = "lanes_mod(%s, %s)",                                                 \
                 [EXPR_LESS] = "lanes_below(%s, %s)",                                              \
                 [EXPR_LESS_EQUAL] = "lanes_up_to(%s, %s)",                                        \
                 [EXPR_EQUAL] = "lanes_same(%s, %s)",                                              \
                 [EXPR_AND] = "(%s & %s)",                                                         \
                 [EXPR_OR] = "(%s | %s)",                                                          \
                 [EXPR_SELECT] = "lanes_pick(%s, %s, %s)"},                                        \
    .index = "%s[%d]", .whole = ".0", .exponent = "e", .infinity = {"-INFINITY", "INFINITY"},      \
    .nan = "NAN", .spread = "lanes_all(%s)", .over = "lanes_over(%s, %s)",                         \
    .is_true = "lanes_is(%s)", .truth = "lanes_truth(%s)"                                          \
  }

// Iterations of lanes; open%d of w->nloop is left with lanes that did not converge, and is to be counted up.
void lanes_iterate(emitWriter *w, const eqnStage *stage, int from, int to, int depth);

// Corrects the unknowns of lanes that are open, or, with "~", of those that are not.
void lanes_correct(emitWriter *w, const eqnStage *stage, const char *which, int depth);

// A whole function whose statements are in loops, with its constants (c_roll.c).
void c_print_rolled(emitWriter *w);

int c_mentions(const char *text, const char *word);

// Say that a body does not mention the word, or inputs or outputs of its function; returns how many it does not mention.
int c_mark_unused(FILE *out, const char *body, const char *word);
int c_mark_unused_inputs(FILE *out, const char *body, const eqnFunction *f);
int c_mark_unused_outputs(FILE *out, const char *body, const eqnFunction *f);

#endif
