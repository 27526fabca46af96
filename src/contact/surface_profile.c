// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "contact/surface_profile.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

// directions that differ by less than this, rad, are no corner
static const double SMOOTH = 1e-3;

// of the size: points that coincide
static const double SAME = 1e-9;


//---- the points of the definition ----------------------------------------------------------------

// Points in the order of the pieces, with the radius of the piece that begins there.
typedef struct profilePoint {
  double x, y, radius;
  int point;
} profilePoint;

typedef struct profileDraft {
  baseArena *arena;
  int n;
  profilePoint *at;
} profileDraft;


static double twice_area(const profileDraft *d)
{
  double sum = 0;
  for (int i = 0; i < d->n; i++) {
    const profilePoint *a = &d->at[i], *b = &d->at[(i + 1) % d->n];
    sum += a->x * b->y - b->x * a->y;
  }
  return sum;
}


// material to the left
static void turn_left(profileDraft *d)
{
  if (twice_area(d) >= 0) return;
  for (int i = 0, k = d->n - 1; i < k; i++, k--) {
    const profilePoint a = d->at[i];
    d->at[i] = d->at[k];
    d->at[k] = a;
  }
  const profilePoint first = d->at[0];
  for (int i = 0; i < d->n; i++) {
    const profilePoint *next = i + 1 < d->n ? &d->at[i + 1] : &first;
    d->at[i].radius = next->radius;
    d->at[i].point = next->point;
  }
}


// the points of the definition, as often as it repeats them, each time turned on
static void take_points(profileDraft *d, const artSurfaceDef *def)
{
  const int n = def->points.count / 3, copies = def->copies > 1 ? def->copies : 1;
  d->n = n * copies;
  d->at = arena_alloc(d->arena, (size_t) d->n, sizeof *d->at);
  for (int k = 0; k < copies; k++) {
    const double angle = 2 * acos(-1.0) * k / copies, c = cos(angle), s = sin(angle);
    for (int i = 0; i < n; i++) {
      const double *p = def->points.value + 3 * i;
      d->at[k * n + i] = (profilePoint){c * p[0] - s * p[1], s * p[0] + c * p[1], p[2], k * n + i};
    }
  }
  turn_left(d);
}


//---- smooth curves through points ----------------------------------------------------------------

// direction at b of the circle through three points
static void circle_direction(const profilePoint *a, const profilePoint *b, const profilePoint *c,
                             double t[2])
{
  const double u[2] = {b->x - a->x, b->y - a->y}, v[2] = {c->x - b->x, c->y - b->y};
  const double uu = u[0] * u[0] + u[1] * u[1], vv = v[0] * v[0] + v[1] * v[1];
  const double x = u[0] * vv + v[0] * uu, y = u[1] * vv + v[1] * uu, length = hypot(x, y);
  t[0] = length > 0 ? x / length : u[0] / sqrt(uu);
  t[1] = length > 0 ? y / length : u[1] / sqrt(uu);
}


// signed radius of the arc that leaves p along t and comes to (x, y): |c|^2/(2 c.n); 0: a line
static double arc_radius(const profilePoint *p, const double t[2], double x, double y)
{
  const double c[2] = {x - p->x, y - p->y}, square = c[0] * c[0] + c[1] * c[1];
  const double side = c[1] * t[0] - c[0] * t[1];
  return fabs(side) > 1e-9 * sqrt(square) ? square / (2 * side) : 0;
}


// Two arcs that meet smoothly, with the directions s and t at the ends: from p by d along s, and back from q by d along t, are the
// corners of their tangents, 2 d apart:  |q - p - d (s + t)|^2 = 4 d^2.
static profilePoint meeting_point(const profilePoint *p, const double s[2], const profilePoint *q,
                                  const double t[2])
{
  const double v[2] = {q->x - p->x, q->y - p->y}, sum[2] = {s[0] + t[0], s[1] + t[1]};
  const double vv = v[0] * v[0] + v[1] * v[1], vs = v[0] * sum[0] + v[1] * sum[1];
  const double a = 2 * (1 - s[0] * t[0] - s[1] * t[1]);
  const double root = sqrt(vs * vs + a * vv);
  const double d = vs >= 0 ? vv / (vs + root) : (root - vs) / a;
  return (profilePoint){.x = 0.5 * (p->x + q->x + d * (s[0] - t[0])),
                        .y = 0.5 * (p->y + q->y + d * (s[1] - t[1]))};
}


