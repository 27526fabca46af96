// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Common to all readers: errors, notes, names, new parts of the machine, numbers and poses.
#include "import/import_work.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/throw.h"
#include "base/unit.h"

enum { SENTENCE_LENGTH = 600 };


//---- errors and notes ----------------------------------------------------------------------------

void import_leave(importWork *w, artStatus status)
{
  if (!w->error.status) base_fail(&w->error, status, base_nowhere(), "%s", art_status_text(status));
  error_throw();
}


void import_fail(importWork *w, artPlace place, const char *format, ...)
{
  char sentence[SENTENCE_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  format_text_list(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  base_fail(&w->error, ART_BAD_INPUT, place, "%s", sentence);
  error_throw();
}


static void add_note(importWork *w, artNoteLevel level, artPlace place, const char *format,
                     va_list arguments)
{
  char sentence[SENTENCE_LENGTH];
  format_text_list(sentence, sizeof sentence, format, arguments);
  plain_tidy(sentence);
  for (int i = w->nnote - 1; i >= 0 && i > w->nnote - 200; i--) {
    if (strcmp(w->note[i].text, sentence) != 0) continue;
    w->note[i].count++;
    return;
  }
  import_grow(w, (void **) &w->note, w->nnote, &w->note_capacity, sizeof *w->note);
  const char *text = import_text(w, sentence);
  w->note[w->nnote++] = (importNote){level, text, place, 1};
}


#define NOTE(level)                                                                                \
  va_list arguments;                                                                               \
  va_start(arguments, format);                                                                     \
  add_note(w, level, place, format, arguments);                                                    \
  va_end(arguments)

void import_note_motion(importWork *w, artPlace place, const char *format, ...)
{
  NOTE(ART_NOTE_MOTION);
}


void import_note_mended(importWork *w, artPlace place, const char *format, ...)
{
  NOTE(ART_NOTE_MENDED);
}


void import_note(importWork *w, artPlace place, const char *format, ...)
{
  NOTE(ART_NOTE_SCOPE);
}


void import_note_look(importWork *w, artPlace place, const char *format, ...)
{
  NOTE(ART_NOTE_LOOK);
}


// Contact, solvers, controllers and sensors are not supported; appearance and comments have no
// effect. An unknown element is assumed to affect the motion.
static artNoteLevel level_of_name(const char *name)
{
  static const char *const scope[] = {"condim",
                                      "contype",
                                      "conaffinity",
                                      "friction",
                                      "margin",
                                      "gap",
                                      "solmix",
                                      "priority",
                                      "solref",
                                      "solimp",
                                      "solreflimit",
                                      "solimplimit",
                                      "solreffriction",
                                      "solimpfriction",
                                      "fluidshape",
                                      "fluidcoef",
                                      "mu",
                                      "mu1",
                                      "mu2",
                                      "fdir1",
                                      "kp",
                                      "kd",
                                      "minDepth",
                                      "min_depth",
                                      "maxVel",
                                      "maxContacts",
                                      "max_contacts",
                                      "selfCollide",
                                      "self_collide",
                                      "surface",
                                      "contact",
                                      "collision",
                                      "plugin",
                                      "sensor",
                                      "transmission",
                                      "safety_controller",
                                      "calibration",
                                      "hardwareInterface",
                                      "mechanicalReduction",
                                      "controller",
                                      "solver",
                                      "iterations",
                                      "timestep",
                                      "integrator",
                                      "cone",
                                      "jacobian",
                                      "tolerance",
                                      "impratio",
                                      "noslip_iterations",
                                      "ls_iterations",
                                      "flag",
                                      "physics",
                                      "extension",
                                      "deformable",
                                      "skin",
                                      "stopCfm",
                                      "stopErp",
                                      "implicitSpringDamper",
                                      "provideFeedback",
                                      "cfmDamping",
                                      "fudgeFactor",
                                      "dissipation",
                                      "effort",
                                      "drake:acceleration",
                                      "current",
                                      "command_effort",
                                      "gear_velocity",
                                      "self_collision_checking",
                                      "collision_checking",
                                      "fwdinv",
                                      "energy",
                                      "multiccd",
                                      "island",
                                      "sensornoise",
                                      "override",
                                      "warmstart",
                                      "filterparent",
                                      "refsafe",
                                      "midphase",
                                      "nativeccd",
                                      "autoreset",
                                      "hfield",
                                      "velocity",
                                      "allow_auto_disable",
                                      "enable_wind",
                                      "drake:proximity_properties",
                                      "drake:collision_filter_group",
                                      "ode",
                                      "verbose",
                                      "threshold"};
  static const char *const look[] = {"rgba",
                                     "group",
                                     "material",
                                     "name",
                                     "user",
                                     "texture",
                                     "texcoord",
                                     "camera",
                                     "light",
                                     "visual",
                                     "statistic",
                                     "text",
                                     "numeric",
                                     "tuple",
                                     "size",
                                     "maxhullvert",
                                     "smoothnormal",
                                     "convexhull",
                                     "discardvisual",
                                     "fitaabb",
                                     "texturedir",
                                     "strippath",
                                     "usethread",
                                     "lengthrange",
                                     "noise",
                                     "cutoff",
                                     "shadow",
                                     "scene",
                                     "gui",
                                     "audio",
                                     "state",
                                     "author",
                                     "description",
                                     "cast_shadows",
                                     "visibility_flags",
                                     "laser_retro",
                                     "transparency",
                                     "spherical_coordinates",
                                     "magnetic_field",
                                     "atmosphere",
                                     "actor",
                                     "population",
                                     "road",
                                     "version",
                                     "color",
                                     "specular",
                                     "emission",
                                     "shininess",
                                     "reflectance",
                                     "class",
                                     "childclass",
                                     "zoom",
                                     "width",
                                     "limits",
                                     "level",
                                     "allow_renaming",
                                     "site",
                                     "frame",
                                     "meta",
                                     "depth",
                                     "springinertia",
                                     "drake:perception_properties",
                                     "drake:illustration_properties",
                                     "axis_color"};
  if (NAMED_FIND(scope, name) >= 0) return ART_NOTE_SCOPE;
  return NAMED_FIND(look, name) >= 0 ? ART_NOTE_LOOK : ART_NOTE_MOTION;
}


// parts of unsupported elements are unsupported too
static artNoteLevel level_of_part(const char *name, const char *owner)
{
  static const char *const apart[] = {"sensor", "physics",  "contact", "surface", "plugin",
                                      "site",   "material", "texture", "camera",  "light"};
  const artNoteLevel level = level_of_name(name);
  return NAMED_FIND(apart, owner) >= 0 && level == ART_NOTE_MOTION ? level_of_name(owner) : level;
}


void import_note_part(importWork *w, const xmlNode *owner, artPlace place, const char *name,
                      const char *format, ...)
{
  NOTE(level_of_part(name, owner ? owner->name : ""));
}


void import_sort_notes(importWork *w)
{
  importNote *sorted = import_take(w, (size_t) w->nnote + 1, sizeof *sorted);
  int n = 0;
  for (int level = 0; level < ART_NOTE_LEVELS; level++) {
    for (int i = 0; i < w->nnote; i++) {
      if ((int) w->note[i].level == level) sorted[n++] = w->note[i];
    }
  }
  w->note = sorted;
  w->note_capacity = n;
}


//---- memory --------------------------------------------------------------------------------------

void *import_take(importWork *w, size_t count, size_t size)
{
  void *block = arena_alloc(&w->arena, count, size);
  if (!block) import_leave(w, ART_NO_MEMORY);
  return block;
}


char *import_text(importWork *w, const char *text)
{
  char *copy = arena_text(&w->arena, text);
  if (!copy) import_leave(w, ART_NO_MEMORY);
  return copy;
}


static char *format_list(importWork *w, const char *format, va_list arguments)
{
  char *text = arena_format_list(&w->arena, format, arguments);
  if (!text) import_leave(w, ART_NO_MEMORY);
  return text;
}


char *import_format(importWork *w, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = format_list(w, format, arguments);
  va_end(arguments);
  return text;
}


void import_append(importWork *w, importLine *line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const char *text = format_list(w, format, arguments);
  va_end(arguments);
  const int n = (int) strlen(text), whole = line->length + n;
  if (whole >= line->capacity) {
    line->capacity = 2 * whole + 16;
    char *longer = import_take(w, (size_t) line->capacity, 1);
    if (line->length > 0) memcpy(longer, line->text, (size_t) line->length);
    line->text = longer;
  }
  memcpy(line->text + line->length, text, (size_t) n + 1);
  line->length = whole;
}


void import_enter(importWork *w, baseTable *table, const char *name, int number)
{
  if (table_find(table, name) < 0 && !table_add(table, &w->arena, name, number))
    import_leave(w, ART_NO_MEMORY);
}


void import_grow(importWork *w, void **items, int count, int *capacity, size_t size)
{
  if (count < *capacity) return;
  *capacity = 2 * count + 16;
  void *room = import_take(w, (size_t) *capacity, size);
  if (count > 0) memcpy(room, *items, (size_t) count * size);
  *items = room;
}


//---- names ---------------------------------------------------------------------------------------

static bool is_ascii_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}


// replace characters that names may not have
char *import_spell(importWork *w, const char *wanted)
{
  char *name = import_format(w, "%s%.200s", is_ascii_letter(wanted[0]) ? "" : "n", wanted);
  for (char *c = name; *c; c++) {
    if (!is_ascii_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '-') *c = '_';
  }
  return name;
}


static bool is_import_name_taken(const importWork *w, const char *name)
{
  static const char *const ours[] = {"ground", "time", "energy", "momentum", "step", "constraint"};
  return NAMED_FIND(ours, name) >= 0 || table_find(&w->names, name) >= 0;
}


const char *import_name(importWork *w, const char *wanted, const char *kind, artPlace place)
{
  const char *name = wanted[0] ? import_spell(w, wanted) : import_text(w, kind);
  if (is_import_name_taken(w, name)) name = import_format(w, "%s_%s", name, kind);
  const char *stem = name;
  const int own = table_find(&w->names, stem);
  for (int i = own < 0 ? 2 : w->next_number[own]; is_import_name_taken(w, name); i++) {
    name = import_format(w, "%s_%d", stem, i);
    if (own >= 0) w->next_number[own] = i + 1;
  }
  const int count = w->names.count;
  import_grow(w, (void **) &w->next_number, count, &w->number_capacity, sizeof *w->next_number);
  w->next_number[count] = 2;
  import_enter(w, &w->names, name, count);
  if (wanted[0] && strcmp(name, wanted) != 0) {
    import_note_look(w, place, "%s '%.80s' is called '%.80s' here", kind, wanted, name);
  }
  return name;
}


const char *import_fresh(importWork *w, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const char *wanted = format_list(w, format, arguments), *name = wanted;
  va_end(arguments);
  // numbers stay if the spelling is truncated
  for (int i = 2; table_find(&w->given, import_spell(w, name)) >= 0; i++) {
    name = import_format(w, "%.180s_%d", wanted, i);
  }
  return name;
}


const char *import_quoted(importWork *w, const char *name)
{
  return strchr(name, '-') ? import_format(w, "'%s'", name) : name;
}


//---- the machine ---------------------------------------------------------------------------------

importBody *import_add_body(importWork *w, const char *foreign, artPlace place)
{
  importMachine *m = &w->machine;
  if (foreign[0] && table_find(&w->bodies, foreign) >= 0) {
    import_fail(w, place, "the name '%.80s' is given to two bodies", foreign);
  }
  import_grow(w, (void **) &m->body, m->nbody, &m->body_capacity, sizeof *m->body);
  importBody *body = &m->body[m->nbody];
  *body = (importBody){.name = import_name(w, foreign, "body", place), .place = place};
  const char *key = foreign[0] ? import_text(w, foreign) : body->name;
  import_enter(w, &w->bodies, key, m->nbody);
  m->nbody++;
  return body;
}


int import_find_body(const importWork *w, const char *foreign)
{
  const int found = table_find(&w->bodies, foreign);
  return found >= 0 ? found : -2;
}


const char *import_frame_text(importWork *w, int body, const char *frame)
{
  const char *name = body < 0 ? "ground" : w->machine.body[body].name;
  return frame ? import_format(w, "%s.%s", name, frame) : name;
}


importJoint *import_add_joint(importWork *w, const char *name, artJointType type, int from, int to,
                              artPlace place)
{
  importMachine *m = &w->machine;
  import_grow(w, (void **) &m->joint, m->njoint, &m->joint_capacity, sizeof *m->joint);
  importJoint *joint = &m->joint[m->njoint++];
  *joint = (importJoint){.type = type,
                         .from = from,
                         .to = to,
                         .place = place,
                         .from_pose = import_identity(),
                         .to_pose = import_identity(),
                         .axis = {0, 0, 1},
                         .lower = NAN,
                         .upper = NAN,
                         .leader = -1};
  joint->name = import_name(w, name, "joint", place);
  return joint;
}


void import_add_item(importWork *w, const char *section, const char *name, artPlace place,
                     const char *format, ...)
{
  importMachine *m = &w->machine;
  va_list arguments;
  va_start(arguments, format);
  const char *value = format_list(w, format, arguments);
  va_end(arguments);
  import_grow(w, (void **) &m->item, m->nitem, &m->item_capacity, sizeof *m->item);
  m->item[m->nitem++] = (importItem){section, name, value, place};
}


// Append to a linked list whose first item stores the last one; the stored one may be outdated.
#define APPEND_TO_ROW(first, item)                                                                 \
  do {                                                                                             \
    if (!*(first)) {                                                                               \
      *(first) = (item);                                                                           \
    } else {                                                                                       \
      if (!(*(first))->last) (*(first))->last = *(first);                                          \
      while ((*(first))->last->next) (*(first))->last = (*(first))->last->next;                    \
      (*(first))->last->next = (item);                                                             \
    }                                                                                              \
    (*(first))->last = (item);                                                                     \
  } while (0)


importShape *import_add_shape(importWork *w, importShape **list, importShapeType type)
{
  importShape *shape = import_take(w, 1, sizeof *shape);
  *shape = (importShape){.type = type,
                         .scale = 1,
                         .pose = import_identity(),
                         .colour = -1,
                         .density = NAN,
                         .mass = NAN};
  APPEND_TO_ROW(list, shape);
  return shape;
}


importFrame *import_add_frame(importWork *w, importFrame **list, const char *name, importPose pose)
{
  importFrame *frame = import_take(w, 1, sizeof *frame);
  *frame = (importFrame){.name = name, .pose = pose};
  APPEND_TO_ROW(list, frame);
  return frame;
}


importFrame *import_first_frame(importWork *w, importBody *body, const char *name, importPose pose)
{
  importFrame *rest = body->frame;
  body->frame = NULL;
  import_add_frame(w, &body->frame, name, pose)->next = rest;
  return body->frame;
}


importShape *import_add_mesh(importWork *w, importShape **list, const char *name,
                             const char *folder, const double scale[3], artPlace place)
{
  if (scale[0] != scale[1] || scale[0] != scale[2] || !(scale[0] > 0)) {
    import_note_look(w, place,
                     "the mesh '%.200s' has different scales along x, y, z and is not shown", name);
    return NULL;
  }
  const char *file = import_mesh(w, name, folder, place);
  if (!file) return NULL;
  importShape *shape = import_add_shape(w, list, SHAPE_MESH);
  shape->file = file;
  shape->scale = scale[0];
  return shape;
}


static bool are_positive(int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    if (!(x[i] > 0)) return false;
  }
  return true;
}


