// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values of a model file: numbers with units, vectors, axes, words, references, formulas, laws.
#include "base/error_recovery.h"
#include "base/format.h"
#include "model/define/study_def.h"
#include "model/methods.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


// rad, rounded up so that 2 pi may be written with five digits
static const double WHOLE_TURN = 6.2832 + 1e-9;


void reader_wrong_shape(const yamlNode *node, const char *expected)
{
  char found[YAML_PHRASE_LENGTH];
  error_refuse(node->place, "found %s, expected %s", yaml_describe(node, found), expected);
}


void reader_check_list(const yamlNode *node, int least, int most, const char *expected)
{
  if (node->kind != NODE_SEQUENCE || node->count < least || node->count > most)
    reader_wrong_shape(node, expected);
}


//---- numbers -------------------------------------------------------------------------------------

// the text after '=' and its place, or NULL when the scalar is not a formula
static const char *formula_text(const yamlNode *node, artPlace *place)
{
  if (node->text[0] != '=') return NULL;
  const char *text = node->text + 1;
  while (*text == ' ' || *text == '\t') text++;
  *place = node->place;
  place->column += (int) (text - node->text) + node->quoted;
  return text;
}


typedef struct numberPiece {
  baseDimension expected, *found;
  double *value;
} numberPiece;


static void read_number(modelReader *reader, const yamlNode *node, void *piece)
{
  char words[UNIT_NAME_LENGTH], shape[UNIT_NAME_LENGTH + 40];
  const baseDimension expected = ((const numberPiece *) piece)->expected;
  baseDimension *found = ((const numberPiece *) piece)->found;
  double *value = ((const numberPiece *) piece)->value;
  live_forget(reader->builder, value);
  if (node->kind != NODE_SCALAR || node->length == 0) {
    snprintf(shape, sizeof shape, "%s", expected.any ? "a number" : unit_describe(expected, words));
    reader_wrong_shape(node, shape);
  }

  artPlace place = node->place;
  const char *text = formula_text(node, &place);
  if (text) {
    reader_evaluate(reader, text, place, node->quoted, expected, value, found);
    return;
  }
  place.column += node->quoted;
  error_check(unit_parse_quantity(value, found, node->text, place, expected, error_current()));
}


// A number that holds a mistake, where mistakes are collected, is 1, which has any unit.
void reader_read_number(modelReader *reader, const yamlNode *node, baseDimension expected,
                        double *value, baseDimension *found)
{
  baseDimension ignored;
  if (!found) found = &ignored;
  numberPiece piece = {expected, found, value};
  if (reader_try(reader, node, read_number, &piece)) return;
  *value = 1;
  *found = expected;
}


// a limit that is none: inf, -inf, or as YAML has them .inf, -.inf; 0 where it is something else
static double infinite_limit(const yamlNode *node)
{
  if (node->kind != NODE_SCALAR) return 0;
  const char *word = node->text;
  const double sign = word[0] == '-' ? -1 : 1;
  word += word[0] == '-' || word[0] == '+';
  word += word[0] == '.';
  return strcmp(word, "inf") == 0 ? sign * INFINITY : 0;
}


void reader_read_vector(modelReader *reader, const yamlNode *node, baseDimension expected, int n,
                        double *values)
{
  ART_ASSERT(n > 0);
  char words[UNIT_NAME_LENGTH], shape[UNIT_NAME_LENGTH + 40];
  if (node->kind != NODE_SEQUENCE || node->count != n) {
    snprintf(shape, sizeof shape, "a list of %d numbers, each %s", n,
             unit_describe(expected, words));
    reader_wrong_shape(node, shape);
  }
  for (const yamlNode *item = node->first; item; item = item->next) {
    reader_read_number(reader, item, expected, values++, NULL);
  }
}


void reader_read_limits(modelReader *reader, const yamlNode *node, baseDimension expected,
                        double limits[2])
{
  if (node->kind != NODE_SEQUENCE || node->count != 2) {
    reader_read_vector(reader, node, expected, 2, limits); // which says what is wrong
  }
  for (const yamlNode *item = node->first; item; item = item->next, limits++) {
    *limits = infinite_limit(item);
    if (*limits == 0) reader_read_number(reader, item, expected, limits, NULL);
  }
}


