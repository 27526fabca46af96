// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of a run. Its unknowns are
//   y = (positions / unit, velocities / unit, states, work / unit)
// of the coordinates that no drive prescribes, in units of the machine's own length and time (run_scale.c); the work is done by forces without potential and by
// drives, dW/dt = their power, so that kinetic + potential - start - W stays zero.
//
// W is in y in units of the energies at hand (a power of two, so that no digit is lost): the
// absolute tolerance then means the same for a watch and for a ship, and steps are as long as the
// motion allows.
#ifndef STUDY_RUN_H
#define STUDY_RUN_H

#include "articula/study.h"
#include "force/step_view.h"
#include "method/method.h"
#include "step/step.h"
#include "study/study.h"

// Modes and memory of a run at an instant, besides y.
typedef struct runMoment {
  int *mode;     // [nmode]
  double *loops; // [run_memory_count] their memory and that of rigid contacts, NULL without
  double *holds; // [latch_count] where latches hold
} runMoment;

// What is much of the motion of a part of the machine: a length, m, and a pace, 1/s. Powers of 1024.
typedef struct runScale {
  double length, pace;
} runScale;

// Values that a row is shown with: kept while the steps go on from it.
typedef struct runRow {
  int is_kept;
  runMoment at;
  double widest; // s; run_widest there
  double step_size;
  int step_index;
} runRow;

// Steps of one length in a row (art_step): the k-th ends at start + k dt.
typedef struct runBeat {
  double start, dt; // s
  long count;
} runBeat;

// An engine takes a run from one time to the next: a stepper in relative coordinates, or natural coordinates with a rule of
// their own.
typedef struct runEngine {
  int shows_violation; // of constraints, in the data, by itself

  int (*take)(artRun *run);                         // memory, or NULL; 0: there is none
  artStatus (*start)(artRun *run, artError *error); // accelerations, where loops have been closed
  artStatus (*open)(artRun *run, const artRunDef *study,
                    artError *error); // steps may follow; or NULL
  void (*free)(artRun *run);

  // y at time t, by steps that do not pass run->stop. On failure y and run->time stay at the last good state.
  artStatus (*advance)(artRun *run, double t, artError *error);
  artStatus (*restart)(artRun *run, double energy,
                       artError *error); // forces have changed at run->time, where there was so
                                         // much energy, J: go on from there, at y
  artStatus (*show)(artRun *run, artError *error); // put the data where y is at run->time
  void (*account)(artRun *run);                    // of all steps so far, into the certificate
  void (*certify)(const artRun *run, artCertificate *c); // what is not in it yet; or NULL
  double (*reached)(const artRun *run);                  // the end of the last step, s
  const stepView *(*view)(const artRun *run);            // of its steps
  double (*next_step)(
      const artRun *run); // its length, where rows must be chosen before it is taken, s;
                          // NULL: rows lie in steps that have been taken

  // Everything besides y that determines the motion that follows; the bytes may lie at any address.
  size_t (*bytes)(const artRun *run);
  artStatus (*save)(const artRun *run, char *bytes, artError *error);
  artStatus (*load)(artRun *run, const char *bytes, artError *error);
  const double *(*end_of_steps)(
      const artRun *run); // unknowns where the steps have come to; NULL: saved with
                          // the motion, y being the last row

  // The k-th number that it has been told, and its name: to be the same when a run goes on. NULL: there is none.
  const char *(*setting)(const artRun *run, int k, double *value);
} runEngine;
extern const runEngine relative_engine, natural_engine;
enum { RUN_SETTINGS = 24 };

// A step of rigid contacts: velocities and states at its start, and what it came to.
typedef struct runTouch {
  double *v, *free, *end; // [nv] before it, at its end without contacts, at its end
  double *mean;           // [nv] scratch
  double *s;              // [nstate]
  double *rates;          // [nq + nv]
  double *y;              // [n] scratch
  touchStep step;
  int is_open; // it is not in the certificate yet
} runTouch;

struct artRun {
  const artModel *m; // as it is now: `model`, or a variant of it with other latches engaged
  artData *d;
  const artModel *model;    // that the run was created with
  artModel *variant;        // NULL: none was needed so far; owned, and so is the data's work then
  artWorkspace *first_work; // of the data, for `model`
  struct memPool *variants[2];  // variants and their work by turns
  int turn;                     // the one that holds the present variant
  baseArena change;             // room for a change, empty between them
  artRunDef study;              // as far as variants need to know it
  double switched;              // s, when the last latch engaged or released,
  double *q_switched;           // [nq] where,
  int switches;                 // and how often that has happened at about that time
  artMethod method;             // the formulation, in numbers
  const methodBackend *backend; // code in their place; NULL: none
  int closes;                   // loops at the end of every step and wherever y is handed out
  int drifts;                   // loops stay as open as accelerations leave them
  int is_reduced; // the method closes them at every evaluation: its rates belong to y before closing
  int remembers;  // the memory of loops is part of the state
  const runEngine *engine;
  stepper *stepper;           // of relative coordinates, or NULL
  struct naturalRun *natural; // of natural ones (natural_run.c), or NULL
  struct memPool *pool[2];    // for those that follow it, one after the other

