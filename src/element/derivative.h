// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of element forces with respect to the motion of their ports: element sources compiled
// with dual numbers.
#ifndef ELEMENT_DERIVATIVE_H
#define ELEMENT_DERIVATIVE_H

#include "element/element.h"

// Derivatives slope[n] of the forces along n displacements with respect to displacement or rate k,
// at displacements x and rates v, on the frozen segments of mode (NULL: the present ones). For
// elements on lines, axes and pairs.
void element_slope_by_displacement(const modelElement *e, const int *mode, int n, const double *x,
                                   const double *v, int k, double *slope);
void element_slope_by_rate(const modelElement *e, const int *mode, int n, const double *x,
                           const double *v, int k, double *slope);

// Derivative of the force on a point (ground axes) with respect to component k of its velocity;
// axes by rows. For elements on points that depend on velocity and axes only.
void element_slope_by_velocity(const modelElement *e, const double velocity[3],
                               const double axes[9], int k, double slope[3]);

#endif
