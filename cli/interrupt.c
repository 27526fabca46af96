// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Signals that end the command: at once, or when it is ready.
#include "command.h"

#include <signal.h>
#include <stddef.h>

#include "base/tidy.h"

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
enum { COUNT = sizeof SIGNALS / sizeof *SIGNALS };

static volatile sig_atomic_t seen, is_deaf; // to SIGHUP


static void set_all(void (*handler)(int))
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < COUNT; i++) sigaddset(&action.sa_mask, SIGNALS[i]);
  for (int i = 0; i < COUNT; i++) {
    if (SIGNALS[i] != SIGHUP || !is_deaf) sigaction(SIGNALS[i], &action, NULL);
  }
}


// as if nobody had listened: whoever waits for the command sees which signal it was
static void leave_by_signal(int number)
{
  sigset_t own;
  tidy_up();
  set_all(SIG_DFL);
  sigemptyset(&own);
  sigaddset(&own, number);
  (void) raise(number);
  (void) sigprocmask(SIG_UNBLOCK, &own, NULL);
}


static void note_signal(int number)
{
  (void) number;
  seen = 1;
  tidy_stop_children();
  set_all(leave_by_signal);
}


void interrupt_prepare(void)
{
  struct sigaction hangup;
  is_deaf = sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler == SIG_IGN;
  (void) signal(SIGXFSZ, SIG_IGN);
  set_all(leave_by_signal);
}


void interrupt_watch(void)
{
  set_all(note_signal);
}


bool interrupt_seen(void)
{
  return seen;
}
