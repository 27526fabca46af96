// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The builder: takes the user's words one by one, checks each alone, and keeps copies.
#include "model/define/builder.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/ascii.h"
#include "base/error_recovery.h"
#include "base/memory.h"
#include "base/plain.h"
#include "model/define/records.h"
#include "model/define/study_def.h"
#include "model/formula/formula_parser.h"
#include "model/parameter/live.h"
#include "model/read/alias.h"
#include "model/solid/solid.h"
#include "road/road.h"
#include "tyre/tyre.h"

//---- life ----------------------------------------------------------------------------------------


artBuilder *art_create_builder(void)
{
  artBuilder *b = mem_alloc(1, sizeof *b);
  if (!b) return NULL;
  b->scope = "";
  b->title = "";
  b->gravity[2] = -9.81;
  return b;
}


void art_free_builder(artBuilder *b)
{
  if (!b) return;
  recordList *lists[] = {
      &b->constraints, &b->name_places, &b->marks,    &b->parameters, &b->bodies,  &b->visuals,
      &b->frames,      &b->joints,      &b->initials, &b->elements,   &b->drives,  &b->outputs,
      &b->studies,     &b->curves,      &b->roads,    &b->tyres,      &b->aliases, &b->latches,
      &b->live,        &b->inputs,      &b->states,   &b->blocks,     &b->items,   &b->programs,
      &b->checks,      &b->warnings,    &b->sliders,  &b->surfaces};
  for (int i = 0; i < b->roads.count; i++) art_free_road(RECORD(b->roads, roadRecord, i)->road);
  for (int i = 0; i < b->tyres.count; i++) art_free_tyre(RECORD(b->tyres, tyreRecord, i)->tyre);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) mem_free(lists[i]->items);
  arena_free(&b->arena);
  mem_free(b);
}


const artError *builder_error(const artBuilder *b)
{
  return &b->error;
}


// every call begins so: a builder that has failed, or for which there was no memory, stays as it is
static int has_failed(const artBuilder *b)
{
  return !b || b->error.status != ART_OK;
}


static artStatus builder_failure(const artBuilder *b)
{
  return b ? b->error.status : ART_NO_MEMORY;
}


static artStatus out_of_memory(artBuilder *b)
{
  return base_no_memory(&b->error);
}


artStatus builder_attempt(artBuilder *b, void (*work)(void *context), void *context)
{
  ARITHMETIC_GUARD; // of all functions that add something
  if (has_failed(b)) return builder_failure(b);
  b->arena.leaves = 1;
  (void) error_try(work, context, &b->error);
  b->arena.leaves = 0;
  return b->error.status;
}


// room for one more record, zeroed; NULL when memory ran out
static void *add_record(artBuilder *b, recordList *list, size_t size)
{
  const void *before = list->items;
  if (!mem_grow(&list->items, list->count, &list->capacity, size)) {
    out_of_memory(b);
    return NULL;
  }
  live_rebase(b, before, list->items, (size_t) list->count * size);
  void *record = (char *) list->items + (size_t) list->count * size;
  memset(record, 0, size);
  list->count++;
  return record;
}


//---- places and scopes ---------------------------------------------------------------------------


artStatus builder_at(artBuilder *b, artPlace place)
{
  if (has_failed(b)) return builder_failure(b);
  b->next.place = place;
  b->marks.count = 0;
  return ART_OK;
}


artStatus builder_mark(artBuilder *b, const char *key, artPlace place)
{
  if (has_failed(b)) return builder_failure(b);
  fieldMark *mark = add_record(b, &b->marks, sizeof *mark);
  if (!mark) return b->error.status;
  *mark = (fieldMark){arena_text(&b->arena, key), place};
  return mark->key ? ART_OK : out_of_memory(b);
}


void builder_warn(artBuilder *b, const char *text)
{
  if (has_failed(b)) return;
  const char **warning = add_record(b, &b->warnings, sizeof *warning);
  if (warning && !(*warning = arena_text(&b->arena, text))) out_of_memory(b);
}


artStatus builder_scope(artBuilder *b, const char *prefix)
{
  if (has_failed(b)) return builder_failure(b);
  b->scope = arena_text(&b->arena, prefix);
  return b->scope ? ART_OK : out_of_memory(b);
}


fieldWhere builder_next_place(const artBuilder *b)
{
  fieldWhere where = b->next;
  where.nmark = b->marks.count;
  where.mark = b->marks.items;
  return where;
}


// the head of the record that is being added; uses up what builder_at and builder_mark said
static recordHead take_head(artBuilder *b)
{
  recordHead head = {
      .where = b->next, .scope = b->scope, .aliases = &b->aliases, .item = b->items.count - 1};
  head.where.nmark = b->marks.count;
  head.where.mark =
      arena_copy(&b->arena, b->marks.items, (size_t) b->marks.count, sizeof(fieldMark));
  if (!head.where.mark) {
    head.where.nmark = 0;
    out_of_memory(b);
  }
  b->next = (fieldWhere){0};
  b->marks.count = 0;
  return head;
}


//---- names ---------------------------------------------------------------------------------------


// a reference completed by the scope: "wheel" in scope "front/left" is "front/left/wheel"
static const char *full_name(artBuilder *b, const char *name)
{
  const char *full = NULL;
  if (name[0] == '/') {
    full = arena_text(&b->arena, name + 1);
  } else if (b->scope[0] == '\0' || strcmp(name, "ground") == 0 ||
             strncmp(name, "ground.", 7) == 0) {
    full = arena_text(&b->arena, name);
  } else {
    full = arena_format(&b->arena, "%s/%s", b->scope, name);
    if (full) full = alias_replace(&b->aliases, &b->arena, full);
  }
  if (!full) out_of_memory(b);
  return full ? full : "";
}


const char *builder_full_name(artBuilder *b, const char *name)
{
  return full_name(b, name);
}


artStatus builder_alias(artBuilder *b, const char *name, const char *target)
{
  if (has_failed(b)) return builder_failure(b);
  const modelAlias alias = {arena_text(&b->arena, name), full_name(b, target)};
  modelAlias *own = alias.name ? add_record(b, &b->aliases, sizeof *own) : NULL;
  if (!own) return out_of_memory(b);
  *own = alias;
  return b->error.status;
}


