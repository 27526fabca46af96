// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads as expressions: height, slopes and second derivatives at a point, as src/road has them. Kinds that
// have no short equations, and those of many pieces, are functions that the user of the code supplies.
#include "gen/road.h"

#include <math.h>

#include "gen/lines.h"
#include "road/kinds.h"

enum { MOST_PIECES = 65 };

//---- roads along x -------------------------------------------------------------------------------

// profiles give z, d and dd over x
static roadNodes profile(const genLines *l)
{
  return (roadNodes){.z = lines_get(l, "z"), .x = lines_get(l, "d"), .xx = lines_get(l, "dd")};
}


static roadNodes bump_nodes(genLines *l, const bumpRoad *bump)
{
  // z = h/2 (1 - cos w s), s from the beginning of the bump that lies at x or before it
  lines_set_number(l, "start", bump->start);
  lines_set_number(l, "length", bump->length);
  lines_set_number(l, "spacing", bump->spacing);
  lines_set_number(l, "last", bump->last);
  lines_set_number(l, "half", 0.5 * bump->height);
  lines_set_number(l, "w", 0x1.921fb54442d18p+2 / bump->length);
  lines_make(l, LINES("s = x - start"));
  if (bump->last > 0) {
    lines_make(l, LINES("s = s - spacing*max(min(floor(s/spacing), last), 0)"));
  }
  lines_make(l, LINES("size = if(s >= 0 and s < length, half, 0)", "c = size*cos(w*s)",
                      "z = size - c", "d = w*size*sin(w*s)", "dd = w*w*c"));
  return profile(l);
}


// a weight u^3 (10 - 15 u + 6 u^2) with its derivatives; it is level where u is held at 0 or 1
#define FADE(k)                                                                                    \
  "w" k " = u*u*u*(10 + u*(6*u - 15))", "d" k " = 30*u*u*(1 - u)*(1 - u)/blend",                   \
      "e" k " = 60*u*(1 - u)*(1 - 2*u)/(blend*blend)"


static roadNodes sine_nodes(genLines *l, const sineRoad *sine)
{
  // z = a sin p,   p = phase + k s + dk s^2 / 2
  lines_set_number(l, "a", sine->amplitude);
  lines_set_number(l, "phase", sine->phase);
  lines_set_number(l, "k", sine->k);
  lines_set_number(l, "dk", sine->dk);
  lines_set_number(l, "start", sine->start);
  lines_make(l, LINES("s = x - start", "p = phase + s*(k + 0.5*dk*s)", "slope = k + dk*s",
                      "z = a*sin(p)", "c = a*cos(p)", "d = slope*c", "dd = dk*c - slope*slope*z"));
  if (sine->length > 0) {
    lines_set_number(l, "blend", sine->blend);
    lines_set_number(l, "length", sine->length);
    lines_make(l, LINES("u = max(min(s/blend, 1), 0)", FADE("0"),
                        "u = max(min((length - s)/blend, 1), 0)", FADE("1"), "w = w0*w1",
                        "f = d0*w1 - w0*d1", "g = e0*w1 - 2*d0*d1 + w0*e1",
                        "dd = w*dd + 2*f*d + g*z", "d = w*d + f*z", "z = w*z"));
  }
  return profile(l);
}


// value[stride i] of the piece i of those from first to last that x lies on
static int choose(exprPool *p, int x, const double *knot, const double *value, int stride,
                  int first, int last)
{
  if (first == last) return expr_constant(p, value[(long) stride * first]);
  const int middle = (first + last) / 2;
  return expr_select(p, expr_operate(p, EXPR_LESS, x, expr_constant(p, knot[middle])),
                     choose(p, x, knot, value, stride, first, middle),
                     choose(p, x, knot, value, stride, middle + 1, last));
}


static void choose_all(genLines *l, int npiece, const double *knot, const double *value, int stride,
                       const char *const *name)
{
  const int x = lines_get(l, "x");
  for (int k = 0; k < stride; k++) {
    lines_set(l, name[k], choose(l->b->pool, x, knot, value + k, stride, 0, npiece - 1));
  }
}


