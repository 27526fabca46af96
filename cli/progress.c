// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A progress bar on standard error: only on a terminal, only when work lasts over a second.
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };
static const double PATIENCE = 1.0;    // s before the bar appears
static const double LONGEST = 3600000; // s that we dare to say are left
static const double REFRESH = 0.1;     // s between two looks of it


double progress_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}


cliProgress progress_begin(bool is_wanted, double from, double now, double until)
{
  const double clock = progress_clock();
  return (cliProgress){.is_wanted = is_wanted && isatty(STDERR_FILENO) && until > from,
                       .from = from,
                       .until = until,
                       .start_time = now,
                       .begun = clock,
                       .last = clock};
}


void progress_show(cliProgress *p, double now)
{
  if (!p->is_wanted) return;
  const double clock = progress_clock(), elapsed = clock - p->begun;
  if (elapsed < PATIENCE || clock - p->last < REFRESH) return;
  p->last = clock;
  p->is_shown = true;

  const double done = (now - p->from) / (p->until - p->from);
  const double rate = (now - p->start_time) / elapsed;
  char bar[BAR_WIDTH + 1] = {0};
  for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < (int) (done * BAR_WIDTH) ? '#' : '.';
  fprintf(stderr, "\r%3.0f %% [%s] %.4g of %.4g s, %.*f times real time", 100 * done, bar, now,
          p->until, rate < 10, rate);
  if (rate > 0) {
    const double left = fmin((p->until - now) / rate, LONGEST);
    fprintf(stderr, ", %ld:%02ld left", (long) left / 60, (long) left % 60);
  }
  fputs("\033[K", stderr);
  fflush(stderr);
}


void progress_end(cliProgress *p)
{
  if (p->is_shown) fputs("\r\033[K", stderr);
  p->is_shown = false;
}
