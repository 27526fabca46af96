// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Definitions of constants of the equations in terms of the user's parameters. Equations hold a symbol for each
// constant; its definition is an expression in a pool of its own, over symbols of the user's parameters.
//
// A parameter is frozen, a number everywhere, where it is named so, and where it reaches a number that cannot be
// followed into the equations: then the program tells.
#ifndef GEN_DEFINITION_H
#define GEN_DEFINITION_H

#include "gen/build.h"

// A number of a definition that is a formula of parameters.
typedef struct liveEntry {
  const double *number; // NULL: in a thing that keeps no number of its own
  const struct liveNumber *own;
  int is_followed;
  int node;
} liveEntry;

// A compiled number, or one term of it: factor a b of numbers of a definition; or number k of a law through points; or
// a function of a definition.
typedef struct followTerm {
  const double *compiled;
  double factor;
  const double *a, *b; // b NULL: 1
  struct lawNodes *law;
  int k;
  int (*make)(genBuild *b, const void *def); // or the node of a function of several numbers
  const void *def;
} followTerm;

// Numbers of a law through points of which parameters give some: coefficients, then borders, then origins (points.c).
typedef struct lawNodes {
  const struct forceLaw *law;
  int n;
  const double *x, *f; // point i is x[i], f[i stride]; f NULL: 1 at point `one`, 0 at others
  int stride, one;
  int *node; // NULL: not made yet
} lawNodes;
int gen_law_node(genBuild *b, lawNodes *law, int k);
void gen_follow_points(genBuild *b, const struct forceLaw *law, int n, const double *x,
                       const double *f);
void gen_follow_map(genBuild *b, const struct lawMap *map, const artMapDef *def);
int gen_is_live(const genBuild *b, const double *number);
int gen_is_followed(const genBuild *b, const double *compiled);
void gen_add_term(genBuild *b, const followTerm *term);

// A node at present and at other values of the parameters: with what rounding may have done to it, and whether it has
// places where it is not smooth.
enum { TRIALS = 4 };
typedef struct trialValue {
  double x[TRIALS], off[TRIALS];
  int is_piecewise;
} trialValue;

typedef struct genDefinitions {
  exprPool *pool;
  int nparameter;
  int *
      parameter; // [nparameter] nodes of the user's parameters: symbols, formulas of these, numbers
  const char **label;    // [nparameter] words
  unsigned char *frozen; // [nparameter]
  int frozen_capacity;   // of those that the program names
  int nlive;
  liveEntry *live; // [nlive] by address
  int nterm, term_capacity;
  followTerm *term; // [nterm] by compiled address
  int nneat, neat_capacity;
  int *neat; // [nneat] nodes without rounding errors of quarter turns, -1: not made yet
  int ntrial, trial_capacity;
  trialValue *trial; // [ntrial] of nodes
  baseTable names;   // "mass_3": definition
} genDefinitions;

// The numbers of elements, couplings, roads and gravity that can be followed (follow.c).
void gen_follow_all(genBuild *b);
void gen_follow_starts(genBuild *b); // start_equations.c
void gen_follow(genBuild *b, const double *compiled, double factor, const double *a,
                const double *b_);

// A parameter, and all that it follows from, are numbers, since it reaches `what`; so are all parameters of which other
// values make another machine (image.c).
void gen_freeze(genBuild *b, int parameter, const char *what);
void gen_freeze_structure(genBuild *b);

// Whether drives of a model that is read with other parameters jump where and as far as the present model's do
// (drive_jumps.c); data of the latter is used for both. If not, *drive is the one that does not. Returns 0 also when memory
// ran out.
int gen_has_jumps(genBuild *b, artData *d, const artModel *other, const modelDrive **drive);

// Whether every switch of a drive's formula is on two sides in the time that is looked at.
int gen_passes_branches(genBuild *b, const modelDrive *drive);

// All definitions that are known before equations are made; b->definitions stays NULL where the model has no parameters or
// all of them are to be numbers.
void gen_open_definitions(genBuild *b);

// The definition of a constant by its name, -1: no parameter reaches it; of a compiled number by its address, which has
// that name from here on.
int gen_definition(void *b, const char *name, int index);
void gen_name_definition(genBuild *b, const double *compiled, const char *name, int index);

// Whether the joint of a link has a rotor, or may have one with other parameters; and frames and pitches of links [n] at
// other values of the parameters.
int gen_has_rotor(genBuild *b, int link);
void gen_try_links(genBuild *b, int n, struct treeLink *link);

// The user's parameter i as a constant of the equations.
int gen_user_parameter(genBuild *b, int i);

// Live number i of the model's records likewise; and it need not be looked for elsewhere.
int gen_live_number(genBuild *b, int i);
void gen_follow_number(genBuild *b, const double *number);

// Parameters of the program: the user's that matter, then constants that no parameter reaches. ART_INTERNAL where a
// definition does not give the number that the compiled model has.
void gen_list_parameters(genBuild *b);
void gen_check_definitions(genBuild *b);

// The user's parameter that a word means, by its name or its label in the text; -1: none.
int gen_find_user(const genBuild *b, const char *word);

// d constant k / d parameter i as a constant of the equations, 0: none.
int gen_slope(genBuild *b, int k, int i);

#endif
