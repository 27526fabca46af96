// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Studies of the model: motions and actuators by coordinates, and the names that others give.
#include <stdio.h>
#include <string.h>

#include "base/error_recovery.h"
#include "model/define/builder.h"
#include "model/define/records.h"
#include "model/define/study_def.h"
#include "model/model.h"


//---- coordinates ---------------------------------------------------------------------------------

static void compile_motion(artModel *m, modelStudy *study)
{
  study->motion = arena_alloc(&m->arena, (size_t) m->tree.nq, sizeof *study->motion);
  const artMotions none = {0},
                   *list = study->def.type == ART_INVERSE ? &study->def.inverse.motion : &none;
  for (int i = 0; i < list->count; i++) {
    const artMotionDef *given = &list->item[i];
    const artPlace place = field_place(&study->head.where, given->coordinate);
    int q = table_find(&m->positions, given->coordinate);
    if (q < 0) q = model_need_coordinate(m, given->coordinate, place);
    if (study->motion[q]) {
      error_refuse(place, "the motion of '%s' is given twice", given->coordinate);
    }
    model_formula(m, &study->motion[q], &study->head, given->formula, place, LEVEL_POSITION,
                  m->position[q].dimension);
    model_refuse_memory(study->motion[q], "a motion", place);
    for (int k = 0; k < m->nquantity; k++) {
      if (m->quantity[k].kind == QUANTITY_TIME || !formula_uses(study->motion[q], k)) continue;
      error_refuse(place, "the motion of '%s' must be a formula of time alone", given->coordinate);
    }
  }
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


static void compile_actuators(artModel *m, modelStudy *study)
{
  if (study->def.type != ART_INVERSE) return;
  const artNames *names = &study->def.inverse.actuators;
  study->actuator = arena_alloc(&m->arena, (size_t) names->count, sizeof *study->actuator);
  study->nactuator = names->count;
  const artPlace place = field_place(&study->head.where, "actuators");
  error_check(
      model_find_actuators(m, names->count, names->name, place, study->actuator, error_current()));
}


//---- independent coordinates by hand -------------------------------------------------------------

// turns are shown as joint.rx, of which the rate is joint.wx
static int find_turn_rate(const artModel *m, const char *name)
{
  char rate[MODEL_NAME_LENGTH];
  snprintf(rate, sizeof rate, "%s", name);
  char *dot = strrchr(rate, '.');
  if (!dot || dot[1] != 'r' || strlen(dot) != 3) return -1;
  dot[1] = 'w';
  return table_find(&m->velocities, rate);
}


// the velocity coordinate that a name means; -1 with *error: none
static int find_study_velocity(const artModel *m, const char *name, artPlace place, artError *error)
{
  int v = table_find(&m->velocities, name);
  if (v < 0) v = find_turn_rate(m, name);
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


static int is_velocity_driven(const artModel *m, int v)
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
        if (joint->nv > 1 && is_velocity_driven(m, k)) continue;
        status = list_velocity(k, name, place, list, count, error);
      }
      continue;
    }
    const int v = find_study_velocity(m, name, place, error);
    status = v < 0 ? ART_BAD_INPUT : list_velocity(v, name, place, list, count, error);
  }
  return status;
}


static void compile_independent(artModel *m, modelStudy *study)
{
  const char *names = study->def.type == ART_RUN ? study->def.run.independent : NULL;
  if (!names) return;
  study->hand = field_place(&study->head.where, "independent");
  int count, *list = arena_alloc(&m->scratch, (size_t) m->tree.nv, sizeof *list);
  error_check(model_find_independent(m, names, study->hand, list, &count, error_current()));
  model_keep_place(m, &study->hand);
}


//---- names ---------------------------------------------------------------------------------------

// the k-th name that a list of a study may hold, "" where that one may not be there, NULL after the last
#define NAMES(function, count, kth)                                                                \
  static const char *function(const artModel *m, int k)                                            \
  {                                                                                                \
    return k < m->count ? kth : NULL;                                                              \
  }

NAMES(frame_name, nframe, m->frame[k].name)
NAMES(joint_name, njoint, m->joint[k].nv > 0 ? m->joint[k].name : "")
NAMES(tyre_name, nelement, m->element[k].tyre ? m->element[k].name : "")
NAMES(parameter_name, nparameter, m->parameter[k].name)


