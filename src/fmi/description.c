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

// A reference and the first variable that has it.
typedef struct referenceEntry {
  unsigned reference;
  int variable;
} referenceEntry;

typedef struct descriptionReader {
  baseArena *arena;
  fmiDescription *d;
  xmlNode *const *type, *const *measure; // definitions of types and of units
  baseTable types, measures;             // by their names
  referenceEntry *reference;             // [nreference], ascending
  int nreference;
} descriptionReader;


static const char *const type_names[2][FMI_TYPE_COUNT] = {
#define TWO(name, three, two)   two,
#define THREE(name, three, two) three,
    {FMI_TYPES(TWO)}, {FMI_TYPES(THREE)}};


int fmi_find_variable(const fmiDescription *d, const char *name)
{
  return table_find(&d->names, name);
}


int fmi_count_numbers(const fmiDescription *d, const fmiUnknowns *list)
{
  int n = 0;
  for (int i = 0; i < list->n; i++) n += d->variable[list->unknown[i].variable].count;
  return n;
}


bool fmi_is_number(const fmiVariable *v)
{
  return v->type != FMI_STRING && v->type != FMI_BINARY && v->type != FMI_CLOCK;
}

//---- attributes ----------------------------------------------------------------------------------

_Noreturn static void wrong(const xmlNode *node, const char *key, const char *value)
{
  error_refuse(node->place, "'%s' of <%.60s> is '%.60s'", key, node->name, value);
}


