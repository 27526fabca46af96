// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements and drives at work.
#ifndef FORCE_FORCE_H
#define FORCE_FORCE_H

#include "data/place.h"
#include "element/port.h"
#include "force/force_work.h"

//---- the state ---------------------------------------------------------------------------------

// art_update inside the library, where arguments need no check.
void force_update(const artModel *m, artData *d);

//---- drives --------------------------------------------------------------------------------------

// Set the driven positions and velocities, and the accelerations in work->a_drive, at the present
// time; unless modes are frozen, modes of the drives are chosen anew.
void force_drive(const artModel *m, artData *d);

// ART_SINGULAR where the value, the rate or the acceleration that a drive has given is not finite.
artStatus force_check_drives(const artModel *m, const artData *d, artError *error);

// The drives' modes after the present time, at which switching function i of drive k has reached zero.
void force_switch_drives(const artModel *m, artData *d, int k, int i);

// The effect of changes of modes at the present time on the prescribed motions: *is_impact when rates have
// jumped, by work->force->rate_jump from work->force->rate_before. ART_SINGULAR, with the old modes, where a position has
// jumped or a rate is infinite: the error names the drive.
artStatus force_find_impact(const artModel *m, artData *d, int *is_impact, artError *error);

// A prescribed rate jumps at t.
typedef void forceCornerFound(void *context, const modelDrive *drive, double t, double jump);

// Look through the drives between two times for such jumps; modes are lost. ART_BAD_INPUT where a position jumps or a
// rate is infinite, and where a rate jumps within a function that does not switch. A stretch shorter than a thousandth
// of the time may be missed (drive_look.c). `found` may be NULL.
artStatus force_look_at_drives(const artModel *m, artData *d, double from, double until,
                               forceCornerFound *found, void *context, artError *error);

// The same of one motion, with room for its branches, twice.
artStatus force_look_at_motion(const artModel *m, artData *d, const modelDrive *drive, double from,
                               double until, int *mode, int *scratch, forceCornerFound *found,
                               void *context, artError *error);

//---- inputs ------------------------------------------------------------------------------------------

// Inputs on a ramp (force_work.h) or on lines of their table, where there are any, at the time of the data; force_update
// does it.
void force_follow_lines(const artModel *m, artData *d);

// The last row of a table at or before t, -1: there is none. The value of an input there.
int force_table_row(const modelTable *table, double t);
double force_table_value(const modelTable *table, artHold hold, double t);

// The value at t on the way from `since`, whose rows have taken effect. At the time of a row that is still to come it is the value of before
// a jump: of two rows at one time the first, and of an input that is held the row before.
double force_table_between(const modelTable *table, artHold hold, double since, double t);

// Times that differ by this are one instant of a table.
double force_rounding_at(double t);

// All inputs with tables at the time of the data, where a study begins.
void force_begin_tables(const artModel *m, artData *d);

//---- quantities ----------------------------------------------------------------------------------

// Evaluate the quantities that formulas of these readers name (READ_BY_FORCES ... of model/signal.h); 0: all of them.
void force_quantities(const artModel *m, artData *d, int readers);

// The same of n of them by their numbers, none of them signals.
void force_some_quantities(const artModel *m, artData *d, int n, const int *number);

// The value of signal i, once all quantities are there; nobody need read it.
double force_signal(const artModel *m, artData *d, int i);

// The same of forces, and the branches of their signals that the values call for.
void force_choose_branches(const artModel *m, artData *d);

// The branches of all formulas that are frozen in a run, after held numbers have jumped; laws, stops and latches stay.
void force_choose_formulas(const artModel *m, artData *d);

// For slopes, with frozen modes: corners of min, max, abs and clamp at which formulas are become the mean of both sides
// (formula.h), and go back to one of them.
void force_set_corners(const artModel *m, artData *d);
void force_leave_corners(const artModel *m, artData *d);

