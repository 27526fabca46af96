// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Actuators of MJCF as inputs, blocks if they have a state, and forces.
//
//    force = (g0 + g1 length + g2 rate) a + b0 + b1 length + b2 rate,   along the transmission times its gear
//
// with the activation a: the input, its integral, or the filtered input.
#include <math.h>
#include <string.h>

#include "import/mjcf.h"

typedef enum mjcfState { STATE_NONE, STATE_INTEGRAL, STATE_LAG } mjcfState;

typedef struct mjcfLaw {
  double gain[3], bias[3];
  bool has_gains, has_bias; // gains other than the first; any bias
  mjcfState state;
  double lag;
  bool is_limited; // its activation always has a range
  bool is_other;   // of an unsupported form
} mjcfLaw;

// transmission: one of these
typedef struct mjcfDrive {
  const mjcfJoint *joint;
  mjcfTendon *tendon;
  const mjcfSite *site;
  double gear[6];
} mjcfDrive;


//---- laws ----------------------------------------------------------------------------------------

static void read_general(mjcfReader *r, xmlNode *node, mjcfLaw *law)
{
  double gain[10] = {law->gain[0], law->gain[1], law->gain[2]},
         bias[10] = {law->bias[0], law->bias[1], law->bias[2]}, dynamics[10] = {law->lag};
  const char *gaintype = xml_get(node, "gaintype"), *biastype = xml_get(node, "biastype"),
             *dyntype = xml_get(node, "dyntype");
  mjcf_some(r, node->place, "gainprm", xml_get(node, "gainprm"), 10, gain);
  mjcf_some(r, node->place, "biasprm", xml_get(node, "biasprm"), 10, bias);
  mjcf_some(r, node->place, "dynprm", xml_get(node, "dynprm"), 10, dynamics);
  memcpy(law->gain, gain, sizeof law->gain);
  memcpy(law->bias, bias, sizeof law->bias);
  law->lag = dynamics[0];
  if (gaintype) law->has_gains = strcmp(gaintype, "fixed") != 0;
  if (biastype) law->has_bias = strcmp(biastype, "none") != 0;
  if (dyntype)
    law->state = strcmp(dyntype, "integrator") == 0   ? STATE_INTEGRAL
                 : strncmp(dyntype, "filter", 6) == 0 ? STATE_LAG
                                                      : STATE_NONE;
  law->is_other = law->is_other ||
                  (law->has_gains && gaintype && strcmp(gaintype, "affine") != 0) ||
                  (dyntype && law->state == STATE_NONE && strcmp(dyntype, "none") != 0) ||
                  (law->has_bias && biastype && strcmp(biastype, "affine") != 0);
}


// a position servo: kp, kv or a damping ratio
static void read_servo(importWork *w, xmlNode *node, mjcfLaw *law)
{
  double kv, ratio;
  import_get(w, node, "kp", 1, &law->gain[0]);
  law->bias[1] = -law->gain[0];
  if (import_get(w, node, "dampratio", 1, &ratio)) law->bias[2] = ratio;
  if (import_get(w, node, "kv", 1, &kv)) law->bias[2] = -kv;
  law->has_gains = false;
  law->has_bias = true;
}


static void read_cylinder(mjcfReader *r, xmlNode *node, mjcfLaw *law)
{
  importWork *w = r->w;
  double diameter;
  import_get(w, node, "area", 1, &law->gain[0]);
  if (import_get(w, node, "diameter", 1, &diameter)) law->gain[0] = PI / 4 * diameter * diameter;
  import_get(w, node, "timeconst", 1, &law->lag);
  mjcf_some(r, node->place, "bias", xml_get(node, "bias"), 3, law->bias);
  law->state = STATE_LAG;
  law->has_gains = false;
  law->has_bias = true;
}


