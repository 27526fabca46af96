// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints of ADAMS decks. A joint leads from the marker J to the marker I, so that its coordinates
// agree with those of ADAMS: the pose of I relative to J.
#include <math.h>
#include <string.h>

#include "import/adams.h"
#include "spatial/pose.h"


//---- joints at markers ---------------------------------------------------------------------------

static importJoint *join_markers(admReader *r, admStatement *s, const char *name, artJointType type,
                                 const admMarker *i, const admMarker *j)
{
  importJoint *joint = import_add_joint(r->w, name, type, j->part->body, i->part->body, s->place);
  joint->from_frame = j->frame;
  joint->to_frame = i->frame;
  return joint;
}


void adm_note_gap(admReader *r, const admStatement *s, bool is_open)
{
  if (!is_open) return;
  import_note(r->w, s->place,
              "the markers of %s/%ld are not placed to each other as it asks: parts are moved",
              s->verb, s->id);
}


static bool is_near_cosine(double a, double b)
{
  return fabs(a - b) < 1e-6;
}


bool adm_is_off(const admReader *r, modelPose p, const char *holds)
{
  const double size = 1e-6 * (r->length + fabs(p.r.x) + fabs(p.r.y) + fabs(p.r.z));
  bool off = false;
  for (; *holds; holds++) {
    off = off || (*holds == 'x' && fabs(p.r.x) > size) || (*holds == 'y' && fabs(p.r.y) > size);
    off = off || (*holds == 'z' && fabs(p.r.z) > size);
    off = off || (*holds == 'Z' && !is_near_cosine(p.R.z.z, 1));
    off = off || (*holds == 'R' && !(is_near_cosine(p.R.x.x, 1) && is_near_cosine(p.R.y.y, 1)));
  }
  return off;
}


static double angle_of(modelPose p)
{
  return atan2(p.R.x.y, p.R.x.x);
}


// Joints that fix all axes do so by right angles, so axes in opposite directions remain opposite.
static void align_flipped_axes(const admMarker *i, importJoint *joint, modelPose *p)
{
  const double d[3] = {p->R.x.x, p->R.y.y, p->R.z.z};
  const bool is_flipped = is_near_cosine(fabs(d[0]), 1) && is_near_cosine(fabs(d[1]), 1) &&
                          is_near_cosine(fabs(d[2]), 1);
  if (!is_flipped || (d[0] > 0 && d[1] > 0)) return;
  const modelPose turn = {.R = m3_transpose(p->R), .r = {0, 0, 0}};
  joint->to_frame = NULL;
  joint->to_pose = import_pose(pose_compose(i->pose, turn));
  p->R = m3_identity();
}


//---- initial values ------------------------------------------------------------------------------

void adm_relative_rates(const admMarker *i, const admMarker *j, v3 *velocity, v3 *omega)
{
  const v3 at = adm_place(i).r;
  v3 v[2], w[2];
  for (int k = 0; k < 2; k++) {
    const admPart *p = k ? j->part : i->part;
    w[k] = (v3){p->omega[0], p->omega[1], p->omega[2]};
    const v3 arm = v3_sub(at, (v3){p->cm[0], p->cm[1], p->cm[2]});
    v[k] = v3_add((v3){p->velocity[0], p->velocity[1], p->velocity[2]}, v3_cross(w[k], arm));
  }
  *velocity = v3_sub(v[0], v[1]);
  *omega = v3_sub(w[0], w[1]);
}


// append ", NAME: VALUE" if the value is not zero
static const char *with_value(importWork *w, const char *text, const char *name, double value)
{
  if (fabs(value) < 1e-15) return text;
  return import_format(w, "%s%s%s: %s", text ? text : "", text ? ", " : "", name,
                       import_number(w, value));
}


