// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Cases of a sweep: grids, random numbers, Latin hypercubes.
#include <limits.h>
#include <stdint.h>

#include "articula/study.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"


//---- grids ---------------------------------------------------------------------------------------

// both ends are met exactly
static double grid_value(const artRange *range, long i)
{
  ART_ASSERT(i >= 0 && i < range->count);
  if (i == 0) return range->from;
  if (i == range->count - 1) return range->to;
  return range->from + (range->to - range->from) * (double) i / (double) (range->count - 1);
}


long art_make_grid(int n, const artRange *range, double *value)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(n >= 0 && (range || n == 0), -1);
  long rows = 1;
  for (int k = 0; k < n; k++) {
    if (range[k].count < 1 || rows > LONG_MAX / range[k].count) return -1;
    rows *= range[k].count;
  }
  for (long row = 0; row < rows && value; row++) {
    long left = row;
    for (int k = n - 1; k >= 0; k--) {
      value[row * n + k] = grid_value(&range[k], left % range[k].count);
      left /= range[k].count;
    }
  }
  return rows;
}


//---- random numbers ------------------------------------------------------------------------------

// SplitMix64 (Steele, Lea, Flood 2014)
static uint64_t next_bits(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}


// 0 .. n - 1, all alike: numbers of the incomplete last round are thrown again
static long next_below(uint64_t *state, long n)
{
  ART_ASSERT(n > 0);
  const uint64_t count = (uint64_t) n, limit = UINT64_MAX - UINT64_MAX % count;
  uint64_t bits = next_bits(state);
  while (bits >= limit) bits = next_bits(state);
  return (long) (bits % count);
}


// every parameter has its own stream, so that one more leaves the others as they are
static uint64_t parameter_stream(unsigned long long seed, int parameter)
{
  uint64_t state = seed;
  const uint64_t mixed = next_bits(&state);
  state = mixed + (uint64_t) parameter;
  return next_bits(&state);
}


static double in_range(const artRange *range, double fraction)
{
  const double x = range->from + (range->to - range->from) * fraction;
  const double low = range->from < range->to ? range->from : range->to;
  const double high = range->from < range->to ? range->to : range->from;
  return x < low ? low : x > high ? high : x;
}


artStatus art_make_samples(artSampling sampling, unsigned long long seed, int n,
                           const artRange *range, long rows, double *value, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE((unsigned) sampling < ART_SAMPLINGS, error);
  ART_REQUIRE(n >= 0 && rows >= 0 && ((range && value) || n == 0 || rows == 0), error);
  long *part = sampling == ART_LATIN ? MEM_ARRAY(long, rows) : NULL;
  if (sampling == ART_LATIN && !part) return base_no_memory(error);
  for (int k = 0; k < n; k++) {
    uint64_t state = parameter_stream(seed, k);
    if (part) {
      // 0 .. n - 1 in random order (Fisher and Yates)
      for (long i = 0; i < rows; i++) {
        const long j = next_below(&state, i + 1);
        part[i] = part[j];
        part[j] = i;
      }
    }
    for (long row = 0; row < rows; row++) {
      // in [0, 1)
      double fraction = (double) (next_bits(&state) >> 11) * 0x1p-53;

      if (part) fraction = ((double) part[row] + fraction) / (double) rows;
      value[row * n + k] = in_range(&range[k], fraction);
    }
  }
  mem_free(part);
  return ART_OK;
}
