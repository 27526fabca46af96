// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reports of verbs, for people or for programs.
#include "tell.h"


cliReport tell_begin(const cliCall *call)
{
  cliReport report = {.file = call->json ? stdout : NULL};
  json_object(&report, NULL);
  return report;
}


void tell_end(cliReport *report)
{
  json_end(report);
}


void say(const cliReport *report, const char *format, ...)
{
  if (!tell_is_text(report)) return;
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}


void say_title(const cliReport *report, const char *words)
{
  say(report, "\n%s%s%s\n", cli_bold(stdout), words, cli_plain(stdout));
}


static void tell_values(cliReport *report, const char *fields, const char *text, va_list *arguments)
{
  if (tell_is_text(report)) {
    vprintf(text, *arguments);
  } else {
    json_fields_v(report, fields, arguments);
  }
}


void tell(cliReport *report, const char *fields, const char *text, ...)
{
  va_list arguments;
  va_start(arguments, text);
  tell_values(report, fields, text, &arguments);
  va_end(arguments);
}


void tell_item(cliReport *report, const char *key, const char *fields, const char *text, ...)
{
  va_list arguments;
  va_start(arguments, text);
  json_object(report, key);
  tell_values(report, fields, text, &arguments);
  json_end(report);
  va_end(arguments);
}
