// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A small writer of JSON: escapes texts, writes numbers that read back to the same bits, lays out.
//
//   ioJson j = {.file = stdout};
//   json_object(&j, NULL);
//   json_text(&j, "name", "crank");
//   json_list(&j, "at");  json_number(&j, NULL, 0.1);  ...  json_end(&j);
//   json_end(&j);
//
// The key is NULL inside arrays and at the top. Failures of the stream are left in ferror(file).
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
  int inline_from; // depth of the outermost list written in one line; 0: none
  bool has_items;  // the open object or array is not empty
  char close[JSON_DEPTH];
} ioJson;

//---- structure -----------------------------------------------------------------------------------

void json_object(ioJson *json, const char *key);
void json_array(ioJson *json, const char *key); // an item a line
void json_list(ioJson *json, const char *key);  // all in one line
void json_end(ioJson *json);                    // of the innermost of them

//---- values --------------------------------------------------------------------------------------

void json_text(ioJson *json, const char *key, const char *text); // NULL writes null
void json_number(ioJson *json, const char *key, double value);   // nan and inf write null
void json_rough(ioJson *json, const char *key, double value);    // six digits
void json_integer(ioJson *json, const char *key, long long value);
void json_bool(ioJson *json, const char *key, bool value);

// Several values of the open object at once: "name: %s, mass: %g, bodies: %d, driven: %i" and their arguments. %s is a text,
// %g a number, %.6g a rough one; %d, %ld, %lld and %zu are integers, %i a bool. The second makes an object of them.
void json_fields(ioJson *json, const char *format, ...) __attribute__((format(printf, 2, 3)));
void json_item(ioJson *json, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void json_fields_v(ioJson *json, const char *format, va_list *arguments);

// A list of n numbers.
void json_numbers(ioJson *json, const char *key, int n, const double *values);

// The shortest decimal that reads back to the same bits. Returns the buffer.
const char *json_number_text(double value, char buffer[JSON_NUMBER_LENGTH]);

//---- errors: the message taken apart into place and text ------------------------------------------

// The place at the front of a message, "file:line:column: ": its length without the space after it,
// 0 where there is none. Line and column are 0 when the message names a file alone.
size_t error_place(const char *text, int *line, int *column);

// Write {"status": "ART_BAD_INPUT", "message": "...", "file": "...", "line": 3, "column": 7}; line and
// column only where the message has a place. The file is the one that the message begins with, which
// then is left out of it, or else the one that the work is about (NULL: none).
void error_write(ioJson *json, const char *key, const artError *error, const char *about);

#endif
