// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motion of a system in natural coordinates by augmented Lagrangian methods: index 1, index 3, the
// variable step between them, and the one that conserves energy.
#ifndef NATURAL_MOTION_H
#define NATURAL_MOTION_H

#include "natural/system.h"

typedef enum motionMethod {
  MOTION_INDEX1,     // accelerations by augmented Lagrangian, trapezoidal rule, projections
  MOTION_INDEX3,     // positions by Newton with the multiplier iteration, projections
  MOTION_MULTI,      // variable step by the energy invariant, between the two
  MOTION_CONSERVING, // energy and momentum kept by discrete gradients
} motionMethod;

typedef enum motionProjection {
  PROJECTION_DEFAULT, // full; none for the conserving method
  PROJECTION_NONE,
  PROJECTION_FULL,    // with M + alpha J^T J, factored for the purpose
  PROJECTION_TANGENT, // with the tangent of the last iteration
} motionProjection;

typedef struct motionOptions {
  motionMethod method;
  double step;    // s; first one of a variable step
  double longest; // s, of a variable step
  double penalty; // alpha, kg (rows of Phi are of length m); 0: automatic, 1e7 typical masses, and
                  // more of them in the tangent of a short step
  motionProjection projection;
  double damping,
      stiffness; // index 1: 1/s, 1/s^2; of Baumgarte's terms  phi'' + damping phi' + stiffness phi = 0
  double radius;    // index 3: spectral radius at high frequency of the generalised-alpha family,
                    // 1: trapezoidal rule
  double hht;       // index 3: alpha of Hilber, Hughes and Taylor, -1/3 .. 0; used when not 0
  double tolerance; // of positions in an iteration, relative to the machine's size
  int iterations;   // most per step
  int is_whole;     // steps are neither divided nor tried again
  int passes;       // index 1: fixed-point passes per step, 0: until the tolerance is met
  double upper;     // multi-index: accepted error of the energy per step, and the one below
  double lower;     // which the step grows, both relative to `energy`
  double local;     // multi-index: accepted error of the trapezoidal rule per second, in units of
                    // the coordinates; 0: any
  double states;    // the same of states of forces, relative to their size
  double safety, growth, shrink; // multi-index: of the rule for the next step, which is
                                 // (safety / error)^(1/2) as long, between these times the last
  double shortest;               // s, of a variable step; 0: 1e-4 of the longest
  double leave_3, leave_1;       // s: index 3 is left below the first, index 1 above the second
  int reductions;                // of a step in a row, after which index 3 is left
  double energy;                 // J; 0: the largest of kinetic energy and weight times size so far
  numPositiveKind algebra;
} motionOptions;

motionOptions motion_default_options(void);

typedef struct motionCounts {
  long steps, rejected, iterations, factorisations, switches; // switches of index
  long events;                                                // changes of modes
  long impacts;                                               // by drives whose rates jump
  long sweeps;                                                // of index 1
  long
      unseen; // steps within which something acted that they did not see, and that were taken all the same
  long unproved; // steps in which a switching function could not be followed
  long
      rescaled; // conserving: velocities that were scaled to the energy of those off the constraints
  double shortest, longest;
  double time_index1, time_index3; // s of motion spent in each
} motionCounts;

typedef struct motionResidual {
  double position, velocity, acceleration; // largest |Phi|, |Phi'|, |Phi''|
  double
      energy; // of the penalty system, alpha/2 Phi'^T Phi' (Cardenal, Cuadrado and Bayo 1997, eq. 10)
} motionResidual;

