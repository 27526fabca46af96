// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tables that studies fill.
#ifndef STUDY_RESULT_H
#define STUDY_RESULT_H

#include "articula/study.h"

// A table of zeros; names and units are added one by one. NULL when memory ran out.
artTable *result_create(int columns, long rows);

// Name the next column, in the manner of printf; 0 when memory ran out.
int result_add_column(artTable *table, const char *unit, const char *format, ...) ART_PRINTF(3, 4);

#endif
