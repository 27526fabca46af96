// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What acts between bodies of MJCF: equalities as exact closures and couplings, tendons, actuators as inputs and forces,
// sensors, keyframes.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "import/mjcf.h"


//---- references ----------------------------------------------------------------------------------

static const mjcfJoint *find_joint(mjcfReader *r, xmlNode *node, const char *attribute)
{
  const char *name = mjcf_get(r, node, attribute);
  const int found = name ? table_find(&r->joints, name) : -1;
  if (found < 0) import_fail(r->w, node->place, "there is no joint '%.80s'", name ? name : "");
  return &r->joint[found];
}


// a joint of one coordinate
static const importJoint *one_coordinate(mjcfReader *r, xmlNode *node, const mjcfJoint *j)
{
  const importJoint *joint = &r->w->machine.joint[j->joint];
  if (joint->type == JOINT_REVOLUTE || joint->type == JOINT_PRISMATIC) return joint;
  import_fail(r->w, node->place, "joint '%.80s' has not one coordinate", joint->name);
}


static int find_body(mjcfReader *r, xmlNode *node, const char *attribute)
{
  const char *name = mjcf_get(r, node, attribute);
  if (!name || strcmp(name, "world") == 0) return -1;
  const int body = import_find_body(r->w, name);
  if (body < 0) import_fail(r->w, node->place, "there is no body '%.80s'", name);
  return body;
}


static const mjcfSite *find_site(mjcfReader *r, xmlNode *node, const char *attribute)
{
  const char *name = mjcf_get(r, node, attribute);
  const int found = name ? table_find(&r->sites, name) : -1;
  if (found < 0) import_fail(r->w, node->place, "there is no site '%.80s'", name ? name : "");
  return &r->site[found];
}


static const mjcfTendon *find_tendon(mjcfReader *r, xmlNode *node, const char *attribute)
{
  const char *name = mjcf_get(r, node, attribute);
  const int found = name ? table_find(&r->tendons, name) : -1;
  if (found < 0) import_fail(r->w, node->place, "there is no tendon '%.80s'", name ? name : "");
  return &r->tendon[found];
}


static modelPose pose_of(const mjcfReader *r, int body)
{
  return body < 0 ? pose_identity() : r->pose[body];
}


static const char *name_of(mjcfReader *r, xmlNode *node, const char *kind)
{
  const char *name = xml_get(node, "name");
  return import_name(r->w, name ? name : import_fresh(r->w, kind), kind, node->place);
}


//---- equalities ----------------------------------------------------------------------------------

static void close_loop(mjcfReader *r, xmlNode *node, importJointType type, int from,
                       modelPose from_pose, int to, modelPose to_pose)
{
  const char *name = xml_get(node, "name");
  importJoint *joint =
      import_add_joint(r->w, name ? name : import_fresh(r->w, node->name), type, node->place);
  joint->from = from;
  joint->to = to;
  joint->from_pose = import_pose(from_pose);
  joint->to_pose = import_pose(to_pose);
  joint->is_cut = true;
  r->has_loops = true;
}


// a point of the first body, where the second one is at the configuration of the file
static void read_connect(mjcfReader *r, xmlNode *node)
{
  if (mjcf_get(r, node, "site1")) {
    const mjcfSite *a = find_site(r, node, "site1"), *b = find_site(r, node, "site2");
    close_loop(r, node, JOINT_SPHERICAL, a->body, a->pose, b->body, b->pose);
    return;
  }
  const int from = find_body(r, node, "body1"), to = find_body(r, node, "body2");
  double at[3];
  if (!mjcf_numbers(r, node, "anchor", 3, at))
    import_fail(r->w, node->place, "<connect> has no 'anchor'");
  const modelPose anchor = {m3_identity(), v3_make(at[0], at[1], at[2])};
  const modelPose in_ground = pose_compose(pose_of(r, from), anchor);
  close_loop(r, node, JOINT_SPHERICAL, from, anchor, to,
             pose_compose(pose_inverse(pose_of(r, to)), in_ground));
}


