// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units, gravity, parts and markers of ADAMS decks. Numbers are converted to SI; a marker becomes a
// frame of its body.
#include <math.h>
#include <string.h>

#include "base/adams_units.h"
#include "import/adams.h"


//---- units ---------------------------------------------------------------------------------------

static double read_adams_unit(admReader *r, admStatement *s, const char *key,
                              adamsQuantity quantity)
{
  admField *field = adm_field(s, key, 1);
  if (!field) return 1;
  baseNearest nearest = {.word = field->value};
  char hint[BASE_HINT_LENGTH];
  const double size = adams_unit(quantity, field->value, &nearest);
  if (size > 0) return size;
  import_fail(r->w, field->place, "'%.40s' is not a unit of %s that is known here%s", field->value,
              key, base_hint(&nearest, hint));
}


// units of length, mass and force by one keyword
static bool read_unit_system(admReader *r, admStatement *s)
{
  static const struct {
    const char *name;
    double length, mass, force;
  } systems[] = {{"MKS", 1, 1, 1},
                 {"MMKS", 1e-3, 1, 1},
                 {"CGS", 1e-2, 1e-3, 1e-5},
                 {"IPS", 0.0254, 0.45359237, 0.45359237 * 9.80665}};
  admField *field = adm_field(s, "SYSTEM", 3);
  if (!field) return false;
  const int i = NAMED_FIND(systems, field->value);
  if (i < 0)
    import_fail(r->w, field->place, "'%.40s' is not a system of units that is known here",
                field->value);
  r->length = systems[i].length;
  r->mass = systems[i].mass;
  r->force = systems[i].force;
  return true;
}


static void read_adams_units(admReader *r)
{
  r->length = r->mass = r->force = r->time = 1;
  bool has_units = false;
  for (int i = 0; i < r->nstatement; i++) {
    admStatement *s = &r->statement[i];
    if (strcmp(s->verb, "UNITS") != 0) continue;
    has_units = true;
    if (adm_has(s, "UCF", 3)) {
      import_fail(r->w, s->place, "UCF does not say the units: give FORCE, MASS, LENGTH and TIME");
    }
    if (read_unit_system(r, s)) continue;
    r->length = read_adams_unit(r, s, "LENGTH", ADAMS_LENGTH);
    r->mass = read_adams_unit(r, s, "MASS", ADAMS_MASS);
    r->force = read_adams_unit(r, s, "FORCE", ADAMS_FORCE);
    r->time = read_adams_unit(r, s, "TIME", ADAMS_TIME);
  }
  if (!has_units) {
    import_note(r->w, (artPlace){.file = r->w->path}, "the deck has no UNITS: SI is taken");
  }
}


// Convert a number to SI. Units such as the millimetre are applied by division, which keeps decimal
// numbers exact.
double adm_si(double x, double unit)
{
  const double parts = round(1 / unit);
  return fabs(parts * unit - 1) < 1e-14 ? x / parts : x * unit;
}


//---- positions -----------------------------------------------------------------------------------

// three numbers of a field in SI
static bool read_point(admReader *r, admStatement *s, const char *key, v3 *point)
{
  admField *field = adm_field(s, key, 2);
  double x[3] = {0};
  if (!field) return false;
  if (adm_numbers(r, field, 3, x) != 3) {
    import_fail(r->w, field->place, "'%s' needs three numbers", key);
  }
  *point = (v3){adm_si(x[0], r->length), adm_si(x[1], r->length), adm_si(x[2], r->length)};
  return true;
}


// remove rounding of cosines of multiples of a quarter turn
static double neat_cosine(double x)
{
  return fabs(x) < 1e-15 ? 0 : fabs(fabs(x) - 1) < 1e-15 ? copysign(1, x) : x;
}


// rotations about z, the new x and the newest z; rows are the axes of the frame
static m3 by_euler(const double a[3])
{
  const double c = cos(a[0]), s = sin(a[0]), ct = cos(a[1]), st = sin(a[1]), cp = cos(a[2]),
               sp = sin(a[2]);
  return (m3){
      {neat_cosine(c * cp - s * ct * sp), neat_cosine(s * cp + c * ct * sp), neat_cosine(st * sp)},
      {neat_cosine(-c * sp - s * ct * cp), neat_cosine(-s * sp + c * ct * cp),
       neat_cosine(st * cp)},
      {neat_cosine(s * st), neat_cosine(-c * st), neat_cosine(ct)}};
}


