// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Languages and options of writers.
#ifndef EMIT_OPTIONS_H
#define EMIT_OPTIONS_H

#include <stdio.h>

#include "articula/batch.h"
#include "eqn/list.h"

typedef enum emitLanguage {
  EMIT_C,
  EMIT_FORTRAN,
  EMIT_MATLAB, // and Octave
  EMIT_JAVA,
  EMIT_PYTHON,
  EMIT_LANGUAGES,
  EMIT_CUDA = EMIT_LANGUAGES, // whole machines alone (cuda.c)
  EMIT_NUMPY,                 // functions alone, Python on arrays (arrays.c)
  EMIT_CASADI,
  EMIT_JAX,
  EMIT_ALL_LANGUAGES
} emitLanguage;

const char *emit_language_name(emitLanguage language); // "c", "fortran", ...
const char *emit_file_ending(emitLanguage language);   // ".c", ".f90", ...

typedef struct emitOptions {
  eqnOptions equations;
  int statements;     // most in one function; longer ones are split. 0: the default
  const char *header; // C: name of the header that the source includes, NULL: none
  int names_loops; // C: functions return 2 + the number of the block of coordinates that they could not find
  int lanes;               // C: number of instances in the vector of each number; 0: one
  artPrecision precision;  // CUDA: of the equations of motion
  int nown;                // CUDA: parameters of which each instance may have its own, ...
  const char *const *own;  // ... by their names in the model file; NULL: all
  struct emitAbout *about; // of machines: takes the data of their texts; NULL: nowhere
} emitOptions;

// A number of lanes that the compiler chooses by its target.
enum { EMIT_LANES_OF_TARGET = -1 };
int emit_is_lanes(int lanes); // 2, 4, 8 or that

#endif
