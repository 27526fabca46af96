// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The trees of model files, kept from one reading to the next, so that a mistake can be mended in them.
#ifndef MODEL_MISTAKES_H
#define MODEL_MISTAKES_H

#include "articula/model.h"
#include "model/yaml.h"

typedef struct mistakeFile {
  const char *name;
  yamlNode *root; // NULL: it could not be parsed
} mistakeFile;

// Start from {0}.
typedef struct mistakeFiles {
  baseArena arena; // of the trees and all that is put into them
  int count, capacity;
  mistakeFile *file;
} mistakeFiles;

// The tree of a file: the one that is kept, or that of the text, which is then kept.
artStatus mistakes_tree(mistakeFiles *files, const char *name, const char *text, size_t length,
                        yamlNode **root, artError *error);

// Read a model with trees that are kept.
artStatus reader_try_model(mistakeFiles *files, const char *path, int nsetting,
                           const artSetting *setting, artError *error);

#endif
