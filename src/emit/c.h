// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The C writer, for callers that want no other language.
#ifndef EMIT_C_H
#define EMIT_C_H

#include "emit/emit.h"

artStatus emit_c(FILE *out, const eqnProgram *program, const emitOptions *options, artError *error);

#endif
