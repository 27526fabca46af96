// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A compiler as a child process with all the processes that it starts, so that all can be killed (base/tidy.h).
#ifndef LOAD_CHILD_H
#define LOAD_CHILD_H

#include <sys/types.h>

// Start a NULL-terminated list of program and arguments, with all output redirected to the file
// `log`; 0 if it cannot be started (errno gives the reason).
int child_start(char **word, const char *log, pid_t *child);

// Wait for its end; 1 if it exited successfully.
int child_wait(pid_t child);

#endif
