// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cost of a change of a parameter: the least time of art_set_parameter over a number of changes.
//   parameters [CHANGES]    run in the root of the repository; 300 changes of parameters of each machine: one that reaches
//                           a force or two alone, one that reaches bodies and joints, one that formulas of time read;
//                           and the mean of all parameters that are numbers, over a tenth as many changes of each; then
//                           mean and worst of every parameter of all models under models/, numbers and formulas
#include <glob.h>
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


// of all that are numbers, of those that were not refused
static double time_all(artModel *m, int changes)
{
  double sum = 0;
  int count = 0;
  for (int i = 0; i < art_count_parameters(m); i++) {
    if (art_parameter_is_formula(m, i)) continue;
    const double x = art_parameter_value(m, i),
                 t = time_changes(m, art_parameter_name(m, i), changes);
    art_set_parameter(m, art_parameter_name(m, i), x, NULL);
    if (isnan(t)) continue;
    sum += t;
    count++;
  }
  return sum / count;
}


typedef struct parameterTimes {
  int count, refused;
  double sum, worst; // ms
  char slowest[400];
} parameterTimes;


// A formula that is set is a number from then on, so that each of them has a model of its own.
static void time_model(const char *file, int changes, parameterTimes times[2])
{
  artModel *m = NULL;
  if (art_load_model(&m, file, NULL) != ART_OK) return; // a part that is given values elsewhere
  for (int i = 0; m && i < art_count_parameters(m); i++) {
    const int is_formula = art_parameter_is_formula(m, i);
    parameterTimes *own = &times[is_formula];
    const char *name = art_parameter_name(m, i);
    const double x = art_parameter_value(m, i), t = time_changes(m, name, changes);
    own->count++;
    if (isnan(t)) {
      own->refused++;
    } else {
      own->sum += t;
    }
    if (t > own->worst) {
      own->worst = t;
      snprintf(own->slowest, sizeof own->slowest, "%s of %s", name, file);
    }
    if (!is_formula && art_set_parameter(m, name, x, NULL) == ART_OK) continue;
    art_free_model(m);
    if (art_load_model(&m, file, NULL) != ART_OK) return;
  }
  art_free_model(m);
}


static void time_models(int changes)
{
  parameterTimes times[2] = {0};
  glob_t found = {0};
  for (int depth = 0; depth < 4; depth++) {
    static const char *const folders[] = {"models/*.yaml", "models/*/*.yaml", "models/*/*/*.yaml",
                                          "models/*/*/*/*.yaml"};
    glob(folders[depth], depth ? GLOB_APPEND : 0, NULL, &found);
  }
  for (size_t k = 0; k < found.gl_pathc; k++) time_model(found.gl_pathv[k], changes, times);
  globfree(&found);
  for (int k = 0; k < 2; k++) {
    const parameterTimes *own = &times[k];
    printf("%d %s, of which the file refuses %d: mean %.4f ms, worst %.4f ms, %s\n", own->count,
           k ? "formulas" : "numbers", own->refused, own->sum / (own->count - own->refused),
           own->worst, own->slowest);
  }
}


int main(int argc, char **argv)
{
  static const struct {
    const char *file, *parameter[3]; // NULL: there is none
  } machines[] = {{"models/loops/four-bar.yaml", {NULL, "crank", NULL}},
                  {"models/tackle.yaml", {"k", NULL, NULL}},
                  {"models/motorcycle.yaml", {"k_torsion", NULL, NULL}},
                  {"models/loops/stewart.yaml", {NULL, "leg1/m", "x"}},
                  {"models/vehicles/iltis.yaml", {"fl/k_leaf", "fl/side", "ramp"}},
                  {"models/vehicles/multilink-car.yaml", {"fl/rolling", "rr/guide/m", "speed"}},
                  {"models/vehicles/truck.yaml", {"half_shafts", "axle5/m_axle", "period"}},
                  {"models/vehicles/road-train.yaml", {"half_shafts", "axle5/m_axle", "period"}}};
  const int changes = argc > 1 ? atoi(argv[1]) : 300;
  printf("ms a change %29s %8s %8s %8s %8s\n", "", "forces", "bodies", "formulas", "mean");
  for (size_t k = 0; k < sizeof machines / sizeof *machines; k++) {
    artModel *m;
    artError error = {0};
    if (art_load_model(&m, machines[k].file, &error) != ART_OK) {
      fprintf(stderr, "%s\n", error.text);
      return 1;
    }
    printf("%-36s %4d", machines[k].file, art_count_parameters(m));
    for (int i = 0; i < 3; i++) {
      const char *name = machines[k].parameter[i];
      printf(" %8.4f", name ? time_changes(m, name, changes) : NAN);
    }
    printf(" %8.4f\n", time_all(m, changes / 10 + 1));
    art_free_model(m);
  }
  time_models(changes / 10 + 1);
  return 0;
}
