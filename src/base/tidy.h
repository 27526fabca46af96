// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files to remove and compilers to stop when the process is terminated: incomplete files and
// running compilers. The code that starts one registers it for its duration.
#ifndef BASE_TIDY_H
#define BASE_TIDY_H

#include <sys/types.h>

// Register a path, which is not copied and must stay valid until tidy_forget. If the table is full,
// the path is not registered.
void tidy_note(const char *path);
void tidy_forget(const char *path);

// Register the process group of a running child.
void tidy_note_child(pid_t group);
void tidy_forget_child(pid_t group);

// Stop the children, including those registered later. For signal handlers.
void tidy_stop_children(void);
int tidy_has_stopped(void);

// Remove the files and stop the children. Async-signal-safe.
void tidy_up(void);

#endif
