// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// PNG files, by their chunks.
#ifndef SHOW_PNG_H
#define SHOW_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

// Red, green and blue of width x height pixels, `stride` bytes from row to row.
typedef struct pngPixels {
  const unsigned char *at;
  size_t stride;
  int width, height;
} pngPixels;

enum {
  PNG_SIGNATURE = 8,
  PNG_FRAME = 12
}; // bytes of the signature of a file, and around the body of a chunk
extern const unsigned char png_signature[PNG_SIGNATURE];

// Write a number of four bytes; returns the place after it.
unsigned char *png_put_number(unsigned char *to, uint32_t value);

// Write a chunk of n + PNG_FRAME bytes: length of the body, name, body, checksum. The body may be in its place already.
// Returns the place after it.
unsigned char *png_put_chunk(unsigned char *to, const char *name, const unsigned char *body,
                             size_t n);

// Write the chunk IHDR, which has PNG_HEADER bytes.
enum { PNG_HEADER = 13 + PNG_FRAME };
unsigned char *png_put_header(unsigned char *to, const pngPixels *pixels);

// The stream of zlib that IDAT holds, after `before` bytes that are left free; `size` without these. In an arena that throws.
unsigned char *png_pack(const pngPixels *pixels, size_t before, baseArena *arena, size_t *size);

// A whole file, in an arena that throws.
unsigned char *png_file(const pngPixels *pixels, baseArena *arena, size_t *size);

#endif
