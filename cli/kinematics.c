// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula kinematics: wheels of an axle through their travel.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "table.h"

static const double DEGREE = 3.14159265358979323846 / 180;

// what people read of each wheel
static const struct {
  const char *name, *head;
  double unit;
} shown[] = {{"toe", "toe [deg]", DEGREE}, {"camber", "camber [deg]", DEGREE},
             {"dx", "dx [mm]", 1e-3},      {"dy", "dy [mm]", 1e-3},
             {"load", "load [N]", 1},      {"rate", "rate [N/mm]", 1e3}};
enum { SHOWN = sizeof shown / sizeof *shown };


static double value_at(const artTable *t, long row, const char *name)
{
  for (int c = 0; c < t->columns; c++) {
    if (strcmp(t->name[c], name) == 0) return t->value[row * t->columns + c];
  }
  return NAN;
}


static void print_wheel(const artTable *t, const char *wheel)
{
  printf("\n%s%-14s", cli_bold(stdout), wheel);
  for (int k = 0; k < SHOWN; k++) printf(" %12s", shown[k].head);
  printf("%s\n", cli_plain(stdout));
  for (long r = 0; r < t->rows; r++) {
    char name[2 * CLI_NAME_LENGTH];
    snprintf(name, sizeof name, "%s.travel", wheel);
    printf("%+11.1f mm", 1e3 * value_at(t, r, name));
    for (int k = 0; k < SHOWN; k++) {
      snprintf(name, sizeof name, "%s.%s", wheel, shown[k].name);
      printf(" %12.4f", value_at(t, r, name) / shown[k].unit + 0.0);
    }
    putchar('\n');
  }
}


static void print_table(const cliCall *call, const artModel *model, const artStudyDef *study,
                        const artTable *t, const char *csv)
{
  const char *title = art_title(model);
  printf("%s%s%s, wheels through their travel\n", cli_bold(stdout), title[0] ? title : call->file,
         cli_plain(stdout));
  for (int i = 0; i < study->nwheel; i++) print_wheel(t, study->wheel[i]);
  printf("\nall %d columns are in %s, with a picture beside it\n", t->columns, csv);
}


static artStatus find_table(const cliCall *call, const artModel *model, artData *data,
                            artStudyDef *study, artTable **table, artError *error)
{
  const artStatus status = cli_choose_study(call, model, ART_KINEMATICS, study, error);
  if (status) return status;
  if (study->nwheel == 0) {
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = call->file},
                     "there is no study of type kinematics; add one, for example "
                     "'study: {type: kinematics, wheels: [carrier.hub]}'");
  }
  return art_find_kinematics(model, data, study, table, error);
}


int verb_kinematics(const cliCall *call)
{
  static const char *const channels[] = {"*.toe", "*.camber", "*.dx", "*.dy", "*.load", NULL};
  cliPicture picture = {.name = "kinematics", .channel = channels};
  artModel *model = NULL;
  artData *data = NULL;
  artTable *table = NULL;
  artStudyDef study;
  artError error = {0};
  const int exit_status = cli_load(call, &model, &data);
  if (exit_status) return exit_status;

  artStatus status = find_table(call, model, data, &study, &table, &error);
  if (!status) status = cli_save_table(call, table, &picture, &error);
  if (!status && call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_fields(&json, "file: %s, results: %s", call->file, picture.csv);
    cli_write_table(&json, table);
    json_end(&json);
  } else if (!status) {
    print_table(call, model, &study, table, picture.csv);
  }
  art_free_table(table);
  art_free_data(data);
  const int end = status ? cli_fail_study(call, model, &error) : CLI_DONE;
  art_free_model(model);
  return end;
}
