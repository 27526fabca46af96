// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A part of a coupled simulation: an instance of an FMU, or a machine of a model file. Both have
// named inputs and outputs, advance in steps, and may be reset to a saved state.
#ifndef FMI_COUPLED_PART_H
#define FMI_COUPLED_PART_H

#include "articula/articula.h"
#include "fmi/instance.h"

typedef struct fmiPart {
  const char *name;
  artPlace place; // in the system file

  // FMU only
  fmuFile *unit;
  fmiInstance *instance;
  int noutput, nrecord;
  int *output;       // [noutput] indices of variables
  const int *record; // [nrecord] variables to be recorded in addition to outputs

  // machine only
  artModel *model;
  artData *data;
  artRun *run;
  double *values; // [outputs]
  void *saved;
  size_t saved_size;
  bool is_stale; // an input has changed: outputs must be evaluated again
} fmiPart;

// Open an FMU (its file ends in .fmu) or a machine. `exchange`: use model exchange for an FMU that
// supports both interfaces. Errors are thrown (base/error.h), here and below.
void part_open(fmiPart *part, const char *path, bool exchange, fmiLogger *logger, void *context);

// Allowed for a part that was not opened.
void part_close(fmiPart *part);

// Set a start value of an FMU, or a parameter or initial value of a machine, given as a string;
// before part_begin.
void part_start_value(fmiPart *part, const char *name, const char *text, artPlace place);

// The index of any scalar numeric variable of an FMU, by name.
int part_find_record(const fmiPart *part, const char *name, artPlace place);

// Indices of an input and of an output by name, and their units; ART_BAD_INPUT with a suggestion if
// the name is unknown.
int part_find_input(const fmiPart *part, const char *name, artPlace place);
int part_find_output(const fmiPart *part, const char *name, artPlace place);
const char *part_unit(const fmiPart *part, int number, bool is_input);

// Let an input of a model-exchange FMU follow a signal within steps, if its variability allows it;
// set it also at the ends of steps.
void part_parameter_map(fmiPart *part, int input, fmiSignal *signal);

// The k-th output in the order of the description, then recorded variables; NULL after the last.
const char *part_output(const fmiPart *part, int k, int *number);

// Number of outputs that are not listed because they are arrays, strings, binaries or clocks.
int part_outputs_left_out(const fmiPart *part);

void part_set(fmiPart *part, int input, double value);
double part_get(fmiPart *part, int output);

// Start in two stages, as FMUs do; inputs may be set in between.
void part_begin(fmiPart *part, double from, double until);
void part_begin_steps(fmiPart *part);

fmiOutcome part_step(fmiPart *part, double t, double h);
bool part_can_save(const fmiPart *part);

// False if all steps must have the same length, as for some FMUs.
bool part_takes_any_step(const fmiPart *part);

// The fixed internal step, of which communication steps should be multiples; NAN if unknown.
double part_own_step(const fmiPart *part);
void part_save(fmiPart *part);
void part_restore(fmiPart *part);

#endif
