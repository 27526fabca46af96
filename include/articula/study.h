// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Studies of a machine: motion in time, equilibrium, linearisation, inverse dynamics along a given
// motion. Each takes the model, a data block that holds the state, and the definition of the study
// (artRunDef, artInverseDef ... from art_default_run and so on, or from the model file by
// art_find_study).
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
  double gap_before, gap;           // largest residual of a loop's row, m or rad
  double rate_gap_before, rate_gap; // largest rate of a residual, m/s or rad/s, at closed positions
  double moved;                     // largest displacement of a coordinate, m or rad
  int rows, rank; // constraint rows of all loops, and the number of independent ones
  int redundant;  // dependent rows: see art_redundant_row
  int dof;        // degrees of freedom, without driven coordinates
  int speeds;     // independent velocities: dof, less those that rolling joints bind
} artAssembly;

// Close the loops at data->time: change the state in the data to positions and velocities that
// satisfy all constraints. Coordinates and velocities with an initial value in the model stay
// fixed, and so do driven ones. Of all solutions for the other positions the nearest is taken,
// which has the least sum of squared changes, in rad, and in displacements divided by the machine's
// length. It is searched along the loops and, for machines of up to 48 velocities, from forty
// positions around the start. Given values with rounding errors (1e-6) are corrected.
// ART_NO_CONVERGENCE names the loop that stays open and its residual; the data then holds the
// nearest position found. ART_BAD_INPUT names drives that contradict each other, and given
// velocities that contradict the loops (unless the model asks to project them). A machine without
// loops is not changed. Studies assemble by themselves. result may be NULL.
ART_API artStatus art_assemble(const artModel *model, artData *data, artAssembly *result,
                               artError *error);

// The same with other values of some coordinates and velocities, by name ("pin.angle", in SI
// units), instead of the model's initial values: these stay fixed, and all others move. Names that
// are unknown, driven or given twice give ART_BAD_INPUT. On failure the positions and velocities of
// the data are unchanged.
ART_API artStatus art_assemble_with(const artModel *model, artData *data, int n,
                                    const artSetting *value, artAssembly *result, artError *error);

// Changes that the last assembly or run made to its initial state: coordinates that moved by more
// than 1e-5 rad, or 1e-5 of the machine's length (the largest distance between joints of a body),
// and given velocities that were corrected, by any amount. Returns 0 if there is no k-th change.
typedef struct artMove {
  const char *coordinate, *unit; // owned by the model
  double from, to;
} artMove;
ART_API int art_assembly_move(const artModel *model, const artData *data, int k, artMove *move);

// A description of the k-th redundant row of the last assembly or run: "row 5 (turn y) of joint
// 'hinge3' follows from joints 'hinge1', 'hinge2'; its reaction is not unique", or "" if there is
// no k-th. Returns the buffer.
enum { ART_ROW_LENGTH = 512 };
ART_API const char *art_redundant_row(const artModel *model, const artData *data, int k,
                                      char text[ART_ROW_LENGTH]);

//---- motion in time ------------------------------------------------------------------------------

enum { ART_JOINTS_LENGTH = 256 };

