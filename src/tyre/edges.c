// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel on a road of lines and arcs that are more curved than the wheel.
//
// Along the profile in the wheel plane the distance r from the wheel centre has several shortest places, where
// the disc dents most, and between two of them a longest one. With U(r) the energy of a tyre that is pressed
// at one place, that of the wheel is
//   U = sum over shortest places U(r) - sum over longest places U(r)
// Dents that the disc does not join count in full, for the longest place between them lies outside of the disc. Where
// two dents become one, a shortest and a longest place meet and cancel, so that U and its gradient, the force, are
// continuous. With one place it is the law of smooth roads. Loads with their dampers are added in the same way.
#include "tyre/edges.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/three.h"
#include "road/heights.h"
#include "tyre/evaluate.h"

enum { TURNS_MOST = 100 };

// the wheel plane, P + a e1 + b e3 with e1 level, in the axes of the profile:
//   x = X + k a + m b,   z = Z + q b
typedef struct wheelCut {
  double X, Z, k, m, q;
  double e1[3], e3[3];
} wheelCut;

// a point of the profile, with the direction (c, s) there, and in the wheel plane
typedef struct profilePoint {
  double x, z, c, s;
  double a, b;
} profilePoint;

// what all contacts do together
typedef struct edgeSums {
  double load[3], spring[3]; // forces, with and without dampers
  double weight, radius;     // sum of elastic loads; of these times radii
} edgeSums;


int tyre_meets_edges(const artTyre *tyre, const artRoad *road, roadProfile *profile)
{
  return road_find_profile(road, profile) &&
         profile->line->sharpest < art_tyre_free_radius(tyre, 0);
}


// 0 when the wheel lies flat
static int cut_road(const roadProfile *f, const artWheel *w, wheelCut *cut)
{
  // e1 = a x z / |a x z|, turned to point along the profile; e3 = e1 x a before that
  const double *a = w->axis, q = hypot(a[0], a[1]);
  if (!(q > 1e-6)) return 0;
  const double e1[3] = {a[1] / q, -a[0] / q, 0}, e3[3] = {-a[0] * a[2] / q, -a[1] * a[2] / q, q};
  const double k = f->c * e1[0] + f->s * e1[1], turn = k < 0 ? -1 : 1;
  const double dx = w->centre[0] - f->x, dy = w->centre[1] - f->y;
  *cut = (wheelCut){.X = f->c * dx + f->s * dy,
                    .Z = w->centre[2] - f->z,
                    // beside a wheel that rolls along a step the profile is nearly endless
                    .k = fmax(fabs(k), 1e-6),
                    .m = f->c * e3[0] + f->s * e3[1],
                    .q = q,
                    .e1 = {turn * e1[0], turn * e1[1], 0}};
  memcpy(cut->e3, e3, sizeof e3);
  return 1;
}


// k q times the derivative of (a^2 + b^2)/2 along the profile:
//   g = a (q c - m s) + k b s
static double misfit(const wheelCut *cut, profilePoint *p)
{
  p->b = (p->z - cut->Z) / cut->q;
  p->a = (p->x - cut->X - cut->m * p->b) / cut->k;
  return p->a * (cut->q * p->c - cut->m * p->s) + cut->k * p->b * p->s;
}


// dg along the profile where its direction stays: ((q c - m s)^2 + (k s)^2) / (k q)
static double straight_slope(const wheelCut *cut, const profilePoint *p)
{
  const double u = cut->q * p->c - cut->m * p->s, v = cut->k * p->s;
  return (u * u + v * v) / (cut->k * cut->q);
}


static profilePoint start_of(const polyPiece *piece)
{
  return (profilePoint){.x = piece->x, .z = piece->z, .c = piece->c, .s = piece->s};
}


// on a line g is linear
static profilePoint on_line(const wheelCut *cut, const polyPiece *piece)
{
  profilePoint p = start_of(piece);
  const double t = -misfit(cut, &p) / straight_slope(cut, &p);
  p.x += t * p.c;
  p.z += t * p.s;
  (void) misfit(cut, &p);
  return p;
}


// of an arc around (x, z), where the profile has the angle t
static profilePoint at_angle(const polyPiece *piece, const double centre[2], double t)
{
  const double c = cos(t), s = sin(t), R = piece->bend * piece->radius;
  return (profilePoint){.x = centre[0] + R * s, .z = centre[1] - R * c, .c = c, .s = s};
}


// dg/dt = R dg/ds - a (q s + m c) + k b c, where the direction turns by dt
static double turning_slope(const wheelCut *cut, const polyPiece *piece, const profilePoint *p)
{
  return piece->bend * piece->radius * straight_slope(cut, p) -
         p->a * (cut->q * p->s + cut->m * p->c) + cut->k * p->b * p->c;
}


// the angle at which g vanishes with a and b of the arc's centre: all of it when the cut is upright
static double first_angle(const wheelCut *cut, const double centre[2])
{
  profilePoint p = {.x = centre[0], .z = centre[1]};
  (void) misfit(cut, &p);
  const double s = p.a * cut->q, c = p.a * cut->m - cut->k * p.b;
  return c < 0 ? atan2(-s, -c) : atan2(s, c);
}


