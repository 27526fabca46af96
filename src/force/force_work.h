// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The part of a data block that forces, outputs and runs keep: memory of formulas, drives, tyres and reactions.
#ifndef FORCE_FORCE_WORK_H
#define FORCE_FORCE_WORK_H

#include "data/work.h"

// Tyres give forces of all kinds, the load alone where a vehicle stands (side forces by lean come with rolling), or
// nothing on a rig.
typedef enum forceTyres { TYRES_ROLL, TYRES_STAND, TYRES_FLOAT } forceTyres;

// How quick a state is, measured by the step.
enum { STATE_SMOOTH, STATE_STIFF, STATE_GIVEN, STATE_UNKNOWN };

// Of states that are solved for together: which of them each rate depends on. Those of one colour have no rate in common,
// so that their slopes are found together (Curtis, Powell, Reid 1974).
typedef struct statePattern {
  int ncolour;            // 0: not known yet
  int *colour;            // [n]
  unsigned char *depends; // [n n] rate i on state j at j n + i
} statePattern;

// figures of a run for the state that it shows
typedef struct forceRun {
  double work;           // integral of the power
  double initial_energy; // kinetic + potential at the start
  double step_size;      // s; last step of the run
  int step_index;        // 1 or 3 in natural coordinates, else 0
  double violation[3];   // of constraints in the row shown: largest |phi|, |phi'|, |phi''|
} forceRun;

// Inputs that are on a straight line from value to value, for the time of a step.
typedef struct forceRamp {
  int n; // 0: none is
  const int *input;
  double begin, end;       // s
  const double *from, *to; // [n]
} forceRamp;

// The force on a body in the plane on which it rolls, in ground axes, and where it acts.
typedef struct rollForce {
  v3 force, point;
} rollForce;

// Slip and spin, or rolling, of a contact, in m/s: two directions of its plane, and about its normal.
typedef struct rigidVector {
  v3 along;
  double spin;
} rigidVector;

// rows of a rigid contact, at most: normal, two tangents, spinning, two of rolling
enum { RIGID_ROWS = 6 };

// What a rigid contact has at the state: its force and torque on the second surface, by its rows (rigid_axis), and in ground
// axes; and in a run, since its mode has changed last:
typedef struct rigidForce {
  double along[RIGID_ROWS];
  v3 force, torque;
  double held[RIGID_ROWS]; // the force by then, of many that do the same the one to keep to
  rigidVector direction[RIGID_PARTS]; // in which it slips and rolls
  int begins[RIGID_PARTS];            // to slide, and is still too slow for a direction of its own
  double floor;                       // m; the gap below which it touches again
} rigidForce;

// A contact of a pile, `pair` counted through all piles: its force and torque on the second link, ground axes, at a point of ground.
typedef struct pileForce {
  int pair, link[2];
  double normal;
  v3 force, torque, point;
} pileForce;

struct forceWork {
  forceRamp ramp;

  // formulas
  double *slots;    // [nquantity] values that formulas read
  formulaJet *jets; // [nquantity] for drives: time alone is set
  double *stack;    // [stack] of formulas
  formulaJet *jet_stack;
  int *output_branch; // [2 most branches of an output or a motion]

  double *energies; // [2] kinetic and potential of the last evaluation of quantities,
  int has_energies; //     or energies of natural coordinates until the next update
  forceRun run;

  // drives and latches
  int *mode_before; // [nmode] modes until the modes of drives changed,
  int has_before;   //     which they have since force_find_impact was asked
  double *rate_before,
      *rate_jump;        // [ndrive] prescribed rates before that, and by how much they jumped
  int is_struck;         // rates of drives have jumped in natural coordinates, and ropes are taut
  const double *impulse; // [nv] that joint forces are increased by in force_apply; NULL: none
  void (*find_forces)(const artModel *m,
                      artData *d); // forces of the latches of a run at the state; NULL: nobody asks

  // tyres
  double *lift,
      *lift_rate; // [nvalue] at value0 of a tyre: how far its road is raised, m, and its rate
  forceTyres tyres;
  double state_weight;     // above 0: states of elements solve  s = base + weight rate(s),
  double rate_weight;      // and those with formulas
  double *state_base;      // [nstate]
  double *sampled;         // [nheld] memories at an instant, before all of them change
  double sampled_at;       // the last instant at which tables were read: later rows are to come
  double *state_start;     // [nstate] at the beginning of the step
  unsigned char *is_stiff; // [nstate] STATE_... in it
  artStatus (*balance)(
      const artModel *m, artData *d,
      artError *error); // reactions at known accelerations, in runs of natural coordinates; or NULL
  double *state_step;   // [early rates] in that solution,
  unsigned char *is_met;   // whether an equation holds but for rounding,
  double *state_matrix;    // [their number squared]
  statePattern pattern[2]; // of early and of late rates
  unsigned char *mark;     // [nquantity + rates]

  // reactions, found by the methods
  double *multiplier;     // [nrow] of the loops' rows, when has_multipliers
  double *coupling_force; // [nv] what couplings add along the coordinates; zero without any
  wrench *cut_force; // [ncut] on `to` of the joints that close loops, at the joint, ground axes
  v3 *from_force;    // [ncut] rods: on `from`, at its point, ground axes
  rollForce *roll;   // [nroll] that force_apply adds; zero but while a method finds and uses them
  rigidForce *rigid; // [nrigid] that force_apply adds
  int npiled;        // contacts of piles with a force in the last step, by their pairs upwards
  pileForce *piled;  // [model_pile_contacts]
  struct contactWatch *watch; // contacts that a run looks at (contact_watch.h); NULL: all of them
  int is_stepping; // rigid contacts have forces of the last step (method/touch_step.c), no events
  int is_free;     // force_apply leaves them out
  int has_multipliers; // the above are known, and `applied` holds what they do to the links
};

// Take the part of a new data block for a variant of a model; 0 when memory ran out.
int force_start_work(artWorkspace *w, const artModel *variant);

// Steps in natural coordinates solve for all states together. Are they so few that there is memory for the square of their number?
enum { MAX_SOLVED_STATES = 2000 };
int force_solves_states(const artModel *m);

// Numbers of the model have changed: update the data (update.c).
void force_refresh(const artModel *m, artData *d);

// The run begins anew.
void force_reset_work(artWorkspace *w);

#endif
