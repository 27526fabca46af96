// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mutants of model files.
#include "support/mutate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

typedef struct mutator {
  yamlNode *model;
  const yamlNode *donor;
  uint64_t *seed;
  baseArena *arena;
} mutator;


//---- nodes ---------------------------------------------------------------------------------------

static yamlNode *nth(const yamlNode *parent, int k)
{
  yamlNode *child = parent ? parent->first : NULL;
  while (child && k-- > 0) child = child->next;
  return child;
}


static yamlNode *any_child(const yamlNode *parent, uint64_t *seed)
{
  return parent && parent->count > 0 ? nth(parent, check_pick(seed, parent->count)) : NULL;
}


static void set_text(mutator *m, yamlNode *node, const char *text)
{
  node->kind = NODE_SCALAR, node->first = NULL, node->count = 0;
  node->text = arena_text(m->arena, text), node->length = strlen(text);
}


static void remove_child(yamlNode *parent, const yamlNode *child)
{
  for (yamlNode **at = &parent->first; *at; at = &(*at)->next) {
    if (*at != child) continue;
    *at = child->next;
    parent->count--;
    return;
  }
}


static void append(yamlNode *parent, yamlNode *child)
{
  yamlNode **at = &parent->first;
  while (*at) at = &(*at)->next;
  *at = child;
  child->next = NULL;
  parent->count++;
}


static yamlNode *copy(mutator *m, const yamlNode *node)
{
  yamlNode *own = arena_alloc(m->arena, 1, sizeof *own);
  *own = *node;
  own->first = own->next = NULL;
  own->count = 0;
  for (const yamlNode *child = node->first; child; child = child->next) append(own, copy(m, child));
  return own;
}


// all scalars below a node in turn; returns their number
static int count_scalars(const yamlNode *node, int k, yamlNode **found)
{
  if (node->kind == NODE_SCALAR) {
    if (k == 0) *found = (yamlNode *) node;
    return 1;
  }
  int n = 0;
  for (const yamlNode *child = node->first; child; child = child->next) {
    n += count_scalars(child, k - n, found);
  }
  return n;
}


static yamlNode *any_scalar(mutator *m, const yamlNode *below)
{
  yamlNode *found = NULL;
  const int n = below ? count_scalars(below, -1, &found) : 0;
  if (n > 0) count_scalars(below, check_pick(m->seed, n), &found);
  return found;
}


//---- sections ------------------------------------------------------------------------------------

// a mapping of elements by name, of the model or of the donor
static yamlNode *section(const yamlNode *model, const char *key)
{
  yamlNode *found = yaml_find(model, key);
  return found && found->kind == NODE_MAPPING ? found : NULL;
}


static yamlNode *any_section(mutator *m)
{
  static const char *const keys[] = {"bodies",     "joints", "forces",  "forces",
                                     "forces",     "drives", "initial", "outputs",
                                     "parameters", "joints", "curves",  "couplings"};
  return section(m->model, keys[check_pick(m->seed, sizeof keys / sizeof *keys)]);
}


// the name of an element of a section, or ground
static const char *any_name(mutator *m, const char *key)
{
  const yamlNode *child = any_child(section(m->model, key), m->seed);
  return child && check_pick(m->seed, 5) > 0 ? child->key : "ground";
}


//---- changes -------------------------------------------------------------------------------------

// a number with its unit, "3.5 kN/m"; NULL where the scalar is none
static const char *unit_of(const yamlNode *node, double *value)
{
  char *end;
  if (!node || !node->text || node->kind != NODE_SCALAR) return NULL;
  *value = strtod(node->text, &end);
  return end == node->text || isalpha((unsigned char) node->text[0]) ? NULL : end;
}


static yamlNode *any_number(mutator *m)
{
  double value;
  for (int trial = 0; trial < 20; trial++) {
    yamlNode *node = any_scalar(m, check_pick(m->seed, 3) ? any_section(m) : m->model);
    if (unit_of(node, &value)) return node;
  }
  return NULL;
}


static void set_number(mutator *m, yamlNode *node, double value)
{
  double old;
  char text[256];
  const char *unit = unit_of(node, &old);
  snprintf(text, sizeof text, "%.9g%.200s", value, unit ? unit : "");
  set_text(m, node, text);
}


static void scale_number(mutator *m)
{
  static const double factors[] = {0.5, 0.9, 0.99, 1.01, 1.1, 2, 3, -1, 10, 0.1, 1e-3, 1e3};
  yamlNode *node = any_number(m);
  double value = 0;
  if (!node) return;
  (void) unit_of(node, &value);
  set_number(m, node, value * factors[check_pick(m->seed, sizeof factors / sizeof *factors)]);
}