// three diagonal entries, or six with xy, xz, yz
static void read_tensor(modelReader *reader, const yamlNode *node, baseDimension expected,
                        double tensor[6])
{
  if (node->kind != NODE_SEQUENCE || (node->count != 3 && node->count != 6)) {
    reader_wrong_shape(node, "a list of xx, yy, zz or of xx, yy, zz, xy, xz, yz");
  }
  memset(tensor, 0, 6 * sizeof *tensor);
  reader_read_vector(reader, node, expected, node->count, tensor);
}


//---- directions ----------------------------------------------------------------------------------

static void read_axis_value(modelReader *reader, const yamlNode *node, void *out)
{
  double *axis = out;
  if (node->kind == NODE_SEQUENCE) {
    reader_read_vector(reader, node, UNIT_NUMBER, 3, axis);
    const bool is_zero = axis[0] == 0 && axis[1] == 0 && axis[2] == 0;
    if (is_zero) error_refuse(node->place, "an axis must not be zero");
  } else if (node->kind != NODE_SCALAR || !field_axis(node->text, axis)) {
    reader_wrong_shape(node, "x, y, z, -x, -y, -z or a list of 3 numbers");
  }
}


static void read_axes(modelReader *reader, const yamlNode *node, double axes[2][3])
{
  reader_check_list(node, 2, 2, "a list of two axes, like [x, y]");
  const yamlNode *second = node->first->next;
  reader_mark(reader, "axis2", second->place);
  reader_try(reader, node->first, read_axis_value, axes[0]);
  reader_try(reader, second, read_axis_value, axes[1]);
}


//---- words ---------------------------------------------------------------------------------------

void reader_read_text(const yamlNode *node, const char **text)
{
  if (node->kind != NODE_SCALAR || node->length == 0) reader_wrong_shape(node, "a string");
  *text = node->text;
}


// `yes` and `no` are true and false in JSON, and for many writers of YAML.
static bool is_choice(const char *text, const char *word)
{
  if (strcmp(word, "yes") == 0 && strcmp(text, "true") == 0) return true;
  if (strcmp(word, "no") == 0 && strcmp(text, "false") == 0) return true;
  return strcmp(text, word) == 0;
}


static void read_choice(const fieldKey *key, const yamlNode *node, int *choice)
{
  char hint[BASE_HINT_LENGTH], found[YAML_PHRASE_LENGTH], list[256] = "";
  baseNearest nearest = {.word = node->kind == NODE_SCALAR ? node->text : "", .context = key->name};
  for (int i = 0; key->choice(i); i++) {
    if (node->kind == NODE_SCALAR && is_choice(node->text, key->choice(i))) {
      *choice = key->values ? key->values[i] : i;
      return;
    }
    base_consider_called(&nearest, key->choice(i), word_called(key->choice, i));
    strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
    strncat(list, key->choice(i), sizeof list - strlen(list) - 1);
  }
  error_refuse(node->place, "'%s' is %s, expected one of %s%s", key->name,
               yaml_describe(node, found), list, base_hint(&nearest, hint));
}


//---- references ----------------------------------------------------------------------------------

static void read_reference(const yamlNode *node, const char **text)
{
  if (node->kind != NODE_SCALAR || node->length == 0) {
    reader_wrong_shape(node, "a body or a point of it, like 'crank' or 'crank.tip'");
  }
  *text = node->text;
}


static void read_between(modelReader *reader, const yamlNode *node, keyType type,
                         const char *points[2])
{
  reader_check_list(node, 2, 2,
                    type == KEY_SURFACES ? "a list of two surfaces, like [ball, floor]"
                                         : "a list of two points, like [chassis.top, arm.mid]");
  const yamlNode *second = node->first->next;
  reader_mark(reader, "from", node->first->place);
  reader_mark(reader, "to", second->place);
  read_reference(node->first, &points[0]);
  read_reference(second, &points[1]);
}


