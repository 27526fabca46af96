// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints of ADAMS decks. A joint leads from the marker J to the marker I, so that coordinates are those of ADAMS: how I
// stands to J. Primitives are rows of simple joints with bodies without mass between them. Loops are left to the reader
// of model files, which finds them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "import/adams.h"
#include "spatial/pose.h"


//---- joints at markers ---------------------------------------------------------------------------

static importJoint *join(admReader *r, admStatement *s, const char *name, importJointType type,
                         const admMarker *i, const admMarker *j)
{
  importJoint *joint = import_add_joint(r->w, name, type, s->place);
  joint->from = j->part->body;
  joint->to = i->part->body;
  joint->from_frame = j->frame;
  joint->to_frame = i->frame;
  return joint;
}


static void note_gap(admReader *r, const admStatement *s, bool is_open)
{
  if (!is_open) return;
  import_note(r->w, s->place,
              "the markers of %s/%ld do not stand to each other as it asks: parts are moved",
              s->verb, s->id);
}


static bool is_near(double a, double b)
{
  return fabs(a - b) < 1e-6;
}


// origins and axes along which a joint does not let its markers part
static bool is_off(const admReader *r, modelPose p, const char *holds)
{
  const double size = 1e-6 * (r->length + fabs(p.r.x) + fabs(p.r.y) + fabs(p.r.z));
  bool off = false;
  for (; *holds; holds++) {
    off = off || (*holds == 'x' && fabs(p.r.x) > size) || (*holds == 'y' && fabs(p.r.y) > size);
    off = off || (*holds == 'z' && fabs(p.r.z) > size);
    off = off || (*holds == 'Z' && !is_near(p.R.z.z, 1));
    off = off || (*holds == 'R' && !(is_near(p.R.x.x, 1) && is_near(p.R.y.y, 1)));
  }
  return off;
}


static double angle_of(modelPose p)
{
  return atan2(p.R.x.y, p.R.x.x);
}


// Joints that hold all axes do so by right angles: axes that point against each other stay so.
static void align(const admMarker *i, const admMarker *j, importJoint *joint, modelPose *p)
{
  const double d[3] = {p->R.x.x, p->R.y.y, p->R.z.z};
  const bool is_flipped =
      is_near(fabs(d[0]), 1) && is_near(fabs(d[1]), 1) && is_near(fabs(d[2]), 1);
  if (!is_flipped || (d[0] > 0 && d[1] > 0)) return;
  const modelPose turn = {.R = m3_transpose(p->R), .r = {0, 0, 0}};
  (void) j;
  joint->to_frame = NULL;
  joint->to_pose = import_pose(pose_compose(i->pose, turn));
  p->R = m3_identity();
}


//---- initial values ------------------------------------------------------------------------------

// how I moves against J: velocity of the origin of I, and angular velocity, in ground axes
static void relative_rates(const admMarker *i, const admMarker *j, v3 *velocity, v3 *omega)
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


// ", NAME: VALUE" behind a text, where it is not zero
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
  relative_rates(i, j, &v, &o);
  const m3 axes = adm_place(j).R;
  const double rate[3] = {v3_dot(v, axes.x), v3_dot(v, axes.y), v3_dot(v, axes.z)};
  const double turn = v3_dot(o, axes.z);
  const char *text = NULL;
  switch (joint->type) {
  case JOINT_REVOLUTE:
    text = with_value(w, with_value(w, text, "angle", angle_of(p)), "rate", turn);
    break;
  case JOINT_PRISMATIC:
    text = with_value(w, with_value(w, text, "slide", p.r.z), "rate", rate[2]);
    break;
  case JOINT_CYLINDRICAL:
    text = with_value(w, with_value(w, text, "slide", p.r.z), "angle", angle_of(p));
    text = with_value(w, with_value(w, text, "slide_rate", rate[2]), "angle_rate", turn);
    break;
  case JOINT_PLANAR:
    text = with_value(w, with_value(w, text, "x", p.r.x), "y", p.r.y);
    text = with_value(w, with_value(w, text, "angle", angle_of(p)), "x_rate", rate[0]);
    text = with_value(w, with_value(w, text, "y_rate", rate[1]), "angle_rate", turn);
    break;
  default:
    break;
  }
  joint->initial = text;
}


