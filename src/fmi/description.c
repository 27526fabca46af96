// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// modelDescription.xml of versions 2.0 and 3.0.
#include "fmi/description.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"

typedef struct descriptionReader {
  baseArena *arena;
  fmiDescription *d;
} descriptionReader;


static const char *const type_names[2][FMI_TYPE_COUNT] = {
#define TWO(name, three, two)   two,
#define THREE(name, three, two) three,
    {FMI_TYPES(TWO)}, {FMI_TYPES(THREE)}};


int fmi_find_variable(const fmiDescription *d, const char *name)
{
  for (int i = 0; i < d->nvariable; i++) {
    if (strcmp(d->variable[i].name, name) == 0) return i;
  }
  return -1;
}


bool fmi_is_number(const fmiVariable *v)
{
  return !v->is_array && v->type != FMI_STRING && v->type != FMI_BINARY && v->type != FMI_CLOCK;
}

//---- attributes ----------------------------------------------------------------------------------

_Noreturn static void wrong(const xmlNode *node, const char *key, const char *value)
{
  base_refuse(node->place, "'%s' of <%.60s> is '%.60s'", key, node->name, value);
}


const char *fmi_need(xmlNode *node, const char *key)
{
  const char *text = xml_get(node, key);
  if (!text || !*text)
    base_refuse(node->place, "<%.60s> lacks the attribute '%s'", node->name, key);
  return text;
}


static double take_number_attribute(xmlNode *node, const char *key, double otherwise)
{
  const char *text = xml_get(node, key);
  char *end;
  if (!text) return otherwise;
  const double number = format_read(text, &end);
  if (end == text || *end) wrong(node, key, text);
  return number;
}


// a whole number from `least` on
static long long take_whole(xmlNode *node, const char *key, long long least)
{
  const char *text = xml_get(node, key);
  char *end;
  if (!text) text = fmi_need(node, key);
  const long long number = strtoll(text, &end, 10);
  if (end == text || *end || number < least || number > UINT_MAX) wrong(node, key, text);
  return number;
}


static bool is_true(const char *text)
{
  return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}


static bool take_bool(xmlNode *node, const char *key)
{
  return is_true(xml_get(node, key));
}


// which of the words, NULL behind the last; `otherwise` where the attribute is absent
static int take_word_attribute(xmlNode *node, const char *key, const char *const *word,
                               int otherwise)
{
  const char *text = xml_get(node, key);
  if (!text) return otherwise;
  for (int choice = 0; word[choice]; choice++) {
    if (strcmp(word[choice], text) == 0) return choice;
  }
  wrong(node, key, text);
}


static int count_children(const xmlNode *node)
{
  int n = 0;
  for (const xmlNode *child = node ? node->first : NULL; child; child = child->next) n++;
  return n;
}

//---- kinds of units ------------------------------------------------------------------------------

static void read_sources(descriptionReader *r, xmlNode *node, fmiInterface *own)
{
  xmlNode *list = xml_child(node, "SourceFiles");
  const char **name;
  if (!list) return;
  own->source = ARENA_TAKE(r->arena, name, count_children(list));
  for (xmlNode *file = xml_child(list, "File"); file; file = xml_next(file)) {
    name[own->nsource++] = fmi_need(file, "name");
  }
}


static void read_interface(descriptionReader *r, xmlNode *root, const char *name, fmiInterface *own)
{
  xmlNode *node = xml_child(root, name);
  const bool is_new = r->d->version == 3;
  own->fixed_step = NAN;
  if (!node) return;
  own->is_there = true;
  own->needs_tool = take_bool(node, "needsExecutionTool");
  own->can_save = take_bool(node, is_new ? "canGetAndSetFMUState" : "canGetAndSetFMUstate");
  own->can_serialise = take_bool(node, is_new ? "canSerializeFMUState" : "canSerializeFMUstate");
  own->has_directional =
      take_bool(node, is_new ? "providesDirectionalDerivatives" : "providesDirectionalDerivative");
  own->has_adjoint = take_bool(node, "providesAdjointDerivatives");
  own->any_step = take_bool(node, "canHandleVariableCommunicationStepSize");
  own->has_events = is_new && take_bool(node, "hasEventMode");
  own->fixed_step = take_number_attribute(node, "fixedInternalStepSize", NAN);
  own->identifier = fmi_need(node, "modelIdentifier");
  if (strpbrk(own->identifier, "/\\.")) wrong(node, "modelIdentifier", own->identifier);
  read_sources(r, node, own);
}


