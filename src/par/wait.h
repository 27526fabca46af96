// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Waiting for another thread or process: spin while the answer may come within microseconds, then
// yield the core, then sleep. Time in which the whole process was suspended (by a signal or a
// debugger) is not counted.
#ifndef PAR_WAIT_H
#define PAR_WAIT_H

// Median of n times; sorts them.
double par_median(double *time, int n);

// Number of cores available to this process, at least 1.
int par_cores(void);

// Initialise as {.limit = ...} for each wait.
typedef struct parWait {
  double limit; // seconds; 0: as long as it takes
  int is_full;  // more threads than cores: no spinning
  int turns;
  double last, waited;
} parWait;

// One iteration of a waiting loop; 0 when the limit is exceeded.
int par_wait(parWait *wait);

#endif
