// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ports of force elements on symbols: what the generator gives to elements and takes from them.
#ifndef GEN_PORT_EQUATIONS_H
#define GEN_PORT_EQUATIONS_H

#include "element/element.h"
#include "law/map.h"
#include "sym/expr.h"

typedef struct genBuild genBuild;

// The pool that the nodes are in, and memory of the program.
exprPool *gen_pool(genBuild *b);
void *gen_alloc(genBuild *b, size_t count, size_t size);

// A constant as a parameter or number; name is kept.
int gen_parameter(genBuild *b, double value, const char *name, int index);

// The same of a number of a compiled element, by its address.
int gen_parameter_at(genBuild *b, const double *x, const char *name, int index);

// Whether parameters of the user give a compiled number; it as a constant of the equations, a number where they do not.
int gen_is_defined(genBuild *b, const double *compiled);
int gen_number_at(genBuild *b, const double *compiled, const char *name);

// A constant as a number, unless parameters of the user define it.
int gen_number(genBuild *b, double value, const char *name, int index);

// A law at x, or its integral, on the segment that the mode (-1: none) holds; 0 when it is NULL.
int gen_law(genBuild *b, const forceLaw *law, int mode, int x, const char *name, int index,
            int is_integral);

// The same of a law on the segment that the node `held` names (-1: on the one that holds x); name NULL: its
// coefficients are data.
int gen_curve(genBuild *b, const forceLaw *law, int held, int x, const char *name, int index,
              int is_integral);

// Coefficients of a law through n points, its knots and origins, in a pool: by the natural spline where there are spare
// nodes, [2 n], else by straight lines.
void gen_join_points(exprPool *pool, int n, const int *x, const int *f, int *c, int *knot,
                     int *origin, int *spare);

// A table of two dimensions at (x, y), on the segments that the nodes held_x and held_y tell (-1: as x and y say).
int gen_map(genBuild *b, const lawMap *map, int held_x, int held_y, int x, int y);

// A formula over the nodes of its slots, on the branches that symbols name (NULL: as its arguments say).
int gen_formula_of(genBuild *b, const struct formula *f, const int *slot, const int *branch);

// The same in another pool.
int gen_formula_in(genBuild *b, exprPool *pool, const struct formula *f, const int *slot);

// The symbol of a mode, -1: modes are free.
int gen_mode(const genBuild *b, int mode);

// While forces and drives are made, nodes are noted that change their sign where they switch to another segment: any
// one, and the distances of x from the borders of a law.
int gen_is_watching(const genBuild *b);
void gen_watch(genBuild *b, int node);
void gen_watch_loop(genBuild *b, int low, int high);
void gen_watch_law(genBuild *b, const forceLaw *law, int held, int x);

// Whether x is beyond a knot of a law, by what is held of the law; where that is a number, how far it is beyond. Stops have
// as many knots as they have sides.
int gen_knot_side(genBuild *b, int held, int knot);
void gen_knot_margin(genBuild *b, int held, int knot, int beyond);
int gen_has_modes(const genBuild *b); // what is held is the number of a segment

// Whether all hystereses of the formula at hand have sides; how far the one with a side is from leaving it.
int gen_holds_memory(const genBuild *b, const struct formula *f);
int gen_relay_margin(genBuild *b, int side, int margin);  // whether the side is a relay's
int gen_corner_margin(genBuild *b, int side, int beyond); // the same of a corner

// Symbols of the branches that the formula at hand stays on, NULL: it chooses them.
const int *gen_held_branches(const genBuild *b, const struct formula *f);

// Whether `beyond` is positive (or zero, where not strict) by a side that a symbol holds, or that of another formula with the
// same border.
int gen_hold_side(genBuild *b, int side, int beyond, int is_strict);

// Sides that are let go between steps (`frees` of the options) are held by this symbol; the side on which `beyond` is
// positive (0.5 on the border), whether it is (0 or 1, on the border as well), and a value that depends on it: `own` ones
// while it is let go.
int gen_is_free(const genBuild *b);
int gen_may_go(const genBuild *b, int side);
int gen_turn_side(genBuild *b, int beyond, int own);
int gen_turn_truth(genBuild *b, int beyond, int own, int is_strict);
int gen_turn_value(genBuild *b, int beyond, int own, int behind, int before);

// x = sum of c q of a joint element and its rate; a force along it.
void gen_axis(genBuild *b, const modelElement *e, int *x, int *v);
void gen_force_along(genBuild *b, const modelElement *e, int force);

// Power of a force; potential.
void gen_add_power(genBuild *b, int force, int rate);
void gen_add_potential(genBuild *b, int potential);

// The symbol of time.
int gen_time_symbol(const genBuild *b);

// Values of the formulas of an element, in their order.
void gen_formulas(genBuild *b, const modelElement *e, int *value);

// A call of a function of the user at inputs x, with the arguments that are handed over (NULL: none), its parameters named
// with an index after them: a node whose elements are the results.
int gen_call(genBuild *b, const modelCall *call, const int *x, const int *handed, const char *name,
             int index);

// Names of an element's quantities: "length" of 'strut' is strut_length; with _1 and so on after it of several.
void gen_name_value(genBuild *b, int element, int node, const char *quantity);
void gen_name_values(genBuild *b, int element, int n, const int *node, const char *quantity);

// Whether the kind of an element acts at a port; all that element number i does there.
int gen_has_port(const modelElement *e);
void gen_act(genBuild *b, const modelElement *e, int i, int *value);

#endif
