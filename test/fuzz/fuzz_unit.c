// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as modelDescription.xml of a unit, and as its archive.
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "fmi/fmu_archive.h"
#include "harness.h"


typedef struct unitWork {
  baseArena arena;
  const char *text, *path;
  size_t size;
  fmiDescription d;
  fmuFile *unit;
} unitWork;


static void read_description(void *context)
{
  unitWork *w = context;
  xmlNode *root;
  error_check(xml_read(&w->arena, "unit.xml", w->text, w->size, &root, error_current()));
  w->arena.leaves = 1;
  fmi_read_description(&w->arena, root, &w->d);
}


#ifndef FUZZ_READERS_ALONE
static void open_unit(void *context)
{
  unitWork *w = context;
  fmi_open(&w->unit, w->path);
}
#endif


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  art_set_sandbox(ART_SANDBOX_OFF); // the reader itself
  unitWork w = {.text = (const char *) data, .size = size, .path = path};
  artError error = {0};
  artStatus status = error_try(read_description, &w, &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  for (int i = 0; status == ART_OK && i < w.d.outputs.n; i++) {
    REQUIRE(w.d.outputs.unknown[i].variable < w.d.nvariable);
  }
  arena_free(&w.arena);

#ifndef FUZZ_READERS_ALONE
  // anything else is refused for the end of it, behind a folder that is made and removed
  if (size < 2 || memcmp(data, "PK", 2) != 0) return 0;
  error = (artError){0};
  fuzz_write(path, "any.fmu", data, size);
  status = error_try(open_unit, &w, &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  fmi_close(w.unit);
#endif
  return 0;
}
