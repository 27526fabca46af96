// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters of a model file: numbers and formulas of each other, in any order.
//
// A formula that meets a parameter without a value yet is given up and read again once that value
// is known. The ones given up form a row, from the one first asked for to the one at work, so that
// no recursion can run deep, and a name that is already in the row closes a cycle.
#include "model/read/reader.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_recovery.h"
#include "base/memory.h"
#include "base/throw.h"
#include "model/formula/formula.h"
#include "model/parameter/live.h"


static int by_name(const void *left, const void *right)
{
  return strcmp(((const readerParameter *) left)->name, ((const readerParameter *) right)->name);
}


readerParameter *reader_find_parameter(const readerFile *file, const char *name)
{
  const readerParameter wanted = {.name = name};
  if (!file->nparameter) return NULL;
  return bsearch(&wanted, file->parameter, (size_t) file->nparameter, sizeof wanted, by_name);
}


//---- formulas of parameters ----------------------------------------------------------------------

typedef struct parameterScope {
  const readerFile *file;
  readerMemo *memo;
  readerParameter *missing; // the parameter whose value is needed first
  int nfound;
  bool is_spoilt; // one of those that are found
} parameterScope;


static int find_value(void *context, const char *reference, artPlace place, formulaSymbol *found)
{
  parameterScope *scope = context;
  readerParameter *parameter = reader_find_parameter(scope->file, reference);
  if (!parameter) {
    if (strcmp(reference, "time") == 0 || strchr(reference, '.')) {
      error_refuse(place,
                   "'%.60s' changes with time; only parameters are known when the model is read",
                   reference);
    }
    return 0;
  }
  if (parameter->state != PARAMETER_KNOWN) {
    scope->missing = parameter;
    error_throw(); // for the one who asks, who looks at that first
  }
  scope->nfound++;
  scope->is_spoilt |= parameter->is_spoilt;
  const int index = (int) (parameter - scope->file->parameter);
  memo_use(scope->memo,
           (memoUse){index, parameter->name, parameter->value, parameter->dimension, parameter});
  *found = (formulaSymbol){1, parameter->value, 0, parameter->dimension};
  return 1;
}


static void list_parameters(void *context, baseNearest *nearest)
{
  const readerFile *file = ((const parameterScope *) context)->file;
  for (int i = 0; i < file->nparameter; i++) base_consider(nearest, file->parameter[i].name);
}


// Do the parameters that a formula reads have the values that they had?
static int has_same_values(const readerFile *file, int n, const memoUse *use)
{
  for (int i = 0; i < n; i++) {
    if (use[i].index >= file->nparameter) return 0;
    const readerParameter *p = &file->parameter[use[i].index];
    const int is_same = p->name == use[i].name && p->state == PARAMETER_KNOWN &&
                        memcmp(&p->value, &use[i].value, sizeof p->value) == 0 &&
                        memcmp(&p->dimension, &use[i].dimension, sizeof p->dimension) == 0;
    if (!is_same) return 0;
  }
  return 1;
}


// in [..] and {..} YAML ends a plain text at a comma, which cuts formulas like max(a, b)
static void explain_comma(const char *text, artError *error)
{
  int open = 0;
  for (const char *p = text; *p; p++) open += (*p == '(') - (*p == ')');
  if (open <= 0 || error->status != ART_BAD_INPUT || !error->text[0]) return;
  base_append(error->text, sizeof error->text,
              "; a formula that contains a comma must be quoted inside [ ] or { }");
}


