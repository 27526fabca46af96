// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rows for loops that are far from closed. The rows of loop/rows.h measure how axes turn by their
// cosines, which vanish as well when an axis points the wrong way; here they are replaced by the
// rotation that is missing, which vanishes in the right attitude alone and is the same to first order
// there.
#ifndef LOOP_WIDE_H
#define LOOP_WIDE_H

#include "loop/rows.h"

// After rows_positions: phi and wrenches of the rows "turn x", "turn y", "turn z" of all cuts.
void wide_turns(const artModel *m, const artData *d, loopRows *rows);

#endif