const char *builder_find_alias(const artBuilder *b, const char *name, size_t *length)
{
  return alias_find(&b->aliases, name, length);
}


// the name in a reference field, completed; an error when it is missing
static const char *completed_reference(artBuilder *b, const recordHead *head, const char *key,
                                       const char *text)
{
  if (text && text[0]) return full_name(b, text);
  if (!has_failed(b)) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key), "'%s' is missing", key);
  }
  return "";
}


// a copy of a text that may be NULL
static const char *copied_text(artBuilder *b, const char *text)
{
  if (!text) return NULL;
  const char *copy = arena_text(&b->arena, text);
  if (!copy) out_of_memory(b);
  return copy;
}


// a copy that is plain text
static const char *copied_plain(artBuilder *b, const char *text)
{
  char *copy = arena_text(&b->arena, text);
  if (!copy) return out_of_memory(b), NULL;
  plain_tidy(copy);
  return copy;
}


static artStatus check_name(artBuilder *b, artPlace place, const char *what, const char *name)
{
  static const char *const reserved[] = {"ground", "time", "energy", "momentum"};
  if (!name || !name[0]) {
    return base_fail(&b->error, ART_BAD_INPUT, place, "a %s has no name", what);
  }
  for (const char *p = name; *p; p++) {
    const unsigned char c = (unsigned char) *p;
    if ((c < 0x80 && ascii_is_word(c)) || strchr("_-/", c) || c >= 0x80) continue;
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "%s name '%s' has the character '%c'; use letters, digits, _ and -", what,
                     name, *p);
  }
  if (!plain_is(name)) {
    return base_fail(
        &b->error, ART_BAD_INPUT, place,
        "a %s name has a control character or is not UTF-8; use letters, digits, _ and "
        "-",
        what);
  }
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
    if (strcmp(name, reserved[i]) != 0) continue;
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "%s name '%s' is reserved; choose another one", what, name);
  }
  return ART_OK;
}


// complete a new name, check it, and keep it apart from all others
static const char *new_name(artBuilder *b, const recordHead *head, const char *what,
                            const char *name)
{
  const artPlace place = field_place(&head->where, "name");
  if (has_failed(b) || check_name(b, place, what, name) != ART_OK) return "";
  const char *full = full_name(b, name);
  if (has_failed(b)) return "";

  const int known = table_find(&b->names, full);
  if (known >= 0) {
    const artPlace first = *RECORD(b->name_places, artPlace, known);
    char where[64] = "";
    if (first.line > 0) snprintf(where, sizeof where, " (line %d)", first.line);
    base_fail(&b->error, ART_BAD_INPUT, place,
              "%s name '%s' is already in use%s; names of bodies, joints, forces, drives, inputs, "
              "states, blocks and sensors must differ",
              what, full, where);
    return "";
  }
  artPlace *kept = add_record(b, &b->name_places, sizeof *kept);
  if (!kept) return "";
  *kept = place;
  if (!table_add(&b->names, &b->arena, full, b->name_places.count - 1)) out_of_memory(b);
  return full;
}


// the same of an input, a state or a block, whose name is used in formulas like a parameter
static const char *new_signal_name(artBuilder *b, const recordHead *head, const char *what,
                                   const char *name)
{
  const artPlace place = field_place(&head->where, "name");
  const char *full = new_name(b, head, what, name);
  if (has_failed(b)) return "";
  if (strcmp(name, "pi") == 0) {
    base_fail(&b->error, ART_BAD_INPUT, place,
              "a%s %s cannot be called 'pi', which is a constant of all formulas; choose another "
              "name",
              strchr("aeiou", what[0]) ? "n" : "", what);
  } else if (table_find(&b->parameter_names, full) >= 0) {
    base_fail(&b->error, ART_BAD_INPUT, place,
              "%s name '%s' is already that of a parameter; choose another one", what, full);
  } else if (!table_add(&b->signal_names, &b->arena, full, b->name_places.count - 1)) {
    out_of_memory(b);
  }
  return full;
}


//---- numbers -------------------------------------------------------------------------------------


static artStatus check_record_finite(artBuilder *b, const recordHead *head, const char *key, int n,
                                     const double *x)
{
  for (int i = 0; i < n && !has_failed(b); i++) {
    if (isfinite(x[i])) continue;
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key),
              "'%s' is %g, a finite number is wanted", key, x[i]);
  }
  return b->error.status;
}


// a list and its length, which go together
static artStatus check_record_list(artBuilder *b, const recordHead *head, const char *key, int n,
                                   const void *list)
{
  if (has_failed(b) || n == 0 || (n > 0 && list)) return b->error.status;
  return base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key),
                   "'%s' has the length %d%s", key, n, list ? "" : " and no values");
}


static double *copied_numbers(artBuilder *b, int n, const double *x)
{
  if (n <= 0 || !x) return NULL;
  double *copy = arena_copy(&b->arena, x, (size_t) n, sizeof *x);
  if (!copy) out_of_memory(b);
  if (copy) live_settle(b, x, copy, (size_t) n * sizeof *x);
  return copy;
}


//---- machine -------------------------------------------------------------------------------------


artStatus art_set_title(artBuilder *b, const char *title)
{
  if (has_failed(b)) return builder_failure(b);
  take_head(b);
  b->title = copied_plain(b, title ? title : "");
  return b->error.status;
}


artStatus art_set_gravity(artBuilder *b, const double gravity[3])
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(gravity, &b->error);
  const recordHead head = take_head(b);
  memcpy(b->gravity, gravity, sizeof b->gravity);
  live_settle(b, gravity, b->gravity, sizeof b->gravity);
  return check_record_finite(b, &head, "gravity", 3, gravity);
}