importShape *import_read_shape(importWork *w, importShape **list, xmlNode *geometry,
                               importSizes *read)
{
  static const struct {
    const char *name;
    importShapeType type;
  } types[] = {{"box", SHAPE_BOX},
               {"cylinder", SHAPE_CYLINDER},
               {"sphere", SHAPE_SPHERE},
               {"capsule", SHAPE_CAPSULE},
               {"ellipsoid", SHAPE_ELLIPSOID}};
  xmlNode *node = NULL;
  size_t k = 0;
  while (k < sizeof types / sizeof *types && !(node = xml_child(geometry, types[k].name))) k++;
  if (!node) return NULL; // planes and height maps are listed as unread
  const bool is_round = types[k].type != SHAPE_BOX && types[k].type != SHAPE_ELLIPSOID;
  double size[3] = {0}, length = 1;
  bool is_good = read(w, node,
                      is_round                     ? "radius"
                      : types[k].type == SHAPE_BOX ? "size"
                                                   : "radii",
                      is_round ? 1 : 3, size);
  if (is_round && types[k].type != SHAPE_SPHERE)
    is_good = read(w, node, "length", 1, &length) && is_good;
  if (!is_good || !are_positive(is_round ? 1 : 3, size) || !(length > 0)) {
    import_note_mended(w, node->place, "a <%s> without an extent above zero is not shown",
                       types[k].name);
    return NULL;
  }
  importShape *shape = import_add_shape(w, list, types[k].type);
  shape->radius = size[0];
  shape->length = length;
  for (int i = 0; i < 3 && !is_round; i++)
    shape->size[i] = types[k].type == SHAPE_BOX ? size[i] : 2 * size[i];
  return shape;
}


