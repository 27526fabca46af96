// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs whose accelerations are evaluated by several tasks at a time.
#ifndef EMIT_PARALLEL_H
#define EMIT_PARALLEL_H

#include "emit/emit.h"

typedef enum emitParallelKind { EMIT_SERIAL, EMIT_THREADS, EMIT_MPI } emitParallelKind;

typedef struct emitParallel {
  emitParallelKind kind;
  int tasks; // 1 .. 64
} emitParallel;

// The C of a program, and besides its function `accelerate`, or if there is none its first, in tasks.
artStatus emit_parallel(FILE *out, const eqnProgram *program, const emitParallel *parallel,
                        const emitOptions *options, artError *error);

// The header that goes with it: options.header is what the source includes.
artStatus emit_parallel_header(FILE *out, const eqnProgram *program, const emitParallel *parallel,
                               const emitOptions *options, artError *error);

#endif
