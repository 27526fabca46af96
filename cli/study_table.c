// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tables that studies find: as CSV with a picture beside it, or as JSON.
#include "tell.h"

#include "show/csv.h"


static artStatus write_csv(const artTable *table, const char *path, artError *error)
{
  ioCsv csv = {0};
  artStatus status = csv_begin(&csv, path, error);
  if (status) return status;
  for (int c = 0; c < table->columns; c++) csv_name(&csv, table->name[c], table->unit[c]);
  status = csv_end_line(&csv, error);
  for (long r = 0; r < table->rows && !status; r++) {
    csv_numbers(&csv, table->columns, table->value + r * table->columns);
    status = csv_end_line(&csv, error);
  }
  if (!status) return csv_close(&csv, error);
  csv_abandon(&csv);
  return status;
}


artStatus cli_save_table(const cliCall *call, const artTable *table, cliPicture *picture,
                         artError *error)
{
  char directory[FILE_PATH_LENGTH], svg[FILE_PATH_LENGTH], name[64];
  artStatus status = cli_directory(call, picture->name, directory, error);
  if (!status) status = file_make_directory(directory, error);
  snprintf(name, sizeof name, "%s.csv", picture->name);
  if (!status) status = file_join(picture->csv, directory, name, error);
  if (!status) status = write_csv(table, picture->csv, error);
  snprintf(name, sizeof name, "%s.svg", picture->name);
  if (!status) status = file_join(svg, directory, name, error);
  if (status || !picture->channel[0]) return status;

  cliCall plot = {.file = picture->csv, .directory = svg, .log = picture->log, .quiet = true};
  for (int k = 0; k < CLI_WORDS && picture->channel[k]; k++) {
    plot.channels.word[plot.channels.count++] = picture->channel[k];
  }
  return cli_draw(&plot, error);
}


void cli_tell_table(cliReport *report, const cliWork *w, const artTable *table,
                    const cliPicture *picture, const char *words)
{
  if (tell_is_text(report)) {
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
