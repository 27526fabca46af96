// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The model format described from the reader's own tables: JSON Schema and tables for people.
#include "support/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model/define/study_def.h"
#include "model/methods.h"

// "list of 3 numbers", and the definition of such values, NULL for words to choose from
static const struct {
  const char *words, *definition;
} types[] = {
#define KEY(type, words, definition) {words, definition},
#include "element/key_types.h"
#undef KEY
};


// a JSON text, with quotes and backslashes escaped
static void add_string(FILE *out, const char *text)
{
  fprintf(out, "\"");
  for (const char *p = text; *p; p++) {
    fprintf(out, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
  }
  fprintf(out, "\"");
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

// shapes of values, which the tables do not have, with ' for "
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
    {"outline", ROWS(LIST(REF("number"), 2, 3), 1)},
    {"corners", ROWS(REF("vector"), 1)},
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
    {"surface_pair", LIST(REF("reference"), 2, 2)},
    {"through", LIST(REF("reference"), 2, 16)},
    {"end", EITHER(REF("reference") ", " REF("joint_end"))},
    {"inertia", EITHER(REF("tensor") ", " REF("inertia_form"))},
    {"points", NAMED("name", REF("vector"))},
    {"frames", NAMED("name", REF("frame"))},
    {"coordinates", LIST(REF("coordinate"), 2, 2)},
    {"actuators", ROWS(REF("coordinate"), 1)},
    {"terms", "{'type': 'object', 'minProperties': 1, 'additionalProperties': " REF("number") "}"},
    {"grid", "{'type': 'object', 'properties': {'x': " ROWS(REF("number"), 2) ", 'y': " ROWS(REF("number"), 2) ", "
             "'values': " ROWS(ROWS(REF("number"), 2), 2) "}, 'required': ['x', 'y', 'values'], "
             "'additionalProperties': false}"},
    {"rows_or_grid", EITHER(REF("rows") ", " REF("grid"))},
    {"curves", NAMED("parameter_name", EITHER(ONLY("table", REF("rows_or_grid")) ", "
                                              ONLY("piecewise", REF("rows_or_grid"))))},
    {"path_or_curve", EITHER("{'type': 'string', 'minLength': 1}, " REF("path"))},
    {"motion", MAP(REF("formula"))},
    {"given_parameters", MAP(REF("number"))},
    {"given_names", NAMED("name", REF("reference"))},
    {"parameters", NAMED("parameter_name", EITHER(REF("number") ", {'type': 'null'}, " REF("parameter")))},
    {"limit", EITHER(REF("number") ", {'type': 'string', 'pattern': '^[-+]?\\\\.?inf$'}")},
    {"bounds", LIST(REF("limit"), 2, 2)},
    {"numbers", ROWS(REF("number"), 1)},
    {"some_numbers", EITHER(REF("number") ", " ROWS(REF("number"), 1))},
    {"some_formulas", EITHER(REF("formula") ", " ROWS(REF("formula"), 1))},
    {"names", ROWS(REF("text"), 1)},
    {"track_list", ROWS(REF("track"), 1)},
    {"visuals", EITHER(REF("visual") ", " ROWS(REF("visual"), 0))},
    {"solids", EITHER(REF("solid") ", " ROWS(REF("solid"), 1))},
    {"includes", ROWS(REF("include"), 0)},
    {"sliders", ROWS(EITHER(REF("reference") ", " REF("slider")), 0)},
    {"initial", MAP(MAP(EITHER(REF("number") ", " REF("vector") ", " REF("orientation"))))},
    {"outputs", EITHER(ROWS(REF("text"), 0) ", " NAMED("output_name", REF("text")))},
};
// clang-format on


static void add_values(FILE *out)
{
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    fprintf(out, "    \"%s\": ", values[i].name);
    for (const char *p = values[i].schema; *p; p++) fprintf(out, "%c", *p == '\'' ? '"' : *p);
    fprintf(out, ",\n");
  }
}


