// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 05: static equilibrium of a machine, and its vibration modes about it.
#include <articula/articula.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// a mast on an elastic foot, with a bob hanging from its tip
static const char text[] = "articula: 1\n"
                           "bodies:\n"
                           "  mast: {mass: 4, com: [0, 0, 0.5], inertia: [0.33, 0.33, 0.01],"
                           " points: {tip: [0, 0, 1]}}\n"
                           "  bob: {mass: 1, com: [0, 0, -0.4], inertia: [0.01, 0.01, 0.01]}\n"
                           "joints:\n"
                           "  foot: {type: revolute, axis: y, from: ground, to: mast}\n"
                           "  hook: {type: revolute, axis: y, from: mast.tip, to: bob}\n"
                           "forces:\n"
                           "  root: {type: joint-spring, coordinate: foot, rest: 10 deg,"
                           " stiffness: 80, damping: 2}\n";


static void print_modes(const artModel *model, const artLinear *linear)
{
  for (int i = 0; i < linear->order; i++) {
    if (linear->imaginary[i] < 0) continue; // complex conjugate of the previous one
    printf("%8.4f Hz, damping %7.4f:", linear->frequency[i], linear->damping[i]);
    for (int k = 0; k < linear->n; k++) {
      printf("  %s %4.1f %%", art_velocity_name(model, linear->coordinate[k]),
             100 * linear->share[i * linear->n + k]);
    }
    printf("\n");
  }
}


int main(void)
{
  artError error = {0};
  artModel *model = NULL;
  artLinear *linear = NULL;
  artEquilibrium rest = {0};
  if (art_read_model(&model, text, strlen(text), "mast", &error)) {
    return fprintf(stderr, "%s\n", error.text), 1;
  }
  artData *data = art_create_data(model);
  if (art_find_equilibrium(model, data, &rest, &error) == ART_OK) {
    printf("at rest: mast %.4f rad, bob %.4f rad against it, after %d iterations, %s\n", data->q[0],
           data->q[1], rest.iterations, rest.stable == 1 ? "stable" : "not stable");
    art_linearise(model, data, ART_ORDER_N, &linear, &error);
  }
  if (linear) print_modes(model, linear);
  if (error.status) fprintf(stderr, "%s\n", error.text);

  // the bob must hang vertically, for any angle of the mast
  const double slant = fabs(data->q[0] + data->q[1]);
  art_free_linear(linear);
  art_free_data(data);
  art_free_model(model);
  return error.status || !(slant < 1e-8);
}
