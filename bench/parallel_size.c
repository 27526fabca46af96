// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The size from which two threads pay in generated accelerations: machines that grow, one thread compared with two.
//   parallel_size [legs|loop [N ..]]     frames with N four-bar linkages, loops of N revolute joints
// Times are of the wall clock, the shortest of many evaluations and the middle, by turns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop_models.h"
#include "par/wait.h"
#include "team_times.h"

enum { TASKS = 2, MAX_SIZES = 32 };

typedef struct benchFamily {
  const char *name, *what;
  artModel *(*make)(int n, artError *error);
  int size[MAX_SIZES];
} benchFamily;

static const benchFamily families[] = {
    {"legs", "a frame with N four-bar linkages", frame_model, {1, 2, 3, 4, 6, 8, 12, 16}},
    {"loop", "a loop of N revolute joints", polygon_model, {5, 9, 15, 21, 31}},
};
enum { FAMILIES = sizeof families / sizeof families[0] };


// the speed-up by middle times, 0 where there is none to be had
static double measure(const benchFamily *family, int n, double transfer)
{
  artError error = {0};
  teamMachine b = {0};
  double gain = 0;
  const splitChoice split = split_default_choice(TASKS);
  artModel *m = family->make(n, &error);
  if (!m || !team_open(&b, m, &split, &error)) {
    printf("  %4d: %s\n", n, error.text[0] ? error.text : "no threads");
  } else {
    teamTimes one, two;
    team_time(&b, &one, &two);
    const teamPrediction p = team_predict(&b, &split, transfer, one.shortest);
    gain = one.middle / two.middle;
    printf("  %4d %6d %10d %8d %6d %9.2f %9.2f %9.2f %9.2f %8.2f\n", n, art_count(m).bodies,
           p.operations, p.messages, p.values, 1e6 * one.middle, 1e6 * two.middle, p.as_measured,
           gain, one.shortest / two.shortest);
  }
  team_close(&b);
  return gain;
}


static void measure_family(const benchFamily *family, int count, const int *size, double transfer)
{
  int pays = 0;
  printf("%s\n  %4s %6s %10s %8s %6s %9s %9s %9s %9s %8s\n", family->what, "N", "bodies",
         "operations", "messages", "values", "one us", "two us", "predicted", "measured",
         "shortest");
  for (int i = 0; i < count; i++) {
    const double gain = measure(family, size[i], transfer);
    if (gain <= 1) pays = 0;
    if (gain > 1 && pays == 0) pays = size[i];
  }
  if (pays > 0) {
    printf("  two threads pay from N = %d on\n", pays);
  } else {
    printf("  two threads do not pay\n");
  }
}


int main(int argc, char **argv)
{
  int size[MAX_SIZES], count = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 2; i < argc && count < MAX_SIZES; i++) size[count++] = atoi(argv[i]);
  const int cores = par_cores();
  const double transfer = team_transfer();
  printf("a transfer takes %.0f ns; %d cores\n", 1e9 * transfer, cores);
  for (int k = 0; k < FAMILIES; k++) {
    const benchFamily *family = &families[k];
    if (argc > 1 && strcmp(argv[1], family->name) != 0) continue;
    int n = 0;
    while (n < MAX_SIZES && family->size[n] > 0) n++;
    measure_family(family, count > 0 ? count : n, count > 0 ? size : family->size, transfer);
  }
  return 0;
}
