// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// SIGINT, SIGTERM and SIGHUP end the command at once, less what was not whole; whoever can end well says so, and is
// asked first. SIGHUP is left alone where the caller has it ignored (nohup). Files that have become too large are
// errors, not signals.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

// At the start of the program.
void interrupt_prepare(void);

// From now on the first of the signals is only noted; the second one is the end.
void interrupt_watch(void);
bool interrupt_seen(void);

#endif
