// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a checkpoint, and a whole checkpoint with any bytes of it changed, which must be
// refused.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[] = "/tmp/articula-fuzz-checkpoint-XXXXXX";


static artStatus load(const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  if (!file) return ART_IO;
  const int is_written = fwrite(bytes, 1, size, file) == size;
  if (fclose(file) != 0 || !is_written) return ART_IO;
  ioCheckpoint c = {0};
  artError error = {0};
  const artStatus status = checkpoint_load(path, &c, &error);
  if ((status == ART_OK) != (error.text[0] == '\0')) abort();
  checkpoint_free(&c);
  return status;
}


// a checkpoint with a state of a hundred bytes
static void make(char **bytes, size_t *size)
{
  static char state[100] = "state";
  ioCheckpoint c = {.version = "1", .study = "run", .until = 1, .rows = 3, .length = 50};
  c.state = state;
  c.size = sizeof state;
  if (mkstemp(path) < 0 || checkpoint_save(path, &c, NULL) || file_read(path, bytes, size, NULL)) {
    abort();
  }
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char *whole;
  static size_t length;
  if (!whole) make(&whole, &length);
  load(data, size);

  // of three bytes two say where, the third what is changed
  char *changed = malloc(length);
  if (!changed) return 0;
  memcpy(changed, whole, length);
  for (size_t i = 0; i + 2 < size; i += 3) {
    const size_t at = (data[i] * 256u + data[i + 1]) % length;
    changed[at] = (char) (changed[at] ^ (char) data[i + 2]);
  }
  const artStatus status = load(changed, length);
  if (status == ART_OK && memcmp(changed, whole, length) != 0) abort();
  if (status != ART_OK && memcmp(changed, whole, length) == 0) abort();
  free(changed);
  return 0;
}