// evaluate in the scope of a file; `missing` comes back set when a value is needed first
static void evaluate_in_file_scope(modelReader *reader, const readerFile *file, const char *text,
                                   artPlace place, baseDimension expected, double *value,
                                   baseDimension *found, readerParameter **missing)
{
  readerMemo *memo = reader->memo;
  parameterScope context = {.file = file, .memo = memo};
  const formulaScope scope = {
      .find = find_value, .list = list_parameters, .context = &context, .is_noted = 1};
  const memoEntry *known = memo_ask(memo, text, expected);
  if (known && has_same_values(file, known->count, memo->use + known->first)) {
    *missing = NULL;
    *value = known->value;
    *found = known->found;
    reader->source = (readerSource){known->count ? text : NULL, place, file};
    return;
  }
  baseArena scratch = {.source = stack_source(memo->scratch)};
  formula *parsed = NULL;
  memSource *outer = mem_use(scratch.source);
  artError *error = error_current();
  const artStatus status = formula_parse(&parsed, &scratch, text, place, &scope, expected, error);
  mem_use(outer);
  if (!status) *value = formula_constant(parsed);
  if (!status) *found = parsed->dimension;
  arena_free(&scratch);
  *missing = context.missing;
  if (context.missing) memo_put_off(memo);
  reader->source = (readerSource){context.nfound ? text : NULL, place, file};
  if (status && context.missing) {
    base_forget(error);
    return;
  }
  if (status && status != ART_NO_MEMORY && context.is_spoilt) recovery_drop();
  if (status && reader->is_plain) explain_comma(text, error);
  error_check(status);
  if (context.is_spoilt) recovery_spoil(2); // the number, and the value that it belongs to
  reader->is_spoilt = context.is_spoilt;
  if (!isfinite(*value)) {
    error_refuse(place, "the formula gives %g, expected a finite number", *value);
  }
  if (!memo_keep(memo, text, expected, *found, *value)) error_throw();
}


void reader_evaluate(modelReader *reader, const char *text, artPlace place, bool is_quoted,
                     baseDimension expected, double *value, baseDimension *found)
{
  readerParameter *missing = NULL;
  reader->is_plain = !is_quoted;
  evaluate_in_file_scope(reader, reader->file, text, place, expected, value, found, &missing);
  reader->is_plain = false;
  ART_ASSERT(!missing); // all parameters are read before anything uses them
  memo_give(reader->memo, NULL, reader->number);
  reader_keep_live(reader, value);
}


//---- values --------------------------------------------------------------------------------------

static void note_cycle(const readerParameter *const *row, int n, const readerParameter *again)
{
  ART_ASSERT(n > 0);
  int start = 0;
  while (row[start] != again) start++;
  char chain[512] = "";
  for (int i = start; i < n; i++) {
    strncat(chain, row[i]->name, sizeof chain - strlen(chain) - 1);
    strncat(chain, " -> ", sizeof chain - strlen(chain) - 1);
  }
  strncat(chain, again->name, sizeof chain - strlen(chain) - 1);
  recovery_note(RECOVERY_SPOILS, again->place, "parameter '%s' depends on itself: %s", again->name,
                chain);
}


static int is_formula(const yamlNode *node)
{
  return node && node->kind == NODE_SCALAR && node->text[0] == '=';
}


static artPlace formula_place(const yamlNode *node)
{
  artPlace place = node->place;
  place.column += 1 + node->quoted;
  return place;
}


static void read_file_value(modelReader *reader, readerFile *file, readerParameter *parameter,
                            readerParameter **missing)
{
  const yamlNode *node = parameter->node;
  if (!node || (node->kind == NODE_SCALAR && node->length == 0)) {
    if (reader->may_lack_values) recovery_drop();
    error_refuse(parameter->place,
                 "parameter '%s' has no value; give one here, or where the file is included",
                 parameter->name);
  }
  if (is_formula(node)) {
    evaluate_in_file_scope(reader, file, node->text + 1, formula_place(node), parameter->unit,
                           &parameter->value, &parameter->dimension, missing);
    parameter->source = reader->source;
    parameter->is_spoilt = reader->is_spoilt;
    if (!*missing) memo_give(reader->memo, parameter, -1);
  } else {
    reader_read_number(reader, node, parameter->unit, &parameter->value, &parameter->dimension);
  }
  if (parameter->dimension.any) parameter->dimension = parameter->unit;
}


//---- values that are set -------------------------------------------------------------------------

