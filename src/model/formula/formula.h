// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of a model file: the text after `=`, as in "m*L^2/12" or "if(pin.angle > 0, k1, k2)*x".
//
//   operators   + - * / ^ (right associative, binds tighter than unary minus), parentheses
//   conditions  < <= > >=, `and`, `or`, `not`, as first argument of if(c, a, b);
//               == and != between constants
//   numbers     1.5e-3, with a unit in brackets where wanted: 25[N/mm]
//   names       L, pin.angle, 'front/left/pin'.rate; constants pi, tau, e unless the scope has them
//   functions   sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign hypot pow
//               min max (two or more arguments) floor mod
//               step(x)                   0 for x < 0, else 1
//               pulse(x, x0, x1)          1 for x0 <= x < x1, else 0
//               ramp(x, x0, y0, x1, y1)   y0 before x0, y1 from x1 on, a straight line between
//               smooth(x, x0, y0, x1, y1) the same with a quintic between, twice differentiable
//               clamp(x, low, high)       x, but at least low and at most high
//               hysteresis(x, low, high)  1 from where x rises above high, 0 from where it falls below low
//               if(c, a, b)               a where c holds, else b
//               path(x), 'front/path'(x)  a curve that the scope knows
//               grip(x, y)                a table of two dimensions that it knows
//
// Dimensions are checked. A name or a number with a unit has a dimension; a name of dimension `any`
// goes with everything; a plain number is a number: it scales, but only 0 may be added to a length.
#ifndef MODEL_FORMULA_H
#define MODEL_FORMULA_H

#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/unit.h"
#include "law/map.h"

//---- parsing -------------------------------------------------------------------------------------

enum { FORMULA_LONGEST = 10000, FORMULA_DEEPEST = 200, FORMULA_WORDS = 600 };

// The meaning of a name: a constant, or a variable read from slots[slot].
typedef struct formulaSymbol {
  int is_constant;
  double value; // of a constant, in SI
  int slot;     // of a variable
  baseDimension dimension;
} formulaSymbol;

// A curve through points, or a table of two dimensions: its law or map, and what it takes and gives.
typedef struct formulaCurve {
  const forceLaw *law;
  baseDimension x, f;
  const lawMap *map;
  baseDimension y;
} formulaCurve;

// How names are resolved. A reference arrives with its parts joined by dots and without quotes:
// 'front/left/pin'.rate is "front/left/pin.rate".
typedef struct formulaScope {
  // Returns 1 when found. Returns 0 when not, or leaves the work (by error_refuse at the place, which is that of the
  // reference) to say more than "unknown name".
  int (*find)(void *context, const char *reference, artPlace place, formulaSymbol *found);
  // Offers every known name to base_consider; may be NULL.
  void (*list)(void *context, baseNearest *nearest);
  void *context;
  // Returns 1 when there is a curve of that name; offers all of them to base_consider when not. NULL:
  // no curves can be called.
  int (*curve)(void *context, const char *name, formulaCurve *found, baseNearest *nearest);

  // The parts under a name that represents more than a number, as words after "unknown name"; 0 when there is
  // nothing. May be NULL.
  int (*parts)(void *context, const char *name, char words[FORMULA_WORDS]);

  int has_one_place; // the text was written for the user: all of it is at one place

  int is_loose; // plain numbers have whatever unit fits; what does not fit within the formula has any

  int is_noted; // names that are wrong may be noted as mistakes (base/error_recovery.h)

  int slots_are_constant; // slots are parameters, which may be compared by == and !=
} formulaScope;

typedef struct formula formula;
typedef struct formulaStep formulaStep;

// A postfix program, constant after parsing; lives in the arena.
struct formula {
  const formulaStep *steps;
  const unsigned char *switch_kinds;
  int nstep;
  int depth;               // length of the stack that evaluation needs
  int nswitch;             // length of branch and g
  int nsettled;            // of these, the last, which parameters alone decide
  baseDimension dimension; // of the result; `any` where nothing gave it a unit
  const formula *live;     // the same with parameters as slots from FORMULA_PARAMETER on, where it
                           // names any and a model has parsed it; or NULL
};

