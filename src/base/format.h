// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locale-independent formatting and parsing of numbers: the decimal separator is a point, and NaN
// is written nan regardless of its sign. Replaces printf and strtod for doubles
// (tools/check-numbers.py). Thread-safe; allocates nothing.
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdarg.h>
#include <stdio.h>

#include "articula/base.h"

// As snprintf: at most `size` bytes including the final zero; returns the length of the complete
// text.
int format_text(char *text, size_t size, const char *format, ...) ART_PRINTF(3, 4);
int format_text_list(char *text, size_t size, const char *format, va_list list) ART_PRINTF(3, 0);

// As fprintf; check ferror for write errors.
void format_stream(FILE *stream, const char *format, ...) ART_PRINTF(2, 3);
void format_stream_list(FILE *stream, const char *format, va_list list) ART_PRINTF(2, 0);

// Terminal escape sequences: bold, and normal.
#define FORMAT_BOLD  "\033[1m"
#define FORMAT_USUAL "\033[0m"

// Output to users: removes control sequences from string arguments, because names may come from
// untrusted files; keeps bold.
void format_show(FILE *stream, const char *format, ...) ART_PRINTF(2, 3);
void format_show_list(FILE *stream, const char *format, va_list list) ART_PRINTF(2, 0);

// As strtod in the C locale.
double format_read(const char *text, char **end);

#endif
