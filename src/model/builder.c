// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The builder: takes the user's words one by one, checks each alone, and keeps copies.
#include "model/builder.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/plain.h"
#include "model/alias.h"
#include "model/formula_parser.h"
#include "model/records.h"
#include "model/study_def.h"
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
      &b->studies,     &b->curves,      &b->roads,    &b->tyres,      &b->aliases, &b->latches};
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


static artStatus failure(const artBuilder *b)
{
  return b ? b->error.status : ART_NO_MEMORY;
}


static artStatus out_of_memory(artBuilder *b)
{
  return base_no_memory(&b->error);
}


// room for one more record, zeroed; NULL when memory ran out
static void *add_record(artBuilder *b, recordList *list, size_t size)
{
  if (!mem_grow(&list->items, list->count, &list->capacity, size)) {
    out_of_memory(b);
    return NULL;
  }
  void *record = (char *) list->items + (size_t) list->count * size;
  memset(record, 0, size);
  list->count++;
  return record;
}


//---- places and scopes ---------------------------------------------------------------------------


artStatus builder_at(artBuilder *b, artPlace place)
{
  if (has_failed(b)) return failure(b);
  b->next.place = place;
  b->marks.count = 0;
  return ART_OK;
}


artStatus builder_mark(artBuilder *b, const char *key, artPlace place)
{
  if (has_failed(b)) return failure(b);
  fieldMark *mark = add_record(b, &b->marks, sizeof *mark);
  if (!mark) return b->error.status;
  *mark = (fieldMark){arena_text(&b->arena, key), place};
  return mark->key ? ART_OK : out_of_memory(b);
}


artStatus builder_scope(artBuilder *b, const char *prefix)
{
  if (has_failed(b)) return failure(b);
  b->scope = arena_text(&b->arena, prefix);
  return b->scope ? ART_OK : out_of_memory(b);
}


// the head of the record that is being added; uses up what builder_at and builder_mark said
static recordHead take_head(artBuilder *b)
{
  recordHead head = {.where = b->next, .scope = b->scope, .aliases = &b->aliases};
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


artStatus builder_alias(artBuilder *b, const char *name, const char *target)
{
  if (has_failed(b)) return failure(b);
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


// what a reference field holds, completed; an error when it is missing
static const char *reference(artBuilder *b, const recordHead *head, const char *key,
                             const char *text)
{
  if (text && text[0]) return full_name(b, text);
  if (!has_failed(b)) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key), "'%s' is missing", key);
  }
  return "";
}


// a copy of a text that may be NULL
static const char *copied(artBuilder *b, const char *text)
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


static int is_name_character(unsigned char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '/' || c >= 0x80;
}


static int is_reserved(const char *name)
{
  static const char *const reserved[] = {"ground", "time", "energy", "momentum"};
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
    if (strcmp(name, reserved[i]) == 0) return 1;
  }
  return 0;
}


static artStatus check_name(artBuilder *b, artPlace place, const char *what, const char *name)
{
  if (!name || !name[0]) {
    return base_fail(&b->error, ART_BAD_INPUT, place, "a %s has no name", what);
  }
  for (const char *c = name; *c; c++) {
    if (is_name_character((unsigned char) *c)) continue;
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "%s name '%s' has the character '%c'; use letters, digits, _ and -", what,
                     name, *c);
  }
  if (!plain_is(name)) {
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "a %s name has a control character or is no UTF-8; use letters, digits, _ and "
                     "-",
                     what);
  }
  if (is_reserved(name)) {
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
              "%s name '%s' is already in use%s; names of bodies, joints, forces and drives must "
              "differ",
              what, full, where);
    return "";
  }
  artPlace *kept = add_record(b, &b->name_places, sizeof *kept);
  if (!kept) return "";
  *kept = place;
  if (!table_add(&b->names, &b->arena, full, b->name_places.count - 1)) out_of_memory(b);
  return full;
}


//---- numbers -------------------------------------------------------------------------------------


static artStatus check_finite(artBuilder *b, const recordHead *head, const char *key, int n,
                              const double *x)
{
  return field_check_finite(&(fieldCheck){NULL, &head->where, &b->error}, key, n, x);
}


static artStatus check_positive(artBuilder *b, const recordHead *head, const char *key, double x,
                                int zero_too)
{
  return field_check_positive(&(fieldCheck){NULL, &head->where, &b->error}, key, x, zero_too);
}


static artStatus check_member(artBuilder *b, const recordHead *head, const char *key, int value,
                              int first, int last)
{
  const fieldCheck check = {NULL, &head->where, &b->error};
  return field_check_member(&check, key, value, first, last);
}


// a list and its length, which go together
static artStatus check_list(artBuilder *b, const recordHead *head, const char *key, int n,
                            const void *list)
{
  if (has_failed(b) || n == 0 || (n > 0 && list)) return b->error.status;
  return base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key),
                   "'%s' has the length %d%s", key, n, list ? "" : " and no values");
}


static artStatus check_pose(artBuilder *b, const recordHead *head, const char *key,
                            const artPose *pose)
{
  const double *r = pose->rotation;
  if (check_finite(b, head, key, 3, pose->position) != ART_OK) return b->error.status;
  if (check_finite(b, head, key, 4, r) != ART_OK) return b->error.status;
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
  if (square > 1e-200 && square < 1e200) return ART_OK;
  return base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key),
                   "the rotation is the quaternion (%g, %g, %g, %g), which has no direction", r[0],
                   r[1], r[2], r[3]);
}


