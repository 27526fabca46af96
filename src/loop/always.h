// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rows that follow from others wherever the machine stands, such as those of a planar loop that only
// say that it stays planar.
#ifndef LOOP_ALWAYS_H
#define LOOP_ALWAYS_H

#include "force/work.h"

// Write into keep[nrow] which rows are needed to know all others, at any positions where those kept
// are independent. All are kept when some of them are not independent at the present positions: then
// which rows count depends on where the machine stands. Relations and rows that ask something of the
// drives are kept in any case. Looks at J here and at a few places nearby; takes memory, and gives it
// back. Positions stay, J does not.
artStatus always_needed(const artModel *m, artData *d, char *keep, artError *error);

#endif
