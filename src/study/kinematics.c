// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinematics and compliance of an axle: a row of wheel angles, paths and loads for each travel.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/study_def.h"
#include "study/rig.h"
#include "study/study.h"

// of each wheel; the first four also under loads
enum { TOE, CAMBER, DX, DY, POSE, SCRUB = POSE, TRAVEL, LOAD, RATE, WHEEL };

static const char *const WHEEL_NAME[WHEEL] = {"toe",   "camber", "dx",   "dy",
                                              "scrub", "travel", "load", "rate"};
static const char *const WHEEL_UNIT[WHEEL] = {"rad", "rad", "m", "m", "m", "m", "N", "N/m"};
static const char *const LOAD_NAME[RIG_LOADS] = {"longitudinal", "lateral", "aligning"};

typedef struct kinematicsWork {
  rigWork rig;
  artTable *table;
  int nload;
  int load[RIG_LOADS]; // those that are not zero
  int has_track;
  double *pose; // [nwheel POSE] without loads
  double *rate; // [nwheel]
  rigState centre, here;
} kinematicsWork;


//---- columns -------------------------------------------------------------------------------------

static artStatus name_columns(kinematicsWork *k, artError *error)
{
  const rigWork *w = &k->rig;
  artTable *t = k->table;
  int done = result_add_column(t, "m", "travel");
  for (int i = 0; i < w->nwheel; i++) {
    for (int c = 0; c < WHEEL; c++) {
      done &= result_add_column(t, WHEEL_UNIT[c], "%s.%s", w->study->wheels.name[i], WHEEL_NAME[c]);
    }
  }
  if (k->has_track) done &= result_add_column(t, "m", "track");
  for (int l = 0; l < k->nload; l++) {
    for (int i = 0; i < w->nwheel; i++) {
      for (int c = 0; c < POSE; c++) {
        done &= result_add_column(t, WHEEL_UNIT[c], "%s.%s.%s", w->study->wheels.name[i],
                                  WHEEL_NAME[c], LOAD_NAME[k->load[l]]);
      }
    }
  }
  return done ? ART_OK : base_no_memory(error);
}


static artStatus lay_table(kinematicsWork *k, artError *error)
{
  const rigWork *w = &k->rig;
  const double given[RIG_LOADS] = {w->study->longitudinal, w->study->lateral, w->study->aligning};
  for (int l = 0; l < RIG_LOADS; l++) {
    if (given[l] != 0) k->load[k->nload++] = l;
  }
  k->has_track = w->nwheel == 2 && w->wheel[0].side != w->wheel[1].side;
  const int columns = 1 + w->nwheel * (WHEEL + POSE * k->nload) + k->has_track;
  k->table = result_create(columns, 2 * (long) w->study->steps + 1);
  return k->table ? name_columns(k, error) : base_no_memory(error);
}


//---- rows ----------------------------------------------------------------------------------------

// A wheel turned by delta about z has the axis (-sin delta, cos delta, 0); one whose top leans to the
// left by phi has (0, cos phi, -sin phi).
static void find_pose(const rigWork *w, int i, double pose[POSE])
{
  const rigWheel *wheel = &w->wheel[i];
  const v3 axis = rig_axis(w, i), centre = rig_centre(w, i);
  pose[TOE] = wheel->side * atan2(axis.x, axis.y);
  pose[CAMBER] = -wheel->side * atan2(axis.z, hypot(axis.x, axis.y));
  pose[DX] = centre.x - wheel->start.x;
  pose[DY] = centre.y - wheel->start.y;
}


static artStatus find_compliance(kinematicsWork *k, double *next, artError *error)
{
  rigWork *w = &k->rig;
  const double given[RIG_LOADS] = {w->study->longitudinal, w->study->lateral, w->study->aligning};
  artStatus status = ART_OK;
  rig_save(w, &k->here);
  for (int l = 0; l < k->nload && status == ART_OK; l++) {
    w->load[k->load[l]] = given[k->load[l]];
    status = rig_balance(w, w->travel, error);
    for (int i = 0; i < w->nwheel && status == ART_OK; i++, next += POSE) {
      find_pose(w, i, next);
      for (int c = 0; c < POSE; c++) next[c] -= k->pose[POSE * i + c];
    }
    w->load[k->load[l]] = 0;
    rig_load(w, &k->here);
  }
  return status;
}


static artStatus fill_row(kinematicsWork *k, double *row, artError *error)
{
  rigWork *w = &k->rig;
  double *next = row, track = 0;
  rig_find_rates(w, k->rate);
  *next++ = w->travel;
  for (int i = 0; i < w->nwheel; i++, next += WHEEL) {
    double *pose = k->pose + POSE * i;
    find_pose(w, i, pose);
    memcpy(next, pose, POSE * sizeof *pose);

    // how far the point below the wheel has moved away from the middle
    next[SCRUB] = w->wheel[i].side * (pose[DY] + rig_arm(w, i).y - w->wheel[i].start_arm.y);

    next[TRAVEL] = w->wheel[i].sign * w->travel;
    next[LOAD] = w->balance.lambda[i];
    next[RATE] = k->rate[i];
    track += next[SCRUB];
  }
  if (k->has_track) *next++ = track;
  return find_compliance(k, next, error);
}


// from zero travel one way, row by row
static artStatus go(kinematicsWork *k, double end, int way, artError *error)
{
  const int steps = k->rig.study->steps;
  artStatus status = ART_OK;
  rig_load(&k->rig, &k->centre);
  k->rig.travel = 0;
  for (int i = 0; i <= steps && status == ART_OK; i++) {
    status = rig_balance(&k->rig, end * i / steps, error);
    double *row = k->table->value + (long) (steps + way * i) * k->table->columns;
    if (status == ART_OK) status = fill_row(k, row, error);
  }
  return status;
}


static artStatus fill_table(kinematicsWork *k, artError *error)
{
  rigWork *w = &k->rig;
  artStatus status = rig_begin(w, error);
  if (status == ART_OK) status = lay_table(k, error);
  if (status != ART_OK) return status;
  k->pose = arena_alloc(&w->balance.arena, POSE * (size_t) w->nwheel, sizeof *k->pose);
  k->rate = arena_alloc(&w->balance.arena, (size_t) w->nwheel, sizeof *k->rate);
  if (!k->pose || !k->rate || !rig_take_state(w, &k->centre) || !rig_take_state(w, &k->here)) {
    return base_no_memory(error);
  }
  rig_save(w, &k->centre);
  status = go(k, -w->study->rebound, -1, error);
  return status == ART_OK ? go(k, w->study->bump, 1, error) : status;
}


artStatus art_find_kinematics(const artModel *m, artData *d, const artKinematicsDef *study,
                              artTable **result, artError *error)
{
  ART_REQUIRE(result, error);
  *result = NULL;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(study, error);
  artStatus status = model_check_study(ART_KINEMATICS, study, error);
  if (status != ART_OK) return status;
  kinematicsWork k = {.rig = {.balance = {.m = m, .d = d}, .study = study}};
  status = fill_table(&k, error);
  rig_end(&k.rig);
  if (status != ART_OK) {
    art_free_table(k.table);
    return status;
  }
  *result = k.table;
  return ART_OK;
}
