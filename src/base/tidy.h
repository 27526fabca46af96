// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files that are removed and compilers that are stopped when the process is told to end: unfinished files and running
// compilers. Each is noted here by the code that begins it, for as long as it lasts.
#ifndef BASE_TIDY_H
#define BASE_TIDY_H

#include <sys/types.h>

// The path is not copied and must last until tidy_forget. Where there are too many, the last ones are not noted.
void tidy_note(const char *path);
void tidy_forget(const char *path);

// The process group of a child, as long as it is at work.
void tidy_note_child(pid_t group);
void tidy_forget_child(pid_t group);

// End the children, and all that are noted from now on: nobody waits for them any more. For handlers of signals.
void tidy_stop_children(void);
int tidy_has_stopped(void);

// Remove the files, end the children. For handlers of signals: nothing else is touched.
void tidy_up(void);

#endif
