// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drawings of a machine as SVG: every face projected, shaded by its inclination, painted from the back.
#include "show/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/solid.h"
#include "spatial/pose.h"

enum { AROUND = 20, AROUND_SMALL = 8, ZIGS = 14 };

// directions of the picture in ground: right, up, and towards the eye
typedef struct drawingAxes {
  v3 right, up, eye;
} drawingAxes;

typedef struct drawingFace {
  float x[3], y[3]; // on the picture
  float depth;      // towards the eye
  unsigned colour;
  int is_line; // from the first point to the second
} drawingFace;

typedef struct drawingWork {
  const ioDrawing *drawing;
  drawingAxes axes;
  double middle[2];      // of the box
  double scale, largest; // units per m; edge above which a triangle is divided, m
  int n, capacity;
  drawingFace *face;
  int is_full;
} drawingWork;


//---- the eye -------------------------------------------------------------------------------------

static v3 unit(v3 a)
{
  const double length = sqrt(v3_dot(a, a));
  return length > 0 ? v3_scale(1 / length, a) : (v3){0, 0, 1};
}


// up is against gravity: z, unless the machine falls another way
static drawingAxes axes_of(const ioMotion *film, drawingView view)
{
  double g[3] = {0, 0, -1};
  json_find_numbers(film->reader.root, "gravity", 3, g);
  const int is_y = fabs(g[1]) > fabs(g[2]) && fabs(g[1]) > fabs(g[0]);
  const v3 up = is_y ? (v3){0, 1, 0} : (v3){0, 0, 1};
  const v3 ahead = {1, 0, 0}, beside = v3_cross(up, ahead);
  v3 eye =
      view == DRAWING_SIDE    ? v3_neg(beside)
      : view == DRAWING_FRONT ? ahead
      : view == DRAWING_TOP
          ? up
          : unit(v3_add(v3_add(v3_scale(0.75, ahead), v3_scale(-1, beside)), v3_scale(0.6, up)));
  const v3 top = view == DRAWING_TOP ? beside : up;
  const v3 right = unit(v3_cross(top, eye));
  return (drawingAxes){right, v3_cross(eye, right), eye};
}


static void project(const drawingWork *w, v3 at, float *x, float *y, double *depth)
{
  const ioDrawing *d = w->drawing;
  const double across = v3_dot(w->axes.right, at) - w->middle[0];
  const double up = v3_dot(w->axes.up, at) - w->middle[1];
  *x = (float) (d->width / 2.0 + w->scale * across);
  *y = (float) (d->height / 2.0 - w->scale * up);
  *depth = v3_dot(w->axes.eye, at);
}


//---- faces ---------------------------------------------------------------------------------------

static void add_face(drawingWork *w, const drawingFace *face)
{
  void *items = w->face;
  if (!mem_grow(&items, w->n, &w->capacity, sizeof *w->face)) {
    w->is_full = 1;
    return;
  }
  w->face = items;
  w->face[w->n++] = *face;
}


static unsigned shade(unsigned colour, double light)
{
  unsigned out = 0;
  for (int k = 16; k >= 0; k -= 8) {
    const double part = (double) (colour >> k & 255) * light;
    out |= (unsigned) fmin(255, part) << k;
  }
  return out;
}


static double edge(v3 a, v3 b)
{
  const v3 d = v3_sub(a, b);
  return sqrt(v3_dot(d, d));
}


// more than a speck?
static bool is_seen(const drawingFace *f)
{
  const float ax = f->x[1] - f->x[0], ay = f->y[1] - f->y[0];
  const float bx = f->x[2] - f->x[0], by = f->y[2] - f->y[0];
  return fabsf(ax * by - ay * bx) > 0.1f;
}


// large triangles in halves, so that far and near ones can be told apart
static void add_triangle(drawingWork *w, v3 a, v3 b, v3 c, unsigned colour, int depth)
{
  const double ab = edge(a, b), bc = edge(b, c), ca = edge(c, a);
  const double most = fmax(ab, fmax(bc, ca));
  if (most > w->largest && depth < 8) {
    // the longest edge lies from a to b after turning
    if (bc == most) {
      add_triangle(w, b, c, a, colour, depth);
      return;
    }
    if (ca == most && ab != most) {
      add_triangle(w, c, a, b, colour, depth);
      return;
    }
    const v3 middle = v3_scale(0.5, v3_add(a, b));
    add_triangle(w, a, middle, c, colour, depth + 1);
    add_triangle(w, middle, b, c, colour, depth + 1);
    return;
  }
  drawingFace face = {.colour = colour};
  double depths[3];
  project(w, a, &face.x[0], &face.y[0], &depths[0]);
  project(w, b, &face.x[1], &face.y[1], &depths[1]);
  project(w, c, &face.x[2], &face.y[2], &depths[2]);
  face.depth = (float) ((depths[0] + depths[1] + depths[2]) / 3);
  if (is_seen(&face)) add_face(w, &face);
}


