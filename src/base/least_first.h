// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Priority queue of integers, smallest first: a binary heap in an array owned by the caller, which
// must be large enough.
#ifndef BASE_LEAST_FIRST_H
#define BASE_LEAST_FIRST_H

typedef struct leastFirst {
  int count;
  int *item;
} leastFirst;

static inline void least_put(leastFirst *q, int x)
{
  int at = q->count++;
  for (; at > 0 && q->item[(at - 1) / 2] > x; at = (at - 1) / 2) {
    q->item[at] = q->item[(at - 1) / 2];
  }
  q->item[at] = x;
}


// The queue must not be empty.
static inline int least_take(leastFirst *q)
{
  const int least = q->item[0], last = q->item[--q->count];
  int at = 0;
  for (int child = 1; child < q->count; child = 2 * at + 1) {
    if (child + 1 < q->count && q->item[child + 1] < q->item[child]) child++;
    if (q->item[child] >= last) break;
    q->item[at] = q->item[child];
    at = child;
  }
  q->item[at] = last;
  return least;
}

#endif
