// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of a model, which read parameters and quantities: their names resolved, parsed, and parsed again where a
// parameter has another value.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_recovery.h"
#include "base/memory.h"
#include "base/throw.h"
#include "model/formula/formula_program.h"
#include "model/model.h"
#include "model/parameter/live.h"
#include "model/read/alias.h"

//---- formulas ------------------------------------------------------------------------------------

typedef struct scopeContext {
  artModel *m;
  const modelProgram *own; // what is being parsed
  int is_live;             // parameters are slots
  const recordHead *rule;  // parameters are all that it may read, and this item looks at the value
  quantityLevel reads;     // the highest that it does
  int nparameter, ncurve;  // that have been found
} scopeContext;


// Does it read no more than forces may?
static int in_forces(const scopeContext *c)
{
  return c->own->level <= LEVEL_VELOCITY;
}


// a name as written inside a formula, completed by the scope of the item that holds it
static const char *complete_in_scope(scopeContext *c, const char *reference)
{
  if (reference[0] == '/') return reference + 1;
  const int is_global = strcmp(reference, "time") == 0 || strncmp(reference, "energy.", 7) == 0 ||
                        strncmp(reference, "momentum.", 9) == 0 ||
                        strncmp(reference, "ground.", 7) == 0;
  if (c->own->scope[0] == '\0' || is_global) return reference;
  baseArena *scratch = &c->m->scratch;
  return alias_replace(c->own->aliases, scratch,
                       arena_format(scratch, "%s/%s", c->own->scope, reference));
}


// a number of a definition, which a kind has written; slots of such follow the slots of parameters
static int find_live_number(scopeContext *c, const char *name, formulaSymbol *found)
{
  const int i = atoi(name + 1);
  if (!c->m->live || i < 0 || i >= c->m->live->count) return 0;
  const double value = *RECORD(*c->m->live, liveNumber, i)->number;
  c->nparameter++;
  if (c->is_live) {
    *found =
        (formulaSymbol){.slot = FORMULA_PARAMETER + c->m->nparameter + i, .dimension = UNIT_ANY};
    return 1;
  }
  *found = (formulaSymbol){.is_constant = 1, .value = value, .dimension = UNIT_ANY};
  return 1;
}


// room for one more record
static void grow_record_list(recordList *list, size_t size)
{
  if (!mem_grow(&list->items, list->count, &list->capacity, size)) error_throw();
}


// the item that is being compiled looks at the value of a parameter
static void add_check(const scopeContext *c, int parameter)
{
  recordList *list = c->m->checks;
  if (!list) return;
  grow_record_list(list, sizeof(modelCheck));
  *RECORD(*list, modelCheck, list->count++) = (modelCheck){parameter, (int) c->rule->item};
}


static int find_symbol(void *context, const char *reference, artPlace place, formulaSymbol *found)
{
  scopeContext *c = context;
  const char *name = complete_in_scope(c, reference);
  if (name[0] == PART_LIVE) return find_live_number(c, name, found);
  const int p = table_find(&c->m->parameters, name);
  if (p >= 0) {
    const parameterRecord *parameter = &c->m->parameter[p];
    if (c->rule) add_check(c, p);
    c->nparameter++;
    if (c->is_live) {
      *found = (formulaSymbol){.slot = FORMULA_PARAMETER + p, .dimension = UNIT_ANY};
      return 1;
    }
    const int is_plain = c->own->is_loose && unit_agree(parameter->dimension, UNIT_NUMBER);
    *found = (formulaSymbol){.is_constant = 1,
                             .value = parameter->value,
                             .dimension = is_plain ? UNIT_ANY : parameter->dimension};
    return 1;
  }
  if (c->rule) return 0;
  modelQuantity signal;
  const int is_signal = model_find_signal(c->m, name, &signal);
  if (is_signal && signal.kind == QUANTITY_SIGNAL) model_need_signal(c->m, signal.index, place);
  // constants of the formula language are no references
  if (!is_signal && !strchr(reference, '.') && strcmp(reference, "time") != 0) {
    if (recovery_is_lost(name)) recovery_drop();
    return 0;
  }

  const int slot = model_quantity(c->m, name, place);
  const modelQuantity *quantity = &c->m->quantity[slot];
  if (quantity->level > c->reads) c->reads = quantity->level;
  if (quantity->level > c->own->level) {
    error_refuse(
        place,
        c->own->level == LEVEL_VELOCITY
            ? "'%s' depends on accelerations or forces, which a force law cannot use; only "
              "positions, velocities and time can; a sampled sensor or a lag gives it with a "
              "delay"
            : "'%s' is not known here: a prescribed motion is a formula of time alone",
        reference);
  }
  if (in_forces(c)) model_mark_read(c->m, slot, READ_BY_FORCES);
  // numbers in force laws are SI, as everywhere: pin.rate may well be a torque, and time a phase
  const int is_any = c->is_live || (c->own->is_loose && quantity->kind == QUANTITY_TIME) ||
                     (in_forces(c) && !is_signal);
  *found = (formulaSymbol){.slot = slot, .dimension = is_any ? UNIT_ANY : quantity->dimension};
  return 1;
}


