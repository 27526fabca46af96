// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Writes the machine as a model file. A comment above each item gives its original line; notes on
// omissions and changes are at the end.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/plain.h"
#include "import/import_work.h"
#include "spatial/pose.h"

// maximum line length for a mapping in braces
enum { LINE_LENGTH = 132 };

typedef struct yamlWriter {
  importWork *w;
  FILE *out;
  bool has_visuals; // at least half of the bodies with mass have visual shapes, and none was lost
} yamlWriter;

// keys and values of an item
typedef struct yamlFields {
  int count;
  const char *key[16], *value[16];
} yamlFields;


//---- values --------------------------------------------------------------------------------------

static void add_yaml_field(yamlFields *fields, const char *key, const char *value)
{
  fields->key[fields->count] = key;
  fields->value[fields->count++] = value;
}


static const char *in_braces(importWork *w, const yamlFields *fields)
{
  const char *text = "";
  for (int i = 0; i < fields->count; i++) {
    text = import_format(w, "%s%s%s: %s", text, i ? ", " : "", fields->key[i], fields->value[i]);
  }
  return import_format(w, "{%s}", text);
}


static bool are_numbers_zero(int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    if (x[i] != 0) return false;
  }
  return true;
}


static const char *yaml_angle_text(importWork *w, double x)
{
  const char *sign = x < 0 ? "-" : "";
  if (fabs(x) == PI) return import_format(w, "= %spi", sign);
  return fabs(x) == PI / 2 ? import_format(w, "= %spi/2", sign) : import_number(w, x);
}


// the orientation of a frame, or NULL for the identity
static const char *orientation_text(importWork *w, const importPose *pose)
{
  if (pose->has_angles && are_numbers_zero(3, pose->rpy)) return NULL;
  if (pose->axes) return pose->axes;
  if (pose->has_angles) {
    return import_format(w, "{rpy: [%s, %s, %s]}", yaml_angle_text(w, pose->rpy[0]),
                         yaml_angle_text(w, pose->rpy[1]), yaml_angle_text(w, pose->rpy[2]));
  }
  double q[4];
  pose_quaternion(pose->in.R, q);
  return q[0] == 1 ? NULL : import_list(w, 4, q);
}


static void add_pose(importWork *w, yamlFields *fields, const importPose *pose)
{
  double at[3];
  import_store(at, pose->in.r);
  const char *axes = orientation_text(w, pose);
  if (!are_numbers_zero(3, at)) add_yaml_field(fields, "position", import_list(w, 3, at));
  if (axes) add_yaml_field(fields, "orientation", axes);
}


static const char *axis_text(importWork *w, const double axis[3])
{
  static const char *const names[2][3] = {{"x", "y", "z"}, {"-x", "-y", "-z"}};
  for (int i = 0; i < 3; i++) {
    if (fabs(axis[i]) == 1 && axis[(i + 1) % 3] == 0 && axis[(i + 2) % 3] == 0) {
      return names[axis[i] < 0][i];
    }
  }
  return import_list(w, 3, axis);
}


//---- lines ---------------------------------------------------------------------------------------

static void write_place(yamlWriter *y, artPlace place)
{
  if (place.line == 0) return;
  const char *slash = place.file ? strrchr(place.file, '/') : NULL;
  if (place.file && strcmp(place.file, y->w->path) != 0) {
    fprintf(y->out, "  # line %d of %s\n", place.line, slash ? slash + 1 : place.file);
  } else {
    fprintf(y->out, "  # line %d\n", place.line);
  }
}


// on one line if it fits, else one line per key
static void write_item(yamlWriter *y, const char *name, const yamlFields *fields)
{
  const char *line = import_format(y->w, "  %s: %s", name, in_braces(y->w, fields));
  if (strlen(line) <= LINE_LENGTH) {
    fprintf(y->out, "%s\n", line);
    return;
  }
  fprintf(y->out, "  %s:\n", name);
  for (int i = 0; i < fields->count; i++) {
    fprintf(y->out, "    %s: %s\n", fields->key[i], fields->value[i]);
  }
}


//---- bodies --------------------------------------------------------------------------------------