artStatus art_add_parameter(artBuilder *b, const char *name, double value, const char *unit)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  const recordHead head = take_head(b);
  const artPlace place = field_place(&head.where, "name");
  if (check_name(b, place, "parameter", name) != ART_OK) return b->error.status;
  if (strcmp(name, "pi") == 0) {
    return base_fail(
        &b->error, ART_BAD_INPUT, place,
        "a parameter cannot be called 'pi', which is a constant of all formulas; choose "
        "another name");
  }
  if (check_record_finite(b, &head, "value", 1, &value) != ART_OK) return b->error.status;

  baseUnit given = {.scale = 1, .factor = 1, .dimension = UNIT_ANY};
  if (unit && unit_parse(&given, unit, field_place(&head.where, "unit"), &b->error) != ART_OK) {
    return b->error.status;
  }
  const char *full = full_name(b, name);
  if (table_find(&b->parameter_names, full) >= 0) {
    return base_fail(&b->error, ART_BAD_INPUT, place, "parameter '%s' is given twice", full);
  }
  if (table_find(&b->signal_names, full) >= 0) {
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "parameter '%s' has the name of an input, state or block; choose another one",
                     full);
  }
  if (!table_add(&b->parameter_names, &b->arena, full, b->parameters.count)) {
    return out_of_memory(b);
  }
  parameterRecord *p = add_record(b, &b->parameters, sizeof *p);
  if (p) {
    *p = (parameterRecord){.head = head,
                           .name = full,
                           .value = unit_to_si(value, given),
                           .dimension = given.dimension,
                           .unit = "",
                           .help = ""};
  }
  return b->error.status;
}


artStatus builder_describe_parameter(artBuilder *b, const double limits[2], const char *help)
{
  parameterRecord *p = RECORD(b->parameters, parameterRecord, b->parameters.count - 1);
  p->has_limits = limits != NULL;
  if (limits) memcpy(p->limits, limits, sizeof p->limits);
  if (help) p->help = arena_text(&b->arena, help);
  return p->help ? ART_OK : out_of_memory(b);
}


//---- curves --------------------------------------------------------------------------------------


// a word that a formula can call, and not one of its own functions
static artStatus check_curve_name(artBuilder *b, artPlace place, const char *name)
{
  if (check_name(b, place, "curve", name) != ART_OK) return b->error.status;
  const size_t length = strlen(name);
  const size_t word =
      strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  if (word < length || (name[0] >= '0' && name[0] <= '9')) {
    return base_fail(
        &b->error, ART_BAD_INPUT, place,
        "curve name '%s' is not a word that formulas can call; use letters, digits and _", name);
  }
  const formulaFunction *function = formula_find_function(name);
  if (!function) return ART_OK;
  return base_fail(&b->error, ART_BAD_INPUT, place,
                   "curve name '%s' is taken by the function %s; choose another one", name,
                   function->usage);
}


// the dimension of a unit that may be NULL, for everything
static baseDimension curve_dimension(artBuilder *b, const recordHead *head, const char *key,
                                     const char *unit)
{
  baseUnit given = {.scale = 1, .factor = 1, .dimension = UNIT_ANY};
  if (unit && !has_failed(b)) unit_parse(&given, unit, field_place(&head->where, key), &b->error);
  return given.dimension;
}


static artStatus add_curve_record(artBuilder *b, const curveRecord *curve)
{
  if (has_failed(b)) return builder_failure(b);
  if (table_find(&b->curve_names, curve->def.name) >= 0) {
    return base_fail(&b->error, ART_BAD_INPUT, field_place(&curve->head.where, "name"),
                     "curve '%s' is given twice", curve->def.name);
  }
  if (!table_add(&b->curve_names, &b->arena, curve->def.name, b->curves.count)) {
    return out_of_memory(b);
  }
  curveRecord *record = add_record(b, &b->curves, sizeof *record);
  if (record) *record = *curve;
  return b->error.status;
}


artStatus art_add_curve(artBuilder *b, const artCurveDef *def)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(def, &b->error);
  curveRecord curve = {.head = take_head(b), .def = *def};
  const artPlace place = field_place(&curve.head.where, "name");
  if (check_curve_name(b, place, def->name) != ART_OK) return b->error.status;
  if (def->n < 2 || !def->x || !def->f) {
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "curve '%s' has no values, expected two points", def->name);
  }
  curve.def.name = full_name(b, def->name);
  curve.def.x = copied_numbers(b, def->n, def->x);
  curve.def.f = copied_numbers(b, def->n, def->f);
  curve.x = curve_dimension(b, &curve.head, "x_unit", def->x_unit);
  curve.f = curve_dimension(b, &curve.head, "f_unit", def->f_unit);
  return add_curve_record(b, &curve);
}


artStatus art_add_map(artBuilder *b, const artMapDef *def)
{
  ARITHMETIC_GUARD;
  enum { MOST = 1000 }; // in either direction
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(def, &b->error);
  curveRecord curve = {.head = take_head(b), .map = *def};
  const artPlace place = field_place(&curve.head.where, "name");
  if (check_curve_name(b, place, def->name) != ART_OK) return b->error.status;
  if (def->nx < 2 || def->ny < 2 || def->nx > MOST || def->ny > MOST || !def->x || !def->y ||
      !def->f) {
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "curve '%s' has %d rows and %d columns, expected 2 to %d of both", def->name,
                     def->nx, def->ny, MOST);
  }
  curve.def.name = full_name(b, def->name);
  curve.map.x = copied_numbers(b, def->nx, def->x);
  curve.map.y = copied_numbers(b, def->ny, def->y);
  curve.map.f = copied_numbers(b, def->nx * def->ny, def->f);
  curve.x = curve_dimension(b, &curve.head, "x_unit", def->x_unit);
  curve.y = curve_dimension(b, &curve.head, "y_unit", def->y_unit);
  curve.f = curve_dimension(b, &curve.head, "f_unit", def->f_unit);
  return add_curve_record(b, &curve);
}


//---- frames --------------------------------------------------------------------------------------


// a definition that is checked as a whole
typedef struct builderCheck {
  fieldCheck check;
  void (*work)(const fieldCheck *check, void *def);
  void *def;
} builderCheck;


static void check_builder_definition(void *context)
{
  const builderCheck *c = context;
  c->work(&c->check, c->def);
}


static void check_frame_pose(const fieldCheck *check, void *pose)
{
  field_check_all(check, &reader_form_frame, pose);
}


artStatus builder_add_frame(artBuilder *b, const frameRecord *frame, const artPose *pose)
{
  frameRecord *record = add_record(b, &b->frames, sizeof *record);
  if (record) *record = *frame;
  if (record) live_settle(b, pose, &record->pose, sizeof *pose);
  return b->error.status;
}


