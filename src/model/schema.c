// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The model format described from the reader's own tables: JSON Schema and tables for people.
#include "model/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/methods.h"
#include "model/study_def.h"

//---- growing text --------------------------------------------------------------------------------

typedef struct schemaText {
  char *text; // NULL once memory ran out
  size_t length, capacity;
} schemaText;


static void add(schemaText *out, const char *format, ...) ART_PRINTF(2, 3);
static void add(schemaText *out, const char *format, ...)
{
  if (!out->text) return;
  for (;;) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(out->text + out->length, out->capacity - out->length, format, args);
    va_end(args);
    if (n >= 0 && out->length + (size_t) n < out->capacity) {
      out->length += (size_t) n;
      return;
    }
    char *larger = mem_resize(out->text, 2 * out->capacity, 1);
    if (!larger) mem_free(out->text);
    out->text = larger;
    if (!larger) return;
    out->capacity *= 2;
  }
}


static schemaText start(void)
{
  schemaText out = {.capacity = 4096};
  out.text = mem_alloc(out.capacity, 1);
  return out;
}


// a JSON text, with quotes and backslashes escaped
static void add_string(schemaText *out, const char *text)
{
  add(out, "\"");
  for (const char *p = text; *p; p++) {
    add(out, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
  }
  add(out, "\"");
}


//---- values --------------------------------------------------------------------------------------

// clang-format off
#define REF(name)             "{'$ref': '#/definitions/" name "'}"
#define LIST(item, least, most) \
  "{'type': 'array', 'items': " item ", 'minItems': " #least ", 'maxItems': " #most "}"
#define ROWS(item, least)     "{'type': 'array', 'items': " item ", 'minItems': " #least "}"
#define MAP(item)             "{'type': ['object', 'null'], 'additionalProperties': " item "}"
#define NAMED(name, item) \
  "{'type': ['object', 'null'], 'propertyNames': " REF(name) ", 'additionalProperties': " item "}"
#define ONLY(key, value) \
  "{'type': 'object', 'properties': {'" key "': " value "}, 'required': ['" key "'], 'additionalProperties': false}"
#define BOTH(key, value, other, value2) \
  "{'type': 'object', 'properties': {'" key "': " value ", '" other "': " value2 "}, " \
  "'required': ['" key "', '" other "'], 'additionalProperties': false}"
#define EITHER(list)          "{'anyOf': [" list "]}"

#define NOT_RESERVED "(?!(ground|time|energy|momentum)$)"
#define NAME         "[A-Za-z_\\\\u0080-\\\\uFFFF][A-Za-z0-9_\\\\-\\\\u0080-\\\\uFFFF]*"
#define DECIMAL      "[-+]?([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)([eE][-+]?[0-9]+)?"
#define UNIT         "(\\\\s*[^0-9\\\\s.+-].*|\\\\s+1/.*)?"

// what the tables do not say: the shapes of values, with ' for "
static const struct {
  const char *name, *schema;
} values[] = {
    {"format", "{'enum': [1, '1']}"},
    {"number", "{'description': 'a number in SI or with its unit (25 N/mm), or a formula of parameters (= m*L^2/12)', "
               "'anyOf': [{'type': 'number'}, {'type': 'string', 'pattern': '^='}, "
               "{'type': 'string', 'pattern': '^\\\\s*" DECIMAL UNIT "$'}]}"},
    {"formula", "{'description': 'a number, or a formula of time, parameters and outputs (= 2*sin(3*time))', "
                "'allOf': [" REF("number") "]}"},
    {"text", "{'type': ['string', 'number', 'boolean'], 'minLength': 1}"},
    {"flag", "{'type': 'boolean'}"},
    {"reference", "{'type': 'string', 'minLength': 1}"},
    {"coordinate", "{'type': 'string', 'minLength': 1}"},
    {"name", "{'pattern': '^" NOT_RESERVED NAME "(/" NAME ")*$'}"},
    {"output_name", "{'pattern': '^" NAME "(/" NAME ")*$'}"},
    {"parameter_name", "{'pattern': '^" NOT_RESERVED "[A-Za-z_][A-Za-z0-9_]*$'}"},
    {"vector", LIST(REF("number"), 3, 3)},
    {"quaternion", LIST(REF("number"), 4, 4)},
    {"tensor", EITHER(REF("vector") ", " LIST(REF("number"), 6, 6))},
    {"axis", EITHER("{'enum': ['x', 'y', 'z', '-x', '-y', '-z', '+x', '+y', '+z']}, " REF("vector"))},
    {"axes", LIST(REF("axis"), 2, 2)},
    {"orientation", EITHER(REF("quaternion") ", " ONLY("quaternion", REF("quaternion")) ", "
                           BOTH("axis", REF("axis"), "angle", REF("number")) ", "
                           ONLY("rpy", REF("vector")) ", "
                           BOTH("euler", REF("vector"), "sequence",
                                "{'type': 'string', 'pattern': '^(?!.*(xx|yy|zz))[xyz]{3}$'}") ", "
                           ONLY("matrix", LIST(REF("vector"), 3, 3)))},
    {"rows", ROWS(LIST(REF("number"), 2, 2), 2)},
    {"law", EITHER(ONLY("polynomial", LIST(REF("number"), 1, 20)) ", "
                   ONLY("piecewise", REF("rows")) ", " ONLY("table", REF("rows")) ", "
                   ONLY("segments", BOTH("borders", ROWS(REF("number"), 1),
                                         "coefficients", ROWS(LIST(REF("number"), 1, 20), 2))) ", "
                   ONLY("air", REF("air")))},
    {"six", LIST(REF("number"), 6, 6)},
    {"six_by_six", LIST(EITHER(REF("number") ", " REF("six")), 6, 6)},
    {"six_laws", "{'type': 'object', 'propertyNames': {'enum': ['x', 'y', 'z', 'rx', 'ry', 'rz']}, "
                 "'additionalProperties': " REF("law") "}"},
    {"formulas", LIST(REF("formula"), 3, 3)},
    {"between", LIST(REF("reference"), 2, 2)},
    {"through", LIST(REF("reference"), 2, 16)},
    {"end", EITHER(REF("reference") ", " REF("joint_end"))},
    {"inertia", EITHER(REF("tensor") ", " REF("inertia_form"))},
    {"points", NAMED("name", REF("vector"))},
    {"frames", NAMED("name", REF("frame"))},
    {"coordinates", LIST(REF("coordinate"), 2, 2)},
    {"actuators", ROWS(REF("coordinate"), 1)},
    {"terms", "{'type': 'object', 'minProperties': 1, 'additionalProperties': " REF("number") "}"},
    {"curves", NAMED("parameter_name", EITHER(ONLY("table", REF("rows")) ", " ONLY("piecewise", REF("rows"))))},
    {"path_or_curve", EITHER("{'type': 'string', 'minLength': 1}, " REF("path"))},
    {"motion", MAP(REF("formula"))},
    {"given_parameters", MAP(REF("number"))},
    {"given_names", NAMED("name", REF("reference"))},
    {"parameters", NAMED("parameter_name", EITHER(REF("number") ", {'type': 'null'}"))},
    {"numbers", ROWS(REF("number"), 1)},
    {"names", ROWS(REF("text"), 1)},
    {"track_list", ROWS(REF("track"), 1)},
    {"visuals", EITHER(REF("visual") ", " ROWS(REF("visual"), 0))},
    {"includes", ROWS(REF("include"), 0)},
    {"initial", MAP(MAP(EITHER(REF("number") ", " REF("vector") ", " REF("orientation"))))},
    {"outputs", EITHER(ROWS(REF("text"), 0) ", " NAMED("output_name", REF("text")))},
};
// clang-format on


static void add_values(schemaText *out)
{
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    add(out, "    \"%s\": ", values[i].name);
    for (const char *p = values[i].schema; *p; p++) add(out, "%c", *p == '\'' ? '"' : *p);
    add(out, ",\n");
  }
}


