// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a table of results. What is read has a value for every row and column.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/columns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[] = "/tmp/articula-fuzz-csv-XXXXXX";
  const int fd = mkstemp(path);
  if (fd < 0) return 0;
  const ssize_t written = write(fd, data, size);
  close(fd);

  ioColumns t = {0};
  artError error = {0};
  const artStatus status = written == (ssize_t) size ? columns_read(&t, path, &error) : ART_OK;
  if ((status == ART_OK) != (error.text[0] == '\0')) abort();
  volatile double sum = 0;
  for (int k = 0; k < t.count && status == ART_OK; k++) {
    for (long i = 0; i < t.rows; i++) sum += t.column[k].value[i];
    if (columns_find(&t, t.column[k].name) > k) abort();
  }
  columns_free(&t);
  unlink(path);
  return 0;
}
