// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pendulums in natural coordinates, built by hand with the very constraints of the published runs.
#ifndef SUPPORT_NATURAL_PENDULUMS_H
#define SUPPORT_NATURAL_PENDULUMS_H

#include "natural/motion.h"
#include "support/check.h"

CHECK_KEEPER(keep_system, naturalSystem, natural_free)
CHECK_KEEPER(keep_motion, naturalMotion, motion_free)

// Two uniform bars of 1 m and 1 kg in the plane x, y, gravity 9.81 along -y: q = (x1, y1, x2, y2) with
// |r1|^2 - 1 and |r2 - r1|^2 - 1 (Cardenal, Cuadrado and Bayo 1997). It starts at rest along +x.
naturalSystem *double_pendulum(void);
extern const double double_pendulum_q[4], double_pendulum_v[4];

// Two point masses of 1 kg on one line through the origin, 1 m apart, gravity 9.81 along -z:
// q = (r1, r2) (Dopico, Gonzalez, Lugris and Cuadrado). Constraints |r1|^2 - 1 and r2 - 2 r1, or
// |r1|^2 - 1, |r2 - r1|^2 - 1 and r1 x r2, of which one is redundant.
naturalSystem *spherical_pendulum(int with_cross_product);
extern const double spherical_pendulum_q[6], spherical_pendulum_v[6];

#endif
