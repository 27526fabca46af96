// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Wheels on steps and edges, as expressions: the equations of src/tyre/edges.c.
//
// The pieces of a profile that lie near a wheel are so many at most: line, arc, line, ..., line from the line on
// that lies or begins behind the wheel. Each of these places has numbers that are chosen by where the wheel is, and a
// contact that counts 1, -1 or not at all. The angle of the profile at the contact with an arc is found by Newton's
// method.
#include "gen/edges.h"

#include "gen/lines.h"

enum { MOST_KNOTS = 256, MOST_PLACES = 2 * GEN_CONTACT_UNKNOWNS + 1 };

// what is chosen for each place: the beginning of its piece and the direction there, the radius (positive where it
// turns up), and whether the profile ends with it
typedef enum placeNumber {
  PLACE_X,
  PLACE_Z,
  PLACE_C,
  PLACE_S,
  PLACE_R,
  PLACE_ENDS,
  PLACE_N
} placeNumber;

typedef struct edgeSums {
  node3 load, spring;
  int weight, radius;
} edgeSums;

typedef struct edgeBuild {
  genTyre *t;
  const roadProfile *f;
  const wheelNodes *wheel;
  genLines lines;
  int nplace;
  int number[MOST_PLACES + 1][PLACE_N];
  edgeSums sums;
} edgeBuild;

//---- pieces --------------------------------------------------------------------------------------

// from the line that lies before the end of corner j on, within twice the reach of the wheel
static int places_from(const polylineRoad *line, int j, double reach)
{
  if (2 * j >= line->nknot) return 1;
  return road_interval(line->nknot, line->knot, line->knot[2 * j + 1] + 2 * reach) - 2 * j + 1;
}


static int count_places(const polylineRoad *line, double reach)
{
  int most = 1;
  for (int j = 0; 2 * j <= line->nknot; j++) {
    const int n = places_from(line, j, reach);
    if (n > most) most = n;
  }
  return most;
}


// corners that are no profile, since another part of the road is not level there
static artStatus check_heights(const genBuild *b, const modelElement *e)
{
  const double sharpest = road_sharpest(e->road), radius = art_tyre_free_radius(e->tyre, 0);
  if (!(sharpest < radius)) return ART_OK;
  return base_fail(b->error, ART_UNSUPPORTED, e->place,
                   "tyre '%s' runs on a road with corners of radius %g m, sharper than its own of "
                   "%g m, where another part of that road slopes: equations cannot be generated "
                   "for it; round the corners, or make the other parts level there",
                   e->name, sharpest, radius);
}


artStatus gen_check_edges(const genBuild *b, const modelElement *e)
{
  roadProfile f;
  if (!e->road) return ART_OK;
  if (!road_find_profile(e->road, &f)) return check_heights(b, e);
  if (!tyre_meets_edges(e->tyre, e->road, &f)) return ART_OK;
  const int n = count_places(f.line, tyre_edge_reach(e->tyre));
  if (f.line->nknot <= MOST_KNOTS && n <= MOST_PLACES) return ART_OK;
  return base_fail(
      b->error, ART_UNSUPPORTED, e->place,
      "tyre '%s' runs on a road of %d corners, %d of them under it at a time; generated code "
      "has room for %d and %d: use another method, or fewer or rounder corners",
      e->name, f.line->nknot / 2, n / 2, MOST_KNOTS / 2, MOST_PLACES / 2);
}


static double number_of(const polylineRoad *line, int piece, placeNumber kind)
{
  const polyPiece *p = &line->piece[piece < line->nknot ? piece : line->nknot];
  const double number[PLACE_N] = {
      p->x, p->z, p->c, p->s, p->bend * p->radius, piece >= line->nknot};
  return number[kind];
}


