// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Passing singular positions. A block of J_v becomes singular for example when all bars of a
// four-bar linkage lie on one line. Near that position B is a quotient of two numbers that vanish
// together: at a distance s, a position error e (1e-16 at best) becomes e/s in the dependent
// coordinates, e/s^2 in B and e/s^3 in its derivative. Still, on the branch along which the machine
// moves, the coordinates of the block are smooth functions x(u) of a single coordinate u, the input
// of the block. So x is solved for at four positions before the singular one and four after it,
// where the problem is well conditioned. In between, x, dx/du and d2x/du2 come from the Hermite
// polynomial of degree 15 through these values of x and dx/du: a bridge.
//
// The input is an independent coordinate or one that earlier blocks determine. x(u) is the same
// whatever moves the input; velocities and accelerations follow by the chain rule. An orientation
// is three numbers x relative to an orientation on the path (rotation_vector.h). The rows do not
// depend on an idle spin of a link: then only two numbers are functions of the input, and the spin
// is integrated on its own.
#ifndef LOOP_SINGULAR_PATH_H
#define LOOP_SINGULAR_PATH_H

#include "loop/blocks.h"
#include "loop/places.h"

enum { SINGULAR_SIDE = 4, SINGULAR_NODES = 2 * SINGULAR_SIDE, SINGULAR_TERMS = 2 * SINGULAR_NODES };

// A block is weak if its strength (singular_path_strength) is below this fraction of its sound
// strength.
#define SINGULAR_WEAK 0.15

// Polynomial over a singular position in terms of the input of a block.
typedef struct singularBridge {
  double middle, unit;         // w = (u - middle) / unit is -1 and 1 at the nearest nodes
  double node[SINGULAR_NODES]; // nodes in terms of w
  double gap;    // by how much the geometry misses the singular position, m or rad; 0: not at all
  double window; // |w| within which the block is held
  int count;     // known nodes; the bridge exists once all are known
  int unused;    // padding: bridges are stored as arrays of numbers
  // strength at the last failed attempt to build it since the machine left the singular region,
  // or 0
  double failed;
} singularBridge;

// A coordinate and its derivatives with respect to w.
typedef struct singularTaylor {
  double f, df, ddf;
} singularTaylor;

// Blocks without input: their state at the end of the last step, and scratch memory
// (singular_crossing.c).
typedef struct singularLeap {
  double *side;                    // blocks: determinant; 0: unknown
  double *J;                       // values of J
  double *square;                  // the largest block, for its determinant
  int *swap, *row, *column, *rank; // [n]
} singularLeap;

// Arrays over blocks [block_count] and over the solve order [nd].
typedef struct singularPath {
  int *input;     // blocks: velocity coordinate of the input; -1: cannot be held
  double *size;   // blocks: smallest over its rows of the largest entry at any position
  double *sound;  // blocks: strength that counts as sound
  double *last_u; // blocks: input at the end of the last step
  // blocks: input at the end of the last step in which the block was not held
  double *from_u;
  double *from_q;         // [nq] coordinates there: bridges are built from these
  singularBridge *bridge; // blocks
  double *line;           // order, 2: x = line[0] + line[1] w + polynomial
  double *term;           // order, SINGULAR_TERMS: coefficients of the polynomial in Newton's form
  double *second;         // order: d2x/du2 at the last call of singular_path_choose
  int *turn_block;        // turns: the block that determines the orientation, -1: none or several
  int *turn_at;           // turns, 3: positions of its x in the solve order
  double *base;           // [nq] orientations to which the x of turns are relative
  turnMotion *motion;     // turns: motion at the last call of singular_path_choose
  char *is_needed;        // blocks: bridges to build
  int *walked;            // blocks on the path from the input to the block at hand, ascending
  int walk_count;
  int *open;        // [n] columns on which blocks of a walk depend
  double *side;     // [m] right-hand side: -column of J
  double *move;     // [n] tangent of a walk
  double *step;     // [n] Newton step of a walk
  double *q;        // [nq]
  double *expected; // [nq] positions predicted by the tangent
  int held;         // blocks held at the last call of singular_path_choose
  singularLeap leap;
  const loopPlaces *places;
} singularPath;

