// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The state of a machine and its dynamics:  M(q) a + h(q, v) = tau
//
// All functions take a constant model and one of its data blocks. Only art_create_data and
// art_copy_data allocate (base.h), so threads may share one model if each has its own data.
//
// The length of positions q is nq; the length of velocities v, accelerations a and forces tau is
// nv. nq exceeds nv by one for every ball and free joint, whose orientation is a unit
// quaternion. SI units; points and vectors are in ground axes unless stated otherwise. Mass
// matrices are nv x nv, stored by rows.
#ifndef ARTICULA_DATA_H
#define ARTICULA_DATA_H

#include "articula/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct artWorkspace artWorkspace;

struct artData {
  double time;   // s, input
  double *q;     // [nq] positions, input; driven ones are set by art_update
  double *v;     // [nv] velocities, input; driven ones are set by art_update
  double *a;     // [nv] accelerations, by art_accelerate
  double *force; // [nv] applied joint forces, by art_apply_forces; in driven coordinates the total
                 // of elements and drive, by art_accelerate
  double *s;     // [states] states of the section `states`, of blocks and of force elements, input
  // [states] their rates, by art_apply_forces; rates that depend on accelerations by art_accelerate
  double *s_rate;
  // [held] inputs, then discrete states of samplers. Only art_set_input checks the limits of an
  // input; a value written here directly is not checked.
  double *u;
  artWorkspace *work; // everything else
};

//---- creating and copying ------------------------------------------------------------------------

// A data block at the initial state of the model; NULL if memory runs out.
ART_API artData *art_create_data(const artModel *model);
ART_API void art_free_data(artData *data); // accepts NULL

// Return to the initial state at time 0. Not allowed while a run uses the data.
ART_API void art_reset(const artModel *model, artData *data);

// Copy a data block into another one of the same model, for another thread or to return to later.
// Everything computed afterwards is bit-identical from both: accelerations by every method,
// outputs, reactions, studies, and runs that start from them. The copy includes time and state,
// states of elements, accelerations and forces, modes of elements (frozen if a run uses `from`),
// engaged latches, the independent coordinates of loops with their couplings at singular positions,
// work and initial energy. Threads and profiles are not copied. A run on `to` starts with released
// latches and modes of its own, as on `from` after its run has been freed.
//
// Allocates memory if `to` is not prepared like `from`: for other independent coordinates, for
// engaged latches, for the first use of the methods recursive, index1 and similar ones; always for
// method generated, whose equations are compiled again if `to` has others. A second copy allocates
// nothing if the independent coordinates of `from` have not changed.
//
// Not allowed while a run uses `to` or another thread works with `from`. After an error `to` is at
// its initial state.
ART_API artStatus art_copy_data(const artModel *model, artData *to, const artData *from,
                                artError *error);

// Number of bytes that art_create_data requests from the allocator and the block keeps until
// art_free_data. Creates a block to find it; 0 if memory runs out. Methods and studies allocate
// more at their first use.
ART_API size_t art_data_size(const artModel *model);

//---- inputs --------------------------------------------------------------------------------------

// Set an input by its index (art_find_input). A value that is not finite, or outside the limits,
// gives ART_BAD_INPUT and leaves the input unchanged. Like a change of time, q or v, it takes
// effect with the next art_update.
ART_API artStatus art_set_input(const artModel *model, artData *data, int input, double value,
                                artError *error);

//---- position and velocity -----------------------------------------------------------------------

// Update everything that depends on time, q and v: driven coordinates, poses, velocities.
//   reads  time, q, v
//   writes driven q and v, and the results that the functions below return
// Call it after changing time, q or v and before any function below. A library with assertions
// aborts if q or v was changed without it, and if accelerations or reactions are requested that
// belong to another state.
ART_API void art_update(const artModel *model, artData *data);

// Rates qdot[nq] of the positions, for integration, from the velocities v.
ART_API void art_position_rates(const artModel *model, const artData *data, double *qdot);

// Move q[nq] by a small displacement[nv] along the velocity coordinates. Quaternions are rotated
// and keep unit length.
ART_API void art_move(const artModel *model, double *q, const double *displacement);

// Normalise the quaternions in q[nq]; returns 1 if one changed. A quaternion (0, 0, 0, 0) is left
// unchanged.
ART_API int art_normalise(const artModel *model, double *q);

