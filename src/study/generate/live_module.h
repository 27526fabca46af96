// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine as a WebAssembly module that stands alone, for pages in which it moves.
#ifndef STUDY_LIVE_MODULE_H
#define STUDY_LIVE_MODULE_H

#include <stdio.h>

#include "articula/study.h"

// Its text in C, of one file, which compilers for WebAssembly take: the interface of generated code, and functions under
// plain names by which a page moves one machine (emit/texts/live.c.in). The data holds an assembled state.
artStatus live_write(const artModel *model, artData *data, const artRunDef *study, FILE *out,
                     artError *error);

// The text compiled by clang, or found in the cache of compiled equations; for mem_free.
artStatus live_compile(const artModel *model, artData *data, const artRunDef *study, char **module,
                       size_t *size, artError *error);

// A step of rk4 by which the machine moves at its beginning: the study's, or 1 ms, halved while runs fail.
artStatus live_find_step(const artModel *model, const artRunDef *study, double *step,
                         artError *error);

#endif