static void read_experiment(fmiDescription *d, xmlNode *root)
{
  xmlNode *node = xml_child(root, "DefaultExperiment");
  d->from = d->until = d->tolerance = d->step = NAN;
  if (!node) return;
  d->from = take_number_attribute(node, "startTime", NAN);
  d->until = take_number_attribute(node, "stopTime", NAN);
  d->tolerance = take_number_attribute(node, "tolerance", NAN);
  d->step = take_number_attribute(node, "stepSize", NAN);
}

//---- variables -----------------------------------------------------------------------------------

static int find_type(const char *name, int version)
{
  for (int type = 0; type < FMI_TYPE_COUNT; type++) {
    const char *own = type_names[version - 2][type];
    if (own && strcmp(own, name) == 0) return type;
  }
  return -1;
}


// an attribute of a variable, else of the type that it names
static const char *own_or_of_type(xmlNode *root, xmlNode *own, const char *key)
{
  const char *value = xml_get(own, key), *type = xml_get(own, "declaredType");
  xmlNode *list = type && !value ? xml_child(root, "TypeDefinitions") : NULL;
  for (xmlNode *node = list ? list->first : NULL; node; node = node->next) {
    const char *name = xml_get(node, "name");
    if (!name || strcmp(name, type) != 0) continue;
    value = xml_get(node, key);
    return value || !node->first ? value : xml_get(node->first, key);
  }
  return value;
}


// an exponent of a unit, 0 where it is absent
static int take_exponent(xmlNode *node, const char *key)
{
  const double number = take_number_attribute(node, key, 0);
  if (!(fabs(number) <= UNIT_LARGEST) || number != floor(number)) {
    wrong(node, key, xml_get(node, key));
  }
  return (int) number;
}


