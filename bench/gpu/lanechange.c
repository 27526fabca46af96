// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Many cases of a machine with a parameter of its own each, from the beginning to the end of a study, with results on disk: what
// `articula sweep --device` does after the reading of models, on a real device and by threads. Needs nothing of the library but the
// files of kernels.c.
//
//   articula generate models/vehicles/multilink-car.yaml --language cuda --name machine -o machine.cu
//   cc -std=gnu11 -O2 -Isrc -Iinclude bench/gpu/lanechange.c src/load/{kernels*,nvrtc,cache,compiler}.c
//      src/base/*.c src/par/farm.c -pthread -lm -ldl -o lanechange
//   ./lanechange machine.cu rack 4e-3 8e-3 10000 500 1e-3 20 500 [1e-7]
//                 parameter, its range, cases on the device, cases by threads, step, steps between rows, rows; a tolerance: dopri5
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "load/kernels.h"

typedef struct sweep {
  const char *text; // of the machine
  int place, ny;
  double from, to, step, tolerance; // 0: rk4
  int steps, rows;
} sweep;


static void check(artStatus status, const artError *error)
{
  if (status == ART_OK) return;
  fprintf(stderr, "%s\n", error->text);
  exit(1);
}


// the number after `word = ` in the text
static int number_of(const char *text, const char *word)
{
  char line[200];
  snprintf(line, sizeof line, "  %s = ", word);
  const char *found = strstr(text, line);
  if (!found) fprintf(stderr, "the text has no '%s'\n", word), exit(1);
  return atoi(found + strlen(line));
}


static void load(kernelsDevice *device, const char *text)
{
  static const char *more[2 + KERNELS_FLAGS] = {"-Dmachine_VARIED"};
  artError error = {0};
  cacheText own;
  char library[FILE_PATH_LENGTH];
  more[1] = device->target[0] ? device->target : NULL;
  check(cache_begin(&own, &error), &error);
  own.tool = &device->tool;
  own.more = more;
  fputs(text, own.out);
  if (more[1]) kernels_flags(device, own.out, more + 2);
  check(cache_compile(&own, library, &error), &error);
  check(device->ways->load(device, library, &error), &error);
}


static void *take(kernelsDevice *device, long count)
{
  void *memory = device->ways->take(device, (size_t) (count + 1) * sizeof(double));
  if (!memory) fprintf(stderr, "%s has no memory\n", device->name), exit(1);
  return memory;
}


static void run(kernelsDevice *device, kernelsCall *call, kernelsName kernel)
{
  artError error = {0};
  call->kernel = kernel;
  check(device->ways->run(device, call, &error), &error);
}


static double *begin(kernelsDevice *device, const sweep *s, long n, const double *value,
                     kernelsCall *call)
{
  artError error = {0};
  int size[KERNELS_NUMBERS];
  const kernelsWays *ways = device->ways;
  *call = (kernelsCall){.step = s->step, .steps = s->steps};
  check(kernels_read_sizes(device, size, &error), &error);
  kernelsBatch *b = &call->batch;
  b->n = n;
  b->t = take(device, n);
  b->x = take(device, n * size[KERNELS_NX]);
  b->u = take(device, n * size[KERNELS_NX]);
  b->own = take(device, n * size[KERNELS_NKNOWN]);
  b->rate = take(device, n * size[KERNELS_NX]);
  b->y = take(device, n * s->ny);
  b->energy = take(device, n);
  b->length = take(device, n);
  b->failed_at = take(device, n);
  b->status = take(device, n);
  b->choice = take(device, n);
  run(device, call, KERNELS_BEGIN);
  check(ways->put(device, b->own + s->place * n, value, (size_t) n * sizeof *value, &error),
        &error);
  call->rows = b->own;
  call->n = n;
  run(device, call, KERNELS_PREPARE);
  run(device, call, KERNELS_RATES);
  run(device, call, KERNELS_WEIGH);
  return malloc((size_t) (n * s->ny) * sizeof(double));
}


