// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Methods: each finds accelerations and multipliers at the present state, forces included.
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include <stdint.h>

#include "data/profile.h"
#include "data/rod_inertia.h"
#include "data/work.h"
#include "loop/rows.h"
#include "model/methods.h"

// Methods with full matrices are not offered beyond this many coordinates.
enum { METHOD_LARGEST_MATRIX = 4096 };

// The last judgement of a back end on its code, kept with a run that is saved; and the number of its evaluations.
typedef struct backendWatched {
  int is_weak;
  uint64_t bands; // couplings and pivots, roughly, as a hash
} backendWatched;

typedef struct backendCounts {
  long generated, numeric; // evaluations by code, and by the numeric method in its place
  int codes;               // made so far
} backendCounts;

// A back end: compiled equations take the place of the numeric solution in a run.
typedef artStatus methodEvaluation(const artModel *m, artData *d, artError *error);
typedef struct methodBackend {
  // At time, q and v of the data, which need no update: accelerations and power by code alone; driven and dependent
  // coordinates are written. Nothing else that the data can be asked is up to date then. Where code does not apply,
  // the numeric method does the same; code for another partition is made here, which takes memory.
  methodEvaluation *rates;

  // At the end of a step: the same by code alone; the result is kept, so that the next call at this state costs
  // nothing. 0 where code does not apply, and the data is as it was.
  int (*close)(const artModel *m, artData *d);

  // After that: have couplings or pivots of code changed by more than a tenth or so since this was asked last? Then
  // it is time to look at them by numbers.
  int (*is_strained)(artData *d);

  // With loops closed by numbers: may code be used in the next step?
  void (*watch)(const artModel *m, artData *d);
  backendWatched (*watched)(const artData *d);
  void (*set_watched)(artData *d, backendWatched watched);
  backendCounts (*counts)(const artData *d);

  // All that the next evaluation by code depends on, as numbers. Before a run goes on from them code is made again,
  // where it was made, and then the numbers are loaded.
  size_t (*numbers)(const artModel *m);
  void (*save)(const artModel *m, artData *d, double *numbers);
  artStatus (*remake)(const artModel *m, artData *d, const double *numbers, artError *error);
  void (*load)(const artModel *m, artData *d, double *numbers);

  // Tell the data block of a variant of the model how code is to be made.
  artStatus (*hand_over)(const artWorkspace *from, artData *to, artError *error);
} methodBackend;

// A method: a file that defines one of these, and a line of model/methods.h.
typedef struct methodKind {
  methodEvaluation
      *start; // takes the method's part of a data block, before the first evaluation; NULL: none
  methodEvaluation *solve;      // accelerations and multipliers in relative coordinates; or
  methodEvaluation *accelerate; // all that art_accelerate does
  int leaves_links;             // at other accelerations than those found
  int rule;                     // natural coordinates: of integration, a motionMethod
  const methodBackend *backend; // compiled equations in the place of the solution; NULL: numbers
  const char *stage[PROFILE_STAGES]; // in words, where they are not as usual

  // Brings the part of `to`, a data block of the same variant of a model, to give the same results as that of `from`,
  // where it may be missing; may move the state of `to`. NULL: every evaluation depends on the state alone.
  artStatus (*copy)(artData *to, const artData *from, artError *error);
  void (*free)(void *part); // NULL: the arena of the block holds all of it
} methodKind;
#define METHOD_DECLARE(id, word, name, traits) extern const methodKind word##_kind;
MODEL_METHODS(METHOD_DECLARE)
const methodKind *method_kind(int way); // of model/methods.h
const char *method_stage_name(artMethod method, profileStage stage);

// The part of a data block that methods keep: settings of the study, and the work of each method, which makes it before
// its first evaluation and alone knows its contents.
struct methodWork {
  artAlgebra algebra; // of the semi-recursive method
  double alpha, beta; // of Baumgarte, 1/s
  void *part[MODEL_WAYS];
  int has_shares; // multipliers refer to inertia that bodies share with twins (recursive_twins.c)
  int generated_threads;         // that share evaluations by compiled equations; 0: nobody asks
  struct methodWorkers *workers; // threads or ranks that share evaluations; NULL: none
  baseArena arena;
  baseArena changing; // of what belongs to the present partition
};

// Takes memory at the first call; NULL when there is none.
struct methodWork *method_work(artData *d);

// Start the method unless its part is there.
artStatus method_start(const artModel *m, artData *d, int way, artError *error);

static inline void *method_part(const artData *d, int way)
{
  ART_ASSERT(way >= 0 && way < MODEL_WAYS);
  return d->work->method ? d->work->method->part[way] : NULL;
}

