// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reading mappings by tables of keys.
#include "base/error_recovery.h"
#include "model/define/records.h"
#include "model/define/study_def.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FORM_WORDS = 80, LIST_LENGTH = 256 };


//---- checks --------------------------------------------------------------------------------------

void reader_check_mapping(const yamlNode *node, const char *what)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind == NODE_MAPPING) return;
  if (node->kind == NODE_SCALAR && node->length == 0 && !node->quoted) return;
  error_refuse(node->place, "found %s, expected a mapping with %s", yaml_describe(node, found),
               what);
}


// "a body", "an inertia", "a fixed joint"
static const char *form_words(const fieldForm *form, char words[FORM_WORDS])
{
  const char *first = form->type ? form->type : form->name;
  snprintf(words, FORM_WORDS, "%s %s%s%s", strchr("aeio", first[0]) ? "an" : "a", first,
           form->type ? " " : "", form->type ? form->name : "");
  return words;
}


// in [..] and {..} YAML ends a plain text at a comma: the rest of a formula looks like a key
static const char *comma_hint(const char *key)
{
  return strchr(key, ')') ? "; a formula that contains a comma must be quoted inside [ ] or { }"
                          : "";
}


// letters, digits and _; for things also -, / between scopes, and the letters of other languages
static bool is_name(const char *name, bool is_parameter)
{
  bool starts = true;
  for (const char *p = name; *p; p++) {
    const bool foreign = !is_parameter && (unsigned char) *p >= 0x80;
    const bool is_letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_';
    const bool inside = (*p >= '0' && *p <= '9') || (!is_parameter && *p == '-');
    const bool slash = !is_parameter && *p == '/' && !starts;
    if (!is_letter && !foreign && !slash && (starts || !inside)) return false;
    starts = *p == '/';
  }
  return !starts;
}


void reader_check_name(const yamlNode *item, const char *what, bool is_parameter)
{
  char shown[YAML_PHRASE_LENGTH];
  if (strcmp(item->key, "ground") == 0) {
    error_refuse(item->key_place, "'ground' cannot be the name of %s", what);
  }
  if (item->key[0] && is_name(item->key, is_parameter)) return;
  const yamlNode name = {.kind = NODE_SCALAR, .text = item->key, .length = strlen(item->key)};
  error_refuse(item->key_place,
               "%s cannot be the name of %s; names begin with a letter and go on with "
               "letters, digits, %s%s",
               yaml_describe(&name, shown), what,
               is_parameter ? "'_'" : "'_', '-', with '/' between scopes", comma_hint(item->key));
}


// the keys in a row: "mass, com, inertia"
static const char *list_keys(const fieldForm *form, char list[LIST_LENGTH])
{
  size_t used = 0;
  list[0] = '\0';
  for (const fieldKey *key = form->keys; key->name && used < LIST_LENGTH; key++) {
    used += (size_t) snprintf(list + used, LIST_LENGTH - used, "%s%s", used ? ", " : "", key->name);
  }
  return list;
}


const char *reader_advice(const char *context, const char *word)
{
  const char *advice = NULL;
  for (int i = 0; reader_forms_force[i] && !advice; i++) {
    advice = vocabulary_find_advice(element_of_form(reader_forms_force[i])->advice, context, word);
  }
  return advice;
}


static void unknown_key(const fieldForm *form, const yamlNode *node, yamlNode *child)
{
  char hint[BASE_HINT_LENGTH], shown[YAML_PHRASE_LENGTH], words[FORM_WORDS], list[LIST_LENGTH];
  const yamlNode name = {.kind = NODE_SCALAR, .text = child->key, .length = strlen(child->key)};
  baseNearest nearest = {
      .word = child->key, .context = form->name, .advice = reader_advice(form->name, child->key)};
  for (const fieldKey *key = form->keys; key->name; key++) {
    base_consider_called(&nearest, key->name, key->foreign);
  }
  if (form->type) base_consider(&nearest, "type");
  const bool has_hint = base_hint(&nearest, hint)[0] != '\0';
  const char *guess = base_guess(&nearest);
  const bool has_guess = guess && !yaml_find(node, guess);
  recovery_note(has_guess ? RECOVERY_PLAIN : RECOVERY_SPOILS, child->key_place,
                "%s is not a key of %s%s%s%s", yaml_describe(&name, shown), form_words(form, words),
                has_hint ? hint : "; there are ", has_hint ? "" : list_keys(form, list),
                comma_hint(child->key));
  if (has_guess) {
    child->key = guess;
  } else {
    recovery_spoil_place(node->key ? node->key_place : node->place);
  }
}


