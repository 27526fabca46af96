// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An error as JSON, for programs: the message taken apart into place and text.
#include "io/error_json.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE_LENGTH = 1024 };


static const char *status_name(artStatus status)
{
  switch (status) {
#define STATUS_CASE(name, text)                                                                    \
  case name:                                                                                       \
    return #name;
    ART_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
  }
  return "unknown";
}


// ":12:7: " at the text?
static size_t scan_line_and_column(const char *text, int *line, int *column)
{
  char *end = NULL;
  if (text[0] != ':' || strspn(text + 1, "0123456789") == 0) return 0;
  const long first = strtol(text + 1, &end, 10);
  if (*end != ':' || strspn(end + 1, "0123456789") == 0) return 0;
  const long second = strtol(end + 1, &end, 10);
  if (strncmp(end, ": ", 2) != 0) return 0;
  *line = (int) first;
  *column = (int) second;
  return (size_t) (end + 1 - text);
}


size_t error_place(const char *text, int *line, int *column)
{
  *line = *column = 0;
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    const size_t n = scan_line_and_column(colon, line, column);
    if (n > 0) return (size_t) (colon - text) + n;
  }
  return 0;
}


void error_write(ioJson *json, const char *key, const artError *error)
{
  int line = 0, column = 0;
  char file[PLACE_LENGTH];
  const size_t n = error_place(error->text, &line, &column);
  json_object(json, key);
  json_text(json, "status", status_name(error->status));
  json_text(json, "message", error->text + n + (n > 0));
  if (n > 0) {
    // back over ":line:column:" to the end of the name
    size_t name = n - 1;
    for (int colons = 0; colons < 2; colons += error->text[name] == ':') name--;
    snprintf(file, sizeof file, "%.*s", (int) name, error->text);
    json_text(json, "file", file);
    json_integer(json, "line", line);
    json_integer(json, "column", column);
  }
  json_end(json);
}
