// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Calls of user functions in definitions of forces, constraints and roads.
#ifndef ARTICULA_CALL_H
#define ARTICULA_CALL_H

// A list of names or formulas in a definition; the builder copies it.
typedef struct artNames {
  int count;
  const char *const *name;
} artNames;

// The user function that an element calls, and the values appended to its inputs.
typedef struct artCallDef {
  const char *name; // letters, digits and underscores; NULL: no function
  int n;            // at most 32
  const double *parameter;
  // formulas, for instance of states and inputs, whose values follow the parameters; at most 3,
  // and only for forces on links, joints and points
  artNames arguments;
} artCallDef;

#endif
