// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tendons of MJCF: sums of coordinates, and lines through points, with the forces along them.
//
// A line between two points is a spring. A line through more points, or with an actuator, has a
// tension T computed by blocks from its length L = sum w_k s_k and dL/dt, with s_k the spans and
// w_k the reciprocal divisors of pulleys; its forces T w_k act along the spans at each point.
// Tendons that wrap around geoms are left out.
#include <math.h>
#include <string.h>

#include "import/mjcf.h"


// terms, length and rate of a sum of coordinates
static void sum_terms(mjcfReader *r, xmlNode *fixed, mjcfTendon *t)
{
  importWork *w = r->w;
  importLine terms = {0}, length = {0}, rate = {0};
  for (xmlNode *n = xml_child(fixed, "joint"); n; n = xml_next(n)) {
    const mjcfJoint *j = mjcf_find_joint(r, n, "joint");
    const importJoint *joint = mjcf_one_coordinate(r, n, j);
    const double coef = mjcf_number(r, n, "coef", 0);
    const char *c = import_number(w, coef), *q = import_quoted(w, joint->name);
    const bool is_first = !terms.text;
    if (is_first) t->slides = joint->type == ART_PRISMATIC;
    import_append(w, &length, "%s%s*%s.%s", is_first ? "" : " + ", c, q, import_coordinate(joint));
    import_append(w, &rate, "%s%s*%s.rate", is_first ? "" : " + ", c, q);
    import_append(w, &terms, "%s%s: %s", is_first ? "" : ", ", joint->name, c);
    t->start += coef * j->ref;
    t->rest += coef * joint->rest;
  }
  if (!terms.text) import_fail(w, fixed->place, "a tendon has no joint");
  t->terms = terms.text;
  t->length = length.text;
  t->rate = rate.text;
}


// The spring of a tendon has a rest length or a range of rest lengths; without them it is at rest
// where the springs of joints are.
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


static void note_tendon_loss(mjcfReader *r, xmlNode *node, const char *attribute)
{
  if (!(mjcf_number(r, node, attribute, 0) > 0)) return;
  import_note_motion(r->w, node->place, "%s of a tendon is left out: it changes the motion",
                     attribute);
}


// Stops deflect by 1 mm or 1 deg under the weight of the machine, at an arm of 0.1 m, as for
// joints.
static double weight_of_machine(mjcfReader *r)
{
  const importMachine *m = &r->w->machine;
  double mass = 0;
  for (int i = 0; i < m->nbody; i++) mass += import_weigh(&m->body[i]).mass;
  return 9.81 * fmax(mass, 0.1);
}


// The energy a L'^2/2 is that of a flywheel with the rotation L.
static void add_flywheel(mjcfReader *r, xmlNode *node, const mjcfTendon *t)
{
  importWork *w = r->w;
  const double armature = mjcf_number(r, node, "armature", 0);
  if (!(armature > 0)) return;
  const char *terms = "";
  for (xmlNode *n = xml_child(node, "joint"); n; n = xml_next(n)) {
    const importJoint *other = mjcf_one_coordinate(r, n, mjcf_find_joint(r, n, "joint"));
    terms = import_format(w, "%s, %s: %s", terms, other->name,
                          import_number(w, -mjcf_number(r, n, "coef", 0)));
  }
  import_add_body(w, import_fresh(w, "%s_flywheel", t->name), node->place);
  importJoint *wheel = import_add_joint(w, import_fresh(w, "%s_turn", t->name), ART_REVOLUTE, -1,
                                        w->machine.nbody - 1, node->place);
  wheel->rotor = armature;
  wheel->is_guess = wheel->is_follower = true;
  const char *name = import_fresh(w, "%s_winds", t->name);
  import_add_item(w, "couplings", import_name(w, name, "coupling", node->place), node->place,
                  "{type: linear, terms: {%s: 1%s}}", wheel->name, terms);
}