static void start_along(admReader *r, importJoint *joint, const admMarker *i, const admMarker *j,
                        modelPose p)
{
  importWork *w = r->w;
  v3 v, o;
  adm_relative_rates(i, j, &v, &o);
  const m3 axes = adm_place(j).R;
  const double rate[3] = {v3_dot(v, axes.x), v3_dot(v, axes.y), v3_dot(v, axes.z)};
  const double turn = v3_dot(o, axes.z);
  const char *text = NULL;
  switch (joint->type) {
  case ART_REVOLUTE:
    text = with_value(w, with_value(w, text, "angle", angle_of(p)), "rate", turn);
    break;
  case ART_PRISMATIC:
    text = with_value(w, with_value(w, text, "slide", p.r.z), "rate", rate[2]);
    break;
  case ART_CYLINDRICAL:
    text = with_value(w, with_value(w, text, "slide", p.r.z), "angle", angle_of(p));
    text = with_value(w, with_value(w, text, "slide_rate", rate[2]), "angle_rate", turn);
    break;
  case ART_PLANAR:
    text = with_value(w, with_value(w, text, "x", p.r.x), "y", p.r.y);
    text = with_value(w, with_value(w, text, "angle", angle_of(p)), "x_rate", rate[0]);
    text = with_value(w, with_value(w, text, "y_rate", rate[1]), "angle_rate", turn);
    break;
  default: break;
  }
  joint->initial = text;
}


const char *adm_start(importWork *w, const char *coordinate, double value, double rate)
{
  return with_value(w, with_value(w, NULL, coordinate, value), "rate", rate);
}


const char *adm_ball_start(importWork *w, const admMarker *i, const admMarker *j, m3 R)
{
  double q[4];
  v3 v, o;
  adm_relative_rates(i, j, &v, &o);
  const v3 inside = m3_mul(adm_place(i).R, o);
  const double rates[3] = {inside.x, inside.y, inside.z};
  pose_quaternion(R, q);
  const char *text = NULL;
  if (q[0] < 1 - 1e-15) text = import_format(w, "orientation: %s", import_list(w, 4, q));
  if (rates[0] == 0 && rates[1] == 0 && rates[2] == 0) return text;
  return import_format(w, "%s%sangular_velocity: %s", text ? text : "", text ? ", " : "",
                       import_list(w, 3, rates));
}


//---- simple joints -------------------------------------------------------------------------------

admJoint *adm_keep_joint(admReader *r, admStatement *s, admMarker *i, admMarker *j,
                         const char *name)
{
  import_grow(r->w, (void **) &r->joint, r->njoint, &r->joint_capacity, sizeof *r->joint);
  admJoint *kept = &r->joint[r->njoint++];
  *kept = (admJoint){.s = s, .i = i, .j = j, .name = name, .has_reaction = true};
  kept->number = r->w->machine.njoint - 1;
  return kept;
}


void adm_cross(admReader *r, const admStatement *s, v3 first, v3 second, importJoint *joint,
               m3 *at_j, m3 *at_i)
{
  const v3 x = v3_cross(second, first);
  const double length = sqrt(v3_dot(x, x));
  if (length < 0.1) {
    import_fail(r->w, s->place, "axes of %s/%ld are parallel, they must be square to each other",
                s->verb, s->id);
  }
  const v3 ex = v3_scale(1 / length, x);
  *at_j = (m3){ex, v3_cross(first, ex), first};
  *at_i = (m3){ex, second, v3_cross(ex, second)};
  memcpy(joint->axis, (double[3]){0, 0, 1}, sizeof joint->axis);
  memcpy(joint->axis2, (double[3]){0, 1, 0}, sizeof joint->axis2);
}


// The axes of the cross are the z axes of the markers, for HOOKE x of I and y of J. Frames of the
// joint have z along that of J and y along that of I at the start.
static void add_universal(admReader *r, admStatement *s, admMarker *i, admMarker *j, bool is_hooke)
{
  importJoint *joint = join_markers(r, s, s->name, ART_UNIVERSAL, i, j);
  const modelPose pi = adm_place(i), pj = adm_place(j);
  const v3 first = is_hooke ? pj.R.y : pj.R.z, second = is_hooke ? pi.R.x : pi.R.z;
  modelPose at_j = pj, at_i = pi;
  adm_cross(r, s, first, second, joint, &at_j.R, &at_i.R);
  adm_note_gap(r, s,
               fabs(v3_dot(first, second)) > 1e-6 || adm_is_off(r, adm_relative(i, j), "xyz"));
  joint->from_frame = joint->to_frame = NULL;
  joint->from_pose = import_pose(pose_compose(pose_inverse(j->part->pose), at_j));
  joint->to_pose = import_pose(pose_compose(pose_inverse(i->part->pose), at_i));
  v3 v, o;
  adm_relative_rates(i, j, &v, &o);
  const char *rates = with_value(r->w, NULL, "angle1_rate", v3_dot(o, first));
  joint->initial = with_value(r->w, rates, "angle2_rate", v3_dot(o, second));
  adm_keep_joint(r, s, i, j, joint->name)->keeps_point = true;
}