artStatus art_add_frame(artBuilder *b, const char *body, const char *name, const artPose *pose)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(pose, &b->error);
  frameRecord frame = {.head = take_head(b), .pose = *pose};
  const artPlace place = field_place(&frame.head.where, "name");
  builderCheck check = {{name, &frame.head.where}, check_frame_pose, &frame.pose};
  if (check_name(b, place, "frame", name) != ART_OK) return b->error.status;
  if (builder_attempt(b, check_builder_definition, &check)) return b->error.status;

  frame.body = completed_reference(b, &frame.head, "body", body);
  frame.name = arena_format(&b->arena, "%s.%s", frame.body, name);
  if (!frame.name) return out_of_memory(b);
  return builder_add_frame(b, &frame, pose);
}


//---- shapes --------------------------------------------------------------------------------------


artStatus art_add_visual(artBuilder *b, const char *body, const artVisualDef *def)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(def, &b->error);
  visualRecord visual = {.head = take_head(b), .def = *def};
  builderCheck check = {{NULL, &visual.head.where}, visual_check, &visual.def};
  if (builder_attempt(b, check_builder_definition, &check)) return b->error.status;
  visual.body = completed_reference(b, &visual.head, "body", body);
  if (def->type == ART_VISUAL_MESH) {
    const size_t nv = 3 * (size_t) def->nvertex, nt = 3 * (size_t) def->ntriangle;
    visual.def.vertex = arena_copy(&b->arena, def->vertex, nv, sizeof *def->vertex);
    visual.def.triangle = arena_copy(&b->arena, def->triangle, nt, sizeof *def->triangle);
    if (!visual.def.vertex || !visual.def.triangle) return out_of_memory(b);
  }
  visualRecord *record = add_record(b, &b->visuals, sizeof *record);
  if (record) *record = visual;
  if (record) live_settle(b, def, &record->def, sizeof *def);
  return b->error.status;
}


//---- initial values ------------------------------------------------------------------------------


static artStatus add_initial(artBuilder *b, const char *coordinate, double value, int is_guess)
{
  if (has_failed(b)) return builder_failure(b);
  initialRecord initial = {.head = take_head(b), .value = value, .is_guess = is_guess};
  initial.coordinate = completed_reference(b, &initial.head, "coordinate", coordinate);
  if (has_failed(b)) return builder_failure(b);
  if (check_record_finite(b, &initial.head, "value", 1, &value) != ART_OK) return b->error.status;
  initialRecord *record = add_record(b, &b->initials, sizeof *record);
  if (record) *record = initial;
  return b->error.status;
}


artStatus art_set_initial(artBuilder *b, const char *coordinate, double value)
{
  ARITHMETIC_GUARD;
  return add_initial(b, coordinate, value, 0);
}


artStatus art_set_guess(artBuilder *b, const char *coordinate, double value)
{
  ARITHMETIC_GUARD;
  return add_initial(b, coordinate, value, 1);
}


artStatus builder_set_initial(artBuilder *b, const char *coordinate, double value)
{
  for (int i = 0; i < b->initials.count; i++) {
    initialRecord *record = RECORD(b->initials, initialRecord, i);
    if (strcmp(record->coordinate, coordinate) != 0) continue;
    record->value = value;
    record->is_guess = 0;
    return check_record_finite(b, &record->head, "value", 1, &value);
  }
  return add_initial(b, coordinate, value, 0);
}


artStatus art_set_projection(artBuilder *b, int project)
{
  if (has_failed(b)) return builder_failure(b);
  take_head(b);
  b->project = project;
  return ART_OK;
}


//---- functions of the user -----------------------------------------------------------------------


// name and parameters of the builder's own instead of those of a definition
static void take_call_field(artBuilder *b, const recordHead *head, artCallDef *call)
{
  enum {
    LONGEST = 40
  }; // a word of C and Fortran, with room for what generated code writes around it
  if (call->n == 0) call->parameter = NULL;
  if (has_failed(b) || (!call->name && call->n == 0 && call->arguments.count == 0)) return;
  int is_word = call->name && (unsigned char) call->name[0] < 128 &&
                ascii_is_letter((unsigned char) call->name[0]) && strlen(call->name) <= LONGEST;
  for (const char *c = call->name; is_word && *c; c++) {
    is_word = (unsigned char) *c < 128 && (ascii_is_word((unsigned char) *c) || *c == '_');
  }
  if (!call->name) {
    const char *key = call->n > 0 ? "parameters" : "arguments";
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key),
              "there are %s but no function that takes them; name it with 'function'", key);
  } else if (!is_word) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "function"),
              "the function is called '%.60s', expected at most 40 letters, digits and underscores "
              "that begin with a letter",
              call->name);
  } else if (call->n < 0 || call->n > FUNCTION_PARAMETERS || (call->n > 0 && !call->parameter)) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "parameters"),
              "the function '%s' is given %d parameters, expected at most %d", call->name, call->n,
              FUNCTION_PARAMETERS);
  } else if (call->arguments.count < 0 || call->arguments.count > FUNCTION_ARGUMENTS) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "arguments"),
              "the function '%s' is given %d arguments, expected at most %d", call->name,
              call->arguments.count, FUNCTION_ARGUMENTS);
  } else if (check_record_finite(b, head, "parameters", call->n, call->parameter) == ART_OK) {
    call->name = copied_text(b, call->name);
    call->parameter = copied_numbers(b, call->n, call->parameter);
  }
}


//---- coordinates ---------------------------------------------------------------------------------


// the names of n coordinates, completed and kept
static const char *const *copied_coordinates(artBuilder *b, const recordHead *head,
                                             const char *what, int n, const char *const *coordinate)
{
  if (has_failed(b)) return NULL;
  if (n < 1) {
    base_fail(&b->error, ART_BAD_INPUT, head->where.place,
              "the %s names no coordinate, expected one or more", what);
    return NULL;
  }
  if (check_record_list(b, head, "coordinate", n, coordinate)) return NULL;
  const char **names = arena_alloc(&b->arena, (size_t) n, sizeof *names);
  if (!names) out_of_memory(b);
  for (int i = 0; names && i < n; i++) {
    names[i] = completed_reference(b, head, "coordinate", coordinate[i]);
  }
  return names;
}


