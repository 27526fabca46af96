// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of src/tyre on symbols, from nodes to nodes.
#ifndef GEN_TYRE_SYMBOLIC_H
#define GEN_TYRE_SYMBOLIC_H

#include "sym/expr.h"
#include "tyre/tyre.h"

enum { GEN_SLOW_NODES = 5 };

// Numbers of a tyre that are parameters, as nodes.
typedef struct tyreParameters {
  int radius, stiffness, damping, load;
  int slip, cornering, camber, trail, friction; // of a linear tyre
  int relaxation[2];
  int magic[MAGIC_NUMBERS];
} tyreParameters;

// Forces that rolling in the other direction adds where the tyre rolls slowly: symbols, with values that are needed then
// only. They are plain expressions where these will be differentiated, which knows no such symbols.
typedef struct tyreSlow {
  int is_plain;
  int is_slow;
  int n, symbol[GEN_SLOW_NODES], value[GEN_SLOW_NODES];
} tyreSlow;

typedef struct symTyre {
  exprPool *pool;
  const artTyre *tyre;
  int element;
  tyreParameters number;
  tyreSlow slow;
} symTyre;

// A tyre on the road.
typedef struct tyreNodes {
  int radius;                 // from the wheel centre to the contact
  int sine, cosine, gamma;    // of camber, and camber
  int spin, approach, Vx, Vy; // motion of the contact
  int depth, dent;            // deflection of the formula, and of a tyre that is a spring
  int spring, load;           // without and with the damper
  int Vsx;
  int kappa, tangent; // slips: longitudinal, tangent of the slip angle
  int rate[2];        // of the slip states
  int force[6];       // Fx, Fy, Fz, Mx, My, Mz
} tyreNodes;

// depth, dent, spring and load of the motion.
void sym_tyre_press(const symTyre *tyre, tyreNodes *x);

// Vsx, and the slips: steady ones, or (states not NULL) slips by the states, with the rates of these.
void sym_tyre_slips(const symTyre *tyre, const int *states, tyreNodes *x);

// The forces of slips.
void sym_tyre_forces(symTyre *tyre, tyreNodes *x);

#endif
