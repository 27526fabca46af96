// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Structurally redundant constraint rows: they follow from other rows in every configuration. A planar loop
// has some, which only keep it in its plane.
#ifndef LOOP_STRUCTURAL_RANK_H
#define LOOP_STRUCTURAL_RANK_H

#include "data/work.h"

// Write into keep[nrow] which rows are needed to know all others, at any positions where those kept
// are independent. All are kept when some of them are not independent at the present positions: then
// which rows count depends on where the machine stands. Relations and rows that ask something of the
// drives are kept in any case. Looks at J here and at a few places nearby; takes memory, and gives it
// back. Positions stay, J does not.
artStatus always_needed(const artModel *m, artData *d, char *keep, artError *error);

#endif