// each piece becomes two arcs
static void draw_arcs(profileDraft *d)
{
  const int n = d->n;
  profilePoint *at = arena_alloc(d->arena, 2 * (size_t) n, sizeof *at);
  double(*t)[2] = arena_alloc(d->arena, (size_t) n, sizeof *t);
  for (int i = 0; i < n; i++) {
    circle_direction(&d->at[(i + n - 1) % n], &d->at[i], &d->at[(i + 1) % n], t[i]);
  }
  for (int i = 0; i < n; i++) {
    const profilePoint *p = &d->at[i], *q = &d->at[(i + 1) % n];
    const double *end = t[(i + 1) % n], back[2] = {-end[0], -end[1]};
    profilePoint middle = meeting_point(p, t[i], q, end);
    at[2 * i] = *p;
    at[2 * i].radius = arc_radius(p, t[i], middle.x, middle.y);
    middle.radius = -arc_radius(q, back, middle.x, middle.y);
    middle.point = p->point;
    at[2 * i + 1] = middle;
  }
  d->at = at;
  d->n = 2 * n;
}


//---- pieces --------------------------------------------------------------------------------------

// The centre is to the left of an arc that bulges outward, at the distance h from the middle of its chord.
static void make_piece(profilePiece *piece, const profilePoint *a, const profilePoint *b)
{
  const double x = b->x - a->x, y = b->y - a->y, length = hypot(x, y);
  *piece = (profilePiece){.from = {a->x, a->y},
                          .to = {b->x, b->y},
                          .radius = a->radius,
                          .axis = {x / length, y / length},
                          .end = length,
                          .point = a->point};
  if (a->radius == 0) return;
  const double sign = a->radius > 0 ? 1 : -1, radius = fabs(a->radius);
  const double h = sqrt(fmax(0, radius * radius - 0.25 * length * length));
  const double out[2] = {sign * y / length, -sign * x / length};
  for (int k = 0; k < 2; k++) {
    piece->axis[k] = out[k];
    piece->centre[k] = 0.5 * (piece->from[k] + piece->to[k]) - h * out[k];
  }
  piece->begin = h / radius;
}


// outward normal at an end
static void end_normal(const profilePiece *piece, const double p[2], double n[2])
{
  n[0] = piece->radius == 0 ? piece->axis[1] : (p[0] - piece->centre[0]) / piece->radius;
  n[1] = piece->radius == 0 ? -piece->axis[0] : (p[1] - piece->centre[1]) / piece->radius;
}


// the angle from one normal to the next, positive at an outward corner
static double corner_turn(const profilePiece *before, const profilePiece *piece, double sum[2])
{
  double n[2], m[2];
  end_normal(before, before->to, n);
  end_normal(piece, piece->from, m);
  sum[0] = n[0] + m[0], sum[1] = n[1] + m[1];
  return atan2(n[0] * m[1] - n[1] * m[0], n[0] * m[0] + n[1] * m[1]);
}


static void make_corner(const profilePiece *before, profilePiece *piece)
{
  double sum[2];
  const double turn = corner_turn(before, piece, sum), length = hypot(sum[0], sum[1]);
  piece->is_concave = piece->is_chain = turn < -SMOOTH;
  for (int k = 0; k < 2; k++) piece->corner[k] = length > 0 ? sum[k] / length : -piece->axis[k];
}


static profilePiece *make_pieces(profileDraft *d, const artSurfaceDef *def)
{
  take_points(d, def);
  if (def->is_smooth) draw_arcs(d);
  profilePiece *piece = arena_alloc(d->arena, (size_t) d->n, sizeof *piece);
  for (int i = 0; i < d->n; i++) make_piece(&piece[i], &d->at[i], &d->at[(i + 1) % d->n]);
  for (int i = 0; i < d->n; i++) make_corner(&piece[(i + d->n - 1) % d->n], &piece[i]);
  return piece;
}


//---- crossings -----------------------------------------------------------------------------------

// is a point of the circle of an arc on the arc?
static int is_on_arc(const profilePiece *arc, const double p[2], double slack)
{
  const double x = p[0] - arc->centre[0], y = p[1] - arc->centre[1];
  return x * arc->axis[0] + y * arc->axis[1] >= fabs(arc->radius) * arc->begin - slack;
}


