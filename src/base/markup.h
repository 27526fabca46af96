// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Text inside of XML, SVG and HTML.
#ifndef BASE_MARKUP_H
#define BASE_MARKUP_H

#include <stdio.h>

// Write a text with what has a meaning of its own there escaped, and plain (base/plain.h) whatever it was before; good
// inside of attributes, too.
void markup_write(FILE *out, const char *text);

// The same of its first bytes, at the end of a character.
void markup_write_n(FILE *out, const char *text, size_t length);

#endif
