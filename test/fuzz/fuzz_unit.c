// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as modelDescription.xml of a unit, and as its archive.
#include <string.h>

#include "base/arena.h"
#include "fmi/unit_archive.h"
#include "harness.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  baseArena arena = {0};
  fmiDescription d;
  fmiUnit *unit = NULL;
  artError error = {0};
  artStatus status =
      fmi_read_description(&arena, "unit.xml", (const char *) data, size, &d, &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  for (int i = 0; status == ART_OK && i < d.outputs.n; i++) {
    REQUIRE(d.outputs.unknown[i].variable < d.nvariable);
  }
  arena_free(&arena);

  error = (artError){0};
  fuzz_write(path, "any.fmu", data, size);
  status = fmi_open(&unit, path, &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  fmi_close(unit);
  return 0;
}
