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
typedef struct parameterTerm {
  const double *compiled;
  double factor;
  const double *a, *b; // b NULL: 1
  struct lawNodes *law;
  int k;
  int (*make)(genBuild *b, const void *def); // or the node of a function of several numbers
  const void *def;
} parameterTerm;

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
void gen_add_term(genBuild *b, const parameterTerm *term);

// A node at present and at other values of the parameters: with what rounding may have done to it, and whether it has
// places where it is not smooth.
enum { TRIALS = 4 };
typedef struct trialValue {
  double x[TRIALS], off[TRIALS];
  int is_piecewise;
} trialValue;

// A number of a body or rod that generated code offers (body_numbers.c).
typedef struct bodyNumber {
  const char *name, *label;    // "rocker.com.x"; in the text, "rocker_com_x"
  const char *quantity, *unit; // "mass", "com", "inertia"
  const char *also;            // names of numbers that are this one; NULL: none
  int link;                    // -1: of a rod
  int has_sign;                // it may be negative
  double value;
  int node; // its symbol
} bodyNumber;

// Where such a number is, in the definition of a body or in the compiled model.
typedef struct bodyAddress {
  const double *number;
  int place; // among the numbers
} bodyAddress;

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
  parameterTerm *term; // [nterm] by compiled address
  int nneat, neat_capacity;
  int *neat; // [nneat] nodes without rounding errors of quarter turns, -1: not made yet
  int ntrial, trial_capacity;
  trialValue *trial; // [ntrial] of nodes
  baseTable names;   // "mass_3": definition
  int nbody, body_capacity;
  bodyNumber *body; // [nbody] in the order of the bodies
  int naddress, address_capacity;
  bodyAddress *address; // [naddress] by address
  int nshared, shared_capacity;
  eqnShared *
      shared; // [nshared] numbers of bodies that share one of another body; `parameter` is its place
} genDefinitions;

// Lay the tree with the numbers of bodies and rods that are offered, which are listed before. The node of such a number, -1:
// it is not offered; whether a word of a call means it; and one that has the symbol of number k.
struct laidTree;
void gen_lay_bodies(genBuild *b, struct laidTree *out);
int gen_body_node(const genDefinitions *d, const double *number);
int gen_means_body(const bodyNumber *own, const char *word);
void gen_share_body(genBuild *b, const bodyNumber *own, int k);
void gen_add_also(genBuild *b, int k, const char *name);

// A name as a word of the text that no constant has so far, whatever the case of its letters; and that one is taken.
const char *gen_label(genBuild *b, const char *name);
void gen_take_label(genBuild *b, const char *label);

// The numbers of elements, couplings, roads and gravity that can be followed (parameter_map.c).
void gen_follow_all(genBuild *b);
void gen_follow_starts(genBuild *b); // start_equations.c
void gen_parameter_map(genBuild *b, const double *compiled, double factor, const double *a,
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

// All definitions that are known before equations are made; b->definitions stays NULL where all constants are to be numbers,
// or the model has no parameters and its bodies are fixed.
void gen_open_definitions(genBuild *b);

// The definition of a constant by its name, -1: no parameter reaches it; of a compiled number by its address, which has
// that name from here on.
int gen_definition(void *b, const char *name, int index);
void gen_name_node(genBuild *b, int node, const char *name, int index);
void gen_name_definition(genBuild *b, const double *compiled, const char *name, int index);

// With options->shows: the definitions of the geometry (gen_geometry), and its numbers that follow parameters as nodes of
// the equations, noted in the program; returns how many.
void gen_name_geometry(genBuild *b, const struct laidTree *laid);
int gen_moving_geometry(genBuild *b, int *node);

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

// d constant k / d symbol of the definitions as a constant of the equations, 0: none.
int gen_slope(genBuild *b, int k, int symbol);

#endif
