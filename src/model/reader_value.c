// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values of a model file: numbers with units, vectors, axes, words, references, formulas, laws.
#include "model/live.h"
#include "model/methods.h"
#include "model/reader.h"
#include "model/study_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


artStatus reader_wrong_shape(modelReader *reader, const yamlNode *node, const char *expected)
{
  char found[YAML_PHRASE_LENGTH];
  return READER_FAIL(reader, node->place, "found %s, expected %s", yaml_describe(node, found),
                     expected);
}


//---- numbers -------------------------------------------------------------------------------------

// the text behind '=' and its place, or NULL when the scalar is not a formula
static const char *formula_text(const yamlNode *node, artPlace *place)
{
  if (node->text[0] != '=') return NULL;
  const char *text = node->text + 1;
  while (*text == ' ' || *text == '\t') text++;
  *place = node->place;
  place->column += (int) (text - node->text) + node->quoted;
  return text;
}


// in [..] and {..} YAML ends a plain text at a comma, which cuts formulas like max(a, b)
static artStatus explain_comma(modelReader *reader, const char *text, artStatus status)
{
  int open = 0;
  for (const char *p = text; *p; p++) open += (*p == '(') - (*p == ')');
  if (open <= 0 || reader->error->status != ART_BAD_INPUT) return status;
  const size_t used = strlen(reader->error->text);
  snprintf(reader->error->text + used, sizeof reader->error->text - used,
           "; a formula that contains a comma must be quoted inside [ ] or { }");
  return status;
}


artStatus reader_read_number(modelReader *reader, const yamlNode *node, baseDimension expected,
                             double *value, baseDimension *found)
{
  char words[UNIT_NAME_LENGTH], shape[UNIT_NAME_LENGTH + 40];
  baseDimension ignored;
  if (!found) found = &ignored;
  live_forget(reader->builder, value);
  if (node->kind != NODE_SCALAR || node->length == 0) {
    snprintf(shape, sizeof shape, "%s", expected.any ? "a number" : unit_describe(expected, words));
    return reader_wrong_shape(reader, node, shape);
  }

  artPlace place = node->place;
  const char *text = formula_text(node, &place);
  if (text) {
    const artStatus status = reader_evaluate(reader, text, place, expected, value, found);
    return status && !node->quoted ? explain_comma(reader, text, status) : status;
  }
  place.column += node->quoted;
  return unit_parse_quantity(value, found, node->text, place, expected, reader->error);
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


artStatus reader_read_vector(modelReader *reader, const yamlNode *node, baseDimension expected,
                             int n, double *values)
{
  char words[UNIT_NAME_LENGTH], shape[UNIT_NAME_LENGTH + 40];
  if (node->kind != NODE_SEQUENCE || node->count != n) {
    snprintf(shape, sizeof shape, "a list of %d numbers, each %s", n,
             unit_describe(expected, words));
    return reader_wrong_shape(reader, node, shape);
  }
  artStatus status = ART_OK;
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    status = reader_read_number(reader, item, expected, values++, NULL);
  }
  return status;
}


artStatus reader_read_limits(modelReader *reader, const yamlNode *node, baseDimension expected,
                             double limits[2])
{
  if (node->kind != NODE_SEQUENCE || node->count != 2) {
    return reader_read_vector(reader, node, expected, 2, limits); // which says what is wrong
  }
  artStatus status = ART_OK;
  for (const yamlNode *item = node->first; item && !status; item = item->next, limits++) {
    *limits = infinite_limit(item);
    if (*limits == 0) status = reader_read_number(reader, item, expected, limits, NULL);
  }
  return status;
}


// three diagonal entries, or six with xy, xz, yz
static artStatus read_tensor(modelReader *reader, const yamlNode *node, baseDimension expected,
                             double tensor[6])
{
  if (node->kind != NODE_SEQUENCE || (node->count != 3 && node->count != 6)) {
    return reader_wrong_shape(reader, node, "a list of xx, yy, zz or of xx, yy, zz, xy, xz, yz");
  }
  memset(tensor, 0, 6 * sizeof *tensor);
  return reader_read_vector(reader, node, expected, node->count, tensor);
}


