// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula report: a page about a result, for reading and printing.
#include "show/report.h"

#include "command.h"


void verb_report(cliWork *w)
{
  const cliCall *call = w->call;
  char path[FILE_PATH_LENGTH];
  const char *result[CLI_WORDS + 1];
  const int n = cli_results(call, &call->with, result);
  error_check(page_beside(call->file, "report.html", path, error_current()));
  if (call->directory) snprintf(path, sizeof path, "%s", call->directory);
  artError *damage = arena_alloc(&w->arena, (size_t) n, sizeof *damage);
  for (int i = 0; i < n; i++) damage[i] = cli_check_result(result[i]);
  error_check(report_write(path, n, result, damage, call->channels.count, call->channels.word,
                           error_current()));
  w->exit = cli_name_file(call, "report", path, 0);
}
