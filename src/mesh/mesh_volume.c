// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Meshes as solids. By the divergence theorem, integrals over the enclosed volume are sums over
// signed tetrahedra between a triangle and a common point. The common point is in the middle of the
// mesh, and second moments are computed about the centre of mass in a second pass, to avoid
// cancellation.
#include "mesh/mesh.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "spatial/spatial.h"

enum { MAX_SHELLS = 1000 };


static v3 vertex_of(const artSolidDef *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->nvertex);
  const double *at = m->vertex + 3 * (size_t) i;
  return (v3){at[0], at[1], at[2]};
}


static const char *mesh_file_name(const artSolidDef *m)
{
  return m->file ? m->file : "";
}


static const int *corners_of(const artSolidDef *m, int triangle)
{
  ART_ASSERT(triangle >= 0 && triangle < m->ntriangle);
  return m->triangle + 3 * (size_t) triangle;
}


//---- boxes around vertices -----------------------------------------------------------------------

typedef struct meshBox {
  v3 low, high;
} meshBox;

static const meshBox NO_BOX = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};


static void box_add(meshBox *box, v3 p)
{
  box->low = (v3){fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z)};
  box->high = (v3){fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z)};
}


static int box_has(const meshBox *box, v3 p)
{
  return p.x >= box->low.x && p.y >= box->low.y && p.z >= box->low.z && p.x <= box->high.x &&
         p.y <= box->high.y && p.z <= box->high.z;
}


// bounding box of the vertices used by triangles
static meshBox box_of(const artSolidDef *m)
{
  meshBox box = NO_BOX;
  for (int t = 0; t < m->ntriangle; t++) {
    for (int k = 0; k < 3; k++) box_add(&box, vertex_of(m, corners_of(m, t)[k]));
  }
  return box;
}


static v3 middle_of(const artSolidDef *m)
{
  const meshBox box = box_of(m);
  return v3_scale(0.5, v3_add(box.low, box.high));
}


//---- moments -------------------------------------------------------------------------------------

// corners of a triangle relative to a point
static void see_corners(const artSolidDef *m, int t, v3 from, v3 seen[3])
{
  for (int k = 0; k < 3; k++) seen[k] = v3_sub(vertex_of(m, corners_of(m, t)[k]), from);
}


// 6 V = a . (b x c) of the tetrahedron over a triangle
static double six_volumes(const v3 p[3])
{
  return v3_dot(p[0], v3_cross(p[1], p[2]));
}


// integral of x x^T over a tetrahedron with one corner at the origin: V/20 (s s^T + a a^T + b b^T + c c^T), s = a + b + c
static void add_tetrahedron_products(double sum[6], const v3 p[3])
{
  const v3 all[4] = {v3_add(v3_add(p[0], p[1]), p[2]), p[0], p[1], p[2]};
  const double factor = six_volumes(p) / 120;
  for (int k = 0; k < 4; k++) {
    const v3 x = all[k];
    const double square[6] = {x.x * x.x, x.y * x.y, x.z * x.z, x.x * x.y, x.x * x.z, x.y * x.z};
    for (int i = 0; i < 6; i++) sum[i] += factor * square[i];
  }
}


// set a number to 0 if it is a rounding error relative to `size`
static double without_rounding(double x, double size)
{
  return fabs(x) > 1e-15 * size ? x : 0;
}


meshMoments mesh_find_moments(const artSolidDef *m)
{
  // V = sum of V_t, c V = sum of V_t (a + b + c)/4, relative to the middle of the mesh
  const v3 middle = middle_of(m);
  double volume = 0;
  v3 first = {0, 0, 0}, seen[3];
  for (int t = 0; t < m->ntriangle; t++) {
    see_corners(m, t, middle, seen);
    const double six = six_volumes(seen);
    volume += six / 6;
    first = v3_add(first, v3_scale(six / 24, v3_add(v3_add(seen[0], seen[1]), seen[2])));
  }
  const v3 centre = v3_add(middle, v3_scale(1 / volume, first));

  // J = tr(C) 1 - C with C the integral of x x^T about the centre
  double C[6] = {0};
  for (int t = 0; t < m->ntriangle; t++) {
    see_corners(m, t, centre, seen);
    add_tetrahedron_products(C, seen);
  }
  const double sign = volume < 0 ? -1 : 1, trace = fabs(C[0] + C[1] + C[2]);
  const double size = sqrt(trace / fabs(volume));
  meshMoments out = {.volume = sign * volume,
                     .centre = {without_rounding(centre.x, size), without_rounding(centre.y, size),
                                without_rounding(centre.z, size)},
                     .inertia = {C[1] + C[2], C[0] + C[2], C[0] + C[1], -C[3], -C[4], -C[5]},
                     .is_turned = sign < 0};
  for (int k = 0; k < 6; k++) out.inertia[k] = sign * without_rounding(out.inertia[k], trace);
  return out;
}