static void read_weld(mjcfReader *r, xmlNode *node)
{
  if (mjcf_get(r, node, "site1")) {
    const mjcfSite *a = find_site(r, node, "site1"), *b = find_site(r, node, "site2");
    close_loop(r, node, JOINT_FIXED, a->body, a->pose, b->body, b->pose);
    return;
  }
  const int from = find_body(r, node, "body1"), to = find_body(r, node, "body2");
  double x[7] = {0}, anchor[3];
  mjcf_numbers(r, node, "relpose", 7, x);
  mjcf_numbers(r, node, "anchor", 3, anchor); // where the torque is weighed; a rigid weld has none
  const bool is_given = x[3] != 0 || x[4] != 0 || x[5] != 0 || x[6] != 0;
  const modelPose between = is_given ? import_by_quaternion(x, x + 3).in
                                     : pose_compose(pose_inverse(pose_of(r, from)), pose_of(r, to));
  close_loop(r, node, JOINT_FIXED, from, between, to, pose_identity());
}


// first = a0 + a1 second, of values that count from the configuration of the file; second may be missing
static void read_polynomial(mjcfReader *r, xmlNode *node, bool has_second, double line[2])
{
  double a[5] = {0, 1, 0, 0, 0};
  mjcf_some(r, node->place, "polycoef", mjcf_get(r, node, "polycoef"), 5, a);
  if (has_second && (a[2] != 0 || a[3] != 0 || a[4] != 0))
    import_fail(r->w, node->place,
                "'polycoef' has powers above the first, which couplings here do not have");
  line[0] = a[0];
  line[1] = a[1];
}


static void read_joint_equality(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const importJoint *one = one_coordinate(r, node, find_joint(r, node, "joint1"));
  const bool has_two = mjcf_get(r, node, "joint2") != NULL;
  const importJoint *two = has_two ? one_coordinate(r, node, find_joint(r, node, "joint2")) : NULL;
  double a[2];
  read_polynomial(r, node, has_two, a);
  const char *other = two ? import_format(w, ", %s: %s", two->name, import_number(w, -a[1])) : "";
  const char *value = a[0] == 0 ? "" : import_format(w, ", value: %s", import_number(w, a[0]));
  const char *one_name = one->name;
  w->machine.joint[one - w->machine.joint].is_follower = true;
  w->machine.joint[one - w->machine.joint].leader = two ? (int) (two - w->machine.joint) : -1;
  import_add_item(w, "couplings", name_of(r, node, "equality"), node->place,
                  "{type: linear, terms: {%s: 1%s}%s}", one_name, other, value);
  r->has_loops = true;
}


static void read_tendon_equality(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const mjcfTendon *one = find_tendon(r, node, "tendon1");
  if (mjcf_get(r, node, "tendon2") || !one->terms)
    import_fail(w, node->place,
                "an equality of two tendons, or of one through points, is not read");
  double a[2];
  read_polynomial(r, node, false, a);
  const char *value = a[0] == 0 ? "" : import_format(w, ", value: %s", import_number(w, a[0]));
  import_add_item(w, "couplings", name_of(r, node, "equality"), node->place,
                  "{type: linear, terms: {%s}%s}", one->terms, value);
  r->has_loops = true;
}


static void read_equality(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  node->is_read = true;
  if (mjcf_is(r, node, "active", "false")) {
    import_note(w, node->place, "an equality that is not active is left out");
    xml_skip(node);
    return;
  }
  if (strcmp(node->name, "connect") == 0)
    read_connect(r, node);
  else if (strcmp(node->name, "weld") == 0)
    read_weld(r, node);
  else if (strcmp(node->name, "joint") == 0)
    read_joint_equality(r, node);
  else if (strcmp(node->name, "tendon") == 0)
    read_tendon_equality(r, node);
  else
    import_fail(w, node->place, "an equality <%.40s> is not read", node->name);
  if (mjcf_get(r, node, "solref") || mjcf_get(r, node, "solimp"))
    import_note(w, node->place, "solref, solimp of an equality: it is exact here");
  xml_skip(node);
}


//---- tendons -------------------------------------------------------------------------------------

