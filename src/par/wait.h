// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Waiting for somebody else: spin while the answer may come within microseconds, then leave the core to
// others, then sleep. Time in which the whole process stood still (stopped, in a debugger) is not
// counted.
#ifndef PAR_WAIT_H
#define PAR_WAIT_H

// The middle one of n times, which are sorted.
double par_median(double *time, int n);

// Cores that this process may use, at least 1.
int par_cores(void);

// Start from {.limit = ...} anew for each wait.
typedef struct parWait {
  double limit; // seconds; 0: as long as it takes
  int is_full;  // more threads than cores: no spinning
  int turns;
  double last, waited;
} parWait;

// One turn of a loop that waits; 0 when the limit is over.
int par_wait(parWait *wait);

#endif