// springs and friction along the sum
static void add_tendon_forces(mjcfReader *r, xmlNode *node, const mjcfTendon *t)
{
  importWork *w = r->w;
  double rest, range[2];
  const double damping = mjcf_number(r, node, "damping", 0);
  const char *spring = spring_text(r, node, t->start + t->rest, &rest);
  if (mjcf_number(r, node, "stiffness", 0) > 0 || damping > 0) {
    import_add_item(w, "forces", mjcf_name(r, node, "tendon"), node->place,
                    "{type: joint-spring, coordinates: {%s}, %s, rest: %s, damping: %s}", t->terms,
                    spring, import_number(w, rest - t->start), import_number(w, damping));
  }
  if (mjcf_number(r, node, "frictionloss", 0) > 0) {
    import_add_item(w, "forces", mjcf_name(r, node, "tendon_friction"), node->place,
                    "{type: joint-friction, coordinates: {%s}, coulomb: %s, transition: 1e-3}",
                    t->terms, import_number(w, mjcf_number(r, node, "frictionloss", 0)));
  }
  add_flywheel(r, node, t);
  if (!mjcf_limits(r, node, "range", "limited", range)) return;
  const double load = weight_of_machine(r) * (t->slides ? 1 : 0.1);
  import_add_item(
      w, "forces", mjcf_name(r, node, "tendon_stop"), node->place,
      "{type: joint-stop, coordinates: {%s}, lower: %s, upper: %s, stiffness: %.3g, damping: 0.5}",
      t->terms, import_number(w, range[0] - t->start), import_number(w, range[1] - t->start),
      load / (t->slides ? 1e-3 : PI / 180));
}


// the stiffness of the stops of a line, and its range; 0: no stops
static double line_stops(mjcfReader *r, xmlNode *node, double range[2])
{
  if (!mjcf_limits(r, node, "range", "limited", range)) return 0;
  import_note(r->w, node->place,
              "the stiffness of stops is chosen: tendons yield by 1 mm under the weight of the "
              "machine");
  return 1e3 * weight_of_machine(r);
}


static const char *stops_text(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  double range[2];
  const double stiffness = line_stops(r, node, range);
  if (!(stiffness > 0)) return "";
  const char *lower =
      range[0] > 0 ? import_format(w, "lower: %s, ", import_number(w, range[0])) : "";
  return import_format(w, ", stops: {%supper: %s, stiffness: %.3g, damping: 0.5}", lower,
                       import_number(w, range[1]), stiffness);
}


static v3 site_place(const mjcfReader *r, const mjcfSite *site)
{
  return pose_compose(mjcf_body_pose(r, site->body), site->pose).r;
}


static bool has_other_rest(const importMachine *m)
{
  for (int i = 0; i < m->njoint; i++) {
    if (m->joint[i].rest != 0) return true;
  }
  return false;
}


// the rest length of the spring of a line; negative: no spring
static double tendon_rest_length(mjcfReader *r, xmlNode *node, const mjcfTendon *t, double given)
{
  if (given >= 0 || !(mjcf_number(r, node, "stiffness", 0) > 0)) return given;
  if (has_other_rest(&r->w->machine))
    import_fail(
        r->w, node->place,
        "a tendon has no 'springlength', and springs of joints rest elsewhere ('springref')");
  return t->start;
}


// between two points: a spring
static void add_tendon_line(mjcfReader *r, xmlNode *node, const mjcfTendon *t)
{
  importWork *w = r->w;
  const double damping = mjcf_number(r, node, "damping", 0);
  double rest;
  const char *spring = spring_text(r, node, -1, &rest), *stops = stops_text(r, node);
  if (!(mjcf_number(r, node, "stiffness", 0) > 0) && !(damping > 0) && !stops[0]) return;
  rest = tendon_rest_length(r, node, t, rest);
  import_add_item(w, "forces", mjcf_name(r, node, "tendon"), node->place,
                  "{type: spring-damper, between: [%s, %s], free_length: %s, %s, damping: %s%s}",
                  import_frame_text(w, t->span->a->body, t->span->a->name),
                  import_frame_text(w, t->span->b->body, t->span->b->name),
                  import_number(w, rest < 0 ? t->start : rest), spring, import_number(w, damping),
                  stops);
}


//---- lines through more points -------------------------------------------------------------------

// a coordinate of a point, or of its velocity with prefix v, as a formula
static const char *site_coordinate_text(mjcfReader *r, const mjcfSite *site, const char *what)
{
  importWork *w = r->w;
  const v3 at = site->pose.r;
  if (site->body >= 0)
    return import_format(w, "%s.%s.%s", import_quoted(w, w->machine.body[site->body].name),
                         import_quoted(w, site->name), what);
  if (what[0] == 'v') return "0";
  return import_number(w, what[0] == 'x' ? at.x : what[0] == 'y' ? at.y : at.z);
}


static const char *tendon_part_name(mjcfReader *r, const mjcfTendon *t, const char *part)
{
  return import_name(r->w, import_fresh(r->w, "%s_%s", t->name, part), "block", t->place);
}


static void add_tendon_block(mjcfReader *r, const char *name, const char *formula)
{
  import_add_item(r->w, "blocks", name, base_nowhere(), "{type: formula, value: \"= %s\"}",
                  formula);
}


