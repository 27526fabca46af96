// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A report: results read for one page, and the sections of that page, one a file.
#ifndef CLI_PAPER_H
#define CLI_PAPER_H

#include "command.h"
#include "io/json_read.h"
#include "io/scene_motion.h"
#include "page.h"

enum {
  PAPER_WIDTH = 680
}; // of pictures and plots: what A4 has between its margins, at 96 units an inch

typedef struct paperResult {
  const char *path;
  char name[PAGE_NAME_LENGTH];
  ioMotion film;
  const jsonNode *certificate; // or NULL
} paperResult;

// The first result is the one that the page is about; the others are compared with it.
typedef struct paperJob {
  const cliCall *call;
  int nresult;
  paperResult result[CLI_WORDS + 1];
  FILE *out;
  artError *error;
  baseArena arena;
} paperJob;

//---- sections ------------------------------------------------------------------------------------

void paper_summary(const paperJob *job); // paper_certificate.c: what came of the run, in sentences
void paper_model(const paperJob *job);   // paper_model.c
artStatus paper_pictures(paperJob *job); // paper_pictures.c
artStatus paper_plots(paperJob *job);    // paper_plots.c
void paper_certificate(const paperJob *job); // paper_certificate.c

//---- pieces (paper.c) ----------------------------------------------------------------------------

// A line of a table: a name and a text, or a number with its unit.
void paper_row(FILE *out, const char *name, const char *text);
void paper_number(FILE *out, const char *name, double x, const char *unit);

// The node at the end of keys joined by dots, "energy.start"; NULL where there is none.
const jsonNode *paper_find(const jsonNode *node, const char *path);

#endif
