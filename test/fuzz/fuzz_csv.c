// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a table of results. A table that is read has all rows and columns.
#include "base/plain.h"
#include "harness.h"
#include "show/columns.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  ioColumns t = {0};
  artError error = {0};
  const artStatus status = columns_read(&t, fuzz_write(path, "results.csv", data, size), &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  volatile double sum = 0;
  for (int k = 0; k < t.count && status == ART_OK; k++) {
    for (long i = 0; i < t.rows; i++) sum += t.column[k].value[i];
    REQUIRE(plain_is(t.column[k].name) && plain_is(t.column[k].unit));
    REQUIRE(columns_find(&t, t.column[k].name) <= k);
  }
  columns_free(&t);
  return 0;
}
