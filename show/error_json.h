// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An error as JSON, for programs: the message taken apart into place and text.
#ifndef SHOW_ERROR_JSON_H
#define SHOW_ERROR_JSON_H

#include "articula/base.h"
#include "show/json.h"

// The place at the front of a message, "file:line:column: ": its length without the space after it,
// 0 where there is none. Line and column are 0 when the message names a file alone.
size_t error_place(const char *text, int *line, int *column);

// Write {"status": "ART_BAD_INPUT", "message": "...", "file": "...", "line": 3, "column": 7}; line and
// column only where the message has a place. The file is the one that the message begins with, which
// then is left out of it, or else the one that the work is about (NULL: none).
void error_write(ioJson *json, const char *key, const artError *error, const char *about);

#endif
