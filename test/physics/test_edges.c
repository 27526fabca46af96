// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel that rolls over a kerb with vertical sides: by every method the same motion, on circles around the edges, and
// without dampers all of its energy is there in the end.
#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"

enum { X, Z, SPEED, LOAD, DEPTH, ENERGY, OUTPUTS };

typedef struct kerbRun {
  artModel *m;
  artData *d;
  artRun *run;
  double y[OUTPUTS];
} kerbRun;


static kerbRun begin(int method, double tolerance, double step)
{
  kerbRun k = {.m = keep_machine("vehicles/kerb")};
  k.d = keep_fresh_data(k.m);
  artRunDef study = *art_find_run(k.m, "run");
  model_set_way(&study, method);
  study.tolerance = tolerance;
  study.step = step;
  k.run = keep_started_run(k.m, k.d, &study);
  return k;
}


static int go(kerbRun *k, double t)
{
  const int ok = CHECK_WORKS(art_run_to(k->run, t, &check_error));
  art_outputs(k->m, k->d, k->y);
  return ok;
}


// the cost of the whole way; energies are compared where one place of the road is touched
static void check_method(int method, double tolerance, double step, double near, double lost)
{
  // a run by DOPRI5 with tolerance 1e-11
  static const double want[3] = {4.5032043, 0.3398485, 2.9303821};
  kerbRun k = begin(method, tolerance, step);
  int ok = go(&k, 0);
  const double energy = k.y[ENERGY];
  if (ok && go(&k, 1.6)) {
    const bool held =
        CHECK_NEAR(k.y, want, 3, near) & CHECK_CLOSE(k.y[ENERGY], energy, lost * energy);
    if (!held) printf("  method %d\n", (int) method);
  }
}


TEST(every_method_rolls_over_the_kerb_and_keeps_its_energy)
{
  check_method(ART_SEMIRECURSIVE, 1e-9, 0, 2e-7, 1e-8);
  check_method(ART_RECURSIVE, 1e-9, 0, 2e-7, 1e-8);
  check_method(ART_AUGMENTED, 1e-9, 0, 2e-7, 1e-8);
  check_method(MODEL_GENERATED, 1e-9, 0, 2e-7, 2e-8);
  check_method(ART_INDEX1, 1e-9, 2e-4, 2e-4, 2e-6);
  check_method(ART_INDEX3, 1e-9, 2e-4, 2e-4, 2e-6);
  check_method(ART_CONSERVING, 1e-9, 2e-4, 2e-4, 2e-6);
  check_method(ART_MULTI_INDEX, 1e-9, 0, 1e-4, 2e-6);
}


// While the wheel stands on the edge alone its centre is at the distance R + e - d from the centre of the edge's arc,
// e = 5 mm, d = load / stiffness.
TEST(its_centre_moves_on_a_circle_around_the_edge)
{
  kerbRun k = begin(ART_AUTOMATIC, 1e-9, 0);
  int on_edge = 0;
  double highest = 0;
  for (double t = 0; t < 0.6 && go(&k, t); t += 1e-3) {
    const double dx = k.y[X] - 1.00594, dz = k.y[Z] - 0.075, D = hypot(dx, dz);
    highest = check_larger(highest, k.y[Z]);
    if (dx > -2e-3 || k.y[Z] < 0.351 || !(k.y[LOAD] > 0)) continue;
    CHECK_CLOSE(D, 0.355 - k.y[LOAD] / 2e5, 2e-5);
    on_edge++;
  }
  CHECK(on_edge > 5 && highest > 0.41);
}
