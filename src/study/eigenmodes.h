// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Eigenvalues and modes of a linearised machine.
#ifndef STUDY_EIGENMODES_H
#define STUDY_EIGENMODES_H

#include "articula/study.h"

// From A, M, C, K and R: eigenvalues, frequencies, damping, modes, shapes, shares. Eigenvalues that rounding
// alone keeps from zero become zero. weight is an acceleration that turns masses into the forces of
// which the matrices are differences; mass is the matrix of all nv coordinates.
artStatus mode_find(artLinear *lin, double weight, int nv, const double *mass, artError *error);

#endif