static double *copied_numbers(artBuilder *b, int n, const double *x)
{
  if (n <= 0 || !x) return NULL;
  double *copy = arena_copy(&b->arena, x, (size_t) n, sizeof *x);
  if (!copy) out_of_memory(b);
  return copy;
}


//---- machine -------------------------------------------------------------------------------------


artStatus art_set_title(artBuilder *b, const char *title)
{
  if (has_failed(b)) return failure(b);
  take_head(b);
  b->title = copied_plain(b, title ? title : "");
  return b->error.status;
}


artStatus art_set_gravity(artBuilder *b, const double gravity[3])
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(gravity, &b->error);
  const recordHead head = take_head(b);
  memcpy(b->gravity, gravity, sizeof b->gravity);
  return check_finite(b, &head, "gravity", 3, gravity);
}


artStatus art_add_parameter(artBuilder *b, const char *name, double value, const char *unit)
{
  if (has_failed(b)) return failure(b);
  const recordHead head = take_head(b);
  const artPlace place = field_place(&head.where, "name");
  if (check_name(b, place, "parameter", name) != ART_OK) return b->error.status;
  if (strcmp(name, "pi") == 0) {
    return base_fail(
        &b->error, ART_BAD_INPUT, place,
        "a parameter cannot be called 'pi', which is a constant of all formulas; choose "
        "another name");
  }
  if (check_finite(b, &head, "value", 1, &value) != ART_OK) return b->error.status;

  baseUnit given = {.scale = 1, .factor = 1, .dimension = UNIT_ANY};
  if (unit && unit_parse(&given, unit, field_place(&head.where, "unit"), &b->error) != ART_OK) {
    return b->error.status;
  }
  const char *full = full_name(b, name);
  if (table_find(&b->parameter_names, full) >= 0) {
    return base_fail(&b->error, ART_BAD_INPUT, place, "parameter '%s' is given twice", full);
  }
  if (!table_add(&b->parameter_names, &b->arena, full, b->parameters.count)) {
    return out_of_memory(b);
  }
  parameterRecord *p = add_record(b, &b->parameters, sizeof *p);
  if (p) *p = (parameterRecord){head, full, unit_to_si(value, given), given.dimension};
  return b->error.status;
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
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "curve name '%s' is no word that formulas can call; use letters, digits and _",
                     name);
  }
  const formulaFunction *function = formula_find_function(name);
  if (!function) return ART_OK;
  return base_fail(&b->error, ART_BAD_INPUT, place,
                   "curve name '%s' is taken by the function %s; choose another one", name,
                   function->usage);
}


static baseDimension curve_dimension(artBuilder *b, const recordHead *head, const char *key,
                                     const char *unit)
{
  baseUnit given = {.scale = 1, .factor = 1, .dimension = UNIT_ANY};
  if (unit && !has_failed(b)) unit_parse(&given, unit, field_place(&head->where, key), &b->error);
  return given.dimension;
}


artStatus art_add_curve(artBuilder *b, const artCurveDef *def)
{
  if (has_failed(b)) return failure(b);
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
  if (has_failed(b)) return failure(b);
  if (table_find(&b->curve_names, curve.def.name) >= 0) {
    return base_fail(&b->error, ART_BAD_INPUT, place, "curve '%s' is given twice", curve.def.name);
  }
  if (!table_add(&b->curve_names, &b->arena, curve.def.name, b->curves.count)) {
    return out_of_memory(b);
  }
  curveRecord *record = add_record(b, &b->curves, sizeof *record);
  if (record) *record = curve;
  return b->error.status;
}


//---- bodies --------------------------------------------------------------------------------------


artPose art_default_pose(void)
{
  return (artPose){{0, 0, 0}, {1, 0, 0, 0}};
}


artBodyDef art_default_body(void)
{
  return (artBodyDef){.pose = art_default_pose()};
}


// principal moments of inertia, ascending, by the closed form for symmetric 3 x 3 matrices
static void principal_moments(const double I[6], double moment[3])
{
  const double mean = (I[0] + I[1] + I[2]) / 3;
  const double a = I[0] - mean, b = I[1] - mean, c = I[2] - mean;
  const double off = I[3] * I[3] + I[4] * I[4] + I[5] * I[5];
  const double p = sqrt((a * a + b * b + c * c + 2 * off) / 6);
  double cosine = 1;
  if (p > 0) {
    const double det = a * (b * c - I[5] * I[5]) - I[3] * (I[3] * c - I[5] * I[4]) +
                       I[4] * (I[3] * I[5] - b * I[4]);
    cosine = fmax(-1, fmin(1, det / (2 * p * p * p)));
  }
  const double third = acos(cosine) / 3, turn = 2 * acos(-1.0) / 3;
  moment[2] = mean + 2 * p * cos(third);
  moment[0] = mean + 2 * p * cos(third + turn);
  moment[1] = 3 * mean - moment[0] - moment[2];
}


