// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// PNG encoder.
#include "show/png.h"

#include <string.h>

#include "base/memory.h"
#include "show/deflate.h"

enum { STORED = 65535 }; // maximum length of a stored block

const unsigned char png_signature[PNG_SIGNATURE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};


unsigned char *png_put_number(unsigned char *to, uint32_t value)
{
  for (int k = 24; k >= 0; k -= 8) *to++ = (unsigned char) (value >> k);
  return to;
}


unsigned char *png_put_chunk(unsigned char *to, const char *name, const unsigned char *body,
                             size_t n)
{
  png_put_number(to, (uint32_t) n);
  memcpy(to + 4, name, 4);
  if (n > 0) memmove(to + 8, body, n);
  return png_put_number(to + 8 + n, deflate_sum(to + 4, n + 4));
}


unsigned char *png_put_header(unsigned char *to, const pngPixels *pixels)
{
  unsigned char body[13] = {0};
  png_put_number(body, (uint32_t) pixels->width);
  png_put_number(body + 4, (uint32_t) pixels->height);
  body[8] = 8; // bit depth,
  body[9] = 2; // colour type: red, green and blue
  return png_put_chunk(to, "IHDR", body, sizeof body);
}


// Adler-32 checksum at the end of a zlib stream
static uint32_t adler_sum(const unsigned char *bytes, size_t n)
{
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}


// without zlib: stored blocks; returns the number of bytes
static size_t store_plain_blocks(const unsigned char *bytes, size_t n, unsigned char *out)
{
  unsigned char *to = out;
  for (size_t i = 0; i < n; i += STORED) {
    const size_t part = n - i < STORED ? n - i : STORED;
    *to++ = i + part == n;
    *to++ = (unsigned char) part;
    *to++ = (unsigned char) (part >> 8);
    *to++ = (unsigned char) ~part;
    *to++ = (unsigned char) (~part >> 8);
    memcpy(to, bytes + i, part);
    to += part;
  }
  return (size_t) (to - out);
}


unsigned char *png_pack(const pngPixels *pixels, size_t before, baseArena *arena, size_t *size)
{
  const size_t row = 3 * (size_t) pixels->width, n = (row + 1) * (size_t) pixels->height;
  const size_t capacity = n + n / 1000 + 100;
  unsigned char *bytes, *out, *packed = NULL;
  size_t length = 0;
  ARENA_TAKE(arena, bytes, n);
  ARENA_TAKE(arena, out, before + capacity + 100);
  // each row has a leading byte for filter type none, which compresses flat colours best
  for (int k = 0; k < pixels->height; k++) {
    unsigned char *to = bytes + (row + 1) * (size_t) k;
    *to = 0;
    memcpy(to + 1, pixels->at + pixels->stride * (size_t) k, row);
  }
  unsigned char *body = out + before;
  body[0] = 0x78;
  body[1] = 0x01;
  if (deflate_bytes(bytes, n, &packed, &length, NULL) == ART_OK && length <= capacity) {
    memcpy(body + 2, packed, length);
  } else {
    length = store_plain_blocks(bytes, n, body + 2);
  }
  mem_free(packed);
  png_put_number(body + 2 + length, adler_sum(bytes, n));
  *size = length + 6;
  return out;
}


unsigned char *png_file(const pngPixels *pixels, baseArena *arena, size_t *size)
{
  const size_t before = PNG_SIGNATURE + PNG_HEADER;
  size_t n;
  unsigned char *file = png_pack(pixels, before + 8, arena, &n), *to = file + PNG_SIGNATURE;
  memcpy(file, png_signature, PNG_SIGNATURE);
  to = png_put_header(to, pixels);
  to = png_put_chunk(to, "IDAT", to + 8, n);
  to = png_put_chunk(to, "IEND", NULL, 0);
  *size = (size_t) (to - file);
  return file;
}