// attitude and angular velocity of a ball joint
static const char *ball_start(importWork *w, const admMarker *i, const admMarker *j, m3 R)
{
  double q[4];
  v3 v, o;
  relative_rates(i, j, &v, &o);
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

static admJoint *keep_joint(admReader *r, admStatement *s, admMarker *i, admMarker *j,
                            const char *name)
{
  import_grow(r->w, (void **) &r->joint, r->njoint, &r->joint_capacity, sizeof *r->joint);
  admJoint *kept = &r->joint[r->njoint++];
  *kept = (admJoint){.s = s, .i = i, .j = j, .name = name, .has_reaction = true};
  kept->number = r->w->machine.njoint - 1;
  return kept;
}


// Cross pins are the z axes of the markers, or for HOOKE their x axes. Frames of the joint have z along that of J and y
// along that of I at the start.
static void add_universal(admReader *r, admStatement *s, admMarker *i, admMarker *j, bool is_hooke)
{
  importJoint *joint = join(r, s, s->name, JOINT_UNIVERSAL, i, j);
  const modelPose pi = adm_place(i), pj = adm_place(j);
  const v3 first = is_hooke ? pj.R.x : pj.R.z, second = is_hooke ? pi.R.x : pi.R.z;
  const v3 x = v3_cross(second, first);
  const double length = sqrt(v3_dot(x, x));
  if (length < 0.1) {
    import_fail(r->w, s->place, "axes of %s/%ld are parallel, they must be square to each other",
                s->verb, s->id);
  }
  const v3 ex = v3_scale(1 / length, x), ey = v3_cross(first, ex);
  note_gap(r, s, fabs(v3_dot(first, second)) > 1e-6 || is_off(r, adm_relative(i, j), "xyz"));
  const modelPose at_j = {{ex, ey, first}, pj.r};
  const modelPose at_i = {{ex, second, v3_cross(ex, second)}, pi.r};
  joint->from_frame = joint->to_frame = NULL;
  joint->from_pose = import_pose(pose_compose(pose_inverse(j->part->pose), at_j));
  joint->to_pose = import_pose(pose_compose(pose_inverse(i->part->pose), at_i));
  memcpy(joint->axis, (double[3]){0, 0, 1}, sizeof joint->axis);
  memcpy(joint->axis2, (double[3]){0, 1, 0}, sizeof joint->axis2);
  v3 v, o;
  relative_rates(i, j, &v, &o);
  const char *rates = with_value(r->w, NULL, "angle1_rate", v3_dot(o, first));
  joint->initial = with_value(r->w, rates, "angle2_rate", v3_dot(o, second));
  keep_joint(r, s, i, j, joint->name)->keeps_point = true;
}


static void add_simple(admReader *r, admStatement *s, admMarker *i, admMarker *j,
                       importJointType type)
{
  static const char *const held[JOINT_TYPES] = {
      [JOINT_FIXED] = "xyzR",      [JOINT_REVOLUTE] = "xyzZ", [JOINT_PRISMATIC] = "xyR",
      [JOINT_CYLINDRICAL] = "xyZ", [JOINT_PLANAR] = "zZ",     [JOINT_SPHERICAL] = "xyz"};
  modelPose p = adm_relative(i, j);
  importJoint *joint = join(r, s, s->name, type, i, j);
  if (type == JOINT_FIXED || type == JOINT_PRISMATIC) align(i, j, joint, &p);
  note_gap(r, s, is_off(r, p, held[type]));
  if (type == JOINT_PLANAR) memcpy(joint->axis2, (double[3]){1, 0, 0}, sizeof joint->axis2);
  if (type == JOINT_SPHERICAL) {
    joint->initial = ball_start(r->w, i, j, p.R);
  } else {
    start_along(r, joint, i, j, p);
  }
  admJoint *kept = keep_joint(r, s, i, j, joint->name);
  kept->slides = type == JOINT_PRISMATIC || type == JOINT_CYLINDRICAL;
  kept->turns = type == JOINT_REVOLUTE || type == JOINT_CYLINDRICAL;
  kept->keeps_point = type == JOINT_REVOLUTE || type == JOINT_SPHERICAL || type == JOINT_FIXED;
  kept->slide = p.r.z;
  kept->angle = angle_of(p);
}


//---- statements ----------------------------------------------------------------------------------

// a length that a rod keeps: GCON of DM(i, j) - length
static bool is_distance(const admExpr *e, const admExpr **call, double *length)
{
  if (e->type != '-') return false;
  const admExpr *a = e->arg[0], *b = e->arg[1];
  const bool is_turned = a->type == 'n';
  *call = is_turned ? b : a;
  const admExpr *number = is_turned ? a : b;
  if (number->type != 'n' || (*call)->type != 'c' || strcmp((*call)->name, "DM") != 0) return false;
  *length = number->number;
  return (*call)->narg == 2 && (*call)->arg[0]->type == 'n' && (*call)->arg[1]->type == 'n';
}


static void read_gcon(admReader *r, admStatement *s)
{
  importWork *w = r->w;
  admField *field = adm_field(s, "FUNCTION", 2);
  if (!field) import_fail(w, s->place, "GCON/%ld has no FUNCTION", s->id);
  const admExpr *call = NULL;
  double length = 0;
  if (!is_distance(adm_parse(r, field->value, field->place), &call, &length)) {
    import_fail(w, field->place,
                "GCON/%ld: of general constraints distances are known here, DM(i, j) - LENGTH",
                s->id);
  }
  const admMarker *end[2];
  for (int k = 0; k < 2; k++)
    end[k] = adm_marker_by_id(r, (long) call->arg[k]->number, field->place);
  importJoint *rod = join(r, s, s->name, JOINT_ROD, end[0], end[1]);
  rod->length = adm_si(length, r->length);
  if (!(rod->length > 0)) import_fail(w, field->place, "a distance of GCON must be positive");
  adm_field(s, "I", 1);
  admJoint *kept = keep_joint(r, s, (admMarker *) end[0], (admMarker *) end[1], rod->name);
  kept->is_rod = true;
}


static void read_joint(admReader *r, admStatement *s)
{
  static const struct {
    const char *word;
    int least;
    importJointType type;
  } types[] = {{"REVOLUTE", 1, JOINT_REVOLUTE},       {"TRANSLATIONAL", 1, JOINT_PRISMATIC},
               {"CYLINDRICAL", 2, JOINT_CYLINDRICAL}, {"SPHERICAL", 2, JOINT_SPHERICAL},
               {"PLANAR", 1, JOINT_PLANAR},           {"FIXED", 1, JOINT_FIXED}};
  admMarker *i = adm_need_marker(r, s, "I"), *j = adm_need_marker(r, s, "J");
  if (i->part == j->part) {
    import_fail(r->w, s->place, "both markers of JOINT/%ld are in one part", s->id);
  }
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    if (!adm_has(s, types[k].word, types[k].least)) continue;
    add_simple(r, s, i, j, types[k].type);
    return;
  }
  const bool is_hooke = adm_has(s, "HOOKE", 1);
  if (!is_hooke && !adm_has(s, "UNIVERSAL", 1)) {
    import_fail(r->w, s->place, "the type of JOINT/%ld is not known here", s->id);
  }
  add_universal(r, s, i, j, is_hooke);
}