//---- forms ---------------------------------------------------------------------------------------

// Help, unit and default of a key; validators ignore the latter two, the Python builder is made from them.
static void add_property(FILE *out, const fieldKey *key)
{
  char words[MODEL_TEXT_LENGTH];
  fprintf(out, "        \"%s\": {\"description\": ", key->name);
  add_string(out, model_method_text(key->help, words));
  if (field_unit(key->quantity)[0]) fprintf(out, ", \"unit\": \"%s\"", field_unit(key->quantity));
  if (key->need != REQUIRED && key->need != ONE_OF && key->fallback) {
    fprintf(out, ", \"fallback\": ");
    add_string(out, model_method_text(key->fallback, words));
  }
  if (!key->choice) {
    const char *limits = key->type == KEY_NUMBER ? "limit" : "bounds";
    fprintf(out, ", \"allOf\": [{\"$ref\": \"#/definitions/%s\"}]}",
            key->may_be_infinite ? limits : types[key->type].definition);
    return;
  }
  fprintf(out, ", \"enum\": [");
  for (int i = 0; key->choice(i); i++) {
    // yes and no without quotes are true and false for many readers of YAML
    const char *word = key->choice(i);
    fprintf(out, "%s\"%s\"", i ? ", " : "", word);
    if (strcmp(word, "yes") == 0) fprintf(out, ", true");
    if (strcmp(word, "no") == 0) fprintf(out, ", false");
  }
  fprintf(out, "]}");
}


// keys that exclude each other: each pair is met from both sides and told once
static void add_rivals(FILE *out, const fieldForm *form)
{
  const char *start = "      \"allOf\": [", *comma = start;
  for (const fieldKey *key = form->keys; key->name; key++) {
    if (!key->rival || strcmp(key->name, key->rival) > 0) continue;
    fprintf(out, "%s{\"not\": {\"required\": [\"%s\", \"%s\"]}}", comma, key->name, key->rival);
    comma = ", ";
    if (key->need != ONE_OF) continue;
    fprintf(out, ", {\"anyOf\": [{\"required\": [\"%s\"]}, {\"required\": [\"%s\"]}]}", key->name,
            key->rival);
  }
  if (comma != start) fprintf(out, "],\n");
}


static void add_form(FILE *out, const char *name, const fieldForm *form)
{
  fprintf(out, "    \"%s\": {\n      \"type\": \"object\",\n", name);
  if (form->help) fprintf(out, "      \"description\": \"%s\",\n", form->help);
  fprintf(out, "      \"required\": [%s", form->type ? "\"type\"" : "");
  const char *comma = form->type ? ", " : "";
  for (const fieldKey *key = form->keys; key->name; key++) {
    if (key->need != REQUIRED) continue;
    fprintf(out, "%s\"%s\"", comma, key->name);
    comma = ", ";
  }
  fprintf(out, "],\n");
  add_rivals(out, form);
  fprintf(out, "      \"additionalProperties\": false,\n      \"properties\": {\n");
  if (form->type) fprintf(out, "        \"type\": {\"const\": \"%s\"}", form->type);
  comma = form->type ? ",\n" : "";
  for (const fieldKey *key = form->keys; key->name; key++) {
    fprintf(out, "%s", comma);
    add_property(out, key);
    comma = ",\n";
  }
  fprintf(out, "\n      }\n    },\n");
}


static void add_family(FILE *out, const char *name, const fieldForm *const *forms)
{
  char definition[64];
  for (int i = 0; forms[i]; i++) {
    snprintf(definition, sizeof definition, "%s_%s", name, forms[i]->type);
    add_form(out, definition, forms[i]);
  }
  fprintf(out, "    \"%s\": {\n      \"type\": \"object\",\n      \"required\": [\"type\"],\n",
          name);
  fprintf(out, "      \"properties\": {\"type\": {\"enum\": [");
  for (int i = 0; forms[i]; i++) fprintf(out, "%s\"%s\"", i ? ", " : "", forms[i]->type);
  fprintf(out, "]}},\n      \"allOf\": [\n");
  for (int i = 0; forms[i]; i++) {
    fprintf(
        out,
        "        {\"if\": {\"properties\": {\"type\": {\"const\": \"%s\"}}}, \"then\": {\"$ref\": "
        "\"#/definitions/%s_%s\"}}%s\n",
        forms[i]->type, name, forms[i]->type, forms[i + 1] ? "," : "");
  }
  fprintf(out, "      ]\n    },\n");
}


