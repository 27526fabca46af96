// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// SHA-256 (FIPS 180-4): collision-resistant names of cached libraries, and checksums of results.
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_LENGTH = 65 }; // of the digest as a string

typedef struct baseSha256 {
  uint32_t state[8];
  uint64_t length; // bytes so far
  unsigned char block[64];
} baseSha256;

void sha256_begin(baseSha256 *sha);
void sha256_add(baseSha256 *sha, const void *bytes, size_t n);

// The digest as 64 hexadecimal digits and a zero.
void sha256_end(baseSha256 *sha, char text[SHA256_LENGTH]);

#endif
