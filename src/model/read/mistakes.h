// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The trees of model files, kept from one reading to the next, so that a mistake can be mended in them.
#ifndef MODEL_MISTAKES_H
#define MODEL_MISTAKES_H

#include "articula/import.h"
#include "articula/model.h"
#include "base/unit.h"
#include "base/yaml.h"

// something that the import of a file left out or changed
typedef struct modelNote {
  const char *file, *text;
  artNoteLevel level;
} modelNote;

typedef struct mistakeFile {
  const char *name;
  yamlNode *root; // NULL: it could not be parsed
} mistakeFile;

// a file that is not a model: a tyre, a mesh
typedef struct mistakeBytes {
  const char *name;
  char *bytes;
  size_t size;
} mistakeBytes;

// Start from {0}.
typedef struct mistakeFiles {
  baseArena arena; // of the trees and all that is put into them
  int count, capacity;
  mistakeFile *file;
  int nother, other_capacity;
  mistakeBytes *other;
  int nnote, note_capacity;
  modelNote *note; // of files of other programs, in the order of the files
} mistakeFiles;

void mistakes_free(mistakeFiles *files);

// Is the tree of a file there?
int mistakes_has(const mistakeFiles *files, const char *name);

// The bytes of another file, which messages name at the place; read at the first call and kept.
typedef artStatus mistakeRead(const char *path, artPlace place, char **bytes, size_t *size,
                              artError *error);
artStatus mistakes_bytes(mistakeFiles *files, mistakeRead *read, const char *path, artPlace place,
                         const char **bytes, size_t *size, artError *error);

// The tree of a file: the one that is kept, or that of the text, which is then kept.
artStatus mistakes_tree(mistakeFiles *files, const char *name, const char *text, size_t length,
                        yamlNode **root, artError *error);

// Read a model with trees that are kept (NULL: of its files), and with settings that have units (NULL: none has).
// Where mistakes are collected: note those of reading and compiling it.
artStatus reader_try_model(mistakeFiles *files, const char *path, int nsetting,
                           const artSetting *setting, const baseDimension *dimension,
                           artError *error);

// Mistakes are collected: compile what has been read, without what is wrong.
void recovery_compile(artBuilder *b);

#endif
