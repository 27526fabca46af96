// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Items of files that are read again with other values of parameters, one by one.
#ifndef MODEL_READER_ITEM_H
#define MODEL_READER_ITEM_H

#include "base/pool.h"
#include "model/model.h"
#include "model/read/reader.h"

// A unit of reading: an item of a section, or a section as a whole. The records that came of it are in a row in
// each list.
typedef enum itemListName {
  ITEM_BODIES,
  ITEM_FRAMES,
  ITEM_VISUALS,
  ITEM_JOINTS,
  ITEM_COUPLINGS,
  ITEM_LATCHES,
  ITEM_CURVES,
  ITEM_TYRES,
  ITEM_INPUTS,
  ITEM_STATES,
  ITEM_BLOCKS,
  ITEM_FORCES,
  ITEM_DRIVES,
  ITEM_INITIALS,
  ITEM_ROADS,
  ITEM_STUDIES,
  ITEM_LISTS
} itemListName;

typedef struct itemRecord {
  const char *section;
  const itemFamily *family; // NULL: the section as a whole, by
  void (*read)(modelReader *reader, const yamlNode *section);
  const yamlNode *node;
  readerFile *file;
  int first[ITEM_LISTS], count[ITEM_LISTS];
} itemRecord;

const itemRecord *item_of(const artModel *m, int item);

// Can the item be read again by itself?
int item_stands_alone(const artModel *m, int item);

// Is the item, a road, made of others?
int item_is_made_of_roads(const artModel *m, int item);

// Read an item of a model again, by a reader that works in a pool of its own and whose builder holds nothing yet, and let
// its numbers take the place of those in the model's records. 0: it has another structure, or is refused.
int item_read_again(artModel *m, int item, modelReader *reader, const memPool *work);

#endif
