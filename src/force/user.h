// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces by functions of the user: along a line, along a joint coordinate, at a point (articula/user.h).
#ifndef FORCE_USER_H
#define FORCE_USER_H

#include "force/force.h"

// Does a function make the force? That of a tyre is part of the tyre (force/tyre.h).
static inline int user_makes(const modelElement *e)
{
  return e->call.function && e->kind != ELEMENT_TYRE;
}

// The inputs of the function of an element at the state of the data, parameters left out.
void user_inputs(const artModel *m, const artData *d, const modelElement *e,
                 double x[FUNCTION_INPUTS]);

// Call it, apply what it gives, count its power; value has the results.
artStatus user_apply(const artModel *m, artData *d, const modelElement *e, double *value,
                     artError *error);

// Derivatives of all results, slope[n], by input k, by differences; zero where the function fails.
void user_slope(const artData *d, const modelElement *e, double x[FUNCTION_INPUTS], int k,
                double *slope);

#endif
