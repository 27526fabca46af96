// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces by which contacts hold (num/cone_sweeps.h). Where rows depend on each other, as those of a box on many balls do, there are
// many such forces. Sweeps from no forces find uneven ones, by the order of the contacts, and contacts with small normal forces
// would slip.
#ifndef NUM_CONE_HOLD_H
#define NUM_CONE_HOLD_H

#include "num/cone_sweeps.h"

// Find p in the cones of friction, close to what it is, with which contacts that press do not move:
//   z x + b = 0,  x = sum z^T p
// and x. Rows are off by `little` at most; room[nx] is scratch. Contacts that need not press are apart. Returns 0 where nothing
// was found, p and x are then lost, and where contacts resist rolling or spinning.
int cone_hold(int n, coneContact *contact, int nx, double *x, double *room, double little);

#endif