//---- directions ----------------------------------------------------------------------------------

static artStatus read_axis(modelReader *reader, const yamlNode *node, double axis[3])
{
  if (node->kind == NODE_SEQUENCE) {
    const artStatus status = reader_read_vector(reader, node, UNIT_NUMBER, 3, axis);
    if (status) return status;
    const bool is_zero = axis[0] == 0 && axis[1] == 0 && axis[2] == 0;
    return is_zero ? READER_FAIL(reader, node->place, "an axis must not be zero") : ART_OK;
  }
  if (node->kind == NODE_SCALAR && field_axis(node->text, axis)) return ART_OK;
  return reader_wrong_shape(reader, node, "x, y, z, -x, -y, -z or a list of 3 numbers");
}


static artStatus read_axes(modelReader *reader, const yamlNode *node, double axes[2][3])
{
  if (node->kind != NODE_SEQUENCE || node->count != 2) {
    return reader_wrong_shape(reader, node, "a list of two axes, like [x, y]");
  }
  const yamlNode *second = node->first->next;
  artStatus status = builder_mark(reader->builder, "axis2", second->place);
  if (!status) status = read_axis(reader, node->first, axes[0]);
  return status ? status : read_axis(reader, second, axes[1]);
}


//---- words ---------------------------------------------------------------------------------------

artStatus reader_read_text(modelReader *reader, const yamlNode *node, const char **text)
{
  if (node->kind != NODE_SCALAR || node->length == 0)
    return reader_wrong_shape(reader, node, "a text");
  *text = node->text;
  return ART_OK;
}


static artStatus read_choice(modelReader *reader, const fieldKey *key, const yamlNode *node,
                             int *choice)
{
  char hint[BASE_HINT_LENGTH], found[YAML_PHRASE_LENGTH], list[256] = "";
  baseNearest nearest = {.word = node->kind == NODE_SCALAR ? node->text : "", .context = key->name};
  for (int i = 0; key->choice(i); i++) {
    if (node->kind == NODE_SCALAR && strcmp(node->text, key->choice(i)) == 0) {
      *choice = key->values ? key->values[i] : i;
      return ART_OK;
    }
    base_consider_called(&nearest, key->choice(i), word_called(key->choice, i));
    strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
    strncat(list, key->choice(i), sizeof list - strlen(list) - 1);
  }
  return READER_FAIL(reader, node->place, "'%s' is %s, expected one of %s%s", key->name,
                     yaml_describe(node, found), list, base_hint(&nearest, hint));
}


//---- references ----------------------------------------------------------------------------------

static artStatus read_reference(modelReader *reader, const yamlNode *node, const char **text)
{
  if (node->kind != NODE_SCALAR || node->length == 0) {
    return reader_wrong_shape(reader, node, "a body or a point of it, like 'crank' or 'crank.tip'");
  }
  *text = node->text;
  return ART_OK;
}


static artStatus read_between(modelReader *reader, const yamlNode *node, const char *points[2])
{
  if (node->kind != NODE_SEQUENCE || node->count != 2) {
    return reader_wrong_shape(reader, node, "a list of two points, like [chassis.top, arm.mid]");
  }
  const yamlNode *second = node->first->next;
  artStatus status = builder_mark(reader->builder, "from", node->first->place);
  if (!status) status = builder_mark(reader->builder, "to", second->place);
  if (!status) status = read_reference(reader, node->first, &points[0]);
  return status ? status : read_reference(reader, second, &points[1]);
}