const char *fmi_need(xmlNode *node, const char *key)
{
  const char *text = xml_get(node, key);
  if (!text || !*text)
    error_refuse(node->place, "<%.60s> lacks the attribute '%s'", node->name, key);
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


// an integer >= least
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


// index of the attribute's value in a NULL-terminated list; `otherwise` if the attribute is missing
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

//---- interfaces ----------------------------------------------------------------------------------

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
  own->takes_lines = !is_new && take_bool(node, "canInterpolateInputs");
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


// Index the elements of a list by name; the first of two with the same name counts.
static xmlNode *const *list_definitions(descriptionReader *r, xmlNode *root, const char *list,
                                        baseTable *names)
{
  xmlNode *node = xml_child(root, list), **all;
  ARENA_TAKE(r->arena, all, count_children(node) + 1);
  int n = 0;
  for (node = node ? node->first : NULL; node; node = node->next, n++) {
    const char *name = xml_get(node, "name");
    all[n] = node;
    if (name && table_find(names, name) < 0) table_add(names, r->arena, name, n);
  }
  return all;
}


// an attribute of a variable, else of its declared type
static const char *own_or_of_type(const descriptionReader *r, xmlNode *own, const char *key)
{
  const char *value = xml_get(own, key), *type = xml_get(own, "declaredType");
  const int number = type && !value ? table_find(&r->types, type) : -1;
  if (number < 0) return value;
  xmlNode *node = r->type[number];
  value = xml_get(node, key);
  return value || !node->first ? value : xml_get(node->first, key);
}


// an exponent of a unit, 0 if missing
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


// the definition of a unit by name; a difference has no offset
static fmiMeasure find_measure(const descriptionReader *r, const char *unit, bool is_difference)
{
  const int number = unit ? table_find(&r->measures, unit) : -1;
  xmlNode *base = number < 0 ? NULL : xml_child(r->measure[number], "BaseUnit");
  if (!base) return (fmiMeasure){0};
  fmiMeasure own = read_base_unit(base);
  if (is_difference) own.offset = 0;
  return own;
}


// defaults of the standard: causality local; continuous for floating-point types, else discrete;
// parameters are fixed
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


// attributes other than name and reference; `node` is the child <Real> in 2.0, the variable itself
// in 3.0
static void read_variable_value(const descriptionReader *r, xmlNode *node, fmiVariable *v)
{
  const char *unit = own_or_of_type(r, node, "unit");
  const char *relative = own_or_of_type(r, node, "relativeQuantity");
  v->unit = unit ? unit : "";
  v->start = xml_get(node, "start");
  if (v->type == FMI_STRING && !v->start) {
    xmlNode *start = xml_child(node, "Start");
    if (start) v->start = xml_get(start, "value");
  }
  v->least = take_number_attribute(node, "min", -HUGE_VAL);
  v->largest = take_number_attribute(node, "max", HUGE_VAL);
  v->measure = find_measure(r, unit, is_true(relative));
}


static void read_fmi_variable(const descriptionReader *r, xmlNode *node, fmiVariable *v)
{
  xmlNode *value = node;
  int type = find_type(node->name, r->d->version);
  if (r->d->version == 2) {
    for (value = node->first; value; value = value->next) {
      if ((type = find_type(value->name, 2)) >= 0) break;
    }
  }
  if (type < 0 || !value) {
    error_refuse(node->place, "<%.60s> is not a variable of a known type", node->name);
  }
  v->place = node->place;
  v->type = (fmiType) type;
  v->derivative_of = -1;
  v->count = 1;
  v->name = fmi_need(node, "name");
  v->reference = (unsigned) take_whole(node, "valueReference", 0);
  read_kind(r, node, v);
  read_variable_value(r, value, v);
}

//---- arrays --------------------------------------------------------------------------------------

enum { MAX_DIMENSIONS = 8, MAX_ELEMENTS = 1000000 };

// Structural parameters by reference, as strings, with their values.
typedef struct sizeList {
  baseTable references;
  xmlNode **node;
} sizeList;


static sizeList list_sizes(const descriptionReader *r, xmlNode *list)
{
  sizeList sizes = {0};
  int n = 0;
  ARENA_TAKE(r->arena, sizes.node, count_children(list) + 1);
  for (xmlNode *node = list ? list->first : NULL; node && r->d->version == 3; node = node->next) {
    const char *causality = xml_get(node, "causality"), *own = xml_get(node, "valueReference");
    if (!causality || !own || strcmp(causality, "structuralParameter") != 0) continue;
    if (table_find(&sizes.references, own) >= 0) continue;
    sizes.node[n] = node;
    table_add(&sizes.references, r->arena, own, n++);
  }
  return sizes;
}


// the lengths of an array; returns the number of elements, 1 for a scalar
static int read_dimensions(const sizeList *sizes, xmlNode *node, int length[MAX_DIMENSIONS],
                           int *ndimension)
{
  long long count = 1;
  *ndimension = 0;
  for (xmlNode *own = xml_child(node, "Dimension"); own; own = xml_next(own)) {
    const char *reference = xml_get(own, "valueReference");
    const int number = reference ? table_find(&sizes->references, reference) : -1;
    if (reference && number < 0) wrong(own, "valueReference", reference);
    const long long n = take_whole(reference ? sizes->node[number] : own, "start", 0);
    if (*ndimension == MAX_DIMENSIONS || n * count > MAX_ELEMENTS) {
      error_refuse(own->place, "arrays have at most %d dimensions and %d elements", MAX_DIMENSIONS,
                   MAX_ELEMENTS);
    }
    length[(*ndimension)++] = (int) n;
    count *= n;
  }
  return (int) count;
}


// "A[1,2]" for element 1 of an array with two columns
static const char *array_element_name(const descriptionReader *r, const char *name, int element,
                                      int ndimension, const int *length)
{
  char index[200];
  size_t at = sizeof index;
  index[--at] = 0;
  index[--at] = ']';
  for (int k = ndimension - 1; k >= 0; k--) {
    char own[20];
    const int n =
        snprintf(own, sizeof own, "%d%s", element % length[k] + 1, k < ndimension - 1 ? "," : "");
    at -= (size_t) n;
    memcpy(index + at, own, (size_t) n);
    element /= length[k];
  }
  return arena_format(r->arena, "%s[%s", name, index + at);
}


// the next start value in "1 0 0 1"; a single value applies to all elements
static const char *next_start(const descriptionReader *r, const char **text)
{
  if (!*text) return NULL;
  const char *from = *text + strspn(*text, " \t\r\n");
  const size_t n = strcspn(from, " \t\r\n");
  const char *rest = from + n + strspn(from + n, " \t\r\n");
  if (*rest) *text = rest;
  return arena_text_n(r->arena, from, n);
}


static void add_variable(descriptionReader *r, fmiVariable *to, const fmiVariable *v)
{
  if (fmi_find_variable(r->d, v->name) >= 0) {
    error_refuse(v->place, "the name '%.60s' appears twice", v->name);
  }
  table_add(&r->d->names, r->arena, v->name, r->d->nvariable);
  to[r->d->nvariable++] = *v;
}


static void add_array_elements(descriptionReader *r, fmiVariable *to, const fmiVariable *v,
                               int ndimension, const int *length)
{
  const char *start = v->start;
  for (int k = 0; k < v->count; k++) {
    fmiVariable own = *v;
    own.element = k;
    own.name = array_element_name(r, v->name, k, ndimension, length);
    own.start = next_start(r, &start);
    add_variable(r, to, &own);
  }
}

//---- references ----------------------------------------------------------------------------------

static int compare_references(const void *a, const void *b)
{
  const referenceEntry *x = a, *y = b;
  if (x->reference != y->reference) return x->reference < y->reference ? -1 : 1;
  return x->variable < y->variable ? -1 : x->variable > y->variable;
}


// sort by reference; the first of several variables with the same reference counts
static void sort_references(descriptionReader *r)
{
  const fmiDescription *d = r->d;
  int n = 0;
  ARENA_TAKE(r->arena, r->reference, d->nvariable + 1);
  for (int i = 0; i < d->nvariable; i++) {
    r->reference[i] = (referenceEntry){d->variable[i].reference, i};
  }
  qsort(r->reference, (size_t) d->nvariable, sizeof *r->reference, compare_references);
  for (int i = 0; i < d->nvariable; i++) {
    if (i > 0 && r->reference[i].reference == r->reference[n - 1].reference) continue;
    r->reference[n++] = r->reference[i];
  }
  r->nreference = n;
}


static int find_by_reference(const descriptionReader *r, long long reference)
{
  int low = 0, high = r->nreference; // entries before low are smaller
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (r->reference[middle].reference < reference) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool is_there = low < r->nreference && r->reference[low].reference == reference;
  return is_there ? r->reference[low].variable : -1;
}


// a variable by its index from 1 in 2.0, by its reference in 3.0
static int take_variable(const descriptionReader *r, const xmlNode *node, const char *key,
                         long long number)
{
  const int variable = r->d->version == 3          ? find_by_reference(r, number)
                       : number <= r->d->nvariable ? (int) number - 1
                                                   : -1;
  if (variable >= 0) return variable;
  error_refuse(node->place, "'%s' of <%.60s>: there is no variable %lld", key, node->name, number);
}


// elements of an array are derivatives of the elements of another array
static void read_derivative(const descriptionReader *r, xmlNode *node, fmiVariable *v)
{
  xmlNode *value = r->d->version == 2 ? xml_child(node, "Real") : node;
  if (!value || !xml_get(value, "derivative")) return;
  const int of = take_variable(r, value, "derivative", take_whole(value, "derivative", 0));
  if (r->d->variable[of].count != v->count) {
    error_refuse(node->place, "'%.60s' is the derivative of '%.60s', which has another length",
                 v->name, r->d->variable[of].name);
  }
  for (int k = 0; k < v->count; k++) v[k].derivative_of = of + k;
}


static void read_variables(descriptionReader *r, xmlNode *root)
{
  xmlNode *list = xml_child(root, "ModelVariables");
  const sizeList sizes = list_sizes(r, list);
  int length[MAX_DIMENSIONS], n;
  long long most = 1;
  fmiVariable *v = NULL;
  r->type = list_definitions(r, root, "TypeDefinitions", &r->types);
  r->measure = list_definitions(r, root, "UnitDefinitions", &r->measures);
  for (xmlNode *node = list ? list->first : NULL; node; node = node->next) {
    most += read_dimensions(&sizes, node, length, &n);
    if (most > MAX_ELEMENTS) error_refuse(node->place, "more than %d variables", MAX_ELEMENTS);
  }
  r->d->variable = ARENA_TAKE(r->arena, v, most);
  for (xmlNode *node = list ? list->first : NULL; node; node = node->next) {
    fmiVariable own = {0};
    read_fmi_variable(r, node, &own);
    own.count = read_dimensions(&sizes, node, length, &n);
    if (n > 0) {
      add_array_elements(r, v, &own, n, length);
    } else {
      add_variable(r, v, &own);
    }
  }
  sort_references(r);
  for (xmlNode *node = list ? list->first : NULL; node; node = node->next) {
    const int count = read_dimensions(&sizes, node, length, &n);
    if (count > 0) read_derivative(r, node, v);
    v += count;
  }
}

//---- structure -----------------------------------------------------------------------------------

// "1 4 7": the variables that an unknown depends on; an empty string means none
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
  if (!node) error_refuse(root->place, "there is no <ModelStructure>");
  if (d->version == 3) {
    read_unknowns(r, node, "Output", &d->outputs);
    read_unknowns(r, node, "ContinuousStateDerivative", &d->derivatives);
    read_unknowns(r, node, "InitialUnknown", &d->initial);
    read_unknowns(r, node, "EventIndicator", &d->indicators);
    d->nindicator = fmi_count_numbers(d, &d->indicators);
  } else {
    read_unknowns(r, xml_child(node, "Outputs"), "Unknown", &d->outputs);
    read_unknowns(r, xml_child(node, "Derivatives"), "Unknown", &d->derivatives);
    read_unknowns(r, xml_child(node, "InitialUnknowns"), "Unknown", &d->initial);
  }
}

//---- document ------------------------------------------------------------------------------------

static void read_root(fmiDescription *d, xmlNode *root)
{
  const char *version = xml_get(root, "fmiVersion");
  if (strcmp(root->name, "fmiModelDescription") != 0) {
    error_refuse(root->place, "<fmiModelDescription> was expected, <%.60s> is here", root->name);
  }
  d->version = !version                         ? 0
               : strcmp(version, "2.0") == 0    ? 2
               : strncmp(version, "3.", 2) == 0 ? 3
                                                : 0;
  if (d->version == 0) {
    error_refuse(root->place, "FMUs of FMI 2.0 and 3.0 are known, this one says version '%.60s'",
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