// Signals of these readers, where other quantities are in their slots; branches are chosen anew.
void force_refresh_signals(const artModel *m, artData *d, int readers);

// States, and signals of these readers after them, after the states alone have changed; branches stay.
void force_refresh_states(const artModel *m, artData *d, int readers);

// Derivatives of those signals in work->force->jets, where all other quantities have theirs.
void force_signal_jets(const artModel *m, const artData *d, int readers);

// Marks of those signals that depend on marked quantities.
void force_signal_marks(const artModel *m, int readers, unsigned char *mark);

// The wrench of the `from` side of a joint on `to`, at the joint's frame in `to`, in ground axes; after
// tree_rne, and for joints that close loops once their multipliers are known.
wrench force_reaction(const artModel *m, const artData *d, int joint);

// The reaction of a ball joint that a bar had before it became a rod; 0 when there is none of that name.
int force_bar_reaction(const artModel *m, const artData *d, const char *joint, v3 *force);

// After tree_rne and with work->rod_force known: forces on bodies at both ends of every rod with mass.
void force_rod_ends(const artModel *m, artData *d);

// The quantity that an output asks of a latch, by latchValue; forces after tree_rne, once the multipliers are known.
double force_latch_value(const artModel *m, const artData *d, int latch, int component);

//---- elements ------------------------------------------------------------------------------------

// Clear d->force and work->applied, then add what every element does; sums up work->power.
artStatus force_apply(const artModel *m, artData *d, artError *error);

// The same with the elements alone whose group[i] has a bit of `groups` (PORT_ELASTIC, PORT_RESISTING), and of
// these the parts that it names; NULL: all of them.
artStatus force_apply_some(const artModel *m, artData *d, const unsigned char *group, int groups,
                           artError *error);

// Add a force at a point of a link, a torque, or both, in ground axes.
void force_at_point(artData *d, int link, v3 r, v3 force);
void force_torque(artData *d, int link, v3 torque);
void force_wrench(artData *d, int link, v3 r, v3 force, v3 torque);

// Fails when a spring has no force at x: the volume of an air spring is gone.
artStatus force_check_spring(const modelElement *e, double x, double t, artError *error);

// Energy of all elements that have a potential, or of those in some groups.
double force_potential(const artModel *m, artData *d);
double force_potential_some(const artModel *m, artData *d, const unsigned char *group, int groups);

//---- states whose rates are formulas (state_rates.c) -------------------------------------------------

// Rates after force_quantities of forces; rates that need accelerations and reactions, once these are known.
void force_early_rates(const artModel *m, artData *d);
void force_late_rates(const artModel *m, artData *d);

// The early rates of these numbers among all early ones.
void force_some_rates(const artModel *m, artData *d, int n, const int *number);

// Are all rates finite? Do formulas of blocks keep their rules, a time constant positive, say? Messages tell the place.
artStatus force_check_rates(const artModel *m, const artData *d, artError *error);
artStatus force_check_rules(const artModel *m, artData *d, artError *error);

// A step of all states begins at s with these rates: until the next call evaluations of forces find the states at its
// end,  s1 = s + weight (rate + rate1)  with half the step as weight, or in its middle,  s + weight rate1.  With the
// weight 0 they are s itself.
void force_begin_step(const artModel *m, artData *d, const double *s, const double *rate,
                      double weight, int is_middle);

// From the middle to its end, where states are s but for those that are much quicker than the step, which are found there.
void force_leave_middle(const artModel *m, artData *d, const double *s, double weight);

// After force_quantities of forces: the states of early rates, in such a step. Once accelerations and forces at its end are known:
// states with late rates, by that weight, or with 0 their rates alone.
artStatus force_solve_states(const artModel *m, artData *d, artError *error);
artStatus force_solve_late(const artModel *m, artData *d, double weight, artError *error);

//---- samplers (sample.c) ------------------------------------------------------------------------------

// The first instant of a clock after the time of the data, HUGE_VAL where there is none; is one due at that time?
double force_next_instant(const artModel *m, const artData *d);
int force_has_instant(const artModel *m, const artData *d);

