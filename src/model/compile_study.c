// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Studies of the model: motions and actuators by coordinates, and the names that others give.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/builder.h"
#include "model/model.h"
#include "model/records.h"
#include "model/study_def.h"


//---- coordinates ---------------------------------------------------------------------------------

static artStatus compile_motion(artModel *m, modelStudy *study, artError *error)
{
  study->motion = arena_alloc(&m->arena, (size_t) m->tree.nq, sizeof *study->motion);
  if (!study->motion) return base_no_memory(error);
  const artMotions none = {0},
                   *list = study->def.type == ART_INVERSE ? &study->def.inverse.motion : &none;
  for (int i = 0; i < list->count; i++) {
    const artMotionDef *given = &list->item[i];
    const artPlace place = field_place(&study->head.where, given->coordinate);
    int q = table_find(&m->positions, given->coordinate);
    if (q < 0) q = model_coordinate(m, given->coordinate, place, error);
    if (q < 0) return ART_BAD_INPUT;
    if (study->motion[q]) {
      return base_fail(error, ART_BAD_INPUT, place, "the motion of '%s' is given twice",
                       given->coordinate);
    }
    const artStatus status = model_formula(m, &study->motion[q], &study->head, given->formula,
                                           place, LEVEL_POSITION, m->position[q].dimension, error);
    if (status != ART_OK) return status;
    if (model_refuse_memory(study->motion[q], "a motion", place, error)) return ART_BAD_INPUT;
    for (int k = 0; k < m->nquantity; k++) {
      if (m->quantity[k].kind == QUANTITY_TIME || !formula_uses(study->motion[q], k)) continue;
      return base_fail(error, ART_BAD_INPUT, place,
                       "the motion of '%s' must be a formula of time alone", given->coordinate);
    }
  }
  return ART_OK;
}


artStatus model_find_actuators(const artModel *m, int n, const char *const *name, artPlace place,
                               int *list, artError *error)
{
  for (int i = 0; i < n; i++) {
    list[i] = table_find(&m->velocities, name[i]);
    if (list[i] < 0) {
      const int q = model_coordinate(m, name[i], place, error);
      if (q < 0) return ART_BAD_INPUT;
      list[i] = m->position[q].partner;
    }
    for (int k = 0; k < i; k++) {
      if (list[k] != list[i]) continue;
      return base_fail(error, ART_BAD_INPUT, place, "the actuator '%s' is given twice", name[i]);
    }
  }
  return ART_OK;
}


static artStatus compile_actuators(artModel *m, modelStudy *study, artError *error)
{
  if (study->def.type != ART_INVERSE) return ART_OK;
  const artNames *names = &study->def.inverse.actuators;
  study->actuator = arena_alloc(&m->arena, (size_t) names->count, sizeof *study->actuator);
  if (!study->actuator) return base_no_memory(error);
  study->nactuator = names->count;
  return model_find_actuators(m, names->count, names->name,
                              field_place(&study->head.where, "actuators"), study->actuator, error);
}


//---- independent coordinates by hand -------------------------------------------------------------

// turns are shown as joint.rx, of which the rate is joint.wx
static int find_turn(const artModel *m, const char *name)
{
  char rate[MODEL_NAME_LENGTH];
  snprintf(rate, sizeof rate, "%s", name);
  char *dot = strrchr(rate, '.');
  if (!dot || dot[1] != 'r' || strlen(dot) != 3) return -1;
  dot[1] = 'w';
  return table_find(&m->velocities, rate);
}


// the velocity coordinate that a name means; -1 with *error: none
static int find_velocity(const artModel *m, const char *name, artPlace place, artError *error)
{
  int v = table_find(&m->velocities, name);
  if (v < 0) v = find_turn(m, name);
  if (v >= 0) return v;
  const int q = model_coordinate(m, name, place, error);
  return q < 0 ? -1 : m->position[q].partner;
}


static artStatus list_velocity(int v, const char *name, artPlace place, int *list, int *count,
                               artError *error)
{
  for (int i = 0; i < *count; i++) {
    if (list[i] != v) continue;
    return base_fail(error, ART_BAD_INPUT, place, "'%s' is chosen twice as independent coordinate",
                     name);
  }
  list[(*count)++] = v;
  return ART_OK;
}


