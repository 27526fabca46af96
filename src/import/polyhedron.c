// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Volume, centre and inertia of polyhedra: of faces that are given, or of the convex hull of points; or of faces as shells.
#include <math.h>

#include "import/work.h"
#include "spatial/hull.h"

// Sums over tetrahedra between the origin and triangles, or over triangles: volume or area, first and second moments.
typedef struct momentSums {
  double volume, second[6]; // xx, yy, zz, xy, xz, yz
  v3 first, area;
} momentSums;


// v, f s, e (s s^T + a a^T + b b^T + c c^T) with s = a + b + c
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


// of the tetrahedron 0, a, b, c with d = a . (b x c): d/6, d/24 s, d/120 (...)
static void add_triangle(momentSums *sums, v3 a, v3 b, v3 c)
{
  const double d = v3_dot(a, v3_cross(b, c));
  sums->area = v3_add(sums->area, v3_cross(v3_sub(b, a), v3_sub(c, a)));
  add_moments(sums, (const v3[3]){a, b, c}, d / 6, d / 24, d / 120);
}


// of the triangle itself, of the area A: A, A/3 s, A/12 (...)
static void add_plate(momentSums *sums, v3 a, v3 b, v3 c)
{
  const v3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
  const double A = sqrt(v3_dot(n, n)) / 2;
  add_moments(sums, (const v3[3]){a, b, c}, A, A / 3, A / 12);
}


// I = tr(S) 1 - S of the second moments about the centre, S - V c c^T
static importVolume volume_of(const momentSums *sums, v3 origin)
{
  importVolume v = {.volume = sums->volume};
  const v3 c = v3_scale(1 / sums->volume, sums->first);
  const double square[6] = {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
  double S[6];
  for (int k = 0; k < 6; k++) S[k] = sums->second[k] - sums->volume * square[k];
  for (int k = 0; k < 3; k++) {
    v.inertia[k] = S[0] + S[1] + S[2] - S[k];
    v.inertia[3 + k] = -S[3 + k];
  }
  v.com = v3_add(origin, c);
  return v;
}


static double extent(const v3 *point, int n)
{
  double most = 0;
  for (int i = 1; i < n; i++) {
    const v3 d = v3_sub(point[i], point[0]);
    most = fmax(most, v3_dot(d, d));
  }
  return sqrt(most);
}


// corners of a face, seen from the first point; false where it names points that are not there
static bool find_corners(const v3 *point, int n, const double *face, v3 corner[3])
{
  for (int k = 0; k < 3; k++) {
    if (!(face[k] >= 0 && face[k] < n && face[k] == floor(face[k]))) return false;
    corner[k] = v3_sub(point[(int) face[k]], point[0]);
  }
  return true;
}


bool import_faces_volume(const v3 *point, int n, const double *face, int nface, importVolume *v)
{
  momentSums sums = {0};
  const double size = extent(point, n);
  for (int f = 0; f < nface; f++) {
    v3 corner[3];
    if (!find_corners(point, n, face + 3L * f, corner)) return false;
    add_triangle(&sums, corner[0], corner[1], corner[2]);
  }
  // the areas of a closed surface cancel each other
  if (!(sums.volume > 1e-12 * size * size * size)) return false;
  if (sqrt(v3_dot(sums.area, sums.area)) > 1e-6 * size * size) return false;
  *v = volume_of(&sums, point[0]);
  return true;
}


bool import_faces_shell(const v3 *point, int n, const double *face, int nface, importVolume *shell)
{
  momentSums sums = {0};
  for (int f = 0; f < nface; f++) {
    v3 corner[3];
    if (!find_corners(point, n, face + 3L * f, corner)) return false;
    add_plate(&sums, corner[0], corner[1], corner[2]);
  }
  if (!(sums.volume > 0)) return false;
  *shell = volume_of(&sums, point[0]);
  return true;
}


bool import_hull_volume(importWork *w, const v3 *point, int n, importVolume *v)
{
  momentSums sums = {0};
  const double size = extent(point, n);
  hullFace *face = import_take(w, HULL_ROOM(n) + 1, sizeof *face);
  const int nface = hull_find(n, point, 1e-9 * size, face);
  for (int f = 0; f < nface; f++) {
    const int *c = face[f].corner;
    add_triangle(&sums, v3_sub(point[c[0]], point[0]), v3_sub(point[c[1]], point[0]),
                 v3_sub(point[c[2]], point[0]));
  }
  if (!(sums.volume > 1e-9 * size * size * size)) return false;
  *v = volume_of(&sums, point[0]);
  return true;
}
