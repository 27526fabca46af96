// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stiffness and damping between two frames in all six directions.
//
// Displacements x = (d, r): d is the vector from the origin of frame `from` to that of `to`, r the
// rotation vector of `to` relative to `from`, R = exp([r]), both in the axes of `from`. With the
// generalised forces
//   s = s0 - K x - k(x) - D x' - c(x')
// of preload, matrices and one law per axis, `to` receives the force f = (s1 s2 s3) and the torque
//   t = J^-T (s4 s5 s6),   r' = J^-1 w,   J^-1 = 1 - [r]/2 + c [r]^2
// (J is the left Jacobian of the exponential map, w the angular velocity of `to` relative to
// `from`; Sola, Deray, Atchuthan 2018, eq. 146). So t.w = s.r', and the elastic part derives from
//   V = x.K x/2 + integrals of k - s0.x
// at any angle. At half a turn r jumps to its opposite.
#ifndef LAW_PAIR_LAWS_H
#define LAW_PAIR_LAWS_H

#include "law/law.h"

typedef struct forcePair {
  double stiffness[6][6], damping[6][6]; // K, D: symmetric
  double preload[6];                     // s0
  const forceLaw *spring[6], *damper[6]; // k, c, or NULL
  int resists;                           // has D or c
  int is_diagonal;                       // K and D are diagonal
} forcePair;

#endif
