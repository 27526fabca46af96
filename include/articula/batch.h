// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Many instances of one machine that advance together, on the CPU or on a GPU. Both run the same
// generated source (doc/guide/gpu.md) through the same functions; results agree to rounding.
//
// SI units, radians. Entry k of a vector of instance i is stored at [k * n + i], with n instances.
#ifndef ARTICULA_BATCH_H
#define ARTICULA_BATCH_H

#include "articula/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum artDevice { ART_CPU, ART_GPU, ART_DEVICES } artDevice;
ART_API const char *art_device_name(artDevice device); // "cpu", "gpu"

// Precision of the equations of motion: double; single; or double for closing loops and single for
// the rest. States, steps and outputs are always in double precision.
typedef enum artPrecision { ART_DOUBLE, ART_FLOAT, ART_MIXED, ART_PRECISIONS } artPrecision;
ART_API const char *art_precision_name(artPrecision precision); // "double", "float", "mixed"

typedef struct artBatchDef {
  long n; // instances
  artDevice device;
  int gpu;         // index of the GPU
  int or_cpu;      // 1: use the CPU if the GPU cannot be used
  int threads;     // CPU threads; 0: one per core
  int share;       // 1: all instances have the same parameters, which saves memory
  int counts_work; // 1: compute ART_BATCH_WORK
  artPrecision precision;
  // Names of the model-file parameters that may differ between instances. All other parameters have
  // one value for all instances, which is faster on a GPU. 0, NULL: all parameters may differ.
  int nown;
  const char *const *own;
  int corners; // 1: steps of an instance end at kinks of laws, stops and formulas, as in runs; 0:
               // they cross them
} artBatchDef;
ART_API artBatchDef art_default_batch(void); // one instance on the CPU

typedef struct artBatch artBatch;

// Generate, compile and load kernels for the motion of a study, and find its equilibrium if the
// study asks for one. All instances start at the initial state of the study. Uses the C compiler
// and the cache of art_load_generated. GPU kernels are compiled by nvcc ($NVCC, the one on PATH, or
// the one in /usr/local/cuda), or by the NVRTC library if there is no nvcc or $NVRTC names the
// library. Returns ART_UNSUPPORTED, with advice, if the machine cannot be generated or there is no
// device, driver or compiler; ART_NO_MEMORY if the instances do not fit. The model must outlive the
// batch. One thread at a time may use a batch.
ART_API artStatus art_create_batch(artBatch **out, const artModel *model, const artRunDef *study,
                                   const artBatchDef *def, artError *error);

// Accepts NULL.
ART_API void art_free_batch(artBatch *batch);

typedef struct artBatchInfo {
  long n;
  artDevice device;
  const char *name;   // of the device, for messages
  const char *reason; // why the CPU is used although a GPU was requested; NULL: the device is the
                      // requested one
  int gpu;            // index of the GPU; -1: the CPU
} artBatchInfo;
ART_API artBatchInfo art_batch_info(const artBatch *batch);

// Vectors of a batch.
typedef enum artBatchVector {
  ART_BATCH_TIME,
  ART_BATCH_POSITIONS,
  ART_BATCH_VELOCITIES,
  ART_BATCH_STATES,
  ART_BATCH_INPUTS,     // constant during a step
  ART_BATCH_FORCES,     // joint forces in addition to those of the model, constant during a step
  ART_BATCH_PARAMETERS, // with `share`: one set for all instances; with `own`: all others are equal
                        // in all instances
  ART_BATCH_OUTPUTS,    // read-only, like all that follow
  ART_BATCH_ACCELERATIONS,
  ART_BATCH_FAILURES,  // 0: the instance is running; art_batch_failure explains other values
  ART_BATCH_FAILED_AT, // s
  ART_BATCH_WORK,      // of forces without potential and of drives since the start of the motion, J
  ART_BATCH_VECTORS
} artBatchVector;

// Number of entries that a vector has for each instance.
ART_API int art_batch_width(const artBatch *batch, artBatchVector vector);

// 1 if velocity coordinate k is independent, that is, determined by no loop and no drive. Entries
// of dependent positions and velocities are initial guesses: loops are closed from the independent
// ones.
ART_API int art_batch_is_free(const artBatch *batch, int k);

// Names of the entries of ART_BATCH_PARAMETERS: first the parameters of the model file, then
// masses, centres of mass and inertias ("arm.mass"), then other constants ("elbow.place.x").
// art_find_batch_parameter returns the index of a name, or -1.
ART_API const char *art_batch_parameter_name(const artBatch *batch, int k);
ART_API int art_find_batch_parameter(const artBatch *batch, const char *name);

// Set or read a vector of all instances. Numbers that are not finite, and inputs and parameters
// beyond their limits, give ART_BAD_INPUT, which names the instance, and change nothing. Setting
// time, positions, velocities or states starts a new motion: all instances run again, the energy
// balance restarts, and loops are closed before the first step. Setting parameters also restarts
// the energy balance.
ART_API artStatus art_set_batch(artBatch *batch, artBatchVector vector, const double *numbers,
                                artError *error);
ART_API artStatus art_get_batch(artBatch *batch, artBatchVector vector, double *numbers,
                                artError *error);

// The address of a vector, in memory of this process or of a GPU. Addresses are valid as long as
// the batch lives, and steps change the contents; outputs and accelerations are those at the time
// of this call. Not available for failures, nor for parameters if some or all of them are shared.
typedef struct artBatchView {
  double *numbers;
  long n;
  int width;
  int gpu; // index of the GPU; -1: memory of this process
} artBatchView;
ART_API artStatus art_view_batch(artBatch *batch, artBatchVector vector, artBatchView *view,
                                 artError *error);

// art_touch_batch: the caller has written into a vector at its address; the call waits for pending
// writes. art_put_batch copies numbers from memory of the batch's device. Both have the effect of
// art_set_batch but do not check the numbers: an instance that cannot continue with them stops by
// itself.
ART_API artStatus art_touch_batch(artBatch *batch, artBatchVector vector, artError *error);
ART_API artStatus art_put_batch(artBatch *batch, artBatchVector vector, const double *on_device,
                                artError *error);

// Advance all running instances. art_step_batch takes `steps` steps of rk4 with the given length.
// art_advance_batch advances to the time `end` by dopri5 with individual steps, of which `step` is
// the first to try; instances beyond `end` do not move. An instance that fails stops at its last
// valid state; the others continue.
ART_API artStatus art_step_batch(artBatch *batch, double step, int steps, artError *error);
ART_API artStatus art_advance_batch(artBatch *batch, double end, double step, double tolerance,
                                    artError *error);

// Rounding error of the accelerations: their largest difference from the same source evaluated in
// double precision on the CPU, over the first instances (32 at most), relative to the largest
// acceleration of the instance or to 1, whichever is larger. 0 in double precision.
ART_API artStatus art_batch_rounding(artBatch *batch, double *rounding, artError *error);

// The reason why an instance has stopped, and the time (may be NULL); ART_OK: it is running.
ART_API artStatus art_batch_failure(artBatch *batch, long instance, double *time, artError *error);

#ifdef __cplusplus
}
#endif

#endif