  int nq, nv, n;            // free positions and velocities, unknowns
  int *position, *velocity; // which coordinates they are
  double *y;                // [n] at `time`
  double *units;            // [n] of them
  double *qdot;             // [nq of the model]
  int *rotation;            // [nv of the model] where angular velocities are in y; -1: not
  unsigned char *turns;     // [nv of the model] angles of places that are looked at (run_turns.c)
  int has_driven_turns;     // and drives turn some of them
  double *impact;           // [2 nv of the model] accelerations and forces without a impact
  runMoment kept;           // while another state is loaded
  double *kept_code;        // likewise, of the back end; NULL without
  double kept_settled;      // and settled_time with them
  backendWatched kept_watched;

  unsigned revision;       // of the model's parameters, that the run knows
  double time;             // the instant last asked for
  double stop;             // s, which no step passes; INFINITY: none
  double instant;          // s, of the next samplers, likewise
  int has_changed;         // influences on the machine, unseen
  runBeat beat;            //
  double *held;            // [nheld] of the data as they were when steps were taken last
  int has_lines;           // some inputs have a hold of first order
  int nfirst, *first;      // such inputs that are set,
  double *ramp[2];         // [nfirst] and where they go from and to
  double unit;             // of work in y, J
  runScale *scale;         // [nv of the model] of the parts that velocity coordinates belong to,
  runTouch touch;          //
  runScale *kept_scale;    // [same] while others are loaded,
  runScale shown;          // and the one of the certificate
  double potential_start;  // J
  stepView view;           // into the steps of relative coordinates
  double settled_time;     // s; the data is there, with loops closed; else -inf
  int is_by_code;          // they were closed by generated code
  double noise, top_speed; // of velocities: errors to expect, relative to the largest so far
  int was_held;            // near a singular position at the end of the last step
  backendCounts counted;   // counts that the certificate holds already
  int is_odd;              // the row last asked for has been counted among the odd ones
  artCertificate certificate;
  artError failure; // of the rates: says more than the stepper can
  artError halt;    // why the run cannot go on from the end of the last step

  // NULL, or told of the ends of all steps by numbers of a machine with loops, where the data is
  void (*step_ended)(void *listener, const artData *d);
  void *listener;

  // NULL, or asked before every step: 1 makes art_run_to and art_run_next return ART_STOPPED between two rows. y and
  // time stay at the row before; the same call goes on, here or in a run that has loaded this one.
  int (*pauses)(void *pauser);
  void *pauser;

  // NULL, or asked at every instant of samplers, where no pause can be: 1 ends the run there with ART_STOPPED.
  int (*ends)(void *pauser);
  int is_between; // two rows: it was asked to pause, and did
  int is_behind;  // the data shows the row; modes and loops of the steps are the kept ones
  runRow row;     // the last one

  baseArena arena; // owns the arrays
};

// Put the data at `time` and y with everything that can be asked there.
artStatus run_show(artRun *run, artError *error);

// The same for a row that has been accounted for, with its constraint violation.
artStatus run_show_again(artRun *run, artError *error);

// Is the run asked to pause? `run` is an artRun.
int run_pauses(void *run);

// A run that pauses returns ART_STOPPED, with the account of its steps.
artStatus run_pause(artRun *run, double start, artError *error);

// Unknowns where the steps have come to.
const double *run_end_of_steps(const artRun *run);

// The end of the last finished step, s.
double run_reached(const artRun *run);

// Before steps are taken from a row: keep what it is shown with, and go back to where they have come to.
artStatus run_leave_row(artRun *run, artError *error);
void run_keep(const artRun *run, const runMoment *moment);
artStatus run_put_back(artRun *run, artError *error);

// At a row: the longest time to the next one, where the study does not say it.
double run_widest(const artRun *run);

//---- natural coordinates (natural_run.c) ----------------------------------------------------------

// Machine, motion and y instead of those there are, where latches have changed: the account of the steps goes on,
// with `gain` more work, J.
artStatus natural_run_renew(artRun *run, double gain, artError *error);

