// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 07: a quarter car on one tyre brakes from 20 m/s to standstill and stays there.
#include <articula/tyre.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  artError error = {0};
  artTyre *tyre;
  const char *path = argc > 1 ? argv[1] : "models/tyres/MagicFormula61_Parameters.tir";
  if (art_load_tyre(&tyre, path, &error)) return fprintf(stderr, "%s\n", error.text), 1;
  for (int i = 0; i < art_count_tyre_notes(tyre); i++) {
    const artTyreNote note = art_get_tyre_note(tyre, i);
    printf("line %d: %s is not used\n", note.line, note.key);
  }

  // height at which the tyre carries the weight
  const double mass = 500, g = 9.81, inertia = 1.2, h = 2e-4;
  const artTyreDeflection at_rest = {0};
  const double height = art_tyre_loaded_radius(tyre, mass * g, &at_rest);

  double speed = 20, slip[2] = {0, 0};
  double spin = speed / art_tyre_rolling_radius(tyre, mass * g, 50, 0);
  printf("  time   speed  wheel speed    kappa       Fx\n");
  for (int k = 0; k <= 20000; k++) {
    const artWheel wheel = {.centre = {0, 0, height},
                            .axis = {0, 1, 0},
                            .velocity = {speed, 0, 0},
                            .omega = {0, spin, 0}};
    artTyreAnswer answer;
    if (art_put_tyre_on_road(tyre, NULL, &wheel, slip, &answer)) return 1;
    if (k % 2000 == 0) {
      printf("%6.2f  %6.3f  %11.3f  %7.4f  %7.1f\n", k * h, speed, spin * height,
             answer.input.kappa, answer.force.Fx);
    }

    // a friction brake: at most 1500 N m against the spin, less if that would reverse it
    double brake = -(answer.world_moment[1] + spin * inertia / h);
    if (brake > 1500) brake = 1500;
    if (brake < -1500) brake = -1500;
    speed += h * answer.world_force[0] / mass;
    spin += h * (answer.world_moment[1] + brake) / inertia;
    for (int i = 0; i < 2; i++) slip[i] += h * answer.slip_rate[i];
  }
  art_free_tyre(tyre);
  return 0;
}
