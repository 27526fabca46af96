// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Foreign files as texts of our own format, for the reader of model files.
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stddef.h>

#include "articula/import.h"

// The text of a model file that stands for the foreign one, for mem_free.
artStatus import_load_text(const char *path, char **text, size_t *length, artError *error);

// A message about such a text names the line of the foreign file.
void import_show_source(const char *path, const char *text, artError *error);

#endif
