// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of result tables: a header of names with units, then lines of numbers.
#include "show/columns.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/plain.h"

// the rest of the text; it ends with '\0'
typedef struct tableText {
  char *next;
  int line;
} tableText;


static artPlace table_place_of(const ioColumns *t, const tableText *text)
{
  return (artPlace){.file = t->path, .line = text->line, .column = 1};
}


//---- header --------------------------------------------------------------------------------------

// the end of the cell at s: a comma, the end of the line or the text, or an unexpected character
// after its closing quote; NULL: the quote is not closed
static char *cell_end(char *s)
{
  if (*s != '"') return s + strcspn(s, ",\r\n");
  for (s++; *s && (s[0] != '"' || s[1] == '"'); s++) s += s[0] == '"';
  return *s ? s + 1 : NULL;
}


// number of cells in the header; 0, with *wrong, if a closing quote is not at the end of a cell
static int count_cells(char *s, const char **wrong)
{
  for (int n = 1;; n++) {
    *wrong = s;
    s = cell_end(s);
    if (!s) return 0;
    if ((*s == '\0' || *s == '\n' || (s[0] == '\r' && s[1] == '\n'))) return n;
    *wrong = s;
    if (*s++ != ',') return 0;
  }
}


// the next cell of the header, unquoted and terminated in place
static char *next_cell(tableText *text)
{
  char *from = text->next, *const end = cell_end(from), *const cell = from, *to = from;
  const bool is_quoted = *from == '"';
  text->next = *end == '\r' ? end + 2 : *end ? end + 1 : end;
  for (from += is_quoted; from < end; from++) {
    text->line += *from == '\n';
    if (is_quoted && *from == '"' && *++from != '"')
      break; // a doubled quote is one quote
             // character
    *to++ = *from;
  }
  *to = '\0';
  return cell;
}


// split "name [unit]" in place, as plain text, since plots print it to terminals
static ioColumn split_name(char *cell)
{
  plain_tidy(cell);
  const size_t n = strlen(cell);
  char *open = n > 0 && cell[n - 1] == ']' ? strrchr(cell, '[') : NULL;
  if (!open || open < cell + 2 || open[-1] != ' ') return (ioColumn){.name = cell, .unit = ""};
  cell[n - 1] = open[-1] = '\0';
  return (ioColumn){.name = cell, .unit = open + 1};
}


static bool is_number_name(const char *name)
{
  char *end = NULL;
  if (!name[0] || !strchr("+-.0123456789", name[0])) return false;
  (void) format_read(name, &end);
  return *end == '\0';
}


static artStatus read_table_head(ioColumns *t, tableText *text, artError *error)
{
  const char *wrong = text->next;
  for (const char *c = text->next; *c && *c != '\n'; c++) {
    // a line with control characters has no names
    if ((unsigned char) *c >= ' ' || *c == '\t' || *c == '\r') continue;
    return file_wrong(
        error, t->path,
        "is not a table: its first line is not text; results are kept in results.csv");
  }
  const int cells = count_cells(text->next, &wrong);
  if (cells == 0) {
    return base_fail(
        error, ART_BAD_INPUT, table_place_of(t, text),
        "found '%.20s' in the head, expected a closing quote with a comma or the end of the "
        "line after it",
        wrong);
  }
  const artStatus spent = budget_charge(BUDGET_ITEMS, cells, table_place_of(t, text), error);
  if (spent) return spent;
  t->column = arena_alloc(&t->arena, (size_t) cells, sizeof *t->column);
  if (!t->column) return base_no_memory(error);
  while (t->count < cells) t->column[t->count++] = split_name(next_cell(text));
  text->line++;
  const char *first = t->column[0].name;
  if (is_number_name(first)) {
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = t->path, .line = 1, .column = 1},
                     "found the number '%.20s', expected a head with names of columns", first);
  }
  if (first[0]) return ART_OK;
  return file_wrong(
      error, t->path,
      "found no head; expected names of columns by commas, like 'time [s],pin.angle [rad]'");
}


//---- the numbers ---------------------------------------------------------------------------------

// skip a text cell that ends before the separator `wanted`; NULL if there is none
static char *pass_text_cell(ioColumns *t, int k, tableText *text, char wanted)
{
  char *end = t->takes_text ? cell_end(text->next) : NULL;
  if (end && wanted == '\n' && *end == '\r') end++;
  if (!end || *end != wanted) return NULL;
  t->column[k].value[t->rows] = NAN;
  if (!t->column[k].text_line) t->column[k].text_line = text->line;
  return end;
}


static artStatus read_table_row(ioColumns *t, tableText *text, artError *error)
{
  for (int k = 0; k < t->count; k++) {
    char *end = text->next;
    t->column[k].value[t->rows] = format_read(text->next, &end);
    const char wanted = k + 1 < t->count ? ',' : '\n';
    if (wanted == '\n' && *end == '\r') end++;
    const bool is_number = end > text->next && *end == wanted;
    if (!is_number) end = pass_text_cell(t, k, text, wanted);
    if (!end) {
      return base_fail(error, ART_BAD_INPUT, table_place_of(t, text),
                       "column %d ('%.80s'): found '%.20s', expected a number and %s", k + 1,
                       t->column[k].name, text->next,
                       wanted == ',' ? "a comma" : "the end of the line");
    }
    text->next = end + 1;
  }
  t->rows++;
  text->line++;
  return ART_OK;
}