static void read_through(const yamlNode *node, const char *points[ART_MOST_POINTS])
{
  reader_check_list(node, 2, ART_MOST_POINTS,
                    "a list of 2 to 16 points, like [winch.drum, mast.top, load.hook]");
  for (const yamlNode *point = node->first; point; point = point->next) {
    read_reference(point, points++);
  }
}


static void read_coordinate_name(modelReader *reader, const yamlNode *node, const char **text)
{
  if (node->kind != NODE_SCALAR || node->length == 0) {
    reader_wrong_shape(node, "a coordinate of a joint, like 'pin.angle'");
  }
  *text = node->text;
  reader->axis = reader_axis_of(reader, node->text);
}


static void read_coordinates(modelReader *reader, const yamlNode *node, const char *text[2])
{
  reader_check_list(node, 2, 2, "a list of two joints or coordinates, like [pinion, wheel]");
  read_coordinate_name(reader, node->first, &text[0]);
  read_coordinate_name(reader, node->first->next, &text[1]);
}


// A mapping of coordinates to factors, each marked for the builder by its name. Where a sum of coordinates is meant, it is
// measured like the first.
static void read_terms(modelReader *reader, const yamlNode *node, bool is_sum, fieldTerms *terms)
{
  reader_check_mapping(node, "coordinates and factors");
  const char **coordinate = arena_alloc(&reader->arena, (size_t) node->count, sizeof *coordinate);
  double *factor = arena_alloc(&reader->scratch, (size_t) node->count, sizeof *factor);
  *terms = (fieldTerms){0, coordinate, factor};
  for (const yamlNode *item = node->first; item; item = item->next) {
    coordinate[terms->n] = item->key;
    reader_read_number(reader, item, UNIT_ANY, &factor[terms->n++], NULL);
    reader_mark(reader, item->key, item->key_place);
  }
  if (!is_sum) return;
  if (terms->n == 0) {
    reader_wrong_shape(node, "coordinates and factors, like {left.angle: 1, right.angle: -1}");
  }
  reader->axis = reader_axis_of(reader, coordinate[0]);
}


// one coordinate as a list of one
static void read_term(modelReader *reader, const yamlNode *node, fieldTerms *terms)
{
  const char **coordinate = arena_alloc(&reader->arena, 1, sizeof *coordinate);
  *terms = (fieldTerms){1, coordinate, NULL};
  read_coordinate_name(reader, node, coordinate);
}


// an end of a joint: "crank.tip", or {frame: crank.tip, position: ..., orientation: ...}
static void read_end(modelReader *reader, const yamlNode *node, const char **frame, artPose *offset)
{
  if (node->kind != NODE_MAPPING) {
    read_reference(node, frame);
    return;
  }
  readerEnd end = {.offset = *offset};
  reader_read_form(reader, &reader_form_end, node, &end);
  *frame = end.frame;
  *offset = end.offset;
  live_move(reader->builder, &end.offset, offset, sizeof *offset);
}


// the name of a curve, or a path by type
static void read_path_value(modelReader *reader, const yamlNode *node, artPathDef *path)
{
  if (node->kind == NODE_SCALAR) {
    reader_read_text(node, &path->curve);
    return;
  }
  int type = 0;
  reader_choose_form(field_forms_path, node, &type);
  path->type = (artPathType) (ART_PATH_LANE_CHANGE + type);
  reader_read_form(reader, field_forms_path[type], node, path);
}


//---- formulas ------------------------------------------------------------------------------------

void reader_read_formula(modelReader *reader, const yamlNode *node, baseDimension expected,
                         const char **text, artPlace *place)
{
  *place = node->place;
  if (node->kind == NODE_SCALAR && node->length > 0) {
    *text = formula_text(node, place);
    if (*text) return;
  }
  double value = 0;
  baseDimension found = UNIT_NUMBER;
  reader_read_number(reader, node, expected, &value, &found);
  // where any unit goes, its own stays: the kind knows which one it wants
  char unit[UNIT_NAME_LENGTH];
  *text = expected.any && !unit_agree(found, UNIT_NUMBER)
              ? arena_format(&reader->arena, "%.17g[%s]", value, unit_name(found, unit))
              : arena_format(&reader->arena, "%.17g", value);
}