static bool is_small(v3 a, v3 of)
{
  return v3_dot(a, a) <= 1e-24 * (1e-300 + v3_dot(of, of));
}


static v3 unit_of_axis(admReader *r, artPlace place, v3 a, v3 of)
{
  if (is_small(a, of)) {
    import_fail(r->w, place, "points of the axes of a frame coincide, or lie on a line");
  }
  return v3_scale(1 / sqrt(v3_dot(a, a)), a);
}


// Axes from a point on z and one in the half plane of x and z; with USEXP from one on x and one in
// the plane.
static m3 by_points(admReader *r, admStatement *s, v3 at, const v3 *z, const v3 *x)
{
  const artPlace place = s->place;
  const v3 to_z = z ? v3_sub(*z, at) : (v3){0, 0, 1}, to_x = x ? v3_sub(*x, at) : (v3){1, 0, 0};
  if (adm_has(s, "USEXP", 5) && x) {
    const v3 ex = unit_of_axis(r, place, to_x, to_x),
             ey = unit_of_axis(r, place, v3_cross(to_z, ex), to_z);
    return (m3){ex, ey, v3_cross(ex, ey)};
  }
  const v3 ez = unit_of_axis(r, place, to_z, to_z);
  v3 ey = v3_cross(ez, to_x);
  if (!x && is_small(ey, to_x)) ey = v3_cross(ez, (v3){0, 1, 0});
  ey = unit_of_axis(r, place, ey, to_x);
  return (m3){v3_cross(ey, ez), ey, ez};
}


static const char *angle_text(importWork *w, double x)
{
  const double degrees = x * 180 / PI, whole = round(degrees * 1e9) / 1e9;
  if (whole == 0) return "0";
  if (fabs(whole - degrees) < 1e-12 * fabs(degrees)) {
    return import_format(w, "%s deg", import_number(w, whole));
  }
  return import_number(w, x);
}


// position and axes of a part or marker
static importPose read_adams_pose(admReader *r, admStatement *s, const char *at, const char *on_z,
                                  const char *on_x)
{
  importWork *w = r->w;
  importPose pose = import_identity();
  admField *euler = adm_field(s, "REULER", 2);
  v3 z, x;
  read_point(r, s, at, &pose.in.r);
  const bool has_z = read_point(r, s, on_z, &z), has_x = read_point(r, s, on_x, &x);
  if (euler) {
    double a[3] = {0};
    adm_numbers(r, euler, 3, a);
    pose.in.R = by_euler(a);
    pose.has_angles = a[0] == 0 && a[1] == 0 && a[2] == 0;
    pose.axes = import_format(w, "{euler: [%s, %s, %s], sequence: zxz}", angle_text(w, a[0]),
                              angle_text(w, a[1]), angle_text(w, a[2]));
  } else if (has_z || has_x) {
    pose.in.R = by_points(r, s, pose.in.r, has_z ? &z : NULL, has_x ? &x : NULL);
    pose.has_angles = false;
  }
  return pose;
}


modelPose adm_place(const admMarker *m)
{
  return pose_compose(m->part->pose, m->pose);
}


modelPose adm_relative(const admMarker *i, const admMarker *j)
{
  return pose_compose(pose_inverse(adm_place(j)), adm_place(i));
}


//---- parts ---------------------------------------------------------------------------------------

static void add_adams_part(admReader *r, admStatement *s)
{
  r->part_of[s - r->statement] = r->npart;
  admPart *part = &r->part[r->npart++];
  *part = (admPart){.s = s, .body = -1};
  part->pose = read_adams_pose(r, s, "QG", "ZG", "XG").in;
  if (adm_has(s, "GROUND", 2)) {
    for (int i = 0; i + 1 < r->npart; i++) {
      if (r->part[i].body < 0) import_fail(r->w, s->place, "PART/%ld is a second ground", s->id);
    }
    part->pose = pose_identity();
    return;
  }
  import_add_body(r->w, s->name, s->place);
  part->body = r->w->machine.nbody - 1;
}


static admPart *find_adams_part(admReader *r, admStatement *s)
{
  admField *field = adm_field(s, "PART", 1);
  if (!field) return NULL;
  const long id = adm_id(r, field);
  const int found = adm_find(r, "PART", id);
  if (found >= 0) return &r->part[r->part_of[found]];
  import_fail(r->w, field->place, "%s/%ld is in PART/%ld, which is not defined", s->verb, s->id,
              id);
}