static void add_simple(admReader *r, admStatement *s, admMarker *i, admMarker *j, artJointType type)
{
  static const char *const held[ART_JOINT_TYPES] = {
      [ART_FIXED] = "xyzR",      [ART_REVOLUTE] = "xyzZ", [ART_PRISMATIC] = "xyR",
      [ART_CYLINDRICAL] = "xyZ", [ART_PLANAR] = "zZ",     [ART_SPHERICAL] = "xyz"};
  modelPose p = adm_relative(i, j);
  importJoint *joint = join_markers(r, s, s->name, type, i, j);
  if (type == ART_FIXED || type == ART_PRISMATIC) align_flipped_axes(i, joint, &p);
  adm_note_gap(r, s, adm_is_off(r, p, held[type]));
  if (type == ART_PLANAR) memcpy(joint->axis2, (double[3]){1, 0, 0}, sizeof joint->axis2);
  if (type == ART_SPHERICAL) {
    joint->initial = adm_ball_start(r->w, i, j, p.R);
  } else {
    start_along(r, joint, i, j, p);
  }
  admJoint *kept = adm_keep_joint(r, s, i, j, joint->name);
  kept->slides = type == ART_PRISMATIC || type == ART_CYLINDRICAL;
  kept->turns = type == ART_REVOLUTE || type == ART_CYLINDRICAL;
  kept->keeps_point = type == ART_REVOLUTE || type == ART_SPHERICAL || type == ART_FIXED;
  kept->slide = p.r.z;
  kept->angle = kept->drawn = angle_of(p);
}


//---- statements ----------------------------------------------------------------------------------

static v3 pose_axis_of(modelPose p, int axis)
{
  ART_ASSERT(axis >= 0 && axis < 3);
  return axis == 0 ? p.R.x : axis == 1 ? p.R.y : p.R.z;
}


// a function of markers plus a constant: DM(i, j) - 2
static bool is_fixed_function(const admExpr *e, const admExpr **call, double *number)
{
  while (e->type == 'm') e = e->arg[0];
  *number = 0;
  *call = e;
  if (e->type == '-' || e->type == '+') {
    const bool is_first = e->arg[0]->type == 'n';
    const admExpr *value = e->arg[is_first ? 0 : 1];
    *call = e->arg[is_first ? 1 : 0];
    *number = e->type == '+' ? -value->number : value->number;
    if (value->type != 'n') return false;
  }
  bool is_it = (*call)->type == 'c' && (*call)->narg >= 2;
  for (int k = 0; k < (*call)->narg; k++) is_it = is_it && (*call)->arg[k]->type == 'n';
  return is_it;
}


// a constant distance: a rod
static void add_adams_rod(admReader *r, admStatement *s, admMarker *i, admMarker *j, double length)
{
  importJoint *rod = join_markers(r, s, s->name, ART_ROD, i, j);
  rod->length = adm_si(length, r->length);
  if (!(rod->length > 0)) import_fail(r->w, s->place, "a distance of GCON must be positive");
  adm_keep_joint(r, s, i, j, rod->name)->is_rod = true;
}


// a constant displacement along an axis of J's part: i stays in a plane
static void add_plane(admReader *r, admStatement *s, admMarker *i, admMarker *j,
                      const admMarker *axes, int axis, double place)
{
  const m3 R = axes->pose.R;
  const v3 normal = pose_axis_of(axes->pose, axis);
  admMarker *plane = import_take(r->w, 1, sizeof *plane);
  *plane = *j;
  plane->frame = NULL;
  plane->pose.r = v3_add(j->pose.r, v3_scale(adm_si(place, r->length), normal));
  plane->pose.R = axis == 0 ? (m3){R.y, R.z, R.x} : axis == 1 ? (m3){R.z, R.x, R.y} : R;
  adm_note_gap(r, s, adm_is_off(r, adm_relative(i, plane), "z"));
  adm_add_row(r, s, i, plane, "xyS");
}


