// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A report: results read for one page, and the sections of that page, one a file.
#ifndef SHOW_REPORT_H
#define SHOW_REPORT_H

#include "show/page.h"
#include "show/scene_read.h"

// A page about the first of n results, with which the others are compared. Its plots show the channels that match
// one of the words, or with none of these all channels. damage (may be NULL) has for each result what result_check found.
artStatus report_write(const char *path, int nresult, const char *const *result,
                       const artError *damage, int nword, const char *const *word, artError *error);

//---- a report in work, which is left where it fails (base/error.h) ---------------------------------

enum {
  REPORT_WIDTH =
      680, // of pictures and plots: A4 has as much between its margins, at 96 units an inch
};

typedef struct reportResult {
  const char *path;
  char name[PAGE_NAME_LENGTH];
  ioMotion film;
  const jsonNode *certificate; // or NULL
  const char *damage;          // in words, or NULL
} reportResult;

typedef struct reportJob {
  int nresult;
  reportResult *result;
  int nword;
  const char *const *word; // channels that were asked for
  const char *path;
  baseFile file;
  FILE *out;
  baseArena arena; // leaves
} reportJob;

//---- sections ------------------------------------------------------------------------------------

void report_summary(
    const reportJob *job);            // report_certificate.c: the outcome of the run, in sentences
void report_pictures(reportJob *job); // report_pictures.c
void report_plots(reportJob *job);    // report_plots.c
void report_certificate(const reportJob *job); // report_certificate.c

//---- pieces (report.c) ---------------------------------------------------------------------------

// A text between two pieces of markup.
void report_text(FILE *out, const char *before, const char *text, const char *after);

// A line of a table: a name and a text, or a number with its unit.
void report_row(FILE *out, const char *name, const char *text);
void report_number(FILE *out, const char *name, double x, const char *unit);

// The node at the end of keys joined by dots, "energy.start"; NULL where there is none.
const jsonNode *report_find(const jsonNode *node, const char *path);

#endif