// Accuracy figures and counts of a run.
typedef struct artCertificate {
  double time; // time reached, s
  long steps, rejected, evaluations, events;
  double shortest_step, longest_step; // s
  double energy_start;                // kinetic + potential at the start, J
  double energy_end;                  // at the time reached, J
  double work;                        // of forces without potential and of drives, J
  double energy_error; // largest |kinetic + potential - start - work| at output instants so far, J
  // method conserving, whose balance is exact by construction: the same at the ends of steps,
  // with velocities projected onto the constraints, and work by the power at both ends of
  // steps, J
  double recomputed_error;
  double energy_scale; // reference: largest kinetic energy, change of potential or work so far, J
  double energy_resolved; // smaller errors are within the tolerance for a machine at rest
  double length, pace; // of the machine, m and 1/s, rounded to powers of 1024: scales of its motion
  double quaternion_error; // largest deviation of a quaternion from unit length, before
                           // normalisation
  int rows, rank;          // constraint rows of closed loops, and the number of independent ones
  int redundant;           // dependent rows: see art_redundant_row
  int dof;                 // degrees of freedom, without driven coordinates
  double position_residual, velocity_residual, acceleration_residual; // largest over all rows, at
                                                                      // output instants so far
  // Largest constraint violation at the ends of steps, before loops are closed (recursive,
  // augmented) or the state is projected onto the constraints (natural coordinates), in m or rad,
  // and per s. 0 for other methods, which correct nothing.
  double position_violation, velocity_violation;
  double top_rate; // natural coordinates: reference, the largest rate of a coordinate so far, per s
  // natural coordinates: largest  penalty/2 |rates of constraints|^2  at the ends of steps,
  // before projection, J
  double penalty_energy;
  long rescaled; // number of times that the conserving method scaled velocities to keep the energy
  long impacts;  // instants at which prescribed rates, and with them velocities, jumped
  long latched;  // engagements and releases of locks, latches and ropes
  double latch_loss;              // kinetic energy lost at engagements, J
  long contact_impacts;           // instants at which rigid contacts met,
  double contact_loss;            // kinetic energy lost there, J
  double contact_gain, gain_time; // most that an impact has added to it, J, and when, s
  double
      contact_left; // integrator moreau: largest error of a velocity that its sweeps left, of the largest one
  double contact_overlap;          // largest overlap of rigid contacts at ends of steps, m,
  char contact[ART_JOINTS_LENGTH]; // and the first contact that overlaps by more than rounding; ""
  int overlaps;                    // contact points whose surfaces overlap at the start,
  double overlap;                  // by how much the deepest of them, m
  char overlap_contact[ART_JOINTS_LENGTH]; // and its contact
  long repartitions;                       // number of changes of the independent coordinates
  double weakest_pivot; // smallest pivot of the loops, relative to the partition's initial one;
                        // small near a singular position
  double weakest_time;  // time of the weakest pivot, s
  long passages;        // singular positions of loops that the run passed, staying on its branch
  double passage_time;  // the time of the first, or of the first with a gap, s
  // largest residual at such a position, m or rad, caused by rounded lengths; 0: none
  double passage_gap;
  char passage_joints[ART_JOINTS_LENGTH]; // of the loop at that position, "'qa', 'qe' and 'fa'"
  // The largest force that would have pulled a rolling disc or ball onto its plane, N; 0: all were
  // pressed on. From when on, s, and which was the first.
  double pull, pull_time;
  char pull_joint[ART_JOINTS_LENGTH];
  long generated, not_generated; // method generated: evaluations by compiled equations, and by the
                                 // numeric method where these did not apply
  long programs;                 // loaded libraries, one for each choice of independent coordinates
  long odd_rows;                 // output instants so far with a value that is not finite
  char odd_outputs[ART_JOINTS_LENGTH]; // outputs that are not finite in the first such row,
                                       // "'a', 'b' and 2 more"; "": the state itself
  long unseen_steps;                   // steps of fixed length within which a formula or a road
                                       // changed more than their ends show
  long unproved_steps;                 // steps for which it could not be proved that none did
  long rounding_steps; // approximate number of steps that were as short as rounding of the state
                       // allows
  int is_stiff;        // 1: stability, not the tolerance, limited the steps of dopri5
  double stiff_time;   // from this time on, s
  int is_changed_over; // 1: bdf continued from there (integrator automatic)
  // Largest error of a result, estimated from other step lengths, relative to the result or to
  // the root mean square of its output. INFINITY: the case failed with the other steps; 0: not
  // estimated (only sweeps on devices and methods with given steps do).
  double step_error;
  double worst_interval,
      total_time; // wall-clock time, s: longest advance between two outputs, total
} artCertificate;

// Verdict on a certificate, with reasons.
typedef enum artVerdict {
  ART_VERDICT_GOOD,
  ART_VERDICT_DOUBTFUL, // the run finished, but its certificate shows a problem
  ART_VERDICT_FAILED,   // it ended early, or one of its results is not finite
  ART_VERDICTS
} artVerdict;
ART_API const char *art_verdict_name(artVerdict verdict); // "good", "doubtful", "failed"

enum { ART_REASONS_MOST = 8, ART_REASON_LENGTH = 320 };
typedef struct artJudgement {
  artVerdict verdict;
  int reasons; // 0 for a good run
  char reason[ART_REASONS_MOST][ART_REASON_LENGTH];
} artJudgement;

// Judge a run by its certificate; error: the reason why it ended early, or NULL. The limits are
// given in doc/reference/results.md.
ART_API artJudgement art_judge(const artCertificate *certificate, const artError *error);

// Describe the stiffness of the motion in `text`; NULL: the motion did not prove stiff.
ART_API const char *art_stiffness_note(const artCertificate *certificate,
                                       char text[ART_REASON_LENGTH]);

