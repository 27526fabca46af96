// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ctrl-C, and the end of the console or the session, in place of cli/interrupt.c.
#include <windows.h>

#include "base/tidy.h"
#include "command.h"

static volatile LONG is_watched, seen;


// Runs in a thread of its own. What the command does not take note of ends it.
static BOOL WINAPI note_event(DWORD event)
{
  if (is_watched && (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT)) {
    seen = 1;
    tidy_stop_children();
    return TRUE;
  }
  tidy_up();
  return FALSE;
}


void interrupt_prepare(void)
{
  SetConsoleCtrlHandler(note_event, TRUE);
}


void interrupt_watch(void)
{
  is_watched = 1;
}


bool interrupt_seen(void)
{
  return seen != 0;
}
