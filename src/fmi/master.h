// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The master of a coupled simulation: parts advance in parallel by steps of fixed length, and
// outputs are passed to inputs at the ends of steps.
//
// At the end of a step values are passed repeatedly until they do not change, so that direct
// feedthrough of parts is resolved. Inputs are constant during a step. With more than one iteration
// the step is repeated with the inputs of its end until they converge: all parts return to its
// start and must support that. If an FMU discards a step, all parts return and try two steps of
// half the length.
#ifndef FMI_MASTER_H
#define FMI_MASTER_H

#include "fmi/coupled_part.h"
#include "fmi/fmu_signal.h"

typedef struct fmiLink {
  const fmiSignal *signal; // signal of the input, or NULL: connected to an output
  int from, output;        // index of the part, and of its output
  int to, input;
  const char *words; // "arm.torque", the name of the input
  artPlace place;
  double factor, offset; // input = factor * output + offset, for unit conversion
  double value;          // present value of the input
} fmiLink;

typedef struct fmiMaster {
  int npart, nlink;
  fmiPart *part;
  fmiLink *link; // at most one for each input
  double from, until, step;
  double tolerance; // convergence of values, relative to 1 + |value|
  int iterations;   // per step

  // statistics
  long steps, redone, halved;
  long unsettled; // steps whose iterations did not converge
  double time;
  bool has_ended; // an FMU has requested termination
} fmiMaster;

// Start all parts at `from`, and pass outputs to inputs. Errors are thrown (base/error.h).
void master_begin(fmiMaster *m);

// One step, to from + (steps + 1) step, or to `until` if that is earlier.
void master_step(fmiMaster *m);

// True if `until` is reached, or a part has ended the simulation.
bool master_is_over(const fmiMaster *m);

#endif