static void check_form_keys(const fieldForm *form, const yamlNode *node)
{
  for (yamlNode *child = node->first; child; child = child->next) {
    if (form->type && strcmp(child->key, "type") == 0) continue;
    const fieldKey *key = form->keys;
    while (key->name && strcmp(key->name, child->key) != 0) key++;
    if (!key->name) unknown_key(form, node, child);
    if (key->rival && yaml_find(node, key->rival)) {
      recovery_note(RECOVERY_SPOILS, child->key_place, "'%s' and '%s' exclude each other; give one",
                    key->name, key->rival);
      yaml_remove((yamlNode *) (uintptr_t) node, child);
    }
  }
}


static void check_missing(const fieldForm *form, const fieldKey *key, const yamlNode *node)
{
  const artPlace place = node->key ? node->key_place : node->place;
  if (key->need == OPTIONAL) return;
  if (key->need == ONE_OF && yaml_find(node, key->rival)) return;
  char words[FORM_WORDS];
  if (key->need == ONE_OF) {
    error_refuse(place, "%s needs '%s' or '%s'", form_words(form, words), key->name, key->rival);
  }
  error_refuse(place, "%s needs '%s': %s", form_words(form, words), key->name, key->help);
}


//---- forms ---------------------------------------------------------------------------------------

// a key of a mapping, and its value or NULL
typedef struct formPiece {
  const fieldForm *form;
  const fieldKey *key;
  const yamlNode *mapping, *value;
  void *record;
} formPiece;


static void read_key(modelReader *reader, const yamlNode *node, void *piece)
{
  const formPiece *p = piece;
  const fieldForm *form = p->form;
  const fieldKey *key = p->key;
  const yamlNode *value = p->value;
  void *record = p->record;
  (void) node;
  if (!value) {
    check_missing(form, key, p->mapping);
    return;
  }

  // formulas begin after their '=', and mark that place themselves
  const bool marks_itself =
      key->type == KEY_FORMULA || key->type == KEY_FORMULAS || key->type == KEY_SOME_FORMULAS;
  if (!form->is_part && !marks_itself) {
    reader_mark(reader, key->mark ? key->mark : key->name, value->place);
  }
  if (key->given) *(int *) (void *) ((char *) record + key->given) = 1;
  reader_read_value(reader, key, value, record);
}


// The dimension of numbers of an item that could say its unit and does not: a number where it takes none from its value;
// of a sensor without a gain, whose unit has a quantity, that of what it measures.
static baseDimension own_dimension(const fieldForm *form, const yamlNode *node)
{
  const fieldKey *key = form->keys;
  while (key->name && key->type != KEY_UNIT) key++;
  if (!key->name || yaml_find(node, key->name)) return UNIT_ANY;
  if (!key->fallback) return UNIT_NUMBER;
  return key->quantity == Q_NUMBER || yaml_find(node, "gain")
             ? UNIT_ANY
             : field_dimension(key->quantity, AXIS_UNKNOWN);
}


// A value that could not be read, where mistakes are collected: may its key have the default?
static bool may_be_default(const fieldKey *key)
{
  switch (key->type) {
  case KEY_NUMBER:
  case KEY_VECTOR:
  case KEY_TENSOR:
  case KEY_AXIS:
  case KEY_ORIENTATION:
  case KEY_FLAG:
  case KEY_CHOICE:
  case KEY_METHOD:
  case KEY_COLOUR:
  case KEY_COEFFICIENT:
  case KEY_COUNT:
  case KEY_WHOLE: return true;
  default: return false;
  }
}


void reader_read_form(modelReader *reader, const fieldForm *form, const yamlNode *node,
                      void *record)
{
  bool is_whole = true;
  const fieldAxis outer = reader->axis;
  if (!form->is_part) {
    reader->axis = AXIS_UNKNOWN;
    reader->unit = own_dimension(form, node);
  }
  reader_check_mapping(node, "keys and values");
  check_form_keys(form, node);
  for (const fieldKey *key = form->keys; key->name; key++) {
    const yamlNode *value = yaml_find(node, key->name);
    formPiece piece = {form, key, node, value, record};
    const bool is_read = reader_try(reader, value ? value : node, read_key, &piece);
    if (is_read) continue;
    const bool may_stay = value && may_be_default(key);
    is_whole &= may_stay;
    if (may_stay) field_set_defaults(&(fieldForm){.keys = (fieldKey[]){*key, {0}}}, record);
  }
  reader->axis = outer;
  if (!is_whole) recovery_drop();
}


// the types in a row: "run, equil, linear"
static const char *list_types(const fieldForm *const *forms, char list[LIST_LENGTH])
{
  size_t used = 0;
  list[0] = '\0';
  for (int i = 0; forms[i] && used < LIST_LENGTH; i++) {
    used +=
        (size_t) snprintf(list + used, LIST_LENGTH - used, "%s%s", i ? ", " : "", forms[i]->type);
  }
  return list;
}


