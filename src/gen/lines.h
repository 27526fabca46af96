// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations as text, "name = formula" in the language of model files, made into expressions one after
// the other. For laws that have many coefficients and few loops.
#ifndef GEN_LINES_H
#define GEN_LINES_H

#include "gen/build.h"

enum { LINES_MOST_NAMES = 160 };

typedef struct lineName {
  const char *text;
  int length;
  int node;
} lineName;

typedef struct genLines {
  genBuild *b;
  int n;
  lineName name[LINES_MOST_NAMES];

  // the number of a name that has no node, or NULL: there is none
  const double *(*number)(void *context, const char *name);
  void *context;
} genLines;

// Give a name a node, instead of the one it had.
void lines_set(genLines *l, const char *name, int node);
void lines_set_number(genLines *l, const char *name, double value);

// The node of a name, which has one.
int lines_get(const genLines *l, const char *name);

// Make the equations of a list that ends in NULL.
#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})
void lines_make(genLines *l, const char *const *line);

#endif