// the dimension of a key's value in the item that is being read
static baseDimension expected_of(const modelReader *reader, keyQuantity quantity)
{
  if (quantity == Q_OWN) return reader->unit;
  if (quantity == Q_OWN_RATE) return unit_product(reader->unit, UNIT_TIME, -1);
  return field_dimension(quantity, reader->axis);
}


static void read_formula_key(modelReader *reader, const fieldKey *key, const yamlNode *node,
                             const char **text)
{
  artPlace place;
  const baseDimension expected = expected_of(reader, key->quantity);
  reader_read_formula(reader, node, expected, text, &place);
  reader_mark(reader, key->mark ? key->mark : key->name, place);
}


// a row of formulas, which begins with a node
static void read_formula_row(modelReader *reader, const fieldKey *key, const yamlNode *item, int n,
                             const char **text)
{
  for (int i = 0; i < n; i++, item = item->next) {
    artPlace place;
    char mark[40];
    snprintf(mark, sizeof mark, "%s%d", key->mark ? key->mark : key->name, i);
    const double none = key->may_be_infinite ? infinite_limit(item) : 0;
    if (none != 0) {
      text[i] = none > 0 ? "inf" : "-inf";
      continue;
    }
    reader_read_formula(reader, item, expected_of(reader, key->quantity), &text[i], &place);
    reader_mark(reader, mark, place);
  }
}


// one formula, or a list of them
static void read_some_formulas(modelReader *reader, const fieldKey *key, const yamlNode *node,
                               artNames *texts)
{
  const int is_list = node->kind == NODE_SEQUENCE, n = is_list ? node->count : 1;
  if (is_list && n < 1) reader_wrong_shape(node, "a formula or a list of formulas");
  const char **own = arena_alloc(&reader->arena, (size_t) n, sizeof *own);
  *texts = (artNames){n, own};
  reader_mark(reader, key->mark ? key->mark : key->name, node->place);
  read_formula_row(reader, key, is_list ? node->first : node, n, own);
}


static void read_formulas(modelReader *reader, const fieldKey *key, const yamlNode *node,
                          const char *text[3])
{
  reader_check_list(node, 3, 3, "a list of 3 components");
  reader_mark(reader, key->mark, node->place);
  read_formula_row(reader, key, node->first, 3, text);
}


//---- lists ---------------------------------------------------------------------------------------

static void read_numbers(modelReader *reader, const yamlNode *node, baseDimension expected,
                         artNumbers *list)
{
  reader_check_list(node, 1, INT_MAX, "a list of numbers");
  double *values = arena_alloc(&reader->scratch, (size_t) node->count, sizeof *values);
  *list = (artNumbers){node->count, values};
  reader_read_vector(reader, node, expected, node->count, values);
}


// one number, or a list of them
static void read_some_numbers(modelReader *reader, const yamlNode *node, baseDimension expected,
                              artNumbers *list)
{
  if (node->kind == NODE_SEQUENCE) {
    read_numbers(reader, node, expected, list);
    return;
  }
  double *value = arena_alloc(&reader->scratch, 1, sizeof *value);
  *list = (artNumbers){1, value};
  reader_read_number(reader, node, expected, value, NULL);
}


// points of a profile: a missing radius is 0
static void read_outline(modelReader *reader, const yamlNode *node, baseDimension expected,
                         artNumbers *list)
{
  reader_check_list(node, 1, INT_MAX, "a list of points [x, y] or [x, y, radius]");
  double *value = arena_alloc(&reader->scratch, 3 * (size_t) node->count, sizeof *value);
  *list = (artNumbers){3 * node->count, value};
  for (const yamlNode *row = node->first; row; row = row->next, value += 3) {
    reader_check_list(row, 2, 3, "a point [x, y] or [x, y, radius]");
    int k = 0;
    for (const yamlNode *cell = row->first; cell; cell = cell->next) {
      reader_read_number(reader, cell, expected, &value[k++], NULL);
    }
    if (k == 2) value[2] = 0;
  }
}


