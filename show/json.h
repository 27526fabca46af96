// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A JSON writer: escapes strings, writes numbers exactly, formats the layout.
//
//   ioJson j = {.file = stdout};
//   json_object(&j, NULL);
//   json_text(&j, "name", "crank");
//   json_list(&j, "at");  json_number(&j, NULL, 0.1);  ...  json_end(&j);
//   json_end(&j);
//
// The key is NULL inside arrays and at the top. Stream errors are left in ferror(file).
#ifndef SHOW_JSON_H
#define SHOW_JSON_H

#include "articula/base.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { JSON_DEPTH = 16, JSON_NUMBER_LENGTH = 32 };

// Start from {.file = f}; without a file nothing is written.
typedef struct ioJson {
  FILE *file;
  int depth;
  int inline_from; // depth of the outermost list written on one line; 0: none
  bool has_items;  // the open object or array is not empty
  char close[JSON_DEPTH];
} ioJson;

//---- structure -----------------------------------------------------------------------------------

void json_object(ioJson *json, const char *key);
void json_array(ioJson *json, const char *key); // one item per line
void json_list(ioJson *json, const char *key);  // all on one line
void json_end(ioJson *json);                    // of the innermost object or array

//---- values --------------------------------------------------------------------------------------

void json_text(ioJson *json, const char *key, const char *text); // NULL writes null
void json_number(ioJson *json, const char *key, double value);   // nan and inf write null
void json_rough(ioJson *json, const char *key, double value);    // six digits
void json_integer(ioJson *json, const char *key, long long value);
void json_bool(ioJson *json, const char *key, bool value);

// Several values of the open object at once: "name: %s, mass: %g, bodies: %d, driven: %i" and their
// arguments. %s is a string, %g a number, %.6g a number with six digits; %d, %ld, %lld and %zu are
// integers, %i a bool. json_item makes an object of them.
void json_fields(ioJson *json, const char *format, ...) __attribute__((format(printf, 2, 3)));
void json_item(ioJson *json, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void json_fields_v(ioJson *json, const char *format, va_list *arguments);

// A list of n numbers.
void json_numbers(ioJson *json, const char *key, int n, const double *values);

// The shortest decimal that reads back exactly. Returns the buffer.
const char *json_number_text(double value, char buffer[JSON_NUMBER_LENGTH]);

//---- errors: split into place and message --------------------------------------------------------

// Parse the place at the start of a message, "file:line:column: ": returns its length without the
// trailing space, 0 if there is none. Line and column are 0 if the message names only a file.
size_t error_place(const char *text, int *line, int *column);

// Write {"status": "ART_BAD_INPUT", "message": "...", "file": "...", "line": 3, "column": 7}; line
// and column only if the message has a place. The file is the one at the start of the message,
// which is then removed from it, or else `about` (NULL: none).
void error_write(ioJson *json, const char *key, const artError *error, const char *about);

#endif
