// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A progress bar on standard error: only on a terminal, only when work lasts over a second.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cliProgress {
  bool is_wanted;
  bool is_shown;
  double from, until; // simulated time, s
  double start_time;  // simulated time at which this process began, s
  double begun, last; // wall clock, s
} cliProgress;

// Begin at simulated time `now` of from ... until.
cliProgress progress_begin(bool is_wanted, double from, double now, double until);

// Show where we are, ten times a second at most.
void progress_show(cliProgress *progress, double now);

// Take the bar away.
void progress_end(cliProgress *progress);

#endif