// Apply an element of the file or of a class to the law; elements of all kinds change the same
// numbers.
static void change_law(mjcfReader *r, xmlNode *node, mjcfLaw *law)
{
  importWork *w = r->w;
  const char *type = node->name;
  double kv = 1;
  if (strcmp(type, "motor") == 0) {
    *law =
        (mjcfLaw){.gain = {1}, .bias = {law->bias[0], law->bias[1], law->bias[2]}, .lag = law->lag};
  } else if (strcmp(type, "position") == 0) {
    read_servo(w, node, law);
    if (import_get(w, node, "timeconst", 1, &law->lag))
      law->state = law->lag > 0 ? STATE_LAG : STATE_NONE;
  } else if (strcmp(type, "intvelocity") == 0) {
    read_servo(w, node, law);
    law->state = STATE_INTEGRAL;
    law->is_limited = true;
  } else if (strcmp(type, "velocity") == 0) {
    import_get(w, node, "kv", 1, &law->gain[0]);
    *law = (mjcfLaw){.gain = {law->gain[0]},
                     .bias = {0, 0, -law->gain[0]},
                     .has_bias = true,
                     .lag = law->lag,
                     .is_other = law->is_other};
  } else if (strcmp(type, "damper") == 0) {
    import_get(w, node, "kv", 1, &kv);
    *law = (mjcfLaw){.gain = {0, 0, -kv}, .has_gains = true, .lag = law->lag};
  } else if (strcmp(type, "cylinder") == 0) {
    read_cylinder(r, node, law);
  } else if (strcmp(type, "general") == 0) {
    read_general(r, node, law);
  } else {
    law->is_other = true;
  }
}


// apply the elements of its classes from the outermost on, then its own
static void collect_law(mjcfReader *r, xmlNode *node, xmlNode *at, mjcfLaw *law)
{
  xmlNode *above = mjcf_above(r, node, at);
  if (above) collect_law(r, node, above, law);
  change_law(r, at, law);
}


//---- damping ratios ------------------------------------------------------------------------------

// the diagonal entry of the mass matrix for a joint, at the configuration of the file
static double joint_mass(mjcfReader *r, const mjcfJoint *j)
{
  const importMachine *m = &r->w->machine;
  const importJoint *joint = &m->joint[j->joint];
  bool *is_behind = import_take(r->w, (size_t) m->nbody + 1, sizeof *is_behind);
  double mass = joint->rotor;
  is_behind[joint->to] = true;
  for (int i = j->joint; i < m->njoint; i++) {
    // joints are in tree order
    const importJoint *next = &m->joint[i];
    if (next->from >= 0 && is_behind[next->from] && !next->is_cut) is_behind[next->to] = true;
  }
  for (int i = 0; i < m->nbody; i++) {
    if (!is_behind[i]) continue;
    const importWeight weight = import_weigh(&m->body[i]);
    mass += joint->type == ART_PRISMATIC
                ? weight.mass
                : import_turning_mass(&weight, mjcf_body_pose(r, i), j->point, j->axis);
  }
  return mass;
}


// A positive third number of a servo is a damping ratio: b2 = -2 ratio sqrt(kp m), with m the sum
// over the coordinates of their inertias divided by their factors squared.
static bool settle_ratio(mjcfReader *r, const mjcfDrive *drive, mjcfLaw *law)
{
  double sum = 0;
  if (!law->has_bias || !(law->bias[2] > 0) || law->gain[0] != -law->bias[1]) return true;
  if (drive->joint) {
    sum = joint_mass(r, drive->joint) / (drive->gear[0] * drive->gear[0]);
  } else if (drive->tendon && drive->tendon->terms) {
    for (xmlNode *n = xml_child(drive->tendon->node, "joint"); n; n = xml_next(n)) {
      const double factor = drive->gear[0] * mjcf_number(r, n, "coef", 0);
      if (factor * factor < 1e-15) continue;
      sum += joint_mass(r, mjcf_find_joint(r, n, "joint")) / (factor * factor);
    }
  } else {
    return false;
  }
  law->bias[2] *= -2 * sqrt(law->gain[0] * sum);
  return true;
}


//---- inputs and states ---------------------------------------------------------------------------

// a servo may inherit the range of its joint, scaled by a factor
static bool inherit_range(mjcfReader *r, xmlNode *node, const mjcfDrive *drive, double range[2])
{
  const double factor = mjcf_number(r, node, "inheritrange", 0);
  const importJoint *joint = drive->joint ? &r->w->machine.joint[drive->joint->joint] : NULL;
  if (!(factor > 0)) return false;
  if (!joint || isnan(joint->lower))
    import_fail(r->w, node->place, "'inheritrange' of an actuator finds no range");
  const double middle = (joint->lower + joint->upper) / 2 + drive->joint->ref,
               half = factor * (joint->upper - joint->lower) / 2;
  range[0] = middle - half;
  range[1] = middle + half;
  return true;
}


