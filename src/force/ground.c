// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads by functions of the user under tyres: the ground of a contact, and what heights and slopes can be over a rectangle.
#include "force/ground.h"

#include <float.h>
#include <math.h>

#include "model/model.h"
#include "road/road_kinds.h"


// the function alone
static double function_height(groundCall *call, double x, double y, double slope[2])
{
  double z = NAN;
  slope[0] = slope[1] = NAN;
  if (call->status == ART_OK) {
    call->status = model_call_ground(call->e, call->time, x, y, &z, slope, &call->error);
  }
  return z;
}


static double called_height(void *context, double x, double y, double slope[2])
{
  groundCall *call = context;
  const double z = function_height(call, x, y, slope);
  const roadJet rest = road_without_function(call->e->road, x, y);
  slope[0] += rest.x;
  slope[1] += rest.y;
  return z + rest.z;
}


artGround force_called_ground(groundCall *call)
{
  return (artGround){called_height, call};
}


// Over a cell no longer and wider than the resolution of the road, height and slopes lie between those of its corners, widened by
// as much as these differ.
static void add_cell(groundCall *call, const double x[2], const double y[2], roadBounds *all)
{
  roadBounds cell = {interval_point(0), interval_point(0), interval_point(0)};
  for (int k = 0; k < 4; k++) {
    double slope[2];
    const double z = function_height(call, x[k / 2], y[k % 2], slope);
    const enclosure corner[3] = {interval_point(z), interval_point(slope[0]),
                                 interval_point(slope[1])};
    cell.z = k == 0 ? corner[0] : interval_hull(cell.z, corner[0]);
    cell.x = k == 0 ? corner[1] : interval_hull(cell.x, corner[1]);
    cell.y = k == 0 ? corner[2] : interval_hull(cell.y, corner[2]);
  }
  const double width[2] = {cell.x.hi - cell.x.lo, cell.y.hi - cell.y.lo};
  const double way = (x[1] - x[0]) * width[0] + (y[1] - y[0]) * width[1];
  all->z = interval_hull(all->z, interval_widen(cell.z.lo - way, cell.z.hi + way));
  all->x = interval_hull(all->x, interval_widen(cell.x.lo - width[0], cell.x.hi + width[0]));
  all->y = interval_hull(all->y, interval_widen(cell.y.lo - width[1], cell.y.hi + width[1]));
}


roadBounds force_ground_bounds(const modelElement *e, enclosure x, enclosure y)
{
  enum { MAX_CELLS = 64 };
  const double cell = road_find_function(e->road)->resolution;
  const double nx = fmax(1, ceil((x.hi - x.lo) / cell)), ny = fmax(1, ceil((y.hi - y.lo) / cell));
  roadBounds all = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  const roadBounds unknown = {interval_whole(), interval_whole(), interval_whole()};
  groundCall call = {.e = e, .time = NAN};
  if (!(nx * ny <= MAX_CELLS)) return unknown;
  for (int i = 0; i < (int) nx; i++) {
    const double from = x.lo + i * (x.hi - x.lo) / nx, to = x.lo + (i + 1) * (x.hi - x.lo) / nx;
    for (int j = 0; j < (int) ny; j++) {
      const double right = y.lo + j * (y.hi - y.lo) / ny,
                   left = y.lo + (j + 1) * (y.hi - y.lo) / ny;
      add_cell(&call, (double[]){from, to}, (double[]){right, left}, &all);
    }
  }
  if (call.status != ART_OK) return unknown;
  const roadBounds rest = road_bounds(e->road, x, y);
  return (roadBounds){interval_add(all.z, rest.z), interval_add(all.x, rest.x),
                      interval_add(all.y, rest.y)};
}
