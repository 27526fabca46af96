// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Feeds every file of a folder to a fuzz target once, for compilers without libFuzzer.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);


// nothing is changed here
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
  (void) data, (void) most;
  return size;
}


static long file_size(FILE *file)
{
  if (fseek(file, 0, SEEK_END) != 0) return -1;
  const long size = ftell(file);
  rewind(file);
  return size;
}


// a block of exactly the file's size, so that a sanitizer sees reading beyond its end
static int feed(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file) return 0;

  const long size = file_size(file);
  uint8_t *data = size >= 0 ? malloc((size_t) size + (size == 0)) : NULL;
  const int done = data && fread(data, 1, (size_t) size, file) == (size_t) size;
  fclose(file);

  if (done) LLVMFuzzerTestOneInput(data, (size_t) size);
  free(data);
  return done;
}


int main(int argc, char **argv)
{
  DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
  int fed = 0;

  if (!folder) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    if (!feed(path)) {
      fprintf(stderr, "%s cannot be read\n", path);
      closedir(folder);
      return 1;
    }
    fed++;
  }
  closedir(folder);
  printf("%d inputs\n", fed);
  return fed == 0;
}
