// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kernels of batches on the CPU: steps of instances in lanes compared with the same instances one by one, on one thread, by
// texts that are compiled alike. Processor time; with model files as arguments theirs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "articula/articula.h"
#include "base/memory.h"
#include "load/kernels.h"
#include "study/generate/product_writer.h"

typedef struct subject {
  const char *name, *path;
  int n, steps;
  double h;
} subject;

static const subject subjects[] = {
    {"four-bar linkage", "models/loops/four-bar.yaml", 2048, 50, 1e-4},
    {"7-axis arm", "models/iiwa.yaml", 1024, 50, 1e-4},
    {"single-track car", "models/vehicles/single-track.yaml", 4096, 50, 1e-3},
    {"van", "models/vehicles/van.yaml", 64, 10, 1e-3},
    {"five-bar car", "models/vehicles/multilink-car.yaml", 64, 10, 1e-3},
};


static void check(artStatus status, const artError *error)
{
  if (status == ART_OK) return;
  fprintf(stderr, "%s\n", error->text);
  exit(1);
}


// the text of a machine, compiled and loaded
static kernelsDevice *open_kernels(const char *path, int lanes)
{
  static const char *const more[] = {"-D" KERNELS_NAME "_VARIED", NULL};
  const genOptions options = {.name = KERNELS_NAME, .forms = GEN_ACCELERATE};
  simulatorForm form = {
      .kind = SIMULATOR_CUDA, .name = KERNELS_NAME, .language = EMIT_CUDA, .lanes = lanes};
  artRunDef study = art_default_run();
  artModel *m = NULL;
  artError error = {0};
  kernelsDevice *device;
  cacheText text;
  char library[FILE_PATH_LENGTH];
  check(kernels_open_cpu(&device, 1, &error), &error);
  check(art_load_model(&m, path, &error), &error);
  artData *d = art_create_data(m);
  art_update(m, d);
  check(art_assemble(m, d, NULL, &error), &error);
  check(cache_begin(&text, &error), &error);
  text.tool = &device->tool;
  text.more = more;
  check(study_write_simulator(m, d, &study, &options, &form, text.out, &error), &error);
  check(cache_compile(&text, library, &error), &error);
  check(device->ways->load(device, library, &error), &error);
  art_free_data(d);
  art_free_model(m);
  return device;
}


static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


// states at the end, [NX n], and seconds that the steps took, the best of three; every instance begins a little apart from the others
static double *simulate(const subject *s, int lanes, int *nx, double *seconds)
{
  const int n = s->n;
  kernelsDevice *device = open_kernels(s->path, lanes);
  const kernelsWays *ways = device->ways;
  int size[KERNELS_NUMBERS];
  kernelsCall call = {.kernel = KERNELS_SIZES, .size = size};
  artError error = {0};
  check(ways->run(device, &call, &error), &error);
  *nx = size[KERNELS_NX];
  double *room = MEM_ARRAY(double, n *(3 * *nx + size[KERNELS_NKNOWN] + 200));
  if (!room) exit(1);
  double *free_room = room;
#define TAKE(count) (free_room += (long) (count) *n, free_room - (long) (count) *n)
  call.batch = (kernelsBatch){.n = n, .t = TAKE(1), .x = TAKE(*nx), .u = TAKE(100)};
  kernelsBatch *b = &call.batch;
  b->own = TAKE(size[KERNELS_NKNOWN]), b->rate = TAKE(*nx), b->energy = TAKE(1);
  b->length = TAKE(1), b->failed_at = TAKE(1);
  b->status = (int *) TAKE(1), b->choice = (int *) TAKE(1);
  *seconds = HUGE_VAL;
  for (int round = 0; round < 3; round++) {
    call.kernel = KERNELS_BEGIN;
    check(ways->run(device, &call, &error), &error);
    call.kernel = KERNELS_PREPARE, call.rows = b->own, call.n = n;
    check(ways->run(device, &call, &error), &error);
    for (long i = 0; i < (long) n * (*nx - 1); i++) b->x[i] *= 1 + 1e-4 * (double) (i % n) / n;
    call.kernel = KERNELS_RK4, call.step = s->h, call.steps = s->steps;
    const double start = now();
    check(ways->run(device, &call, &error), &error);
    *seconds = fmin(*seconds, now() - start);
  }
  for (int i = 0; i < n; i++) {
    if (b->status[i]) printf("  instance %d stopped: %d\n", i, b->status[i]);
  }
  double *x = MEM_ARRAY(double, (long) n **nx);
  for (long i = 0; x && i < (long) n * *nx; i++) x[i] = b->x[i];
  ways->close(device);
  mem_free(room);
  return x;
}


static void compare(const subject *s)
{
  double one, many, worst = 0, largest = 0;
  int nx;
  double *want = simulate(s, 0, &nx, &one);
  double *have = simulate(s, EMIT_LANES_OF_TARGET, &nx, &many);
  for (long i = 0; want && have && i < (long) s->n * nx; i++) {
    const double e = fabs(have[i] - want[i]);
    largest = fmax(largest, fabs(want[i]));
    if (!(e <= worst)) worst = e;
  }
  const double all = (double) s->n * s->steps / 1e6;
  printf("| %s | %d | %.3g | %.3g | %.2f | %.1e |\n", s->name, s->n, all / one, all / many,
         one / many, worst / largest);
  fflush(stdout);
  mem_free(want);
  mem_free(have);
}


int main(int argc, char **argv)
{
  printf("| machine | instances | one by one, million steps a second | in lanes | times | "
         "difference |\n|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < sizeof subjects / sizeof *subjects && argc == 1; k++) {
    compare(&subjects[k]);
  }
  for (int k = 1; k < argc; k++) compare(&(subject){argv[k], argv[k], 13, 100, 1e-3});
}