// The same where parameters of the model have changed: dependent coordinates close the loops as these are now, and energy
// that the change gives or takes counts as work. Nothing is allocated for natural coordinates from the third change on.
artStatus natural_run_follow(artRun *run, artError *error);

// The local error that multi-index accepts where the study names none, per second of motion; 0: no duration is known.
double natural_local(const artRunDef *study);

//---- numbers held by inputs and samplers (run_step.c) ------------------------------------------------

// Memory for held numbers, 0: there is none; take them from the data.
int run_take_held(artRun *run);
void run_hold(artRun *run);

// Before steps to t: begin anew where something has changed since the last ones, inputs of first order on their way to
// t. And after them.
artStatus run_begin_hold(artRun *run, double t, artError *error);
void run_end_hold(artRun *run);

// Samplers see the machine at the time of the run, where data and y are; their numbers are held from there on.
artStatus run_sample(artRun *run, artError *error);

// The same where the run goes to before: t, its next instant.
artStatus run_pass_instant(artRun *run, double t, artError *error);

// To t, past all instants up to there; an instant a rounding from t is t.
artStatus run_go_to(artRun *run, double t, artError *error);

// The end of the next step at the latest, s.
static inline double run_stop(const artRun *run)
{
  return run->stop < run->instant ? run->stop : run->instant;
}

// Do all steps begin anew? Laws and functions of the host program may depend on anything, and whether they have changed
// is not to be seen; inputs on a ramp change their slope.
int run_is_anew(const artRun *run);

// art_run_to, on the clock since `start`.
artStatus run_to_since(artRun *run, double t, double start, artError *error);

// Does the study alone say which output instants it has?
int output_is_known(const artRunDef *study);

// The interval where rows cannot follow the motion because their instants must be known beforehand, s: that of the
// study, or the steps of rk4, or 1 ms or a thousandth of the duration, whichever is shorter. There are no more
// than 200000 of them.
double output_fixed_interval(const artRunDef *study);

// The outputs of the row last asked for: one that is not finite makes it an odd row of the certificate.
void run_note_outputs(artRun *run, const double *outputs);

// Put the run at t, not before its time, with the unknowns y, to which somebody else has stepped.
artStatus run_adopt(artRun *run, double t, const double *y, artError *error);

// A stepper asks a run for its switching functions at t and y, to switch to the mode after one of them, and how
// a drive whose rate has jumped changes y (run_latch.c).
void run_switches(void *run, double t, const double *y, double *g);

// What lies inside a step (stepProblem), by the view of the run.
void run_span(void *run, const stepSpan *span);
double run_within(void *run, double after, double to);
double run_seen(void *run, double to);

void run_switch_mode(void *run, double t, const double *y, int i);

// The mode of function i on its border, and whether it lasts; for a stepProblem whose context is the run.
int run_switching_surface(void *run, int i, int take);
int run_is_latching(void *run, int i);
artStatus run_jump(artRun *run, double t, double *y, artError *error);

// Lengths and paces of the machine's parts, by the accelerations at the start, 0: there is no memory; and the units of y that
// follow from them (run_scale.c).
int run_find_scales(artRun *run);
void run_set_units(artRun *run);

// What is much of the position of a velocity coordinate: the length of its part, or a radian.
double run_way(const artRun *run, int velocity);

// Is it one of a length, not of an angle?
int run_is_length(const artModel *m, int velocity);

// Are all units of y one?
int run_is_in_metres(const artRun *run);

// Is memory of loops part of what is saved at present? And into its place, or nothing.
static inline int run_has_loops(const artRun *run)
{
  return run->remembers && run->m->nrow > 0;
}

// How the method treats loops, with the rows that there are.
void run_choose_ways(artRun *run, const artRunDef *study);
artStatus run_report_loops(const artModel *m, artData *d, const artRunDef *study, artError *error);

// The data is put where y is, and back.
void run_take_state(const artRun *run, double work, double *y);
double run_work(const artRun *run, const double *y);

// Evaluations of the back end so far, into the certificate; before its code is made anew.
void run_account_code(artRun *run);

// The sum of the errors of all steps in the position of a velocity coordinate (-1: in an entry of a quaternion), relative
// to the way that it has gone.
double run_relative_error(const artRun *run, int velocity, double error, double extent);

// The account of a stepper into a certificate.
void run_account_steps(artCertificate *c, const stepCounts *counts);

// The error that steps of given length have added up to, relative to the motion; 0 where a method chooses its steps.
double run_step_error(const artRun *run, const stepper *s);

//---- closed loops (run_loops.c) ------------------------------------------------------------------

// Errors of velocities to expect, relative to the largest.
double run_noise(const artRunDef *study);