// coordinates and their factors; factors that are left out are 1 where they may be
static fieldTerms copied_terms(artBuilder *b, const recordHead *head, const char *what,
                               fieldTerms given, int may_lack_factors)
{
  const int n = given.n;
  fieldTerms own = {n, copied_coordinates(b, head, what, n, given.coordinate), NULL};
  if (has_failed(b)) return own;
  if (may_lack_factors && !given.coefficient) {
    double *one = arena_alloc(&b->arena, (size_t) n, sizeof *one);
    if (!one) out_of_memory(b);
    for (int i = 0; one && i < n; i++) one[i] = 1;
    own.coefficient = one;
    return own;
  }
  if (check_record_list(b, head, "coefficient", n, given.coefficient)) return own;
  if (check_record_finite(b, head, "coefficient", n, given.coefficient) != ART_OK) return own;
  own.coefficient = copied_numbers(b, n, given.coefficient);
  return own;
}


//---- laws ----------------------------------------------------------------------------------------


// lists of the builder's own in the place; all else stays as it is, gaps between numbers as well (base/pool.h)
static void take_law(artBuilder *b, const recordHead *head, const char *key, artLawDef *law)
{
  const artPlace place = field_place(&head->where, key);
  const int has_points = law->type == ART_LAW_PIECEWISE || law->type == ART_LAW_TABLE;
  const int has_values = has_points || law->type == ART_LAW_POLYNOMIAL;
  const int is_segments = law->type == ART_LAW_SEGMENTS;
  const int is_wide = law->width > 0 && law->n <= INT_MAX / law->width;
  if (has_failed(b)) return;
  if ((unsigned) law->type > ART_LAW_AIR) {
    base_fail(&b->error, ART_BAD_INPUT, place, "'%s' has law type %d, which there is not", key,
              (int) law->type);
  } else if (has_values && !(law->n > 0 && law->f && (law->x || !has_points))) {
    base_fail(&b->error, ART_BAD_INPUT, place, "the law '%s' has no values, expected at least %s",
              key, has_points ? "two points" : "one coefficient");
  } else if (is_segments && !(law->n > 0 && is_wide && law->f && (law->x || law->n == 1))) {
    base_fail(&b->error, ART_BAD_INPUT, place,
              "the law '%s' lacks coefficients or borders, expected n rows of coefficients and "
              "n - 1 borders",
              key);
  }
  if (has_failed(b)) return;
  law->x = copied_numbers(b, is_segments ? law->n - 1 : law->n, law->x);
  law->f = copied_numbers(b, is_segments ? law->n * law->width : law->n, law->f);
}


//---- items ---------------------------------------------------------------------------------------


// the item that is being added
typedef struct takenItem {
  artBuilder *b;
  const recordHead *head;
  const char *name;
  elementRecord *element; // of forces: what they act along, and call; NULL: it is none
  const fieldForm *form;
  void (*check)(const fieldCheck *c, void *def);
  char *def;
} takenItem;


// A joint element acts along one coordinate until a combination is set.
static const char *take_coordinate(const takenItem *t, const char *coordinate)
{
  static const double one = 1;
  artBuilder *b = t->b;
  const char *name = completed_reference(b, t->head, "coordinate", coordinate);
  if (!t->element) return name;
  const char **names = arena_copy(&b->arena, &name, 1, sizeof *names);
  if (!names) out_of_memory(b);
  t->element->along = (fieldTerms){names ? 1 : 0, names, &one};
  return name;
}


static void take_rows_field(artBuilder *b, void *field)
{
  fieldRows rows;
  memcpy(&rows, field, sizeof rows);
  rows.x = copied_numbers(b, rows.n, rows.x);
  rows.f = copied_numbers(b, rows.n, rows.f);
  memcpy(field, &rows, sizeof rows);
}


// solids are checked before they are copied, for meshes have lengths
static void take_solids_field(const takenItem *t, const char *def, void *field)
{
  artBuilder *b = t->b;
  solidList list;
  memcpy(&list, field, sizeof list);
  if (has_failed(b) || list.n == 0) return;
  const fieldCheck check = {t->name, &t->head->where};
  solid_check_list(&check, list, ((const artBodyDef *) (const void *) def)->mass);
  artSolidDef *own = arena_copy(&b->arena, list.solid, (size_t) list.n, sizeof *own);
  if (own) live_settle(b, list.solid, own, (size_t) list.n * sizeof *own);
  for (int i = 0; own && i < list.n; i++) {
    artSolidDef *solid = &own[i];
    solid->file = copied_text(b, solid->file);
    if (solid->type != ART_SOLID_MESH) continue;
    const size_t nv = 3 * (size_t) solid->nvertex, nt = 3 * (size_t) solid->ntriangle;
    solid->vertex = arena_copy(&b->arena, solid->vertex, nv, sizeof *solid->vertex);
    solid->triangle = arena_copy(&b->arena, solid->triangle, nt, sizeof *solid->triangle);
    if (!solid->vertex || !solid->triangle) out_of_memory(b);
  }
  list.solid = own;
  if (!own) out_of_memory(b);
  memcpy(field, &list, sizeof list);
}


static void take_terms(const takenItem *t, const fieldKey *key, void *field)
{
  const size_t without_factors = offsetof(fieldTerms, coefficient);
  const size_t size = key->type == KEY_LIST ? without_factors : sizeof(fieldTerms);
  fieldTerms terms = {0};
  memcpy(&terms, field, size);
  if (key->type == KEY_LIST) {
    terms.coordinate = copied_coordinates(t->b, t->head, "constraint", terms.n, terms.coordinate);
  } else {
    const int is_lock = key->type == KEY_COMBINATION;
    terms = copied_terms(t->b, t->head, is_lock ? "lock" : "constraint", terms, is_lock);
  }
  memcpy(field, &terms, size);
}


static void take_numbers_field(const takenItem *t, const char *key, artNumbers *numbers)
{
  artBuilder *b = t->b;
  if (check_record_list(b, t->head, key, numbers->count, numbers->value)) return;
  if (check_record_finite(b, t->head, key, numbers->count, numbers->value) != ART_OK) return;
  numbers->value = copied_numbers(b, numbers->count, numbers->value);
}


