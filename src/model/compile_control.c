// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Brakes, drivers and cruise controls: joint forces whose formulas are written here. They are then what
// every formula is, to all methods and to generated code.
#include <math.h>
#include <string.h>

#include "model/model.h"

//---- pieces of formulas --------------------------------------------------------------------------

// sum of factors times coordinates or rates, in parentheses
static const char *sum_text(baseArena *arena, const artModel *m, const modelElement *e, int is_rate)
{
  const char *sum = "0";
  for (int i = 0; i < e->nterm && sum; i++) {
    const modelTerm *term = &e->term[i];
    const char *name =
        is_rate ? m->velocity[term->velocity].name : m->position[term->position].name;
    sum = arena_format(arena, "%s + (%.17g)*'/%s'", sum, term->c, name);
  }
  return sum ? arena_format(arena, "(%s)", sum) : NULL;
}


// speed of a frame along its x axis
static const char *speed_text(baseArena *arena, const char *f)
{
  return arena_format(arena, "('/%s.vx'*'/%s.xx' + '/%s.vy'*'/%s.xy' + '/%s.vz'*'/%s.xz')", f, f, f,
                      f, f, f);
}


// y of the path at x, both texts
static const char *path_y(baseArena *arena, const artPathDef *path, const char *x)
{
  if (path->type == ART_PATH_CURVE) return arena_format(arena, "'/%s'(%s)", path->curve, x);
  if (path->type == ART_PATH_SLALOM) {
    return arena_format(arena, "%.17g*smooth(%s, %.17g, 0, %.17g, 1)*sin(pi*(%s - %.17g)/%.17g)",
                        path->amplitude, x, path->start, path->start + path->ramp, x, path->start,
                        path->spacing);
  }
  // ISO 3888-2:2011, table 1: sections of 12, 13.5, 11, 12.5 and 12 m; lanes 1.1 b + 0.25, b + 1 and
  // 1.3 b + 0.25 but at least 3 m wide; 1 m between the first and the second. The first and the last
  // share their right side.
  const double b = path->width, first = 1.1 * b + 0.25, second = b + 1;
  const double last = fmax(1.3 * b + 0.25, 3), s = path->start;
  const double over = 0.5 * first + 1 + 0.5 * second, back = 0.5 * (last - first);
  return arena_format(arena,
                      "(smooth(%s, %.17g, 0, %.17g, %.17g) + smooth(%s, %.17g, 0, %.17g, %.17g))",
                      x, s + 12, s + 25.5, over, x, s + 36.5, s + 49, back - over);
}


// How far the path lies to the left of the point (x, y): its gap at the same x, taken across the heading
// by the cosine; of a circle the distance itself.
static const char *error_text(baseArena *arena, const artPathDef *path, const char *x,
                              const char *y, const char *cosine)
{
  if (path->type != ART_PATH_CIRCLE) {
    const char *wanted = path_y(arena, path, x);
    return wanted ? arena_format(arena, "(%s - %s)*%s", wanted, y, cosine) : NULL;
  }
  // from the centre (start, R); on the way in, the straight line where it is nearer than the circle
  const double R = path->radius, side = R > 0 ? 1 : -1;
  const char *out = arena_format(arena, "(hypot(%s - %.17g, %s - (%.17g)) - %.17g)", x, path->start,
                                 y, R, fabs(R));
  if (!out) return NULL;
  return arena_format(arena, "if(%s < %.17g and abs(%s) < abs(%s), -%s, (%g)*%s)", x, path->start,
                      y, out, y, side, out);
}

//---- the three of them ---------------------------------------------------------------------------

// the user's part of a formula, checked alone so that messages point into it, with its dimension
static artStatus check_part(artModel *m, const elementRecord *record, const char *text,
                            baseDimension expected, baseDimension *found, artError *error)
{
  formula *parsed;
  const artStatus status =
      model_formula(m, &parsed, &record->head, text, builder_place(&record->head.where, "formula"),
                    LEVEL_VELOCITY, expected, error);
  if (status == ART_OK) *found = parsed->dimension;
  return status;
}


static artStatus write_brake(artModel *m, modelElement *e, const elementRecord *record,
                             artError *error)
{
  const artBrakeDef *def = &record->def.brake;
  const int slides = m->velocity[e->term[0].velocity].dimension.m == 1;
  baseDimension found;
  const artStatus status =
      check_part(m, record, def->demand, slides ? UNIT_FORCE : UNIT_TORQUE, &found, error);
  const char *rate = sum_text(&m->arena, m, e, 1);
  if (rate) {
    e->text[0] =
        arena_format(&m->arena, "-(%s)*tanh(%s/%.17g)", def->demand, rate, def->transition);
  }
  return status;
}


