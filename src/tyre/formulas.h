// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steady tyre formulas on numbers, and with TYRE_DUAL on dual numbers. All are for a tyre that rolls
// forward under a positive load.
#ifndef TYRE_FORMULAS_H
#define TYRE_FORMULAS_H

#include "articula/tyre.h"
#include "tyre/magic.h"
#include "tyre/real.h"

// what the forces depend on
typedef struct tyreSlip {
  real load;
  real kappa;
  real tangent; // tan alpha
  real gamma;
  double speed;    // |Vx|
  double pressure; // (p - p0) / p0
} tyreSlip;

// forces and moments in ISO axes
typedef struct tyreForces {
  real Fx, Fy, Mx, Mz;
  real rolling; // magnitude of the rolling resistance moment
} tyreForces;

// magnitudes of the slopes at the origin, and friction, for relaxation and saturation; they do not
// depend on the slips
typedef struct tyreStiffness {
  double Kx, Ky;
  double mu[2]; // longitudinal and lateral
} tyreStiffness;

tyreForces REAL_NAME(magic_forces)(const magicTyre *tyre, const tyreSlip *slip);
tyreStiffness REAL_NAME(magic_stiffness)(const magicTyre *tyre, const tyreSlip *slip);
tyreForces REAL_NAME(linear_forces)(const artLinearTyre *tyre, const tyreSlip *slip);
tyreStiffness REAL_NAME(linear_stiffness)(const artLinearTyre *tyre, const tyreSlip *slip);
tyreForces REAL_NAME(bakker_forces)(const artBakkerTyre *tyre, const tyreSlip *slip);
tyreStiffness REAL_NAME(bakker_stiffness)(const artBakkerTyre *tyre, const tyreSlip *slip);
tyreForces REAL_NAME(calspan_forces)(const artCalspanTyre *tyre, const tyreSlip *slip);
tyreStiffness REAL_NAME(calspan_stiffness)(const artCalspanTyre *tyre, const tyreSlip *slip);

#endif
