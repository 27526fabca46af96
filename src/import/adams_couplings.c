// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Relations between coordinates in ADAMS decks: couplers, gears with a common velocity, screws,
// racks and pinions.
#include <math.h>
#include <string.h>

#include "import/adams.h"

// a joint coordinate and its factor
typedef struct admTerm {
  admJoint *joint;
  bool turns;
  double factor;
} admTerm;


static const char *term_name(admReader *r, const admTerm *t)
{
  return import_format(r->w, "%s.%s", t->joint->name, t->turns ? "angle" : "slide");
}


// add the coupling: sum of factors times coordinates = value
static void couple_adams_terms(admReader *r, admStatement *s, const admTerm *t, int n, double value)
{
  ART_ASSERT(n >= 1);
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


static double term_start_of(const admTerm *t)
{
  return t->turns ? t->joint->angle : t->joint->slide;
}


static int read_coupled_joints(admReader *r, admStatement *s, admTerm t[3])
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
  const int n = read_coupled_joints(r, s, t);
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
  // in units of length of the deck; the equation may be multiplied by a length
  for (int k = 0; k < n; k++) t[k].factor *= r->length;
  bool all_turn = true;
  for (int k = 0; k < n; k++) all_turn = all_turn && t[k].turns;
  for (int k = 0; k < n && all_turn; k++) t[k].factor = scale[k];
  double open = 0;
  for (int k = 0; k < n; k++) open += t[k].factor * term_start_of(&t[k]);
  if (fabs(open) > 1e-6) {
    import_note(r->w, s->place, "COUPLER/%ld does not hold at the start: parts are moved", s->id);
  }
  couple_adams_terms(r, s, t, n, 0);
}


//---- GEAR ----------------------------------------------------------------------------------------

// velocity of the contact point along the common velocity, per rate of the coordinate
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
  if (read_coupled_joints(r, s, t) != 2)
    import_fail(r->w, s->place, "GEAR/%ld needs two joints", s->id);
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
    value += t[k].factor * term_start_of(&t[k]);
  }
  couple_adams_terms(r, s, t, 2, value);
}


//---- SCREW and RACKPIN ---------------------------------------------------------------------------

// A screw removes one degree of freedom from a joint with slide and angle along the same axis.
void adm_read_screw(admReader *r, admStatement *s, admMarker *i, admMarker *j)
{
  const double pitch = adm_si(adm_number(r, s, "PITCH", 1, 0), r->length) / (2 * PI);
  for (int k = 0; k < r->njoint; k++) {
    admJoint *joint = &r->joint[k];
    const bool is_same = joint->i->part == i->part && joint->j->part == j->part;
    const bool is_turned = joint->i->part == j->part && joint->j->part == i->part;
    if (!joint->slides || !joint->turns || !(is_same || is_turned)) continue;
    // the pitch belongs to the thread, independent of the direction of the axis
    if (fabs(fabs(v3_dot(adm_place(j).R.z, adm_place(joint->j).R.z)) - 1) > 1e-9) continue;
    const admTerm t[2] = {{joint, false, 1}, {joint, true, -pitch}};
    couple_adams_terms(r, s, t, 2, joint->slide - pitch * joint->angle);
    return;
  }
  import_fail(
      r->w, s->place,
      "JOINT/%ld: a screw of ADAMS goes with a cylindrical joint of the same parts, which is "
      "not there",
      s->id);
}


// the joint that guides a part along a direction
static admJoint *find_holding_joint(admReader *r, const admPart *part, bool turns, v3 axis)
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


// The pinion has the marker I with z along its axis, the rack J with z along its motion; they touch
// at half the pitch diameter. If the markers are not at this distance, which ADAMS does not
// require, the rack moves along z as the pinion rotates about z.
void adm_read_rackpin(admReader *r, admStatement *s, admMarker *i, admMarker *j)
{
  const double given = adm_si(adm_number(r, s, "PD", 2, 0), r->length) / 2, radius = fabs(given);
  const modelPose pinion = adm_place(i), rack = adm_place(j);
  admJoint *turn = find_holding_joint(r, i->part, true, pinion.R.z),
           *slide = find_holding_joint(r, j->part, false, rack.R.z);
  if (!turn || !slide || other_part(turn, i->part) != other_part(slide, j->part)) {
    import_fail(r->w, s->place,
                "JOINT/%ld: the pinion must turn and the rack slide in one and the same part",
                s->id);
  }
  // from the pinion axis, perpendicular to the rack
  const v3 d = v3_sub(rack.r, pinion.r), side = v3_cross(rack.R.z, pinion.R.z);
  double away = v3_dot(d, side);
  if (fabs(fabs(away) - radius) > 0.01 * radius) {
    import_note(r->w, s->place,
                "rack and pinion of JOINT/%ld are not half of PD apart: the sign of PD says which "
                "way they turn",
                s->id);
    away = given;
  }
  // velocity of the pinion at the contact, along the rack
  const v3 contact = v3_scale(copysign(radius, away), side);
  const double speed = v3_dot(v3_cross(pinion.R.z, contact), rack.R.z);
  const double way =
      v3_dot(rack.R.z, adm_place(slide->j).R.z) * (slide->i->part == j->part ? 1 : -1);
  const double about =
      v3_dot(pinion.R.z, adm_place(turn->j).R.z) * (turn->i->part == i->part ? 1 : -1);
  const admTerm t[2] = {{slide, false, way}, {turn, true, -speed * about}};
  couple_adams_terms(r, s, t, 2, way * slide->slide - speed * about * turn->angle);
}


