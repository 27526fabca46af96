// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// malloc itself, watched: counts what anyone in the process takes, libraries included. For one source
// file of a test program. Under sanitizers, which bring their own malloc, nothing is counted.
#ifndef SUPPORT_MALLOCS_H
#define SUPPORT_MALLOCS_H

#include <stdlib.h>

#include "support/check.h"

static long mallocs; // by anyone in this process

#if defined(__GLIBC__) && !defined(SANITIZED)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);


void *malloc(size_t size)
{
  mallocs++;
  return __libc_malloc(size);
}


void *calloc(size_t count, size_t size)
{
  mallocs++;
  return __libc_calloc(count, size);
}


void *realloc(void *block, size_t size)
{
  mallocs++;
  return __libc_realloc(block, size);
}
#endif

#endif
