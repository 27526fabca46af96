// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A driver who steers along a path: a joint force whose formulas are generated here, and the paths.
#include "base/error.h"
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artDriverDef, field)
static const fieldKey keys[] = {
    COORDINATE_FIELDS(artDriverDef),
    {"frame", KEY_REFERENCE, .need = REQUIRED, .offset = AT(frame),
     .help = "of the vehicle, x forward: where the driver sits"},
    {"path", KEY_PATH, .need = REQUIRED, .offset = AT(path),
     .help = "what to follow: the name of a curve y(x), or a path by type"},
    {"distance", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(distance),
     .range = RANGE_POSITIVE, .help = "to the point that the driver looks at, at standstill"},
    {"time", KEY_NUMBER, Q_TIME, .offset = AT(time), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "the point lies that long ahead where that is farther"},
    {"gain", KEY_NUMBER, .need = REQUIRED, .offset = AT(gain),
     .help = "steering angle per angle between the point and the path"},
    {"limit", KEY_NUMBER, Q_X, .need = REQUIRED, .offset = AT(limit), .range = RANGE_POSITIVE,
     .help = "largest wanted angle, approached smoothly"},
    {"stiffness", KEY_NUMBER, Q_X_STIFFNESS, .need = REQUIRED, .offset = AT(stiffness),
     .help = "of the arms: torque per angle that is missing"},
    {"damping", KEY_NUMBER, Q_X_DAMPING, .offset = AT(damping), FALLBACK(0), .help = "of the arms"},
    {0}};

static const elementOutput outputs[] = {
    {"force", 0, LEVEL_ACCELERATION, Q_X_FORCE, OUTPUT_USUAL},
    {"angle", 1, LEVEL_ACCELERATION, Q_X, 0},
    {"error", 2, LEVEL_ACCELERATION, Q_LENGTH, OUTPUT_USUAL},
    {0}};

#define IN(field) offsetof(artPathDef, field)

#define START_KEY                                                                                  \
  {"start", KEY_NUMBER, Q_LENGTH, .offset = IN(start), .fallback = "0", .help = "x where it begins"}

static const fieldKey lane_change_keys[] = {
    START_KEY,
    {"width", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(width),
     .help = "of the vehicle, mirrors not counted"},
    {0}};
static const fieldKey circle_keys[] = {
    START_KEY,
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(radius),
     .help = "to the left; negative to the right"},
    {0}};
static const fieldKey slalom_keys[] = {
    START_KEY,
    {"spacing", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(spacing),
     .help = "between pylons: half a period"},
    {"amplitude", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(amplitude),
     .help = "of the sine"},
    {"ramp", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(ramp),
     .help = "over which the sine grows from nothing"},
    {0}};

static const fieldForm lane_change = {.name = "path", .type = "iso-3888-2", .keys = lane_change_keys,
    .help = "Centre line of the obstacle avoidance track."};
static const fieldForm circle = {.name = "path", .type = "circle", .keys = circle_keys,
    .help = "A straight way in, then a circle."};
static const fieldForm slalom = {.name = "path", .type = "slalom", .keys = slalom_keys,
    .help = "A sine past pylons."};
// clang-format on

// in the order of artPathType, after curves
const fieldForm *const field_forms_path[] = {&lane_change, &circle, &slalom, NULL};


//---- checks --------------------------------------------------------------------------------------

static void driver_check(const fieldCheck *c, void *def)
{
  const artPathDef *path = &((artDriverDef *) def)->path;
  const double numbers[] = {path->start, path->radius, path->amplitude};
  field_check_member(c, "path", (int) path->type, 0, ART_PATH_SLALOM);
  field_check_finite(c, "path", 3, numbers);
  if (path->type == ART_PATH_LANE_CHANGE) field_check_positive(c, "width", path->width, 0);
  if (path->type == ART_PATH_SLALOM) {
    field_check_positive(c, "spacing", path->spacing, 0);
    field_check_positive(c, "ramp", path->ramp, 0);
  }
  if (path->type == ART_PATH_CIRCLE && path->radius == 0) {
    field_refuse(c, "radius",
                 "the radius of the circle is 0, expected a length, negative to the right");
  }
}


//---- formulas ------------------------------------------------------------------------------------

const char *element_speed_text(baseArena *arena, const char *f)
{
  return arena_compose(arena, "('/%s.vx'*'/%s.xx' + '/%s.vy'*'/%s.xy' + '/%s.vz'*'/%s.xz')", f, f,
                       f, f, f, f);
}


// numbers of a path as formulas
typedef struct pathTexts {
  const char *start, *width, *radius, *spacing, *amplitude, *ramp;
} pathTexts;