void import_set_inertia(importBody *body, modelPose frame, bool is_turned, const double tensor[6])
{
  import_store(body->com, frame.r);
  if (is_turned)
    import_turn_tensor(frame, tensor, body->inertia);
  else
    memcpy(body->inertia, tensor, sizeof body->inertia);
}


int import_colour(const double rgb[3])
{
  int colour = 0;
  for (int i = 0; i < 3; i++) colour = 256 * colour + (int) lround(255 * fmax(0, fmin(1, rgb[i])));
  return colour;
}


bool import_has_one(const importJoint *joint)
{
  return joint->type == ART_REVOLUTE || joint->type == ART_PRISMATIC;
}


const char *import_coordinate(const importJoint *joint)
{
  return joint->type == ART_PRISMATIC ? "slide" : "angle";
}


const char *import_start_at(importWork *w, const importJoint *joint, double value)
{
  return import_format(w, "%s: %s", import_coordinate(joint), import_number(w, value));
}


void import_check_losses(importWork *w, const importJoint *joint, artPlace place)
{
  if (joint->damping < 0 || joint->friction < 0)
    import_fail(w, place, "damping or friction of joint '%.80s' is negative", joint->name);
}


const char *import_line_text(importWork *w, const char *one, const char *two, double factor,
                             double value)
{
  const char *other = two ? import_format(w, ", %s: %s", two, import_number(w, -factor)) : "";
  const char *tail = value == 0 ? "" : import_format(w, ", value: %s", import_number(w, value));
  return import_format(w, "{type: linear, terms: {%s: 1%s}%s}", one, other, tail);
}


