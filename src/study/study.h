// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The studies share the list of free coordinates and the balance of joint forces.
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "articula/study.h"
#include "base/arena.h"
#include "base/error.h"
#include "force/force.h"

// The error of results that steps may leave, as a part of them: as much as the energy balance may be open.
#define STUDY_RESULT_LIMIT 1e-3

// The velocity coordinates that no drive prescribes, in ascending order; returns their number.
// list may be NULL.
int study_free_velocities(const artModel *m, int *list);

// The same of positions.
int study_free_positions(const artModel *m, int *list);

// Is velocity coordinate k a rotation (rad), or else a displacement (m)?
int study_is_angular(const artModel *m, int k);

// The length of a machine, m: the farthest that joints and cuts lie from the frames they hang on.
double study_length(const artModel *m);

// The weight of a machine, N; finite as long as it can be, for squares of its components may not be.
double study_weight(const artModel *m);

// The length of a vector.
double study_norm(int n, const double *x);

// The largest difference of accelerations a[nv] from the exact ones, relative to the largest of these or to 1; their numbers are so far
// apart.
double study_acceleration_error(int nv, const double *exact, long apart, const double *a,
                                long a_apart);

// The largest displacement of a coordinate between two sets of positions, m or rad.
double study_distance(const artModel *m, const double *a, const double *b);

// Look through the motion of an inverse study, its formulas and the drives, as force_look_at_drives does.
artStatus study_look_at_motion(const artModel *m, artData *d, const artInverseDef *def, double from,
                               double until, forceCornerFound *found, void *context,
                               artError *error);

// The joint forces g[nv] that are missing for the accelerations a (NULL: zero) at the updated state:
//   g = M a + h - tau, with tau all that the elements do
artStatus study_missing_forces(const artModel *m, artData *d, const double *a, double *g,
                               artError *error);

// The same with the forces on bodies as they are in the data.
void study_balance(const artModel *m, artData *d, const double *a, double *g);

// art_linearise inside the library, for methods and back ends (a way of model/methods.h). Heights of the road under tyres may be
// inputs, too: columns of rates and outputs by the heights and by their rates, of the caller's arena.
typedef struct studyLifts {
  int n;
  const int *tyre;     // [n] elements
  double *B[2], *D[2]; // [n order], [n noutput]
  baseArena *arena;    // which leaves
} studyLifts;
artStatus study_linearise(const artModel *m, artData *d, int way, artLinear **out,
                          studyLifts *lifts, artError *error);

//---- closed loops --------------------------------------------------------------------------------
//
// Studies of machines with closed loops move the independent coordinates and let the others follow:
//   v = R v_f,  R = [B; 1]
// Without loops all of this is trivial, and R the identity on what is not driven.

// The independent coordinates that no drive prescribes, ascending, and their number; after
// study_assemble or loop_watch. list may be NULL.
int study_independent(const artModel *m, const artData *d, int *list);

// Everything at rest at the positions in the data, also what is driven, with loops closed; modes are chosen
// there unless they are frozen.
artStatus study_rest(const artModel *m, artData *d, artError *error);

// After art_update: solve for the dependent positions and velocities, and choose modes there unless
// they are frozen.
artStatus study_close(const artModel *m, artData *d, artError *error);

// The same with missing forces g[nv]: g_f + B^T g_v at the independent coordinates, and the
// multipliers that balance the dependent ones,  J_v^T lambda = g_v.  After study_close.
void study_reduce(const artModel *m, artData *d, double *g);

// Forces tau[nv] that make up for the missing forces g[nv]: the study's actuators and drives exert them,
// the least ones where they are not unique; without actuators the independent coordinates do.
// ART_SINGULAR when the actuators cannot do it; tau is then the rest. Leaves the multipliers
// that go with them (actuate.c). After study_close.
artStatus study_actuate(const artModel *m, artData *d, const modelStudy *study, const double *g,
                        double *tau, artError *error);

// R[nv n] by rows, for the list of n independent coordinates; after study_close.
void study_transformation(const artModel *m, const artData *d, int n, const int *list, double *R);

//---- eigenvalues and modes (eigenmodes.c) --------------------------------------------------------

// From A, M, C, K and R: eigenvalues, frequencies, damping, modes, shapes, shares. Eigenvalues that rounding
// alone keeps from zero become zero. weight is an acceleration that turns masses into the forces of
// which the matrices are differences; mass is the matrix of all nv coordinates. In a work (base/error.h), whose arena leaves.
void mode_find(artLinear *lin, double weight, int nv, const double *mass, baseArena *arena);

//---- memory of a machine -------------------------------------------------------------------------
//
// All besides its motion: states whose rates are formulas, and values of samplers. In a steady state rates are zero, and samplers
// would hold the same values again.

int memory_count(const artModel *m);
const char *memory_name(const artModel *m, int k);
artPlace memory_place(const artModel *m, int k);

// value[memory_count]: from the data, and into it
void memory_get(const artModel *m, const artData *d, double *value);
void memory_put(const artModel *m, artData *d, const double *value);

// Do the changes below need accelerations?
int memory_reads_accelerations(const artModel *m);

// change[memory_count]: rates of states, and by how much samplers would change what they hold if all were due now; NAN where
// there is no finite one. Forces, and accelerations where they are read, are known.
void memory_changes(const artModel *m, artData *d, double *change);

//---- tables --------------------------------------------------------------------------------------

// A table of zeros; names and units are added one by one, in the manner of printf. Works (base/error.h) that make one are left
// where memory runs out.
void result_create(artTable **out, int columns, long rows);
void result_add_column(artTable *table, const char *unit, const char *format, ...) ART_PRINTF(3, 4);

#endif
