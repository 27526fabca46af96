// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A JSON writer: escapes strings, writes numbers exactly, formats the layout.
#include "show/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/plain.h"

//---- strings -------------------------------------------------------------------------------------

static void write_ascii(FILE *file, char c)
{
  switch (c) {
  case '"': fputs("\\\"", file); break;
  case '\\': fputs("\\\\", file); break;
  case '\n': fputs("\\n", file); break;
  case '\r': fputs("\\r", file); break;
  case '\t': fputs("\\t", file); break;
  default:
    if (c < 0x20 || c == 0x7f) {
      fprintf(file, "\\u%04x", (unsigned) c);
    } else {
      fputc(c, file);
    }
  }
}


static void write_json_text(FILE *file, const char *text)
{
  fputc('"', file);
  for (const char *s = text; *s;) {
    unsigned code;
    const size_t n = plain_decode((const unsigned char *) s, &code);
    if (n == 1) {
      write_ascii(file, *s);
    } else if (n == 0) {
      fputs("\\ufffd", file); // an invalid byte, which file names may contain
    } else {
      fwrite(s, 1, n, file);
    }
    s += n ? n : 1;
  }
  fputc('"', file);
}


//---- layout --------------------------------------------------------------------------------------

// write separator, line break and key before a value; false if there is no file
static bool start_json_item(ioJson *json, const char *key)
{
  if (!json->file) return false;
  if (json->has_items) fputs(json->inline_from ? ", " : ",", json->file);
  if (!json->inline_from && json->depth > 0) fprintf(json->file, "\n%*s", 2 * json->depth, "");
  json->has_items = true;
  if (!key) return true;
  write_json_text(json->file, key);
  fputs(": ", json->file);
  return true;
}


static void open_json_level(ioJson *json, const char *key, char open, char close)
{
  ART_ASSERT(json->depth < JSON_DEPTH);
  if (start_json_item(json, key)) fputc(open, json->file);
  json->close[json->depth++] = close;
  json->has_items = false;
}


void json_object(ioJson *json, const char *key)
{
  open_json_level(json, key, '{', '}');
}


void json_array(ioJson *json, const char *key)
{
  open_json_level(json, key, '[', ']');
}


void json_list(ioJson *json, const char *key)
{
  open_json_level(json, key, '[', ']');
  if (!json->inline_from) json->inline_from = json->depth;
}


void json_end(ioJson *json)
{
  ART_ASSERT(json->depth > 0);
  const bool has_lines = json->has_items && !json->inline_from;
  if (json->inline_from == json->depth) json->inline_from = 0;
  json->depth--;
  if (!json->file) return;
  if (has_lines) fprintf(json->file, "\n%*s", 2 * json->depth, "");
  fputc(json->close[json->depth], json->file);
  json->has_items = true;
  if (json->depth == 0) fputc('\n', json->file);
}


//---- values --------------------------------------------------------------------------------------

const char *json_number_text(double value, char buffer[JSON_NUMBER_LENGTH])
{
  for (int digits = 15; digits <= 17; digits++) {
    format_text(buffer, JSON_NUMBER_LENGTH, "%.*g", digits, value);
    if (format_read(buffer, NULL) == value) break;
  }
  return buffer;
}


void json_text(ioJson *json, const char *key, const char *text)
{
  if (!start_json_item(json, key)) return;
  if (text) {
    write_json_text(json->file, text);
  } else {
    fputs("null", json->file);
  }
}


void json_number(ioJson *json, const char *key, double value)
{
  char buffer[JSON_NUMBER_LENGTH];
  if (!start_json_item(json, key)) return;
  fputs(isfinite(value) ? json_number_text(value, buffer) : "null", json->file);
}


void json_rough(ioJson *json, const char *key, double value)
{
  if (!start_json_item(json, key)) return;
  if (isfinite(value)) {
    format_stream(json->file, "%.6g", value);
  } else {
    fputs("null", json->file);
  }
}


void json_integer(ioJson *json, const char *key, long long value)
{
  if (start_json_item(json, key)) fprintf(json->file, "%lld", value);
}


void json_bool(ioJson *json, const char *key, bool value)
{
  if (start_json_item(json, key)) fputs(value ? "true" : "false", json->file);
}


void json_numbers(ioJson *json, const char *key, int n, const double *values)
{
  json_list(json, key);
  for (int i = 0; i < n; i++) json_number(json, NULL, values[i]);
  json_end(json);
}


// write one value by its format conversion
static void write_json_value(ioJson *json, const char *key, const char *conversion, size_t n,
                             va_list *arguments)
{
  const char kind = conversion[n - 1];
  if (kind == 's') {
    json_text(json, key, va_arg(*arguments, const char *));
  } else if (kind == 'g') {
    const double value = va_arg(*arguments, double);
    (n > 2 ? json_rough : json_number)(json, key, value);
  } else if (kind == 'i') {
    json_bool(json, key, va_arg(*arguments, int));
  } else if (kind == 'u') {
    json_integer(json, key, (long long) va_arg(*arguments, size_t));
  } else if (n == 2) {
    json_integer(json, key, va_arg(*arguments, int));
  } else if (n == 3) {
    json_integer(json, key, va_arg(*arguments, long));
  } else {
    json_integer(json, key, va_arg(*arguments, long long));
  }
}


void json_fields_v(ioJson *json, const char *format, va_list *arguments)
{
  char key[64];
  while (*format) {
    const size_t length = strcspn(format, ":");
    ART_ASSERT(length < sizeof key && format[length] == ':' && format[length + 1] == ' ');
    memcpy(key, format, length);
    key[length] = 0;
    format += length + 2;
    const size_t n = strcspn(format, ",");
    write_json_value(json, key, format, n, arguments);
    format += n + (format[n] ? 2 : 0);
  }
}


void json_fields(ioJson *json, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  json_fields_v(json, format, &arguments);
  va_end(arguments);
}


void json_item(ioJson *json, const char *key, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  json_object(json, key);
  json_fields_v(json, format, &arguments);
  json_end(json);
  va_end(arguments);
}


//---- errors, split into place and message --------------------------------------------------------

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


// length of ":12:7: " at the start of a text, else 0
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


// length of "file" in "file: ...", the form of errors about a whole file; else 0
static size_t file_length(const artError *error, const char *about)
{
  const size_t n = about ? strlen(about) : 0;
  if (n > 0 && strncmp(error->text, about, n) == 0 && error->text[n] == ':') return n;
  const char *end = error->status == ART_IO ? strstr(error->text, ": cannot ") : NULL;
  return end ? (size_t) (end - error->text) : 0;
}


static void write_json_file_name(ioJson *json, const char *text, size_t length)
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

  // go back over ":line:column:" to the end of the name
  const size_t after = place > 0 ? place + 1 : name > 0 ? name + 2 : 0;
  for (int colons = 0; place > 0 && colons < 2; colons += error->text[name] == ':') name--;
  json_object(json, key);
  json_fields(json, "status: %s, message: %s", status_name(error->status), error->text + after);
  if (name > 0) {
    write_json_file_name(json, error->text, name);
  } else if (about) {
    json_text(json, "file", about);
  }
  if (place > 0) {
    json_fields(json, "line: %d, column: %d", line, column);
  }
  json_end(json);
}
