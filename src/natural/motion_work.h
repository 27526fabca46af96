// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of the augmented Lagrangian methods: the step being tried and the solution of its equations.
#ifndef NATURAL_MOTION_WORK_H
#define NATURAL_MOTION_WORK_H

#include <math.h>

#include "natural/motion.h"
#include "step/event_search.h"

// most products in the solution of one linear system that is not symmetric
enum { SKEW_PRODUCTS = 8 };

// most changes of modes at one instant: where there are more no mode holds
enum { MOTION_CROSSINGS = 1000 };

typedef struct motionWork {
  // the end of the step being tried
  double t, h;
  int index; // of the step: that of the motion, or 1 where a part of one is short
  double *q, *v, *a, *pseudo, *lambda, *carried;
  double *s, *s_rate; // of the states of forces
  double work;        // of forces without potential and of drives in the step; NAN: by their power
  naturalState now;   // constraints at its positions and velocities
  motionResidual residual;
  motionResidual open; // of positions and velocities before they were projected; 0: they were not
  double energy, kinetic, power;

  // its solution
  numPositive *factor;
  double *values;       // [pattern] of the tangent
  double *b;            // [n] acceleration at mid-step
  double *d, *dq;       // [n] displacement in the step, its correction
  double *Q, *r, *want; // [n] forces, residual, what a projection starts from
  double *u, *mu;       // [nrow]
  double *stabiliser;   // [nrow] Baumgarte's terms of index 1; 0: there are none
  double *J, *J_0;      // [entries of J] mean in the step, at its beginning
  double *J_factored;   // [entries of J] that are in the factors
  double *J_skew;       // [entries of J] at the end less the mean
  double *basis;        // [(SKEW_PRODUCTS + 1) n]
  double *phi_0;        // [nrow] at its beginning
  double *form_0;       // [3 nform] at its beginning
  double *Mx;           // [n]

  // modes of forces
  double *g_0, *g;    // [nswitch] switching functions where the step begins, and at the last look
  double *g_before;   // [nswitch] and where the step before began,
  double t_before;    // s, at that time; INFINITY: there was none in these modes
  double *g_most;     // [nswitch] the largest magnitude so far
  double *g_end;      // [nswitch] at the end of the segment that is searched for the end of a mode
  double *g_since;    // [nswitch] since when they have been positive in it
  double *g_zero;     // [nswitch] what counts as zero,
  double *g_noise;    // [nswitch] and what rounding leaves
  eventSearch search; // in this segment,
  naturalSpan span;   // with its two ends,
  double *end;        // [2 n + 2 states] and the later one
  double *s_side;     // states at a look
  double *a_met;      // [n] accelerations of the mode that has ended
  int knows_switches; // g_0 is there
  int is_cutting;     // the end of a mode is being looked for
  int at_once;        // changes of modes at one instant,
  double seen;        // s: the step has not seen all that acts beyond; INFINITY: it has
  int met;            // 1 + the function whose mode has ended at the state of the motion, 0: none
  double jump;        // of accelerations there, the largest,
  int crossings;      // and since `window`, s
  double window;

  // for messages of errors
  int iteration, row;
  double worst;

  // a step in parts, a peek
  double *kept, *peeked; // [motion_state_count]
  double start;          // s, when whole steps began
  double whole;          // their number since then
  double pace;           // s, of whole steps
  double stop;           // s, which no step passes, INFINITY: none
  int stands;            // the step is taken though it has not seen all that acts
  int is_short;          // the step is short for the sake of the stop
  double part;           // s, of a step after a change of modes or a failure, INFINITY: whole ones
  double reductions;     // multi-index: of the step in a row
  double scale;          // multi-index: J, energies at hand
  double heaviest;       // kg, the largest of a coordinate
  int curved_rows;       // rows that are no products
  double left;           // of a change, by the next sweep of index 1
} motionWork;

//---- pieces of a step ----------------------------------------------------------------------------

// Are velocities off the constraints by `pseudo`?
static inline int motion_is_off(const naturalMotion *m, int index)
{
  return m->options.method == MOTION_CONSERVING && index != 1;
}

// u = v on the constraints.
static inline void motion_velocities_on(int n, const double *v, const double *pseudo, double *u)
{
  for (int i = 0; i < n; i++) u[i] = v[i] + pseudo[i];
}

// The largest magnitude; infinite when one of them is not a number.
static inline double motion_largest(int n, const double *x)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    const double size = fabs(x[i]);
    if (size <= worst) continue;
    if (isnan(size)) return INFINITY;
    worst = size;
  }
  return worst;
}

// Weight and forces at t, q, v into Q; potential may be NULL.
artStatus motion_forces(naturalMotion *m, double t, const double *q, const double *v, double *Q,
                        double *power, double *potential, artError *error);

// Factor what is in values.
artStatus motion_factor(naturalMotion *m, artError *error);

// Say which row holds the step up. Returns ART_NO_CONVERGENCE.
artStatus motion_stuck(naturalMotion *m, int iteration, const double *rows);

// Accelerations and multipliers at positions q and velocities v by sweeps from what is in a and
// lambda, with M + alpha J^T J left factored. The constraints are left in now.
artStatus motion_sweep(naturalMotion *m, double t, const double *q, const double *v, double *a,
                       double *lambda, artError *error);

