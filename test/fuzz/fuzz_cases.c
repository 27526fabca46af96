// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as the list of cases of a sweep.
#include <string.h>

#include "base/error.h"
#include "harness.h"
#include "verb_sweep.h"


static void find_cases(void *context)
{
  sweep_find_cases(context);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static artModel *model;
  char path[FUZZ_PATH_LENGTH];
  cliCall call;
  artError error = {0};
  if (!model)
    REQUIRE(art_read_model(&model, fuzz_pendulum, strlen(fuzz_pendulum), "p", NULL) == ART_OK);
  fuzz_write(path, "cases.csv", data, size);
  char *words[] = {"articula", "sweep", "pendulum.yaml", "--cases", path};
  REQUIRE(cli_parse(&call, 5, words, &error) == ART_OK);

  sweepCases cases = {.call = &call, .model = model, .arena.leaves = 1};
  const artStatus status = error_try(find_cases, &cases, &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  volatile double sum = 0;
  for (long i = 0; status == ART_OK && i < cases.n * cases.nparameter; i++) sum += cases.value[i];
  columns_free(&cases.table);
  arena_free(&cases.arena);
  return 0;
}
