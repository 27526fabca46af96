// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops at work: which rows count, which coordinates depend on which, and how positions and
// velocities are brought back to closed loops.
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

// Taken once: a run that chooses other independent coordinates on its way, however often, asks the allocator for nothing.
typedef struct loopReserve {
  memStack *scratch; // of a search
  memStack *kept[2]; // partitions by turns: the present one, and one that may become better
  int turn;          // the present one
} loopReserve;

// No more than this is taken for one stack, 64 MiB; what coupled loops with more than about 400 rows need beyond it
// comes from the allocator.
#define LOOP_MOST_RESERVED ((size_t) 1 << 26)

// For a Jacobian with the pattern of J on a machine with nq positions; 0 when memory ran out, and the rest is freed by
// reserve_free.
int reserve_start(loopReserve *reserve, const loopMatrix *J, int nq, baseArena *arena);
void reserve_free(loopReserve *reserve);

// Bytes of all of it.
size_t reserve_bytes(const loopReserve *reserve);

// Loops that are taken as they are close by  phi'' + 2 alpha phi' + beta^2 phi = 0.  The default is critically
// damped, within a tenth of a second; slow against the machine, quick against the drift of an integrator.
#define LOOP_BAUMGARTE_ALPHA 10.0 // 1/s
#define LOOP_BAUMGARTE_BETA  10.0 // 1/s

// Rows and coordinates that take part in the construction of a bridge (singular_path_build.c); all others stand still.
typedef struct loopPath {
  int nlink, *link;         // [tree.n] links, ascending
  int ncut, *cut;           // [ncut] cuts of its rows
  int nrelation, *relation; // [nrelation]
  char *is_link;            // [tree.n] marks of the above
  char *is_tie;             // [ncut + nrelation]
  int *tie;                 // [nrow] the cut of a row, or ncut + its relation
} loopPath;

struct loopWork {
  loopRows rows;
  bool *pattern;  // entries of J that are ever used
  bool *driven;   // [nv]
  char *keep;     // [nrow] rows that the partition uses
  loopKept *kept; // [ncut] rows of cuts in use, or all of them where redundant rows are solved with
  loopKept *others;   // [ncut] all other rows of cuts
  char *keep_bridged; // [nrow] rows of blocks that can be held (singular_path.h)
  loopKept *bridged;  // [ncut] of cuts
  double *step;       // [nv] of Newton's method
  double *row_size;   // [nrow] largest entries of J, here and nearby

  double *q_chosen;  // [nq] where the coordinates were partitioned; the partition follows from them
  double *q_spare;   // [nq] for a second choice
  loopChoice choice; // how they were
  loopChoice asked;  // how the first ones are to be
  int hand_count;    // by hand:
  int *hand;         // [nv] velocity coordinates
  artPlace hand_place;
  const char **name;  // [nv] of coordinates, for messages
  const char *prefer; // [nv] of LOOP_NUMERIC, see partition.h; NULL: all are alike
  char *order;        // [nv] room for it
  double
      tried; // largest strength since another choice was last tried; 0: none was since it became weak
  int is_ready;   // rank, partition and blocks belong to the model's loops
  int is_closed;  // loop_close has ended in a state where it would not change a bit if called again
  int has_stayed; // said by who knows that nothing has moved since: the next call does nothing
  loopRank rank;
  loopPartition partition;
  loopBlocks *blocks;
  double *J_chosen;   // entries of J where the coordinates were partitioned
  char *order_chosen; // [nv] prefer there; NULL: all were alike
  long serial;        // of this partition: no two of them have the same
  long partitions;    // since the start
  singularPath hold;  // of blocks at singular positions
  loopPath path;
  double
      pivot_start; // least strength of a block (singular_path.h) of all partitions so far, at their choice
  double pivot;       // at the last factorisation
  double steep_limit; // of |B|, beyond which other coordinates are tried
  long repartitions;  // since the start

  double *right; // [nv]
  loopPlaces places;

  loopReserve reserve;    // memory of partitions
  artRedundant redundant; // treatment of redundant rows by the semi-recursive method

  baseArena memory;
};

// Take the memory; 0 when there is none.
int loop_start(struct loopWork **out, const artModel *m);
void loop_free(struct loopWork *loop);

// All that a data block holds besides the state, for a variant of its model; NULL when memory ran out.
artWorkspace *loop_create_work(const artModel *model, const artModel *variant);

// A data block that was copied from one in a variant of its model goes back to that model, latches as at the start;
// any other stays as it is. Returns the variant that the data is in then.
const artModel *loop_leave_copy(artData *d);

// Largest |phi| at the present positions.
artStatus loop_gap(const artModel *m, artData *d, double *gap, artError *error);

