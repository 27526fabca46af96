// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Processor time, for tables of long runs; no test depends on it.
#include "support/seconds.h"

#include <sys/resource.h>


double seconds_used(void)
{
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    struct rusage used;
    getrusage(k ? RUSAGE_CHILDREN : RUSAGE_SELF, &used);
    sum += (double) (used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double) (used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  }
  return sum;
}