static roadNodes polyline_nodes(genLines *l, const polylineRoad *line)
{
  enum { NUMBERS = 7 };
  static const char *const name[NUMBERS] = {"x0", "z0", "slope", "bend", "R", "Rc", "Rs"};
  double value[MOST_PIECES * NUMBERS];
  for (int i = 0; i <= line->nknot; i++) {
    const polyPiece *piece = &line->piece[i];
    const double R = piece->radius;
    const int is_line = piece->bend == 0;
    const double number[NUMBERS] = {piece->x,    piece->z, is_line ? piece->s / piece->c : 0,
                                    piece->bend, R,        R * piece->c,
                                    R * piece->s};
    for (int k = 0; k < NUMBERS; k++) value[i * NUMBERS + k] = number[k];
  }
  choose_all(l, line->nknot + 1, line->knot, value, NUMBERS, name);

  // a line, or an arc of the radius R: see polyline.c
  lines_make(l, LINES("u = x - x0", "w = u + bend*Rs", "root = sqrt(if(R > 0, (R - w)*(R + w), 1))",
                      "z = z0 + if(R > 0, (bend*u*u + 2*Rs*u)/if(R > 0, Rc + root, 1), slope*u)",
                      "d = slope + bend*w/root", "dd = bend*R*R/(root*root*root)"));
  return profile(l);
}


static roadNodes spline_nodes(genLines *l, const splineRoad *spline)
{
  enum { NUMBERS = 5 };
  static const char *const name[NUMBERS] = {"x0", "c0", "c1", "c2", "c3"};
  double value[MOST_PIECES * NUMBERS] = {0};
  const int n = spline->n;
  const double *x = spline->x, *z = spline->z, *M = spline->M;
  value[1] = z[0];
  value[n * NUMBERS + 1] = z[n - 1];
  for (int i = 0; i + 1 < n; i++) {
    const double h = x[i + 1] - x[i];
    const double number[NUMBERS] = {x[i], z[i],
                                    (z[i + 1] - z[i]) / h - h / 6 * (2 * M[i] + M[i + 1]), M[i] / 2,
                                    (M[i + 1] - M[i]) / (6 * h)};
    for (int k = 0; k < NUMBERS; k++) value[(i + 1) * NUMBERS + k] = number[k];
  }
  choose_all(l, n + 1, x, value, NUMBERS, name);
  lines_make(l, LINES("u = x - x0", "z = c0 + u*(c1 + u*(c2 + u*c3))", "d = c1 + u*(2*c2 + 3*u*c3)",
                      "dd = 2*c2 + 6*u*c3"));
  return profile(l);
}

//---- all roads -----------------------------------------------------------------------------------

static int has_equations(const artRoad *road)
{
  switch (road->kind) {
  case ROAD_PLANE:
  case ROAD_BUMP:
  case ROAD_SINE:
    return 1;
  case ROAD_POLYLINE:
    return ((const polylineRoad *) road)->nknot < MOST_PIECES;
  case ROAD_SPLINE:
    return ((const splineRoad *) road)->n < MOST_PIECES;
  case ROAD_PLACED:
    return has_equations(((const placedRoad *) road)->part);
  case ROAD_SUM:
    for (int i = 0; i < ((const sumRoad *) road)->count; i++) {
      if (!has_equations(((const sumRoad *) road)->parts[i])) return 0;
    }
    return 1;
  case ROAD_OTHER:
    break;
  }
  return 0;
}


static roadNodes equations(genBuild *b, const artRoad *road, int x, int y);


