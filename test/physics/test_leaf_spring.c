// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The leaf spring of three links: it stands as drawn under its preload, and gives way as its two halves do.
#include "support/check.h"
#include "support/simulate.h"
#include <math.h>
#include <stdio.h>


static double height(const artModel *m, artData *d, int frame)
{
  double r[3];
  art_update(m, d);
  art_frame_position(m, d, frame, r);
  return r[2];
}


TEST(it_stands_as_drawn_and_gives_way_as_two_cantilevers)
{
  simulation s;
  if (simulation_start(&s, "vehicles/leaf-spring", ART_AUTOMATIC, ART_DOPRI5, 1e-9)) {
    artEquilibrium result;
    const int axle = art_find_frame(s.model, "axle");
    // the halves weigh 2 g, half of which hangs on the spring: 1e-7 m
    CHECK(art_find_equilibrium(s.model, s.data, &result, NULL) == ART_OK);
    const double rest = height(s.model, s.data, axle);
    CHECK_NEAR(&rest, (double[]){0}, 1, 2e-7);

    // the force of the wheel is 1000 N sin 20 t
    s.data->time = asin(0.01) / 20;
    CHECK(art_find_equilibrium(s.model, s.data, &result, NULL) == ART_OK);
    const double lifted = height(s.model, s.data, axle) - rest;
    CHECK_REL(&lifted, (double[]){10.0 / (2 * 50e3)}, 1, 1e-4);
  }
}


TEST(its_energy_is_balanced)
{
  simulation s;
  if (simulation_start(&s, "vehicles/leaf-spring", ART_AUTOMATIC, ART_DOPRI5, 1e-10)) {
    simulation_go(&s, 1);
    const artCertificate c = art_certify(s.run);
    CHECK(c.energy_error < 1e-6 * c.energy_scale);
    CHECK(c.position_residual < 1e-12);
  }
}
