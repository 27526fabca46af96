// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A progress bar on standard error: only on a terminal, only when work lasts over a second.
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

enum { BAR_WIDTH = 30 };
static const double PATIENCE = 1.0;    // s before the bar appears
static const double LONGEST = 3600000; // s that we dare to say are left
static const double REFRESH = 0.1;     // s between two looks of it


cliProgress progress_begin(bool is_wanted, double from, double now, double until)
{
  const double clock = base_now();
  return (cliProgress){.is_wanted = is_wanted && isatty(STDERR_FILENO) && until > from,
                       .from = from,
                       .until = until,
                       .start_time = now,
                       .begun = clock,
                       .last = clock};
}


// "37 % [####......] words", as wide as the terminal allows: a line that wraps could not be taken away
static void show_line(double done, const char *words)
{
  struct winsize size = {0};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const int room = (is_known ? size.ws_col : 80) - 1, around = 9; // of bar and words
  const int least = room - around - (int) strlen(words);
  const int width = least < 0 ? 0 : least > BAR_WIDTH ? BAR_WIDTH : least;
  char bar[BAR_WIDTH + 1] = {0};
  for (int i = 0; i < width; i++) bar[i] = i < (int) (done * width) ? '#' : '.';
  fprintf(stderr, "\r%3.0f %% [%s] %.*s", 100 * done, bar, room > around ? room - around : 0,
          words);
}


void progress_show(cliProgress *p, double now)
{
  if (!p->is_wanted) return;
  const double clock = base_now(), elapsed = clock - p->begun;
  if (elapsed < PATIENCE || clock - p->last < REFRESH) return;
  p->last = clock;
  p->is_shown = true;

  const double done = (now - p->from) / (p->until - p->from);
  const double rate = (now - p->start_time) / elapsed;
  char words[160], left[40] = "";
  if (rate > 0) {
    const double seconds = fmin((p->until - now) / rate, LONGEST);
    snprintf(left, sizeof left, ", %ld:%02ld left", (long) seconds / 60, (long) seconds % 60);
  }
  snprintf(words, sizeof words, "%.4g of %.4g s, %.*f times real time%s", now, p->until, rate < 10,
           rate, left);
  show_line(done, words);
  fputs("\033[K", stderr);
  fflush(stderr);
}


void progress_end(cliProgress *p)
{
  if (p->is_shown) fputs("\r\033[K", stderr);
  p->is_shown = false;
}
