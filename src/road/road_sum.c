// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums of roads.
#include "base/arithmetic.h"
#include "road/heights.h"
#include "road/road_profile.h"

#include <limits.h>
#include <math.h>

//---- one profile ---------------------------------------------------------------------------------

// The part with the next corner after the `taken` ones of each; -1 if there is none.
static int next_corner(int n, const roadProfile *part, const int *taken)
{
  int next = -1;
  double first = INFINITY;
  for (int i = 0; i < n; i++) {
    if (2 * taken[i] >= part[i].line->nknot) continue;
    const double x = part[i].x + part[i].line->knot[2 * taken[i]];
    if (x >= first) continue;
    first = x;
    next = i;
  }
  return next;
}


// The height of a part where a corner of another extends from x0 to x1; NAN if the part is not
// level there.
static double level_height(const roadProfile *part, double x0, double x1)
{
  const polylineRoad *line = part->line;
  const int i = road_interval(line->nknot, line->knot, x0 - part->x);
  const polyPiece *p = &line->piece[i];
  const int is_level = p->bend == 0 && p->s == 0;
  if (!is_level || i != road_interval(line->nknot, line->knot, x1 - part->x)) return NAN;
  return part->z + p->z;
}


// Add corner `taken` of part k to the whole; 0 if another part is not level there.
static int add_sum_corner(polylineRoad *whole, int corner, int n, const roadProfile *part, int k,
                          int taken)
{
  ART_ASSERT(2 * taken + 1 < part[k].line->nknot && 2 * corner + 1 < whole->nknot);
  const roadProfile *own = &part[k];
  const double *knot = own->line->knot + 2 * taken;
  double z = own->z;
  for (int i = 0; i < n; i++) {
    if (i != k) z += level_height(&part[i], own->x + knot[0], own->x + knot[1]);
  }
  for (int i = 0; i < 2; i++) {
    polyPiece *piece = &whole->piece[2 * corner + 1 + i];
    *piece = own->line->piece[2 * taken + 1 + i];
    piece->x += own->x;
    piece->z += z;
    whole->knot[2 * corner + i] = own->x + knot[i];
  }
  return isfinite(z);
}


static int join_polylines(polylineRoad *whole, int n, const roadProfile *part, int *taken)
{
  double z = 0;
  for (int i = 0; i < n; i++) z += part[i].z + part[i].line->piece[0].z;
  for (int corner = 0; 2 * corner < whole->nknot; corner++) {
    const int k = next_corner(n, part, taken);
    if (k < 0) return 0; // the remaining corner is beyond the range of numbers
    if (!add_sum_corner(whole, corner, n, part, k, taken[k])) return 0;
    taken[k]++;
  }
  whole->piece[0] = (polyPiece){.x = whole->knot[0], .z = z, .c = 1};
  polyline_measure(whole);
  return 1;
}


// Parts that are profiles along x form one profile if all but one of them are level at each corner.
// Returns 0 if memory runs out.
static int find_whole(sumRoad *sum)
{
  baseArena *arena = &sum->road.arena;
  roadProfile *part;
  int *taken;
  polylineRoad *whole;
  if (!ARENA_TAKE(arena, part, sum->count) || !ARENA_TAKE(arena, taken, sum->count) ||
      !ARENA_TAKE(arena, whole, 1)) {
    return 0;
  }
  for (int i = 0; i < sum->count; i++) {
    if (!road_find_profile(sum->parts[i], &part[i]) || part[i].c != 1) return 1;
    if (part[i].line->nknot > INT_MAX / 2 - whole->nknot) return 1;
    whole->nknot += part[i].line->nknot;
  }
  if (!ARENA_TAKE(arena, whole->knot, whole->nknot) ||
      !ARENA_TAKE(arena, whole->piece, whole->nknot + 1)) {
    return 0;
  }
  if (join_polylines(whole, sum->count, part, taken)) sum->whole = whole;
  return 1;
}

//---- creation ------------------------------------------------------------------------------------

artStatus art_create_sum_road(artRoad **road, const artSumRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  const functionRoad *function = NULL;
  if (def->count < 1 || !def->parts) {
    return road_fail(def->label, error, "found %d parts, expected at least one", def->count);
  }
  for (int i = 0; i < def->count; i++) {
    if (!def->parts[i]) return road_fail(def->label, error, "part %d is missing", i + 1);
    const functionRoad *found = road_find_function(def->parts[i]);
    if (found && function) {
      return road_fail(def->label, error,
                       "two of its parts are roads by functions, '%s' and '%s', expected at most "
                       "one; let one function do both",
                       function->name, found->name);
    }
    if (found) function = found;
  }

  sumRoad *sum = road_create(sizeof *sum, ROAD_SUM, sum_height);
  if (!sum) return base_no_memory(error);
  sum->count = def->count;
  sum->parts = arena_copy(&sum->road.arena, def->parts, (size_t) def->count, sizeof *sum->parts);
  if (!sum->parts || !find_whole(sum)) {
    art_free_road(&sum->road);
    return base_no_memory(error);
  }
  road_sign(&sum->road, "sum", 0, NULL);
  for (int i = 0; i < def->count; i++) road_sign_part(&sum->road, def->parts[i]);
  *road = &sum->road;
  return ART_OK;
}
