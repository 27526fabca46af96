// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Methods: each finds accelerations and multipliers at the present state, including applied forces.
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include <stdint.h>

#include "data/profile.h"
#include "data/rod_inertia.h"
#include "data/work.h"
#include "loop/rows.h"
#include "model/methods.h"

// Largest number of coordinates for methods with full matrices.
enum { METHOD_LARGEST_MATRIX = 4096 };

// The last conditioning check of a back end; saved with a run.
typedef struct backendWatched {
  int is_weak;
  uint64_t bands; // hash of couplings and pivots, coarsely quantised
} backendWatched;

typedef struct backendCounts {
  long generated, numeric; // evaluations by compiled code, and by the numeric method instead
  int codes;               // compiled so far
} backendCounts;

// A back end: compiled equations replace the numeric solution in a run.
typedef artStatus methodEvaluation(const artModel *m, artData *d, artError *error);
typedef struct methodBackend {
  // Accelerations and power by code alone, at time, q and v of the data, which need no update.
  // Writes driven and dependent coordinates; every other derived quantity of the data is out of
  // date afterwards. Falls back to the numeric method if the code does not apply; compiles code for
  // another partition, which allocates memory.
  methodEvaluation *rates;

  // The same at the end of a step, by code alone. Stores the result, so that the next call at this
  // state is free. Returns 0 and leaves the data alone if the code does not apply.
  int (*close)(const artModel *m, artData *d);

  // After `close`: have couplings or pivots in the code changed by more than about a tenth since
  // the last call? Then the caller should check them numerically.
  int (*is_strained)(artData *d);

  // With loops closed numerically: decide whether code may be used in the next step.
  void (*watch)(const artModel *m, artData *d);
  backendWatched (*watched)(const artData *d);
  void (*set_watched)(artData *d, backendWatched watched);
  backendCounts (*counts)(const artData *d);

  // State of the back end as numbers: everything on which the next evaluation depends. To resume a
  // run, `remake` compiles the same code again where it was made, then `load` restores the numbers.
  size_t (*numbers)(const artModel *m);
  void (*save)(const artModel *m, artData *d, double *numbers);
  artStatus (*remake)(const artModel *m, artData *d, const double *numbers, artError *error);
  void (*load)(const artModel *m, artData *d, double *numbers);

  // Pass the settings for compilation on to the data block of a variant of the model.
  artStatus (*hand_over)(const artWorkspace *from, artData *to, artError *error);
} methodBackend;

// A method is a file that defines one of these, and a line in model/methods.h.
typedef struct methodKind {
  // allocates the method's part of a data block, before the first evaluation; NULL: none
  methodEvaluation *start;
  methodEvaluation *solve;      // finds accelerations and multipliers in relative coordinates, or
  methodEvaluation *accelerate; // does everything that art_accelerate does
  int leaves_links;             // links have other accelerations afterwards than those found
  int rule;                     // natural coordinates: integration rule, a motionMethod
  const methodBackend *backend; // compiled equations that replace the solution; NULL: numeric
  const char *stage[PROFILE_STAGES]; // names of stages, if not the usual ones

  // Makes `to`, a data block of the same variant of the model, give the same results as `from`,
  // which may have no part yet. May modify the state of `to`. NULL: every evaluation depends on the
  // state alone.
  artStatus (*copy)(artData *to, const artData *from, artError *error);
  void (*free)(void *part); // NULL: all memory is in the arena of the data block
} methodKind;
#define METHOD_DECLARE(id, word, name, traits) extern const methodKind word##_kind;
MODEL_METHODS(METHOD_DECLARE)
const methodKind *method_kind(int way); // `way` as in model/methods.h
const char *method_stage_name(artMethod method, profileStage stage);

// The part of a data block that belongs to methods: settings of the study, and the work of each
// method, which is allocated before its first evaluation and known to that method only.
struct methodWork {
  artAlgebra algebra; // of the semi-recursive method
  double alpha, beta; // of Baumgarte stabilisation, 1/s
  void *part[MODEL_WAYS];
  // multipliers refer to inertia distributed over bodies and their counterparts (recursive_twins.c)
  int has_shares;
  int generated_threads;         // threads for compiled equations; 0: not requested
  struct rollWork *roll;         // of machines that roll; NULL until their first evaluation
  struct rigidWork *rigid;       // of rigid contacts, likewise
  struct touchWork *touch;       // and of their steps
  struct methodWorkers *workers; // threads or ranks that share evaluations; NULL: none
  baseArena arena;
  baseArena changing; // for the present partition
};

