// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a parameter reaches: other parameters, definitions of forces, and anything else, in which case the whole model has to
// be read again.
#ifndef MODEL_AFFECTED_H
#define MODEL_AFFECTED_H

#include "base/pool.h"
#include "model/model.h"

typedef struct modelAffected {
  int *first;   // [nparameter + 1] where the list of each parameter begins; NULL: nothing is known
  int *reached; // parameters, and forces as ~i, that have numbers by formulas which read it
  char *is_beyond;    // [nparameter] something else has, too
  int *by_rank;       // [nparameter] in the order in which they follow from each other
  int *queue, *force; // [nparameter], [nelement] that wait, of which none stands here twice
  char *is_waiting;   // [nparameter + nelement]
  memPool *work;      // of an item that is read again
} modelAffected;

struct modelSource;

// Make the lists of a model that has just been read for the first time; 0 when memory ran out.
int affected_list(struct modelSource *source, const artModel *m);
void affected_free(modelAffected *a); // of zeros as well

// The model has been read again: formulas of parameters may have become numbers.
void affected_follow(modelAffected *a, const artModel *m);

// Let the parameter have the value, and all that it reaches what follows. 0: the whole model has to be read, and parts of it
// may have been changed if *is_touched.
int affected_change(artModel *m, int parameter, double value, int *is_touched);

#endif
