// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops: which rows are independent, which coordinates depend on which, and how positions
// and velocities are projected onto the constraints.
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include "base/stack.h"
#include "data/profile.h"
#include "loop/blocks.h"
#include "loop/partition.h"
#include "loop/rank.h"
#include "loop/rows.h"
#include "loop/singular_path.h"

//---- memory for partitions (reserve.c) -----------------------------------------------------------

// Allocated once, so that a run never calls the allocator, however often it repartitions the
// coordinates.
typedef struct loopReserve {
  memStack *scratch; // for a search
  memStack *kept[2]; // memory of two partitions: the present one and a candidate
  int turn;          // index of the present one in kept
} loopReserve;

// Upper limit for one stack: 64 MiB. Coupled loops with more than about 400 rows take the excess
// from the allocator.
#define LOOP_MOST_RESERVED ((size_t) 1 << 26)

// For a Jacobian with the pattern of J in a model with nq positions. Returns 0 when memory ran out;
// then too, call reserve_free.
int reserve_start(loopReserve *reserve, const loopMatrix *J, int nq, baseArena *arena);
void reserve_free(loopReserve *reserve);

// Total size in bytes.
size_t reserve_bytes(const loopReserve *reserve);

// Baumgarte stabilisation  phi'' + 2 alpha phi' + beta^2 phi = 0.  The default is critically damped
// with a time constant of 0.1 s: slow compared with the machine, fast compared with the drift of an
// integrator.
#define LOOP_BAUMGARTE_ALPHA 10.0 // 1/s
#define LOOP_BAUMGARTE_BETA  10.0 // 1/s

// Rows and coordinates that move while a bridge is built (singular_path_build.c); all others are
// fixed.
typedef struct loopPath {
  int nlink, *link;         // [tree.n] links, ascending
  int ncut, *cut;           // [ncut] cuts of its rows
  int nrelation, *relation; // [nrelation]
  char *is_link;            // [tree.n] is the link in `link`?
  char *is_tie;             // [ncut + nrelation] is the cut in `cut`, the relation in `relation`?
  int *tie;                 // [nrow] the cut of a row, or ncut + its relation
} loopPath;

struct loopWork {
  loopRows rows;
  bool *pattern;      // entries of J that can be nonzero
  bool *driven;       // [nv]
  char *keep;         // [nrow] rows used by the partition
  loopKept *kept;     // [ncut] cut rows in use; all of them if redundant rows are solved for
  loopKept *others;   // [ncut] all other rows of cuts
  char *keep_bridged; // [nrow] rows of blocks that can be held (singular_path.h)
  loopKept *bridged;  // [ncut] the same rows by cuts
  double *step;       // [nv] Newton step
  double *row_size;   // [nrow] largest magnitude in each row of J, here and at positions nearby

  // [nq] positions at which the coordinates were partitioned; they determine the partition
  double *q_chosen;
  double *q_spare;   // [nq] the same for a candidate partition
  loopChoice choice; // how the present partition was chosen
  loopChoice asked;  // how the first partition is to be chosen
  int hand_count;    // for LOOP_BY_HAND: the number of independent coordinates
  int *hand;         // [nv] their velocity coordinates
  artPlace hand_place;
  const char **name;  // [nv] names of coordinates, for messages
  const char *prefer; // [nv] for LOOP_NUMERIC, see partitionRequest.prefer; NULL: no preference
  char *order;        // [nv] buffer for prefer
  // largest strength since another choice was last tried; 0: none was tried since the partition
  // became weak
  double tried;
  int is_ready;  // rank, partition and blocks belong to the loops of the model
  int is_closed; // loop_close has converged; calling it again would change nothing
  // set by a caller that knows that nothing has moved: the next evaluation skips loop_close
  int has_stayed;
  loopRank rank;
  loopPartition partition;
  loopBlocks *blocks;
  double *J_chosen;   // values of J at q_chosen
  char *order_chosen; // [nv] prefer at the time of the choice; NULL: no preference
  long serial;        // serial number of this partition, unique
  long partitions;    // partitions chosen since the start
  singularPath hold;  // state of blocks at singular positions
  loopPath path;
  // largest strength of the weakest block (singular_path.h) over all partitions so far, at
  // their choice
  double pivot_start;
  double pivot;       // least strength of a block at the last factorisation
  double steep_limit; // limit of |B| beyond which another choice of coordinates is tried
  long repartitions;  // changes of partition since the start

  double *right; // [nv]
  loopPlaces places;

  loopReserve reserve;    // memory for partitions
  artRedundant redundant; // what the semi-recursive method does with redundant rows

  baseArena memory;
};

// Allocate memory; returns 0 when there is none.
int loop_start(struct loopWork **out, const artModel *m);
void loop_free(struct loopWork *loop);

// Everything that a data block contains besides the state, for a variant of its model; NULL when
// memory ran out.
artWorkspace *loop_create_work(const artModel *model, const artModel *variant);

// Return a data block that was copied from one in another variant to its own model, with latches as
// at the start. Leaves any other data block alone. Returns the variant that the data block is in
// afterwards.
const artModel *loop_leave_copy(artData *d);