// the initial input is that of the keyframe, else zero or the nearest limit
static void add_input(mjcfReader *r, xmlNode *node, const mjcfDrive *drive, bool is_rate,
                      const char *name)
{
  importWork *w = r->w;
  double x[2] = {-INFINITY, INFINITY};
  const bool inherits = !is_rate && inherit_range(r, node, drive, x);
  const bool has_limits = inherits || mjcf_limits(r, node, "ctrlrange", "ctrllimited", x);
  const double rest = fmin(fmax(r->control ? r->control[r->nactuator - 1] : 0, x[0]), x[1]);
  const char *limits = has_limits ? import_format(w, "limits: %s", import_list(w, 2, x)) : "";
  const char *start = rest == 0 ? "" : import_format(w, "default: %s", import_number(w, rest));
  import_add_item(w, "inputs", name, node->place, "{%s%s%s}", limits,
                  limits[0] && start[0] ? ", " : "", start);
}


// the activation as a formula
static const char *mjcf_activation(mjcfReader *r, xmlNode *node, const mjcfDrive *drive,
                                   const mjcfLaw *law, const char *input)
{
  importWork *w = r->w;
  const char *in = import_quoted(w, input);
  double range[2];
  if (law->state == STATE_NONE) return in;
  const bool inherits = law->state == STATE_INTEGRAL && inherit_range(r, node, drive, range);
  const bool is_limited = inherits || mjcf_limits(r, node, "actrange", "actlimited", range);
  if (law->is_limited && !is_limited)
    import_fail(w, node->place, "<intvelocity> has no 'actrange'");
  const char *name = import_name(w, import_fresh(w, "%s_activation", input), "block", node->place);
  const char *state = import_quoted(w, name);
  if (law->state == STATE_INTEGRAL) {
    const double rest = is_limited ? fmin(fmax(0, range[0]), range[1]) : 0;
    import_add_item(w, "blocks", name, node->place, "{type: integrator, input: \"= %s\"%s%s}", in,
                    is_limited ? import_format(w, ", limits: %s", import_list(w, 2, range)) : "",
                    rest == 0 ? "" : import_format(w, ", initial: %s", import_number(w, rest)));
    return state;
  }
  if (!(law->lag > 0))
    import_fail(w, node->place, "the time constant of an actuator is not above zero");
  import_add_item(w, "blocks", name, node->place, "{type: lag, input: \"= %s\", time: %s}", in,
                  import_number(w, law->lag));
  if (!is_limited) return state;
  import_note_motion(w, node->place,
                     "the range of an activation bounds its force, not the lag itself");
  return import_format(w, "clamp(%s, %s, %s)", state, import_number(w, range[0]),
                       import_number(w, range[1]));
}


//---- forces --------------------------------------------------------------------------------------

static const char *add_activation_term(importWork *w, const char *sum, double factor,
                                       const char *times)
{
  if (factor == 0) return sum;
  const char *number = import_number(w, factor);
  if (factor < 0 && sum[0]) number = import_format(w, "(%s)", number);
  return import_format(w, "%s%s%s%s%s", sum, sum[0] ? " + " : "", number, times[0] ? "*" : "",
                       times);
}


// the force without its gear, as a formula
static const char *force_text(mjcfReader *r, xmlNode *node, const mjcfLaw *law, const char *a,
                              const char *length, const char *rate)
{
  importWork *w = r->w;
  const char *gain = add_activation_term(w, "", law->gain[0], ""), *force = "";
  double bound[2];
  if (law->has_gains) {
    gain = add_activation_term(w, gain, law->gain[1], length);
    gain = add_activation_term(w, gain, law->gain[2], rate);
    if (gain[0]) force = import_format(w, "(%s)*%s", gain, a);
  } else {
    force = import_format(w, "%s*%s", import_number(w, law->gain[0]), a);
  }
  if (law->has_bias) {
    force = add_activation_term(w, force, law->bias[0], "");
    force = add_activation_term(w, force, law->bias[1], length);
    force = add_activation_term(w, force, law->bias[2], rate);
  }
  if (!force[0]) force = "0";
  if (!mjcf_limits(r, node, "forcerange", "forcelimited", bound)) return force;
  return import_format(w, "clamp(%s, %s, %s)", force, import_number(w, bound[0]),
                       import_number(w, bound[1]));
}