// Distances s at which the line p + s u meets a piece.
static int meet_line(const double p[2], const double u[2], const profilePiece *piece, double slack,
                     double s[2])
{
  int n = 0;
  if (piece->radius == 0) {
    const double x = piece->from[0] - p[0], y = piece->from[1] - p[1];
    const double cross = u[0] * piece->axis[1] - u[1] * piece->axis[0];
    if (fabs(cross) < 1e-12) return 0;
    const double along = (x * u[1] - y * u[0]) / cross;
    s[0] = (x * piece->axis[1] - y * piece->axis[0]) / cross;
    return along >= -slack && along <= piece->end + slack;
  }
  const double x = p[0] - piece->centre[0], y = p[1] - piece->centre[1];
  const double b = x * u[0] + y * u[1];
  const double square = b * b - (x * x + y * y) + piece->radius * piece->radius;
  if (square < 0) return 0;
  for (int k = -1; k <= 1; k += 2) {
    const double at = -b + k * sqrt(square);
    const double q[2] = {p[0] + at * u[0], p[1] + at * u[1]};
    if (is_on_arc(piece, q, slack)) s[n++] = at;
  }
  return n;
}


// Points that two pieces have in common.
static int meet_pieces(const profilePiece *a, const profilePiece *b, double slack, double at[2][2])
{
  if (a->radius != 0 && b->radius == 0) return meet_pieces(b, a, slack, at);
  double s[2];
  int n = 0;
  if (a->radius == 0) {
    const int count = meet_line(a->from, a->axis, b, slack, s);
    for (int i = 0; i < count; i++) {
      if (s[i] < -slack || s[i] > a->end + slack) continue;
      for (int k = 0; k < 2; k++) at[n][k] = a->from[k] + s[i] * a->axis[k];
      n++;
    }
    return n;
  }

  // two circles: on the line across that of their centres
  const double d[2] = {b->centre[0] - a->centre[0], b->centre[1] - a->centre[1]};
  const double length = hypot(d[0], d[1]), r = a->radius;
  if (length < slack) return 0;
  const double u[2] = {d[0] / length, d[1] / length};
  const double along = (length * length + r * r - b->radius * b->radius) / (2 * length);
  if (r * r < along * along) return 0;
  for (int k = -1; k <= 1; k += 2) {
    const double across = k * sqrt(r * r - along * along);
    const double q[2] = {a->centre[0] + along * u[0] - across * u[1],
                         a->centre[1] + along * u[1] + across * u[0]};
    if (!is_on_arc(a, q, slack) || !is_on_arc(b, q, slack)) continue;
    memcpy(at[n++], q, sizeof q);
  }
  return n;
}


// in a point other than the corner between neighbours
static int do_cross(const profilePiece *piece, int n, int i, int k, double slack)
{
  double at[2][2];
  const int count = meet_pieces(&piece[i], &piece[k], slack, at);
  for (int c = 0; c < count; c++) {
    int is_corner = 0;
    for (int side = 0; side < 2; side++) {
      const int first = side ? k : i, second = side ? i : k;
      if ((first + 1) % n != second) continue;
      const double *p = piece[first].to;
      is_corner |= hypot(at[c][0] - p[0], at[c][1] - p[1]) < 1e3 * slack;
    }
    if (!is_corner) return 1;
  }
  return 0;
}


static double size_of_pieces(const profilePiece *piece, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) {
    const double *c = piece[i].centre;
    most = fmax(most, piece[i].radius > 0 ? hypot(c[0], c[1]) + piece[i].radius : 0);
    most = fmax(most, hypot(piece[i].from[0], piece[i].from[1]));
  }
  return most;
}


static profileFault check_points(const profileDraft *d, int is_smooth, int point[2])
{
  double size = 0;
  for (int i = 0; i < d->n; i++) size = fmax(size, hypot(d->at[i].x, d->at[i].y));
  for (int i = 0; i < d->n; i++) {
    const profilePoint *a = &d->at[i], *b = &d->at[(i + 1) % d->n];
    const double length = hypot(b->x - a->x, b->y - a->y);
    point[0] = a->point + 1, point[1] = (a->point + 1) % d->n + 1;
    if (!(length > SAME * size)) return PROFILE_REPEATS;
    if (is_smooth || a->radius == 0) continue;
    if (length > 2 * fabs(a->radius) * (1 + 1e-9)) return PROFILE_RADIUS;
  }
  return PROFILE_SOUND;
}


