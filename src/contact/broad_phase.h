// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Broad phase: which of many pairs of boxes overlap, by sorting their ends along one axis (sweep and prune; Baraff 1992).
#ifndef CONTACT_BROAD_PHASE_H
#define CONTACT_BROAD_PHASE_H

#include "base/arena.h"
#include "contact/surface_pairs.h"

// A box that is not finite overlaps all others.
typedef struct broadBox {
  double low[3], high[3];
} broadBox;

typedef struct broadPhase {
  int n, npair;
  broadBox *box;  // [n] to be filled before each search
  int *order;     // [n] as the last search left it
  double *low;    // [n] lower ends along the axis of the search
  double *code;   // [npair] one n + two of the boxes one < two of a pair,
  double *sorted; // [npair] the same upwards,
  int *pair;      // [npair] and the numbers of these pairs
  int nfound;     // pairs whose boxes overlap, upwards
  int *found;     // [npair]
} broadPhase;

// Take memory for at most n boxes and pairs of them; 0: there is none. The boxes and pairs that there are.
int broad_take(broadPhase *b, baseArena *arena, int n, int npair);
void broad_set_pairs(broadPhase *b, int n, int npair, const int (*pair)[2]);

// Find nfound and found for the present boxes.
void broad_find(broadPhase *b);

// The box of a sphere that moves along a cubic with these places and velocities at both ends of a time h, wider by a quarter of its way.
broadBox broad_sphere_box(const double from[3], const double from_rate[3], const double to[3],
                          const double to_rate[3], double h, double radius);

// A radius about the reference point of a side within which its surface lies; INFINITY: a plane, or a profile, which has no ends along z.
double contact_bound(const contactSide *side);

// Sort a list upwards by key[list[i]]; NULL: by its own numbers.
void broad_sort(int n, int *list, const double *key);

#endif