// All write d->a and the multipliers of the loops' rows (multipliers of redundant rows are
// zero); force elements are evaluated on the way. art_update must have been called. Memory that they keep
// between evaluations is taken at the first one, by steps nothing.

// Independent coordinates; positions and velocities are brought back to closed loops first.
artStatus method_semirecursive(const artModel *m, artData *d, artError *error);

// Let threads share the branches of a machine in method recursive, from the next evaluation on, if trying
// both ways there shows that this is quicker; or in any case. Results are the same to the last bit. The
// data owns the threads. Ranks exchange messages once for an evaluation or once for each phase: the quicker, or as asked.
typedef enum workersTrips { TRIPS_QUICKER, TRIPS_BY_PHASE, TRIPS_ONE } workersTrips;
typedef struct workersOptions {
  int threads;
  int in_any_case;
  workersTrips trips; // of ranks
  double limit;       // s; a worker that takes longer than this has stalled
} workersOptions;
artStatus method_use_threads(artData *d, const workersOptions *options, artError *error);

// The same with ranks of MPI, of which this is rank 0; the others are in method_serve until the workers is
// freed. options->threads does not count.
artStatus method_use_ranks(artData *d, const workersOptions *options, artError *error);
artStatus method_serve(const artModel *m, artData *d, artError *error);

// End the threads, or send the other ranks home. 0 when one of them has stalled and is still at work: the data must stay then.
int method_free_workers(struct methodWork *own);

// The outcome of sharing.
typedef struct workersReport {
  int asked, used; // threads or ranks; 1: the caller alone
  int by_ranks;
  int is_lost;  // one of them has stalled
  int branches; // of the machine, once there was an evaluation; of generated equations tasks
  double alone, shared; // s; an evaluation by one thread and by those asked for, 0 if not tried
  int messages;         // of generated equations: from task to task in an evaluation
  double message;       // s; and what one takes
  int round_trips;      // of ranks: messages to all and back, in an evaluation
} workersReport;
workersReport method_workers_report(const artData *d);

// Room for the full mass matrix out of the arena of the methods' part; ART_UNSUPPORTED with the advice to use the other
// method where it would be too large.
artStatus method_take_matrix(const artModel *m, artData *d, artMethod method, artMethod other,
                             double **M, artError *error);

// Let so many threads, from 1 on, share evaluations by code that is made from now on, if trying both ways shows that
// this is quicker; method_workers_report says what came of it. Results are the same to the last bit for any number.
artStatus method_generated_use_threads(artData *d, int threads, artError *error);
workersReport method_generated_report(const artData *d);

// Is the machine so near a singular position that methods which take loops as they are must lean on the semi-recursive
// one? It may be where the first says so: then the second looks, by J of the rows of blocks that can be held, which it
// factors. It moves coordinates within what loops are open by, and links without putting them back in ground.
int method_may_be_singular(const struct loopWork *loop);
int method_is_singular(const artModel *m, artData *d);

// Take 2 alpha J v + beta^2 phi off gamma of these rows (NULL: all) and of relations; returns the
// largest of these terms.
//                                             reads rows' phi, wrenches, J of relations; v
double method_stabilise(const artModel *m, artData *d, const loopKept *kept);

// art_accelerate inside the library, where arguments need no check, for methods and back ends.
artStatus method_accelerate(const artModel *m, artData *d, int way, artError *error);

// Motion of the links at d->a, wrenches in all joints and forces of drives, unless they are known.
void method_need_forces(const artModel *m, artData *d);

// Room for rods with mass on the bare tree: the part of order-n.
artStatus method_start_rods(const artModel *m, artData *d, artError *error);

// After tree_aba of the bare tree: the share of rods with mass in the accelerations a. The motion of links is lost.
artStatus method_free_rods(const artModel *m, artData *d, double *a, artError *error);

// After tree_aba: the outermost link from first to before end whose coordinates have nothing to
// accelerate, or 0; what lies before it on the way to ground has no numbers either, by its fault. The
// same for all links, as ART_SINGULAR with the joint's name.
int method_singular_link(const artModel *m, const artData *d, const double *a, int first, int end);
artStatus method_check_motion(const artModel *m, const artData *d, const double *a,
                              artError *error);
artStatus method_report_singular(const artModel *m, const artData *d, int velocity,
                                 artError *error);

// Multipliers of the loops' rows, bearing and drive forces for accelerations that are known: what
// J^T lambda = M a + h - tau  asks for, so that art_outputs and art_reaction can answer.
artStatus method_balance(const artModel *m, artData *d, artError *error);

// The same for multipliers that the recursive method has found with inertia shared between bodies and their
// twins; the forces are applied already.
void method_unshare(const artModel *m, artData *d);

#endif
