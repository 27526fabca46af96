// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a tyre property file. A tyre that is read can be evaluated.
#include <stdint.h>
#include <stdlib.h>

#include "articula/tyre.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  artTyre *tyre = NULL;
  artError error = {0};
  const artStatus status = art_parse_tyre(&tyre, (const char *) data, size, "fuzz.tir", &error);
  if ((status == ART_OK) != (tyre != NULL)) abort();
  if ((status == ART_OK) != (error.text[0] == '\0')) abort();
  if (!tyre) return 0;

  const artTyreInput in = {3000, 0.05, -0.04, 0.03, 10, 0};
  double J[6][4];
  (void) art_evaluate_tyre(tyre, &in);
  art_differentiate_tyre(tyre, &in, J);
  const artTyreDeflection d = {.depth = 0.01, .rate = 0.1, .spin = 3, .gamma = 0.1};
  if (art_tyre_load(tyre, &d) < 0) abort();
  art_free_tyre(tyre);
  return 0;
}
