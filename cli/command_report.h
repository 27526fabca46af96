// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reports of verbs, told once for people and for programs: a report walks over what there is to tell, and every part is a
// line of text, fields of a JSON object, or both from the same values. One of the two is written, as the call asks.
#ifndef CLI_COMMAND_REPORT_H
#define CLI_COMMAND_REPORT_H

#include "base/file.h"
#include "command.h"

// Nothing but an ioJson without a file where the report is text, so that all of show/json.h may be used.
typedef ioJson cliReport;

// The outermost object is open after it; report_end closes it.
cliReport report_begin(const cliCall *call);
void report_end(cliReport *report);

static inline bool report_is_text(const cliReport *report)
{
  return !report->file;
}

// Text alone, or a title of a section: an empty line, then the words in bold.
void say(const cliReport *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_title(const cliReport *report, const char *words);

// Fields of the open object as json_fields takes them, or the text, from the same values; the second makes an object of
// the fields, under a key or as the next one of a list.
void report_fields(cliReport *report, const char *fields, const char *text, ...)
    __attribute__((format(printf, 2, 4), format(printf, 3, 4)));
void report_item(cliReport *report, const char *key, const char *fields, const char *text, ...)
    __attribute__((format(printf, 3, 5), format(printf, 4, 5)));

// "s" after all numbers but one.
static inline const char *plural_s(long n)
{
  return n == 1 ? "" : "s";
}

//---- tables that studies find, in files and as JSON ---------------------------------------------

typedef struct cliPicture {
  const char *name;           // of the files, NAME.csv and NAME.svg, and of the directory
  const char *const *channel; // that the picture shows, ended by NULL
  const char *log;            // logarithmic axes, or NULL
  char csv[FILE_PATH_LENGTH]; // where the table went
} cliPicture;

// The table is freed when the work ends.
void cli_defer_table(cliWork *w, artTable *table);

// Write NAME.csv and NAME.svg into the directory of the call.
void cli_save_table(const cliCall *call, const artTable *table, cliPicture *picture);

// The beginning of a report on it: the title of the model and words after it, or the file, the place of results, and all
// columns and rows.
void cli_report_table(cliReport *report, const cliWork *w, const artTable *table,
                      const cliPicture *picture, const char *words);

#endif
