// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinematics of one frame by the schemes that Postiau (2004, section 1.2) compares, on symbols.
#ifndef GEN_SCHEME_H
#define GEN_SCHEME_H

#include "sym/tree_symbolic.h"

// In the axes of the links as other recursions have them, or as gen/tree/scheme.c says.
typedef enum genScheme { GEN_LINK_AXES, GEN_PROGRESSIVE, GEN_REGRESSIVE, GEN_HYBRID } genScheme;

// How a frame moves, in ground axes.
typedef struct genFrame {
  int x[3], R[9];       // origin; rotation by rows, v_ground = R v_frame
  int xd[3], omega[3];  // velocity of the origin, angular velocity
  int xdd[3], alpha[3]; // accelerations
} genFrame;

// The frame of link i with origin r and axes[9], rows of the rotation v_frame = axes v_link, by a scheme other than
// that in the links' axes.
void gen_record_frame(symTree *s, genScheme scheme, int i, const int r[3], const int axes[9],
                      genFrame *frame);

// Jacobian of the point r of link i in ground axes by rows, angular then linear velocity; outward by the progressive
// scheme, inward by the others.                                                                  J[6 * nv]
void gen_record_frame_jacobian(symTree *s, genScheme scheme, int i, const int r[3], int *J);

#endif