// a solid has no negative moment, and none above the sum of the two others
static artStatus check_inertia(artBuilder *b, const bodyRecord *body)
{
  const artBodyDef *def = &body->def;
  const artPlace place = field_place(&body->head.where, "inertia");
  double moment[3];
  principal_moments(def->inertia, moment);

  // where two moments coincide, as in a thin rod, the closed form has half of the digits
  const double slack = 1e-6 * (fabs(moment[0]) + fabs(moment[2]));

  if (moment[0] < -slack) {
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "the inertia of body '%s' has the principal moments %.6g, %.6g, %.6g kg m^2; "
                     "none may be negative (is it taken about the centre of mass?)",
                     def->name, moment[0], moment[1], moment[2]);
  }
  if (moment[2] > moment[0] + moment[1] + slack) {
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "the inertia of body '%s' has the principal moments %.6g, %.6g, %.6g kg m^2; "
                     "the largest may not exceed the sum of the others (mark identified values "
                     "as unchecked)",
                     def->name, moment[0], moment[1], moment[2]);
  }
  if (def->mass == 0 && moment[2] > 0) {
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "body '%s' has inertia but no mass; give it a mass (or mark identified "
                     "values as unchecked)",
                     def->name);
  }
  return ART_OK;
}


artStatus art_add_body(artBuilder *b, const artBodyDef *def)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(def, &b->error);
  bodyRecord body = {.head = take_head(b), .def = *def};
  body.def.name = new_name(b, &body.head, "body", def->name);
  if (has_failed(b)) return failure(b);

  if (check_positive(b, &body.head, "mass", def->mass, 1) != ART_OK) return b->error.status;
  if (check_finite(b, &body.head, "com", 3, def->com) != ART_OK) return b->error.status;
  if (check_finite(b, &body.head, "inertia", 6, def->inertia) != ART_OK) return b->error.status;
  if (check_pose(b, &body.head, "pose", &def->pose) != ART_OK) return b->error.status;
  if (!def->unchecked && check_inertia(b, &body) != ART_OK) return b->error.status;

  bodyRecord *record = add_record(b, &b->bodies, sizeof *record);
  if (record) *record = body;
  return b->error.status;
}


artStatus art_add_frame(artBuilder *b, const char *body, const char *name, const artPose *pose)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(pose, &b->error);
  frameRecord frame = {.head = take_head(b), .pose = *pose};
  const artPlace place = field_place(&frame.head.where, "name");
  if (check_name(b, place, "frame", name) != ART_OK) return b->error.status;
  if (check_pose(b, &frame.head, "pose", pose) != ART_OK) return b->error.status;

  frame.body = reference(b, &frame.head, "body", body);
  frame.name = arena_format(&b->arena, "%s.%s", frame.body, name);
  if (!frame.name) return out_of_memory(b);
  frameRecord *record = add_record(b, &b->frames, sizeof *record);
  if (record) *record = frame;
  return b->error.status;
}


//---- shapes --------------------------------------------------------------------------------------


artVisualDef art_default_visual(void)
{
  return (artVisualDef){.type = ART_VISUAL_BOX, .pose = art_default_pose(), .colour = -1};
}


static artStatus check_mesh(artBuilder *b, const recordHead *head, const artVisualDef *def)
{
  if (check_list(b, head, "vertex", def->nvertex, def->vertex)) return b->error.status;
  if (check_list(b, head, "triangle", def->ntriangle, def->triangle)) return b->error.status;
  for (long k = 0; k < 3L * def->nvertex; k++) {
    const double x = (double) def->vertex[k];
    if (check_finite(b, head, "vertex", 1, &x)) return b->error.status;
  }
  for (long k = 0; k < 3L * def->ntriangle; k++) {
    if (def->triangle[k] >= 0 && def->triangle[k] < def->nvertex) continue;
    return base_fail(&b->error, ART_BAD_INPUT, head->where.place,
                     "a triangle of a mesh has the vertex %d, of which there are %d",
                     def->triangle[k], def->nvertex);
  }
  return ART_OK;
}


static artStatus check_visual(artBuilder *b, const recordHead *head, const artVisualDef *def)
{
  if (check_member(b, head, "type", (int) def->type, 0, ART_VISUAL_TYPES - 1))
    return b->error.status;
  if (check_member(b, head, "colour", def->colour, -1, 0xffffff)) return b->error.status;
  const int is_round = def->type == ART_VISUAL_CYLINDER || def->type == ART_VISUAL_SPHERE ||
                       def->type == ART_VISUAL_CAPSULE;
  const int is_long = def->type == ART_VISUAL_CYLINDER || def->type == ART_VISUAL_CAPSULE;
  for (int k = 0; k < 3 && def->type == ART_VISUAL_BOX; k++) {
    if (check_positive(b, head, "size", def->size[k], 0) != ART_OK) return b->error.status;
  }
  if (is_round && check_positive(b, head, "radius", def->radius, 0) != ART_OK) {
    return b->error.status;
  }
  if (is_long && check_positive(b, head, "length", def->length, 0) != ART_OK) {
    return b->error.status;
  }
  if (def->type == ART_VISUAL_MESH && check_mesh(b, head, def)) return b->error.status;
  return check_pose(b, head, "pose", &def->pose);
}


artStatus art_add_visual(artBuilder *b, const char *body, const artVisualDef *def)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(def, &b->error);
  visualRecord visual = {.head = take_head(b), .def = *def};
  if (check_visual(b, &visual.head, def) != ART_OK) return b->error.status;
  visual.body = reference(b, &visual.head, "body", body);
  if (def->type == ART_VISUAL_MESH) {
    const size_t nv = 3 * (size_t) def->nvertex, nt = 3 * (size_t) def->ntriangle;
    visual.def.vertex = arena_copy(&b->arena, def->vertex, nv, sizeof *def->vertex);
    visual.def.triangle = arena_copy(&b->arena, def->triangle, nt, sizeof *def->triangle);
    if (!visual.def.vertex || !visual.def.triangle) return out_of_memory(b);
  }
  visualRecord *record = add_record(b, &b->visuals, sizeof *record);
  if (record) *record = visual;
  return b->error.status;
}


