// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A host for one S-function, compiled with it by -DBLOCK=name: it calls the methods in the documented order and
// integrates by Runge and Kutta's method in fixed steps, as Simulink's ode4 does. On standard output: a line for each
// row, time and all outputs; on standard error what the block says when it stops.
//
//   host STEP UNTIL STEPS_A_ROW AMPLITUDE [PARAMETER ...]
//
// The input is u_i = AMPLITUDE sin(3 t + i), in every minor step.
#include <math.h>
#include <string.h>

#include "simstruc.h"

void BLOCK(SimStruct *S);

static SimStruct host;
static double amplitude;
static long crossed; // zero crossings that changed their sign


static void *take(int n, size_t size)
{
  void *x = calloc(n > 0 ? (size_t) n : 1, size);
  if (!x) exit(3);
  return x;
}


static void stop_on_error(void)
{
  if (!host.error) return;
  fflush(stdout);
  fprintf(stderr, "%s\n", host.error);
  host.terminate(&host);
  exit(1);
}


// as the tables say once sizes are known; a method that is missing is one that the block does not have
static void open_block(double t)
{
  BLOCK(&host);
  host.t = t;
  host.initialize_sizes(&host);
  stop_on_error();
  if (host.given != host.wanted) {
    fprintf(stderr, "the block takes %d parameters\n", host.wanted);
    exit(1);
  }
  for (int i = 0; i < host.ninput; i++)
    host.input[i].signal = take(host.input[i].width, sizeof(real_T));
  for (int i = 0; i < host.noutput; i++)
    host.output[i].signal = take(host.output[i].width, sizeof(real_T));
  host.state = take(host.nstate, sizeof(real_T));
  host.rate = take(host.nstate, sizeof(real_T));
  host.crossing = take(2 * host.ncrossing, sizeof(real_T));
  host.real_work = take(host.nreal, sizeof(real_T));
  host.integer_work = take(host.ninteger, sizeof(int));
  host.pointer_work = take(host.npointer, sizeof(void *));
  host.initialize_sample_times(&host);
  if (host.start) host.start(&host);
  stop_on_error();
  if (host.initialize_conditions) host.initialize_conditions(&host);
  stop_on_error();
}


// a step, minor or major: inputs, outputs
static void show(double t, int is_major)
{
  host.is_major = is_major;
  host.t = t;
  for (int i = 0; i < host.input[0].width; i++)
    host.input[0].signal[i] = amplitude * sin(3 * t + i);
  host.is_in_outputs = 1;
  host.outputs(&host, 0);
  host.is_in_outputs = 0;
  stop_on_error();
}


static void print_row(void)
{
  printf("%.17g", host.t);
  for (int k = 0; k < host.noutput; k++) {
    for (int i = 0; i < host.output[k].width; i++) printf(",%.17g", host.output[k].signal[i]);
  }
  putchar('\n');
}


static void derive(double t, double *k)
{
  show(t, 0);
  host.derivatives(&host);
  stop_on_error();
  memcpy(k, host.rate, (size_t) host.nstate * sizeof *k);
}


static void look_for_crossings(void)
{
  if (!host.zero_crossings) return;
  double *before = host.crossing + host.ncrossing;
  memcpy(before, host.crossing, (size_t) host.ncrossing * sizeof *before);
  host.zero_crossings(&host);
  stop_on_error();
  for (int i = 0; i < host.ncrossing; i++) crossed += before[i] * host.crossing[i] < 0;
}


// y + h/6 (k1 + 2 k2 + 2 k3 + k4)
static void step(double t, double h, double *memory)
{
  const int n = host.nstate;
  double *y = memory, *k[4] = {y + n, y + 2 * n, y + 3 * n, y + 4 * n}, *x = host.state;
  static const double part[4] = {0, 0.5, 0.5, 1};
  memcpy(y, x, (size_t) n * sizeof *y);
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < n && s > 0; i++) x[i] = y[i] + part[s] * h * k[s - 1][i];
    derive(t + part[s] * h, k[s]);
  }
  for (int i = 0; i < n; i++) x[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  host.t = t + h;
  if (host.projection) host.projection(&host);
  stop_on_error();
  look_for_crossings();
}


int main(int argc, char **argv)
{
  static double values[10000];
  mxArray parameter = {.x = values, .is_double = 1};
  if (argc < 5) return 2;
  const double h = atof(argv[1]), until = atof(argv[2]);
  const int each = atoi(argv[3]), n = (int) (until / h + 0.5);
  amplitude = atof(argv[4]);
  for (int i = 5; i < argc; i++) values[parameter.n++] = atof(argv[i]);
  host.given = argc > 5;
  host.parameter[0] = &parameter;
  open_block(0);
  double *memory = take(5 * host.nstate, sizeof *memory);
  for (int i = 0; i <= n; i++) {
    show(i * h, 1);
    if (i % each == 0) print_row();
    if (i < n) step(i * h, h, memory);
  }
  host.terminate(&host);
  fprintf(stderr, "%d crossings watched, %ld seen, %d resets\n", host.ncrossing, crossed,
          host.resets);
  return 0;
}