static artStatus read_through(modelReader *reader, const yamlNode *node,
                              const char *points[ART_MOST_POINTS])
{
  if (node->kind != NODE_SEQUENCE || node->count < 2 || node->count > ART_MOST_POINTS) {
    return reader_wrong_shape(reader, node,
                              "a list of 2 to 16 points, like [winch.drum, mast.top, load.hook]");
  }
  artStatus status = ART_OK;
  for (const yamlNode *point = node->first; point && status == ART_OK; point = point->next) {
    status = read_reference(reader, point, points++);
  }
  return status;
}


static artStatus read_coordinate(modelReader *reader, const yamlNode *node, const char **text)
{
  if (node->kind != NODE_SCALAR || node->length == 0) {
    return reader_wrong_shape(reader, node, "a coordinate of a joint, like 'pin.angle'");
  }
  *text = node->text;
  reader->axis = reader_axis_of(reader, node->text);
  return ART_OK;
}


static artStatus read_coordinates(modelReader *reader, const yamlNode *node, const char *text[2])
{
  if (node->kind != NODE_SEQUENCE || node->count != 2) {
    return reader_wrong_shape(reader, node,
                              "a list of two joints or coordinates, like [pinion, wheel]");
  }
  const artStatus status = read_coordinate(reader, node->first, &text[0]);
  return status ? status : read_coordinate(reader, node->first->next, &text[1]);
}


// A mapping of coordinates to factors, each marked for the builder by its name. Where a sum of coordinates is meant, it is
// measured like the first.
static artStatus read_terms(modelReader *reader, const yamlNode *node, bool is_sum,
                            fieldTerms *terms)
{
  artStatus status = reader_check_mapping(reader, node, "coordinates and factors");
  if (status) return status;
  const char **coordinate = arena_alloc(&reader->arena, (size_t) node->count, sizeof *coordinate);
  double *factor = arena_alloc(&reader->scratch, (size_t) node->count, sizeof *factor);
  if (!coordinate || !factor) return base_no_memory(reader->error);
  *terms = (fieldTerms){0, coordinate, factor};
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    coordinate[terms->n] = item->key;
    status = reader_read_number(reader, item, UNIT_ANY, &factor[terms->n++], NULL);
    if (!status) status = builder_mark(reader->builder, item->key, item->key_place);
  }
  if (status || !is_sum) return status;
  if (terms->n == 0) {
    return reader_wrong_shape(reader, node,
                              "coordinates and factors, like {left.angle: 1, right.angle: -1}");
  }
  reader->axis = reader_axis_of(reader, coordinate[0]);
  return ART_OK;
}


// one coordinate as a list of one
static artStatus read_term(modelReader *reader, const yamlNode *node, fieldTerms *terms)
{
  const char **coordinate = arena_alloc(&reader->arena, 1, sizeof *coordinate);
  if (!coordinate) return base_no_memory(reader->error);
  *terms = (fieldTerms){1, coordinate, NULL};
  return read_coordinate(reader, node, coordinate);
}


// an end of a joint: "crank.tip", or {frame: crank.tip, position: ..., orientation: ...}
static artStatus read_end(modelReader *reader, const yamlNode *node, const char **frame,
                          artPose *offset)
{
  if (node->kind != NODE_MAPPING) return read_reference(reader, node, frame);
  readerEnd end = {.offset = *offset};
  const artStatus status = reader_read_form(reader, &reader_form_end, node, &end);
  *frame = end.frame;
  *offset = end.offset;
  live_move(reader->builder, &end.offset, offset, sizeof *offset);
  return status;
}


// the name of a curve, or a path by type
static artStatus read_path(modelReader *reader, const yamlNode *node, artPathDef *path)
{
  if (node->kind == NODE_SCALAR) return reader_read_text(reader, node, &path->curve);
  int type = 0;
  const artStatus status = reader_choose_form(reader, field_forms_path, node, &type);
  path->type = (artPathType) (ART_PATH_LANE_CHANGE + type);
  return status ? status : reader_read_form(reader, field_forms_path[type], node, path);
}


//---- formulas ------------------------------------------------------------------------------------

