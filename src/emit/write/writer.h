// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions, as writers of all languages make them: names, parts of long functions, stages in order.
#ifndef EMIT_WRITER_H
#define EMIT_WRITER_H

#include "emit/write/comment.h"
#include "emit/write/statement.h"

//---- a function ----------------------------------------------------------------------------------

// A writer of a function, with statements in loops (roll.h) if it is rolled; close it in any case.
emitWriter writer_prepare(FILE *out, const emitSyntax *syntax, const eqnList *list,
                          const char *const *external, const emitOptions *options, int is_rolled);
void writer_close(emitWriter *w);

// Open it, and visit it unless that is NULL; all that writers do happens here. 0: memory ran out, and the work was left.
int writer_attempt(emitWriter *w, void (*visit)(emitWriter *w, void *context), void *context);

// The function with its parts and constants, by the heads and feet of its language.
void writer_function(emitWriter *w);

// How long a function is without its constants, as parts are measured.
long writer_weight(const eqnList *list);

// Its statements: of all stages and the results (WRITER_WHOLE), of constants, of one part.
void writer_body(emitWriter *w, int which, int depth);

// Equations of a part; its stage, -1: constants.
int writer_part_begin(const emitWriter *w, int part);
int writer_part_end(const emitWriter *w, int part);
int writer_part_stage(const emitWriter *w, int part);

// Equations from one on to another in this function, calls of parts for the others.
void writer_run(emitWriter *w, int from, int to, int depth, int is_new);

// One unknown of a stage gets its new value; equations and assignments of a stage under a condition.
void writer_assign(emitWriter *w, const eqnStage *stage, int i, int depth);
void writer_when(emitWriter *w, const eqnStage *stage, int from, int to, int depth);

// Unknowns of Newton's method get their corrections.
void writer_increments(emitWriter *w, const eqnStage *stage, int depth);

// Names of vectors read, and of those written, each after `before`, as ", " or ", double[] ".
void emit_inputs(FILE *out, const eqnFunction *f, const char *before);
void emit_outputs(FILE *out, const eqnFunction *f, const char *before);

// Statuses that a function returns: "0, or 1 when ...", a sentence's end.
const char *writer_statuses(const eqnFunction *f);

// The status that a function returns where the loop of a stage cannot be closed.
int writer_status(const emitWriter *w, const eqnStage *stage);

// The limit of the square of a residual in the iteration with the number `iteration`; text of the writer's arena.
const char *writer_limit(emitWriter *w, const eqnStage *stage);

#endif