// Newton's method between angles of which g has both signs; where it leaves them, they are halved
static profilePoint on_arc(const wheelCut *cut, const polylineRoad *line, int i, double rises)
{
  const polyPiece *piece = &line->piece[i];
  double centre[2], low = profile_angle(line, i, 0), high = profile_angle(line, i, 1);
  profile_centre(piece, centre);
  double t = first_angle(cut, centre);
  profilePoint p;
  for (int turn = 0; turn < TURNS_MOST; turn++) {
    if (!(t > fmin(low, high) && t < fmax(low, high))) t = 0.5 * (low + high);
    p = at_angle(piece, centre, t);
    const double g = misfit(cut, &p), step = g / turning_slope(cut, piece, &p);
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


// n = (-s, c) in the profile, T3 from the point to the centre
static artContact contact_at(const roadProfile *f, const wheelCut *cut, const artWheel *w,
                             const profilePoint *p)
{
  artContact c = {.radius = hypot(p->a, p->b), .normal = {-p->s * f->c, -p->s * f->s, p->c}};
  double T3[3];
  for (int i = 0; i < 3; i++) {
    const double arm = p->a * cut->e1[i] + p->b * cut->e3[i];
    c.point[i] = w->centre[i] + arm;
    T3[i] = -arm / c.radius;
  }
  three_cross(w->axis, T3, c.forward);
  tyre_complete_contact(w, &c);
  return c;
}


static void add_contact(const artTyre *tyre, const artContact *c, double sign, edgeSums *sums)
{
  const artTyreDeflection d = tyre_deflection(tyre, c);
  const tyreDent dent = tyre_dent_of(tyre, &d);
  const double spring = sign * tyre_elastic_load(tyre, &dent);
  const double load = sign * tyre_damped_load(tyre, fabs(spring), d.rate);
  for (int i = 0; i < 3; i++) {
    sums->load[i] += load * c->normal[i];
    sums->spring[i] += spring * c->normal[i];
  }
  sums->weight += spring;
  sums->radius += spring * c->radius;
}


// all places of the profile near the wheel, piece by piece: g has other signs at the two ends of a piece
static void add_contacts(const artTyre *tyre, const roadProfile *f, const wheelCut *cut,
                         const artWheel *w, edgeSums *sums)
{
  const polylineRoad *line = f->line;
  const double reach = tyre_edge_reach(tyre);
  const int first = road_interval(line->nknot, line->knot, cut->X - reach);
  const int last = road_interval(line->nknot, line->knot, cut->X + reach);
  double before = -1;
  for (int i = first; i <= last; i++) {
    profilePoint start = start_of(&line->piece[i]), end = {0};
    if (i > 0 && i == first) before = misfit(cut, &start);
    if (i < line->nknot) end = start_of(&line->piece[i + 1]);
    const double after = i < line->nknot ? misfit(cut, &end) : 1;
    if ((before < 0) != (after < 0)) {
      const double sign = before < 0 ? 1 : -1;
      const profilePoint p =
          line->piece[i].bend == 0 ? on_line(cut, &line->piece[i]) : on_arc(cut, line, i, sign);
      const artContact c = contact_at(f, cut, w, &p);
      add_contact(tyre, &c, sign, sums);
    }
    before = after;
  }
}


// a wheel in the air, or sunk to its hub, is measured against level ground at the height of the road below its centre;
// `presses` tells whether it is pressed by that ground
static artStatus press_level(const artTyre *tyre, const artWheel *wheel, double height, int presses,
                             tyrePress *press)
{
  artWheel w = *wheel;
  w.centre[2] -= height;
  const artStatus status = art_find_contact(NULL, &w, &press->contact);
  press->contact.point[2] += height;
  const artTyreDeflection d = tyre_deflection(tyre, &press->contact);
  press->depth = d.depth;
  const tyreDent dent = tyre_dent_of(tyre, &d);
  press->elastic = presses ? tyre_elastic_load(tyre, &dent) : 0;
  press->load = presses ? tyre_damped_load(tyre, press->elastic, d.rate) : 0;
  return status;
}


// forward = a x n / |a x n|, and the point below the centre across it
static void join_contacts(const artTyre *tyre, const artWheel *w, const edgeSums *sums,
                          tyrePress *press)
{
  artContact *c = &press->contact;
  double T3[3];
  press->load = sqrt(three_dot(sums->load, sums->load));
  press->elastic = sqrt(three_dot(sums->spring, sums->spring));
  c->radius = sums->radius / sums->weight;
  for (int i = 0; i < 3; i++) c->normal[i] = sums->load[i] / press->load;
  three_cross(w->axis, c->normal, c->forward);
  const double length = sqrt(three_dot(c->forward, c->forward));
  for (int i = 0; i < 3; i++) c->forward[i] /= length;
  three_cross(c->forward, w->axis, T3);
  for (int i = 0; i < 3; i++) c->point[i] = w->centre[i] - c->radius * T3[i];
  tyre_complete_contact(w, c);
  press->depth = tyre_deflection(tyre, c).depth;
}


artStatus tyre_press_edges(const artTyre *tyre, const roadProfile *f, const artWheel *w,
                           tyrePress *press)
{
  wheelCut cut;
  edgeSums sums = {0};
  if (!isfinite(w->centre[0] + w->centre[1] + w->centre[2])) return ART_NO_CONVERGENCE;
  if (!cut_road(f, w, &cut)) return ART_NO_CONVERGENCE;
  const double height = polyline_height(&f->line->road, cut.X, 0).z;
  const int is_sunk = !(cut.Z > height);
  if (!is_sunk) add_contacts(tyre, f, &cut, w, &sums);
  if (!(three_dot(sums.load, sums.load) > 0)) {
    return press_level(tyre, w, f->z + height, is_sunk, press);
  }
  join_contacts(tyre, w, &sums, press);
  return isfinite(press->load) ? ART_OK : ART_NO_CONVERGENCE;
}
