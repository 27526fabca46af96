// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ctrl-C: the first one asks for an end, the second one is the end.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

// From now on the first SIGINT or SIGTERM is only noted.
void interrupt_watch(void);
bool interrupt_seen(void);

#endif
