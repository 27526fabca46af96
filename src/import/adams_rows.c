// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraints of ADAMS that are no joint of ours, as rows of simple joints from the marker J to the marker I, with bodies
// without mass between them: primitives, joints of constant velocity, motions of a marker against another.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "import/adams.h"


// Steps of a row: x, y, z slide along axes of J, X, Y, Z turn about the axes that the step before it leaves, S is a ball,
// U a cross with the z axes of J and I.
typedef struct rowOf {
  admReader *r;
  admStatement *s;
  admMarker *i, *j;
  modelPose rest; // of I, as the step sees it
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


// turns about x, y and z that make the axes of I, the moving ones one after the other
static void turns_of(m3 R, double a[3])
{
  a[0] = atan2(-R.z.y, R.z.z);
  a[1] = asin(fmax(-1, fmin(1, R.z.x)));
  a[2] = atan2(-R.y.x, R.x.x);
}


// coordinate and rate of a step
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


// the joint of one step; where it leads to is another matter
static importJoint *add_step(rowOf *row, char step)
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


// z of J, then z of I, which must be square to each other
static void add_cross(rowOf *row, importJoint *joint)
{
  const v3 second = row->rest.R.z, first = {0, 0, 1}, x = v3_cross(second, first);
  const double length = sqrt(v3_dot(x, x));
  if (length < 0.1) {
    import_fail(row->r->w, row->s->place, "axes of %s/%ld are parallel, they must be square",
                row->s->verb, row->s->id);
  }
  const v3 ex = v3_scale(1 / length, x);
  const modelPose at_j = {{ex, v3_cross(first, ex), first}, {0, 0, 0}};
  const modelPose at_i = {{ex, second, v3_cross(ex, second)}, {0, 0, 0}};
  const modelPose turned = {m3_mul_m3(at_i.R, m3_transpose(row->rest.R)), {0, 0, 0}};
  joint->from_pose = import_pose(at_j);
  joint->to_frame = NULL;
  joint->to_pose = import_pose(pose_compose(row->i->pose, turned));
  memcpy(joint->axis, (double[3]){0, 0, 1}, sizeof joint->axis);
  memcpy(joint->axis2, (double[3]){0, 1, 0}, sizeof joint->axis2);
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
    importJoint *joint = add_step(&row, steps[k]);
    joint->from = from;
    joint->to = to;
    if (k == 0) joint->from_frame = j->frame;
    if (k == 0 && !j->frame) joint->from_pose = import_pose(j->pose);
    if (!steps[k + 1]) joint->to_frame = i->frame;
    if (steps[k] == 'U') add_cross(&row, joint);
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
  admMarker *i = adm_need_marker(r, s, "I"), *j = adm_need_marker(r, s, "J");
  if (i->part == j->part) {
    import_fail(r->w, s->place, "both markers of JPRIM/%ld are in one part", s->id);
  }
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (!adm_has(s, kinds[k].word, kinds[k].least)) continue;
    adm_note_gap(r, s, adm_is_off(r, adm_relative(i, j), kinds[k].holds));
    adm_add_row(r, s, i, j, kinds[k].steps);
    return;
  }
  import_fail(r->w, s->place, "the type of JPRIM/%ld is not known here", s->id);
}


//---- constant velocity ---------------------------------------------------------------------------

// Shafts turn alike when the joint bends by equal parts on both sides: turns a about x, c about y, a about x again. Where z
// axes point away from each other, as ADAMS wants them, the shaft I stands turned by half a turn about its x axis.
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
    a -= copysign(3.14159265358979323846, a);
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
  for (int k = 0; k < 3; k++) joint[k].is_follower = true; // they stay in the tree
  import_add_item(
      w, "couplings",
      import_name(w, import_fresh(w, "%s_halves", import_spell(w, s->name)), "coupling", s->place),
      s->place, "{type: gear, joints: [%s, %s], ratio: 1}", joint[0].name, joint[2].name);
}
