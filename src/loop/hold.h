// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Passing singular positions. Where a block of J_v becomes singular, as when all bars of a four-bar
// lie on one line, its coupling B is a quotient of two numbers that vanish together: an error e of the
// positions, e = 1e-16 at best, is an error e/s of the coordinates that are solved for, e/s^2 of B and
// e/s^3 of its derivative at a distance s. On the branch that the machine moves along, the block's
// coordinates are smooth functions x(u) all the same of the one coordinate u that they depend on. So
// x is found at four positions in front of the singular one and at four behind, where it can be solved
// for, and in between x, B = dx/du and d2x/du2 are those of the polynomial that meets x and B there
// (Hermite's, of degree 15).
#ifndef LOOP_HOLD_H
#define LOOP_HOLD_H

#include "loop/blocks.h"

enum { HOLD_SIDE = 4, HOLD_NODES = 2 * HOLD_SIDE, HOLD_TERMS = 2 * HOLD_NODES };

// A polynomial over singular positions along one independent coordinate.
typedef struct holdBridge {
  double middle, unit;     // w = (u - middle) / unit is -1 and 1 at the nearest nodes
  double node[HOLD_NODES]; // places in w
  int count;               // of nodes that are known: all, or there is no bridge
  int has_failed;          // to be built since the machine was at a sound position
} holdBridge;

typedef struct loopHold {
  holdBridge *bridge; // [nu]
  char *is_bridged;   // [block_count] by the bridge of its coordinate
  double *line;       // [2 nd] x = line[0] + line[1] w + polynomial
  double *term;       // [HOLD_TERMS nd] of Newton's form of the polynomial
  double *second;     // [nd] d2x/du2 at the last choice
  int nq;
  double *q; // [nq] a closed position outside, where bridges are built from
  int held;  // blocks held at the last choice
} loopHold;

// Take the memory from the blocks' own; 0 when there is none. q: a closed position.
int hold_start(loopHold *hold, loopBlocks *blocks, const double *q, int nq);

// The smallest pivot of a factored block in the units of J: rows that vanish altogether count as weak.
double hold_strength(const loopBlocks *blocks, int k);

// The independent column, a number in column_u, that all of a block depends on; -1: it may not be held,
// for it depends on several, or on an orientation. place: see loop.h.
int hold_column(const loopBlocks *blocks, int k, const int *place);

// Decide which blocks are held at q; put their coordinates into q and their B into the blocks. Returns
// their number.
int hold_choose(loopHold *hold, loopBlocks *blocks, const int *place, double *q);

// Hold nothing.
void hold_release(loopHold *hold, loopBlocks *blocks);

// What held blocks give for J_v x = b with the second derivatives on the right:
//   d2x/du2 (du/dt)^2 + B a,  a the acceleration of a drive
void hold_bias(const loopHold *hold, loopBlocks *blocks, const double *v, const double *a_drive);

// What held blocks give for a step of Newton's method: nothing.
void hold_still(loopBlocks *blocks);

//---- building ------------------------------------------------------------------------------------

// x at w by the nodes that are known, for the positions of block k.
void hold_predict(const loopHold *hold, const loopBlocks *blocks, int k, double w, double *x);

// One more node at w, with q and B as they are, for the bridge of a column and all blocks that are
// marked as bridged by it.
void hold_add(loopHold *hold, const loopBlocks *blocks, int column, double w, const int *place,
              const double *q);

// Leave out terms that rounding explains, once all nodes are known.
void hold_shorten(loopHold *hold, const loopBlocks *blocks, int column);

#endif