typedef struct artRun artRun;

// Begin at the state in the data (its positions and velocities) at study->from. The run keeps
// pointers to model and data, which must outlive it; it owns the modes of piecewise forces. Steps
// are at most a hundredth of the study: otherwise a machine at rest would step over events that
// begin later. The work is integrated as an additional unknown, with errors relative to the present
// energies.
ART_API artStatus art_create_run(artRun **run, const artModel *model, artData *data,
                                 const artRunDef *study, artError *error);

// Advance to time t >= the present time. The data then holds the state at t with accelerations,
// forces and energies, ready for art_outputs. Steps do not depend on the requested times and may
// extend beyond t; to change forces in between, use art_step. Allocates as little as art_step. On
// failure the data holds the last valid state. A time that is not finite, or before the present
// one, gives ART_BAD_INPUT.
ART_API artStatus art_run_to(artRun *run, double t, artError *error);

// Steps for controllers (doc/guide/plant.md): advance to exactly t, or by exactly dt, and leave the
// state there in the data as art_run_to does. No evaluation is beyond t. Inputs and contexts of
// callbacks are constant during the step, or linear for inputs of first order: set them, step,
// read, set them again. If they have changed since the last step the integrator restarts, otherwise
// it continues. n successive steps of the same dt end at start + n dt, without accumulated
// rounding. A step of 0 s evaluates the present state with the present inputs. The `until` of the
// study is not a limit.
//
// On failure the data holds the last valid state, perhaps within the step, and the run may continue
// from there. A time before the present one, a negative dt and numbers that are not finite give
// ART_BAD_INPUT and change nothing.
//
// Allocates nothing, including the first step and steps after art_set_parameter, except with sparse
// algebra, with redundant rows solved by UMFPACK or SPQR, and when code is generated. With rk4 the
// cost is that of dt / step steps, rounded up, and of the events in between.
ART_API artStatus art_step(artRun *run, double dt, artError *error);
ART_API artStatus art_step_to(artRun *run, double t, artError *error);

// Declare a change that the library cannot detect: the next step restarts the integrator. Not
// needed for inputs and parameters, nor for models with callbacks or with attached functions that
// have a context, which always restart.
ART_API void art_restart_run(artRun *run);

ART_API artCertificate art_certify(const artRun *run);

// Save and load everything that is needed to continue later with bit-identical results: a block of
// bytes, valid on the same kind of machine. Any other bytes or size give ART_BAD_INPUT and leave
// the run unchanged. The size may change when a latch engages or releases.
ART_API size_t art_run_state_size(const artRun *run);
ART_API artStatus art_save_run(const artRun *run, void *bytes, size_t size, artError *error);
ART_API artStatus art_load_run(artRun *run, const void *bytes, size_t size, artError *error);

// Accepts NULL. Call it before its data is freed.
ART_API void art_free_run(artRun *run);

// Advance to the next output instant of the study; the last one is exactly `until`, and further
// calls stay there. The first row, at `from`, is obtained by art_run_to. With an interval the
// instants are from + k * interval. Without one they are as dense as the steps, to avoid aliasing:
// in each step the points of the widest grid from + k w, with w = 1, 2 or 5 times a power of ten,
// that is not wider than the step, nor than the time in which a coordinate rotates by 0.3 rad; with
// rk4 at every step. There are at most 200000 instants: beyond that the grid is wider, or rows are
// 2, 4, 8 ... steps apart.
ART_API artStatus art_run_next(artRun *run, const artRunDef *study, artError *error);

// The k-th output instant of a study as far as it is known before the run, from + k * interval, the
// last one exactly `until`; and their number. Without an interval: the steps of rk4 as above, for
// other integrators and studies a hundredth of the duration. k is clamped to the valid range.
ART_API long art_output_count(const artRunDef *study);
ART_API double art_output_time(const artRunDef *study, long k);

//---- equilibrium ---------------------------------------------------------------------------------

typedef struct artEquilibrium {
  int iterations;
  double residual; // largest unbalanced joint force, N or N m
  double moved;    // largest displacement of a coordinate from the start, m or rad
  int stable; // 1: the potential energy has a minimum there; 0: it has none; -1: unknown, for one
              // of two reasons:
  const char *no_potential; // the force element that has no potential, or NULL
  // the velocity along which the potential is constant to second order, or NULL
  const char *neutral;
} artEquilibrium;