static void take_extreme(mutator *m)
{
  // clang-format off
  static const double values[] = {
      0, -0.0, 1, -1, 1e-12, 1e-6, 1e6, 1e9, 1e12, 1e15, 1e100, -1e100, 1e300, -1e-300, 5e-324,
      1e17, 2e-16, 3.141592653589793, 1.5707963267948966, 2147483648.0};
  // clang-format on
  yamlNode *node = any_number(m);
  if (node) set_number(m, node, values[check_pick(m->seed, sizeof values / sizeof *values)]);
}


// the same number in another unit of its kind is another value
static void change_unit(mutator *m)
{
  static const char *const units[][2] = {
      {"mm", "m"}, {"m", "mm"}, {"kg", "g"}, {"g", "kg"}, {"deg", "rad"},  {"rad", "deg"},
      {"N", "kN"}, {"kN", "N"}, {"s", "ms"}, {"cm", "m"}, {"km/h", "m/s"}, {"m/s", "km/h"}};
  for (int trial = 0; trial < 10; trial++) {
    yamlNode *node = any_number(m);
    double value;
    const char *unit = unit_of(node, &value);
    if (!unit) return;
    unit += strspn(unit, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
      char text[64];
      if (strcmp(unit, units[i][0]) != 0) continue;
      snprintf(text, sizeof text, "%.9g %s", value, units[i][1]);
      set_text(m, node, text);
      return;
    }
  }
}


static void change_type(mutator *m)
{
  static const char *const types[] = {"fixed",       "revolute", "revolute",  "prismatic", "screw",
                                      "cylindrical", "planar",   "universal", "spherical", "free"};
  yamlNode *joint = any_child(section(m->model, "joints"), m->seed);
  yamlNode *type = joint && joint->kind == NODE_MAPPING ? yaml_find(joint, "type") : NULL;
  if (!type) return;
  const char *chosen = types[check_pick(m->seed, sizeof types / sizeof *types)];
  const int has_axis =
      strcmp(chosen, "spherical") && strcmp(chosen, "free") && strcmp(chosen, "fixed");
  set_text(m, type, chosen);
  yamlNode *axis = yaml_find(joint, "axis");
  if (axis && !has_axis) remove_child(joint, axis);
}


static void change_reference(mutator *m)
{
  static const char *const keys[] = {"from", "to", "on", "wheel"};
  const yamlNode *element =
      any_child(section(m->model, check_pick(m->seed, 2) ? "forces" : "joints"), m->seed);
  if (!element || element->kind != NODE_MAPPING) return;
  yamlNode *end = yaml_find(element, keys[check_pick(m->seed, sizeof keys / sizeof *keys)]);
  if (end && end->kind == NODE_SCALAR) set_text(m, end, any_name(m, "bodies"));
}


static void change_axis(mutator *m)
{
  static const char *const axes[] = {"x", "y", "z", "-x", "-y", "-z"};
  const yamlNode *joint = any_child(section(m->model, "joints"), m->seed);
  yamlNode *axis = joint && joint->kind == NODE_MAPPING ? yaml_find(joint, "axis") : NULL;
  if (axis) set_text(m, axis, axes[check_pick(m->seed, sizeof axes / sizeof *axes)]);
}


// two items of a list change places
static void swap_items(mutator *m)
{
  for (int trial = 0; trial < 10; trial++) {
    const yamlNode *element = any_child(any_section(m), m->seed);
    const yamlNode *list = any_child(element, m->seed);
    if (!list || list->kind != NODE_SEQUENCE || list->count < 2) continue;
    yamlNode *a = any_child(list, m->seed), *b = any_child(list, m->seed), *next = a->next;
    if (a->kind != NODE_SCALAR || b->kind != NODE_SCALAR) return;
    const yamlNode kept = *a;
    a->text = b->text, a->length = b->length;
    b->text = kept.text, b->length = kept.length;
    a->next = next;
    return;
  }
}


static void drop_element(mutator *m)
{
  yamlNode *group = any_section(m);
  if (group && group->count > 1) remove_child(group, any_child(group, m->seed));
}


// a key of an element, so that its default stands
static void drop_key(mutator *m)
{
  yamlNode *element = any_child(any_section(m), m->seed);
  if (element && element->kind == NODE_MAPPING) remove_child(element, any_child(element, m->seed));
}


static void add_under_new_name(mutator *m, yamlNode *group, const yamlNode *element)
{
  char name[160];
  yamlNode *own = copy(m, element);
  snprintf(name, sizeof name, "%.100s_%d", element->key, check_pick(m->seed, 100000));
  own->key = arena_text(m->arena, name);
  append(group, own);
}


static void double_element(mutator *m)
{
  yamlNode *group = section(m->model, check_pick(m->seed, 3) ? "forces" : "joints");
  const yamlNode *element = any_child(group, m->seed);
  if (element) add_under_new_name(m, group, element);
}


