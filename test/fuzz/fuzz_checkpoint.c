// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a checkpoint, and a whole checkpoint with any bytes of it changed, which must be
// refused.
#include <string.h>

#include "harness.h"
#include "show/checkpoint.h"


static artStatus load(const void *bytes, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  ioCheckpoint c = {0};
  artError error = {0};
  const artStatus status = checkpoint_load(fuzz_write(path, "checkpoint", bytes, size), &c, &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  checkpoint_free(&c);
  return status;
}


// a checkpoint with a state of a hundred bytes
static char *make(size_t *size)
{
  static char state[100] = "state";
  char path[FUZZ_PATH_LENGTH];
  ioCheckpoint c = {.version = "1", .study = "run", .until = 1, .rows = 3, .length = 50};
  c.state = state;
  c.size = sizeof state;
  REQUIRE(checkpoint_save(fuzz_path(path, "checkpoint"), &c, NULL) == ART_OK);
  return fuzz_read(path, size);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char *whole;
  static size_t length;
  if (!whole) whole = make(&length);
  load(data, size);
  char *changed = fuzz_change(whole, length, data, size);
  REQUIRE((load(changed, length) == ART_OK) == (memcmp(changed, whole, length) == 0));
  free(changed);
  return 0;
}
