// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Many pieces of work over threads: whoever is free takes the next one.
#ifndef PAR_PARALLEL_FOR_H
#define PAR_PARALLEL_FOR_H

#include "articula/base.h"

// Pieces 0 .. n - 1, each done once: work(context, worker, piece), with worker 0 .. threads - 1. It returns 0
// when no more pieces shall be taken. The calling thread is one of them; where threads cannot be made, those
// that are there do it all.
typedef int (*parallelTask)(void *context, int worker, long piece);
artStatus parallel_for(int threads, long n, parallelTask work, void *context, artError *error);

#endif
