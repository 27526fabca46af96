// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Objects that live until their test ends.
#include "support/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#define KEEP(kind, type)                                                                           \
  CHECK_KEEPER(kept_##kind, type, art_free_##kind)                                                 \
  type *keep_##kind(type *object)                                                                  \
  {                                                                                                \
    return kept_##kind(object);                                                                    \
  }
KEEP(model, artModel)
KEEP(data, artData)
KEEP(run, artRun)
KEEP(tyre, artTyre)
KEEP(road, artRoad)
KEEP(builder, artBuilder)


artModel *keep_file(const char *path)
{
  char whole[1024];
  artModel *m = NULL;
  artError error = {0};
  snprintf(whole, sizeof whole, "%s/%s", ART_SOURCE_DIR, path);
  art_load_model(&m, path[0] == '/' ? path : whole, &error);
  CHECK_TEXT(error.text, "");
  return keep_model(m);
}


artModel *keep_text(const char *text)
{
  return keep_text_at(text, "machine.yaml");
}


artModel *keep_text_at(const char *text, const char *path)
{
  artModel *m = NULL;
  artError error = {0};
  art_read_model(&m, text, strlen(text), path, &error);
  CHECK_TEXT(error.text, "");
  return keep_model(m);
}


artModel *keep_script(const char *script, int n)
{
  enum { LONGEST = 1 << 20 };
  char command[512];
  snprintf(command, sizeof command, "'%s/tools/%s' %d", ART_SOURCE_DIR, script, n);
  FILE *pipe = popen(command, "r");
  char *text = calloc(1, LONGEST);
  CHECK(pipe && text && fread(text, 1, LONGEST - 1, pipe) > 0);
  if (pipe) CHECK(pclose(pipe) == 0);
  artModel *m = keep_text(text ? text : "");
  free(text);
  return m;
}


artData *keep_fresh_data(const artModel *m)
{
  return m ? keep_data(art_create_data(m)) : NULL;
}


artRun *keep_started_run(const artModel *m, artData *d, const artRunDef *study)
{
  artRun *run = NULL;
  artError error = {0};
  art_create_run(&run, m, d, study, &error);
  CHECK_TEXT(error.text, "");
  return keep_run(run);
}
