// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Places of the variables that the parts of a function share: a place is taken again once the last part that reads
// its variable has ended, so that values in use stay in the first cache.
#ifndef EMIT_FREE_PLACES_H
#define EMIT_FREE_PLACES_H

#include "emit/write/statement.h"

typedef struct emitPlaces {
  int *end;    // [function->nstage] the last part of all stages up to one
  int *last;   // [list->n] the last part that reads an equation's variable
  int *read;   // [part] the first place in use that is read there last, -1: none ...
  int *next;   // [place] ... and the one after it
  int *unused; // [nunused] places that can be taken
  int nunused;
  int part; // parts before it have ended
} emitPlaces;

// Parts are cut; is_output marks equations that are read when all parts have ended.
void places_open(emitPlaces *places, emitWriter *w, const char *is_output);

// The place of an equation's variable, in the order of equations.
int places_take(emitPlaces *places, emitWriter *w, int equation);

#endif