artStatus reader_read_formula(modelReader *reader, const yamlNode *node, baseDimension expected,
                              const char **text, artPlace *place)
{
  *place = node->place;
  if (node->kind == NODE_SCALAR && node->length > 0) {
    *text = formula_text(node, place);
    if (*text) return ART_OK;
  }
  double value = 0;
  baseDimension found = UNIT_NUMBER;
  const artStatus status = reader_read_number(reader, node, expected, &value, &found);
  if (status) return status;
  // where any unit goes, its own stays: the kind knows which one it wants
  char unit[UNIT_NAME_LENGTH];
  *text = expected.any && !unit_agree(found, UNIT_NUMBER)
              ? arena_format(&reader->arena, "%.17g[%s]", value, unit_name(found, unit))
              : arena_format(&reader->arena, "%.17g", value);
  return *text ? ART_OK : base_no_memory(reader->error);
}


// the dimension of a key's value in the item that is being read
static baseDimension expected_of(const modelReader *reader, keyQuantity quantity)
{
  if (quantity == Q_OWN) return reader->unit;
  if (quantity == Q_OWN_RATE) return unit_product(reader->unit, UNIT_TIME, -1);
  return field_dimension(quantity, reader->axis);
}


static artStatus read_formula_key(modelReader *reader, const fieldKey *key, const yamlNode *node,
                                  const char **text)
{
  artPlace place;
  const baseDimension expected = expected_of(reader, key->quantity);
  const artStatus status = reader_read_formula(reader, node, expected, text, &place);
  return status ? status : builder_mark(reader->builder, key->mark ? key->mark : key->name, place);
}


// one formula, or a list of them
static artStatus read_some_formulas(modelReader *reader, const fieldKey *key, const yamlNode *node,
                                    artNames *texts)
{
  const int is_list = node->kind == NODE_SEQUENCE, n = is_list ? node->count : 1;
  if (is_list && n < 1) return reader_wrong_shape(reader, node, "a formula or a list of formulas");
  const char **own = arena_alloc(&reader->arena, (size_t) n, sizeof *own);
  if (!own) return base_no_memory(reader->error);
  *texts = (artNames){n, own};
  const char *name = key->mark ? key->mark : key->name;
  artStatus status = builder_mark(reader->builder, name, node->place);
  const yamlNode *item = is_list ? node->first : node;
  for (int i = 0; i < n && !status; i++, item = item->next) {
    artPlace place;
    char mark[40];
    snprintf(mark, sizeof mark, "%s%d", name, i);
    const double none = key->may_be_infinite ? infinite_limit(item) : 0;
    if (none != 0) {
      own[i] = none > 0 ? "inf" : "-inf";
      continue;
    }
    status = reader_read_formula(reader, item, expected_of(reader, key->quantity), &own[i], &place);
    if (!status) status = builder_mark(reader->builder, mark, place);
  }
  return status;
}


static artStatus read_formulas(modelReader *reader, const fieldKey *key, const yamlNode *node,
                               const char *text[3])
{
  static const char *const marks[3] = {"components0", "components1", "components2"};
  if (node->kind != NODE_SEQUENCE || node->count != 3) {
    return reader_wrong_shape(reader, node, "a list of 3 components");
  }
  artStatus status = builder_mark(reader->builder, key->mark, node->place);
  int i = 0;
  for (const yamlNode *item = node->first; item && !status; item = item->next, i++) {
    artPlace place;
    const baseDimension expected = field_dimension(key->quantity, reader->axis);
    status = reader_read_formula(reader, item, expected, &text[i], &place);
    if (!status) status = builder_mark(reader->builder, marks[i], place);
  }
  return status;
}


//---- lists ---------------------------------------------------------------------------------------

