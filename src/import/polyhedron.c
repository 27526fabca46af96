// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Volume, centre and inertia of polyhedra: of faces that are given, or of the convex hull of points; or of faces as shells.
#include <math.h>

#include "import/work.h"

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


//---- convex hulls --------------------------------------------------------------------------------

// A plane through three points, all others behind it; the normal points outward.
typedef struct hullPlane {
  v3 normal;
  double offset;
} hullPlane;


static bool is_plane(const v3 *point, int n, const int corner[3], double slack, hullPlane *plane)
{
  const v3 *p = point, a = p[corner[0]];
  v3 normal = v3_cross(v3_sub(p[corner[1]], a), v3_sub(p[corner[2]], a));
  const double length = sqrt(v3_dot(normal, normal));
  if (length <= slack * slack) return false;
  normal = v3_scale(1 / length, normal);
  double low = 0, high = 0;
  for (int i = 0; i < n; i++) {
    const double above = v3_dot(normal, v3_sub(p[i], a));
    low = fmin(low, above);
    high = fmax(high, above);
  }
  if (low < -slack && high > slack) return false;
  if (high > slack) normal = v3_scale(-1, normal);
  *plane = (hullPlane){normal, v3_dot(normal, a)};
  return true;
}


static bool is_known(const hullPlane *known, int nknown, const hullPlane *plane, double slack)
{
  for (int i = 0; i < nknown; i++) {
    if (fabs(known[i].offset - plane->offset) > 2 * slack) continue;
    if (v3_dot(known[i].normal, plane->normal) > 1 - 1e-9) return true;
  }
  return false;
}


// the corner behind `at` around the face: all points of the plane lie to the left of the edge
static int next_corner(const v3 *point, int n, const hullPlane *plane, int at, double slack)
{
  int next = -1;
  for (int i = 0; i < n; i++) {
    const v3 d = v3_sub(point[i], point[at]);
    if (fabs(v3_dot(plane->normal, point[i]) - plane->offset) > slack) continue;
    if (v3_dot(d, d) <= slack * slack) continue;
    const v3 e = next < 0 ? d : v3_sub(point[next], point[at]);
    const double turn = v3_dot(plane->normal, v3_cross(e, d)), thin = slack * sqrt(v3_dot(e, e));
    if (next < 0 || turn < -thin || (turn <= thin && v3_dot(d, d) > v3_dot(e, e))) next = i;
  }
  return next;
}


// the outermost point of the plane along a direction in it
static int first_corner(const v3 *point, int n, const hullPlane *plane, v3 along, double slack)
{
  int first = -1;
  for (int i = 0; i < n; i++) {
    if (fabs(v3_dot(plane->normal, point[i]) - plane->offset) > slack) continue;
    if (first < 0 || v3_dot(along, point[i]) > v3_dot(along, point[first])) first = i;
  }
  return first;
}


static void add_face(momentSums *sums, const v3 *point, int n, const hullPlane *plane, v3 along,
                     double slack)
{
  const int first = first_corner(point, n, plane, along, slack);
  int b = first < 0 ? -1 : next_corner(point, n, plane, first, slack);
  for (int k = 0; k < n && b >= 0; k++) {
    const int c = next_corner(point, n, plane, b, slack);
    if (c < 0) return;
    const v3 d = v3_sub(point[c], point[first]);
    if (v3_dot(d, d) <= slack * slack) return;
    add_triangle(sums, point[first], point[b], point[c]);
    b = c;
  }
}


bool import_hull_volume(const v3 *given, int n, importVolume *v)
{
  momentSums sums = {0};
  v3 point[IMPORT_MOST_HULL];
  hullPlane known[2 * IMPORT_MOST_HULL], plane;
  int nknown = 0;
  if (n < 4 || n > IMPORT_MOST_HULL) return false;
  for (int i = 0; i < n; i++) point[i] = v3_sub(given[i], given[0]);
  const double size = extent(point, n), slack = 1e-9 * size;
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      for (int k = j + 1; k < n; k++) {
        if (!is_plane(point, n, (const int[3]){i, j, k}, slack, &plane)) continue;
        if (is_known(known, nknown, &plane, slack)) continue;
        if (nknown == 2 * IMPORT_MOST_HULL) return false;
        known[nknown++] = plane;
        add_face(&sums, point, n, &plane, v3_sub(point[j], point[i]), slack);
      }
    }
  }
  if (!(sums.volume > 1e-9 * size * size * size)) return false;
  *v = volume_of(&sums, given[0]);
  return true;
}
