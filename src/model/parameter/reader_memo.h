// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values of formulas of parameters as they were when a model was read last. A model that is read again, for a parameter
// has changed, asks for them in the same order, but for values of parameters that were set; only those are evaluated that
// read a parameter with another value.
#ifndef MODEL_READER_MEMO_H
#define MODEL_READER_MEMO_H

#include "base/stack.h"
#include "base/unit.h"

// a parameter that a formula reads
typedef struct memoUse {
  int index;        // among the parameters of the file
  const char *name; // as the tree of the file has it
  double value;
  baseDimension dimension;
  const void *parameter; // of the reading that it was evaluated in
} memoUse;

typedef struct memoEntry {
  const char *text; // of the formula, in the tree of its file; NULL: it has no value
  baseDimension expected, found;
  double value;
  int first, count; // of its uses

  // of the reading that it was evaluated in last: what has its value
  const void *parameter; // or NULL
  int item;              // what was read as one with it; -1: something else
} memoEntry;

typedef struct readerMemo {
  int is_kept;     // texts stay where they are as long as this
  int is_complete; // all formulas of the model have been asked for
  int next;        // formula to be asked for
  int at;          // the one that was asked for, -1: it is not kept
  int evaluated;   // of those before it
  int nentry, entry_capacity;
  memoEntry *entry;
  int nuse, most, use_capacity; // most: of one formula
  memoUse *use;
  int pending;       // uses of the formula at work, after the others
  memStack *scratch; // of the formula at work
} readerMemo;

// Begin; 0 when memory ran out.
int memo_start(readerMemo *memo, int is_kept);

// The next formula: its entry, which holds as long as the parameters that it reads have the values of their uses; NULL: there
// is none.
const memoEntry *memo_ask(readerMemo *memo, const char *text, baseDimension expected);

// The formula that was asked for has no value yet, and will be asked for again.
void memo_put_off(readerMemo *memo);

// The formula that was asked for reads a parameter; it has a value, or memory ran out here or there: 0.
void memo_use(readerMemo *memo, memoUse use);
int memo_keep(readerMemo *memo, const char *text, baseDimension expected, baseDimension found,
              double value);

// A parameter, or an item (-1: something else), has the value of the formula that was asked for.
void memo_give(readerMemo *memo, const void *parameter, int item);

void memo_free(readerMemo *memo); // of zeros as well

#endif