// |b - a|
static const char *span_length(mjcfReader *r, const mjcfSpan *s)
{
  static const char *const axes[] = {"x", "y", "z"};
  const char *sum = "";
  for (int i = 0; i < 3; i++)
    sum = import_format(r->w, "%s%s(%s - %s)^2", sum, i ? " + " : "",
                        site_coordinate_text(r, s->b, axes[i]),
                        site_coordinate_text(r, s->a, axes[i]));
  return import_format(r->w, "sqrt(%s)", sum);
}


// (b - a).(vb - va)/|b - a|
static const char *span_rate(mjcfReader *r, const mjcfSpan *s)
{
  static const char *const axes[] = {"x", "y", "z"}, *const rates[] = {"vx", "vy", "vz"};
  const char *sum = "";
  for (int i = 0; i < 3; i++)
    sum = import_format(
        r->w, "%s%s(%s - %s)*(%s - %s)", sum, i ? " + " : "",
        site_coordinate_text(r, s->b, axes[i]), site_coordinate_text(r, s->a, axes[i]),
        site_coordinate_text(r, s->b, rates[i]), site_coordinate_text(r, s->a, rates[i]));
  return import_format(r->w, "(%s)/%s", sum, import_quoted(r->w, s->name));
}


void mjcf_measure_tendon(mjcfReader *r, mjcfTendon *t)
{
  importWork *w = r->w;
  const char *length = "", *rate = "";
  if (t->length || !t->span) return;
  int k = 0;
  for (mjcfSpan *s = t->span; s; s = s->next) {
    s->name = tendon_part_name(r, t, import_format(w, "span_%d", ++k));
    add_tendon_block(r, s->name, span_length(r, s));
    const char *weight = s->weight == 1 ? "" : import_format(w, "%s*", import_number(w, s->weight));
    length =
        import_format(w, "%s%s%s%s", length, k > 1 ? " + " : "", weight, import_quoted(w, s->name));
    rate = import_format(w, "%s%s%s%s", rate, k > 1 ? " + " : "", weight, span_rate(r, s));
  }
  const char *whole = tendon_part_name(r, t, "length"), *change = tendon_part_name(r, t, "rate");
  add_tendon_block(r, whole, length);
  add_tendon_block(r, change, rate);
  t->length = import_quoted(w, whole);
  t->rate = import_quoted(w, change);
}


void mjcf_add_pull(mjcfReader *r, mjcfTendon *t, const char *formula)
{
  t->pull = t->pull ? import_format(r->w, "%s + %s", t->pull, formula) : formula;
}


// spring, damper and stops of a line through more than two points
static void add_path(mjcfReader *r, xmlNode *node, mjcfTendon *t)
{
  importWork *w = r->w;
  double range[2], between[2] = {-1, -1};
  const double k = mjcf_number(r, node, "stiffness", 0), d = mjcf_number(r, node, "damping", 0),
               stop = line_stops(r, node, range);
  mjcf_some(r, node->place, "springlength", mjcf_get(r, node, "springlength"), 2, between);
  if (!(k > 0) && !(d > 0) && !(stop > 0)) return;
  mjcf_measure_tendon(r, t);
  const char *L = t->length, *factor = import_number(w, k);
  const double rest = tendon_rest_length(r, node, t, between[0]);
  if (k > 0 && between[1] > between[0])
    mjcf_add_pull(r, t,
                  import_format(w, "%s*max(0, %s - %s) - %s*max(0, %s - %s)", factor, L,
                                import_number(w, between[1]), factor, import_number(w, rest), L));
  else if (k > 0)
    mjcf_add_pull(r, t, import_format(w, "%s*(%s - %s)", factor, L, import_number(w, rest)));
  if (d > 0) mjcf_add_pull(r, t, import_format(w, "%s*%s", import_number(w, d), t->rate));
  if (stop > 0)
    mjcf_add_pull(r, t,
                  import_format(w, "%.3g*max(0, %s - %s)*max(0, 1 + 0.5*%s)", stop, L,
                                import_number(w, range[1]), t->rate));
  if (stop > 0 && range[0] > 0)
    mjcf_add_pull(r, t,
                  import_format(w, "(-%.3g)*max(0, %s - %s)*max(0, 1 - 0.5*%s)", stop,
                                import_number(w, range[0]), L, t->rate));
}


// sum over the spans at a point of weight (other - point)/span
static const char *direction_text(mjcfReader *r, const mjcfTendon *t, const mjcfSite *site,
                                  const char *axis)
{
  importWork *w = r->w;
  const char *sum = "";
  for (const mjcfSpan *s = t->span; s; s = s->next) {
    const mjcfSite *other = s->a == site ? s->b : s->b == site ? s->a : NULL;
    if (!other) continue;
    sum = import_format(w, "%s%s%s*(%s - %s)/%s", sum, sum[0] ? " + " : "",
                        import_number(w, s->weight), site_coordinate_text(r, other, axis),
                        site_coordinate_text(r, site, axis), import_quoted(w, s->name));
  }
  return sum;
}