// the number of a place where `low` lies behind the end of `first` to `last` corners
static int choose(const edgeBuild *x, int place, placeNumber kind, int first, int last)
{
  exprPool *p = x->lines.b->pool;
  const polylineRoad *line = x->f->line;
  if (first == last) return expr_constant(p, number_of(line, 2 * first + place, kind));
  const int middle = (first + last) / 2;
  const int end = expr_constant(p, line->knot[2 * middle + 1]);
  return expr_select(p, expr_operate(p, EXPR_LESS, lines_get(&x->lines, "low"), end),
                     choose(x, place, kind, first, middle),
                     choose(x, place, kind, middle + 1, last));
}


static void choose_numbers(edgeBuild *x)
{
  const int corners = x->f->line->nknot / 2;
  for (int place = 0; place <= x->nplace; place++) {
    for (int kind = 0; kind < PLACE_N; kind++) {
      const int is_line = place % 2 == 0;
      x->number[place][kind] =
          kind == PLACE_R && is_line ? 0 : choose(x, place, (placeNumber) kind, 0, corners);
    }
  }
}

//---- the wheel plane -----------------------------------------------------------------------------

static void set_vector(genLines *l, const char *const name[3], node3 a)
{
  lines_set(l, name[0], a.x);
  lines_set(l, name[1], a.y);
  lines_set(l, name[2], a.z);
}


static void cut_road(edgeBuild *x)
{
  static const char *const centre[3] = {"px", "py", "pz"}, *const axis[3] = {"ax", "ay", "az"};
  genLines *l = &x->lines;
  set_vector(l, centre, x->wheel->centre);
  set_vector(l, axis, x->wheel->axis);
  lines_set_number(l, "hc", x->f->c);
  lines_set_number(l, "hs", x->f->s);
  lines_set_number(l, "x0", x->f->x);
  lines_set_number(l, "y0", x->f->y);
  lines_set_number(l, "z0", x->f->z);
  lines_set_number(l, "reach", tyre_edge_reach(x->t->law.tyre));
  lines_make(l, LINES("q = sqrt(ax*ax + ay*ay)", "e1x = ay/q", "e1y = -ax/q", "lean = -az/q",
                      "e3x = lean*ax", "e3y = lean*ay", "k = hc*e1x + hs*e1y",
                      "turn = if(k < 0, -1, 1)", "k = max(abs(k), 1e-6)", "m = hc*e3x + hs*e3y",
                      "X = hc*(px - x0) + hs*(py - y0)", "Z = pz - z0", "low = X - reach"));
}


// g at (x, z) with the direction (c, s): a (q c - m s) + k b s
#define MISFIT "b = (z - Z)/q", "a = (x - X - m*b)/k", "u = q*c - m*s", "g = a*u + k*b*s"

// dg along the profile where its direction stays
#define STRAIGHT "ds = (u*u + k*s*k*s)/(k*q)"


static void set_start(edgeBuild *x, int place)
{
  static const char *const name[4] = {"x", "z", "c", "s"};
  for (int i = 0; i < 4; i++) lines_set(&x->lines, name[i], x->number[place][i]);
}


static int misfit_at_start(edgeBuild *x, int place)
{
  set_start(x, place);
  lines_make(&x->lines, LINES(MISFIT));
  return lines_get(&x->lines, "g");
}

//---- contacts ------------------------------------------------------------------------------------

static void on_line(edgeBuild *x, int place)
{
  set_start(x, place);
  lines_make(&x->lines, LINES(MISFIT, STRAIGHT, "x = x - g/ds*c", "z = z - g/ds*s", MISFIT));
}


