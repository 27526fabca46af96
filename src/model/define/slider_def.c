// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sliders of live pages: the parameters and inputs that readers of a page are to change.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"

typedef struct sliderItem {
  const char *name, *title, *group;
  const yamlNode *range;
} sliderItem;

// clang-format off
#define AT(field) offsetof(sliderItem, field)
static const fieldKey slider_keys[] = {
    {"name", KEY_TEXT, .need = REQUIRED, .offset = AT(name), .help = "a parameter, also of an included file (`front/k`), or an input"},
    {"title", KEY_TEXT, .offset = AT(title), .fallback = "its help, else its name", .help = "what the page calls it"},
    {"group", KEY_TEXT, .offset = AT(group), .fallback = "none", .help = "the heading under which it is"},
    {"range", KEY_BOUNDS, Q_OWN, .offset = AT(range), .fallback = "its limits",
     .help = "least and largest value of the slider; by default from a tenth of the value to twice the value"},
    {0}};
#undef AT
// clang-format on
const fieldForm reader_form_slider = {.name = "slider", .keys = slider_keys, .is_part = true};


// the parameter of a file, or of one that it includes, with its prefix in front
static const readerParameter *find_parameter(const readerFile *file, const char *name)
{
  const size_t n = strlen(file->prefix);
  const char *own = n == 0 ? name : NULL;
  if (n > 0 && strncmp(name, file->prefix, n) == 0 && name[n] == '/') own = name + n + 1;
  const readerParameter *found = own ? reader_find_parameter(file, own) : NULL;
  for (const readerFile *part = file->first; part && !found; part = part->next) {
    found = find_parameter(part, name);
  }
  return found;
}


static void consider_parameters(const readerFile *file, baseNearest *nearest, baseArena *arena)
{
  const char *gap = file->prefix[0] ? "/" : "";
  for (int i = 0; i < file->nparameter; i++) {
    base_consider(nearest,
                  arena_format(arena, "%s%s%s", file->prefix, gap, file->parameter[i].name));
  }
  for (const readerFile *part = file->first; part; part = part->next) {
    consider_parameters(part, nearest, arena);
  }
}


static const inputRecord *find_input(const artBuilder *b, const char *name)
{
  for (int i = 0; i < b->inputs.count; i++) {
    const inputRecord *input = RECORD(b->inputs, inputRecord, i);
    if (strcmp(input->def.name, name) == 0) return input;
  }
  return NULL;
}


_Noreturn static void refuse_unknown(modelReader *reader, const sliderItem *item, artPlace place)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = item->name};
  reader_pass(reader, item->name);
  consider_parameters(reader->file, &nearest, &reader->arena);
  for (int i = 0; i < reader->builder->inputs.count; i++) {
    base_consider(&nearest, RECORD(reader->builder->inputs, inputRecord, i)->def.name);
  }
  error_refuse(place, "'%.60s' has no slider: there is no parameter or input of that name%s",
               item->name, base_hint(&nearest, hint));
}


static void read_range(modelReader *reader, const sliderItem *item, baseDimension dimension,
                       double range[2])
{
  range[0] = -HUGE_VAL;
  range[1] = HUGE_VAL;
  if (!item->range) return;
  reader_read_limits(reader, item->range, dimension, range);
  for (int k = 0; k < 2; k++) live_forget(reader->builder, &range[k]);
  if (range[0] < range[1]) return;
  error_refuse(item->range->place,
               "the slider of '%s' goes from %.9g to %.9g, expected the least value before the "
               "largest",
               item->name, range[0], range[1]);
}


static void read_slider(modelReader *reader, const yamlNode *node, void *out)
{
  (void) out;
  sliderItem item = {0};
  artPlace place = node->place;
  double range[2];
  if (node->kind == NODE_SCALAR) {
    item.name = node->text;
  } else {
    reader_read_form(reader, &reader_form_slider, node, &item);
    place = yaml_find(node, "name")->place;
  }
  const readerParameter *parameter = find_parameter(reader->file, item.name);
  const inputRecord *input = parameter ? NULL : find_input(reader->builder, item.name);
  if (!parameter && !input) refuse_unknown(reader, &item, place);
  if (parameter && parameter->source.text) {
    error_refuse(
        place, "'%s' has no slider: it is the formula '=%s' of other parameters; name one of these",
        item.name, parameter->source.text);
  }
  read_range(reader, &item, parameter ? parameter->dimension : UNIT_ANY, range);
  reader_built(reader,
               builder_add_slider(reader->builder, item.name, item.title, item.group, range));
}


void reader_read_live(modelReader *reader, const yamlNode *section)
{
  if (section->kind != NODE_SEQUENCE) {
    reader_wrong_shape(section, "a list of parameters and inputs, like [mass, stiffness]");
  }
  for (const yamlNode *item = section->first; item; item = item->next) {
    reader_try(reader, item, read_slider, NULL);
  }
}
