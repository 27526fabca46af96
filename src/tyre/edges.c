// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel on a road of lines and arcs that are more curved than the wheel.
//
// Along the profile in the wheel plane the distance r from the wheel centre has several minima,
// where the disc is pressed in deepest, and a maximum between any two of them. With U(r) the
// elastic energy of a tyre pressed at one point, the energy of the wheel is
//   U = sum over minima U(r) - sum over maxima U(r)
// Separate points of contact count in full, because the maximum between them is outside the disc.
// As two of them merge, a minimum and a maximum meet and cancel, so U and its gradient, the force,
// are continuous. With one point it is the law of smooth roads. Damped loads are summed in the same
// way.
#include "tyre/edges.h"

#include <math.h>

#include "road/heights.h"
#include "tyre/edge_places.h"
#include "tyre/wheel_contact.h"

enum { MAX_TURNS = 100 };

int tyre_meets_edges(const artTyre *tyre, const artRoad *road, roadProfile *profile)
{
  return road_find_profile(road, profile) &&
         profile->line->sharpest < art_tyre_free_radius(tyre, 0);
}


static profilePoint piece_start(const polyPiece *piece)
{
  return (profilePoint){.x = piece->x, .z = piece->z, .c = piece->c, .s = piece->s};
}


// Newton's method with bisection as safeguard, in a bracket where g changes sign
static profilePoint contact_on_arc(const wheelCut *cut, const polylineRoad *line, int i,
                                   double rises)
{
  ART_ASSERT(i >= 0 && i <= line->nknot && line->piece[i].bend != 0);
  double low = profile_angle(line, i, 0), high = profile_angle(line, i, 1);
  const polyPiece *piece = &line->piece[i];
  const profilePoint start = piece_start(piece);
  const profileArc arc = edge_arc(piece->bend * piece->radius, &start);
  double t = edge_first_angle(cut, &arc);
  profilePoint p;
  for (int turn = 0; turn < MAX_TURNS; turn++) {
    if (!(t > fmin(low, high) && t < fmax(low, high))) t = 0.5 * (low + high);
    p = edge_at_angle(&arc, t);
    const double g = edge_misfit(cut, &p), step = g / edge_turning_slope(cut, &arc, &p);
    if (rises * g < 0) {
      low = t;
    } else {
      high = t;
    }
    if (g == 0 || fabs(step) < 1e-15 || fabs(high - low) < 1e-15) break;
    t -= step;
  }
  return p;
}


// all stationary points of r near the wheel; a piece has one if g changes sign between its ends
static void add_profile_contacts(const artTyre *tyre, const roadProfile *f, const wheelCut *cut,
                                 const artWheel *w, edgeSums *sums)
{
  const polylineRoad *line = f->line;
  const double reach = tyre_edge_reach(tyre);
  const int first = road_interval(line->nknot, line->knot, cut->X - reach);
  const int last = road_interval(line->nknot, line->knot, cut->X + reach);
  double before = -1;
  for (int i = first; i <= last; i++) {
    profilePoint start = piece_start(&line->piece[i]), end = {0};
    if (i > 0 && i == first) before = edge_misfit(cut, &start);
    if (i < line->nknot) end = piece_start(&line->piece[i + 1]);
    const double after = i < line->nknot ? edge_misfit(cut, &end) : 1;
    if ((before < 0) != (after < 0)) {
      const double sign = before < 0 ? 1 : -1;
      const profilePoint p =
          line->piece[i].bend == 0 ? edge_on_line(cut, &start) : contact_on_arc(cut, line, i, sign);
      const discContact e = edge_contact_at(f, cut, vector_of(w->axis), &p);
      const artContact c = tyre_contact_of(w, &e);
      tyrePress press;
      tyre_press_at(tyre, &c, &press);
      edge_add(sums, &e, sign * press.load, sign * press.elastic);
    }
    before = after;
  }
}


artStatus tyre_press_edges(const artTyre *tyre, const roadProfile *f, const artWheel *w,
                           tyrePress *press)
{
  edgeSums sums = {0};
  if (!isfinite(w->centre[0] + w->centre[1] + w->centre[2])) return ART_NO_CONVERGENCE;
  const wheelCut cut = cut_profile(f, vector_of(w->centre), vector_of(w->axis));
  if (!(cut.q > 1e-6)) return ART_NO_CONVERGENCE;
  const double height = polyline_height(&f->line->road, cut.X, 0).z;
  const int is_sunk = !(cut.Z > height);
  if (!is_sunk) add_profile_contacts(tyre, f, &cut, w, &sums);
  if (!(v3_dot(sums.load, sums.load) > 0)) {
    // A wheel in the air, or sunk to its hub, has no contact on the profile: use level ground at
    // the height of the road below its centre; only the sunk wheel gets a load.
    artWheel level = *w;
    artContact c = {0};
    level.centre[2] -= f->z + height;
    const artStatus status = art_find_contact(NULL, &level, &c);
    c.point[2] += f->z + height;
    tyre_press_at(tyre, &c, press);
    if (!is_sunk) press->elastic = press->load = 0;
    return status;
  }

  // the resultant of all contacts
  const v3 axis = vector_of(w->axis);
  const double load = sqrt(v3_dot(sums.load, sums.load));
  discContact d = contact_on_plane(axis, v3_scale(1 / load, sums.load));
  reach_plane(&d, axis, sums.radius / sums.weight);
  press->contact = tyre_contact_of(w, &d);
  press->depth = tyre_deflection(tyre, &press->contact).depth;
  press->elastic = sqrt(v3_dot(sums.spring, sums.spring));
  press->load = load;
  return isfinite(load) ? ART_OK : ART_NO_CONVERGENCE;
}