// a number from outside instead of the file's value, which has given its unit
static void take_set_value(modelReader *reader, readerParameter *p)
{
  char has[UNIT_NAME_LENGTH], wants[UNIT_NAME_LENGTH];
  const baseDimension own = reader->set_dimension ? reader->set_dimension[p->setting] : UNIT_ANY;
  if (!unit_agree(own, p->dimension)) {
    error_refuse(p->place, "parameter '%s' is set to %s, expected %s as here", p->name,
                 unit_describe(own, has), unit_describe(p->dimension, wants));
  }
  if (p->dimension.any) p->dimension = own;
  p->value = reader->setting[p->setting].value;
  p->given = base_nowhere();
}


static int find_parameter_dimension(void *context, const char *reference, artPlace place,
                                    formulaSymbol *found)
{
  const int is_found = find_value(context, reference, place, found);
  found->is_constant = 0; // its value does not count
  return is_found;
}


// The unit of a formula, whatever its value; one that is wrong, or of parameters that are made of this one, has none.
static void read_formula_unit(modelReader *reader, const readerFile *file, const yamlNode *node,
                              readerParameter *p, readerParameter **missing)
{
  readerMemo none = {.at = -1};
  parameterScope context = {.file = file, .memo = &none};
  const formulaScope scope = {
      .find = find_parameter_dimension, .context = &context, .slots_are_constant = 1};
  const artPlace place = formula_place(node);
  baseArena scratch = {.source = stack_source(reader->memo->scratch)};
  formula *parsed = NULL;
  artError ignored = {0};
  memSource *outer = mem_use(scratch.source);
  const artStatus status =
      formula_parse(&parsed, &scratch, node->text + 1, place, &scope, p->unit, &ignored);
  mem_use(outer);
  p->dimension = p->unit;
  p->source = (readerSource){0};
  if (!status) {
    if (!parsed->dimension.any) p->dimension = parsed->dimension;
    if (context.nfound) p->source = (readerSource){node->text + 1, place, file};
  } else if (context.missing && context.missing->state != PARAMETER_OPEN) {
    *missing = context.missing;
  }
  arena_free(&scratch);
}


// a parameter whose value is wanted
typedef struct parameterPiece {
  readerFile *file;
  readerParameter *parameter, *missing;
} parameterPiece;


// the value of the file, or that from outside
static void read_parameter_value(modelReader *reader, const yamlNode *node, void *piece)
{
  readerFile *file = ((parameterPiece *) piece)->file;
  readerParameter *p = ((parameterPiece *) piece)->parameter;
  readerParameter **missing = &((parameterPiece *) piece)->missing;
  (void) node;
  *missing = NULL;
  if (p->is_set && is_formula(p->node)) {
    read_formula_unit(reader, file, p->node, p, missing);
  } else if (!p->is_set || (p->node && p->node->length > 0)) {
    read_file_value(reader, file, p, missing);
  } else {
    p->dimension = p->unit;
  }
  if (p->is_set && !*missing) take_set_value(reader, p);
  p->is_spoilt |= recovery_is_spoilt();
}


// Where mistakes are collected, what holds one is 1.
static void take_one(readerParameter *parameter)
{
  parameter->value = 1;
  parameter->dimension = parameter->unit;
  parameter->is_spoilt = true;
}


static bool try_parameter(modelReader *reader, readerParameter *p, parameterPiece *piece)
{
  const yamlNode at = {.key = p->name, .key_place = p->place, .place = p->given};
  return reader_try(reader, &at, read_parameter_value, piece);
}


static void mark_parameter_known(modelReader *reader, readerParameter *parameter)
{
  if (parameter->state != PARAMETER_KNOWN) parameter->rank = reader->nknown++;
  parameter->state = PARAMETER_KNOWN;
}


// where mistakes are collected, one that waits for itself need not wait
static void push_open_parameter(readerParameter **row, int *n, readerParameter *parameter)
{
  if (parameter->state == PARAMETER_OPEN) {
    note_cycle((const readerParameter *const *) row, *n, parameter);
    take_one(parameter);
    parameter->state = PARAMETER_KNOWN;
    return;
  }
  parameter->state = PARAMETER_OPEN;
  row[(*n)++] = parameter;
}


