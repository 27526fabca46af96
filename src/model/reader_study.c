// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Initial values, outputs and studies of a model file.
#include "model/live.h"
#include "model/reader.h"
#include "model/records.h"
#include "model/study_def.h"

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


static artStatus set_initial(modelReader *reader, const char *joint, const char *coordinate,
                             artPlace place, const double *value)
{
  artBuilder *b = reader->builder;
  const char *name = arena_format(&reader->arena, "%s.%s", joint, coordinate);
  if (!name) return base_no_memory(reader->error);
  artStatus status = builder_at(b, place);
  if (status) return status;
  status = reader->is_guess ? art_set_guess(b, name, *value) : art_set_initial(b, name, *value);
  if (status) return status;
  live_settle(b, value, &RECORD(b->initials, initialRecord, b->initials.count - 1)->value,
              sizeof *value);
  return ART_OK;
}


static artStatus read_group(modelReader *reader, const char *joint, const coordinateGroup *group,
                            const yamlNode *node)
{
  double values[3];
  const baseDimension expected = field_dimension(group->quantity, AXIS_LINEAR);
  artStatus status = reader_read_vector(reader, node, expected, 3, values);
  for (int i = 0; i < 3 && !status; i++) {
    status = set_initial(reader, joint, group->names[i], node->place, &values[i]);
  }
  return status;
}


static artStatus read_quaternion(modelReader *reader, const char *joint, const yamlNode *node)
{
  static const char *const names[4] = {"qw", "qx", "qy", "qz"};
  double values[4];
  artStatus status = reader_read_orientation(reader, node, values);
  for (int i = 0; i < 4 && !status; i++) {
    status = set_initial(reader, joint, names[i], node->place, &values[i]);
  }
  return status;
}


static artStatus unknown_coordinate(modelReader *reader, artJointType type, const char *joint,
                                    const yamlNode *item)
{
  char hint[BASE_HINT_LENGTH], list[200] = "";
  baseNearest nearest = {.word = item->key, .context = "coordinate"};
  for (const jointCoordinate *c = joint_kinds[type].coordinate; c->name; c++) {
    base_consider(&nearest, c->name);
    strncat(list, list[0] ? ", " : "", sizeof list - strlen(list) - 1);
    strncat(list, c->name, sizeof list - strlen(list) - 1);
  }
  return READER_FAIL(reader, item->key_place,
                     "%s joint '%s' has no coordinate '%.60s'%s; it has %s",
                     art_joint_type_name(type), joint, item->key, base_hint(&nearest, hint),
                     list[0] ? list : "none");
}


static artStatus read_coordinate(modelReader *reader, artJointType type, const char *joint,
                                 const yamlNode *item)
{
  const jointCoordinate *coordinate = find_coordinate(type, item->key);
  if (coordinate) {
    double value = 0;
    const baseDimension expected = field_dimension(coordinate->quantity, AXIS_LINEAR);
    const artStatus status = reader_read_number(reader, item, expected, &value, NULL);
    return status ? status : set_initial(reader, joint, item->key, item->place, &value);
  }
  for (int i = 0; i < NGROUP; i++) {
    if (strcmp(groups[i].key, item->key) == 0 && find_coordinate(type, groups[i].names[2])) {
      return read_group(reader, joint, &groups[i], item);
    }
  }
  if (strcmp(item->key, "orientation") == 0 && find_coordinate(type, "qw")) {
    return read_quaternion(reader, joint, item);
  }
  return unknown_coordinate(reader, type, joint, item);
}


static artStatus unknown_joint(modelReader *reader, const yamlNode *item)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = item->key};
  for (int i = 0; i < reader->joints.size; i++) {
    if (reader->joints.entry[i].name) base_consider(&nearest, reader->joints.entry[i].name);
  }
  return READER_FAIL(reader, item->key_place, "there is no joint '%.60s'%s", item->key,
                     base_hint(&nearest, hint));
}


static artStatus read_values(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names of joints");
  for (const yamlNode *joint = section->first; joint && !status; joint = joint->next) {
    const int type = reader_find_joint(reader, joint->key);
    if (type < 0) return unknown_joint(reader, joint);
    status = reader_check_mapping(reader, joint, "coordinates and their values");
    for (const yamlNode *item = joint->first; item && !status; item = item->next) {
      live_begin(reader->builder);
      status = read_coordinate(reader, (artJointType) type, joint->key, item);
    }
  }
  return status;
}


