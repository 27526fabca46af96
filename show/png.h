// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// PNG encoder, chunk by chunk.
#ifndef SHOW_PNG_H
#define SHOW_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

// RGB pixels, width x height; `stride` is the number of bytes between rows.
typedef struct pngPixels {
  const unsigned char *at;
  size_t stride;
  int width, height;
} pngPixels;

enum {
  PNG_SIGNATURE = 8,
  PNG_FRAME = 12
}; // bytes of the file signature, and of a chunk without its body
extern const unsigned char png_signature[PNG_SIGNATURE];

// Write a 32-bit number, big-endian; returns the position after it.
unsigned char *png_put_number(unsigned char *to, uint32_t value);

// Write a chunk of n + PNG_FRAME bytes: length of the body, name, body, checksum. The body may
// already be in place. Returns the position after it.
unsigned char *png_put_chunk(unsigned char *to, const char *name, const unsigned char *body,
                             size_t n);

// Write the chunk IHDR of PNG_HEADER bytes.
enum { PNG_HEADER = 13 + PNG_FRAME };
unsigned char *png_put_header(unsigned char *to, const pngPixels *pixels);

// The zlib stream for IDAT, after `before` unused bytes, which `size` does not include. In an arena
// that throws on failure.
unsigned char *png_pack(const pngPixels *pixels, size_t before, baseArena *arena, size_t *size);

// A complete file, in an arena that throws on failure.
unsigned char *png_file(const pngPixels *pixels, baseArena *arena, size_t *size);

#endif
