// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of motion in single precision, or all but those that close loops.
#ifndef EMIT_PRECISION_H
#define EMIT_PRECISION_H

#include "emit/write/statement.h"

// Choose the precision of every equation, whose variables have names already.
void precision_choose(emitWriter *w);

// The precision of a text of the function, or of its constants, outside of equations.
void precision_begin(emitWriter *w, int is_constant);

// The bound that residuals of Newton's method have to come below.
double precision_tolerance(const emitWriter *w, double tolerance);

#endif
