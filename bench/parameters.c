// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a change of a parameter costs: the least time of art_set_parameter over a number of changes.
//   parameters [CHANGES]    run in the root of the repository; 300 changes of two parameters of each machine, one that
//                           reaches a force or two alone, and the first that is a number
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


static const char *first_number(const artModel *m)
{
  int i = 0;
  while (i + 1 < art_count_parameters(m) && art_parameter_is_formula(m, i)) i++;
  return art_parameter_name(m, i);
}


// in ms; NAN where a value was refused
static double time_changes(artModel *m, const char *name, int changes)
{
  const double x = art_parameter_value(m, art_find_parameter(m, name));
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
  static const struct {
    const char *file, *force; // NULL: no parameter reaches forces alone
  } machines[] = {{"models/loops/four-bar.yaml", NULL},
                  {"models/tackle.yaml", "k"},
                  {"models/motorcycle.yaml", "k_torsion"},
                  {"models/vehicles/iltis.yaml", NULL},
                  {"models/vehicles/truck.yaml", "half_shafts"},
                  {"models/vehicles/road-train.yaml", "half_shafts"}};
  const int changes = argc > 1 ? atoi(argv[1]) : 300;
  for (int k = 0; k < 6; k++) {
    artModel *m;
    artError error = {0};
    if (art_load_model(&m, machines[k].file, &error) != ART_OK) {
      fprintf(stderr, "%s\n", error.text);
      return 1;
    }
    printf("%-32s %4d parameters %8.4f ms a change of %s\n", machines[k].file,
           art_count_parameters(m), time_changes(m, first_number(m), changes), first_number(m));
    if (machines[k].force) {
      printf("%48s %8.4f ms a change of %s\n", "", time_changes(m, machines[k].force, changes),
             machines[k].force);
    }
    art_free_model(m);
  }
  return 0;
}
