// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motions and forces of ADAMS decks: forces along lines and about axes, vectors by components, springs, bushings, fields
// and beams. Expressions are in units of the deck; their results become SI.
#include <math.h>
#include <string.h>

#include "import/adams.h"


//---- motions -------------------------------------------------------------------------------------

static admJoint *find_joint(admReader *r, admField *field)
{
  const long id = adm_id(r, field);
  for (int k = 0; k < r->njoint; k++) {
    if (strcmp(r->joint[k].s->verb, "JOINT") == 0 && r->joint[k].s->id == id) return &r->joint[k];
  }
  import_fail(r->w, field->place, "there is no JOINT/%ld that moves along one coordinate", id);
}


static void read_motion(admReader *r, admStatement *s)
{
  importWork *w = r->w;
  admField *of = adm_field(s, "JOINT", 1), *function = adm_field(s, "FUNCTION", 2);
  if (!of) import_fail(w, s->place, "MOTION/%ld names no JOINT", s->id);
  if (!function) import_fail(w, s->place, "MOTION/%ld has no FUNCTION", s->id);
  if (adm_has(s, "VELOCITY", 3) || adm_has(s, "ACCELERATION", 3)) {
    import_fail(w, s->place, "MOTION/%ld: motions are known here by their displacement", s->id);
  }
  admJoint *joint = find_joint(r, of);
  const bool turns = adm_has(s, "ROTATION", 1) || (!adm_has(s, "TRANSLATION", 1) && joint->turns);
  if (turns ? !joint->turns : !joint->slides) {
    import_fail(w, s->place, "MOTION/%ld moves JOINT/%ld along a coordinate that it has not", s->id,
                joint->s->id);
  }
  const char *value = adm_scaled(r, function, turns ? 1 : r->length, USE_TIME);
  *(turns ? &joint->angle_driven : &joint->slide_driven) = true;
  import_add_item(w, "drives", adm_name(r, s, "drive"), s->place,
                  "{coordinate: %s.%s, value: \"= %s\"}", joint->name, turns ? "angle" : "slide",
                  value);
}


void adm_read_motions(admReader *r)
{
  for (int i = 0; i < r->nstatement; i++) {
    if (strcmp(r->statement[i].verb, "MOTION") == 0) read_motion(r, &r->statement[i]);
  }
}


//---- along lines and about axes ------------------------------------------------------------------

static admForce *keep_force(admReader *r, admStatement *s, const admMarker *i, const admMarker *j,
                            char form)
{
  import_grow(r->w, (void **) &r->act, r->nact, &r->act_capacity, sizeof *r->act);
  admForce *act = &r->act[r->nact++];
  *act = (admForce){.s = s, .i = i, .j = j, .form = form, .sign = 1};
  act->name = adm_name(r, s, "force");
  return act;
}


static admField *need_function(admReader *r, admStatement *s)
{
  admField *field = adm_field(s, "FUNCTION", 2);
  if (field) return field;
  import_fail(r->w, s->place, "%s/%ld has no FUNCTION", s->verb, s->id);
}


// ADAMS counts a force positive that drives the markers apart, ours is a tension
static void add_link(admReader *r, admStatement *s, const admMarker *i, const admMarker *j)
{
  const admForce *act = keep_force(r, s, i, j, 'l');
  import_add_item(r->w, "forces", act->name, s->place,
                  "{type: link-force, between: [%s, %s], value: \"= %s\"}", j->frame, i->frame,
                  adm_scaled(r, need_function(r, s), -r->force, USE_MOTION));
}


const char *adm_add_block(admReader *r, const admStatement *s, const char *what,
                          const char *formula)
{
  importWork *w = r->w;
  const char *name =
      import_name(w, import_fresh(w, import_format(w, "%s_%s", import_spell(w, s->name), what)),
                  "block", s->place);
  import_add_item(w, "blocks", name, s->place, "{type: formula, value: \"= %s\"}", formula);
  return name;
}