static artStatus write_cruise(artModel *m, modelElement *e, const elementRecord *record,
                              artError *error)
{
  const artCruiseDef *def = &record->def.cruise;
  baseArena *a = &m->arena;
  baseDimension found = UNIT_ANY;
  const artStatus status = check_part(m, record, def->speed, UNIT_VELOCITY, &found, error);
  const char *speed = speed_text(a, def->frame);
  // the gain is a number in SI
  const char *unit = !found.any && found.m == 1 ? "/1[m/s]" : "";
  const char *pull =
      speed ? arena_format(a, "%.17g*((%s)%s - %s)", def->gain, def->speed, unit, speed) : NULL;
  if (!pull) return status;

  // limit tanh(pull/limit), with a limit for each sign
  e->text[0] = def->drive == def->brake
                   ? arena_format(a, "%.17g*tanh((%s)/%.17g)", def->drive, pull, def->drive)
                   : arena_format(a, "%.17g*tanh(max(%s, 0)/%.17g) + %.17g*tanh(min(%s, 0)/%.17g)",
                                  def->drive, pull, def->drive, def->brake, pull, def->brake);
  e->text[1] = speed;
  return status;
}


static artStatus write_driver(artModel *m, modelElement *e, const elementRecord *record,
                              artError *error)
{
  const artDriverDef *def = &record->def.driver;
  const char *f = def->frame;
  baseArena *a = &m->arena;
  if (def->path.type == ART_PATH_CURVE && table_find(&m->curves, def->path.curve) < 0) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = def->path.curve};
    for (int i = 0; i < m->ncurve; i++) base_consider(&nearest, m->curve[i].name);
    return base_fail(error, ART_BAD_INPUT, builder_place(&record->head.where, "path"),
                     "driver '%s' follows '%s', which is no curve%s", e->name, def->path.curve,
                     base_hint(&nearest, hint));
  }
  const char *delta = sum_text(a, m, e, 0), *rate = sum_text(a, m, e, 1);
  const char *speed = speed_text(a, f);
  const char *L = !speed ? NULL
                  : def->time > 0
                      ? arena_format(a, "hypot(%.17g, %.17g*%s)", def->distance, def->time, speed)
                      : arena_format(a, "%.17g", def->distance);
  const char *cosine = arena_format(a, "('/%s.xx'/hypot('/%s.xx', '/%s.xy'))", f, f, f);
  const char *sine = arena_format(a, "('/%s.xy'/hypot('/%s.xx', '/%s.xy'))", f, f, f);
  if (!delta || !rate || !L || !cosine || !sine) return base_no_memory(error);
  const char *x = arena_format(a, "('/%s.x' + %s*%s)", f, L, cosine);
  const char *y = arena_format(a, "('/%s.y' + %s*%s)", f, L, sine);
  if (!x || !y) return base_no_memory(error);

  e->text[2] = error_text(a, &def->path, x, y, cosine);
  if (!e->text[2]) return base_no_memory(error);
  e->text[1] = arena_format(a, "%.17g*tanh(%.17g*(%s)/%s/%.17g)", def->limit, def->gain, e->text[2],
                            L, def->limit);
  if (!e->text[1]) return base_no_memory(error);
  e->text[0] = arena_format(a, "%.17g*(%s - %s) - %.17g*%s", def->stiffness, e->text[1], delta,
                            def->damping, rate);
  return ART_OK;
}


artStatus model_take_control(artModel *m, modelElement *e, const elementRecord *record,
                             artError *error)
{
  e->control = record->control;
  artStatus status = e->control == CONTROL_BRAKE    ? write_brake(m, e, record, error)
                     : e->control == CONTROL_CRUISE ? write_cruise(m, e, record, error)
                                                    : write_driver(m, e, record, error);
  if (status == ART_OK && !e->text[0]) return base_no_memory(error);
  const artPlace place = builder_place(&record->head.where, "frame");
  for (int c = 0; c < 3 && e->text[c] && status == ART_OK; c++) {
    status = model_formula(m, &e->formula[c], &record->head, e->text[c], place, LEVEL_VELOCITY,
                           UNIT_ANY, error);
  }
  return status;
}
