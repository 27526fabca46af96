// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Another program that reads the same file, for import_peers.c: what it makes of it at states that it is given.
#ifndef TEST_PEER_H
#define TEST_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peerKind {
  PEER_ANGLE,
  PEER_SLIDE,
  PEER_BALL,
  PEER_FREE,
  PEER_FIRST, // of the two angles of a universal joint
  PEER_SECOND,
  PEER_NONE,
  PEER_OTHER
} peerKind;

// A joint by its name, with the places of its coordinates and velocities. Ball and free joints have ours: quaternions
// w x y z, angular velocities along the axes of the body, velocities along the axes of ground.
typedef struct peerJoint {
  const char *name;
  peerKind kind;
  int q, v;
  double zero; // its coordinate where ours is zero
} peerJoint;

typedef struct peerMachine peerMachine;

extern const char peer_name[];

// NULL after a message on stderr.
peerMachine *peer_load(const char *path);
void peer_free(peerMachine *peer);

int peer_positions(const peerMachine *peer);
int peer_velocities(const peerMachine *peer);
int peer_joints(const peerMachine *peer);
peerJoint peer_joint(const peerMachine *peer, int i);
int peer_bodies(const peerMachine *peer);
const char *peer_body(const peerMachine *peer, int i);

// Place it at a state; then the mass matrix, the forces that hold accelerations at zero, and where a body is.
void peer_place(peerMachine *peer, const double *q, const double *v);
void peer_mass(peerMachine *peer, double *M);
void peer_bias(peerMachine *peer, double *tau);
void peer_frame(peerMachine *peer, int body, double position[3], double quaternion[4]);

#ifdef __cplusplus
}
#endif

#endif