//---- joints --------------------------------------------------------------------------------------


artJointDef art_default_joint(void)
{
  return (artJointDef){.type = ART_REVOLUTE,
                       .axis = {0, 0, 1},
                       .from_offset = art_default_pose(),
                       .to_offset = art_default_pose()};
}


const char *art_joint_type_name(artJointType type)
{
  static const char *const names[ART_JOINT_TYPES] = {
      "fixed",     "revolute", "prismatic", "screw", "cylindrical",
      "universal", "planar",   "spherical", "free",  "rod"};
  return type >= 0 && type < ART_JOINT_TYPES ? names[type] : "unknown";
}


static double length3(const double x[3])
{
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}


static artStatus check_axes(artBuilder *b, const jointRecord *joint)
{
  const artJointDef *def = &joint->def;
  const fieldWhere *where = &joint->head.where;
  const double one = length3(def->axis), two = length3(def->axis2);
  if (!(one > 1e-100 && one < 1e100)) {
    return base_fail(&b->error, ART_BAD_INPUT, field_place(where, "axis"),
                     "the axis of joint '%s' is (%g, %g, %g), which has no direction", def->name,
                     def->axis[0], def->axis[1], def->axis[2]);
  }
  if (def->type != ART_UNIVERSAL && (def->type != ART_PLANAR || two == 0)) return ART_OK;

  if (!(two > 1e-100 && two < 1e100)) {
    return base_fail(&b->error, ART_BAD_INPUT, field_place(where, "axis2"),
                     "universal joint '%s' needs a second axis, square to the first", def->name);
  }
  const double dot =
      def->axis[0] * def->axis2[0] + def->axis[1] * def->axis2[1] + def->axis[2] * def->axis2[2];
  if (fabs(dot) > 1e-9 * one * two) {
    return base_fail(&b->error, ART_BAD_INPUT, field_place(where, "axis2"),
                     "the axes of joint '%s' stand at %.6g degrees; they must be square to each "
                     "other",
                     def->name, acos(dot / (one * two)) * 180 / acos(-1.0));
  }
  return ART_OK;
}


artStatus art_add_joint(artBuilder *b, const artJointDef *def)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(def, &b->error);
  jointRecord joint = {.head = take_head(b), .def = *def};
  const recordHead *head = &joint.head;
  joint.def.name = new_name(b, head, "joint", def->name);
  joint.def.from = reference(b, head, "from", def->from);
  joint.def.to = reference(b, head, "to", def->to);
  if (has_failed(b)) return failure(b);

  if (def->type < 0 || def->type >= ART_JOINT_TYPES) {
    return base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "type"),
                     "joint '%s' has the type %d, which there is not", joint.def.name, def->type);
  }
  if (check_member(b, head, "keep", def->keep, -1, 1)) return b->error.status;
  if (check_finite(b, head, "at", 3, def->at) != ART_OK) return b->error.status;
  if (check_finite(b, head, "axis", 3, def->axis) != ART_OK) return b->error.status;
  if (check_finite(b, head, "axis2", 3, def->axis2) != ART_OK) return b->error.status;
  if (check_finite(b, head, "pitch", 1, &def->pitch) != ART_OK) return b->error.status;
  if (check_positive(b, head, "rotor", def->rotor, 1) != ART_OK) return b->error.status;
  if (check_pose(b, head, "from", &def->from_offset) != ART_OK) return b->error.status;
  if (check_pose(b, head, "to", &def->to_offset) != ART_OK) return b->error.status;
  if (check_axes(b, &joint) != ART_OK) return b->error.status;
  if (check_positive(b, head, "mass", def->mass, 1) != ART_OK) return b->error.status;
  if (def->type == ART_ROD) {
    if (check_positive(b, head, "length", def->length, 1) != ART_OK) return b->error.status;
    joint.def.keep = -1;
  }
  if (def->rotor > 0 && def->type != ART_REVOLUTE && def->type != ART_PRISMATIC &&
      def->type != ART_SCREW) {
    return base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "rotor"),
                     "%s joint '%s' cannot have a rotor; only joints with one coordinate can",
                     art_joint_type_name(def->type), joint.def.name);
  }

  jointRecord *record = add_record(b, &b->joints, sizeof *record);
  if (record) *record = joint;
  return b->error.status;
}


static artStatus add_initial(artBuilder *b, const char *coordinate, double value, int is_guess)
{
  if (has_failed(b)) return failure(b);
  initialRecord initial = {.head = take_head(b), .value = value, .is_guess = is_guess};
  initial.coordinate = reference(b, &initial.head, "coordinate", coordinate);
  if (has_failed(b)) return failure(b);
  if (check_finite(b, &initial.head, "value", 1, &value) != ART_OK) return b->error.status;
  initialRecord *record = add_record(b, &b->initials, sizeof *record);
  if (record) *record = initial;
  return b->error.status;
}


artStatus art_set_initial(artBuilder *b, const char *coordinate, double value)
{
  return add_initial(b, coordinate, value, 0);
}