// results into a file: the last and the largest of each output
static void write_results(const sweep *s, const char *path, long n, const double *value,
                          const double *last, const double *largest)
{
  FILE *out = fopen(path, "w");
  for (long i = 0; i < n && out; i++) {
    fprintf(out, "%ld,%.17g", i + 1, value[i]);
    for (int k = 0; k < s->ny; k++) {
      fprintf(out, ",%.17g,%.17g", last[k * n + i], largest[k * n + i]);
    }
    fputc('\n', out);
  }
  if (!out || fclose(out)) fprintf(stderr, "%s cannot be written\n", path), exit(1);
}


// the largest of each output, [ny n]
static double *simulate(kernelsDevice *device, const sweep *s, long n, const double *value,
                        const char *path)
{
  artError error = {0};
  kernelsCall call;
  const double start = base_now();
  load(device, s->text);
  const double loaded = base_now();
  double *y = begin(device, s, n, value, &call);
  double *largest = calloc((size_t) (n * s->ny), sizeof *largest), kernels = 0;
  for (int row = 0; row <= s->rows; row++) {
    const double before = base_now();
    call.end = row * s->steps * s->step;
    call.tolerance = s->tolerance;
    if (row > 0) run(device, &call, s->tolerance > 0 ? KERNELS_DOPRI5 : KERNELS_RK4);
    run(device, &call, KERNELS_OUTPUTS);
    kernels += base_now() - before;
    check(device->ways->get(device, y, call.batch.y, (size_t) (n * s->ny) * sizeof *y, &error),
          &error);
    for (long i = 0; i < n * s->ny; i++) largest[i] = fmax(largest[i], fabs(y[i]));
  }
  const double run_to = base_now();
  write_results(s, path, n, value, y, largest);
  int *status = malloc((size_t) n * sizeof *status), failed = 0;
  check(device->ways->get(device, status, call.batch.status, (size_t) n * sizeof *status, &error),
        &error);
  for (long i = 0; i < n; i++) failed += status[i] != 0;
  printf("%-28s %6ld cases: compiled or found %.1f s, all rows %.2f s (kernels %.2f s), file %.2f "
         "s; %d failed\n",
         device->name, n, loaded - start, run_to - loaded, kernels, base_now() - run_to, failed);
  fflush(stdout);
  device->ways->close(device);
  return largest;
}


int main(int argc, char **argv)
{
  artError error = {0};
  kernelsDevice *device;
  char *text, word[100];
  size_t size;
  if (argc < 10) return fprintf(stderr, "see the head of this file\n"), 2;
  check(file_read(argv[1], &text, &size, &error), &error);
  snprintf(word, sizeof word, "p_%s", argv[2]);
  const sweep s = {.text = text,
                   .place = number_of(text, word),
                   .ny = number_of(text, "machine_NY"),
                   .from = atof(argv[3]),
                   .to = atof(argv[4]),
                   .step = atof(argv[7]),
                   .steps = atoi(argv[8]),
                   .rows = atoi(argv[9]),
                   .tolerance = argc > 10 ? atof(argv[10]) : 0};
  const long n = atol(argv[5]), few = atol(argv[6]);
  double *value = malloc((size_t) n * sizeof *value), *some = malloc((size_t) few * sizeof *some);
  for (long i = 0; i < n; i++) value[i] = s.from + (s.to - s.from) * (double) i / (double) (n - 1);
  for (long i = 0; i < few; i++) some[i] = value[i * (n / few)];
  check(kernels_open_gpu(&device, 0, &error), &error);
  const double *all = simulate(device, &s, n, value, "device.csv");
  check(kernels_open_cpu(&device, 0, &error), &error);
  const double *own = simulate(device, &s, few, some, "threads.csv");
  double worst = 0;
  for (int k = 0; k < s.ny; k++) {
    double e = 0, most = 1e-2; // small ones are differences of large ones
    for (long i = 0; i < few; i++) {
      const double d = fabs(own[k * few + i] - all[k * n + i * (n / few)]);
      most = fmax(most, own[k * few + i]);
      if (!(d <= e)) e = d;
    }
    if (!(e / most <= worst)) worst = e / most;
  }
  printf("largest difference of a largest value %.2e of it, or of 0.01\n", worst);
  return !(worst <= 1e-6);
}