static const char *const definition_of[KEY_TYPES] = {
    [KEY_NUMBER] = "number",
    [KEY_VECTOR] = "vector",
    [KEY_TENSOR] = "tensor",
    [KEY_AXIS] = "axis",
    [KEY_AXES] = "axes",
    [KEY_ORIENTATION] = "orientation",
    [KEY_TEXT] = "text",
    [KEY_FLAG] = "flag",
    [KEY_REFERENCE] = "reference",
    [KEY_END] = "end",
    [KEY_BETWEEN] = "between",
    [KEY_THROUGH] = "through",
    [KEY_COORDINATE] = "coordinate",
    [KEY_COEFFICIENT] = "number",
    [KEY_LAW] = "law",
    [KEY_STOPS] = "stops",
    [KEY_SIX] = "six",
    [KEY_SIX_BY_SIX] = "six_by_six",
    [KEY_SIX_LAWS] = "six_laws",
    [KEY_FORMULA] = "formula",
    [KEY_FORMULAS] = "formulas",
    [KEY_TABLE] = "rows",
    [KEY_POINTS] = "points",
    [KEY_FRAMES] = "frames",
    [KEY_VISUAL] = "visuals",
    [KEY_INERTIA] = "inertia",
    [KEY_COUNT] = "number",
    [KEY_MOTION] = "motion",
    [KEY_PARAMETERS] = "given_parameters",
    [KEY_RENAMES] = "given_names",
    [KEY_TERMS] = "terms",
    [KEY_COORDINATES] = "coordinates",
    [KEY_ACTUATORS] = "actuators",
    [KEY_INDEPENDENT] = "actuators",
    [KEY_COMBINATION] = "terms",
    [KEY_PROFILE] = "rows",
    [KEY_NUMBERS] = "numbers",
    [KEY_NAMES] = "names",
    [KEY_NAME_LIST] = "names",
    [KEY_TRACKS] = "track_list",
    [KEY_PATH] = "path_or_curve",
    [KEY_ALONG] = "terms",
    [KEY_FUNCTION] = "text",
    [KEY_ARGUMENTS] = "numbers",
    [KEY_ROAD] = "text",
    [KEY_TYRE] = "text",
};


