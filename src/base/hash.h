// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// FNV-1a hash, 64 bits.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// hash of an empty sequence
#define BASE_HASH_EMPTY UINT64_C(14695981039346656037)

// Continue a hash with n more bytes.
static inline uint64_t base_hash(uint64_t hash, const void *bytes, size_t n)
{
  const unsigned char *c = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ c[i]) * UINT64_C(1099511628211);
  return hash;
}

#endif
