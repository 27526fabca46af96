// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The reference of a benchmark problem.
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/plain.h"

const char *const reference_norms[NORMS] = {"largest", "relative", "iftomm"};


static artStatus wrong_line(const cliReference *r, int line, const char *what, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = r->path, .line = line, .column = 1},
                   "%s", what);
}


// "# norm: largest": the text behind the key, or NULL
static const char *comment_value(const char *line, const char *key)
{
  const size_t n = strlen(key);
  if (strncmp(line, "# ", 2) != 0 || strncmp(line + 2, key, n) != 0) return NULL;
  if (line[2 + n] != ':') return NULL;
  return line + 3 + n + strspn(line + 3 + n, " ");
}


static artStatus take_comment(cliReference *r, const char *line, int number, artError *error)
{
  const char *value = NULL;
  if ((value = comment_value(line, "problem"))) r->problem = value;
  if ((value = comment_value(line, "source"))) r->source = value;
  if ((value = comment_value(line, "limit"))) r->limit = strtod(value, NULL);
  if (!(value = comment_value(line, "norm"))) return ART_OK;
  for (int k = 0; k < NORMS; k++) {
    if (strcmp(value, reference_norms[k]) != 0) continue;
    r->norm = (referenceNorm) k;
    return ART_OK;
  }
  return wrong_line(r, number, "the norm is not known; there is largest, relative, iftomm", error);
}


static artStatus take_names(cliReference *r, char *line, int number, artError *error)
{
  char *rest = NULL, *word = strtok_r(line, ",", &rest);
  if (!word || strcmp(word, "time") != 0) {
    return wrong_line(r, number, "expected the names of the columns, time first", error);
  }
  while ((word = strtok_r(NULL, ",", &rest))) {
    if (r->columns == REFERENCE_COLUMNS) return wrong_line(r, number, "too many columns", error);
    r->name[r->columns++] = word;
  }
  return r->columns > 0 ? ART_OK : wrong_line(r, number, "there is nothing but time", error);
}


static artStatus take_reference_row(cliReference *r, char *line, int number, artError *error)
{
  double *row = r->value + r->rows * (1 + r->columns);
  char *at = line;
  for (int k = 0; k <= r->columns; k++) {
    char *end = at;
    row[k] = strtod(at, &end);
    const char after = k < r->columns ? ',' : '\0';
    if (end == at || *end != after || !isfinite(row[k])) {
      return wrong_line(r, number, "expected a number for every column", error);
    }
    at = end + 1;
  }
  if (r->rows > 0 && row[0] < row[-1 - r->columns]) {
    return wrong_line(r, number, "time goes back", error);
  }
  r->rows++;
  return ART_OK;
}


static artStatus take_lines(cliReference *r, artError *error)
{
  artStatus status = ART_OK;
  char *rest = NULL;
  int number = 0, has_names = 0;
  for (char *line = strtok_r(r->text, "\n", &rest); line && !status;
       line = strtok_r(NULL, "\n", &rest)) {
    number++;
    plain_tidy(line);
    if (line[0] == '#') {
      status = take_comment(r, line, number, error);
    } else if (!has_names) {
      has_names = 1;
      status = take_names(r, line, number, error);
    } else {
      status = take_reference_row(r, line, number, error);
    }
  }
  if (!status && r->rows == 0) status = wrong_line(r, number + 1, "there are no rows", error);
  return status;
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
    status = take_lines(r, error);
  } else {
    status = base_no_memory(error);
  }
  mem_free(bytes);
  return status;
}