static const char *force_name(mjcfReader *r, xmlNode *node, const char *input, const char *kind)
{
  importWork *w = r->w;
  return import_name(w, import_fresh(w, "%s_%s", input, kind), "force", node->place);
}


// along one coordinate; the total of all actuators of a joint may be limited
static void act_on_joint(mjcfReader *r, xmlNode *node, const mjcfDrive *drive, const char *input,
                         const char *force)
{
  importWork *w = r->w;
  const mjcfJoint *j = drive->joint;
  const char *whole = import_format(w, "%s*(%s)", import_number(w, drive->gear[0]), force);
  if (!isnan(j->bound[0]) && j->nactuator == 1)
    whole = import_format(w, "clamp(%s, %s, %s)", whole, import_number(w, j->bound[0]),
                          import_number(w, j->bound[1]));
  else if (!isnan(j->bound[0]))
    import_note_motion(w, node->place,
                       "'actuatorfrcrange' of a joint with several actuators is left out");
  import_add_joint_force(w, force_name(r, node, input, "force"), base_nowhere(),
                         w->machine.joint[j->joint].name, whole);
}


// three components of a force times the gear, or NULL for a zero gear
static const char *vector_text(importWork *w, v3 g, const char *force)
{
  const double x[3] = {g.x, g.y, g.z};
  const char *text = "";
  if (g.x == 0 && g.y == 0 && g.z == 0) return NULL;
  for (int i = 0; i < 3; i++) {
    const char *part =
        x[i] == 0 ? "0" : import_format(w, "\"= %s*(%s)\"", import_number(w, x[i]), force);
    text = import_format(w, "%s%s%s", text, i ? ", " : "", part);
  }
  return text;
}


// a force in the given axes and a torque in other axes, on a body or a frame
static void act_on_frame(mjcfReader *r, xmlNode *node, const char *frame, v3 push, const char *axes,
                         v3 turn, const char *input, const char *force)
{
  importWork *w = r->w;
  const char *along = vector_text(w, push, force), *about = vector_text(w, turn, force);
  if (along)
    import_add_item(w, "forces", force_name(r, node, input, "force"), base_nowhere(),
                    "{type: force, point: %s, value: [%s], axes: %s}", frame, along, axes);
  if (about)
    import_add_item(w, "forces", force_name(r, node, input, "torque"), base_nowhere(),
                    "{type: torque, body: %s, value: [%s], axes: body}", frame, about);
}


// the gear of a ball joint is a torque in body axes; the gear of a free joint is a force in ground
// axes and a torque in body axes
static void act_on_turn(mjcfReader *r, xmlNode *node, const mjcfDrive *drive, const char *input,
                        const char *force)
{
  const importMachine *m = &r->w->machine;
  const importJoint *joint = &m->joint[drive->joint->joint];
  const char *body = m->body[joint->to].name;
  const double *g = drive->gear;
  const v3 first = import_v3(g), none = v3_make(0, 0, 0);
  if (joint->type == ART_SPHERICAL)
    act_on_frame(r, node, body, none, "body", first, input, force);
  else
    act_on_frame(r, node, body, first, "ground", v3_make(g[3], g[4], g[5]), input, force);
}


//---- reading -------------------------------------------------------------------------------------

static bool drives_one_coordinate(const mjcfReader *r, const mjcfJoint *j)
{
  return j && import_has_one(&r->w->machine.joint[j->joint]);
}


// True if the actuator is supported. Forces on bodies have no length and rate here.
static bool is_known_actuator(mjcfReader *r, xmlNode *node, const mjcfDrive *drive,
                              const mjcfLaw *law)
{
  const bool is_line = drives_one_coordinate(r, drive->joint) ||
                       (drive->tendon && (drive->tendon->terms || drive->tendon->span));
  const bool needs_line =
      law->has_gains || (law->has_bias && (law->bias[1] != 0 || law->bias[2] != 0));
  if (law->is_other || mjcf_get(r, node, "refsite")) return false;
  return is_line || (!needs_line && (drive->site || drive->joint));
}