// where mistakes are collected: the type that was meant
static void unknown_type(const fieldForm *const *forms, const yamlNode *type, int *chosen)
{
  char hint[BASE_HINT_LENGTH], found[YAML_PHRASE_LENGTH], list[LIST_LENGTH], context[FORM_WORDS];
  snprintf(context, sizeof context, "%s type", forms[0]->name);
  const char *word = type->kind == NODE_SCALAR ? type->text : "";
  baseNearest nearest = {.word = word, .context = context, .advice = reader_advice(context, word)};
  for (int i = 0; forms[i]; i++) {
    base_consider_called(&nearest, forms[i]->type, forms[i]->foreign);
  }
  const bool has_hint = base_hint(&nearest, hint)[0] != '\0';
  recovery_note(RECOVERY_SPOILS, type->place, "%s is not a type of %s%s%s",
                yaml_describe(type, found), forms[0]->name, has_hint ? hint : "; there are ",
                has_hint ? "" : list_types(forms, list));
  const char *guess = base_guess(&nearest);
  if (!guess && forms != model_forms_study) recovery_drop();
  for (*chosen = 0; guess && strcmp(forms[*chosen]->type, guess) != 0;) ++*chosen;
}


void reader_choose_form(const fieldForm *const *forms, const yamlNode *node, int *chosen)
{
  char list[LIST_LENGTH];
  reader_check_mapping(node, "'type' and the keys of that type");
  const yamlNode *type = yaml_find(node, "type");
  if (!type) {
    recovery_note(RECOVERY_SPOILS, node->key ? node->key_place : node->place,
                  "a %s needs 'type', one of %s", forms[0]->name, list_types(forms, list));
    if (forms != model_forms_study) recovery_drop();
    *chosen = ART_RUN; // as for a type that is none
    return;
  }
  for (*chosen = 0; forms[*chosen]; ++*chosen) {
    if (type->kind == NODE_SCALAR && strcmp(type->text, forms[*chosen]->type) == 0) return;
  }
  unknown_type(forms, type, chosen);
}


// A definition lives until the next one: the builder copies it.
static void *start_item_definition(modelReader *reader, const itemFamily *family, int type)
{
  const size_t size = family->most ? family->most : family->size;
  live_begin(reader->builder);
  arena_clear(&reader->scratch);
  void *def = arena_alloc(&reader->scratch, 1, size);
  field_set_defaults(family->forms[type], def);
  if (family->start) family->start(type, def);
  return def;
}


static void read_family_item(modelReader *reader, const yamlNode *item, void *of)
{
  const itemFamily *family = of;
  int type = 0;
  char words[FORM_WORDS];
  snprintf(words, sizeof words, "%s %s", strchr("aeio", family->what[0]) ? "an" : "a",
           family->what);
  reader_check_name(item, words, false);
  if (family->forms[0]->type) reader_choose_form(family->forms, item, &type);
  reader_built(reader, builder_at(reader->builder, item->key_place));
  void *def = start_item_definition(reader, family, type);
  reader_begin_item(reader, family, NULL, item);
  reader_read_form(reader, family->forms[type], item, def);
  if (family->read) {
    family->read(reader, item, type, def);
  } else {
    *(const char **) def = item->key;
    reader_built(reader, builder_add_item(reader->builder, family, def));
  }
  reader_end_item(reader);
}


// A body that could not be read is there for joints to lead on from it.
static void lose_item(modelReader *reader, const itemFamily *family, const char *name)
{
  const int nlost = recovery_list()->nlost;
  reader_lose(reader, name);
  if (recovery_list()->nlost == nlost) return; // it is there already
  recovery_list()->has_lost_joints |= family == &item_joint;
  if (family != &item_body) return;
  artBodyDef body = art_default_body();
  body.name = name;
  body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  (void) art_add_body(reader->builder, &body);
  reader->builder->error = (artError){0};
}


void reader_read_item(modelReader *reader, const itemFamily *family, const yamlNode *item)
{
  void *of = (void *) (uintptr_t) family;
  if (!reader_try(reader, item, read_family_item, of)) lose_item(reader, family, item->key);
}


void reader_read_items(modelReader *reader, const itemFamily *family, const yamlNode *section)
{
  char words[FORM_WORDS];
  snprintf(words, sizeof words, "names and keys of %s", section->key);
  reader_check_mapping(section, words);
  for (const yamlNode *item = section->first; item; item = item->next) {
    reader_read_item(reader, family, item);
  }
}