//---- edges ---------------------------------------------------------------------------------------

// an edge of a triangle; way: 1 if it runs from low to high, -1 if back
typedef struct meshEdge {
  int low, high, way;
} meshEdge;


static int compare_edges(const void *a, const void *b)
{
  const meshEdge *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  return (p->high > q->high) - (p->high < q->high);
}


// all edges, sorted, without zero-length edges of degenerate triangles
static size_t list_edges(const artSolidDef *m, meshEdge *edge)
{
  size_t n = 0;
  for (int t = 0; t < m->ntriangle; t++) {
    const int *corner = corners_of(m, t);
    for (int k = 0; k < 3; k++) {
      const int a = corner[k], b = corner[(k + 1) % 3];
      if (a < b) edge[n++] = (meshEdge){a, b, 1};
      if (a > b) edge[n++] = (meshEdge){b, a, -1};
    }
  }
  qsort(edge, n, sizeof *edge, compare_edges);
  return n;
}


// edges without a neighbour, and edges with inconsistent orientation of the neighbours
typedef struct edgeFaults {
  int nedge, nlone, ntwisted;
  meshEdge lone, twisted; // the first of each
} edgeFaults;


static edgeFaults find_faults(const meshEdge *edge, size_t n)
{
  edgeFaults faults = {0};
  size_t end;
  for (size_t i = 0; i < n; i = end) {
    int way = 0;
    for (end = i; end < n && compare_edges(&edge[i], &edge[end]) == 0; end++) way += edge[end].way;
    faults.nedge++;
    if (way == 0) continue;
    if ((end - i) % 2 == 1) {
      if (faults.nlone++ == 0) faults.lone = edge[i];
    } else if (faults.ntwisted++ == 0) {
      faults.twisted = edge[i];
    }
  }
  return faults;
}


static artStatus tell_edges(const artSolidDef *m, const edgeFaults *f, artPlace place,
                            artError *error)
{
  const meshEdge *first = f->nlone ? &f->lone : &f->twisted;
  const v3 a = vertex_of(m, first->low), b = vertex_of(m, first->high);
  return base_fail(error, ART_BAD_INPUT, place,
                   "mesh '%.200s' %s %d of its %d edges%s, the first between (%g, %g, %g) and (%g, "
                   "%g, %g); a solid needs a closed surface, counter-clockwise seen from outside",
                   mesh_file_name(m), f->nlone ? "is not closed:" : "is twisted along",
                   f->nlone ? f->nlone : f->ntwisted, f->nedge,
                   f->nlone ? " belong to one triangle alone" : "", a.x, a.y, a.z, b.x, b.y, b.z);
}


artStatus mesh_check_edges(const artSolidDef *m, artPlace place, artError *error)
{
  meshEdge *edge = MEM_ARRAY(meshEdge, 3 * (size_t) m->ntriangle);
  if (!edge) return base_no_memory(error);
  const edgeFaults faults = find_faults(edge, list_edges(m, edge));
  mem_free(edge);
  return faults.nlone || faults.ntwisted ? tell_edges(m, &faults, place, error) : ART_OK;
}


//---- shells --------------------------------------------------------------------------------------

// a connected set of triangles
typedef struct meshShell {
  double volume;
  meshBox box;
  v3 corner; // one of its vertices
} meshShell;

typedef struct meshShells {
  const artSolidDef *mesh;
  int *next;   // [nvertex] union-find parent; a root points to itself
  int *number; // [nvertex] for roots: index of the shell + 1
  int count;
  meshShell *item; // [MAX_SHELLS]
} meshShells;


static int leader_of(int *next, int i)
{
  while (next[i] != i) i = next[i] = next[next[i]];
  return i;
}


static void join_vertices(meshShells *s)
{
  const artSolidDef *m = s->mesh;
  for (int i = 0; i < m->nvertex; i++) s->next[i] = i;
  for (int t = 0; t < m->ntriangle; t++) {
    for (int k = 1; k < 3; k++) {
      s->next[leader_of(s->next, corners_of(m, t)[k])] = leader_of(s->next, corners_of(m, t)[0]);
    }
  }
}


static meshShell *shell_of(const meshShells *s, int triangle)
{
  ART_ASSERT(s->number[leader_of(s->next, corners_of(s->mesh, triangle)[0])] > 0);
  return &s->item[s->number[leader_of(s->next, corners_of(s->mesh, triangle)[0])] - 1];
}


