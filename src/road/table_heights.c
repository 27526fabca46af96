// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Heights of roads by tables and of tracks side by side, for numbers alone. All from the next line on goes as source into
// generated files, where it belongs to their user.
#include <math.h>

#include "road/fade.h"
#include "road/heights.h"

//---- roads by tables -----------------------------------------------------------------------------

int R_NAME(road_interval)(int n, const double *knots, double x)
{
  int low = 0, high = n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (knots[middle] <= x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}


void R_NAME(polyline_numbers)(const artRoad *road, int i, double *number)
{
  const polyPiece *p = ((const polylineRoad *) road)->piece + i;
  const int is_line = p->bend == 0;
  number[PIECE_X] = p->x;
  number[PIECE_Z] = p->z;
  number[PIECE_SLOPE] = is_line ? p->s / p->c : 0;
  number[PIECE_BEND] = p->bend;
  number[PIECE_R] = is_line ? 0 : p->radius;
  number[PIECE_RC] = p->radius * p->c;
  number[PIECE_RS] = p->radius * p->s;
}


void R_NAME(spline_numbers)(const artRoad *road, int i, double *number)
{
  const splineRoad *spline = (const splineRoad *) road;
  for (int k = 0; k < SPLINE_NUMBERS; k++)
    number[k] = spline->number[(long) i * SPLINE_NUMBERS + k];
}


// the spline between points j and j + 1, at t from 0 to 1 between them, 1/h points to the metre
static roadJet spline_at(const double *c, double t, double per_metre)
{
  const double v = 1 - t, a = per_metre, b = per_metre * per_metre;
  return (roadJet){
      .z = (v * v * v * c[0] + (4 + t * t * (3 * t - 6)) * c[1] + (4 + v * v * (3 * v - 6)) * c[2] +
            t * t * t * c[3]) /
           6,
      .x = a * 0.5 *
           (-v * v * c[0] + t * (3 * t - 4) * c[1] - v * (3 * v - 4) * c[2] + t * t * c[3]),
      .xx = b * (v * c[0] + (3 * t - 2) * c[1] + (3 * v - 2) * c[2] + t * c[3]),
  };
}


roadJet R_NAME(random_height)(const artRoad *road, double x, double y)
{
  const randomRoad *random = (const randomRoad *) road;
  if (random->blend > 0 && x <= random->start) return (roadJet){0};

  // the place in the period, in points; rounding may lay it on its end
  const double s = x / random->period, per_metre = random->n / random->period;
  const double u = (s - floor(s)) * random->n;
  const int j = u < random->n ? (int) u : random->n - 1;
  const double t = u - j;

  // the right track, the left one, and in the middle half between them something of both
  const roadFade weight = random->left == random->right
                              ? (roadFade){0}
                              : R_NAME(fade_in)(y, -0.25 * random->track, 0.5 * random->track);
  roadJet jet = spline_at((weight.w < 1 ? random->right : random->left) + j, t, per_metre);
  if (weight.w > 0 && weight.w < 1) {
    const roadJet other = spline_at(random->left + j, t, per_metre);
    const roadJet rest = jet_sub(other, jet);
    jet = jet_add(jet, R_NAME(jet_fade_y)(&rest, &weight));
  }
  if (!(random->blend > 0)) return jet;
  const roadFade ramp = R_NAME(fade_in)(x, random->start, random->blend);
  return R_NAME(jet_fade_x)(&jet, &ramp);
}


// z = ground + sum of w_i(y) (road_i - ground). Where tracks touch, one weight falls as the other rises
// and the ground drops out.
roadJet R_NAME(tracks_height)(const artRoad *road, double x, double y)
{
  const tracksRoad *all = (const tracksRoad *) road;
  const roadJet ground = all->ground ? all->ground->evaluate(all->ground, x, y) : (roadJet){0};
  const double half = 0.5 * all->blend;

  roadJet sum = ground;
  for (int i = 0; i < all->count; i++) {
    const artRoadTrack *track = all->tracks + i;
    if (y <= track->from - half || y >= track->to + half) continue;
    const roadFade in = R_NAME(fade_in)(y, track->from - half, all->blend);
    const roadFade out = R_NAME(fade_out)(y, track->to - half, all->blend);
    const roadFade weight = R_NAME(fade_product)(&in, &out);
    const roadJet own = track->road->evaluate(track->road, x, y);
    const roadJet rest = jet_sub(own, ground);
    sum = jet_add(sum, R_NAME(jet_fade_y)(&rest, &weight));
  }
  return sum;
}
