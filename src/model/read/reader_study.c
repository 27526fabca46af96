// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Initial values, outputs and studies of a model file.
#include "base/arithmetic.h"
#include "base/throw.h"
#include "model/define/records.h"
#include "model/define/study_def.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"

#include <string.h>


//---- initial values ------------------------------------------------------------------------------

// several coordinates under one key: {position: [1, 0, 2]} for x, y, z
typedef struct coordinateGroup {
  const char *key;
  keyQuantity quantity;
  const char *names[3];
} coordinateGroup;

static const coordinateGroup groups[] = {
    {"position", Q_LENGTH, {"x", "y", "z"}},
    {"velocity", Q_VELOCITY, {"vx", "vy", "vz"}},
    {"angular_velocity", Q_RATE, {"wx", "wy", "wz"}},
};

enum { NGROUP = sizeof groups / sizeof *groups };


static const jointCoordinate *find_coordinate(artJointType type, const char *name)
{
  for (const jointCoordinate *c = joint_kinds[type].coordinate; c->name; c++) {
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}


static void set_initial_or_guess(modelReader *reader, const char *joint, const char *coordinate,
                                 artPlace place, const double *value)
{
  artBuilder *b = reader->builder;
  const char *name = arena_format(&reader->arena, "%s.%s", joint, coordinate);
  reader_built(reader, builder_at(b, place));
  reader_built(reader, reader->is_guess ? art_set_guess(b, name, *value)
                                        : art_set_initial(b, name, *value));
  live_settle(b, value, &RECORD(b->initials, initialRecord, b->initials.count - 1)->value,
              sizeof *value);
}


// three coordinates of a group, or without one the four of an orientation
static void read_group(modelReader *reader, const char *joint, const coordinateGroup *group,
                       const yamlNode *node)
{
  static const char *const quaternion[4] = {"qw", "qx", "qy", "qz"};
  double values[4];
  if (group) {
    const baseDimension expected = field_dimension(group->quantity, AXIS_LINEAR);
    reader_read_vector(reader, node, expected, 3, values);
  } else {
    reader_read_orientation(reader, node, values);
  }
  for (int i = 0; i < (group ? 3 : 4); i++) {
    const char *name = group ? group->names[i] : quaternion[i];
    set_initial_or_guess(reader, joint, name, node->place, &values[i]);
  }
}


_Noreturn static void unknown_coordinate(artJointType type, const char *joint, const yamlNode *item)
{
  char hint[BASE_HINT_LENGTH], list[200] = "";
  baseNearest nearest = {.word = item->key, .context = "coordinate"};
  for (const jointCoordinate *c = joint_kinds[type].coordinate; c->name; c++) {
    base_consider(&nearest, c->name);
    strncat(list, list[0] ? ", " : "", sizeof list - strlen(list) - 1);
    strncat(list, c->name, sizeof list - strlen(list) - 1);
  }
  error_refuse(item->key_place, "%s joint '%s' has no coordinate '%.60s'%s; it has %s",
               art_joint_type_name(type), joint, item->key, base_hint(&nearest, hint),
               list[0] ? list : "none");
}


typedef struct initialJoint {
  artJointType type;
  const char *name;
} initialJoint;


static void read_initial_coordinate(modelReader *reader, const yamlNode *item, void *of)
{
  const artJointType type = ((const initialJoint *) of)->type;
  const char *joint = ((const initialJoint *) of)->name;
  live_begin(reader->builder);
  const jointCoordinate *coordinate = find_coordinate(type, item->key);
  if (coordinate) {
    double value = 0;
    const baseDimension expected = field_dimension(coordinate->quantity, AXIS_LINEAR);
    if (coordinate->quantity == Q_ANGLE) reader_look_at_angles(reader, item->key, item);
    reader_read_number(reader, item, expected, &value, NULL);
    set_initial_or_guess(reader, joint, item->key, item->place, &value);
    return;
  }
  for (int i = 0; i < NGROUP; i++) {
    if (strcmp(groups[i].key, item->key) == 0 && find_coordinate(type, groups[i].names[2])) {
      read_group(reader, joint, &groups[i], item);
      return;
    }
  }
  if (strcmp(item->key, "orientation") != 0 || !find_coordinate(type, "qw")) {
    unknown_coordinate(type, joint, item);
  }
  read_group(reader, joint, NULL, item);
}


_Noreturn static void unknown_joint(modelReader *reader, const yamlNode *item)
{
  reader_pass(reader, item->key);
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = item->key};
  for (int i = 0; i < reader->joints.size; i++) {
    if (reader->joints.entry[i].name) base_consider(&nearest, reader->joints.entry[i].name);
  }
  error_refuse(item->key_place, "there is no joint '%.60s'%s", item->key,
               base_hint(&nearest, hint));
}


static void read_initial_joint(modelReader *reader, const yamlNode *joint, void *out)
{
  (void) out;
  const int type = reader_find_joint(reader, joint->key);
  if (type < 0) unknown_joint(reader, joint);
  reader_check_mapping(joint, "coordinates and their values");
  initialJoint of = {(artJointType) type, joint->key};
  for (const yamlNode *item = joint->first; item; item = item->next) {
    reader_try(reader, item, read_initial_coordinate, &of);
  }
}