static profileFault check_draft(profileDraft *d, const artSurfaceDef *def, int point[2])
{
  const int n = def->points.count / 3, copies = def->copies > 1 ? def->copies : 1;
  int arcs = 0;
  for (int i = 0; i < n; i++) arcs += def->points.value[3 * i + 2] != 0;
  if ((double) n * copies * (def->is_smooth ? 2 : 1) > MAX_PROFILE_PIECES) return PROFILE_MANY;
  if (n * copies < 2 || (n * copies < 3 && arcs == 0)) return PROFILE_FEW;
  take_points(d, def);
  const profileFault fault = check_points(d, def->is_smooth, point);
  if (fault != PROFILE_SOUND) return fault;
  const profilePiece *piece = make_pieces(d, def);
  const double size = size_of_pieces(piece, d->n);
  for (int i = 0; i < d->n; i++) {
    for (int k = i + 1; k < d->n; k++) {
      if (!do_cross(piece, d->n, i, k, 1e-12 * size)) continue;
      point[0] = piece[i].point + 1, point[1] = piece[k].point + 1;
      return PROFILE_CROSSES;
    }
  }
  double area = 0.5 * twice_area(d);
  for (int i = 0; i < d->n; i++) {
    const double angle = acos(fmin(1, piece[i].begin)), r = piece[i].radius;
    if (r != 0) area += 0.5 * r * fabs(r) * (2 * angle - sin(2 * angle));
  }
  return area > SAME * size * size ? PROFILE_SOUND : PROFILE_FLAT;
}


profileFault profile_check(const artSurfaceDef *def, int point[2])
{
  baseArena own = {.leaves = 1};
  profileDraft draft = {.arena = &own};
  point[0] = point[1] = 1;
  const profileFault fault = check_draft(&draft, def, point);
  arena_free(&own);
  return fault;
}


//---- chains --------------------------------------------------------------------------------------

// Half the way through the material, the least of some rays inward.
static double half_way_through(const profilePiece *piece, int n, int i, double size)
{
  enum { RAYS = 5 };
  const profilePiece *own = &piece[i];
  double least = 2 * size;
  for (int ray = 1; ray <= RAYS; ray++) {
    const double f = ray / (RAYS + 1.0);
    double p[2], out[2];
    for (int k = 0; k < 2; k++) p[k] = (1 - f) * own->from[k] + f * own->to[k];
    if (own->radius != 0) {
      const double x = p[0] - own->centre[0], y = p[1] - own->centre[1], r = fabs(own->radius);
      const double length = hypot(x, y), scale = length > SAME * r ? r / length : 0;
      p[0] = own->centre[0] + (scale > 0 ? scale * x : r * own->axis[0]);
      p[1] = own->centre[1] + (scale > 0 ? scale * y : r * own->axis[1]);
    }
    end_normal(own, p, out);
    const double in[2] = {-out[0], -out[1]};
    for (int k = 0; k < n; k++) {
      double s[2];
      const int count = meet_line(p, in, &piece[k], 0, s);
      for (int c = 0; c < count; c++) {
        if (s[c] > 1e-6 * size) least = fmin(least, s[c]);
      }
    }
  }
  return 0.5 * least;
}


// beyond a corner: neighbours of length `room`; elsewhere by rounding, so that ends leave no gap
static double extension(const profilePiece *own, const profilePiece *corner, double room)
{
  if (!corner->is_chain) return 0;
  return corner->is_concave ? fmin(own->limit, 0.25 * room) : SAME * own->end;
}


