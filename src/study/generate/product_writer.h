// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Simulations as text that stands alone.
#ifndef STUDY_PRODUCT_WRITER_H
#define STUDY_PRODUCT_WRITER_H

#include <stdio.h>

#include "articula/study.h"
#include "emit/language/options.h"
#include "gen/gen.h"

typedef enum simulatorKind {
  SIMULATOR_PROGRAM,   // in C
  SIMULATOR_MATLAB,    // a function of MATLAB and Octave, by ode45
  SIMULATOR_SFUNCTION, // a block of Simulink, in C
  SIMULATOR_CUDA,      // many instances at once, in CUDA and C
  SIMULATOR_MACHINE,   // the interface of doc/reference/generated-code.md, without a program
} simulatorKind;

typedef struct simulatorForm {
  simulatorKind kind;
  const char *name;      // of what MATLAB calls: that of its file, a word of MATLAB
  emitLanguage language; // of a machine
  int is_readable;       // variables are called after what they are
  FILE *
      header; // of a machine: in C its declarations go there, NULL: into its text; in other languages the C that they call ...
  const char *header_name; // ... and the name of this file
  int tasks; // of a program, two or more: as many threads share accelerations where that pays, or warps
  int prefers_subtrees; // of many instances: no team of warps where subtrees can have threads of their own
  const struct emitFmu *unit; // of a machine in C: the unit around it; NULL: none
  int corners;                // of many instances: steps end at corners, as in simulators
  int counts_work;            // of many instances: the work of forces is a state in any case
  int lanes;                  // in lanes of a CPU, where nothing switches
  artPrecision precision;     // and that of the equations of motion
  int nown;                   // of many instances: parameters that each may have of its own, ...
  const char *const *own;     // ... by their names in the model file; NULL: all
  int varies_drives; // what drives read may vary: others see to it that none of them jumps, where none does so now
  int lengths;             // after the study, in which jumps of drives are looked for, too
  struct emitAbout *about; // of a machine: takes what the text has in data; NULL: nowhere
  eqnProgram **program;    // takes the first program of the text; gen_free it; NULL: nowhere
} simulatorForm;

// A simulator that begins at the state in the data, which is assembled, and does what the study says; of
// the options, what becomes of constants counts. Machines with loops are run once by the numeric method to see
// which independent coordinates they need. form->tasks becomes the number of threads, smaller than asked for where more
// would have nothing to do.
artStatus study_write_simulator(const artModel *model, artData *data, const artRunDef *study,
                                const genOptions *options, simulatorForm *form, FILE *out,
                                artError *error);

#endif
