// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Wheels on steps and edges, as expressions, with the text of src/tyre/edge_places.c on symbols.
//
// The number of pieces of a profile near a wheel is limited: line, arc, line, ..., line from the line on
// that lies or begins behind the wheel. Each of these places has numbers that are chosen by where the wheel is, and a
// contact that counts 1, -1 or not at all. The angle of the profile at the contact with an arc is found by Newton's
// method.
#include "gen/element/wheel.h"

#include "tyre/edge_places.h"
#include "tyre/edges.h"

// clang-format off
#include "lowered/tyre/edge_places.c"
// clang-format on

// numbers of a place: the beginning of its piece and the direction there, the radius (positive where it turns up), and
// whether the profile ends with it
typedef enum placeNumber {
  PLACE_X,
  PLACE_Z,
  PLACE_C,
  PLACE_S,
  PLACE_R,
  PLACE_ENDS,
  PLACE_N
} placeNumber;

typedef struct edgeBuild {
  const symTyre *law;
  tyreNodes *tyre;
  genWheel *stage;
  const roadProfile *f;
  const wheelNodes *wheel;
  v3 centre, axis;
  wheelCut cut;
  real low; // where the places begin
  real counts;
  real number[GEN_MOST_PLACES + 1][PLACE_N];
  edgeSums sums;
} edgeBuild;


static real held_between(real x, real least, real most)
{
  return r_max(r_min(x, most), least);
}

//---- pieces --------------------------------------------------------------------------------------

static double place_number_of(const polylineRoad *line, int piece, placeNumber kind)
{
  ART_ASSERT(kind < PLACE_N);
  const polyPiece *p = &line->piece[piece < line->nknot ? piece : line->nknot];
  const double number[PLACE_N] = {
      p->x, p->z, p->c, p->s, p->bend * p->radius, piece >= line->nknot};
  return number[kind];
}


// the number of a place where `low` lies behind the end of `first` to `last` corners
static real choose_place_number(const edgeBuild *x, int place, placeNumber kind, int first,
                                int last)
{
  ART_ASSERT(first <= last);
  const polylineRoad *line = x->f->line;
  if (first == last) return r_const(place_number_of(line, 2 * first + place, kind));
  const int middle = (first + last) / 2;
  return r_select(r_less(x->low, r_const(line->knot[2 * middle + 1])),
                  choose_place_number(x, place, kind, first, middle),
                  choose_place_number(x, place, kind, middle + 1, last));
}


static profilePoint place_start_of(const edgeBuild *x, int place)
{
  ART_ASSERT(place >= 0 && place <= GEN_MOST_PLACES);
  const real *n = x->number[place];
  return (profilePoint){.x = n[PLACE_X], .z = n[PLACE_Z], .c = n[PLACE_C], .s = n[PLACE_S]};
}


static real misfit_at_start(const edgeBuild *x, int place)
{
  profilePoint p = place_start_of(x, place);
  return edge_misfit_symbolic(&x->cut, &p);
}

//---- contacts ------------------------------------------------------------------------------------

static real angle_at_start(const edgeBuild *x, int place)
{
  return r_atan2(x->number[place][PLACE_S], x->number[place][PLACE_C]);
}


// the point of an arc: an angle is unknown, and corrected where the place counts
static profilePoint point_on_edge_arc(edgeBuild *x, int place)
{
  genWheel *w = x->stage;
  const int n = w->nunknown++;
  const real zero = r_const(0), small = r_const(1e-9);
  const real from = angle_at_start(x, place), to = angle_at_start(x, place + 1);
  const real lo = r_min(from, to), hi = r_max(from, to);
  const profilePoint start = place_start_of(x, place);
  const profileArc arc = edge_arc_symbolic(x->number[place][PLACE_R], &start);
  w->guess[n] = held_between(edge_first_angle_symbolic(&x->cut, &arc), lo, hi).node;

  const real t = {expr_symbol(x->law->pool, "edge_angle", GEN_CONTACT_UNKNOWNS * w->element + n)};
  const real is_counted = r_less(zero, r_abs(x->counts));
  profilePoint p = edge_at_angle_symbolic(&arc, t);
  const real g = edge_misfit_symbolic(&x->cut, &p);
  const real slope = edge_turning_slope_symbolic(&x->cut, &arc, &p);
  const real d = r_select(r_less(r_abs(slope), small), small, slope);
  const real step = r_sub(held_between(r_sub(t, r_div(g, d)), lo, hi), t);
  const real change = r_select(is_counted, step, zero);
  w->unknown[n] = t.node;
  w->correction[n] = change.node;
  w->residual = r_add((real){w->residual}, r_select(is_counted, r_mul(g, g), zero)).node;

  p = edge_at_angle_symbolic(&arc, r_add(t, change));
  (void) edge_misfit_symbolic(&x->cut, &p);
  return p;
}