static void pull_at(mjcfReader *r, const mjcfTendon *t, const char *tension, const mjcfSite *site)
{
  static const char *const axes[] = {"x", "y", "z"};
  importWork *w = r->w;
  const char *value = "";
  if (site->body < 0) return;
  for (int i = 0; i < 3; i++)
    value = import_format(w, "%s%s\"= %s*(%s)\"", value, i ? ", " : "", tension,
                          direction_text(r, t, site, axes[i]));
  import_add_item(
      w, "forces",
      import_name(w, import_fresh(w, "%s_at_%s", t->name, site->name), "force", t->place),
      base_nowhere(), "{type: force, point: %s, value: [%s]}",
      import_frame_text(w, site->body, site->name), value);
}


static bool is_site_passed(const mjcfSpan *from, const mjcfSpan *to, const mjcfSite *site)
{
  for (const mjcfSpan *s = from; s != to; s = s->next) {
    if (s->a == site || s->b == site) return true;
  }
  return false;
}


void mjcf_pull_tendons(mjcfReader *r)
{
  for (int i = 0; i < r->ntendon; i++) {
    mjcfTendon *t = &r->tendon[i];
    if (!t->pull || !t->span) continue;
    mjcf_measure_tendon(r, t);
    const char *tension = tendon_part_name(r, t, "tension");
    add_tendon_block(r, tension, t->pull);
    for (const mjcfSpan *s = t->span; s; s = s->next) {
      if (!is_site_passed(t->span, s, s->a)) pull_at(r, t, import_quoted(r->w, tension), s->a);
      if (s->b != s->a && !is_site_passed(t->span, s, s->b))
        pull_at(r, t, import_quoted(r->w, tension), s->b);
    }
  }
}


//---- reading -------------------------------------------------------------------------------------

// the sequence of sites and pulleys; false if it wraps around a geom
static bool read_tendon_path(mjcfReader *r, xmlNode *node, mjcfTendon *t)
{
  mjcfSpan **tail = &t->span;
  const mjcfSite *before = NULL;
  double weight = 1;
  for (xmlNode *n = node->first; n; n = n->next) {
    if (strcmp(n->name, "pulley") == 0) {
      double divisor = 0;
      import_get(r->w, n, "divisor", 1, &divisor);
      if (!(divisor > 0)) import_fail(r->w, n->place, "'divisor' of a pulley is not above zero");
      weight = 1 / divisor;
      before = NULL;
    } else if (strcmp(n->name, "site") == 0) {
      const mjcfSite *site = mjcf_find_site(r, n, "site");
      if (before) {
        *tail = import_take(r->w, 1, sizeof **tail);
        **tail = (mjcfSpan){.a = before, .b = site, .weight = weight};
        const v3 way = v3_sub(site_place(r, site), site_place(r, before));
        t->start += weight * sqrt(v3_dot(way, way));
        tail = &(*tail)->next;
      }
      before = site;
    } else {
      return false;
    }
  }
  return t->span != NULL;
}


static void read_spatial(mjcfReader *r, xmlNode *node, mjcfTendon *t)
{
  note_tendon_loss(r, node, "armature");
  note_tendon_loss(r, node, "frictionloss");
  if (read_tendon_path(r, node, t)) {
    if (t->span->next || t->span->weight != 1)
      add_path(r, node, t);
    else
      add_tendon_line(r, node, t);
    return;
  }
  const bool acts = mjcf_number(r, node, "stiffness", 0) > 0 ||
                    mjcf_number(r, node, "damping", 0) > 0 || mjcf_get(r, node, "range");
  t->span = NULL;
  (acts ? import_note_motion : import_note_look)(r->w, node->place,
                                                 "a tendon around a geom is left out");
}


void mjcf_read_tendons(mjcfReader *r, xmlNode *section)
{
  importWork *w = r->w;
  for (xmlNode *n = section->first; n; n = n->next) {
    const char *name = xml_get(n, "name");
    mjcfTendon t = {.name = name ? name : import_fresh(w, "tendon"), .node = n, .place = n->place};
    n->is_read = true;
    if (strcmp(n->name, "fixed") == 0) {
      sum_terms(r, n, &t);
      add_tendon_forces(r, n, &t);
    } else {
      read_spatial(r, n, &t);
    }
    xml_skip(n);
    import_grow(w, (void **) &r->tendon, r->ntendon, &r->tendon_capacity, sizeof *r->tendon);
    r->tendon[r->ntendon] = t;
    if (name) import_enter(w, &r->tendons, name, r->ntendon);
    r->ntendon++;
  }
}