static void list_symbols(void *context, baseNearest *nearest)
{
  const scopeContext *c = context;
  const size_t skip = c->own->scope[0] ? strlen(c->own->scope) + 1 : 0;
  for (int i = 0; i < c->m->nparameter; i++) {
    const char *name = c->m->parameter[i].name;
    if (skip == 0 || (strncmp(name, c->own->scope, skip - 1) == 0 && name[skip - 1] == '/')) {
      base_consider(nearest, name + skip);
    }
  }
  for (int i = 0; i < c->m->nheld; i++) base_consider(nearest, c->m->held[i].name);
  for (int i = 0; i < c->m->nstate; i++) base_consider(nearest, c->m->state[i].name);
  for (int i = 0; i < c->m->nsignal; i++) base_consider(nearest, c->m->signal[i].name);
  base_consider(nearest, "time");
}


// the name first: nothing is left while the file is open
static int write_parts(void *context, const char *name, char words[FORMULA_WORDS])
{
  scopeContext *c = context;
  const char *whole = complete_in_scope(c, name);
  FILE *out = fmemopen(words, FORMULA_WORDS, "w");
  if (!out) return 0;
  const int is_part = model_write_parts(c->m, whole, out);
  (void) fclose(out);
  words[FORMULA_WORDS - 1] = '\0';
  return is_part;
}


static int find_curve(void *context, const char *name, formulaCurve *found, baseNearest *nearest)
{
  scopeContext *c = context;
  const char *full = complete_in_scope(c, name);
  const int i = table_find(&c->m->curves, full);
  for (int k = 0; i < 0 && k < c->m->ncurve; k++) base_consider(nearest, c->m->curve[k].name);
  if (i >= 0) *found = c->m->curve[i].own;
  c->ncurve += i >= 0;
  return i >= 0;
}


typedef struct formulaPiece {
  scopeContext *c;
  formula **out;
} formulaPiece;


// the program of numbers, and where it reads parameters the one in which these are slots
static void parse_strictly(void *context)
{
  scopeContext *c = ((const formulaPiece *) context)->c;
  formula **out = ((const formulaPiece *) context)->out;
  artModel *m = c->m;
  const modelProgram *own = c->own;
  formulaScope scope = {.find = find_symbol,
                        .list = list_symbols,
                        .context = c,
                        .curve = find_curve,
                        .parts = write_parts,
                        .is_loose = own->is_loose,
                        .has_one_place = own->has_one_place,
                        .is_noted = 1};
  const baseDimension strictly = own->is_loose ? UNIT_ANY : own->expected;
  artError *error = error_current();
  error_check(formula_parse(out, &m->formulas, own->text, own->place, &scope, strictly, error));
  if (c->nparameter) {
    formula *live = NULL;
    c->is_live = scope.slots_are_constant = 1;
    scope.is_noted = 0;
    error_check(formula_parse(&live, &m->formulas, own->text, own->place, &scope, UNIT_ANY, error));
    (*out)->live = live;
  }
  if ((*out)->depth > m->stack) m->stack = (*out)->depth;

  // a plain number is taken in SI; anything else must be what is wanted
  const baseDimension given = (*out)->dimension;
  if (unit_agree(given, own->expected) || unit_agree(given, UNIT_NUMBER)) return;
  char found[UNIT_NAME_LENGTH], wanted[UNIT_NAME_LENGTH];
  error_refuse(own->place, "the formula '%.200s' gives %s, expected %s", own->text,
               unit_describe(given, found), unit_describe(own->expected, wanted));
}