// The same after loop_close, which knows all but the rows that the partition leaves out.
double loop_gap_left(const artModel *m, artData *d);

// Forget earlier motion: the next partition is the first. The same with the partition that there is; this one alone.
void loop_reset(struct loopWork *loop);
void loop_forget(struct loopWork *loop);
void loop_forget_partition(struct loopWork *loop);

// List the rows that the partition uses, or all where redundant rows are solved with.
void loop_mark_kept(const artModel *m, struct loopWork *loop);

// List the rows of blocks that can be held.
void loop_mark_bridged(const artModel *m, struct loopWork *loop);

// Choose rows and coordinates at the present positions, which must close the loops, in memory of the reserve.
artStatus loop_partition(const artModel *m, artData *d, artError *error);

// Say how coordinates are partitioned from the next assembly on: by hand where a study names coordinates, of joints or one
// by one.
artStatus loop_ask_for(const artModel *m, struct loopWork *loop, artPartition partition,
                       const char *independent, artError *error);

// Say what the semi-recursive method does with rows that follow from others.
void loop_set_redundant(const artModel *m, struct loopWork *loop, artRedundant redundant);

// J of the rows kept, or of all (NULL), whose positions are known; positions and J; all blocks factored, which
// returns the least strength (singular_path.h).
artStatus loop_jacobian(const artModel *m, artData *d, const loopKept *kept, artError *error);
artStatus loop_rows(const artModel *m, artData *d, const loopKept *kept, artError *error);
double loop_factor(struct loopWork *loop);

// Dependent positions by Newton's method alone, as well closed as rounding allows, with J and its factors.
artStatus loop_solve(const artModel *m, artData *d, artError *error);

// Solve for the dependent positions, independent ones held. Leaves everything about positions up to
// date, J and the factors of its blocks included.
artStatus loop_place(const artModel *m, artData *d, artError *error);

// Dependent velocities by the B that stands in the blocks.
void loop_move(artData *d);

// Both, with B found in between by the blocks.
artStatus loop_close(const artModel *m, artData *d, artError *error);

// At the end of a step, after loop_close: remember from where singular positions are passed. Returns a
// block that has passed one in this step, -1: none has.
int loop_remember(artData *d);

// Is the partition as good as when it was chosen, or nearly so, at the last factorisation? The first by the least
// strength of its blocks.
int loop_is_strong(const struct loopWork *loop, double strength);
int loop_is_sound(const struct loopWork *loop);

// After loop_watch and loop_remember: a block so near to a singular position that it cannot go on, for there is
// no bridge over it; -1: none.
int loop_stuck(const struct loopWork *loop);

// After loop_close: a block near a singular position that has no bridge; -1: none.
int loop_weak(const struct loopWork *loop);

// Between steps: partition anew when the present choice has become weak.
artStatus loop_watch(const artModel *m, artData *d, artError *error);

//---- construction of bridges over singular positions (singular_path_build.c) ---------------------

// The machine is moved along one of its independent coordinates, past the singular position, and brought back.

// After a factorisation at the present positions: build a bridge for every block that is near a singular
// position and can be held. Returns whether anything was tried: positions are as before then, rows and
// blocks are not.
int bridge_build(const artModel *m, artData *d);

// Bring the data to where the coordinates were chosen, with all that bridge_is_rounded needs there.
artStatus bridge_look(const artModel *m, artData *d, artError *error);

// From there along the input of block k, on either side: do the lengths of its loop miss the first singular
// position, by no more than rounding, and by how much (m or rad)? The data comes back.
int bridge_is_rounded(const artModel *m, artData *d, int k, double *gap);

//---- steps across singular positions (singular_crossing.c) ---------------------------------------

// A loop that depends on several coordinates or on a ball joint has no bridge (singular_path.h), and a step may lead from
// one side to the other without coming near.
// At the end of a step, after loop_close: a block without input that is on the other side of a singular
// position than it was at the end of the last step; -1: none.
int leap_find(const struct loopWork *loop);

//---- numbers that loops keep from step to step (state.c) -----------------------------------------

// Where and how the independent coordinates were chosen, and couplings that are continued at singular positions. With the
// same numbers motion goes on to the same bits.

// How many numbers, whatever the partition.
size_t state_count(const artModel *m);

// The numbers are zeros before, or the numbers of an earlier call.
void state_save(const artModel *m, const artData *d, double *numbers);

// Partition as it was; moves d->q.
artStatus state_load(const artModel *m, artData *d, const double *numbers, artError *error);

// The same from one data block to another of the same variant, with the settings of loops and the values of their rows.
// Takes memory and moves to->q unless both chose their coordinates at the same positions in the same way.
artStatus state_copy(artData *to, const artData *from, artError *error);

#endif