// Allocated at the first call; NULL when memory ran out.
struct methodWork *method_work(artData *d);

// Start the method if it has no part yet.
artStatus method_start(const artModel *m, artData *d, int way, artError *error);

static inline void *method_part(const artData *d, int way)
{
  ART_ASSERT(way >= 0 && way < MODEL_WAYS);
  return d->work->method ? d->work->method->part[way] : NULL;
}

// All methods write d->a and the multipliers of the constraint rows (zero for redundant rows) and
// evaluate the force elements. Call art_update before. They allocate memory at the first
// evaluation, but not in steps.

// Independent coordinates; first projects positions and velocities onto the constraints.
artStatus method_semirecursive(const artModel *m, artData *d, artError *error);

// Distribute the branches of a machine over threads in method recursive, from the next evaluation
// on, if a trial shows that this is faster (or always, with in_any_case). Results are
// bit-identical. The data owns the threads. Ranks exchange messages once per evaluation or once per
// phase: the faster of both, or as requested.
typedef enum workersTrips { TRIPS_QUICKER, TRIPS_BY_PHASE, TRIPS_ONE } workersTrips;
typedef struct workersOptions {
  int threads;
  int in_any_case;
  workersTrips trips; // of ranks
  double limit;       // s; a worker that takes longer counts as stalled
} workersOptions;
artStatus method_use_threads(artData *d, const workersOptions *options, artError *error);

// The same with MPI ranks. This process is rank 0; the others run method_serve until the workers
// are freed. options->threads is ignored.
artStatus method_use_ranks(artData *d, const workersOptions *options, artError *error);
artStatus method_serve(const artModel *m, artData *d, artError *error);

// Stop the threads, or release the other ranks. Returns 0 when a stalled one is still running: then
// the data must not be freed.
int method_free_workers(struct methodWork *own);

// Result of distributing the work.
typedef struct workersReport {
  int asked, used; // threads or ranks; 1: the caller only
  int by_ranks;
  int is_lost;  // one of them has stalled
  int branches; // branches of the machine, known after an evaluation; for compiled equations: tasks
  // s; an evaluation by one thread, and by the requested number; 0 if not tried
  double alone, shared;
  int messages;    // compiled equations: messages between tasks per evaluation
  double message;  // s; time per message
  int round_trips; // ranks: messages to all and back per evaluation
} workersReport;
workersReport method_workers_report(const artData *d);

// Allocate the full mass matrix from the arena of the methods' part. ART_UNSUPPORTED, suggesting
// the other method, if it would be too large.
artStatus method_take_matrix(const artModel *m, artData *d, artMethod method, artMethod other,
                             double **M, artError *error);

// Share evaluations of code compiled from now on among this many threads (at least 1), if a trial
// shows that this is faster; see method_generated_report. Results are bit-identical for any number.
artStatus method_generated_use_threads(artData *d, int threads, artError *error);
workersReport method_generated_report(const artData *d);

// Is the machine so near a singular position that methods which do not close the loops must fall
// back to the semi-recursive one? method_may_be_singular: could it be? If so, method_is_singular
// decides by factoring J of the rows of blocks that can be held. It changes coordinates within the
// present constraint violation, and moves links without updating their positions in ground axes.
int method_may_be_singular(const struct loopWork *loop);
int method_is_singular(const artModel *m, artData *d);

//---- what rolls without slip (roll_forces.c) ------------------------------------------------------

// `solve` of a method with the forces of what rolls, by which  d(A v)/dt = 0.
artStatus method_roll(const artModel *m, artData *d, const methodKind *kind, artError *error);

// After the loops are closed: the nearest velocities with A v = 0, by kinetic energy.
artStatus method_roll_velocities(const artModel *m, artData *d, artError *error);

