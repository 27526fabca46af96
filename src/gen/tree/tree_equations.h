// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Recursions over a symbolic tree that are made for few operations rather than for a machine's pipeline:
// all of it in the links' own axes, turns about a joint's axis taken apart from constant ones, and
// parameters gathered so that as few as possible are left.
//
// Their results equal the results of src/tree to the last bits.
#ifndef GEN_TREE_EQUATIONS_H
#define GEN_TREE_EQUATIONS_H

#include "sym/tree_symbolic.h"

typedef struct genBuild genBuild;

//---- minimal parameters --------------------------------------------------------------------------

// Inertia of a link as ten parameters: mass; first moments x y z; second moments xx yy zz xy xz yz.
enum { GEN_INERTIA = 10 };
extern const char *const gen_inertia_name[GEN_INERTIA];

// A part of a link's inertia that is felt as if it belonged to its parent, or not at all on ground; or
// as if it belonged to the rotor in its joint. Taken off until the pivot is zero.
typedef struct genMove {
  int link, pivot;
  int to_rotor;
  double direction[GEN_INERTIA]; // 1 at the pivot
} genMove;

// All moves from the leaves to the root (Gautier, Khalil 1990), found by trial at random states, so that
// axes which are parallel, or along gravity, are seen as well; but those that are so at present values of the user's
// parameters alone are not. Returns their number; moves has room for GEN_INERTIA a link.
int gen_find_moves(genBuild *b, genMove *moves);

// Links as they are, and back to these.
typedef struct genLinks genLinks;
genLinks *gen_save_links(symTree *s);
void gen_restore_links(symTree *s, const genLinks *before);

// Make the moves in the symbolic tree: from here on its links have the new parameters, nodes that follow
// from the old ones. Mass matrix and joint forces are the same with them; energies, momentum and reactions
// are not.
void gen_make_moves(symTree *s, int nmove, const genMove *moves);

// The parameters of all links as they are now.                                       X[GEN_INERTIA n]
void gen_inertia(const symTree *s, int *X);

// The rotor in the joint of a link.
int gen_rotor(const symTree *s, int link);

// Put the origins of links where offsets of joints have fewest components. Joint forces, accelerations and
// the mass matrix are the same; whatever speaks of a link's origin is not.
void gen_slide_origins(symTree *s);

//---- equations -----------------------------------------------------------------------------------

// Joint forces for the accelerations a[nv]; 0 is node 0.                                      tau[nv]
void gen_record_inverse(symTree *s, const int *a, int *tau);

// Mass matrix by rows, lower triangle, the rest node 0.                                    M[nv * nv]
void gen_record_mass(symTree *s, int *M);

// The same row by row: row[nv] is zero at the beginning, and `take` leaves it so.
void gen_record_mass_rows(symTree *s, int *row, void (*take)(void *context, int k, int *row),
                          void *context);

// Solution of M a = tau - h from the leaves, h at the accelerations of driven coordinates: by L^T D L, or by
// Cholesky's G^T G.                                                                             a[nv]
// From now on the acceleration of a link of one coordinate is given.
void gen_give(symTree *s, int link);

void gen_record_solution(symTree *s, const int *M, const int *h, int cholesky, int *a);

// Joint forces of a unit of each parameter: n of them, named by GEN_INERTIA * link + number, or
// -1 - link for its rotor. By rows.                                                       Psi[nv * n]
void gen_record_regressor(symTree *s, int n, const int *parameter, int *Psi);

// Accelerations of every link at its origin in its own axes, angular then linear, gravity not counted.
//                                                                                           acc[6 n]
void gen_record_motion(symTree *s, int *acc);

// Nodes recorded last of the links' motion, for the order of evaluation: angular velocity, accelerations,
// turning matrix after gen_record_inverse; angular velocity and terms that velocities bring into
// accelerations after sym_record_forward.                       node[GEN_MOTION n], node[GEN_VELOCITY n]
enum { GEN_MOTION = 18, GEN_VELOCITY = 12 };
void gen_motion(const symTree *s, int *node);
void gen_velocity_terms(const symTree *s, int *node);

// Jacobian of the point r of link i in ground axes by rows, angular then linear velocity.   J[6 * nv]
void gen_record_jacobian(symTree *s, int i, const int r[3], int *J);

#endif
