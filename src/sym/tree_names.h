// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names for quantities computed by recursions over a symbolic tree; a node keeps its first name.
#ifndef SYM_TREE_NAMES_H
#define SYM_TREE_NAMES_H

#include "sym/expr.h"

struct symInside;

// Names of the components of vectors and matrices, in the order of their structs, and the length of
// such a list.
#define NAMES_VECTOR(a)    a "_x", a "_y", a "_z"
#define NAMES_SYMMETRIC(a) a "_xx", a "_yy", a "_zz", a "_xy", a "_xz", a "_yz"
#define NAMES_MATRIX(a)                                                                            \
  a "_xx", a "_xy", a "_xz", a "_yx", a "_yy", a "_yz", a "_zx", a "_zy", a "_zz"
#define NAMES_COUNT(list) ((int) (sizeof(list) / sizeof *(list)))

// Name n nodes, consecutive in a struct or array, as quantities of a link.
void sym_name_all(exprPool *pool, int n, const char *const *what, const void *nodes, int link);

// Name positions relative to parents, positions in ground and velocities; angular velocities,
// accelerations and joint forces; composite inertias; articulated inertias and related quantities.
void sym_name_places(exprPool *pool, const struct symInside *in);
void sym_name_motion(exprPool *pool, const struct symInside *in);
void sym_name_groups(exprPool *pool, const struct symInside *in);
void sym_name_articulated(exprPool *pool, const struct symInside *in);

#endif
