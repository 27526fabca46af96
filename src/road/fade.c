// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Weights that pass smoothly from 0 to 1, and jets multiplied by them, for numbers and symbols.
#include "road/fade.h"

//---- weights --------------------------------------------------------------------------------------

roadFade R_NAME(fade_in)(real x, real from, real width)
{
  const real u = r_max(r_min((x - from) / width, 1), 0), v = 1 - u;
  return (roadFade){u * u * u * (10 + u * (6 * u - 15)), 30 * u * u * v * v / width,
                    60 * u * v * (v - u) / (width * width)};
}


roadFade R_NAME(fade_out)(real x, real from, real width)
{
  const roadFade in = R_NAME(fade_in)(from + width - x, r_const(0), width);
  return (roadFade){in.w, -in.d, in.dd};
}


roadFade R_NAME(fade_product)(const roadFade *a, const roadFade *b)
{
  return (roadFade){a->w * b->w, a->d * b->w + a->w * b->d,
                    a->dd * b->w + 2 * a->d * b->d + a->w * b->dd};
}


roadJet R_NAME(jet_fade_x)(const roadJet *f, const roadFade *fade)
{
  // (w f)_xx = w f_xx + 2 w' f_x + w'' f
  return (roadJet){.z = fade->w * f->z,
                   .x = fade->w * f->x + fade->d * f->z,
                   .y = fade->w * f->y,
                   .xx = fade->w * f->xx + 2 * fade->d * f->x + fade->dd * f->z,
                   .xy = fade->w * f->xy + fade->d * f->y,
                   .yy = fade->w * f->yy};
}


roadJet R_NAME(jet_fade_y)(const roadJet *f, const roadFade *fade)
{
  return (roadJet){.z = fade->w * f->z,
                   .x = fade->w * f->x,
                   .y = fade->w * f->y + fade->d * f->z,
                   .xx = fade->w * f->xx,
                   .xy = fade->w * f->xy + fade->d * f->x,
                   .yy = fade->w * f->yy + 2 * fade->d * f->y + fade->dd * f->z};
}