// terms, length and rate of a sum of coordinates
static void sum_terms(mjcfReader *r, xmlNode *fixed, mjcfTendon *t)
{
  importWork *w = r->w;
  const char *terms = "", *length = "", *rate = "";
  for (xmlNode *n = xml_child(fixed, "joint"); n; n = xml_next(n)) {
    const mjcfJoint *j = find_joint(r, n, "joint");
    const importJoint *joint = one_coordinate(r, n, j);
    const double coef = mjcf_number(r, n, "coef", 0);
    const char *c = import_number(w, coef), *q = import_quoted(w, joint->name);
    if (!terms[0]) t->slides = joint->type == JOINT_PRISMATIC;
    length = import_format(w, "%s%s%s*%s.%s", length, terms[0] ? " + " : "", c, q,
                           mjcf_coordinate(joint));
    rate = import_format(w, "%s%s%s*%s.rate", rate, terms[0] ? " + " : "", c, q);
    terms = import_format(w, "%s%s%s: %s", terms, terms[0] ? ", " : "", joint->name, c);
    t->start += coef * j->ref;
    t->rest += coef * joint->rest;
  }
  if (!terms[0]) import_fail(w, fixed->place, "a tendon has no joint");
  t->terms = terms;
  t->length = length;
  t->rate = rate;
}


// The spring of a tendon rests at a length or between two; without them where the springs of joints rest.
static const char *spring_text(mjcfReader *r, xmlNode *node, double otherwise, double *rest)
{
  importWork *w = r->w;
  double between[2] = {-1, -1};
  const double stiffness = mjcf_number(r, node, "stiffness", 0);
  const int given =
      mjcf_some(r, node->place, "springlength", mjcf_get(r, node, "springlength"), 2, between);
  const double gap = given == 2 ? between[1] - between[0] : 0;
  const char *k = import_number(w, stiffness), *wide = import_number(w, gap);
  *rest = given > 0 && between[0] >= 0 ? between[0] : otherwise;
  if (!(gap > 0)) return import_format(w, "stiffness: %s", k);
  return import_format(w, "spring: {piecewise: [[-1, -%s], [0, 0], [%s, 0], [%s, %s]]}", k, wide,
                       import_number(w, gap + 1), k);
}


static void note_lost(mjcfReader *r, xmlNode *node, const char *attribute)
{
  if (!(mjcf_number(r, node, attribute, 0) > 0)) return;
  import_note(r->w, node->place, "%s of a tendon is left out: it changes the motion", attribute);
}


// springs and friction along the sum
static void add_tendon_forces(mjcfReader *r, xmlNode *node, const mjcfTendon *t)
{
  importWork *w = r->w;
  double rest, range[2];
  const double damping = mjcf_number(r, node, "damping", 0);
  const char *spring = spring_text(r, node, t->start + t->rest, &rest);
  if (mjcf_number(r, node, "stiffness", 0) > 0 || damping > 0) {
    import_add_item(w, "forces", name_of(r, node, "tendon"), node->place,
                    "{type: joint-spring, coordinates: {%s}, %s, rest: %s, damping: %s}", t->terms,
                    spring, import_number(w, rest - t->start), import_number(w, damping));
  }
  if (mjcf_number(r, node, "frictionloss", 0) > 0) {
    import_add_item(w, "forces", name_of(r, node, "tendon_friction"), node->place,
                    "{type: joint-friction, coordinates: {%s}, coulomb: %s, transition: 1e-3}",
                    t->terms, import_number(w, mjcf_number(r, node, "frictionloss", 0)));
  }
  note_lost(r, node, "armature");
  if (mjcf_numbers(r, node, "range", 2, range))
    import_note(w, node->place, "the range of a tendon is left out");
}


