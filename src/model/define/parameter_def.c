// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A parameter with more than its number: unit, limits and a word on what it is.
#include "model/parameter/live.h"
#include "model/read/reader.h"

typedef struct parameterItem {
  const yamlNode *value, *limits;
  const char *unit, *help;
} parameterItem;

// clang-format off
#define AT(field) offsetof(parameterItem, field)
static const fieldKey parameter_keys[] = {
    {"value", KEY_VALUE, Q_OWN, .offset = AT(value), .fallback = "given where the file is included",
     .help = "a number, or a formula of other parameters"},
    {"unit", KEY_UNIT, .offset = AT(unit), .fallback = "that of the value", .help = "of its value, in SI"},
    {"limits", KEY_BOUNDS, Q_OWN, .offset = AT(limits), .fallback = "none",
     .help = "least and largest value that it may have"},
    {"help", KEY_TEXT, .offset = AT(help), .fallback = "none", .help = "what it is, in words"},
    {0}};
#undef AT
// clang-format on
const fieldForm reader_form_parameter = {
    .name = "parameter", .keys = parameter_keys, .is_part = true};


void reader_read_parameter(modelReader *reader, readerParameter *parameter)
{
  parameterItem item = {0};
  baseUnit unit = {.scale = 1, .factor = 1, .dimension = UNIT_ANY};
  const yamlNode *node = parameter->node;
  reader_read_form(reader, &reader_form_parameter, node, &item);
  if (item.unit) {
    const artPlace place = yaml_find(node, "unit")->place;
    error_check(unit_parse(&unit, item.unit, place, error_current()));
    if (unit_to_si(1, unit) != 1) {
      error_refuse(place,
                   "'%s' is not a unit of SI, in which numbers without a unit are; say '%s' "
                   "here, and write %s after numbers that are in it",
                   item.unit, unit_name(unit.dimension, (char[UNIT_NAME_LENGTH]){0}), item.unit);
    }
  }
  parameter->node = item.value;
  parameter->limits = item.limits;
  parameter->help = item.help;
  parameter->unit = unit.dimension;
}


//---- limits --------------------------------------------------------------------------------------

// a value of the file stands where it does, one from outside nowhere
static void check_parameter_limits(const readerParameter *p)
{
  char unit[UNIT_NAME_LENGTH];
  if (p->value >= p->limit[0] && p->value <= p->limit[1]) return;
  const char *gap = p->dimension.any ? "" : " ";
  const char *name = p->dimension.any ? "" : unit_name(p->dimension, unit);
  error_refuse(p->given.file ? p->given : p->limits->place,
               "parameter '%s' is %.9g%s%s, outside its limits %.9g to %.9g%s%s", p->name, p->value,
               gap, name, p->limit[0], p->limit[1], gap, name);
}


static void read_limits(modelReader *reader, const yamlNode *node, void *out)
{
  (void) node;
  readerParameter *p = out;
  reader_read_limits(reader, p->limits, p->dimension, p->limit);
  for (int k = 0; k < 2; k++) live_forget(reader->builder, &p->limit[k]);
  if (!(p->limit[0] <= p->limit[1])) {
    error_refuse(p->limits->place,
                 "parameter '%s' has the limits %.9g and %.9g, expected the least value before "
                 "the largest",
                 p->name, p->limit[0], p->limit[1]);
  }
  check_parameter_limits(p);
}


void reader_check_limits(modelReader *reader, const yamlNode *section)
{
  (void) section;
  const readerFile *file = reader->file;
  for (int i = 0; i < file->nparameter; i++) {
    readerParameter *p = &file->parameter[i];
    if (!p->limits) continue;
    reader_try(reader, p->limits, read_limits, p);
  }
}
