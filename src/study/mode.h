// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Eigenvalues and modes of a linearised machine.
#ifndef STUDY_MODE_H
#define STUDY_MODE_H

#include "articula/study.h"

// From A, M and R: eigenvalues, frequencies, damping, modes, shapes, shares. mass is the matrix of all
// nv coordinates.
artStatus mode_find(artLinear *lin, int nv, const double *mass, artError *error);

#endif