// A range as stops that yield by 1 mm under the weight of the machine, as those of joints.
static const char *stops_text(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  double range[2], mass = 0;
  const char *limited = mjcf_get(r, node, "limited");
  const bool is_auto = !limited || strcmp(limited, "auto") == 0;
  if (!mjcf_numbers(r, node, "range", 2, range) || !(range[0] < range[1])) return "";
  if (is_auto ? !r->autolimits : strcmp(limited, "true") != 0) return "";
  for (int i = 0; i < w->machine.nbody; i++) mass += w->machine.body[i].mass;
  import_note(w, node->place,
              "the stiffness of stops is chosen: tendons yield by 1 mm under the weight of the "
              "machine");
  const char *lower =
      range[0] > 0 ? import_format(w, "lower: %s, ", import_number(w, range[0])) : "";
  return import_format(w, ", stops: {%supper: %s, stiffness: %.3g, damping: 0.5}", lower,
                       import_number(w, range[1]), 9.81e3 * fmax(mass, 0.1));
}


static v3 site_place(const mjcfReader *r, const mjcfSite *site)
{
  return pose_compose(pose_of(r, site->body), site->pose).r;
}


static const char *site_text(importWork *w, const mjcfSite *site)
{
  return import_format(w, "%s.%s", site->body < 0 ? "ground" : w->machine.body[site->body].name,
                       site->name);
}


static bool has_other_rest(const importMachine *m)
{
  for (int i = 0; i < m->njoint; i++) {
    if (m->joint[i].rest != 0) return true;
  }
  return false;
}


// between two points a spring
static void add_line(mjcfReader *r, xmlNode *node, const mjcfSite *a, const mjcfSite *b)
{
  importWork *w = r->w;
  const v3 line = v3_sub(site_place(r, b), site_place(r, a));
  const double damping = mjcf_number(r, node, "damping", 0);
  double rest;
  const char *spring = spring_text(r, node, -1, &rest), *stops = stops_text(r, node);
  const bool is_spring = mjcf_number(r, node, "stiffness", 0) > 0;
  note_lost(r, node, "armature");
  note_lost(r, node, "frictionloss");
  if (!is_spring && !(damping > 0) && !stops[0]) return;
  if (rest < 0 && is_spring && has_other_rest(&w->machine)) {
    import_fail(
        w, node->place,
        "a tendon has no 'springlength', and springs of joints rest elsewhere ('springref')");
  }
  if (rest < 0) rest = sqrt(v3_dot(line, line));
  import_add_item(w, "forces", name_of(r, node, "tendon"), node->place,
                  "{type: spring-damper, between: [%s, %s], free_length: %s, %s, damping: %s%s}",
                  site_text(w, a), site_text(w, b), import_number(w, rest), spring,
                  import_number(w, damping), stops);
}


static void read_spatial(mjcfReader *r, xmlNode *node)
{
  xmlNode *first = xml_child(node, "site"), *second = first ? xml_next(first) : NULL;
  if (second && !xml_next(second) && !xml_child(node, "geom") && !xml_child(node, "pulley")) {
    add_line(r, node, find_site(r, first, "site"), find_site(r, second, "site"));
    return;
  }
  const bool acts = mjcf_number(r, node, "stiffness", 0) > 0 ||
                    mjcf_number(r, node, "damping", 0) > 0 || mjcf_get(r, node, "range");
  import_note(r->w, node->place,
              acts ? "a tendon through more than two points is left out: it changes the motion"
                   : "a tendon through more than two points is left out");
}


static void read_tendons(mjcfReader *r, xmlNode *section)
{
  importWork *w = r->w;
  for (xmlNode *n = section->first; n; n = n->next) {
    const char *name = xml_get(n, "name");
    mjcfTendon t = {0};
    n->is_read = true;
    if (strcmp(n->name, "fixed") == 0) {
      sum_terms(r, n, &t);
      add_tendon_forces(r, n, &t);
    } else {
      read_spatial(r, n);
    }
    xml_skip(n);
    import_grow(w, (void **) &r->tendon, r->ntendon, &r->tendon_capacity, sizeof *r->tendon);
    r->tendon[r->ntendon] = t;
    if (name && table_find(&r->tendons, name) < 0 &&
        !table_add(&r->tendons, &w->arena, name, r->ntendon))
      import_leave(w, ART_NO_MEMORY);
    r->ntendon++;
  }
}


//---- actuators -----------------------------------------------------------------------------------

