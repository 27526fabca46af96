// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a model file.
#include <stdint.h>
#include <stdlib.h>

#include "articula/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  artModel *model = NULL;
  artError error = {0};
  const artStatus status = art_read_model(&model, (const char *) data, size, "fuzz.yaml", &error);

  // a model or a message, never both, never neither
  if ((status == ART_OK) != (model != NULL)) abort();
  if (status != ART_OK && (error.status != status || error.text[0] == '\0')) abort();
  if (model) (void) art_model_hash(model);
  art_free_model(model);
  return 0;
}
