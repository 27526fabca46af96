// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All that a machine remembers besides its motion: states whose rates are formulas, and what samplers hold. In a steady
// state rates are zero, and samplers would hold again what they hold.
#ifndef STUDY_MEMORY_NEED_H
#define STUDY_MEMORY_NEED_H

#include "data/work.h"

int memory_count(const artModel *m);
const char *memory_name(const artModel *m, int k);
artPlace memory_place(const artModel *m, int k);

// value[memory_count]: from the data, and into it
void memory_get(const artModel *m, const artData *d, double *value);
void memory_put(const artModel *m, artData *d, const double *value);

// Do the changes below need accelerations?
int memory_reads_accelerations(const artModel *m);

// change[memory_count]: rates of states, and by how much samplers would change what they hold if all were due now; NAN where
// there is no finite one. Forces, and accelerations where they are read, are known.
void memory_changes(const artModel *m, artData *d, double *change);

#endif
