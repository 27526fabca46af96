// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines of other programs: a file of theirs becomes a model file of ours, as text. art_load_model reads such files
// directly, by their ending, with the settings of art_default_import.
#ifndef ARTICULA_IMPORT_H
#define ARTICULA_IMPORT_H

#include "articula/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// How bodies that nothing joins to ground are held. By the format: roots of URDF are fixed, models of SDF are free.
typedef enum artImportBase {
  ART_BASE_FIXED,
  ART_BASE_FREE,
  ART_BASE_BY_FORMAT,
  ART_IMPORT_BASES
} artImportBase;

// A loop that the file cannot express: two frames that coincide, or with is_point their origins.
typedef struct artClosureDef {
  const char *from, *to; // bodies by their names in the file
  int is_point;
} artClosureDef;

typedef struct artImportDef {
  artImportBase base;
  int nclosure;
  const artClosureDef *closure;
  int npackage;
  const char *const
      *package; // folders in which packages are looked for, before those around the file
  const char
      *folder; // where the text will stand: paths of meshes begin there; NULL: beside the file
  const char
      *key;   // the keyframe or state to start at, by its name; NULL: the configuration of the file
  int strict; // what changes the motion, and what had to be mended, is ART_BAD_INPUT
} artImportDef;
ART_API artImportDef art_default_import(void);

// Is it a file of another program, by its ending (.urdf, .xml, .mjcf, .sdf, .world, .mbs, .adm)?
ART_API int art_is_foreign(const char *path);

// Read the file. On failure *import is NULL and the error says where and why.
typedef struct artImport artImport;
ART_API artStatus art_import(artImport **import, const char *path, const artImportDef *def,
                             artError *error);

// Accepts NULL.
ART_API void art_free_import(artImport *import);

// The model file, and the word for the format that it was read from.
ART_API const char *art_import_text(const artImport *import);
ART_API const char *art_import_format(const artImport *import);

// What a note of an import is about, the most important first: what acts on the motion is left out or changed; the file is
// wrong in a place that could be mended, so that the motion is as it must be meant; the file says nothing, or this program has nothing of the kind, such as contact, limits of speeds, the stiffness of stops; names,
// pictures and outputs alone.
typedef enum artNoteLevel {
  ART_NOTE_MOTION,
  ART_NOTE_MENDED,
  ART_NOTE_SCOPE,
  ART_NOTE_LOOK,
  ART_NOTE_LEVELS
} artNoteLevel;
ART_API const char *art_note_level_name(artNoteLevel level); // "changes the motion", ...

// Omissions and changes of the import, ordered by their levels, one sentence each, with the place where it stands first and how often it occurs; NULL
// behind the last. `place` may be NULL.
ART_API const char *art_import_note(const artImport *import, int i, artPlace *place, int *count);
ART_API artNoteLevel art_import_note_level(const artImport *import, int i);

// The same of a model, for all files of other programs that it was read from: "line 3: ... (2 times)". NULL behind the last.
// `level` and `file` may be NULL.
typedef struct artModel artModel;
ART_API const char *art_model_note(const artModel *model, int i, artNoteLevel *level,
                                   const char **file);

#ifdef __cplusplus
}
#endif

#endif