static artStatus read_numbers(modelReader *reader, const yamlNode *node, baseDimension expected,
                              artNumbers *list)
{
  if (node->kind != NODE_SEQUENCE || node->count < 1) {
    return reader_wrong_shape(reader, node, "a list of numbers");
  }
  double *values = arena_alloc(&reader->scratch, (size_t) node->count, sizeof *values);
  if (!values) return base_no_memory(reader->error);
  *list = (artNumbers){node->count, values};
  return reader_read_vector(reader, node, expected, node->count, values);
}


// one number, or a list of them
static artStatus read_some_numbers(modelReader *reader, const yamlNode *node,
                                   baseDimension expected, artNumbers *list)
{
  if (node->kind == NODE_SEQUENCE) return read_numbers(reader, node, expected, list);
  double *value = arena_alloc(&reader->scratch, 1, sizeof *value);
  if (!value) return base_no_memory(reader->error);
  *list = (artNumbers){1, value};
  return reader_read_number(reader, node, expected, value, NULL);
}


// the unit of an item, for the numbers that follow
static artStatus read_unit(modelReader *reader, const yamlNode *node, const char **text)
{
  baseUnit unit;
  artStatus status = reader_read_text(reader, node, text);
  if (!status) status = unit_parse(&unit, *text, node->place, reader->error);
  if (!status) reader->unit = unit.dimension;
  return status;
}


// a list whose items are all of one kind, for its section to read
static artStatus check_list(modelReader *reader, const yamlNode *node, yamlKind kind,
                            const char *expected, const yamlNode **list)
{
  if (node->kind != NODE_SEQUENCE || node->count < 1)
    return reader_wrong_shape(reader, node, expected);
  for (const yamlNode *item = node->first; item; item = item->next) {
    if (item->kind != kind) return reader_wrong_shape(reader, item, expected);
  }
  *list = node;
  return ART_OK;
}


artStatus reader_read_texts(modelReader *reader, const yamlNode *node, artNames *names)
{
  const char **list = arena_alloc(&reader->arena, (size_t) node->count, sizeof *list);
  if (!list) return base_no_memory(reader->error);
  *names = (artNames){0, list};
  artStatus status = ART_OK;
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    status = reader_read_text(reader, item, &list[names->count++]);
  }
  return status;
}


static artStatus read_count(modelReader *reader, const yamlNode *node, baseDimension expected,
                            int *count)
{
  double number = 0;
  const artStatus status = reader_read_number(reader, node, expected, &number, NULL);
  if (status != ART_OK) return status;
  if (number != floor(number) || fabs(number) > 1e6) {
    return READER_FAIL(reader, node->place, "found %g, expected a whole number up to a million",
                       number);
  }
  *count = (int) number;
  return ART_OK;
}


// coordinates in a list, each marked for the builder by its name; the definition has no factors
static artStatus read_list(modelReader *reader, const yamlNode *node, void *field)
{
  const char **coordinate = arena_alloc(&reader->arena, (size_t) node->count, sizeof *coordinate);
  if (!coordinate) return base_no_memory(reader->error);
  fieldTerms list = {.coordinate = coordinate};
  artStatus status = check_list(reader, node, NODE_SCALAR, "a list of names", &node);
  for (const yamlNode *name = node->first; name && !status; name = name->next) {
    coordinate[list.n++] = name->text;
    status = builder_mark(reader->builder, name->text, name->place);
  }
  memcpy(field, &list, offsetof(fieldTerms, coefficient));
  return status;
}


static artStatus read_row(modelReader *reader, const fieldKey *key, const yamlNode *node,
                          baseDimension expected, double *x)
{
  if (node->kind != NODE_SEQUENCE) return reader_wrong_shape(reader, node, "a list of numbers");
  if (node->count != key->count) {
    return READER_FAIL(reader, node->place, "'%s' has %d number%s, expected %d", key->name,
                       node->count, node->count == 1 ? "" : "s", key->count);
  }
  artStatus status = ART_OK;
  for (const yamlNode *item = node->first; item && !status; item = item->next, x++) {
    *x = key->may_be_infinite ? infinite_limit(item) : 0;
    if (*x == 0) status = reader_read_number(reader, item, expected, x, NULL);
  }
  return status;
}


