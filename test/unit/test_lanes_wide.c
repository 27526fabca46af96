// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of eight lanes for processors with AVX-512, on other ones: its instructions in plain C.
#include <math.h>

#ifdef __SSE2__

// a compiler that knows these instructions has them compiled for the processor at hand, or not at all
#ifdef __AVX512F__
#define LANES 8
#endif

#else

#define LANES 8
#define LANES_ARE_WIDE

typedef double __m512d __attribute__((vector_size(64)));
typedef long long __m512i __attribute__((vector_size(64)));
typedef unsigned char __mmask8;

enum { _CMP_EQ_OQ, _CMP_LT_OQ, _CMP_LE_OQ, _CMP_UNORD_Q };

static unsigned bits_of(__m512i set)
{
  unsigned bits = 0;
  for (int k = 0; k < 8; k++) bits |= (set[k] != 0) * (1u << k);
  return bits;
}


static unsigned _mm512_cmp_pd_mask(__m512d a, __m512d b, int how)
{
  return bits_of(how == _CMP_EQ_OQ   ? (__m512i) (a == b)
                 : how == _CMP_LT_OQ ? (__m512i) (a < b)
                 : how == _CMP_LE_OQ ? (__m512i) (a <= b)
                                     : (__m512i) ((a != a) | (b != b)));
}


static unsigned _mm512_cmplt_epi64_mask(__m512i a, __m512i b)
{
  return bits_of(a < b);
}


static __m512i _mm512_setzero_si512(void)
{
  return (__m512i){0};
}


static __m512d _mm512_mask_blend_pd(__mmask8 m, __m512d a, __m512d b)
{
  for (int k = 0; k < 8; k++) a[k] = m >> k & 1 ? b[k] : a[k];
  return a;
}


static __m512d _mm512_maskz_mov_pd(__mmask8 m, __m512d a)
{
  return _mm512_mask_blend_pd(m, (__m512d){0}, a);
}


static __m512d _mm512_set1_pd(double x)
{
  return x - (__m512d){0};
}


static __m512d _mm512_mul_pd(__m512d a, __m512d b)
{
  return a * b;
}


static __m512d _mm512_fmadd_pd(__m512d a, __m512d b, __m512d c)
{
  for (int k = 0; k < 8; k++) c[k] = fma(a[k], b[k], c[k]);
  return c;
}


static __m512d _mm512_fnmadd_pd(__m512d a, __m512d b, __m512d c)
{
  return _mm512_fmadd_pd(-a, b, c);
}


// 14 binary digits
static __m512d _mm512_rcp14_pd(__m512d x)
{
  for (int k = 0; k < 8; k++) {
    int exponent;
    const double digits = frexp(1 / x[k], &exponent);
    x[k] = isfinite(1 / x[k]) ? ldexp(rint(ldexp(digits, 14)), exponent - 14) : 1 / x[k];
  }
  return x;
}

#endif

#include "unit/test_lanes_math.c"