// an unknown between the angles lo and hi, and its correction, where the place counts
static void add_unknown(edgeBuild *x, int place)
{
  genLines *l = &x->lines;
  genWheel *w = x->t->wheel;
  exprPool *p = l->b->pool;
  const int n = w->nunknown++;
  w->unknown[n] = expr_symbol(p, "edge_angle", GEN_CONTACT_UNKNOWNS * w->element + n);

  // begun where g vanishes with a and b of the arc's centre
  set_start(x, place);
  lines_set(l, "R", x->number[place][PLACE_R]);
  lines_set(l, "c1", x->number[place + 1][PLACE_C]);
  lines_set(l, "s1", x->number[place + 1][PLACE_S]);
  lines_make(l, LINES("from = atan2(s, c)", "to = atan2(s1, c1)", "lo = min(from, to)",
                      "hi = max(from, to)", "cx = x - R*s", "cz = z + R*c", "b = (cz - Z)/q",
                      "a = (cx - X - m*b)/k", "c = a*m - k*b", "s = if(c < 0, -a*q, a*q)",
                      "first = max(min(atan2(s, abs(c)), hi), lo)"));
  w->guess[n] = lines_get(l, "first");

  lines_set(l, "t", w->unknown[n]);
  lines_make(l, LINES("c = cos(t)", "s = sin(t)", "x = cx + R*s", "z = cz - R*c", MISFIT, STRAIGHT,
                      "d = R*ds - a*(q*s + m*c) + k*b*c", "d = if(abs(d) < 1e-9, 1e-9, d)",
                      "change = max(min(t - g/d, hi), lo) - t",
                      "change = if(abs(counts) > 0, change, 0)",
                      "open = if(abs(counts) > 0, g*g, 0)"));
  w->correction[n] = lines_get(l, "change");
  w->residual = expr_add(p, w->residual, lines_get(l, "open"));
}


static void on_arc(edgeBuild *x, int place)
{
  add_unknown(x, place);
  lines_make(&x->lines, LINES("t = t + change", "c = cos(t)", "s = sin(t)", "x = cx + R*s",
                              "z = cz - R*c", MISFIT));
}


// n = (-s, c) in the profile, T3 from the point to the centre
static roadContact contact_at(edgeBuild *x)
{
  genLines *l = &x->lines;
  exprPool *p = l->b->pool;
  lines_make(l, LINES("r = sqrt(max(a*a + b*b, 1e-12))", "w = a*turn", "ux = w*e1x + b*e3x",
                      "uy = w*e1y + b*e3y", "uz = b*q", "nx = -s*hc", "ny = -s*hs"));
  roadContact c = {.normal = {lines_get(l, "nx"), lines_get(l, "ny"), lines_get(l, "c")},
                   .arm = {lines_get(l, "ux"), lines_get(l, "uy"), lines_get(l, "uz")},
                   .radius = lines_get(l, "r")};
  const int over = expr_div(p, expr_constant(p, -1), c.radius);
  c.forward = node3_cross(p, x->wheel->axis, node3_scale(p, over, c.arm));
  gen_complete_contact(p, x->wheel->axis, &c);
  return c;
}


static void add_contact(edgeBuild *x)
{
  genTyre *t = x->t;
  exprPool *p = t->b->pool;
  const roadContact c = contact_at(x);
  const int counts = lines_get(&x->lines, "counts");
  gen_tyre_at_contact(t, x->wheel, &c);
  const int load = expr_mul(p, counts, t->x.load);
  const int spring = expr_mul(p, counts, t->x.spring);
  x->sums.load = node3_add(p, x->sums.load, node3_scale(p, load, c.normal));
  x->sums.spring = node3_add(p, x->sums.spring, node3_scale(p, spring, c.normal));
  x->sums.weight = expr_add(p, x->sums.weight, spring);
  x->sums.radius = expr_add(p, x->sums.radius, expr_mul(p, spring, c.radius));
}


