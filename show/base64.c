// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bytes as text.
#include "show/base64.h"


void base64_write(FILE *stream, const unsigned char *bytes, size_t n)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    const unsigned a = bytes[i], b = i + 1 < n ? bytes[i + 1] : 0, c = i + 2 < n ? bytes[i + 2] : 0;
    const unsigned all = a << 16 | b << 8 | c;
    const char text[4] = {digits[all >> 18], digits[all >> 12 & 63],
                          i + 1 < n ? digits[all >> 6 & 63] : '=',
                          i + 2 < n ? digits[all & 63] : '='};
    fwrite(text, 1, sizeof text, stream);
  }
}
