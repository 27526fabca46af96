// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Text in XML, SVG and HTML.
#ifndef BASE_MARKUP_H
#define BASE_MARKUP_H

#include <stdio.h>

// Write text with special characters escaped, also for attributes; converts it to plain text
// (base/plain.h).
void markup_write(FILE *out, const char *text);

// The same for the first `length` bytes, which must end at a character boundary.
void markup_write_n(FILE *out, const char *text, size_t length);

#endif
