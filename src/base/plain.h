// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plain text: one line of UTF-8 without control characters, line separators and bidirectional
// controls. Titles and names are stored as plain text, so they can be written anywhere without
// breaking lines or markup.
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

#include <stddef.h>

// Decode the character at s, which ends with a zero; returns its length in bytes, 0 if it is not
// UTF-8 (RFC 3629).
size_t plain_decode(const unsigned char *s, unsigned *c);

// Is it a control character, a line or paragraph separator, a bidirectional control, or a byte
// order mark?
int plain_is_odd(unsigned c);

// Convert a string to plain text in place: each such character becomes a space, each invalid byte a
// question mark.
void plain_tidy(char *text);

// Is it already plain?
int plain_is(const char *text);

// Is the word in a NULL-terminated list?
int plain_is_one_of(const char *word, const char *const *list);

#endif
