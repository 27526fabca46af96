// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Heights of roads on intervals: the equations of heights.c with operators lowered to calls, and
// tables piece by piece.
#define ART_INTERVAL

#include "road/road_bounds.h"

#include "road/fade.h"
#include "road/heights.h"

// clang-format off
#include "lowered/road/fade.c"
#include "lowered/road/heights.c"
// clang-format on

static const roadJet NOTHING = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY},
                                {INFINITY, -INFINITY}, {INFINITY, -INFINITY},
                                {INFINITY, -INFINITY}, {INFINITY, -INFINITY}};


static roadJet jet_hull(roadJet a, roadJet b)
{
  return (roadJet){interval_hull(a.z, b.z),   interval_hull(a.x, b.x),   interval_hull(a.y, b.y),
                   interval_hull(a.xx, b.xx), interval_hull(a.xy, b.xy), interval_hull(a.yy, b.yy)};
}


//---- pieces along x ------------------------------------------------------------------------------

// numbers of the piece that contains the whole interval x
void find_piece_interval(const artRoad *road, int nknot, const double *knot, pieceNumbers numbers,
                         int count, real x, real *number)
{
  double value[PIECE_NUMBERS];
  ART_ASSERT(count <= PIECE_NUMBERS);
  numbers(road, road_interval(nknot, knot, interval_middle(x)), value);
  for (int k = 0; k < count; k++) number[k] = r_const(value[k]);
}


// hull over all pieces that the interval x touches
static roadJet bounds_along(const artRoad *road, int nknot, const double *knot,
                            roadJet (*height)(const artRoad *road, real x, real y), real x, real y)
{
  const int first = road_interval(nknot, knot, x.lo), last = road_interval(nknot, knot, x.hi);
  roadJet all = NOTHING;
  for (int i = first; i <= last; i++) {
    const double from = i > 0 ? knot[i - 1] : -INFINITY, to = i < nknot ? knot[i] : INFINITY;
    all = jet_hull(all, height(road, interval_clip(x, from, to), y));
  }
  return all;
}


// one bump at a time, because the index of the bump is ambiguous where two bumps meet
static roadJet bounds_of_bumps(const artRoad *road, real x, real y)
{
  const bumpRoad *bumps = (const bumpRoad *) road;
  const double first = fmin(fmax(floor((x.lo - bumps->start) / bumps->spacing), 0), bumps->last);
  const double last = fmin(fmax(floor((x.hi - bumps->start) / bumps->spacing), 0), bumps->last);
  roadJet all = NOTHING;
  for (double k = first; k <= last; k++) {
    const double from = bumps->start + k * bumps->spacing;
    const bumpRoad one = {
        .start = from, .length = bumps->length, .height = bumps->height, .spacing = 1};
    const real part = interval_clip(x, k > 0 ? from : -INFINITY,
                                    k < bumps->last ? from + bumps->spacing : INFINITY);
    all = jet_hull(all, bump_height_interval(&one.road, part, y));
  }
  return all;
}


//---- random roads and tracks ---------------------------------------------------------------------

// The slope of a uniform cubic spline in a cell, u in [0, 1], from the differences d of its four
// coefficients:
//   s = (1 - u)^2/2 d0 + (1/2 + u - u^2) d1 + u^2/2 d2
static enclosure cell_slope(const double *c, double u)
{
  const enclosure x = interval_point(u), rest = interval_sub(interval_point(1), x);
  const enclosure outer[2] = {interval_scale(0.5, interval_square(rest)),
                              interval_scale(0.5, interval_square(x))};
  const enclosure inner = interval_add(interval_point(0.5), interval_mul(x, rest));
  enclosure d[3];
  for (int i = 0; i < 3; i++) d[i] = interval_sub(interval_point(c[i + 1]), interval_point(c[i]));
  return interval_add(interval_mul(inner, d[1]),
                      interval_add(interval_mul(outer[0], d[0]), interval_mul(outer[1], d[2])));
}


// height:  ((1 - u)^3 c0 + (3 u^3 - 6 u^2 + 4) c1 + (3 (1 - u)^3 - 6 (1 - u)^2 + 4) c2 + u^3 c3)/6
static enclosure cell_height(const double *c, double u)
{
  const enclosure x[2] = {interval_point(u), interval_sub(interval_point(1), interval_point(u))};
  enclosure sum = interval_point(0);
  for (int i = 0; i < 2; i++) {
    const enclosure square = interval_square(x[i]), cube = interval_mul(square, x[i]);
    const enclosure near = interval_add(
        interval_sub(interval_scale(3, cube), interval_scale(6, square)), interval_point(4));
    sum = interval_add(sum, interval_scale(i ? c[0] : c[3], cube));
    sum = interval_add(sum, interval_scale(i ? c[2] : c[1], near));
  }
  return interval_scale(1.0 / 6, sum);
}