static pathTexts write_path(const artPathDef *path, const elementContext *c)
{
#define NUMBER(field) part_number(&c->numbers, c->arena, &path->field)
  return (pathTexts){NUMBER(start),   NUMBER(width),     NUMBER(radius),
                     NUMBER(spacing), NUMBER(amplitude), NUMBER(ramp)};
#undef NUMBER
}


// ISO 3888-2:2011, table 1: sections of 12, 13.5, 11, 12.5 and 12 m; lanes 1.1 b + 0.25, b + 1 and
// 1.3 b + 0.25 (at least 3) m wide; 1 m between the first and the second. The right sides of the
// first and the last lane are aligned. max(a, b) is written as the mean plus half of a hypot of the
// difference, which needs no event.
static const char *lane_change_y(baseArena *a, const pathTexts *p, const char *x)
{
  const char *first = arena_compose(a, "(1.1*%s + 0.25)", p->width);
  const char *last =
      arena_compose(a, "(0.5*((1.3*%s + 3.25) + hypot(1.3*%s - 2.75, 0)))", p->width, p->width);
  const char *over = arena_compose(a, "(0.5*%s + 1 + 0.5*(%s + 1))", first, p->width);
  const char *back = arena_compose(a, "(0.5*(%s - %s))", last, first);
  return arena_compose(a,
                       "(smooth(%s, %s + 12, 0, %s + 25.5, %s) + smooth(%s, %s + 36.5, 0, %s + 49, "
                       "%s - %s))",
                       x, p->start, p->start, over, x, p->start, p->start, back, over);
}


// y of the path at x, both as formulas
static const char *path_y(baseArena *a, const artPathDef *path, const pathTexts *p, const char *x)
{
  if (path->type == ART_PATH_CURVE) return arena_compose(a, "'/%s'(%s)", path->curve, x);
  if (path->type == ART_PATH_LANE_CHANGE) return lane_change_y(a, p, x);
  return arena_compose(a, "%s*smooth(%s, %s, 0, %s + %s, 1)*sin(pi*(%s - %s)/%s)", p->amplitude, x,
                       p->start, p->start, p->ramp, x, p->start, p->spacing);
}


// Lateral distance of the path to the left of the point (x, y): the difference of y at the same x
// times the cosine of the heading; for a circle the true distance.
static const char *error_text(baseArena *a, const artPathDef *path, const pathTexts *p,
                              const char *x, const char *y, const char *cosine)
{
  if (path->type != ART_PATH_CIRCLE) {
    return arena_compose(a, "(%s - %s)*%s", path_y(a, path, p, x), y, cosine);
  }
  // from the centre (start, R); before the circle, the straight line if it is nearer
  const char *R = p->radius;
  const char *out =
      arena_compose(a, "(hypot(%s - (%s), %s - (%s)) - hypot(%s, 0))", x, p->start, y, R, R);
  return arena_compose(a, "if(%s < %s and abs(%s) < abs(%s), -%s, (%s)/hypot(%s, 0)*%s)", x,
                       p->start, y, out, y, R, R, out);
}


static void driver_compile(modelElement *e, const void *from, const elementContext *c)
{
  const artDriverDef *def = from;
  const char *f = def->frame;
  baseArena *a = c->arena;
  const char *speed = element_speed_text(a, f);
#define NUMBER(field) part_number(&c->numbers, a, &def->field)
  const char *distance = NUMBER(distance), *time = NUMBER(time), *limit = NUMBER(limit);
  const char *gain = NUMBER(gain), *stiffness = NUMBER(stiffness), *damping = NUMBER(damping);
#undef NUMBER
  const pathTexts path = write_path(&def->path, c);
  const char *L = def->time > 0 || part_is_live(&c->numbers, &def->time)
                      ? arena_compose(a, "hypot(%s, %s*%s)", distance, time, speed)
                      : distance;
  const char *cosine = arena_compose(a, "('/%s.xx'/hypot('/%s.xx', '/%s.xy'))", f, f, f);
  const char *sine = arena_compose(a, "('/%s.xy'/hypot('/%s.xx', '/%s.xy'))", f, f, f);
  const char *x = arena_compose(a, "('/%s.x' + %s*%s)", f, L, cosine);
  const char *y = arena_compose(a, "('/%s.y' + %s*%s)", f, L, sine);

  e->text[2] = error_text(a, &def->path, &path, x, y, cosine);
  e->text[1] = arena_compose(a, "%s*tanh(%s*(%s)/%s/%s)", limit, gain, e->text[2], L, limit);
  e->text[0] =
      arena_compose(a, "%s*(%s - %s) - %s*%s", stiffness, e->text[1], c->x, damping, c->rate);
}


const elementKind element_driver = {
    ELEMENT_KIND(driver, artDriverDef, "driver", keys, NULL, "A driver who steers along a path."),
    .check = driver_check, .compile = driver_compile, .outputs = outputs};
