// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Objects that live until their test ends: each function hands the object back, and check_main frees it when the
// test has run, the last one first. NULL stays NULL, but ends a test in which a check has failed: a machine that
// could not be made needs no further word.
#ifndef SUPPORT_KEEP_H
#define SUPPORT_KEEP_H

#include "articula/articula.h"

artModel *keep_model(artModel *m);
artData *keep_data(artData *d);
artRun *keep_run(artRun *run);
artTyre *keep_tyre(artTyre *tyre);
artRoad *keep_road(artRoad *road);
artBuilder *keep_builder(artBuilder *b);
artBatch *keep_batch(artBatch *b);
artLinear *keep_linear(artLinear *lin);
artTable *keep_table(artTable *table);
artGenerated *keep_generated(artGenerated *g);

// The model of a file below the project's folder, of models/NAME.yaml, or of a text; NULL with a failed check and its message.
artModel *keep_file(const char *path);
artModel *keep_machine(const char *name);
artModel *keep_text(const char *text);
artModel *keep_text_of(const char *format, ...) ART_PRINTF(1, 2); // as printf writes it

// The same as if the text stood in a file there, whose folder it includes others from.
artModel *keep_text_at(const char *text, const char *path);

// The model that tools/SCRIPT writes for the size n.
artModel *keep_script(const char *script, int n);

// Fresh data of a model, or NULL of NULL; the same assembled and up to date, or a failed check.
artData *keep_fresh_data(const artModel *m);
artData *keep_assembled_data(const artModel *m);

// Data with the time, positions and velocities of another one, up to date; the same assembled, with states of forces
// that are settled.
artData *keep_copied_data(const artModel *m, const artData *from);
artData *keep_settled_data(const artModel *m);

// A run or a batch that has been created; NULL with a failed check and its message.
artRun *keep_started_run(const artModel *m, artData *d, const artRunDef *study);
artBatch *keep_started_batch(const artModel *m, const artRunDef *study, const artBatchDef *def);

// The state of a run, saved.
typedef struct savedRun {
  size_t size;
  void *bytes;
} savedRun;
savedRun keep_saved_run(const artRun *run);

// Room for numbers, all zero.
double *keep_numbers(int n);

#endif