// At closed positions: choose which of the independent coordinates have velocities that follow from A v = 0;
// *nspeed others are independent. method_roll_follows: is that of coordinate k one that follows?
// method_roll_follow: close the loops, and find them from the others.
artStatus method_roll_choose(const artModel *m, artData *d, int *nspeed, artError *error);
int method_roll_follows(const artData *d, int k);
artStatus method_roll_follow(const artModel *m, artData *d, artError *error);

//---- rigid contacts (rigid_forces.c) --------------------------------------------------------------

// `solve` of a method with the forces of rigid contacts: of those that slide or hold as their modes say, of those that ask as the
// complementarity of gaps and forces does.
artStatus method_rigid(const artModel *m, artData *d, const methodKind *kind, artError *error);

// After the loops are closed: closed gaps are closed to rounding, and velocities of contacts that touch are as their modes
// say.
artStatus method_rigid_positions(const artModel *m, artData *d, artError *error);
artStatus method_rigid_velocities(const artModel *m, artData *d, artError *error);

// Contacts that touch or ask: an impact of those that come nearer, with the part bounce[i] of their restitution; *gain is
// what that adds to the kinetic energy, drives left out. The velocities of the data change.
artStatus method_rigid_impact(const artModel *m, artData *d, const double *bounce, double *gain,
                              artError *error);

// Which of those that touch or ask are apart, slide or hold from now on, by the way `way`.
artStatus method_rigid_decide(const artModel *m, artData *d, int way, artError *error);

// Positions of the data go on with velocities x[nv] for a time; rates[nq + nv] is scratch.
void method_move_positions(const artModel *m, artData *d, const double *x, double time,
                           double *rates);

//---- steps of rigid contacts (touch_step.c) -------------------------------------------------------

typedef struct touchStep {
  double h;                    // s
  const double *free;          // [nv] velocities at the end of the step without contacts
  int n;                       // contacts in reach
  long meets;                  // of these begin
  double work;                 // of contacts on what they move, J,
  double shared;               // and what other forces do on that
  double left;                 // what sweeps have left of a velocity, relative to the largest one
  double overlap;              // the largest at the end, m,
  const modelElement *deepest; // its contact, and reach
  double reach;
} touchStep;

// The positions and velocities of the data are those at the start of a step of length h, moved on by half of it. Velocities become
// those at its end, and forces of contacts their mean.
artStatus method_touch_step(const artModel *m, artData *d, touchStep *step, artError *error);

// At the end of that step: surfaces that overlap are moved apart. Returns whether some did.
int method_touch_lift(const artModel *m, artData *d, touchStep *step);

// Subtract 2 alpha J v + beta^2 phi from gamma of these rows (NULL: all) and of relations. Returns
// the largest of these terms.
//                                             reads rows' phi, wrenches, J of relations; v
double method_stabilise(const artModel *m, artData *d, const loopKept *kept);

// art_accelerate without argument checks, for methods and back ends.
artStatus method_accelerate(const artModel *m, artData *d, int way, artError *error);

// Find link motion at d->a, joint wrenches and drive forces, unless they are up to date.
void method_need_forces(const artModel *m, artData *d);

// Allocate memory for rods with mass on the open tree; part of order-n.
artStatus method_start_rods(const artModel *m, artData *d, artError *error);

// After tree_aba of the open tree: add the effect of rods with mass to the accelerations a.
// Overwrites the link motion.
artStatus method_free_rods(const artModel *m, artData *d, double *a, artError *error);

// method_singular_link: after tree_aba, the outermost link in [first, end) whose coordinates move
// no inertia, or 0; it makes the accelerations of the links between it and ground NaN as well.
// method_check_motion: the same for all links, as ART_SINGULAR with the name of the joint.
int method_singular_link(const artModel *m, const artData *d, const double *a, int first, int end);
artStatus method_check_motion(const artModel *m, const artData *d, const double *a,
                              artError *error);
artStatus method_report_singular(const artModel *m, const artData *d, int velocity,
                                 artError *error);

// Multipliers of constraint rows, joint and drive forces for known accelerations, from J^T lambda =
// M a + h - tau, so that art_outputs and art_reaction can report them.
artStatus method_balance(const artModel *m, artData *d, artError *error);

// The same for multipliers of the recursive method with inertia distributed over bodies and their
// counterparts; the forces are already applied.
void method_unshare(const artModel *m, artData *d);

#endif
