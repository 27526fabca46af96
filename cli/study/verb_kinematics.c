// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula kinematics: wheels of an axle through their travel.
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "command_report.h"

static const double DEGREE = 3.14159265358979323846 / 180;

// columns of each wheel that are printed
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


void verb_kinematics(cliWork *w)
{
  static const char *const channels[] = {"*.toe", "*.camber", "*.dx", "*.dy", "*.load", NULL};
  cliPicture picture = {.name = "kinematics", .channel = channels};
  artTable *table = NULL;
  if (w->study.kinematics.wheels.count == 0)
    error_refuse((artPlace){.file = w->call->file},
                 "there is no study of type kinematics; add one, for example 'study: {type: "
                 "kinematics, wheels: [carrier.hub]}'");
  error_check(
      art_find_kinematics(w->model, w->data, &w->study.kinematics, &table, error_current()));
  cli_defer_table(w, table);
  cli_save_table(w->call, table, &picture);
  cliReport report = report_begin(w->call);
  cli_report_table(&report, w, table, &picture, ", wheels through their travel\n");
  for (int i = 0; i < w->study.kinematics.wheels.count && report_is_text(&report); i++) {
    const artTable *t = table;
    const char *wheel = w->study.kinematics.wheels.name[i];
    printf("\n%s%-14s", cli_bold(stdout), wheel);
    for (int k = 0; k < SHOWN; k++) printf(" %12s", shown[k].head);
    printf("%s\n", cli_plain(stdout));
    for (long r = 0; r < t->rows; r++) {
      char name[2 * CLI_NAME_LENGTH];
      snprintf(name, sizeof name, "%s.travel", wheel);
      format_stream(stdout, "%+11.1f mm", 1e3 * value_at(t, r, name));
      for (int k = 0; k < SHOWN; k++) {
        snprintf(name, sizeof name, "%s.%s", wheel, shown[k].name);
        format_stream(stdout, " %12.4f", value_at(t, r, name) / shown[k].unit + 0.0);
      }
      putchar('\n');
    }
  }
  say(&report, "\nall %d columns are in %s, and the picture next to it\n", table->columns,
      picture.csv);
  report_end(&report);
}