// Evaluate the samplers that are due at the time of the data, in the order of the data flow; nothing where none is. The
// data is up to date; where m->sample_level is LEVEL_ACCELERATION, accelerations and forces are known. Branches of
// formulas are chosen anew, for held numbers have jumped.
artStatus force_sample(const artModel *m, artData *d, artError *error);

// next[nheld - ninput]: what all samplers would hold if all of them were due now; the data keeps what is held.
artStatus force_next_samples(const artModel *m, artData *d, double *next, artError *error);

//---- latches (latch_state.c) ---------------------------------------------------------------------------

// Their modes as the variant has them, at the present state; before that, forget which are spent.
void force_set_latches(const artModel *m, artData *d);
void force_reset_latches(const artModel *m, artData *d);

// Their switching functions, for which work->force->find_forces is called where they depend on forces; change of mode i, 0: it
// belongs to a formula or is not theirs.
void force_latch_switches(const artModel *m, artData *d, double *g);
int force_switch_latch(const artModel *m, artData *d, int i);

// A switch of a formula, and the branches of that formula; f is NULL where there is none.
typedef struct modeFormula {
  const formula *f;
  int i;
  int *branch;
} modeFormula;

// The one in conditions of latches that switching function i belongs to.
modeFormula force_latch_formula(const artModel *m, const artData *d, int i);

// Do the modes ask for another variant of the model?
int force_has_latched(const artModel *m, const artData *d);

// Is a rope taut? A impact may make it slack.
int force_has_taut(const artModel *m);

// Where a latch holds that engages at the present positions.
void force_measure_latch(const artModel *m, const artData *d, int latch,
                         double number[LATCH_NUMBERS]);

//---- rigid contacts (rigid_state.c) ----------------------------------------------------------------------

// Their modes at the present positions: what touches asks. Their switching functions, for which work->force->find_forces is called where
// one touches; change of mode i, 0: it is not theirs.
void force_set_rigid(const artModel *m, artData *d);
void force_rigid_switches(const artModel *m, artData *d, double *g);
int force_switch_rigid(const artModel *m, artData *d, int i);
int force_is_rigid_switch(const artModel *m, int i);

// What they remember of their modes: numbers[RIGID_NUMBERS nrigid].
enum { RIGID_NUMBERS = 2 * RIGID_ROWS + 5 * RIGID_PARTS + 7 };
void force_save_rigid(const artModel *m, const artData *d, double *numbers);
void force_load_rigid(const artModel *m, artData *d, const double *numbers);

// Contact k of a pile (from 1 on) that has a force; NULL: it has no more.
const pileForce *force_pile_contact(const artModel *m, const artData *d, int pile, int k);

// Contacts of a pile act, and what it shows; what all piles remember: numbers[force_pile_numbers].
artStatus force_apply_pile(const artModel *m, artData *d, const modelElement *e, double *value);
size_t force_pile_numbers(const artModel *m);
void force_save_piles(const artModel *m, const artData *d, double *numbers);
void force_load_piles(const artModel *m, artData *d, const double *numbers);

// Does one touch; does one ask?
int force_touches(const artModel *m, const artData *d);
int force_asks(const artModel *m, const artData *d);

//---- modes ---------------------------------------------------------------------------------------

// Choose all modes from the present state; switching functions; change of mode i.
void force_set_modes(const artModel *m, artData *d);
void force_switches(const artModel *m, artData *d, double *g);
void force_switch_mode(const artModel *m, artData *d, int i);

// Switching function i is zero: is its mode there by definition another one? With `take` it becomes that. Laws and stops, which
// are continuous, and latches have none.
int force_switching_surface(const artModel *m, artData *d, int i, int take);

// Does mode i stay when its switching function only comes to zero and back: that of a hysteresis, of what engages or releases?
int force_is_latching(const artModel *m, const artData *d, int i);

#endif