// force = gain u + b0 + b1 length + b2 rate, times the gear along the coordinate
typedef struct mjcfLaw {
  double gain, bias[3];
  bool has_bias, is_other; // of another form
} mjcfLaw;

static void read_general(mjcfReader *r, xmlNode *node, mjcfLaw *law)
{
  double gain[10] = {law->gain}, bias[10] = {law->bias[0], law->bias[1], law->bias[2]};
  const char *gaintype = xml_get(node, "gaintype"), *biastype = xml_get(node, "biastype"),
             *dyntype = xml_get(node, "dyntype");
  mjcf_some(r, node->place, "gainprm", xml_get(node, "gainprm"), 10, gain);
  mjcf_some(r, node->place, "biasprm", xml_get(node, "biasprm"), 10, bias);
  law->gain = gain[0];
  memcpy(law->bias, bias, sizeof law->bias);
  if (biastype) law->has_bias = strcmp(biastype, "none") != 0;
  law->is_other = law->is_other || (gaintype && strcmp(gaintype, "fixed") != 0) ||
                  (dyntype && strcmp(dyntype, "none") != 0) ||
                  (law->has_bias && biastype && strcmp(biastype, "affine") != 0);
}


// What a line of the file, or of a class, changes; lines of all kinds write into the same numbers.
static void change_law(mjcfReader *r, xmlNode *node, mjcfLaw *law)
{
  importWork *w = r->w;
  const char *type = node->name;
  double kv, ratio = 0, lag = 0;
  if (strcmp(type, "motor") == 0) {
    *law = (mjcfLaw){1, {law->bias[0], law->bias[1], law->bias[2]}, false, false};
  } else if (strcmp(type, "position") == 0) {
    import_get(w, node, "kp", 1, &law->gain);
    law->bias[1] = -law->gain;
    if (import_get(w, node, "dampratio", 1, &ratio)) law->bias[2] = ratio;
    if (import_get(w, node, "kv", 1, &kv)) law->bias[2] = -kv;
    import_get(w, node, "timeconst", 1, &lag);
    law->has_bias = true;
    law->is_other = law->is_other || lag != 0;
  } else if (strcmp(type, "velocity") == 0) {
    import_get(w, node, "kv", 1, &law->gain);
    *law = (mjcfLaw){law->gain, {0, 0, -law->gain}, true, law->is_other};
  } else if (strcmp(type, "general") == 0) {
    read_general(r, node, law);
  } else {
    law->is_other = true;
  }
}


// the lines of its classes from the outermost on, then its own
static void collect_law(mjcfReader *r, xmlNode *node, xmlNode *at, mjcfLaw *law)
{
  xmlNode *above = mjcf_above(r, node, at);
  if (above) collect_law(r, node, above, law);
  change_law(r, at, law);
}


static bool read_law(mjcfReader *r, xmlNode *node, mjcfLaw *law)
{
  *law = (mjcfLaw){.gain = 1};
  collect_law(r, node, node, law);
  if (!law->has_bias) memset(law->bias, 0, sizeof law->bias);
  // above zero, the third number of a servo is a ratio of damping
  const bool has_ratio = law->bias[2] > 0 && law->gain == -law->bias[1];
  return !law->is_other && !has_ratio;
}


static bool read_limits(mjcfReader *r, xmlNode *node, const char *key, const char *flag,
                        double range[2])
{
  const char *limited = mjcf_get(r, node, flag);
  const bool is_auto = !limited || strcmp(limited, "auto") == 0;
  if (!mjcf_numbers(r, node, key, 2, range)) return false;
  if (is_auto ? !r->autolimits : strcmp(limited, "true") != 0) return false;
  if (range[0] > range[1] || (range[0] == range[1] && !is_auto))
    import_fail(r->w, node->place, "'%s' does not rise", key);
  return range[0] < range[1];
}


