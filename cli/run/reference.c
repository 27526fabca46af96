// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The reference of a benchmark problem.
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/named.h"
#include "base/plain.h"

const char *const reference_norms[NORMS] = {"largest", "relative", "iftomm"};


_Noreturn static void wrong_line(const cliReference *r, int line, const char *what)
{
  error_refuse(((artPlace){.file = r->path, .line = line, .column = 1}), "%s", what);
}


// "# norm: largest": the text after the key, or NULL
static const char *comment_value(const char *line, const char *key)
{
  const size_t n = strlen(key);
  if (strncmp(line, "# ", 2) != 0 || strncmp(line + 2, key, n) != 0) return NULL;
  if (line[2 + n] != ':') return NULL;
  return line + 3 + n + strspn(line + 3 + n, " ");
}


static void take_names(cliReference *r, char *line, int number)
{
  char *rest = NULL, *word = strtok_r(line, ",", &rest);
  if (!word || strcmp(word, "time") != 0)
    wrong_line(r, number, "expected the names of the columns, time first");
  while ((word = strtok_r(NULL, ",", &rest))) {
    if (r->columns == REFERENCE_COLUMNS) wrong_line(r, number, "too many columns");
    r->name[r->columns++] = word;
  }
  if (r->columns == 0) wrong_line(r, number, "there is nothing but time");
}


static void take_lines(void *reference)
{
  cliReference *r = reference;
  char *rest = NULL;
  int number = 0, has_names = 0;
  for (char *line = strtok_r(r->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    number++;
    plain_tidy(line);
    if (line[0] == '#') {
      const char *value = NULL;
      if ((value = comment_value(line, "problem"))) r->problem = value;
      if ((value = comment_value(line, "source"))) r->source = value;
      if ((value = comment_value(line, "limit"))) r->limit = format_read(value, NULL);
      if (!(value = comment_value(line, "norm"))) continue;
      const int k = NAMED_FIND(reference_norms, value);
      if (k < 0) wrong_line(r, number, "the norm is not known; there is largest, relative, iftomm");
      r->norm = (referenceNorm) k;
    } else if (!has_names) {
      has_names = 1;
      take_names(r, line, number);
    } else {
      double *row = r->value + r->rows * (1 + r->columns);
      char *at = line;
      for (int k = 0; k <= r->columns; k++) {
        char *end = at;
        row[k] = format_read(at, &end);
        const char after = k < r->columns ? ',' : '\0';
        if (end == at || *end != after || !isfinite(row[k]))
          wrong_line(r, number, "expected a number for every column");
        at = end + 1;
      }
      if (r->rows > 0 && row[0] < row[-1 - r->columns]) wrong_line(r, number, "time goes back");
      r->rows++;
    }
  }
  if (r->rows == 0) wrong_line(r, number + 1, "there are no rows");
}


artStatus reference_read(cliReference *r, artError *error)
{
  size_t size = 0, lines = 1;
  char *bytes = NULL;
  artStatus status = file_read(r->path, &bytes, &size, error);
  if (status) return status;

  // room for as many rows as there are lines, and a zero at the end
  for (const char *at = bytes; (at = memchr(at, '\n', size - (size_t) (at - bytes))); at++) lines++;
  r->text = mem_alloc(size + 1, 1);
  r->value = MEM_ARRAY(double, lines *(1 + REFERENCE_COLUMNS));
  if (r->text && r->value) {
    memcpy(r->text, bytes, size);
    r->problem = r->source = "";
    r->limit = NAN;
    status = error_try(take_lines, r, error);
  } else {
    status = base_no_memory(error);
  }
  mem_free(bytes);
  return status;
}