static const char *shape_text(importWork *w, const importShape *shape)
{
  static const char *const names[] = {"box", "cylinder", "sphere", "capsule", "ellipsoid", "mesh"};
  yamlFields fields = {0};
  add_yaml_field(&fields, "type", names[shape->type]);
  if (shape->type == SHAPE_BOX || shape->type == SHAPE_ELLIPSOID) {
    add_yaml_field(&fields, "size", import_list(w, 3, shape->size));
  } else if (shape->type == SHAPE_MESH) {
    add_yaml_field(&fields, "file", import_format(w, "\"%s\"", shape->file));
    if (shape->scale != 1) add_yaml_field(&fields, "scale", import_number(w, shape->scale));
  } else {
    add_yaml_field(&fields, "radius", import_number(w, shape->radius));
    if (shape->type != SHAPE_SPHERE)
      add_yaml_field(&fields, "length", import_number(w, shape->length));
  }
  if (!isnan(shape->density))
    add_yaml_field(&fields, "density", import_quantity(w, shape->density, "kg/m^3"));
  if (!isnan(shape->mass)) add_yaml_field(&fields, "mass", import_quantity(w, shape->mass, "kg"));
  importPose pose = shape->pose;
  if (shape->type == SHAPE_SPHERE) memset(pose.rpy, 0, sizeof pose.rpy), pose.has_angles = true;
  add_pose(w, &fields, &pose);
  if (shape->colour >= 0) {
    add_yaml_field(&fields, "colour", import_format(w, "\"#%06x\"", (unsigned) shape->colour));
  }
  return in_braces(w, &fields);
}


static void write_yaml_shapes(yamlWriter *y, const char *key, const importShape *list)
{
  if (!list) return;
  fprintf(y->out, "    %s:%s", key, list->next ? "\n" : " ");
  for (const importShape *s = list; s; s = s->next) {
    fprintf(y->out, "%s%s\n", list->next ? "      - " : "", shape_text(y->w, s));
  }
}


static const char *inertia_text(importWork *w, const importBody *body)
{
  const double *I = body->inertia;
  const char *tensor = import_list(w, are_numbers_zero(3, I + 3) ? 3 : 6, I);
  if (import_is_solid(I) && body->mass > 0) return tensor;
  import_note(w, body->place,
              "the inertia of '%.80s' is one that no solid can have; it is taken as it is",
              body->name);
  return import_format(w, "{tensor: %s, unchecked: true}", tensor);
}


static void write_frames(yamlWriter *y, const importFrame *list)
{
  if (list) fprintf(y->out, "    frames:\n");
  for (const importFrame *f = list; f; f = f->next) {
    yamlFields fields = {0};
    add_pose(y->w, &fields, &f->pose);
    fprintf(y->out, "      %s: %s\n", f->name, in_braces(y->w, &fields));
  }
}


static void write_yaml_body(yamlWriter *y, const importBody *body)
{
  importWork *w = y->w;
  yamlFields fields = {0};
  if (body->mass > 0) add_yaml_field(&fields, "mass", import_quantity(w, body->mass, "kg"));
  if (!are_numbers_zero(3, body->com)) add_yaml_field(&fields, "com", import_list(w, 3, body->com));
  if (!are_numbers_zero(6, body->inertia))
    add_yaml_field(&fields, "inertia", inertia_text(w, body));
  const bool is_hidden = y->has_visuals && body->mass > 0 && !body->visual && !body->solid;
  const bool is_empty = !fields.count && !body->solid && !body->frame && !body->visual;
  write_place(y, body->place);
  fprintf(y->out, "  %s:%s\n", body->name, is_empty ? " {}" : "");
  for (int i = 0; i < fields.count; i++) {
    fprintf(y->out, "    %s: %s\n", fields.key[i], fields.value[i]);
  }
  write_yaml_shapes(y, "solid", body->solid);
  write_frames(y, body->frame);
  write_yaml_shapes(y, "visual", body->visual);
  // if most bodies have visual shapes, do not derive shapes from inertia
  if (is_hidden) fprintf(y->out, "    visual: []\n");
}