//---- chains of joints ----------------------------------------------------------------------------

// ADAMS constraints that are not a single joint here, as chains of simple joints from the marker J
// to the marker I with massless bodies between them: primitives, constant-velocity joints, motions
// of a marker relative to another.

// Steps of a chain: x, y, z are translations along axes of J; X, Y, Z are rotations about the axes
// after the previous step; S is a spherical joint, U a universal joint with the z axes of J and I.
typedef struct rowOf {
  admReader *r;
  admStatement *s;
  admMarker *i, *j;
  modelPose rest; // of I, in the frame of the step
  v3 velocity, omega;
} rowOf;


static const char *step_name(rowOf *row, char step)
{
  static const char letters[] = "xyzXYZSU";
  static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz", "ball", "cross"};
  importWork *w = row->r->w;
  const char *ending = names[strchr(letters, step) - letters];
  const char *name = import_fresh(w, "%s_%s", import_spell(w, row->s->name), ending);
  return table_find(&w->names, name) < 0 ? name : import_fresh(w, "%s_2", name);
}


// successive rotations about x, y and z that give the axes of I
static void turns_of(m3 R, double a[3])
{
  a[0] = atan2(-R.z.y, R.z.z);
  a[1] = asin(fmax(-1, fmin(1, R.z.x)));
  a[2] = atan2(-R.y.x, R.x.x);
}


// initial value and rate of a step
static const char *step_start(rowOf *row, char step)
{
  importWork *w = row->r->w;
  const m3 axes = adm_place(row->j).R;
  const v3 v = m3_mul(axes, row->velocity), o = m3_mul(axes, row->omega), at = row->rest.r;
  const double slide[3] = {at.x, at.y, at.z}, rate[3] = {v.x, v.y, v.z};
  double turn[3];
  turns_of(row->rest.R, turn);
  // w = x a' + Rx y b' + Rx Ry z c'
  const double last = (cos(turn[0]) * o.z - sin(turn[0]) * o.y) / fmax(1e-3, cos(turn[1]));
  const double spin[3] = {o.x - sin(turn[1]) * last, cos(turn[0]) * o.y + sin(turn[0]) * o.z, last};
  if (step >= 'x') return adm_start(w, "slide", slide[step - 'x'], rate[step - 'x']);
  return adm_start(w, "angle", turn[step - 'X'], spin[step - 'X']);
}


// the joint of one step, without its successor
static importJoint *add_step_joint(rowOf *row, char step)
{
  admReader *r = row->r;
  const artJointType type = step == 'S'   ? ART_SPHERICAL
                            : step == 'U' ? ART_UNIVERSAL
                            : step < 'x'  ? ART_REVOLUTE
                                          : ART_PRISMATIC;
  importJoint *joint = import_add_joint(r->w, step_name(row, step), type, -1, -1, row->s->place);
  if (step == 'S') {
    adm_keep_joint(r, row->s, row->i, row->j, joint->name)->is_row = true;
    joint->initial = adm_ball_start(r->w, row->i, row->j, row->rest.R);
  } else if (step != 'U') {
    for (int c = 0; c < 3; c++) joint->axis[c] = (step >= 'x' ? step - 'x' : step - 'X') == c;
    joint->initial = step_start(row, step);
  }
  return joint;
}