//---- forms ---------------------------------------------------------------------------------------

// yes and no without quotes are true and false for many readers of YAML
static void add_choices(schemaText *out, const fieldKey *key)
{
  add(out, "\"enum\": [");
  for (int i = 0; key->choice(i); i++) {
    const char *word = key->choice(i);
    add(out, "%s\"%s\"", i ? ", " : "", word);
    if (strcmp(word, "yes") == 0) add(out, ", true");
    if (strcmp(word, "no") == 0) add(out, ", false");
  }
  add(out, "]");
}


static void add_property(schemaText *out, const fieldKey *key)
{
  char help[MODEL_TEXT_LENGTH];
  add(out, "        \"%s\": {\"description\": ", key->name);
  add_string(out, model_method_text(key->help, help));
  add(out, ", ");
  if (key->type == KEY_CHOICE) {
    add_choices(out, key);
  } else {
    add(out, "\"allOf\": [{\"$ref\": \"#/definitions/%s\"}]", definition_of[key->type]);
  }
  add(out, "}");
}


static void add_required(schemaText *out, const fieldForm *form)
{
  const char *comma = "";
  add(out, "      \"required\": [");
  if (form->type) {
    add(out, "\"type\"");
    comma = ", ";
  }
  for (const fieldKey *key = form->keys; key->name; key++) {
    if (key->need != REQUIRED) continue;
    add(out, "%s\"%s\"", comma, key->name);
    comma = ", ";
  }
  add(out, "],\n");
}