// The certificate: rows and coordinates, the weakest pivot, the largest violation, singular positions that a block has
// passed or that the run has ended at.
void run_account_rank(artRun *run);
void run_account_pivot(artRun *run, double t);
void run_account_violation(artRun *run);
void run_account_passage(artRun *run, double t, int block);
void run_account_ending(const artRun *run, artCertificate *c);

// Reasons why a run cannot go on, into run->halt or error: velocities that closing has changed to another branch, loops
// that have come apart, a block (-1: none) that cannot be taken over a singular position.
void run_check_branch(artRun *run, double t, const double *y);
artStatus run_check_closed(const artRun *run, double gap, artError *error);
void run_check_step(artRun *run);
void run_account_slip(artRun *run);
void run_check_touches(artRun *run);
void run_account_rolling(artRun *run, double t);
void run_check_passage(artRun *run, double t, int block);

// The longest step from y in which singular positions of loops are seen on the way, and places that formulas, stops and laws look
// at, s; `run` is an artRun.
double run_longest_step(void *run, const double *y);

//---- angles of places (run_turns.c) ------------------------------------------------------------------

// Find them, with free velocities in run->rotation; returns their number, -1 without memory.
int run_find_turns(artRun *run);

// The longest step from y in which none of them changes much, s; INFINITY: any.
double run_longest_turn(artRun *run, const double *y);

// Numbers that loops and rigid contacts remember.
size_t run_memory_count(const artModel *m);

//---- latches (run_latch.c) ---------------------------------------------------------------------------

// Can a run with this study have latches? The error says why not.
artStatus latch_check(const artModel *m, const artRunDef *study, artError *error);

// At the beginning of a run: initial latches are engaged. Then, with loops closed: none changes until
// further notice.
void latch_begin(artRun *run);
void latch_begin_at(artRun *run);

// Memory for variants, that of the largest one: a change asks the allocator for nothing.
artStatus latch_reserve(artRun *run, artError *error);

// Modes of latches have changed at the state of the data: the run switches to the variant that they ask for, and
// velocities jump where one has engaged. *gain is the change of kinetic energy, J.
artStatus latch_change(artRun *run, double *gain, artError *error);

// Rates of drives have jumped at the state of the data while ropes are taut: velocities jump, and ropes that would push
// become slack. *gain is the work of drives, J.
artStatus latch_apply_impact(artRun *run, double *gain, artError *error);

// The first at t and y, with the energy in its account, where a latch has changed.
artStatus latch_jump(artRun *run, double t, double *y, artError *error);

// How many numbers say where all latches hold, and the time and positions where the last one changed.
size_t latch_count(const artModel *m);

// Where latches hold now, and the variant with these modes and holds, in which nothing has moved yet.
void latch_save(const artRun *run, double *holds);
artStatus latch_load(artRun *run, const int *mode, const double *holds, artError *error);

// Rows of loops and degrees of freedom of the present variant into the certificate.
void latch_account_rows(artRun *run);

// Back to the model of the data, where the run ends.
void latch_end(artRun *run);

//---- steps of rigid contacts (run_touch.c) -----------------------------------------------------------

// Memory, 0: there is none; the step of a stepProblem whose context is the run; the account of the newest one, of which an event
// has left a part.
int touch_take_arrays(artRun *run);
artStatus touch_leap(void *run, double t, double h, const double *from, double *to);
void touch_account(const artRun *run, double part, artCertificate *c);

// of the reach of a contact: smaller overlaps do not count
#define RIGID_OVERLAP 1e3

//---- rigid contacts (run_rigid.c) --------------------------------------------------------------------

// At the beginning of a run: what touches is decided, with an impact perhaps. Then where a contact asks; *y as latch_jump.
artStatus rigid_begin(artRun *run, artError *error);
artStatus rigid_jump(artRun *run, double t, double *y, artError *error);

// After a step: y with closed gaps and the velocities of contacts that touch; returns whether it has changed. Then its account.
int rigid_project(artRun *run, double t, double *y);
int rigid_account(artRun *run, double t, double *y);

// Numbers of the model have changed where the data is: dependent coordinates close the loops as these are now, and laws
// are in the pieces that their new borders say (run_step.c).
artStatus run_close_anew(artRun *run, artError *error);

// The state of the data, as y at t.
void run_put(artRun *run, double t, const double *y);

// The rates that the first step begins with: code is made here.
artStatus run_start_rates(artRun *run, artError *error);

// A back end that is to go on from y at t, as it was when that was saved.
artStatus run_resume_code(artRun *run, double t, const double *y, backendWatched watched,
                          artError *error);

// The step that a study asks for, no longer than all of it: far beyond, rounding would leave no motion.
double run_step(const artRunDef *study);

#endif
