// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kernels of `generate --language cuda` compiled, loaded and run for many instances: by threads of this processor, or on a
// graphics processor through its driver, which is looked for when it is needed.
#ifndef LOAD_KERNELS_H
#define LOAD_KERNELS_H

#include "load/cache.h"

// The name of the machine in the text.
#define KERNELS_NAME "machine"

// Instances in memory of the device; the struct NAME_batch of emit/texts/cuda.c.in.
typedef struct kernelsBatch {
  long n, first, count;
  double *t, *x;
  const double *u, *tau;
  double *own, *rate, *y, *T, *energy, *length;
  int *status;
  double *failed_at;
  int *choice;
} kernelsBatch;

typedef enum kernelsName {
  KERNELS_SIZES,
  KERNELS_BEGIN,
  KERNELS_PREPARE,
  KERNELS_RATES,
  KERNELS_WEIGH,
  KERNELS_OUTPUTS,
  KERNELS_RK4,
  KERNELS_DOPRI5,
  KERNELS_GATHER, // of texts alone whose instances have some numbers of their own
  KERNELS
} kernelsName;
extern const char *const kernels_symbol[KERNELS];

// The sizes that NAME_sizes writes.
typedef enum kernelsSize {
  KERNELS_BATCH_BYTES,
  KERNELS_NX,
  KERNELS_NKNOWN,
  KERNELS_NU,
  KERNELS_BLOCK,        // threads of a block at most
  KERNELS_SHARED_BYTES, // of a block, where numbers wait in shared memory
  KERNELS_NOWN,         // of a row of an instance
  KERNELS_STEP_BLOCK,   // threads that share RK4 steps of a block's instances; 0: each has its own
  KERNELS_STEP_BYTES,   // of shared memory that they need
  KERNELS_STEP_INSTANCES, // of such a block
  KERNELS_NUMBERS
} kernelsSize;

// Arguments of kernels: `batch` of all that take one, `rows` and n of `prepare` and `gather`, `size` of `sizes`.
typedef struct kernelsCall {
  kernelsName kernel;
  kernelsBatch batch;
  double *rows;
  long n;
  double step, end, tolerance;
  int steps;
  int *size;
} kernelsCall;

// A device with its kernels, once loaded.
typedef struct kernelsDevice kernelsDevice;
typedef struct kernelsWays {
  void (*close)(kernelsDevice *device);
  // Another one with the same kernels, to be closed before, whose work runs beside the device's; NULL, or gives NULL: there is
  // none.
  kernelsDevice *(*twin)(kernelsDevice *device);
  artStatus (*load)(kernelsDevice *device, const char *library, artError *error);
  // Steps by RK4 that are compiled apart, before the others are loaded; NULL: that is not for this device.
  artStatus (*load_steps)(kernelsDevice *device, const char *library, artError *error);
  void *(*take)(kernelsDevice *device, size_t bytes); // set to zero; NULL: there is no room
  void (*give)(kernelsDevice *device, void *memory);
  artStatus (*put)(kernelsDevice *device, void *to, const void *from, size_t bytes,
                   artError *error);
  artStatus (*get)(kernelsDevice *device, void *to, const void *from, size_t bytes,
                   artError *error);
  artStatus (*copy)(kernelsDevice *device, void *to, const void *from, size_t bytes,
                    artError *error); // both on the device, behind all that others have begun there
  artStatus (*run)(kernelsDevice *device, const kernelsCall *call, artError *error);

  // Fit the device to the sizes of kernels that are loaded; NULL: it needs nothing.
  artStatus (*fit)(kernelsDevice *device, const int size[KERNELS_NUMBERS], artError *error);

  // The row of numbers that all instances read; NULL: every instance has its own in any case.
  artStatus (*share)(kernelsDevice *device, const double *row, size_t bytes, artError *error);
} kernelsWays;

struct kernelsDevice {
  const kernelsWays *ways;
  char name[160]; // for people
  cacheTool tool;
  int has_lanes;       // takes texts in lanes
  char target[40];     // the flag that names this device; "": there is none
  int multiprocessors; // 0: not known
  int shared_bytes;    // of a block at most; 0: the device has no shared memory
};

// By so many threads. The other: ART_UNSUPPORTED where there is no driver or no such device, with what to do.
artStatus kernels_open_cpu(kernelsDevice **out, int threads, artError *error);
artStatus kernels_open_gpu(kernelsDevice **out, int number, artError *error);

// The kernels are loaded: their sizes, which runs of the others need.
artStatus kernels_read_sizes(kernelsDevice *device, int size[KERNELS_NUMBERS], artError *error);

// Threads of a block for n instances, of `most`: fewer where blocks would leave multiprocessors without work.
int kernels_block(long n, int multiprocessors, int most);

// Warps of a team for n instances: 0 where they are so many that the device is busier with one thread for each.
int kernels_team(const kernelsDevice *device, long n);

// Flags that the head of a text asks nvcc for, ended by NULL, if this device is compiled for by it. The text stands at its end
// again.
enum { KERNELS_FLAGS = 5 };
void kernels_flags(const kernelsDevice *device, FILE *text, const char **flag);

// Whether steps by RK4 are to be compiled apart, since threads of subtrees, where all instances have the same parameters, need other
// flags than one thread; then theirs, and the flags of the rest.
int kernels_step_flags(const kernelsDevice *device, FILE *text, int is_varied, const char **flag,
                       const char **rest);

#endif
