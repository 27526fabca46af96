// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The verb `generate` and art_write_source write the same text: both take the cheapest equations.
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "command.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

static const char *const models[] = {
    "pendulum",   "double-pendulum",  "puma560",       "iiwa",
    "screw-jack", "loops/four-bar",   "loops/delta",   "loops/seven-body",
    "gimbal",     "loops/delta-rods", "loops/stewart", "loops/planar-robot-by-hand",
};

static char *read_text(const char *path)
{
  char *text = NULL;
  size_t size = 0;
  return file_read(path, &text, &size, NULL) == ART_OK ? text : NULL;
}


static char *by_verb(const char *model, const char *language)
{
  char path[200];
  cliCall call = {0};
  snprintf(path, sizeof path, "%s/verb%s", folder_own(), language[0] == 'c' ? ".c" : ".py");
  const char *words[] = {"articula", "generate", model, "--language", language, "-o", path};
  if (cli_parse(&call, 7, (char **) words, &check_error) != ART_OK) return NULL;
  return cli_do(&call) == CLI_DONE ? read_text(path) : NULL;
}


static char *by_library(const char *model, artLanguage language)
{
  char path[200];
  snprintf(path, sizeof path, "%s/library", folder_own());
  artGenerateDef def = art_default_generate();
  def.language = language;
  artModel *m = keep_file(model);
  artData *d = keep_fresh_data(m);
  CHECK(art_assemble(m, d, NULL, NULL) == ART_OK);
  const artStatus status = art_write_source(m, d, &def, path, NULL);
  return status == ART_OK ? read_text(path) : NULL;
}


TEST(the_verb_and_the_library_write_the_same_text)
{
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    char path[300];
    snprintf(path, sizeof path, "%s/models/%s.yaml", ART_SOURCE_DIR, models[i]);
    const artLanguage language = i % 2 ? ART_PYTHON : ART_C;
    char *one = by_verb(path, art_language_name(language)), *other = by_library(path, language);
    if (!CHECK(one && other && strcmp(one, other) == 0)) printf("  %s\n", models[i]);
    mem_free(one);
    mem_free(other);
  }
}
