// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// SHA-256 as in FIPS 180-4.
#include "base/sha256.h"

#include <string.h>

// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};


static uint32_t rotate_right(uint32_t x, int n)
{
  return x >> n | x << (32 - n);
}


static void expand_block(const unsigned char *block, uint32_t w[64])
{
  for (int t = 0; t < 16; t++, block += 4) {
    w[t] =
        (uint32_t) block[0] << 24 | (uint32_t) block[1] << 16 | (uint32_t) block[2] << 8 | block[3];
  }
  for (int t = 16; t < 64; t++) {
    const uint32_t a = w[t - 15], b = w[t - 2];
    const uint32_t small_0 = rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3;
    const uint32_t small_1 = rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10;
    w[t] = small_1 + w[t - 7] + small_0 + w[t - 16];
  }
}


static void add_block(baseSha256 *sha, const unsigned char *block)
{
  uint32_t w[64], *v = sha->state;
  uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
  expand_block(block, w);
  for (int t = 0; t < 64; t++) {
    const uint32_t big_0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
    const uint32_t big_1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
    const uint32_t choice = (e & f) ^ (~e & g);
    const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t first = h + big_1 + choice + K[t] + w[t];
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + big_0 + majority;
  }
  v[0] += a, v[1] += b, v[2] += c, v[3] += d, v[4] += e, v[5] += f, v[6] += g, v[7] += h;
}


void sha256_begin(baseSha256 *sha)
{
  *sha = (baseSha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}


void sha256_add(baseSha256 *sha, const void *bytes, size_t n)
{
  const unsigned char *at = bytes;
  while (n > 0) {
    const size_t used = (size_t) (sha->length % 64), part = n < 64 - used ? n : 64 - used;
    memcpy(sha->block + used, at, part);
    sha->length += part;
    at += part;
    n -= part;
    if (sha->length % 64 == 0) add_block(sha, sha->block);
  }
}


void sha256_end(baseSha256 *sha, char text[SHA256_LENGTH])
{
  static const char digits[] = "0123456789abcdef";
  const uint64_t bits = 8 * sha->length;
  unsigned char end[8];
  for (int i = 0; i < 8; i++) end[i] = (unsigned char) (bits >> (56 - 8 * i));
  sha256_add(sha, "\x80", 1);
  while (sha->length % 64 != 56) sha256_add(sha, "", 1);
  sha256_add(sha, end, sizeof end);
  for (int i = 0; i < 64; i++) text[i] = digits[sha->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  text[64] = '\0';
}
