// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// import.h against its rules: NULL, numbers of things that there are not, settings without their lists.
#include "articula/import.h"
#include "support/keep.h"
#include "support/misuse.h"

static const char *const FILE_NAME = "models/import/arm.urdf";


OF(art_default_import)
{
  CHECK(art_default_import().nclosure == 0 && art_default_import().base == ART_BASE_BY_FORMAT);
}


OF_CALL(art_is_foreign, MISUSE(art_is_foreign(NULL) == 0))


OF(art_import)
{
  artImport *import = (artImport *) 1;
  artImportDef def = art_default_import();
  MISUSE(art_import(NULL, FILE_NAME, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_import(&import, NULL, &def, NULL) == ART_BAD_INPUT && import == NULL);
  MISUSE(art_import(&import, FILE_NAME, NULL, NULL) == ART_BAD_INPUT && import == NULL);
  def.base = ART_IMPORT_BASES;
  CHECK(art_import(&import, FILE_NAME, &def, NULL) == ART_BAD_INPUT);
  def = art_default_import();
  def.nclosure = 1;
  CHECK(art_import(&import, FILE_NAME, &def, NULL) == ART_BAD_INPUT);
  def.nclosure = -1;
  CHECK(art_import(&import, FILE_NAME, &def, NULL) == ART_BAD_INPUT);
  def.nclosure = 0;
  def.npackage = 2;
  CHECK(art_import(&import, FILE_NAME, &def, NULL) == ART_BAD_INPUT);
}


OF_CALL(art_free_import, art_free_import(NULL))
OF_CALL(art_import_text, MISUSE(art_import_text(NULL) == NULL))
OF_CALL(art_import_format, MISUSE(art_import_format(NULL) == NULL))


OF(art_import_note)
{
  MISUSE(art_import_note(NULL, 0, NULL, NULL) == NULL);
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  if (art_import(&import, FILE_NAME, &def, NULL) != ART_OK) return; // without libexpat
  MISUSE(art_import_note(import, -1, NULL, NULL) == NULL);
  CHECK(art_import_note(import, 0, NULL, NULL) && !art_import_note(import, 1000, NULL, NULL));
  art_free_import(import);
}


OF(art_import_note_level)
{
  MISUSE(art_import_note_level(NULL, 0) == ART_NOTE_LEVELS);
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  if (art_import(&import, FILE_NAME, &def, NULL) != ART_OK) return; // without libexpat
  MISUSE(art_import_note_level(import, -1) == ART_NOTE_LEVELS);
  MISUSE(art_import_note_level(import, 1000) == ART_NOTE_LEVELS);
  CHECK(art_import_note_level(import, 0) == ART_NOTE_SCOPE);
  art_free_import(import);
}


OF(art_note_level_name)
{
  CHECK(art_note_level_name(ART_NOTE_MOTION));
  MISUSE(art_note_level_name(ART_NOTE_LEVELS) == NULL);
}


OF(art_model_note)
{
  MISUSE(art_model_note(NULL, 0, NULL, NULL) == NULL);
  artModel *m = keep_file("models/pendulum.yaml");
  MISUSE(art_model_note(m, -1, NULL, NULL) == NULL);
  CHECK(art_model_note(m, 0, NULL, NULL) == NULL);
}


MISUSE_MAIN("import.h")