static void read_gcon(admReader *r, admStatement *s)
{
  static const char *const known[] = {"DX", "DY", "DZ", "DM"};
  importWork *w = r->w;
  admField *field = adm_need_function(r, s);
  const admExpr *call = NULL;
  double number = 0;
  int kind = 4;
  adm_field(s, "I", 1);
  if (is_fixed_function(adm_parse(r, field->value, field->place), &call, &number)) {
    for (kind = 0; kind < 4 && strcmp(known[kind], call->name) != 0;) kind++;
  }
  const bool has_axes = kind < 3 && call->narg == 3 && call->arg[2]->number > 0;
  admMarker *m[3] = {NULL, NULL, NULL};
  for (int k = 0; kind < 4 && k < call->narg && k < 3; k++) {
    m[k] = adm_marker_by_id(r, adm_whole(call->arg[k]->number), field->place);
  }
  if (kind == 3 && call->narg == 2) {
    add_adams_rod(r, s, m[0], m[1], number);
  } else if (has_axes && m[2]->part == m[1]->part && m[0]->part != m[1]->part) {
    add_plane(r, s, m[0], m[1], m[2], kind, number);
  } else {
    import_fail(w, field->place,
                "GCON/%ld: of general constraints those are known here that keep DM(i, j), or DX, "
                "DY, DZ(i, j, k) with j and k in one part",
                s->id);
  }
}


// initial displacement and velocity: IC for one coordinate, ICTRAN and ICROT for two
static void read_joint_start(admReader *r, admStatement *s, admJoint *kept)
{
  importWork *w = r->w;
  importJoint *joint = &w->machine.joint[kept->number];
  admField *one = adm_field(s, "IC", 2), *slide = adm_field(s, "ICTRAN", 3),
           *turn = adm_field(s, "ICROT", 3);
  double q[2][2] = {{NAN, NAN}, {NAN, NAN}};
  if (one) adm_numbers(r, one, 2, q[kept->turns && !kept->slides]);
  if (slide) adm_numbers(r, slide, 2, q[0]);
  if (turn) adm_numbers(r, turn, 2, q[1]);
  const bool has_two = kept->slides && kept->turns;
  const char *text = NULL;
  for (int k = 0; k < 2; k++) {
    if (isnan(q[k][0])) continue;
    if (k ? !kept->turns : !kept->slides) {
      import_fail(w, s->place, "JOINT/%ld starts along a coordinate that it has not", s->id);
    }
    const double unit = k ? 1 : r->length, rate = isnan(q[k][1]) ? 0 : q[k][1];
    *(k ? &kept->angle : &kept->slide) = adm_si(q[k][0], unit);
    const char *stem = k ? "angle" : "slide";
    text =
        import_format(w, "%s%s%s: %s, %s%s: %s", text ? text : "", text ? ", " : "", stem,
                      import_number(w, adm_si(q[k][0], unit)), has_two ? stem : "",
                      has_two ? "_rate" : "rate", import_number(w, adm_si(rate, unit / r->time)));
  }
  if (!text) return;
  joint->initial = text;
  kept->has_start = true;
}


