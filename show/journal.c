// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A journal of lines with checksums.
#include "show/journal.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

enum { SUM_LENGTH = 16 };                // hexadecimal digits, then a space
static const double SYNC_INTERVAL = 1.0; // s


static uint64_t journal_line_sum(const char *line)
{
  return base_hash(BASE_HASH_EMPTY, line, strlen(line));
}


artStatus journal_create(ioJournal *j, const char *path, const char *head, artError *error)
{
  snprintf(j->path, sizeof j->path, "%s", path);
  const artStatus status = file_create(&j->stream, path, 0, error);
  return status ? status : journal_add(j, head, error);
}


artStatus journal_add(ioJournal *j, const char *line, artError *error)
{
  fprintf(j->stream, "%016" PRIx64 " %s\n", journal_line_sum(line), line);
  int is_good = fflush(j->stream) == 0 && !ferror(j->stream);
  const double now = base_now();
  if (is_good && now - j->synced > SYNC_INTERVAL) {
    is_good = file_sync(j->stream);
    j->synced = now;
  }
  return is_good ? ART_OK : file_fail(error, j->path, "cannot write");
}


artStatus journal_close(ioJournal *j, artError *error)
{
  if (!j->stream) return ART_OK;
  const int is_good = file_sync(j->stream);
  const int is_lost = fclose(j->stream) != 0;
  j->stream = NULL;
  return is_good && !is_lost ? ART_OK : file_fail(error, j->path, "cannot write");
}


//---- reading back --------------------------------------------------------------------------------

// the text of a complete line after its checksum, terminated in place; NULL: damaged
static char *check_line(char *line, char *end)
{
  char digits[SUM_LENGTH + 1];
  *end = '\0';
  if (end - line <= SUM_LENGTH || line[SUM_LENGTH] != ' ') return NULL;
  char *text = line + SUM_LENGTH + 1;
  snprintf(digits, sizeof digits, "%016" PRIx64, journal_line_sum(text));
  return memcmp(digits, line, SUM_LENGTH) == 0 ? text : NULL;
}


// read the head and all lines; *is_new: there is no complete head
static artStatus read_journal_lines(const char *path, char *bytes, const char *head,
                                    journalRead read, void *context, int *is_new, artError *error)
{
  artStatus status = ART_OK;
  char *end = strchr(bytes, '\n');
  const char *found = end ? check_line(bytes, end) : NULL;
  *is_new = !end;
  if (!end) return ART_OK;
  if (!found || strcmp(found, head) != 0)
    return file_wrong(error, path,
                      "found '%.80s', expected '%s': this is the journal of another call; repeat "
                      "that one, or start anew without --resume",
                      found ? found : "something else", head);
  for (char *line = end + 1; !status && (end = strchr(line, '\n')); line = end + 1) {
    const char *text = check_line(line, end);
    if (text) status = read(context, text, error);
  }
  return status;
}


artStatus journal_resume(ioJournal *j, const char *path, const char *head, journalRead read,
                         void *context, artError *error)
{
  char *bytes = NULL;
  size_t size = 0;
  int is_new = 0;
  artStatus status = file_read(path, &bytes, &size, error);
  if (status) return status;
  const int needs_end = size > 0 && bytes[size - 1] != '\n';
  status = read_journal_lines(path, bytes, head, read, context, &is_new, error);
  mem_free(bytes);
  if (status) return status;
  if (is_new) return journal_create(j, path, head, error);

  // terminate an incomplete last line first
  snprintf(j->path, sizeof j->path, "%s", path);
  status = file_create(&j->stream, path, 1, error);
  if (!status && needs_end) fputc('\n', j->stream);
  return status;
}
