// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Calls of functions of the user, as definitions of forces, constraints and roads have them.
#ifndef ARTICULA_CALL_H
#define ARTICULA_CALL_H

// A list of names or formulas of a definition; the builder copies it.
typedef struct artNames {
  int count;
  const char *const *name;
} artNames;

// A function of the user that an element calls, and the numbers that follow its inputs.
typedef struct artCallDef {
  const char *name; // letters, digits and underscores; NULL: none is called
  int n;            // at most 32
  const double *parameter;
  artNames
      arguments; // formulas whose values follow the parameters, of states and commands say; at most 3, of
                 // forces on links, joints and points alone
} artCallDef;

#endif
