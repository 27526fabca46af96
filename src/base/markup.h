// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Text inside of XML, SVG and HTML.
#ifndef BASE_MARKUP_H
#define BASE_MARKUP_H

#include <stdio.h>

// Write a text with what has a meaning of its own there escaped; good inside of attributes, too.
void markup_write(FILE *out, const char *text);

#endif