// find the value of one parameter, and before it of those that it needs
static void settle_parameter(modelReader *reader, readerFile *file, readerParameter *wanted,
                             readerParameter **row)
{
  int n = 0;
  push_open_parameter(row, &n, wanted);
  while (n > 0) {
    readerParameter *p = row[n - 1];
    parameterPiece piece = {file, p, NULL};
    if (!try_parameter(reader, p, &piece)) {
      take_one(p);
      piece.missing = NULL;
    }
    if (piece.missing) {
      push_open_parameter(row, &n, piece.missing);
    } else {
      mark_parameter_known(reader, row[--n]);
    }
  }
}


//---- the section ---------------------------------------------------------------------------------

static void list_parameter(modelReader *reader, const yamlNode *item, void *out)
{
  readerParameter *own = out;
  reader_check_name(item, "a parameter", true);
  if (strcmp(item->key, "time") == 0) {
    error_refuse(item->key_place, "'time' cannot be the name of a parameter");
  }
  *own = (readerParameter){.name = item->key,
                           .node = item,
                           .place = item->key_place,
                           .given = item->place,
                           .unit = UNIT_ANY};
  if (item->kind == NODE_MAPPING) reader_read_parameter(reader, own);
  if (own->node) own->given = own->node->place;
}


static void list_section(modelReader *reader, readerFile *file, const yamlNode *section)
{
  reader_check_mapping(section, "names and values of parameters");
  if (section->count == 0) return;
  file->parameter = arena_alloc(&reader->arena, (size_t) section->count, sizeof *file->parameter);

  for (const yamlNode *item = section->first; item; item = item->next) {
    readerParameter *own = &file->parameter[file->nparameter];
    if (!reader_try(reader, item, list_parameter, own) && own->name) {
      take_one(own);
      own->node = own->limits = NULL;
      own->state = PARAMETER_KNOWN;
    }
    if (own->name) file->nparameter++;
  }
  qsort(file->parameter, (size_t) file->nparameter, sizeof *file->parameter, by_name);
}


// what the file says of the dimension: by a unit, or by its own value when that is a quantity
static void find_expected(modelReader *reader, const readerParameter *parameter,
                          baseDimension *expected)
{
  const yamlNode *own = parameter->node;
  double ignored = 0;
  *expected = parameter->unit;
  if (!expected->any || !own || own->kind != NODE_SCALAR || own->length == 0 || is_formula(own)) {
    return;
  }
  reader_read_number(reader, own, UNIT_ANY, &ignored, expected);
}


static void replace_value(modelReader *reader, readerParameter *parameter, double value,
                          baseDimension dimension, artPlace place)
{
  baseDimension expected;
  find_expected(reader, parameter, &expected);
  if (!unit_agree(dimension, expected)) {
    char has[UNIT_NAME_LENGTH], wants[UNIT_NAME_LENGTH];
    error_refuse(place, "found %s, expected %s as in line %d of '%s'",
                 unit_describe(dimension, has), unit_describe(expected, wants),
                 parameter->place.line, parameter->place.file);
  }
  parameter->given = place;
  parameter->value = value;
  parameter->dimension = dimension.any ? expected : dimension;
  mark_parameter_known(reader, parameter);
}


// the unit of a formula, whose value is replaced in turn
static void replace_unit(modelReader *reader, readerParameter *parameter, const yamlNode *item)
{
  readerParameter *none = NULL; // all parameters of the including file have values
  read_formula_unit(reader, reader->file, item, parameter, &none);
  reader->source = parameter->source;
  reader_keep_live(reader, &parameter->value); // takes memory as values do
  live_forget(reader->builder, &parameter->value);
  mark_parameter_known(reader, parameter);
  if (parameter->dimension.any) find_expected(reader, parameter, &parameter->dimension);
}


