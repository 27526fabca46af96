// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraints by functions of the host or the user: whether their derivatives belong to their values.
#ifndef LOOP_RELATION_H
#define LOOP_RELATION_H

#include "model/model.h"

// Compare dh/dq and the bias of every such constraint with differences at the positions of the data. A function that
// fails beside these is not looked at.
artStatus relation_check_all(const artModel *m, const artData *d, artError *error);

#endif
