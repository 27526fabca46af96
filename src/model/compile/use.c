// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names in initial values, forces, drives, couplings, latches, outputs and studies, before any of them is
// compiled; and with that which joints need their coordinates.
#include <string.h>

#include "base/throw.h"
#include "model/define/builder.h"
#include "model/define/study_def.h"
#include "model/model.h"
#include "model/read/alias.h"

typedef struct useContext {
  modelUseVisitor visit;
  void *context;
  modelUse use; // that is being looked at
  const char *scope;
  const recordList *aliases;
  baseArena *scratch;
} useContext;

//---- all references ------------------------------------------------------------------------------


static void tell_name_use(useContext *c, const char *reference)
{
  if (!reference) return;
  c->use.reference = reference;
  c->visit(c->context, &c->use);
}


// every name of a formula counts as known: only its references matter here
static int say_symbol(void *context, const char *reference, artPlace place, formulaSymbol *found)
{
  (void) place;
  useContext *c = context;
  *found = (formulaSymbol){.slot = 0, .dimension = UNIT_ANY};
  const char *name = reference[0] == '/' ? reference + 1 : reference;
  if (name == reference && c->scope[0]) {
    name = arena_format(c->scratch, "%s/%s", c->scope, reference);
    name = alias_replace(c->aliases, c->scratch, name);
  }
  tell_name_use(c, name);
  return 1;
}


// every curve counts as known, too
static int any_curve(void *context, const char *name, formulaCurve *found, baseNearest *nearest)
{
  static const double zero[1] = {0};
  static const forceLaw flat = {
      .nsegment = 1, .is_smooth = 1, .knot = zero, .origin = zero, .c = zero, .primary = zero};
  (void) context;
  (void) name;
  (void) nearest;
  static const forceLaw *const flats[1] = {&flat};
  static const lawMap flat_map = {1, flats, flats};
  *found = (formulaCurve){&flat, UNIT_ANY, UNIT_ANY, &flat_map, UNIT_ANY};
  return 1;
}


// mistakes in it are for those who compile it
static void say_formula(useContext *c, const recordHead *head, const char *text)
{
  if (!text) return;
  formula *parsed;
  c->scope = head->scope;
  c->aliases = head->aliases;
  c->use.is_value = 1;
  const formulaScope scope = {.find = say_symbol, .context = c, .curve = any_curve};
  const artStatus status =
      formula_parse(&parsed, c->scratch, text, base_nowhere(), &scope, UNIT_ANY, NULL);
  if (status == ART_NO_MEMORY) error_throw();
  c->use.is_value = 0;
}


static void say_element(useContext *c, const elementRecord *record)
{
  c->use = (modelUse){.kind = "force", .name = record->name, .how = SPAN_NAMED};
  for (int i = 0; i < record->along.n; i++) tell_name_use(c, record->along.coordinate[i]);
  const int is_called = record->call && record->call->name;
  for (const fieldKey *key = record->kind->form.keys; key->name; key++) {
    const void *field = (const char *) record->def + key->offset;
    const char *const *text = field;
    const int is_name =
        key->type == KEY_REFERENCE || key->type == KEY_BETWEEN || key->type == KEY_THROUGH;
    const int n = key->type == KEY_BETWEEN    ? 2
                  : key->type == KEY_THROUGH  ? ART_MOST_POINTS
                  : key->type == KEY_FORMULAS ? 3
                                              : 1;
    const int is_formula = key->type == KEY_FORMULA || key->type == KEY_FORMULAS;
    for (int i = 0; is_name && i < n && text[i]; i++) tell_name_use(c, text[i]);
    for (int i = 0; is_formula && !is_called && i < n; i++) say_formula(c, &record->head, text[i]);
    const artNames *texts = field;
    for (int i = 0; key->type == KEY_SOME_FORMULAS && i < texts->count; i++) {
      say_formula(c, &record->head, texts->name[i]);
    }
  }
}


// formulas of an item by its form
static void say_item(useContext *c, const fieldForm *form, const recordHead *head, const char *name,
                     const void *def)
{
  c->use = (modelUse){.kind = form->name, .name = name, .how = SPAN_NAMED};
  for (const fieldKey *key = form->keys; key->name; key++) {
    const void *field = (const char *) def + key->offset;
    const char *const *text = field;
    const artNames *texts = field;
    if (key->type == KEY_REFERENCE) tell_name_use(c, *text);
    if (key->type == KEY_BETWEEN) tell_name_use(c, text[0]), tell_name_use(c, text[1]);
    if (key->type == KEY_FORMULA) say_formula(c, head, *text);
    for (int i = 0; key->type == KEY_SOME_FORMULAS && i < texts->count; i++) {
      say_formula(c, head, texts->name[i]);
    }
  }
}


static void say_latch(useContext *c, const latchRecord *record)
{
  const artLatchDef *def = &record->def;
  c->use = (modelUse){.kind = art_latch_type_name(def->type), .name = def->name, .how = SPAN_NAMED};
  for (int i = 0; def->type == ART_LOCK && i < def->n; i++) tell_name_use(c, def->coordinate[i]);
  if (def->type != ART_LOCK) {
    tell_name_use(c, def->from);
    tell_name_use(c, def->to);
  }
  say_formula(c, &record->head, def->engage);
  say_formula(c, &record->head, def->release);
}