static void check_study_list(const artModel *m, const modelStudy *study, const char *key,
                             const artNames *names, const char *(*name)(const artModel *m, int k),
                             const char *what)
{
  for (int i = 0; i < names->count; i++) {
    baseNearest nearest = {.word = names->name[i]};
    int k = 0;
    for (; name(m, k) && strcmp(name(m, k), nearest.word) != 0; k++) {
      if (name(m, k)[0]) base_consider(&nearest, name(m, k));
    }
    if (name(m, k)) continue;
    recovery_pass(nearest.word);
    char hint[BASE_HINT_LENGTH];
    error_refuse(field_place(&study->head.where, key),
                 "study '%s' names '%.80s', which is not a %s%s", study->def.name, nearest.word,
                 what, base_hint(&nearest, hint));
  }
}


// one number for each tyre that is named, or for each of the machine when none is
static void check_count(const artModel *m, const modelStudy *study, const char *key, int found)
{
  int wanted = study->def.response.tyres.count;
  for (int i = 0; i < m->nelement && study->def.response.tyres.count == 0; i++) {
    wanted += m->element[i].tyre != NULL;
  }
  if (found == 0 || found == wanted) return;
  error_refuse(field_place(&study->head.where, key),
               "found %d %s, expected one for each of the %d tyres %s", found, key, wanted,
               study->def.response.tyres.count ? "that are named" : "of the machine");
}


static void check_study_names(artModel *m, modelStudy *study)
{
  const artResponseDef *response = &study->def.response;
  const artKinematicsDef *kinematics = &study->def.kinematics;
  if (study->def.type == ART_KINEMATICS) {
    check_study_list(m, study, "wheels", &kinematics->wheels, frame_name, "body, frame or point");
    check_study_list(m, study, "hold", &kinematics->hold, joint_name,
                     "joint with coordinates of its own");
  }
  if (study->def.type == ART_RESPONSE) {
    check_study_list(m, study, "tyres", &response->tyres, tyre_name, "tyre");
    check_count(m, study, "factors", response->factors.count);
    check_count(m, study, "delays", response->delays.count);
  }
  const artNames *design = &study->def.design;
  check_study_list(m, study, "design", design, parameter_name, "parameter");
  for (int i = 0; i < design->count; i++) {
    for (int k = 0; k < i; k++) {
      if (strcmp(design->name[k], design->name[i]) != 0) continue;
      error_refuse(field_place(&study->head.where, "design"),
                   "the design parameter '%s' is given twice", design->name[i]);
    }
  }
}


static const char *keep_study_name(void *context, const char *key, const char *name)
{
  (void) key;
  return arena_text(context, name);
}


// what chooses among equilibria belongs to a start at one
static void check_start(artModel *m, modelStudy *study)
{
  (void) m;
  const int *is_there = model_study_field(&study->def, "at_equilibrium");
  const int *nearest = model_study_field(&study->def, "nearest");
  const double *speed = model_study_field(&study->def, "speed");
  if (!is_there || *is_there || (*speed == 0 && !*nearest)) return;
  const char *key = *speed != 0 ? "speed" : "nearest";
  error_refuse(field_place(&study->head.where, key),
               "'%s' belongs to 'at_equilibrium', without which the study begins at the "
               "initial state; add at_equilibrium: true, or leave it out",
               key);
}


// a part of what is to be done about a study
typedef struct studyPiece {
  void (*compile)(artModel *m, modelStudy *study);
  artModel *m;
  modelStudy *study;
} studyPiece;


static void compile_part(void *context)
{
  const studyPiece *piece = context;
  piece->compile(piece->m, piece->study);
}


static void compile_study(void *context, int i)
{
  static void (*const parts[])(artModel *, modelStudy *) = {
      check_start, compile_motion, compile_actuators, compile_independent, check_study_names};
  artModel *m = ((const modelWork *) context)->m;
  const studyRecord *record = RECORD(((const modelWork *) context)->b->studies, studyRecord, i);
  modelStudy *study = &m->study[m->nstudy++];
  study->def = record->def;
  study->head = record->head;
  study->def.name = arena_text(&m->arena, record->def.name);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    studyPiece piece = {parts[k], m, study};
    (void) recovery_try(record->head.where.place, record->head.where.place, compile_part, &piece);
  }

  // lists and places belong to the builder
  const studyCopier copier = {&m->arena, keep_study_name, &m->arena};
  model_copy_study(&copier, &study->def);
  study->head = (recordHead){0};
}


void model_compile_studies(artModel *m, const artBuilder *b)
{
  m->study = arena_alloc(&m->arena, (size_t) b->studies.count, sizeof *m->study);
  modelWork w = {m, b};
  model_each(&b->studies, sizeof(studyRecord), 0, compile_study, &w);
}


int model_study_again(artModel *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->nstudy);
  const artStudyDef *from = &RECORD(m->records->studies, studyRecord, i)->def;
  modelStudy own = {.def = *from, .head = RECORD(m->records->studies, studyRecord, i)->head};
  check_start(m, &own);
  return model_take_study(&m->study[i].def, from);
}
