// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The floor of a drawing and the shadows on it.
#include "show/drawing_ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SUN[3] = {0.45, -0.35, 1}; // direction to the sun: ahead, beside, up, as in the
                                               // viewer
enum { LINES = 12 };                           // approximate number of grid lines


drawingGround ground_start(v3 ahead, v3 beside, v3 up, double floor, baseArena *arena)
{
  return (drawingGround){.ahead = ahead,
                         .beside = beside,
                         .up = up,
                         .floor = floor,
                         .low = {INFINITY, INFINITY},
                         .high = {-INFINITY, -INFINITY},
                         .arena = arena};
}


v3 ground_sun(const drawingGround *ground)
{
  const v3 level = v3_add(v3_scale(SUN[0], ground->ahead), v3_scale(SUN[1], ground->beside));
  return v3_add(level, v3_scale(SUN[2], ground->up));
}


v3 ground_place(const drawingGround *ground, double along, double across)
{
  const v3 level = v3_add(v3_scale(along, ground->ahead), v3_scale(across, ground->beside));
  return v3_add(level, v3_scale(ground->floor, ground->up));
}


//---- shadows -------------------------------------------------------------------------------------

static int by_corner_place(const void *a, const void *b)
{
  const double *p = a, *q = b;
  return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}


// twice the signed area of a triangle, positive if counter-clockwise
static double left_turn_area(const double a[2], const double b[2], const double c[2])
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}


// the convex hull of sorted points: lower half, then upper half; returns the number of corners
static int find_hull(int n, double (*at)[2], double (*hull)[2])
{
  int count = 0;
  for (int pass = 0; pass < 2; pass++) {
    const int begin = count;
    for (int k = 0; k < n; k++) {
      const double *next = at[pass ? n - 1 - k : k];
      while (count > begin + 1 && left_turn_area(hull[count - 2], hull[count - 1], next) <= 0)
        count--;
      memcpy(hull[count++], next, sizeof *hull);
    }
    count--; // the last point starts the other half
  }
  return count;
}


static void keep_shadow_hull(drawingGround *ground, int n, double (*hull)[2])
{
  for (int k = 0; k < n; k++) {
    ground->corner = arena_grow(ground->arena, ground->corner, ground->n, &ground->capacity,
                                sizeof *ground->corner);
    memcpy(ground->corner[ground->n++], hull[k], sizeof *hull);
    for (int i = 0; i < 2; i++) {
      ground->low[i] = fmin(ground->low[i], hull[k][i]);
      ground->high[i] = fmax(ground->high[i], hull[k][i]);
    }
  }
  ground->end = arena_grow(ground->arena, ground->end, ground->noutline, &ground->outline_capacity,
                           sizeof *ground->end);
  ground->end[ground->noutline++] = ground->n;
}


void ground_add(drawingGround *ground, int n, const v3 *point)
{
  if (ground->room < 3 * n + 2) {
    ground->room = 3 * n + 2;
    ARENA_TAKE(ground->arena, ground->scratch, ground->room);
  }
  double(*at)[2] = ground->scratch;
  for (int k = 0; k < n; k++) {
    // project along the light to the floor
    const double height = fmax(0, v3_dot(ground->up, point[k]) - ground->floor);
    at[k][0] = v3_dot(ground->ahead, point[k]) - height * SUN[0] / SUN[2];
    at[k][1] = v3_dot(ground->beside, point[k]) - height * SUN[1] / SUN[2];
  }
  qsort(at, (size_t) n, sizeof *at, by_corner_place);
  const int count = find_hull(n, at, at + n);
  if (count > 2) keep_shadow_hull(ground, count, at + n);
}


//---- the grid ------------------------------------------------------------------------------------

// 1, 2 or 5 times a power of ten
static double round_number(double x)
{
  const double power = pow(10, floor(log10(x)));
  return x / power < 2 ? power : x / power < 5 ? 2 * power : 5 * power;
}


double ground_grid(const drawingGround *ground, double low[2], double high[2])
{
  double most = 0;
  for (int k = 0; k < 2; k++) most = fmax(most, ground->high[k] - ground->low[k]);
  if (!(most > 0 && isfinite(most))) return 0;
  const double spacing = round_number(1.6 * most / LINES);
  for (int k = 0; k < 2; k++) {
    low[k] = spacing * (floor(ground->low[k] / spacing) - 1);
    high[k] = spacing * (ceil(ground->high[k] / spacing) + 1);
  }
  return spacing;
}