//---- joints --------------------------------------------------------------------------------------

static const char *end_text(importWork *w, int body, const char *frame, const importPose *pose)
{
  if (frame) return frame;
  const char *name = import_frame_text(w, body, NULL);
  yamlFields fields = {0};
  add_yaml_field(&fields, "frame", name);
  add_pose(w, &fields, pose);
  return fields.count == 1 ? name : in_braces(w, &fields);
}


static void write_yaml_joint(yamlWriter *y, const importJoint *joint)
{
  static const char *const types[] = {"fixed",     "revolute", "prismatic", "screw", "cylindrical",
                                      "universal", "planar",   "spherical", "free",  "rod"};
  importWork *w = y->w;
  yamlFields fields = {0};
  add_yaml_field(&fields, "type", types[joint->type]);
  if ((joint->type >= ART_REVOLUTE && joint->type <= ART_CYLINDRICAL) ||
      joint->type == ART_PLANAR) {
    add_yaml_field(&fields, "axis", axis_text(w, joint->axis));
  }
  if (joint->type == ART_PLANAR && !are_numbers_zero(3, joint->axis2)) {
    add_yaml_field(&fields, "x", axis_text(w, joint->axis2));
  }
  if (joint->type == ART_UNIVERSAL) {
    add_yaml_field(
        &fields, "axes",
        import_format(w, "[%s, %s]", axis_text(w, joint->axis), axis_text(w, joint->axis2)));
  }
  if (joint->type == ART_SCREW) add_yaml_field(&fields, "pitch", import_number(w, joint->pitch));
  add_yaml_field(&fields, "from", end_text(w, joint->from, joint->from_frame, &joint->from_pose));
  add_yaml_field(&fields, "to", end_text(w, joint->to, joint->to_frame, &joint->to_pose));
  if (joint->rotor > 0)
    add_yaml_field(
        &fields, "rotor",
        import_quantity(w, joint->rotor, joint->type == ART_PRISMATIC ? "kg" : "kg m^2"));
  if (joint->type == ART_ROD && joint->length > 0)
    add_yaml_field(&fields, "length", import_number(w, joint->length));
  if (joint->is_cut && joint->type != ART_ROD) add_yaml_field(&fields, "loop", "cut");
  write_place(y, joint->place);
  write_item(y, joint->name, &fields);
}


//---- forces in joints ----------------------------------------------------------------------------

static double total_mass(const importMachine *m)
{
  double sum = 0;
  for (int i = 0; i < m->nbody; i++) sum += m->body[i].mass;
  return sum;
}


// a unique name for an item of a joint
static const char *joint_part_name(importWork *w, const importJoint *joint, const char *ending,
                                   const char *kind)
{
  return import_name(w, import_format(w, "%s_%s", joint->name, ending), kind, joint->place);
}


// Write a range as a stop. It deflects by 1 deg, or 1 mm, under the largest effort, or else under
// the weight of the machine at an arm of 0.1 m.
static void add_stop(importWork *w, const importJoint *joint)
{
  if (isnan(joint->lower) && isnan(joint->upper)) return;
  const bool slides = joint->type == ART_PRISMATIC;
  const double weight = 9.81 * fmax(total_mass(&w->machine), 0.1);
  const double load = joint->effort > 0 && isfinite(joint->effort) ? joint->effort
                      : slides                                     ? weight
                                                                   : 0.1 * weight;
  char stiffness[32];
  format_text(stiffness, sizeof stiffness, "%.3g", load / (slides ? 1e-3 : PI / 180));
  const char *unit = slides ? "m" : "rad";
  yamlFields fields = {0};
  add_yaml_field(&fields, "type", "joint-stop");
  add_yaml_field(&fields, "coordinate", joint->name);
  if (!isnan(joint->lower))
    add_yaml_field(&fields, "lower", import_quantity(w, joint->lower, unit));
  if (!isnan(joint->upper))
    add_yaml_field(&fields, "upper", import_quantity(w, joint->upper, unit));
  add_yaml_field(&fields, "stiffness",
                 import_format(w, "%s %s", stiffness, slides ? "N/m" : "N m/rad"));
  add_yaml_field(&fields, "damping", "0.5");
  import_note(w, joint->place,
              "the stiffness of stops is chosen: they yield by 1 deg or 1 mm under the largest "
              "effort of the joint");
  import_add_item(w, "forces", joint_part_name(w, joint, "stop", "stop"), base_nowhere(), "%s",
                  in_braces(w, &fields));
}


