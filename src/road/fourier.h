// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Discrete Fourier transform.
#ifndef ROAD_FOURIER_H
#define ROAD_FOURIER_H

// n complex numbers, with real and imaginary parts in separate arrays: gcc 12 may compile products
// of interleaved numbers to fused instructions even without contraction, and results would depend
// on the CPU.
typedef struct roadComplex {
  double *re, *im;
} roadComplex;

// In place, for n a power of two:  f_j = sum over k of f_k exp(2 pi i j k / n). turn holds the n/2
// values exp(2 pi i k / n) that fourier_turns writes.
void fourier_turns(int n, roadComplex turn);
void fourier_sum(int n, roadComplex turn, roadComplex f);

#endif
