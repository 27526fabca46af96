// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Smooth functions of one variable, defined once for all scalars and for formulas.
#ifndef SPATIAL_FUNCTIONS_H
#define SPATIAL_FUNCTIONS_H

#define LN10 2.30258509299404568402

// functions f of x: operation, C function and name in formulas, rule for dimensions, f', f''
#define SMOOTH_FUNCTIONS(F)                                                                        \
  F(SIN, sin, NUMBER, cos(x), -f)                                                                  \
  F(COS, cos, NUMBER, -sin(x), -f)                                                                 \
  F(TAN, tan, NUMBER, 1 + f * f, 2 * f * df)                                                       \
  F(ASIN, asin, NUMBER, 1 / sqrt((1 - x) * (1 + x)), df * x / ((1 - x) * (1 + x)))                 \
  F(ACOS, acos, NUMBER, -1 / sqrt((1 - x) * (1 + x)), df * x / ((1 - x) * (1 + x)))                \
  F(ATAN, atan, NUMBER, 1 / (1 + x * x), -2 * x * df * df)                                         \
  F(SINH, sinh, NUMBER, cosh(x), f)                                                                \
  F(COSH, cosh, NUMBER, sinh(x), f)                                                                \
  F(TANH, tanh, NUMBER, 1 / cosh(x) / cosh(x), -2 * f * df)                                        \
  F(EXP, exp, NUMBER, f, f)                                                                        \
  F(LOG, log, NUMBER, 1 / x, -1 / x / x)                                                           \
  F(LOG10, log10, NUMBER, 1 / (x * LN10), -1 / (x * x * LN10))                                     \
  F(SQRT, sqrt, ROOT, 0.5 / f, -0.25 / (x * f))

#endif
