// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reports of verbs, for people or for programs.
#include "command_report.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "model/model.h"
#include "show/csv.h"


cliReport report_begin(const cliCall *call)
{
  cliReport report = {.file = call->json ? stdout : NULL};
  json_object(&report, NULL);
  return report;
}


void report_end(cliReport *report)
{
  json_end(report);
}


void say(const cliReport *report, const char *format, ...)
{
  if (!report_is_text(report)) return;
  va_list arguments;
  va_start(arguments, format);
  format_show_list(stdout, format, arguments);
  va_end(arguments);
}


void say_title(const cliReport *report, const char *words)
{
  say(report, "\n%s%s%s\n", cli_bold(stdout), words, cli_plain(stdout));
}


static void report_values(cliReport *report, const char *fields, const char *text,
                          va_list *arguments)
{
  if (report_is_text(report)) {
    format_show_list(stdout, text, *arguments);
  } else {
    json_fields_v(report, fields, arguments);
  }
}


void report_fields(cliReport *report, const char *fields, const char *text, ...)
{
  va_list arguments;
  va_start(arguments, text);
  report_values(report, fields, text, &arguments);
  va_end(arguments);
}


void report_item(cliReport *report, const char *key, const char *fields, const char *text, ...)
{
  va_list arguments;
  va_start(arguments, text);
  json_object(report, key);
  report_values(report, fields, text, &arguments);
  json_end(report);
  va_end(arguments);
}


//---- tables that studies find: as CSV and the picture next to it, or as JSON -----------------------

static void free_kept_table(void *table)
{
  art_free_table(table);
}


void cli_defer_table(cliWork *w, artTable *table)
{
  cli_defer(w, free_kept_table, table);
}


void cli_save_table(const cliCall *call, const artTable *table, cliPicture *picture)
{
  char directory[FILE_PATH_LENGTH], svg[FILE_PATH_LENGTH], name[64];
  artError *error = error_current();
  cli_directory(call, picture->name, directory);
  error_check(file_make_directory(directory, error));
  snprintf(name, sizeof name, "%s.csv", picture->name);
  error_check(file_join(picture->csv, directory, name, error));
  ioCsv csv = {0};
  error_check(csv_begin(&csv, picture->csv, error));
  for (int c = 0; c < table->columns; c++) csv_name(&csv, table->name[c], table->unit[c]);
  (void) csv_end_line(&csv, NULL);
  for (long r = 0; r < table->rows; r++) {
    csv_numbers(&csv, table->columns, table->value + r * table->columns);
    (void) csv_end_line(&csv, NULL);
  }
  error_check(csv_close(&csv, error));
  snprintf(name, sizeof name, "%s.svg", picture->name);
  error_check(file_join(svg, directory, name, error));
  if (!picture->channel[0]) return;

  cliCall plot = {.file = picture->csv, .directory = svg, .log = picture->log, .quiet = true};
  for (int k = 0; k < CLI_WORDS && picture->channel[k]; k++) {
    plot.channels.word[plot.channels.count++] = picture->channel[k];
  }
  cli_draw(&plot);
}


void cli_report_table(cliReport *report, const cliWork *w, const artTable *table,
                      const cliPicture *picture, const char *words)
{
  if (report_is_text(report)) {
    cli_print_title(w->call, art_title(w->model));
    printf("%s", words);
    return;
  }
  json_fields(report, "file: %s, results: %s", w->call->file, picture->csv);
  json_array(report, "columns");
  for (int c = 0; c < table->columns; c++) {
    json_item(report, NULL, "name: %s, unit: %s", table->name[c], table->unit[c]);
  }
  json_end(report);
  json_array(report, "rows");
  for (long r = 0; r < table->rows; r++) {
    json_numbers(report, NULL, table->columns, table->value + r * table->columns);
  }
  json_end(report);
}


//---- a state as the section 'initial' of a model file, or as lists of coordinates ----------------

static const double DEGREES = 57.29577951308232; // in a radian

// so small a value is what an iteration leaves of zero
static const double NOTHING = 1e-15;


static bool is_driven_position(const artModel *m, int position)
{
  for (int i = 0; i < m->ndrive; i++) {
    if (m->drive[i].position == position) return true;
  }
  return false;
}


// a coordinate that a drive prescribes has no initial value
static void print_initial_value(const char *full, const char *unit, double found, bool driven)
{
  const double value = fabs(found) < NOTHING ? 0 : found;
  char number[JSON_NUMBER_LENGTH];
  const bool has_unit = strcmp(unit, "1") != 0;
  printf("    %s%s: %s%s%s", driven ? "# driven: " : "", strrchr(full, '.') + 1,
         json_number_text(value, number), has_unit ? " " : "", has_unit ? unit : "");
  if (strcmp(unit, "rad") == 0) format_stream(stdout, "  # %.6g deg", value * DEGREES);
  putchar('\n');
}


void cli_report_state(ioJson *report, const artModel *m, const artData *d, bool velocities)
{
  if (report_is_text(report)) {
    printf("initial:\n");
    for (int j = 0; j < m->njoint; j++) {
      const modelJoint *joint = &m->joint[j];
      if (joint->is_cut || joint->nq == 0) continue;
      bool has_initial = false;
      for (int k = joint->q0; k < joint->q0 + joint->nq; k++)
        has_initial |= !is_driven_position(m, k);
      printf("  %s%s:\n", has_initial ? "" : "# ", joint->name);
      for (int k = joint->q0; k < joint->q0 + joint->nq; k++) {
        print_initial_value(m->position[k].name, art_position_unit(m, k), d->q[k],
                            is_driven_position(m, k));
      }
      for (int k = joint->v0; k < joint->v0 + joint->nv && velocities; k++) {
        const int partner = m->velocity[k].partner;
        print_initial_value(m->velocity[k].name, art_velocity_unit(m, k), d->v[k],
                            partner >= 0 && is_driven_position(m, partner));
      }
    }
    return;
  }
  json_array(report, "coordinates");
  for (int k = 0; k < m->tree.nq; k++) {
    json_item(report, NULL, "name: %s, value: %g, unit: %s, driven: %i", m->position[k].name,
              d->q[k], art_position_unit(m, k), is_driven_position(m, k));
  }
  json_end(report);
  json_array(report, "velocities");
  for (int k = 0; k < m->tree.nv && velocities; k++) {
    json_item(report, NULL, "name: %s, value: %g, unit: %s", m->velocity[k].name, d->v[k],
              art_velocity_unit(m, k));
  }
  json_end(report);
}