// returns 0 if there are more than MAX_SHELLS
static int measure_shells(meshShells *s)
{
  const artSolidDef *m = s->mesh;
  const v3 middle = middle_of(m);
  for (int t = 0; t < m->ntriangle; t++) {
    int *number = &s->number[leader_of(s->next, corners_of(m, t)[0])];
    v3 seen[3];
    if (!*number) {
      if (s->count == MAX_SHELLS) return 0;
      *number = ++s->count;
      *shell_of(s, t) = (meshShell){.box = NO_BOX, .corner = vertex_of(m, corners_of(m, t)[0])};
    }
    meshShell *shell = shell_of(s, t);
    for (int k = 0; k < 3; k++) box_add(&shell->box, vertex_of(m, corners_of(m, t)[k]));
    see_corners(m, t, middle, seen);
    shell->volume += six_volumes(seen) / 6;
  }
  return 1;
}


// solid angle of a triangle, positive seen from inside (van Oosterom and Strackee 1983)
static double solid_angle(const v3 p[3])
{
  const double a = sqrt(v3_dot(p[0], p[0])), b = sqrt(v3_dot(p[1], p[1])),
               c = sqrt(v3_dot(p[2], p[2]));
  const double cosines =
      a * b * c + v3_dot(p[0], p[1]) * c + v3_dot(p[0], p[2]) * b + v3_dot(p[1], p[2]) * a;
  return 2 * atan2(six_volumes(p), cosines);
}


// winding number of the other shells around a shell: 0 outside all, 1 inside one
static double winding_number(const meshShells *s, const meshShell *own)
{
  double angle = 0;
  for (int t = 0; t < s->mesh->ntriangle; t++) {
    const meshShell *other = shell_of(s, t);
    v3 seen[3];
    if (other == own || !box_has(&other->box, own->corner)) continue;
    see_corners(s->mesh, t, own->corner, seen);
    angle += solid_angle(seen);
  }
  return angle / (4 * acos(-1.0));
}


// a shell with the opposite orientation is a void and must be inside another one; all others must
// be outside each other; shells that touch are not checked
static artStatus check_shells(const meshShells *s, artPlace place, artError *error)
{
  double whole = 0;
  for (int i = 0; i < s->count; i++) whole += s->item[i].volume;
  for (int i = 0; i < s->count && s->count > 1; i++) {
    const meshShell *shell = &s->item[i];
    const double sign = whole < 0 ? -1 : 1, found = sign * winding_number(s, shell);
    const double expected = sign * shell->volume < 0 ? 1 : 0;
    if (shell->volume == 0 || fabs(found - round(found)) > 0.01) continue;
    if (round(found) == expected) continue;
    return base_fail(error, ART_BAD_INPUT, place,
                     "mesh '%.200s' has a shell at (%g, %g, %g) that %s; turn its triangles, or "
                     "take it out",
                     mesh_file_name(s->mesh), shell->corner.x, shell->corner.y, shell->corner.z,
                     expected > 0 ? "is inside out" : "lies inside another and would count twice");
  }
  return ART_OK;
}


static artStatus check_volume(const artSolidDef *m, artPlace place, artError *error)
{
  const meshBox box = box_of(m);
  const v3 size = v3_sub(box.high, box.low);
  const double volume = mesh_find_moments(m).volume;
  if (fabs(volume) > 1e-12 * size.x * size.y * size.z) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, place, "mesh '%.200s' encloses no volume",
                   mesh_file_name(m));
}


artStatus mesh_check_closed(const artSolidDef *m, artPlace place, artError *error)
{
  artStatus status = mesh_check_edges(m, place, error);
  if (!status) status = check_volume(m, place, error);
  if (status) return status;
  meshShells shells = {.mesh = m,
                       .next = MEM_ARRAY(int, (size_t) m->nvertex),
                       .number = MEM_ARRAY(int, (size_t) m->nvertex),
                       .item = MEM_ARRAY(meshShell, MAX_SHELLS)};
  if (!shells.next || !shells.number || !shells.item) {
    status = base_no_memory(error);
  } else {
    join_vertices(&shells);
    status = measure_shells(&shells)
                 ? check_shells(&shells, place, error)
                 : base_fail(error, ART_BAD_INPUT, place,
                             "mesh '%.200s' has more than %d shells that do not hang together",
                             mesh_file_name(m), MAX_SHELLS);
  }
  mem_free(shells.next);
  mem_free(shells.number);
  mem_free(shells.item);
  return status;
}
