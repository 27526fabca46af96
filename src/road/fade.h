// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Weights that pass smoothly from 0 to 1, and jets multiplied by them.
#ifndef ROAD_FADE_H
#define ROAD_FADE_H

#include "road/road.h"

// A weight with its first and second derivative.
typedef struct roadFade {
  double w, d, dd;
} roadFade;

// 0 up to from, 1 from from + width on, between them w = u^3 (10 - 15 u + 6 u^2), u = (x - from) / width:
// twice continuously differentiable, and w(u) + w(1 - u) = 1.
static inline roadFade fade_in(double x, double from, double width)
{
  const double u = (x - from) / width, v = 1 - u;
  if (!(u > 0)) return (roadFade){0, 0, 0};
  if (u >= 1) return (roadFade){1, 0, 0};
  return (roadFade){u * u * u * (10 + u * (-15 + 6 * u)), 30 * u * u * v * v / width,
                    60 * u * v * (v - u) / (width * width)};
}

// 1 - the above
static inline roadFade fade_out(double x, double from, double width)
{
  const roadFade in = fade_in(x, from, width);
  return (roadFade){1 - in.w, -in.d, -in.dd};
}

static inline roadFade fade_product(roadFade a, roadFade b)
{
  return (roadFade){a.w * b.w, a.d * b.w + a.w * b.d, a.dd * b.w + 2 * a.d * b.d + a.w * b.dd};
}

// (w f)_xx = w f_xx + 2 w' f_x + w'' f for a weight over x
static inline roadJet jet_fade_x(roadJet f, roadFade fade)
{
  return (roadJet){.z = fade.w * f.z,
                   .x = fade.w * f.x + fade.d * f.z,
                   .y = fade.w * f.y,
                   .xx = fade.w * f.xx + 2 * fade.d * f.x + fade.dd * f.z,
                   .xy = fade.w * f.xy + fade.d * f.y,
                   .yy = fade.w * f.yy};
}

// the same for a weight over y
static inline roadJet jet_fade_y(roadJet f, roadFade fade)
{
  return (roadJet){.z = fade.w * f.z,
                   .x = fade.w * f.x,
                   .y = fade.w * f.y + fade.d * f.z,
                   .xx = fade.w * f.xx,
                   .xy = fade.w * f.xy + fade.d * f.x,
                   .yy = fade.w * f.yy + 2 * fade.d * f.y + fade.dd * f.z};
}

#endif
