// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Results as CSV (RFC 4180): a header of names with units, rows of numbers with 17 significant
// digits.
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
  sha256_begin(&csv->sha);
  return file_create(&csv->stream, path, 0, error);
}


artStatus csv_begin(ioCsv *csv, const char *path, artError *error)
{
  const artStatus status = file_begin(&csv->part, path, error);
  if (status) return status;
  snprintf(csv->path, sizeof csv->path, "%s", path);
  csv->cells = 0;
  sha256_begin(&csv->sha);
  csv->stream = csv->part.stream;
  return ART_OK;
}


// Result of read_lines.
typedef struct csvLines {
  long count;      // of complete lines
  long long whole; // bytes up to the end of the last complete line
  long long read;  // total number of bytes
  baseSha256 sha;  // of all bytes
} csvLines;


// Read at most `most` bytes from the present position; negative: all. Newlines inside quotes do not
// end a line.
static csvLines read_lines(FILE *stream, long long most)
{
  csvLines lines = {0};
  char bytes[1 << 14];
  int is_quoted = 0;
  sha256_begin(&lines.sha);
  for (;;) {
    const long long left = most - lines.read;
    const size_t wanted =
        most >= 0 && left < (long long) sizeof bytes ? (size_t) left : sizeof bytes;
    const size_t n = fread(bytes, 1, wanted, stream);
    if (n == 0) return lines;
    sha256_add(&lines.sha, bytes, n);
    for (size_t i = 0; i < n; i++) {
      if (bytes[i] == '"') is_quoted = !is_quoted;
      if (bytes[i] != '\n' || is_quoted) continue;
      lines.count++;
      lines.whole = lines.read + (long long) i + 1;
    }
    lines.read += (long long) n;
  }
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
  const csvLines kept = read_lines(csv->stream, length);
  if (kept.read != length) return file_fail(error, path, "cannot read");
  csv->sha = kept.sha;
  if (ftruncate(fd, (off_t) length) != 0 || fseeko(csv->stream, 0, SEEK_END) != 0) {
    return file_fail(error, path, "cannot write");
  }
  return ART_OK;
}


//---- lines ---------------------------------------------------------------------------------------

// All bytes of a table pass through here, to the file and into its hash.
static void put_csv_bytes(ioCsv *csv, const char *bytes, size_t n)
{
  fwrite(bytes, 1, n, csv->stream);
  sha256_add(&csv->sha, bytes, n);
}


static void put_csv_text(ioCsv *csv, const char *text)
{
  put_csv_bytes(csv, text, strlen(text));
}


static void start_cell(ioCsv *csv)
{
  if (csv->cells++ > 0) put_csv_text(csv, ",");
}


static int needs_quotes(const char *text)
{
  return text && strpbrk(text, "\",\r\n") != NULL;
}


// a quote inside quotes is doubled
static void write_escaped(ioCsv *csv, const char *text, int is_quoted)
{
  for (const char *s = text; *s; s++) {
    if (*s == '"' && is_quoted) put_csv_text(csv, "\"");
    put_csv_bytes(csv, s, 1);
  }
}


void csv_name(ioCsv *csv, const char *name, const char *unit)
{
  const int is_quoted = needs_quotes(name) || needs_quotes(unit);
  start_cell(csv);
  if (is_quoted) put_csv_text(csv, "\"");
  write_escaped(csv, name, is_quoted);
  if (unit) {
    put_csv_text(csv, " [");
    write_escaped(csv, unit, is_quoted);
    put_csv_text(csv, "]");
  }
  if (is_quoted) put_csv_text(csv, "\"");
}


void csv_number(ioCsv *csv, double value)
{
  char text[32];
  start_cell(csv);
  format_text(text, sizeof text, "%.17g", value);
  put_csv_text(csv, text);
}


void csv_numbers(ioCsv *csv, int n, const double *values)
{
  for (int i = 0; i < n; i++) csv_number(csv, values[i]);
}


artStatus csv_end_line(ioCsv *csv, artError *error)
{
  put_csv_text(csv, "\n");
  csv->cells = 0;
  return ferror(csv->stream) ? file_fail(error, csv->path, "cannot write") : ART_OK;
}


//---- flushing ------------------------------------------------------------------------------------

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


//---- sums ----------------------------------------------------------------------------------------

void csv_digest(const ioCsv *csv, char sha256[SHA256_LENGTH])
{
  baseSha256 sha = csv->sha;
  sha256[0] = '\0';
  if (csv->path[0]) sha256_end(&sha, sha256);
}


artStatus csv_sum(const char *path, long *rows, char sha256[SHA256_LENGTH], artError *error)
{
  FILE *stream;
  *rows = 0;
  sha256[0] = '\0';
  const artStatus status = file_open(&stream, path, 0, error);
  if (status) return status;
  csvLines lines = read_lines(stream, -1);
  const int is_bad = ferror(stream);
  (void) fclose(stream);
  if (is_bad) return file_fail(error, path, "cannot read");
  *rows = lines.count > 0 ? lines.count - 1 : 0;
  sha256_end(&lines.sha, sha256);
  return ART_OK;
}


artStatus csv_settle(const char *path, long *rows, char sha256[SHA256_LENGTH], artError *error)
{
  FILE *stream;
  long settled;
  *rows = 0;
  sha256[0] = '\0';
  const artStatus status = file_open(&stream, path, 1, error);
  if (status) return status;
  const csvLines lines = read_lines(stream, -1);
  const int is_bad = ferror(stream) || ftruncate(fileno(stream), (off_t) lines.whole) != 0;
  *rows = lines.count > 0 ? lines.count - 1 : 0;
  (void) fclose(stream);
  return is_bad ? file_fail(error, path, "cannot read") : csv_sum(path, &settled, sha256, error);
}
