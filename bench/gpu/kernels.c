// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The host's side of batches (src/load/kernels.h) on a real device: one text, compiled and cached for the CPU and for
// the GPU, from the same states. Needs nothing of the library but these files.
//
//   articula generate models/loops/four-bar.yaml --language cuda --name machine -o machine.cu
//   cc -std=gnu11 -O2 -Isrc -Iinclude bench/gpu/kernels.c src/load/{kernels*,nvrtc,cache,compiler}.c
//      src/base/*.c src/par/farm.c -pthread -lm -ldl -o kernels
//   ./kernels machine.cu 100000 100 1e-3      instances, steps, their length
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "load/kernels.h"

static void check(artStatus status, const artError *error)
{
  if (status == ART_OK) return;
  fprintf(stderr, "%s\n", error->text);
  exit(1);
}


static void load(kernelsDevice *device, const char *path)
{
  static const char *more[2 + KERNELS_FLAGS] = {"-Dmachine_VARIED"};
  artError error = {0};
  cacheText text;
  char library[FILE_PATH_LENGTH], *bytes;
  size_t size;
  more[1] = device->target[0] ? device->target : NULL;
  check(file_read(path, &bytes, &size, &error), &error);
  check(cache_begin(&text, &error), &error);
  text.tool = &device->tool;
  text.more = more;
  fwrite(bytes, 1, size, text.out);
  if (more[1]) kernels_flags(device, text.out, more + 2);
  check(cache_compile(&text, library, &error), &error);
  check(device->ways->load(device, library, &error), &error);
}


static double *take(kernelsDevice *device, long count)
{
  void *memory = device->ways->take(device, (size_t) (count + 1) * sizeof(double));
  if (memory) return memory;
  fprintf(stderr, "%s has no memory\n", device->name);
  exit(1);
}


// states at the end, [NX n]; every instance begins a little apart from the others
static double *simulate(kernelsDevice *device, const char *path, long n, int steps, double h,
                        int *nx)
{
  artError error = {0};
  int size[KERNELS_NUMBERS];
  const double start = base_now();
  load(device, path);
  const double loaded = base_now();
  const kernelsWays *ways = device->ways;
  kernelsCall call = {0};
  check(kernels_read_sizes(device, size, &error), &error);
  const size_t bytes = (size_t) size[KERNELS_NX] * (size_t) n * sizeof(double);
  double *x = malloc(bytes);
  kernelsBatch *b = &call.batch;
  *nx = size[KERNELS_NX];
  b->n = n;
  b->t = take(device, n);
  b->x = take(device, n * *nx);
  b->u = take(device, n * *nx);
  b->own = take(device, n * size[KERNELS_NKNOWN]);
  b->rate = take(device, n * *nx);
  b->energy = take(device, n);
  b->length = take(device, n);
  b->failed_at = take(device, n);
  b->status = (int *) take(device, n);
  b->choice = (int *) take(device, n);
  call.kernel = KERNELS_BEGIN;
  check(ways->run(device, &call, &error), &error);
  call.kernel = KERNELS_PREPARE, call.rows = b->own, call.n = n;
  check(ways->run(device, &call, &error), &error);
  check(ways->get(device, x, b->x, bytes, &error), &error);
  for (long i = 0; i < n * (*nx - 1); i++) x[i] *= 1 + 1e-4 * (double) (i % n) / (double) n;
  check(ways->put(device, b->x, x, bytes, &error), &error);
  call.kernel = KERNELS_RATES;
  check(ways->run(device, &call, &error), &error);
  call.kernel = KERNELS_WEIGH;
  check(ways->run(device, &call, &error), &error);
  const double ready = base_now();
  call.kernel = KERNELS_RK4, call.step = h, call.steps = steps;
  check(ways->run(device, &call, &error), &error);
  const double done = base_now();
  check(ways->get(device, x, b->x, bytes, &error), &error);
  printf("%-28s compiled or found %.2f s, steps %.4f s, %.1f million steps a second\n",
         device->name, loaded - start, done - ready, (double) n * steps / (done - ready) / 1e6);
  ways->close(device);
  return x;
}


int main(int argc, char **argv)
{
  artError error = {0};
  kernelsDevice *device;
  int nx = 0;
  const char *path = argc > 1 ? argv[1] : "machine.cu";
  const long n = argc > 2 ? atol(argv[2]) : 100000;
  const int steps = argc > 3 ? atoi(argv[3]) : 100;
  const double h = argc > 4 ? atof(argv[4]) : 1e-3;
  check(kernels_open_cpu(&device, 0, &error), &error);
  double *want = simulate(device, path, n, steps, h, &nx);
  check(kernels_open_gpu(&device, 0, &error), &error);
  double *have = simulate(device, path, n, steps, h, &nx);
  double worst = 0, largest = 0;
  for (long i = 0; i < n * nx; i++) {
    const double e = fabs(have[i] - want[i]);
    largest = fmax(largest, fabs(want[i]));
    if (!(e <= worst)) worst = e;
  }
  printf("largest difference %.2e of %.3g\n", worst, largest);
  return !(worst <= 1e-12 * largest);
}
