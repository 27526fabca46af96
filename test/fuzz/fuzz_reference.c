// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as the reference of a benchmark problem.
#include <stdio.h>

#include "base/memory.h"
#include "base/plain.h"
#include "harness.h"
#include "reference.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  cliReference r = {0};
  artError error = {0};
  snprintf(r.path, sizeof r.path, "%s", fuzz_write(path, "reference.csv", data, size));
  const artStatus status = reference_read(&r, &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  if (status == ART_OK) REQUIRE(plain_is(r.problem) && plain_is(r.source));
  volatile double sum = 0;
  for (long i = 0; status == ART_OK && i < r.rows * (1 + r.columns); i++) sum += r.value[i];
  mem_free(r.text);
  mem_free(r.value);
  return 0;
}