// The slope is a parabola: its range is given by both ends and the vertex. The height follows from
// the mean value theorem, z(u) = z(m) + s (u - m), with s in the range of slopes.
static roadJet bounds_in_cell(const double *c, double from, double to, double per_metre)
{
  const double d[3] = {c[1] - c[0], c[2] - c[1], c[3] - c[2]}, bend = d[0] - 2 * d[1] + d[2];
  const double vertex = (d[0] - d[1]) / bend, middle = 0.5 * (from + to);
  const double slack = 16 * DBL_EPSILON * (fabs(d[0]) + fabs(d[1]) + fabs(d[2]));
  enclosure slope = interval_hull(cell_slope(c, from), cell_slope(c, to));
  if (vertex > from && vertex < to) slope = interval_hull(slope, cell_slope(c, vertex));
  slope = interval_widen(slope.lo - slack, slope.hi + slack);
  const enclosure way = interval_widen(from - middle, to - middle);
  return (roadJet){.z = interval_add(cell_height(c, middle), interval_mul(slope, way)),
                   .x = interval_scale(per_metre, slope)};
}


static roadJet bounds_of_coefficients(const randomRoad *random, const double *c, real x)
{
  const double per_metre = random->n / random->period;
  const double slack = 8 * DBL_EPSILON * interval_size(x) * per_metre;
  const double begin = x.lo * per_metre - slack, end = x.hi * per_metre + slack;
  const long n = random->n;
  roadJet all = NOTHING;
  if (!(end - begin < (double) n)) { // the whole period
    for (long k = 0; k < n; k++) all = jet_hull(all, bounds_in_cell(c + k, 0, 1, per_metre));
    return all;
  }
  for (double cell = floor(begin); cell <= end; cell++) {
    const long k = (long) (cell - (double) n * floor(cell / (double) n));
    const double from = fmax(begin - cell, 0), to = fmin(end - cell, 1);
    all = jet_hull(all, bounds_in_cell(c + (k < n ? k : 0), from, to, per_metre));
  }
  return all;
}


static roadJet bounds_of_random(const artRoad *road, real x, real y)
{
  const randomRoad *random = (const randomRoad *) road;
  roadJet jet = bounds_of_coefficients(random, random->right, x);
  if (random->left != random->right) {
    const roadJet left = bounds_of_coefficients(random, random->left, x), rest = jet_sub(left, jet);
    const roadFade weight =
        fade_in_interval(y, r_const(-0.25 * random->track), r_const(0.5 * random->track));
    const roadJet part = jet_fade_y_interval(&rest, &weight);
    jet = jet_add(jet, part);
  }
  if (!(random->blend > 0)) return jet;
  const roadFade ramp = fade_in_interval(x, r_const(random->start), r_const(random->blend));
  return jet_fade_x_interval(&jet, &ramp);
}


static roadJet bounds_of_tracks(const artRoad *road, real x, real y)
{
  const tracksRoad *all = (const tracksRoad *) road;
  const double half = 0.5 * all->blend;
  const roadJet ground = all->ground ? part_height_interval(all->ground, x, y) : (roadJet){0};
  roadJet sum = ground;
  for (int i = 0; i < all->count; i++) {
    const artRoadTrack *track = all->tracks + i;
    if (y.hi <= track->from - half || y.lo >= track->to + half) continue;
    const real width = r_const(all->blend);
    const roadFade in = fade_in_interval(y, r_const(track->from - half), width);
    const roadFade out = fade_out_interval(y, r_const(track->to - half), width);
    const roadFade weight = fade_product_interval(&in, &out);
    const roadJet rest = jet_sub(part_height_interval(track->road, x, y), ground);
    sum = jet_add(sum, jet_fade_y_interval(&rest, &weight));
  }
  return sum;
}

//---- all kinds -----------------------------------------------------------------------------------


roadJet part_height_interval(const artRoad *road, real x, real y)
{
  switch (road->kind) {
  case ROAD_PLANE: return plane_height_interval(road, x, y);
  case ROAD_BUMP: return bounds_of_bumps(road, x, y);
  case ROAD_SINE: return sine_height_interval(road, x, y);
  case ROAD_POLYLINE: {
    const polylineRoad *line = (const polylineRoad *) road;
    return bounds_along(road, line->nknot, line->knot, polyline_height_interval, x, y);
  }
  case ROAD_SPLINE: {
    const splineRoad *spline = (const splineRoad *) road;
    return bounds_along(road, spline->n, spline->x, spline_height_interval, x, y);
  }
  case ROAD_PLACED: return placed_height_interval(road, x, y);
  case ROAD_SUM: return sum_height_interval(road, x, y);
  case ROAD_RANDOM: return bounds_of_random(road, x, y);
  case ROAD_TRACKS: return bounds_of_tracks(road, x, y);
  case ROAD_FUNCTION: break; // added by force/ground.c
  }
  return (roadJet){0};
}


roadBounds road_bounds(const artRoad *road, enclosure x, enclosure y)
{
  const roadJet jet = part_height_interval(road, x, y);
  return (roadBounds){jet.z, jet.x, jet.y};
}
