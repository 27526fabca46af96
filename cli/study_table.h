// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tables that studies find, in files and as JSON.
#ifndef CLI_STUDY_TABLE_H
#define CLI_STUDY_TABLE_H

#include "base/file.h"
#include "tell.h"

typedef struct cliPicture {
  const char *name;           // of the files, NAME.csv and NAME.svg, and of the directory
  const char *const *channel; // that the picture shows, ended by NULL
  const char *log;            // logarithmic axes, or NULL
  char csv[FILE_PATH_LENGTH]; // where the table went
} cliPicture;

// Write NAME.csv and NAME.svg into the directory of the call.
artStatus cli_save_table(const cliCall *call, const artTable *table, cliPicture *picture,
                         artError *error);

// The beginning of a report on it: the title of the model and words behind it, or the file, the place of results, and all
// columns and rows.
void cli_tell_table(cliReport *report, const cliWork *w, const artTable *table,
                    const cliPicture *picture, const char *words);

#endif
