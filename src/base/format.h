// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Text with numbers, written and read alike in every locale of the host: the decimal point is a point, and NaN is
// written nan, whatever its sign bit. These functions take the place of printf and strtod wherever a double occurs
// (tools/check-numbers.py). They are safe in threads and allocate nothing.
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdarg.h>
#include <stdio.h>

#include "articula/base.h"

// As snprintf: at most `size` bytes with the final zero; returns the length of the whole text.
int format_text(char *text, size_t size, const char *format, ...) ART_PRINTF(3, 4);
int format_text_list(char *text, size_t size, const char *format, va_list list) ART_PRINTF(3, 0);

// As fprintf; whether writing failed is asked by ferror.
void format_stream(FILE *stream, const char *format, ...) ART_PRINTF(2, 3);
void format_stream_list(FILE *stream, const char *format, va_list list) ART_PRINTF(2, 0);

// Escape sequences of terminals for bold text, and for its end.
#define FORMAT_BOLD  "\033[1m"
#define FORMAT_USUAL "\033[0m"

// For people: texts lose what moves the cursor or colours a terminal, and names may come from anybody; bold is kept.
void format_show(FILE *stream, const char *format, ...) ART_PRINTF(2, 3);
void format_show_list(FILE *stream, const char *format, va_list list) ART_PRINTF(2, 0);

// As strtod in the C locale.
double format_read(const char *text, char **end);

#endif
