// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces of ADAMS decks along lines and about axes. Expressions are in units of the deck; results
// are converted to SI.

#include "import/adams.h"


//---- along lines and about axes ------------------------------------------------------------------

void adm_add_load(admReader *r, admForce load)
{
  import_grow(r->w, (void **) &r->act, r->nact, &r->act_capacity, sizeof *r->act);
  r->act[r->nact++] = load;
}


static admForce *keep_force(admReader *r, admStatement *s, const admMarker *i, const admMarker *j,
                            char form)
{
  const char *name = adm_name(r, s, "force");
  adm_add_load(r, (admForce){.s = s, .i = i, .j = j, .form = form, .sign = 1, .name = name});
  return &r->act[r->nact - 1];
}


const char *adm_add_block(admReader *r, const admStatement *s, const char *what,
                          const char *formula)
{
  importWork *w = r->w;
  const char *name =
      import_name(w, import_fresh(w, "%s_%s", import_spell(w, s->name), what), "block", s->place);
  import_add_item(w, "blocks", name, s->place, "{type: formula, value: \"= %s\"}", formula);
  return name;
}


void adm_push(admReader *r, admStatement *s, const char *name, const char *point, bool is_torque,
              const char *const x[3])
{
  import_add_item(
      r->w, "forces", name, s->place, "{type: %s, %s: %s, value: [\"= %s\", \"= %s\", \"= %s\"]}",
      is_torque ? "torque" : "force", is_torque ? "body" : "point", point, x[0], x[1], x[2]);
}


static const char *marker_body_name(admReader *r, const admMarker *m)
{
  return r->w->machine.body[m->part->body].name;
}


// a value times the z axis of a marker
static void along_z(admReader *r, const admMarker *m, const char *sign, const char *value,
                    const char *x[3])
{
  for (int c = 0; c < 3; c++) {
    x[c] = import_format(r->w, "%s%s*%s", sign, value, adm_axis(r, m, 2, c));
  }
}


// torques about the z axis of J, if no joint has this rotation
static void add_torques(admReader *r, admStatement *s, const admMarker *i, const admMarker *j,
                        const char *formula, bool is_action)
{
  const char *value = adm_add_block(r, s, "torque", formula), *x[3];
  const char *name = adm_name(r, s, "torque");
  adm_add_load(r, (admForce){.s = s, .i = i, .j = j, .form = '?'});
  if (i->part->body >= 0) {
    along_z(r, j, "", value, x);
    adm_push(r, s, name, marker_body_name(r, i), true, x);
  }
  if (is_action || j->part->body < 0) return;
  along_z(r, j, "-", value, x);
  adm_push(r, s, import_name(r->w, import_fresh(r->w, "%s_reaction", name), "torque", s->place),
           marker_body_name(r, j), true, x);
}


// a force on the angle of a joint, which must stay in the tree
static void act_in_joint(admReader *r, admForce *act, const admAxis *turn)
{
  r->w->machine.joint[turn->joint->number].is_follower = true;
  turn->joint->is_turned_by = true;
  act->sign = turn->sign;
}


void adm_read_sforce(admReader *r, admStatement *s)
{
  const admMarker *i = adm_need_marker(r, s, "I"), *j = adm_need_marker(r, s, "J");
  const bool turns = adm_has(s, "ROTATIONAL", 1);
  if (turns == adm_has(s, "TRANSLATIONAL", 1)) {
    import_fail(r->w, s->place, "SFORCE/%ld is not TRANSLATIONAL or ROTATIONAL", s->id);
  }
  if (turns) {
    admField *function = adm_need_function(r, s);
    const double unit = r->force * r->length;
    const bool is_action = adm_has(s, "ACTIONONLY", 4);
    admAxis turn;
    if (is_action || !adm_turn(r, i, j, 2, &turn)) {
      add_torques(r, s, i, j, adm_scaled(r, function, unit, USE_MOTION), is_action);
      return;
    }
    admForce *act = keep_force(r, s, i, j, 'r');
    act_in_joint(r, act, &turn);
    import_add_joint_force(r->w, act->name, s->place, turn.coordinate,
                           adm_scaled(r, function, turn.sign * unit, USE_MOTION));
  } else if (adm_has(s, "ACTIONONLY", 4)) {
    // on I only, along the z axis of J
    const char *value =
        adm_add_block(r, s, "force", adm_scaled(r, adm_need_function(r, s), r->force, USE_MOTION));
    const char *x[3];
    along_z(r, j, "", value, x);
    adm_add_load(r, (admForce){.s = s, .i = i, .j = j, .form = '?'});
    if (i->part->body >= 0) adm_push(r, s, adm_name(r, s, "force"), i->frame, false, x);
  } else {
    // in ADAMS a positive force pushes the markers apart, here it is a tension
    const admForce *act = keep_force(r, s, i, j, 'l');
    import_add_item(r->w, "forces", act->name, s->place,
                    "{type: link-force, between: [%s, %s], value: \"= %s\"}", j->frame, i->frame,
                    adm_scaled(r, adm_need_function(r, s), -r->force, USE_MOTION));
  }
}


