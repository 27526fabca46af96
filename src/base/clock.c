// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The wall clock.
#include "base/clock.h"

#include <time.h>


double base_now(void)
{
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}
