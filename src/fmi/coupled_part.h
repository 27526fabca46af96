// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A part of a coupled simulation: an instance of a unit, or a machine of a model file. Both have inputs and outputs by name, go in steps,
// and may be gone back with.
#ifndef FMI_COUPLED_PART_H
#define FMI_COUPLED_PART_H

#include "articula/articula.h"
#include "fmi/instance.h"

typedef struct fmiPart {
  const char *name;
  artPlace place; // in the file that names it

  // a unit
  fmuFile *unit;
  fmiInstance *instance;
  int noutput, nrecord;
  int *output;       // [noutput] variables
  const int *record; // [nrecord] variables that results show beside outputs

  // a machine
  artModel *model;
  artData *data;
  artRun *run;
  double *values; // [outputs]
  void *saved;
  size_t saved_size;
  bool is_stale; // an input was set, outputs are to be found anew
} fmiPart;

// A unit (its file ends in .fmu) or a machine. `exchange`: take the kind model exchange of a unit that has both. Failures leave
// the work (base/error.h), here and below.
void part_open(fmiPart *part, const char *path, bool exchange, fmiLogger *logger, void *context);

// Harmless for a part that was not opened.
void part_close(fmiPart *part);

// Set a start value of a unit, or a parameter or initial value of a machine, by its text; before part_begin.
void part_start_value(fmiPart *part, const char *name, const char *text, artPlace place);

// The number of any variable of a unit that is one number, by name.
int part_find_record(const fmiPart *part, const char *name, artPlace place);

// Numbers of an input and of an output by name, with their units; ART_BAD_INPUT with a suggestion where there is none.
int part_find_input(const fmiPart *part, const char *name, artPlace place);
int part_find_output(const fmiPart *part, const char *name, artPlace place);
const char *part_unit(const fmiPart *part, int number, bool is_input);

// Let an input of a unit of model exchange follow a signal within its steps, where it may; set it at their ends, too.
void part_parameter_map(fmiPart *part, int input, fmiSignal *signal);

// The k-th output in the order of the description, then those recorded beside them; NULL behind the last.
const char *part_output(const fmiPart *part, int k, int *number);

// Outputs that are left out of these, since they are arrays, texts, bytes or clocks.
int part_outputs_left_out(const fmiPart *part);

void part_set(fmiPart *part, int input, double value);
double part_get(fmiPart *part, int output);

// The start in two parts, as an instance starts; inputs may be set in between.
void part_begin(fmiPart *part, double from, double until);
void part_begin_steps(fmiPart *part);

fmiOutcome part_step(fmiPart *part, double t, double h);
bool part_can_save(const fmiPart *part);

// Does it take steps of other lengths after the first? Some FMUs take one length alone.
bool part_takes_any_step(const fmiPart *part);

// The length of its own steps, of which those of others are best multiples; NAN where it is not known.
double part_own_step(const fmiPart *part);
void part_save(fmiPart *part);
void part_restore(fmiPart *part);

#endif
