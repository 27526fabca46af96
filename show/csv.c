// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Results as CSV (RFC 4180): a head of names with units, rows of numbers with 17 significant digits.
#include "show/csv.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/format.h"


artStatus csv_create(ioCsv *csv, const char *path, artError *error)
{
  snprintf(csv->path, sizeof csv->path, "%s", path);
  csv->cells = 0;
  return file_create(&csv->stream, path, 0, error);
}


artStatus csv_begin(ioCsv *csv, const char *path, artError *error)
{
  const artStatus status = file_begin(&csv->part, path, error);
  if (status) return status;
  snprintf(csv->path, sizeof csv->path, "%s", path);
  csv->cells = 0;
  csv->stream = csv->part.stream;
  return ART_OK;
}


artStatus csv_resume(ioCsv *csv, const char *path, long long length, artError *error)
{
  snprintf(csv->path, sizeof csv->path, "%s", path);
  csv->cells = 0;
  const artStatus status = file_open(&csv->stream, path, 1, error);
  if (status == ART_IO && errno == ENOENT)
    return file_wrong(error, path,
                      "the results of the interrupted run are gone; start anew without --resume");
  if (status) return status;

  struct stat found;
  const int fd = fileno(csv->stream);
  if (fstat(fd, &found) != 0) return file_fail(error, path, "cannot read");
  if ((long long) found.st_size < length)
    return file_wrong(error, path,
                      "found %lld bytes, expected at least the %lld that were there when the run "
                      "was interrupted; start anew without --resume",
                      (long long) found.st_size, length);
  if (ftruncate(fd, (off_t) length) != 0 || fseeko(csv->stream, 0, SEEK_END) != 0) {
    return file_fail(error, path, "cannot write");
  }
  return ART_OK;
}


//---- lines ---------------------------------------------------------------------------------------

static void start_cell(ioCsv *csv)
{
  if (csv->cells++ > 0) fputc(',', csv->stream);
}


static int needs_quotes(const char *text)
{
  return text && strpbrk(text, "\",\r\n") != NULL;
}


// a quote inside quotes is written twice
static void write_escaped(FILE *stream, const char *text, int is_quoted)
{
  for (const char *s = text; *s; s++) {
    if (*s == '"' && is_quoted) fputc('"', stream);
    fputc(*s, stream);
  }
}


void csv_name(ioCsv *csv, const char *name, const char *unit)
{
  const int is_quoted = needs_quotes(name) || needs_quotes(unit);
  start_cell(csv);
  if (is_quoted) fputc('"', csv->stream);
  write_escaped(csv->stream, name, is_quoted);
  if (unit) {
    fputs(" [", csv->stream);
    write_escaped(csv->stream, unit, is_quoted);
    fputc(']', csv->stream);
  }
  if (is_quoted) fputc('"', csv->stream);
}


void csv_number(ioCsv *csv, double value)
{
  start_cell(csv);
  format_stream(csv->stream, "%.17g", value);
}


void csv_numbers(ioCsv *csv, int n, const double *values)
{
  for (int i = 0; i < n; i++) csv_number(csv, values[i]);
}


artStatus csv_end_line(ioCsv *csv, artError *error)
{
  fputc('\n', csv->stream);
  csv->cells = 0;
  return ferror(csv->stream) ? file_fail(error, csv->path, "cannot write") : ART_OK;
}


//---- the end -------------------------------------------------------------------------------------

artStatus csv_flush(ioCsv *csv, long long *length, artError *error)
{
  if (!file_sync(csv->stream)) return file_fail(error, csv->path, "cannot write");
  const off_t end = ftello(csv->stream);
  if (end < 0) return file_fail(error, csv->path, "cannot write");
  if (length) *length = (long long) end;
  return ART_OK;
}


artStatus csv_close(ioCsv *csv, artError *error)
{
  if (!csv->stream) return ART_OK;
  if (csv->stream == csv->part.stream) {
    csv->stream = NULL;
    return file_commit(&csv->part, error);
  }
  const int is_bad = ferror(csv->stream);
  const int is_lost = fclose(csv->stream) != 0;
  csv->stream = NULL;
  return is_bad || is_lost ? file_fail(error, csv->path, "cannot write") : ART_OK;
}


artStatus csv_settle(const char *path, long *rows, artError *error)
{
  off_t whole = 0, at = 0;
  long lines = 0;
  *rows = 0;
  FILE *stream;
  const artStatus status = file_open(&stream, path, 1, error);
  if (status) return status;
  for (int is_quoted = 0, c; (c = fgetc(stream)) != EOF;) {
    // line feeds inside quotes end no line
    at++;
    if (c == '"') is_quoted = !is_quoted;
    if (c != '\n' || is_quoted) continue;
    lines++;
    whole = at;
  }
  const int is_bad = ferror(stream) || ftruncate(fileno(stream), whole) != 0;
  *rows = lines > 0 ? lines - 1 : 0;
  (void) fclose(stream);
  return is_bad ? file_fail(error, path, "cannot read") : ART_OK;
}
