// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Text inside of XML, SVG and HTML.
#include "base/markup.h"


static const char *escape_of(char c)
{
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  default:
    return NULL;
  }
}


void markup_write(FILE *out, const char *text)
{
  for (; *text; text++) {
    const char *escape = escape_of(*text);
    if (escape) {
      fputs(escape, out);
    } else {
      fputc(*text, out);
    }
  }
}