// Move q to a static equilibrium (v = 0, accelerations zero) near the state in the data, stable or
// not. Driven coordinates stay where their drives put them at data->time, at rest.
// ART_NO_CONVERGENCE names the worst joint if there is none near; the data then holds the best
// state found.
ART_API artStatus art_find_equilibrium(const artModel *model, artData *data, artEquilibrium *result,
                                       artError *error);

// The same by descent on the potential energy, with loops closed, in steps of at most 0.3 rad or
// 0.3 of the machine's length unless the potential is quadratic: a machine at or near an unstable
// equilibrium moves to the next stable one. If a force has no potential (tyres, formulas), the
// result is that of art_find_equilibrium. ART_NO_CONVERGENCE names the joint along which the
// potential falls without bound; the data is then unchanged.
ART_API artStatus art_find_stable_equilibrium(const artModel *model, artData *data,
                                              artEquilibrium *result, artError *error);

// Steady motion of a vehicle: straight ahead, or on a circle if it is steered.
typedef struct artTrim {
  int iterations;
  double residual; // norm of the accelerations that should be zero, m/s^2 or rad/s^2
  double sideways; // speed to the left of the heading, m/s
  double yaw_rate; // rad/s
  double gain;     // remaining acceleration along the heading, from drag and drive, m/s^2
} artTrim;

// Find steady motion at a speed (m/s) along the heading, near the state in the data. Heights,
// attitude, suspension, wheel speeds, lateral speed and yaw rate are such that nothing changes
// except position, heading, wheel angles, and the speed if no drive balances drag. The vehicle is
// the body on a free joint from ground, or on joints that slide along x and y and rotate about z.
// Its wheels are those with tyres.
ART_API artStatus art_find_trim(const artModel *model, artData *data, double speed, artTrim *result,
                                artError *error);

// The equilibrium of a study at data->time, as studies and the command use it: steady motion if it
// has a speed, else the stable equilibrium, or the nearest one if requested; at_equilibrium is
// ignored. The result of the search is stored in `rest` or `trim`; both may be NULL.
ART_API artStatus art_find_start(const artModel *model, artData *data, const artStartDef *start,
                                 artEquilibrium *rest, artTrim *trim, artError *error);

//---- linearisation -------------------------------------------------------------------------------

// x = (dq, dv) of the free velocity coordinates: displacements along them (rotation vectors for
// ball and free joints), then velocities.  dx/dt = A x;  M d2dq/dt2 + C ddq/dt + K dq = 0.
// About a moving state ddq/dt differs from dv by the rotation of ball and free joints; A, C
// and K account for it. With closed loops the free coordinates are the independent ones, and all
// others follow by  dq_all = R dq.  States (of the section `states`, of blocks, slips of tyres)
// follow dv in x; M, C and K treat them as constant. Inputs u of the model and its outputs y, both
// as changes from the state, satisfy
//   dx/dt = A x + B u,  y = Cy x + Dy u.
// Discrete states of samplers are constant: these matrices describe the open loop of a sampled
// controller. Cy and Dy are NAN in rows of outputs that have no value at the state.
typedef struct artLinear {
  int n;                    // free coordinates
  int nstate;               // continuous states
  int order;                // n + nspeed + nstate, length of x; nspeed is n unless something rolls
  int *coordinate;          // [n] velocity coordinate of each
  double *M, *C, *K;        // [n n] by rows; C and K are NaN where something rolls
  double *A;                // [order order]
  int ninput, noutput;      // of the model
  double *B;                // [order ninput] by rows
  double *Cy, *Dy;          // [noutput order], [noutput ninput]
  double *real, *imaginary; // [order] eigenvalues of A, sorted by modulus then by imaginary part;
                            // those that differ from zero only by rounding are set to zero
  double *frequency;        // [order] |lambda| / 2 pi, Hz; 0 for a real eigenvalue
  double *damping;          // [order] -real / |lambda|; 0 if lambda is 0
  double *mode_real, *mode_imaginary; // [order n] rows: displacement part, largest component 1
  double *share; // [order n] rows: share of each coordinate in the mode's kinetic energy, sum 1

  // The same for all coordinates that no drive prescribes; without loops these are the free ones.
  int nall;
  int *all;                             // [nall] velocity coordinate of each
  double *R;                            // [nall n] by rows
  double *shape_real, *shape_imaginary; // [order nall] rows, largest component 1
  double *shape_share;                  // [order nall] rows, sum 1

  // Rolling joints leave fewer velocities independent than positions. x holds the rates of these.
  int nspeed;
  int *speed; // [nspeed] indices into coordinate
} artLinear;