// Everything that has keys: a form, or a family of forms by type, and the section that lists them by name.
static const struct {
  const char *name;
  const fieldForm *form;
  const fieldForm *const *family;
  const char *section;
} items[] = {{"body", &reader_form_body, NULL, "bodies"},
             {"inertia_form", &reader_form_inertia, NULL, NULL},
             {"frame", &reader_form_frame, NULL, NULL},
             {"ground", &reader_form_ground, NULL, NULL},
             {"parameter", &reader_form_parameter, NULL, NULL},
             {"include", &reader_form_include, NULL, NULL},
             {"joint_end", &reader_form_end, NULL, NULL},
             {"drive", &reader_form_drive, NULL, "drives"},
             {"assembly", &reader_form_assembly, NULL, NULL},
             {"slider", &reader_form_slider, NULL, NULL},
             {"air", &field_form_air, NULL, NULL},
             {"stops", &field_form_stops, NULL, NULL},
             {"visual", NULL, reader_forms_visual, NULL},
             {"solid", NULL, reader_forms_solid, NULL},
             {"joint", NULL, reader_forms_joint, "joints"},
             {"coupling", NULL, reader_forms_coupling, "couplings"},
             {"latch", NULL, reader_forms_latch, "latches"},
             {"surface", NULL, reader_forms_surface, "surfaces"},
             {"track", &reader_form_track, NULL, NULL},
             {"road", NULL, reader_forms_road, "roads"},
             {"tyre", NULL, reader_forms_tyre, "tyres"},
             {"path", NULL, field_forms_path, NULL},
             {"force", NULL, reader_forms_force, "forces"},
             {"input", &reader_form_input, NULL, "inputs"},
             {"state", &reader_form_state, NULL, "states"},
             {"block", NULL, reader_forms_block, "blocks"},
             {"sensor", NULL, reader_forms_sensor, "sensors"},
             {"study", NULL, model_forms_study, "studies"}};
enum { ITEMS = sizeof items / sizeof *items };


static void add_definitions(FILE *out)
{
  fprintf(out, "  \"definitions\": {\n");
  add_values(out);
  for (int i = 0; i < ITEMS; i++) {
    if (items[i].form) add_form(out, items[i].name, items[i].form);
    if (items[i].family) add_family(out, items[i].name, items[i].family);
  }
  const char *comma = "";
  for (int i = 0; i < ITEMS; i++) {
    if (!items[i].section) continue;
    fprintf(out,
            "%s    \"%s\": {\"type\": [\"object\", \"null\"], \"propertyNames\": {\"$ref\": "
            "\"#/definitions/name\"}, \"additionalProperties\": {\"$ref\": \"#/definitions/%s\"}}",
            comma, items[i].section, items[i].name);
    comma = ",\n";
  }
  fprintf(out, "\n  }\n");
}


char *schema_create_text(void)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) return NULL;
  fprintf(out, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
               "  \"title\": \"Articula model\",\n"
               "  \"description\": \"A machine for Articula; see doc/reference/model\",\n"
               "  \"type\": \"object\",\n  \"required\": [\"articula\"],\n"
               "  \"additionalProperties\": false,\n  \"properties\": {\n");
  for (const readerSection *s = reader_sections; s->key; s++) {
    fprintf(out, "    \"%s\": {\"description\": ", s->key);
    add_string(out, s->help);
    fprintf(out, ", \"allOf\": [{\"$ref\": \"#/definitions/%s\"}]}%s\n", s->definition,
            s[1].key ? "," : "");
  }
  fprintf(out, "  },\n");
  add_definitions(out);
  fprintf(out, "}\n");
  return file_close_text(out, &text) ? text : NULL;
}