static int is_driven(const artModel *m, int v)
{
  for (int k = 0; k < m->ndrive; k++) {
    if (m->drive[k].velocity == v) return 1;
  }
  return 0;
}


artStatus model_find_independent(const artModel *m, const char *text, artPlace place, int *list,
                                 int *count, artError *error)
{
  char name[MODEL_NAME_LENGTH];
  artStatus status = ART_OK;
  *count = 0;
  while (status == ART_OK && model_next_name(&text, name)) {
    const int whole = table_find(&m->joints, name);
    if (whole >= 0 && m->joint[whole].nv > 0) {
      const modelJoint *joint = &m->joint[whole];
      for (int k = joint->v0; k < joint->v0 + joint->nv && status == ART_OK; k++) {
        if (joint->nv > 1 && is_driven(m, k)) continue;
        status = list_velocity(k, name, place, list, count, error);
      }
      continue;
    }
    const int v = find_velocity(m, name, place, error);
    status = v < 0 ? ART_BAD_INPUT : list_velocity(v, name, place, list, count, error);
  }
  return status;
}


static artStatus compile_independent(artModel *m, modelStudy *study, artError *error)
{
  const char *names = study->def.type == ART_RUN ? study->def.run.independent : NULL;
  if (!names) return ART_OK;
  study->hand = field_place(&study->head.where, "independent");
  int count, *list = MEM_ARRAY(int, m->tree.nv + 1);
  if (!list) return base_no_memory(error);
  const artStatus status = model_find_independent(m, names, study->hand, list, &count, error);
  mem_free(list);
  if (status != ART_OK || !study->hand.file) return status;
  study->hand.file = arena_text(&m->arena, study->hand.file);
  return study->hand.file ? ART_OK : base_no_memory(error);
}


//---- names ---------------------------------------------------------------------------------------

static artStatus no_such(const modelStudy *study, const char *key, const char *what,
                         const baseNearest *nearest, artError *error)
{
  char hint[BASE_HINT_LENGTH];
  return base_fail(error, ART_BAD_INPUT, field_place(&study->head.where, key),
                   "study '%s' names '%.80s', which is no %s%s", study->def.name, nearest->word,
                   what, base_hint(nearest, hint));
}


static artStatus check_wheels(const artModel *m, const modelStudy *study, artError *error)
{
  for (int i = 0; i < study->def.kinematics.wheels.count; i++) {
    baseNearest nearest = {.word = study->def.kinematics.wheels.name[i]};
    if (table_find(&m->frames, nearest.word) >= 0) continue;
    for (int k = 0; k < m->nframe; k++) base_consider(&nearest, m->frame[k].name);
    return no_such(study, "wheels", "body, frame or point", &nearest, error);
  }
  return ART_OK;
}


static artStatus check_held(const artModel *m, const modelStudy *study, artError *error)
{
  for (int i = 0; i < study->def.kinematics.hold.count; i++) {
    baseNearest nearest = {.word = study->def.kinematics.hold.name[i]};
    const int joint = table_find(&m->joints, nearest.word);
    if (joint >= 0 && m->joint[joint].nv > 0) continue;
    for (int k = 0; k < m->njoint; k++) {
      if (m->joint[k].nv > 0) base_consider(&nearest, m->joint[k].name);
    }
    return no_such(study, "hold", "joint with coordinates of its own", &nearest, error);
  }
  return ART_OK;
}


static artStatus check_tyres(const artModel *m, const modelStudy *study, artError *error)
{
  for (int i = 0; i < study->def.response.tyres.count; i++) {
    baseNearest nearest = {.word = study->def.response.tyres.name[i]};
    const int element = table_find(&m->elements, nearest.word);
    if (element >= 0 && m->element[element].tyre) continue;
    for (int k = 0; k < m->nelement; k++) {
      if (m->element[k].tyre) base_consider(&nearest, m->element[k].name);
    }
    return no_such(study, "tyres", "tyre", &nearest, error);
  }
  return ART_OK;
}


// one number for each tyre that is named, or for each of the machine when none is
static artStatus check_count(const artModel *m, const modelStudy *study, const char *key, int found,
                             artError *error)
{
  int wanted = study->def.response.tyres.count;
  for (int i = 0; i < m->nelement && study->def.response.tyres.count == 0; i++) {
    wanted += m->element[i].tyre != NULL;
  }
  if (found == 0 || found == wanted) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, field_place(&study->head.where, key),
                   "found %d %s, expected one for each of the %d tyres %s", found, key, wanted,
                   study->def.response.tyres.count ? "that are named" : "of the machine");
}