// g has other signs at the two ends of a piece that is touched: from below to above where the distance is
// shortest, the other way where it is longest
static void add_contacts(edgeBuild *x)
{
  genLines *l = &x->lines;
  const double end = x->f->line->nknot > 0 ? x->f->line->knot[1] : 0;
  lines_set_number(l, "end", end);
  lines_set(l, "g", misfit_at_start(x, 0));
  lines_make(l, LINES("after = if(low < end, -1, g)"));
  for (int place = 0; place < x->nplace; place++) {
    lines_set(l, "g", misfit_at_start(x, place + 1));
    lines_set(l, "ends", x->number[place][PLACE_ENDS]);
    lines_make(l, LINES("before = after", "after = if(ends > 0, 1, g)",
                        "counts = if(before < 0, if(after < 0, 0, 1), if(after < 0, -1, 0))"));
    if (place % 2 == 0) {
      on_line(x, place);
    } else {
      on_arc(x, place);
    }
    add_contact(x);
  }
}

//---- all of them ---------------------------------------------------------------------------------

static int length_of(exprPool *p, int counts, node3 a)
{
  const int one = expr_constant(p, 1);
  return expr_sqrt(p, expr_select(p, counts, node3_dot(p, a, a), one));
}


// load and spring: of all contacts, or of level ground below a wheel that is sunk to its hub
static void set_loads(edgeBuild *x, int touches, int above)
{
  exprPool *p = x->lines.b->pool;
  tyreNodes *tyre = &x->t->x;
  const int is_above = expr_operate(p, EXPR_LESS, 0, above);
  const int is_touched = expr_operate(p, EXPR_LESS, 0, touches);
  tyre->load = expr_select(p, is_touched, length_of(p, touches, x->sums.load),
                           expr_select(p, is_above, 0, tyre->load));
  tyre->spring = expr_select(p, is_touched, length_of(p, touches, x->sums.spring),
                             expr_select(p, is_above, 0, tyre->spring));
  const int stiffness = x->t->law.number.stiffness;
  if (stiffness > 0) tyre->dent = expr_div(p, tyre->spring, stiffness);
}


// a wheel in the air, or sunk to its hub, is measured against level ground at the height of the road below its centre
static roadContact join_contacts(edgeBuild *x, const artRoad *road)
{
  exprPool *p = x->lines.b->pool;
  const edgeSums *sums = &x->sums;
  const node3 centre = x->wheel->centre, axis = x->wheel->axis, n = sums->load;
  const int zero = expr_constant(p, 0), one = expr_constant(p, 1);
  const int above = expr_sub(p, centre.z, gen_road(x->lines.b, road, centre.x, centre.y).z);
  const int touches = expr_select(p, expr_operate(p, EXPR_LESS, zero, above),
                                  expr_operate(p, EXPR_LESS, zero, node3_dot(p, n, n)), zero);
  const int over = expr_div(p, one, length_of(p, touches, n));
  const int mean = expr_div(p, sums->radius, expr_select(p, touches, sums->weight, one));
  const int level = expr_div(p, above, lines_get(&x->lines, "q"));
  roadContact c = {.normal = {expr_select(p, touches, expr_mul(p, over, n.x), zero),
                              expr_select(p, touches, expr_mul(p, over, n.y), zero),
                              expr_select(p, touches, expr_mul(p, over, n.z), one)},
                   .radius = expr_select(p, touches, mean, level)};

  const node3 across = node3_cross(p, axis, c.normal);
  const int width = expr_sqrt(p, node3_dot(p, across, across));
  c.forward = node3_scale(p, expr_div(p, one, width), across);
  c.arm = node3_scale(p, c.radius, node3_cross(p, axis, c.forward));
  gen_complete_contact(p, axis, &c);
  gen_tyre_at_contact(x->t, x->wheel, &c);
  set_loads(x, touches, above);
  return c;
}


roadContact gen_edge_contact(genTyre *t, const artRoad *road, const roadProfile *f,
                             const wheelNodes *wheel)
{
  edgeBuild x = {.t = t, .f = f, .wheel = wheel, .lines = {.b = t->b}};
  x.nplace = count_places(f->line, tyre_edge_reach(t->law.tyre));
  cut_road(&x);
  choose_numbers(&x);
  add_contacts(&x);
  return join_contacts(&x, road);
}
