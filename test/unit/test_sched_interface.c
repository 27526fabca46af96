// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules from host programs.
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "articula/schedule.h"
#include "support/check.h"

static artModel *model;
static artData *data;


static artSchedule *make(const artScheduleDef *def)
{
  artSchedule *schedule = NULL;
  CHECK(art_create_schedule(&schedule, model, data, def, NULL) == ART_OK);
  return schedule;
}


static void check_legal(const artSchedule *schedule, const artScheduleDef *def)
{
  const artScheduleInfo info = art_schedule_info(schedule);
  int of_kind[ART_UNITS] = {0}, last = 0;
  for (int i = 0; i < info.operations; i++) {
    const artScheduledOperation x = art_scheduled_operation(schedule, i);
    of_kind[x.kind]++;
    CHECK(x.name && x.what && x.unit >= 0 && x.unit < info.count[x.kind]);
    CHECK(x.asap <= x.step && x.step <= info.steps);
    for (int k = 0; k < x.nparent; k++) {
      const artScheduledOperation p = art_scheduled_operation(schedule, x.parent[k]);
      const int latency = def->latency[p.kind] ? def->latency[p.kind] : 1;
      CHECK(x.parent[k] < i && p.step + latency + def->transfer <= x.step);
    }
    if (last < x.step) last = x.step;
  }
  CHECK_EQ_INT(last, info.steps);
  for (int k = 0; k < ART_UNITS; k++) CHECK_EQ_INT(of_kind[k], info.of_kind[k]);
}


TEST(a_machine_is_scheduled_for_and_drawn)
{
  artScheduleDef def = art_default_schedule();
  def.form = ART_FORM_INVERSE, def.count[ART_UNIT_MUL] = 5, def.count[ART_UNIT_ADD] = 4;
  artSchedule *s = make(&def);
  if (!s) return;
  const artScheduleInfo info = art_schedule_info(s);
  CHECK_TEXT(info.function, "inverse");
  CHECK(info.cycles <= info.list_cycles && info.list_cycles <= 47 && info.operations <= 338);
  CHECK(info.critical_path <= info.cycles && info.kept > 0);
  const double use = (double) info.operations / (9 * info.steps);
  CHECK_CLOSE(info.use, use, 1e-15);
  check_legal(s, &def);

  char path[] = "/tmp/articula-scheduleXXXXXX";
  FILE *file = fdopen(mkstemp(path), "r");
  CHECK_WORKS(art_write_schedule(s, path, &check_error));
  fclose(file);
  file = fopen(path, "r");
  char head[5] = "";
  CHECK(file && fread(head, 1, 4, file) == 4);
  CHECK_TEXT(head, "<svg");
  fclose(file);
  remove(path);
  CHECK(art_write_schedule(s, "/nowhere/at/all.svg", &check_error) == ART_IO);
  art_free_schedule(s);
}


TEST(units_are_searched_where_none_are_given)
{
  artScheduleDef def = art_default_schedule();
  def.form = ART_FORM_FORWARD_LDL, def.latency[ART_UNIT_MUL] = 3, def.transfer = 1;
  def.barycentric = def.balanced = 1;
  artSchedule *s = make(&def);
  if (!s) return;
  const artScheduleInfo info = art_schedule_info(s);
  CHECK_EQ_INT(info.cycles, info.critical_path);
  for (int k = 0; k < ART_UNITS; k++) CHECK(info.count[k] >= info.least[k]);
  check_legal(s, &def);
  art_free_schedule(s);
}


static void refuse(const artScheduleDef *def, const char *text)
{
  artSchedule *s = NULL;
  CHECK_FAILS(art_create_schedule(&s, model, data, def, &check_error), ART_BAD_INPUT, text);
  CHECK(!s);
}


TEST(numbers_that_make_no_sense_are_refused)
{
  artScheduleDef def = art_default_schedule();
  def.form = ART_FORM_INVERSE;
  def.count[ART_UNIT_MUL] = 2;
  refuse(&def, "inverse has 115 sums, but no unit is there for them");
  def.count[ART_UNIT_ADD] = -1;
  refuse(&def, "the number of add is -1, expected at least 0");
  def.count[ART_UNIT_ADD] = 1;
  def.interval[ART_UNIT_ADD] = 2;
  refuse(&def, "the latency of add is 1, expected at least 2");
  def.interval[ART_UNIT_ADD] = 0;
  def.transfer = -3;
  refuse(&def, "transfers take -3 cycles");
  art_free_schedule(NULL);
}


int main(int argc, char **argv)
{
  if (art_load_model(&model, "models/generator/puma-thesis.yaml", &check_error) != ART_OK) return 1;
  data = art_create_data(model);
  const int failed = check_main(argc, argv);
  art_free_data(data);
  art_free_model(model);
  return failed;
}