artStatus art_set_guess(artBuilder *b, const char *coordinate, double value)
{
  return add_initial(b, coordinate, value, 1);
}


artStatus builder_set_initial(artBuilder *b, const char *coordinate, double value)
{
  for (int i = 0; i < b->initials.count; i++) {
    initialRecord *record = RECORD(b->initials, initialRecord, i);
    if (strcmp(record->coordinate, coordinate) != 0) continue;
    record->value = value;
    record->is_guess = 0;
    return check_finite(b, &record->head, "value", 1, &value);
  }
  return add_initial(b, coordinate, value, 0);
}


artStatus art_set_projection(artBuilder *b, int project)
{
  if (has_failed(b)) return failure(b);
  take_head(b);
  b->project = project;
  return ART_OK;
}


//---- functions of the user -----------------------------------------------------------------------


// a word of C and Fortran, with room for what generated code writes around it
static int is_function_name(const char *name)
{
  enum { LONGEST = 40 };
  for (const char *c = name; *c; c++) {
    if ((unsigned char) *c >= 128 || !(isalnum((unsigned char) *c) || *c == '_')) return 0;
  }
  return isalpha((unsigned char) name[0]) && strlen(name) <= LONGEST;
}


static artCallDef copied_call(artBuilder *b, const recordHead *head, const artCallDef *call)
{
  artCallDef copy = {0};
  if (has_failed(b) || (!call->name && call->n == 0)) return copy;
  if (!call->name) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "parameters"),
              "there are parameters but no function that takes them; name it with 'function'");
  } else if (!is_function_name(call->name)) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "function"),
              "the function is called '%.60s', expected at most 40 letters, digits and underscores "
              "that begin with a letter",
              call->name);
  } else if (call->n < 0 || call->n > FUNCTION_PARAMETERS || (call->n > 0 && !call->parameter)) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, "parameters"),
              "the function '%s' is given %d parameters, expected at most %d", call->name, call->n,
              FUNCTION_PARAMETERS);
  } else if (check_finite(b, head, "parameters", call->n, call->parameter) == ART_OK) {
    copy =
        (artCallDef){copied(b, call->name), call->n, copied_numbers(b, call->n, call->parameter)};
  }
  return copy;
}


//---- constraints ---------------------------------------------------------------------------------


// the names of n coordinates, completed and kept
static const char **copied_coordinates(artBuilder *b, const recordHead *head, const char *what,
                                       int n, const char *const *coordinate)
{
  if (n < 1) {
    base_fail(&b->error, ART_BAD_INPUT, head->where.place,
              "the %s names no coordinate, expected one or more", what);
    return NULL;
  }
  if (check_list(b, head, "coordinate", n, coordinate)) return NULL;
  const char **names = arena_alloc(&b->arena, (size_t) n, sizeof *names);
  if (!names) out_of_memory(b);
  for (int i = 0; names && i < n; i++) {
    names[i] = reference(b, head, "coordinate", coordinate[i]);
  }
  return names;
}


static artStatus end_constraint(artBuilder *b, const constraintRecord *c)
{
  if (has_failed(b)) return failure(b);
  constraintRecord *record = add_record(b, &b->constraints, sizeof *record);
  if (record) *record = *c;
  return b->error.status;
}


artStatus art_add_coupling(artBuilder *b, const artCouplingDef *def)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(def, &b->error);
  constraintRecord c = {.head = take_head(b), .n = def->n, .constant = def->constant};
  c.name = new_name(b, &c.head, "coupling", def->name);
  if (has_failed(b)) return failure(b);
  c.coordinate = copied_coordinates(b, &c.head, "constraint", def->n, def->coordinate);
  if (has_failed(b)) return failure(b);
  if (check_list(b, &c.head, "coefficient", def->n, def->coefficient)) return b->error.status;
  if (check_finite(b, &c.head, "coefficient", def->n, def->coefficient) != ART_OK) {
    return b->error.status;
  }
  if (check_finite(b, &c.head, "constant", 1, &def->constant) != ART_OK) return b->error.status;
  c.coefficient = copied_numbers(b, def->n, def->coefficient);
  return end_constraint(b, &c);
}


artStatus art_add_constraint(artBuilder *b, const artConstraintDef *def)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(def, &b->error);
  constraintRecord c = {.head = take_head(b), .n = def->n, .user = *def};
  c.name = new_name(b, &c.head, "constraint", def->name);
  if (has_failed(b)) return failure(b);
  c.coordinate = copied_coordinates(b, &c.head, "constraint", def->n, def->coordinate);
  c.user.call = copied_call(b, &c.head, &def->call);
  if (!has_failed(b) && !def->call.name && (!def->value || !def->bias)) {
    base_fail(&b->error, ART_BAD_INPUT, c.head.where.place,
              "constraint '%s' lacks its function 'value' or 'bias'", c.name);
  }
  return end_constraint(b, &c);
}


//---- constraints that come and go ----------------------------------------------------------------


artLatchDef art_default_latch(void)
{
  return (artLatchDef){.joint = ART_FIXED, .axis = {0, 0, 1}};
}


const char *art_latch_type_name(artLatchType type)
{
  static const char *const names[ART_LATCH_TYPES] = {"lock", "latch", "rope"};
  return (unsigned) type < ART_LATCH_TYPES ? names[type] : "unknown";
}