static void replace_one(modelReader *reader, const yamlNode *item, void *in)
{
  const readerFile *file = in;
  readerParameter *parameter = reader_find_parameter(file, item->key);
  double value = 0;
  baseDimension dimension = UNIT_ANY;
  if (!parameter) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = item->key};
    for (int i = 0; i < file->nparameter; i++) base_consider(&nearest, file->parameter[i].name);
    error_refuse(item->key_place, "'%s' has no parameter '%.60s'%s", file->name, item->key,
                 base_hint(&nearest, hint));
  }
  if (parameter->is_set && is_formula(item)) {
    replace_unit(reader, parameter, item);
    take_set_value(reader, parameter);
    return;
  }
  reader_read_number(reader, item, UNIT_ANY, &value, &dimension);
  parameter->source = is_formula(item) ? reader->source : (readerSource){0};
  if (is_formula(item)) memo_give(reader->memo, parameter, -1);
  live_forget(reader->builder, &value); // the parameter keeps its formula itself
  replace_value(reader, parameter, value, dimension, item->place);
  if (parameter->is_set) take_set_value(reader, parameter);
}


static void replace_all(modelReader *reader, readerFile *file, const yamlNode *given)
{
  reader_check_mapping(given, "names and values of parameters");
  for (const yamlNode *item = given->first; item; item = item->next) {
    if (reader_try(reader, item, replace_one, file)) continue;
    readerParameter *parameter = reader_find_parameter(file, item->key);
    if (!parameter) continue;
    take_one(parameter);
    mark_parameter_known(reader, parameter);
  }
}


//---- values from outside -------------------------------------------------------------------------

// the parameter of this file that a setting names, with the file's prefix in front
static readerParameter *find_set_parameter(const readerFile *file, const char *name)
{
  const size_t n = strlen(file->prefix);
  if (n == 0) return reader_find_parameter(file, name);
  if (strncmp(name, file->prefix, n) != 0 || name[n] != '/') return NULL;
  return reader_find_parameter(file, name + n + 1);
}


// settings go to the first file that has the name: the including one comes before those it includes
static void mark_settings(modelReader *reader, readerFile *file)
{
  for (int i = 0; i < reader->nsetting; i++) {
    readerParameter *p =
        reader->is_set[i] ? NULL : find_set_parameter(file, reader->setting[i].name);
    if (!p) continue;
    reader->is_set[i] = 1;
    p->is_set = 1;
    p->setting = i;
  }
}


//---- values that change --------------------------------------------------------------------------

// within limits, of which those that depend on parameters are checked again after all values
static int is_allowed(const readerParameter *p)
{
  return !p->limits || (p->value >= p->limit[0] && p->value <= p->limit[1]);
}


int reader_set_parameter(readerParameter *p, double value)
{
  p->is_set = 1;
  p->value = value;
  p->given = base_nowhere();
  return is_allowed(p);
}


int reader_follow_parameter(modelReader *reader, readerParameter *p)
{
  const readerSource *source = &p->source;
  readerParameter *missing = NULL;
  baseDimension found = UNIT_ANY;
  evaluate_in_file_scope(reader, source->file, source->text, source->place, UNIT_ANY, &p->value,
                         &found, &missing);
  const int is_alike = found.any || memcmp(&found, &p->dimension, sizeof found) == 0;
  return !missing && is_alike && is_allowed(p);
}


//---- all of a file -------------------------------------------------------------------------------

void reader_read_parameters(modelReader *reader, readerFile *file, const yamlNode *given)
{
  const yamlNode *section = yaml_find(file->root, "parameters");
  if (section) list_section(reader, file, section);
  mark_settings(reader, file);
  if (given) replace_all(reader, file, given);
  reader->may_lack_values = file->parent && recovery_is_spoilt();
  readerParameter **row = arena_alloc(&reader->scratch, (size_t) file->nparameter, sizeof *row);
  for (int i = 0; i < file->nparameter; i++) {
    if (file->parameter[i].state != PARAMETER_KNOWN)
      settle_parameter(reader, file, &file->parameter[i], row);
  }
  if (!section) return;
  readerFile *outer = reader->file;
  reader->file = file; // whose parameters limits may name
  reader->section = "parameters";
  reader_begin_item(reader, NULL, reader_check_limits, section);
  reader_check_limits(reader, section);
  reader->file = outer;
  reader_end_item(reader);
}
