// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as the journal of a sweep, any text as lines of a sound one, and a whole journal with any
// bytes of it changed. A sweep that resumes with the last is refused or comes to the table of one that was not interrupted.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "show/journal.h"

static char model[FUZZ_PATH_LENGTH], folder[FUZZ_PATH_LENGTH];


static int sweep(const char *resume)
{
  return fuzz_command((const char *[]){"sweep", model, "--vary", "m=1:2:3", "--threads", "1", "-o",
                                       folder, resume, NULL});
}


static char *read_in(const char *name, size_t *size)
{
  char path[2 * FUZZ_PATH_LENGTH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return fuzz_read(path, size);
}


static int resume_with(const char *journal, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  fuzz_write(path, "sweep/journal", journal, size);
  return sweep("--resume") == 0;
}


// lines whose sums are right, under the head of the sweep
static void resume_with_lines(const char *journal, char *text)
{
  char head[256], path[FUZZ_PATH_LENGTH];
  ioJournal own = {0};
  char *rest = NULL;
  snprintf(head, sizeof head, "%.*s", (int) strcspn(journal, "\n") - 17, journal + 17);
  REQUIRE(journal_create(&own, fuzz_path(path, "sweep/journal"), head, NULL) == ART_OK);
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    REQUIRE(journal_add(&own, line, NULL) == ART_OK);
  }
  REQUIRE(journal_close(&own, NULL) == ART_OK);
  (void) sweep("--resume");
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char *journal, *table;
  static size_t journal_size, table_size;
  if (!journal) {
    fuzz_write(model, "pendulum.yaml", fuzz_pendulum, strlen(fuzz_pendulum));
    fuzz_path(folder, "sweep");
    REQUIRE(sweep(NULL) == 0);
    journal = read_in("journal", &journal_size);
    table = read_in("results.csv", &table_size);
  }
  (void) resume_with((const char *) data, size);
  char *text = fuzz_text(data, size), *changed = fuzz_change(journal, journal_size, data, size);
  resume_with_lines(journal, text);
  if (resume_with(changed, journal_size)) {
    size_t length;
    char *now = read_in("results.csv", &length);
    REQUIRE(strcmp(now, table) == 0);
    free(now);
  }
  free(text);
  free(changed);
  return 0;
}
