// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Passing singular positions. Where a block of J_v becomes singular, as when all bars of a four-bar
// lie on one line, its coupling B is a quotient of two numbers that vanish together: an error e of the
// positions, e = 1e-16 at best, is an error e/s of the coordinates that are solved for, e/s^2 of B and
// e/s^3 of its derivative at a distance s. On the branch that the machine moves along, the block's
// coordinates are smooth functions x(u) all the same of the one coordinate u, its input, that they
// depend on. So x is found at four positions in front of the singular one and at four behind, where it
// can be solved for, and in between x, dx/du and d2x/du2 are taken from the polynomial that meets x
// and dx/du there (Hermite's, of degree 15): a bridge.
//
// The input is an independent coordinate or one that earlier blocks determine; whatever moves it, x(u)
// is the same, and velocities and accelerations follow by the chain rule. Orientations are three numbers x, relative to
// one on the way (rotation_vector.h); where a link spins idly, rows do not depend on the spin: two numbers are functions of
// the input then, and the spin goes on by itself.
#ifndef LOOP_SINGULAR_PATH_H
#define LOOP_SINGULAR_PATH_H

#include "loop/blocks.h"
#include "loop/places.h"

enum { SINGULAR_SIDE = 4, SINGULAR_NODES = 2 * SINGULAR_SIDE, SINGULAR_TERMS = 2 * SINGULAR_NODES };

// A block is weak where its strength (singular_path_strength) is below this part of what is sound.
#define SINGULAR_WEAK 0.15

// A polynomial over a singular position along the input of a block.
typedef struct singularBridge {
  double middle, unit;         // w = (u - middle) / unit is -1 and 1 at the nearest nodes
  double node[SINGULAR_NODES]; // places in w
  double gap;    // how far the geometry misses the singular position, m or rad; 0: not at all
  double window; // in w, where the block is held
  int count;     // of nodes that are known: all, or there is no bridge
  int unused;    // no gap: bridges are saved as numbers
  double
      failed; // strength where it could not be built since the machine was at a sound position, or 0
} singularBridge;

// A coordinate and its derivatives with respect to w.
typedef struct singularTaylor {
  double f, df, ddf;
} singularTaylor;

// Of blocks without input: where they were at the last step's end, and room to compare (singular_crossing.c).
typedef struct singularLeap {
  double *side;                    // blocks: determinant, 0: not known
  double *J;                       // entries
  double *square;                  // of the largest block
  int *swap, *row, *column, *rank; // [n]
} singularLeap;

// Arrays over blocks [block_count] and over the solve order [nd].
typedef struct singularPath {
  int *input;             // blocks: velocity coordinate of the input; -1: the block cannot be held
  double *size;           // blocks: least row of J, by its largest entry anywhere
  double *sound;          // blocks: strength that is sound
  double *last_u;         // blocks: input at the last step's end
  double *from_u;         // blocks: input at the last step's end where the block was not held,
  double *from_q;         // [nq] and its coordinates, from where bridges are built
  singularBridge *bridge; // blocks
  double *line;           // order, 2: x = line[0] + line[1] w + polynomial
  double *term;           // order, SINGULAR_TERMS: of Newton's form of the polynomial
  double *second;         // order: d2x/du2 at the last choice
  int *turn_block;        // turns: the block that determines them, -1: none does, or several do
  int *turn_at;           // turns, 3: places of their numbers in the order
  double *base;           // [nq] what they are relative to
  turnMotion *motion;     // turns: at the last choice
  char *is_needed;        // blocks: bridges that are to be built
  int *walked; // blocks: those that lie between the input and the block at hand, ascending
  int walk_count;
  int *open;        // [n] marks of columns that blocks of a walk depend on
  double *side;     // [m] of J
  double *move;     // [n] of a walk
  double *step;     // [n] of Newton's method on it
  double *q;        // [nq]
  double *expected; // [nq] where a walk should have led
  int held;         // blocks held at the last choice
  singularLeap leap;
  const loopPlaces *places;
} singularPath;