// A chain goes on a little beyond its concave corners, into the material, for what comes into them.
static void extend_pieces(profilePiece *piece, int n)
{
  for (int i = 0; i < n; i++) {
    profilePiece *own = &piece[i];
    const profilePiece *before = &piece[(i + n - 1) % n], *next = &piece[(i + 1) % n];
    const double back = extension(own, own, before->end), on = extension(own, next, next->end);
    if (own->radius == 0) {
      own->begin = -back;
      own->end += on;
      continue;
    }
    if (back + on == 0) continue;
    const double half = acos(fmin(1, own->begin)), turn = own->radius > 0 ? 1 : -1;
    const double r = fabs(own->radius), wide = fmin(half + 0.5 * (back + on) / r, 3);
    const double angle = turn * 0.5 * (on - back) / r, c = cos(angle), s = sin(angle);
    const double x = own->axis[0], y = own->axis[1];
    own->axis[0] = c * x - s * y;
    own->axis[1] = s * x + c * y;
    own->begin = cos(wide);
  }
}


// concave arcs that nothing of this radius rolls through become two
static void split_arcs(profileDraft *d, const profilePiece *piece, double reach)
{
  int n = 0;
  profilePoint *at = arena_alloc(d->arena, 2 * (size_t) d->n, sizeof *at);
  for (int i = 0; i < d->n; i++) {
    const profilePiece *own = &piece[i];
    at[n++] = d->at[i];
    if (!(own->radius < 0) || -own->radius > reach * (1 + SAME)) continue;
    at[n] = d->at[i];
    at[n].x = own->centre[0] - own->radius * own->axis[0];
    at[n].y = own->centre[1] - own->radius * own->axis[1];
    at[n++].point = -1 - d->at[i].point;
  }
  d->at = at;
  d->n = n;
}


// Both sides of a single mark are of one chain, which ends where the profile is sharpest.
static void end_single_chain(profilePiece *piece, int n)
{
  int marks = 0, mark = 0, sharpest = -1;
  double most = SMOOTH, sum[2];
  for (int i = 0; i < n; i++) {
    marks += piece[i].is_chain;
    if (piece[i].is_chain) mark = i;
    const double turn = corner_turn(&piece[(i + n - 1) % n], &piece[i], sum);
    if (turn > most) most = turn, sharpest = i;
  }
  if (marks == 1) piece[sharpest >= 0 ? sharpest : (mark + n / 2) % n].is_chain = 1;
}


// chains begin where pieces are marked; the first piece begins one
static void take_chains(contactProfile *p, baseArena *arena, const profilePiece *piece, int n)
{
  int start = 0;
  for (int i = n - 1; i >= 0; i--) {
    if (piece[i].is_chain) start = i;
  }
  profilePiece *own = arena_alloc(arena, (size_t) n, sizeof *own);
  int *first = arena_alloc(arena, (size_t) n + 1, sizeof *first);
  for (int i = 0; i < n; i++) {
    own[i] = piece[(start + i) % n];
    if (i == 0 || own[i].is_chain) first[p->nchain++] = i;
  }
  first[p->nchain] = n;
  p->count = n;
  p->piece = own;
  p->first = first;
}


const contactProfile *profile_make(baseArena *arena, const artSurfaceDef *def, double reach)
{
  ART_ASSERT(def->type == ART_SURFACE_PROFILE && def->points.count > 0);
  baseArena own = {.leaves = 1};
  profileDraft draft = {.arena = &own};
  split_arcs(&draft, make_pieces(&draft, def), reach);
  const int n = draft.n;
  profilePiece *piece = arena_alloc(&own, (size_t) n, sizeof *piece);
  for (int i = 0; i < n; i++) make_piece(&piece[i], &draft.at[i], &draft.at[(i + 1) % n]);
  for (int i = 0; i < n; i++) {
    make_corner(&piece[(i + n - 1) % n], &piece[i]);
    if (piece[i].point < 0) piece[i].is_chain = 1;
  }
  end_single_chain(piece, n);
  contactProfile *profile = arena_alloc(arena, 1, sizeof *profile);
  *profile = (contactProfile){.size = size_of_pieces(piece, n)};
  profile->thickness = profile->size;
  for (int i = 0; i < n; i++) {
    piece[i].limit = half_way_through(piece, n, i, profile->size);
    profile->thickness = fmin(profile->thickness, piece[i].limit);
  }
  extend_pieces(piece, n);
  take_chains(profile, arena, piece, n);
  arena_free(&own);
  return profile;
}


double profile_reach(const contactProfile *profile)
{
  double most = 0;
  for (int i = 0; i < profile->count; i++) {
    if (profile->piece[i].radius == 0) return INFINITY;
    most = fmax(most, profile->piece[i].radius);
  }
  return most;
}