// points of a hull
static void read_corners(modelReader *reader, const yamlNode *node, baseDimension expected,
                         artNumbers *list)
{
  reader_check_list(node, 1, INT_MAX, "a list of points [x, y, z]");
  double *value = arena_alloc(&reader->scratch, 3 * (size_t) node->count, sizeof *value);
  *list = (artNumbers){3 * node->count, value};
  for (const yamlNode *row = node->first; row; row = row->next, value += 3) {
    reader_read_vector(reader, row, expected, 3, value);
  }
}


// the unit of an item, for the numbers that follow
static void read_item_unit(modelReader *reader, const yamlNode *node, const char **text)
{
  baseUnit unit;
  reader_read_text(node, text);
  error_check(unit_parse(&unit, *text, node->place, error_current()));
  reader->unit = unit.dimension;
}


// a list whose items are all of one kind, for its section to read
static void check_item_list(const yamlNode *node, yamlKind kind, const char *expected,
                            const yamlNode **list)
{
  if (node->kind != NODE_SEQUENCE || node->count < 1) reader_wrong_shape(node, expected);
  for (const yamlNode *item = node->first; item; item = item->next) {
    if (item->kind != kind) reader_wrong_shape(item, expected);
  }
  *list = node;
}


void reader_read_texts(modelReader *reader, const yamlNode *node, artNames *names)
{
  const char **list = arena_alloc(&reader->arena, (size_t) node->count, sizeof *list);
  *names = (artNames){0, list};
  for (const yamlNode *item = node->first; item; item = item->next) {
    reader_read_text(item, &list[names->count++]);
  }
}


static void read_whole_number(modelReader *reader, const yamlNode *node, baseDimension expected,
                              int *count)
{
  double number = 0;
  reader_read_number(reader, node, expected, &number, NULL);
  if (number != floor(number) || fabs(number) > 1e6) {
    error_refuse(node->place, "found %g, expected a whole number up to a million", number);
  }
  *count = (int) number;
}


// coordinates in a list, each marked for the builder by its name; the definition has no factors
static void read_coordinate_list(modelReader *reader, const yamlNode *node, void *field)
{
  const char **coordinate = arena_alloc(&reader->arena, (size_t) node->count, sizeof *coordinate);
  fieldTerms list = {.coordinate = coordinate};
  check_item_list(node, NODE_SCALAR, "a list of names", &node);
  for (const yamlNode *name = node->first; name; name = name->next) {
    coordinate[list.n++] = name->text;
    reader_mark(reader, name->text, name->place);
  }
  memcpy(field, &list, offsetof(fieldTerms, coefficient));
}


static void read_number_row(modelReader *reader, const fieldKey *key, const yamlNode *node,
                            baseDimension expected, double *x)
{
  if (node->kind != NODE_SEQUENCE) reader_wrong_shape(node, "a list of numbers");
  if (node->count != key->count) {
    error_refuse(node->place, "'%s' has %d number%s, expected %d", key->name, node->count,
                 node->count == 1 ? "" : "s", key->count);
  }
  for (const yamlNode *item = node->first; item; item = item->next, x++) {
    *x = key->may_be_infinite ? infinite_limit(item) : 0;
    if (*x == 0) reader_read_number(reader, item, expected, x, NULL);
  }
}


//---- roads made of others ------------------------------------------------------------------------

static void read_part(modelReader *reader, const yamlNode *node, const artRoad **road)
{
  const char *name = NULL;
  reader_read_text(node, &name);
  *road = builder_find_road(reader->builder, name);
  if (*road) return;
  reader_pass(reader, name);
  error_refuse(node->place, "'%.60s' is not a road that is defined before this one", name);
}


