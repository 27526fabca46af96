// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mechanics of sample trees without the library: 4 x 4 transformations composed joint by joint from
// the definitions in articula/model.h, velocities and accelerations by differences of positions, and
// dynamics of particles. Slow and plain on purpose; it is what the library is held against.
#ifndef SUPPORT_NAIVE_H
#define SUPPORT_NAIVE_H

#include "support/models.h"

// the frame's axes in the columns, its origin in the last one
typedef struct naiveFrame {
  double T[4][4];
} naiveFrame;

// Frames of all bodies in ground, n + 1 of them.
void naive_place(const sampleTree *tree, const double *q, naiveFrame *body);

// Frame "f" of a body, and the joint's frame on the side of `from` or `to`, in ground.
naiveFrame naive_named_frame(const sampleTree *tree, const naiveFrame *body, int i);
naiveFrame naive_joint_frame(const sampleTree *tree, const naiveFrame *body, int j, int side);

// A point given in a frame.
void naive_point(const naiveFrame *frame, const double in_frame[3], double out[3]);

// q at the small time t on a path that starts with velocity v and acceleration a (NULL: zero).
void naive_path(const sampleTree *tree, const double *q, const double *v, const double *a, double t,
                double *out);

// First and second derivative at the middle of nine values at distance h, of order 8.
double naive_first(const double f[9], double h);
double naive_second(const double f[9], double h);

// Positions of all particles, particles of body i from [i][0] on, at nine instants of a path.
typedef struct naiveSwarm {
  double r[9][SAMPLE_BODIES + 1][SAMPLE_PARTICLES][3];
  double h;
} naiveSwarm;
void naive_swarm(const sampleTree *tree, const double *q, const double *v, const double *a,
                 double h, naiveSwarm *swarm);
void naive_particle(const naiveSwarm *swarm, int i, int p, double r[3], double v[3], double a[3]);

// Joint forces of an acceleration by the principle of virtual power (nv of them).
void naive_inverse_dynamics(const sampleTree *tree, const double *q, const double *v,
                            const double *a, int nv, double *tau);

// Is body i carried by joint j?
int naive_is_carried(const sampleTree *tree, int i, int j);

// The rate of the energy of a machine along the path that begins with its velocities and accelerations a, by differences of
// nine instants h apart. The data is left at its state.
double naive_energy_rate(const artModel *m, artData *d, const double *a, double h);

#endif