static artStatus check_design(const artModel *m, const modelStudy *study, artError *error)
{
  const artNames *names = &study->def.design;
  for (int i = 0; i < names->count; i++) {
    baseNearest nearest = {.word = names->name[i]};
    if (table_find(&m->parameters, nearest.word) < 0) {
      for (int k = 0; k < m->nparameter; k++) base_consider(&nearest, m->parameter[k].name);
      return no_such(study, "design", "parameter", &nearest, error);
    }
    for (int k = 0; k < i; k++) {
      if (strcmp(names->name[k], nearest.word) != 0) continue;
      return base_fail(error, ART_BAD_INPUT, field_place(&study->head.where, "design"),
                       "the design parameter '%s' is given twice", nearest.word);
    }
  }
  return ART_OK;
}


static artStatus check_names(const artModel *m, const modelStudy *study, artError *error)
{
  const artResponseDef *response = &study->def.response;
  artStatus status = ART_OK;
  if (study->def.type == ART_KINEMATICS) {
    status = check_wheels(m, study, error);
    return status ? status : check_held(m, study, error);
  }
  if (study->def.type != ART_RESPONSE) return ART_OK;
  status = check_tyres(m, study, error);
  if (!status) status = check_count(m, study, "factors", response->factors.count, error);
  return status ? status : check_count(m, study, "delays", response->delays.count, error);
}


static const char *keep_name(void *context, const char *key, const char *name)
{
  (void) key;
  return arena_text(context, name);
}


// what chooses among equilibria belongs to a start at one
static artStatus check_start(modelStudy *study, artError *error)
{
  const int *is_there = model_study_field(&study->def, "at_equilibrium");
  const int *nearest = model_study_field(&study->def, "nearest");
  const double *speed = model_study_field(&study->def, "speed");
  if (!is_there || *is_there || (*speed == 0 && !*nearest)) return ART_OK;
  const char *key = *speed != 0 ? "speed" : "nearest";
  return base_fail(error, ART_BAD_INPUT, field_place(&study->head.where, key),
                   "'%s' belongs to 'at_equilibrium', without which the study begins at the "
                   "initial state; add at_equilibrium: true, or leave it out",
                   key);
}


static artStatus compile_study(artModel *m, modelStudy *study, const studyRecord *record,
                               artError *error)
{
  study->def = record->def;
  study->head = record->head;
  study->def.name = arena_text(&m->arena, record->def.name);
  if (!study->def.name) return base_no_memory(error);
  artStatus status = check_start(study, error);
  if (status == ART_OK) status = compile_motion(m, study, error);
  if (status == ART_OK) status = compile_actuators(m, study, error);
  if (status == ART_OK) status = compile_independent(m, study, error);
  if (status == ART_OK) status = check_names(m, study, error);
  if (status == ART_OK) status = check_design(m, study, error);
  if (status != ART_OK) return status;

  // lists and places belong to the builder
  const studyCopier copier = {&m->arena, keep_name, &m->arena};
  if (model_copy_study(&copier, &study->def)) return base_no_memory(error);
  study->head = (recordHead){0};
  return ART_OK;
}


artStatus model_compile_studies(artModel *m, const artBuilder *b, artError *error)
{
  m->study = arena_alloc(&m->arena, (size_t) b->studies.count, sizeof *m->study);
  if (!m->study) return base_no_memory(error);
  artStatus status = ART_OK;
  while (m->nstudy < b->studies.count && status == ART_OK) {
    const studyRecord *record = RECORD(b->studies, studyRecord, m->nstudy);
    status = compile_study(m, &m->study[m->nstudy], record, error);
    if (status == ART_OK) m->nstudy++;
  }
  return status;
}


int model_study_again(artModel *m, int i)
{
  const artStudyDef *from = &RECORD(m->records->studies, studyRecord, i)->def;
  modelStudy own = {.def = *from, .head = RECORD(m->records->studies, studyRecord, i)->head};
  artError ignored = {0};
  if (check_start(&own, &ignored) != ART_OK) return 0;
  return model_take_study(&m->study[i].def, from);
}