static void read_parts(modelReader *reader, const yamlNode *node, artSumRoad *sum)
{
  check_item_list(node, NODE_SCALAR, "a list of names", &node);
  const artRoad **parts = arena_alloc(&reader->arena, (size_t) node->count, sizeof *parts);
  sum->parts = parts;
  for (const yamlNode *item = node->first; item; item = item->next) {
    read_part(reader, item, &parts[sum->count++]);
  }
}


static void read_tracks(modelReader *reader, const yamlNode *node, artTracksRoad *road)
{
  check_item_list(node, NODE_MAPPING, "a list of mappings", &node);
  artRoadTrack *tracks = arena_alloc(&reader->arena, (size_t) node->count, sizeof *tracks);
  road->tracks = tracks;
  for (const yamlNode *item = node->first; item; item = item->next) {
    artRoadTrack *track = &tracks[road->count++];
    field_set_defaults(&reader_form_track, track);
    reader_read_form(reader, &reader_form_track, item, track);
  }
}


//---- colours -------------------------------------------------------------------------------------

static void read_colour_value(const yamlNode *node, int *colour)
{
  static const struct {
    const char *word;
    int colour;
  } words[] = {{"white", 0xf2f2f0}, {"silver", 0xc3c7cc}, {"grey", 0x8a8f98},   {"black", 0x26272b},
               {"red", 0xc23b34},   {"orange", 0xe0822c}, {"yellow", 0xe3b92f}, {"green", 0x3d9157},
               {"blue", 0x2f6fbf},  {"navy", 0x2a3f66},   {"brown", 0x7a5a3f}};
  const char *text = NULL;
  reader_read_text(node, &text);
  baseNearest nearest = {.word = text};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    *colour = words[k].colour;
    if (strcmp(words[k].word, text) == 0) return;
    base_consider(&nearest, words[k].word);
  }
  if (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
    *colour = (int) strtol(text + 1, NULL, 16);
    return;
  }
  char hint[BASE_HINT_LENGTH];
  error_refuse(node->place,
               "'%.60s' is not a colour%s; expected \"#rrggbb\" with six hexadecimal digits, or a "
               "word such as red",
               text, base_hint(&nearest, hint));
}


//---- all together --------------------------------------------------------------------------------

// a number of an item that says no unit of its own, and takes it from what it reads
static void check_value_own_unit(modelReader *reader, const fieldKey *key, const yamlNode *node,
                                 baseDimension found)
{
  if (key->quantity != Q_OWN || !reader->unit.any || unit_agree(found, UNIT_NUMBER)) return;
  char has[UNIT_NAME_LENGTH], name[UNIT_NAME_LENGTH];
  error_refuse(node->place,
               "'%s' is %s, and there is no 'unit' to check it by; add 'unit: %s', or write a "
               "plain number, which is in SI",
               key->name, unit_describe(found, has), unit_name(found, name));
}


// zero is not a number for keys whose absence it means
static void read_number_value(modelReader *reader, const fieldKey *key, const yamlNode *node,
                              baseDimension expected, double *number)
{
  const double none = key->may_be_infinite ? infinite_limit(node) : 0;
  if (none != 0) {
    *number = none;
    return;
  }
  baseDimension found = UNIT_ANY;
  reader_read_number(reader, node, expected, number, &found);
  check_value_own_unit(reader, key, node, found);
  if (!key->above_zero || *number != 0) return;
  error_refuse(node->place, "'%s' is %g, expected more than 0; without it the default holds: %s",
               key->name, *number, key->fallback ? key->fallback : "none");
}


// a whole number up to a limit
static void read_whole_up_to(modelReader *reader, const fieldKey *key, const yamlNode *node,
                             double most, double *x)
{
  read_number_value(reader, key, node, UNIT_NUMBER, x);
  if (*x == floor(*x) && *x >= 0 && *x <= most) return;
  error_refuse(node->place, "'%s' is %g, expected a whole number from 0 to %g", key->name, *x,
               most);
}


static void read_letter(const fieldKey *key, const yamlNode *node, char *letter)
{
  const char *text = NULL;
  reader_read_text(node, &text);
  *letter = text[0];
  if (text[1] == '\0') return;
  error_refuse(node->place, "'%s' is '%.20s', expected a letter from A to H", key->name, text);
}


