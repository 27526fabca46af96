// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a change of a parameter costs: the least time of art_set_parameter over a number of changes.
//   parameters [CHANGES]    run in the root of the repository; 300 changes of one parameter of each machine
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "articula/articula.h"


static double now(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


// of the first parameter that is a number, in ms; NAN where a value was refused
static double time_changes(artModel *m, int changes)
{
  int i = 0;
  while (i + 1 < art_count_parameters(m) && art_parameter_is_formula(m, i)) i++;
  const char *name = art_parameter_name(m, i);
  const double x = art_parameter_value(m, i);
  double least = INFINITY;
  for (int k = 1; k <= changes; k++) {
    const double start = now();
    if (art_set_parameter(m, name, x * (1 + 1e-6 * k), NULL) != ART_OK) return NAN;
    least = fmin(least, now() - start);
  }
  return 1e3 * least;
}


int main(int argc, char **argv)
{
  static const char *const files[] = {"models/loops/four-bar.yaml", "models/vehicles/iltis.yaml",
                                      "models/vehicles/truck.yaml",
                                      "models/vehicles/road-train.yaml"};
  const int changes = argc > 1 ? atoi(argv[1]) : 300;
  for (int k = 0; k < 4; k++) {
    artModel *m;
    artError error = {0};
    if (art_load_model(&m, files[k], &error) != ART_OK) {
      fprintf(stderr, "%s\n", error.text);
      return 1;
    }
    printf("%-32s %4d parameters %8.3f ms a change\n", files[k], art_count_parameters(m),
           time_changes(m, changes));
    art_free_model(m);
  }
  return 0;
}