// a force or torque on the part of a marker, by components along ground
static void push(admReader *r, admStatement *s, const char *name, const char *point, bool is_torque,
                 const char *const x[3])
{
  import_add_item(
      r->w, "forces", name, s->place, "{type: %s, %s: %s, value: [\"= %s\", \"= %s\", \"= %s\"]}",
      is_torque ? "torque" : "force", is_torque ? "body" : "point", point, x[0], x[1], x[2]);
}


static const char *body_name(admReader *r, const admMarker *m)
{
  return r->w->machine.body[m->part->body].name;
}


// a number times the z axis of a marker
static void along_z(admReader *r, const admMarker *m, const char *sign, const char *value,
                    const char *x[3])
{
  for (int c = 0; c < 3; c++) {
    x[c] = import_format(r->w, "%s%s*%s", sign, value, adm_axis(r, m, 2, c));
  }
}


// about the z axis of J, without a joint that turns about it
static void add_torques(admReader *r, admStatement *s, const admMarker *i, const admMarker *j,
                        const char *formula, bool is_action)
{
  const char *value = adm_add_block(r, s, "torque", formula), *x[3];
  const char *name = adm_name(r, s, "torque");
  if (i->part->body >= 0) {
    along_z(r, j, "", value, x);
    push(r, s, name, body_name(r, i), true, x);
  }
  if (is_action || j->part->body < 0) return;
  along_z(r, j, "-", value, x);
  push(r, s,
       import_name(r->w, import_fresh(r->w, import_format(r->w, "%s_reaction", name)), "torque",
                   s->place),
       body_name(r, j), true, x);
}


static void add_turning(admReader *r, admStatement *s, const admMarker *i, const admMarker *j)
{
  admField *function = need_function(r, s);
  const double unit = r->force * r->length;
  const bool is_action = adm_has(s, "ACTIONONLY", 4);
  admAxis turn;
  if (is_action || !adm_turn(r, i, j, 2, &turn)) {
    add_torques(r, s, i, j, adm_scaled(r, function, unit, USE_MOTION), is_action);
    return;
  }
  admForce *act = keep_force(r, s, i, j, 'r');
  act->sign = turn.sign;
  import_add_item(r->w, "forces", act->name, s->place,
                  "{type: joint-force, coordinate: %s, value: \"= %s\"}", turn.coordinate,
                  adm_scaled(r, function, turn.sign * unit, USE_MOTION));
}


// on I alone, along the z axis of J
static void add_push(admReader *r, admStatement *s, const admMarker *i, const admMarker *j)
{
  const char *value =
      adm_add_block(r, s, "force", adm_scaled(r, need_function(r, s), r->force, USE_MOTION));
  const char *x[3];
  along_z(r, j, "", value, x);
  if (i->part->body >= 0) push(r, s, adm_name(r, s, "force"), i->frame, false, x);
}


static void read_sforce(admReader *r, admStatement *s)
{
  const admMarker *i = adm_need_marker(r, s, "I"), *j = adm_need_marker(r, s, "J");
  const bool turns = adm_has(s, "ROTATIONAL", 1);
  if (turns == adm_has(s, "TRANSLATIONAL", 1)) {
    import_fail(r->w, s->place, "SFORCE/%ld is not TRANSLATIONAL or ROTATIONAL", s->id);
  }
  if (turns) {
    add_turning(r, s, i, j);
  } else if (adm_has(s, "ACTIONONLY", 4)) {
    add_push(r, s, i, j);
  } else {
    add_link(r, s, i, j);
  }
}


//---- springs -------------------------------------------------------------------------------------

static const char *value_of(importWork *w, double x, const char *unit)
{
  return import_format(w, "%s %s", import_number(w, x), unit);
}


