// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a model file in which all mistakes are listed.
#include <string.h>

#include "articula/model.h"
#include "harness.h"


static void tell(void *context, const artError *error)
{
  REQUIRE(error->status != ART_OK && error->text[0]);
  (*(int *) context)++;
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  artModel *model = NULL;
  int told = 0;
  fuzz_write(path, "model.yaml", data, size);
  const int count = art_list_mistakes(path, 0, NULL, tell, &told);
  const artStatus status = art_load_model(&model, path, NULL);
  REQUIRE(told <= count && (status == ART_OK) == (count == 0));
  art_free_model(model);
  return 0;
}