// where mistakes are collected, a formula that holds one is 1
static void parse_model_formula(scopeContext *c, formula **out)
{
  formulaPiece piece = {c, out};
  if (recovery_try(c->own->place, c->own->place, parse_strictly, &piece)) return;
  error_check(
      formula_parse(out, &c->m->formulas, "1", c->own->place, NULL, UNIT_ANY, error_current()));
}


// the same, and it is known to whoever parses it again
static void add_program(artModel *m, modelProgram *program, formula **out, quantityLevel *reads)
{
  scopeContext context = {.m = m, .own = program};
  parse_model_formula(&context, out);
  recordList *list = m->programs;
  *reads = context.reads;
  program->f = *out;
  program->calls_curves = context.ncurve > 0;
  if (!list || !(context.nparameter + context.ncurve)) return;
  grow_record_list(list, sizeof *program);
  *RECORD(*list, modelProgram, list->count++) = *program;
}


void model_refuse_memory(const formula *f, const char *what, artPlace place)
{
  if (!formula_has_memory(f)) return;
  error_refuse(place,
               "%s cannot have a hysteresis, which remembers its side from step to step; give "
               "it to a force, a condition or a block",
               what);
}


void model_formula(artModel *m, formula **out, const recordHead *head, const char *text,
                   artPlace place, quantityLevel level, baseDimension expected)
{
  quantityLevel reads;
  modelProgram program = {.text = text,
                          .place = place,
                          .scope = head->scope,
                          .aliases = head->aliases,
                          .expected = expected,
                          .level = level,
                          .is_loose = level <= LEVEL_VELOCITY};
  add_program(m, &program, out, &reads);
}


void model_signal_formula(artModel *m, signalFormula *s, baseDimension expected)
{
  modelProgram program = {.text = s->text,
                          .place = s->place,
                          .scope = s->head->scope,
                          .aliases = s->head->aliases,
                          .expected = expected,
                          .level = LEVEL_ACCELERATION,
                          .is_loose = !s->is_checked,
                          .has_one_place = !s->is_own};
  add_program(m, &program, &s->f, &s->level);
}


int model_constant(artModel *m, const recordHead *head, const char *text, double *value)
{
  const modelProgram program = {.scope = head->scope, .aliases = head->aliases};
  scopeContext context = {.m = m, .own = &program, .rule = head};
  const formulaScope scope = {.find = find_symbol, .context = &context};
  formula *f = NULL;
  const artStatus status =
      formula_parse(&f, &m->scratch, text, base_nowhere(), &scope, UNIT_ANY, NULL);
  if (status == ART_NO_MEMORY) error_throw();
  const int is_constant = status == ART_OK && formula_is_constant(f);
  if (is_constant) *value = formula_constant(f);
  return is_constant;
}


//---- parsing again -------------------------------------------------------------------------------

// constants instead of the constants of a program with the same steps; 0: it has others
static int take_formula_constants(const formula *to, const formula *from)
{
  if (from->nstep != to->nstep || from->depth != to->depth || from->nswitch != to->nswitch ||
      memcmp(&from->dimension, &to->dimension, sizeof to->dimension) != 0) {
    return 0;
  }
  for (int k = 0; k < to->nstep; k++) {
    const formulaStep *a = &to->steps[k], *b = &from->steps[k];
    if (a->op != b->op || a->index != b->index || a->law != b->law || a->map != b->map) return 0;
  }
  formulaStep *own = (formulaStep *) (uintptr_t) to->steps;
  for (int k = 0; k < to->nstep; k++) own[k].value = from->steps[k].value;
  return 1;
}


int model_parse_again(artModel *m, const modelProgram *program)
{
  scopeContext context = {.m = m, .own = program};
  formula *made = NULL;
  const baseArena outer = m->formulas;
  m->formulas = (baseArena){.leaves = 1};
  m->live = &m->records->live;
  parse_model_formula(&context, &made);
  m->live = NULL;
  m->formulas = outer;
  const formula *live = program->f->live;
  return take_formula_constants(program->f, made) &&
         (!live || take_formula_constants(live, made->live));
}
