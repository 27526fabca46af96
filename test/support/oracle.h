// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values from the numeric side of every function that can be generated, at random states.
//
// A generated function is evaluated by whoever asks, in whatever language; the oracle hands out its inputs
// and judges its results. Errors are relative to the largest number of a result, or of the terms that it
// is the sum of.
#ifndef SUPPORT_ORACLE_H
#define SUPPORT_ORACLE_H

#include <stdint.h>

#include "articula/articula.h"
#include "eqn/list.h"
#include "support/check.h"

typedef struct oracle oracle;

// For a program of the model; NULL with a failed check.
oracle *oracle_create(const artModel *m, const eqnProgram *p);
void oracle_free(oracle *o);
CHECK_KEEPER(keep_oracle, oracle, oracle_free)

// The next random state, with all that the numeric side says there; 0 when it says nothing, near singular
// positions.
int oracle_next(oracle *o, uint64_t *seed);

// The numbers of an input vector.
const double *oracle_input(const oracle *o, const char *vector);

// The worst error of a function's results, vector by vector as the program lists them; -1 when there is
// nothing to judge them by. *what becomes the name of the worst vector.
double oracle_error(oracle *o, const eqnFunction *f, double *const *out, const char **what);

// How far a vector that a function has written back is from the state, which meets loops and drives already.
double oracle_written_error(const oracle *o, const eqnVector *v, const double *got);

// All functions of the program, evaluated as they are recorded, at so many states: their results are those of the numeric
// side to 1e-12. Returns how many states there were; call (or NULL) stands for functions of the host.
int oracle_compare(const artModel *m, const eqnProgram *p, int states, uint64_t *seed,
                   eqnCall *call, void *context);

#endif
