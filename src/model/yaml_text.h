// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The bytes under a YAML tree: getting them from a file, and making sure that they are text.
#ifndef MODEL_YAML_TEXT_H
#define MODEL_YAML_TEXT_H

#include <stddef.h>

#include "articula/base.h"

enum { YAML_LARGEST_FILE = 64 << 20 };

// All bytes of a regular file, ended by a zero that `length` does not count; free with mem_free.
// Directories, devices, pipes and files over YAML_LARGEST_FILE are refused before any byte is read.
artStatus yaml_load_text(const char *path, char **text, size_t *length, artError *error);

// Is this UTF-8 without control characters, not empty, and not too large?
artStatus yaml_check_text(const char *file, const char *text, size_t length, artError *error);

// Bytes of the UTF-8 byte order mark at the start: 3 or 0.
size_t yaml_byte_order_mark(const char *text, size_t length);

// A copy for messages that fits in `size` bytes: control characters become '?', a long text ends
// in "...".
void yaml_printable(const char *text, char *shown, size_t size);

#endif
