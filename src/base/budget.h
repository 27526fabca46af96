// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The budget of a call: how much all files that it reads may cost together. Readers charge it before the cost arises, so
// that a small or sparse file cannot make the program ask for any amount of memory or time.
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "articula/base.h"

// The limits and their defaults; the variable ARTICULA_LIMITS changes them: "bytes=4e9, items=1e7".
typedef enum budgetLimit {
  BUDGET_BYTES, // of all files, and of what archives unpack to
  BUDGET_ITEMS, // elements, attributes and values of all files, again for each time that a file is included
  BUDGET_SECONDS, // CPU time of this thread
  BUDGET_MEMORY,  // bytes of a sandbox (base/sandbox.h)
  BUDGET_LIMITS
} budgetLimit;
double budget_limit(budgetLimit limit);

// A call of the interface begins and ends on this thread; calls within it share its budget. Whoever charges outside of any
// call has a whole budget for that one charge.
void budget_begin(void);
void budget_end(void);

// Charge an amount; ART_BAD_INPUT with the limit, what was found and how to allow more where it is spent.
artStatus budget_charge(budgetLimit limit, double amount, artPlace place, artError *error);

#endif