// Largest |phi| at the present positions.
artStatus loop_gap(const artModel *m, artData *d, double *gap, artError *error);

// The same after loop_close: evaluates only the rows that the partition leaves out.
double loop_gap_left(const artModel *m, artData *d);

// Forget earlier motion. loop_reset keeps the partition, loop_forget_partition drops the partition
// alone, loop_forget does both.
void loop_reset(struct loopWork *loop);
void loop_forget(struct loopWork *loop);
void loop_forget_partition(struct loopWork *loop);

// List the rows that the partition uses; all rows if redundant rows are solved for.
void loop_mark_kept(const artModel *m, struct loopWork *loop);

// List the rows of blocks that can be held.
void loop_mark_bridged(const artModel *m, struct loopWork *loop);

// Choose independent rows and coordinates at the present positions, which must satisfy the
// constraints. The result lies in memory of the reserve.
artStatus loop_partition(const artModel *m, artData *d, artError *error);

// Choose how coordinates are partitioned from the next assembly on; by hand if `independent` names
// joints or single coordinates.
artStatus loop_ask_for(const artModel *m, struct loopWork *loop, artPartition partition,
                       const char *independent, artError *error);

// Set what the semi-recursive method does with redundant rows.
void loop_set_redundant(const artModel *m, struct loopWork *loop, artRedundant redundant);

// loop_jacobian: J of the kept rows (NULL: all), whose positions are up to date. loop_rows:
// positions and J. loop_factor: factor all blocks; returns the least strength (singular_path.h).
artStatus loop_jacobian(const artModel *m, artData *d, const loopKept *kept, artError *error);
artStatus loop_rows(const artModel *m, artData *d, const loopKept *kept, artError *error);
double loop_factor(struct loopWork *loop);

// Solve for the dependent positions by Newton's method, to rounding error. Leaves J and its factors
// up to date.
artStatus loop_solve(const artModel *m, artData *d, artError *error);

// Solve for the dependent positions with the independent ones fixed. Leaves all position-level
// results up to date, including J and the factors of its blocks.
artStatus loop_place(const artModel *m, artData *d, artError *error);

// Dependent velocities by the B stored in the blocks.
void loop_move(artData *d);

// loop_place, then B, then loop_move.
artStatus loop_close(const artModel *m, artData *d, artError *error);

// At the end of a step, after loop_close: store the state from which bridges over singular
// positions are built. Returns a block that passed a singular position in this step, -1: none.
int loop_remember(artData *d);

// loop_is_strong: is this strength of the weakest block above a fifth of the best one at any choice
// so far? loop_is_sound: the same for the last factorisation.
int loop_is_strong(const struct loopWork *loop, double strength);
int loop_is_sound(const struct loopWork *loop);

// After loop_watch and loop_remember: a block so near a singular position that the run must stop,
// because the block has no bridge over it; -1: none.
int loop_stuck(const struct loopWork *loop);

// After loop_close: a block near a singular position that has no bridge; -1: none.
int loop_weak(const struct loopWork *loop);

// Between steps: repartition if the present partition has become weak.
artStatus loop_watch(const artModel *m, artData *d, artError *error);

//---- construction of bridges over singular positions (singular_path_build.c) ---------------------

// Moves the machine along one of its independent coordinates past the singular position, then
// restores its state.

// After a factorisation at the present positions: build a bridge for every block that is near a
// singular position and can be held. Returns whether a bridge was attempted: then positions are
// restored, but rows and blocks are not.
int bridge_build(const artModel *m, artData *d);

// Move the data to the positions where the coordinates were chosen, and compute what
// bridge_is_rounded needs.
artStatus bridge_look(const artModel *m, artData *d, artError *error);

// Search from there along the input of block k in both directions: do the lengths of the loop miss
// the first singular position by no more than rounding? *gap: by how much (m or rad). Restores the
// data.
int bridge_is_rounded(const artModel *m, artData *d, int k, double *gap);

//---- detection of steps across singular positions (singular_crossing.c) --------------------------

// A loop that depends on several coordinates or on a ball joint has no bridge (singular_path.h),
// and a step may jump over a singular position without coming near it.
// At the end of a step, after loop_close: a block without input whose determinant changed sign
// since the end of the last step; -1: none.
int leap_find(const struct loopWork *loop);

//---- persistent state of loops (state.c) ---------------------------------------------------------

// Positions and kind of the present partition, and couplings that are continued through singular
// positions. Restoring these numbers makes a run continue bit-identically.

// Number of values; independent of the partition.
size_t state_count(const artModel *m);

// `numbers` must be zero or the result of an earlier call.
void state_save(const artModel *m, const artData *d, double *numbers);

// Restore the partition; modifies d->q.
artStatus state_load(const artModel *m, artData *d, const double *numbers, artError *error);

// Copy from one data block to another of the same variant, including the settings of loops and the
// values of their rows. Allocates memory and modifies to->q, unless both chose their coordinates at
// the same positions in the same way.
artStatus state_copy(artData *to, const artData *from, artError *error);

#endif