static void read_initial_values(modelReader *reader, const yamlNode *section)
{
  reader_check_mapping(section, "names of joints");
  for (const yamlNode *joint = section->first; joint; joint = joint->next) {
    reader_try(reader, joint, read_initial_joint, NULL);
  }
}


void reader_read_initial(modelReader *reader, const yamlNode *section)
{
  reader->is_guess = false;
  read_initial_values(reader, section);
}


void reader_read_guess(modelReader *reader, const yamlNode *section)
{
  reader->is_guess = true;
  read_initial_values(reader, section);
}


//---- assembly ------------------------------------------------------------------------------------

FIELD_WORDS(velocities_word, "refuse", "project")

// clang-format off
static const fieldKey assembly_keys[] = {
    {"velocities", KEY_CHOICE, .choice = velocities_word, .fallback = "refuse",
     .help = "initial velocities that contradict the loops: `refuse` them, or `project` them onto the nearest that do not"},
    {0}};
// clang-format on
const fieldForm reader_form_assembly = {.name = "assembly", .keys = assembly_keys};


void reader_read_assembly(modelReader *reader, const yamlNode *section)
{
  int project = 0;
  reader_built(reader, builder_at(reader->builder, section->key_place));
  reader_read_form(reader, &reader_form_assembly, section, &project);
  reader_built(reader, art_set_projection(reader->builder, project));
}


//---- outputs -------------------------------------------------------------------------------------

// the time is in the first column of every table, once
static void take_time(modelReader *reader, artPlace where, const char *text)
{
  if (strcmp(text, "time") != 0) {
    error_refuse(where, "the output 'time' would be a second column of that name: the first one of "
                        "all results is the time; choose another name");
  }
  builder_name_time(reader->builder);
}


// a reference ("pin.angle") or a formula ("= 2*pin.angle")
static void read_output(modelReader *reader, const yamlNode *node, void *out)
{
  (void) out;
  const char *name = node->key;
  const artPlace where = name ? node->key_place : node->place;
  if (name) reader_check_name(node, "an output", false);
  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_SCALAR || node->length == 0) {
    error_refuse(node->place,
                 "found %s, expected a reference like 'pin.angle' or a formula like "
                 "'= 2*pin.angle'",
                 yaml_describe(node, found));
  }
  const char *text = node->text;
  artPlace place = node->place;
  if (strcmp(name ? name : text, "time") == 0) {
    take_time(reader, where, text);
    return;
  }
  if (text[0] == '=') {
    reader_read_formula(reader, node, UNIT_ANY, &text, &place);
  } else {
    place.column += node->quoted;
  }
  reader_built(reader, builder_at(reader->builder, where));
  reader_mark(reader, "formula", place);
  reader_built(reader, art_add_output(reader->builder, name, text));
}


void reader_read_outputs(modelReader *reader, const yamlNode *section)
{
  if (section->kind == NODE_SEQUENCE) {
    for (const yamlNode *item = section->first; item; item = item->next) {
      reader_try(reader, item, read_output, NULL);
    }
    return;
  }
  reader_check_mapping(section, "names of outputs (or a list of references)");
  for (const yamlNode *item = section->first; item; item = item->next) {
    reader_try(reader, item, read_output, NULL);
  }
}


//---- studies -------------------------------------------------------------------------------------

static void read_motion(modelReader *reader, const yamlNode *item, void *out)
{
  artMotionDef *m = out;
  artPlace place;
  m->coordinate = item->key;
  if (reader_axis_of(reader, item->key) == AXIS_ANGULAR)
    reader_look_at_angles(reader, item->key, item);
  reader_read_formula(reader, item, field_dimension(Q_X, reader_axis_of(reader, item->key)),
                      &m->formula, &place);
  reader_mark(reader, item->key, place);
}


void reader_read_motion(modelReader *reader, const yamlNode *node, artMotions *motions)
{
  reader_check_mapping(node, "coordinates and formulas of time");
  if (node->count == 0) return;
  artMotionDef *moves = arena_alloc(&reader->arena, (size_t) node->count, sizeof *moves);
  *motions = (artMotions){0, moves};
  for (const yamlNode *item = node->first; item; item = item->next) {
    if (reader_try(reader, item, read_motion, &moves[motions->count])) motions->count++;
  }
}


static void check_coordinates(const yamlNode *node, const char *expected)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind == NODE_SEQUENCE && node->count > 0) return;
  error_refuse(node->place, "found %s, expected a list of %s, like [pin]",
               yaml_describe(node, found), expected);
}


void reader_read_actuators(modelReader *reader, const yamlNode *node, artNames *actuators)
{
  check_coordinates(node, "coordinates");
  reader_read_texts(reader, node, actuators);
}


