// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files with given bytes, for fuzz targets.
#define _XOPEN_SOURCE 700 // nftw
#include "harness.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/plain.h"

// in memory where there is such a place: every file is brought onto the disk otherwise
static char in_memory[] = "/dev/shm/articula-fuzz-XXXXXX", on_disk[] = "/tmp/articula-fuzz-XXXXXX";
static char *folder;

void fuzz_broken(const char *what, const char *file, int line)
{
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
  abort();
}


//---- files ---------------------------------------------------------------------------------------

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
  (void) about, (void) kind, (void) where;
  return remove(path);
}


static void remove_folder(void)
{
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}


char *fuzz_path(char path[FUZZ_PATH_LENGTH], const char *name)
{
  if (!folder) {
    folder = mkdtemp(in_memory);
    if (!folder) folder = mkdtemp(on_disk);
    REQUIRE(folder);
    atexit(remove_folder);
  }
  snprintf(path, FUZZ_PATH_LENGTH, "%s/%s", folder, name);
  return path;
}


char *fuzz_write(char path[FUZZ_PATH_LENGTH], const char *name, const void *bytes, size_t size)
{
  FILE *file = fopen(fuzz_path(path, name), "wb");
  REQUIRE(file);
  REQUIRE(fwrite(bytes, 1, size, file) == size);
  REQUIRE(fclose(file) == 0);
  return path;
}


char *fuzz_read(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  REQUIRE(file);
  char *bytes = NULL;
  size_t room = 0;
  for (*size = 0;;) {
    bytes = realloc(bytes, room += 65536);
    REQUIRE(bytes);
    const size_t n = fread(bytes + *size, 1, room - *size - 1, file);
    if (n == 0) break;
    *size += n;
  }
  fclose(file);
  bytes[*size] = '\0';
  return bytes;
}


void fuzz_check_plain(const char *path)
{
  size_t size;
  char *text = fuzz_read(path, &size);
  REQUIRE(strlen(text) == size);
  for (char *c = text; *c; c++) *c = *c == '\n' ? ' ' : *c;
  REQUIRE(plain_is(text));
  free(text);
}


char *fuzz_text(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  REQUIRE(text);
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  return text;
}


char *fuzz_change(const char *bytes, size_t length, const uint8_t *data, size_t size)
{
  char *changed = fuzz_text((const uint8_t *) bytes, length);
  for (size_t i = 0; i + 2 < size && length > 0; i += 3) {
    const size_t at = (data[i] * 256u + data[i + 1]) % length;
    changed[at] = (char) (changed[at] ^ (char) data[i + 2]);
  }
  return changed;
}