static roadNodes placed_nodes(genBuild *b, const placedRoad *placed, int x, int y)
{
  genLines l = {.b = b};
  lines_set(&l, "x", x);
  lines_set(&l, "y", y);
  lines_set_number(&l, "c", placed->c);
  lines_set_number(&l, "s", placed->s);
  lines_set_number(&l, "x0", placed->x);
  lines_set_number(&l, "y0", placed->y);
  lines_set_number(&l, "z0", placed->z);
  lines_make(&l, LINES("u = c*(x - x0) + s*(y - y0)", "v = c*(y - y0) - s*(x - x0)"));
  const roadNodes f = equations(b, placed->part, lines_get(&l, "u"), lines_get(&l, "v"));
  static const char *const name[6] = {"z", "d", "e", "dd", "de", "ee"};
  const int node[6] = {f.z, f.x, f.y, f.xx, f.xy, f.yy};
  for (int k = 0; k < 6; k++) lines_set(&l, name[k], node[k]);
  lines_make(&l, LINES("z = z0 + z", "fx = c*d - s*e", "fy = s*d + c*e",
                       "fxx = c*c*dd - 2*c*s*de + s*s*ee", "fxy = c*s*(dd - ee) + (c*c - s*s)*de",
                       "fyy = s*s*dd + 2*c*s*de + c*c*ee"));
  return (roadNodes){lines_get(&l, "z"),   lines_get(&l, "fx"),  lines_get(&l, "fy"),
                     lines_get(&l, "fxx"), lines_get(&l, "fxy"), lines_get(&l, "fyy")};
}


static roadNodes sum_nodes(genBuild *b, const sumRoad *sum, int x, int y)
{
  exprPool *p = b->pool;
  roadNodes all = {0};
  for (int i = 0; i < sum->count; i++) {
    const roadNodes f = equations(b, sum->parts[i], x, y);
    all = (roadNodes){expr_add(p, all.z, f.z),   expr_add(p, all.x, f.x),
                      expr_add(p, all.y, f.y),   expr_add(p, all.xx, f.xx),
                      expr_add(p, all.xy, f.xy), expr_add(p, all.yy, f.yy)};
  }
  return all;
}


static roadNodes plane_nodes(exprPool *p, const planeRoad *plane, int x, int y)
{
  const int grade = expr_constant(p, plane->grade), bank = expr_constant(p, plane->bank);
  const int rise = expr_add(p, expr_mul(p, grade, x), expr_mul(p, bank, y));
  return (roadNodes){
      .z = expr_add(p, expr_constant(p, plane->height), rise), .x = grade, .y = bank};
}


static roadNodes equations(genBuild *b, const artRoad *road, int x, int y)
{
  genLines l = {.b = b};
  lines_set(&l, "x", x);
  switch (road->kind) {
  case ROAD_PLANE:
    return plane_nodes(b->pool, (const planeRoad *) road, x, y);
  case ROAD_BUMP:
    return bump_nodes(&l, (const bumpRoad *) road);
  case ROAD_SINE:
    return sine_nodes(&l, (const sineRoad *) road);
  case ROAD_POLYLINE:
    return polyline_nodes(&l, (const polylineRoad *) road);
  case ROAD_SPLINE:
    return spline_nodes(&l, (const splineRoad *) road);
  case ROAD_PLACED:
    return placed_nodes(b, (const placedRoad *) road, x, y);
  case ROAD_SUM:
    return sum_nodes(b, (const sumRoad *) road, x, y);
  case ROAD_OTHER:
    break;
  }
  return (roadNodes){0};
}


// the function of the user that stands for a road of the model, declared at its first use
static int external_road(genBuild *b, const artRoad *road)
{
  int i = 0;
  while (i < b->m->nroad && b->m->road[i] != road) i++;
  ART_ASSERT(i < b->m->nroad);
  if (b->road[i] >= 0) return b->road[i];
  b->road[i] = expr_external(b->pool, 2, 6);
  const char *name = arena_format(&b->program->arena, GEN_ROAD_NAME, i);
  const char *what = "a road: x, y to its height z, slopes dz/dx and dz/dy, and second derivatives "
                     "d2z/dx2, d2z/dxdy, d2z/dy2";
  if (!name || gen_add_external(b, name, what, 2, 6) != ART_OK) b->pool->failed = 1;
  return b->road[i];
}


roadNodes gen_road(genBuild *b, const artRoad *road, int x, int y)
{
  if (has_equations(road)) return equations(b, road, x, y);
  const int call = expr_call(b->pool, external_road(b, road), (int[]){x, y});
  int e[6];
  for (int k = 0; k < 6; k++) e[k] = expr_element(b->pool, call, k);
  return (roadNodes){e[0], e[1], e[2], e[3], e[4], e[5]};
}
