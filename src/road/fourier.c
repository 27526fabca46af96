// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Discrete Fourier transform by radix-2 decimation (Cooley, Tukey 1965).
#include "road/fourier.h"

#include "base/error.h"
#include "spatial/sincos.h"


void fourier_turns(int n, roadComplex turn)
{
  ART_ASSERT(n > 0 && (n & (n - 1)) == 0);
  for (int k = 0; k < n / 2; k++) {
    sincos_both(0x1.921fb54442d18p+2 * k / n, turn.im + k, turn.re + k);
  }
}


static void swap_samples(double *x, int i, int j)
{
  const double kept = x[i];
  x[i] = x[j];
  x[j] = kept;
}


void fourier_sum(int n, roadComplex turn, roadComplex f)
{
  ART_ASSERT(n > 0 && (n & (n - 1)) == 0);
  // bit-reversal permutation
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    swap_samples(f.re, i, j);
    swap_samples(f.im, i, j);
  }

  // combine two transforms of length half into one:
  //     f_k + t f_{k+half},  f_k - t f_{k+half},   t = exp(2 pi i k / (2 half))
  for (int half = 1; half < n; half *= 2) {
    const int stride = n / (2 * half);
    for (int first = 0; first < n; first += 2 * half) {
      double *re = f.re + first, *im = f.im + first;
      for (int k = 0; k < half; k++) {
        const double c = turn.re[k * stride], s = turn.im[k * stride];
        const double moved_re = c * re[k + half] - s * im[k + half];
        const double moved_im = c * im[k + half] + s * re[k + half];
        re[k + half] = re[k] - moved_re;
        im[k + half] = im[k] - moved_im;
        re[k] += moved_re;
        im[k] += moved_im;
      }
    }
  }
}
