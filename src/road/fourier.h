// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums of harmonics at equally spaced points.
#ifndef ROAD_FOURIER_H
#define ROAD_FOURIER_H

// n complex numbers, real and imaginary parts apart. Laid in pairs, gcc 12 may multiply them by fused
// instructions even where contraction is off, and the bits would depend on the processor.
typedef struct roadComplex {
  double *re, *im;
} roadComplex;

// In place, for n a power of two:  f_j = sum over k of f_k exp(2 pi i j k / n). turn holds the n/2
// values exp(2 pi i k / n) that fourier_turns writes.
void fourier_turns(int n, roadComplex turn);
void fourier_sum(int n, roadComplex turn, roadComplex f);

#endif
