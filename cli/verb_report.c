// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula report: a page about a result, for reading and printing.
#include "show/report.h"

#include "command.h"


artStatus verb_report(cliWork *w, artError *error)
{
  const cliCall *call = w->call;
  char path[FILE_PATH_LENGTH];
  const char *result[CLI_WORDS + 1];
  const int n = cli_results(call, &call->with, result);
  artStatus status = page_beside(call->file, "report.html", path, error);
  if (call->directory) snprintf(path, sizeof path, "%s", call->directory);
  if (!status) {
    status = report_write(path, n, result, call->channels.count, call->channels.word, error);
  }
  if (!status) w->exit = cli_name_file(call, "report", path, 0);
  return status;
}