static void take_texts(const takenItem *t, const char *key, artNames *texts)
{
  artBuilder *b = t->b;
  if (check_record_list(b, t->head, key, texts->count, texts->name) || texts->count == 0) return;
  const char **own = arena_alloc(&b->arena, (size_t) texts->count, sizeof *own);
  if (!own) out_of_memory(b);
  for (int i = 0; own && i < texts->count; i++) own[i] = copied_text(b, texts->name[i]);
  texts->name = own;
}


// The value of a field of the builder's own copy: names are completed, texts and lists copied, numbers checked.
static void take_builder_field(const takenItem *t, const fieldKey *key, char *def)
{
  artBuilder *b = t->b;
  const char *name = key->mark ? key->mark : key->name;
  void *field = def + key->offset;
  const char **text = field;
  artLawDef *law = field;
  artPathDef *path = field;
  switch (key->type) {
  case KEY_COORDINATE: *text = take_coordinate(t, *text); break;
  case KEY_COMBINATION:
  case KEY_TERMS:
  case KEY_LIST: take_terms(t, key, field); break;
  case KEY_BETWEEN:
    text[0] = completed_reference(b, t->head, "from", text[0]);
    text[1] = completed_reference(b, t->head, "to", text[1]);
    break;
  case KEY_SURFACES:
    text[0] = completed_reference(b, t->head, "from", text[0]);
    text[1] = completed_reference(b, t->head, "to", text[1]);
    break;
  case KEY_THROUGH:
    for (int i = 0; i < ART_MOST_POINTS && (i < 2 || text[i]); i++) {
      text[i] = completed_reference(b, t->head, name, text[i]);
    }
    break;
  case KEY_REFERENCE:
  case KEY_END:
  case KEY_TYRE:
  case KEY_ROAD:
    if (*text || key->need == REQUIRED) *text = completed_reference(b, t->head, name, *text);
    break;
  case KEY_PATH:
    if (path->type == ART_PATH_CURVE)
      path->curve = completed_reference(b, t->head, name, path->curve);
    break;
  case KEY_FORMULA:
    *text = copied_text(b, *text || !t->element ? *text : "");
    if (!*text && key->need == REQUIRED && !has_failed(b)) {
      base_fail(&b->error, ART_BAD_INPUT, t->head->where.place, "'%s' of '%s' is missing",
                key->name, t->name);
    }
    break;
  case KEY_FORMULAS:
    for (int i = 0; i < 3; i++) text[i] = copied_text(b, text[i] ? text[i] : "0");
    break;
  case KEY_UNIT:
  case KEY_TEXT: *text = copied_text(b, *text); break;
  case KEY_OUTLINE:
  case KEY_CORNERS:
  case KEY_SOME_NUMBERS: take_numbers_field(t, name, field); break;
  case KEY_SOME_FORMULAS: take_texts(t, name, field); break;
  case KEY_FUNCTION:
    take_call_field(b, t->head, field);
    if (t->element) t->element->call = field;
    break;
  case KEY_SOLID: take_solids_field(t, def, field); break;
  case KEY_TABLE: take_rows_field(b, field); break;
  case KEY_LAW: take_law(b, t->head, name, law); break;
  case KEY_SIX_LAWS:
    for (int i = 0; i < 6; i++) take_law(b, t->head, name, &law[i]);
    break;
  default: break;
  }
  if (!has_failed(b)) field_check_value(&(fieldCheck){t->name, &t->head->where}, key, def);
}


// An item with its name first: a copy that is checked by its form, and then as a whole.
static void take_item(void *context)
{
  const takenItem *t = context;
  *(const char **) (void *) t->def = t->name;
  for (const fieldKey *key = t->form->keys; key->name; key++) take_builder_field(t, key, t->def);
  if (t->check && !has_failed(t->b)) t->check(&(fieldCheck){t->name, &t->head->where}, t->def);
}


const fieldForm *builder_form(const itemFamily *family, const void *def)
{
  int type = 0;
  if (family->type) memcpy(&type, (const char *) def + family->type, sizeof type);
  return family->whole ? family->whole : family->forms[type];
}


// Mistakes are collected: a wrong item goes, but a body stays with its name alone, for joints to lead on from it.
static void spare_item(artBuilder *b, const itemFamily *family, const char *name, void *def)
{
  if (family != &item_body || !name[0]) {
    ((recordList *) (void *) ((char *) b + family->list))->count--;
    return;
  }
  artBodyDef body = art_default_body();
  body.name = name;
  body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  memcpy(def, &body, sizeof body);
}


artStatus builder_add_item(artBuilder *b, const itemFamily *family, const void *def)
{
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(def, &b->error);
  char *record = add_record(b, (recordList *) (void *) ((char *) b + family->list), family->record);
  if (!record) return builder_failure(b);
  recordHead *head = (void *) record;
  char *own = record + family->def;
  *head = take_head(b);
  memcpy(own, def, family->size);
  live_settle(b, def, own, family->size);

  int type = 0, ntype = 0;
  if (family->type) memcpy(&type, own + family->type, sizeof type);
  while (family->type && family->forms[ntype]) ntype++;
  const int is_known = !family->type || (type >= 0 && type < ntype);
  const char *what =
      family->is_called_by_type && is_known ? family->forms[type]->type : family->what;
  const char *given = *(const char *const *) def;
  const char *name =
      family->is_signal ? new_signal_name(b, head, what, given) : new_name(b, head, what, given);
  if (!is_known && !has_failed(b)) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "type"),
              "%s '%s' has the type %d, which there is not", what, name, type);
  }
  if (!has_failed(b)) {
    takenItem item = {b, head, name, NULL, builder_form(family, own), family->check, own};
    (void) builder_attempt(b, take_item, &item);
  }
  if (has_failed(b) && recovery_list()) spare_item(b, family, name, own);
  return b->error.status;
}


