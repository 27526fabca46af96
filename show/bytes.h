// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Little-endian encoding of numbers, on every machine.
#ifndef SHOW_BYTES_H
#define SHOW_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void put_u32(unsigned char *to, uint32_t x)
{
  to[0] = (unsigned char) x, to[1] = (unsigned char) (x >> 8); // compilers merge these into one
                                                               // store
  to[2] = (unsigned char) (x >> 16), to[3] = (unsigned char) (x >> 24);
}


static inline uint32_t get_u32(const unsigned char *from)
{
  uint32_t x = 0;
  for (int k = 0; k < 4; k++) x |= (uint32_t) from[k] << 8 * k;
  return x;
}


static inline void put_f32(unsigned char *to, float value)
{
  uint32_t x;
  memcpy(&x, &value, sizeof x);
  put_u32(to, x);
}


static inline float get_f32(const unsigned char *from)
{
  const uint32_t x = get_u32(from);
  float value;
  memcpy(&value, &x, sizeof value);
  return value;
}


static inline void put_f64(unsigned char *to, double value)
{
  uint64_t x;
  memcpy(&x, &value, sizeof x);
  for (int k = 0; k < 8; k++) to[k] = (unsigned char) (x >> 8 * k);
}


static inline double get_f64(const unsigned char *from)
{
  uint64_t x = 0;
  for (int k = 0; k < 8; k++) x |= (uint64_t) from[k] << 8 * k;
  double value;
  memcpy(&value, &x, sizeof value);
  return value;
}

#endif
