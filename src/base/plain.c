// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plain text.
#include "base/plain.h"

#include <string.h>


size_t plain_decode(const unsigned char *s, unsigned *c)
{
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  if (n == 0 || s[0] > 0xf4) return 0;
  *c = n == 1 ? s[0] : s[0] & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    *c = *c << 6 | (s[i] & 0x3fu);
  }
  const int is_surrogate = *c >= 0xd800 && *c < 0xe000;
  return *c < least[n] || *c > 0x10ffff || is_surrogate ? 0 : n;
}


int plain_is_odd(unsigned c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}


void plain_tidy(char *text)
{
  const unsigned char *from = (const unsigned char *) text;
  char *to = text;
  while (*from) {
    unsigned c;
    const size_t n = plain_decode(from, &c);
    if (n == 0 || plain_is_odd(c)) {
      *to++ = n == 0 ? '?' : ' ';
      from += n == 0 ? 1 : n;
      continue;
    }
    for (size_t i = 0; i < n; i++) *to++ = (char) *from++;
  }
  *to = '\0';
}


int plain_is(const char *text)
{
  const unsigned char *s = (const unsigned char *) text;
  while (*s) {
    unsigned c;
    const size_t n = plain_decode(s, &c);
    if (n == 0 || plain_is_odd(c)) return 0;
    s += n;
  }
  return 1;
}


int plain_is_one_of(const char *word, const char *const *list)
{
  while (*list && strcmp(word, *list) != 0) list++;
  return *list != NULL;
}
