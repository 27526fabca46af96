// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Heights of roads that have short equations, for numbers and symbols.
#include "road/heights.h"

#include "road/fade.h"

//---- heights of roads -----------------------------------------------------------------------------

roadJet R_NAME(plane_height)(const artRoad *road, real x, real y)
{
  const planeRoad *plane = (const planeRoad *) road;
  const real grade = road_number(&plane->grade), bank = road_number(&plane->bank);
  roadJet f = {0};
  f.z = road_number(&plane->height) + (grade * x + bank * y);
  f.x = grade;
  f.y = bank;
  return f;
}


roadJet R_NAME(bump_height)(const artRoad *road, real x, real y)
{
  const bumpRoad *bump = (const bumpRoad *) road;
  const real start = road_number(&bump->start), length = road_number(&bump->length);
  const real spacing = road_number(&bump->spacing);
  roadJet f = {0};
  (void) y;
  if (r_surely(x < start)) return f;

  // s is the way from the beginning of the bump that lies at x or before it
  real s = x - start;
  if (bump->last > 0) {
    s -= spacing * r_max(r_min(r_floor(s / spacing), bump->last), 0);
  }
  if (r_surely(s >= length)) return f;

  // z = h/2 (1 - cos w s)
  const real w = 0x1.921fb54442d18p+2 / length, half = 0.5 * road_number(&bump->height);
  const real angle = w * s, size = s >= 0 && s < length ? half : 0;
  real sine, cosine;
  r_sincos_all(1, &angle, &sine, &cosine);
  const real c = size * cosine;
  f.z = size - c;
  f.x = w * size * sine;
  f.xx = w * w * c;
  return f;
}


roadJet R_NAME(sine_height)(const artRoad *road, real x, real y)
{
  const sineRoad *wave = (const sineRoad *) road;
  const real s = x - road_number(&wave->start), length = road_number(&wave->length);
  const real k = road_number(&wave->k), dk = road_number(&wave->dk);
  const real amplitude = road_number(&wave->amplitude), blend = road_number(&wave->blend);
  const int is_bounded = wave->length > 0;
  roadJet f = {0};
  (void) y;
  if (is_bounded && r_surely(s <= 0 || s >= length)) return f;

  // z = a sin p,   p = phase + k s + dk s^2 / 2
  const real angle = road_number(&wave->phase) + s * (k + 0.5 * dk * s);
  const real slope = k + dk * s;
  real sine, cosine;
  r_sincos_all(1, &angle, &sine, &cosine);
  const real c = amplitude * cosine;
  f.z = amplitude * sine;
  f.x = slope * c;
  f.xx = dk * c - slope * slope * f.z;
  if (!is_bounded) return f;
  const real last = length - blend;
  const roadFade in = R_NAME(fade_in)(s, r_const(0), blend);
  const roadFade out = R_NAME(fade_out)(s, last, blend);
  const roadFade weight = R_NAME(fade_product)(&in, &out);
  return R_NAME(jet_fade_x)(&f, &weight);
}


// A line, or the circle through (x0, z0) with direction (c, s) there: with u = x - x0 and w = u + bend R s, the
// distance from its centre,
//   z = z0 + (bend u^2 + 2 R s u) / (R c + sqrt(R^2 - w^2)),
// which does not cancel however large the circle is.
roadJet R_NAME(polyline_height)(const artRoad *road, real x, real y)
{
  const polylineRoad *line = (const polylineRoad *) road;
  real n[PIECE_NUMBERS];
  (void) y;
  find_piece(road, line->nknot, line->knot, polyline_numbers, PIECE_NUMBERS, x, n);

  const real u = x - n[PIECE_X], slope = n[PIECE_SLOPE], bend = n[PIECE_BEND];
  const real R = n[PIECE_R], Rs = n[PIECE_RS];
  roadJet f = {0};
  if (r_surely(R <= 0)) {
    f.z = n[PIECE_Z] + slope * u;
    f.x = slope;
    return f;
  }
  const real w = u + bend * Rs, root = r_sqrt(R > 0 ? (R - w) * (R + w) : 1);
  const real below = R > 0 ? n[PIECE_RC] + root : 1;
  f.z = n[PIECE_Z] + (R > 0 ? (bend * u * u + 2 * Rs * u) / below : slope * u);
  f.x = slope + bend * w / root;
  f.xx = bend * R * R / (root * root * root);
  return f;
}


roadJet R_NAME(spline_height)(const artRoad *road, real x, real y)
{
  const splineRoad *spline = (const splineRoad *) road;
  real n[SPLINE_NUMBERS];
  (void) y;
  find_piece(road, spline->n, spline->x, spline_numbers, SPLINE_NUMBERS, x, n);
  const real u = x - n[0];
  roadJet f = {0};
  f.z = n[1] + u * (n[2] + u * (n[3] + u * n[4]));
  f.x = n[2] + u * (2 * n[3] + 3 * u * n[4]);
  f.xx = 2 * n[3] + 6 * u * n[4];
  return f;
}


// in the axes of the part u = R^T (p - p0); back in ours the gradient is R g and the second derivatives
// are R H R^T
roadJet R_NAME(placed_height)(const artRoad *road, real x, real y)
{
  const placedRoad *placed = (const placedRoad *) road;
  const real c = road_number(&placed->c), s = road_number(&placed->s);
  const real dx = x - road_number(&placed->x), dy = y - road_number(&placed->y);
  const roadJet f = part_height(placed->part, c * dx + s * dy, c * dy - s * dx);

  return (roadJet){.z = road_number(&placed->z) + f.z,
                   .x = c * f.x - s * f.y,
                   .y = s * f.x + c * f.y,
                   .xx = c * c * f.xx - 2 * c * s * f.xy + s * s * f.yy,
                   .xy = c * s * (f.xx - f.yy) + (c * c - s * s) * f.xy,
                   .yy = s * s * f.xx + 2 * c * s * f.xy + c * c * f.yy};
}


roadJet R_NAME(sum_height)(const artRoad *road, real x, real y)
{
  const sumRoad *sum = (const sumRoad *) road;
  roadJet f = {0};
  for (int i = 0; i < sum->count; i++) f = jet_add(f, part_height(sum->parts[i], x, y));
  return f;
}