// keys that exclude each other: each pair is met from both sides and told once
static void add_rivals(schemaText *out, const fieldForm *form)
{
  const char *comma = "";
  add(out, "      \"allOf\": [");
  for (const fieldKey *key = form->keys; key->name; key++) {
    if (!key->rival || strcmp(key->name, key->rival) > 0) continue;
    add(out, "%s{\"not\": {\"required\": [\"%s\", \"%s\"]}}", comma, key->name, key->rival);
    comma = ", ";
    if (key->need != ONE_OF) continue;
    add(out, ", {\"anyOf\": [{\"required\": [\"%s\"]}, {\"required\": [\"%s\"]}]}", key->name,
        key->rival);
  }
  add(out, "],\n");
}


static bool has_rivals(const fieldForm *form)
{
  for (const fieldKey *key = form->keys; key->name; key++) {
    if (key->rival) return true;
  }
  return false;
}


static void add_form(schemaText *out, const char *name, const fieldForm *form)
{
  add(out, "    \"%s\": {\n      \"type\": \"object\",\n", name);
  if (form->help) add(out, "      \"description\": \"%s\",\n", form->help);
  add_required(out, form);
  if (has_rivals(form)) add_rivals(out, form);
  add(out, "      \"additionalProperties\": false,\n      \"properties\": {\n");
  const char *comma = "";
  if (form->type) {
    add(out, "        \"type\": {\"const\": \"%s\"}", form->type);
    comma = ",\n";
  }
  for (const fieldKey *key = form->keys; key->name; key++) {
    add(out, "%s", comma);
    add_property(out, key);
    comma = ",\n";
  }
  add(out, "\n      }\n    },\n");
}


// a choice by `type`: telling the type first lets an editor complain about the rest
static void add_family(schemaText *out, const char *name, const fieldForm *const *forms)
{
  char definition[64];
  for (int i = 0; forms[i]; i++) {
    snprintf(definition, sizeof definition, "%s_%s", name, forms[i]->type);
    add_form(out, definition, forms[i]);
  }
  add(out, "    \"%s\": {\n      \"type\": \"object\",\n      \"required\": [\"type\"],\n", name);
  add(out, "      \"properties\": {\"type\": {\"enum\": [");
  for (int i = 0; forms[i]; i++) add(out, "%s\"%s\"", i ? ", " : "", forms[i]->type);
  add(out, "]}},\n      \"allOf\": [\n");
  for (int i = 0; forms[i]; i++) {
    add(out,
        "        {\"if\": {\"properties\": {\"type\": {\"const\": \"%s\"}}}, \"then\": {\"$ref\": "
        "\"#/definitions/%s_%s\"}}%s\n",
        forms[i]->type, name, forms[i]->type, forms[i + 1] ? "," : "");
  }
  add(out, "      ]\n    },\n");
}


static void add_collection(schemaText *out, const char *name, const char *item, const char *end)
{
  add(out,
      "    \"%s\": {\"type\": [\"object\", \"null\"], \"propertyNames\": {\"$ref\": "
      "\"#/definitions/name\"}, \"additionalProperties\": {\"$ref\": \"#/definitions/%s\"}}%s\n",
      name, item, end);
}