// Linearise about the state in the data (usually an equilibrium); states of force elements are
// first set to their steady-state values. Free with art_free_linear.
ART_API artStatus art_linearise(const artModel *model, artData *data, artMethod method,
                                artLinear **result, artError *error);
ART_API void art_free_linear(artLinear *linear); // accepts NULL

//---- tables --------------------------------------------------------------------------------------

// A table of results: columns of numbers with names and units.
typedef struct artTable {
  int columns;
  long rows;
  const char **name, **unit; // [columns]
  double *value;             // [rows columns] by rows
  void *memory;              // owns all of the above
} artTable;
ART_API void art_free_table(artTable *table); // accepts NULL

//---- kinematics and compliance of an axle --------------------------------------------------------

// Move the wheels of the study up and down in small steps, from the state in the data, and find the
// static equilibrium of the rest: held joints keep their positions, drives theirs, and tyres exert
// no force, because the test rig replaces the road. One row for each travel, from full rebound to
// full bump; in ground axes, for every wheel W
//   W.travel [m]   W.toe, W.camber [rad]   W.dx, W.dy [m]   W.scrub [m]   W.load [N]   W.rate [N/m]
// Toe is positive if the front of the wheel points to the middle of the car, camber if its top
// leans away from it; dx, dy: displacement of the wheel centre; scrub: displacement of the point
// `radius` below it away from the middle; load: vertical force that supports the wheel centre;
// rate: its derivative by travel. A pair of wheels has its `track` [m], the sum of scrubs. For
// every nonzero load of the study, W.toe.lateral and so on: the change caused by that load on all
// wheels. ART_NO_CONVERGENCE with the travel at which no equilibrium was found. The data is left at
// the start.
ART_API artStatus art_find_kinematics(const artModel *model, artData *data,
                                      const artKinematicsDef *study, artTable **result,
                                      artError *error);

//---- frequency response --------------------------------------------------------------------------

// Linearise about the state in the data, as art_linearise does, and compute the response of the
// model outputs to a road height of  factor e^(j w (t - delay))  under each tyre of the study, in
// metres: with z the height of the road, and dy, dx the deviations of outputs and state,
//   dx/dt = A dx + B0 z + B1 dz/dt,  dy = C dx + D0 z + D1 dz/dt
//   H(j w) = C (j w - A)^-1 (B0 + j w B1) + D0 + j w D1
// One row for each frequency: frequency [Hz], then for every output OUT.magnitude, in its unit per
// metre, and OUT.phase [rad], between -pi and pi. The data is left as by art_linearise. peaks (may
// be NULL) has one row for each peak of a magnitude between the lowest and the highest frequency:
// index of the output, frequency [Hz] to 1e-9, magnitude (infinite at an undamped pole); by output,
// highest first. Peaks are searched around the poles as well as between the rows, so that narrow
// ones are found.
ART_API artStatus art_find_response(const artModel *model, artData *data,
                                    const artResponseDef *study, artTable **result,
                                    artTable **peaks, artError *error);

//---- inverse dynamics along a motion -------------------------------------------------------------

// Compute the motion that the study prescribes at time t: positions, velocities and accelerations
// of all coordinates, from the study's formulas and the drives; coordinates without either rest at
// their initial value. Evaluate all forces and find the missing joint forces tau[nv] that drives
// would have to add. art_outputs is then valid for this state, with joint.force the sum of elements
// and tau.
//
// With closed loops the prescribed coordinates are the independent ones; the others follow on the
// present branch. ART_BAD_INPUT if more coordinates are prescribed than the machine has degrees of
// freedom. The study is one of the model (art_find_study); NULL: all coordinates rest. If the study
// names actuators, only these and the drives act, with least forces if they are not unique;
// ART_SINGULAR if they cannot produce the motion, with the missing forces in tau.
ART_API artStatus art_inverse_at(const artModel *model, artData *data, const artInverseDef *study,
                                 double t, double *tau, artError *error);

//---- sweeps --------------------------------------------------------------------------------------
//
// One run for each of many cases, which differ in parameters of the model file or in initial
// values.

// The range of a parameter: a grid has `count` evenly spaced values including both ends; samples
// are anywhere in the range.
typedef struct artRange {
  double from, to;
  long count;
} artRange;

// Write all combinations as rows into value[rows n], with the last of the n parameters changing
// fastest, and return the number of rows. value may be NULL. Returns -1 if the number exceeds a
// long, or a count is below 1.
ART_API long art_make_grid(int n, const artRange *range, double *value);

