// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ctrl-C: the first one asks for an end, the second one is the end.
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t seen;


// put one behaviour in place for both signals
static void set_both(void (*handler)(int))
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}


static void note(int number)
{
  (void) number;
  seen = 1;
  set_both(SIG_DFL);
}


void interrupt_watch(void)
{
  set_both(note);
}


bool interrupt_seen(void)
{
  return seen;
}