//---- springs -------------------------------------------------------------------------------------

// F = -C l' - K (l - LENGTH) + FORCE, positive if it pushes the markers apart
static void add_adams_spring(admReader *r, admStatement *s, const admMarker *i, const admMarker *j)
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
                    j->frame, i->frame, import_quantity(w, length, "m"),
                    import_quantity(w, K, "N/m"), import_quantity(w, C, "N s/m"));
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
  // for the coordinate q: a = sign q + offset, Q = sign T
  const double rest = turn.sign * (angle - turn.offset + (KT != 0 ? torque / KT : 0));
  admForce *act = keep_force(r, s, i, j, 'r');
  act_in_joint(r, act, &turn);
  if (KT == 0 && torque != 0) {
    import_add_joint_force(w, act->name, s->place, turn.coordinate,
                           import_format(w, "%s - %s*%s", import_number(w, turn.sign * torque),
                                         import_number(w, CT), turn.rate));
    return;
  }
  import_add_joint_spring(w, act->name, s->place, turn.coordinate,
                          import_quantity(w, KT, "N m/rad"), import_number(w, rest),
                          import_quantity(w, CT, "N m s/rad"));
}


void adm_read_springdamper(admReader *r, admStatement *s)
{
  const admMarker *i = adm_need_marker(r, s, "I"), *j = adm_need_marker(r, s, "J");
  adm_has(s, "TRANSLATIONAL", 1);
  if (adm_has(s, "ROTATIONAL", 1)) {
    add_torsion(r, s, i, j);
  } else {
    add_adams_spring(r, s, i, j);
  }
}


//---- all of them ---------------------------------------------------------------------------------

// the force on a coordinate of a joint
static const char *coordinate_force(importWork *w, const admJoint *joint, const char *coordinate)
{
  const bool has_two = joint->slides && joint->turns;
  return import_format(w, "%s.%s%sforce", joint->name, has_two ? coordinate : "",
                       has_two ? "_" : "");
}


// The load of an ADAMS joint is its reaction without its coordinates; motions are separate loads,
// unless they share the coordinate.
static void keep_load(admReader *r, const admJoint *joint)
{
  const char *along = coordinate_force(r->w, joint, "slide"),
             *about = coordinate_force(r->w, joint, "angle");
  const bool is_pushed = joint->slide_motion != NULL,
             is_turned = joint->turn_motion != NULL || joint->is_turned_by;
  adm_add_load(r, (admForce){.s = joint->s,
                             .i = joint->is_swapped ? joint->j : joint->i,
                             .j = joint->is_swapped ? joint->i : joint->j,
                             .name = joint->name,
                             .form = joint->is_rod        ? 'd'
                                     : joint->keeps_point ? 'p'
                                                          : 'j',
                             .along = is_pushed ? along : NULL,
                             .about = is_turned ? about : NULL,
                             .sign = 1,
                             .is_swapped = joint->is_swapped});
  admForce jog = {joint->slide_motion, joint->i, joint->j, along, .form = 's', .sign = 1};
  if (is_pushed) adm_add_load(r, jog);
  jog.s = joint->turn_motion;
  jog.name = about;
  jog.form = 'r';
  if (joint->turn_motion && !joint->is_turned_by) adm_add_load(r, jog);
}


void adm_keep_loads(admReader *r)
{
  // elements on joints have their force under their own name
  for (int k = 0; k < r->nact; k++) {
    if (r->act[k].form == 'r') r->act[k].name = import_format(r->w, "%s.force", r->act[k].name);
  }
  for (int k = 0; k < r->njoint; k++) {
    const admJoint *joint = &r->joint[k];
    if (joint->has_reaction) {
      keep_load(r, joint);
    } else {
      adm_add_load(r, (admForce){.s = joint->s, .i = joint->i, .j = joint->j, .form = '?'});
    }
  }
}


void adm_read_forces(admReader *r)
{
  for (int i = 0; i < r->nstatement; i++) {
    admStatement *s = &r->statement[i];
    if (s->kind->read) s->kind->read(r, s);
  }
}
