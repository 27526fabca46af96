// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Objects that live until their test ends.
#include "support/keep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "force/tyre_element.h"
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
KEEP(batch, artBatch)
KEEP(linear, artLinear)
KEEP(table, artTable)
KEEP(generated, artGenerated)


artModel *keep_file(const char *path)
{
  char whole[1024];
  artModel *m = NULL;
  snprintf(whole, sizeof whole, "%s/%s", ART_SOURCE_DIR, path);
  CHECK_WORKS(art_load_model(&m, path[0] == '/' ? path : whole, &check_error));
  return keep_model(m);
}


artModel *keep_machine(const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "models/%s.yaml", name);
  return keep_file(path);
}


artModel *keep_text(const char *text)
{
  return keep_text_at(text, "machine.yaml");
}


artModel *keep_text_of(const char *format, ...)
{
  char text[8000];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  CHECK(length < (int) sizeof text);
  return keep_text(text);
}


artModel *keep_text_at(const char *text, const char *path)
{
  artModel *m = NULL;
  CHECK_WORKS(art_read_model(&m, text, strlen(text), path, &check_error));
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


artData *keep_assembled_data(const artModel *m)
{
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  CHECK_WORKS(art_assemble(m, d, NULL, &check_error));
  return d;
}


artData *keep_copied_data(const artModel *m, const artData *from)
{
  artData *d = keep_fresh_data(m);
  d->time = from->time;
  memcpy(d->q, from->q, (size_t) art_count(m).nq * sizeof *d->q);
  memcpy(d->v, from->v, (size_t) art_count(m).nv * sizeof *d->v);
  art_update(m, d);
  return d;
}


artData *keep_settled_data(const artModel *m)
{
  artData *d = keep_assembled_data(m);
  CHECK_WORKS(force_settle_states(m, d, &check_error));
  return d;
}


artRun *keep_started_run(const artModel *m, artData *d, const artRunDef *study)
{
  artRun *run = NULL;
  CHECK_WORKS(art_create_run(&run, m, d, study, &check_error));
  return keep_run(run);
}


artBatch *keep_started_batch(const artModel *m, const artRunDef *study, const artBatchDef *def)
{
  artBatch *b = NULL;
  CHECK_WORKS(art_create_batch(&b, m, study, def, &check_error));
  return keep_batch(b);
}


// zeroed memory
static void *keep_room(size_t count, size_t size)
{
  void *room = calloc(count + 1, size);
  if (!room) abort();
  check_free_later(free, room);
  return room;
}


savedRun keep_saved_run(const artRun *run)
{
  const size_t size = art_run_state_size(run);
  const savedRun saved = {size, keep_room(size, 1)};
  CHECK_WORKS(art_save_run(run, saved.bytes, size, &check_error));
  return saved;
}


double *keep_numbers(int n)
{
  return keep_room((size_t) n, sizeof(double));
}