void reader_look_at_angles(modelReader *reader, const char *key, const yamlNode *node)
{
  if (node->kind == NODE_SEQUENCE) {
    for (const yamlNode *item = node->first; item; item = item->next) {
      if (item->kind == NODE_SCALAR) reader_look_at_angles(reader, key, item);
    }
    return;
  }
  char *end = NULL;
  const double angle = node->kind == NODE_SCALAR ? format_read(node->text, &end) : 0;
  const bool is_plain = end && end > node->text && *end == '\0' && isfinite(angle);
  if (!is_plain || fabs(angle) < WHOLE_TURN || art_is_foreign(node->place.file)) return;
  artError text;
  (void) base_fail(&text, ART_BAD_INPUT, node->place,
                   "'%s' is an angle of %s rad, which is %.6g degrees, for a number without a unit "
                   "is in radians; write '%s deg' or '%s rad'",
                   key, node->text, angle * 180 / acos(-1.0), node->text, node->text);
  builder_warn(reader->builder, text.text);
}


// the value of the key is an angle, a list of angles, or a formula that may be a number
static bool is_angle_key(const modelReader *reader, const fieldKey *key)
{
  const bool is_list = key->type == KEY_TABLE || key->type == KEY_PROFILE || key->type == KEY_LAW ||
                       key->type == KEY_SIX_LAWS;
  if (is_list) return false;
  return key->quantity == Q_ANGLE || (key->quantity == Q_X && reader->axis == AXIS_ANGULAR);
}