static artStatus take_lock(artBuilder *b, latchRecord *latch, const artLatchDef *def)
{
  latch->def.coordinate = copied_coordinates(b, &latch->head, "lock", def->n, def->coordinate);
  if (has_failed(b)) return failure(b);
  double *one = arena_alloc(&b->arena, (size_t) def->n, sizeof *one);
  if (!one) return out_of_memory(b);
  int any = 0;
  for (int i = 0; i < def->n; i++) {
    one[i] = def->coefficient ? def->coefficient[i] : 1;
    any |= one[i] != 0;
  }
  latch->def.coefficient = one;
  if (!any) {
    base_fail(&b->error, ART_BAD_INPUT, latch->head.where.place,
              "lock '%s' has no factor but zero, so that it would hold nothing", latch->def.name);
  }
  return check_finite(b, &latch->head, "coefficient", def->n, one);
}


// joints that have no more to say than their axis
static int is_latch_joint(artJointType type)
{
  return type == ART_FIXED || type == ART_REVOLUTE || type == ART_PRISMATIC ||
         type == ART_CYLINDRICAL || type == ART_PLANAR || type == ART_SPHERICAL;
}


static artStatus check_latch_joint(artBuilder *b, const latchRecord *latch)
{
  const artLatchDef *def = &latch->def;
  const double length = length3(def->axis);
  check_finite(b, &latch->head, "axis", 3, def->axis);
  if (has_failed(b)) return failure(b);
  if (!(length > 1e-100 && length < 1e100)) {
    return base_fail(&b->error, ART_BAD_INPUT, field_place(&latch->head.where, "axis"),
                     "the axis of latch '%s' is (%g, %g, %g), which has no direction", def->name,
                     def->axis[0], def->axis[1], def->axis[2]);
  }
  if (is_latch_joint(def->joint)) return ART_OK;
  return base_fail(&b->error, ART_BAD_INPUT, field_place(&latch->head.where, "joint"),
                   "latch '%s' has a joint of type %s; expected fixed, revolute, prismatic, "
                   "cylindrical, planar or spherical",
                   def->name, art_joint_type_name(def->joint));
}


static artStatus take_ends(artBuilder *b, latchRecord *latch, const artLatchDef *def)
{
  const recordHead *head = &latch->head;
  latch->def.from = reference(b, head, "from", def->from);
  latch->def.to = reference(b, head, "to", def->to);
  if (has_failed(b)) return failure(b);
  if (def->type == ART_ROPE) return check_positive(b, head, "length", def->length, 0);
  check_positive(b, head, "distance", def->distance, 1);
  return has_failed(b) ? failure(b) : check_latch_joint(b, latch);
}


// whether anything can ever engage it
static artStatus check_conditions(artBuilder *b, const latchRecord *latch)
{
  const artLatchDef *def = &latch->def;
  const artPlace place = latch->head.where.place;
  if (def->type == ART_ROPE && (def->engage || def->release)) {
    return base_fail(&b->error, ART_BAD_INPUT, place,
                     "rope '%s' has a formula; ropes become taut and slack by themselves",
                     def->name);
  }
  if (def->type == ART_ROPE || def->engaged || def->engage || def->distance > 0) return ART_OK;
  return base_fail(&b->error, ART_BAD_INPUT, place,
                   "%s '%s' never engages: give 'engage'%s, or let it be engaged at the start",
                   art_latch_type_name(def->type), def->name,
                   def->type == ART_LATCH ? " or 'distance'" : "");
}


artStatus art_add_latch(artBuilder *b, const artLatchDef *def)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(def, &b->error);
  latchRecord latch = {.head = take_head(b), .def = *def};
  check_member(b, &latch.head, "type", (int) def->type, 0, ART_LATCH_TYPES - 1);
  latch.def.name = new_name(b, &latch.head, art_latch_type_name(def->type), def->name);
  latch.def.engage = copied(b, def->engage);
  latch.def.release = copied(b, def->release);
  if (has_failed(b)) return failure(b);
  if (def->type == ART_LOCK) {
    take_lock(b, &latch, def);
  } else {
    take_ends(b, &latch, def);
  }
  if (has_failed(b) || check_conditions(b, &latch) != ART_OK) return failure(b);
  latchRecord *record = add_record(b, &b->latches, sizeof *record);
  if (record) *record = latch;
  return b->error.status;
}


//---- forces --------------------------------------------------------------------------------------


static artLawDef copied_segments(artBuilder *b, const recordHead *head, const char *key,
                                 const artLawDef *law)
{
  artLawDef copy = *law;
  const int is_complete = law->n > 0 && law->width > 0 && law->n <= INT_MAX / law->width &&
                          law->f && (law->x || law->n == 1);
  if (!is_complete && !has_failed(b)) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key),
              "the law '%s' lacks coefficients or borders, expected n rows of coefficients and "
              "n - 1 borders",
              key);
  }
  if (has_failed(b)) return copy;
  copy.x = copied_numbers(b, law->n - 1, law->x);
  copy.f = copied_numbers(b, law->n * law->width, law->f);
  return copy;
}