typedef enum artSampling {
  ART_RANDOM, // uniformly distributed, rows independent
  ART_LATIN,  // Latin hypercube: each of `rows` equal parts of every range contains one row
  ART_SAMPLINGS
} artSampling;
ART_API const char *art_sampling_name(artSampling sampling); // "random", "latin"

// Write random rows within the ranges into value[rows n]; equal seeds give bit-identical rows on
// every machine. ART_NO_MEMORY if memory runs out.
ART_API artStatus art_make_samples(artSampling sampling, unsigned long long seed, int n,
                                   const artRange *range, long rows, double *value,
                                   artError *error);

// Summary of an output over the rows of a run: last, minimum, maximum, mean and root mean square
// over time (trapezoidal rule).
typedef enum artDigest { ART_FINAL, ART_MIN, ART_MAX, ART_MEAN, ART_RMS, ART_DIGESTS } artDigest;
ART_API const char *art_digest_name(artDigest digest); // "final", "min", "max", "mean", "rms"

typedef struct artResultDef {
  artDigest digest;
  int output; // index, as in art_output_name
} artResultDef;

// The result of one case.
typedef struct artCase {
  long number;                // from 0
  const double *parameter;    // [nparameter]
  artError error;             // status ART_OK if it finished
  const double *value;        // [nresult]; NAN if it failed
  artCertificate certificate; // up to the time reached
  int lanes; // number of lanes of generated code that ran it together with other cases; 0: alone
  const char *device; // name of the device that ran it in a batch; NULL: none
  const char *aside;  // why it did not run on the requested device; NULL: it did, or none
                      // was requested
  double apart; // largest difference from the results of a separate run of the case, relative to
                // the largest of all cases; NAN: not checked
  // on a device: largest error of its initial accelerations against those in double precision,
  // relative to the largest, or to 1
  double rounding;
} artCase;

struct artBatchDef;
typedef struct artSweepDef {
  const char *path; // of the model file
  int nlibrary;     // shared objects with user functions of the model (art_attach_library)
  const char *const *library;
  int nparameter;
  const char *const *parameter; // names, as in artSetting
  long ncase;
  const double *value; // [ncase nparameter] by rows, SI
  int nfixed;          // settings common to all cases
  const artSetting *fixed;
  int nresult;
  const artResultDef *result;
  const char *is_done; // [ncase] 1: skip the case; NULL: skip none
  int threads;         // 0: one per core

  // Run cases together by kernels (batch.h), `n` at a time; n = 0: a number that suits the device.
  // NULL: each by itself.
  const struct artBatchDef *batch;
  int once; // 1: do not repeat batch cases with other steps: faster, but step_error is unknown

  // Choose the study of a case's model; NULL: the first run of the file.
  artStatus (*choose)(void *context, const artModel *model, artRunDef *study, artError *error);
  // Called after each case, by one thread at a time, in any order; a status other than ART_OK ends
  // the sweep.
  artStatus (*done)(void *context, const artCase *c, artError *error);
  // Polled by any thread; nonzero ends the sweep and abandons running cases. NULL: never.
  int (*is_stopped)(void *context);
  void *context;
} artSweepDef;

// Run all cases. The result of a case does not depend on the number of threads, nor on other cases;
// a failed case is reported like the others. Fails only if `done` does or memory runs out. OpenBLAS
// is set to one thread, unless OPENBLAS_NUM_THREADS is set, so that its threads do not compete with
// these.
//
// Cases of method generated with rk4 run in lanes (generate.h), several at a time in each thread,
// if the machines differ only in parameters of the generated code and have no switching instants
// and no functions of the host.
//
// Cases of a batch start from states that are computed here one by one, and take the steps of rk4
// or dopri5 on the device; the certificate covers the start and the end. Steps cross switching
// instants. Each motion is computed twice: rk4 with longer steps (machines with samplers with
// shorter ones), dopri5 with ten times the tolerance; if results change much, again with shorter
// ones. The change of results is the step_error of the certificate. The first and the last case of
// every portion also run separately; if results differ by more than 1e-4, and by more than the
// errors of both explain, the sweep ends with ART_UNSUPPORTED. The same status is returned if a
// study or a parameter is not supported on devices. A case that fails on the device runs
// separately.
ART_API artStatus art_run_sweep(const artSweepDef *def, artError *error);

#ifdef __cplusplus
}
#endif

#endif