void adm_read_joints(admReader *r)
{
  for (int i = 0; i < r->nstatement; i++) {
    admStatement *s = &r->statement[i];
    if (strcmp(s->verb, "JOINT") == 0) read_joint(r, s);
    if (strcmp(s->verb, "GCON") == 0) read_gcon(r, s);
  }
}


//---- what holds the parts ------------------------------------------------------------------------

// parts that are joined to ground are in its group; a joint within a group closes a loop
typedef struct admGraph {
  int *of_body; // groups by bodies + 1: bodies without mass between joints have one, too
  bool *has_loop;
} admGraph;


static int find_group(const int *parent, int i)
{
  while (parent[i] != i) i = parent[i];
  return i;
}


static void connect(importWork *w, admGraph *g)
{
  const importMachine *m = &w->machine;
  const size_t n = (size_t) m->nbody + 1;
  g->of_body = import_take(w, n, sizeof *g->of_body);
  g->has_loop = import_take(w, n, sizeof *g->has_loop);
  for (size_t i = 0; i < n; i++) g->of_body[i] = (int) i;
  for (int k = 0; k < m->njoint; k++) {
    const importJoint *joint = &m->joint[k];
    const int a = find_group(g->of_body, joint->from + 1),
              b = find_group(g->of_body, joint->to + 1);
    if (joint->type == JOINT_ROD) continue;
    if (a == b) g->has_loop[a] = true;
    const int kept = a < b ? a : b, gone = a < b ? b : a;
    g->of_body[gone] = kept;
    g->has_loop[kept] = g->has_loop[kept] || g->has_loop[gone];
  }
  for (int k = 0; k < m->njoint; k++) {
    if (m->joint[k].type != JOINT_ROD) continue;
    g->has_loop[find_group(g->of_body, m->joint[k].from + 1)] = true;
    g->has_loop[find_group(g->of_body, m->joint[k].to + 1)] = true;
  }
}


