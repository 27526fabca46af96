// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parallel loop over many work items: an idle thread takes the next item.
#ifndef PAR_PARALLEL_FOR_H
#define PAR_PARALLEL_FOR_H

#include "articula/base.h"

// Calls work(context, worker, item) once for each item 0 .. n - 1, with worker 0 .. threads - 1.
// work returns 0 to stop the loop. The calling thread is one of the workers; if threads cannot be
// created, the existing ones do everything.
typedef int (*parallelTask)(void *context, int worker, long piece);
artStatus parallel_for(int threads, long n, parallelTask work, void *context, artError *error);

#endif
