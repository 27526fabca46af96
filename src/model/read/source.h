// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The files that a model was read from, as trees, with the values that take the place of their own: of these it is read
// again when a parameter changes.
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include "base/pool.h"
#include "model/model.h"
#include "model/parameter/reader_memo.h"
#include "model/read/mistakes.h"

// The reach of a parameter: other parameters, items that can be read alone, programs of formulas, and anything else, in
// which case the whole model has to be read again (affected.c).
typedef struct modelAffected {
  int nitem, nprogram;
  int *first; // [nparameter + 1] where the list of each parameter begins; NULL: nothing is known
  int *
      reached; // what has numbers by formulas which read it: parameters, items, programs, by one count
  char *is_beyond;  // [nparameter] something else has, too
  int has_settings; // coordinates or inputs have values that no file has
  int *by_rank;     // [nparameter] in the order in which they follow from each other
  int *queue;       // parameters that wait, of which none stands here twice,
  int *waiting;     // and items and programs
  char *is_waiting; // [nparameter + nitem + nprogram]
  memPool *work;    // of what is read and compiled again
} modelAffected;

typedef struct modelSource {
  baseArena arena;
  const char *name; // of the first file
  mistakeFiles own;
  mistakeFiles *files; // those, or the trees of somebody who mends them
  int is_trial;        // numbers that no solid can have are read, too
  int ncut, nsetting;
  const struct readerCut *cut;
  artSetting *setting;            // [nsetting + number of parameters]
  char *is_set;                   // likewise: whether they were found
  const baseDimension *dimension; // [nsetting] of their units, in a trial of these; or NULL
  int nreading;                   // how often it was read as a whole for a value
  readerMemo memo;
  modelAffected affected;
  memPool *spare; // for the next reading; NULL: there are no parameters, or the last one is in use
  int nretired, retired_capacity;
  memPool **retired; // pools that hold what somebody may still look at
} modelSource;

// Read the model of the source into a pool, which holds all of it; the text is that of the first file, of use until its
// tree is there. On failure the pool holds nothing of worth.
artStatus reader_read_image(artModel **image, modelSource *source, memPool *pool, const char *text,
                            size_t length, artError *error);

// The model m, which was read from a source, with other values of some parameters: likewise into a pool, which must be in
// nobody's use. A trial: inertia need not be that of a solid. Functions of m serve; attachments by name do not.
artStatus model_read_with(const artModel *m, int n, const artSetting *change, memPool *pool,
                          artModel **image, artError *error);

void source_free(modelSource *source); // accepts NULL

// Have the two the same bodies, joints, cuts, coordinates, forces, outputs ..., whatever their numbers? Else the first
// difference in words (structure.c).
int model_is_alike(const artModel *a, const artModel *b, char words[200]);
int model_has_same_tree(const artModel *a, const artModel *b,
                        char words[200]); // as far as that goes

//---- what a parameter reaches (affected.c) --------------------------------------------------------

// Make the lists of a model that has just been read for the first time, into a pool; 0 when memory ran out.
int affected_list(modelSource *source, const artModel *m, const memPool *pool);
void affected_free(modelAffected *a); // of zeros as well

// The model has been read again: formulas of parameters may have become numbers.
void affected_parameter_map(modelAffected *a, const artModel *m);

// Held numbers have other periods: so have their clocks; 0: two of them meet, or one falls apart (compile_sampler.c).
int model_clocks_again(artModel *m);

// Let the parameter have the value, and all that it reaches what follows. 0: the whole model has to be read, and parts of it
// may have been changed if *is_touched.
int affected_change(artModel *m, int parameter, double value, int *is_touched);

#endif