artStatus reader_read_initial(modelReader *reader, const yamlNode *section)
{
  reader->is_guess = false;
  return read_values(reader, section);
}


artStatus reader_read_guess(modelReader *reader, const yamlNode *section)
{
  reader->is_guess = true;
  return read_values(reader, section);
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


artStatus reader_read_assembly(modelReader *reader, const yamlNode *section)
{
  int project = 0;
  artStatus status = builder_at(reader->builder, section->key_place);
  if (!status) status = reader_read_form(reader, &reader_form_assembly, section, &project);
  return status ? status : art_set_projection(reader->builder, project);
}


//---- outputs -------------------------------------------------------------------------------------

// the time stands in the first column of every table, once
static artStatus take_time(modelReader *reader, artPlace where, const char *text)
{
  if (strcmp(text, "time") != 0) {
    return READER_FAIL(reader, where,
                       "the output 'time' would be a second column of that name: the first one of "
                       "all results is the time; choose another name");
  }
  builder_name_time(reader->builder);
  return ART_OK;
}


// a reference ("pin.angle") or a formula ("= 2*pin.angle")
static artStatus read_output(modelReader *reader, const char *name, artPlace where,
                             const yamlNode *node)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_SCALAR || node->length == 0) {
    return READER_FAIL(reader, node->place,
                       "found %s, expected a reference like 'pin.angle' or a formula like "
                       "'= 2*pin.angle'",
                       yaml_describe(node, found));
  }
  const char *text = node->text;
  artPlace place = node->place;
  artStatus status = ART_OK;
  if (strcmp(name ? name : text, "time") == 0) return take_time(reader, where, text);
  if (text[0] == '=') {
    status = reader_read_formula(reader, node, UNIT_ANY, &text, &place);
  } else {
    place.column += node->quoted;
  }
  if (!status) status = builder_at(reader->builder, where);
  if (!status) status = builder_mark(reader->builder, "formula", place);
  return status ? status : art_add_output(reader->builder, name, text);
}


artStatus reader_read_outputs(modelReader *reader, const yamlNode *section)
{
  artStatus status = ART_OK;
  if (section->kind == NODE_SEQUENCE) {
    for (const yamlNode *item = section->first; item && !status; item = item->next) {
      status = read_output(reader, NULL, item->place, item);
    }
    return status;
  }
  status = reader_check_mapping(reader, section, "names of outputs (or a list of references)");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = reader_check_name(reader, item, "an output", false);
    if (!status) status = read_output(reader, item->key, item->key_place, item);
  }
  return status;
}


//---- studies -------------------------------------------------------------------------------------

artStatus reader_read_motion(modelReader *reader, const yamlNode *node, artMotions *motions)
{
  artStatus status = reader_check_mapping(reader, node, "coordinates and formulas of time");
  if (status || node->count == 0) return status;
  artMotionDef *moves = arena_alloc(&reader->arena, (size_t) node->count, sizeof *moves);
  if (!moves) return base_no_memory(reader->error);
  *motions = (artMotions){0, moves};
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    artMotionDef *m = &moves[motions->count++];
    artPlace place;
    m->coordinate = item->key;
    status = reader_read_formula(
        reader, item, field_dimension(Q_X, reader_axis_of(reader, item->key)), &m->formula, &place);
    if (!status) status = builder_mark(reader->builder, item->key, place);
  }
  return status;
}


static artStatus check_coordinates(modelReader *reader, const yamlNode *node, const char *expected)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind == NODE_SEQUENCE && node->count > 0) return ART_OK;
  return READER_FAIL(reader, node->place, "found %s, expected a list of %s, like [pin]",
                     yaml_describe(node, found), expected);
}


artStatus reader_read_actuators(modelReader *reader, const yamlNode *node, artNames *actuators)
{
  const artStatus status = check_coordinates(reader, node, "coordinates");
  return status ? status : reader_read_texts(reader, node, actuators);
}


// a list in a file, a text from outside of one; as text with commas
artStatus reader_read_independent(modelReader *reader, const yamlNode *node, const char **text)
{
  if (node->kind == NODE_SCALAR) {
    *text = node->text;
    return ART_OK;
  }
  artStatus status = check_coordinates(reader, node, "joints or coordinates");
  if (status) return status;
  *text = "";
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    const char *name = NULL;
    status = reader_read_text(reader, item, &name);
    if (status) return status;
    *text = arena_format(&reader->arena, "%s%s%s", *text, (*text)[0] ? ", " : "", name);
    if (!*text) return base_no_memory(reader->error);
  }
  return ART_OK;
}