//---- tables for people ---------------------------------------------------------------------------

static void add_row(FILE *out, const fieldKey *key)
{
  char words[MODEL_TEXT_LENGTH], help[MODEL_TEXT_LENGTH];
  fprintf(out, "| `%s` | ", key->name);
  if (!key->choice) fprintf(out, "%s", types[key->type].words);
  for (int i = 0; key->choice && key->choice(i); i++) {
    fprintf(out, "%s`%s`", i ? ", " : "", key->choice(i));
  }
  const char *fallback = key->need == REQUIRED ? "**required**"
                         : key->need == ONE_OF ? "**one of two**"
                         : key->fallback       ? model_method_text(key->fallback, words)
                                               : "none";
  const char *unit = key->type == KEY_UNIT ? "" : field_unit(key->quantity);
  fprintf(out, unit[0] ? " [%s]" : "%s", unit);
  fprintf(out, " | %s | %s |\n", fallback, model_method_text(key->help, help));
}


// Families whose page lists the keys that at least `count` of their types share, and the links from the
// types to these lists. The types of other families have all their keys on their pages.
static const struct {
  const char *name, *link;
  int count;
} sharing[] = {{"tyre", "#keys", 3},
               {"study", "#studies", 3},
               {"joint", "../model/joints.md#keys", 8},
               {"block", "../model/blocks.md#keys", 8},
               {"force", "../model/forces.md#keys", 3}};
enum { SHARING = sizeof sharing / sizeof *sharing };


static const fieldForm *const *find_family(const char *name)
{
  for (int i = 0; i < ITEMS; i++) {
    if (items[i].family && strcmp(items[i].name, name) == 0) return items[i].family;
  }
  return NULL;
}


// The place of a family in the table above, -1 if it shares no keys.
static int find_sharing(const char *name)
{
  int i = SHARING - 1;
  while (i >= 0 && strcmp(sharing[i].name, name) != 0) i--;
  return i;
}


static char *create_row(const fieldKey *key)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) return NULL;
  add_row(out, key);
  return file_close_text(out, &text) ? text : NULL;
}


// The number of forms of a family that have a key with this row.
static int count_row(const fieldForm *const *family, const char *name, const char *row)
{
  int count = 0;
  for (; *family; family++) {
    for (const fieldKey *key = (*family)->keys; key->name; key++) {
      if (strcmp(key->name, name) != 0) continue;
      char *other = create_row(key);
      count += other && strcmp(other, row) == 0;
      free(other);
    }
  }
  return count;
}


// Whether several forms of the family have this very row, more than have any other row of the key.
static int is_row_shared(const fieldForm *const *family, const char *name, const char *row)
{
  const int count = count_row(family, name, row);
  if (count < sharing[find_sharing((*family)->name)].count) return 0;
  for (const fieldForm *const *form = family; *form; form++) {
    for (const fieldKey *key = (*form)->keys; key->name; key++) {
      if (strcmp(key->name, name) != 0) continue;
      char *other = create_row(key);
      const int is_rarer =
          !other || strcmp(other, row) == 0 || count_row(family, name, other) < count;
      free(other);
      if (!is_rarer) return 0;
    }
  }
  return 1;
}


static int is_key_shared(const fieldForm *const *family, const fieldKey *key)
{
  char *row = create_row(key);
  const int is_shared = row && is_row_shared(family, key->name, row);
  free(row);
  return is_shared;
}


static const char table_head[] = "| key | value | default | meaning |\n|---|---|---|---|\n";


