// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The C writer.
#ifndef EMIT_C_H
#define EMIT_C_H

#include "emit/emit.h"

artStatus emit_c(FILE *out, const eqnProgram *program, const emitOptions *options, artError *error);

// The name by which C calls a function that the user supplies.
const char *emit_c_external(const eqnExternal *external);

#endif