//---- roads made of others ------------------------------------------------------------------------

static artStatus read_part(modelReader *reader, const yamlNode *node, const artRoad **road)
{
  const char *name = NULL;
  const artStatus status = reader_read_text(reader, node, &name);
  if (status) return status;
  *road = builder_find_road(reader->builder, name);
  if (*road) return ART_OK;
  return READER_FAIL(reader, node->place, "'%.60s' is no road that stands before this one", name);
}


static artStatus read_parts(modelReader *reader, const yamlNode *node, artSumRoad *sum)
{
  artStatus status = check_list(reader, node, NODE_SCALAR, "a list of names", &node);
  if (status) return status;
  const artRoad **parts = arena_alloc(&reader->arena, (size_t) node->count, sizeof *parts);
  if (!parts) return base_no_memory(reader->error);
  sum->parts = parts;
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    status = read_part(reader, item, &parts[sum->count++]);
  }
  return status;
}


static artStatus read_tracks(modelReader *reader, const yamlNode *node, artTracksRoad *road)
{
  artStatus status = check_list(reader, node, NODE_MAPPING, "a list of mappings", &node);
  if (status) return status;
  artRoadTrack *tracks = arena_alloc(&reader->arena, (size_t) node->count, sizeof *tracks);
  if (!tracks) return base_no_memory(reader->error);
  road->tracks = tracks;
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    artRoadTrack *track = &tracks[road->count++];
    field_set_defaults(&reader_form_track, track);
    status = reader_read_form(reader, &reader_form_track, item, track);
  }
  return status;
}


//---- colours -------------------------------------------------------------------------------------

static artStatus read_colour(modelReader *reader, const yamlNode *node, int *colour)
{
  static const struct {
    const char *word;
    int colour;
  } words[] = {{"white", 0xf2f2f0}, {"silver", 0xc3c7cc}, {"grey", 0x8a8f98},   {"black", 0x26272b},
               {"red", 0xc23b34},   {"orange", 0xe0822c}, {"yellow", 0xe3b92f}, {"green", 0x3d9157},
               {"blue", 0x2f6fbf},  {"navy", 0x2a3f66},   {"brown", 0x7a5a3f}};
  const char *text = NULL;
  const artStatus status = reader_read_text(reader, node, &text);
  if (status) return status;
  baseNearest nearest = {.word = text};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    *colour = words[k].colour;
    if (strcmp(words[k].word, text) == 0) return ART_OK;
    base_consider(&nearest, words[k].word);
  }
  if (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
    *colour = (int) strtol(text + 1, NULL, 16);
    return ART_OK;
  }
  char hint[BASE_HINT_LENGTH];
  return READER_FAIL(
      reader, node->place,
      "'%.60s' is no colour%s; expected \"#rrggbb\" with six hexadecimal digits, or a "
      "word such as red",
      text, base_hint(&nearest, hint));
}


//---- all together --------------------------------------------------------------------------------

// a number of an item that says no unit of its own, and takes it from what it reads
static artStatus check_own_unit(modelReader *reader, const fieldKey *key, const yamlNode *node,
                                baseDimension found)
{
  if (key->quantity != Q_OWN || !reader->unit.any || unit_agree(found, UNIT_NUMBER)) return ART_OK;
  char has[UNIT_NAME_LENGTH], name[UNIT_NAME_LENGTH];
  return READER_FAIL(
      reader, node->place,
      "'%s' is %s, and there is no 'unit' to check it by; add 'unit: %s', or write a "
      "plain number, which is in SI",
      key->name, unit_describe(found, has), unit_name(found, name));
}


