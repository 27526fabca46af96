// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Moments of meshes that do not bound a solid: by their convex hull, as shells, or by pyramids over
// their triangles.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"
#include "spatial/hull.h"

static const double HULL_TOLERANCE = 1e-9; // relative to the extent of the points


static v3 mesh_point_of(const artSolidDef *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->nvertex);
  const double *at = m->vertex + 3 * (size_t) i;
  return v3_make(at[0], at[1], at[2]);
}


// corners of a triangle relative to a point
static void corners_from(const artSolidDef *m, int triangle, v3 from, v3 corner[3])
{
  for (int k = 0; k < 3; k++)
    corner[k] = v3_sub(mesh_point_of(m, m->triangle[3 * (size_t) triangle + (size_t) k]), from);
}


//---- sums over triangles -------------------------------------------------------------------------

// volume or area, first and second moments (xx, yy, zz, xy, xz, yz)
typedef struct momentSums {
  double volume, second[6];
  v3 first;
} momentSums;


// Add v, f s, e (s s^T + a a^T + b b^T + c c^T) with s = a + b + c.
static void add_moments(momentSums *sums, const v3 abc[3], double v, double f, double e)
{
  const v3 corner[4] = {abc[0], abc[1], abc[2], v3_add(abc[0], v3_add(abc[1], abc[2]))};
  sums->volume += v;
  sums->first = v3_add(sums->first, v3_scale(f, corner[3]));
  for (int i = 0; i < 4; i++) {
    const v3 p = corner[i];
    const double square[6] = {p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z};
    for (int k = 0; k < 6; k++) sums->second[k] += e * square[k];
  }
}


// area of a triangle
static double area_of(const v3 p[3])
{
  const v3 n = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
  return sqrt(v3_dot(n, n)) / 2;
}


// sum over all triangles of A, A/3 s, A/12 (...), relative to a point
static momentSums sum_areas(const artSolidDef *m, v3 from)
{
  momentSums sums = {0};
  for (int t = 0; t < m->ntriangle; t++) {
    v3 p[3];
    corners_from(m, t, from, p);
    const double A = area_of(p);
    add_moments(&sums, p, A, A / 3, A / 12);
  }
  return sums;
}


// sum over all tetrahedra between a point and a triangle, with d = |a . (b x c)|, of d/6, d/24 s,
// d/120 (...)
static momentSums sum_pyramids(const artSolidDef *m, v3 from)
{
  momentSums sums = {0};
  for (int t = 0; t < m->ntriangle; t++) {
    v3 p[3];
    corners_from(m, t, from, p);
    const double d = fabs(v3_dot(p[0], v3_cross(p[1], p[2])));
    add_moments(&sums, p, d / 6, d / 24, d / 120);
  }
  return sums;
}


static v3 mean_of(const momentSums *sums, v3 from)
{
  return v3_add(from, v3_scale(1 / sums->volume, sums->first));
}


// I = tr(S) 1 - S with the second moments S about the centre
static meshMoments moments_about(const momentSums *sums, v3 centre)
{
  const double *S = sums->second;
  return (meshMoments){.volume = sums->volume,
                       .centre = {centre.x, centre.y, centre.z},
                       .inertia = {S[1] + S[2], S[0] + S[2], S[0] + S[1], -S[3], -S[4], -S[5]}};
}


//---- shell, pyramids, hull -----------------------------------------------------------------------

meshMoments mesh_shell_moments(const artSolidDef *m)
{
  const v3 start = mesh_point_of(m, m->triangle[0]);
  const momentSums rough = sum_areas(m, start);
  if (!(rough.volume > 0)) return (meshMoments){0};
  const v3 centre = mean_of(&rough, start);
  const momentSums sums = sum_areas(m, centre);
  return moments_about(&sums, centre);
}


// First pass: pyramids from the centroid of the surface give the centre of mass; second pass:
// pyramids from there give volume and inertia.
meshMoments mesh_pyramid_moments(const artSolidDef *m)
{
  const meshMoments shell = mesh_shell_moments(m);
  const v3 start = v3_make(shell.centre[0], shell.centre[1], shell.centre[2]);
  const momentSums rough = sum_pyramids(m, start);
  if (!(shell.volume > 0 && rough.volume > 0)) return (meshMoments){0};
  const v3 centre = mean_of(&rough, start);
  const momentSums sums = sum_pyramids(m, centre);
  return moments_about(&sums, centre);
}


// the corners of triangles, or all vertices if there are no triangles
static int list_points(const artSolidDef *m, v3 *point)
{
  const int n = m->ntriangle > 0 ? 3 * m->ntriangle : m->nvertex;
  int *number = MEM_ARRAY(int, (size_t) m->nvertex), count = 0;
  if (!number) return -1;
  for (int i = 0; i < n; i++) {
    const int at = m->ntriangle > 0 ? m->triangle[i] : i;
    if (number[at]) continue;
    number[at] = 1;
    point[count++] = mesh_point_of(m, at);
  }
  mem_free(number);
  return count;
}


static double extent_of(const v3 *point, int n)
{
  double most = 0;
  for (int i = 1; i < n; i++) {
    const v3 d = v3_sub(point[i], point[0]);
    most = fmax(most, v3_dot(d, d));
  }
  return sqrt(most);
}


static void weigh_hull(const v3 *point, int n, hullFace *face, int *triangle, meshMoments *out)
{
  const int nface = hull_find(n, point, HULL_TOLERANCE * extent_of(point, n), face);
  if (nface == 0) return;
  for (int f = 0; f < nface; f++) memcpy(triangle + 3 * f, face[f].corner, sizeof face[f].corner);
  const artSolidDef hull = {
      .nvertex = n, .vertex = &point[0].x, .ntriangle = nface, .triangle = triangle};
  *out = mesh_find_moments(&hull);
}


int mesh_hull_moments(const artSolidDef *m, meshMoments *moments)
{
  const size_t most = (size_t) m->nvertex + 1;
  v3 *point = MEM_ARRAY(v3, most);
  hullFace *face = MEM_ARRAY(hullFace, HULL_ROOM(most));
  int *triangle = MEM_ARRAY(int, 3 * HULL_ROOM(most));
  const int n = point && face && triangle ? list_points(m, point) : -1;
  *moments = (meshMoments){0};
  if (n > 0) weigh_hull(point, n, face, triangle, moments);
  mem_free(point);
  mem_free(face);
  mem_free(triangle);
  return n >= 0;
}
