// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drawings of a machine: the floor, its shadow, then all faces, projected and shaded by their
// inclination, with a depth buffer.
#include "show/drawing.h"

#include <math.h>

#include "base/error.h"
#include "show/canvas.h"
#include "show/deflate.h"
#include "show/drawing_ground.h"
#include "show/triangles.h"
#include "spatial/pose.h"

enum { AROUND = 32, AROUND_SMALL = 12, ZIGS = 14 };
enum { FLOOR = 0xeef0f3, LINE = 0xd5dae0, SHADOW = 0xc3c7cc };

// directions in ground: of the picture (right, up, towards the viewer) and of the machine
typedef struct drawingAxes {
  v3 right, up, eye;
  v3 ahead, beside, vertical;
} drawingAxes;

typedef struct drawingWork {
  const ioDrawing *drawing;
  drawingAxes axes;
  double middle[2]; // of the box
  double scale;     // units per m
  ioCanvas canvas;
  drawingGround ground;
  baseArena *arena;
} drawingWork;


//---- projection ----------------------------------------------------------------------------------

static v3 unit_vector(v3 a)
{
  const double length = sqrt(v3_dot(a, a));
  return length > 0 ? v3_scale(1 / length, a) : (v3){0, 0, 1};
}


// up is opposite to gravity if gravity is along y, else z
static drawingAxes view_axes_of(const ioScene *scene, drawingView view)
{
  const double *g = scene->gravity;
  const int is_y = fabs(g[1]) > fabs(g[2]) && fabs(g[1]) > fabs(g[0]);
  const v3 up = is_y ? (v3){0, 1, 0} : (v3){0, 0, 1};
  const v3 ahead = {1, 0, 0}, beside = v3_cross(up, ahead);
  v3 eye = view == DRAWING_SIDE    ? v3_neg(beside)
           : view == DRAWING_FRONT ? ahead
           : view == DRAWING_TOP
               ? up
               : unit_vector(v3_add(v3_add(v3_scale(0.75, ahead), v3_scale(-1, beside)),
                                    v3_scale(0.6, up)));
  const v3 top = view == DRAWING_TOP ? beside : up;
  const v3 right = unit_vector(v3_cross(top, eye));
  return (drawingAxes){right, v3_cross(eye, right), eye, ahead, beside, up};
}


static canvasPoint project_point(const drawingWork *w, v3 at)
{
  const ioDrawing *d = w->drawing;
  const double across = v3_dot(w->axes.right, at) - w->middle[0];
  const double up = v3_dot(w->axes.up, at) - w->middle[1];
  return (canvasPoint){d->width / 2.0 + w->scale * across, d->height / 2.0 - w->scale * up,
                       v3_dot(w->axes.eye, at)};
}


//---- faces ---------------------------------------------------------------------------------------

static unsigned shade_colour(unsigned colour, double light)
{
  unsigned out = 0;
  for (int k = 16; k >= 0; k -= 8) {
    const double part = (double) (colour >> k & 255) * light;
    out |= (unsigned) fmin(255, part) << k;
  }
  return out;
}


static v3 corner_of(const ioSolid *solid, int k, modelPose body)
{
  ART_ASSERT(k >= 0 && k < solid->nvertex);
  const float *v = solid->vertex + 3 * k;
  return v3_add(body.r, m3_back(body.R, (v3){(double) v[0], (double) v[1], (double) v[2]}));
}


// shapes other than meshes are convex; meshes cast shadows by the faces that face the light
static void add_shadow(drawingWork *w, const ioSolid *solid, modelPose body, bool is_convex)
{
  v3 *point = arena_alloc(w->arena, (size_t) solid->nvertex, sizeof *point);
  const v3 sun = ground_sun(&w->ground);
  for (int k = 0; k < solid->nvertex; k++) point[k] = corner_of(solid, k, body);
  if (is_convex) ground_add(&w->ground, solid->nvertex, point);
  for (int t = 0; t < solid->ntriangle && !is_convex; t++) {
    v3 p[3];
    for (int k = 0; k < 3; k++) p[k] = point[solid->triangle[3 * t + k]];
    const v3 normal = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
    if (v3_dot(normal, sun) > 0) ground_add(&w->ground, 3, p);
  }
}