// zero is no number for keys whose absence it means
static artStatus read_number(modelReader *reader, const fieldKey *key, const yamlNode *node,
                             baseDimension expected, double *number)
{
  const double none = key->may_be_infinite ? infinite_limit(node) : 0;
  if (none != 0) {
    *number = none;
    return ART_OK;
  }
  baseDimension found = UNIT_ANY;
  artStatus status = reader_read_number(reader, node, expected, number, &found);
  if (status == ART_OK) status = check_own_unit(reader, key, node, found);
  if (status != ART_OK || !key->above_zero || *number != 0) return status;
  return READER_FAIL(reader, node->place,
                     "'%s' is %g, expected more than 0; without it the default holds: %s",
                     key->name, *number, key->fallback ? key->fallback : "none");
}


// a whole number up to a limit
static artStatus read_whole(modelReader *reader, const fieldKey *key, const yamlNode *node,
                            double most, double *x)
{
  const artStatus status = read_number(reader, key, node, UNIT_NUMBER, x);
  if (status || (*x == floor(*x) && *x >= 0 && *x <= most)) return status;
  return READER_FAIL(reader, node->place, "'%s' is %g, expected a whole number from 0 to %g",
                     key->name, *x, most);
}


static artStatus read_letter(modelReader *reader, const fieldKey *key, const yamlNode *node,
                             char *letter)
{
  const char *text = NULL;
  const artStatus status = reader_read_text(reader, node, &text);
  if (status) return status;
  *letter = text[0];
  if (text[1] == '\0') return ART_OK;
  return READER_FAIL(reader, node->place, "'%s' is '%.20s', expected a letter from A to H",
                     key->name, text);
}


