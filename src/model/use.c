// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which joints need their coordinates: what initial values, forces, drives, couplings, outputs and
// studies say of them, before any of it is compiled.
#include <string.h>

#include "model/model.h"

typedef struct useContext {
  const artModel *m;
  const char *scope;
  spanUse *use; // [njoint]
  artStatus status;
  baseArena scratch;
} useContext;


static int is_reaction(const char *component)
{
  return strlen(component) == 2 && strchr("ft", component[0]) && strchr("xyz", component[1]);
}


// "pin" or "pin.angle"; reactions are there for cut joints too
static void mark(const artModel *m, const char *reference, spanUse how, spanUse *use)
{
  int j = table_find(&m->joints, reference);
  const char *dot = strrchr(reference, '.');
  char head[300];
  if (j < 0 && dot && dot - reference < (int) sizeof head && !is_reaction(dot + 1)) {
    memcpy(head, reference, (size_t) (dot - reference));
    head[dot - reference] = '\0';
    j = table_find(&m->joints, head);
  }
  if (j >= 0 && use[j] < how) use[j] = how;
}


// every name of a formula counts as known: only its references matter here
static int mark_symbol(void *context, const char *reference, artPlace place, formulaSymbol *found,
                       artError *error)
{
  (void) place;
  (void) error;
  useContext *c = context;
  *found = (formulaSymbol){.slot = 0, .dimension = UNIT_ANY};
  const char *name = reference[0] == '/' ? reference + 1 : reference;
  if (name == reference && c->scope[0]) {
    name = arena_format(&c->scratch, "%s/%s", c->scope, reference);
    if (!name) c->status = ART_NO_MEMORY;
  }
  if (name) mark(c->m, name, SPAN_NAMED, c->use);
  return name != NULL;
}


// mistakes in it are for those who compile it
static void mark_formula(useContext *c, const recordHead *head, const char *text)
{
  if (!text) return;
  formula *parsed;
  c->scope = head->scope;
  const formulaScope scope = {mark_symbol, NULL, c};
  const artStatus status =
      formula_parse(&parsed, &c->scratch, text, base_nowhere(), &scope, UNIT_ANY, NULL);
  if (status == ART_NO_MEMORY) c->status = status;
  arena_free(&c->scratch);
}


static void mark_element(useContext *c, const elementRecord *record)
{
  switch (record->kind) {
  case ELEMENT_JOINT_SPRING:
    mark(c->m, record->def.joint_spring.coordinate, SPAN_NAMED, c->use);
    break;
  case ELEMENT_JOINT_STOP:
    mark(c->m, record->def.joint_stop.coordinate, SPAN_NAMED, c->use);
    break;
  case ELEMENT_JOINT_FRICTION:
    mark(c->m, record->def.joint_friction.coordinate, SPAN_NAMED, c->use);
    break;
  case ELEMENT_JOINT_FORCE:
    mark(c->m, record->def.joint_force.coordinate, SPAN_NAMED, c->use);
    mark_formula(c, &record->head, record->def.joint_force.formula);
    break;
  case ELEMENT_BODY_FORCE:
    for (int k = 0; k < 3; k++) {
      mark_formula(c, &record->head, record->def.body_force.components[k]);
    }
    break;
  case ELEMENT_SPRING_DAMPER:
  case ELEMENT_CALLBACK:
    break;
  }
}


static void mark_study(useContext *c, const artStudyDef *def)
{
  for (int i = 0; i < def->nmotion; i++) {
    mark(c->m, def->motion[i].coordinate, SPAN_NAMED, c->use);
  }
  for (int i = 0; i < def->nactuator; i++) mark(c->m, def->actuator[i], SPAN_NAMED, c->use);
}


artStatus model_joint_uses(const artModel *m, const artBuilder *b, spanUse *use, artError *error)
{
  useContext c = {.m = m, .use = use};
  for (int j = 0; j < b->joints.count; j++) {
    use[j] = RECORD(b->joints, jointRecord, j)->def.rotor > 0 ? SPAN_NAMED : SPAN_UNUSED;
  }
  for (int i = 0; i < b->initials.count; i++) {
    mark(m, RECORD(b->initials, initialRecord, i)->coordinate, SPAN_STARTED, use);
  }
  for (int i = 0; i < b->elements.count; i++) {
    mark_element(&c, RECORD(b->elements, elementRecord, i));
  }
  for (int i = 0; i < b->drives.count; i++) {
    mark(m, RECORD(b->drives, driveRecord, i)->def.coordinate, SPAN_NAMED, use);
  }
  for (int i = 0; i < b->constraints.count; i++) {
    const constraintRecord *record = RECORD(b->constraints, constraintRecord, i);
    for (int k = 0; k < record->n; k++) mark(m, record->coordinate[k], SPAN_NAMED, use);
  }
  for (int i = 0; i < b->outputs.count; i++) {
    const outputRecord *record = RECORD(b->outputs, outputRecord, i);
    mark_formula(&c, &record->head, record->formula);
  }
  for (int i = 0; i < b->studies.count; i++) {
    mark_study(&c, &RECORD(b->studies, studyRecord, i)->def);
  }
  return c.status == ART_OK ? ART_OK : base_no_memory(error);
}
