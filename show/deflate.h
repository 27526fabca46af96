// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bytes made small and large again by zlib, where it was there at configure time, and bytes as text.
#ifndef SHOW_DEFLATE_H
#define SHOW_DEFLATE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "articula/base.h"

// Raw deflate (RFC 1951) of n bytes, for mem_free. ART_IO with a remedy where zlib is absent.
artStatus deflate_bytes(const void *bytes, size_t n, unsigned char **packed, size_t *size,
                        artError *error);

// The way back, to exactly `size` bytes, for mem_free; ART_BAD_INPUT where others come out.
artStatus inflate_bytes(const void *packed, size_t n, unsigned char **bytes, size_t size,
                        artError *error);

// The checksum of zip and PNG files, CRC-32; needs no zlib.
uint32_t deflate_sum(const void *bytes, size_t n);

// Base64 (RFC 4648).
void base64_write(FILE *stream, const unsigned char *bytes, size_t n);

#endif