// The slot of the first parameter in a formula that has slots for other things, too.
enum { FORMULA_PARAMETER = 1 << 24 };

// Parse the text, which is at `place`. The result must agree with the expected dimension; one
// made of plain numbers alone ("1/3") always does, as a bare number in the file would.
artStatus formula_parse(formula **out, baseArena *arena, const char *text, artPlace place,
                        const formulaScope *scope, baseDimension expected, artError *error);

// Everything is folded: a formula without variables is one constant.
int formula_is_constant(const formula *f);
double formula_constant(const formula *f);

// The slot that step k of nstep reads, or -1.
int formula_read(const formula *f, int k);

// Does it read the slot?
int formula_uses(const formula *f, int slot);

// Does it read a slot that is marked, with the present parameters or with others?
int formula_reads_marked(const formula *f, const unsigned char *mark);

// Has it a hysteresis, whose value depends on the past?
int formula_has_memory(const formula *f);

// Is it a polynomial of what it reads, as written: sums, products, constant divisors, squares and cubes?
int formula_is_polynomial(const formula *f);

// Does it call the curve?
int formula_calls(const formula *f, const formulaCurve *curve);

// Has it functions whose slope can jump though they do not switch: roots, powers, hypot, acos, quotients and such?
int formula_has_edges(const formula *f);

// The last instant at which a formula of time alone may change its branch: -INFINITY where it has none, INFINITY where no
// such instant is known.
double formula_last_change(const formula *f);

//---- evaluation ----------------------------------------------------------------------------------
//
// The caller owns slots, branch (nswitch ints) and stack (depth elements). Operations that are only
// piecewise smooth follow the branch that is frozen in branch[], whatever the values say, so that
// a formula is smooth between events.

// A value with its first and second time derivative.
typedef struct formulaJet {
  double x, dx, ddx;
} formulaJet;

double formula_value(const formula *f, const double *slots, const int *branch, double *stack);

// Exact first and second derivatives, given the derivatives of the slots.
formulaJet formula_jet(const formula *f, const formulaJet *slots, const int *branch,
                       formulaJet *stack);

//---- switching -----------------------------------------------------------------------------------

// Freeze the branches that the values of the slots call for. At a boundary the upper one is taken:
// step(0) = 1, floor(2) = 2, sign(0) = 0. A hysteresis between its borders keeps the branch that it finds.
void formula_set_branches(const formula *f, const double *slots, int *branch, double *stack);

// For slopes: where the values are at the very corner of min, max, abs or clamp, these become the mean of both sides, so that
// min(x, 0) + max(x, 0) has the slope 1 there, as max(x, 0) - max(-x, 0) has. Branches elsewhere stay. The second goes
// back to the upper branch, for runs know nothing of corners.
void formula_set_corners(const formula *f, const double *slots, int *branch, double *stack);
void formula_leave_corners(const formula *f, const double *slots, int *branch, double *stack);

// g[i] > 0 while the frozen branch of switch i holds; it has to be left when g[i] < 0. Switches whose
// argument is not a number (in the idle arm of an if) give 1.
void formula_switches(const formula *f, const double *slots, const int *branch, double *g,
                      double *stack);

// Move switch i to the neighbouring branch.
void formula_switch_mode(const formula *f, int i, int *branch);

// The argument of switch i is on the border of its branch: is the branch there by definition, as sign(0) = 0, another one? With
// `take` the switch is moved to it. Functions that are continuous there, and hystereses, stay.
int formula_switching_surface(const formula *f, int i, int *branch, int take);

// Does switch i stay where it has gone though its argument comes back to the border, as that of a hysteresis?
int formula_is_latching(const formula *f, int i);

#endif
