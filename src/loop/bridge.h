// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Building bridges over singular positions (hold.h): the machine is walked along one of its independent
// coordinates, past the singular position and on, and brought back.
#ifndef LOOP_BRIDGE_H
#define LOOP_BRIDGE_H

#include "loop/loop.h"

// After a factorisation at the present positions: build a bridge for every block that is near a singular
// position and can be held. Returns whether anything was tried: positions are as before then, rows and
// blocks are not.
int bridge_build(const artModel *m, artData *d);

#endif
