// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Text in XML, SVG and HTML.
#include "base/markup.h"

#include <string.h>

#include "base/plain.h"


static const char *escape_of(unsigned c)
{
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return plain_is_odd(c) ? " " : NULL;
  }
}


void markup_write_n(FILE *out, const char *text, size_t length)
{
  for (const char *end = text + length; text < end;) {
    unsigned c = '?';
    const size_t n = plain_decode((const unsigned char *) text, &c);
    const char *escape = n == 0 ? "?" : escape_of(c);
    if (escape) {
      fputs(escape, out);
    } else {
      fwrite(text, 1, n, out);
    }
    text += n == 0 ? 1 : n;
  }
}


void markup_write(FILE *out, const char *text)
{
  markup_write_n(out, text, strlen(text));
}