// an input rests at zero, or at the limit that is nearest to it
static void add_input(mjcfReader *r, xmlNode *node, const char *name)
{
  importWork *w = r->w;
  double x[2];
  if (!read_limits(r, node, "ctrlrange", "ctrllimited", x)) {
    import_add_item(w, "inputs", name, node->place, "{}");
    return;
  }
  const double rest = fmin(fmax(0, x[0]), x[1]);
  const char *start = rest == 0 ? "" : import_format(w, ", default: %s", import_number(w, rest));
  import_add_item(w, "inputs", name, node->place, "{limits: %s%s}", import_list(w, 2, x), start);
}


static void read_actuator(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  mjcfLaw law;
  double gear[6] = {1};
  const char *joint_name = mjcf_get(r, node, "joint");
  node->is_read = true;
  const mjcfTendon *tendon = mjcf_get(r, node, "tendon") ? find_tendon(r, node, "tendon") : NULL;
  const mjcfJoint *j = joint_name ? find_joint(r, node, "joint") : NULL;
  const importJoint *joint = j ? &w->machine.joint[j->joint] : NULL;
  const bool is_one = joint && (joint->type == JOINT_REVOLUTE || joint->type == JOINT_PRISMATIC);
  mjcf_some(r, node->place, "gear", mjcf_get(r, node, "gear"), 6, gear);
  if (!read_law(r, node, &law) || (!is_one && !(tendon && tendon->terms))) {
    import_note(w, node->place, "an actuator <%.40s> of this kind is left out", node->name);
    xml_skip(node);
    return;
  }
  const char *q = joint ? import_quoted(w, joint->name) : "";
  const char *length =
      joint ? import_format(w, "(%s.%s + %s)", q, mjcf_coordinate(joint), import_number(w, j->ref))
            : import_format(w, "(%s + %s)", tendon->length, import_number(w, tendon->start));
  const char *rate =
      joint ? import_format(w, "%s.rate", q) : import_format(w, "(%s)", tendon->rate);
  const char *name = xml_get(node, "name");
  const char *input =
      import_name(w,
                  name    ? name
                  : joint ? import_fresh(w, import_format(w, "%s_%s", joint->name, node->name))
                          : import_fresh(w, node->name),
                  "input", node->place);
  add_input(r, node, input);
  const char *g = import_number(w, gear[0]);
  const char *force =
      import_format(w, "%s*%s", import_number(w, law.gain), import_quoted(w, input));
  if (law.bias[0] != 0) force = import_format(w, "%s + %s", force, import_number(w, law.bias[0]));
  if (law.bias[1] != 0)
    force = import_format(w, "%s + (%s)*%s*%s", force, import_number(w, law.bias[1]), g, length);
  if (law.bias[2] != 0)
    force = import_format(w, "%s + (%s)*%s*%s", force, import_number(w, law.bias[2]), g, rate);
  double bound[2];
  if (read_limits(r, node, "forcerange", "forcelimited", bound)) {
    force = import_format(w, "clamp(%s, %s, %s)", force, import_number(w, bound[0]),
                          import_number(w, bound[1]));
  }
  const char *along = joint ? import_format(w, "coordinate: %s", joint->name)
                            : import_format(w, "coordinates: {%s}", tendon->terms);
  import_add_item(
      w, "forces",
      import_name(w, import_fresh(w, import_format(w, "%s_force", input)), "force", node->place),
      base_nowhere(), "{type: joint-force, %s, value: \"= %s*(%s)\"}", along, g, force);
  xml_get(node, "class");
}


//---- sensors -------------------------------------------------------------------------------------

static void read_sensor(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const bool is_position = strcmp(node->name, "jointpos") == 0,
             is_rate = strcmp(node->name, "jointvel") == 0;
  const bool is_gyro = strcmp(node->name, "gyro") == 0,
             is_felt = strcmp(node->name, "accelerometer") == 0;
  if (is_position || is_rate) {
    const mjcfJoint *j = find_joint(r, node, "joint");
    const importJoint *joint = one_coordinate(r, node, j);
    const char *q = import_quoted(w, joint->name), *coordinate = mjcf_coordinate(joint);
    const char *value =
        is_rate ? import_format(w, "%s.rate", q) : import_format(w, "%s.%s", q, coordinate);
    const char *bias =
        is_position && j->ref != 0 ? import_format(w, ", bias: %s", import_number(w, j->ref)) : "";
    import_add_item(w, "sensors", name_of(r, node, node->name), node->place,
                    "{type: quantity, value: \"= %s\"%s}", value, bias);
    node->is_read = true;
  } else if (is_gyro || is_felt) {
    const mjcfSite *site = find_site(r, node, "site");
    const char *body = site->body < 0 ? "ground" : w->machine.body[site->body].name;
    import_add_item(w, "sensors", name_of(r, node, node->name), node->place,
                    "{type: %s, frame: %s.%s}", is_gyro ? "gyro" : "acceleration", body,
                    site->name);
    node->is_read = true;
  }
}


