// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A journal: lines of text that are appended one by one and survive any end of the process. Each
// has a checksum in front; truncated or damaged lines are ignored.
#ifndef SHOW_JOURNAL_H
#define SHOW_JOURNAL_H

#include <stdio.h>

#include "base/file.h"

// Start from {0}.
typedef struct ioJournal {
  FILE *stream;
  char path[FILE_PATH_LENGTH];
  double synced; // wall-clock time of the last sync, s
} ioJournal;

// Create a journal, replacing an old one; the head identifies its owner.
artStatus journal_create(ioJournal *journal, const char *path, const char *head, artError *error);

// Continue a journal: passes its complete lines to `read` in order. An incomplete head starts a new
// journal; a different head gives ART_BAD_INPUT.
typedef artStatus (*journalRead)(void *context, const char *line, artError *error);
artStatus journal_resume(ioJournal *journal, const char *path, const char *head, journalRead read,
                         void *context, artError *error);

// Append a line without newline. It is passed to the system at once, and synced to disk once per
// second.
artStatus journal_add(ioJournal *journal, const char *line, artError *error);

// Sync to disk and close; does nothing if no journal is open.
artStatus journal_close(ioJournal *journal, artError *error);

#endif