void import_parameter_map(importWork *w, importJoint *joint, int leader, double factor,
                          double value, bool is_gear, artPlace place)
{
  const char *other = w->machine.joint[leader].name;
  const char *tail = value == 0 ? "" : import_format(w, ", offset: %s", import_number(w, value));
  import_add_item(w, "couplings",
                  import_name(w, import_format(w, "%s_mimic", joint->name), "mimic", place), place,
                  "%s",
                  is_gear ? import_format(w, "{type: gear, joints: [%s, %s], ratio: %s%s}", other,
                                          joint->name, import_number(w, factor), tail)
                          : import_line_text(w, joint->name, other, factor, value));
  joint->start = value;
  joint->initial = value == 0 ? NULL : import_start_at(w, joint, value);
  joint->is_guess = joint->is_follower = true;
  joint->leader = leader;
  joint->effort = 0; // the joint that it follows is moved
}


void import_start_inside(importWork *w, importJoint *joint, artPlace place)
{
  if (!(joint->lower > 0 || joint->upper < 0)) return;
  import_note(w, place, "joint '%.80s' starts at its nearest limit, for zero lies outside",
              joint->name);
  joint->start = joint->lower > 0 ? joint->lower : joint->upper;
  joint->initial = import_start_at(w, joint, joint->start);
}