// A torque on the body of a surface, which is (`sign`) that of a contact.
static void add_contact_torque(artBuilder *b, const elementRecord *contact, const char *tail,
                               const char *sign, const char *surface)
{
  const char *on = builder_find_surface(b, surface)->on, *n = contact->name;
  if (strcmp(on, "ground") == 0 || strncmp(on, "ground.", 7) == 0 || has_failed(b)) return;
  artBodyForceDef def = {.name = arena_format(&b->arena, "/%s/%s", n, tail),
                         .on = arena_format(&b->arena, "/%s", on),
                         .is_torque = 1};
  bool is_whole = def.name && def.on;
  for (int k = 0; k < 3; k++) {
    def.components[k] = arena_format(&b->arena, "%s'/%s.t%c'", sign, n, "xyz"[k]);
    is_whole = is_whole && def.components[k];
  }
  b->next = (fieldWhere){.place = contact->head.where.place};
  (void) (is_whole ? art_add_body_force(b, &def) : out_of_memory(b));
}


// Torques of the contacts from `first` on, n points of one definition.
static void add_contact_torques(artBuilder *b, int first, int n)
{
  for (int i = 0; i < n && !has_failed(b); i++) {
    const elementRecord contact = *RECORD(b->elements, elementRecord, first + i);
    const char *def = contact.def;
    bool has_torque = false;
    for (int k = 0; k < 2; k++) {
      const double *number = (const void *) (def + contact.kind->torques[k]);
      has_torque |= contact.kind->torques[k] && (*number > 0 || live_known(b, number));
    }
    if (!has_torque) return;
    add_contact_torque(b, &contact, "roll", "", contact.surface[1]);
    add_contact_torque(b, &contact, "roll_back", "-", contact.surface[0]);
  }
}


// NAME, with the surfaces if there are groups, and the number of the point if there are several.
static const char *contact_name(artBuilder *b, recordHead *head, const char *name,
                                const surfacePair *pair, bool has_groups, int part)
{
  const char *full = name;
  if (has_groups)
    full = arena_format(&b->arena, "%s/%s/%s", name, pair->surface[0], pair->surface[1]);
  if (pair->count > 1) full = arena_format(&b->arena, "%s/%d", full, part + 1);
  return full == name ? name : new_name(b, head, "force", arena_format(&b->arena, "/%s", full));
}


// The element that was added last becomes one for each contact point of its pairs of surfaces.
static void add_contact_points(void *context)
{
  artBuilder *b = context;
  const int first = b->elements.count - 1;
  const elementRecord whole = *RECORD(b->elements, elementRecord, first);
  const fieldCheck check = {whole.name, &whole.head.where};
  const char *def = whole.def;
  const char *const *name = (const void *) (def + element_surfaces_key(whole.kind)->offset);
  surfacePair *pair;
  const int npair = builder_contact_pairs(b, &check, name, &pair);
  const bool has_groups = !builder_find_surface(b, name[0]) || !builder_find_surface(b, name[1]);
  int n = 0;
  for (int i = 0; i < npair; i++) {
    for (int part = 0; part < pair[i].count && !has_failed(b); part++) {
      elementRecord *e = RECORD(b->elements, elementRecord, first);
      if (n > 0 && !(e = add_record(b, &b->elements, sizeof *e))) return;
      *e = whole;
      e->part = part;
      memcpy(e->surface, pair[i].surface, sizeof e->surface);
      e->name = contact_name(b, &e->head, whole.name, &pair[i], has_groups, part);
      n++;
    }
  }
  add_contact_torques(b, first, n);
}


// the pairs of the element that was added last
static void add_pile_pairs(void *context)
{
  artBuilder *b = context;
  elementRecord *e = RECORD(b->elements, elementRecord, b->elements.count - 1);
  const fieldCheck check = {e->name, &e->head.where};
  const fieldKey *key = e->kind->form.keys;
  while (key->type != KEY_SURFACES) key++;
  const char *def = e->def;
  e->npair = builder_pile_pairs(b, &check, (const void *) (def + key->offset), &e->pair);
}


artStatus builder_add_element(artBuilder *b, const elementKind *kind, const void *def)
{
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(def, &b->error);
  if (kind->variant) kind = kind->variant(def);
  elementRecord *e = add_record(b, &b->elements, sizeof *e);
  char *copy = arena_copy(&b->arena, def, 1, kind->size);
  if (!e || !copy) return out_of_memory(b);
  live_settle(b, def, copy, kind->size);
  *e = (elementRecord){.head = take_head(b), .kind = kind, .def = copy};
  e->name = new_name(b, &e->head, "force", *(const char *const *) def);
  takenItem item = {b, &e->head, e->name, e, &kind->form, kind->check, copy};
  const int n = b->elements.count;
  bool is_sound = !builder_attempt(b, take_item, &item);
  if (is_sound && element_surfaces_key(kind)) is_sound = !builder_attempt(b, add_contact_points, b);
  if (is_sound && kind->is_whole) is_sound = !builder_attempt(b, add_pile_pairs, b);
  if (!is_sound && recovery_list()) b->elements.count = n - 1;
  return b->error.status;
}


artStatus builder_add_block(artBuilder *b, const blockKind *kind, const void *def)
{
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(def, &b->error);
  blockRecord *block = add_record(b, &b->blocks, sizeof *block);
  char *copy = arena_copy(&b->arena, def, 1, kind->size);
  if (!block || !copy) return out_of_memory(b);
  live_settle(b, def, copy, kind->size);
  *block = (blockRecord){.head = take_head(b), .kind = kind, .def = copy};
  block->name = new_signal_name(b, &block->head, kind->form.name, *(const char *const *) def);
  takenItem item = {b, &block->head, block->name, NULL, &kind->form, kind->check, copy};
  if (builder_attempt(b, take_item, &item) && recovery_list()) b->blocks.count--;
  return b->error.status;
}


