// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Import of machines of other programs: converts their files into the text of a model file.
// art_load_model imports such files directly, by their extension, with the settings of
// art_default_import.
#ifndef ARTICULA_IMPORT_H
#define ARTICULA_IMPORT_H

#include "articula/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Treatment of bodies that have no joint to ground. By format: roots of URDF are fixed, models of
// SDF are free.
typedef enum artImportBase {
  ART_BASE_FIXED,
  ART_BASE_FREE,
  ART_BASE_BY_FORMAT,
  ART_IMPORT_BASES
} artImportBase;

// A loop closure that the file format cannot express: two frames coincide, or with is_point their
// origins do.
typedef struct artClosureDef {
  const char *from, *to; // names of bodies in the file
  int is_point;
} artClosureDef;

typedef struct artImportDef {
  artImportBase base;
  int nclosure;
  const artClosureDef *closure;
  int npackage;
  // folders to search for packages, before those around the file
  const char *const *package;
  // the folder in which the result will be saved: paths of meshes are relative to it; NULL: the
  // folder of the file
  const char *folder;
  // name of the keyframe or state to start at; NULL: the configuration of the file
  const char *key;
  int strict;  // 1: anything that changes the motion, and any error that had to be repaired, gives
               // ART_BAD_INPUT
  int contact; // 1: collision shapes become surfaces, and touch the planes of the world
} artImportDef;
ART_API artImportDef art_default_import(void);

// 1 if the extension is that of another program (.urdf, .xml, .mjcf, .sdf, .world, .mbs, .adm).
ART_API int art_is_foreign(const char *path);

// Read the file. On failure *import is NULL and the error gives the place and the reason.
typedef struct artImport artImport;
ART_API artStatus art_import(artImport **import, const char *path, const artImportDef *def,
                             artError *error);

// Accepts NULL.
ART_API void art_free_import(artImport *import);

// The model file as text, and the name of the format that it was read from.
ART_API const char *art_import_text(const artImport *import);
ART_API const char *art_import_format(const artImport *import);

// Level of an import note, most important first. MOTION: something that affects the motion is left
// out or changed. MENDED: the file has an error that could be repaired, so that the motion is the
// intended one. SCOPE: the file does not specify it, or this program does not support it (contact
// of bodies, speed limits, stiffness of stops). LOOK: affects only names, appearance and outputs.
typedef enum artNoteLevel {
  ART_NOTE_MOTION,
  ART_NOTE_MENDED,
  ART_NOTE_SCOPE,
  ART_NOTE_LOOK,
  ART_NOTE_LEVELS
} artNoteLevel;
ART_API const char *art_note_level_name(artNoteLevel level); // "changes the motion", ...

// Notes of the import, sorted by level, one sentence each, with the place of the first occurrence
// and the number of occurrences; NULL after the last. `place` may be NULL.
ART_API const char *art_import_note(const artImport *import, int i, artPlace *place, int *count);
ART_API artNoteLevel art_import_note_level(const artImport *import, int i);

// The same for a model, for all imported files that it was read from: "line 3: ... (2 times)". NULL
// after the last. `level` and `file` may be NULL.
typedef struct artModel artModel;
ART_API const char *art_model_note(const artModel *model, int i, artNoteLevel *level,
                                   const char **file);

#ifdef __cplusplus
}
#endif

#endif