// the misfit has other signs at the two ends of a piece that is touched: from below to above where the distance is
// shortest, the other way where it is longest
static void add_edge_contacts(edgeBuild *x, int nplace)
{
  const real zero = r_const(0), one = r_const(1), minus = r_const(-1);
  const real end = r_const(x->f->line->nknot > 0 ? x->f->line->knot[1] : 0);
  real after = r_select(r_less(x->low, end), minus, misfit_at_start(x, 0));
  for (int place = 0; place < nplace; place++) {
    const real is_below = r_less(after, zero);
    const real ends = r_less(zero, x->number[place][PLACE_ENDS]);
    after = r_select(ends, one, misfit_at_start(x, place + 1));
    const real goes_below = r_less(after, zero);
    x->counts =
        r_select(is_below, r_select(goes_below, zero, one), r_select(goes_below, minus, zero));
    profilePoint p = place_start_of(x, place);
    p = place % 2 == 0 ? edge_on_line_symbolic(&x->cut, &p) : point_on_edge_arc(x, place);
    const discContact d = edge_contact_at_symbolic(x->f, &x->cut, x->axis, &p);
    gen_tyre_at_contact(x->law, x->wheel, &d, x->tyre);
    edge_add_symbolic(&x->sums, &d, r_mul(x->counts, (real){x->tyre->load}),
                      r_mul(x->counts, (real){x->tyre->spring}));
  }
}

//---- all of them ---------------------------------------------------------------------------------

static real touched_length_of(real touches, v3 a)
{
  return r_sqrt(r_select(touches, v3_dot(a, a), r_const(1)));
}


// a force of all contacts, or of level ground below a wheel that is sunk to its hub
static int joined_contact_force(real touches, real is_above, v3 sum, int level)
{
  const real zero = r_const(0);
  return r_select(r_less(zero, touches), touched_length_of(touches, sum),
                  r_select(is_above, zero, (real){level}))
      .node;
}


// a wheel in the air, or sunk to its hub, is measured against level ground at the height of the road below its centre
static discContact join_contacts(edgeBuild *x, real height)
{
  const edgeSums *sums = &x->sums;
  const real zero = r_const(0), one = r_const(1), above = r_sub(x->centre.z, height);
  const real is_above = r_less(zero, above);
  const v3 n = sums->load;
  const real touches = r_select(is_above, r_less(zero, v3_dot(n, n)), zero);
  const real over = r_div(one, touched_length_of(touches, n));
  const real radius = r_select(touches, r_div(sums->radius, r_select(touches, sums->weight, one)),
                               r_div(above, x->cut.q));
  const v3 normal = {r_select(touches, r_mul(over, n.x), zero),
                     r_select(touches, r_mul(over, n.y), zero),
                     r_select(touches, r_mul(over, n.z), one)};
  discContact d = contact_on_plane_symbolic(x->axis, normal);
  reach_plane_symbolic(&d, x->axis, radius);

  // the sine of camber is a number in a plane machine, and so is the cosine that follows from it
  complete_contact_symbolic(&d, x->axis);
  tyreNodes *tyre = x->tyre;
  gen_tyre_at_contact(x->law, x->wheel, &d, tyre);
  tyre->load = joined_contact_force(touches, is_above, n, tyre->load);
  tyre->spring = joined_contact_force(touches, is_above, sums->spring, tyre->spring);
  const real stiffness = {x->law->number.stiffness};
  if (stiffness.node > 0) tyre->dent = r_div((real){tyre->spring}, stiffness).node;
  return d;
}


discContact gen_edge_contact(const symTyre *law, const roadProfile *f, int nplace, real height,
                             const wheelNodes *wheel, genWheel *stage, tyreNodes *tyre)
{
  edgeBuild x = {.law = law,
                 .tyre = tyre,
                 .stage = stage,
                 .f = f,
                 .wheel = wheel,
                 .centre = wheel->centre,
                 .axis = wheel->axis};
  x.cut = cut_profile_symbolic(f, x.centre, x.axis);
  x.low = r_sub(x.cut.X, r_const(tyre_edge_reach(law->tyre)));
  ART_ASSERT(nplace >= 0 && nplace <= GEN_MOST_PLACES);
  const int corners = x.f->line->nknot / 2;
  for (int place = 0; place <= nplace; place++) {
    for (int kind = 0; kind < PLACE_N; kind++) {
      const int is_line = place % 2 == 0;
      x.number[place][kind] = kind == PLACE_R && is_line
                                  ? r_const(0)
                                  : choose_place_number(&x, place, (placeNumber) kind, 0, corners);
    }
  }
  add_edge_contacts(&x, nplace);
  return join_contacts(&x, height);
}
