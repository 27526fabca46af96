// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Relations between coordinates of ADAMS decks: couplers, gears by their common velocity, screws, racks and pinions.
#include <math.h>
#include <string.h>

#include "import/adams.h"

static const double PI = 3.14159265358979323846;

// a coordinate of a joint and its factor
typedef struct admTerm {
  admJoint *joint;
  bool turns;
  double factor;
} admTerm;


static const char *term_name(admReader *r, const admTerm *t)
{
  return import_format(r->w, "%s.%s", t->joint->name, t->turns ? "angle" : "slide");
}


// factors times coordinates, and what they add up to
static void couple(admReader *r, admStatement *s, const admTerm *t, int n, double value)
{
  importWork *w = r->w;
  const char *text = "";
  for (int k = 0; k < n; k++) {
    w->machine.joint[t[k].joint->number].is_follower = true;
    text = import_format(w, "%s%s%s: %s", text, k ? ", " : "", term_name(r, &t[k]),
                         import_number(w, t[k].factor));
  }
  if (fabs(value) < 1e-15) {
    import_add_item(w, "couplings", adm_name(r, s, "coupling"), s->place,
                    "{type: linear, terms: {%s}}", text);
  } else {
    import_add_item(w, "couplings", adm_name(r, s, "coupling"), s->place,
                    "{type: linear, terms: {%s}, value: %s}", text, import_number(w, value));
  }
}


static double start_of(const admTerm *t)
{
  return t->turns ? t->joint->angle : t->joint->slide;
}


static int read_joints(admReader *r, admStatement *s, admTerm t[3])
{
  admField *field = adm_field(s, "JOINTS", 1);
  double id[3] = {0};
  if (!field) import_fail(r->w, s->place, "%s/%ld names no JOINTS", s->verb, s->id);
  const int n = adm_numbers(r, field, 3, id);
  if (n < 2) import_fail(r->w, field->place, "%s/%ld needs two joints", s->verb, s->id);
  for (int k = 0; k < n; k++) {
    admJoint *joint = adm_find_joint(r, adm_whole(id[k]), field->place);
    if (!joint->turns && !joint->slides) {
      import_fail(r->w, field->place, "JOINT/%ld has no coordinate along or about its axis",
                  joint->s->id);
    }
    t[k] = (admTerm){joint, joint->turns, 1};
  }
  return n;
}


//---- COUPLER: r1 q1 + r2 q2 + r3 q3 = 0 ----------------------------------------------------------

void adm_read_coupler(admReader *r, admStatement *s)
{
  admTerm t[3];
  const int n = read_joints(r, s, t);
  admField *types = adm_field(s, "TYPE", 1), *scales = adm_field(s, "SCALES", 1);
  double scale[3] = {1, 1, 1}, given[3];
  if (!scales) import_fail(r->w, s->place, "COUPLER/%ld has no SCALES", s->id);
  const int m = adm_numbers(r, scales, n, given);
  if (m < n - 1) import_fail(r->w, scales->place, "COUPLER/%ld needs %d SCALES", s->id, n);
  for (int k = 0; k < m; k++) scale[k + n - m] = given[k];
  const char *type = types ? types->value : "";
  for (int k = 0; k < n; k++) {
    if (*type) {
      t[k].turns = *type == 'R' || *type == 'r';
      type += strcspn(type, ":,");
      if (*type) type++;
    }
    if (t[k].turns ? !t[k].joint->turns : !t[k].joint->slides) {
      import_fail(r->w, s->place, "COUPLER/%ld asks for a coordinate that JOINT/%ld has not", s->id,
                  t[k].joint->s->id);
    }
    t[k].factor = scale[k] / (t[k].turns ? 1 : r->length);
  }
  // in lengths of the deck; the whole may be multiplied by a length
  for (int k = 0; k < n; k++) t[k].factor *= r->length;
  bool all_turn = true;
  for (int k = 0; k < n; k++) all_turn = all_turn && t[k].turns;
  for (int k = 0; k < n && all_turn; k++) t[k].factor = scale[k];
  double open = 0;
  for (int k = 0; k < n; k++) open += t[k].factor * start_of(&t[k]);
  if (fabs(open) > 1e-6) {
    import_note(r->w, s->place, "COUPLER/%ld does not hold at the start: parts are moved", s->id);
  }
  couple(r, s, t, n, 0);
}


//---- GEAR ----------------------------------------------------------------------------------------

// speed of the contact point along the common velocity, per rate of the coordinate
static double speed_at(const admTerm *t, modelPose contact)
{
  const modelPose j = adm_place(t->joint->j);
  if (!t->turns) return v3_dot(j.R.z, contact.R.z);
  return v3_dot(v3_cross(j.R.z, v3_sub(contact.r, j.r)), contact.R.z);
}


