// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Many instances of one machine that advance together, on this processor or on a graphics processor: the same text of
// generated code (doc/guide/gpu.md), the same calls, the same numbers but for rounding.
//
// SI units, radians. Entry k of a vector of instance i stands at [k * n + i], n instances in all.
#ifndef ARTICULA_BATCH_H
#define ARTICULA_BATCH_H

#include "articula/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum artDevice { ART_CPU, ART_GPU, ART_DEVICES } artDevice;
ART_API const char *art_device_name(artDevice device); // "cpu", "gpu"

// Numbers of the equations of motion: all in double precision; all in single precision; loops closed in double precision, the
// rest in single. States, steps and outputs are in double precision in any case.
typedef enum artPrecision { ART_DOUBLE, ART_FLOAT, ART_MIXED, ART_PRECISIONS } artPrecision;
ART_API const char *art_precision_name(artPrecision precision); // "double", "float", "mixed"

typedef struct artBatchDef {
  long n; // instances
  artDevice device;
  int gpu;         // number of the graphics processor
  int or_cpu;      // on this processor where a graphics processor cannot be used
  int threads;     // of the processor; 0: as many as there are processors
  int share;       // all instances have the same parameters, which takes less memory
  int counts_work; // ART_BATCH_WORK is wanted
  artPrecision precision;
  // Parameters of the model file that instances may have of their own, by their names; of all others there is one number for all
  // instances, which takes less time on a graphics processor. 0, NULL: all.
  int nown;
  const char *const *own;
  int corners; // an instance ends its step where a law, a stop or a formula has a corner, as runs do; else it goes across
} artBatchDef;
ART_API artBatchDef art_default_batch(void); // one instance on this processor

typedef struct artBatch artBatch;

// Generate, compile and load kernels for the motion of a study, whose equilibrium is sought where it asks for one. All
// instances are at the start of the study. It uses the C compiler and the cache of
// art_load_generated; for graphics processors nvcc compiles ($NVCC, the one on the path, or that of /usr/local/cuda), or, where there is none
// or where $NVRTC names it, the library of nvrtc. ART_UNSUPPORTED, with what to do, where the machine cannot be generated or there is no device, driver or compiler; ART_NO_MEMORY where
// instances do not fit. Needs the model as long as it lives. One thread at a time may use it.
ART_API artStatus art_create_batch(artBatch **out, const artModel *model, const artRunDef *study,
                                   const artBatchDef *def, artError *error);

// Accepts NULL.
ART_API void art_free_batch(artBatch *batch);

typedef struct artBatchInfo {
  long n;
  artDevice device;
  const char *name; // of the device, for people
  const char
      *reason; // why it is the processor where a graphics processor was asked for; NULL: it was not
  int gpu;     // number of the graphics processor; -1: it is the processor
} artBatchInfo;
ART_API artBatchInfo art_batch_info(const artBatch *batch);

// Vectors of instances.
typedef enum artBatchVector {
  ART_BATCH_TIME,
  ART_BATCH_POSITIONS,
  ART_BATCH_VELOCITIES,
  ART_BATCH_STATES,
  ART_BATCH_INPUTS, // held during steps
  ART_BATCH_FORCES, // joint forces beside the model's own, held during steps
  ART_BATCH_PARAMETERS, // with `share` of one instance, for all; with `own` others are the same in all instances
  ART_BATCH_OUTPUTS,       // to be read alone, as all that follow
  ART_BATCH_ACCELERATIONS, //
  ART_BATCH_FAILURES,      // 0: it goes on; art_batch_failure says what other numbers mean
  ART_BATCH_FAILED_AT,     // s
  ART_BATCH_WORK,          // of forces without potential and of drives since the motion began, J
  ART_BATCH_VECTORS
} artBatchVector;

// How many numbers a vector has, of each instance.
ART_API int art_batch_width(const artBatch *batch, artBatchVector vector);

// Is velocity coordinate k free, led by no loop and no drive? Entries of positions and velocities that are led are guesses:
// the machine is closed from the free ones.
ART_API int art_batch_is_free(const artBatch *batch, int k);

// Parameters of the model file stand first, by their names, then masses, centres of mass and inertias ("arm.mass"), then other constants ("elbow.place.x"): the name, the number
// of a name, or -1.
ART_API const char *art_batch_parameter_name(const artBatch *batch, int k);
ART_API int art_find_batch_parameter(const artBatch *batch, const char *name);

// Set or read a vector of all instances. Numbers that are not finite, and inputs and parameters beyond their limits, are
// ART_BAD_INPUT, with the instance, and change nothing. With time, positions, velocities or states a new
// motion begins: all instances go on, the energy counts from there, loops are closed before the first step. With
// parameters the energy counts anew, too.
ART_API artStatus art_set_batch(artBatch *batch, artBatchVector vector, const double *numbers,
                                artError *error);
ART_API artStatus art_get_batch(artBatch *batch, artBatchVector vector, double *numbers,
                                artError *error);

// Where a vector lies: in memory of this process or of a graphics processor. Addresses stay as long as the
// batch lives, and steps change what is there; outputs and accelerations belong to the moment when they are asked for. Not of
// failures, nor of parameters of which all or some are shared.
typedef struct artBatchView {
  double *numbers;
  long n;
  int width;
  int gpu; // number of the graphics processor; -1: this process
} artBatchView;
ART_API artStatus art_view_batch(artBatch *batch, artBatchVector vector, artBatchView *view,
                                 artError *error);

// The caller has written into a vector where it lies, and all that writes is waited for; or numbers in memory of the device of the batch
// are copied to it. The effect is the same as that of art_set_batch, but numbers are not looked at: an instance that cannot go on
// with them stops alone.
ART_API artStatus art_touch_batch(artBatch *batch, artBatchVector vector, artError *error);
ART_API artStatus art_put_batch(artBatch *batch, artBatchVector vector, const double *on_device,
                                artError *error);

// Advance all instances that go on: by rk4 in so many steps of this length; by dopri5 to a time, in steps of their
// own, of which `step` is the first to try; instances that are beyond it stay. An instance that cannot go on stops alone, at its last good state.
ART_API artStatus art_step_batch(artBatch *batch, double step, int steps, artError *error);
ART_API artStatus art_advance_batch(artBatch *batch, double end, double step, double tolerance,
                                    artError *error);

// How far accelerations of the first instances, 32 at most, are now from the accelerations of the same text in double precision on this processor,
// relative to the largest of the instance, or to 1 where that is smaller. 0 in double precision.
ART_API artStatus art_batch_rounding(artBatch *batch, double *rounding, artError *error);

// Why an instance has stopped, and at which time (or NULL); ART_OK: it goes on.
ART_API artStatus art_batch_failure(artBatch *batch, long instance, double *time, artError *error);

#ifdef __cplusplus
}
#endif

#endif
