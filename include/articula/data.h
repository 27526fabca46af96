// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The state of a machine and its dynamics:  M(q) a + h(q, v) = tau
//
// All functions take the constant model and one data block of it. Apart from art_create_data and art_copy_data they
// allocate nothing (base.h), so one model may be shared by many threads, each with its own data.
// Positions q have length nq, velocities v, accelerations a and forces tau length nv; nq exceeds nv
// by one for every ball and free joint, whose orientation is a unit quaternion. SI units; points
// and vectors are in ground axes unless said. Mass matrices are nv x nv by rows.
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
  double *force; // [nv] applied joint forces, by art_apply_forces; in driven coordinates what
                 //      elements and drive give together, by art_accelerate
  double *s;     // [states] of the section states, of blocks and of force elements, input
  double
      *s_rate; // [states] their rates, by art_apply_forces; those that depend on accelerations by
               //      art_accelerate
  double
      *u; // [held] inputs, then held numbers of samplers; whoever writes an input here and not by
          //      art_set_input has checked its limits himself: none are looked at
  artWorkspace *work; // everything else
};

//---- life ----------------------------------------------------------------------------------------

// A data block at the initial state of the model; NULL when memory ran out.
ART_API artData *art_create_data(const artModel *model);
ART_API void art_free_data(artData *data); // accepts NULL

// Back to the initial state at time 0. Not while a run uses the data.
ART_API void art_reset(const artModel *model, artData *data);

// Copy a data block into another one of the same model, to be used by another thread or to come back to. All that follows
// gives the same bits from both: accelerations by every method, outputs and reactions, studies and runs that start from
// them. Copied are time and state, states of elements, accelerations and forces, modes of elements (frozen, where a run
// uses `from`), the latches that hold, the independent coordinates of loops with their couplings at singular positions, work
// and initial energy. Threads and profiles stay with each block. A run on `to` begins with open latches and modes of
// its own, as on `from` when its run has been freed.
//   Memory is taken where `to` is not prepared as `from` is: for other independent coordinates, for the latches that
//   hold, for the first use of methods recursive, index1 and its like; always for method generated, whose equations
//   are compiled again where `to` has others. The second copy of a data block that has not chosen anew takes none.
// Not while a run uses `to`, nor while another thread works with `from`. After an error `to` is at its initial state.
ART_API artStatus art_copy_data(const artModel *model, artData *to, const artData *from,
                                artError *error);

// Bytes that art_create_data asks the allocator for, and the block keeps until art_free_data; 0 when memory ran out, for
// the figure is found by making such a block. Methods and studies take more at their first use.
ART_API size_t art_data_size(const artModel *model);

//---- inputs --------------------------------------------------------------------------------------

// Set an input by its number (art_find_input). A value that is not finite, or outside the limits, is ART_BAD_INPUT and
// leaves it as it was. Like a change of time, q or v it counts from the next art_update on.
ART_API artStatus art_set_input(const artModel *model, artData *data, int input, double value,
                                artError *error);

//---- position and velocity -----------------------------------------------------------------------

// Bring everything that depends on time, q and v up to date: driven coordinates, poses, velocities.
//   reads  time, q, v
//   writes driven q and v; what the questions below answer from
// Call it after changing time, q or v and before anything below; a library with asserts stops where q or v was
// changed without, and where accelerations or reactions are asked for that belong to another state.
ART_API void art_update(const artModel *model, artData *data);

// Integrate: rates qdot[nq] of the positions that belong to the velocities v.
ART_API void art_position_rates(const artModel *model, const artData *data, double *qdot);

// Move q[nq] by a small displacement[nv] in the directions of the velocity coordinates (quaternions
// are turned and stay of length one).
ART_API void art_move(const artModel *model, double *q, const double *displacement);

// Bring quaternions of q[nq] back to length one; returns 1 when something changed. A quaternion (0,
// 0, 0, 0) stays.
ART_API int art_normalise(const artModel *model, double *q);

// Frames are numbers from art_find_frame. All three are vectors in ground; of velocities either may
// be NULL.
ART_API void art_frame_position(const artModel *model, const artData *data, int frame,
                                double position[3]);
ART_API void art_frame_rotation(const artModel *model, const artData *data, int frame,
                                double quaternion[4]);