//---- keyframes -----------------------------------------------------------------------------------

// coordinates of all joints in the order of the file: 7 of a free one, 4 of a ball, 1 of others
static int width_of(const importJoint *joint)
{
  return joint->type == JOINT_FREE ? 7 : joint->type == JOINT_SPHERICAL ? 4 : 1;
}


static void start_joint(importWork *w, importJoint *joint, double ref, const double *x)
{
  if (joint->type == JOINT_FREE) {
    joint->initial = import_format(w, "position: %s, orientation: %s", import_list(w, 3, x),
                                   import_list(w, 4, x + 3));
  } else if (joint->type == JOINT_SPHERICAL) {
    joint->initial = import_format(w, "orientation: %s", import_list(w, 4, x));
  } else {
    joint->start = x[0] - ref;
    joint->initial =
        import_format(w, "%s: %s", mjcf_coordinate(joint), import_number(w, joint->start));
  }
}


static void start_at(mjcfReader *r, xmlNode *key)
{
  importWork *w = r->w;
  int n = 0, at = 0;
  for (int i = 0; i < r->njoint; i++) n += width_of(&w->machine.joint[r->joint[i].joint]);
  double *x = import_take(w, (size_t) n + 1, sizeof *x);
  if (!import_get(w, key, "qpos", n, x)) return;
  for (int i = 0; i < r->njoint; i++) {
    importJoint *joint = &w->machine.joint[r->joint[i].joint];
    start_joint(w, joint, r->joint[i].ref, x + at);
    at += width_of(joint);
  }
}


// the machine starts at the configuration of the file, or at the keyframe that the call names
static void read_keys(mjcfReader *r, xmlNode *section)
{
  for (xmlNode *key = xml_child(section, "key"); key; key = xml_next(key)) {
    const char *name = xml_get(key, "name");
    if (r->w->def->key && name && strcmp(name, r->w->def->key) == 0 && !r->has_key) {
      r->has_key = true;
      start_at(r, key);
      continue;
    }
    import_note(r->w, key->place, "keyframe '%.80s' is left out; --key chooses one to start at",
                name ? name : "");
    xml_skip(key);
  }
}


void mjcf_read_actions(mjcfReader *r)
{
  for (xmlNode *s = xml_child(r->root, "tendon"); s; s = xml_next(s)) read_tendons(r, s);
  for (xmlNode *s = xml_child(r->root, "equality"); s; s = xml_next(s)) {
    for (xmlNode *n = s->first; n; n = n->next) read_equality(r, n);
  }
  for (xmlNode *s = xml_child(r->root, "actuator"); s; s = xml_next(s)) {
    for (xmlNode *n = s->first; n; n = n->next) read_actuator(r, n);
  }
  for (xmlNode *s = xml_child(r->root, "sensor"); s; s = xml_next(s)) {
    for (xmlNode *n = s->first; n; n = n->next) read_sensor(r, n);
  }
  for (xmlNode *s = xml_child(r->root, "keyframe"); s; s = xml_next(s)) read_keys(r, s);
  if (r->w->def->key && !r->has_key) {
    import_fail(r->w, (artPlace){.file = r->w->path}, "there is no keyframe '%.80s'",
                r->w->def->key);
  }
  // loops decide where free bodies start
  for (int i = 0; i < r->w->machine.njoint && r->has_loops; i++)
    r->w->machine.joint[i].is_guess = true;
}
