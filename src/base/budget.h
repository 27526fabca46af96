// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Budget of a call: limits for the total cost of all files that it reads. Readers charge the budget
// before the cost arises, so that a small or sparse file cannot cause unlimited memory or time.
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "articula/base.h"

// Limits with defaults; the variable ARTICULA_LIMITS changes them: "bytes=4e9, items=1e7".
typedef enum budgetLimit {
  BUDGET_BYTES,   // of all files, including unpacked archives
  BUDGET_ITEMS,   // elements, attributes and values of all files, counted again for every inclusion
  BUDGET_SECONDS, // CPU time of this thread
  BUDGET_MEMORY,  // memory limit of a sandbox in bytes (base/sandbox.h)
  BUDGET_LIMITS
} budgetLimit;
double budget_limit(budgetLimit limit);

// Begin and end of an interface call on this thread; nested calls share its budget. A charge
// outside any call gets a full budget of its own.
void budget_begin(void);
void budget_end(void);

// Charge an amount. If the budget is exceeded: ART_BAD_INPUT with the limit, the amount found, and
// how to raise the limit.
artStatus budget_charge(budgetLimit limit, double amount, artPlace place, artError *error);

#endif