// a name that is unique among frames of the body
static const char *frame_name(admReader *r, const admStatement *s, int body)
{
  const char *name = import_spell(r->w, s->name);
  const bool is_taken = table_find(&r->frames, import_frame_text(r->w, body, name)) >= 0;
  return is_taken ? import_format(r->w, "%s_%ld", name, s->id) : name;
}


static void add_marker(admReader *r, admStatement *s)
{
  importWork *w = r->w;
  if (adm_has(s, "FLEX_BODY", 4) || adm_has(s, "POINT_MASS", 5)) {
    import_fail(w, s->place, "MARKER/%ld is not in a rigid PART", s->id);
  }
  r->marker_of[s - r->statement] = r->nmarker;
  admMarker *marker = &r->marker[r->nmarker++];
  *marker =
      (admMarker){.s = s, .part = find_adams_part(r, s), .is_floating = adm_has(s, "FLOATING", 2)};
  if (!marker->part) import_fail(w, s->place, "MARKER/%ld names no PART", s->id);
  const importPose pose = read_adams_pose(r, s, "QP", "ZP", "XP");
  marker->pose = pose.in;
  const int body = marker->part->body;
  importFrame **list = body < 0 ? &w->machine.ground_frame : &w->machine.body[body].frame;
  const char *name = frame_name(r, s, body);
  marker->frame = import_frame_text(w, body, name);
  if (marker->is_floating) return;
  import_add_frame(w, list, name, pose);
  import_enter(w, &r->frames, marker->frame, 0);
}


admMarker *adm_marker_by_id(admReader *r, long id, artPlace place)
{
  const int found = adm_find(r, "MARKER", id);
  if (found < 0) import_fail(r->w, place, "there is no MARKER/%ld", id);
  return &r->marker[r->marker_of[found]];
}


admMarker *adm_marker(admReader *r, admStatement *s, const char *key, int least)
{
  admField *field = adm_field(s, key, least);
  const long id = field ? adm_id(r, field) : 0;
  return id > 0 ? adm_marker_by_id(r, id, field->place) : NULL;
}


admMarker *adm_need_marker(admReader *r, admStatement *s, const char *key)
{
  admMarker *marker = adm_marker(r, s, key, (int) strlen(key));
  if (marker) return marker;
  import_fail(r->w, s->place, "%s/%ld names no marker %s", s->verb, s->id, key);
}


void adm_need_pair(admReader *r, admStatement *s, admMarker **i, admMarker **j)
{
  *i = adm_need_marker(r, s, "I");
  *j = adm_need_marker(r, s, "J");
  if ((*i)->part == (*j)->part)
    import_fail(r->w, s->place, "both markers of %s/%ld are in one part", s->verb, s->id);
}


static admMarker *own_marker(admReader *r, admPart *part, const char *key)
{
  admMarker *marker = adm_marker(r, part->s, key, 2);
  if (marker && marker->part != part) {
    import_fail(r->w, part->s->place, "marker %s of PART/%ld lies in another part", key,
                part->s->id);
  }
  return marker;
}


// Inertia about the marker IM in its axes, with products as positive integrals; converted to the
// centre of mass.
static void read_mass(admReader *r, admPart *part)
{
  importBody *body = &r->w->machine.body[part->body];
  admStatement *s = part->s;
  const admMarker *cm = own_marker(r, part, "CM"), *im = own_marker(r, part, "IM");
  admField *ip = adm_field(s, "IP", 2);
  double I[6] = {0}, turned[6];
  body->mass = adm_si(adm_number(r, s, "MASS", 1, 0), r->mass);
  if (body->mass < 0) import_fail(r->w, s->place, "PART/%ld has a negative mass", s->id);
  if (body->mass > 0 && !cm) import_fail(r->w, s->place, "PART/%ld has mass and no CM", s->id);
  if (!cm) return;
  const v3 c = cm->pose.r;
  memcpy(body->com, (double[3]){c.x, c.y, c.z}, sizeof body->com);
  const v3 in_ground = pose_compose(part->pose, cm->pose).r;
  memcpy(part->cm, (double[3]){in_ground.x, in_ground.y, in_ground.z}, sizeof part->cm);
  if (!ip) return;
  const int n = adm_numbers(r, ip, 6, I);
  if (n != 3 && n != 6) import_fail(r->w, ip->place, "IP needs three or six numbers");
  const double scale = r->mass * r->length * r->length;
  for (int i = 0; i < 6; i++) I[i] = adm_si(i < 3 ? I[i] : -I[i], scale);
  if (!im) im = cm;
  import_turn_tensor(im->pose, I, turned);
  // I_c = I - m (d.d 1 - d d^T), d from IM to CM
  const v3 d = v3_sub(c, im->pose.r);
  const double m = body->mass, dd = v3_dot(d, d);
  const double moved[6] = {dd - d.x * d.x, dd - d.y * d.y, dd - d.z * d.z,
                           -d.x * d.y,     -d.x * d.z,     -d.y * d.z};
  for (int i = 0; i < 6; i++) {
    const double x = turned[i] - m * moved[i];
    body->inertia[i] = fabs(x) > 1e-15 * (fabs(I[0]) + fabs(I[1]) + fabs(I[2])) ? x : 0;
  }
}