static artStatus read_design(modelReader *reader, const yamlNode *node, artNames *names)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind == NODE_SEQUENCE && node->count > 0) {
    return reader_read_texts(reader, node, names);
  }
  return READER_FAIL(reader, node->place, "found %s, expected a list of parameters, like [L, m]",
                     yaml_describe(node, found));
}


// the keys of a study over those that it has
static artStatus read_keys(modelReader *reader, const yamlNode *node, artStudyDef *def)
{
  artStatus status = reader_read_form(reader, model_forms_study[def->type], node, &def->run);
  const yamlNode *design = yaml_find(node, "design");
  if (!status && design) status = read_design(reader, design, &def->design);
  const yamlNode *method = yaml_find(node, "method"), *backend = yaml_find(node, "backend");
  if (!status && method && backend && strcmp(backend->text, "generated") != 0 &&
      strcmp(method->text, "generated") == 0) {
    return READER_FAIL(reader, backend->place,
                       "method generated asks for compiled equations, and backend %s for none; "
                       "leave out one of them",
                       backend->text);
  }
  const yamlNode *integrator = yaml_find(node, "integrator");
  if (status || def->type != ART_RUN || !integrator) return status;
  // natural coordinates come with their own rule
  if (!art_method_is_natural(def->run.method)) return ART_OK;
  return READER_FAIL(reader, integrator->place,
                     "method %s brings its own rule of integration and takes no integrator, found "
                     "%s; leave it out",
                     art_method_name(def->run.method), art_integrator_name(def->run.integrator));
}


static artStatus add_study(modelReader *reader, const yamlNode *node, const char *name)
{
  int type = 0;
  live_begin(reader->builder);
  artStatus status = reader_choose_form(reader, model_forms_study, node, &type);
  if (!status) status = builder_at(reader->builder, node->key_place);
  if (status) return status;
  artStudyDef study = art_default_study((artStudyType) type);
  study.name = name;
  status = read_keys(reader, node, &study);
  return status ? status : art_add_study(reader->builder, &study);
}


artStatus reader_read_study(modelReader *reader, const yamlNode *section)
{
  return add_study(reader, section, "study");
}


artStatus reader_read_studies(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of studies");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = reader_check_name(reader, item, "a study", false);
    if (!status) status = add_study(reader, item, item->key);
  }
  return status;
}


//---- single keys from outside of a file ----------------------------------------------------------

// "key: value" as a mapping, which has no place in a file; lists would not outlive the call
static artStatus read_pair(modelReader *reader, const char *key, const char *value, yamlNode **root)
{
  char found[YAML_PHRASE_LENGTH];
  const char *line = arena_format(&reader->arena, "%s: %s\n", key, value);
  if (!reader->builder || !line) return base_no_memory(reader->error);
  const artStatus status =
      yaml_read_text(&reader->arena, key, line, strlen(line), root, reader->error);
  if (status) return status;
  yamlNode *item = (*root)->first;
  if ((*root)->count != 1 || strcmp(item->key, key) != 0 || item->kind != NODE_SCALAR) {
    return READER_FAIL(reader, base_nowhere(), "found %s for '%.60s', expected one number or word",
                       yaml_describe(item ? item : *root, found), key);
  }
  item->place = item->key_place = base_nowhere();
  return ART_OK;
}


artStatus art_set_study(artStudyDef *study, const char *key, const char *value, artError *error)
{
  ART_REQUIRE(study && key && value && study->type < ART_STUDY_TYPES, error);
  artError trouble = {0};
  readerMemo memo;
  if (!memo_start(&memo, 0)) return base_no_memory(error);
  modelReader reader = {.builder = art_create_builder(), .error = &trouble, .memo = &memo};
  artStudyDef changed = *study;
  yamlNode *root = NULL;
  artStatus status = read_pair(&reader, key, value, &root);
  if (!status) status = read_keys(&reader, root, &changed);
  if (!status) status = art_add_study(reader.builder, &changed);
  if (status && !trouble.status) trouble = *builder_error(reader.builder);
  if (!status && strcmp(key, "independent") == 0) changed.run.independent = value;
  if (!status) *study = changed;
  if (status && error) *error = trouble;
  art_free_builder(reader.builder);
  arena_free(&reader.arena);
  memo_free(&memo);
  return status;
}
