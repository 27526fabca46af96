// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Threads of the BLAS.
#ifndef NUM_THREADS_H
#define NUM_THREADS_H

// Keep OpenBLAS, if that is the BLAS, from sharing its work out: our matrices are small, and what calls it may
// run in threads of its own. A user who has set OPENBLAS_NUM_THREADS keeps that. Concerns the whole process.
void num_use_one_thread(void);

#endif