void import_take_weight(importWork *w, importBody *body, double share)
{
  const importMachine *m = &w->machine;
  const importWeight weight = import_weigh(body);
  const double usual[3] = {0, 0, -9.81}, *g = m->has_gravity ? m->gravity : usual;
  const double scale = -share * weight.mass, up[3] = {scale * g[0], scale * g[1], scale * g[2]};
  const char *stem = body->name;
  importPose pose = import_identity();
  pose.in.r = weight.com;
  const importFrame *centre = import_first_frame(
      w, body, import_name(w, import_fresh(w, "%s_centre", stem), "frame", body->place), pose);
  import_add_item(w, "forces",
                  import_name(w, import_fresh(w, "%s_weight", stem), "force", body->place),
                  body->place, "{type: force, point: %s.%s, value: %s}", stem, centre->name,
                  import_list(w, 3, up));
}


//---- numbers -------------------------------------------------------------------------------------

static const char *skip_xml_space(const char *text)
{
  while (*text && strchr(" \t\r\n", *text)) text++;
  return text;
}


void import_numbers(importWork *w, artPlace place, const char *what, const char *text, int n,
                    double *x)
{
  int found = 0;
  const char *at = skip_xml_space(text);
  for (; *at; at = skip_xml_space(at)) {
    double number;
    const int sign = *at == '+' || *at == '-';
    const int length = unit_scan_number(at + sign, &number);
    if (length <= 0 || (at[sign + length] && !strchr(" \t\r\n", at[sign + length]))) {
      import_fail(w, place, "'%s' is '%.60s', expected %d finite number%s", what, text, n,
                  n == 1 ? "" : "s");
    }
    if (found < n) x[found] = *at == '-' ? -number : number;
    found++;
    at += sign + length;
  }
  if (found == n) return;
  import_fail(w, place, "'%s' has %d number%s, expected %d", what, found, found == 1 ? "" : "s", n);
}


