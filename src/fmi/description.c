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
#include "import/xml.h"

typedef struct descriptionReader {
  baseArena *arena;
  fmiDescription *d;
  artError *error;
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

static artStatus missing(descriptionReader *r, const xmlNode *node, const char *key)
{
  return base_fail(r->error, ART_BAD_INPUT, node->place, "<%.60s> lacks the attribute '%s'",
                   node->name, key);
}


static artStatus wrong(descriptionReader *r, const xmlNode *node, const char *key,
                       const char *value)
{
  return base_fail(r->error, ART_BAD_INPUT, node->place, "'%s' of <%.60s> is '%.60s'", key,
                   node->name, value);
}


static artStatus take_text(descriptionReader *r, xmlNode *node, const char *key, const char **text)
{
  *text = xml_get(node, key);
  return *text && **text ? ART_OK : missing(r, node, key);
}


static artStatus take_number(descriptionReader *r, xmlNode *node, const char *key, double *number)
{
  const char *text = xml_get(node, key);
  char *end;
  if (!text) return ART_OK;
  *number = strtod(text, &end);
  return end != text && *end == 0 ? ART_OK : wrong(r, node, key, text);
}


// a whole number from `least` on
static artStatus take_whole(descriptionReader *r, xmlNode *node, const char *key, long long least,
                            long long *number)
{
  const char *text = xml_get(node, key);
  char *end;
  if (!text) return missing(r, node, key);
  *number = strtoll(text, &end, 10);
  const bool is_good = end != text && *end == 0 && *number >= least && *number <= UINT_MAX;
  return is_good ? ART_OK : wrong(r, node, key, text);
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
static artStatus take_word(descriptionReader *r, xmlNode *node, const char *key,
                           const char *const *word, int otherwise, int *choice)
{
  const char *text = xml_get(node, key);
  *choice = otherwise;
  if (!text) return ART_OK;
  for (*choice = 0; word[*choice]; ++*choice) {
    if (strcmp(word[*choice], text) == 0) return ART_OK;
  }
  return wrong(r, node, key, text);
}


static int count_children(const xmlNode *node)
{
  int n = 0;
  for (const xmlNode *child = node ? node->first : NULL; child; child = child->next) n++;
  return n;
}

//---- kinds of units ------------------------------------------------------------------------------

static artStatus read_sources(descriptionReader *r, xmlNode *node, fmiInterface *own)
{
  xmlNode *list = xml_child(node, "SourceFiles");
  const char **name;
  if (!list) return ART_OK;
  if (!ARENA_TAKE(r->arena, name, count_children(list))) return base_no_memory(r->error);
  own->source = name;
  for (xmlNode *file = xml_child(list, "File"); file; file = xml_next(file)) {
    const artStatus status = take_text(r, file, "name", &name[own->nsource++]);
    if (status) return status;
  }
  return ART_OK;
}


static artStatus read_interface(descriptionReader *r, xmlNode *root, const char *name,
                                fmiInterface *own)
{
  xmlNode *node = xml_child(root, name);
  const bool is_new = r->d->version == 3;
  own->fixed_step = NAN;
  if (!node) return ART_OK;
  own->is_there = true;
  own->needs_tool = take_bool(node, "needsExecutionTool");
  own->can_save = take_bool(node, is_new ? "canGetAndSetFMUState" : "canGetAndSetFMUstate");
  own->can_serialise = take_bool(node, is_new ? "canSerializeFMUState" : "canSerializeFMUstate");
  own->has_directional =
      take_bool(node, is_new ? "providesDirectionalDerivatives" : "providesDirectionalDerivative");
  own->has_adjoint = take_bool(node, "providesAdjointDerivatives");
  own->any_step = take_bool(node, "canHandleVariableCommunicationStepSize");
  own->has_events = is_new && take_bool(node, "hasEventMode");
  artStatus status = take_number(r, node, "fixedInternalStepSize", &own->fixed_step);
  if (!status) status = take_text(r, node, "modelIdentifier", &own->identifier);
  if (!status && strpbrk(own->identifier, "/\\.")) {
    status = wrong(r, node, "modelIdentifier", own->identifier);
  }
  return status ? status : read_sources(r, node, own);
}


static artStatus read_experiment(descriptionReader *r, xmlNode *root)
{
  fmiDescription *d = r->d;
  xmlNode *node = xml_child(root, "DefaultExperiment");
  d->from = d->until = d->tolerance = d->step = NAN;
  if (!node) return ART_OK;
  artStatus status = take_number(r, node, "startTime", &d->from);
  if (!status) status = take_number(r, node, "stopTime", &d->until);
  if (!status) status = take_number(r, node, "tolerance", &d->tolerance);
  return status ? status : take_number(r, node, "stepSize", &d->step);
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
static artStatus take_exponent(descriptionReader *r, xmlNode *node, const char *key, int *exponent)
{
  double number = 0;
  const artStatus status = take_number(r, node, key, &number);
  if (status) return status;
  if (!(fabs(number) <= UNIT_LARGEST) || number != floor(number)) {
    return wrong(r, node, key, xml_get(node, key));
  }
  *exponent = (int) number;
  return ART_OK;
}


static artStatus read_base(descriptionReader *r, xmlNode *node, fmiMeasure *own)
{
  static const char *const name[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
  int n[7];
  artStatus status = ART_OK;
  *own = (fmiMeasure){.is_known = true, .factor = 1};
  for (int k = 0; k < 7 && !status; k++) status = take_exponent(r, node, name[k], &n[k]);
  if (!status) status = take_number(r, node, "factor", &own->factor);
  if (!status) status = take_number(r, node, "offset", &own->offset);
  if (status) return status;
  own->dimension = (baseDimension){.kg = (signed char) n[0],
                                   .m = (signed char) n[1],
                                   .s = (signed char) n[2],
                                   .A = (signed char) n[3],
                                   .K = (signed char) n[4]};
  own->mol = n[5];
  own->cd = n[6];
  const bool is_good = isfinite(own->factor) && own->factor != 0 && isfinite(own->offset);
  return is_good ? ART_OK : wrong(r, node, "factor", xml_get(node, "factor"));
}


// the definition of a unit by its name; a difference has no offset
static artStatus find_measure(descriptionReader *r, xmlNode *root, const char *unit,
                              bool is_difference, fmiMeasure *own)
{
  xmlNode *list = unit ? xml_child(root, "UnitDefinitions") : NULL;
  for (xmlNode *node = list ? xml_child(list, "Unit") : NULL; node; node = xml_next(node)) {
    const char *name = xml_get(node, "name");
    xmlNode *base = xml_child(node, "BaseUnit");
    if (!name || !base || strcmp(name, unit) != 0) continue;
    const artStatus status = read_base(r, base, own);
    if (is_difference) own->offset = 0;
    return status;
  }
  return ART_OK;
}


// defaults of the standard: local, and continuous for numbers with fractions, else discrete; parameters are fixed
static artStatus read_kind(descriptionReader *r, xmlNode *node, fmiVariable *v)
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
  int own = 0;
  artStatus status = take_word(r, node, "causality", causality, FMI_LOCAL, &own);
  v->causality = (fmiCausality) own;
  const bool is_real = v->type == FMI_FLOAT64 || v->type == FMI_FLOAT32;
  const int otherwise = r->d->version == 3 && v->causality <= FMI_STRUCTURAL_PARAMETER ? FMI_FIXED
                        : is_real ? FMI_CONTINUOUS
                                  : FMI_DISCRETE;
  if (!status) status = take_word(r, node, "variability", variability, otherwise, &own);
  v->variability = (fmiVariability) own;
  if (!status) status = take_word(r, node, "initial", initial, FMI_NO_INITIAL, &own);
  v->initial = (fmiInitial) own;
  return status;
}


// attributes beside name and reference; `node` is the child <Real> in 2.0, the variable itself in 3.0
static artStatus read_value(descriptionReader *r, xmlNode *root, xmlNode *node, fmiVariable *v)
{
  const char *unit = own_or_of_type(root, node, "unit");
  const char *relative = own_or_of_type(root, node, "relativeQuantity");
  v->unit = unit ? unit : "";
  v->start = xml_get(node, "start");
  v->least = -HUGE_VAL;
  v->largest = HUGE_VAL;
  if (v->type == FMI_STRING && !v->start) {
    xmlNode *start = xml_child(node, "Start");
    if (start) v->start = xml_get(start, "value");
  }
  v->is_array = xml_child(node, "Dimension") != NULL;
  artStatus status = take_number(r, node, "min", &v->least);
  if (!status) status = take_number(r, node, "max", &v->largest);
  return status ? status : find_measure(r, root, unit, is_true(relative), &v->measure);
}


static artStatus read_variable(descriptionReader *r, xmlNode *root, xmlNode *node, fmiVariable *v)
{
  long long reference = 0;
  xmlNode *value = node;
  int type = find_type(node->name, r->d->version);
  if (r->d->version == 2) {
    for (value = node->first; value; value = value->next) {
      if ((type = find_type(value->name, 2)) >= 0) break;
    }
  }
  if (type < 0 || !value) {
    return base_fail(r->error, ART_BAD_INPUT, node->place, "<%.60s> is no variable of a known type",
                     node->name);
  }
  v->place = node->place;
  v->type = (fmiType) type;
  v->derivative_of = -1;
  artStatus status = take_text(r, node, "name", &v->name);
  if (!status) status = take_whole(r, node, "valueReference", 0, &reference);
  v->reference = (unsigned) reference;
  if (!status) status = read_kind(r, node, v);
  return status ? status : read_value(r, root, value, v);
}


static int find_reference(const fmiDescription *d, long long reference)
{
  for (int i = 0; i < d->nvariable; i++) {
    if (d->variable[i].reference == reference) return i;
  }
  return -1;
}


// a variable by its number from 1 in 2.0, by its reference in 3.0
static artStatus take_variable(descriptionReader *r, const xmlNode *node, const char *key,
                               long long number, int *variable)
{
  *variable = r->d->version == 3          ? find_reference(r->d, number)
              : number <= r->d->nvariable ? (int) number - 1
                                          : -1;
  if (*variable >= 0) return ART_OK;
  return base_fail(r->error, ART_BAD_INPUT, node->place,
                   "'%s' of <%.60s>: there is no variable %lld", key, node->name, number);
}


static artStatus read_derivative(descriptionReader *r, xmlNode *node, fmiVariable *v)
{
  xmlNode *value = r->d->version == 2 ? xml_child(node, "Real") : node;
  long long number = 0;
  if (!value || !xml_get(value, "derivative")) return ART_OK;
  const artStatus status = take_whole(r, value, "derivative", 0, &number);
  return status ? status : take_variable(r, value, "derivative", number, &v->derivative_of);
}


static artStatus read_variables(descriptionReader *r, xmlNode *root)
{
  xmlNode *list = xml_child(root, "ModelVariables");
  fmiVariable *v = NULL;
  const int n = count_children(list);
  if (n > 0 && !ARENA_TAKE(r->arena, v, n)) return base_no_memory(r->error);
  r->d->variable = v;
  artStatus status = ART_OK;
  for (xmlNode *node = list ? list->first : NULL; node && !status; node = node->next) {
    if (fmi_find_variable(r->d, xml_get(node, "name") ? xml_get(node, "name") : "") >= 0) {
      return base_fail(r->error, ART_BAD_INPUT, node->place, "the name '%.60s' stands twice",
                       xml_get(node, "name"));
    }
    status = read_variable(r, root, node, &v[r->d->nvariable]);
    if (!status) r->d->nvariable++;
  }
  int i = 0;
  for (xmlNode *node = list ? list->first : NULL; node && !status; node = node->next) {
    status = read_derivative(r, node, &v[i++]);
  }
  return status;
}

//---- structure -----------------------------------------------------------------------------------

// "1 4 7": the variables that an unknown depends on; an empty text is none of them
static artStatus read_dependencies(descriptionReader *r, xmlNode *node, fmiUnknown *u)
{
  const char *text = xml_get(node, "dependencies");
  int *list;
  u->ndependency = -1;
  if (!text) return ART_OK;
  if (!ARENA_TAKE(r->arena, list, strlen(text) / 2 + 1)) return base_no_memory(r->error);
  u->dependency = list;
  u->ndependency = 0;
  artStatus status = ART_OK;
  while (!status && text[strspn(text, " \t\r\n")]) {
    char *end;
    const long long number = strtoll(text, &end, 10);
    if (end == text) return wrong(r, node, "dependencies", text);
    text = end;
    status = take_variable(r, node, "dependencies", number, &list[u->ndependency++]);
  }
  return status;
}


static artStatus read_unknowns(descriptionReader *r, xmlNode *list, const char *name,
                               fmiUnknowns *all)
{
  const char *key = r->d->version == 3 ? "valueReference" : "index";
  fmiUnknown *u = NULL;
  const int n = count_children(list);
  if (n > 0 && !ARENA_TAKE(r->arena, u, n)) return base_no_memory(r->error);
  all->unknown = u;
  artStatus status = ART_OK;
  for (xmlNode *node = list ? xml_child(list, name) : NULL; node && !status;
       node = xml_next(node)) {
    long long number = 0;
    status = take_whole(r, node, key, r->d->version == 3 ? 0 : 1, &number);
    if (!status) status = take_variable(r, node, key, number, &u[all->n].variable);
    if (!status) status = read_dependencies(r, node, &u[all->n]);
    all->n++;
  }
  return status;
}


static artStatus read_structure(descriptionReader *r, xmlNode *root)
{
  fmiDescription *d = r->d;
  xmlNode *node = xml_child(root, "ModelStructure");
  if (!node) {
    return base_fail(r->error, ART_BAD_INPUT, root->place, "there is no <ModelStructure>");
  }
  artStatus status;
  if (d->version == 3) {
    status = read_unknowns(r, node, "Output", &d->outputs);
    if (!status) status = read_unknowns(r, node, "ContinuousStateDerivative", &d->derivatives);
    if (!status) status = read_unknowns(r, node, "InitialUnknown", &d->initial);
    if (!status) status = read_unknowns(r, node, "EventIndicator", &d->indicators);
    d->nindicator = d->indicators.n;
    return status;
  }
  status = read_unknowns(r, xml_child(node, "Outputs"), "Unknown", &d->outputs);
  if (!status) {
    status = read_unknowns(r, xml_child(node, "Derivatives"), "Unknown", &d->derivatives);
  }
  return status ? status
                : read_unknowns(r, xml_child(node, "InitialUnknowns"), "Unknown", &d->initial);
}

//---- the whole -----------------------------------------------------------------------------------

static artStatus read_root(descriptionReader *r, xmlNode *root)
{
  fmiDescription *d = r->d;
  const char *version = xml_get(root, "fmiVersion");
  if (strcmp(root->name, "fmiModelDescription") != 0) {
    return base_fail(r->error, ART_BAD_INPUT, root->place,
                     "<fmiModelDescription> was expected, <%.60s> is here", root->name);
  }
  d->version = !version                         ? 0
               : strcmp(version, "2.0") == 0    ? 2
               : strncmp(version, "3.", 2) == 0 ? 3
                                                : 0;
  if (d->version == 0) {
    return base_fail(r->error, ART_BAD_INPUT, root->place,
                     "units of FMI 2.0 and 3.0 are known, this one says version '%.60s'",
                     version ? version : "");
  }
  long long indicators = 0;
  artStatus status = take_text(r, root, "modelName", &d->name);
  if (!status)
    status = take_text(r, root, d->version == 3 ? "instantiationToken" : "guid", &d->token);
  if (!status && xml_get(root, "numberOfEventIndicators")) {
    status = take_whole(r, root, "numberOfEventIndicators", 0, &indicators);
  }
  d->nindicator = (int) indicators;
  return status;
}


artStatus fmi_read_description(baseArena *arena, const char *file, const char *text, size_t length,
                               fmiDescription *d, artError *error)
{
  xmlNode *root = NULL;
  descriptionReader r = {.arena = arena, .d = d, .error = error};
  *d = (fmiDescription){0};
  artStatus status = xml_read(arena, file, text, length, &root, error);
  if (!status) status = read_root(&r, root);
  if (!status) status = read_interface(&r, root, "ModelExchange", &d->exchange);
  if (!status) status = read_interface(&r, root, "CoSimulation", &d->simulation);
  if (!status) status = read_experiment(&r, root);
  if (!status) status = read_variables(&r, root);
  return status ? status : read_structure(&r, root);
}
