// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Weights that change smoothly from 0 to 1, and products of weights and jets, for numbers and
// symbols.
#ifndef ROAD_FADE_H
#define ROAD_FADE_H

#include "road/road.h"

// A weight with its first and second derivative.
typedef struct roadFade {
  real w, d, dd;
} roadFade;

// fade_in: 0 up to `from`, 1 above from + width, w = u^3 (10 - 15 u + 6 u^2) in between, u = (x -
// from) / width: twice continuously differentiable, w(u) + w(1 - u) = 1. fade_out: 1 - fade_in.
roadFade R_NAME(fade_in)(real x, real from, real width);
roadFade R_NAME(fade_out)(real x, real from, real width);

roadFade R_NAME(fade_product)(const roadFade *a, const roadFade *b);

// The product of a jet and a weight over x, or over y.
roadJet R_NAME(jet_fade_x)(const roadJet *f, const roadFade *fade);
roadJet R_NAME(jet_fade_y)(const roadJet *f, const roadFade *fade);

#endif