int import_get(importWork *w, xmlNode *node, const char *attribute, int n, double *x)
{
  const char *text = xml_get(node, attribute);
  if (text) import_numbers(w, node->place, attribute, text, n, x);
  return text != NULL;
}


const char *import_need(importWork *w, xmlNode *node, const char *attribute)
{
  const char *text = xml_get(node, attribute);
  if (text && text[0]) return text;
  import_fail(w, node->place, "<%.60s> has no '%s'", node->name, attribute);
}


void import_need_numbers(importWork *w, xmlNode *node, const char *attribute, int n, double *x)
{
  import_numbers(w, node->place, attribute, import_need(w, node, attribute), n, x);
}


const char *import_child_text(xmlNode *node, const char *name)
{
  const xmlNode *child = xml_child(node, name);
  return child && child->text[0] ? child->text : NULL;
}


int import_child_numbers(importWork *w, xmlNode *node, const char *name, int n, double *x)
{
  const char *text = import_child_text(node, name);
  if (text) import_numbers(w, xml_child(node, name)->place, name, text, n, x);
  return text != NULL;
}


const char *import_number(importWork *w, double x)
{
  char text[40];
  for (int digits = 6; digits <= 17; digits++) {
    // convert -0 to 0
    format_text(text, sizeof text, "%.*g", digits, x == 0 ? 0 : x);
    if (format_read(text, NULL) == x) break;
  }
  return import_text(w, text);
}


const char *import_quantity(importWork *w, double x, const char *unit)
{
  return import_format(w, "%s %s", import_number(w, x), unit);
}


const char *import_list(importWork *w, int n, const double *x)
{
  const char *text = "";
  for (int i = 0; i < n; i++) {
    text = import_format(w, "%s%s%s", text, i ? ", " : "[", import_number(w, x[i]));
  }
  return import_format(w, "%s]", text);
}


//---- poses ---------------------------------------------------------------------------------------

importPose import_identity(void)
{
  return (importPose){.in = pose_identity(), .has_angles = true};
}


bool import_is_turned(const importPose *pose)
{
  return !(pose->has_angles && pose->rpy[0] == 0 && pose->rpy[1] == 0 && pose->rpy[2] == 0);
}


importPose import_pose(modelPose pose)
{
  return (importPose){.in = pose};
}


importPose import_by_angles(const double position[3], const double rpy[3])
{
  const double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]),
               cy = cos(rpy[2]), sy = sin(rpy[2]);
  // Rz(yaw) Ry(pitch) Rx(roll), whose columns, the axes of the frame, are the rows below
  const m3 R = {v3_make(cy * cp, sy * cp, -sp),
                v3_make(cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr),
                v3_make(cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr)};
  return (importPose){
      .in = {R, import_v3(position)}, .has_angles = true, .rpy = {rpy[0], rpy[1], rpy[2]}};
}


importPose import_by_quaternion(const double position[3], const double q[4])
{
  return import_pose(pose_by_quaternion(q, import_v3(position)));
}


void import_turn_tensor(modelPose frame, const double in[6], double out[6])
{
  // R^T I R, with the full matrix I
  const m3 I = {v3_make(in[0], in[3], in[4]), v3_make(in[3], in[1], in[5]),
                v3_make(in[4], in[5], in[2])};
  const m3 turned = m3_mul_m3(m3_transpose(frame.R), m3_mul_m3(I, frame.R));
  const double sorted[6] = {turned.x.x, turned.y.y, turned.z.z, turned.x.y, turned.x.z, turned.y.z};
  memcpy(out, sorted, sizeof sorted);
}
