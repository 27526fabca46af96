// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A report: results read for one page, and the sections of that page, one per file.
#ifndef SHOW_REPORT_H
#define SHOW_REPORT_H

#include "show/page.h"
#include "show/scene_read.h"

// Write a report of the first of n results, compared with the others. Its plots show the channels
// that match one of the words, or without words all channels. damage (may be NULL) has for each
// result the error of result_check.
artStatus report_write(const char *path, int nresult, const char *const *result,
                       const artError *damage, int nword, const char *const *word, artError *error);

//---- state of a report; errors are thrown (base/error.h) -----------------------------------------

enum {
  REPORT_WIDTH = 680, // of pictures and plots: the text width of A4 at 96 units per inch
};

typedef struct reportResult {
  const char *path;
  char name[PAGE_NAME_LENGTH];
  ioMotion film;
  const jsonNode *certificate; // or NULL
  const char *damage;          // message, or NULL
} reportResult;

typedef struct reportJob {
  int nresult;
  reportResult *result;
  int nword;
  const char *const *word; // requested channels
  const char *path;
  baseFile file;
  FILE *out;
  baseArena arena; // throws on failure
} reportJob;

//---- sections ------------------------------------------------------------------------------------

void report_summary(
    const reportJob *job);            // report_certificate.c: the outcome of the run, in sentences
void report_pictures(reportJob *job); // report_pictures.c
void report_plots(reportJob *job);    // report_plots.c
void report_certificate(const reportJob *job); // report_certificate.c

//---- elements (report.c) -------------------------------------------------------------------------

// A string between two pieces of markup.
void report_text(FILE *out, const char *before, const char *text, const char *after);

// A row of a table: a name with a string, or with a number and its unit.
void report_row(FILE *out, const char *name, const char *text);
void report_number(FILE *out, const char *name, double x, const char *unit);

// The node at a path of keys, "energy.start"; NULL if there is none.
const jsonNode *report_find(const jsonNode *node, const char *path);

#endif
