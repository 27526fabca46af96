// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of the assembly: loops that are far from closed. The rows of loop/rows.h measure the
// angles of axes by cosines, which vanish as well when an axis points the wrong way. Here the missing
// rotation takes their place: it vanishes in the right attitude alone and agrees with them to first order
// there.
#ifndef LOOP_ASSEMBLY_ROWS_H
#define LOOP_ASSEMBLY_ROWS_H

#include "loop/rows.h"

// After rows_positions: phi and wrenches of the rows "turn x", "turn y", "turn z" of all cuts.
void wide_turns(const artModel *m, const artData *d, loopRows *rows);

#endif