static void add_solid(drawingWork *w, const ioSolid *solid, modelPose body, unsigned colour)
{
  const v3 light =
      unit(v3_add(v3_add(w->axes.eye, v3_scale(0.9, w->axes.up)), v3_scale(-0.35, w->axes.right)));
  for (int t = 0; t < solid->ntriangle; t++) {
    v3 p[3];
    for (int k = 0; k < 3; k++) {
      const float *v = solid->vertex + 3 * solid->triangle[3 * t + k];
      p[k] = v3_add(body.r, m3_back(body.R, (v3){(double) v[0], (double) v[1], (double) v[2]}));
    }
    const v3 normal = unit(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
    if (v3_dot(normal, w->axes.eye) <= 0) continue;
    const double bright = 0.5 + 0.55 * fmax(0, v3_dot(normal, light));
    add_triangle(w, p[0], p[1], p[2], shade(colour, bright), 0);
  }
}


// a round shape that is small on the picture needs few sides
static int sides(const drawingWork *w, const sceneShape *shape)
{
  enum { SMALL_RADIUS = 7 };
  return w->scale * shape->radius < SMALL_RADIUS ? AROUND_SMALL : AROUND;
}


static void add_shapes(drawingWork *w, int n, const sceneShape *shape, modelPose body)
{
  for (int i = 0; i < n; i++) {
    baseArena arena = {0};
    ioSolid solid;
    if (solid_make(&solid, &shape[i], sides(w, &shape[i]), &arena)) {
      add_solid(w, &solid, body, shape[i].colour);
    } else {
      w->is_full = 1;
    }
    arena_free(&arena);
  }
}


// a spring as a zigzag across the eye's direction
static void add_spring(drawingWork *w, const ioMotion *film, const artPose *pose, int force)
{
  double ends[2][3];
  for (int k = 0; k < 2; k++) motion_end(film, pose, force, k, ends[k]);
  const v3 a = {ends[0][0], ends[0][1], ends[0][2]}, b = {ends[1][0], ends[1][1], ends[1][2]};
  const v3 span = v3_sub(b, a);
  const v3 across = v3_scale(film->scene.force[force].radius, unit(v3_cross(span, w->axes.eye)));
  v3 last = a;
  for (int k = 1; k <= ZIGS; k++) {
    v3 next = v3_add(a, v3_scale((double) k / ZIGS, span));
    if (k < ZIGS) next = v3_add(next, v3_scale(k % 2 ? 1 : -1, across));
    drawingFace face = {.colour = 0x4d535b, .is_line = 1};
    double depths[2];
    project(w, last, &face.x[0], &face.y[0], &depths[0]);
    project(w, next, &face.x[1], &face.y[1], &depths[1]);
    face.depth = (float) ((depths[0] + depths[1]) / 2);
    add_face(w, &face);
    last = next;
  }
}


//---- how much there is to see --------------------------------------------------------------------

drawingBox drawing_nothing(void)
{
  return (drawingBox){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
}


static void include(drawingBox *box, const drawingAxes *axes, v3 at)
{
  const double place[2] = {v3_dot(axes->right, at), v3_dot(axes->up, at)};
  for (int k = 0; k < 2; k++) {
    if (place[k] < box->low[k]) box->low[k] = place[k];
    if (place[k] > box->high[k]) box->high[k] = place[k];
  }
}


static int include_shapes(drawingBox *box, const drawingAxes *axes, int n, const sceneShape *shape,
                          modelPose body)
{
  int is_done = 1;
  for (int i = 0; i < n && is_done; i++) {
    baseArena arena = {0};
    ioSolid solid;
    is_done = solid_make(&solid, &shape[i], AROUND, &arena);
    for (int k = 0; k < solid.nvertex && is_done; k++) {
      const float *v = solid.vertex + 3 * k;
      const v3 own = {(double) v[0], (double) v[1], (double) v[2]};
      include(box, axes, v3_add(body.r, m3_back(body.R, own)));
    }
    arena_free(&arena);
  }
  return is_done;
}


artStatus drawing_measure(drawingBox *box, const ioMotion *film, const artPose *pose,
                          drawingView view, artError *error)
{
  const ioScene *scene = &film->scene;
  const drawingAxes axes = axes_of(film, view);
  int is_done = include_shapes(box, &axes, scene->nground, scene->ground, pose_identity());
  for (int i = 0; i < scene->nbody && is_done; i++) {
    const sceneBody *body = &scene->body[i];
    is_done = include_shapes(box, &axes, body->nshape, body->shape, pose_from_art(&pose[i]));
  }
  return is_done ? ART_OK : base_no_memory(error);
}


void drawing_project(const ioMotion *film, drawingView view, const double at[3], double place[2])
{
  const drawingAxes axes = axes_of(film, view);
  const v3 point = {at[0], at[1], at[2]};
  place[0] = v3_dot(axes.right, point);
  place[1] = v3_dot(axes.up, point);
}


//---- SVG -----------------------------------------------------------------------------------------

static int by_depth(const void *a, const void *b)
{
  const float x = ((const drawingFace *) a)->depth, y = ((const drawingFace *) b)->depth;
  return (x > y) - (x < y);
}


static void write_faces(FILE *stream, const drawingWork *w)
{
  // neighbours of one colour share a path
  for (int i = 0; i < w->n;) {
    const drawingFace *first = &w->face[i];
    fputs("<path d=\"", stream);
    for (; i < w->n; i++) {
      const drawingFace *f = &w->face[i];
      if (f->colour != first->colour || f->is_line != first->is_line) break;
      fprintf(stream, "M%.1f %.1fL%.1f %.1f", (double) f->x[0], (double) f->y[0], (double) f->x[1],
              (double) f->y[1]);
      if (!f->is_line) fprintf(stream, "L%.1f %.1fZ", (double) f->x[2], (double) f->y[2]);
    }
    if (first->is_line) {
      fprintf(stream, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.4\"/>\n", first->colour);
    } else {
      fprintf(stream, "\" color=\"#%06x\"/>\n", first->colour);
    }
  }
}


// the box in the middle of the picture, as large as it fits with a little room around
static drawingWork start(const ioMotion *film, const ioDrawing *drawing)
{
  enum { ROOM = 6 };
  const drawingBox *box = &drawing->box;
  drawingWork w = {.drawing = drawing, .axes = axes_of(film, drawing->view)};
  const double size[2] = {box->high[0] - box->low[0], box->high[1] - box->low[1]};
  const double least = 1e-6 * fmax(fmax(size[0], size[1]), 1e-6);
  for (int k = 0; k < 2; k++) w.middle[k] = 0.5 * (box->low[k] + box->high[k]);
  w.scale = fmin((drawing->width - ROOM) / fmax(size[0], least),
                 (drawing->height - ROOM) / fmax(size[1], least));
  w.largest = fmax(size[0], size[1]) / 18;
  return w;
}


artStatus drawing_write(FILE *stream, const ioMotion *film, const artPose *pose,
                        const ioDrawing *drawing, artError *error)
{
  drawingWork w = start(film, drawing);
  const ioScene *scene = &film->scene;
  add_shapes(&w, scene->nground, scene->ground, pose_identity());
  for (int i = 0; i < scene->nbody; i++) {
    add_shapes(&w, scene->body[i].nshape, scene->body[i].shape, pose_from_art(&pose[i]));
  }
  for (int f = 0; f < scene->nforce; f++) {
    const sceneForce *force = &scene->force[f];
    if (force->nend == 2 && force->radius > 0) add_spring(&w, film, pose, f);
  }
  if (w.n > 0) qsort(w.face, (size_t) w.n, sizeof *w.face, by_depth);
  fprintf(stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "height=\"%d\" fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\"0.8\" "
          "stroke-linejoin=\"round\">\n",
          drawing->width, drawing->height, drawing->width, drawing->height);
  write_faces(stream, &w);
  fputs("</svg>\n", stream);
  mem_free(w.face);
  return w.is_full ? base_no_memory(error) : ART_OK;
}