static artLawDef copied_law(artBuilder *b, const recordHead *head, const char *key,
                            const artLawDef *law)
{
  artLawDef copy = *law;
  if (has_failed(b)) return copy;
  if ((unsigned) law->type > ART_LAW_AIR) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key),
              "'%s' has law type %d, which there is not", key, (int) law->type);
    return copy;
  }
  const int has_points = law->type == ART_LAW_PIECEWISE || law->type == ART_LAW_TABLE;
  const int has_values = has_points || law->type == ART_LAW_POLYNOMIAL;
  const int is_complete = law->n > 0 && law->f && (law->x || !has_points);
  if (has_values && !is_complete && !has_failed(b)) {
    base_fail(&b->error, ART_BAD_INPUT, field_place(&head->where, key),
              "the law '%s' has no values, expected at least %s", key,
              has_points ? "two points" : "one coefficient");
  }
  if (law->type == ART_LAW_SEGMENTS) return copied_segments(b, head, key, law);
  copy.x = copied_numbers(b, law->n, law->x);
  copy.f = copied_numbers(b, law->n, law->f);
  return copy;
}


// a joint element acts along one coordinate until a combination is set
static const char *act_along(artBuilder *b, elementRecord *e, const char *coordinate)
{
  static const double one = 1;
  const char *name = reference(b, &e->head, "coordinate", coordinate);
  const char **names = arena_copy(&b->arena, &name, 1, sizeof *names);
  if (!names) out_of_memory(b);
  e->along = (recordAlong){names ? 1 : 0, names, &one};
  return name;
}


// The value of a field of the builder's own copy: names are completed, texts and lists copied, numbers checked.
static void take_field(artBuilder *b, elementRecord *e, const fieldKey *key, void *field)
{
  const char *name = key->mark ? key->mark : key->name;
  const fieldCheck check = {e->name, &e->head.where, &b->error};
  const char **text = field;
  artLawDef *law = field;
  artPathDef *path = field;
  switch (key->type) {
  case KEY_COORDINATE:
    *text = act_along(b, e, *text);
    break;
  case KEY_BETWEEN:
    text[0] = reference(b, &e->head, "from", text[0]);
    text[1] = reference(b, &e->head, "to", text[1]);
    break;
  case KEY_THROUGH:
    for (int i = 0; i < ART_MOST_POINTS && (i < 2 || text[i]); i++) {
      text[i] = reference(b, &e->head, name, text[i]);
    }
    break;
  case KEY_REFERENCE:
  case KEY_TYRE:
  case KEY_ROAD:
    if (*text || key->need == REQUIRED) *text = reference(b, &e->head, name, *text);
    break;
  case KEY_PATH:
    if (path->type == ART_PATH_CURVE) path->curve = reference(b, &e->head, name, path->curve);
    break;
  case KEY_FORMULA:
    *text = copied(b, *text ? *text : "");
    break;
  case KEY_FORMULAS:
    for (int i = 0; i < 3; i++) text[i] = copied(b, text[i] ? text[i] : "0");
    break;
  case KEY_FUNCTION:
    *(artCallDef *) field = copied_call(b, &e->head, field);
    e->call = field;
    break;
  case KEY_LAW:
    *law = copied_law(b, &e->head, name, law);
    break;
  case KEY_SIX_LAWS:
    for (int i = 0; i < 6; i++) law[i] = copied_law(b, &e->head, name, &law[i]);
    break;
  case KEY_NUMBER:
    field_check_number(&check, key, name, *(double *) field);
    break;
  case KEY_VECTOR:
    field_check_finite(&check, name, 3, field);
    break;
  case KEY_SIX:
    field_check_finite(&check, name, 6, field);
    break;
  case KEY_SIX_BY_SIX:
    field_check_symmetric(&check, name, field);
    break;
  default:
    break;
  }
}


artStatus builder_add_element(artBuilder *b, const elementKind *kind, const void *def)
{
  if (has_failed(b)) return failure(b);
  if (kind->variant) kind = kind->variant(def);
  elementRecord e = {.head = take_head(b), .kind = kind};
  char *copy = arena_copy(&b->arena, def, 1, kind->size);
  if (!copy) return out_of_memory(b);
  e.def = copy;
  e.name = new_name(b, &e.head, "force", *(const char *const *) def);
  *(const char **) copy = e.name;
  for (const fieldKey *key = kind->form.keys; key->name; key++) {
    take_field(b, &e, key, copy + key->offset);
  }
  if (kind->check) kind->check(&(fieldCheck){e.name, &e.head.where, &b->error}, copy);
  if (has_failed(b)) return failure(b);
  elementRecord *record = add_record(b, &b->elements, sizeof *record);
  if (record) *record = e;
  return b->error.status;
}


//---- on several coordinates ----------------------------------------------------------------------


static elementRecord *find_element(artBuilder *b, const char *name)
{
  const char *full = full_name(b, name ? name : "");
  for (int i = 0; i < b->elements.count; i++) {
    elementRecord *e = RECORD(b->elements, elementRecord, i);
    if (strcmp(e->name, full) == 0) return e;
  }
  if (!has_failed(b)) {
    base_fail(&b->error, ART_BAD_INPUT, base_nowhere(), "there is no force '%s' to combine", full);
  }
  return NULL;
}