// references of an element of another model to things of this one
static void adopt(mutator *m, yamlNode *element)
{
  static const char *const bodies[] = {"from", "to", "on", "wheel"};
  if (element->kind != NODE_MAPPING) return;
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    yamlNode *end = yaml_find(element, bodies[i]);
    if (end) set_text(m, end, any_name(m, "bodies"));
  }
  yamlNode *coordinate = yaml_find(element, "coordinate");
  if (coordinate) set_text(m, coordinate, any_name(m, "joints"));
}


static void splice_force(mutator *m)
{
  yamlNode *group = section(m->model, "forces");
  const yamlNode *element = any_child(section(m->donor, "forces"), m->seed);
  if (!element || element->kind != NODE_MAPPING) return;
  if (!group && !yaml_find(m->model, "forces")) {
    group = arena_alloc(m->arena, 1, sizeof *group);
    *group = (yamlNode){.kind = NODE_MAPPING, .key = "forces"};
    append(m->model, group);
  }
  if (!group) return;
  yamlNode *own = copy(m, element);
  adopt(m, own);
  add_under_new_name(m, group, own);
}


// a body of another model on a new joint
static void splice_body(mutator *m)
{
  yamlNode *bodies = section(m->model, "bodies"), *joints = section(m->model, "joints");
  const yamlNode *body = any_child(section(m->donor, "bodies"), m->seed);
  const yamlNode *joint = any_child(section(m->donor, "joints"), m->seed);
  if (!bodies || !joints || !body || !joint || joint->kind != NODE_MAPPING) return;
  const char *carrier = any_name(m, "bodies");
  add_under_new_name(m, bodies, body);
  const yamlNode *added = nth(bodies, bodies->count - 1);
  yamlNode *own = copy(m, joint);
  yamlNode *from = yaml_find(own, "from"), *to = yaml_find(own, "to");
  if (from) set_text(m, from, carrier);
  if (to) set_text(m, to, added->key);
  add_under_new_name(m, joints, own);
}


void mutate_model(yamlNode *model, const yamlNode *donor, uint64_t *seed, baseArena *arena)
{
  static void (*const change[])(mutator *) = {
      scale_number, scale_number,     scale_number, scale_number,  take_extreme, change_unit,
      change_type,  change_reference, change_axis,  swap_items,    drop_element, drop_key,
      splice_force, splice_force,     splice_body,  double_element};
  mutator m = {model, donor, seed, arena};
  if (model->kind != NODE_MAPPING) return;
  for (int n = 1 + check_pick(seed, 4); n > 0; n--)
    change[check_pick(seed, sizeof change / sizeof *change)](&m);
}


//---- text ----------------------------------------------------------------------------------------

static void write_scalar(FILE *out, const char *text)
{
  fputc('"', out);
  for (const char *c = text ? text : ""; *c; c++) {
    if (*c == '"' || *c == '\\') fputc('\\', out);
    if (*c == '\n') {
      fputs("\\n", out);
    } else {
      fputc(*c, out);
    }
  }
  fputc('"', out);
}


static void write_flow(FILE *out, const yamlNode *node)
{
  if (node->kind == NODE_SCALAR) {
    write_scalar(out, node->text);
  } else {
    const int is_mapping = node->kind == NODE_MAPPING;
    fputc(is_mapping ? '{' : '[', out);
    for (const yamlNode *child = node->first; child; child = child->next) {
      if (is_mapping) write_scalar(out, child->key), fputs(": ", out);
      write_flow(out, child);
      if (child->next) fputs(", ", out);
    }
    fputc(is_mapping ? '}' : ']', out);
  }
}


char *mutate_write(const yamlNode *model)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (const yamlNode *group = model->first; group; group = group->next) {
    write_scalar(out, group->key);
    fputc(':', out);
    if (group->kind == NODE_MAPPING && group->count > 0) {
      fputc('\n', out);
      for (const yamlNode *element = group->first; element; element = element->next) {
        fputs("  ", out);
        write_scalar(out, element->key);
        fputs(": ", out);
        write_flow(out, element);
        fputc('\n', out);
      }
    } else {
      fputc(' ', out);
      write_flow(out, group);
      fputc('\n', out);
    }
  }
  fclose(out);
  return text;
}


int mutate_drop_line(yamlNode *model, int line)
{
  int at = 0;
  for (yamlNode *group = model->first; group; group = group->next) {
    at++;
    if (group->kind != NODE_MAPPING || group->count == 0) {
      if (at != line || strcmp(group->key, "articula") == 0) continue;
      remove_child(model, group);
      return 1;
    }
    for (yamlNode *element = group->first; element; element = element->next) {
      if (++at != line) continue;
      remove_child(group, element);
      return 1;
    }
  }
  return 0;
}