static fmiMeasure read_base_unit(xmlNode *node)
{
  static const char *const name[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
  int n[7];
  for (int k = 0; k < 7; k++) n[k] = take_exponent(node, name[k]);
  const double factor = take_number_attribute(node, "factor", 1),
               offset = take_number_attribute(node, "offset", 0);
  const fmiMeasure own = {.is_known = true,
                          .dimension = {.kg = (signed char) n[0],
                                        .m = (signed char) n[1],
                                        .s = (signed char) n[2],
                                        .A = (signed char) n[3],
                                        .K = (signed char) n[4]},
                          .mol = n[5],
                          .cd = n[6],
                          .factor = factor,
                          .offset = offset};
  if (!isfinite(factor) || factor == 0) wrong(node, "factor", xml_get(node, "factor"));
  if (!isfinite(offset)) wrong(node, "offset", xml_get(node, "offset"));
  return own;
}


// the definition of a unit by its name; a difference has no offset
static fmiMeasure find_measure(xmlNode *root, const char *unit, bool is_difference)
{
  xmlNode *list = unit ? xml_child(root, "UnitDefinitions") : NULL;
  for (xmlNode *node = list ? xml_child(list, "Unit") : NULL; node; node = xml_next(node)) {
    const char *name = xml_get(node, "name");
    xmlNode *base = xml_child(node, "BaseUnit");
    if (!name || !base || strcmp(name, unit) != 0) continue;
    fmiMeasure own = read_base_unit(base);
    if (is_difference) own.offset = 0;
    return own;
  }
  return (fmiMeasure){0};
}


// defaults of the standard: local, and continuous for numbers with fractions, else discrete; parameters are fixed
static void read_kind(const descriptionReader *r, xmlNode *node, fmiVariable *v)
{
  static const char *const causality[] = {"parameter",
                                          "calculatedParameter",
                                          "structuralParameter",
                                          "input",
                                          "output",
                                          "local",
                                          "independent",
                                          NULL};
  static const char *const variability[] = {"constant", "fixed",      "tunable",
                                            "discrete", "continuous", NULL};
  static const char *const initial[] = {"exact", "approx", "calculated", NULL};
  v->causality = (fmiCausality) take_word_attribute(node, "causality", causality, FMI_LOCAL);
  const bool is_real = v->type == FMI_FLOAT64 || v->type == FMI_FLOAT32;
  const int otherwise = r->d->version == 3 && v->causality <= FMI_STRUCTURAL_PARAMETER ? FMI_FIXED
                        : is_real ? FMI_CONTINUOUS
                                  : FMI_DISCRETE;
  v->variability =
      (fmiVariability) take_word_attribute(node, "variability", variability, otherwise);
  v->initial = (fmiInitial) take_word_attribute(node, "initial", initial, FMI_NO_INITIAL);
}


// attributes beside name and reference; `node` is the child <Real> in 2.0, the variable itself in 3.0
static void read_variable_value(xmlNode *root, xmlNode *node, fmiVariable *v)
{
  const char *unit = own_or_of_type(root, node, "unit");
  const char *relative = own_or_of_type(root, node, "relativeQuantity");
  v->unit = unit ? unit : "";
  v->start = xml_get(node, "start");
  if (v->type == FMI_STRING && !v->start) {
    xmlNode *start = xml_child(node, "Start");
    if (start) v->start = xml_get(start, "value");
  }
  v->is_array = xml_child(node, "Dimension") != NULL;
  v->least = take_number_attribute(node, "min", -HUGE_VAL);
  v->largest = take_number_attribute(node, "max", HUGE_VAL);
  v->measure = find_measure(root, unit, is_true(relative));
}


static void read_fmi_variable(const descriptionReader *r, xmlNode *root, xmlNode *node,
                              fmiVariable *v)
{
  xmlNode *value = node;
  int type = find_type(node->name, r->d->version);
  if (r->d->version == 2) {
    for (value = node->first; value; value = value->next) {
      if ((type = find_type(value->name, 2)) >= 0) break;
    }
  }
  if (type < 0 || !value) {
    base_refuse(node->place, "<%.60s> is no variable of a known type", node->name);
  }
  v->place = node->place;
  v->type = (fmiType) type;
  v->derivative_of = -1;
  v->name = fmi_need(node, "name");
  v->reference = (unsigned) take_whole(node, "valueReference", 0);
  read_kind(r, node, v);
  read_variable_value(root, value, v);
}


static int find_reference(const fmiDescription *d, long long reference)
{
  for (int i = 0; i < d->nvariable; i++) {
    if (d->variable[i].reference == reference) return i;
  }
  return -1;
}


// a variable by its number from 1 in 2.0, by its reference in 3.0
static int take_variable(const descriptionReader *r, const xmlNode *node, const char *key,
                         long long number)
{
  const int variable = r->d->version == 3          ? find_reference(r->d, number)
                       : number <= r->d->nvariable ? (int) number - 1
                                                   : -1;
  if (variable >= 0) return variable;
  base_refuse(node->place, "'%s' of <%.60s>: there is no variable %lld", key, node->name, number);
}


static void read_derivative(const descriptionReader *r, xmlNode *node, fmiVariable *v)
{
  xmlNode *value = r->d->version == 2 ? xml_child(node, "Real") : node;
  if (!value || !xml_get(value, "derivative")) return;
  v->derivative_of = take_variable(r, value, "derivative", take_whole(value, "derivative", 0));
}


static void read_variables(descriptionReader *r, xmlNode *root)
{
  xmlNode *list = xml_child(root, "ModelVariables");
  fmiVariable *v = NULL;
  r->d->variable = ARENA_TAKE(r->arena, v, count_children(list) + 1);
  for (xmlNode *node = list ? list->first : NULL; node; node = node->next) {
    if (fmi_find_variable(r->d, xml_get(node, "name") ? xml_get(node, "name") : "") >= 0) {
      base_refuse(node->place, "the name '%.60s' stands twice", xml_get(node, "name"));
    }
    read_fmi_variable(r, root, node, &v[r->d->nvariable]);
    r->d->nvariable++;
  }
  for (xmlNode *node = list ? list->first : NULL; node; node = node->next) {
    read_derivative(r, node, v++);
  }
}

//---- structure -----------------------------------------------------------------------------------

// "1 4 7": the variables that an unknown depends on; an empty text is none of them
static void read_dependencies(descriptionReader *r, xmlNode *node, fmiUnknown *u)
{
  const char *text = xml_get(node, "dependencies");
  int *list;
  u->ndependency = -1;
  if (!text) return;
  u->dependency = ARENA_TAKE(r->arena, list, strlen(text) / 2 + 1);
  u->ndependency = 0;
  while (text[strspn(text, " \t\r\n")]) {
    char *end;
    const long long number = strtoll(text, &end, 10);
    if (end == text) wrong(node, "dependencies", text);
    text = end;
    list[u->ndependency++] = take_variable(r, node, "dependencies", number);
  }
}


static void read_unknowns(descriptionReader *r, xmlNode *list, const char *name, fmiUnknowns *all)
{
  const char *key = r->d->version == 3 ? "valueReference" : "index";
  fmiUnknown *u = NULL;
  all->unknown = ARENA_TAKE(r->arena, u, count_children(list) + 1);
  for (xmlNode *node = list ? xml_child(list, name) : NULL; node; node = xml_next(node), u++) {
    const long long number = take_whole(node, key, r->d->version == 3 ? 0 : 1);
    u->variable = take_variable(r, node, key, number);
    read_dependencies(r, node, u);
    all->n++;
  }
}


static void read_structure(descriptionReader *r, xmlNode *root)
{
  fmiDescription *d = r->d;
  xmlNode *node = xml_child(root, "ModelStructure");
  if (!node) base_refuse(root->place, "there is no <ModelStructure>");
  if (d->version == 3) {
    read_unknowns(r, node, "Output", &d->outputs);
    read_unknowns(r, node, "ContinuousStateDerivative", &d->derivatives);
    read_unknowns(r, node, "InitialUnknown", &d->initial);
    read_unknowns(r, node, "EventIndicator", &d->indicators);
    d->nindicator = d->indicators.n;
  } else {
    read_unknowns(r, xml_child(node, "Outputs"), "Unknown", &d->outputs);
    read_unknowns(r, xml_child(node, "Derivatives"), "Unknown", &d->derivatives);
    read_unknowns(r, xml_child(node, "InitialUnknowns"), "Unknown", &d->initial);
  }
}

//---- the whole -----------------------------------------------------------------------------------

static void read_root(fmiDescription *d, xmlNode *root)
{
  const char *version = xml_get(root, "fmiVersion");
  if (strcmp(root->name, "fmiModelDescription") != 0) {
    base_refuse(root->place, "<fmiModelDescription> was expected, <%.60s> is here", root->name);
  }
  d->version = !version                         ? 0
               : strcmp(version, "2.0") == 0    ? 2
               : strncmp(version, "3.", 2) == 0 ? 3
                                                : 0;
  if (d->version == 0) {
    base_refuse(root->place, "units of FMI 2.0 and 3.0 are known, this one says version '%.60s'",
                version ? version : "");
  }
  d->name = fmi_need(root, "modelName");
  d->token = fmi_need(root, d->version == 3 ? "instantiationToken" : "guid");
  if (xml_get(root, "numberOfEventIndicators")) {
    d->nindicator = (int) take_whole(root, "numberOfEventIndicators", 0);
  }
}


void fmi_read_description(baseArena *arena, xmlNode *root, fmiDescription *d)
{
  descriptionReader r = {.arena = arena, .d = d};
  *d = (fmiDescription){0};
  read_root(d, root);
  read_interface(&r, root, "ModelExchange", &d->exchange);
  read_interface(&r, root, "CoSimulation", &d->simulation);
  read_experiment(d, root);
  read_variables(&r, root);
  read_structure(&r, root);
}