void reader_read_value(modelReader *reader, const fieldKey *key, const yamlNode *node, void *record)
{
  if (is_angle_key(reader, key)) reader_look_at_angles(reader, key->name, node);
  const baseDimension expected = expected_of(reader, key->quantity);
  void *field = record ? (char *) record + key->offset : NULL;
  double number = 0;
  int way = 0;
  fieldTerms terms = {0};
  fieldRows rows = {0};
  artNumbers numbers = {0};
  switch (key->type) {
  case KEY_NUMBER: read_number_value(reader, key, node, expected, field); break;
  case KEY_VECTOR: reader_read_vector(reader, node, expected, 3, field); break;
  case KEY_TENSOR: read_tensor(reader, node, expected, field); break;
  case KEY_AXIS: read_axis_value(reader, node, field); break;
  case KEY_AXES: read_axes(reader, node, field); break;
  case KEY_ORIENTATION: reader_read_orientation(reader, node, field); break;
  case KEY_TEXT:
  case KEY_ROAD:
  case KEY_TYRE: reader_read_text(node, field); break;
  case KEY_FUNCTION: reader_read_text(node, &((artCallDef *) field)->name); break;
  case KEY_FLAG:
    *(int *) field = node->kind == NODE_SCALAR && strcmp(node->text, "true") == 0;
    if (*(int *) field || (node->kind == NODE_SCALAR && strcmp(node->text, "false") == 0)) break;
    reader_wrong_shape(node, "true or false");
  case KEY_CHOICE: read_choice(key, node, field); break;
  case KEY_METHOD:
    read_choice(key, node, &way);
    model_split_way(way, field, (void *) ((char *) record + key->beside));
    break;
  case KEY_REFERENCE: read_reference(node, field); break;
  case KEY_WHOLE:
    read_whole_up_to(reader, key, node, 1e9, &number);
    *(int *) field = (int) number;
    break;
  case KEY_SEED:
    read_whole_up_to(reader, key, node, 0x1p53, &number);
    *(unsigned long long *) field = (unsigned long long) number;
    break;
  case KEY_LETTER: read_letter(key, node, field); break;
  case KEY_COLOUR: read_colour_value(node, field); break;
  case KEY_END: read_end(reader, node, field, (void *) ((char *) record + key->beside)); break;
  case KEY_BETWEEN:
  case KEY_SURFACES: read_between(reader, node, key->type, field); break;
  case KEY_THROUGH: read_through(node, field); break;
  case KEY_COORDINATE: read_coordinate_name(reader, node, field); break;
  case KEY_COORDINATES: read_coordinates(reader, node, field); break;
  case KEY_TERM:
  case KEY_TERMS:
  case KEY_COMBINATION:
    if (key->type == KEY_TERM) {
      read_term(reader, node, &terms);
    } else {
      read_terms(reader, node, key->type == KEY_COMBINATION, &terms);
    }
    memcpy(field, &terms, sizeof terms);
    break;
  case KEY_LIST: read_coordinate_list(reader, node, field); break;
  case KEY_ALONG: // the first of them represents all in the definition
    read_terms(reader, node, true, &reader->along);
    *(const char **) field = reader->along.coordinate[0];
    break;
  case KEY_COEFFICIENT:
    ((artLawDef *) field)->type = ART_LAW_LINEAR;
    reader_read_number(reader, node, expected, &((artLawDef *) field)->coefficient, NULL);
    break;
  case KEY_LAW: reader_read_law(reader, key, node, field); break;
  case KEY_SIX: reader_read_six(reader, node, field); break;
  case KEY_SIX_BY_SIX: reader_read_six_by_six(reader, key, node, field); break;
  case KEY_SIX_LAWS: reader_read_six_laws(reader, key, node, field); break;
  case KEY_STOPS: reader_read_form(reader, &field_form_stops, node, field); break;
  case KEY_FORMULA: read_formula_key(reader, key, node, field); break;
  case KEY_SOME_FORMULAS: read_some_formulas(reader, key, node, field); break;
  case KEY_SOME_NUMBERS: read_some_numbers(reader, node, expected, field); break;
  case KEY_UNIT: read_item_unit(reader, node, field); break;
  case KEY_FORMULAS: read_formulas(reader, key, node, field); break;
  case KEY_TABLE:
  case KEY_PROFILE:
    reader_read_rows(reader, node, key->type == KEY_TABLE ? UNIT_TIME : UNIT_LENGTH, expected,
                     &rows);
    memcpy(field, &rows, sizeof rows);
    break;
  case KEY_OUTLINE: read_outline(reader, node, expected, field); break;
  case KEY_CORNERS: read_corners(reader, node, expected, field); break;
  case KEY_PATH: read_path_value(reader, node, field); break;
  case KEY_COUNT: read_whole_number(reader, node, expected, field); break;
  case KEY_NUMBERS: read_numbers(reader, node, expected, field); break;
  case KEY_ARGUMENTS:
    read_numbers(reader, node, expected, &numbers);
    ((artCallDef *) field)->n = numbers.count;
    ((artCallDef *) field)->parameter = numbers.value;
    break;
  case KEY_NAMES: check_item_list(node, NODE_SCALAR, "a list of names", field); break;
  case KEY_NAME_LIST:
    check_item_list(node, NODE_SCALAR, "a list of names", &node);
    reader_read_texts(reader, node, field);
    break;
  case KEY_MOTION: reader_read_motion(reader, node, field); break;
  case KEY_ACTUATORS: reader_read_actuators(reader, node, field); break;
  case KEY_INDEPENDENT: reader_read_independent(reader, node, field); break;
  case KEY_ROW: read_number_row(reader, key, node, expected, field); break;
  case KEY_PART: read_part(reader, node, field); break;
  case KEY_PARTS: read_parts(reader, node, record); break;
  case KEY_TRACKS: read_tracks(reader, node, record); break;
  case KEY_POINTS:
  case KEY_FRAMES:
  case KEY_VISUAL:
  case KEY_INERTIA:
  case KEY_SOLID:
  case KEY_DESIGN: break; // read by the section itself, as the next ones
  case KEY_VALUE:
  case KEY_BOUNDS:
  case KEY_PARAMETERS:
  case KEY_RENAMES:
    // read by the section itself, when it knows what they belong to
    *(const yamlNode **) field = node;
    break;
  case KEY_TYPES: ART_ASSERT(0);
  }
}