// a list in a file, a text from outside of one; as text with commas
void reader_read_independent(modelReader *reader, const yamlNode *node, const char **text)
{
  if (node->kind == NODE_SCALAR) {
    *text = node->text;
    return;
  }
  check_coordinates(node, "joints or coordinates");
  *text = "";
  for (const yamlNode *item = node->first; item; item = item->next) {
    const char *name = NULL;
    reader_read_text(item, &name);
    *text = arena_format(&reader->arena, "%s%s%s", *text, (*text)[0] ? ", " : "", name);
  }
}


static void read_design(modelReader *reader, const yamlNode *node, artNames *names)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_SEQUENCE || node->count == 0) {
    error_refuse(node->place, "found %s, expected a list of parameters, like [L, m]",
                 yaml_describe(node, found));
  }
  reader_read_texts(reader, node, names);
}


// the keys of a study over those that it has
static void read_study_keys(modelReader *reader, const yamlNode *node, artStudyDef *def)
{
  reader_read_form(reader, model_forms_study[def->type], node, &def->run);
  const yamlNode *design = yaml_find(node, "design");
  if (design) read_design(reader, design, &def->design);
  const yamlNode *method = yaml_find(node, "method"), *backend = yaml_find(node, "backend");
  if (method && backend && strcmp(backend->text, "generated") != 0 &&
      strcmp(method->text, "generated") == 0) {
    error_refuse(backend->place,
                 "method generated asks for compiled equations, and backend %s for none; "
                 "leave out one of them",
                 backend->text);
  }
  const yamlNode *integrator = yaml_find(node, "integrator");
  if (def->type != ART_RUN || !integrator) return;
  // natural coordinates come with their own rule
  if (!art_method_is_natural(def->run.method)) return;
  error_refuse(integrator->place,
               "method %s brings its own rule of integration and takes no integrator, found "
               "%s; leave it out",
               art_method_name(def->run.method), art_integrator_name(def->run.integrator));
}


static void add_study(modelReader *reader, const yamlNode *node, const char *name)
{
  int type = 0;
  live_begin(reader->builder);
  reader_choose_form(model_forms_study, node, &type);
  reader_built(reader, builder_at(reader->builder, node->key_place));
  artStudyDef study = art_default_study((artStudyType) type);
  study.name = name;
  read_study_keys(reader, node, &study);
  reader_built(reader, art_add_study(reader->builder, &study));
  builder_ask_backend(reader->builder);
}


void reader_read_study(modelReader *reader, const yamlNode *section)
{
  add_study(reader, section, "study");
}


static void read_study(modelReader *reader, const yamlNode *item, void *out)
{
  (void) out;
  reader_check_name(item, "a study", false);
  add_study(reader, item, item->key);
}


void reader_read_studies(modelReader *reader, const yamlNode *section)
{
  reader_check_mapping(section, "names and keys of studies");
  for (const yamlNode *item = section->first; item; item = item->next) {
    reader_try(reader, item, read_study, NULL);
  }
}


//---- single keys from outside of a file ----------------------------------------------------------

// "key: value" as a mapping, which has no place in a file; lists would not outlive the call
static void read_study_pair(modelReader *reader, const char *key, const char *value,
                            yamlNode **root)
{
  char found[YAML_PHRASE_LENGTH];
  const char *line = arena_format(&reader->arena, "%s: %s\n", key, value);
  error_check(yaml_read_text(&reader->arena, key, line, strlen(line), root, error_current()));
  yamlNode *item = (*root)->first;
  if ((*root)->count != 1 || strcmp(item->key, key) != 0 || item->kind != NODE_SCALAR) {
    error_refuse(base_nowhere(), "found %s for '%.60s', expected one number or word",
                 yaml_describe(item ? item : *root, found), key);
  }
  item->place = item->key_place = base_nowhere();
}


typedef struct settingWork {
  modelReader reader;
  artStudyDef changed;
  const char *key, *value;
} settingWork;


static void set_key(void *context)
{
  settingWork *w = context;
  yamlNode *root = NULL;
  if (!w->reader.builder) error_throw();
  read_study_pair(&w->reader, w->key, w->value, &root);
  read_study_keys(&w->reader, root, &w->changed);
  reader_built(&w->reader, art_add_study(w->reader.builder, &w->changed));
}


artStatus art_set_study(artStudyDef *study, const char *key, const char *value, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(study && key && value && study->type < ART_STUDY_TYPES, error);
  readerMemo memo;
  if (!memo_start(&memo, 0)) return base_no_memory(error);
  settingWork w = {.reader = {.builder = art_create_builder(),
                              .arena.leaves = 1,
                              .scratch.leaves = 1,
                              .memo = &memo},
                   .changed = *study,
                   .key = key,
                   .value = value};
  const artStatus status = error_try(set_key, &w, error);
  if (!status && strcmp(key, "independent") == 0) w.changed.run.independent = value;
  if (!status) *study = w.changed;
  art_free_builder(w.reader.builder);
  arena_free(&w.reader.arena);
  arena_free(&w.reader.scratch);
  memo_free(&memo);
  return status;
}