// Allocate memory from that of the blocks; returns 0 when there is none. q: positions that satisfy
// the constraints, at which the blocks are factored; row_size[m]: largest magnitude in each row of
// J at any position.
int singular_path_start(singularPath *hold, loopBlocks *blocks, const loopPlaces *places,
                        const double *row_size, const double *q, int nq, const loopMatrix *J);

// Strength: smallest pivot of a factored block in units of J. A block is also weak if a whole row
// vanishes.
static inline double singular_path_strength(const loopBlocks *blocks, int k)
{
  ART_ASSERT(k >= 0 && k < blocks->block_count);
  return blocks->block[k].pivot / blocks->block[k].largest;
}

// Is the block weak and not held?
static inline int singular_path_is_weak(const singularPath *hold, const loopBlocks *blocks, int k)
{
  return !blocks->block[k].is_held &&
         !(singular_path_strength(blocks, k) > SINGULAR_WEAK * hold->sound[k]);
}

// Find the only coordinate on which block k depends, directly or through other blocks. Lists these
// blocks and k in hold->walked. Returns -1 if there is none.
int singular_path_find_input(singularPath *hold, const loopBlocks *blocks, int k);

// Decide which blocks are held at q; write their coordinates into q and their slopes into the
// blocks. Returns the number of held blocks.
int singular_path_choose(singularPath *hold, loopBlocks *blocks, double *q);

// Recompute the blocks that are already held after their inputs have moved.
void singular_path_place(singularPath *hold, loopBlocks *blocks, double *q);

// Release all held blocks.
void singular_path_release(singularPath *hold, loopBlocks *blocks);

// Contribution of held blocks to J_v x = b when the right-hand side contains second derivatives, in
// addition to dx/du times the second derivative of the input:  d2x/du2 (du/dt)^2,  and  dx/du a
// for the acceleration a of a drive.
void singular_path_bias(const singularPath *hold, loopBlocks *blocks, const double *v,
                        const double *a_drive);

// Zero contribution of held blocks, for a Newton step.
void singular_path_still(loopBlocks *blocks);

// At the end of a step, with J evaluated: store the state from which bridges are built. Returns a
// block that has passed its singular position since the last call, -1: none.
int singular_path_remember(singularPath *hold, const loopBlocks *blocks, const double *q,
                           const loopMatrix *J);

// The same for the blocks of a walk.
void singular_path_remember_walk(singularPath *hold, const loopBlocks *blocks, const double *q);

//---- building ------------------------------------------------------------------------------------

// Position of a column in the solve order, -1: it is not in block k.
int singular_path_find_column(const loopBlocks *blocks, int k, int column);

// A coordinate of block k, or its input, at w on the bridge.
singularTaylor singular_path_along(const singularPath *hold, const loopBlocks *blocks, int k,
                                   int column, double w);

// Restore the coordinates of block k at the end of the last step in which it was not held. From
// then on, x of its orientations is relative to these.
void singular_path_go_back(singularPath *hold, const loopBlocks *blocks, int k, double *q);

// Evaluate the interpolation through the known nodes of block k at w; write its coordinates into q.
void singular_path_predict(const singularPath *hold, const loopBlocks *blocks, int k, double w,
                           double *q);

// singular_path_read: x of block k at q, and dx/du by the slopes in the block, into `given` and
// `slope` of the block. singular_path_add: take these as a new node at w.
void singular_path_read(const singularPath *hold, const loopBlocks *blocks, int k, const double *q);
void singular_path_add(singularPath *hold, const loopBlocks *blocks, int k, double w);

// Drop polynomial terms at round-off level, once all nodes are known.
void singular_path_shorten(singularPath *hold, const loopBlocks *blocks, int k);

//---- bridges after a change of the partition (singular_path_partition.c) -------------------------

// The coordinates of a loop with one degree of freedom lie on a curve. A bridge is a piece of this
// curve, regardless of which coordinate is the input.
// Copy what is known of blocks that already existed in another partition, with the same input or
// with another coordinate of the block as input.
void carry_over(singularPath *hold, const loopBlocks *blocks, const singularPath *old,
                const loopBlocks *old_blocks);

#endif