// Take the memory from the blocks' own; 0 when there is none. q: a closed position, where the blocks
// are factored; row_size[m]: largest entries of the rows of J at any position.
int singular_path_start(singularPath *hold, loopBlocks *blocks, const loopPlaces *places,
                        const double *row_size, const double *q, int nq, const loopMatrix *J);

// The smallest pivot of a factored block in the units of J: rows that vanish altogether count as weak.
static inline double singular_path_strength(const loopBlocks *blocks, int k)
{
  ART_ASSERT(k >= 0 && k < blocks->block_count);
  return blocks->block[k].pivot / blocks->block[k].largest;
}

// Is a block weak that is not held?
static inline int singular_path_is_weak(const singularPath *hold, const loopBlocks *blocks, int k)
{
  return !blocks->block[k].is_held &&
         !(singular_path_strength(blocks, k) > SINGULAR_WEAK * hold->sound[k]);
}

// The one coordinate that all of block k depends on, by itself or through other blocks, which are
// listed in hold->walked together with k; -1: there is none.
int singular_path_find_input(singularPath *hold, const loopBlocks *blocks, int k);

// Decide which blocks are held at q; put their coordinates into q and their slopes into the blocks.
// Returns their number.
int singular_path_choose(singularPath *hold, loopBlocks *blocks, double *q);

// The same for the blocks that are held already, after their inputs have moved.
void singular_path_place(singularPath *hold, loopBlocks *blocks, double *q);

// Hold nothing.
void singular_path_release(singularPath *hold, loopBlocks *blocks);

// Contribution of held blocks to J_v x = b with the second derivatives on the right, besides dx/du times
// the second derivative of their input:  d2x/du2 (du/dt)^2,  and  dx/du a  for the acceleration a of a drive.
void singular_path_bias(const singularPath *hold, loopBlocks *blocks, const double *v,
                        const double *a_drive);

// No contribution of held blocks, for a step of Newton's method.
void singular_path_still(loopBlocks *blocks);

// At the end of a step, with J there: remember from where bridges are built. Returns a block that has passed
// its singular position since the last call, -1: none has.
int singular_path_remember(singularPath *hold, const loopBlocks *blocks, const double *q,
                           const loopMatrix *J);

// The same for the blocks of a walk.
void singular_path_remember_walk(singularPath *hold, const loopBlocks *blocks, const double *q);

//---- building ------------------------------------------------------------------------------------

// The place of a column in the order, -1: it is not of block k.
int singular_path_find_column(const loopBlocks *blocks, int k, int column);

// A coordinate of block k, or its input, at w on its bridge.
singularTaylor singular_path_along(const singularPath *hold, const loopBlocks *blocks, int k,
                                   int column, double w);

// The coordinates of block k go back to where they were at the last step's end where it was not held; its orientations are
// told relative to those from here on.
void singular_path_go_back(singularPath *hold, const loopBlocks *blocks, int k, double *q);

// Put the coordinates of block k at w into q, by the nodes that are known.
void singular_path_predict(const singularPath *hold, const loopBlocks *blocks, int k, double w,
                           double *q);

// One more node of block k at w: the numbers x of its coordinates in q, and dx, which the slopes in the block amount to, into
// `given` and `slope` of the block; singular_path_add takes both from there.
void singular_path_read(const singularPath *hold, const loopBlocks *blocks, int k, const double *q);
void singular_path_add(singularPath *hold, const loopBlocks *blocks, int k, double w);

// Leave out terms that rounding explains, once all nodes are known.
void singular_path_shorten(singularPath *hold, const loopBlocks *blocks, int k);

//---- bridges after a change of the partition (singular_path_partition.c) -------------------------

// The coordinates of a loop with one degree of freedom lie on a curve; a bridge is a piece of this curve, whichever
// coordinate is the input.
// Take what is known of blocks that were there in another partition, too, with the same input or with
// another of their coordinates in its place.
void carry_over(singularPath *hold, const loopBlocks *blocks, const singularPath *old,
                const loopBlocks *old_blocks);

#endif