static void say_independent(useContext *c, const char *text)
{
  char name[MODEL_NAME_LENGTH];
  while (text && model_next_name(&text, name)) tell_name_use(c, name);
}


static void say_names(useContext *c, const artNames *names)
{
  for (int i = 0; i < names->count; i++) tell_name_use(c, names->name[i]);
}


static void say_study(useContext *c, const artStudyDef *def)
{
  c->use = (modelUse){.kind = "study", .name = def->name, .how = SPAN_NAMED};
  if (def->type == ART_RUN) say_independent(c, def->run.independent);
  if (def->type == ART_INVERSE) {
    const artMotions *moves = &def->inverse.motion;
    for (int i = 0; i < moves->count; i++) tell_name_use(c, moves->item[i].coordinate);
    say_names(c, &def->inverse.actuators);
  }
  if (def->type == ART_KINEMATICS) {
    say_names(c, &def->kinematics.wheels);
    say_names(c, &def->kinematics.hold);
  }
}


void model_each_use(const artBuilder *b, modelUseVisitor visit, void *context, baseArena *scratch)
{
  useContext c = {.visit = visit, .context = context, .scratch = scratch};
  for (int i = 0; i < b->initials.count; i++) {
    c.use = (modelUse){.kind = "initial value", .name = "", .how = SPAN_STARTED};
    tell_name_use(&c, RECORD(b->initials, initialRecord, i)->coordinate);
  }
  for (int i = 0; i < b->elements.count; i++) {
    say_element(&c, RECORD(b->elements, elementRecord, i));
  }
  for (int i = 0; i < b->drives.count; i++) {
    const artDriveDef *def = &RECORD(b->drives, driveRecord, i)->def;
    c.use = (modelUse){.kind = "drive", .name = def->name, .how = SPAN_NAMED};
    tell_name_use(&c, def->coordinate);
  }
  for (int i = 0; i < b->constraints.count; i++) {
    const artCouplingDef *def = &RECORD(b->constraints, constraintRecord, i)->def;
    c.use = (modelUse){.kind = "coupling", .name = def->name, .how = SPAN_NAMED};
    for (int k = 0; k < def->n; k++) tell_name_use(&c, def->coordinate[k]);
  }
  for (int i = 0; i < b->surfaces.count; i++) {
    const surfaceRecord *record = RECORD(b->surfaces, surfaceRecord, i);
    c.use = (modelUse){.kind = "surface", .name = record->def.name, .how = SPAN_NAMED};
    tell_name_use(&c, record->def.on);
  }
  for (int i = 0; i < b->latches.count; i++) say_latch(&c, RECORD(b->latches, latchRecord, i));
  for (int i = 0; i < b->states.count; i++) {
    const stateRecord *record = RECORD(b->states, stateRecord, i);
    say_item(&c, item_state.whole, &record->head, record->def.name, &record->def);
  }
  for (int i = 0; i < b->blocks.count; i++) {
    const blockRecord *record = RECORD(b->blocks, blockRecord, i);
    say_item(&c, &record->kind->form, &record->head, record->name, record->def);
  }
  for (int i = 0; i < b->outputs.count; i++) {
    const outputRecord *record = RECORD(b->outputs, outputRecord, i);
    c.use = (modelUse){.kind = "output", .name = record->name, .how = SPAN_NAMED};
    say_formula(&c, &record->head, record->formula);
  }
  for (int i = 0; i < b->studies.count; i++) {
    say_study(&c, &RECORD(b->studies, studyRecord, i)->def);
  }
}


//---- joints --------------------------------------------------------------------------------------

// for marking joints
typedef struct jointUses {
  const artModel *m;
  spanUse *use; // [njoint]
} jointUses;


int model_is_reaction(const char *component)
{
  return strlen(component) == 2 && strchr("ft", component[0]) && strchr("xyz", component[1]);
}


// "pin" or "pin.angle"; reactions are there for cut joints too
static void mark_joint_use(void *context, const modelUse *how)
{
  const jointUses *uses = context;
  const char *reference = how->reference, *dot = strrchr(reference, '.');
  int j = table_find(&uses->m->joints, reference);
  char head[300];
  if (j < 0 && dot && dot - reference < (int) sizeof head && !model_is_reaction(dot + 1)) {
    memcpy(head, reference, (size_t) (dot - reference));
    head[dot - reference] = '\0';
    j = table_find(&uses->m->joints, head);
  }
  if (j >= 0 && uses->use[j] < how->how) uses->use[j] = how->how;
}


void model_joint_uses(artModel *m, const artBuilder *b, spanUse *use)
{
  for (int j = 0; j < b->joints.count; j++) {
    use[j] = RECORD(b->joints, jointRecord, j)->def.rotor > 0 ? SPAN_NAMED : SPAN_UNUSED;
  }
  jointUses uses = {m, use};
  model_each_use(b, mark_joint_use, &uses, &m->scratch);
}