static mjcfDrive find_drive(mjcfReader *r, xmlNode *node)
{
  mjcfDrive drive = {.gear = {1}};
  const char *joint = mjcf_get(r, node, "joint") ? "joint" : NULL;
  if (!joint && mjcf_get(r, node, "jointinparent")) {
    const mjcfJoint *j = mjcf_find_joint(r, node, "jointinparent");
    if (drives_one_coordinate(r, j)) joint = "jointinparent";
  }
  if (joint) drive.joint = mjcf_find_joint(r, node, joint);
  if (mjcf_get(r, node, "tendon")) drive.tendon = mjcf_find_tendon(r, node, "tendon");
  if (mjcf_get(r, node, "site")) drive.site = mjcf_find_site(r, node, "site");
  mjcf_some(r, node->place, "gear", mjcf_get(r, node, "gear"), 6, drive.gear);
  return drive;
}


// length and rate of the transmission, with its gear
static void measure_transmission(mjcfReader *r, const mjcfDrive *drive, const char **length,
                                 const char **rate)
{
  importWork *w = r->w;
  const char *g = import_number(w, drive->gear[0]);
  *length = *rate = "0";
  if (drives_one_coordinate(r, drive->joint)) {
    const importJoint *joint = &w->machine.joint[drive->joint->joint];
    const char *q = import_quoted(w, joint->name);
    *length = import_format(w, "%s*(%s.%s + %s)", g, q, import_coordinate(joint),
                            import_number(w, drive->joint->ref));
    *rate = import_format(w, "%s*%s.rate", g, q);
  } else if (drive->tendon && drive->tendon->terms) {
    *length = import_format(w, "%s*(%s + %s)", g, drive->tendon->length,
                            import_number(w, drive->tendon->start));
    *rate = import_format(w, "%s*(%s)", g, drive->tendon->rate);
  } else if (drive->tendon) {
    mjcf_measure_tendon(r, drive->tendon);
    *length = import_format(w, "%s*%s", g, drive->tendon->length);
    *rate = import_format(w, "%s*%s", g, drive->tendon->rate);
  }
}


static const char *mjcf_input_name(mjcfReader *r, xmlNode *node, const mjcfDrive *drive)
{
  importWork *w = r->w;
  const char *name = xml_get(node, "name");
  if (!name && drive->joint)
    name = import_fresh(w, "%s_%s", w->machine.joint[drive->joint->joint].name, node->name);
  return import_name(w, name ? name : import_fresh(w, "%s", node->name), "input", node->place);
}


static void leave_out(mjcfReader *r, xmlNode *node, const char *why)
{
  import_note_motion(r->w, node->place, "an actuator <%.40s> %s is left out", node->name, why);
  xml_skip(node);
}


void mjcf_read_actuator(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  mjcfLaw law = {.gain = {1}, .lag = 1};
  const char *length, *rate;
  node->is_read = true;
  r->nactuator++;
  collect_law(r, node, node, &law);
  const mjcfDrive drive = find_drive(r, node);
  if (!is_known_actuator(r, node, &drive, &law)) {
    leave_out(r, node, "of this kind");
    return;
  }
  if (!settle_ratio(r, &drive, &law)) {
    leave_out(r, node,
              "whose damping depends on the mass of a mesh, or of a tendon through points,");
    return;
  }
  measure_transmission(r, &drive, &length, &rate);
  const char *input = mjcf_input_name(r, node, &drive);
  add_input(r, node, &drive, law.state == STATE_INTEGRAL, input);
  const char *force =
      force_text(r, node, &law, mjcf_activation(r, node, &drive, &law, input), length, rate);
  xml_get(node, "class");
  xml_get(node, "actearly"); // affects only the order of operations in MuJoCo's steps
  if (drive.site) {
    // the gear of a site is given in its axes
    const mjcfSite *site = drive.site;
    const double *g = drive.gear;
    if (site->body < 0) return;
    const char *frame = import_frame_text(r->w, site->body, site->name);
    act_on_frame(r, node, frame, import_v3(g), "body", v3_make(g[3], g[4], g[5]), input, force);
  } else if (drives_one_coordinate(r, drive.joint))
    act_on_joint(r, node, &drive, input, force);
  else if (drive.joint)
    act_on_turn(r, node, &drive, input, force);
  else if (drive.tendon->terms)
    import_add_item(w, "forces", force_name(r, node, input, "force"), base_nowhere(),
                    "{type: joint-force, coordinates: {%s}, value: \"= %s*(%s)\"}",
                    drive.tendon->terms, import_number(w, drive.gear[0]), force);
  else
    mjcf_add_pull(r, drive.tendon,
                  import_format(w, "(%s)*(%s)", import_number(w, -drive.gear[0]), force));
}