int adm_add_row(admReader *r, admStatement *s, admMarker *i, admMarker *j, const char *steps)
{
  importWork *w = r->w;
  if (!strchr(steps, 'S')) adm_add_load(r, (admForce){.s = s, .i = i, .j = j, .form = '?'});
  rowOf row = {.r = r, .s = s, .i = i, .j = j, .rest = adm_relative(i, j)};
  adm_relative_rates(i, j, &row.velocity, &row.omega);
  const int first = w->machine.njoint;
  int from = j->part->body;
  for (int k = 0; steps[k]; k++) {
    int to = i->part->body;
    if (steps[k + 1]) {
      const char *name = import_format(w, "%s_%d", import_spell(w, s->name), k + 1);
      import_add_body(w, import_fresh(w, "%s", name), base_nowhere());
      to = w->machine.nbody - 1;
    }
    importJoint *joint = add_step_joint(&row, steps[k]);
    joint->from = from;
    joint->to = to;
    if (k == 0) joint->from_frame = j->frame;
    if (k == 0 && !j->frame) joint->from_pose = import_pose(j->pose);
    if (!steps[k + 1]) joint->to_frame = i->frame;
    if (steps[k] == 'U') {
      // z of J, then z of I, which must be perpendicular
      modelPose at_j = pose_identity(), at_i = pose_identity();
      adm_cross(row.r, row.s, (v3){0, 0, 1}, row.rest.R.z, joint, &at_j.R, &at_i.R);
      const modelPose turned = {m3_mul_m3(at_i.R, m3_transpose(row.rest.R)), {0, 0, 0}};
      joint->from_pose = import_pose(at_j);
      joint->to_frame = NULL;
      joint->to_pose = import_pose(pose_compose(row.i->pose, turned));
    }
    from = to;
  }
  return first;
}


//---- primitives ----------------------------------------------------------------------------------

void adm_read_jprim(admReader *r, admStatement *s)
{
  static const struct {
    const char *word;
    int least;
    const char *steps, *holds;
  } kinds[] = {{"ATPOINT", 2, "S", "xyz"},        {"INLINE", 3, "zS", "xy"},
               {"INPLANE", 3, "xyS", "z"},        {"ORIENTATION", 2, "xyz", "R"},
               {"PARALLEL_AXES", 2, "xyzZ", "Z"}, {"PERPENDICULAR", 2, "xyzU", ""}};
  admMarker *i, *j;
  adm_need_pair(r, s, &i, &j);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (!adm_has(s, kinds[k].word, kinds[k].least)) continue;
    adm_note_gap(r, s, adm_is_off(r, adm_relative(i, j), kinds[k].holds));
    adm_add_row(r, s, i, j, kinds[k].steps);
    return;
  }
  import_fail(r->w, s->place, "the type of JPRIM/%ld is not known here", s->id);
}


//---- constant velocity ---------------------------------------------------------------------------

// The shafts have equal angular velocities if the joint bends by equal angles on both sides:
// rotations a about x, c about y, a about x again. If the z axes are opposite, as ADAMS requires,
// the shaft I is rotated by half a turn about its x axis.
void adm_read_convel(admReader *r, admStatement *s, admMarker *i, admMarker *j)
{
  importWork *w = r->w;
  const modelPose p = adm_relative(i, j);
  const bool is_opposed = p.R.z.z < 0;
  const m3 flip = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, R = is_opposed ? m3_mul_m3(flip, p.R) : p.R;
  // M = R^T has M21 = sin a sin c, M31 = -cos a sin c, M11 = cos c
  const double sine = hypot(R.x.y, R.x.z);
  double a = sine > 1e-9 ? atan2(R.x.y, -R.x.z) : atan2(R.y.z, R.y.y) / 2;
  double c = sine > 1e-9 ? atan2(sine, R.x.x) : 0;
  if (fabs(a) > 1.5707963267948966) {
    a -= copysign(PI, a);
    c = -c;
  }
  adm_note_gap(r, s, adm_is_off(r, p, "xyz") || fabs(R.x.y - R.y.x) > 1e-6);
  const int first = adm_add_row(r, s, i, j, "XYX");
  importJoint *joint = &w->machine.joint[first];
  for (int k = 0; k < 3; k++) joint[k].initial = adm_start(w, "angle", k == 1 ? c : a, 0);
  if (is_opposed) {
    joint[2].to_frame = NULL;
    joint[2].to_pose = import_pose(pose_compose(i->pose, (modelPose){flip, {0, 0, 0}}));
  }
  for (int k = 0; k < 3; k++) joint[k].is_follower = true; // keep them in the tree
  import_add_item(
      w, "couplings",
      import_name(w, import_fresh(w, "%s_halves", import_spell(w, s->name)), "coupling", s->place),
      s->place, "{type: gear, joints: [%s, %s], ratio: 1}", joint[0].name, joint[2].name);
}
