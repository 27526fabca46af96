// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Polylines with rounded corners: ramps, stairs and linear tables.
#include <math.h>

#include "road/heights.h"

// a corner being rounded: directions before and after it, and the extent of the arc
typedef struct polyCorner {
  double x, z;
  double c0, s0, c1, s1;
  double before, after; // lengths of the adjacent lines
  double tangent;       // tangent of half the angle between the lines
  double reach;         // from the corner to the ends of the arc
} polyCorner;


// directions and lengths of the lines on either side of point i; outside the table they are level
// and infinite
static polyCorner corner_at(int n, const double *x, const double *z, int i)
{
  ART_ASSERT(i >= 0 && i < n);
  polyCorner corner = {x[i], z[i], 1, 0, 1, 0, INFINITY, INFINITY, 0, 0};
  if (i > 0) {
    const double dx = x[i] - x[i - 1], dz = z[i] - z[i - 1], length = hypot(dx, dz);
    corner.c0 = dx / length;
    corner.s0 = dz / length;
    corner.before = length;
  }
  if (i < n - 1) {
    const double dx = x[i + 1] - x[i], dz = z[i + 1] - z[i], length = hypot(dx, dz);
    corner.c1 = dx / length;
    corner.s1 = dz / length;
    corner.after = length;
  }

  // tan(t/2) = sin t / (1 + cos t)
  corner.tangent = fabs(corner.c0 * corner.s1 - corner.s0 * corner.c1) /
                   (1 + corner.c0 * corner.c1 + corner.s0 * corner.s1);
  return corner;
}


static artStatus round_corners(polylineRoad *line, artRoadLabel label, int n, const double *x,
                               const double *z, double radius, artError *error)
{
  line->piece[0] = (polyPiece){.x = x[0], .z = z[0], .c = 1};
  polyCorner last = {0};
  for (int i = 0; i < n; i++) {
    polyCorner corner = corner_at(n, x, z, i);
    const double T = corner.tangent == 0 ? 0
                     : radius > 0        ? radius * corner.tangent
                                         : 0.25 * fmin(corner.before, corner.after);
    corner.reach = T;
    if (i > 0 && last.reach + T > corner.before) {
      return road_fail(label, error,
                       "arcs of radius %g do not fit on the line from x = %g to x = %g, expected a "
                       "radius of at most %g",
                       radius, last.x, corner.x, corner.before / (last.tangent + corner.tangent));
    }

    // the arc of the corner, and the line after it
    const double turn = corner.c0 * corner.s1 - corner.s0 * corner.c1;
    const polyPiece arc = {.x = corner.x - T * corner.c0,
                           .z = corner.z - T * corner.s0,
                           .c = corner.c0,
                           .s = corner.s0,
                           .radius = T > 0 ? T / corner.tangent : 0,
                           .bend = turn > 0 ? 1 : -1};
    const polyPiece straight = {.x = corner.x + T * corner.c1,
                                .z = corner.z + T * corner.s1,
                                .c = corner.c1,
                                .s = corner.s1};
    line->knot[2 * i] = arc.x;
    line->knot[2 * i + 1] = straight.x;
    line->piece[2 * i + 1] = arc;
    line->piece[2 * i + 2] = straight;
    last = corner;
  }
  return ART_OK;
}


void polyline_measure(polylineRoad *line)
{
  line->sharpest = INFINITY;
  for (int i = 1; i < line->nknot; i += 2) {
    const double radius = line->piece[i].radius;
    if (radius > 0 && radius < line->sharpest) line->sharpest = radius;
  }
}


artStatus polyline_create(artRoad **road, artRoadLabel label, int n, const double *x,
                          const double *z, double radius, artError *error)
{
  ART_ASSERT(n >= 1 && radius >= 0);
  polylineRoad *line = road_create(sizeof *line, ROAD_POLYLINE, polyline_height);
  if (!line) return base_no_memory(error);
  line->nknot = 2 * n;
  line->knot = arena_alloc(&line->road.arena, 2 * (size_t) n, sizeof *line->knot);
  line->piece = arena_alloc(&line->road.arena, 2 * (size_t) n + 1, sizeof *line->piece);

  const artStatus status = line->knot && line->piece
                               ? round_corners(line, label, n, x, z, radius, error)
                               : base_no_memory(error);
  if (status) {
    art_free_road(&line->road);
  } else {
    polyline_measure(line);
    road_sign(&line->road, "polyline", n, x);
    road_sign(&line->road, "heights", n, z);
    road_sign(&line->road, "radius", 1, &radius);
    *road = &line->road;
  }
  return status;
}