// N m s/rad or N s/m; above this, explicit integrators need steps below 1e-4 s for links of some
// kilograms
static const double STIFF_DAMPING = 1e5;


void import_add_joint_force(importWork *w, const char *name, artPlace place, const char *coordinate,
                            const char *value)
{
  import_add_item(w, "forces", name, place, "{type: joint-force, coordinate: %s, value: \"= %s\"}",
                  coordinate, value);
}


void import_add_joint_spring(importWork *w, const char *name, artPlace place,
                             const char *coordinate, const char *stiffness, const char *rest,
                             const char *damping)
{
  yamlFields fields = {0};
  add_yaml_field(&fields, "type", "joint-spring");
  add_yaml_field(&fields, "coordinate", coordinate);
  if (stiffness) add_yaml_field(&fields, "stiffness", stiffness);
  if (rest) add_yaml_field(&fields, "rest", rest);
  if (damping) add_yaml_field(&fields, "damping", damping);
  import_add_item(w, "forces", name, place, "%s", in_braces(w, &fields));
}


static void add_friction(importWork *w, const importJoint *joint)
{
  const bool slides = joint->type == ART_PRISMATIC;
  const char *force = slides ? "N" : "N m", *rate = slides ? "N s/m" : "N m s/rad";
  const char *name = import_format(w, "%s_%s", joint->name,
                                   joint->friction > 0    ? "friction"
                                   : joint->stiffness > 0 ? "spring"
                                                          : "damper");
  yamlFields fields = {0};
  if (joint->friction > 0) {
    import_note(w, joint->place,
                "dry friction changes its sign over 1e-3 rad/s or m/s instead of sticking");
    add_yaml_field(&fields, "type", "joint-friction");
    add_yaml_field(&fields, "coordinate", joint->name);
    add_yaml_field(&fields, "coulomb", import_quantity(w, joint->friction, force));
    add_yaml_field(&fields, "transition", "1e-3");
    if (joint->damping > 0)
      add_yaml_field(&fields, "viscous", import_quantity(w, joint->damping, rate));
    import_add_item(w, "forces", import_name(w, name, "friction", joint->place), base_nowhere(),
                    "%s", in_braces(w, &fields));
  }
  if (joint->damping > STIFF_DAMPING)
    import_note_look(
        w, joint->place,
        "a damping as large as that of joint '%.80s' makes the motion stiff: run it with "
        "'--integrator bdf'",
        joint->name);
  const double damping = joint->friction > 0 ? 0 : joint->damping;
  if (joint->stiffness == 0 && damping == 0) return;
  const char *stiffness = NULL, *rest = NULL;
  if (joint->stiffness != 0) {
    stiffness = import_quantity(w, joint->stiffness, slides ? "N/m" : "N m/rad");
    if (joint->rest != 0) rest = import_number(w, joint->rest);
    name = import_format(w, "%s_spring", joint->name);
  }
  import_add_joint_spring(w, import_name(w, name, "spring", joint->place), base_nowhere(),
                          joint->name, stiffness, rest,
                          damping == 0 ? NULL : import_quantity(w, damping, rate));
}


// an input that is the force along the joint
static void add_effort(importWork *w, const importJoint *joint)
{
  if (!(joint->effort > 0)) return;
  const char *unit = joint->type == ART_PRISMATIC ? "N" : "N m";
  const char *input = joint_part_name(w, joint, "effort", "input");
  const char *most = import_number(w, joint->effort);
  if (isfinite(joint->effort)) {
    import_add_item(w, "inputs", input, base_nowhere(), "{unit: %s, limits: [-%s, %s]}", unit, most,
                    most);
  } else {
    import_add_item(w, "inputs", input, base_nowhere(), "{unit: %s}", unit);
  }
  import_add_joint_force(w, joint_part_name(w, joint, "motor", "motor"), base_nowhere(),
                         joint->name, import_quoted(w, input));
}


