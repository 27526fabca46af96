// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs whose accelerations are evaluated by several tasks at a time.
#ifndef EMIT_PARALLEL_H
#define EMIT_PARALLEL_H

#include "emit/emit.h"
#include "split/split_way.h"

typedef enum emitParallelKind { EMIT_SERIAL, EMIT_THREADS, EMIT_MPI } emitParallelKind;

typedef struct emitParallel {
  emitParallelKind kind;
  splitChoice split;
} emitParallel;

// The C of a program, and besides its function `accelerate`, or if there is none its first, in tasks; how many there
// are is in *tasks, unless that is NULL: fewer than asked for where more would have nothing to do.
artStatus emit_parallel(FILE *out, const eqnProgram *program, const emitParallel *parallel,
                        const emitOptions *options, int *tasks, artError *error);

// The header that goes with it: the source includes options.header.
artStatus emit_parallel_header(FILE *out, const eqnProgram *program, const emitParallel *parallel,
                               const emitOptions *options, artError *error);

// The tasks that emit_parallel writes, without the text.
typedef struct emitSplit {
  eqnList *list;
  taskGraph *graph;
  taskMarks marks;
  splitMade made;
} emitSplit;

// Free in any case.
artStatus emit_split(emitSplit *split, const eqnProgram *program, const splitChoice *choice,
                     const emitOptions *options, artError *error);
void emit_split_free(emitSplit *split);

// Groups of branches and blocks that have something to do, of the function that is split; -1 when memory ran out.
int emit_count_groups(const eqnProgram *program);

#endif