static void add_solid(drawingWork *w, const ioSolid *solid, modelPose body, unsigned colour)
{
  const v3 light = unit_vector(
      v3_add(v3_add(w->axes.eye, v3_scale(0.9, w->axes.up)), v3_scale(-0.35, w->axes.right)));
  for (int t = 0; t < solid->ntriangle; t++) {
    v3 p[3];
    for (int k = 0; k < 3; k++) p[k] = corner_of(solid, (int) solid->triangle[3 * t + k], body);
    const v3 normal = unit_vector(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
    if (v3_dot(normal, w->axes.eye) <= 0) continue;
    const double bright = 0.5 + 0.55 * fmax(0, v3_dot(normal, light));
    const canvasPoint corner[3] = {project_point(w, p[0]), project_point(w, p[1]),
                                   project_point(w, p[2])};
    canvas_triangle(&w->canvas, corner, shade_colour(colour, bright));
  }
}


// a round shape that is small in the picture needs few sides
static int sides_of_shape(const drawingWork *w, const sceneShape *shape)
{
  enum { SMALL_RADIUS = 7 };
  return w->scale * shape->radius < SMALL_RADIUS ? AROUND_SMALL : AROUND;
}


static void add_drawn_shapes(drawingWork *w, int n, const sceneShape *shape, modelPose body)
{
  for (int i = 0; i < n; i++) {
    ioSolid solid;
    solid_make(&solid, &shape[i], sides_of_shape(w, &shape[i]), w->arena);
    add_solid(w, &solid, body, shape[i].colour);
    add_shadow(w, &solid, body, shape[i].type != SHAPE_MESH);
  }
}


// a spring as a zigzag perpendicular to the line of sight
static void add_drawn_spring(drawingWork *w, const ioScene *scene, const artPose *pose, int force)
{
  double ends[2][3];
  for (int k = 0; k < 2; k++) scene_force_end(scene, pose, force, k, ends[k]);
  const v3 a = {ends[0][0], ends[0][1], ends[0][2]}, b = {ends[1][0], ends[1][1], ends[1][2]};
  const v3 span = v3_sub(b, a);
  const v3 across = v3_scale(scene->force[force].radius, unit_vector(v3_cross(span, w->axes.eye)));
  v3 last = a;
  for (int k = 1; k <= ZIGS; k++) {
    v3 next = v3_add(a, v3_scale((double) k / ZIGS, span));
    if (k < ZIGS) next = v3_add(next, v3_scale(k % 2 ? 1 : -1, across));
    canvas_line(&w->canvas, project_point(w, last), project_point(w, next), 1.4, 0x4d535b);
    last = next;
  }
}


//---- extent --------------------------------------------------------------------------------------

drawingBox drawing_nothing(void)
{
  return (drawingBox){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}, INFINITY};
}


static void include_in_box(drawingBox *box, const drawingAxes *axes, v3 at)
{
  const double place[2] = {v3_dot(axes->right, at), v3_dot(axes->up, at)};
  for (int k = 0; k < 2; k++) {
    if (place[k] < box->low[k]) box->low[k] = place[k];
    if (place[k] > box->high[k]) box->high[k] = place[k];
  }
  box->floor = fmin(box->floor, v3_dot(axes->vertical, at));
}


void drawing_measure(drawingBox *box, const ioScene *scene, const artPose *pose, drawingView view,
                     baseArena *arena)
{
  const drawingAxes axes = view_axes_of(scene, view);
  for (int i = -1; i < scene->nbody; i++) {
    const sceneBody ground = {.nshape = scene->nground, .shape = scene->ground};
    const sceneBody *body = i < 0 ? &ground : &scene->body[i];
    const modelPose at = i < 0 ? pose_identity() : pose_from_art(&pose[i]);
    for (int s = 0; s < body->nshape; s++) {
      const arenaPlace place = arena_place(arena);
      ioSolid solid;
      solid_make(&solid, &body->shape[s], AROUND, arena);
      for (int k = 0; k < solid.nvertex; k++) {
        include_in_box(box, &axes, corner_of(&solid, k, at));
      }
      arena_return(arena, place);
    }
  }
}


void drawing_project(const ioScene *scene, drawingView view, const double at[3], double place[2])
{
  const drawingAxes axes = view_axes_of(scene, view);
  const v3 point = {at[0], at[1], at[2]};
  place[0] = v3_dot(axes.right, point);
  place[1] = v3_dot(axes.up, point);
}


//---- the floor -----------------------------------------------------------------------------------

// the floor is behind everything; its layers are ordered by these depths
static const double PLATE = -3e30, GRID = -2e30, SHADE = -1e30;


static canvasPoint on_floor(const drawingWork *w, const double at[2], double layer)
{
  canvasPoint point = project_point(w, ground_place(&w->ground, at[0], at[1]));
  point.depth = layer;
  return point;
}


