// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An error as JSON, for programs: the message taken apart into place and text.
#include "show/json.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE_LENGTH = 1024 };


static const char *status_name(artStatus status)
{
  switch (status) {
#define STATUS_CASE(name, text)                                                                    \
  case name: return #name;
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


// length of "file" in "file: ...", as errors about a whole file have it; 0 where there is none
static size_t file_length(const artError *error, const char *about)
{
  const size_t n = about ? strlen(about) : 0;
  if (n > 0 && strncmp(error->text, about, n) == 0 && error->text[n] == ':') return n;
  const char *end = error->status == ART_IO ? strstr(error->text, ": cannot ") : NULL;
  return end ? (size_t) (end - error->text) : 0;
}


static void write_file(ioJson *json, const char *text, size_t length)
{
  char file[PLACE_LENGTH];
  snprintf(file, sizeof file, "%.*s", (int) length, text);
  json_text(json, "file", file);
}


void error_write(ioJson *json, const char *key, const artError *error, const char *about)
{
  int line = 0, column = 0;
  const size_t place = error_place(error->text, &line, &column);
  size_t name = place > 0 ? place - 1 : file_length(error, about);

  // back over ":line:column:" to the end of the name
  const size_t after = place > 0 ? place + 1 : name > 0 ? name + 2 : 0;
  for (int colons = 0; place > 0 && colons < 2; colons += error->text[name] == ':') name--;
  json_object(json, key);
  json_fields(json, "status: %s, message: %s", status_name(error->status), error->text + after);
  if (name > 0) {
    write_file(json, error->text, name);
  } else if (about) {
    json_text(json, "file", about);
  }
  if (place > 0) {
    json_fields(json, "line: %d, column: %d", line, column);
  }
  json_end(json);
}
