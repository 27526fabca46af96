// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Variables of a list that wait in memory for their readers, so that a thread's registers hold the others.
#ifndef EQN_WAITING_H
#define EQN_WAITING_H

#include "eqn/list.h"

typedef struct eqnWaiting {
  int *place;    // [n] 1 + the place where the variable of an equation waits, 0: it does not
  char *is_late; // [n] it is put there when the iterations that find it end, not where it is found
  int *first;    // [n + 1] what is read from memory before equation e is ...
  int *load;  // ... load[first[e]] to load[first[e + 1]]: equations, then n + ordinals of symbols
  int nplace; // the first ones, `nfast` or fewer, are those that pay most
  baseArena room; // of all above
} eqnWaiting;

// Returns 0 when memory ran out; the plan has to be forgotten all the same.
int eqn_plan_waiting(const eqnList *list, int nfast, eqnWaiting *plan);
void eqn_forget_waiting(eqnWaiting *plan);

#endif