typedef struct naturalMotion {
  const naturalSystem *s;
  naturalForces forces;
  motionOptions options;
  double alpha;

  // NULL, or asked before every step of motion_advance: 1 makes it return ART_STOPPED
  int (*pause)(void *pauser);
  void *pauser;

  // at the end of the last step
  double t, h;       // s; length of the last step, 0 at the start
  double *q, *v, *a; // [n]
  double *pseudo;    // [n] index 3: accelerations that the generalised-alpha family integrates;
                     // conserving: velocities on the constraints less v
  double *lambda;    // [nrow]
  double *carried;   // [nrow] index 3: multipliers with which the next step begins; conserving:
                     // multipliers of pseudo
  double *s_state, *s_rate; // [states of the forces]
  double *s_before;         // [same] rates where the last step began,
  double h_before;          // s, of its length; 0: they say nothing of the present modes
  double *s_size; // [same] the largest so far of |state| and of its way in the longest step
  double *memory, *peeked; // [nmemory of the forces] here, and at the state last peeked at
  int index;               // of the next step: 1 or 3
  double next;             // s, length of the next step
  double energy;           // kinetic + potential
  double work;             // of forces without potential and of drives since the start
  double power;            // their power
  double energy_0;         // at the start
  double energy_error;     // largest |energy - energy_0 - work| at the end of a step
  double largest_work;     // largest |work| at the end of a step
  double work_gap;         // conserving: work by the power at both ends of steps, less `work`
  double
      recomputed_error; // conserving: energy_error with that work and velocities on the constraints
  motionCounts counts;
  motionResidual residual;         // at the end of the last step
  motionResidual largest_residual; // so far
  motionResidual peeked_residual;  // at the state last peeked at or taken
  double *peeked_off;          // [n] conserving: velocities on the constraints less v there; else 0
  motionResidual largest_open; // of positions and velocities before projections, so far
  double top_rate;             // largest |v| of a coordinate so far
  struct motionWork *work_space;
  baseArena arena;
} naturalMotion;

// Begin at positions q and velocities v that satisfy the constraints. System and forces must outlive it.
artStatus motion_create(naturalMotion **out, const naturalSystem *s, const naturalForces *forces,
                        const motionOptions *options, double t, const double *q, const double *v,
                        artError *error);
void motion_free(naturalMotion *m);

// Whole steps until the next one would pass t. Allocates nothing. On failure the state is that of the
// last good step, and error names the time, the iteration, the largest residual and whose it is.
artStatus motion_advance(naturalMotion *m, double t, artError *error);

// From here on no step goes beyond t, not before m->t; motion_advance(t) then lands on it, equal to the last bit. The way there
// is divided in equal steps, as few as are no longer than the usual one; a variable step ends there and goes on with its length.
// INFINITY: no stop. Ways below 1e-10 of a step take no time.
void motion_stop(naturalMotion *m, double t);

// A state as motion_peek gives it at t, not before m->t, with the memory of the forces there.
typedef struct motionPlace {
  double t;
  const double *q, *v, *a, *lambda, *states, *memory;
  double work;
} motionPlace;

// Forces have changed at `place`, where m is or which it has peeked at last: the next step begins there with the
// accelerations of the new forces. Energy that they have changed counts as work.
artStatus motion_restart(naturalMotion *m, const motionPlace *place, artError *error);

// Where forces, or after an event velocities, are others: switching functions that are zero, and stay so, are put on their
// borders, and accelerations are found anew.
artStatus motion_settle(naturalMotion *m, int is_event, artError *error);

// The state at t, not before m->t, within the step to come: a shorter step from m->t whose result is
// written to q, v, a, lambda and the states s of the forces while m stays as it is. *work is what the
// forces have done by then. ART_STOPPED: m is where its forces say that the system ends, before t.
artStatus motion_peek(naturalMotion *m, double t, double *q, double *v, double *a, double *lambda,
                      double *s, double *work, artError *error);

// Everything that determines what follows, as doubles.
size_t motion_state_count(const naturalMotion *m);
void motion_save(const naturalMotion *m, double *state);
void motion_load(naturalMotion *m, const double *state);

//---- the pieces ----------------------------------------------------------------------------------

// Accelerations and multipliers at a state (index 1): residual of the equations below `tolerance`.
artStatus motion_accelerations(naturalMotion *m, double t, const double *q, const double *v,
                               double *a, double *lambda, artError *error);

// Nearest velocities, in the norm of M, that satisfy the constraints at t.
artStatus motion_project_velocities(naturalMotion *m, double t, const double *q, double *v,
                                    artError *error);

#endif