// paint a convex polygon on the floor
static void paint_floor(drawingWork *w, int n, double (*corner)[2], double layer, unsigned colour)
{
  for (int k = 2; k < n; k++) {
    const canvasPoint part[3] = {on_floor(w, corner[0], layer), on_floor(w, corner[k - 1], layer),
                                 on_floor(w, corner[k], layer)};
    canvas_triangle(&w->canvas, part, colour);
  }
}


// a plate with grid lines at round distances, and the shadows
static void paint_ground(drawingWork *w)
{
  const drawingGround *g = &w->ground;
  double low[2], high[2];
  const double spacing = ground_grid(g, low, high);
  if (spacing == 0) return;
  double plate[4][2] = {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
  paint_floor(w, 4, plate, PLATE, FLOOR);
  for (int k = 0; k < 2; k++) {
    for (double x = low[k]; x < high[k] + 0.5 * spacing; x += spacing) {
      double end[2][2] = {{low[0], low[1]}, {high[0], high[1]}};
      end[0][k] = end[1][k] = x;
      canvas_line(&w->canvas, on_floor(w, end[0], GRID), on_floor(w, end[1], GRID), 0.7, LINE);
    }
  }
  for (int i = 0, first = 0; i < g->noutline; first = g->end[i++]) {
    paint_floor(w, g->end[i] - first, g->corner + first, SHADE, SHADOW);
  }
}


//---- the picture ---------------------------------------------------------------------------------

// centre the box in the picture, scaled to fit with a margin
static drawingWork start_drawing(const ioScene *scene, const ioDrawing *drawing, baseArena *arena)
{
  enum { ROOM = 6 };
  const drawingBox *box = &drawing->box;
  drawingWork w = {.drawing = drawing, .axes = view_axes_of(scene, drawing->view), .arena = arena};
  const double size[2] = {box->high[0] - box->low[0], box->high[1] - box->low[1]};
  const double least = 1e-6 * fmax(fmax(size[0], size[1]), 1e-6);
  for (int k = 0; k < 2; k++) w.middle[k] = 0.5 * (box->low[k] + box->high[k]);
  w.scale = fmin((drawing->width - ROOM) / fmax(size[0], least),
                 (drawing->height - ROOM) / fmax(size[1], least));
  w.ground = ground_start(w.axes.ahead, w.axes.beside, w.axes.vertical, box->floor, arena);
  w.canvas = canvas_start(drawing->width, drawing->height, arena);
  return w;
}


static void add_machine(drawingWork *w, const ioScene *scene, const artPose *pose)
{
  add_drawn_shapes(w, scene->nground, scene->ground, pose_identity());
  for (int i = 0; i < scene->nbody; i++) {
    add_drawn_shapes(w, scene->body[i].nshape, scene->body[i].shape, pose_from_art(&pose[i]));
  }
  for (int f = 0; f < scene->nforce; f++) {
    const sceneForce *force = &scene->force[f];
    if (force->nend == 2 && force->radius > 0) add_drawn_spring(w, scene, pose, f);
  }
}


pngPixels drawing_pixels(const ioScene *scene, const artPose *pose, const ioDrawing *drawing,
                         baseArena *arena)
{
  drawingWork w = start_drawing(scene, drawing, arena);
  add_machine(&w, scene, pose);
  // everything painted so far is in front of the floor
  if (drawing->view == DRAWING_ISO) paint_ground(&w);
  return (pngPixels){.at = canvas_pixels(&w.canvas, arena),
                     .stride = 3 * CANVAS_FINE * (size_t) drawing->width,
                     .width = CANVAS_FINE * drawing->width,
                     .height = CANVAS_FINE * drawing->height};
}


unsigned char *drawing_png(const ioScene *scene, const artPose *pose, const ioDrawing *drawing,
                           baseArena *arena, size_t *size)
{
  const pngPixels pixels = drawing_pixels(scene, pose, drawing, arena);
  return png_file(&pixels, arena, size);
}


void drawing_write(FILE *stream, const ioScene *scene, const artPose *pose,
                   const ioDrawing *drawing, baseArena *arena)
{
  const arenaPlace place = arena_place(arena);
  size_t size;
  const unsigned char *png = drawing_png(scene, pose, drawing, arena, &size);
  fprintf(stream, "<img alt=\"\" width=\"%d\" height=\"%d\" src=\"data:image/png;base64,",
          drawing->width, drawing->height);
  base64_write(stream, png, size);
  fputs("\">\n", stream);
  arena_return(arena, place);
}
