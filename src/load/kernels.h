// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kernels of `generate --language cuda`, compiled, loaded and run for many instances: by threads of
// the CPU, or on a GPU through its driver, which is loaded on demand.
#ifndef LOAD_KERNELS_H
#define LOAD_KERNELS_H

#include "load/cache.h"

// Name of the machine in the source.
#define KERNELS_NAME "machine"

// Instances in device memory; the struct NAME_batch of emit/texts/cuda.c.in.
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
  KERNELS_GATHER, // only if instances have some parameters of their own
  KERNELS
} kernelsName;
extern const char *const kernels_symbol[KERNELS];

// Entries of the array that NAME_sizes writes.
typedef enum kernelsSize {
  KERNELS_BATCH_BYTES,
  KERNELS_NX,
  KERNELS_NKNOWN,
  KERNELS_NU,
  KERNELS_BLOCK,          // maximum number of threads per block
  KERNELS_SHARED_BYTES,   // per block, for values in shared memory
  KERNELS_NOWN,           // length of the parameter row of an instance
  KERNELS_STEP_BLOCK,     // threads that share the RK4 steps of a block's instances; 0: one thread
                          // per instance
  KERNELS_STEP_BYTES,     // shared memory of such a block
  KERNELS_STEP_INSTANCES, // instances of such a block
  KERNELS_NUMBERS
} kernelsSize;

// Arguments of kernels: `batch` for all instance kernels, `rows` and n for `prepare` and `gather`,
// `size` for `sizes`.
typedef struct kernelsCall {
  kernelsName kernel;
  kernelsBatch batch;
  double *rows;
  long n;
  double step, end, tolerance;
  int steps;
  int *size;
} kernelsCall;

// A device with loaded kernels.
typedef struct kernelsDevice kernelsDevice;
typedef struct kernelsWays {
  void (*close)(kernelsDevice *device);
  // A second device with the same kernels, which runs concurrently and must be closed first; NULL,
  // or returns NULL, if not supported.
  kernelsDevice *(*twin)(kernelsDevice *device);
  artStatus (*load)(kernelsDevice *device, const char *library, artError *error);
  // Load separately compiled RK4 steps, before the other kernels; NULL: not supported.
  artStatus (*load_steps)(kernelsDevice *device, const char *library, artError *error);
  void *(*take)(kernelsDevice *device, size_t bytes); // zero-initialised; NULL: out of memory
  void (*give)(kernelsDevice *device, void *memory);
  artStatus (*put)(kernelsDevice *device, void *to, const void *from, size_t bytes,
                   artError *error);
  artStatus (*get)(kernelsDevice *device, void *to, const void *from, size_t bytes,
                   artError *error);
  // both addresses on the device; waits for all work started there by others
  artStatus (*copy)(kernelsDevice *device, void *to, const void *from, size_t bytes,
                    artError *error);
  artStatus (*run)(kernelsDevice *device, const kernelsCall *call, artError *error);

  // Configure the device for the sizes of the loaded kernels; NULL: not needed.
  artStatus (*fit)(kernelsDevice *device, const int size[KERNELS_NUMBERS], artError *error);

  // Set the parameter row shared by all instances; NULL: every instance has its own.
  artStatus (*share)(kernelsDevice *device, const double *row, size_t bytes, artError *error);
} kernelsWays;

struct kernelsDevice {
  const kernelsWays *ways;
  char name[160]; // for messages
  cacheTool tool;
  int has_lanes;       // accepts sources with lanes
  char target[40];     // compiler flag for this device; "": none
  int multiprocessors; // 0: unknown
  int shared_bytes;    // maximum per block; 0: the device has no shared memory
};

// kernels_open_cpu: with this number of threads. kernels_open_gpu: ART_UNSUPPORTED, with advice, if
// there is no driver or no such device.
artStatus kernels_open_cpu(kernelsDevice **out, int threads, artError *error);
artStatus kernels_open_gpu(kernelsDevice **out, int number, artError *error);

// Read the sizes of loaded kernels; required before running the others.
artStatus kernels_read_sizes(kernelsDevice *device, int size[KERNELS_NUMBERS], artError *error);

// Threads per block for n instances, `most` or fewer: fewer if blocks would leave multiprocessors
// idle.
int kernels_block(long n, int multiprocessors, int most);

// Warps of a team for n instances; 0 if one thread per instance uses the device better.
int kernels_team(const kernelsDevice *device, long n);

// Compiler flags requested by the head of a source, NULL-terminated, if nvcc compiles for this
// device. Leaves the stream at its end.
enum { KERNELS_FLAGS = 5 };
void kernels_flags(const kernelsDevice *device, FILE *text, const char **flag);

// 1 if RK4 steps must be compiled separately: threads of subtrees, used if all instances have the
// same parameters, need other flags. `flag` then has their flags, `rest` those of the other
// kernels.
int kernels_step_flags(const kernelsDevice *device, FILE *text, int is_varied, const char **flag,
                       const char **rest);

#endif