// a part that nothing joins to ground flies
static void add_flight(admReader *r, const admPart *part, bool is_guess)
{
  importWork *w = r->w;
  const importBody *body = &w->machine.body[part->body];
  const char *name = import_fresh(w, import_format(w, "%s_free", body->name));
  importJoint *joint = import_add_joint(w, name, JOINT_FREE, base_nowhere());
  joint->from = -1;
  joint->to = part->body;
  joint->is_guess = is_guess;
  const v3 omega = {part->omega[0], part->omega[1], part->omega[2]};
  const v3 arm = v3_sub(part->pose.r, (v3){part->cm[0], part->cm[1], part->cm[2]});
  const v3 v = v3_add((v3){part->velocity[0], part->velocity[1], part->velocity[2]},
                      v3_cross(omega, arm)),
           o = m3_mul(part->pose.R, omega);
  const double x[3] = {part->pose.r.x, part->pose.r.y, part->pose.r.z};
  double q[4];
  pose_quaternion(part->pose.R, q);
  const bool is_home = x[0] == 0 && x[1] == 0 && x[2] == 0 && q[0] == 1 && !part->has_velocity;
  const char *text = import_format(w, "position: %s", import_list(w, 3, x));
  if (is_home) return;
  if (q[0] < 1 - 1e-15) text = import_format(w, "%s, orientation: %s", text, import_list(w, 4, q));
  if (part->has_velocity) {
    text = import_format(w, "%s, velocity: %s, angular_velocity: %s", text,
                         import_list(w, 3, (double[3]){v.x, v.y, v.z}),
                         import_list(w, 3, (double[3]){o.x, o.y, o.z}));
  }
  joint->initial = text;
}


// how many joints lie between ground and each body, by bodies + 1
static int *find_depths(importWork *w)
{
  const importMachine *m = &w->machine;
  int *depth = import_take(w, (size_t) m->nbody + 1, sizeof *depth);
  for (int i = 1; i <= m->nbody; i++) depth[i] = m->nbody + 1;
  for (bool changes = true; changes;) {
    changes = false;
    for (int k = 0; k < m->njoint; k++) {
      if (m->joint[k].type == JOINT_ROD) continue;
      int *a = &depth[m->joint[k].from + 1], *b = &depth[m->joint[k].to + 1];
      int *far = *a > *b ? a : b;
      const int near = *a > *b ? *b : *a;
      if (*far <= near + 1 || near > m->nbody) continue;
      *far = near + 1;
      changes = true;
    }
  }
  return depth;
}