ART_API void art_frame_velocity(const artModel *model, const artData *data, int frame,
                                double linear[3], double angular[3]);

// Jacobian of a frame, 6 x nv by rows: angular velocity, then velocity of its origin. Cost O(nv).
ART_API void art_frame_jacobian(const artModel *model, artData *data, int frame, double *J);

//---- the bare tree: no forces but gravity, loops open, rods with mass at their points ------------

// Joint forces tau[nv] that produce the accelerations a[nv] (NULL: zero) under gravity. Cost O(n).
ART_API void art_inverse_dynamics(const artModel *model, artData *data, const double *a,
                                  double *tau);

// Mass matrix M[nv nv], both triangles. Cost O(n depth).
ART_API void art_mass_matrix(const artModel *model, artData *data, double *M);

// The same, lower triangle only; entries between different branches are left untouched, unless a rod
// with mass joins them.
ART_API void art_mass_matrix_lower(const artModel *model, artData *data, double *M);

// Accelerations a[nv] caused by the joint forces tau[nv] under gravity. Driven coordinates keep the
// accelerations of their drives. Cost O(n), times the number of rods with mass. ART_SINGULAR when a joint moves nothing with inertia.
ART_API artStatus art_forward_dynamics(const artModel *model, artData *data, const double *tau,
                                       double *a, artError *error);

//---- the whole machine ---------------------------------------------------------------------------

// Evaluate all force elements at the present state.
//   writes force, and what acts on the bodies
ART_API artStatus art_apply_forces(const artModel *model, artData *data, artError *error);

// Accelerations under all forces and drives (calls art_apply_forces).
//   writes a, force of driven coordinates
ART_API artStatus art_accelerate(const artModel *model, artData *data, artMethod method,
                                 artError *error);

// The same by method automatic with compiled equations, which are made at the first call and kept with the data; the
// library evaluates all else that can be asked. ART_UNSUPPORTED when they cannot be made, or disagree with the library.
ART_API artStatus art_accelerate_generated(const artModel *model, artData *data, artError *error);

// For callbacks, inside `apply`: add a force at a frame's origin, a torque, a joint force along velocity
// coordinate number `velocity`.
ART_API void art_apply_force(const artModel *model, artData *data, int frame,
                             const double force[3]);
ART_API void art_apply_torque(const artModel *model, artData *data, int frame,
                              const double torque[3]);
ART_API void art_apply_joint_force(const artModel *model, artData *data, int velocity,
                                   double force);

// Forces of drives and bearings follow from the accelerations: call after art_accelerate.
//   frame:    acceleration of its origin and angular acceleration; either may be NULL
//   reaction: on `to` of a joint, at the joint on `to`'s side: force, torque; the part along
//             the joint's coordinates is what forces and drives in the joint do
ART_API void art_frame_acceleration(const artModel *model, const artData *data, int frame,
                                    double linear[3], double angular[3]);
ART_API artStatus art_reaction(const artModel *model, artData *data, const char *joint,
                               double force[3], double torque[3], artError *error);

// Forces of a rod on the bodies at its two points, in ground axes: opposite forces along it when it has
// no mass. art_reaction gives the one on `to`.
ART_API artStatus art_rod_forces(const artModel *model, artData *data, const char *rod,
                                 double from[3], double to[3], artError *error);

//---- energy --------------------------------------------------------------------------------------

typedef struct artEnergy {
  double kinetic;
  double potential; // gravity and all force elements that derive from a potential
  double power;     // of all other forces and of drives; valid after art_accelerate
} artEnergy;
ART_API artEnergy art_energy(const artModel *model, artData *data);

// Linear momentum, and angular momentum about the ground's origin.
ART_API void art_momentum(const artModel *model, const artData *data, double linear[3],
                          double angular[3]);

//---- outputs -------------------------------------------------------------------------------------

// Work done by forces without potential since the start, for the outputs energy.work and
// energy.balance; kept by art_run_to.
ART_API void art_set_work(artData *data, double work, double initial_energy);

// All outputs of the model, values[outputs], in order; call after art_accelerate.
ART_API void art_outputs(const artModel *model, artData *data, double *values);

#ifdef __cplusplus
}
#endif

#endif
