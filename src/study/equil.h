// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of the search for an equilibrium: descent on the potential.
#ifndef STUDY_EQUIL_H
#define STUDY_EQUIL_H

#include "study/balance.h"

// Eigenvalues of the scaled stiffness that count as zero.
#define EQUIL_NEUTRAL 1e-7

// Scales of the columns of J by their sizes, none of them zero.
void equil_scale_columns(balanceWork *w);

// Is nothing missing but a small part of the forces present, and what rounding of positions makes?
int equil_is_balanced(const balanceWork *w);

// The force element that has no potential at rest, or NULL when there is a potential (descend.c).
const modelElement *equil_without_potential(const artModel *m);

// Eigenvalues, descending in matrix.s, and eigenvectors, in the columns of matrix.U, of the symmetric part of J with
// rows and columns scaled by the roots of the scales of columns.
artStatus equil_eigenvectors(balanceWork *w, artError *error);

// Go down on the potential from q to a place near a minimum, loops closed all along. ART_NO_CONVERGENCE
// names the joint along which it falls without end.
artStatus equil_descend(balanceWork *w, int *iterations, artError *error);

#endif
