// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A journal: lines of text that are added one by one and survive the end of the process, whatever it was. Each
// has its checksum in front; a line that was cut short or damaged counts as not written.
#ifndef SHOW_JOURNAL_H
#define SHOW_JOURNAL_H

#include <stdio.h>

#include "base/file.h"

// Start from {0}.
typedef struct ioJournal {
  FILE *stream;
  char path[FILE_PATH_LENGTH];
  double synced; // wall clock, s
} ioJournal;

// A new journal in the place of an old one; the head says what it belongs to.
artStatus journal_create(ioJournal *journal, const char *path, const char *head, artError *error);

// Go on with one: its whole lines in order. A head that is not whole makes a new journal; another head is
// ART_BAD_INPUT.
typedef artStatus (*journalRead)(void *context, const char *line, artError *error);
artStatus journal_resume(ioJournal *journal, const char *path, const char *head, journalRead read,
                         void *context, artError *error);

// Add a line, which holds no line feed. It is with the system at once, and once a second on the disk.
artStatus journal_add(ioJournal *journal, const char *line, artError *error);

// Everything onto the disk, and close; harmless when nothing is open.
artStatus journal_close(ioJournal *journal, artError *error);

#endif
