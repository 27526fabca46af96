// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a file of another program, imported and read as a model. The first byte chooses the
// ending. An import either has a text or a message.
#include "articula/import.h"
#include "articula/model.h"
#include "harness.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const names[] = {"fuzz.urdf", "fuzz.xml", "fuzz.mbs", "fuzz.sdf", "fuzz.adm"};
  if (size == 0) return 0;
  char path[FUZZ_PATH_LENGTH];
  fuzz_write(path, names[data[0] % 5], data + 1, size - 1);
  artImport *import = NULL;
  artError error = {0};
  const artImportDef def = art_default_import();
  const artStatus status = art_import(&import, path, &def, &error);
  REQUIRE((status == ART_OK) == (error.text[0] == '\0'));
  REQUIRE((status == ART_OK) == (import != NULL));
  art_free_import(import);
  artModel *model = NULL;
  if (!status && art_load_model(&model, path, &error) == ART_OK) art_free_model(model);
  return 0;
}