// Coordinates of a ball joint describe the body behind it as the one before it sees it, so it leads away from ground.
static void turn_balls(admReader *r)
{
  importWork *w = r->w;
  const int *depth = find_depths(w);
  for (int k = 0; k < r->njoint; k++) {
    admJoint *kept = &r->joint[k];
    importJoint *joint = &w->machine.joint[kept->number];
    if (joint->type != JOINT_SPHERICAL || depth[joint->from + 1] <= depth[joint->to + 1]) continue;
    kept->is_swapped = true;
    joint->from = kept->i->part->body;
    joint->to = kept->j->part->body;
    joint->from_frame = kept->i->frame;
    joint->to_frame = kept->j->frame;
    joint->initial = ball_start(w, kept->j, kept->i, adm_relative(kept->j, kept->i).R);
  }
}


void adm_read_start(admReader *r)
{
  importWork *w = r->w;
  admGraph g;
  connect(w, &g);
  w->machine.is_graph = true;
  bool *is_held = import_take(w, (size_t) w->machine.nbody + 1, sizeof *is_held);
  is_held[0] = true;
  for (int i = 0; i < r->npart; i++) {
    if (r->part[i].body < 0) continue;
    const int group = find_group(g.of_body, r->part[i].body + 1);
    if (is_held[group]) continue;
    is_held[group] = true;
    add_flight(r, &r->part[i], g.has_loop[group]);
  }
  turn_balls(r);
  for (int k = 0; k < w->machine.njoint; k++) {
    importJoint *joint = &w->machine.joint[k];
    const int end = joint->to >= 0 ? joint->to : joint->from;
    joint->is_guess = g.has_loop[find_group(g.of_body, end + 1)];
  }
}


//---- turns ---------------------------------------------------------------------------------------

static v3 axis_of(modelPose p, int axis)
{
  return axis == 0 ? p.R.x : axis == 1 ? p.R.y : p.R.z;
}


// ADAMS counts whole turns, which coordinates do and functions of directions do not.
bool adm_turn(admReader *r, const admMarker *i, const admMarker *j, int axis, admAxis *turn)
{
  importWork *w = r->w;
  for (int k = 0; k < r->njoint; k++) {
    admJoint *joint = &r->joint[k];
    const bool is_same = joint->i->part == i->part && joint->j->part == j->part;
    const bool is_turned = joint->i->part == j->part && joint->j->part == i->part;
    if (!joint->turns || !(is_same || is_turned)) continue;
    const modelPose at_i = adm_place(i), at_j = adm_place(j), at = adm_place(joint->j);
    const double along = v3_dot(axis_of(at_j, axis), at.R.z);
    if (fabs(fabs(along) - 1) > 1e-9) continue;
    if (fabs(v3_dot(axis_of(at_i, axis), axis_of(at_j, axis)) - 1) > 1e-9) continue;
    // the next axis turns into the one behind it
    const v3 from = axis_of(at_j, (axis + 1) % 3), beside = axis_of(at_j, (axis + 2) % 3);
    const v3 next = axis_of(at_i, (axis + 1) % 3);
    const double angle = atan2(v3_dot(next, beside), v3_dot(next, from));
    const bool has_two = joint->slides;
    turn->joint = joint;
    turn->coordinate = import_format(w, "%s.angle", joint->name);
    turn->rate = import_format(w, "%s.%s", joint->name, has_two ? "angle_rate" : "rate");
    turn->sign = (is_same ? 1 : -1) * (along > 0 ? 1 : -1);
    turn->offset = angle - turn->sign * joint->angle;
    if (fabs(turn->offset) < 1e-12) turn->offset = 0;
    return true;
  }
  return false;
}
