// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plain text: UTF-8 of one line, without control characters and without characters that end lines or turn the
// direction of writing. Titles and names are kept so; where they go, nothing can follow but text.
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

#include <stddef.h>

// The character at s and its length in bytes; 0 where it is no UTF-8 (RFC 3629). s ends in a zero.
size_t plain_decode(const unsigned char *s, unsigned *c);

// A control character, the end of a line or paragraph, a direction of writing, or a mark of byte order.
int plain_is_odd(unsigned c);

// Make a text plain in its place: what is not becomes a space each, and bytes that are no UTF-8 a question mark.
void plain_tidy(char *text);

// Is it plain already?
int plain_is(const char *text);

// Is a word one of a list, behind whose last one NULL stands?
int plain_is_one_of(const char *word, const char *const *list);

#endif