artStatus reader_read_value(modelReader *reader, const fieldKey *key, const yamlNode *node,
                            void *record)
{
  const baseDimension expected = expected_of(reader, key->quantity);
  void *field = record ? (char *) record + key->offset : NULL;
  artStatus status = ART_OK;
  double number = 0;
  int way = 0;
  fieldTerms terms = {0};
  fieldRows rows = {0};
  artNumbers numbers = {0};
  switch (key->type) {
  case KEY_NUMBER: return read_number(reader, key, node, expected, field);
  case KEY_VECTOR: return reader_read_vector(reader, node, expected, 3, field);
  case KEY_TENSOR: return read_tensor(reader, node, expected, field);
  case KEY_AXIS: return read_axis(reader, node, field);
  case KEY_AXES: return read_axes(reader, node, field);
  case KEY_ORIENTATION: return reader_read_orientation(reader, node, field);
  case KEY_TEXT:
  case KEY_ROAD:
  case KEY_TYRE: return reader_read_text(reader, node, field);
  case KEY_FUNCTION: return reader_read_text(reader, node, &((artCallDef *) field)->name);
  case KEY_FLAG:
    *(int *) field = node->kind == NODE_SCALAR && strcmp(node->text, "true") == 0;
    if (*(int *) field || (node->kind == NODE_SCALAR && strcmp(node->text, "false") == 0)) {
      return ART_OK;
    }
    return reader_wrong_shape(reader, node, "true or false");
  case KEY_CHOICE: return read_choice(reader, key, node, field);
  case KEY_METHOD:
    status = read_choice(reader, key, node, &way);
    if (!status) model_split_way(way, field, (void *) ((char *) record + key->beside));
    return status;
  case KEY_REFERENCE: return read_reference(reader, node, field);
  case KEY_WHOLE:
    status = read_whole(reader, key, node, 1e9, &number);
    *(int *) field = (int) number;
    return status;
  case KEY_SEED:
    status = read_whole(reader, key, node, 0x1p53, &number);
    *(unsigned long long *) field = (unsigned long long) number;
    return status;
  case KEY_LETTER: return read_letter(reader, key, node, field);
  case KEY_COLOUR: return read_colour(reader, node, field);
  case KEY_END: return read_end(reader, node, field, (void *) ((char *) record + key->beside));
  case KEY_BETWEEN: return read_between(reader, node, field);
  case KEY_THROUGH: return read_through(reader, node, field);
  case KEY_COORDINATE: return read_coordinate(reader, node, field);
  case KEY_COORDINATES: return read_coordinates(reader, node, field);
  case KEY_TERM:
  case KEY_TERMS:
  case KEY_COMBINATION:
    status = key->type == KEY_TERM ? read_term(reader, node, &terms)
                                   : read_terms(reader, node, key->type == KEY_COMBINATION, &terms);
    memcpy(field, &terms, sizeof terms);
    return status;
  case KEY_LIST: return read_list(reader, node, field);
  case KEY_ALONG: // the first of them stands for all in the definition
    status = read_terms(reader, node, true, &reader->along);
    if (!status) *(const char **) field = reader->along.coordinate[0];
    return status;
  case KEY_COEFFICIENT:
    ((artLawDef *) field)->type = ART_LAW_LINEAR;
    return reader_read_number(reader, node, expected, &((artLawDef *) field)->coefficient, NULL);
  case KEY_LAW: return reader_read_law(reader, key, node, field);
  case KEY_SIX: return reader_read_six(reader, node, field);
  case KEY_SIX_BY_SIX: return reader_read_six_by_six(reader, key, node, field);
  case KEY_SIX_LAWS: return reader_read_six_laws(reader, key, node, field);
  case KEY_STOPS: return reader_read_form(reader, &field_form_stops, node, field);
  case KEY_FORMULA: return read_formula_key(reader, key, node, field);
  case KEY_SOME_FORMULAS: return read_some_formulas(reader, key, node, field);
  case KEY_SOME_NUMBERS: return read_some_numbers(reader, node, expected, field);
  case KEY_UNIT: return read_unit(reader, node, field);
  case KEY_FORMULAS: return read_formulas(reader, key, node, field);
  case KEY_TABLE:
  case KEY_PROFILE:
    status = reader_read_rows(reader, node, key->type == KEY_TABLE ? UNIT_TIME : UNIT_LENGTH,
                              expected, &rows);
    memcpy(field, &rows, sizeof rows);
    return status;
  case KEY_PATH: return read_path(reader, node, field);
  case KEY_COUNT: return read_count(reader, node, expected, field);
  case KEY_NUMBERS: return read_numbers(reader, node, expected, field);
  case KEY_ARGUMENTS:
    status = read_numbers(reader, node, expected, &numbers);
    ((artCallDef *) field)->n = numbers.count;
    ((artCallDef *) field)->parameter = numbers.value;
    return status;
  case KEY_NAMES: return check_list(reader, node, NODE_SCALAR, "a list of names", field);
  case KEY_NAME_LIST:
    status = check_list(reader, node, NODE_SCALAR, "a list of names", &node);
    return status ? status : reader_read_texts(reader, node, field);
  case KEY_MOTION: return reader_read_motion(reader, node, field);
  case KEY_ACTUATORS: return reader_read_actuators(reader, node, field);
  case KEY_INDEPENDENT: return reader_read_independent(reader, node, field);
  case KEY_ROW: return read_row(reader, key, node, expected, field);
  case KEY_PART: return read_part(reader, node, field);
  case KEY_PARTS: return read_parts(reader, node, record);
  case KEY_TRACKS: return read_tracks(reader, node, record);
  case KEY_POINTS:
  case KEY_FRAMES:
  case KEY_VISUAL:
  case KEY_INERTIA:
  case KEY_SOLID:
  case KEY_DESIGN: return ART_OK; // read by the section itself, as the next ones
  case KEY_VALUE:
  case KEY_BOUNDS:
  case KEY_PARAMETERS:
  case KEY_RENAMES:
    // read by the section itself, when it knows what they belong to
    *(const yamlNode **) field = node;
    return ART_OK;
  case KEY_TYPES: break;
  }
  ART_ASSERT(key->type < KEY_TYPES);
  return ART_BAD_INPUT;
}
