// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The master of a coupled simulation: parts go side by side in steps of fixed length, and pass outputs to inputs at their ends.
//
// At each end of a step values go from outputs to inputs until they stay, so that values passing a part at once come through; inputs are
// then held for a step. With more iterations than one a step is done anew with the inputs of its end, until they stay: the parts go back for it, and
// all must be able to. Where a unit discards a step, all go back and try two halves.
#ifndef FMI_MASTER_H
#define FMI_MASTER_H

#include "fmi/coupled_part.h"
#include "fmi/fmu_signal.h"

typedef struct fmiLink {
  const fmiSignal *signal; // signal that the input follows; or NULL: an output
  int from, output;        // part, and number of its output
  int to, input;
  const char *words; // "arm.torque", of the input
  artPlace place;
  double factor, offset; // input = factor output + offset, where their units differ
  double value;          // that the input has now
} fmiLink;

typedef struct fmiMaster {
  int npart, nlink;
  fmiPart *part;
  fmiLink *link; // at most one to an input
  double from, until, step;
  double tolerance; // of values that stay, relative to 1 + |value|
  int iterations;   // of a step

  // how it went
  long steps, redone, halved;
  long unsettled; // steps whose iterations did not come to an end
  double time;
  bool has_ended; // a unit has asked for the end
} fmiMaster;

// Start all parts at `from`, with outputs passed to inputs. Failures leave the work (base/error.h).
void master_begin(fmiMaster *m);

// One step, to from + (steps + 1) step, or to `until` where that comes first.
void master_step(fmiMaster *m);

// Is there no step any more?
bool master_is_over(const fmiMaster *m);

#endif
