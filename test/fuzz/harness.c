// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions that fuzz targets share.
#define _XOPEN_SOURCE 700 // nftw
#include "harness.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/plain.h"
#include "command.h"

// in memory where there is such a place: every file is brought onto the disk otherwise
static char in_memory[] = "/dev/shm/articula-fuzz-XXXXXX", on_disk[] = "/tmp/articula-fuzz-XXXXXX";
static char *folder;

// with few faces to draw
const char fuzz_pendulum[] = "articula: 1\n"
                             "title: Pendulum\n"
                             "parameters: {m: 1 kg}\n"
                             "ground: {visual: []}\n"
                             "bodies:\n"
                             "  rod: {mass: = m, com: [0, 0, -1], inertia: [0.1, 0.1, 0.1], "
                             "visual: {type: box, size: [0.1, 0.1, 1]}}\n"
                             "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n"
                             "initial: {pin: {angle: 0.5}}\n"
                             "outputs: {angle: pin.angle, rate: pin.rate}\n"
                             "study: {type: run, until: 0.02, interval: 0.01}\n";


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


//---- the command ---------------------------------------------------------------------------------

static int call_command(int argc, char **argv)
{
  cliCall call;
  artError error = {0};
  if (cli_parse(&call, argc, argv, &error)) return cli_fail(&call, &error);
  return cli_do(&call);
}


int fuzz_command(const char *const *words)
{
  char *argv[32] = {"articula"};
  int argc = 1;
  for (; words[argc - 1]; argc++) argv[argc] = (char *) words[argc - 1];

  // the descriptors lead elsewhere meanwhile
  char path[2][FUZZ_PATH_LENGTH];
  fflush(NULL);
  const int out = dup(1), err = dup(2);
  for (int fd = 1; fd <= 2; fd++) {
    const int file =
        open(fuzz_path(path[fd - 1], fd == 1 ? "out" : "err"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(file >= 0 && dup2(file, fd) == fd);
    close(file);
  }
  const int status = call_command(argc, argv);
  fflush(NULL);
  dup2(out, 1);
  dup2(err, 2);
  close(out), close(err);
  fuzz_check_plain(path[0]);
  fuzz_check_plain(path[1]);
  REQUIRE(status >= 0 && status <= 2);
  return status;
}


char *fuzz_result(char path[FUZZ_PATH_LENGTH])
{
  static int is_there;
  char model[FUZZ_PATH_LENGTH];
  fuzz_path(path, "result");
  if (is_there) return path;
  is_there = 1;
  fuzz_write(model, "pendulum.yaml", fuzz_pendulum, strlen(fuzz_pendulum));
  REQUIRE(fuzz_command((const char *[]){"run", model, "-o", path, NULL}) == 0);
  return path;
}
