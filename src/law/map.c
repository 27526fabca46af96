// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Two-dimensional tables.
#include "law/map.h"


static artStatus make_law(const forceLaw **out, baseArena *arena, const lawGrid *grid, int n,
                          const lawPoint *points, artPlace place, artError *error)
{
  forceLaw *law = NULL;
  const artStatus status = grid->is_piecewise
                               ? law_create_piecewise(&law, arena, n, points, place, error)
                               : law_create_spline(&law, arena, n, points, place, error);
  *out = law;
  return status;
}


artStatus law_create_map(lawMap **out, baseArena *arena, const lawGrid *grid, artPlace place,
                         artError *error)
{
  ART_ASSERT(grid->nx >= 2 && grid->ny >= 2);
  const int nx = grid->nx, ny = grid->ny, most = nx > ny ? nx : ny;
  lawMap *map = arena_alloc(arena, 1, sizeof *map);
  const forceLaw **column = arena_alloc(arena, (size_t) ny, sizeof *column);
  const forceLaw **weight = arena_alloc(arena, (size_t) ny, sizeof *weight);
  lawPoint *points = arena_alloc(arena, (size_t) most, sizeof *points);
  if (!map || !column || !weight || !points) return base_no_memory(error);
  artStatus status = ART_OK;
  for (int j = 0; j < ny && !status; j++) {
    for (int i = 0; i < nx; i++) points[i] = (lawPoint){grid->x[i], grid->f[(long) i * ny + j]};
    status = make_law(&column[j], arena, grid, nx, points, place, error);
    for (int k = 0; k < ny; k++) points[k] = (lawPoint){grid->y[k], k == j};
    if (!status) status = make_law(&weight[j], arena, grid, ny, points, place, error);
  }
  *map = (lawMap){ny, column, weight};
  *out = map;
  return status;
}


int law_map_is_smooth(const lawMap *map)
{
  return law_is_smooth(map->column[0]) && law_is_smooth(map->weight[0]);
}


void law_map_columns(const lawMap *map, int segment, int *first, int *last)
{
  ART_ASSERT(segment >= 0 && segment < map->weight[0]->nsegment);
  // linear interpolation: segment i lies between points i and i + 1, all other weights are 0 there
  const int is_local = map->weight[0]->degree == 1;
  *first = is_local ? segment : 0;
  *last = is_local ? segment + 1 : map->n - 1;
}
