// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Compression by zlib, if available at configure time, checksums, and base64.
#ifndef SHOW_DEFLATE_H
#define SHOW_DEFLATE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "articula/base.h"

// Raw deflate (RFC 1951) of n bytes; free with mem_free. ART_IO with advice if there is no zlib.
artStatus deflate_bytes(const void *bytes, size_t n, unsigned char **packed, size_t *size,
                        artError *error);

// Inflate to exactly `size` bytes; free with mem_free. ART_BAD_INPUT if the size differs.
artStatus inflate_bytes(const void *packed, size_t n, unsigned char **bytes, size_t size,
                        artError *error);

// The checksum of ZIP and PNG files, CRC-32; works without zlib.
uint32_t deflate_sum(const void *bytes, size_t n);

// Base64 (RFC 4648).
void base64_write(FILE *stream, const unsigned char *bytes, size_t n);

#endif