// `frame` is an index from art_find_frame. Positions, rotations and velocities are relative to
// ground; either velocity may be NULL.
ART_API void art_frame_position(const artModel *model, const artData *data, int frame,
                                double position[3]);
ART_API void art_frame_rotation(const artModel *model, const artData *data, int frame,
                                double quaternion[4]);
ART_API void art_frame_velocity(const artModel *model, const artData *data, int frame,
                                double linear[3], double angular[3]);

// Jacobian of a frame, 6 x nv by rows: angular velocity, then velocity of its origin. Cost O(nv).
ART_API void art_frame_jacobian(const artModel *model, artData *data, int frame, double *J);

//---- open tree: gravity only, loops open, rods with mass at their points -------------------------

// Joint forces tau[nv] that produce the accelerations a[nv] (NULL: zero) under gravity. Cost O(n).
ART_API void art_inverse_dynamics(const artModel *model, artData *data, const double *a,
                                  double *tau);

// Mass matrix M[nv nv], both triangles. Cost O(n depth).
ART_API void art_mass_matrix(const artModel *model, artData *data, double *M);

// The same, lower triangle only. Entries between different branches are not written, unless a rod
// with mass connects them.
ART_API void art_mass_matrix_lower(const artModel *model, artData *data, double *M);

// Accelerations a[nv] from the joint forces tau[nv] under gravity. Driven coordinates keep the
// accelerations of their drives. Cost O(n) times the number of rods with mass. ART_SINGULAR if a
// joint moves no inertia.
ART_API artStatus art_forward_dynamics(const artModel *model, artData *data, const double *tau,
                                       double *a, artError *error);

//---- the whole machine ---------------------------------------------------------------------------

// Evaluate all force elements at the present state.
//   writes force, and the forces on the bodies
ART_API artStatus art_apply_forces(const artModel *model, artData *data, artError *error);

// Accelerations under all forces and drives (calls art_apply_forces).
//   writes a, and force of driven coordinates
ART_API artStatus art_accelerate(const artModel *model, artData *data, artMethod method,
                                 artError *error);

// The same by method automatic with compiled equations, which are generated at the first call and
// kept with the data; the library computes all other results. ART_UNSUPPORTED if the equations
// cannot be compiled or disagree with the library.
ART_API artStatus art_accelerate_generated(const artModel *model, artData *data, artError *error);

// For callbacks, inside `apply`: add a force at the origin of a frame, a torque, or a joint force
// along the velocity coordinate with index `velocity`.
ART_API void art_apply_force(const artModel *model, artData *data, int frame,
                             const double force[3]);
ART_API void art_apply_torque(const artModel *model, artData *data, int frame,
                              const double torque[3]);
ART_API void art_apply_joint_force(const artModel *model, artData *data, int velocity,
                                   double force);

// Forces of drives and reactions follow from the accelerations: call these after art_accelerate.
//   frame:    acceleration of its origin and angular acceleration; either may be NULL
//   reaction: force and torque on `to` of a joint, at the joint frame of `to`; the component
//             along the joint's coordinates is that of forces and drives in the joint
ART_API void art_frame_acceleration(const artModel *model, const artData *data, int frame,
                                    double linear[3], double angular[3]);
ART_API artStatus art_reaction(const artModel *model, artData *data, const char *joint,
                               double force[3], double torque[3], artError *error);

// Forces of a rod on the bodies at its two points, in ground axes. A massless rod exerts opposite
// forces along its line. art_reaction gives the force on `to`.
ART_API artStatus art_rod_forces(const artModel *model, artData *data, const char *rod,
                                 double from[3], double to[3], artError *error);

//---- energy --------------------------------------------------------------------------------------

typedef struct artEnergy {
  double kinetic;
  double potential; // of gravity and of all force elements that have a potential
  double power;     // of all other forces and of drives; valid after art_accelerate
} artEnergy;
ART_API artEnergy art_energy(const artModel *model, artData *data);

// Linear momentum, and angular momentum about the ground's origin.
ART_API void art_momentum(const artModel *model, const artData *data, double linear[3],
                          double angular[3]);

//---- outputs -------------------------------------------------------------------------------------

// Set the work done by forces without potential since the start and the initial energy, for the
// outputs energy.work and energy.balance; art_run_to maintains both.
ART_API void art_set_work(artData *data, double work, double initial_energy);

// All outputs of the model, values[outputs], in order; call after art_accelerate.
ART_API void art_outputs(const artModel *model, artData *data, double *values);

#ifdef __cplusplus
}
#endif

#endif