// The same with positions in now and factors that belong to them.
artStatus motion_relax(naturalMotion *m, const double *q, const double *v, double *a,
                       double *lambda, artError *error);

//---- projections: corrections, with what is factored ---------------------------------------------

// M + alpha J^T J at the positions in now.
artStatus motion_factor_projector(naturalMotion *m, artError *error);

// The same at a time and positions, to which the constraints go.
artStatus motion_factor_at(naturalMotion *m, double t, const double *q, artError *error);

// q to the constraints; now and the factors belong to q or its neighbourhood on entry and on return.
artStatus motion_to_positions(naturalMotion *m, double t, double *q, artError *error);

// v to the rates of the constraints, with M + alpha J^T J factored and a now as above. The multipliers of the
// correction are left in mu.
artStatus motion_to_velocities(naturalMotion *m, double *v, artError *error);

// Velocities of the step being tried, then its accelerations with them, to the rates of the constraints; their
// multipliers are left in mu. Fully, with M + alpha J^T J factored for the purpose; or, as the options say, by one correction with the
// tangent that is factored:  (factored) dx = -weight J^T (J x + rest).
artStatus motion_project_rates(naturalMotion *m, double weight, artError *error);

// Try the step of length w->h to the time w->t: by the method and index of m, then measured.
artStatus motion_try(naturalMotion *m, artError *error);

//---- one step of length w->h from the state of m to the one in w ---------------------------------

// On return `now` holds positions; motion_measure adds the rest.
artStatus motion_step_index1(naturalMotion *m, artError *error);
artStatus motion_step_index3(naturalMotion *m, artError *error);
artStatus motion_step_conserving(naturalMotion *m, artError *error);

// Conserving: the states of forces at the end of the step from those in its middle, found last.
void motion_leave_middle(naturalMotion *m);

// Conserving: the positions in now are those at the beginning; find J of the mean, with those at the end
// in now and the displacement in d.
void motion_begin_mean(naturalMotion *m);
void motion_find_mean(naturalMotion *m);

// x = (A + c Jm^T (J1 - Jm))^-1 x with A factored, Jm in J, J1 in now.
void motion_solve_skew(naturalMotion *m, double c, double *x);

// Violations of constraints and their rates at the positions in now and the velocities of the step being tried.
motionResidual motion_find_open(naturalMotion *m);

// Energy, power and residuals at the end of the step being tried.
artStatus motion_measure(naturalMotion *m, artError *error);

// The same at the state of m, after it was changed between steps: its positions are in now.
artStatus motion_take_stock(naturalMotion *m, artError *error);

// The step being tried becomes the state.
void motion_accept(naturalMotion *m);

//---- modes (motion_switch.c) ---------------------------------------------------------------------

// s: what is shorter is no step, for its changes are rounding.
static inline double motion_instant(const naturalMotion *m)
{
  return 1e-10 * m->options.step;
}

// The energies at hand: kinetic ones so far, and what the weight does over the machine's size.
double motion_scale(naturalMotion *m);

// Errors of the step being tried: |Pi1 - Pi0| relative to the energies at hand, and
// h^2/12 |a1 - a0|, the error of the trapezoidal rule, in units of the coordinates; of states that are watched, relative
// to their size.
typedef struct motionFlaw {
  double energy, position, states;
} motionFlaw;
motionFlaw motion_flaw(naturalMotion *m);

// The size that errors of a state of the forces relate to, the step being tried included.
double motion_state_size(const naturalMotion *m, int i);

// The step being tried becomes the state, or as much of it as there is up to the first change of modes,
// which the next step makes. On failure the state is what it was.
artStatus motion_complete(naturalMotion *m, artError *error);

// A step begins: the change of modes at its beginning is made, if there is one, and velocities jump with the rates of
// drives.
artStatus motion_enter(naturalMotion *m, artError *error);

// The penalty of a tangent M + share alpha J^T J, share h^2/4 or the like. An automatic one makes the
// second part at least `least` times the heaviest mass: each iteration leaves 1 / (1 + least) of a constraint.
double motion_penalty(const naturalMotion *m, double share, double least);

// Constraints that yield slowly to their multipliers, near a singular position, get a greater penalty: of what
// an iteration leaves, 1 / (1 + alpha share mu), most is due to the smallest mu of J M^-1 J^T.
typedef struct motionGrowth {
  double left;  // largest |phi|
  double most;  // of the penalty
  int slow;     // iterations in a row that left more than a quarter
  int patience; // number of them that proves nothing
} motionGrowth;

motionGrowth motion_begin_growth(const naturalMotion *m, double alpha, int patience);

// After an iteration of which the largest change is known, with phi in now: has the penalty grown? The
// iteration is not over then.
int motion_grow(const naturalMotion *m, motionGrowth *g, double change, double *alpha);

// The projection that the options ask for, the default resolved.
motionProjection motion_projection(const naturalMotion *m);

// Accelerations and multipliers of the forces as they are now, at the state of m; its account of the energy.
artStatus restart_accelerations(naturalMotion *m, artError *error);

//---- variable step -------------------------------------------------------------------------------

// One accepted step of at most `longest`.
artStatus motion_multi_step(naturalMotion *m, double longest, artError *error);

// The violation of a constraint that rounding leaves, m or rad, by the size of the coordinates.
double motion_rounding(const naturalMotion *m);

#endif
