// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The methods by which a machine moves: one line each. A method is a file of src/method, which defines word_kind
// (method/method.h), and its line here says its name and its traits; everybody else asks for traits.
#ifndef MODEL_METHODS_H
#define MODEL_METHODS_H

#include "articula/model.h"

enum {
  METHOD_TREES = 1 << 0,      // for machines without closed loops
  METHOD_LOOPS = 1 << 1,      // for machines with them
  METHOD_USUAL = 1 << 2,      // the one that automatic comes to on its machines
  METHOD_NATURAL = 1 << 3,    // natural coordinates, with a rule of integration of their own
  METHOD_COMPILED = 1 << 4,   // a back end: the equations of the usual method as compiled code
  METHOD_REDUCED = 1 << 5,    // solves for independent coordinates: algebra, redundant
  METHOD_STABILISED = 1 << 6, // takes loops as they are: alpha, beta
  METHOD_BRANCHES = 1 << 7,   // workers may share the branches of the machine
  METHOD_PARTITION = 1 << 8,  // chooses independent coordinates: partition, independent
  METHOD_PROJECTS = 1 << 9,   // takes out of a step what leaves the constraints: projections
  METHOD_DAMPED = 1 << 10,    // the rule may damp: spectral_radius, hht
  METHOD_STEERED = 1 << 11,   // the rule chooses its steps by the energy: artSteering
  METHOD_PACED = 1 << 12,     // the rule has steps of one length: whole_steps
  METHOD_BETWEEN = 1 << 13,   // the rule takes forces between the ends of a step: forces_at_ends

  METHOD_ALL = METHOD_TREES | METHOD_LOOPS
};

// The ways of a study, a method and a back end in one number: methods in numbers, and after them the generated
// equations of method automatic, for which `method` of files and of the command has a word of its own.
enum { MODEL_GENERATED = ART_METHODS, MODEL_WAYS };

// in the order in which they are compared
#define MODEL_METHODS(METHOD)                                                                      \
  METHOD(ART_AUTOMATIC, automatic, "automatic", METHOD_ALL | METHOD_REDUCED | METHOD_PARTITION)    \
  METHOD(ART_ORDER_N, order_n, "order-n", METHOD_TREES | METHOD_USUAL)                             \
  METHOD(ART_MASS_MATRIX, mass_matrix, "mass-matrix", METHOD_TREES)                                \
  METHOD(ART_SEMIRECURSIVE, semirecursive, "semirecursive",                                        \
         METHOD_LOOPS | METHOD_USUAL | METHOD_REDUCED | METHOD_PARTITION)                          \
  METHOD(ART_RECURSIVE, recursive, "recursive",                                                    \
         METHOD_LOOPS | METHOD_STABILISED | METHOD_BRANCHES | METHOD_PARTITION | METHOD_PROJECTS)  \
  METHOD(ART_AUGMENTED, augmented, "augmented",                                                    \
         METHOD_LOOPS | METHOD_STABILISED | METHOD_PARTITION | METHOD_PROJECTS)                    \
  METHOD(MODEL_GENERATED, generated, "generated", METHOD_ALL | METHOD_COMPILED | METHOD_PARTITION) \
  METHOD(ART_INDEX1, index1, "index1",                                                             \
         METHOD_ALL | METHOD_NATURAL | METHOD_PROJECTS | METHOD_PACED)                             \
  METHOD(ART_INDEX3, index3, "index3",                                                             \
         METHOD_ALL | METHOD_NATURAL | METHOD_PROJECTS | METHOD_DAMPED | METHOD_PACED)             \
  METHOD(ART_MULTI_INDEX, multi_index, "multi-index",                                              \
         METHOD_ALL | METHOD_NATURAL | METHOD_PROJECTS | METHOD_STEERED)                           \
  METHOD(ART_CONSERVING, conserving, "conserving",                                                 \
         METHOD_ALL | METHOD_NATURAL | METHOD_PROJECTS | METHOD_PACED | METHOD_BETWEEN)

// A way from its method and back end, and these from a way.
int model_join_way(artMethod method, artBackend backend);
void model_split_way(int way, artMethod *method, artBackend *backend);

// The same for a run.
int model_way(const artRunDef *run);
void model_set_way(artRunDef *run, int way);

// The word of model files.
const char *model_way_name(int way);

// Has the way one of these traits?
int model_method_has(int way, int traits);

// The method in numbers that a machine goes by when it is asked for this way: the usual one of its kind of machine
// for automatic, for back ends, and for methods of loops where there are none.
artMethod model_method_for(int way, int has_loops);

// The k-th way in the order above, automatic being the 0-th; MODEL_WAYS: there is none.
int model_way_at(int k);

// The methods but automatic that have all traits of `with` and none of `without`, as "a, b and c" with the last word
// given.
enum { MODEL_METHODS_LENGTH = 128 };
const char *model_method_list(int with, int without, const char *last,
                              char text[MODEL_METHODS_LENGTH]);

// A text with names of methods from the table: {steered} represents the methods with that trait but automatic, {usual
// trees} for those with both, {automatic} for the one of that word; other braces stay.
enum { MODEL_TEXT_LENGTH = 1024 };
const char *model_method_text(const char *text, char filled[MODEL_TEXT_LENGTH]);

#endif