// Whether a form of the family before `end` has the shared row of this key.
static int has_key_before(const fieldForm *const *family, const fieldForm *const *end,
                          const char *name)
{
  for (const fieldForm *const *form = family; form < end; form++) {
    for (const fieldKey *key = (*form)->keys; key->name; key++) {
      if (strcmp(key->name, name) == 0 && is_key_shared(family, key)) return 1;
    }
  }
  return 0;
}


char *schema_create_keys(const fieldForm *form)
{
  const int place = form->type ? find_sharing(form->name) : -1;
  const fieldForm *const *family = place >= 0 ? find_family(form->name) : NULL;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) return NULL;
  int rows = 0, count = 0;
  for (const fieldKey *key = form->keys; key->name; key++) {
    if (family && is_key_shared(family, key)) continue;
    if (rows++ == 0) fprintf(out, "%s", table_head);
    add_row(out, key);
  }
  for (const fieldKey *key = form->keys; family && key->name; key++) {
    if (!is_key_shared(family, key)) continue;
    if (count == 0) fprintf(out, "%s[Shared](%s):", rows ? "\n" : "", sharing[place].link);
    fprintf(out, "%s `%s`", count++ ? "," : "", key->name);
  }
  if (count) fprintf(out, ".\n");
  return file_close_text(out, &text) ? text : NULL;
}


char *schema_create_shared(const char *name)
{
  const fieldForm *const *family = find_sharing(name) >= 0 ? find_family(name) : NULL;
  char *text = NULL;
  size_t length = 0;
  FILE *out = family ? open_memstream(&text, &length) : NULL;
  if (!out) return NULL;
  fprintf(out, "%s", table_head);
  for (const fieldForm *const *form = family; *form; form++) {
    for (const fieldKey *key = (*form)->keys; key->name; key++) {
      if (is_key_shared(family, key) && !has_key_before(family, form, key->name)) add_row(out, key);
    }
  }
  return file_close_text(out, &text) ? text : NULL;
}


// Whether a form has this very row.
static int has_row(const fieldForm *form, const char *name, const char *row)
{
  const fieldForm *const alone[] = {form, NULL};
  return count_row(alone, name, row) > 0;
}


// "all", "all but `a`" or "`b`, `c`": the forms of a family that have this row
static void add_types(FILE *out, const fieldForm *const *family, const char *name, const char *row)
{
  int n = 0, count = 0, listed = 0;
  for (; family[n]; n++) count += has_row(family[n], name, row);
  const int has = 2 * count <= n + 1;
  fprintf(out, has ? "| " : "| all");
  for (int i = 0; i < n; i++) {
    if (has_row(family[i], name, row) != has) continue;
    fprintf(out, "%s`%s`", listed++ ? ", " : has ? "" : " but ", family[i]->type);
  }
}


char *schema_create_family(const char *name)
{
  const fieldForm *const *family = find_family(name);
  char *text = NULL;
  size_t length = 0;
  FILE *out = family ? open_memstream(&text, &length) : NULL;
  if (!out) return NULL;
  fprintf(out, "| type | key | value | default | meaning |\n|---|---|---|---|---|\n");
  for (int i = 0; family[i]; i++) {
    for (const fieldKey *key = family[i]->keys; key->name; key++) {
      char *row = create_row(key);
      int is_new = row != NULL;
      for (int j = 0; j < i && is_new; j++) is_new = !has_row(family[j], key->name, row);
      if (is_new) {
        add_types(out, family, key->name, row);
        fprintf(out, " %s", row);
      }
      free(row);
    }
  }
  return file_close_text(out, &text) ? text : NULL;
}


const fieldForm *schema_find_form(const char *name, const char *type)
{
  for (int i = 0; i < ITEMS; i++) {
    const fieldForm *const alone[] = {items[i].form, NULL};
    for (const fieldForm *const *f = items[i].family ? items[i].family : alone; *f; f++) {
      if (strcmp((*f)->name, name) != 0) continue;
      if (type ? (*f)->type && strcmp((*f)->type, type) == 0 : !(*f)->type) return *f;
    }
  }
  return NULL;
}
