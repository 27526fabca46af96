// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres as force elements.
#ifndef FORCE_TYRE_ELEMENT_H
#define FORCE_TYRE_ELEMENT_H

#include "data/work.h"

// The axle of a tyre's wheel, to the left, in ground; links are placed.
v3 force_axle(const artModel *m, const artData *d, const modelElement *e);

// The lowest point of a wheel that does not spin, over a road that is not raised; links are placed.
v3 force_foot(const artModel *m, const artData *d, const modelElement *e);

// The force of a tyre at the present state, without applying it; links are placed and their velocities known.
artStatus force_roll(const artModel *m, const artData *d, const modelElement *e,
                     artTyreAnswer *answer, artError *error);

// The same, done: adds to what acts on the wheel, to the power, sets rates of states and values.
artStatus force_apply_tyre(const artModel *m, artData *d, const modelElement *e, double *value,
                           artError *error);

// Set the states of all elements to those that would not change at the present motion.
artStatus force_settle_states(const artModel *m, artData *d, artError *error);

#endif