// F = -C l' - K (l - LENGTH) + FORCE, positive where it drives the markers apart
static void add_spring(admReader *r, admStatement *s, const admMarker *i, const admMarker *j)
{
  importWork *w = r->w;
  const double K = r->force / r->length * adm_number(r, s, "K", 1, 0),
               C = r->force * r->time / r->length * adm_number(r, s, "C", 1, 0),
               preload = r->force * adm_number(r, s, "FORCE", 2, 0),
               length = adm_si(adm_number(r, s, "LENGTH", 1, 0), r->length);
  const admForce *act = keep_force(r, s, i, j, 'l');
  if (preload == 0) {
    import_add_item(w, "forces", act->name, s->place,
                    "{type: spring-damper, between: [%s, %s], free_length: %s, stiffness: %s, "
                    "damping: %s}",
                    j->frame, i->frame, value_of(w, length, "m"), value_of(w, K, "N/m"),
                    value_of(w, C, "N s/m"));
    return;
  }
  import_add_item(w, "forces", act->name, s->place,
                  "{type: link-force, between: [%s, %s], value: \"= %s*(%s.length - %s) + "
                  "%s*%s.rate - %s\"}",
                  j->frame, i->frame, import_number(w, K), act->name, import_number(w, length),
                  import_number(w, C), act->name, import_number(w, preload));
}


// T = -CT a' - KT (a - ANGLE) + TORQUE about the z axis of J
static void add_torsion(admReader *r, admStatement *s, const admMarker *i, const admMarker *j)
{
  importWork *w = r->w;
  const double unit = r->force * r->length, KT = unit * adm_number(r, s, "KT", 2, 0),
               CT = unit * r->time * adm_number(r, s, "CT", 2, 0),
               torque = unit * adm_number(r, s, "TORQUE", 2, 0),
               angle = adm_number(r, s, "ANGLE", 1, 0);
  admAxis turn;
  if (!adm_turn(r, i, j, 2, &turn)) {
    import_fail(w, s->place,
                "SPRINGDAMPER/%ld turns about an axis that is not that of a joint of its parts",
                s->id);
  }
  // in the coordinate q: a = sign q + offset, Q = sign T
  const double rest = turn.sign * (angle - turn.offset + (KT != 0 ? torque / KT : 0));
  admForce *act = keep_force(r, s, i, j, 'r');
  act->sign = turn.sign;
  if (KT == 0 && torque != 0) {
    import_add_item(w, "forces", act->name, s->place,
                    "{type: joint-force, coordinate: %s, value: \"= %s - %s*%s\"}", turn.coordinate,
                    import_number(w, turn.sign * torque), import_number(w, CT), turn.rate);
    return;
  }
  import_add_item(w, "forces", act->name, s->place,
                  "{type: joint-spring, coordinate: %s, rest: %s, stiffness: %s, damping: %s}",
                  turn.coordinate, import_number(w, rest), value_of(w, KT, "N m/rad"),
                  value_of(w, CT, "N m s/rad"));
}


static void read_springdamper(admReader *r, admStatement *s)
{
  const admMarker *i = adm_need_marker(r, s, "I"), *j = adm_need_marker(r, s, "J");
  if (adm_has(s, "ROTATION", 1)) {
    add_torsion(r, s, i, j);
  } else {
    add_spring(r, s, i, j);
  }
}


//---- all of them ---------------------------------------------------------------------------------

// joints are loads, too
static void keep_joints(admReader *r)
{
  for (int k = 0; k < r->njoint; k++) {
    const admJoint *joint = &r->joint[k];
    if (!joint->has_reaction) continue;
    import_grow(r->w, (void **) &r->act, r->nact, &r->act_capacity, sizeof *r->act);
    const char form = joint->is_rod ? 'd' : joint->keeps_point ? 'p' : 'j';
    r->act[r->nact++] = (admForce){.s = joint->s,
                                   .i = joint->is_swapped ? joint->j : joint->i,
                                   .j = joint->is_swapped ? joint->i : joint->j,
                                   .name = joint->name,
                                   .form = form,
                                   .sign = 1,
                                   .is_swapped = joint->is_swapped};
  }
}


void adm_read_forces(admReader *r)
{
  keep_joints(r);
  for (int i = 0; i < r->nstatement; i++) {
    admStatement *s = &r->statement[i];
    if (strcmp(s->verb, "SFORCE") == 0) read_sforce(r, s);
    if (strcmp(s->verb, "SPRINGDAMPER") == 0) read_springdamper(r, s);
  }
}