artStatus art_set_combination(artBuilder *b, const char *force, int n,
                              const char *const *coordinate, const double *coefficient)
{
  if (has_failed(b)) return failure(b);
  elementRecord *e = find_element(b, force);
  if (!e) return failure(b);
  if (e->along.n == 0) {
    return base_fail(&b->error, ART_BAD_INPUT, e->head.where.place,
                     "force '%s' does not act on a joint coordinate and has nothing to combine",
                     e->name);
  }
  const char **names = copied_coordinates(b, &e->head, "force", n, coordinate);
  if (has_failed(b)) return failure(b);
  if (check_list(b, &e->head, "coefficient", n, coefficient)) return b->error.status;
  if (check_finite(b, &e->head, "coefficient", n, coefficient) != ART_OK) return b->error.status;
  e->along = (recordAlong){n, names, copied_numbers(b, n, coefficient)};
  return b->error.status;
}


artStatus art_add_road(artBuilder *b, const char *name, artRoad *road)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(road, &b->error);
  const recordHead head = take_head(b);
  const char *full = new_name(b, &head, "road", name);
  roadRecord *record = has_failed(b) ? NULL : add_record(b, &b->roads, sizeof *record);
  if (!record) return failure(b);
  *record = (roadRecord){full, road};
  road_keep(road);
  return ART_OK;
}


const artRoad *builder_find_road(artBuilder *b, const char *name)
{
  const char *full = full_name(b, name);
  for (int i = 0; i < b->roads.count; i++) {
    const roadRecord *record = RECORD(b->roads, roadRecord, i);
    if (strcmp(record->name, full) == 0) return record->road;
  }
  return NULL;
}


artStatus art_add_tyre(artBuilder *b, const char *name, artTyre *tyre)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(tyre, &b->error);
  const recordHead head = take_head(b);
  const char *full = new_name(b, &head, "tyre", name);
  tyreRecord *record = has_failed(b) ? NULL : add_record(b, &b->tyres, sizeof *record);
  if (!record) return failure(b);
  *record = (tyreRecord){full, tyre};
  tyre_keep(tyre);
  return ART_OK;
}


//---- drives, outputs, studies --------------------------------------------------------------------


artStatus art_add_drive(artBuilder *b, const artDriveDef *def)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(def, &b->error);
  driveRecord drive = {.head = take_head(b), .def = *def};
  drive.def.name = new_name(b, &drive.head, "drive", def->name);
  drive.def.coordinate = reference(b, &drive.head, "coordinate", def->coordinate);
  drive.def.formula = copied(b, def->formula);
  drive.def.time = copied_numbers(b, def->n, def->time);
  drive.def.value = copied_numbers(b, def->n, def->value);
  if (has_failed(b)) return failure(b);
  if (!def->formula && (def->n < 2 || !def->time || !def->value)) {
    return base_fail(&b->error, ART_BAD_INPUT, drive.head.where.place,
                     "drive '%s' has neither a formula nor a table of two points or more",
                     drive.def.name);
  }
  driveRecord *record = add_record(b, &b->drives, sizeof *record);
  if (record) *record = drive;
  return b->error.status;
}


void builder_name_time(artBuilder *b)
{
  b->names_time = 1;
}


artStatus art_add_output(artBuilder *b, const char *name, const char *text)
{
  if (has_failed(b)) return failure(b);
  outputRecord output = {.head = take_head(b)};
  if (!text || !text[0]) {
    return base_fail(&b->error, ART_BAD_INPUT, output.head.where.place,
                     "an output says what to write, such as pin.angle");
  }
  output.formula = copied(b, text);
  const char *plain = copied_plain(b, name ? name : text);
  if (plain) output.name = full_name(b, plain);
  outputRecord *record = has_failed(b) ? NULL : add_record(b, &b->outputs, sizeof *record);
  if (record) *record = output;
  return b->error.status;
}


// a name of a study's list as it is for the whole model
typedef struct studyNames {
  artBuilder *builder;
  const recordHead *head;
} studyNames;


static const char *copy_reference(void *context, const char *key, const char *name)
{
  const studyNames *names = context;
  const char *full = reference(names->builder, names->head, key, name);
  return has_failed(names->builder) ? NULL : full;
}


artStatus art_add_study(artBuilder *b, const artStudyDef *def)
{
  if (has_failed(b)) return failure(b);
  ART_REQUIRE(def, &b->error);
  studyRecord study = {.head = take_head(b), .def = *def};
  const recordHead *head = &study.head;
  const artPlace place = field_place(&head->where, "name");
  study.def.name = copied(b, def->name ? def->name : "study");
  if (has_failed(b)) return failure(b);
  if (check_name(b, place, "study", study.def.name) != ART_OK) return b->error.status;
  if (model_check_study_def(&(fieldCheck){NULL, &head->where, &b->error}, def)) {
    return b->error.status;
  }
  for (int i = 0; i < b->studies.count; i++) {
    if (strcmp(RECORD(b->studies, studyRecord, i)->def.name, study.def.name) == 0) {
      return base_fail(&b->error, ART_BAD_INPUT, place, "study '%s' is given twice",
                       study.def.name);
    }
  }
  const studyCopier copier = {&b->arena, copy_reference, &(studyNames){b, head}};
  if (model_copy_study(&copier, &study.def) && !has_failed(b)) out_of_memory(b);
  studyRecord *record = has_failed(b) ? NULL : add_record(b, &b->studies, sizeof *record);
  if (record) *record = study;
  return b->error.status;
}


void builder_keep(artBuilder *b, const char *joint, int keep)
{
  for (int j = 0; j < b->joints.count; j++) {
    artJointDef *def = &RECORD(b->joints, jointRecord, j)->def;
    if (strcmp(def->name, joint) == 0) def->keep = keep;
  }
}