// read components in axes of a marker, or of ground, into a vector in ground axes; true if any is
// given
static bool read_rates(admReader *r, admPart *part, char letter, const admMarker *axes,
                       double scale, double x[3])
{
  double given[3] = {0};
  bool has_any = false;
  for (int i = 0; i < 3; i++) {
    const char key[3] = {letter, (char) ('X' + i), 0};
    if (!adm_has(part->s, key, 2)) continue;
    has_any = true;
    given[i] = adm_si(adm_number(r, part->s, key, 2, 0), scale);
  }
  v3 v = {given[0], given[1], given[2]};
  if (axes) v = m3_back(adm_place(axes).R, v);
  memcpy(x, (double[3]){v.x, v.y, v.z}, 3 * sizeof *x);
  return has_any;
}


void adm_read_parts(admReader *r)
{
  read_adams_units(r);
  importMachine *m = &r->w->machine;
  const double scale = r->length / (r->time * r->time);
  m->has_gravity = true; // a deck without ACCGRAV has no gravity
  for (int i = 0; i < r->nstatement; i++) {
    admStatement *s = &r->statement[i];
    if (strcmp(s->verb, "ACCGRAV") != 0) continue;
    m->gravity[0] = adm_si(adm_number(r, s, "IGRAV", 1, 0), scale);
    m->gravity[1] = adm_si(adm_number(r, s, "JGRAV", 1, 0), scale);
    m->gravity[2] = adm_si(adm_number(r, s, "KGRAV", 1, 0), scale);
  }
  const size_t n = (size_t) r->nstatement + 1;
  r->part = import_take(r->w, n, sizeof *r->part);
  r->marker = import_take(r->w, n, sizeof *r->marker);
  r->part_of = import_take(r->w, n, sizeof *r->part_of);
  r->marker_of = import_take(r->w, n, sizeof *r->marker_of);
  for (int i = 0; i < r->nstatement; i++) {
    if (strcmp(r->statement[i].verb, "PART") == 0) add_adams_part(r, &r->statement[i]);
  }
  for (int i = 0; i < r->nstatement; i++) {
    if (strcmp(r->statement[i].verb, "MARKER") == 0) add_marker(r, &r->statement[i]);
  }
  for (int i = 0; i < r->npart; i++) {
    if (r->part[i].body < 0) continue;
    read_mass(r, &r->part[i]);
    // translational velocities are in ground axes unless VM is given, angular velocities in axes of CM
    // unless WM is given
    admPart *part = &r->part[i];
    const admMarker *vm = adm_marker(r, part->s, "VM", 2), *wm = adm_marker(r, part->s, "WM", 2);
    if (!wm) wm = adm_marker(r, part->s, "CM", 2);
    const bool slides = read_rates(r, part, 'V', vm, r->length / r->time, part->velocity);
    const bool turns = read_rates(r, part, 'W', wm, 1 / r->time, part->omega);
    part->has_velocity = slides || turns;
    const m3 R = wm ? adm_place(wm).R : m3_identity();
    if (turns && !adm_has(part->s, "WM", 2) && R.x.x + R.y.y + R.z.z < 3 - 1e-12) {
      import_note(r->w, part->s->place, "WX, WY, WZ without WM are taken about the axes of CM");
    }
  }
}
