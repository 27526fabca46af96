// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Threads of the BLAS.
#include "num/threads.h"

#include <stdlib.h>

// OpenBLAS alone has it
extern void openblas_set_num_threads(int n) __attribute__((weak));


void num_use_one_thread(void)
{
  if (openblas_set_num_threads && !getenv("OPENBLAS_NUM_THREADS")) openblas_set_num_threads(1);
}