//---- joints that move no mass --------------------------------------------------------------------

// bodies that have mass, carry such bodies, or are in a loop
static bool *find_loaded(importWork *w)
{
  const importMachine *m = &w->machine;
  bool *is_loaded = import_take(w, (size_t) m->nbody + 1, sizeof *is_loaded);
  int *parent = import_take(w, (size_t) m->nbody + 1, sizeof *parent);
  bool *is_source = import_take(w, (size_t) m->nbody + 1, sizeof *is_source);
  for (int i = 0; i < m->nbody; i++) parent[i] = -1;
  for (int i = 0; i < m->nbody; i++) is_source[i] = m->body[i].mass > 0 || m->body[i].solid;
  for (int i = 0; i < m->njoint; i++) {
    const importJoint *joint = &m->joint[i];
    if (joint->to >= 0 && !joint->is_cut) parent[joint->to] = joint->from;
    if (joint->is_cut && joint->to >= 0) is_source[joint->to] = true;
    if (joint->is_cut && joint->from >= 0) is_source[joint->from] = true;
  }
  for (int i = 0; i < m->nbody; i++) {
    for (int at = is_source[i] ? i : -1; at >= 0 && !is_loaded[at]; at = parent[at]) {
      is_loaded[at] = true;
    }
  }
  return is_loaded;
}


// joints that move mass, or are followed by joints that do
static bool *find_moving(importWork *w)
{
  const importMachine *m = &w->machine;
  const bool *is_loaded = find_loaded(w);
  bool *moves = import_take(w, (size_t) m->njoint + 1, sizeof *moves);
  for (int i = 0; i < m->njoint; i++) {
    moves[i] = m->joint[i].to < 0 || is_loaded[m->joint[i].to] || m->joint[i].rotor > 0;
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (int i = 0; i < m->njoint; i++) {
      const int leader = m->joint[i].leader;
      if (leader < 0 || !moves[i] || moves[leader]) continue;
      moves[leader] = changes = true;
    }
  }
  return moves;
}


// A joint that moves no mass has no equation of motion: fix it, like a joint whose range is a
// single value.
static void hold_joints(importWork *w)
{
  if (w->machine.is_graph) return;
  const bool *moves = find_moving(w);
  for (int i = 0; i < w->machine.njoint; i++) {
    importJoint *joint = &w->machine.joint[i];
    if (!import_has_one(joint) || (moves[i] && !joint->is_held)) continue;
    if (joint->is_held && joint->is_follower) {
      import_note_motion(w, joint->place,
                         "the range of joint '%.80s', which follows another, is left out",
                         joint->name);
    }
    if (joint->is_cut || joint->is_follower) continue;
    import_note(w, joint->place,
                joint->is_held ? "the range of joint '%.80s' is one place, where a drive holds it"
                               : "joint '%.80s' moves nothing that has mass and is held by a drive",
                joint->name);
    import_add_item(w, "drives", joint_part_name(w, joint, "held", "drive"), base_nowhere(),
                    "{coordinate: %s, value: %s}", joint->name, import_number(w, joint->start));
    joint->effort = joint->friction = joint->damping = joint->stiffness = 0;
    joint->lower = joint->upper = NAN;
    joint->initial = NULL;
  }
}


static void add_actions(importWork *w)
{
  hold_joints(w);
  for (int i = 0; i < w->machine.njoint; i++) {
    const importJoint joint = w->machine.joint[i];
    add_effort(w, &joint);
    if (joint.friction > 0 || joint.damping != 0 || joint.stiffness != 0) add_friction(w, &joint);
    add_stop(w, &joint);
    if (joint.initial) {
      import_add_item(w, joint.is_guess ? "guess" : "initial", joint.name, base_nowhere(), "{%s}",
                      joint.initial);
    }
  }
}


//---- the file ------------------------------------------------------------------------------------