static void read_adams_joint(admReader *r, admStatement *s)
{
  static const struct {
    const char *word;
    int least;
    artJointType type;
  } types[] = {{"REVOLUTE", 2, ART_REVOLUTE},       {"TRANSLATIONAL", 1, ART_PRISMATIC},
               {"CYLINDRICAL", 2, ART_CYLINDRICAL}, {"SPHERICAL", 2, ART_SPHERICAL},
               {"PLANAR", 1, ART_PLANAR},           {"FIXED", 1, ART_FIXED}};
  admMarker *i, *j;
  adm_need_pair(r, s, &i, &j);
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    if (!adm_has(s, types[k].word, types[k].least)) continue;
    add_simple(r, s, i, j, types[k].type);
    read_joint_start(r, s, &r->joint[r->njoint - 1]);
    return;
  }
  const bool is_hooke = adm_has(s, "HOOKE", 1);
  if (is_hooke || adm_has(s, "UNIVERSAL", 1)) {
    add_universal(r, s, i, j, is_hooke);
  } else if (adm_has(s, "CONVEL", 2)) {
    adm_read_convel(r, s, i, j);
  } else if (!adm_has(s, "SCREW", 2) && !adm_has(s, "RACKPIN", 2)) {
    import_fail(r->w, s->place, "the type of JOINT/%ld is not known here", s->id);
  }
}


admJoint *adm_find_joint(admReader *r, long id, artPlace place)
{
  for (int k = 0; k < r->njoint; k++) {
    if (strcmp(r->joint[k].s->verb, "JOINT") == 0 && r->joint[k].s->id == id) return &r->joint[k];
  }
  import_fail(r->w, place, "there is no JOINT/%ld that moves along a coordinate", id);
}


void adm_read_joints(admReader *r)
{
  for (int i = 0; i < r->nstatement; i++) {
    admStatement *s = &r->statement[i];
    if (strcmp(s->verb, "JOINT") == 0) read_adams_joint(r, s);
    if (strcmp(s->verb, "JPRIM") == 0) adm_read_jprim(r, s);
    if (strcmp(s->verb, "GCON") == 0) read_gcon(r, s);
  }
  for (int i = 0; i < r->nstatement; i++) {
    // statements that relate coordinates of joints read before
    admStatement *s = &r->statement[i];
    const bool is_joint = strcmp(s->verb, "JOINT") == 0;
    if (strcmp(s->verb, "COUPLER") == 0) adm_read_coupler(r, s);
    if (strcmp(s->verb, "GEAR") == 0) adm_read_gear(r, s);
    if (is_joint && adm_has(s, "SCREW", 2)) {
      adm_read_screw(r, s, adm_need_marker(r, s, "I"), adm_need_marker(r, s, "J"));
    }
    if (is_joint && adm_has(s, "RACKPIN", 2)) {
      adm_read_rackpin(r, s, adm_need_marker(r, s, "I"), adm_need_marker(r, s, "J"));
    }
  }
}


//---- rotations -----------------------------------------------------------------------------------

// ADAMS counts whole turns; joint coordinates do too, functions of directions do not.
bool adm_turn(admReader *r, const admMarker *i, const admMarker *j, int axis, admAxis *turn)
{
  importWork *w = r->w;
  for (int k = 0; k < r->njoint; k++) {
    admJoint *joint = &r->joint[k];
    const bool is_same = joint->i->part == i->part && joint->j->part == j->part;
    const bool is_turned = joint->i->part == j->part && joint->j->part == i->part;
    if (!joint->turns || !(is_same || is_turned)) continue;
    const modelPose at_i = adm_place(i), at_j = adm_place(j), at = adm_place(joint->j);
    const double along = v3_dot(pose_axis_of(at_j, axis), at.R.z);
    if (fabs(fabs(along) - 1) > 1e-9) continue;
    if (fabs(v3_dot(pose_axis_of(at_i, axis), pose_axis_of(at_j, axis)) - 1) > 1e-9) continue;
    // positive from the next axis to the one after it
    const v3 from = pose_axis_of(at_j, (axis + 1) % 3), beside = pose_axis_of(at_j, (axis + 2) % 3);
    const v3 next = pose_axis_of(at_i, (axis + 1) % 3);
    const double angle = atan2(v3_dot(next, beside), v3_dot(next, from));
    const bool has_two = joint->slides;
    turn->joint = joint;
    turn->coordinate = import_format(w, "%s.angle", joint->name);
    turn->rate = import_format(w, "%s.%s", joint->name, has_two ? "angle_rate" : "rate");
    turn->sign = (is_same ? 1 : -1) * (along > 0 ? 1 : -1);
    turn->offset = angle - turn->sign * joint->drawn;
    if (fabs(turn->offset) < 1e-12) turn->offset = 0;
    return true;
  }
  return false;
}