static artStatus read_rows(ioColumns *t, tableText *text, artError *error)
{
  long lines = 0, bytes = 0;
  for (const char *s = text->next; *s; s++, bytes++) lines += *s == '\n';
  const long most = bytes / t->count; // a row has at least a byte per cell; shorter lines are
                                      // errors
  const size_t room = (size_t) (lines < most ? lines : most) + 1;
  for (int k = 0; k < t->count; k++) {
    t->column[k].value = arena_alloc(&t->arena, room, sizeof(double));
    if (!t->column[k].value) return base_no_memory(error);
  }
  artStatus status = ART_OK;
  while (t->rows < lines && !status) status = read_table_row(t, text, error);
  return status;
}


//---- all -----------------------------------------------------------------------------------------

artStatus columns_read(ioColumns *t, const char *path, artError *error)
{
  char *bytes = NULL;
  size_t size = 0;
  struct stat found;
  artStatus status = ART_OK;
  if (stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
    status = file_join(t->path, path, "results.csv", error);
  } else if (strlen(path) >= sizeof t->path) {
    status = base_fail(error, ART_IO, base_nowhere(), "the path is too long: %.80s...", path);
  } else {
    memcpy(t->path, path, strlen(path) + 1);
  }
  if (!status) status = file_read(t->path, &bytes, &size, error);
  if (status) return status;

  // names point into the text
  tableText text = {.next = arena_text_n(&t->arena, bytes, size), .line = 1};
  mem_free(bytes);
  if (!text.next) return base_no_memory(error);
  status = read_table_head(t, &text, error);
  return status ? status : read_rows(t, &text, error);
}


void columns_free(ioColumns *t)
{
  arena_free(&t->arena);
  *t = (ioColumns){0};
}


int columns_find(const ioColumns *t, const char *name)
{
  for (int k = 0; k < t->count; k++) {
    if (strcmp(t->column[k].name, name) == 0) return k;
  }
  return -1;
}


//---- tables for inputs ---------------------------------------------------------------------------

static const char *end_of_path(const char *text)
{
  const char *end = strstr(text, ".csv");
  return end && (end[4] == '\0' || end[4] == ':') ? end + 4 : NULL;
}


size_t record_path_length(const char *text)
{
  return (size_t) (end_of_path(text) - text);
}


bool record_is_named(const char *text)
{
  return end_of_path(text) != NULL;
}


// the requested column, that of the input's name, or the only one besides the time
static artStatus find_record_column(const ioColumns *columns, const char *input, const char *asked,
                                    int *k, artError *error)
{
  const char *name = asked ? asked : input;
  *k = columns_find(columns, name);
  for (int i = *k + 1; *k > 0 && i < columns->count; i++) {
    if (strcmp(columns->column[i].name, name) != 0) continue;
    return base_fail(error, ART_BAD_INPUT,
                     (artPlace){.file = columns->path, .line = 1, .column = 1},
                     "columns %d and %d are both called '%.60s'", *k + 1, i + 1, name);
  }
  if (*k > 0) return ART_OK;
  if (!asked && columns->count == 2) {
    *k = 1;
    return ART_OK;
  }
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (int i = 1; i < columns->count; i++) base_consider(&nearest, columns->column[i].name);
  return file_wrong(error, columns->path,
                    "there is no column '%.60s' after the first, which is the time%s; "
                    "%.40s=%.60s:COLUMN names another",
                    name, base_hint(&nearest, hint), input, columns->path);
}


static artStatus check_numbers(const ioColumns *columns, int k, artError *error)
{
  const ioColumn *own = &columns->column[k];
  if (!own->text_line) return ART_OK;
  return base_fail(error, ART_BAD_INPUT,
                   (artPlace){.file = columns->path, .line = own->text_line, .column = 1},
                   "column %d ('%.80s') has a string here, expected a number", k + 1, own->name);
}


artStatus record_read(ioColumns *columns, const char *name, const char *text, int *k,
                      artError *error)
{
  char path[FILE_PATH_LENGTH];
  const char *end = end_of_path(text);
  if (end - text >= FILE_PATH_LENGTH)
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the path '%.60s' is too long", text);
  snprintf(path, sizeof path, "%.*s", (int) (end - text), text);
  columns->takes_text = true;
  artStatus status = columns_read(columns, path, error);
  if (!status) status = find_record_column(columns, name, *end ? end + 1 : NULL, k, error);
  if (!status) status = check_numbers(columns, 0, error);
  if (!status) status = check_numbers(columns, *k, error);
  if (!status) status = record_convert(columns, 0, UNIT_TIME, error);
  if (!status && (columns->rows < 1 || columns->rows > 100000000))
    return file_wrong(error, columns->path, "the table has %ld rows, expected 1 to 1e8",
                      columns->rows);
  return status;
}


artStatus record_convert(const ioColumns *columns, int k, baseDimension expected, artError *error)
{
  ART_ASSERT(k >= 0);
  const ioColumn *column = &columns->column[k];
  const artPlace place = {.file = columns->path, .line = 1, .column = 1};
  baseUnit unit;
  char found[UNIT_NAME_LENGTH], wanted[UNIT_NAME_LENGTH];
  if (!column->unit[0]) return ART_OK;
  const artStatus status = unit_parse(&unit, column->unit, place, error);
  if (status) return status;
  if (!unit_agree(unit.dimension, expected)) {
    return base_fail(error, ART_BAD_INPUT, place, "column '%.60s' is %s, expected %s", column->name,
                     unit_describe(unit.dimension, found), unit_describe(expected, wanted));
  }
  for (long i = 0; i < columns->rows; i++) column->value[i] = unit_to_si(column->value[i], unit);
  return ART_OK;
}