static void add_definitions(schemaText *out)
{
  add(out, "  \"definitions\": {\n");
  add_values(out);
  add_form(out, "body", &reader_form_body);
  add_form(out, "inertia_form", &reader_form_inertia);
  add_form(out, "frame", &reader_form_frame);
  add_form(out, "ground", &reader_form_ground);
  add_form(out, "include", &reader_form_include);
  add_form(out, "joint_end", &reader_form_end);
  add_form(out, "drive", &reader_form_drive);
  add_form(out, "assembly", &reader_form_assembly);
  add_form(out, "air", &field_form_air);
  add_form(out, "stops", &field_form_stops);
  add_family(out, "visual", reader_forms_visual);
  add_family(out, "joint", reader_forms_joint);
  add_family(out, "coupling", reader_forms_coupling);
  add_family(out, "latch", reader_forms_latch);
  add_form(out, "track", &reader_form_track);
  add_family(out, "road", reader_forms_road);
  add_family(out, "tyre", reader_forms_tyre);
  add_family(out, "path", field_forms_path);
  add_family(out, "force", reader_forms_force);
  add_family(out, "study", model_forms_study);
  add_collection(out, "bodies", "body", ",");
  add_collection(out, "joints", "joint", ",");
  add_collection(out, "couplings", "coupling", ",");
  add_collection(out, "latches", "latch", ",");
  add_collection(out, "roads", "road", ",");
  add_collection(out, "tyres", "tyre", ",");
  add_collection(out, "forces", "force", ",");
  add_collection(out, "drives", "drive", ",");
  add_collection(out, "studies", "study", "");
  add(out, "  }\n");
}


char *schema_create_text(void)
{
  schemaText out = start();
  add(&out, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
            "  \"title\": \"Articula model\",\n"
            "  \"description\": \"A machine for Articula; see doc/reference/model-format.md\",\n"
            "  \"type\": \"object\",\n  \"required\": [\"articula\"],\n"
            "  \"additionalProperties\": false,\n  \"properties\": {\n");
  for (const readerSection *s = reader_sections; s->key; s++) {
    add(&out, "    \"%s\": {\"description\": ", s->key);
    add_string(&out, s->help);
    add(&out, ", \"allOf\": [{\"$ref\": \"#/definitions/%s\"}]}%s\n", s->definition,
        s[1].key ? "," : "");
  }
  add(&out, "  },\n");
  add_definitions(&out);
  add(&out, "}\n");
  return out.text;
}


//---- tables for people ---------------------------------------------------------------------------

static void add_type(schemaText *out, const fieldKey *key)
{
  if (key->type != KEY_CHOICE) {
    add(out, "%s", reader_type_words(key->type));
    return;
  }
  for (int i = 0; key->choice(i); i++) add(out, "%s`%s`", i ? ", " : "", key->choice(i));
}


static void add_row(schemaText *out, const fieldKey *key)
{
  char words[MODEL_TEXT_LENGTH], help[MODEL_TEXT_LENGTH];
  add(out, "| `%s` | ", key->name);
  add_type(out, key);
  const char *fallback = key->need == REQUIRED ? "**required**"
                         : key->need == ONE_OF ? "**one of the two**"
                         : key->fallback       ? model_method_text(key->fallback, words)
                                               : "none";
  add(out, " | %s | %s | %s |\n", field_unit(key->quantity), fallback,
      model_method_text(key->help, help));
}


char *schema_create_keys(const fieldForm *form)
{
  schemaText out = start();
  add(&out, "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
  for (const fieldKey *key = form->keys; key->name; key++) add_row(&out, key);
  return out.text;
}


const fieldForm *schema_find_form(const char *name, const char *type)
{
  static const fieldForm *const plain[] = {
      &reader_form_body, &reader_form_inertia, &reader_form_frame, &reader_form_ground,
      &reader_form_end,  &reader_form_include, &reader_form_drive, &reader_form_assembly,
      &field_form_air,   &field_form_stops,    &reader_form_track, NULL,
  };
  const fieldForm *const *const families[] = {plain,
                                              reader_forms_joint,
                                              reader_forms_visual,
                                              reader_forms_coupling,
                                              reader_forms_latch,
                                              reader_forms_road,
                                              reader_forms_tyre,
                                              reader_forms_force,
                                              field_forms_path,
                                              model_forms_study};
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    for (const fieldForm *const *f = families[i]; *f; f++) {
      if (strcmp((*f)->name, name) != 0) continue;
      if (type ? (*f)->type && strcmp((*f)->type, type) == 0 : !(*f)->type) return *f;
    }
  }
  return NULL;
}
