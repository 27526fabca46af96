// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Eigenvalues and modes of a linearised machine.
#ifndef STUDY_MODE_H
#define STUDY_MODE_H

#include "articula/study.h"

// From A and M: eigenvalues, frequencies, damping, modes, shares.
artStatus mode_find(artLinear *lin, artError *error);

#endif
