// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Studies: what a user asks of a machine. Motion in time, equilibrium, linearisation, forces along a
// given motion. Each takes the model, a data block that holds the state, and the definition of its kind of study
// (artRunDef, artInverseDef ... from art_default_run and so on, or from the model file by art_find_study).
#ifndef ARTICULA_STUDY_H
#define ARTICULA_STUDY_H

#include "articula/data.h"

#ifdef __cplusplus
extern "C" {
#endif

//---- assembly ------------------------------------------------------------------------------------

// Result of closing the loops.
typedef struct artAssembly {
  int iterations;
  double gap_before, gap;           // largest opening of a loop's row, m or rad
  double rate_gap_before, rate_gap; // the same of its rate, m/s or rad/s, at closed positions
  double moved;                     // largest displacement of a coordinate, m or rad
  int rows, rank;                   // constraint rows of all loops, and how many of them count
  int redundant;                    // rows that follow from others: see art_redundant_row
  int dof;                          // degrees of freedom, driven coordinates not counted
} artAssembly;

// Bring the state in the data to closed loops and velocities that keep them closed, at data->time.
// Coordinates and velocities with an initial value in the model stay as they are, and so do driven
// ones; of all positions of the others that close the loops the nearest is taken: the least sum of squares of
// their changes, in rad, and in displacements divided by the machine's length. It is searched along the loops
// and, for machines of up to 48 velocities, from forty places around the start. Given values that are off by
// rounding (1e-6) are corrected.
// ART_NO_CONVERGENCE names the loop that stays open and how far, with the data at the nearest
// position found. ART_BAD_INPUT names drives that contradict each other, and given velocities that
// contradict the loops (unless the model asks for the nearest ones that do not).
// A machine without loops is left alone. Studies assemble by themselves. result may be NULL.
ART_API artStatus art_assemble(const artModel *model, artData *data, artAssembly *result,
                               artError *error);

// The same from other values of some coordinates and velocities, by name ("pin.angle", in SI units), which take the place of the model's
// initial values: they stay as they are, and all others move. Names that are unknown, driven or given twice are ART_BAD_INPUT. On
// failure the positions and velocities of the data stay as they were.
ART_API artStatus art_assemble_with(const artModel *model, artData *data, int n,
                                    const artSetting *value, artAssembly *result, artError *error);

// Changes that the last assembly or run made to the state it was given: coordinates that moved by more than
// 1e-5 rad, or that part of the machine's length (the largest distance between joints of a body), and
// given velocities that were corrected, by any amount. 0 when there is no k-th.
typedef struct artMove {
  const char *coordinate, *unit; // the model's
  double from, to;
} artMove;
ART_API int art_assembly_move(const artModel *model, const artData *data, int k, artMove *move);

// The k-th redundant row of the last assembly or run, in words: "row 5 (turn y) of joint 'hinge3'
// follows from joints 'hinge1', 'hinge2'; its reaction is not unique", or "" when there is no k-th.
// Returns the buffer.
enum { ART_ROW_LENGTH = 512 };
ART_API const char *art_redundant_row(const artModel *model, const artData *data, int k,
                                      char text[ART_ROW_LENGTH]);

//---- motion in time ------------------------------------------------------------------------------

enum { ART_JOINTS_LENGTH = 256 };

// The account that a run gives of itself.
typedef struct artCertificate {
  double time; // reached, s
  long steps, rejected, evaluations, events;
  double shortest_step, longest_step; // s
  double energy_start;                // kinetic + potential at the start, J
  double energy_end;                  // at the time reached
  double work;                        // of forces without potential and of drives
  double energy_error; // largest |kinetic + potential - start - work| at the outputs so far
  double
      recomputed_error; // method conserving, whose balance is closed by construction: the same at the ends of steps with
  // velocities on the constraints, and work by the power at both ends of steps
  double energy_scale;    // largest kinetic energy or change of potential so far, to compare with
  double energy_resolved; // errors below this are those that the tolerance allows a machine at rest
  double length, pace; // of the machine, m and 1/s, to powers of 1024: what is much of its motion
  double quaternion_error; // largest deviation of a quaternion from length one, before correction
  int rows, rank;          // constraint rows of closed loops, and how many of them count
  int redundant;           // rows that follow from others: see art_redundant_row
  int dof;                 // degrees of freedom, driven coordinates not counted
  double position_residual, velocity_residual, acceleration_residual; // largest over all rows, at
                                                                      // the outputs so far
  // The largest violation at the ends of steps, before loops were closed (recursive, augmented) or what had left the
  // constraints was projected out (natural coordinates), m or rad and per s. Other methods correct nothing: 0.
  double position_violation, velocity_violation;
  double top_rate; // natural coordinates: the largest rate of one so far, to compare with, per s
  double
      penalty_energy; // the same: largest  penalty/2 |rates of constraints|^2  at the ends of steps, before projections, J
  long rescaled;      // times that the conserving method scaled velocities to keep the energy
  long impacts;       // instants at which prescribed rates jumped, and velocities with them
  long latched;      // times that a lock, latch or rope engaged or released, and the kinetic energy
  double latch_loss; // that was lost where they engaged, J
  long repartitions; // times that other coordinates became the independent ones
  double weakest_pivot; // smallest pivot of the loops, relative to the partition's first: near 0
  double weakest_time;  // at a singular position; and when, s
  long passages;       // singular positions of loops that were passed, on the branch of the motion;
  double passage_time; // the first of them, or the first that the geometry misses, s
  double
      passage_gap; // largest distance by which it does, m or rad: lengths that were rounded; 0: none
  char passage_joints[ART_JOINTS_LENGTH]; // of the loop that passes there, "'qa', 'qe' and 'fa'"
  long generated, not_generated; // method generated: evaluations by compiled equations, and by the
                                 // numeric method where these did not apply
  long programs;                 // that were loaded, one for each choice of independent coordinates
  long odd_rows;                 // output instants so far with a number that is not finite
  char odd_outputs[ART_JOINTS_LENGTH]; // outputs that were not in the first row with such,
                                       // "'a', 'b' and 2 more"; "": the state itself
  long unseen_steps;   // of fixed length, within which something acted that they did not see
  long unproved_steps; // within which it could not be shown that nothing did
  long rounding_steps; // about so many steps were as short as rounding of the state allows
  int is_stiff;        // stability bounded the steps of dopri5, not the tolerance,
  double stiff_time;   // from this time on, s;
  int is_changed_over; // 1: bdf continued there (integrator automatic)
  double step_error;   // of results, as other steps tell it, relative to the result or to the root
      // mean square of its output; INFINITY: with those the case stopped; 0: nobody
      // has looked (sweeps on devices do)
  double worst_interval, total_time; // wall clock: longest advance between two outputs, all, s
} artCertificate;

// Verdict on a certificate, with its reasons in words.
typedef enum artVerdict {
  ART_VERDICT_GOOD,
  ART_VERDICT_DOUBTFUL, // the run finished, but its own figures speak against it
  ART_VERDICT_FAILED,   // it ended early, or a number of its results is not finite
  ART_VERDICTS
} artVerdict;
ART_API const char *art_verdict_name(artVerdict verdict); // "good", "doubtful", "failed"

enum { ART_REASONS_MOST = 8, ART_REASON_LENGTH = 320 };
typedef struct artJudgement {
  artVerdict verdict;
  int reasons; // none of a good run
  char reason[ART_REASONS_MOST][ART_REASON_LENGTH];
} artJudgement;

// Judge a run by its certificate; error: why it ended early, or NULL. The limits stand in doc/reference/results.md.
ART_API artJudgement art_judge(const artCertificate *certificate, const artError *error);

// What the certificate says about stiffness, in words, into `text`; NULL: the motion did not prove stiff.
ART_API const char *art_stiffness_note(const artCertificate *certificate,
                                       char text[ART_REASON_LENGTH]);

typedef struct artRun artRun;

// Begin at the state in the data (its positions and velocities) at study->from. The run keeps
// pointers to model and data, which must outlive it; it owns the modes of piecewise forces. Steps are
// never longer than a hundredth of the study, or a machine at rest would sleep through what begins
// later. The work counts as an unknown among others, measured by the energies at hand.
ART_API artStatus art_create_run(artRun **run, const artModel *model, artData *data,
                                 const artRunDef *study, artError *error);

// Advance to time t, not before the present one. The data then holds the state at t with
// accelerations, forces and energies, ready for art_outputs. Steps do not depend on the times asked
// for and may have gone beyond t: forces that change in between are for art_step. Allocates as little as art_step. On failure the data holds the last good state. A time that is not finite, or
// before the present one, is ART_BAD_INPUT.
ART_API artStatus art_run_to(artRun *run, double t, artError *error);

// Steps for controllers (doc/guide/plant.md): advance to exactly t, or by exactly dt, and show the state there as art_run_to does.
// No evaluation looks beyond, and what acts on the machine (inputs, contexts of callbacks) is held on the way, or goes on a straight line for inputs of first order: set it, step,
// read, set it anew. Where it has changed since the last step the integrator begins anew, and else goes on. n steps of the same dt
// in a row end at start + n dt, which is counted and not summed. A step of 0 s shows the present state with what acts on
// it now. The `until` of the study bounds nothing. On failure the data holds the last good state, perhaps within
// the step, and the run may be stepped on from there; a time before the present one, a negative dt and numbers that are not
// finite are ART_BAD_INPUT and change nothing. Allocates nothing, from the first step on and behind art_set_parameter, but with sparse algebra, with redundant rows solved by UMFPACK or SPQR, and where generated code is made; with rk4 the work
// is that of dt / step steps, rounded up, and of the events on the way.
ART_API artStatus art_step(artRun *run, double dt, artError *error);
ART_API artStatus art_step_to(artRun *run, double t, artError *error);

// Something has changed that the program cannot see: the next step begins anew. Inputs and parameters are seen, and models with callbacks or
// with attached functions that have a context begin anew in any case.
ART_API void art_restart_run(artRun *run);

ART_API artCertificate art_certify(const artRun *run);

// Everything needed to go on later to the same bits: a block of bytes, for this kind of machine. Any other bytes
// and another size are ART_BAD_INPUT and leave the run as it was. The size may change where a latch engages or releases.
ART_API size_t art_run_state_size(const artRun *run);
ART_API artStatus art_save_run(const artRun *run, void *bytes, size_t size, artError *error);
ART_API artStatus art_load_run(artRun *run, const void *bytes, size_t size, artError *error);

// Accepts NULL. Before its data is freed.
ART_API void art_free_run(artRun *run);

// Advance to the next output instant of the study; the last one is exactly `until`, where the run then
// stays. With an interval the instants are from + k * interval. Without one they lie as close as the
// steps, so that what the steps resolve is not aliased: in each step the points of the widest grid
// from + k w, w one of 1, 2, 5 times a power of ten, that is not wider than the step, nor than the time
// in which a coordinate turns by 0.3 rad; with rk4 at all steps. There are at most 200000: then the grid is wider, or rows are 2, 4, 8 ... steps apart. The first
// row, at `from`, is there by art_run_to.
ART_API artStatus art_run_next(artRun *run, const artRunDef *study, artError *error);

// The k-th output instant of a study as far as it is known before the run, from + k * interval, the
// last one exactly `until`; their number. Without an interval: the steps of rk4 as above, for other
// integrators and studies a hundredth of the duration. Before the first instant lies the first,
// behind the last the last.
ART_API long art_output_count(const artRunDef *study);
ART_API double art_output_time(const artRunDef *study, long k);

//---- equilibrium ---------------------------------------------------------------------------------

typedef struct artEquilibrium {
  int iterations;
  double residual; // largest joint force out of balance, N or N m
  double moved;    // largest displacement of a coordinate from the start, m or rad
  int stable; // 1: the potential energy has a minimum there; 0: it has not; -1: not known, for one
              // of two reasons:
  const char *no_potential; // the force element that has no potential, or NULL
  const char
      *neutral; // the velocity along which the potential does not change to second order, or NULL
} artEquilibrium;

// Move q to a static equilibrium (v = 0, accelerations zero) near the state in the data, stable or
// not. Driven coordinates stay where their drives put them at data->time, at rest as all others.
// ART_NO_CONVERGENCE with the worst joint named when there is none near; the data then holds the best
// state found.
ART_API artStatus art_find_equilibrium(const artModel *model, artData *data, artEquilibrium *result,
                                       artError *error);

// The same by descent on the potential energy, loops closed all along, in steps of at most 0.3 rad or that
// part of the machine's length unless the potential is a parabola: a machine near an unstable
// equilibrium, or in one, goes down to the next stable one. Where a force has no potential (tyres,
// formulas) it does as art_find_equilibrium does. ART_NO_CONVERGENCE names the joint along which the
// potential falls without end; the data is then left as it was.
ART_API artStatus art_find_stable_equilibrium(const artModel *model, artData *data,
                                              artEquilibrium *result, artError *error);

// A vehicle in steady motion: straight on, or around a circle when it is steered.
typedef struct artTrim {
  int iterations;
  double residual; // norm of the accelerations that should vanish, m/s^2 or rad/s^2
  double sideways; // speed to the left of the heading, m/s
  double yaw_rate; // rad/s
  double gain;     // of speed along the heading, m/s^2: what drag and drive leave over
} artTrim;

// Put the machine into steady motion at a speed (m/s) along its heading, near the state in the data: heights,
// attitude, suspension, speeds of wheels, speed sideways and yaw rate such that nothing changes but
// the place, the heading, the angles of the wheels, and the speed by what nothing holds against drag. The
// vehicle is the body on a free joint from ground, or on joints that slide along x and y and turn about z.
// Wheels are those that have tyres.
ART_API artStatus art_find_trim(const artModel *model, artData *data, double speed, artTrim *result,
                                artError *error);

// The equilibrium of a study at data->time, as all studies and the command take it: steady motion where it has a
// speed, else the stable equilibrium, or the nearest one if it says so; at_equilibrium is of no account. `rest` or `trim`,
// whichever search it was, says what came of it; both may be NULL.
ART_API artStatus art_find_start(const artModel *model, artData *data, const artStartDef *start,
                                 artEquilibrium *rest, artTrim *trim, artError *error);

//---- linearisation -------------------------------------------------------------------------------

// x = (dq, dv) of the free velocity coordinates: displacements along them (rotation vectors for
// ball and free joints), then velocities.  dx/dt = A x;  M d2dq/dt2 + C ddq/dt + K dq = 0.
// About a moving state ddq/dt differs from dv by the turning of ball and free joints; A, C and K
// account for it. With closed loops the free coordinates are the independent ones, and all follow
// them by  dq_all = R dq.  States (of the section states, of blocks, slips of tyres) stand behind dv;
// M, C and K take them as constant.
// Inputs u of the model and its outputs y, both as changes from the state, belong to it by
//   dx/dt = A x + B u,  y = Cy x + Dy u.
// Held values of samplers stay as they are: a sampled controller is open in these matrices. Cy and Dy are NAN in rows of
// outputs that have no value at the state.
typedef struct artLinear {
  int n;                    // free coordinates
  int nstate;               // states of force elements
  int order;                // 2n + nstate, length of x
  int *coordinate;          // [n] velocity coordinate of each
  double *M, *C, *K;        // [n n] by rows
  double *A;                // [order order]
  int ninput, noutput;      // of the model
  double *B;                // [order ninput] by rows
  double *Cy, *Dy;          // [noutput order], [noutput ninput]
  double *real, *imaginary; // [order] eigenvalues of A, sorted by modulus then by imaginary part;
                            //         those that only rounding keeps from zero are zero
  double *frequency;        // [order] |lambda| / 2 pi, Hz; 0 for a real eigenvalue: no oscillation
  double *damping;          // [order] -real / |lambda|; 0 where lambda is
  double *mode_real, *mode_imaginary; // [order n] rows: displacement part, largest component 1
  double *share; // [order n] rows: share of each coordinate in the mode's kinetic energy, sum 1

  // the same for all coordinates that no drive prescribes; without loops these are the free ones
  int nall;
  int *all;                             // [nall] velocity coordinate of each
  double *R;                            // [nall n] by rows
  double *shape_real, *shape_imaginary; // [order nall] rows, largest component 1
  double *shape_share;                  // [order nall] rows, sum 1
} artLinear;

// Linearise about the state in the data (usually an equilibrium); states of force elements are first
// set to those that would not change. Free with art_free_linear.
ART_API artStatus art_linearise(const artModel *model, artData *data, artMethod method,
                                artLinear **result, artError *error);
ART_API void art_free_linear(artLinear *linear); // accepts NULL

//---- tables --------------------------------------------------------------------------------------

// Table that some studies give: columns of numbers with names and units.
typedef struct artTable {
  int columns;
  long rows;
  const char **name, **unit; // [columns]
  double *value;             // [rows columns] by rows
  void *memory;              // of all the above
} artTable;
ART_API void art_free_table(artTable *table); // accepts NULL

//---- kinematics and compliance of an axle --------------------------------------------------------

// Move the wheels of the study up and down in small steps, from the state in the data, and find the
// static equilibrium of all else: joints that are held keep their positions, drives theirs, and tyres
// do nothing, for the rig takes the place of the road. A row for each travel, from full rebound to full
// bump; in the axes of ground, for every wheel W
//   W.travel [m]   W.toe, W.camber [rad]   W.dx, W.dy [m]   W.scrub [m]   W.load [N]   W.rate [N/m]
// Toe is positive where the front of the wheel points to the middle of the car, camber where its top
// leans away from it; dx, dy: of the wheel centre from its start; scrub: how far the point `radius` below
// it has moved away from the middle; load: what holds the wheel centre up, and its rate along the
// motion. Two wheels on either side have their `track` [m], the sum of scrubs. For every load of
// the study that is not zero, W.toe.lateral and so on: what that load on all wheels changes.
// ART_NO_CONVERGENCE with the travel where no equilibrium was found. The data is left at the start.
ART_API artStatus art_find_kinematics(const artModel *model, artData *data,
                                      const artKinematicsDef *study, artTable **result,
                                      artError *error);

//---- frequency response --------------------------------------------------------------------------

// Linearise about the state in the data, as art_linearise does, and find what the outputs of the model
// do when the road under the study's tyres is raised by  factor e^(j w (t - delay))  each, in metres: with
// z the height of the road and dy, dx what outputs and state deviate by
//   dx/dt = A dx + B0 z + B1 dz/dt,  dy = C dx + D0 z + D1 dz/dt
//   H(j w) = C (j w - A)^-1 (B0 + j w B1) + D0 + j w D1
// A row for each frequency: frequency [Hz], then for every output OUT.magnitude, in its unit by metre, and
// OUT.phase [rad], between -pi and pi. The data is left as art_linearise leaves it.
// peaks (NULL: not wanted) has a row for each peak of a magnitude between the lowest and the highest
// frequency: number of the output, frequency [Hz] to 1e-9, magnitude, which is infinite at a pole without
// damping; by output, highest first. They are
// looked for around the poles as well as between the rows, so that none is missed for being narrow.
ART_API artStatus art_find_response(const artModel *model, artData *data,
                                    const artResponseDef *study, artTable **result,
                                    artTable **peaks, artError *error);

//---- inverse dynamics along a motion -------------------------------------------------------------

// Put the data on the motion that the study prescribes at time t (positions, velocities and
// accelerations of all coordinates, from the study's formulas and the drives; coordinates without
// either rest at their initial value), evaluate all forces, and find what drives would have to add:
// tau[nv], the joint forces that are missing. art_outputs then answers for this state, with
// joint.force the total of elements and tau.
// With closed loops the coordinates that are given are the independent ones; the others follow, along
// the branch of the state before. ART_BAD_INPUT when more is given than the machine has freedom for.
// The study is one of the model (art_find_study); NULL: all coordinates rest.
// When the study names actuators, these and the drives alone act, with the least forces where they
// are not unique; ART_SINGULAR when they cannot make the motion, with what is missing in tau.
ART_API artStatus art_inverse_at(const artModel *model, artData *data, const artInverseDef *study,
                                 double t, double *tau, artError *error);

//---- sweeps --------------------------------------------------------------------------------------
//
// One run for each of many cases, which differ in parameters of the model file or in initial values.

// A parameter between two values: `count` of them in a grid, evenly spaced with both ends; samples fall
// anywhere in between.
typedef struct artRange {
  double from, to;
  long count;
} artRange;

// Rows of all combinations, the last of the n parameters running fastest, into value[rows n]; returns the
// rows. value may be NULL. -1 when there are more than fit into a long, or a count below 1.
ART_API long art_make_grid(int n, const artRange *range, double *value);

typedef enum artSampling {
  ART_RANDOM, // evenly distributed, each row by itself
  ART_LATIN,  // Latin hypercube: of `rows` equal parts of every range each holds one row
  ART_SAMPLINGS
} artSampling;
ART_API const char *art_sampling_name(artSampling sampling); // "random", "latin"

// Rows of random numbers in the ranges into value[rows n]: the same for the same seed on every machine.
// ART_NO_MEMORY when there is none.
ART_API artStatus art_make_samples(artSampling sampling, unsigned long long seed, int n,
                                   const artRange *range, long rows, double *value,
                                   artError *error);

// Figure that is kept of the rows of an output: the last, the least, the largest; the mean and the root of
// the mean square over time, by the trapezoidal rule.
typedef enum artDigest { ART_FINAL, ART_MIN, ART_MAX, ART_MEAN, ART_RMS, ART_DIGESTS } artDigest;
ART_API const char *art_digest_name(artDigest digest); // "final", "min", "max", "mean", "rms"

typedef struct artResultDef {
  artDigest digest;
  int output; // its number, as in art_output_name
} artResultDef;

// A case that has been run.
typedef struct artCase {
  long number;                // from 0
  const double *parameter;    // [nparameter]
  artError error;             // of status ART_OK when it finished
  const double *value;        // [nresult]; NAN when it failed
  artCertificate certificate; // as far as it came
  int lanes;                  // it ran beside others in so many lanes of generated code; 0: alone
  const char *device;         // that it ran on beside others, for people; NULL: none
  const char *aside;          // why not on the device that was asked for; NULL: it did, or none was
  double apart; // largest difference from results of its own run, relative to the largest of all
  double
      rounding; // on a device: of accelerations at the beginning from those in double precision, relative to the largest, or to 1
                // cases; NAN: that was not looked at
} artCase;

struct artBatchDef;
typedef struct artSweepDef {
  const char *path; // of the model file
  int nlibrary;     // shared objects with functions that the model calls (art_attach_library)
  const char *const *library;
  int nparameter;
  const char *const *parameter; // names, as in artSetting
  long ncase;
  const double *value; // [ncase nparameter] by rows, SI
  int nfixed;          // settings of all cases besides
  const artSetting *fixed;
  int nresult;
  const artResultDef *result;
  const char *is_done; // [ncase] 1: the case is left out; NULL: none
  int threads;         // 0: as many as there are processors

  // Cases run together by kernels (batch.h), `n` at a time; 0: a number that suits the device. NULL: each by itself.
  const struct artBatchDef *batch;
  int once; // these do not move again in other steps: nobody knows their errors, and they are faster

  // The study of a case's model; NULL: the first run of the file.
  artStatus (*choose)(void *context, const artModel *model, artRunDef *study, artError *error);
  // A case is done. Called by one thread at a time, in no order; what is not ART_OK ends the sweep.
  artStatus (*done)(void *context, const artCase *c, artError *error);
  // Asked often, by any thread; not 0 ends the sweep, cases at work are given up. NULL: never.
  int (*is_stopped)(void *context);
  void *context;
} artSweepDef;

// Cases of method generated with rk4 run in lanes (generate.h), several at a time in each thread, where machines
// differ in parameters of the generated code alone, have no switching instants and no functions of the host's.
//
// Cases of a batch begin at states that are found here, one by one, and take the steps of rk4 or dopri5 on the device; the
// certificate is that of the beginning and the end. Steps go across switching instants. All cases make the motion twice, rk4
// in longer steps (machines with samplers in shorter ones), dopri5 with ten times the tolerance, and where that changes much in shorter ones: what that does to
// results is the step_error of their certificates.
// The first and the last case of every portion run by themselves as well, and where results differ by more than 1e-4, and by more
// than errors of both explain, the sweep ends: ART_UNSUPPORTED, as where a study or a parameter is not for devices. A case that cannot go on
// there runs by itself.
//
// Run all cases. The result of a case does not depend on the number of threads, nor on other cases; one that
// fails is reported like the others. Fails only when `done` does or memory runs out. OpenBLAS is told to use one
// thread, unless OPENBLAS_NUM_THREADS is set: its threads would get in the way of these.
ART_API artStatus art_run_sweep(const artSweepDef *def, artError *error);

#ifdef __cplusplus
}
#endif

#endif