void adm_read_gear(admReader *r, admStatement *s)
{
  admTerm t[3];
  const admMarker *cv = adm_marker(r, s, "CV", 2);
  if (read_joints(r, s, t) != 2) import_fail(r->w, s->place, "GEAR/%ld needs two joints", s->id);
  if (!cv) import_fail(r->w, s->place, "GEAR/%ld names no marker CV", s->id);
  double value = 0;
  for (int k = 0; k < 2; k++) {
    if (t[k].joint->j->part != cv->part) {
      import_fail(r->w, s->place, "markers J of joints of GEAR/%ld must lie in the part of CV",
                  s->id);
    }
    t[k].factor = (k ? -1 : 1) * speed_at(&t[k], adm_place(cv));
    if (fabs(t[k].factor) < 1e-12) {
      import_fail(r->w, s->place, "the common velocity of GEAR/%ld does not move JOINT/%ld", s->id,
                  t[k].joint->s->id);
    }
    value += t[k].factor * start_of(&t[k]);
  }
  couple(r, s, t, 2, value);
}


//---- SCREW and RACKPIN ---------------------------------------------------------------------------

// A screw takes one freedom from a joint that slides and turns along the same line.
void adm_read_screw(admReader *r, admStatement *s, admMarker *i, admMarker *j)
{
  const double pitch = adm_si(adm_number(r, s, "PITCH", 1, 0), r->length) / (2 * PI);
  for (int k = 0; k < r->njoint; k++) {
    admJoint *joint = &r->joint[k];
    const bool is_same = joint->i->part == i->part && joint->j->part == j->part;
    const bool is_turned = joint->i->part == j->part && joint->j->part == i->part;
    if (!joint->slides || !joint->turns || !(is_same || is_turned)) continue;
    // pitch is that of a thread, whichever way its axis points
    if (fabs(fabs(v3_dot(adm_place(j).R.z, adm_place(joint->j).R.z)) - 1) > 1e-9) continue;
    const admTerm t[2] = {{joint, false, 1}, {joint, true, -pitch}};
    couple(r, s, t, 2, joint->slide - pitch * joint->angle);
    return;
  }
  import_fail(
      r->w, s->place,
      "JOINT/%ld: a screw of ADAMS goes with a cylindrical joint of the same parts, which is "
      "not there",
      s->id);
}


// the joint that holds a part along a direction
static admJoint *holder(admReader *r, const admPart *part, bool turns, v3 axis)
{
  for (int k = 0; k < r->njoint; k++) {
    admJoint *joint = &r->joint[k];
    if (!(turns ? joint->turns : joint->slides)) continue;
    if (joint->i->part != part && joint->j->part != part) continue;
    if (fabs(fabs(v3_dot(axis, adm_place(joint->j).R.z)) - 1) < 1e-9) return joint;
  }
  return NULL;
}


static const admPart *other_part(const admJoint *joint, const admPart *part)
{
  return joint->i->part == part ? joint->j->part : joint->i->part;
}


// The pinion has I with z along its axis, the rack J with z along its way; they touch at half of the pitch diameter. Where
// markers do not stand so far apart, which ADAMS does not ask for, the rack moves along z when the pinion turns about z.
void adm_read_rackpin(admReader *r, admStatement *s, admMarker *i, admMarker *j)
{
  const double given = adm_si(adm_number(r, s, "PD", 2, 0), r->length) / 2, radius = fabs(given);
  const modelPose pinion = adm_place(i), rack = adm_place(j);
  admJoint *turn = holder(r, i->part, true, pinion.R.z),
           *slide = holder(r, j->part, false, rack.R.z);
  if (!turn || !slide || other_part(turn, i->part) != other_part(slide, j->part)) {
    import_fail(r->w, s->place,
                "JOINT/%ld: the pinion must turn and the rack slide in one and the same part",
                s->id);
  }
  // from the axis of the pinion square to the way of the rack
  const v3 d = v3_sub(rack.r, pinion.r), side = v3_cross(rack.R.z, pinion.R.z);
  double away = v3_dot(d, side);
  if (fabs(fabs(away) - radius) > 0.01 * radius) {
    import_note(r->w, s->place,
                "rack and pinion of JOINT/%ld are not half of PD apart: the sign of PD says which "
                "way they turn",
                s->id);
    away = given;
  }
  // speed of the pinion at the contact along the rack
  const v3 contact = v3_scale(copysign(radius, away), side);
  const double speed = v3_dot(v3_cross(pinion.R.z, contact), rack.R.z);
  const double way =
      v3_dot(rack.R.z, adm_place(slide->j).R.z) * (slide->i->part == j->part ? 1 : -1);
  const double about =
      v3_dot(pinion.R.z, adm_place(turn->j).R.z) * (turn->i->part == i->part ? 1 : -1);
  const admTerm t[2] = {{slide, false, way}, {turn, true, -speed * about}};
  couple(r, s, t, 2, way * slide->slide - speed * about * turn->angle);
}
