// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Live numbers: numbers of records that come from formulas of parameters, with these formulas.
//
// A number is read into a definition first, and the builder copies definitions into its records. Until then it pends:
// whoever copies numbers says so by live_move, and the builder by live_settle.
#ifndef MODEL_LIVE_H
#define MODEL_LIVE_H

#include "articula/model.h"
#include "model/formula/formula.h"

typedef struct liveNumber {
  double *number; // in a record; NULL: in a thing that keeps no number of its own, as roads,
                  // tyres, counts and lists of studies
  const formula *formula; // its slots are numbers of parameters
  const char *text;       // the formula as it is written, or composed of such
  artPlace place;
  const char *section; // of the file: "bodies"
  const void *scope;   // whose parameters the text names; of use to the reader alone
  int is_settled;
} liveNumber;

// One more number, which pends; number->number is where it is now.
artStatus live_add(artBuilder *b, const liveNumber *number);

// An item begins: numbers that still pend have come to nothing that keeps them.
void live_begin(artBuilder *b);

// Pending numbers have been copied to another definition, or to the record where they stay.
void live_move(artBuilder *b, const void *from, void *to, size_t size);
void live_settle(artBuilder *b, const void *from, void *to, size_t size);

// Is a number of a record live?
int live_known(const artBuilder *b, const double *number);

// A number has been copied to another definition, and stays where it is as well. Returns 0: it is not live.
int live_copy(artBuilder *b, const double *from, double *to);

// The pending number at an address, or NULL; and no longer that one.
const liveNumber *live_find(const artBuilder *b, const double *number);
void live_forget(artBuilder *b, const double *number);

// Records have moved.
void live_rebase(artBuilder *b, const void *from, void *to, size_t size);

// The place of a number of a record among the live ones of a model that is being compiled, -1: it is not a function of a
// parameter.
int live_place(const artModel *m, const double *number);

// The formula of a number in the model's records (model->records); NULL: it is not a function of a parameter.
const formula *model_live(const artModel *m, const double *number);

#endif
