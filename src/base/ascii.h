// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Characters by their ASCII codes. The functions of <ctype.h> and strcasecmp depend on the locale
// of the host: with tr_TR toupper('i') is not 'I', and with ISO 8859-1 bytes of UTF-8 are letters.
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stddef.h>

static inline int ascii_is_upper(int c)
{
  return c >= 'A' && c <= 'Z';
}


static inline int ascii_is_lower(int c)
{
  return c >= 'a' && c <= 'z';
}


static inline int ascii_is_letter(int c)
{
  return ascii_is_upper(c) || ascii_is_lower(c);
}


static inline int ascii_is_digit(int c)
{
  return c >= '0' && c <= '9';
}


// a letter or a digit
static inline int ascii_is_word(int c)
{
  return ascii_is_letter(c) || ascii_is_digit(c);
}


static inline int ascii_is_space(int c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}


static inline int ascii_upper(int c)
{
  return ascii_is_lower(c) ? c - 'a' + 'A' : c;
}


static inline int ascii_lower(int c)
{
  return ascii_is_upper(c) ? c - 'A' + 'a' : c;
}


// Compare the first n bytes case-insensitively; 0: equal.
static inline int ascii_compare_n(const char *a, const char *b, size_t n)
{
  for (; n > 0; a++, b++, n--) {
    const int difference = ascii_lower((unsigned char) *a) - ascii_lower((unsigned char) *b);
    if (difference || !*a) return difference;
  }
  return 0;
}


static inline int ascii_compare(const char *a, const char *b)
{
  return ascii_compare_n(a, b, (size_t) -1);
}

#endif