static void write_items(yamlWriter *y, const char *section)
{
  const importMachine *m = &y->w->machine;
  bool has_title = false;
  int line = 0;
  for (int i = 0; i < m->nitem; i++) {
    if (strcmp(m->item[i].section, section) != 0) continue;
    if (!has_title) fprintf(y->out, "\n%s:\n", section);
    has_title = true;
    if (m->item[i].place.line != line) write_place(y, m->item[i].place);
    line = m->item[i].place.line;
    if (m->item[i].name)
      fprintf(y->out, "  %s: %s\n", m->item[i].name, m->item[i].value);
    else
      fprintf(y->out, "  - %s\n", m->item[i].value);
  }
}


// "# Left out or changed, LEVEL:" and one line per note; import.c parses this form
static void write_notes(yamlWriter *y)
{
  importWork *w = y->w;
  import_sort_notes(w);
  for (int i = 0; i < w->nnote; i++) {
    const importNote *note = &w->note[i];
    if (i == 0 || note->level != w->note[i - 1].level)
      format_stream(y->out, "\n" IMPORT_NOTES "%s:\n", art_note_level_name(note->level));
    fprintf(y->out, "#   ");
    if (note->place.file && strcmp(note->place.file, w->path) != 0)
      fprintf(y->out, "%s, ", note->place.file);
    if (note->place.line > 0) fprintf(y->out, "line %d: ", note->place.line);
    fprintf(y->out, "%s", note->text);
    if (note->count > 1) fprintf(y->out, " (%d times)", note->count);
    fprintf(y->out, "\n");
  }
}


static void write_yaml_head(yamlWriter *y)
{
  const importMachine *m = &y->w->machine;
  const char *slash = strrchr(y->w->path, '/');
  char *title = import_text(y->w, m->title && m->title[0] ? m->title
                                  : slash                 ? slash + 1
                                                          : y->w->path);
  char *file = import_text(y->w, slash ? slash + 1 : y->w->path);
  plain_tidy(title);
  plain_tidy(file);
  for (char *c = title; *c; c++) {
    if (*c == '"' || *c == '\\') *c = '\'';
  }
  fprintf(y->out, "# From the %s file %s; line numbers refer to it.\narticula: 1\ntitle: \"%s\"\n",
          m->format, file, title);
  if (m->has_gravity) fprintf(y->out, "gravity: %s\n", import_list(y->w, 3, m->gravity));
}


static void write_machine_yaml(yamlWriter *y)
{
  static const char *const sections[] = {"couplings", "latches", "curves",   "inputs",  "states",
                                         "blocks",    "sensors", "surfaces", "forces",  "drives",
                                         "initial",   "guess",   "outputs",  "studies", NULL};
  const importMachine *m = &y->w->machine;
  add_actions(y->w);
  write_yaml_head(y);
  write_items(y, "parameters");
  if (m->ground_visual || m->ground_frame) fprintf(y->out, "\nground:\n");
  write_frames(y, m->ground_frame);
  write_yaml_shapes(y, "visual", m->ground_visual);
  int nseen = 0, nheavy = 0;
  for (int i = 0; i < m->nbody; i++) {
    nseen += m->body[i].visual || m->body[i].solid;
    nheavy += m->body[i].mass > 0;
  }
  y->has_visuals = nseen > 0 && 2 * nseen >= nheavy && !m->has_lost_meshes;
  fprintf(y->out, "\nbodies:%s\n", m->nbody ? "" : " {}");
  for (int i = 0; i < m->nbody; i++) write_yaml_body(y, &m->body[i]);
  fprintf(y->out, "\njoints:%s\n", m->njoint ? "" : " {}");
  for (int i = 0; i < m->njoint; i++) write_yaml_joint(y, &m->joint[i]);
  for (int i = 0; sections[i]; i++) write_items(y, sections[i]);
  write_notes(y);
}


void import_write(importWork *w)
{
  size_t length = 0;
  yamlWriter y = {.w = w, .out = open_memstream(&w->text, &length)};
  if (!y.out) import_leave(w, ART_NO_MEMORY);
  w->out_stream = y.out;
  write_machine_yaml(&y);
  w->out_stream = NULL;
  if (!file_close_text(y.out, &w->text)) import_leave(w, ART_NO_MEMORY);
}
