// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sample machines made through the public builder: a two-link arm, chains, and random trees with
// every joint type. A random tree keeps its own description, of which test/support/naive.h makes
// sense without the library.
#ifndef SUPPORT_MODELS_H
#define SUPPORT_MODELS_H

#include <stdint.h>

#include "articula/articula.h"

//---- small machines ------------------------------------------------------------------------------

// Two links that turn about z, each with its centre of mass and inertia; gravity along -y.
typedef struct twoLink {
  double m1, m2; // masses
  double l1;     // from the first to the second pin
  double c1, c2; // from the pins to the centres of mass
  double I1, I2; // about the centres of mass, axis z
  double g;
} twoLink;
extern const twoLink two;
artModel *model_two_link(void);

// n links of length 1 and mass 1, pins about y and z in turn, gravity along -z.
artModel *model_chain(int n);

// The builder's model, or NULL with a failed check; frees the builder.
artModel *model_compile(artBuilder *b);

//---- random trees --------------------------------------------------------------------------------

enum { SAMPLE_BODIES = 40, SAMPLE_PARTICLES = 5, SAMPLE_NAME = 24 };
enum { SAMPLE_Q = 7 * SAMPLE_BODIES, SAMPLE_V = 6 * SAMPLE_BODIES };
enum { SAMPLE_TYPES = ART_FREE + 1 }; // joints that a tree can have

// A body is a swarm of particles, of which mass, centre and inertia follow.
typedef struct sampleBody {
  char name[SAMPLE_NAME];
  artBodyDef def;
  artPose frame; // its frame "f"
  int parent;    // body; 0 is ground
  int nparticle; // 0: massless
  double mass[SAMPLE_PARTICLES];
  double at[SAMPLE_PARTICLES][3]; // in the body frame
} sampleBody;

// Joint j connects body j with its parent, in one sense or the other.
typedef struct sampleJoint {
  char name[SAMPLE_NAME], from[SAMPLE_NAME], to[SAMPLE_NAME];
  artJointDef def;
  int body[2];       // from, to
  int uses_frame[2]; // the end is the frame "f" of its body
  double drive[3];   // prescribed: drive[0] + drive[1] sin(drive[2] t) when drive[1] is not zero
  int q[7], v[6];    // coordinates in the model, by sample_bind
} sampleJoint;

typedef struct sampleTree {
  int n; // bodies, ground not counted
  double gravity[3];
  sampleBody body[SAMPLE_BODIES + 1];   // [0] is ground, whose frame "f" counts too
  sampleJoint joint[SAMPLE_BODIES + 1]; // [0] is not used
} sampleTree;

// The properties that a random tree shall have.
typedef struct sampleOptions {
  int n;           // bodies
  int is_floating; // one tree only, on a free joint, and no other free joint
  int has_rotors;
  int has_drives;
  int has_massless; // some bodies carry others and have no mass
} sampleOptions;

void sample_random(sampleTree *tree, sampleOptions options, uint64_t *seed);

// Other names, the structure stays.
void sample_rename(sampleTree *tree, const char *prefix);

// Builder with the bodies and joints in the order given (NULL: as they are), without forces.
artBuilder *sample_build(const sampleTree *tree, const int *order);

// Find the coordinates of the tree in the model.
void sample_bind(sampleTree *tree, const artModel *model);

// A random state; driven coordinates follow at art_update.
void sample_state(const sampleTree *tree, uint64_t *seed, double *q, double *v);

// A tree with its model and data at a random state, which live until the test ends; `add` (or NULL) adds forces to the
// builder.
typedef struct sampleScene {
  sampleTree tree;
  artModel *m;
  artData *d;
  int nq, nv;
} sampleScene;
typedef void (*sampleAdd)(artBuilder *b, const sampleTree *tree, uint64_t *seed);
sampleScene sample_open(sampleOptions options, sampleAdd add, uint64_t *seed);

// The names of a joint type's coordinates and velocities; both end with NULL.
const char *const *sample_positions(artJointType type);
const char *const *sample_velocities(artJointType type);

// n random numbers in [-size, size).
void sample_numbers(uint64_t *seed, double size, int n, double *x);

#endif