// functions of the C interface that go by the families
#define INTERFACE(word, T)                                                                         \
  artStatus art_add_##word(artBuilder *b, const T *def)                                            \
  {                                                                                                \
    return builder_add_item(b, &item_##word, def);                                                 \
  }

INTERFACE(body, artBodyDef)
INTERFACE(joint, artJointDef)
INTERFACE(coupling, artCouplingDef)
INTERFACE(latch, artLatchDef)
INTERFACE(drive, artDriveDef)
INTERFACE(input, artInputDef)
INTERFACE(state, artStateDef)

#define DEFAULT(word, T)                                                                           \
  T art_default_##word(void)                                                                       \
  {                                                                                                \
    T def = {0};                                                                                   \
    field_set_defaults(item_##word.whole, &def);                                                   \
    return def;                                                                                    \
  }

DEFAULT(body, artBodyDef)
DEFAULT(coupling, artCouplingDef)
DEFAULT(constraint, artConstraintDef)
DEFAULT(drive, artDriveDef)
DEFAULT(input, artInputDef)
DEFAULT(state, artStateDef)


//---- on several coordinates ----------------------------------------------------------------------


artStatus art_set_combination(artBuilder *b, const char *force, int n,
                              const char *const *coordinate, const double *coefficient)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  const char *full = full_name(b, force ? force : "");
  elementRecord *e = NULL;
  for (int i = 0; i < b->elements.count && !e; i++) {
    elementRecord *own = RECORD(b->elements, elementRecord, i);
    if (strcmp(own->name, full) == 0) e = own;
  }
  if (has_failed(b)) return builder_failure(b);
  if (!e) {
    return base_fail(&b->error, ART_BAD_INPUT, base_nowhere(), "there is no force '%s' to combine",
                     full);
  }
  if (e->along.n == 0) {
    return base_fail(&b->error, ART_BAD_INPUT, e->head.where.place,
                     "force '%s' does not act on a joint coordinate and has nothing to combine",
                     e->name);
  }
  const fieldTerms terms = {n, coordinate, coefficient};
  e->along = copied_terms(b, &e->head, "force", terms, 0);
  return b->error.status;
}


artStatus art_add_road(artBuilder *b, const char *name, artRoad *road)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(road, &b->error);
  const recordHead head = take_head(b);
  const char *full = new_name(b, &head, "road", name);
  roadRecord *record = has_failed(b) ? NULL : add_record(b, &b->roads, sizeof *record);
  if (!record) return builder_failure(b);
  *record = (roadRecord){.name = full, .road = road};
  road_keep(road);
  return ART_OK;
}


const artRoad *builder_find_road(artBuilder *b, const char *name)
{
  const char *full = full_name(b, name);
  const recordList *list = b->known_roads ? b->known_roads : &b->roads;
  for (int i = 0; i < list->count; i++) {
    const roadRecord *record = RECORD(*list, roadRecord, i);
    if (strcmp(record->name, full) == 0) return record->road;
  }
  return NULL;
}


artStatus art_add_tyre(artBuilder *b, const char *name, artTyre *tyre)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(tyre, &b->error);
  const recordHead head = take_head(b);
  const char *full = new_name(b, &head, "tyre", name);
  tyreRecord *record = has_failed(b) ? NULL : add_record(b, &b->tyres, sizeof *record);
  if (!record) return builder_failure(b);
  *record = (tyreRecord){full, tyre};
  tyre_keep(tyre);
  return ART_OK;
}


//---- outputs, studies ----------------------------------------------------------------------------


void builder_name_time(artBuilder *b)
{
  b->names_time = 1;
}


artStatus builder_add_slider(artBuilder *b, const char *name, const char *title, const char *group,
                             const double range[2])
{
  sliderRecord *record = has_failed(b) ? NULL : add_record(b, &b->sliders, sizeof *record);
  if (!record) return builder_failure(b);
  *record = (sliderRecord){copied_text(b, name),
                           copied_text(b, title ? title : ""),
                           copied_text(b, group ? group : ""),
                           {range[0], range[1]}};
  return b->error.status;
}


artStatus art_add_output(artBuilder *b, const char *name, const char *text)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  outputRecord output = {.head = take_head(b)};
  if (!text || !text[0]) {
    return base_fail(&b->error, ART_BAD_INPUT, output.head.where.place,
                     "an output says what to write, such as pin.angle");
  }
  output.formula = copied_text(b, text);
  const char *plain = copied_plain(b, name ? name : text);
  if (plain) output.name = full_name(b, plain);
  outputRecord *record = has_failed(b) ? NULL : add_record(b, &b->outputs, sizeof *record);
  if (record) *record = output;
  return b->error.status;
}


// a study, and the names of its lists as they are for the whole model
typedef struct studyCall {
  artBuilder *b;
  studyRecord study;
} studyCall;


static const char *copy_reference(void *context, const char *key, const char *name)
{
  studyCall *call = context;
  return completed_reference(call->b, &call->study.head, key, name);
}


static void take_study_call(void *context)
{
  studyCall *call = context;
  artBuilder *b = call->b;
  model_check_study_def(&(fieldCheck){NULL, &call->study.head.where}, &call->study.def);
  model_copy_study(&(studyCopier){&b->arena, copy_reference, call}, &call->study.def);
}


void builder_ask_backend(artBuilder *b)
{
  if (has_failed(b)) return;
  studyRecord *last = RECORD(b->studies, studyRecord, b->studies.count - 1);
  artBackend *backend = model_study_field(&last->def, "backend");
  if (backend && *backend == ART_BACKEND_GENERATED) *backend = ART_BACKEND_ASKED;
}


artStatus art_add_study(artBuilder *b, const artStudyDef *def)
{
  ARITHMETIC_GUARD;
  if (has_failed(b)) return builder_failure(b);
  ART_REQUIRE(def, &b->error);
  studyCall call = {b, {.head = take_head(b), .def = *def}};
  const artPlace place = field_place(&call.study.head.where, "name");
  const char *name = call.study.def.name = copied_text(b, def->name ? def->name : "study");
  if (has_failed(b) || check_name(b, place, "study", name)) return builder_failure(b);
  for (int i = 0; i < b->studies.count; i++) {
    if (strcmp(RECORD(b->studies, studyRecord, i)->def.name, name) != 0) continue;
    return base_fail(&b->error, ART_BAD_INPUT, place, "study '%s' is given twice", name);
  }
  if (builder_attempt(b, take_study_call, &call)) return builder_failure(b);
  studyRecord *record = add_record(b, &b->studies, sizeof *record);
  if (record) *record = call.study;
  if (record) live_settle(b, def, &record->def, sizeof *def);
  return b->error.status;
}


void builder_keep(artBuilder *b, const char *joint, int keep)
{
  for (int j = 0; j < b->joints.count; j++) {
    artJointDef *def = &RECORD(b->joints, jointRecord, j)->def;
    if (strcmp(def->name, joint) == 0) def->keep = keep;
  }
}
